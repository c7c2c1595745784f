"""Systems drawn as lines: what each is called, its role, and the colour and dash that tell it from the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import pandas as pd

from agentcalc.figures.theme import Look
from agentcalc.system import System

Role = Literal["baseline", "candidate", "other"]

MOST_SYSTEMS = 6
DASHES = ([1, 0], [7, 4], [2, 3], [9, 3, 2, 3])
"""Lines beyond the pair differ by dash too."""


@dataclass(frozen=True)
class Line:
    """A system to draw: its name, and whether it is the baseline, the candidate or another."""

    system: System
    name: str
    role: Role = "other"


class Styles:
    """How the systems of a table with label and role are drawn. names: in the order of the table."""

    def __init__(self, found: pd.DataFrame, look: Look):
        self.palette, self.chosen = look.palette, look.chosen
        self.names = list(dict.fromkeys(found["label"]))
        self._roles = dict(zip(found["label"], found["role"], strict=True))
        self._others = [name for name in self.names if self._roles[name] == "other"]

    def role(self, name: str) -> Role:
        return self._roles[name]

    def colour(self, name: str, text: bool = False) -> str:
        """Colour of a line, or of the words about it, which are never so pale that they cannot be read."""
        role, palette = self.role(name), self.palette
        if role != "other" or name in palette.own:
            return palette.name(role, name) if text else palette.system(role, name)
        at = self._others.index(name)
        crossing = (palette.third, palette.fourth)
        return crossing[at] if at < 2 else palette.muted if text else palette.other

    def named(self, name: str) -> str:
        """What a system is called in the figure."""
        return self.chosen.name(name)

    def dash(self, name: str) -> list[int]:
        return DASHES[0] if self.role(name) != "other" else DASHES[1 + self._others.index(name) % 3]

    @property
    def from_below(self) -> list[str]:
        """Names in the order of drawing: the candidate lies on top."""
        return sorted(self.names, key=lambda name: ("other", "baseline", "candidate").index(self.role(name)))
