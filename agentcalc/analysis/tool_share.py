"""Faster calls against the share of the time that no system can shorten: Amdahl's law, and where a task stands."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from agentcalc.analysis.accumulation import UNTOUCHED
from agentcalc.analysis.settling import Advantage, advantage
from agentcalc.results import Comparison
from agentcalc.simulate.components import COMPONENTS

POINTS = 101
MOST_RUNS = 200


@dataclass(frozen=True)
class ToolShare:
    """line: columns share (of tools and people in the baseline's time, 0 to 1), speedup of the task at this pair's
    ratio of calls, with low and high; runs: that share in each of some runs, shape [runs]; share: of the statistic
    asked for, 1 / ceiling; advantage: the pair's.
    """

    line: pd.DataFrame
    runs: np.ndarray
    share: float
    advantage: Advantage


def tool_share(comparison: Comparison, pair: int = 0, by: str = "p50") -> ToolShare | None:
    """Where a pair stands on Amdahl's line, speedup = 1 / (s + (1 - s) / k), k the ratio of call seconds.

    By means a chain without retries or rules that compound lies on the line; by other statistics, and with branches
    beside each other, near it. None for a task without calls, or where the candidate's take no time.
    """
    found = advantage(comparison, pair, by)
    calls = found.per_call
    if calls is None or not np.isfinite(calls.value) or calls.value <= 0:
        return None
    shares = np.linspace(0.0, 1.0, POINTS)
    ends = {"speedup": calls.value, "low": calls.low, "high": calls.high}
    with np.errstate(divide="ignore"):
        columns = {name: 1.0 / (shares + (1.0 - shares) / k) for name, k in ends.items()}
    spent = comparison.again(np.arange(min(MOST_RUNS, comparison.n_trials)), None).per_trial[:, 0]
    kept = spent[[COMPONENTS.index(name) for name in UNTOUCHED]].sum(axis=0)
    whole = spent.sum(axis=0)
    runs = np.divide(kept, whole, out=np.zeros_like(kept), where=whole > 0)
    share = 0.0 if found.ceiling is None else 1.0 / found.ceiling
    return ToolShare(pd.DataFrame({"share": shares} | columns), runs, share, found)
