"""What gets done in a fixed time: runs, turns, calls, attempts and the chance of success, on each system.

*done*: the share of runs that end within the time. *tasks*, *turns*, *calls*: what ends within it when runs follow one
another (see ``renewal``); a turn is one model call with what follows it until the next, a parallel block is one turn,
and those of the run that is cut off count. *attempts*: how often one and the same run fits, floor(time / its task
time), as under a task's own deadline; *success*: the chance that one of them solves it. Attempts at one problem take
alike long; different tasks do not. Nothing here compounds: the seconds only add up, and a fixed time counts them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
import pandas as pd

from agentcalc.analysis.banded import Banded, banded
from agentcalc.analysis.naming import names
from agentcalc.analysis.renewal import moments_within, runs_within
from agentcalc.analysis.success import Success
from agentcalc.analysis.walked import Walked, walked
from agentcalc.analysis.work import Progress
from agentcalc.errors import Fault, InputError
from agentcalc.results import Comparison

WITHIN_S = (10.0, 60.0, 300.0, 3600.0)
"""The times that are asked about when none is given."""
LEAST_S, MOST_S = 1e-3, 1e7
HOUR_S = 3600.0
INSTANT = "instant"


@dataclass(frozen=True)
class Done:
    """What one system gets done in ``within_s`` seconds; numbers are means over where a clock starts.

    success: None without a chance of success.
    """

    within_s: float
    done: Banded
    tasks: Banded
    turns: Banded
    calls: Banded
    attempts: Banded
    success: Banded | None


MEASURES = tuple(field.name for field in fields(Done))[1:]


@dataclass(frozen=True)
class OfSystem:
    """One system, or the instant one: its name in sentences, its role, what it gets done by each time, and how many
    tasks an hour a user who never stops gets done, 3600 / mean task time.
    """

    system: str
    name: str
    role: str
    per_hour: Banded
    found: tuple[Done, ...]

    def within(self, seconds: float) -> Done:
        """What it gets done in one of the times asked about. Raises KeyError for another."""
        for done in self.found:
            if done.within_s == seconds:
                return done
        raise KeyError(seconds)


@dataclass(frozen=True)
class Budget:
    """What each system, then the instant one, gets done. within_s: rising; turns_from: how many of the runs turns and
    calls were counted in.
    """

    task: str
    trials: int
    within_s: tuple[float, ...]
    systems: tuple[OfSystem, ...]
    instant: OfSystem
    success: Success | None
    turns_from: int

    def table(self) -> pd.DataFrame:
        """One row a time and system, the instant system last: within_s, system, label, role, then each measure with
        its ``_low`` and ``_high``, and per_hour. Infinite where nothing takes time, NaN without a chance of success.
        """
        rows = []
        for seconds in self.within_s:
            for one in (*self.systems, self.instant):
                row = {"within_s": seconds, "system": one.system, "label": one.name, "role": one.role}
                found = {name: getattr(one.within(seconds), name) for name in MEASURES} | {"per_hour": one.per_hour}
                for name, number in found.items():
                    ends = (math.nan,) * 3 if number is None else (number.value, number.low, number.high)
                    row |= dict(zip((name, f"{name}_low", f"{name}_high"), ends, strict=True))
                rows.append(row)
        return pd.DataFrame(rows)


def budget(
    comparison: Comparison,
    within_s: Sequence[float] = WITHIN_S,
    success: Success | None = None,
    attempts_per_run: int = 1,
    progress: Progress | None = None,
) -> Budget:
    """What each system of a comparison gets done within some times (s).

    success: of one attempt, or a measured curve; by default the chance in the task's deadline, if it gives one.
    attempts_per_run: attempts that one run of the task makes, such as 4 for a best of four. progress: called with runs
    done and in all, while they are counted too. Raises InputError for no time, or one out of reach.
    """
    within = _checked(within_s)
    given = comparison.task.deadline
    if success is None and given is not None and given.success_probability is not None:
        success = Success(((1.0, given.success_probability),))
    walk = walked(comparison, progress)
    who, played = walk.who, walk.observable + walk.trials
    steps, calls, step_task_s = walk.milestones
    counted = {player: _Counts(walk, player, steps, calls, step_task_s) for player in range(len(who.players))}

    def of(row: int, system: str, name: str, role: str) -> OfSystem:
        def over(value) -> Banded:
            if row == who.instant:
                exact = float(value(row))
                return Banded(exact, exact, exact)
            return banded(who, row, value)

        found = []
        for seconds in within:
            if progress:
                progress(played, played)
            solved = None
            if success is not None:
                solved = over(lambda p, s=seconds: counted[p].success(s, success, attempts_per_run))
            counts = {m: over(lambda p, s=seconds, m=m: getattr(counted[p], m)(s)) for m in MEASURES[:-1]}
            found.append(Done(seconds, success=solved, **counts))
        per_hour = over(lambda p: HOUR_S / mean if (mean := float(walk.task_s[p].mean())) > 0 else math.inf)
        return OfSystem(system, name, role, per_hour, tuple(found))

    roles = ["baseline", "candidate", *["other"] * (who.named - 2)]
    called = zip(range(who.named), comparison.systems, names(comparison.specs), roles, strict=False)
    return Budget(
        task=comparison.task.name,
        trials=comparison.n_trials,
        within_s=within,
        systems=tuple(of(row, system.id, name, role) for row, system, name, role in called),
        instant=of(who.instant, INSTANT, "an instant model", INSTANT),
        success=success,
        turns_from=step_task_s.shape[1],
    )


class _Counts:
    """What one player gets done, by time."""

    def __init__(self, walk: Walked, player: int, steps, calls, step_task_s: np.ndarray):
        self.task_s, self.step_task_s = walk.task_s[player], step_task_s[player]
        self._turns = (steps.run, steps.seconds[player])
        self._calls = (calls.run, calls.seconds[player])

    def done(self, seconds: float) -> float:
        return float(np.mean(self.task_s <= seconds))

    def tasks(self, seconds: float) -> float:
        return float(np.mean(runs_within(self.task_s, seconds)))

    def turns(self, seconds: float) -> float:
        return float(np.mean(moments_within(self.step_task_s, *self._turns, seconds)))

    def calls(self, seconds: float) -> float:
        return float(np.mean(moments_within(self.step_task_s, *self._calls, seconds)))

    def _attempts(self, seconds: float) -> np.ndarray:
        with np.errstate(divide="ignore"):
            return np.floor(seconds / self.task_s)

    def attempts(self, seconds: float) -> float:
        return float(np.mean(self._attempts(seconds)))

    def success(self, seconds: float, chance: Success, per_run: int) -> float:
        return float(np.mean(chance.after(self._attempts(seconds) * per_run)))


def _checked(within_s: Sequence[float]) -> tuple[float, ...]:
    if not len(within_s):
        raise InputError(Fault("within", "", "no time is given", "give one or more, such as 60s"))
    for seconds in within_s:
        if not (math.isfinite(seconds) and LEAST_S <= seconds <= MOST_S):
            remedy = f"give a time from {LEAST_S:g} s to {MOST_S / 86400:.0f} days"
            raise InputError(Fault("within", "", f"{seconds:g} s is out of reach", remedy))
    return tuple(sorted({float(seconds) for seconds in within_s}))
