"""TTFT over the prompt's length: a table of measurements, and the line that lies closest to them.

Pure functions of tokens and seconds. A line through a queue is a summary, not a law: its error goes with it.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

import numpy as np

from agentcalc.benchmarks.records import Measurement

Statistic = Literal["mean", "median"]
Table = tuple[tuple[float, float], ...]
"""(prompt tokens, TTFT in s), shortest prompt first."""

SAME = ("model", "hardware", "precision", "software", "mtp", "layout", "chips", "concurrency", "request_rate")
"""What measurements have in common when only the prompt's length differs."""


class Line(NamedTuple):
    """ttft_s = fixed_s + per_token_s * tokens. error: the median of abs(measured - line) / measured."""

    fixed_s: float
    per_token_s: float
    error: float

    def at(self, tokens: float) -> float:
        """TTFT in s at this prompt length."""
        return self.fixed_s + self.per_token_s * tokens


class HeldOut(NamedTuple):
    """A length left out and predicted from the others: tokens, TTFT in s as predicted and as measured."""

    tokens: float
    predicted_s: float
    measured_s: float

    @property
    def error(self) -> float:
        """abs(predicted - measured) / measured."""
        return abs(self.predicted_s - self.measured_s) / self.measured_s


def apart_in_length(measurements: Iterable[Measurement]) -> list[list[Measurement]]:
    """Groups of measurements that agree in all but the prompt's length: what the server is, its load, and the length
    of the answers, which under load makes a part of the queue.
    """
    groups: dict[tuple, list[Measurement]] = {}
    for m in measurements:
        groups.setdefault(tuple(getattr(m, name) for name in (*SAME, "context_tokens", "output_tokens")), []).append(m)
    return list(groups.values())


def length_table(measurements: Iterable[Measurement], statistic: Statistic = "mean") -> Table:
    """The TTFT of one configuration at one load, over the prompt's length.

    Measurements without a TTFT (of this statistic) or a prompt length say nothing here and are passed over. Of several
    at one length the middle one counts. Raises ValueError when they differ in anything else: a line through two servers
    is neither.
    """
    told = [m for m in measurements if m.input_tokens is not None and getattr(m.ttft, statistic) is not None]
    for name in (*SAME, "context_tokens"):
        values = {getattr(m, name) for m in told}
        if len(values) > 1:
            raise ValueError(f"the measurements differ in {name}: {', '.join(sorted(map(str, values)))}; take one")
    at: dict[float, list[float]] = {}
    for m in told:
        at.setdefault(m.input_tokens, []).append(getattr(m.ttft, statistic))
    return tuple((tokens, statistics.median(at[tokens])) for tokens in sorted(at))


def fit_line(tokens: Sequence[float], ttft_s: Sequence[float]) -> Line:
    """The line of TTFT over prompt tokens with the smallest relative residuals, neither part of it negative.

    Least squares of (measured - line) / measured, so that short and long prompts count alike. Points far off (warm-up,
    a full queue) lose weight by Huber's rule: beyond 1.345 standard deviations, with 1.4826 times the median absolute
    residual for the standard deviation (Huber, "Robust Statistics", 1981, chapter 7). Two points get the line through
    both unless it would start below zero.

    Raises ValueError with fewer than two lengths, or numbers that are not finite and above 0.
    """
    x, y = np.asarray(tokens, dtype=float), np.asarray(ttft_s, dtype=float)
    if x.shape != y.shape or x.ndim != 1:
        raise ValueError(f"{x.size} lengths need {x.size} times, not {y.size}")
    if not (np.isfinite(x).all() and np.isfinite(y).all() and (x > 0).all() and (y > 0).all()):
        raise ValueError("lengths and times must be finite and above 0")
    if np.unique(x).size < 2:
        raise ValueError("a line needs measurements at two or more prompt lengths")
    weights = np.ones_like(x)
    for _ in range(50):
        fixed, slope = _least_squares(x, y, weights)
        residuals = np.abs(y - fixed - slope * x) / y
        scale = 1.345 * 1.4826 * np.median(residuals)
        # More than half of the points on the line: there is nothing left to weigh the others by.
        if scale <= 1e-12:
            break
        before, weights = weights, np.minimum(1.0, scale / np.maximum(residuals, 1e-300))
        if np.abs(weights - before).max() < 1e-6:
            break
    return Line(float(fixed), float(slope), float(np.median(residuals)))


def _least_squares(x: np.ndarray, y: np.ndarray, weights: np.ndarray) -> tuple[float, float]:
    """(fixed, slope) of the least weighted sum of squared relative residuals, both 0 or more."""
    w = weights / y**2
    total, mean_x, mean_y = w.sum(), np.average(x, weights=w), np.average(y, weights=w)
    slope = (w * (x - mean_x) * (y - mean_y)).sum() / (w * (x - mean_x) ** 2).sum()
    fixed = mean_y - slope * mean_x
    if fixed >= 0 and slope >= 0:
        return fixed, slope
    # The sum of squares is a bowl, so the best allowed line lies on an edge: through the origin, or level.
    edges = ((0.0, (w * x * y).sum() / (w * x * x).sum()), ((w * y).sum() / total, 0.0))
    return min(edges, key=lambda edge: (w * (y - edge[0] - edge[1] * x) ** 2).sum())


def leave_one_out(table: Table) -> tuple[HeldOut, ...]:
    """Each length of a table predicted by the line fitted to the others; of two lengths or fewer, nothing.

    The shortest and the longest are beyond the measured range of the others: an extrapolation.
    """
    if len(table) < 3:
        return ()
    held = []
    for place, (tokens, measured) in enumerate(table):
        others = table[:place] + table[place + 1 :]
        held.append(HeldOut(tokens, fit_line(*zip(*others, strict=True)).at(tokens), measured))
    return tuple(held)
