"""What one run of a task asks of a server at each load of a curve: time in the model, time between, calls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from agentcalc.analysis.along_curve import Along
from agentcalc.analysis.work import Work
from agentcalc.latency import Profile
from agentcalc.simulate.load import Load
from agentcalc.simulate.plan import roles
from agentcalc.simulate.size import size
from agentcalc.simulate.stage import Observer
from agentcalc.simulate.walk import Run, play
from agentcalc.task import Task

TOGETHER = 4_096
"""Trials that are observed at once."""
GRID = 1_000
"""Loads between which a time is turned back into a load."""
MOST_CALLS = 3_000_000
"""Calls kept of all players together: about 50 MB."""


@dataclass(frozen=True)
class Demand:
    """Means over the runs of a task, s, at each measured load; all [points] but parts_s [components, points].

    call_s: of all calls, up to where a join stops them; parts_s: of all calls by component, without such stops;
    squares_s: calls in flight squared, over time; task_s: the whole run; tokens: uncached, cached and output tokens of
    all calls, at the least load.
    """

    concurrency: np.ndarray
    task_s: np.ndarray
    squares_s: np.ndarray
    call_s: np.ndarray
    parts_s: np.ndarray
    calls: np.ndarray
    tokens: tuple[float, float, float]

    def _over(self, values: np.ndarray, c) -> np.ndarray:
        """Values at some concurrency: log-log between the points, level beyond them; straight where one is 0."""
        logs = np.log(np.clip(c, self.concurrency[0], self.concurrency[-1]))
        xs = np.log(self.concurrency)
        if np.all(values > 0):
            return np.exp(np.interp(logs, xs, np.log(values)))
        return np.interp(logs, xs, values)

    def calls_s(self, c) -> np.ndarray:
        """Seconds of all calls of a run. Each component by itself, since TTFT and TPOT are interpolated so."""
        whole = sum(self._over(part, c) for part in self.parts_s)
        total = self.parts_s.sum(axis=0)
        kept = np.divide(self.call_s, total, out=np.ones_like(total), where=total > 0)
        return whole * self._over(kept, c)

    def overlap(self, c) -> np.ndarray:
        """Calls of its own run that a call finds in flight, itself included: 1 where calls follow one another."""
        found = np.divide(self.squares_s, self.call_s, out=np.ones_like(self.call_s), where=self.call_s > 0)
        return self._over(found, c)

    def model_s(self, c) -> np.ndarray:
        """Seconds of a run with calls in flight, were it always overlap() of them or none."""
        return self.calls_s(c) / self.overlap(c)

    def other_s(self, c) -> np.ndarray:
        """The other seconds of a run: tools, people, waits."""
        busy = self.model_s(self.concurrency)
        return self._over(np.maximum(self.task_s - busy, 0.0), c)

    def calls_at(self, c) -> np.ndarray:
        """Attempts of calls in a run."""
        return self._over(self.calls, c)

    @cached_property
    def _inverse(self) -> tuple[np.ndarray, np.ndarray]:
        grid = np.geomspace(self.concurrency[0], self.concurrency[-1], GRID)
        grid = np.unique(np.concatenate([grid, self.concurrency]))
        # Where a measured time falls with load the least load that reaches it counts.
        return np.maximum.accumulate(self.model_s(grid)), grid

    def load_at(self, model_s: float) -> float:
        """The concurrency at which a run spends so many seconds in the model; an end of the curve beyond them."""
        times, grid = self._inverse
        i = int(np.searchsorted(times, model_s))
        if i in (0, len(grid)):
            return float(grid[min(i, len(grid) - 1)])
        part = (model_s - times[i - 1]) / (times[i] - times[i - 1])
        return float(grid[i - 1] + part * (grid[i] - grid[i - 1]))


def walk(
    task: Task,
    profiles: Sequence[Profile],
    trials,
    seed: int,
    observer: Observer | None = None,
    work: Work | None = None,
) -> Run:
    """Plays a task on some profiles, each serving every role; trials: how many, or their numbers; work: hears of it."""
    players = [dict.fromkeys(roles(task), one) for one in profiles]
    heard = work and work.during(len(players))
    return play(task, players, trials=trials, seed=seed, observer=observer, progress=heard)


def demands(
    task: Task, curve: Along, ends: Sequence[dict[str, float]], trials: int, seed: int, work: Work | None = None
) -> list[Demand]:
    """What a run asks along a curve, once for each way of setting what is unknown (``ends``, as of
    ``latency.profile``). All loads of all of them play the same trials. work: hears of each.
    """
    profiles = [profile for one in ends for profile in curve.measured(one)]
    load, total = Load(len(profiles)), np.zeros(len(profiles))
    together = int(max(64, min(TOGETHER, MOST_CALLS / max(size(task).mean * len(profiles), 1.0))))
    for low in range(0, trials, together):
        numbers = np.arange(low, min(low + together, trials))
        total += walk(task, profiles, numbers, seed, load, work).task_s.sum(axis=1)
        load.settle(numbers)
    loads = len(curve.points)

    def of(row: int) -> Demand:
        def mean(sums: np.ndarray) -> np.ndarray:
            return sums[..., row * loads : (row + 1) * loads] / trials

        tokens = [float(mean(sums)[0]) for sums in (load.uncached + load.refilled, load.cached, load.output)]
        return Demand(
            concurrency=curve.concurrency,
            task_s=mean(total),
            squares_s=mean(load.squares_s),
            call_s=mean(load.call_s),
            parts_s=mean(load.parts_s),
            calls=mean(load.calls),
            tokens=tuple(tokens),
        )

    return [of(row) for row in range(len(ends))]
