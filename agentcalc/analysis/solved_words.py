"""What a solution says: the answer, or why there is none, in plain words with numbers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from agentcalc.analysis.goals import runs_words
from agentcalc.units import show_ratio, show_share, show_time

if TYPE_CHECKING:
    from agentcalc.analysis.solving import Solution


def move(solution: Solution) -> str:
    """How far a lever moves: "35% less tool time", "1.8× faster writing", "80% of the context cached"."""
    lever, factor, value = solution.lever, solution.factor, solution.value
    if lever.id.removeprefix("baseline.") == "cached":
        return f"{show_share(value)} of the context cached"
    if not lever.factor:
        return f"{lever.show(value)} at once"
    if lever.slower < 0:
        return f"{show_ratio(factor)} {lever.less}" if factor >= 1 else f"{show_ratio(1 / factor)} {lever.more}"
    if factor < 1:
        return f"{show_share(1 - factor)} {lever.less}"
    if factor < 2:
        return f"{show_share(factor - 1)} {lever.more}"
    return f"{show_ratio(factor)} as {_much(lever.more)}"


def _much(more: str) -> str:
    head, _, rest = more.partition(" ")
    return f"{'many' if many(more) else 'much'} {rest}" if head == "more" else more


def many(words: str) -> bool:
    """Whether words of a move speak of many things: "fewer turns make it", "less tool time makes it"."""
    head, _, rest = words.partition(" ")
    return head == "fewer" or rest.startswith(("turns", "tokens", "fresh", "copies", "failures", "result", "users"))


def sentence(solution: Solution) -> str:
    """The answer in words."""
    says = {
        "needed": _needed,
        "met": _met,
        "cannot be reached": _unreachable,
        "makes no difference": _no_difference,
    }
    return says[solution.status](solution)


def goal_words(solution: Solution) -> str:
    """ "finish 95% of runs under 60 s", "be at least 2.0× faster than GB300 in a typical run"."""
    goal = solution.goal
    if goal.speedup is None:
        return f"finish {runs_words(goal.by)} {goal.words}"
    return f"be {goal.words} than {solution.baseline}, for {runs_words(goal.by)}"


def _needed(s: Solution) -> str:
    text = f"To {goal_words(s)}, {s.name} needs {move(s)}: {_values(s)}."
    return f"Too close to call today: {text[0].lower()}{text[1:]}" if s.undecided else text


def _values(s: Solution) -> str:
    """ "about 13 s a run on average instead of 20 s", with what is unknown."""
    often = " a run" if s.lever.id in ("tools", "humans", "steps") else ""
    said = f"{s.lever.show(s.value, about=True)}{often}{s.lever.often} instead of {s.lever.show(s.today)}"
    return said + band_words(s)


def band_words(s: Solution) -> str:
    """The answer over what is unknown, in brackets with a space before; empty where it makes no difference."""
    if s.band is None:
        return ""
    shown = [None if end is None else s.lever.show(end, about=True).removeprefix("about ") for end in s.band]
    if shown[0] == shown[1] == s.lever.show(s.value, about=True).removeprefix("about "):
        return ""
    best, worst = shown
    if best is None and worst is None:
        return ""
    if worst is None:
        return f" ({best} at the best of what is unknown about the systems, out of reach at the worst)"
    if best is None:
        return f" ({worst} at the worst of what is unknown about the systems, any at the best)"
    low, high = (best, worst) if s.band[0] <= s.band[1] else (worst, best)
    return f" ({low} to {high} over what is unknown about the systems)"


def _met(s: Solution) -> str:
    done = _takes(s)
    close = "Too close to call: it depends on what is unknown. With the numbers taken here " if s.undecided else ""
    lead = f"{close}{done[0].lower() + done[1:] if close and not done.startswith(s.name) else done}"
    if not s.found:
        return f"{lead}, whatever the {_inside(s)}." if s.best is not None else f"{lead}."
    return f"{lead}, and stays {s.goal.words} with up to {move(s)}: {_values(s)}."


def _inside(s: Solution) -> str:
    """A lever's title inside a sentence: a system's name keeps its capital."""
    title = s.lever.title
    return title[0].lower() + title[1:] if s.lever.row is None and s.lever.step is None else title


def _takes(s: Solution) -> str:
    now = s.goal.show(s.now)
    if s.goal.speedup is None:
        return f"{s.name} already finishes {runs_words(s.goal.by)} in {now}"
    return f"{s.name} is already {now} faster than {s.baseline} for {runs_words(s.goal.by)}"


def _unreachable(s: Solution) -> str:
    if s.best is None:
        return f"It cannot be reached by {s.lever.never}."
    if s.lever.today == s.lever.best:
        return f"It cannot be reached by {s.lever.never}: that is at its best already."
    if s.goal.speedup is not None:
        return f"It cannot be reached by {s.lever.never}: {s.goal.show(s.best)} at most."
    by = "" if s.lever.row is not None else f" by {s.lever.never}"
    if s.waits and math.isfinite(s.waits_s) and s.waits_s > s.limit:
        return f"It cannot be reached{by}: {s.waits} alone take {_apart(s.waits_s, s.limit)}."
    still = f"{s.name} would still take {_apart(s.best, s.limit)}"
    part = f", {show_time(s.waits_s)} of it {s.waits}" if s.waits and s.waits_s > 0 and s.goal.by == "mean" else ""
    return f"It cannot be reached by {s.lever.never}: {still}{part}."


def _apart(seconds: float, limit: float) -> str:
    """Seconds with as many digits as it takes to tell them from the limit."""
    for more in range(4):
        if show_time(seconds, more=more) != show_time(limit, more=more):
            return show_time(seconds, more=more)
    return show_time(seconds)


def _no_difference(s: Solution) -> str:
    title = s.lever.title
    verdict = "already kept" if s.now <= s.limit else "not reached by it"
    return f"{title} makes no difference here: {s.goal.show(s.now)} either way, so the goal is {verdict}."
