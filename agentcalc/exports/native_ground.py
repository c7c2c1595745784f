"""What native figures are drawn on: a slide with its scale, its colours and its face."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pptx.dml.color import RGBColor
from pptx.util import Emu

from agentcalc.figures.measure import ems, in_lines, wrap
from agentcalc.figures.theme import SIZES, Palette

EMU = 9525
"""English Metric Units to a CSS pixel (96 to an inch)."""
FACE = "Arial"
SPARE = 1.03
"""Programs measure a text a little differently."""
LEADING = 1.2
"""Line height in type sizes."""
MOST_NAME_LINES = 4

_UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

Box = tuple[float, float, float, float]
"""Left, top, width, height in pixels of the layout."""


def writable(text: str) -> str:
    """The text without characters that XML cannot hold."""
    return _UNWRITABLE.sub("\ufffd", text)


@dataclass(frozen=True)
class Ground:
    """A slide to draw on. scale: pixels of the slide to one of the layout; face: of the text, None for the theme's own;
    wider: how wide that face is beside Arial, in which widths are measured.
    """

    page: Any
    palette: Palette
    scale: float = 1.0
    face: str | None = FACE
    wider: float = 1.0

    label: float = SIZES["slide"].label

    @property
    def small(self) -> float:
        """Labels inside bars."""
        return 0.95 * self.label

    @property
    def name(self) -> float:
        """Names and end values."""
        return 1.3 * self.label

    @property
    def gap(self) -> float:
        """The time gained."""
        return 1.5 * self.label

    def emu(self, px: float) -> int:
        """A length of the layout in the slide's own unit."""
        return round(px * self.scale * EMU)

    def place(self, box: Box) -> tuple[Emu, Emu, Emu, Emu]:
        """A box as python-pptx takes it."""
        return tuple(Emu(self.emu(value)) for value in box)

    def points(self, px: float) -> int:
        """A type size in hundredths of a point."""
        return max(100, round(px * self.scale * 75))

    def wide(self, text: str, size: float, bold: bool = False) -> float:
        """Pixels that a line takes, with a little to spare."""
        return ems(text, bold) * size * self.wider * SPARE

    def lines(self, text: str, size: float, wide: float, bold: bool = False, most: int = MOST_NAME_LINES) -> list[str]:
        """The text in as few lines as fit the width, balanced; at ``most`` of them it ends with an ellipsis."""
        room = wide / (size * self.wider * SPARE)
        found = wrap(text, room, bold)
        if len(found) <= most:
            return in_lines(text, len(found), bold) if len(found) > 1 else found
        last = found[most - 1]
        while last and ems(f"{last}…", bold) > room:
            last = last[:-1]
        return [*found[: most - 1], f"{last.rstrip()}…"]


def rgb(colour: str) -> RGBColor:
    """A colour as python-pptx takes it."""
    return RGBColor.from_string(colour.lstrip("#"))


def apart(wanted: Sequence[float], gaps: Sequence[float], low: float, high: float) -> list[float]:
    """Positions near ``wanted``, top first: each ``gaps[i]`` or more below the one before, all between low and high."""
    down: list[float] = []
    for i, at in enumerate(wanted):
        down.append(max(at, low if i == 0 else down[-1] + gaps[i]))
    found = list(down)
    for i in reversed(range(len(found))):
        found[i] = min(down[i], high if i == len(found) - 1 else found[i + 1] - gaps[i + 1])
    return found
