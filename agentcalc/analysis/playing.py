"""One task on one or two systems, played as lightly as a question needs: no rows but the systems, what is unknown about
them where asked for, and what tools and people alone take where asked for.

The seconds are those of ``compare`` on the same trials, number by number.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

import numpy as np

from agentcalc.errors import Fault, InputError, echo
from agentcalc.latency import INSTANT
from agentcalc.results import STATISTICS, standard_error
from agentcalc.simulate.cast import cast
from agentcalc.simulate.components import COMPONENTS
from agentcalc.simulate.stage import NEVER
from agentcalc.simulate.walk import play
from agentcalc.system import Spec
from agentcalc.task import Task

TOOL, HUMAN = COMPONENTS.index("tool"), COMPONENTS.index("human")
_PERCENTILE = re.compile(r"p[0-9]{1,2}(\.[0-9]{1,3})?")
MOST_TRIALS = 1_000_000
MOST_ROWS = 48
"""Players of one walk; more cases of the same task are played in several."""

Progress = Callable[[int, int], None]


class Case(NamedTuple):
    """What to play: a task, and one or two systems, the one asked about last."""

    task: Task
    specs: tuple[Spec, ...]


@dataclass(frozen=True)
class Outcome:
    """What a case took. seconds [systems, trials]; corners[i] [n, trials]: system i at every combination of the ends of
    its unknowns, none where not asked for; tool_s, human_s [systems]: mean seconds on the critical path; calls: mean a
    run, output_tokens, uncached_tokens: means a call (None: no calls), all as the last system makes them; alone
    [trials]: tools and people alone, None where not asked for.
    """

    seconds: np.ndarray
    corners: tuple[np.ndarray, ...]
    tool_s: np.ndarray
    human_s: np.ndarray
    calls: float
    output_tokens: float | None
    uncached_tokens: float | None
    alone: np.ndarray | None


def check_by(by: str) -> str:
    """A statistic: mean, or a percentile such as p50, p95 or p99.5. Raises InputError for anything else."""
    if by == "mean" or (_PERCENTILE.fullmatch(by) and 0 < float(by[1:]) < 100):
        return by
    raise InputError(Fault("by", "", f"found {echo(by)}", f"use {', '.join(STATISTICS)} or a percentile such as p90"))


def statistic(seconds: np.ndarray, by: str) -> float:
    """mean or a percentile of seconds [trials], as results show it."""
    return float(np.mean(seconds)) if by == "mean" else float(np.percentile(seconds, float(by[1:])))


def error_s(seconds: np.ndarray, by: str) -> float:
    """The simulation's standard error of a statistic, s."""
    return standard_error(seconds, by)


def check_play(trials: int, seed: int) -> None:
    """Raises InputError for trials or a seed out of range."""
    if isinstance(trials, bool) or not isinstance(trials, int) or not 1 <= trials <= MOST_TRIALS:
        raise InputError(Fault("trials", "", f"found {echo(trials)}", f"use a whole number from 1 to {MOST_TRIALS:,}"))
    check_seed(seed)


def check_seed(seed: int) -> None:
    """Raises InputError for a seed out of range."""
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**63:
        raise InputError(Fault("seed", "", f"found {echo(seed)}", "use a whole number from 0 to 2^63 - 1"))


def check_systems(specs: Sequence[Spec]) -> tuple[Spec, ...]:
    """One system, or a baseline and a candidate. Raises InputError for none or more."""
    if len(specs) not in (1, 2):
        found = "no system is given" if not specs else f"{len(specs)} systems"
        raise InputError(Fault("systems", "", found, "give one, or a baseline and a candidate"))
    return tuple(specs)


def play_cases(
    cases: Sequence[Case],
    trials: int,
    seed: int,
    *,
    bands: bool = False,
    alone: bool = False,
    progress: Progress | None = None,
) -> list[Outcome]:
    """Plays cases on the same trials; those that follow each other with the very same task share one walk.

    bands: the systems also at the ends of their unknowns; alone: also tools and people alone. progress: called with
    cases done and in all. Raises InputError for a task that is too large, NotFoundError for a role nobody serves.
    """
    found: list[Outcome] = []
    for _, group in groupby(cases, key=lambda case: id(case.task)):
        waiting = list(group)
        while waiting:
            many = max(1, MOST_ROWS // _rows(waiting[0], bands))
            found += _walk(waiting[:many], trials, seed, bands, alone)
            waiting = waiting[many:]
            if progress:
                progress(len(found), len(cases))
    return found


def _rows(case: Case, bands: bool) -> int:
    """Players that a case takes."""
    return len(case.specs) if not bands else len(cast(case.task, case.specs).players)


def _walk(cases: list[Case], trials: int, seed: int, bands: bool, alone: bool) -> list[Outcome]:
    task = cases[0].task
    players, places = [], []
    for case in cases:
        who = cast(task, case.specs)
        first = len(players)
        players += who.players[: who.named]
        corners = []
        for rows in who.corners if bands else ():
            corners.append(range(len(players), len(players) + len(rows)))
            players += [who.players[row] for row in rows]
        places.append((range(first, first + who.named), corners))
    outcomes = list(range(len(players)))
    if alone:
        players.append(INSTANT)
        outcomes.append(NEVER)
    run = play(task, players, trials=trials, seed=seed, named=1, outcomes_of=outcomes if task.rules else None)
    left = run.task_s[-1] if alone else None
    tally = run.tally
    found = []
    for named, corners in places:
        last = named[-1]
        calls = float(tally.calls[:, last].sum())
        found.append(
            Outcome(
                seconds=run.task_s[named.start : named.stop],
                corners=tuple(run.task_s[rows.start : rows.stop] for rows in corners),
                tool_s=run.components_s[TOOL, named.start : named.stop],
                human_s=run.components_s[HUMAN, named.start : named.stop],
                calls=float(np.mean(run.calls[last])),
                output_tokens=float(tally.output[:, last].sum()) / calls if calls else None,
                uncached_tokens=float(tally.uncached[:, last].sum()) / calls if calls else None,
                alone=left,
            )
        )
    return found
