"""The command that gives an answer again, and the files that it reads. No Streamlit.

Packaged tasks and systems are called by their ids. What a reader brought along or changed by a what-if stands in files
that are written for the command.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from agentcalc import catalog, documents
from agentcalc.app.explore.asked import Asked
from agentcalc.defaults import SEED
from agentcalc.system import System
from agentcalc.task import Task

TASK_FILE = "task.yaml"
SIDES = ("baseline.yaml", "candidate.yaml")


@dataclass(frozen=True)
class Command:
    """words: as a shell takes them, ``agentcalc`` first; files: (name, YAML) that must lie beside."""

    words: tuple[str, ...]
    files: tuple[tuple[str, str], ...] = ()

    @property
    def text(self) -> str:
        return shlex.join(self.words)


class Writing:
    """Puts a command together."""

    def __init__(self, asked: Asked, command: str):
        self.asked, self.words = asked, ["agentcalc", command]
        self.files: dict[str, str] = {}

    def task(self) -> Writing:
        """The scenario's task."""
        return self.add(self.called(self.asked.state.task, self.asked.task))

    def called(self, name: str, task: Task) -> str:
        """What the command calls a task, by an id of the page."""
        if catalog.tasks().get(name) == task:
            return name
        file = TASK_FILE if name == self.asked.state.task else f"{name}.yaml"
        self.files[file] = documents.write(task)
        return file

    def systems(self) -> Writing:
        """Baseline and candidate."""
        for system, file in zip(self.asked.pair, SIDES, strict=True):
            self.add("--system", self.system(system, file))
        return self

    def system(self, system: System, file: str) -> str:
        """What the command calls a system."""
        if catalog.systems().get(system.id) == system:
            return system.id
        self.files[file] = documents.write(system)
        return file

    def add(self, *words: str) -> Writing:
        self.words += words
        return self

    def option(self, name: str, value: object, usual: object = None) -> Writing:
        """An option, left out where it is what the command takes anyway."""
        return self if value is None or value == usual else self.add(name, str(value))

    def flag(self, name: str, on: bool) -> Writing:
        return self.add(name) if on else self

    def done(self) -> Command:
        return Command(tuple(self.words), tuple(self.files.items()))


def redrawing(asked: Asked, kind: str, trials: int) -> Writing | None:
    """The command ``figure`` of a kind so far, for its own options to follow. None for a what-if: its figure says what
    was moved, which files that were moved do not.
    """
    if asked.changed:
        return None
    writing = Writing(asked, "figure").task().systems().add("--kind", kind)
    return writing.option("--by", asked.by, "p50").add("--trials", str(trials), "--seed", str(SEED))


def seconds(value: float) -> str:
    """Seconds as a command reads them."""
    return f"{value:.10g}s"


def each(option: str, values: Sequence[str]) -> tuple[str, ...]:
    """An option given once for each value."""
    return tuple(word for value in values for word in (option, value))
