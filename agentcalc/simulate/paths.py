"""Which steps decide: how often each lies on the critical path, its seconds there, and its slack, for every player."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from agentcalc.simulate.components import COMPONENTS


@dataclass
class Sums:
    """Of one step, over trials: plays [players]; seconds [components, players] wherever they were spent; critical_s
    [players]: on the critical path; critical [players]: trials in which it lies on it; slack_s, slacks [players]: sum
    and number of slacks.
    """

    kind: str
    players: int
    seconds: np.ndarray = field(init=False)

    def __post_init__(self):
        self.seconds = np.zeros((len(COMPONENTS), self.players))
        self.plays, self.critical_s, self.critical, self.slack_s, self.slacks = np.zeros((5, self.players))


class Paths:
    """An observer that sums, per step, over the trials of one or more walks. Call :meth:`settle` after each.

    A step's slack is the sum of those of the branches it is in, from the inside out: how much later it could end
    without delaying the task. Where a branch was stopped, the step has none. Seconds of failed attempts stay their
    step's.
    """

    def __init__(self):
        self.steps: dict[str, Sums] = {}
        self._events: list[tuple[str, tuple[tuple[int, int], ...], np.ndarray, np.ndarray]] = []
        self._forks: dict[int, tuple[np.ndarray, np.ndarray, np.ndarray]] = {}
        self._instances = 0

    def spent(self, stage, act, scene, start, parts, tokens) -> None:
        sums = self.steps.setdefault(act.key, Sums(act.step.kind, start.shape[0]))
        # A wait before a further attempt is part of its call, and others than those who try take no part in it.
        if tokens is not None:
            sums.plays += np.count_nonzero(~np.isnan(tokens[0]), axis=1)
        elif act.step.kind != "model_call":
            sums.plays += scene.lanes
        total = np.zeros(start.shape)
        for component, seconds in parts:
            sums.seconds[COMPONENTS.index(component)] += seconds.sum(axis=1)
            total += seconds
        inside = tuple((instance, index) for instance, index, _ in stage.branches)
        self._events.append((act.key, inside, scene.trial.copy(), total))

    def forked(self, stage) -> int:
        self._instances += 1
        return self._instances

    def joined(self, instance: int, scene, end, critical, slack) -> None:
        self._forks[instance] = scene.trial.copy(), np.array(critical), np.array(slack)

    def mark(self) -> int:
        return 0

    def failed(self, since: int, scene) -> None:
        """A step's seconds stay its own also in a failed attempt."""

    def settle(self, trials: np.ndarray) -> None:
        """Adds what was heard since the last call; trials: the numbers that were played."""
        place = {int(trial): i for i, trial in enumerate(trials)}
        at = np.zeros(int(trials.max()) + 1, dtype=np.int64)
        at[trials] = np.arange(len(trials))
        forks = {}
        for instance, (trial, critical, slack) in self._forks.items():
            where = np.full(len(place), -1)
            where[at[trial]] = np.arange(len(trial))
            forks[instance] = where, critical, slack
        seen: dict[str, np.ndarray] = {}
        for key, inside, trial, seconds in self._events:
            critical, slack = np.ones(seconds.shape, dtype=bool), np.zeros(seconds.shape)
            for instance, branch in inside:
                where, critical_of, slack_of = forks[instance]
                lanes = where[at[trial]]
                critical &= critical_of[branch][:, lanes]
                slack += slack_of[branch][:, lanes]
            sums = self.steps[key]
            sums.critical_s += (seconds * critical).sum(axis=1)
            known = ~np.isnan(slack)
            sums.slack_s += np.where(known, slack, 0.0).sum(axis=1)
            sums.slacks += known.sum(axis=1)
            marks = seen.setdefault(key, np.zeros((seconds.shape[0], len(trials)), dtype=bool))
            marks[:, at[trial]] |= critical
        for key, marks in seen.items():
            self.steps[key].critical += marks.sum(axis=1)
        self._events, self._forks = [], {}
