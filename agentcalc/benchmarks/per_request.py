"""Single requests into the statistics of their run."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

from agentcalc.benchmarks.records import Requests, Spread


def spread_of(values: Sequence[float]) -> Spread:
    """Mean, median, p90, p95 and p99 of some seconds, interpolated linearly between ranks; empty for none."""
    if not values:
        return Spread()
    ranked = sorted(values)
    return Spread(statistics.fmean(ranked), *(_quantile(ranked, q) for q in (0.5, 0.9, 0.95, 0.99)))


def _quantile(ranked: Sequence[float], share: float) -> float:
    place = share * (len(ranked) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ranked) - 1)
    return ranked[low] + (place - low) * (ranked[high] - ranked[low])


def tpots(requests: Requests) -> list[float]:
    """TPOT of each request with two tokens or more, s: (e2el - ttft) / (n - 1). No time left gives none."""
    columns = zip(requests.output_tokens, requests.ttft_s, requests.e2el_s, strict=True)
    return [(e2el - ttft) / (n - 1) for n, ttft, e2el in columns if n > 1 and e2el > ttft]


def mean(values: Sequence[float]) -> float | None:
    """The mean, or None of nothing."""
    return statistics.fmean(values) if values else None
