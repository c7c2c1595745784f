"""compare(): the same trials of one task on some systems, and everything that follows from them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from agentcalc.answers import Played, pair_result, system_result
from agentcalc.catalog import load_system, load_task
from agentcalc.defaults import SEED, TRIALS
from agentcalc.errors import Fault, InputError
from agentcalc.results import Comparison
from agentcalc.simulate.cast import cast
from agentcalc.simulate.walk import Run, play
from agentcalc.system import Spec
from agentcalc.task import Task

MOST_TRIALS = 10_000_000
MOST_SYSTEMS = 12


def compare(
    task: Task | str | Path,
    systems: Sequence[Spec | str | Path],
    trials: int = TRIALS,
    seed: int = SEED,
    progress: Callable[[int, int], None] | None = None,
) -> Comparison:
    """Plays a task on some systems, all on the same trials; the first system is the baseline.

    task, systems: models, packaged ids, files, systems written in place, or deployments (``main=A,router=B``).
    progress: called with trials done and in all. Raises InputError for a task or system that cannot be read, a role
    that nobody serves, no or too many systems, and trials or seeds out of range.
    """
    task = load_task(task)
    specs = tuple(load_system(system) for system in systems)
    _check(specs, trials, seed)
    who = cast(task, specs)
    run = play(
        task, who.players, trials=trials, seed=seed, named=who.named, outcomes_of=who.outcomes_of, progress=progress
    )
    played = Played(task, specs, who, run)
    systems_found = tuple(system_result(played, row) for row in range(len(specs)))
    models = {part.model for spec in specs for part in spec.parts if part.model is not None}
    different = ("These are different models: this compares speed, not answers.",) if len(models) > 1 else ()

    def again(numbers: np.ndarray, observer) -> Run:
        return play(task, who.players[: who.named], trials=numbers, seed=seed, per_trial=True, observer=observer)

    return Comparison(
        task=task,
        specs=specs,
        n_trials=trials,
        seed=seed,
        systems=systems_found,
        pairs=tuple(pair_result(played, systems_found, row) for row in range(1, len(specs))),
        warnings=different,
        task_seconds=run.task_s[: who.named],
        without_people_seconds=run.without_people_s[: who.named],
        calls=run.calls[: who.named],
        again=again,
    )


def _check(specs: tuple[Spec, ...], trials: int, seed: int) -> None:
    if not specs:
        raise InputError(Fault("systems", "", "no system is given", "name at least one, such as gb300/deepseek-r1"))
    if len(specs) > MOST_SYSTEMS:
        raise InputError(Fault("systems", "", f"{len(specs)} systems", f"compare at most {MOST_SYSTEMS} at once"))
    if isinstance(trials, bool) or not isinstance(trials, int) or not 1 <= trials <= MOST_TRIALS:
        raise InputError(Fault("trials", "", f"found {trials!r}", f"use a whole number from 1 to {MOST_TRIALS:,}"))
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**63:
        raise InputError(Fault("seed", "", f"found {seed!r}", "use a whole number from 0 to 2^63 - 1"))
