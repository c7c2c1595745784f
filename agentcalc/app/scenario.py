"""From a scenario of ids and factors to the models that are compared. Plain functions, no Streamlit."""

from __future__ import annotations

from agentcalc.analysis.rival import stronger_rival
from agentcalc.app.choices import Choices
from agentcalc.app.state import State
from agentcalc.provenance import Number
from agentcalc.system import System
from agentcalc.task import Loop, ModelCall, Task, ToolWait, places, scaled


def task_of(state: State, choices: Choices) -> Task:
    """The task with the what-if factors for steps, tokens and tools."""
    task = choices.tasks[state.task]
    return scaled(task, times=state.steps, output_tokens=state.tokens, tool_seconds=state.tools)


def systems_of(state: State, choices: Choices) -> tuple[System, ...]:
    """Baseline, candidate with its what-if factors, then the further systems. Two that differ differ in id."""
    baseline = choices.system(state.model, state.baseline)
    candidate = choices.system(state.model, state.candidate).scaled(ttft=state.first, speed=state.speed)
    if candidate != baseline and candidate.id == baseline.id:
        changed = {"id": f"{candidate.id}.changed", "label": f"Changed {candidate.label}"}
        candidate = candidate.model_copy(update=changed)
    return (baseline, candidate, *(choices.system(state.model, name) for name in state.more))


def without_factors(state: State) -> State:
    """The scenario before any what-if."""
    return state.model_copy(update=dict.fromkeys(state.factors, 1.0))


def rival_of(state: State, choices: Choices) -> System | None:
    """The stronger rival a sceptic asks about, from this model's systems; None when it is on screen already."""
    baseline, candidate, *_ = systems_of(without_factors(state), choices)
    found = stronger_rival(baseline, candidate, choices.systems[state.model].values())
    return None if found in (baseline, candidate) else found


def levers(task: Task) -> frozenset[str]:
    """Which of the factors for steps, tokens and tools change anything in this task."""
    kinds = {type(place.step) for place in places(task.steps)}
    found = {Loop: "steps", ModelCall: "tokens", ToolWait: "tools"}
    return frozenset(name for kind, name in found.items() if kind in kinds)


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
