"""Plays a task with the library and with the oracle and lists where they part."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from oracle import COMPONENTS, Rules, answer

from agentcalc.latency import Profile
from agentcalc.simulate.draws import uniform
from agentcalc.simulate.walk import play
from agentcalc.task import Task

TOLERANCE = 1e-9
SEED = 11


def differences(
    task: Task,
    profiles: Sequence[Profile],
    trials: int | Sequence[int] = 3,
    seed: int = SEED,
    rules: Rules | None = None,
) -> list[str]:
    """Every quantity on which library and oracle differ by more than 1e-9, relative, as lines of text."""
    numbers = list(range(trials)) if isinstance(trials, int) else list(trials)
    run = play(task, profiles, trials=np.array(numbers), seed=seed, per_trial=True)

    def draw(key: str, field: str, trial: int, turns: tuple[int, ...]) -> float:
        return uniform(seed, key, field, trial, turns)

    found: list[str] = []
    for row, trial in enumerate(numbers):
        for player, profile in enumerate(profiles):
            want = answer(task, profile, draw, trial, rules)
            where = f"trial {trial}, player {player}"
            pairs = [
                ("task_s", run.task_s[player, row], want.task_s),
                ("without_people_s", run.without_people_s[player, row], want.without_people_s),
                ("calls", run.calls[row], want.calls),
                ("exhausted", run.exhausted[row], want.exhausted),
            ]
            # Where rounding alone chose the critical branch, either choice is right and only the sums can be compared.
            if not want.close:
                for i, component in enumerate(COMPONENTS):
                    pairs.append((component, run.per_trial[i, player, row], want.components[component]))
            for name, got, wanted in pairs:
                if not abs(float(got) - float(wanted)) <= TOLERANCE * max(1e-3, abs(float(wanted))):
                    found.append(f"{where}: {name} is {float(got)!r}, the oracle says {float(wanted)!r}")
    return found
