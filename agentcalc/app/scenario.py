"""From a scenario of ids and factors to the models that are compared. Plain functions, no Streamlit."""

from __future__ import annotations

from agentcalc.app.choices import Choices
from agentcalc.app.state import State
from agentcalc.provenance import Grade, Number, weakest
from agentcalc.system import System
from agentcalc.task import Loop, ModelCall, Task, ToolWait, places, scaled


def task_of(state: State, choices: Choices) -> Task:
    """The task with the what-if factors for steps, tokens and tools."""
    task = choices.tasks[state.task]
    return scaled(task, times=state.steps, output_tokens=state.tokens, tool_seconds=state.tools)


def systems_of(state: State, choices: Choices) -> tuple[System, ...]:
    """Baseline, candidate with its what-if factors, then the further systems."""
    baseline = choices.system(state.model, state.baseline)
    candidate = choices.system(state.model, state.candidate).scaled(ttft=state.first, speed=state.speed)
    return (baseline, candidate, *(choices.system(state.model, name) for name in state.more))


def without_factors(state: State) -> State:
    """The scenario before any what-if."""
    return state.model_copy(update=dict.fromkeys(state.factors, 1.0))


def rival_of(state: State, choices: Choices) -> System | None:
    """A system that a sceptic asks about: measured, of the same model and accelerator as the baseline, with MTP; not on screen.

    Only when the baseline is without MTP; the fastest writer where there are several.
    """
    baseline = choices.system(state.model, state.baseline)
    shown = {state.baseline, state.candidate}
    others = [system for name, system in choices.systems[state.model].items() if name not in shown]
    rivals = [s for s in others if s.mtp and not baseline.mtp and s.accelerator == baseline.accelerator and _measured(s)]
    return min(rivals, key=lambda s: s.point.tpot.seconds(), default=None)


def _measured(system: System) -> bool:
    return weakest((system.point.ttft.grade, system.point.tpot.grade)) is Grade.MEASURED


def levers(task: Task) -> frozenset[str]:
    """Which of the factors for steps, tokens and tools change anything in this task."""
    kinds = {type(place.step) for place in places(task.steps)}
    found = {Loop: "steps", ModelCall: "tokens", ToolWait: "tools"}
    return frozenset(name for kind, name in found.items() if kind in kinds)


def pinned(system: System, name: str, end: float) -> System:
    """The system as if everything were known: the unknown ``name`` at the low (0.0) or high (1.0) end of its band, no bands left."""

    def known(number: Number | None, here: bool) -> Number | None:
        return number and number.model_copy(update={"value": number.at(end) if here else number.value, "band": None, "unknown": None})

    point = system.point
    point = point.model_copy(update={"ttft": known(point.ttft, name == "ttft"), "tpot": known(point.tpot, name == "tpot")})
    return system.model_copy(
        update={
            "points": (point,),
            "fixed_share": known(system.fixed_share, name == "fixed_share"),
            "overhead": known(system.overhead, name == "overhead"),
        }
    )
