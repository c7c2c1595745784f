"""Comparisons as pages keep them, played here or in another process. No Streamlit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from agentcalc.comparison import compare
from agentcalc.defaults import SEED
from agentcalc.results import Comparison
from agentcalc.simulate.cast import cast
from agentcalc.simulate.walk import Run, play
from agentcalc.system import Spec, System
from agentcalc.task import Task

Progress = Callable[[int, int], None]


def played(task: Task, systems: tuple[System, ...], trials: int, progress: Progress | None = None) -> Comparison:
    """A comparison without the rows of players that are no systems, three quarters of the walk's arrays: many are kept.
    Raises InputError as :func:`compare`.
    """
    found = compare(task, systems, trials=trials, seed=SEED, progress=progress)
    seconds = found.task_seconds.copy()
    alone = found.without_people_seconds
    same = np.shares_memory(alone, found.task_seconds)
    # Calls that are alike on every system are one row, seen several times.
    calls = found.calls.copy() if found.calls.strides[0] else found.calls
    return replace(found, task_seconds=seconds, without_people_seconds=seconds if same else alone.copy(), calls=calls)


def first(whole: Comparison, n: int) -> Comparison:
    """The comparison of the first n systems of a larger one, as if the others had not played."""
    return replace(
        whole,
        specs=whole.specs[:n],
        systems=whole.systems[:n],
        pairs=whole.pairs[: n - 1],
        task_seconds=whole.task_seconds[:n],
        without_people_seconds=whole.without_people_seconds[:n],
        calls=whole.calls[:n],
        again=_replaying(whole.task, whole.specs[:n], whole.seed),
    )


def packed(found: Comparison) -> Comparison:
    """A comparison fit to be sent to another process."""
    return replace(found, again=None)


def unpacked(found: Comparison) -> Comparison:
    """One that was sent, whole again."""
    return replace(found, again=_replaying(found.task, found.specs, found.seed))


def _replaying(task: Task, specs: tuple[Spec, ...], seed: int) -> Callable[..., Run]:
    """What plays some trials of a comparison once more: its ``again``."""

    def again(numbers, observer) -> Run:
        players = cast(task, specs).players[: len(specs)]
        return play(task, players, trials=numbers, seed=seed, per_trial=True, observer=observer)

    return again
