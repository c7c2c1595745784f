"""Figures: tidy tables in, charts with their words out.

    figures = figures_for(comparison)
    figures["timeline"].title
    figures["timeline"].chart("full", dark=True)

Nothing here plays a task: figures draw what a comparison has found.
"""

from __future__ import annotations

from agentcalc.figures.figure import Figure
from agentcalc.figures.several import KINDS, about, figures_for

__all__ = ["KINDS", "Figure", "about", "figures_for"]
