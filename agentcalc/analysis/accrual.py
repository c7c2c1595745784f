"""Whether the seconds between two systems add up or compound, in one sentence. Averages only; never medians.

Seconds *add up* call by call; they *compound* where a threshold falls differently on the two systems (a cache kept or
lost, a call cut off, a person lost), in either's favour.
"""

from __future__ import annotations

from agentcalc.analysis.facts import gather
from agentcalc.results import Comparison, PairResult
from agentcalc.units import last_digit_s, show_to

NEXT_TO_NOTHING = 0.005
"""A compounded part below this share of the whole is called under 1%."""
A_CAUSE = 0.2
"""A cause that makes at least this share of what all causes make is named."""

FOR = {"refill": "a cache it keeps", "retry": "timeouts it no longer hits", "attention": "a person it does not lose"}
AGAINST = {"refill": "a cache it does not keep", "retry": "timeouts it hits", "attention": "a person it loses"}
RULE_WORDS = {"cache": "the cache's lifetime", "timeout": "the limit of a call", "attention": "the limit of attention"}


def accrual(comparison: Comparison, pair: int = 0) -> str:
    """One sentence on a pair: how many seconds a run add up, how many compound, and why.

    Empty when there is no difference to speak of.
    """
    facts = gather(comparison, pair, "mean")
    found, who = facts.pair, facts.candidate
    saved, extra = found.saved_s["mean"], found.compounded_s
    if saved == 0 and extra == 0:
        return ""
    unknown = any(low < 1 < high for low, high in found.speedup_band.values())
    if abs(extra) < NEXT_TO_NOTHING * max(abs(saved), abs(found.accumulated_s)):
        said = _adds_up(comparison, found, who, unknown)
    elif extra > 0:
        said = _compounds(found, who)
    else:
        said = _against(found, who)
    return f"With the numbers taken here: {said}" if unknown and abs(extra) > 0 else said


def causes(pair: PairResult, *, against: bool = False) -> str:
    """What makes seconds compound for the candidate, or against it: "a cache it keeps"; empty without causes."""
    sign, words = (-1, AGAINST) if against else (1, FOR)
    made = {name: sign * seconds for name, seconds in pair.compounded_by_s.items() if sign * seconds > 0}
    least = A_CAUSE * sum(made.values())
    return " and ".join(words[name] for name in sorted(made, key=made.get, reverse=True) if made[name] >= least)


def _adds_up(comparison: Comparison, pair: PairResult, who: str, unknown: bool) -> str:
    saved, extra = pair.saved_s["mean"], pair.compounded_s
    if extra:
        why = causes(pair, against=extra < 0)
        rest = f"; under 1% compounds{f' ({why})' if why else ''}"
    else:
        rules = [RULE_WORDS[name] for name in comparison.task.rules]
        rest = f"; {' and '.join(rules)} make{'s' if len(rules) == 1 else ''} no difference" if rules else ""
    if unknown and not extra:
        return f"Whatever the difference turns out to be, it adds up call by call{rest}."
    each = f"{_show(abs(saved), last_digit_s(saved))} a run on average"
    lost = "" if saved > 0 else f" that {who} takes longer"
    return f"{'Nearly all' if extra else 'All'} of it adds up call by call: {each}{lost}{rest}."


def _compounds(pair: PairResult, who: str) -> str:
    saved, added, extra = _agreeing(pair)
    why = causes(pair)
    because = f": {why}" if why else ""
    if pair.accumulated_s > 0:
        return f"Of the {saved} saved a run on average, {added} add up call by call and {extra} compound{because}."
    return f"Call by call {who} would lose {added} a run on average; {extra} compound in its favour{because}."


def _against(pair: PairResult, who: str) -> str:
    saved, added, extra = _agreeing(pair)
    why = causes(pair, against=True)
    to = f" to {why}" if why else ""
    if pair.accumulated_s <= 0:
        because = f": {why}" if why else ""
        start = f"Of the {saved} a run that {who} takes longer on average"
        return f"{start}, {added} add up call by call and {extra} compound{because}."
    start = f"Compounding goes against {who} here"
    if pair.saved_s["mean"] > 0:
        return f"{start}: {extra} of the {added} a run that its calls gain on average are lost{to}."
    return f"{start}: its calls gain {added} a run on average, but {extra} are lost{to}."


def _agreeing(pair: PairResult) -> tuple[str, str, str]:
    """Saved, added up and compounded seconds without their signs, to one last digit, so that they add up by hand."""
    parts = (pair.accumulated_s, pair.compounded_s)
    small, whole = min(parts, key=abs), max(*parts, pair.saved_s["mean"], key=abs)
    unit = max(last_digit_s(small), last_digit_s(whole) / 10) if small else last_digit_s(whole)
    extra = round(parts[1] / unit)
    while not extra:
        unit /= 10
        extra = round(parts[1] / unit)
    saved = round(pair.saved_s["mean"] / unit)
    return tuple(_show(abs(number) * unit, unit) for number in (saved, saved - extra, extra))


def _show(seconds: float, unit: float) -> str:
    # Rounded again: a whole number of units carries the dust of binary arithmetic.
    return show_to(float(f"{round(seconds / unit) * unit:.12g}"), unit)
