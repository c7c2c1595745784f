"""compare(): the same trials of one task on some systems, and everything that follows from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Literal

import numpy as np

from agentcalc.answers import Played, pair_result, system_result
from agentcalc.catalog import load_system, load_task
from agentcalc.defaults import SEED, TRIALS
from agentcalc.errors import Fault, InputError, echo
from agentcalc.results import Comparison, standard_error, statistics
from agentcalc.simulate.cast import cast
from agentcalc.simulate.size import most_trials
from agentcalc.simulate.walk import Run, play
from agentcalc.system import Spec, System
from agentcalc.task import Task

MOST_TRIALS = 10_000_000
MOST_SYSTEMS = 12
FIRST_GUESS, MOST_AUTO, SURE = 10_000, 5_120_000, 0.01
"""Of trials "auto": where it starts and ends, and the error at which it stops, as a share of p50 and p95."""


def compare(
    task: Task | str | Path,
    systems: Sequence[Spec | str | Path],
    trials: int | Literal["auto"] = TRIALS,
    seed: int = SEED,
    progress: Callable[[int, int], None] | None = None,
) -> Comparison:
    """Plays a task on some systems, all on the same trials; the first system is the baseline.

    task, systems: models, packaged ids, files, systems written in place, or deployments (``main=A,router=B``).
    trials: how many, or "auto": as many as it takes until the p50 and p95 of every system are within 1% (two standard
    errors), at most 5,120,000. progress: called with trials done and in all. Raises InputError for a task or system
    that cannot be read, a role that nobody serves, no or too many systems, and trials or seeds out of range.
    """
    task = load_task(task)
    specs = tuple(load_system(system) for system in systems)
    _check(specs, trials, seed)
    who = cast(task, specs)

    def walk(n: int) -> Run:
        return play(
            task, who.players, trials=n, seed=seed, named=who.named, outcomes_of=who.outcomes_of, progress=progress
        )

    run = _until_sure(walk, task, who.named) if trials == "auto" else walk(trials)
    played = Played(task, specs, who, run)
    systems_found = tuple(system_result(played, row) for row in range(len(specs)))

    def again(numbers: np.ndarray, observer) -> Run:
        return play(task, who.players[: who.named], trials=numbers, seed=seed, per_trial=True, observer=observer)

    return Comparison(
        task=task,
        specs=specs,
        n_trials=run.task_s.shape[1],
        seed=seed,
        systems=systems_found,
        pairs=tuple(pair_result(played, systems_found, row) for row in range(1, len(specs))),
        warnings=_warnings(specs),
        task_seconds=run.task_s[: who.named],
        without_people_seconds=run.without_people_s[: who.named],
        calls=run.calls[: who.named],
        again=again,
    )


def _warnings(specs: tuple[Spec, ...]) -> tuple[str, ...]:
    """What a reader of the numbers must know beside them, a sentence each."""
    parts = tuple(dict.fromkeys(part for spec in specs for part in spec.parts))
    guessed = (f"{part.label} is {part.point.ttft.note}." for part in parts if part.point.between is not None)
    return (*different_models(specs), *guessed)


def different_models(specs: Iterable[Spec]) -> tuple[str, ...]:
    """A warning, where systems serve different models."""
    models = {part.model for spec in specs for part in spec.parts if part.model is not None}
    return ("These are different models: this compares speed, not answers.",) if len(models) > 1 else ()


def _until_sure(walk: Callable[[int], Run], task: Task, named: int) -> Run:
    """A walk with enough trials. Errors fall with the root of their number, so that the next guess is nearly right."""
    n, most = FIRST_GUESS, min(MOST_AUTO, most_trials(task))
    while True:
        run = walk(min(n, most))
        error = max(_error(seconds, name) for seconds in run.task_s[:named] for name in ("p50", "p95"))
        if error <= SURE or n >= most:
            return run
        n = int(n * max(1.5, 1.1 * (error / SURE) ** 2))


def _error(seconds: np.ndarray, name: str) -> float:
    """Two standard errors of a statistic as a share of it; 0 where nothing takes time."""
    value = statistics(seconds)[name]
    return 2 * standard_error(seconds, name) / value if value > 0 else 0.0


def _check(specs: tuple[Spec, ...], trials: int | str, seed: int) -> None:
    if not specs:
        raise InputError(Fault("systems", "", "no system is given", "name at least one, such as gb300/deepseek-r1"))
    if len(specs) > MOST_SYSTEMS:
        raise InputError(Fault("systems", "", f"{len(specs)} systems", f"compare at most {MOST_SYSTEMS} at once"))
    known = trials == "auto" or (
        isinstance(trials, int) and not isinstance(trials, bool) and 1 <= trials <= MOST_TRIALS
    )
    if not known:
        remedy = f"use a whole number from 1 to {MOST_TRIALS:,}, or auto"
        raise InputError(Fault("trials", "", f"found {echo(trials)}", remedy))
    called: dict[str, System] = {}
    for part in (part for spec in specs for part in spec.parts):
        if called.setdefault(part.id, part) != part:
            remedy = "give each a name of its own"
            raise InputError(Fault("systems", "", f"two different systems are called {echo(part.id)}", remedy))
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**63:
        raise InputError(Fault("seed", "", f"found {seed!r}", "use a whole number from 0 to 2^63 - 1"))
