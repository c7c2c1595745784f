"""How much work a task is, before any of it starts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agentcalc.distributions import Amount, whole
from agentcalc.errors import Fault, InputError, echo
from agentcalc.task import Step, Task
from agentcalc.units import show_count

MOST_PLAYS = 500_000
"""Steps and turns that one block of trials may take: some ten seconds."""
MOST_LANES = 2_000_000_000
"""Steps played in all trials together: about two minutes."""
SHOWN = 1e15
"""Above it a number of steps is only called that many."""

_GRID = (np.arange(1000) + 0.5) / 1000


@dataclass(frozen=True)
class Size:
    """most: steps played in the longest possible trial; mean: in an average one; worst: what repeats most."""

    most: float
    mean: float
    worst: str


def _repeats(step: Step) -> tuple[float, float]:
    """Most and mean number of times a step plays its inside."""
    if step.kind == "loop" and step.until is not None:
        p, n = step.until.probability, step.until.max
        return float(n), (1 - (1 - p) ** n) / p
    if step.kind == "loop":
        return _count(step.times)
    if step.kind == "model_call" and (step.timeout_s is not None or step.failure_probability > 0):
        return float(step.max_attempts), 1.0
    if step.kind == "parallel" and step.width is not None:
        most, mean = _count(step.width)
        # Each copy is placed among the k that may be kept.
        kept = 1 if isinstance(step.join, str) else 1 + step.join / 8
        return most * kept, mean * kept
    if step.kind == "retry":
        p, n = step.failure_probability, step.max_attempts
        return float(n), float(n) if p == 1 else (1 - p**n) / (1 - p)
    return 1.0, 1.0


def _count(amount: Amount) -> tuple[float, float]:
    return float(whole(amount, np.array(amount.top))), float(whole(amount, amount.draw(_GRID)).mean())


def size(task: Task) -> Size:
    """The size of a task, from the tops and means of its counts."""
    most = mean = 0.0
    worst, worst_repeats = "", 1.0
    stack = [(step, 1.0, 1.0) for step in task.steps]
    while stack:
        step, times, often = stack.pop()
        top, average = _repeats(step)
        most, mean = most + times * (1.0 if step.blocks else top), mean + often
        if top > worst_repeats:
            worst, worst_repeats = step.name or step.kind, top
        stack += [(inner, times * top, often * average) for _, block in step.blocks for inner in block]
    return Size(most, mean, worst)


def _shown(steps: float) -> str:
    return show_count(steps) if steps < SHOWN else "more than a million billion"


def most_trials(task: Task) -> int:
    """How many trials of a task may be played at once."""
    return max(int(MOST_LANES / size(task).mean), 1)


def check(task: Task, trials: int) -> None:
    """Raises InputError, before any work, for a task that would not end in a reasonable time."""
    found = size(task)
    where = task.id or task.name
    # Written with not, since a product of huge counts may be no number at all.
    if not found.most <= MOST_PLAYS:
        raise InputError(
            Fault(
                where,
                "",
                f"one run may play {_shown(found.most)} steps, most of them in {echo(found.worst)}",
                f"lower its times, width or max: the limit is {show_count(MOST_PLAYS)}",
            )
        )
    if not found.mean * trials <= MOST_LANES:
        raise InputError(
            Fault(
                where,
                "",
                f"{show_count(trials)} trials would play {_shown(found.mean * trials)} steps",
                f"use at most {show_count(most_trials(task))} trials: the limit is {show_count(MOST_LANES)} steps",
            )
        )
