"""An amount as a label of a figure: "250 tokens", "0.3–14 s". A range goes from the typical to nine in ten."""

from __future__ import annotations

import numpy as np

from agentcalc.distributions import Amount
from agentcalc.units import NBSP, show_about, show_count

_ENDS = np.array([0.5, 0.9])


def ends(amount: Amount) -> tuple[float, float]:
    """The amount's p50 and p90 as they are drawn, stopped at its max."""
    low, high = amount.draw(_ENDS)
    return float(low), float(high)


def tokens(amount: Amount) -> str:
    """``250``, ``214–1.7k``."""
    return _range([_count(value) for value in ends(amount)])


def times(amount: Amount) -> str:
    """``8``, ``6–20``."""
    return _range([show_count(value) for value in ends(amount)])


def seconds(amount: Amount) -> str:
    """``4 s``, ``0.3–14 s``, ``1.4–21 min``."""
    low, high = ends(amount)
    unit, word = (60.0, "min") if 180 <= high < 10_800 else (3600.0, "h") if high >= 10_800 else (1.0, "s")
    return f"{_range([_plain(value / unit) for value in (low, high)])}{NBSP}{word}"


def _range(shown: list[str]) -> str:
    return shown[0] if shown[0] == shown[1] else "–".join(shown)


def _plain(value: float) -> str:
    """Two significant digits without zeros at the end: 0.3, 14, 0.06."""
    said = show_about(value)
    return said.rstrip("0").rstrip(".") if "." in said else said


def _count(value: float) -> str:
    """Tokens, in thousands from 1,000 on."""
    for size, letter in ((1e6, "M"), (1e3, "k")):
        if value >= 0.9995 * size:
            return (
                f"{value / size:.1f}".removesuffix(".0") + letter
                if value < 9.95 * size
                else f"{value / size:,.0f}{letter}"
            )
    return show_count(value)
