"""The ranked list of changes: what each would save in an average run, by itself.

Means may be subtracted, so each change has its seconds. A change that would need what another step finds out is a
change of the agent, not of a number; it is offered only where the conversation allows it, and says what it takes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from agentcalc.analysis.edits import Inner, all_named, with_steps
from agentcalc.analysis.levers import Lever, every_lever
from agentcalc.analysis.naming import names
from agentcalc.analysis.playing import Case, Outcome, Progress, check_play, check_systems, play_cases
from agentcalc.defaults import SEED, TRIALS
from agentcalc.distributions import Fixed
from agentcalc.system import Spec
from agentcalc.task import Branch, Parallel, Step, Task, ToolWait, places
from agentcalc.units import MINUS, show_time

if TYPE_CHECKING:
    import pandas as pd

NOTHING = 1e-9
"""Savings below this share of the run are none."""
INSIDE_BRANCHES = ("parallel", "graph")


@dataclass(frozen=True)
class Change:
    """One change. id: stable; title: "halve tool time"; needs: what it takes for granted ("" for nothing)."""

    id: str
    title: str
    case: Case = field(repr=False)
    needs: str = ""


@dataclass(frozen=True)
class Saving:
    """A change and what it saves: mean seconds a run of the last system, their simulation error, and low and high over
    what is unknown about the system; mean_s: what the run then takes.
    """

    change: Change
    saved_s: float
    error_s: float
    low_s: float
    high_s: float
    mean_s: float

    @property
    def undecided(self) -> bool:
        """Whether it helps at all is too close to call."""
        return self.low_s < 0 < self.high_s or abs(self.saved_s) < 2 * self.error_s

    @property
    def words(self) -> str:
        """ "halve tool time: −31 s"."""
        shown = f"{MINUS if self.saved_s > 0 else '+'}{show_time(abs(self.saved_s))}"
        return f"{self.change.title}: {shown}{' (too close to call)' if self.undecided else ''}"


@dataclass(frozen=True)
class Changes:
    """The ranked list, most seconds saved first; mean_s: what an average run takes now."""

    name: str
    system: str
    mean_s: float
    savings: tuple[Saving, ...]
    trials: int
    seed: int

    def table(self) -> pd.DataFrame:
        """One row a change: change (id), title, needs, saved_s, error_s, low_s, high_s, mean_s, saved_share,
        undecided.
        """
        import pandas as pd

        columns = ("change", "title", "needs", "saved_s", "error_s", "low_s", "high_s", "mean_s", "saved_share")
        rows = [
            {
                "change": s.change.id,
                "title": s.change.title,
                "needs": s.change.needs,
                "saved_s": s.saved_s,
                "error_s": s.error_s,
                "low_s": s.low_s,
                "high_s": s.high_s,
                "mean_s": s.mean_s,
                "saved_share": s.saved_s / self.mean_s if self.mean_s else 0.0,
                "undecided": s.undecided,
            }
            for s in self.savings
        ]
        return pd.DataFrame(rows, columns=[*columns, "undecided"])

    @property
    def sentence(self) -> str:
        """The first four in a line."""
        if not self.savings:
            return "Nothing on the list saves any time."
        return "; ".join(s.words for s in self.savings[:4]) + "."


def possible_changes(task: Task, systems: Sequence[Spec]) -> tuple[Change, ...]:
    """The changes that this task on its last system allows."""
    specs = check_systems(systems)
    today = Case(task, specs)
    return (*_of_levers(today), *_of_cache(today), *_at_once(today))


def changes(
    task: Task,
    systems: Sequence[Spec],
    *,
    trials: int = TRIALS,
    seed: int = SEED,
    progress: Progress | None = None,
) -> Changes:
    """What each possible change saves in an average run of the last system, most first; those that save nothing are
    left out. Raises InputError for systems that cannot be.
    """
    specs = check_systems(systems)
    check_play(trials, seed)
    found = possible_changes(task, specs)
    cases = [Case(task, specs[-1:]), *(change.case._replace(specs=change.case.specs[-1:]) for change in found)]
    cases.sort(key=lambda case: case.task is not task)
    order = sorted(range(len(found)), key=lambda i: found[i].case.task is not task)
    now, *outcomes = play_cases(cases, trials, seed, bands=True, progress=progress)
    savings = [_saving(found[i], now, outcome) for i, outcome in zip(order, outcomes, strict=True)]
    mean = float(np.mean(now.seconds[-1]))
    savings = [s for s in savings if abs(s.saved_s) > NOTHING * mean]
    savings.sort(key=lambda s: -s.saved_s)
    return Changes(names(specs)[-1], specs[-1].id, mean, tuple(savings), trials, seed)


def _saving(change: Change, now: Outcome, then: Outcome) -> Saving:
    saved = now.seconds[-1] - then.seconds[-1]
    mean = float(np.mean(saved))
    error = float(np.std(saved, ddof=1) / len(saved) ** 0.5) if len(saved) > 1 else float("inf")
    # the corners of both stand in the same order, unless the change left an unknown out
    ends = [mean]
    if len(now.corners[-1]) == len(then.corners[-1]):
        ends += [float(np.mean(a) - np.mean(b)) for a, b in zip(now.corners[-1], then.corners[-1], strict=True)]
    return Saving(change, mean, error, min(ends), max(ends), float(np.mean(then.seconds[-1])))


# Changes of numbers


def _of_levers(today: Case) -> Iterator[Change]:
    known = every_lever(*today)
    last = len(today.specs) - 1

    def moved(lever: Lever, setting: float, title: str) -> Change:
        return Change(f"{lever.id}={setting:g}", title, lever.apply(*today, setting))

    for lever in known.values():
        kind = lever.id.rsplit(":", 1)[-1]
        of = "" if lever.step is None else f" of {lever.title.partition(':')[0]}"
        if lever.row not in (None, last):
            continue
        if kind == "tools":
            yield moved(lever, 0.5, f"halve tool time{of}")
        elif kind == "tokens":
            yield moved(lever, 0.5, f"halve the tokens{of or ' per call'}")
        elif kind == "humans":
            yield moved(lever, 0.0, f"drop the human waits{of}" if lever.step is None else f"drop the wait{of}")
        elif kind == "steps" and lever.step is None:
            yield moved(lever, 0.5, "halve the turns")
        elif kind == "failures":
            yield moved(lever, 0.0, "nothing fails")
        elif kind == "speed":
            yield moved(lever, 2.0, "2× tok/s")
        elif kind == "ttft":
            yield moved(lever, 0.5, "2× faster first token")
        elif kind == "overhead":
            yield moved(lever, 0.0, "no overhead per call")


def _of_cache(today: Case) -> Iterator[Change]:
    task = today.task
    if task.starts_cached < task.context_tokens:
        cached = task.model_copy(update={"cached_tokens": task.context_tokens})
        yield Change("cache", "prompt caching on", today._replace(task=cached))
    if task.cache is not None:
        kept = task.model_copy(update={"cache": None})
        yield Change("keep-cache", "a cache that never expires", today._replace(task=kept))


# Changes of order


def _at_once(today: Case) -> Iterator[Change]:
    """Waits that follow each other with no call between, and calls that stand alone, run at the same time."""
    named = all_named(today.task)
    runs: list[tuple[str, ...]] = []

    def note(steps: Inner, inside: tuple[str, ...]) -> Inner:
        runs.extend(tuple(step.name for step in run) for run in _runs(steps, inside))
        return steps

    with_steps(named, sequence=note)
    loops = [place.step.name for place in places(named.steps) if _fan_out(place.step)]
    for run in runs:
        said = [_short(name) for name in run]
        title = f"run {', '.join(said[:-1])} and {said[-1]} at the same time"
        needs = f"{said[-1]} must not need what comes before it"
        yield Change(f"at-once:{'+'.join(run)}", title, today._replace(task=_together(named, run)), needs)
    for name in loops:
        title = f"run the turns of {_short(name)} at the same time"
        needs = "no turn may need the one before it"
        yield Change(f"at-once:{name}", title, today._replace(task=_spread(named, name)), needs)


def _short(name: str) -> str:
    return name.rsplit("/", 1)[-1].replace("_", " ")


def _runs(steps: Inner, inside: tuple[str, ...]) -> Iterator[Inner]:
    """Steps in a row that may run at the same time: tools whose results join one conversation, or calls outside every
    conversation (not inside a branch, whose result the last call's output would be).
    """

    def kind(step: Step):
        if step.kind == "tool_wait":
            return "tool_wait", step.conversation
        alone = step.kind == "model_call" and step.conversation is None
        return ("model_call", None) if alone and not set(inside) & set(INSIDE_BRANCHES) else None

    for found, run in groupby(steps, key=kind):
        run = tuple(run)
        if found is not None and len(run) > 1:
            yield run


def _together(task: Task, run: tuple[str, ...]) -> Task:
    """The task with the steps of a run as branches of a parallel; their results join the conversation as before."""

    def change(steps: Inner, inside: tuple[str, ...]) -> Inner:
        at = next((i for i, step in enumerate(steps) if step.name == run[0]), None)
        if at is None:
            return steps
        mine = steps[at : at + len(run)]
        tools = isinstance(mine[0], ToolWait)
        # a call that stands alone hands nothing to the conversation
        result = None if tools else Fixed(0.0)
        branches = tuple(Branch.model_construct(name=None, steps=(step,), result_tokens=result) for step in mine)
        step = Parallel.model_construct(
            kind="parallel", name=f"{run[0]} and others at once", join="all", branches=branches,
            conversation=mine[0].conversation if tools else None,
        )  # fmt: skip
        return (*steps[:at], step, *steps[at + len(run) :])

    return with_steps(task, sequence=change)


def _fan_out(step: Step) -> bool:
    """Whether a loop's turns only wait for tools of one conversation, so that they could run at the same time."""
    if step.kind != "loop" or step.times is None:
        return False
    inner = [place.step for place in places(step.steps)]
    return all(s.kind == "tool_wait" for s in inner) and len({s.conversation for s in inner}) == 1


def _spread(task: Task, name: str) -> Task:
    """The task with a loop's turns as copies of a parallel, as many as it has turns."""

    def change(step: Step, key: str) -> Step:
        if step.name != name:
            return step
        return Parallel.model_construct(
            kind="parallel", name=name, join="all", width=step.times, steps=step.steps,
            conversation=step.steps[0].conversation, after=step.after,
        )  # fmt: skip

    return with_steps(task, change)
