"""Figures as charts and shapes that PowerPoint itself can edit, for the kinds that look as good that way."""

from __future__ import annotations

from collections.abc import Callable

from agentcalc.exports import (
    native_accumulation,
    native_break_even,
    native_components,
    native_distribution,
    native_race,
    native_timeline,
    native_tornado,
)
from agentcalc.exports.native_ground import Box, Ground
from agentcalc.figures.figure import Figure

DRAWN: dict[str, Callable[[Ground, Figure, Box], None]] = {
    "race": native_race.draw,
    "timeline": native_timeline.draw,
    "accumulation": native_accumulation.draw,
    "components": native_components.draw,
    "break_even": native_break_even.draw,
    "distribution": native_distribution.draw,
    "tornado": native_tornado.draw,
}
"""What PowerPoint has no chart for (a heat map, a task's graph) is not among them and stays a picture."""


def has_native(figure: Figure) -> bool:
    """Whether the figure can be drawn so."""
    return figure.kind in DRAWN and figure.drawn is not None


def draw(ground: Ground, figure: Figure, box: Box) -> None:
    """The figure into a box of a slide."""
    DRAWN[figure.kind](ground, figure, box)
