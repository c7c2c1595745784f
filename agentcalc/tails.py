"""How a latency varies from call to call: a factor with mean 1, fitted to a measured mean and percentiles."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from agentcalc.distributions import Amount, Quantiles
from agentcalc.points import CallSpread

GRID = 20_000
"""Uniform numbers, evenly spread, over which a fitted distribution's mean is taken."""


@lru_cache(maxsize=512)
def call_factor(mean: float, spread: CallSpread) -> Amount:
    """What a call's latency is multiplied by: a distribution of mean 1 with the measured percentiles over the mean.

    Quantiles are joined by straight lines in normal score and log value (as amounts are). Where p90 was not measured
    it is chosen so that the distribution's own mean is the measured one; where no p90 between p50 and p99 does that, or
    all are given, the percentiles are divided by the distribution's mean instead, so that means stay as measured.
    """
    # Of latencies near zero, as in a system many times faster, the percentiles would be below what amounts allow.
    points = {name: value / mean for name, value in spread.model_dump(exclude_none=True).items()}
    if "p90" not in points and "p95" not in points:
        points["p90"] = _middle(points["p50"], points["p99"])
    shape = Quantiles.model_validate(dict(sorted(points.items())))
    return shape.scaled(1 / _mean(shape))


def _middle(p50: float, p99: float) -> float:
    """The p90 between p50 and p99 that gives a mean of 1, by bisection: the mean rises with it."""
    low, high = p50, p99
    for _ in range(40):
        p90 = (low * high) ** 0.5
        below = _mean(Quantiles.model_validate({"p50": p50, "p90": p90, "p99": p99})) < 1
        low, high = (p90, high) if below else (low, p90)
    return (low * high) ** 0.5


def _mean(shape: Amount) -> float:
    return float(np.mean(shape.draw((np.arange(GRID) + 0.5) / GRID)))
