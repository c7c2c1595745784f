"""Which figures a reader sees where: break-even comes forward by itself where it decides. No Streamlit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agentcalc.figures.figure import Figure
from agentcalc.results import Comparison

OWN_CALLS = (5, 95)
"""Percentiles between which answer lengths count as the task's own."""


@dataclass(frozen=True)
class Arrangement:
    """first: over the whole width; then rows of one or two figures side by side."""

    first: Figure
    rows: tuple[tuple[Figure, ...], ...]

    @property
    def all(self) -> tuple[Figure, ...]:
        return (self.first, *(figure for row in self.rows for figure in row))


def arrange(found: dict[str, Figure], comparison: Comparison) -> Arrangement | None:
    """Timeline; step by step beside where the time goes; all runs.

    A break-even that may lie inside the task's own calls takes the place of where the time goes, which then stands
    beside all runs. One that lies elsewhere stands beside all runs itself; where there is none, nothing does. A run
    that takes no time leaves all runs alone, and a task that takes none leaves nothing: None.
    """
    if "timeline" not in found:
        return Arrangement(found["distribution"], ()) if found else None
    where, other = found["components"], None
    if "break_even" in found and inside_own_calls(comparison):
        where, other = found["break_even"], where
    elif "break_even" in found and comparison.pairs[0].break_even_output_tokens is not None:
        other = found["break_even"]
    last = (found["distribution"],) if other is None else (found["distribution"], other)
    return Arrangement(found["timeline"], ((found["accumulation"], where), last))


def inside_own_calls(comparison: Comparison) -> bool:
    """Whether the break-even length, or its band, meets the lengths of this task's own answers."""
    band = comparison.pairs[0].break_even_band
    if band is None:
        return False
    lengths = comparison.calls_sample()["output_tokens"].to_numpy()
    if not len(lengths):
        return False
    shortest, longest = np.percentile(lengths, OWN_CALLS)
    low, high = (0.0 if band[0] is None else band[0]), (np.inf if band[1] is None else band[1])
    return bool(low <= longest and high >= shortest)
