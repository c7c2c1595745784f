"""What a comparison found: values with units in their names, and tidy tables made from them.

Seconds everywhere. Tables are pandas DataFrames, made when asked for; pandas is loaded only then.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from agentcalc.provenance import Grade
from agentcalc.system import System
from agentcalc.task import Task

if TYPE_CHECKING:
    import pandas as pd

COMPONENTS = ("overhead", "ttft", "decode", "refill", "tool", "human", "attention", "retry")
MODEL_COMPONENTS = ("overhead", "ttft", "decode", "refill")
STATISTICS = ("p50", "mean", "p95")
"""The statistics a headline may use: typical, average, slow."""

Band = tuple[float, float]


def statistics(seconds: np.ndarray) -> dict[str, float]:
    """mean, sd (of the sample; 0 for one trial), p5, p50, p90, p95 and p99 of seconds, shape [trials]."""
    sd = float(np.std(seconds, ddof=1)) if len(seconds) > 1 else 0.0
    found = {"mean": float(np.mean(seconds)), "sd": sd}
    points = (5, 50, 90, 95, 99)
    return found | {f"p{p}": float(v) for p, v in zip(points, np.percentile(seconds, points), strict=True)}


@dataclass(frozen=True)
class Basis:
    """One number a result rests on, as shown under "Rests on"."""

    system: str
    name: str
    value: float
    unit: str
    grade: Grade
    source: str
    note: str | None
    band: Band | None
    unknown: str | None
    matters: bool
    """False when its whole band leaves every trial unchanged."""


@dataclass(frozen=True)
class SystemResult:
    """One system on the task. ``band``: low and high of each headline statistic over what is unknown about the system."""

    id: str
    label: str
    task_s: dict[str, float]
    mean_se_s: float
    without_people_s: dict[str, float]
    components_s: dict[str, float]
    model_share: float
    calls: dict[str, float]
    exhausted_share: float
    extrapolated_share: float
    grade: Grade
    assumptions: tuple[str, ...]
    band_s: dict[str, Band]
    basis: tuple[Basis, ...] = field(repr=False)


@dataclass(frozen=True)
class PairResult:
    """A candidate against the baseline.

    speedup: of_means, and p50, p5, p95 of the trials' own ratios; speedup_band: low and high of the ratio of each headline
    statistic over what is unknown; saved_s: mean, and p50 of the trials' own savings; call_uncached_tokens and
    call_output_tokens: means over the task's calls; break_even_band: None where an end has no crossing.
    """

    baseline: str
    candidate: str
    speedup: dict[str, float | None]
    speedup_band: dict[str, Band]
    saved_s: dict[str, float]
    accumulated_s: float
    compounded_s: float
    per_call_speedup: dict[str, float | None]
    ceiling: float | None
    candidate_wins: float
    break_even_output_tokens: float | None
    break_even_band: tuple[float | None, float | None] | None
    call_uncached_tokens: float | None
    call_output_tokens: float | None
    different_models: bool


@dataclass(frozen=True)
class Comparison:
    """The answer: one task, its systems, the same trials on all of them.

    systems[0] is the baseline; pairs[i] compares systems[i + 1] with it. ``task_seconds`` has shape [systems, trials].
    """

    task: Task
    specs: tuple[System, ...]
    n_trials: int
    seed: int
    systems: tuple[SystemResult, ...]
    pairs: tuple[PairResult, ...]
    warnings: tuple[str, ...]
    task_seconds: np.ndarray = field(repr=False)
    without_people_seconds: np.ndarray = field(repr=False)
    calls: np.ndarray = field(repr=False)
    replay: Callable[[np.ndarray], Any] = field(repr=False)
    """Plays some trials again and records every step; see ``agentcalc.simulate.record``."""
