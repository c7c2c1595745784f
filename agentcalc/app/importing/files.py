"""What a dropped file is: a task, a system, a scenario, a benchmark's result, or nothing known. No Streamlit."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from agentcalc import catalog, documents
from agentcalc.app import calls, faults, link
from agentcalc.benchmarks import reading
from agentcalc.benchmarks.records import Measurement
from agentcalc.defaults import TRIALS
from agentcalc.errors import AgentcalcError, InputError
from agentcalc.system import System
from agentcalc.task import Task

MOST_FILES = 40
"""Files read at once."""

LONGEST_NAME = 80

_OURS = re.compile(rb"^[ \t{]*[\"']?(steps|points)[\"']?[ \t]*:", re.MULTILINE)


@dataclass(frozen=True)
class Found:
    """One file: its name made fit for a line, and one of task, system, scenario and runs; none where it is not known.

    lines: what is wrong, one line a fault; the first says which format came closest.
    """

    name: str
    task: Task | None = None
    system: System | None = None
    scenario: link.Opened | None = None
    runs: tuple[Measurement, ...] = field(default=(), repr=False)
    lines: tuple[str, ...] = ()

    @property
    def known(self) -> bool:
        return not self.lines


def plain_name(name: str) -> str:
    """A file's name fit for one line: no folders, no control or layout characters, cut in the middle, so that its
    ending stays.
    """
    last = name.replace("\\", "/").rpartition("/")[2]
    plain = " ".join("".join(c if c.isprintable() else "?" for c in last).split()) or "a file without a name"
    return plain if len(plain) <= LONGEST_NAME else f"{plain[:60]}…{plain[-19:]}"


def understand(data: bytes, name: str) -> Found:
    """What is in a file; never an exception."""
    name = plain_name(name)
    try:
        return _understood(data, name)
    except AgentcalcError as error:
        return Found(name, lines=faults.lines(error))


def _understood(data: bytes, name: str) -> Found:
    values, refused = None, None
    if len(data) <= documents.MOST_BYTES:
        try:
            values = documents.load(data, where=name)
        except InputError as error:
            # Benchmarks write what a document may not hold, such as NaN, or many lines of JSON.
            refused = error
    if link.is_scenario(values):
        return Found(name, scenario=link.from_file(values, name, calls.catalog_choices(), TRIALS))
    kind = documents.kind_of(values)
    if kind == "task":
        return Found(name, task=calls.checked_task(data, name))
    if kind == "system":
        return Found(name, system=catalog.load_single(data, where=name))
    try:
        return Found(name, runs=reading.read(data, name))
    except InputError as error:
        # What was meant as a task or a system is told what is wrong with it as such.
        raise (refused if refused is not None and _OURS.search(data) else error) from None
