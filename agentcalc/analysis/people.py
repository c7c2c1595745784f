"""How often a person is kept waiting: into which bands of attention the waits of a task fall, on each system.

A wait runs from the task's start, or from a human_wait's end, to the next human_wait or the task's end. The bands are
those of Nielsen's three limits: 0.1 s feels immediate, up to 1 s thought flows on, up to 10 s attention holds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from agentcalc.analysis.banded import Banded, banded
from agentcalc.analysis.naming import names
from agentcalc.analysis.walked import walked
from agentcalc.analysis.work import Progress
from agentcalc.errors import Fault, InputError
from agentcalc.results import Comparison
from agentcalc.simulate.waiting import Waiting, watched
from agentcalc.units import show_time

LIMITS_S = (0.1, 1.0, 10.0)
"""Nielsen, Response times: the three important limits (source ``nielsen-response-times``)."""
LEAST_S, MOST_S = 1e-3, 1e6
MOST_LIMITS = 8
INSTANT = "instant"


@dataclass(frozen=True)
class OfSystem:
    """The waits of one system. by_band: waits a run in each band, shortest first; kept: waits a run above the limit;
    kept_runs: share of runs with at least one of them; mean_s: mean length of a wait.
    """

    system: str
    name: str
    role: str
    by_band: tuple[Banded, ...]
    kept: Banded
    kept_runs: Banded
    mean_s: Banded


@dataclass(frozen=True)
class People:
    """limits_s: upper ends of the bands but the last, rising; kept_s: the limit above which a person is kept waiting;
    waits: mean waits a run; streaming: whether a wait ends with the first token of the last call; trials: the runs
    counted.
    """

    task: str
    trials: int
    limits_s: tuple[float, ...]
    kept_s: float
    streaming: bool
    waits: float
    systems: tuple[OfSystem, ...]
    instant: OfSystem

    @property
    def bands(self) -> tuple[tuple[float, float], ...]:
        """(low, high) seconds of each band, the last without end."""
        return tuple(zip((0.0, *self.limits_s), (*self.limits_s, math.inf), strict=True))

    def table(self) -> pd.DataFrame:
        """One row a system and band, the instant system last: system, label, role, band (0 first), low_s, high_s,
        words, waits (a run), waits_low, waits_high, share (of its waits), per_1000_runs.
        """
        rows = []
        for one in (*self.systems, self.instant):
            total = sum(number.value for number in one.by_band)
            for band, ((low, high), number) in enumerate(zip(self.bands, one.by_band, strict=True)):
                row = {"system": one.system, "label": one.name, "role": one.role, "band": band}
                row |= {"low_s": low, "high_s": high, "words": band_words(low, high)}
                row |= {"waits": number.value, "waits_low": number.low, "waits_high": number.high}
                row |= {"share": number.value / total if total else 0.0, "per_1000_runs": 1000 * number.value}
                rows.append(row)
        return pd.DataFrame(rows)


def band_words(low_s: float, high_s: float) -> str:
    """ "up to 0.10 s", "1.00 s to 10 s", "over 10 s"."""
    if low_s == 0:
        return f"up to {show_limit(high_s)}"
    return f"over {show_limit(low_s)}" if math.isinf(high_s) else f"{show_limit(low_s)} to {show_limit(high_s)}"


def show_limit(seconds: float) -> str:
    """A limit as people write it: "0.1 s", "1 s", "10 s", "2 min"."""
    return f"{seconds:g}\u00a0s" if seconds < 60 else show_time(seconds)


def people(
    comparison: Comparison,
    limits_s: Sequence[float] = LIMITS_S,
    kept_s: float | None = None,
    *,
    streaming: bool = False,
    progress: Progress | None = None,
) -> People:
    """The waits of people in a comparison's task.

    kept_s: from when on a person is kept waiting; by default the threshold of the task's attention, else of the limits
    the one that tells baseline and candidate furthest apart, the longest of equals. It is a limit of its own where it
    is none of ``limits_s``. streaming: a wait ends with the first token of the last call. progress: called with runs
    done and in all. Raises InputError for no limit, too many, and limits out of reach.
    """
    attention = comparison.task.attention
    if kept_s is None and attention is not None:
        kept_s = attention.threshold_s
    limits = _checked(limits_s, kept_s)
    walk = walked(comparison)
    walk = replace(walk, task=watched(comparison.task))
    who = walk.who
    players, edges = len(who.players), np.array(limits)
    counts, runs_kept = np.zeros((players, len(limits) + 1)), np.zeros((players, len(limits)))
    lengths, watch = np.zeros(players), Waiting(streaming)
    trials = walk.observable
    for numbers, _ in walk.observed(watch, trials, progress):
        found = watch.settle(numbers)
        # Where nothing lies between two things a person does, nobody waits on any system.
        real = np.nan_to_num(found.seconds).any(axis=0)
        run, seconds = found.run[real], found.seconds[:, real]
        for player, waited in enumerate(seconds):
            known = ~np.isnan(waited)
            bands = np.searchsorted(edges, waited[known], side="left")
            counts[player] += np.bincount(bands, minlength=len(limits) + 1)
            lengths[player] += waited[known].sum()
            for limit, longest in enumerate(limits):
                runs_kept[player, limit] += len(np.unique(run[known][waited[known] > longest]))
    totals = counts.sum(axis=1)
    above = counts[:, ::-1].cumsum(axis=1)[:, ::-1][:, 1:]
    kept = limits.index(kept_s) if kept_s is not None else _telling(above, who.named)

    def of(row: int, system: str, name: str, role: str) -> OfSystem:
        def over(value) -> Banded:
            return banded(who, row, value) if row != who.instant else Banded(*(float(value(row)),) * 3)

        return OfSystem(
            system,
            name,
            role,
            by_band=tuple(over(lambda p, b=b: counts[p, b] / trials) for b in range(len(limits) + 1)),
            kept=over(lambda p: above[p, kept] / trials),
            kept_runs=over(lambda p: runs_kept[p, kept] / trials),
            mean_s=over(lambda p: lengths[p] / totals[p] if totals[p] else 0.0),
        )

    roles = ["baseline", "candidate", *["other"] * (who.named - 2)]
    called = zip(range(who.named), comparison.systems, names(comparison.specs), roles, strict=False)
    return People(
        task=comparison.task.name,
        trials=trials,
        limits_s=limits,
        kept_s=limits[kept],
        streaming=streaming,
        waits=float(totals[0] / trials),
        systems=tuple(of(row, system.id, name, role) for row, system, name, role in called),
        instant=of(who.instant, INSTANT, "an instant model", INSTANT),
    )


def _telling(above: np.ndarray, named: int) -> int:
    """Which limit tells baseline and candidate furthest apart; above [players, limits]: waits longer than each."""
    apart = np.abs(above[min(1, named - 1)] - above[0])
    if named == 1:
        apart = (above[0] > 0).astype(float)
    return int(len(apart) - 1 - np.argmax(apart[::-1]))


def _checked(limits_s: Sequence[float], kept_s: float | None) -> tuple[float, ...]:
    if not len(limits_s):
        raise InputError(Fault("limits", "", "no limit is given", "give one or more, such as 10s"))
    given = (*limits_s, *([] if kept_s is None else [kept_s]))
    for seconds in given:
        if not (math.isfinite(seconds) and LEAST_S <= seconds <= MOST_S):
            raise InputError(
                Fault("limits", "", f"{seconds:g} s is out of reach", f"give {LEAST_S:g} s to {MOST_S:g} s")
            )
    found = tuple(sorted({float(seconds) for seconds in given}))
    if len(found) > MOST_LIMITS:
        raise InputError(Fault("limits", "", f"{len(found)} limits", f"give at most {MOST_LIMITS}"))
    return found
