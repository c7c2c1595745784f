"""Figures as files."""

from agentcalc.exports.images import png, svg

__all__ = ["png", "svg"]
