"""The ends of an input's own uncertainty: the band of a system's number, an amount's 10th and 90th percentile."""

from __future__ import annotations

from typing import Any

import numpy as np

from agentcalc.analysis.edits import with_steps
from agentcalc.analysis.levers import KINDS, Lever, on_system
from agentcalc.analysis.playing import Case
from agentcalc.distributions import Amount, Fixed, whole
from agentcalc.provenance import Number
from agentcalc.system import System
from agentcalc.task import Step

PERCENTILES = (0.1, 0.9)
NUMBERS = {"speed": "tpot", "ttft": "ttft", "fixed-share": "fixed_share", "overhead": "overhead"}
"""The number of a system that a lever moves."""


def own_range(today: Case, lever: Lever) -> tuple[tuple[float, Case], tuple[float, Case]] | None:
    """(setting, case) at the lower and the higher end; None where nothing is uncertain about the input.

    An amount is taken as if every draw of it were its 10th, or its 90th, percentile. The settings are NaN: no factor
    leads there.
    """
    if lever.row is not None:
        cases = _of_system(today, lever)
    else:
        kind = next((k for k in KINDS if k.id == lever.id.rsplit(":", 1)[-1]), None)
        cases = None if kind is None else _of_amounts(today, lever, kind)
    return None if cases is None else tuple((float("nan"), case) for case in cases)


def _of_amounts(today: Case, lever: Lever, kind) -> tuple[Case, Case] | None:
    def at(p: float) -> Case:
        def one(step: Step, key: str) -> Step:
            if lever.step not in (None, key):
                return step
            update = {
                name: _fixed(amount, p, kind.count)
                for of, name in kind.fields
                if step.kind == of and (amount := getattr(step, name)) is not None and amount.fixed is None
            }
            return step.model_copy(update=update) if update else step

        return today._replace(task=with_steps(today.task, one))

    low, high = map(at, PERCENTILES)
    return None if low.task is today.task else (low, high)


def _fixed(amount: Amount, p: float, count: bool) -> Fixed:
    drawn = amount.draw(np.array([p]))
    return Fixed(float((whole(amount, drawn) if count else drawn)[0]))


def _of_system(today: Case, lever: Lever) -> tuple[Case, Case] | None:
    name, _, role = lever.id.removeprefix("baseline.").partition("@")
    number = NUMBERS.get(name)
    spec = today.specs[lever.row]
    parts = [spec.for_role(role)] if role else spec.parts
    if number is None or not any(_banded(part, number) for part in parts):
        return None
    ends = [
        on_system(lever.row, lambda system, end: _at_end(system, number, end), role or None)(today, e)
        for e in (0.0, 1.0)
    ]
    # tpot may be written as a time: its low end is then the higher speed
    return tuple(sorted(ends, key=lambda case: lever.read(case, None)))


def _banded(system: System, name: str) -> bool:
    return name in system.unknowns()


def _at_end(system: System, name: str, end: float) -> System:
    """The system with one number at an end of its band, and nothing unknown about that number any more."""
    if not _banded(system, name):
        return system

    def known(number: Number) -> Number:
        return number.model_copy(update={"value": number.at(end), "band": None, "unknown": None})

    update: dict[str, Any]
    if name in ("ttft", "tpot"):
        point = system.point.model_copy(update={name: known(getattr(system.point, name))})
        update = {"points": (point, *system.points[1:])}
    else:
        update = {name: known(getattr(system, name))}
    return system.model_copy(update=update)
