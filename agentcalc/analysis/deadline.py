"""What a deadline means on each system, and how often attempts ran out, in a sentence each."""

from __future__ import annotations

from collections.abc import Sequence

from agentcalc.analysis.naming import names
from agentcalc.results import Comparison
from agentcalc.units import show_share, show_time


def deadline_line(comparison: Comparison) -> str:
    """The share of runs done within the task's deadline on each system; with a chance of success, also the attempts
    that fit one after the other and their chance together, an upper bound. Empty without a deadline.
    """
    found = [system.deadline for system in comparison.systems]
    if found[0] is None:
        return ""
    called = names(comparison.specs)
    done = _each([f"{show_share(one['met_share'])}{'' if i else ' of runs'}" for i, one in enumerate(found)], called)
    within = f"ithin {show_time(found[0]['seconds'])}: {done}."
    said = f"With the numbers taken here, w{within}" if _unsure(comparison) else f"W{within}"
    if found[0]["success_share"] is None:
        return said
    fit = _each([_attempts(one["attempts_mean"]) for one in found], called)
    chance = _each([show_share(one["success_share"]) for one in found], called)
    return f"{said} Attempts that fit, one after the other: {fit}. Chance of success at most {chance}."


def exhausted_line(comparison: Comparison) -> str:
    """In how many runs some attempts ran out, on each system on which they did; empty when they never did."""
    rows = zip(comparison.systems, names(comparison.specs), strict=True)
    found = [(show_share(system.exhausted_share), name) for system, name in rows if system.exhausted_share > 0]
    if not found:
        return ""
    shares, called = zip(*found, strict=True)
    if len(found) == len(comparison.systems) and len(set(shares)) == 1:
        systems = {1: "", 2: " on both"}.get(len(found), " on all systems")
        where = f"{shares[0]} of runs{systems}"
    else:
        where = _each([f"{share}{'' if i else ' of runs'}" for i, share in enumerate(shares)], called)
    return f"Attempts ran out in {where}; the task then goes on without success."


def _unsure(comparison: Comparison) -> bool:
    """Whether what is unknown about a system may take half of all runs over the deadline, or turn the order round."""
    limit = comparison.task.deadline.seconds
    bands = [system.band_s["p50"] for system in comparison.systems]
    ratios = [band for pair in comparison.pairs for band in pair.speedup_band.values()]
    return any(low <= limit < high for low, high in bands) or any(low < 1 < high for low, high in ratios)


def _attempts(mean: float | None) -> str:
    if mean is None:
        return "any number"
    return f"{mean:.1f}" if mean < 9.95 else f"{mean:,.0f}"


def _each(values: Sequence[str], called: Sequence[str]) -> str:
    return ", ".join(f"{value} on {name}" for value, name in zip(values, called, strict=True))
