"""How long a person is kept waiting: every stretch between things a person does or sees, for every player.

A wait runs from the task's start, or from a human_wait's end, to the next human_wait or the task's end (design,
section 4, attention). It is the one that the walk itself charges for, so the task must have its attention switched on;
:func:`watched` does so without a cost.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agentcalc.provenance import LARGEST, SMALLEST
from agentcalc.simulate.joins import Joins, places
from agentcalc.task import Attention, Task


def watched(task: Task) -> Task:
    """The task with its waits kept track of: its own attention, or one whose threshold nobody reaches."""
    if task.attention is not None:
        return task
    return task.model_copy(update={"attention": Attention(threshold_s=LARGEST, cost_s=SMALLEST)})


@dataclass(frozen=True)
class Waits:
    """run int64 [waits]: which run; seconds [players, waits]; NaN for a wait that a player's join cut off."""

    run: np.ndarray
    seconds: np.ndarray


class Waiting(Joins):
    """An observer of one block of trials at a time: call :meth:`settle` after each walk of a :func:`watched` task.

    streaming: a wait ends when the first token of the last call before its end appears, since the person then reads
    on; without it, only when all is done.
    """

    def __init__(self, streaming: bool = False):
        self.streaming = streaming
        super().__init__()

    def forget(self) -> None:
        super().forget()
        self._waits: list[tuple[np.ndarray, np.ndarray, np.ndarray, tuple[int, ...]]] = []
        # By place among the branches: when the latest call of each lane began, and when its first token came.
        self._calls: dict[tuple[tuple[int, int], ...], tuple[np.ndarray, np.ndarray]] = {}

    def spent(self, stage, act, scene, start, parts, tokens) -> None:
        inside = tuple((instance, index) for instance, index, _ in stage.branches)
        if tokens is not None and self.streaming:
            self._call(inside, scene.trial, start, parts, tokens)
        # Each wait ends in one event of its own, which carries what losing the person costs.
        if len(parts) == 1 and parts[0][0] == "attention":
            until = start if not self.streaming else self._first_token(inside, scene.trial, scene.waiting, start)
            self._waits.append((scene.trial.copy(), until - scene.waiting, start.copy(), tuple(i for i, _ in inside)))

    def _call(self, inside, trial, start, parts, tokens) -> None:
        seen = start.copy()
        made = ~np.isnan(tokens[0])
        for name, seconds in parts:
            if name in ("overhead", "refill", "ttft"):
                seen += seconds
            elif name == "retry":
                made &= ~(seconds > 0)
        began, first = self._calls.setdefault(inside, _never(start.shape[0]))
        if began.shape[1] <= (last := int(trial.max(initial=0))):
            more = max(last + 1, 2 * began.shape[1]) - began.shape[1]
            began, first = (np.pad(a, ((0, 0), (0, more)), constant_values=-np.inf) for a in (began, first))
            self._calls[inside] = began, first
        began[:, trial] = np.where(made, start, began[:, trial])
        first[:, trial] = np.where(made, seen, first[:, trial])

    def _first_token(self, inside, trial, since, until) -> np.ndarray:
        """When the first token of the latest call of this wait came; ``until`` where it had none."""
        latest, found = np.full(until.shape, -np.inf), np.full(until.shape, -np.inf)
        for place, (began, first) in self._calls.items():
            # Calls of a branch beside this one are not what this person reads.
            shared = min(len(place), len(inside))
            if place[:shared] != inside[:shared]:
                continue
            known = trial < began.shape[1]
            at = np.where(known, trial, 0)
            mine = np.where(known, began[:, at], -np.inf)
            later = (mine > latest) & (mine <= until)
            latest, found = np.where(later, mine, latest), np.where(later, first[:, at], found)
        return np.where(latest >= since, np.minimum(found, until), until)

    def settle(self, trials: np.ndarray) -> Waits:
        """The waits seen since the last settling; run i is the trial ``trials[i]``."""
        place = places(trials)
        stops = self.stops({fork for *_, inside in self._waits for fork in inside}, place, len(trials))
        runs, found = [], []
        for trial, waited, ended, inside in self._waits:
            run = place[trial]
            for instance in inside:
                waited = np.where(ended > stops[instance][:, run] + 1e-12, np.nan, waited)
            runs.append(run)
            found.append(waited)
        self.forget()
        return Waits(np.concatenate(runs), np.concatenate(found, axis=1))


def _never(players: int) -> tuple[np.ndarray, np.ndarray]:
    return np.full((players, 0), -np.inf), np.full((players, 0), -np.inf)
