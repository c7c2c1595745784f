"""How far a task's calls go beyond what a system was measured on, in words."""

from __future__ import annotations

from agentcalc.analysis.naming import names
from agentcalc.results import Band, Comparison, SystemResult
from agentcalc.units import show_count, show_share


def extrapolations(comparison: Comparison) -> tuple[str, ...]:
    """A sentence for the systems some of whose model time is extrapolated; those it is true of alike stand together."""
    those: dict[str, list[str]] = {}
    for name, system in zip(names(comparison.specs), comparison.systems, strict=True):
        far = extrapolation(system)
        if far:
            those.setdefault(far, []).append(name)
    return tuple(f"{_listed(called)}: {far}" for far, called in those.items())


def extrapolation(system: SystemResult) -> str:
    """How much of a system's model time is extrapolated, and how far; empty when none is."""
    if not system.extrapolated_share or system.reach is None:
        return ""
    reach = system.reach
    far = [
        _beyond("fresh tokens a call", reach.uncached, reach.uncached_measured),
        _beyond("tokens of context", reach.context, reach.context_measured),
    ]
    share = show_share(system.extrapolated_share)
    return f"{share} of the model time is extrapolated: {'; '.join(part for part in far if part)}."


def _listed(called: list[str]) -> str:
    return called[0] if len(called) == 1 else f"{', '.join(called[:-1])} and {called[-1]}"


def _beyond(what: str, asked: Band, measured: Band | None) -> str:
    """ "150 to 30,000 fresh tokens a call, measured on 6,553 to 8,192"; empty where nothing lies beyond."""
    if measured is None or (measured[0] <= asked[0] and asked[1] <= measured[1]):
        return ""
    (low, high), (least, most) = asked, measured
    span = show_count(low) if low == high else f"{show_count(low)} to {show_count(high)}"
    on = show_count(least) if least == most else f"{show_count(least)} to {show_count(most)}"
    return f"{span} {what}, measured on {on}"
