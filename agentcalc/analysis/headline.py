"""The answer in one sentence: the first case that applies, with numbers that agree on a pocket calculator.

A case is a row of :data:`CASES`: its name, when it applies, and the two lines it writes. They stand in the order in
which they are tried; the order is what keeps the product honest (a difference nobody knows is never called faster).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from agentcalc.analysis import so_what
from agentcalc.analysis.accrual import causes
from agentcalc.analysis.facts import SETTINGS, Facts, gather
from agentcalc.analysis.meeting_point import break_even_line
from agentcalc.analysis.naming import short_name, unknown_words
from agentcalc.latency import profile
from agentcalc.results import STATISTICS, Band, Comparison
from agentcalc.units import NBSP, show_ratio, show_time, show_tokens

CLOSE = 0.03
KNOWN_ENOUGH = (0.87, 1.15)
LOW_CEILING, HIGH_CEILING = 1.25, 20.0
COMPOUNDED_SHARE, COMPOUNDED_S = 0.1, 1.0

__all__ = ["CASES", "Headline", "break_even_line", "headline"]

Lines = tuple[str, str]


@dataclass(frozen=True)
class Headline:
    """The answer in words.

    case: its name in :data:`CASES`; subject: whose name leads ("candidate", "baseline" or None) and subject_label, that
    name as it stands in the title; title, why, so_what: the three lines, the last two may be empty; ratio: baseline /
    candidate by the chosen statistic, inside band; ratios: the same by each statistic, for the switch.
    """

    case: str
    subject: str | None
    subject_label: str | None
    title: str
    why: str
    so_what: str
    ratio: float
    ratios: dict[str, float]
    band: Band

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines that say something, in order."""
        return tuple(line for line in (self.title, self.why, self.so_what) if line)


def headline(
    comparison: Comparison, pair: int = 0, by: str = "p50", rival: Comparison | tuple[str, float] | None = None
) -> Headline:
    """The headline of one pair of a comparison.

    by: p50 (typical), mean (average) or p95 (slow). rival: a stronger system for the same model, as a comparison of it
    (first) with the candidate (second) on the same task, or as its name and the ratio rival / candidate.
    Raises ValueError for another statistic.
    """
    if by not in STATISTICS:
        raise ValueError(f"by is {by!r}; it must be one of {', '.join(STATISTICS)}")
    facts = gather(comparison, pair, by)
    case, subject, write = next((name, who, write) for name, applies, who, write in CASES if applies(facts))
    title, why = write(facts)
    label = {"candidate": facts.candidate, "baseline": facts.baseline, None: None}[subject]
    third = so_what.line(facts, case, rival)
    ratios = {name: facts.ratio_by(name) for name in STATISTICS}
    return Headline(case, subject, label, title, why, third, facts.ratio, ratios, facts.band)


# When each case applies


def _same(f: Facts) -> bool:
    base, cand = f.specs
    return base.model_copy(update={"label": cand.label, "id": cand.id}) == cand and base.point == cand.point


def _spans_one(f: Facts) -> bool:
    return f.band[0] < 1 < f.band[1]


def _not_known(f: Facts) -> bool:
    return _spans_one(f) and not KNOWN_ENOUGH[0] < f.ratio < KNOWN_ENOUGH[1]


def _too_close(f: Facts) -> bool:
    return _spans_one(f) or abs(f.ratio - 1) < CLOSE


def _slower(f: Facts) -> bool:
    return f.ratio < 1


def _tools_dominate(f: Facts) -> bool:
    return f.ceiling is not None and f.ceiling < LOW_CEILING


def _compounds(f: Facts) -> bool:
    extra, saved = f.pair.compounded_s, f.pair.saved_s["mean"]
    return extra >= COMPOUNDED_S and extra >= COMPOUNDED_SHARE * saved


def _only_calls(f: Facts) -> bool:
    return f.ceiling is None or f.ceiling > HIGH_CEILING


# What each case says


def _say_same(f: Facts) -> Lines:
    return f"Both sides are {short_name(f.specs[0])}. Choose another candidate.", ""


def _say_not_known(f: Facts) -> Lines:
    cand, base = f.range(1), f.range(0)
    title = f"Not known yet{f.setting}: {f.candidate} takes {f.about}{cand}, {f.baseline} {base}"
    unknown = unknown_words(f.comparison, f.unknown_players)
    return title, f"It depends on {unknown}." if unknown else ""


def _say_too_close(f: Facts) -> Lines:
    b, c = f.texts(ratio_shown=False, differ=False)
    title = f"Too close to call{f.setting}: {f.about}{c} on {f.candidate} against {b} on {f.baseline}"
    if not _spans_one(f):
        if f.comparison.systems[0].calls["mean"] == 0:
            return title, "This task makes no model calls, so the system makes no difference."
        return title, "The difference is smaller than 3%."
    ranges = [f"{name} takes {f.range(i)}" for i, name in ((1, f.candidate), (0, f.baseline)) if f.has_range(i)]
    unknown = unknown_words(f.comparison, f.unknown_players)
    if not unknown:
        return title, f"{' and '.join(ranges)}." if ranges else ""
    return title, f"It depends on {unknown}" + (f": {' and '.join(ranges)}." if ranges else ".")


def _say_slower(f: Facts) -> Lines:
    b, c = f.texts(ratio_shown=False)
    setting = SETTINGS["mean"] if f.by == "mean" else ""
    title = f"{f.baseline} finishes first{setting}: {f.about}{b} instead of {c} on {f.candidate}"
    return f.slow_runs(title), _why_slower(f)


def _why_slower(f: Facts) -> str:
    written, fresh = f.pair.call_output_tokens, f.pair.call_uncached_tokens
    if written is None or fresh is None or f.several_servers:
        return ""
    base, cand = (profile(spec.parts[0]) for spec in f.specs)
    later = (cand.overhead_s + cand.first_s(fresh)) - (base.overhead_s + base.first_s(fresh))
    calls = f"Calls here write about {show_tokens(written)}{NBSP}tokens."
    wait = show_time(abs(later))
    meet = f.pair.break_even_output_tokens
    if later <= 0:
        if later == 0 or meet is None:
            return f"{calls} {f.candidate} writes them more slowly."
        return (
            f"{calls} {f.candidate}'s first token comes {wait} sooner, but {f.baseline}'s faster writing catches up at "
            f"about {show_tokens(meet)}{NBSP}tokens."
        )
    if meet is None:
        context = f.pair.call_context_tokens
        slower = "as slowly" if cand.token_s(context) == base.token_s(context) else "more slowly"
        return f"{calls} {f.candidate}'s first token comes {wait} later and it writes {slower}, so it never catches up."
    ending = "" if meet > written else ", which too few calls reach"
    return (
        f"{calls} {f.candidate}'s first token comes {wait} later, and its faster writing only catches up at about "
        f"{show_tokens(meet)}{NBSP}tokens{ending}."
    )


def _say_tools_dominate(f: Facts) -> Lines:
    b, c = f.texts(ratio_shown=False)
    title = f"Faster calls hardly help here{f.setting}: {f.about}{c} instead of {b}"
    waits = f.waits()
    first = f"{waits[0].upper()}{waits[1:]}. " if waits else ""
    return title, f"{first}Even an instant model would gain only {show_ratio(f.ceiling)}."


def _faster(f: Facts) -> str:
    agreed = f.agreed
    takes = f"{f.candidate} takes {f.about}{agreed.c} instead of {agreed.b}"
    if not math.isfinite(f.ratio):
        return f"{f.candidate} takes no time instead of {agreed.b}{f.setting}"
    ratio = f"{agreed.ratio} faster"
    if f.by == "mean":
        return f"{takes} on average: {agreed.difference} sooner, {ratio}"
    return f.slow_runs(f"{takes}: {ratio}")


def _say_compounds(f: Facts) -> Lines:
    baseline_s = f.comparison.systems[0].task_s["mean"]
    alone = baseline_s / (baseline_s - f.pair.accumulated_s)
    why = (
        f"The calls alone would give {show_ratio(alone)}; the rest, {show_time(f.pair.compounded_s)} a run on average, "
        f"comes from {causes(f.pair) or 'limits it stays below'}."
    )
    return f"{_faster(f)}, more than its calls alone", why


def _say_only_calls(f: Facts) -> Lines:
    return _faster(f), "Nothing else takes time, so the task gains what its calls gain."


def _say_usual(f: Facts) -> Lines:
    calls = f.pair.per_call_speedup["mean"]
    first = f"The calls alone are {show_ratio(calls)} faster; " if calls is not None and calls > 1 else ""
    waits = f.waits()
    limit = f"no system could make it more than {show_ratio(f.ceiling)} faster"
    why = f"{first}{waits}, so {limit}." if waits else f"{first}{limit}."
    return _faster(f), why[0].upper() + why[1:]


CASES: tuple[tuple[str, Callable[[Facts], bool], str | None, Callable[[Facts], Lines]], ...] = (
    ("same", _same, None, _say_same),
    ("not known yet", _not_known, "candidate", _say_not_known),
    ("too close", _too_close, None, _say_too_close),
    ("slower", _slower, "baseline", _say_slower),
    ("tools dominate", _tools_dominate, None, _say_tools_dominate),
    ("compounds", _compounds, "candidate", _say_compounds),
    ("only calls", _only_calls, "candidate", _say_only_calls),
    ("usual", lambda f: True, "candidate", _say_usual),
)
"""(name, when it applies, whose name leads, what it says), first one that applies."""
