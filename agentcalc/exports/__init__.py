"""Figures as files."""

from agentcalc.exports.data import csv
from agentcalc.exports.images import pdf, png, svg
from agentcalc.exports.page import page

__all__ = ["csv", "page", "pdf", "png", "svg"]
