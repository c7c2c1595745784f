"""What can be chosen: tasks by id, and systems by model and accelerator. Plain data, no Streamlit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from agentcalc.system import System
from agentcalc.task import Task

OWN = "own"
"""The id of the reader's own task, which a link carries in full (see ``link``)."""


@dataclass(frozen=True)
class Choices:
    """tasks by id; systems by model and accelerator; pairs: (baseline, candidate) by model, the default model first."""

    tasks: Mapping[str, Task]
    systems: Mapping[str, Mapping[str, System]]
    pairs: Mapping[str, tuple[str, str]]

    @property
    def default_model(self) -> str:
        return next(iter(self.pairs))

    def pair(self, model: str) -> tuple[str, str]:
        """The default baseline and candidate of a model; its first two systems where no pair is packaged."""
        names = list(self.systems[model])
        return self.pairs.get(model, (names[0], names[-1]))

    def with_systems(self, systems: Iterable[System]) -> Choices:
        """The same with systems of the reader's own, after those of their model; packaged ones keep their place."""
        found = {model: dict(named) for model, named in self.systems.items()}
        for system in systems:
            name, _, model = system.id.partition("/")
            found.setdefault(system.model or model, {}).setdefault(name, system)
        return replace(self, systems=found)

    def system(self, model: str, accelerator: str) -> System:
        return self.systems[model][accelerator]

    def model_label(self, model: str) -> str:
        return next(iter(self.systems[model].values())).model_label or model

    def with_own(self, task: Task | None) -> Choices:
        """The same with the reader's own task first, if there is one."""
        return self if task is None else replace(self, tasks={OWN: task, **self.tasks})


def choices(
    tasks: Mapping[str, Task],
    systems: Mapping[str, System],
    pairs: Iterable[tuple[str, str]],
    first_task: str,
    first_model: str,
) -> Choices:
    """What the catalog offers, ordered for a reader: first_task and first_model lead; ids are ``accelerator/model``."""
    by_model: dict[str, dict[str, System]] = {}
    for name, system in systems.items():
        accelerator, _, model = name.partition("/")
        if model:
            by_model.setdefault(model, {})[accelerator] = system
    defaults = {base.partition("/")[2]: (base.partition("/")[0], cand.partition("/")[0]) for base, cand in pairs}
    lead = {model: defaults[model] for model in sorted(defaults, key=lambda m: m != first_model)}
    ordered = {m: by_model[m] for m in sorted(by_model, key=lambda m: (m != first_model, m not in lead))}
    return Choices({t: tasks[t] for t in sorted(tasks, key=lambda t: t != first_task)}, ordered, lead)
