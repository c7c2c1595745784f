"""Task and system files."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal, TypeVar

from agentcalc.documents.faults import parse
from agentcalc.documents.reading import file_name, load
from agentcalc.errors import Fault, InputError
from agentcalc.provenance import Frozen
from agentcalc.system import System
from agentcalc.task import Task

M = TypeVar("M", bound=Frozen)

_MARKS = {"task": "steps", "system": "points"}


def kind_of(data: Any) -> Literal["task", "system"] | None:
    """What a loaded document is: a task has ``steps``, a system has ``points``; None when it has neither or both."""
    found = [kind for kind, key in _MARKS.items() if isinstance(data, dict) and key in data]
    return found[0] if len(found) == 1 else None


def read_task(source: Path | str | bytes, *, where: str | None = None) -> Task:
    """The task in a YAML or JSON file, given by its path or its bytes; ``where`` names it in errors.

    Raises InputError with every fault, or NotFoundError when there is no such file.
    """
    return _read(Task, "task", source, where)


def read_system(source: Path | str | bytes, *, where: str | None = None) -> System:
    """The system in a YAML or JSON file, given by its path or its bytes. Raises as :func:`read_task`."""
    return _read(System, "system", source, where)


def _read(model: type[M], wanted: str, source: Path | str | bytes, where: str | None) -> M:
    where = where or file_name(source)
    data = load(source, where=where)
    kind = kind_of(data)
    if kind is not None and kind != wanted:
        found = f"this is a {kind} file (it has '{_MARKS[kind]}'), and a {wanted} is needed"
        raise InputError(Fault(where, "", found, f"Give a file that has '{_MARKS[wanted]}'"))
    return parse(model, data, where)
