"""A number with its band over what is unknown about a system, and which of two such numbers is larger."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from agentcalc.simulate.cast import Cast

Order = Literal["more", "less", "same", "close"]

CLOSE = 0.03
"""Two numbers nearer than this share of the larger are too close to call, as in a headline."""


@dataclass(frozen=True)
class Banded:
    """A value, and its lowest and highest over every combination of the ends of a system's unknowns."""

    value: float
    low: float
    high: float

    @property
    def known(self) -> bool:
        """Whether nothing unknown changes it."""
        return self.low == self.high

    def scaled(self, factor: float) -> Banded:
        """The same in another unit; factor > 0."""
        return Banded(self.value * factor, self.low * factor, self.high * factor)


def banded(who: Cast, row: int, value: Callable[[int], float]) -> Banded:
    """The value of one system of a cast with its band; row: its place among the systems; value: of a player's row."""
    found = [float(value(player)) for player in (row, *who.corners[row])]
    return Banded(found[0], min(found), max(found))


def order(candidate: Banded, baseline: Banded, *, close: float = CLOSE) -> Order:
    """Whether the candidate's number is more or less than the baseline's; "close" where their bands meet, or where
    they lie nearer than a share ``close`` of the larger; "same" where they are equal.
    """
    if candidate == baseline and candidate.known:
        return "same"
    meet = candidate.low <= baseline.high and baseline.low <= candidate.high
    largest = max(abs(candidate.value), abs(baseline.value))
    if meet or abs(candidate.value - baseline.value) < close * largest:
        return "close"
    return "more" if candidate.value > baseline.value else "less"


def unless_close(said: str, case: Order | str) -> str:
    """A sentence that compares; where the case is "close", these words come before it."""
    return f"Too close to call: {said[0].lower()}{said[1:]}" if case == "close" else said


def in_words(number: Banded, show: Callable[[float], str]) -> str:
    """The value as ``show`` writes it, with its band where that looks different: "64% (60% to 67%)"."""
    value, low, high = show(number.value), show(number.low), show(number.high)
    return value if low == high else f"{value} ({low} to {high})"


def show_number(number: float) -> str:
    """A mean count: "0.7", "6.2", "3" if always 3, "63", "1,240"; "any number" where there is no end."""
    if not math.isfinite(number):
        return "any number"
    if 0 < number < 0.05:
        return "under 0.1"
    if abs(number - round(number)) < 0.005:
        return f"{number:,.0f}"
    return f"{number:.1f}" if number < 9.95 else f"{number:,.0f}"
