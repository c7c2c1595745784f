"""How many agents share a system, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from agentcalc.accelerators import BASIS_WORDS
from agentcalc.analysis.banded import Banded, in_words, order, show_number, unless_close
from agentcalc.analysis.capacity import MOST_AGENTS, Capacity, Most, Served
from agentcalc.units import counted, show_count, show_share, show_time

BY_WORDS = {"p50": "a typical run", "mean": "an average run", "p95": "p95"}
REGIME_WORDS = {"below": "below measured", "measured": "measured", "queueing": "calls wait"}


def one_system(found: Capacity) -> str:
    """What the agents share: "one GB200 system of 5 chips"."""
    chips = "" if found.chips is None else f" of {counted(found.chips, 'chip')}"
    return f"one {found.name} system{chips}"


def most_line(found: Capacity) -> str:
    """The most agents before the limit: "112 agents share one GB200 system of 5 chips before p95 passes 5 min."; why
    not even one does; empty without a limit.
    """
    most = found.most
    if most is None:
        return ""
    by, limit = BY_WORDS[most.by], show_time(most.limit_s)
    if most.agents == 0:
        return _none(found, most)
    if most.capped:
        return f"{counted(MOST_AGENTS, 'agent')} or more share {one_system(found)} before {by} passes {limit}."
    band = "" if most.low == most.high else f" ({show_count(most.low)} to {show_count(most.high)})"
    shares = "shares" if most.agents == 1 else "share"
    return f"{counted(most.agents, 'agent')}{band} {shares} {one_system(found)} before {by} passes {limit}."


def _none(found: Capacity, most: Most) -> str:
    by, limit = BY_WORDS[most.by], show_time(most.limit_s)
    if most.without_s > most.limit_s:
        return (
            f"Not even one agent: without any calls {by} takes {show_time(most.without_s)}, and the limit is {limit}."
        )
    if most.high:
        return f"Not known: one agent alone may pass {limit} by {by}, or up to {show_count(most.high)} stay within it."
    return f"Not even one agent: alone {by} takes {show_time(most.alone_s)} on {found.name}, and the limit is {limit}."


def range_line(found: Capacity) -> str:
    """From how many agents on calls wait for a place, and how many fill the system."""
    last = f"the {show_count(found.loads[1])} calls in flight that were measured"
    if found.measured_to >= MOST_AGENTS:
        return f"However many agents, they stay within {last}."
    if found.measured_to == 0:
        return f"Even one agent asks for more than {last}: beyond, calls are taken to wait their turn."
    full = (
        f"; {counted(found.full_at, 'agent')} keep it {show_share(0.95)} busy" if found.full_at <= MOST_AGENTS else ""
    )
    upto = counted(found.measured_to, "agent")
    return f"Up to {upto} stay within {last}{full}. With more, calls are taken to wait their turn."


def waits_line(found: Capacity, served: Served) -> str:
    """What waits for tools and people cost the system with some agents."""
    busy = in_words(served.utilisation, show_share)
    said = f"With {counted(served.agents, 'agent')} it is {busy} busy"
    if served.idle.value < 0.005:
        return f"{said}; waits for tools and people cost it nothing, since others fill them."
    without = min(served.utilisation.value / (1 - served.idle.value), 1.0)
    whom = "it" if served.agents == 1 else "the same agents"
    return f"{said}; without waits for tools and people {whom} would keep it {show_share(without)} busy."


def work_line(found: Capacity, served: Served) -> str:
    """Tasks an hour, per chip and per kilowatt, with some agents."""
    said = f"{counted(served.agents, 'agent')}: {in_words(served.per_hour, show_number)} tasks an hour"
    if found.chips is not None:
        said += f", {in_words(served.per_hour.scaled(1 / found.chips), show_number)} per chip"
    per_kw = found.per_kw(served.per_hour)
    if per_kw is None:
        return f"{said}; chips or power are not stated, so work per kW is not known."
    return f"{said}, {in_words(per_kw, show_number)} per kW of {BASIS_WORDS[found.basis]}."


def compared_line(found: Sequence[Capacity]) -> str:
    """Agents per kilowatt of the first two systems within the limit; empty where that is not known of both."""
    known = [(one, one.per_kw(_agents(one.most))) for one in reversed(found[:2]) if one.most and not one.most.capped]
    if len(known) < 2 or any(number is None for _, number in known):
        return ""
    (cand, more), (base, less) = known
    words = f"{in_words(more, show_number)} agents on {cand.name}, {in_words(less, show_number)} on {base.name}"
    per = f"Per kW of {BASIS_WORDS[base.basis]} and within the limit"
    return unless_close(f"{per}, {words}.", order(more, less))


def _agents(most: Most) -> Banded:
    return Banded(float(most.agents), float(most.low), float(most.high))
