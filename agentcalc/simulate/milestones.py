"""When the steps and the calls of every run end, for every player.

A *step* is one model call with what follows it until the next, as in ``analysis.accumulation``; a parallel block or a
graph is one step as a whole. What comes before the first call belongs to the first step.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agentcalc.simulate.joins import Joins, places


@dataclass(frozen=True)
class Ends:
    """Moments of many runs, in the order of run and time. run int64 [moments]: which of the runs; seconds [players,
    moments]: since the run's start; inf for players that never get there.
    """

    run: np.ndarray
    seconds: np.ndarray


class Milestones(Joins):
    """An observer of one block of trials at a time: call :meth:`settle` after each walk.

    Gives what it saw as :class:`Ends`: the ends of steps, one for all players, and of every attempt of a call (without
    ``calls``: none).
    """

    def __init__(self, calls: bool = True):
        self._with_calls = calls
        super().__init__()

    def forget(self) -> None:
        super().forget()
        self._steps: list[tuple[np.ndarray, np.ndarray]] = []
        self._calls: list[tuple[np.ndarray, np.ndarray, tuple[int, ...]]] = []
        self._outermost: set[int] = set()
        self._last: tuple | None = None
        self._at: np.ndarray | None = None
        self._called: np.ndarray | None = None

    def _room(self, trials: np.ndarray, players: int) -> None:
        """Room for the moments of these trials, [players, numbers of trials]."""
        have = 0 if self._at is None else self._at.shape[1]
        need = int(trials.max()) + 1
        if need > have:
            more = max(need, 2 * have)
            at, called = np.zeros((players, more)), np.zeros(more, dtype=bool)
            if have:
                at[:, :have], called[:have] = self._at, self._called
            self._at, self._called = at, called

    def spent(self, stage, act, scene, start, parts, tokens) -> None:
        end = start.copy()
        for _, seconds in parts:
            end += seconds
        if tokens is not None and self._with_calls:
            tried = np.where(np.isnan(tokens[0]), np.inf, end)
            inside = tuple(instance for instance, _, _ in stage.branches)
            self._calls.append((scene.trial.copy(), tried, inside))
        if not stage.branches:
            if act.step.kind == "model_call":
                this = (act.key, tuple(stage.path))
                # Further attempts of a call, and the waits before them, belong to the step that it began.
                self._reached(scene.trial, end, begins=this != self._last)
                self._last = this
            else:
                self._reached(scene.trial, end, begins=False)

    def _reached(self, trial: np.ndarray, end: np.ndarray, begins: bool) -> None:
        """Some runs have come to a moment outside all branches; begins: by what begins a step."""
        if not len(trial):
            return  # a fork of no copies at all
        self._room(trial, end.shape[0])
        if begins:
            before = trial[self._called[trial]]
            if len(before):
                self._steps.append((before, self._at[:, before]))
            self._called[trial] = True
        self._at[:, trial] = end

    def forked(self, stage) -> int:
        instance = super().forked(stage)
        if not stage.branches:
            self._outermost.add(instance)
        return instance

    def joined(self, instance: int, scene, end, critical, slack) -> None:
        super().joined(instance, scene, end, critical, slack)
        if instance in self._outermost:
            self._reached(scene.trial, end, begins=True)
            self._last = None

    def settle(self, trials: np.ndarray, task_s: np.ndarray) -> tuple[Ends, Ends]:
        """The ends of steps and of calls seen since the last settling; run i is the trial ``trials[i]``.

        task_s [players, trials]: when each run ends, which is where its last step ends. A call that was stopped at a
        join, or that a player never made, has no end on it (inf).
        """
        place = places(trials)
        stops = self.stops({fork for *_, inside in self._calls for fork in inside}, place, len(trials))
        steps = [(place[trial], seconds) for trial, seconds in self._steps] + [(np.arange(len(trials)), task_s)]
        calls = []
        for trial, seconds, inside in self._calls:
            run = place[trial]
            for instance in inside:
                seconds = np.where(seconds > stops[instance][:, run] + 1e-12, np.inf, seconds)
            calls.append((run, seconds))
        self.forget()
        return _ordered(steps, task_s.shape[0]), _by_time(_ordered(calls, task_s.shape[0]))


def _ordered(found: list[tuple[np.ndarray, np.ndarray]], players: int) -> Ends:
    """By run, in the order of play."""
    if not found:
        return Ends(np.zeros(0, dtype=np.int64), np.zeros((players, 0)))
    run = np.concatenate([r for r, _ in found])
    seconds = np.concatenate([s for _, s in found], axis=1)
    order = np.argsort(run, kind="stable")
    return Ends(run[order], seconds[:, order])


def _by_time(ends: Ends) -> Ends:
    """In each run by every player's own time: which moment it was no longer matters, only when."""
    for row in ends.seconds:
        row[:] = row[np.lexsort((row, ends.run))]
    return ends
