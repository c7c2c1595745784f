"""What a report's command reads from files: a task or a system that is not packaged, written out."""

from __future__ import annotations

from collections.abc import Sequence

from agentcalc import catalog, documents
from agentcalc.errors import InputError
from agentcalc.system import Spec, System
from agentcalc.task import Task


def own_files(task: Task, specs: Sequence[Spec]) -> dict[str, str]:
    """Texts of the task and the systems that nobody finds under their id, by what they are; as they are before any
    what-if, which the command carries.
    """
    found = {}
    if task.id is None or catalog.tasks().get(task.id) != task:
        found[f"The task, {task.name}"] = documents.write(task)
    for part in dict.fromkeys(part for spec in specs for part in spec.parts):
        if not _packaged(part):
            found[f"The system, {part.id}"] = documents.write(part)
    return found


def _packaged(system: System) -> bool:
    """Whether the id leads to this very system, a concurrency in it included."""
    if system.id.partition("@")[0].partition("+")[0] not in catalog.systems():
        return False
    try:
        return catalog.load_system(system.id) == system
    except InputError:
        return False
