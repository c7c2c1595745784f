"""Figures as files."""

from agentcalc.exports.images import pdf, png, svg
from agentcalc.exports.page import page

__all__ = ["page", "pdf", "png", "svg"]
