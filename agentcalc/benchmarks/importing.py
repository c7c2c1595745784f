"""Files of a benchmark and what their reader says beside them, made into systems: for the command line and the app."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from agentcalc.benchmarks import assembling
from agentcalc.benchmarks.records import Measurement
from agentcalc.errors import Fault, InputError, echo
from agentcalc.provenance import Source
from agentcalc.system import System

OF_A_RUN = ("hardware", "chips", "concurrency")
"""What may be said of runs whose file does not say it."""

LONGEST_TITLE = 120


@dataclass(frozen=True)
class Said:
    """What the reader of files says beside them, all optional. id, label and model may say better than a file does;
    hardware, chips and concurrency only what it leaves out.
    """

    id: str | None = None
    label: str | None = None
    model: str | None = None
    hardware: str | None = None
    chips: int | None = None
    concurrency: int | None = None


def lacking(run: Measurement) -> tuple[str, ...]:
    """What a run's file does not say of it, of :data:`OF_A_RUN`."""
    return tuple(name for name in OF_A_RUN if getattr(run, name) is None)


def filled(run: Measurement, said: Said) -> Measurement:
    """A run with what its file does not say; what it says stays."""
    update = {name: getattr(said, name) for name in lacking(run) if getattr(said, name) is not None}
    return replace(run, **update) if update else run


def completed(run: Measurement, said: Said, file: str) -> Measurement:
    """As :func:`filled`. Raises InputError where the file says otherwise, naming the option of the command line."""
    for name in OF_A_RUN:
        given, told = getattr(said, name), getattr(run, name)
        if given is not None and told not in (None, given):
            found = f"{echo(str(given))}, but the file says {name} {told} ({file})"
            raise InputError(Fault(f"--{name}", "", found, f"leave --{name} out"))
    return filled(run, said)


def title(files: Sequence[str]) -> str:
    """The files by name, in words that fit a source's title."""
    name = "".join(c if c.isprintable() else "?" for c in PurePath(files[0]).name)[:LONGEST_TITLE] or "a file"
    return name if len(files) == 1 else f"{name} and {len(files) - 1} more"


def systems(files: Sequence[str], runs: Sequence[Measurement], said: Said) -> tuple[System, ...]:
    """The systems that the runs of some files measured; what is said of the runs is in them already.

    Runs of several files make one curve where they differ only in the load. Raises InputError where no run tells both
    TTFT and TPOT, or an id is said for several systems.
    """
    days = [run.date for run in runs if run.date]
    tools = ", ".join(dict.fromkeys(run.format for run in runs))
    source = Source(id=assembling.SOURCE, title=title(files), publisher=tools, date=max(days, default=None))
    return assembling.systems(runs, source, assembling.Named(id=said.id, label=said.label, model=said.model))
