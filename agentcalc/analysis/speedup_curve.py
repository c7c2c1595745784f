"""How much faster tasks get when every call gets k times faster, apart from any vendor.

Hypothetical systems: a packaged one with its first-token time, its speed of writing or both scaled by k. All of them,
the systems that exist and the instant one are players of one walk, so every point of a curve rests on the same runs.
With the rules that compound off and no join on the first or k-th branch, a curve never lies above k, nor ever above
its ceiling; on a task of fixed amounts in a chain it is Amdahl's law, 1 / (s + (1 - s) / k).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from agentcalc.analysis.banded import Banded, banded
from agentcalc.analysis.naming import names
from agentcalc.analysis.playing import check_seed
from agentcalc.defaults import SEED, TRIALS
from agentcalc.errors import Fault, InputError
from agentcalc.results import STATISTICS, ratio, statistics
from agentcalc.simulate.cast import Cast, cast, player
from agentcalc.simulate.plan import roles
from agentcalc.simulate.size import size
from agentcalc.simulate.walk import play
from agentcalc.system import Deployment, Spec
from agentcalc.task import Task

Scale = Literal["both", "ttft", "speed"]
SCALES: tuple[Scale, ...] = ("both", "ttft", "speed")
"""What is k times faster: first token and writing, the first token, or writing."""

KS = (1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0, 6.0, 7.0, 8.5, 10.0)
"""How many times faster the calls are; about evenly spread in logarithms, round ones among them."""
MOST_K = 1000.0
MOST_STEPS = 60_000_000
"""Steps times players of one task's walk: a few seconds."""
FEWEST = 500


@dataclass(frozen=True)
class Curve:
    """One task: its curve and the systems that exist.

    table: columns task, title (in sentences), scale, k, by (p50, mean or p95), speedup, low, high (over what is
    unknown about the starting system), ceiling (None: none). marks: columns task, system, label, by, per_call,
    per_call_low, per_call_high, speedup, low, high; only where all of a call is scaled, since a system that exists
    differs in both.
    """

    task: Task
    base: str
    scale: Scale
    trials: int
    table: pd.DataFrame
    marks: pd.DataFrame

    @property
    def short(self) -> str:
        """The task inside a sentence."""
        return self.task.short or self.task.name

    def at(self, k: float, by: str = "p50") -> Banded:
        """The task's speed-up at one k, between the points along logarithms."""
        mine = self.table[self.table["by"] == by].sort_values("k")
        return Banded(*(_log_interp(k, mine["k"], mine[column]) for column in ("speedup", "low", "high")))

    def ceiling(self, by: str = "p50") -> float | None:
        """What no system can exceed; None: no ceiling."""
        found = self.table.loc[self.table["by"] == by, "ceiling"].iloc[0]
        return None if found is None or not math.isfinite(found) else float(found)


def _log_interp(k: float, ks: pd.Series, values: pd.Series) -> float:
    return float(np.exp(np.interp(math.log(k), np.log(ks), np.log(values))))


def speedup_curve(
    task: Task,
    base: Spec,
    others: Sequence[Spec] = (),
    *,
    scale: Scale = "both",
    ks: Sequence[float] = KS,
    trials: int | None = None,
    seed: int = SEED,
) -> Curve:
    """The curve of one task from a starting system; others: systems that exist, to be marked on it.

    trials: by default as many as elsewhere, fewer for a large task. Raises InputError for a k below 1 or out of reach,
    for none, for another scale and for a seed out of range.
    """
    _check(ks, scale)
    check_seed(seed)
    ks = tuple(sorted({1.0, *(float(k) for k in ks)}))
    who = cast(task, (base, *others))
    asked = roles(task)
    # One player for each k and each combination of the ends of what is unknown about the starting system.
    ends = ({}, *who.ends[0])
    scaled = [player(faster(base, k, scale), asked, end) for k in ks for end in ends]
    players = (*who.players, *scaled)
    outcomes = (*who.outcomes_of, *range(len(who.players), len(players)))
    if trials is None:
        trials = min(TRIALS, max(FEWEST, int(MOST_STEPS / (size(task).mean * len(players)))))
    run = play(task, players, trials=trials, seed=seed, named=who.named, outcomes_of=outcomes)
    found = [statistics(seconds) for seconds in run.task_s]
    first = len(who.players)
    starts = [found[row] for row in (0, *who.corners[0])]
    instant = found[who.instant]
    rows = []
    for by in STATISTICS:
        ceiling = found[0][by] / instant[by] if instant[by] > 0 else None
        for i, k in enumerate(ks):
            here = found[first + i * len(ends) : first + (i + 1) * len(ends)]
            ratios = [_ratio(start[by], one[by]) for start, one in zip(starts, here, strict=True)]
            rows.append(
                {
                    "task": task.id or task.name,
                    "title": task.short or task.name,
                    "scale": scale,
                    "k": k,
                    "by": by,
                    "speedup": ratios[0],
                    "low": min(ratios),
                    "high": max(ratios),
                    "ceiling": ceiling,
                }
            )
    marks = _marks(task, who, found, run.tally, (base, *others)) if scale == "both" else _no_marks()
    return Curve(task, names((base, *others))[0], scale, trials, pd.DataFrame(rows), marks)


MARKS = ("task", "system", "label", "by", "per_call", "per_call_low", "per_call_high", "speedup", "low", "high")


def _no_marks() -> pd.DataFrame:
    return pd.DataFrame(columns=list(MARKS))


def _marks(task: Task, who: Cast, found: list[dict[str, float]], tally, specs: Sequence[Spec]) -> pd.DataFrame:
    """Where the systems that exist stand: their mean per-call ratio and the task's, each with its band."""
    if not tally.calls.any():
        return _no_marks()
    called, rows = names(specs), []
    calls = [banded(who, row, tally.seconds) for row in range(who.named)]
    for row in range(1, who.named):
        if not calls[row].low > 0:
            continue  # a system on which calls take no time has no place on the axis
        for by in STATISTICS:
            b, c = (banded(who, r, lambda p, by=by: found[p][by]) for r in (0, row))
            rows.append(
                {
                    "task": task.id or task.name,
                    "system": specs[row].id,
                    "label": called[row],
                    "by": by,
                    "per_call": calls[0].value / calls[row].value,
                    "per_call_low": calls[0].low / calls[row].high,
                    "per_call_high": calls[0].high / calls[row].low,
                    "speedup": _ratio(b.value, c.value),
                    "low": _ratio(b.low, c.high),
                    "high": _ratio(b.high, c.low),
                }
            )
    return pd.DataFrame(rows, columns=list(MARKS))


def _ratio(b: float, c: float) -> float:
    found = ratio(b, c)
    return math.inf if found is None else found


def faster(spec: Spec, k: float, scale: Scale = "both") -> Spec:
    """A hypothetical system: first-token time, overhead of a call and speed of writing k times better, or one of them.

    Every part of a deployment is scaled. Its id says how: ``gb300/deepseek-r1.4x``.
    """
    if isinstance(spec, Deployment):
        return spec.model_copy(update={"roles": tuple((role, faster(part, k, scale)) for role, part in spec.roles)})
    first, speed = (1 / k if scale != "speed" else 1.0), (k if scale != "ttft" else 1.0)
    found = spec.scaled(ttft=first, speed=speed)
    if scale == "both" and found.overhead is not None:
        overhead = found.overhead
        band = None if overhead.band is None else tuple(end / k for end in overhead.band)
        found = found.model_copy(
            update={"overhead": overhead.model_copy(update={"value": overhead.value / k, "band": band})}
        )
    return found


def _check(ks: Sequence[float], scale: str) -> None:
    if scale not in SCALES:
        raise InputError(Fault("scale", "", f"found {scale!r}", f"use one of {', '.join(SCALES)}"))
    if not len(ks):
        raise InputError(Fault("k", "", "no factor is given", "give one or more, such as 2 and 4"))
    for k in ks:
        if not (math.isfinite(k) and 1 <= k <= MOST_K):
            raise InputError(Fault("k", "", f"calls {k:g} times faster", f"use a factor from 1 to {MOST_K:g}"))
