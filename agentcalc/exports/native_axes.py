"""Axes that are drawn of shapes, and ticks as texts, where a chart of PowerPoint has none or writes them otherwise."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from agentcalc.exports.native_ground import Ground
from agentcalc.exports.native_shapes import Shapes
from agentcalc.figures.axes import SIGNS, time_ticks
from agentcalc.units import NBSP

SECONDS_IN = {"seconds": 1.0, "minutes": 60.0, "hours": 3600.0}


@dataclass(frozen=True)
class TimeTicks:
    """Ticks from 0, in seconds; word: the unit they are told in; decimals: of their labels."""

    at: tuple[float, ...]
    word: str
    decimals: int

    @classmethod
    def of(cls, longest_s: float, most: int = 8) -> TimeTicks:
        """As the figures have them."""
        ticks, _, word = time_ticks(longest_s, most)
        step = (ticks[1] if len(ticks) > 1 else longest_s) / SECONDS_IN[word]
        return cls(tuple(ticks), word, max(0, -math.floor(math.log10(step) + 1e-9)))

    @property
    def unit_s(self) -> float:
        return SECONDS_IN[self.word]

    @property
    def sign(self) -> str:
        """The unit as labels write it."""
        return SIGNS[self.word]

    @property
    def step(self) -> float:
        """From tick to tick, in the unit."""
        return (self.at[1] if len(self.at) > 1 else self.at[0] or 1.0) / self.unit_s

    @property
    def format(self) -> str:
        """A number format of charts."""
        return "#,##0" + ("." + "0" * self.decimals if self.decimals else "")

    def written(self, sign: str = "") -> str:
        """The same with a sign behind each number but 0, which stands alone."""
        behind = f'"{NBSP}{sign}"' if sign else ""
        return f"{self.format}{behind};−{self.format}{behind};0"

    @property
    def labels(self) -> list[str]:
        """Numbers in the unit."""
        return ["0" if t == 0 else f"{t / self.unit_s:,.{self.decimals}f}" for t in self.at]

    @property
    def signed(self) -> list[str]:
        """Numbers with the unit behind each but 0."""
        return [text if text == "0" else f"{text}{NBSP}{self.sign}" for text in self.labels]


def below(ground: Ground) -> float:
    """Pixels of a horizontal axis with its labels and its title."""
    return 2.4 * ground.label + 13


def across(
    shapes: Shapes, at: Sequence[float], labels: Sequence[str], title: str, left: float, right: float, top: float,
    bottom: float, *, grid: bool = True, line: bool = True,
) -> None:  # fmt: skip
    """A horizontal axis under a plot from top to bottom: light lines at the ticks, labels, and the title at its left.

    at: pixels of the ticks. A label that would touch its neighbour is left out.
    """
    ground, palette = shapes.ground, shapes.ground.palette
    size, free = ground.label, -math.inf
    for x, label in zip(at, labels, strict=True):
        if grid:
            shapes.line(x, top, x, bottom, palette.grid, name="grid")
        wide = ground.wide(label, size)
        middle = min(max(x, left + wide / 2 if x - left < wide / 2 else x), right - wide / 2)
        if middle - wide / 2 > free:
            shapes.text(middle, bottom + 5, label, size, palette.muted, align="ctr", name="axis")
            free = middle + wide / 2 + 6
    if line:
        shapes.line(left, bottom, right, bottom, palette.axis, name="axis")
    shapes.text(left, bottom + 6 + 1.2 * size, title, size, palette.muted, name="axis title")
