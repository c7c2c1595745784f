"""The scenario that every question is about: its task and its pair with what a what-if changed. No Streamlit."""

from __future__ import annotations

from dataclasses import dataclass, replace

from agentcalc.analysis.fitting import fitting_runs
from agentcalc.analysis.naming import names
from agentcalc.app import scenario, what_if
from agentcalc.app.choices import Choices
from agentcalc.app.explore.view import View
from agentcalc.app.state import State
from agentcalc.system import System
from agentcalc.task import ModelCall, Task, ToolWait, places


@dataclass(frozen=True)
class Asked:
    """pair: baseline and candidate; names: what sentences call them; trials: runs that the headline is made of."""

    state: State
    known: Choices
    view: View
    task: Task
    pair: tuple[System, System]
    names: tuple[str, str]
    trials: int

    @property
    def by(self) -> str:
        """The statistic's name in results."""
        return self.state.statistic

    @property
    def model(self) -> str:
        return self.known.model_label(self.state.model)

    @property
    def about(self) -> str:
        """ "Coding agent, one request, DeepSeek R1"."""
        return f"{self.task.name}, {self.model}"

    @property
    def changed(self) -> str:
        """ "What if: tool time 0.5×."; empty without a what-if."""
        parts = [f"{what_if.inside(n, self.names[1])} {what_if.shown(n, v)}" for n, v in self.state.factors.items()]
        return f"What if: {', '.join(parts)}." if parts else ""

    @property
    def changed_task(self) -> tuple[str, ...]:
        """What a what-if changed of the task: ("tool time 0.5×",); systems are changed for every task."""
        found = {name: value for name, value in self.state.factors.items() if not what_if.of_system(name)}
        return tuple(f"{what_if.inside(name)} {what_if.shown(name, value)}" for name, value in found.items())

    def task_of(self, name: str) -> Task:
        """A task by its id; the scenario's own with what was changed."""
        return self.task if name == self.state.task else self.known.tasks[name]

    def seen_as(self, view: View) -> Asked:
        return replace(self, view=view)

    def runs(self, cases: int, most_steps: int, most: int | None = None) -> int:
        """How many runs of so many cases a reader waits for: those of the headline, or fewer, in round numbers."""
        return fitting_runs(self.task, cases, most_steps, min(self.trials, most or self.trials))


def ask(state: State, known: Choices, view: View, trials: int) -> Asked:
    """trials: of the headline."""
    pair = scenario.systems_of(state, known)[:2]
    return Asked(state, known, view, scenario.task_of(state, known), pair, names(pair), trials)


def has_tools(task: Task) -> bool:
    """Whether a run waits for tools."""
    return any(isinstance(p.step, ToolWait) and p.step.seconds.fixed != 0 for p in places(task.steps))


def has_calls(task: Task) -> bool:
    """Whether a run calls a model."""
    return any(isinstance(place.step, ModelCall) for place in places(task.steps))
