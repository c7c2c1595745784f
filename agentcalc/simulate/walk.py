"""One walk over the task: all players, all trials, in blocks of lanes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from agentcalc.simulate.components import COMPONENTS
from agentcalc.simulate.draws import lane_keys
from agentcalc.simulate.inline import play_all
from agentcalc.simulate.plan import Plan, plan, roles
from agentcalc.simulate.scene import Scene
from agentcalc.simulate.size import check
from agentcalc.simulate.stage import Observer, Player, Players, Stage
from agentcalc.simulate.tally import Tally
from agentcalc.simulate.waits import End, attend
from agentcalc.task import Task

BLOCK = 16_384
"""Lanes played together: large enough that Python's cost per step is small, small enough to stay in the cache."""

KEPT = 1 << 24
"""Steps, players and lanes of a graph that are kept at once: some 100 to 300 MB."""


@dataclass(frozen=True)
class Run:
    """What a walk found. task_s, without_people_s [players, trials]; components_s [8, players]: means in the order of
    ``components.COMPONENTS``; per_trial [8, players, trials] only when asked for; calls, exhausted [players, trials].
    """

    task_s: np.ndarray
    without_people_s: np.ndarray
    components_s: np.ndarray
    per_trial: np.ndarray | None
    calls: np.ndarray
    exhausted: np.ndarray
    tally: Tally


def _keep_memory() -> None:
    """Asks the C library to keep freed arrays for the next ones.

    By default glibc maps every array above 128 kB anew and gives it back at once, and the page faults cost several
    times the arithmetic on it. Freeing one block of nearly 32 MB raises that limit for the process (mallopt(3),
    M_MMAP_THRESHOLD); the block is never touched, so it costs nothing. Other C libraries take no notice.
    """
    np.empty(31 * 2**20, dtype=np.uint8)


def lanes_together(script: Plan, players: int) -> int:
    """Lanes of a block: fewer for a graph so large that what is kept of its steps would not find room."""
    return min(BLOCK, max(KEPT // (script.largest_graph * players), 1)) if script.largest_graph else BLOCK


def play(
    task: Task,
    players: Sequence[Player],
    *,
    trials: int | np.ndarray = 10_000,
    seed: int = 7,
    named: int | None = None,
    outcomes_of: Sequence[int] | None = None,
    per_trial: bool = False,
    observer: Observer | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Run:
    """Plays a task on every player, all on the same draws.

    trials: how many (numbered from 0), or the numbers of some, int [n]; named: how many of the players are systems to
    pair per call with the first (default: all); outcomes_of: for each player, whose threshold outcomes it is given
    (design, section 4); observer: sees every step; progress: called with trials done and in all.

    Raises InputError, before any work, for a task that is too large.
    """
    check(task, trials if isinstance(trials, int) else len(trials))
    numbers = np.arange(trials) if isinstance(trials, int) else np.asarray(trials, dtype=np.int64)
    _keep_memory()
    given = None if outcomes_of is None else np.asarray(outcomes_of)
    players = Players(players, roles(task), len(players) if named is None else named, given)
    script = plan(task, seed, overhead=any(column.any() for column in players.overhead))
    said = len(players) if script.diverges else 1
    tally = Tally(players, said)
    stage = Stage(players, script.components, tally, task, observer)
    rows = [COMPONENTS.index(name) for name in script.components]

    shape = (len(players), len(numbers))
    task_s, without = np.empty(shape), np.empty(shape) if script.people else None
    sums = np.zeros((len(COMPONENTS), len(players)))
    every = np.zeros((len(COMPONENTS), *shape)) if per_trial else None
    calls, exhausted = np.empty((said, len(numbers))), np.empty((said, len(numbers)), dtype=bool)
    block = lanes_together(script, len(players))
    for low in range(0, len(numbers), block):
        here = slice(low, min(low + block, len(numbers)))
        scene = Scene.start(
            numbers[here],
            lane_keys(numbers[here]),
            components=len(rows),
            players=len(players),
            rows=said,
            contexts=script.contexts,
            cached=script.cached,
            people=script.people,
            lifetime=task.cache is not None,
            attention=task.attention is not None,
        )
        play_all(script.acts, scene, stage)
        attend(scene, stage, End)
        task_s[:, here] = scene.now()
        if without is not None:
            without[:, here] = scene.alone
        sums[rows] += [seconds.sum(axis=1) for seconds in scene.seconds]
        if every is not None:
            every[rows, :, here] = scene.seconds
        calls[:, here], exhausted[:, here] = scene.calls, scene.exhausted
        if progress:
            progress(here.stop, len(numbers))
    tally.settle()
    return Run(
        task_s=task_s,
        without_people_s=task_s if without is None else without,
        components_s=sums / max(len(numbers), 1),
        per_trial=every,
        calls=np.broadcast_to(calls, shape),
        exhausted=np.broadcast_to(exhausted, shape),
        tally=tally,
    )
