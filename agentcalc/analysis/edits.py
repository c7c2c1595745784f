"""A task with some of its steps changed, all others left alone, so that its draws stay paired."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from agentcalc.distributions import LARGEST, SMALLEST, Amount, Fixed, whole
from agentcalc.task import Choice, Parallel, Step, Task, keys

Inner = tuple[Step, ...]

_GRID = (np.arange(20_000) + 0.5) / 20_000


def with_steps(
    task: Task,
    change: Callable[[Step, str], Step] = lambda step, key: step,
    sequence: Callable[[Inner, tuple[str, ...]], Inner] = lambda steps, inside: steps,
) -> Task:
    """The task with every step changed, from the inside out; the same task when nothing changes.

    change: gets a step, its inner steps already changed, and its key. sequence: gets the steps of one sequence, changed
    already, and the kinds of the steps around it, the outermost first; not those of a graph, which have an order of
    their own.
    """
    called = keys(task)

    def one(step: Step, path: str, inside: tuple[str, ...]) -> Step:
        around = (*inside, step.kind)
        inner = [many(steps, f"{path}.{place}", around) for place, steps in step.blocks]
        return change(rebuilt(step, inner), called[path])

    def many(steps: Inner, path: str, inside: tuple[str, ...]) -> Inner:
        found = tuple(one(step, f"{path}[{i}]", inside) for i, step in enumerate(steps))
        return found if inside and inside[-1] == "graph" else sequence(found, inside)

    steps = many(task.steps, "steps", ())
    return task if _same(steps, task.steps) else task.model_copy(update={"steps": steps})


def rebuilt(step: Step, inner: list[Inner]) -> Step:
    """The step with its inner sequences, in the order of ``step.blocks``, replaced; itself when they are the same."""
    if all(_same(new, old) for new, (_, old) in zip(inner, step.blocks, strict=True)):
        return step
    update: dict[str, Any]
    if isinstance(step, Parallel) and step.branches is not None:
        update = {"branches": _each(step.branches, inner)}
    elif isinstance(step, Choice):
        update = {"options": _each(step.options, inner)}
    else:
        update = {"steps": inner[0]}
    return step.model_copy(update=update)


def _each(parts: tuple, inner: list[Inner]) -> tuple:
    return tuple(part.model_copy(update={"steps": steps}) for part, steps in zip(parts, inner, strict=True))


def _same(new: Inner, old: Inner) -> bool:
    return len(new) == len(old) and all(a is b for a, b in zip(new, old, strict=True))


def all_named(task: Task) -> Task:
    """The task with every step named by its key, so that steps may be moved and still draw what they drew."""
    return with_steps(task, lambda step, key: step if step.name == key else step.model_copy(update={"name": key}))


def multiplied(amount: Amount, k: float, least: float = 0.0) -> Amount:
    """An amount times k >= 0; ``least`` for k = 0. Near 0 and very far it stops at what an amount can hold."""
    if k == 1:
        return amount
    if k == 0:
        return Fixed(0.0 if amount.fixed == 0 else least)
    numbers = _numbers(amount.model_dump())
    if not numbers:
        return amount
    smallest, largest = min(1.0, 2 * SMALLEST / min(numbers)), max(1.0, LARGEST / 2 / max(numbers))
    return amount.scaled(min(max(k, smallest), largest))


def _numbers(written: Any) -> list[float]:
    """The numbers above 0 that an amount is written with, its weights left out."""
    if isinstance(written, dict):
        return [n for key, value in written.items() if key not in ("weight", "weights") for n in _numbers(value)]
    if isinstance(written, list | tuple):
        return [n for value in written for n in _numbers(value)]
    return [float(written)] if isinstance(written, int | float) and written > 0 else []


def mean_of(amount: Amount, *, count: bool = False) -> float:
    """The mean of an amount's draws, on a grid of 20,000 quantiles; count: of draws rounded to whole numbers."""
    if amount.fixed is not None:
        return float(whole(amount, np.array(amount.fixed))) if count else amount.fixed
    drawn = amount.draw(_GRID)
    return float(np.mean(whole(amount, drawn) if count else drawn))
