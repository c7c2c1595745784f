"""The walk behind a comparison once more, with every row that a band and a ceiling need, seen by an observer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from agentcalc.analysis.work import Progress, onward
from agentcalc.results import Comparison
from agentcalc.simulate.cast import Cast, cast
from agentcalc.simulate.milestones import Ends, Milestones
from agentcalc.simulate.size import size
from agentcalc.simulate.stage import NEVER, Observer
from agentcalc.simulate.walk import Run, play
from agentcalc.task import Task

TOGETHER = 4_096
"""Trials that are observed at once, at the most."""
MOMENTS_TOGETHER = 1_500_000
"""Ends of steps and calls that are observed at once, of all players: about a second."""
MOST_MOMENTS = 6_000_000
"""Ends of steps or calls kept of all players together: about 50 MB."""
FEWEST = 200


@dataclass(frozen=True)
class Walked:
    """A task on the players of a comparison: its systems, their bands' corners, the instant system.

    progress: called with runs done and in all, those of ``milestones`` first and those of ``run`` after them.
    """

    task: Task
    who: Cast
    trials: int
    seed: int
    progress: Progress | None = None

    @cached_property
    def run(self) -> Run:
        """All players on all trials."""
        told = onward(self.progress, self.observable, self.observable + self.trials)
        return self._play(np.arange(self.trials), None, told)

    @property
    def task_s(self) -> np.ndarray:
        """Task time of every player and trial, s, [players, trials]."""
        return self.run.task_s

    def _play(self, numbers: np.ndarray, observer: Observer | None, progress: Progress | None = None) -> Run:
        who = self.who
        return play(
            self.task,
            who.players,
            trials=numbers,
            seed=self.seed,
            named=who.named,
            outcomes_of=who.outcomes_of,
            observer=observer,
            progress=progress,
        )

    def observed(self, observer: Observer, trials: int, progress: Progress | None = None):
        """Plays the first ``trials`` in blocks with an observer; yields (numbers, task_s [players, block]) of each.
        progress: called with trials done and in all.
        """
        together = int(max(64, min(TOGETHER, MOMENTS_TOGETHER / self._moments)))
        for low in range(0, trials, together):
            numbers = np.arange(low, min(low + together, trials))
            yield numbers, self._play(numbers, observer, onward(progress, low, trials)).task_s

    def only(self, rows: Sequence[int]) -> Walked:
        """The same walk on some of the systems and, last, the instant one; without their bands.

        rows: places among the systems.
        """
        who = self.who
        players = tuple(who.players[row] for row in (*rows, who.instant))
        n = len(rows)
        return replace(self, who=Cast(players, n, (*range(n), NEVER), (None,) * n, ((),) * n, ((),) * n, n))

    @property
    def observable(self) -> int:
        """Trials of which every end can be kept: all, or as many as fit."""
        return min(self.trials, max(FEWEST, int(MOST_MOMENTS / self._moments)))

    @property
    def _moments(self) -> float:
        """Ends of steps of a trial, of all players, about."""
        return size(self.task).mean * len(self.who.players)

    @cached_property
    def milestones(self) -> tuple[Ends, Ends, np.ndarray]:
        """Ends of steps and of calls, and task_s, of the first :attr:`observable` trials."""
        watch, steps, calls, task_s = Milestones(), [], [], []
        told = onward(self.progress, 0, self.observable + self.trials)
        for numbers, seconds in self.observed(watch, self.observable, told):
            step, call = watch.settle(numbers, seconds)
            steps.append(Ends(step.run + numbers[0], step.seconds))
            calls.append(Ends(call.run + numbers[0], call.seconds))
            task_s.append(seconds)
        return _joined(steps), _joined(calls), np.concatenate(task_s, axis=1)


def _joined(found: list[Ends]) -> Ends:
    return Ends(np.concatenate([e.run for e in found]), np.concatenate([e.seconds for e in found], axis=1))


def walked(comparison: Comparison, progress: Progress | None = None) -> Walked:
    """The walk of a comparison: the same task, systems, trials and seed. progress: as of :class:`Walked`."""
    who = cast(comparison.task, comparison.specs)
    return Walked(comparison.task, who, comparison.n_trials, comparison.seed, progress)
