"""How the seconds between two systems add up over all runs, where their ratio settles, and how much of a faster call
survives in the task.

A step is one model call with what follows it until the next, a parallel block one step as a whole. All numbers are
means over all runs on the critical path; medians are never subtracted.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd

from agentcalc.analysis.banded import CLOSE, Banded, banded, order
from agentcalc.analysis.facts import SETTINGS
from agentcalc.analysis.naming import names
from agentcalc.analysis.walked import walked
from agentcalc.results import STATISTICS, Comparison, ratio
from agentcalc.simulate.milestones import Milestones
from agentcalc.units import ratio_decimals, show_ratio, show_share, show_time

MOST_DIGITS = 3
NEAR = 0.02
"""How far the share worked out from the shown ratios may lie from the exact one."""
SETTLED = CLOSE
"""The ratio has settled once it stays within this share of its final value."""


@dataclass(frozen=True)
class Settling:
    """table, one row a step and system or role, with columns

    step (0 first), system, label, role: "baseline", "candidate" or "alone" (the instant system: tools and people);
    runs_share: of runs that have so many steps; seconds: mean length of this step over those (NaN at step 0);
    total_s: mean seconds since the request after it, a run that is over staying at its end; saved_s, ratio: of the
    baseline's total_s and this row's (1 at step 0); so the last row is the mean task time, and its ratio that of the
    means.

    settles_at: the first step from which the candidate's ratio stays within 3% of its last; 0 without steps.
    """

    table: pd.DataFrame
    base: str
    cand: str
    settles_at: int
    steps: int
    unsure: bool
    """Whether what is unknown may turn the order of the two round."""

    def sentence(self) -> str:
        """Where the ratio settles: "After 3 of 200 steps the ratio is 1.4× and stays there."; empty for one step."""
        mine = self.table[self.table["role"] == "candidate"].set_index("step")
        if self.steps < 2 or not len(mine):
            return ""
        final, first = mine["ratio"].iloc[-1], mine["ratio"].loc[1]
        each = mine["saved_s"].iloc[-1] / _mean_steps(mine)
        start = "With the numbers taken here, an" if self.unsure else "An"
        adds = f"{start} average step {'saves' if each >= 0 else 'loses'} {show_time(abs(each))}"
        if self.settles_at <= 1 or show_ratio(first) == show_ratio(final):
            return f"{adds}; the ratio is {show_ratio(final)} from the first step on."
        after = f"{show_ratio(first)} after one step and settles at {show_ratio(final)} after {self.settles_at}"
        return f"{adds}; the ratio is {after}."


def _mean_steps(mine: pd.DataFrame) -> float:
    return float(mine["runs_share"].iloc[1:].sum())


def settling(comparison: Comparison, pair: int = 0) -> Settling:
    """The mean seconds of a pair step by step. Raises IndexError for a pair that is not there."""
    if not 0 <= pair < len(comparison.pairs):
        raise IndexError(f"there is no pair {pair}")
    walk = walked(comparison).only((0, pair + 1))
    lengths, counts = np.zeros((3, 0)), np.zeros(0)
    watch = Milestones(calls=False)
    for numbers, task_s in walk.observed(watch, walk.trials):
        steps, _ = watch.settle(numbers, task_s)
        first = np.searchsorted(steps.run, np.arange(len(numbers)))
        which = np.arange(len(steps.run)) - first[steps.run]
        spent = np.diff(steps.seconds, axis=1, prepend=0.0)
        spent[:, first] = steps.seconds[:, first]
        room = int(which.max()) + 1 - len(counts)
        if room > 0:
            lengths, counts = np.pad(lengths, ((0, 0), (0, room))), np.pad(counts, (0, room))
        counts += np.bincount(which, minlength=len(counts))
        lengths += np.array([np.bincount(which, weights=row, minlength=len(counts)) for row in spent])
    totals = np.concatenate([np.zeros((3, 1)), np.cumsum(lengths, axis=1) / walk.trials], axis=1)
    base, cand = names((comparison.specs[0], comparison.specs[pair + 1]))
    labels = {"baseline": base, "candidate": cand, "alone": "tools alone"}
    ids = {"baseline": comparison.systems[0].id, "candidate": comparison.systems[pair + 1].id, "alone": "instant"}
    tables = []
    for index, role in enumerate(labels):
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = np.where(totals[0] == totals[index], 1.0, totals[0] / totals[index])
        columns = {
            "step": np.arange(len(counts) + 1),
            "system": ids[role],
            "label": labels[role],
            "role": role,
            "runs_share": np.concatenate([[1.0], counts / walk.trials]),
            "seconds": np.concatenate([[math.nan], lengths[index] / counts]),
            "total_s": totals[index],
            "saved_s": totals[0] - totals[index],
            "ratio": ratios,
        }
        tables.append(pd.DataFrame(columns))
    low, high = comparison.pairs[pair].speedup_band["mean"]
    table, settles_at = pd.concat(tables, ignore_index=True), _settles(totals[0], totals[1])
    return Settling(table, base, cand, settles_at, len(counts), low < 1 < high)


def _settles(base: np.ndarray, cand: np.ndarray) -> int:
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.where(base == cand, 1.0, base / cand)[1:]
    if not np.isfinite(ratios[-1]):
        return len(ratios)
    away = np.flatnonzero(~(np.abs(ratios / ratios[-1] - 1) <= SETTLED))
    return int(away[-1]) + 2 if len(away) else 1


@dataclass(frozen=True)
class Advantage:
    """per_call: ratio of summed call seconds; task: baseline over candidate by a statistic, with the band of what is
    unknown; ceiling: None, nothing but calls takes time; survives: (task - 1) / (per_call - 1), None where calls are
    not faster. per_call None: no calls.
    """

    base: str
    cand: str
    by: str
    per_call: Banded | None
    task: Banded
    ceiling: float | None
    survives: float | None

    @property
    def case(self) -> str:
        """ "no calls", "close" (what is unknown decides, or under 3% apart), "slower", "more" (than the calls alone,
        since something compounds), or "usual".
        """
        if self.per_call is None:
            return "no calls"
        if order(self.task, Banded(1.0, 1.0, 1.0)) in ("close", "same"):
            return "close"
        if self.task.value < 1:
            return "slower"
        if self.survives is None or self.survives > 1:
            return "more"
        return "usual"

    def sentence(self) -> str:
        """Per-call advantage against task advantage: "Calls are 3.6× faster; the task is 1.8×: 31% of the advantage
        survives." The three numbers agree by hand.
        """
        if self.case == "no calls":
            return "This task makes no model calls, so the system makes no difference."
        calls, task, share = self._agreeing()
        limit = "" if self.ceiling is None else f" No system could make it more than {show_ratio(self.ceiling)} faster."
        if self.case == "close":
            low, high = show_ratio(self.task.low), show_ratio(self.task.high)
            spans = f", anywhere from {low} to {high}" if low != high else ""
            return f"Too close to call: calls are {calls}, the task is {task}{spans}.{limit}"
        if self.case == "slower":
            return f"Calls are {calls} and the task is {task}: {self.base} finishes first."
        if self.case == "more":
            return f"Calls are {calls} faster; the task is {task}: more than its calls alone.{limit}"
        task += SETTINGS[self.by]
        return f"Calls are {calls} faster; the task is {task}: {share} of the advantage survives.{limit}"

    def _agreeing(self) -> tuple[str, str, str]:
        """Texts of the per-call ratio, the task's, and the share that survives: that of the two shown ratios, with as
        many digits as keep it near the exact one.
        """
        calls, task = self.per_call.value, self.task.value
        if self.case != "usual":
            return show_ratio(calls), show_ratio(task), ""
        for more in range(MOST_DIGITS + 1):
            shown = [round(r, ratio_decimals(r) + more) for r in (calls, task)]
            by_hand = (shown[1] - 1) / (shown[0] - 1) if shown[0] > 1 else math.inf
            if abs(by_hand - self.survives) <= NEAR:
                break
        return show_ratio(calls, more=more), show_ratio(task, more=more), show_share(by_hand)


def advantage(comparison: Comparison, pair: int = 0, by: str = "p50") -> Advantage:
    """The per-call and the task's advantage of a pair by a statistic: p50, mean or p95 (ValueError for another)."""
    if by not in STATISTICS:
        raise ValueError(f"by is {by!r}; it must be one of {', '.join(STATISTICS)}")
    found = comparison.pairs[pair]
    base, cand = comparison.systems[0], comparison.systems[pair + 1]
    low, high = found.speedup_band[by]
    value = ratio(base.task_s[by], cand.task_s[by])
    task = Banded(math.inf if value is None else value, low, high)
    calls = _per_call(comparison, pair)
    faster = calls is not None and calls.value > 1 + CLOSE and math.isfinite(calls.value)
    survives = (task.value - 1) / (calls.value - 1) if faster and math.isfinite(task.value) else None
    called = names((comparison.specs[0], comparison.specs[pair + 1]))
    return Advantage(*called, by, calls, task, found.ceilings[by], survives)


def _per_call(comparison: Comparison, pair: int) -> Banded | None:
    """The mean ratio of calls and its band, from the model seconds of every corner on few trials.

    The value is the comparison's own.
    """
    value = comparison.pairs[pair].per_call_speedup["mean"]
    if value is None:
        return None if comparison.systems[0].calls["mean"] == 0 else Banded(math.inf, math.inf, math.inf)
    walk = walked(comparison)
    tally, who = walk.run.tally, walk.who
    base = banded(who, 0, tally.seconds)
    cand = banded(who, pair + 1, tally.seconds)
    low, high = ratio(base.low, cand.high), ratio(base.high, cand.low)
    return Banded(value, min(value, low or math.inf), max(value, math.inf if high is None else high))
