"""The third line under the answer: at most two facts, what the difference is worth and what a sceptic asks first."""

from __future__ import annotations

import math

import numpy as np

from agentcalc.analysis.facts import Facts
from agentcalc.analysis.naming import names
from agentcalc.results import Comparison
from agentcalc.units import last_digit_s, show_ratio, show_time, show_total

MOST_FACTS = 2
RUNS = 1_000
MUCH_LESS = 4 / 3
"""How far the ratios of all runs and of slow runs lie apart before it is said: by a third."""

SILENT = ("same", "not known yet", "too close")


def line(facts: Facts, case: str, rival: Comparison | tuple[str, float] | None) -> str:
    """The line for a case; the stronger rival always stays, last. Empty for the cases that say nothing more."""
    if case in SILENT:
        return ""
    against = _against(facts, rival)
    found = [] if case == "slower" else [text for text in (_saved(facts), _slow_runs(facts)) if text]
    found = found[: MOST_FACTS - bool(against)]
    return " ".join([*found, against] if against else found)


def _against(facts: Facts, rival: Comparison | tuple[str, float] | None) -> str:
    if rival is None:
        return ""
    if isinstance(rival, Comparison):
        stronger, candidate = (system.task_s[facts.by] for system in rival.systems[:2])
        name = names((rival.specs[0], facts.specs[0], facts.specs[1]))[0]
        ratio = stronger / candidate if candidate else float("inf")
    else:
        name, ratio = rival
    return f"Against {name}: {show_ratio(ratio)}."


def _saved(facts: Facts) -> str:
    seconds = facts.comparison.task_seconds
    saved = seconds[0] - seconds[facts.index + 1]
    half, mean = facts.pair.saved_s["p50"], facts.pair.saved_s["mean"]
    total = f"{RUNS:,} runs save {show_total(mean * RUNS)}" if mean > 0 else ""
    if half <= 0:
        return f"{total}." if total else ""
    if np.ptp(saved) <= 1e-9 * abs(half):
        first = f"Every run saves {show_time(half)}"
    else:
        # Rounded down: half of all runs must save more than the number shown.
        unit = last_digit_s(half)
        first = f"Half of all runs save more than {show_time(math.floor(half / unit + 1e-9) * unit)}"
    return f"{first}; {total}." if total else f"{first}."


def _slow_runs(facts: Facts) -> str:
    slow = facts.ratio_by("p95")
    if facts.by == "p95" or not math.isfinite(slow):
        return ""
    if slow < 1:
        return f"Slow runs finish later: {show_ratio(slow)} at p95."
    if facts.ratio >= slow * MUCH_LESS:
        return f"Slow runs gain less: {show_ratio(slow)} at p95."
    if slow >= facts.ratio * MUCH_LESS:
        return f"Slow runs gain more: {show_ratio(slow)} at p95."
    return ""
