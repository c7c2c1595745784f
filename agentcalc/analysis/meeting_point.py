"""The sentence about the output length at which two systems finish a call together, shown without being asked."""

from __future__ import annotations

from agentcalc.analysis.facts import Facts, gather
from agentcalc.latency import call_s, profile
from agentcalc.results import Comparison
from agentcalc.units import NBSP, show_tokens

NEAR = 3.0
"""A break-even within this factor of the task's own mean output is near enough to be said."""
ALWAYS = ("gpt-oss-120b",)
"""Models whose short answers may finish first on the baseline: said whenever the task makes calls."""


def break_even_line(comparison: Comparison, pair: int = 0) -> str | None:
    """The break-even of a pair in one sentence, at the task's own uncached tokens and with its band.

    None when the task makes no calls or when one system finishes calls of any length near the task's own first: no
    question arises. "Too close to call" leads when the task's mean output lies inside the band of what is unknown and
    the task's own answer is unknown too.
    """
    facts = gather(comparison, pair, "p50")
    written, fresh = facts.pair.call_output_tokens, facts.pair.call_uncached_tokens
    if written is None or fresh is None or facts.several_servers or facts.specs[0] == facts.specs[1]:
        return None
    meet = facts.pair.break_even_output_tokens
    low, high = facts.pair.break_even_band or (meet, meet)
    known = [value for value in (low, meet, high) if value is not None]
    near = any(value <= written * NEAR for value in known) and any(value >= written / NEAR for value in known)
    if not near and not all(spec.model in ALWAYS for spec in facts.specs):
        return None
    here = f"at this task's {show_tokens(fresh)}{NBSP}fresh tokens a call"
    first, last = _order(facts, fresh)
    if meet is None:
        other = facts.candidate if last == facts.baseline else facts.baseline
        return f"{last} finishes a call before {other} at any length, {here}{_open_band(low, high)}."
    below = f"{show_tokens(meet)}{NBSP}tokens{_band(low, high)}"
    where = f"{first} finishes a call first below about {below}, {here}; {last} above"
    lengths = f"about {show_tokens(written)}{NBSP}tokens written"
    inside = (low is None or low < written) and (high is None or written < high) and (low, high) != (meet, meet)
    # A task's answer may be known although that of its average call is not; then only the lengths are said.
    if inside and facts.band[0] < 1 < facts.band[1]:
        return f"Too close to call at this task's call lengths ({lengths}): {where}."
    return f"{where}. Calls here write about {show_tokens(written)}{NBSP}tokens."


def _order(facts: Facts, fresh: float) -> tuple[str, str]:
    """Names of the systems that finish the shortest and the longest call first."""
    base, cand = (profile(spec.parts[0]) for spec in facts.specs)
    context = facts.pair.call_context_tokens
    short = call_s(fresh, 1.0, base, context) <= call_s(fresh, 1.0, cand, context)
    tpot = base.token_s(context), cand.token_s(context)
    long = tpot[0] < tpot[1] or (tpot[0] == tpot[1] and short)
    return (facts.baseline if short else facts.candidate), (facts.baseline if long else facts.candidate)


def _band(low: float | None, high: float | None) -> str:
    if low is None and high is None:
        return " (whether they meet at all is not known)"
    if low is None:
        return f" (anywhere up to {show_tokens(high)}, not known better)"
    if high is None:
        return f" (anywhere from {show_tokens(low)} up, not known better)"
    if show_tokens(low) == show_tokens(high):
        return ""
    return f" (anywhere from {show_tokens(low)} to {show_tokens(high)}, not known better)"


def _open_band(low: float | None, high: float | None) -> str:
    ends = [value for value in (low, high) if value is not None]
    if not ends:
        return ""
    return (
        f", unless its unknown numbers are at their worst: then only above about {show_tokens(max(ends))}{NBSP}tokens"
    )
