"""When branches were joined: what several observers keep of a block of trials, since what still runs then stops."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np


class Joins:
    """The part of an observer that hears of forks and joins; see ``stage.Observer``."""

    def __init__(self):
        self.forget()

    def forget(self) -> None:
        """Begins a block of trials."""
        self._forks = 0
        self._ends: dict[int, tuple[np.ndarray, np.ndarray]] = {}

    def forked(self, stage) -> int:
        self._forks += 1
        return self._forks

    def joined(self, instance: int, scene, end, critical, slack) -> None:
        self._ends[instance] = scene.trial.copy(), end.copy()

    def mark(self) -> int:
        return 0

    def failed(self, since: int, scene) -> None:
        """A failed attempt takes its time as any other."""

    def stops(self, forks: Iterable[int], place: np.ndarray, runs: int) -> dict[int, np.ndarray]:
        """For some forks when they were joined, s since the start, [players, runs]; inf in runs that had none.

        place: as :func:`places`.
        """
        found = {}
        for instance in forks:
            trial, end = self._ends[instance]
            found[instance] = np.full((end.shape[0], runs), np.inf)
            found[instance][:, place[trial]] = end
        return found


def places(trials: np.ndarray) -> np.ndarray:
    """Of each number of a trial, which of the runs it is; trials int64 [runs], their numbers."""
    place = np.zeros(int(trials.max()) + 1, dtype=np.int64)
    place[trials] = np.arange(len(trials))
    return place
