"""What a task asks of a server: seconds of its calls, how they overlap, and tokens, per player."""

from __future__ import annotations

import numpy as np

from agentcalc.simulate.components import COMPONENTS
from agentcalc.simulate.joins import Joins, places


class Load(Joins):
    """An observer of one block of trials at a time: call :meth:`settle` after each walk. All attempts of calls count.

    Sums over trials, [players]: call_s, of every call wherever it was made, up to where a join stopped it; parts_s
    [components, players], the same without what joins cut off; squares_s, calls in flight squared, over time: call_s
    where calls follow one another; calls; uncached, refilled, cached and output tokens. Refilled are those the server
    had forgotten, told by the seconds that it costs.
    """

    def __init__(self, players: int):
        self.trials = 0
        self.call_s, self.squares_s, self.calls = np.zeros((3, players))
        self.uncached, self.refilled, self.cached, self.output = np.zeros((4, players))
        self.parts_s = np.zeros((len(COMPONENTS), players))
        super().__init__()

    def forget(self) -> None:
        super().forget()
        self._forked: list[tuple[np.ndarray, np.ndarray, np.ndarray, tuple[int, ...]]] = []

    def spent(self, stage, act, scene, start, parts, tokens) -> None:
        if tokens is None:
            return
        seconds = np.zeros(start.shape)
        for component, part in parts:
            self.parts_s[COMPONENTS.index(component)] += part.sum(axis=1)
            seconds += part
        uncached, prompt, output = tokens
        cached, lost = prompt - uncached, np.zeros(start.shape)
        for component, part in parts:
            if component == "refill":
                lost = np.where(part > 0, cached, 0.0)
        self.calls += np.count_nonzero(~np.isnan(uncached), axis=1)
        sums = ((self.uncached, uncached), (self.cached, cached - lost), (self.refilled, lost), (self.output, output))
        for total, counted in sums:
            total += np.nansum(counted, axis=1)
        if stage.branches:
            inside = tuple(instance for instance, _, _ in stage.branches)
            self._forked.append((scene.trial.copy(), start, start + seconds, inside))
        else:
            # Outside all forks nothing else of this run is under way.
            total = seconds.sum(axis=1)
            self.call_s += total
            self.squares_s += total

    def settle(self, trials: np.ndarray) -> None:
        """Adds what was seen since the last settling; the walk was on these trials."""
        self.trials += len(trials)
        if self._forked:
            place = places(trials)
            stops = self.stops({fork for *_, inside in self._forked for fork in inside}, place, len(trials))
            runs, starts, ends = [], [], []
            for trial, start, end, inside in self._forked:
                run = place[trial]
                for instance in inside:
                    end = np.minimum(end, stops[instance][:, run])
                runs.append(run)
                starts.append(start)
                ends.append(np.maximum(start, end))
            run, start, end = np.concatenate(runs), np.concatenate(starts, axis=1), np.concatenate(ends, axis=1)
            self.call_s += (end - start).sum(axis=1)
            self.squares_s += [overlapping(run, s, e) for s, e in zip(start, end, strict=True)]
        self.forget()


def overlapping(run: np.ndarray, start: np.ndarray, end: np.ndarray) -> float:
    """Open intervals squared, over time, s, summed over runs; all [intervals]. Where none overlap: their lengths."""
    # Runs are laid one after the other, so that one sweep serves them all.
    shift = run * (float(end.max(initial=0.0)) + 1.0)
    times = np.concatenate([start + shift, end + shift])
    order = np.argsort(times, kind="stable")
    steps = np.repeat([1.0, -1.0], len(start))[order]
    return float(np.square(np.cumsum(steps)[:-1]) @ np.diff(times[order]))
