"""What gets done in a fixed time, in a sentence."""

from __future__ import annotations

from collections.abc import Callable

from agentcalc.analysis.banded import Banded, in_words, order, show_number, unless_close
from agentcalc.analysis.budget import Budget, OfSystem
from agentcalc.units import show_share, show_time

NEARLY_SURE = 0.995
"""From this chance on it is shown as "over 99%", of which "at most" says nothing."""
NEARLY_ALL = 0.95
"""From this share of runs done on both, the number of tasks says more."""


def measure_for(budget: Budget, within_s: float) -> str:
    """What a sentence about a time speaks of: "done", the share of runs; "tasks" once nearly all are done anyway."""
    shares = [system.within(within_s).done.value for system in budget.systems]
    return "tasks" if min(shares) >= NEARLY_ALL else "done"


def telling_s(budget: Budget) -> float:
    """The time that tells baseline and candidate apart most by the share of runs done; the shortest where none does."""
    base, cand = budget.systems[0], budget.systems[-1 if len(budget.systems) == 1 else 1]

    def apart(seconds: float) -> float:
        return abs(cand.within(seconds).done.value - base.within(seconds).done.value)

    best = max(budget.within_s, key=apart)
    return best if apart(best) >= 0.005 else budget.within_s[-1]


def line(budget: Budget, within_s: float, *, bands: bool = True) -> str:
    """One sentence about one time: "Within 60 s, 64% of runs are done on Jalapeño, 51% on GB300; an instant model:
    69%." Without ``bands`` what is unknown is left to a figure. Raises KeyError for a time that was not asked about.
    """
    write = _tasks if measure_for(budget, within_s) == "tasks" else _done
    return write(budget, within_s, in_words if bands else _value)


def _value(number: Banded, show: Callable[[float], str]) -> str:
    return show(number.value)


def success_line(budget: Budget, within_s: float) -> str:
    """Attempts at one problem that fit, and their chance of success together; empty without a chance of success."""
    if budget.success is None:
        return ""
    systems = _told(budget)
    chances = [one.within(within_s).success.value for one in systems]
    if not any(one.within(within_s).attempts.value for one in (*systems, budget.instant)):
        return f"Not one attempt fits into {show_time(within_s)}."
    fit = _each(systems, within_s, "attempts", show_number)
    chance = _each(systems, within_s, "success", show_share)
    at_most = "" if budget.success.measured or min(chances) > NEARLY_SURE else "at most "
    by = " by the measured curve" if budget.success.measured else ""
    instant = budget.instant.within(within_s).success
    attempts = f"Runs that fit into {show_time(within_s)} as attempts at one problem: {fit}."
    return f"{attempts} Chance of success {at_most}{chance}; with an instant model {show_share(instant.value)}{by}."


def per_hour_line(budget: Budget) -> str:
    """Tasks an hour of a user who never stops, 3600 s over the mean task time."""
    said = ", ".join(f"{in_words(one.per_hour, show_number)} on {one.name}" for one in _told(budget))
    return f"Without a pause, tasks an hour: {said}; an instant model: {show_number(budget.instant.per_hour.value)}."


def _done(budget: Budget, within_s: float, words: Callable) -> str:
    systems, instant = _told(budget), budget.instant.within(within_s).done
    case = _case(budget, within_s, "done")
    shown = [words(one.within(within_s).done, show_share) for one in systems]
    end = f"; an instant model: {show_share(instant.value)}."
    start = f"Within {show_time(within_s)}"
    if case == "same" and len(systems) == 2:
        return f"{start}, {shown[0]} of runs are done on both{end}"
    first = [f"{shown[0]} of runs are done on {systems[0].name}"]
    said = ", ".join([*first, *(f"{text} on {one.name}" for text, one in zip(shown[1:], systems[1:], strict=True))])
    return unless_close(f"{start}, {said}{end}", case)


def _tasks(budget: Budget, within_s: float, words: Callable) -> str:
    systems, instant = _told(budget), budget.instant.within(within_s).tasks
    case = _case(budget, within_s, "tasks")
    shown = [words(one.within(within_s).tasks, show_number) for one in systems]
    end = f"; an instant model {show_number(instant.value)}."
    start = f"In {show_time(within_s)}, one after the other"
    if case == "same" and len(systems) == 2:
        return f"{start}, both finish {_of_tasks(shown[0])}{end}"
    said = f"{systems[0].name} finishes {_of_tasks(shown[0])}"
    said = ", ".join([said, *(f"{one.name} {text}" for text, one in zip(shown[1:], systems[1:], strict=True))])
    return unless_close(f"{start}, {said}{end}", case)


def _of_tasks(shown: str) -> str:
    """ "6.2 tasks", "1 task", "any number of tasks"."""
    if shown.startswith("any number"):
        return shown.replace("any number", "any number of tasks", 1)
    return f"{shown} {'task' if shown == '1' else 'tasks'}"


def _case(budget: Budget, within_s: float, measure: str) -> str:
    if len(budget.systems) < 2:
        return "alone"
    base, cand = (getattr(one.within(within_s), measure) for one in budget.systems[:2])
    return order(cand, base)


def _told(budget: Budget) -> list[OfSystem]:
    """Candidates first, the baseline last."""
    return [*budget.systems[1:], budget.systems[0]]


def _each(systems: list[OfSystem], within_s: float, measure: str, show: Callable[[float], str]) -> str:
    found: list[Banded] = [getattr(one.within(within_s), measure) for one in systems]
    return ", ".join(f"{in_words(number, show)} on {one.name}" for number, one in zip(found, systems, strict=True))
