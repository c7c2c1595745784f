"""What a day of many tasks saves, and which to speed up first, in sentences."""

from __future__ import annotations

from agentcalc.analysis.banded import Banded
from agentcalc.analysis.portfolio import Planned
from agentcalc.units import NBSP, show_count, show_share, show_total, total_unit

HALF = 0.5


def portfolio_line(found: Planned, *, bands: bool = True) -> str:
    """The answer: "40 people × 60 runs save 21 hours a day on Jalapeño; speed up a coding agent first." Without
    ``bands`` what is unknown is left to a figure.
    """
    who = runs_words(found)
    if found.order in ("close", "same"):
        low, high = found.saved_s.low, found.saved_s.high
        if low < 0 < high:
            between = f"between {show_total(-low)} more and {show_total(high)} less"
            return f"Too close to call: on {found.cand}, {who} a day take {between} than on {found.base}."
        return f"Too close to call: {who} a day take about as long on {found.cand} as on {found.base}."
    shown = found.saved_s if bands else Banded(*(found.saved_s.value,) * 3)
    lost = Banded(-shown.value, -shown.high, -shown.low)
    saved = total_words(lost if found.order == "more" else shown)
    if found.order == "more":
        return f"{found.base} finishes first: {who} a day take {saved} longer on {found.cand}."
    return f"{_capital(who)} save {saved} a day on {found.cand}; {first_words(found)}."


def runs_words(found: Planned) -> str:
    """How much is run: "40 people × 60 requests", "260 runs"."""
    if found.people is not None and all(one.people == found.people for one in found.tasks):
        each = sum(one.runs_a_day for one in found.tasks) / found.people
        people = f"{show_count(found.people)} {'person' if found.people == 1 else 'people'}"
        return f"{people} × {_runs(each)}"
    return _runs(sum(one.runs_a_day for one in found.tasks))


def _runs(number: float) -> str:
    shown = show_count(number) if number >= 9.95 or number == round(number) else f"{number:.1f}"
    return f"{shown} run{'' if shown == '1' else 's'}"


def first_words(found: Planned) -> str:
    """Which task to speed up first: that which saves most, with its share of it all."""
    best = found.tasks[0]
    if len(found.tasks) == 1:
        return f"an instant model would save {show_total(found.possible_s)}"
    share = f", {show_share(best.share)} of it" if best.share is not None and 0 < best.share < 1 else ", all of it"
    return f"speed up {best.short} first{share}"


def potential_line(found: Planned) -> str:
    """What any system could save at most, and where; and tasks that the candidate makes slower."""
    most = max(found.tasks, key=lambda one: one.possible_s)
    said = f"No system could save more than {show_total(found.possible_s)} a day"
    if len(found.tasks) > 1 and most.possible_s > HALF * found.possible_s:
        said += f", {show_share(most.possible_s / found.possible_s)} of it in {most.short}"
    worse = [one.short for one in found.tasks if one.saved_s.high < 0]
    lost = f" {found.cand} is slower for {' and '.join(worse)}." if worse else ""
    return f"{said}.{lost}"


def each_line(found: Planned) -> str:
    """Per thousand people; empty where no number of people is given."""
    total = found.per_1000_people_s
    if total is None or found.order != "less":
        return ""
    return f"A thousand such people save {total_words(total)} a day."


def total_words(number: Banded) -> str:
    """A sum with its band in the unit of the sum: "21 hours (20 to 23 hours)"; without it where it shows the same."""
    unit, word = total_unit(abs(number.value))
    value, low, high = (show_count(end / unit) for end in (number.value, number.low, number.high))
    said = f"{value}{NBSP}{word}{'' if value == '1' else 's'}"
    return said if low == high == value else f"{said} ({low} to {high}{NBSP}{word}{'' if high == '1' else 's'})"


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]
