"""What a comparison found: values with units in their names, and tidy tables made from them.

Seconds everywhere. Tables are pandas DataFrames, made when asked for; pandas is loaded only then.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from agentcalc.provenance import Grade
from agentcalc.simulate.components import COMPONENTS
from agentcalc.system import Spec
from agentcalc.task import Task

if TYPE_CHECKING:
    import pandas as pd

STATISTICS = ("p50", "mean", "p95")
"""The statistics a headline may use: typical, average, slow."""

TIMELINE = (
    *("event", "system", "label", "role", "step", "name", "kind", "turn", "branch", "inside"),
    *("call", "component", "start_s", "end_s", "critical", "tokens"),
)
"""Columns of :meth:`Comparison.timeline`."""

STEPS_BLOCK = 4_096
"""Trials whose steps are kept at once while it is told which of them decide."""

Band = tuple[float, float]


def statistics(seconds: np.ndarray) -> dict[str, float]:
    """mean, sd (of the sample; 0 for one trial), p5, p50, p90, p95 and p99 of seconds, shape [trials]."""
    sd = float(np.std(seconds, ddof=1)) if len(seconds) > 1 else 0.0
    found = {"mean": float(np.mean(seconds)), "sd": sd}
    points = (5, 50, 90, 95, 99)
    return found | {f"p{p}": float(v) for p, v in zip(points, np.percentile(seconds, points), strict=True)}


def standard_error(seconds: np.ndarray, by: str) -> float:
    """The simulation's standard error of a statistic, in seconds, from its trials, shape [trials].

    mean: sd / sqrt(n). p50, p95: half the distance between the order statistics one binomial standard deviation of the
    rank, sqrt(n p (1 - p)), either side of n p (Conover, Practical Nonparametric Statistics, section 3.2). One trial:
    infinite.
    """
    n = len(seconds)
    if n < 2:
        return math.inf
    if by == "mean":
        return float(np.std(seconds, ddof=1) / math.sqrt(n))
    p = float(by[1:]) / 100
    spread = math.sqrt(n * p * (1 - p))
    low = max(0, math.floor(n * p - spread) - 1)
    high = min(n - 1, math.ceil(n * p + spread) - 1)
    ordered = np.partition(seconds, (low, high))
    return float(ordered[high] - ordered[low]) / 2


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
    moves_s: float
    """By how much its band alone moves the mean task time, s; 0 without a band."""


@dataclass(frozen=True)
class Reach:
    """Tokens of the task's calls, from the fewest to the most, beside those the system was measured on; None: not said.

    uncached: fresh tokens of a prompt; context: the whole prompt, up to the end of the answer.
    """

    uncached: Band
    uncached_measured: Band | None
    context: Band
    context_measured: Band | None


@dataclass(frozen=True)
class SystemResult:
    """One system on the task. ``band``: low and high of each headline statistic over what is unknown about the
    system.
    """

    id: str
    label: str
    task_s: dict[str, float]
    mean_se_s: float
    task_se_s: dict[str, float | None]
    """The simulation's standard error of mean, p5, p50, p90, p95 and p99; None for one trial."""
    without_people_s: dict[str, float]
    components_s: dict[str, float]
    model_share: float
    calls: dict[str, float]
    exhausted_share: float
    extrapolated_share: float
    reach: Reach | None
    """How far beyond the measured range the calls go; None without calls."""
    grade: Grade
    assumptions: tuple[str, ...]
    band_s: dict[str, Band]
    deadline: dict[str, float | None] | None
    """With a deadline: seconds, met_share, attempts_mean that fit one after the other, success_share (an upper
    bound).
    """
    basis: tuple[Basis, ...] = field(repr=False)


@dataclass(frozen=True)
class PairResult:
    """A candidate against the baseline.

    speedup: of_means, and p50, p5, p95 of the trials' own ratios; speedup_band: low and high of the ratio of each
    headline statistic over what is unknown; saved_s: mean, and p50 of the trials' own savings; ceiling: of means;
    ceilings: of each headline statistic; call_uncached_tokens, call_context_tokens (the whole prompt) and
    call_output_tokens: means over the task's calls;
    break_even_band: its low end is None where one system may be first at any length.
    """

    baseline: str
    candidate: str
    speedup: dict[str, float | None]
    speedup_band: dict[str, Band]
    saved_s: dict[str, float]
    accumulated_s: float
    compounded_s: float
    compounded_by_s: dict[str, float]
    """compounded_s by component: refill (a cache kept or lost), attention, retry (a timeout hit or not)."""
    per_call_speedup: dict[str, float | None]
    ceiling: float | None
    candidate_wins: float
    break_even_output_tokens: float | None
    break_even_band: tuple[float | None, float | None] | None
    call_uncached_tokens: float | None
    call_context_tokens: float | None
    call_output_tokens: float | None
    different_models: bool
    ceilings: dict[str, float | None]
    """The ceiling by each headline statistic: the baseline's over the instant system's; None: no ceiling. A sentence
    about typical runs must not carry the ceiling of averages, which may lie below its own ratio. Without:
    ``ceiling``, of means.
    """


@dataclass(frozen=True)
class Comparison:
    """The answer: one task, its systems, the same trials on all of them.

    systems[0] is the baseline; pairs[i] compares systems[i + 1] with it. task_seconds, without_people_seconds: shape
    [systems, trials]; calls: shape
    [systems, trials]. again(trials, observer): plays some trials on the systems once more. changed: what a what-if
    changed of task and systems, as a sentence for every figure; empty without one.
    """

    task: Task
    specs: tuple[Spec, ...]
    n_trials: int
    seed: int
    systems: tuple[SystemResult, ...]
    pairs: tuple[PairResult, ...]
    warnings: tuple[str, ...]
    task_seconds: np.ndarray = field(repr=False)
    without_people_seconds: np.ndarray = field(repr=False)
    calls: np.ndarray = field(repr=False)
    again: Callable[[np.ndarray, Any], Any] = field(repr=False)
    changed: str = ""
    _sampled: dict[int, pd.DataFrame] = field(default_factory=dict, init=False, repr=False, compare=False)

    def summary(self) -> pd.DataFrame:
        """One row a system: statistics of task time (s), their band, saving, ratio to the baseline, grade."""
        import pandas as pd

        rows = []
        for index, system in enumerate(self.systems):
            pair = self.pairs[index - 1] if index else None
            row = {"system": system.id, "label": system.label}
            row |= {f"{name}_s": value for name, value in system.task_s.items()}
            row["mean_se_s"] = system.mean_se_s
            for name in STATISTICS:
                row[f"{name}_low_s"], row[f"{name}_high_s"] = system.band_s[name]
            for name in STATISTICS:
                row[f"ratio_of_{name}"] = ratio(self.systems[0].task_s[name], system.task_s[name])
            row |= {
                "saved_mean_s": pair.saved_s["mean"] if pair else 0.0,
                "saved_p50_s": pair.saved_s["p50"] if pair else 0.0,
                "wins_share": pair.candidate_wins if pair else None,
                "ceiling": pair.ceiling if pair else None,
                "model_share": system.model_share,
                "extrapolated_share": system.extrapolated_share,
                "grade": system.grade.value,
            }
            rows.append(row)
        return pd.DataFrame(rows)

    def components(self) -> pd.DataFrame:
        """One row a system and component: mean seconds on the critical path; they add up to the mean task time."""
        import pandas as pd

        return pd.DataFrame(
            [
                {"system": system.id, "label": system.label, "component": name, "mean_s": seconds}
                for system in self.systems
                for name, seconds in system.components_s.items()
            ]
        )

    def steps(self) -> pd.DataFrame:
        """Which steps decide: one row a step and system. Plays the task once more.

        plays: a run; mean_s and {component}_s: seconds a run wherever spent; critical_share: of runs in which the
        step lies on the critical path; critical_s: seconds a run on it, which add up to the mean task time, and
        critical_s_share, their share of it; slack_s: how much later a play could end without delaying the task (mean;
        NaN: always stopped early).
        """
        import pandas as pd

        from agentcalc.simulate.paths import Paths

        paths, n = Paths(), self.n_trials
        for low in range(0, n, STEPS_BLOCK):
            block = np.arange(low, min(low + STEPS_BLOCK, n))
            self.again(block, paths)
            paths.settle(block)
        rows = []
        for key, sums in paths.steps.items():
            for index, system in enumerate(self.systems):
                parts = {f"{c}_s": float(s) / n for c, s in zip(COMPONENTS, sums.seconds[:, index], strict=True)}
                critical = float(sums.critical_s[index]) / n
                slacks = float(sums.slacks[index])
                rows.append(
                    {
                        "step": key,
                        "kind": sums.kind,
                        "system": system.id,
                        "label": system.label,
                        "plays": float(sums.plays[index]) / n,
                        "mean_s": sum(parts.values()),
                        **parts,
                        "critical_share": float(sums.critical[index]) / n,
                        "critical_s": critical,
                        "critical_s_share": critical / system.task_s["mean"] if system.task_s["mean"] else 0.0,
                        "slack_s": float(sums.slack_s[index]) / slacks if slacks else float("nan"),
                    }
                )
        return pd.DataFrame(rows)

    def trials(self) -> pd.DataFrame:
        """One row a trial and system: task time with and without people (s), and calls."""
        import pandas as pd

        return pd.concat(
            [
                pd.DataFrame(
                    {
                        "trial": np.arange(self.n_trials),
                        "system": system.id,
                        "label": system.label,
                        "task_s": self.task_seconds[index],
                        "without_people_s": self.without_people_seconds[index],
                        "calls": self.calls[index],
                    }
                )
                for index, system in enumerate(self.systems)
            ],
            ignore_index=True,
        )

    def timeline(self, trial: int) -> pd.DataFrame:
        """One run, second by second: a row a segment, the same ``event`` being the same play of a step on every system.

        Columns: event, system, label, role (baseline, candidate or other), step, name, kind, turn, branch, inside (the
        forks around it from the outside in, "fork.branch" each, such as "0.2/3.1"; "" outside of all), call (how many
        calls that system had started), component, start_s, end_s, critical, tokens (ttft: uncached, decode: written;
        else NaN). Raises IndexError for a trial that was not played.
        """
        import pandas as pd

        from agentcalc.simulate.record import Recorder

        if not 0 <= trial < self.n_trials:
            raise IndexError(f"trial {trial} was not played; there are {self.n_trials}, numbered from 0")
        recorder = Recorder()
        self.again(np.array([trial]), recorder)
        roles = ["baseline", "candidate", *["other"] * (len(self.systems) - 2)]
        rows = []
        for row in recorder.rows(trial):
            player = row.pop("player")
            system = {"system": self.systems[player].id, "label": self.systems[player].label, "role": roles[player]}
            rows.append({"event": row["event"], **system, **row, "name": short_name(row["step"])})
        if not rows:
            # A column of no kind would choose columns where it should choose rows.
            return pd.DataFrame(columns=TIMELINE).astype({"critical": bool})
        return pd.DataFrame({name: [row[name] for row in rows] for name in TIMELINE})

    def calls_sample(self, n: int = 200) -> pd.DataFrame:
        """Every call of the first n runs, as the baseline makes them: trial, step, uncached_tokens, context_tokens
        (its prompt), output_tokens. The table is kept: do not change it.
        """
        if n not in self._sampled:
            self._sampled[n] = self._calls_of_first(n)
        return self._sampled[n]

    def _calls_of_first(self, n: int) -> pd.DataFrame:
        import pandas as pd

        from agentcalc.simulate.record import Recorder

        recorder = Recorder()
        self.again(np.arange(min(n, self.n_trials)), recorder)
        calls = [event for event in recorder.events if event.tokens is not None]
        if not calls:
            columns = ["trial", "step", "uncached_tokens", "context_tokens", "output_tokens"]
            return pd.DataFrame(columns=columns)
        steps = np.repeat(np.array([event.key for event in calls], dtype=object), [len(e.trial) for e in calls])
        found = {"trial": np.concatenate([event.trial for event in calls]), "step": steps}
        for i, name in enumerate(("uncached_tokens", "context_tokens", "output_tokens")):
            found[name] = np.concatenate([event.tokens[i][0] for event in calls])
        return pd.DataFrame(found).dropna()

    def ordinary_trial(self, by: str = "p50", pair: int = 0) -> int:
        """The run shown for a statistic (p50, mean or p95): nearest to it on both systems, by the distance of
        logarithms.

        For p50, of the 60 nearest the one with the most ordinary number of calls, seconds per component and longest
        step.
        """
        rows = [0, pair + 1] if self.pairs else [0]
        wanted = np.array([self.systems[row].task_s[by] for row in rows])[:, None]
        tiny = 1e-9
        distance = np.abs(np.log((self.task_seconds[rows] + tiny) / (wanted + tiny))).sum(axis=0)
        nearest = np.argsort(distance, kind="stable")[:60]
        if by != "p50":
            return int(nearest[0])
        from agentcalc.simulate.record import Recorder

        recorder = Recorder()
        run = self.again(np.sort(nearest), recorder)
        order = {int(trial): lane for lane, trial in enumerate(np.sort(nearest))}
        longest = np.zeros(len(nearest))
        for event in recorder.events:
            lanes = [order[int(trial)] for trial in event.trial]
            spent = sum(seconds[0] for _, seconds in event.parts)
            np.maximum.at(longest, lanes, spent)
        features = np.vstack([run.calls[0], run.per_trial[:, 0], longest])
        features = np.log(features + 0.1)
        strange = np.abs(features - np.median(features, axis=1, keepdims=True)).sum(axis=0)
        # among equals the nearest wins: lanes are visited from near to far
        return int(min(nearest, key=lambda trial: strange[order[int(trial)]]))

    def to_dict(self) -> dict[str, Any]:
        """The comparison as plain values, with the keys of ``agentcalc compare --format json``."""
        task = {"id": self.task.id, "name": self.task.name, "sources": [getattr(s, "id", s) for s in self.task.sources]}
        systems = []
        for system in self.systems:
            row = asdict(system)
            row["grade"] = system.grade.value
            row["assumptions"] = list(system.assumptions)
            row["band_s"] = {name: list(band) for name, band in system.band_s.items()}
            row["basis"] = [asdict(basis) | {"grade": basis.grade.value} for basis in system.basis]
            systems.append(row)
        pairs = []
        for pair in self.pairs:
            row = asdict(pair)
            row["speedup_band"] = {
                name: [end if np.isfinite(end) else None for end in band] for name, band in pair.speedup_band.items()
            }
            row["break_even_band"] = None if pair.break_even_band is None else list(pair.break_even_band)
            pairs.append(row)
        return {
            "task": task,
            "trials": self.n_trials,
            "seed": self.seed,
            "systems": systems,
            "comparisons": pairs,
            "warnings": list(self.warnings),
        }


def ratio(baseline: float, candidate: float) -> float | None:
    """baseline / candidate; 1 when both take no time, None when only the candidate does."""
    if candidate > 0:
        return baseline / candidate
    return 1.0 if baseline == 0 else None


def short_name(key: str) -> str:
    """A step's key as a label: the last part of an unnamed step's path, in words."""
    return key.rsplit("/", 1)[-1].replace("_", " ")
