"""From a scenario of ids and factors to the models that are compared. Plain functions, no Streamlit."""

from __future__ import annotations

from typing import Any

from agentcalc.analysis.rival import stronger_rival
from agentcalc.app.choices import Choices
from agentcalc.app.state import State
from agentcalc.provenance import Number
from agentcalc.system import System
from agentcalc.task import Cache, Loop, ModelCall, Task, ToolWait, places, scaled


def task_of(state: State, choices: Choices) -> Task:
    """The task with the what-if factors for steps, tokens, tools, its starting context and its cache."""
    task = choices.tasks[state.task]
    task = scaled(task, times=state.steps, output_tokens=state.tokens, tool_seconds=state.tools)
    update = start_of(task, state)
    return task.model_copy(update=update) if update else task


def start_of(task: Task, state: State) -> dict[str, Any]:
    """What a what-if changes of the start of a task: context_tokens, cached_tokens, cache; empty when nothing."""
    update: dict[str, Any] = {}
    context, cached = task.context_tokens, task.cached_tokens
    if state.context != 1:
        context = update["context_tokens"] = round(context * state.context)
        if cached is not None:
            update["cached_tokens"] = min(context, round(cached * state.context))
    if state.cached is not None:
        update["cached_tokens"] = round(context * state.cached)
    if state.lifetime != 1 and task.cache is not None:
        update["cache"] = Cache(lifetime_s=task.cache.lifetime_s * state.lifetime)
    return update


def systems_of(state: State, choices: Choices) -> tuple[System, ...]:
    """Baseline, candidate with its what-if factors, then the further systems. Two that differ differ in id."""
    baseline = choices.system(state.model, state.baseline)
    candidate = choices.system(state.model, state.candidate).scaled(ttft=state.first, speed=state.speed)
    if candidate != baseline and candidate.id == baseline.id:
        changed = {"id": f"{candidate.id}.changed", "label": f"Changed {candidate.label}"}
        candidate = candidate.model_copy(update=changed)
    return (baseline, candidate, *(choices.system(state.model, name) for name in state.more))


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
