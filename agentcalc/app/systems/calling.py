"""Which of two systems finishes one call first. No Streamlit."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from agentcalc.analysis.break_even import crossing, profiles
from agentcalc.figures.words import pair, rounded, series
from agentcalc.latency import call_s, profile
from agentcalc.system import System
from agentcalc.units import NBSP, show_count, show_to

CLOSE = 0.03
"""A difference below is not told from none."""


@dataclass(frozen=True)
class Call:
    """One call of so many tokens on two systems. title: who is first; why: what the other lines say."""

    title: str
    why: str
    first: str


def one_call(baseline: System, candidate: System, names: tuple[str, str], prompt: int, answer: int) -> Call:
    """What a call of prompt uncached tokens and answer tokens takes on both, and who is first for sure.

    first: "baseline", "candidate" or "" where that is too close to call.
    """
    ranges = [_range(system, prompt, answer) for system in (baseline, candidate)]
    b, c = (r[0] for r in ranges)
    shown = pair(b, c)
    undecided = bool(crossing(baseline, candidate, prompt).undecided(np.array([float(answer)]))[0])
    base, cand = names
    if undecided or abs(b / c - 1) < CLOSE:
        title = f"Too close to call: {shown.c} on {cand} against {shown.b} on {base}"
        first = ""
    elif c < b:
        title, first = f"{cand} finishes first: {shown.c} instead of {shown.b} on {base}", "candidate"
    else:
        title, first = f"{base} finishes first: {shown.b} instead of {shown.c} on {cand}", "baseline"
    bands = []
    for name, (_, *ends) in zip(names, ranges, strict=True):
        low, high = (rounded(end, shown.unit) for end in ends)
        if low < high:
            bands.append(f"{name} takes {show_to(low, shown.unit)} to {show_to(high, shown.unit)}")
    said = f"{'; '.join(bands)} over what is not known." if bands else ""
    return Call(title, " ".join(part for part in (said, beyond((baseline, candidate), names, prompt)) if part), first)


def _range(system: System, prompt: int, answer: int) -> tuple[float, float, float]:
    """Seconds of the call, and the least and most over what is unknown."""
    seconds = [float(call_s(float(prompt), float(answer), found)) for found in profiles(system)]
    return seconds[0], min(seconds), max(seconds)


def beyond(systems: Iterable[System], names: Iterable[str], prompt: int) -> str:
    """Whose numbers were measured on prompts of another length; empty where all were measured on such."""
    those: dict[tuple[float, float], list[str]] = {}
    for system, name in zip(systems, names, strict=True):
        measured = profile(system).uncached_range
        if measured is not None and not measured[0] <= prompt <= measured[1]:
            those.setdefault(measured, []).append(name)
    said = [f"{series(called)} from prompts of {_span(low, high)}{NBSP}tokens" for (low, high), called in those.items()]
    return f"Extrapolated: {'; '.join(said)}." if said else ""


def _span(low: float, high: float) -> str:
    return show_count(low) if low == high else f"{show_count(low)} to {show_count(high)}"
