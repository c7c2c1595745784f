"""How many runs an answer that plays a task many times over takes in a moment."""

from __future__ import annotations

from agentcalc.simulate.size import size
from agentcalc.task import Task

FEWEST = 1_000


def fitting_runs(task: Task, cases: int, most_steps: int, most: int) -> int:
    """``most`` runs, or fewer, in round numbers, so that so many cases of them have about ``most_steps`` steps in all;
    at least 1,000 where as many are asked for.
    """
    fitting = int(most_steps / (max(size(task).mean, 1.0) * cases))
    if fitting >= most:
        return most
    digits = len(str(fitting)) - 2
    return max(min(FEWEST, most), fitting // 10**digits * 10**digits if digits > 0 else fitting)
