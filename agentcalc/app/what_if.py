"""What a what-if changed, in words. No Streamlit."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from agentcalc.analysis.agreement import agree
from agentcalc.analysis.naming import short_name
from agentcalc.results import Comparison
from agentcalc.units import show_count, show_ratio, show_share, show_time

TITLES = {
    "steps": "Steps",
    "tokens": "Tokens per call",
    "tools": "Tool time",
    "speed": "{candidate} tok/s",
    "first": "{candidate} first token",
    "context": "Context at the start",
    "cached": "Of it cached",
    "lifetime": "Cache lifetime",
}

AFTER = {"steps": " calls on average"}
"""What follows a value: the calls of all runs, beside a picture of one run that may hold more or fewer."""


def title(name: str, found: Comparison) -> str:
    """What a factor is called: "Tool time", "Jalapeño tok/s"."""
    return TITLES[name].format(candidate=short_name(found.specs[1]))


def label(name: str, now: Comparison, before: Comparison, by: str, *, moved: bool) -> str:
    """A factor with its value: "Tool time: 20 s"; of a slider that was moved also the one before: "… (was 10 s)"."""
    value = _VALUES[name]
    new, old = value(now, by), value(before, by)
    said = f"{title(name, now)}: {new}{AFTER.get(name, '')}"
    return f"{said} (was {old})" if moved and new != old else said


def before_line(factors: dict[str, float], before: Comparison, by: str) -> str:
    """ "Changed: tool time 0.5×. Before: 32 s instead of 58 s, 1.8×, at most 2.8×."; empty for no factor."""
    return f"{changed_line(factors, before)} {before_words(before, by)}" if factors else ""


def before_words(before: Comparison, by: str) -> str:
    """ "Before: 32 s instead of 58 s, 1.8×, at most 2.8×."."""
    was = agree(*(before.systems[i].task_s[by] for i in (0, 1)))
    said = [f"{was.c} instead of {was.b}", was.ratio]
    ceiling = before.pairs[0].ceilings[by]
    if ceiling is not None:
        said.append(f"at most {show_ratio(ceiling)}")
    return f"Before: {', '.join(said)}."


def changed_line(factors: dict[str, float], before: Comparison) -> str:
    """ "Changed: tool time 0.5×."; empty for no factor."""
    whose = short_name(before.specs[1])
    parts = [f"{inside(name, whose)} {shown(name, value)}" for name, value in factors.items()]
    return f"Changed: {', '.join(parts)}." if parts else ""


def shown(name: str, value: float) -> str:
    """A what-if's own value: "0.5×", or of the cached share "50%"."""
    return show_share(value) if name == "cached" else f"{value:g}×"


def inside(name: str, whose: str = "") -> str:
    """What a factor is called inside a sentence: "tool time"; whose: the candidate, whose name keeps its capital."""
    if of_system(name):
        return TITLES[name].format(candidate=whose).strip()
    return TITLES[name][0].lower() + TITLES[name][1:]


def of_system(name: str) -> bool:
    """Whether a factor is of the candidate, not of the task."""
    return "{" in TITLES[name]


def _calls(found: Comparison, by: str) -> str:
    calls = float(np.mean(found.calls))
    return f"{calls:.1f}".removesuffix(".0") if calls < 100 else show_count(calls)


def _tokens(found: Comparison, by: str) -> str:
    mean = found.pairs[0].call_output_tokens
    return "none" if mean is None else show_count(mean)


def _tools(found: Comparison, by: str) -> str:
    """The tool time that the sentence speaks of: of averages the mean, else what is left when calls take no time."""
    base, ceiling = found.systems[0], found.pairs[0].ceilings[by]
    if by == "mean" or ceiling is None or base.components_s["human"] > 0:
        return show_time(base.components_s["tool"])
    return show_time(base.task_s[by] / ceiling)


def _speed(found: Comparison, by: str) -> str:
    return show_count(1 / found.specs[1].point.tpot.seconds())


def _context(found: Comparison, by: str) -> str:
    return f"{show_count(found.task.context_tokens)} tokens"


def _cached(found: Comparison, by: str) -> str:
    return f"{show_count(found.task.starts_cached)} tokens"


def _lifetime(found: Comparison, by: str) -> str:
    return show_time(found.task.cache.lifetime_s) if found.task.cache else "none"


def _first(found: Comparison, by: str) -> str:
    return show_time(found.specs[1].point.ttft.seconds())


_VALUES: dict[str, Callable[[Comparison, str], str]] = {
    "steps": _calls,
    "tokens": _tokens,
    "tools": _tools,
    "speed": _speed,
    "first": _first,
    "context": _context,
    "cached": _cached,
    "lifetime": _lifetime,
}
