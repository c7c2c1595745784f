"""How often a person is kept waiting, in a sentence."""

from __future__ import annotations

from agentcalc.analysis.banded import in_words, order, show_number
from agentcalc.analysis.people import OfSystem, People, show_limit
from agentcalc.units import show_count, show_share


def one_wait(found: People) -> bool:
    """Whether every run is one wait, from the request to its end."""
    return found.waits == 1


def people_line(found: People, *, bands: bool = True) -> str:
    """The answer: "Of 7 waits a run, 0.2 are longer than 10 s on Jalapeño, 1.3 on GB300; an instant model: 0.2."

    For a task that is one wait, shares of runs. Without ``bands`` what is unknown is left to a figure.
    """
    if found.waits == 0:
        return "Nobody is kept waiting in this task."
    limit, close = show_limit(found.kept_s), _close(found)
    with_one = one_wait(found)
    values = [one.kept_runs if with_one else one.kept for one in _told(found)]
    show = show_share if with_one else show_number
    texts = [in_words(value, show) if bands else show(value.value) for value in values]
    instant = show_share(found.instant.kept_runs.value) if with_one else show_number(found.instant.kept.value)
    start = "A person waits longer than" if not found.streaming else "A person waits for the first word longer than"
    if with_one:
        head = f"{start} {limit} in"
        ends = [f"{text}{' of runs' if i == 0 else ''}" for i, text in enumerate(texts)]
    else:
        head = f"Of {show_number(found.waits)} waits a run,"
        ends = [f"{text} are longer than {limit}" if i == 0 else text for i, text in enumerate(texts)]
    if len(set(texts)) == 1 and len(texts) == 2 and not close:
        said = f"{ends[0]} on both"
    else:
        said = ", ".join(f"{text} on {one.name}" for text, one in zip(ends, _told(found), strict=True))
    lead = f"Too close to call: {head[0].lower()}{head[1:]}" if close else head
    return f"{lead} {said}; an instant model: {instant}."


def fewer_line(found: People) -> str:
    """What the candidate changes over 1,000 runs: "Of 1,000 runs Jalapeño makes a person wait longer than 10 s in 750
    instead of 885."; of tasks with several waits "In 1,000 runs Jalapeño makes a person wait longer than 10 s 200 times
    instead of 1,300." Empty without a candidate, without a difference, or where what is unknown decides.
    """
    if len(found.systems) < 2 or _close(found) or found.waits == 0:
        return ""
    base, cand = found.systems[:2]
    was, now = (show_count(1000 * one.kept.value) for one in (base, cand))
    if was == now:
        return ""
    word = " for the first word" if found.streaming else ""
    said = f"{cand.name} makes a person wait{word} longer than {show_limit(found.kept_s)}"
    if one_wait(found):
        return f"Of 1,000 runs {said} in {now} instead of {was}."
    return f"In 1,000 runs {said} {now} time{'' if now == '1' else 's'} instead of {was}."


def _close(found: People) -> bool:
    return len(found.systems) > 1 and order(found.systems[1].kept, found.systems[0].kept) == "close"


def _told(found: People) -> list[OfSystem]:
    """Candidates first, the baseline last."""
    return [*found.systems[1:], found.systems[0]]
