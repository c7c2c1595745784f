"""Many tasks, weighted by how often they are run: seconds saved a day, and which task to speed up first.

A portfolio is a small file, or words on a command line:

    name: A team of forty
    people: 40                     # omit: the runs are counted in all
    tasks:
      - {task: coding-agent, runs_per_day: 60}
      - {task: mine.yaml, runs_per_day: 5, people: 3}

``runs_per_day`` are one person's where ``people`` are given. Means add up over tasks and runs; medians do not, so a
portfolio speaks of means alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Annotated

import numpy as np
import pandas as pd
from pydantic import Field

from agentcalc import documents
from agentcalc.analysis.banded import Banded, banded, order
from agentcalc.analysis.naming import names
from agentcalc.analysis.playing import check_seed
from agentcalc.catalog import load_task
from agentcalc.comparison import different_models
from agentcalc.defaults import SEED, TRIALS
from agentcalc.errors import Fault, InputError, echo
from agentcalc.provenance import Frozen, Line
from agentcalc.simulate.cast import cast
from agentcalc.simulate.size import size
from agentcalc.simulate.walk import play
from agentcalc.system import Spec
from agentcalc.task import Task

MOST_RUNS = 1e9
MOST_PEOPLE = 10_000_000
MOST_TASKS = 50
MOST_STEPS = 40_000_000
FEWEST = 500
THOUSAND = 1000


class Entry(Frozen):
    """One task of a portfolio: a packaged id or a file, and how often it is run a day."""

    task: Line
    runs_per_day: Annotated[float, Field(gt=0, le=MOST_RUNS)]
    people: Annotated[int, Field(ge=1, le=MOST_PEOPLE)] | None = None


class Portfolio(Frozen):
    """How often each task is run; people: of every entry that does not give its own."""

    name: Line | None = None
    people: Annotated[int, Field(ge=1, le=MOST_PEOPLE)] | None = None
    tasks: Annotated[tuple[Entry, ...], Field(strict=False, min_length=1, max_length=MOST_TASKS)]


def read_portfolio(source: Path | str | bytes, *, where: str | None = None) -> Portfolio:
    """The portfolio in a YAML or JSON file. Raises InputError with every fault, NotFoundError without such a file."""
    where = where or documents.file_name(source)
    return documents.parse(Portfolio, documents.load(source, where=where), where)


def portfolio_of(words: Sequence[str], people: int | None = None) -> Portfolio:
    """From ``coding-agent=60 chat-turn=200``. Raises InputError naming the word that is wrong."""
    entries = []
    for word in words:
        task, equals, number = word.rpartition("=")
        where = f"portfolio {echo(word)}"
        if not equals or not task.strip():
            raise InputError(Fault(where, "", "it is not TASK=RUNS", "write coding-agent=60, runs a day after ="))
        try:
            runs = float(number.replace(",", "").replace("_", ""))
        except ValueError:
            runs = float("nan")
        if not 0 < runs <= MOST_RUNS:
            found = f"{echo(number)} is not a number of runs a day"
            raise InputError(Fault(where, "", found, f"write a number above 0, at most {MOST_RUNS:g}"))
        entries.append({"task": task.strip(), "runs_per_day": runs})
    given = {"tasks": entries} | ({} if people is None else {"people": people})
    return documents.parse(Portfolio, given, "portfolio")


@dataclass(frozen=True)
class OfTask:
    """One task: seconds a run on baseline and candidate, and what they come to in a day.

    runs_a_day: of everybody; people: None, not said. saved_s, possible_s: a day, by the candidate and by an instant
    system (the most that any could save), baseline less the other. share: of all that is
    saved; None where nothing is.
    """

    task: Task
    runs_a_day: float
    people: int | None
    base_s: Banded
    cand_s: Banded
    saved_s: Banded
    possible_s: float
    share: float | None
    trials: int

    @property
    def short(self) -> str:
        return self.task.short or self.task.name


@dataclass(frozen=True)
class Planned:
    """A portfolio on a pair of systems: its tasks, most saved first, and the sums of a day, s.

    people: of all entries that give them, the most; None where none does.
    """

    name: str | None
    base: str
    cand: str
    people: int | None
    tasks: tuple[OfTask, ...]
    base_s: Banded
    cand_s: Banded
    saved_s: Banded
    possible_s: float
    warnings: tuple[str, ...] = ()

    @property
    def per_1000_people_s(self) -> Banded | None:
        """Seconds a day that a thousand such people save; None where no number of people is given."""
        return None if self.people is None else self.saved_s.scaled(THOUSAND / self.people)

    @property
    def order(self) -> str:
        """Whether the candidate's day is less or more than the baseline's, or too close: see ``banded.order``."""
        return order(self.cand_s, self.base_s)

    def table(self) -> pd.DataFrame:
        """One row a task, most saved first, then their sum (task "all"): task, title, runs_a_day, people, base_s and
        cand_s (a run; of the sum a day), saved_s a day with _low and _high, possible_s, share, per_1000_people_s.
        """
        rows = []
        for one in self.tasks:
            each = None if one.people is None else one.saved_s.value * THOUSAND / one.people
            row = {"task": one.task.id or one.task.name, "title": one.task.name, "runs_a_day": one.runs_a_day}
            row |= {"people": one.people, "base_s": one.base_s.value, "cand_s": one.cand_s.value}
            row |= _ends("saved_s", one.saved_s) | {"possible_s": one.possible_s, "share": one.share}
            rows.append(row | {"per_1000_people_s": each})
        runs, everybody = sum(one.runs_a_day for one in self.tasks), self.per_1000_people_s
        row = {"task": "all", "title": self.name or "all tasks", "runs_a_day": runs, "people": self.people}
        row |= {"base_s": self.base_s.value, "cand_s": self.cand_s.value} | _ends("saved_s", self.saved_s)
        row |= {"possible_s": self.possible_s, "share": 1.0 if self.saved_s.value > 0 else None}
        rows.append(row | {"per_1000_people_s": None if everybody is None else everybody.value})
        return pd.DataFrame(rows).astype({"people": float, "share": float, "per_1000_people_s": float})


def _ends(name: str, number: Banded) -> dict[str, float]:
    return {name: number.value, f"{name}_low": number.low, f"{name}_high": number.high}


def plan_portfolio(
    portfolio: Portfolio,
    base: Spec,
    cand: Spec,
    *,
    tasks: Mapping[str, Task] | None = None,
    trials: int | None = None,
    seed: int = SEED,
) -> Planned:
    """What a day of a portfolio takes on two systems.

    A band is that of the sum: an unknown of a system lies at the same end in every task at once. tasks: those that an
    entry may name beside packaged ones and files. trials: of each task, by default as many as elsewhere, fewer for a
    large task. Raises InputError for a task that cannot be read or is
    given twice and for a seed out of range, and NotFoundError for a role that nobody serves.
    """
    check_seed(seed)
    known = tasks or {}
    played = [
        _play(known.get(entry.task) or load_task(entry.task), entry, portfolio, base, cand, trials, seed)
        for entry in portfolio.tasks
    ]
    seen = [one.task for one in played]
    for index, one in enumerate(played):
        if one.task in seen[:index]:
            raise InputError(Fault("portfolio", f"tasks[{index}]", f"{one.task.name} twice", "add up its runs"))
    base_s, cand_s = (_total(played, side) for side in (0, 1))
    saved = Banded(base_s.value - cand_s.value, base_s.low - cand_s.high, base_s.high - cand_s.low)
    found = [one.result(saved.value) for one in played]
    found.sort(key=lambda one: -one.saved_s.value)
    everybody = [one.people for one in found if one.people is not None]
    return Planned(
        portfolio.name,
        *names((base, cand)),
        people=max(everybody) if everybody else None,
        tasks=tuple(found),
        base_s=base_s,
        cand_s=cand_s,
        saved_s=saved,
        possible_s=sum(one.possible_s for one in found),
        warnings=different_models((base, cand)),
    )


@dataclass(frozen=True)
class _Played:
    """Mean task time on each side: as it is (frozenset()), and at each combination of ends."""

    task: Task
    runs_a_day: float
    people: int | None
    means: tuple[dict[frozenset, float], dict[frozenset, float]]
    bands: tuple[Banded, Banded]
    instant_s: float
    trials: int

    def result(self, all_saved_s: float) -> OfTask:
        base, cand = self.bands
        saved = Banded(base.value - cand.value, base.low - cand.high, base.high - cand.low).scaled(self.runs_a_day)
        share = saved.value / all_saved_s if all_saved_s > 0 else None
        possible = (base.value - self.instant_s) * self.runs_a_day
        return OfTask(self.task, self.runs_a_day, self.people, base, cand, saved, possible, share, trials=self.trials)


def _play(
    task: Task, entry: Entry, portfolio: Portfolio, base: Spec, cand: Spec, trials: int | None, seed: int
) -> _Played:
    who = cast(task, (base, cand))
    if trials is None:
        trials = min(TRIALS, max(FEWEST, int(MOST_STEPS / (size(task).mean * len(who.players)))))
    run = play(task, who.players, trials=trials, seed=seed, named=who.named, outcomes_of=who.outcomes_of)
    mean = np.mean(run.task_s, axis=1)
    sides = []
    for row in (0, 1):
        at = {frozenset(): float(mean[row])}
        at |= {frozenset(e.items()): float(mean[p]) for e, p in zip(who.ends[row], who.corners[row], strict=True)}
        sides.append(at)
    people = entry.people if entry.people is not None else portfolio.people
    bands = tuple(banded(who, row, lambda p: mean[p]) for row in (0, 1))
    runs = entry.runs_per_day * (people or 1)
    return _Played(task, runs, people, tuple(sides), bands, float(mean[who.instant]), trials)


def _total(played: Sequence[_Played], side: int) -> Banded:
    """Seconds of a day on one side, with the band of the sum. Tasks may ask for different parts of a deployment, so
    that each takes its own of the unknowns of all.
    """
    unknown = sorted({name for one in played for corner in one.means[side] for name, _ in corner})
    sums = []
    for at in product((0.0, 1.0), repeat=len(unknown)):
        ends = dict(zip(unknown, at, strict=True))
        total = 0.0
        for one in played:
            mine = {name for corner in one.means[side] for name, _ in corner}
            total += one.runs_a_day * one.means[side][frozenset((name, ends[name]) for name in mine)]
        sums.append(total)
    value = sum(one.runs_a_day * one.means[side][frozenset()] for one in played)
    return Banded(value, min(value, *sums), max(value, *sums))
