"""From a scenario of ids and factors to the models that are compared. Plain functions, no Streamlit."""

from __future__ import annotations

from functools import lru_cache

from agentcalc.analysis.levers import every_lever, told_apart
from agentcalc.analysis.moves import Move, moved
from agentcalc.analysis.playing import Case
from agentcalc.analysis.rival import stronger_rival
from agentcalc.app.choices import Choices
from agentcalc.app.state import State
from agentcalc.provenance import Number
from agentcalc.system import System
from agentcalc.task import Loop, ModelCall, Task, ToolWait, places

LEVERS = {"first": "ttft"}
"""What a what-if calls a lever where it does not use the lever's id."""


def task_of(state: State, choices: Choices) -> Task:
    """The task with what a what-if changes of it."""
    return _compared(state, choices).task


def systems_of(state: State, choices: Choices) -> tuple[System, ...]:
    """Baseline, candidate with what a what-if changes of it, then the further systems. Two that differ differ in id."""
    return _compared(state, choices).specs


def moves_of(state: State, choices: Choices) -> tuple[Move, ...]:
    """A what-if as moves of levers; a factor for which the task has no lever changes nothing."""
    if not state.factors:
        return ()
    known = _known(choices.tasks[state.task], _named(state, choices)[:2])
    found = ((LEVERS.get(name, name), value) for name, value in state.factors.items())
    return tuple(Move(lever, value, known[lever]) for lever, value in found if lever in known)


def _named(state: State, choices: Choices) -> tuple[System, ...]:
    return told_apart(choices.system(state.model, name) for name in (state.baseline, state.candidate, *state.more))


@lru_cache(maxsize=64)
def _known(task: Task, pair: tuple[System, ...]) -> dict[str, bool]:
    """The ids of levers, and whether each is moved by a factor. A page asks several times for the same."""
    return {name: lever.factor for name, lever in every_lever(task, pair, loads=False).items()}


@lru_cache(maxsize=64)
def _moved(task: Task, systems: tuple[System, ...], moves: tuple[Move, ...]) -> Case:
    return moved(task, systems, moves)


def _compared(state: State, choices: Choices) -> Case:
    task, systems = choices.tasks[state.task], _named(state, choices)
    return _moved(task, systems, moves_of(state, choices)) if state.factors else Case(task, systems)


def rival_of(state: State, choices: Choices) -> System | None:
    """The stronger rival a sceptic asks about, from this model's systems; None when it is on screen already."""
    baseline, candidate, *_ = systems_of(state.plain, choices)
    found = stronger_rival(baseline, candidate, choices.systems[state.model].values())
    return None if found in (baseline, candidate) else found


def levers(task: Task) -> frozenset[str]:
    """Which of the what-ifs that change a task change anything in this one."""
    kinds = {type(place.step) for place in places(task.steps)}
    found = {Loop: "steps", ModelCall: "tokens", ToolWait: "tools"}
    can = {name for kind, name in found.items() if kind in kinds}
    can |= {"context", "cached"} if task.context_tokens else set()
    return frozenset(can | ({"lifetime"} if task.cache else set()))


def pinned(system: System, name: str, end: float) -> System:
    """As if all were known: the number ``name`` at the low (0.0) or high (1.0) end of its band, and no bands left."""

    def known(number: Number | None, here: bool) -> Number | None:
        return number and number.model_copy(
            update={"value": number.at(end) if here else number.value, "band": None, "unknown": None}
        )

    point = system.point
    point = point.model_copy(
        update={"ttft": known(point.ttft, name == "ttft"), "tpot": known(point.tpot, name == "tpot")}
    )
    return system.model_copy(
        update={
            "id": f"{system.id}.{name.replace('_', '-') or 'known'}-{end:g}",
            "points": (point,),
            "fixed_share": known(system.fixed_share, name == "fixed_share"),
            "overhead": known(system.overhead, name == "overhead"),
        }
    )
