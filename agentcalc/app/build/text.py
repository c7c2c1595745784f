"""The YAML beside the table: what is written there becomes rows, or one line that says where it is wrong."""

from __future__ import annotations

import re

from agentcalc import catalog, documents
from agentcalc.app.build.rows import Draft, rows_of
from agentcalc.errors import Fault, InputError
from agentcalc.task import Task

_UNKNOWN = re.compile(r"unknown key '(.*)'$")
_LINE = re.compile(r"line (\d+)")


def yaml_of(task: Task) -> str:
    """The task as YAML."""
    return documents.write(task)


def read(text: str, name: str = "task.yaml") -> tuple[Task, Draft]:
    """A task and its rows from the text of a file. Raises InputError, each fault with its line where that is known."""
    where = "YAML" if name == "task.yaml" else name
    data = text.encode("utf-8", "surrogatepass")
    try:
        task = catalog.load_task(data, where=name)
        return task, rows_of(task)
    except InputError as error:
        raise InputError([_placed(fault, text, where) for fault in error.faults]) from None


def _placed(fault: Fault, text: str, where: str) -> Fault:
    """The fault with its line in front: ``YAML, line 12: …``."""
    known = _LINE.fullmatch(fault.path)
    path, key = fault.path, _UNKNOWN.match(fault.found)
    if key:
        path = f"{path}.{key[1]}" if path else key[1]
    line = int(known[1]) if known else documents.line_of(text, path) if path else None
    if line is None:
        return Fault(where, fault.path, fault.found, fault.remedy)
    return Fault(f"{where}, line {line}", "" if known else fault.path, fault.found, fault.remedy)
