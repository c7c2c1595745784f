"""A file of any known benchmark -> its runs, the format found by content.

A reader is a module with

    NAME        the tool, as people call it
    LOOKS_FOR   which keys tell its files, in one phrase
    KEYS        those keys one by one; ``a|b`` where either will do. They find the nearest format of an unknown file
    matches     Document -> bool; looks at any document without error
    read        Document -> tuple[Measurement, ...], a run each; raises InputError
"""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from agentcalc.benchmarks import (
    aiperf,
    genai_perf,
    guidellm,
    inference_perf,
    inferencex,
    llama_bench,
    llmperf,
    sglang,
    template,
    trtllm,
    vllm,
)
from agentcalc.benchmarks.checks import checked
from agentcalc.benchmarks.document import Document
from agentcalc.benchmarks.records import Measurement
from agentcalc.errors import Fault, InputError


class Reader(Protocol):
    NAME: str
    LOOKS_FOR: str
    KEYS: tuple[str, ...]

    def matches(self, document: Document) -> bool: ...

    def read(self, document: Document) -> tuple[Measurement, ...]: ...


# In order of detection: a format whose keys another one also has stands after it.
FORMATS: tuple[Reader, ...] = (
    aiperf,
    genai_perf,
    inference_perf,
    trtllm,
    sglang,
    inferencex,
    vllm,
    guidellm,
    llmperf,
    llama_bench,
    template,
)


def read(source: Path | str | bytes, name: str | None = None) -> tuple[Measurement, ...]:
    """The runs of a benchmark's file, given by its path or its bytes; ``name`` is how errors name it.

    Raises InputError, one line, where the file is of no known format or a number in it cannot be right.
    """
    document = Document.of(source, name)
    for reader in FORMATS:
        if reader.matches(document):
            runs = reader.read(document)
            if not runs:
                found = f"it is a file of {reader.NAME} without a run"
                raise InputError(Fault(document.name, "", found, "Give one that was finished"))
            places = (
                f"{document.name}: run {at}" if len(runs) > 1 else document.name for at in range(1, len(runs) + 1)
            )
            return tuple(checked(run, where) for run, where in zip(runs, places, strict=True))
    raise InputError(_unknown(document))


def missing(reader: Reader, found: set[str]) -> list[str]:
    """The keys a reader looks for that are not among some others."""
    return [key for key in reader.KEYS if not found.intersection(key.split("|"))]


def _unknown(document: Document) -> Fault:
    found = document.keys()
    lacks = {reader: missing(reader, found) for reader in FORMATS}
    nearest = min(FORMATS, key=lambda reader: len(lacks[reader]) / len(reader.KEYS), default=None)
    if nearest is None or len(lacks[nearest]) == len(nearest.KEYS):
        names = ", ".join(reader.NAME for reader in FORMATS)
        return Fault(document.name, "", "no benchmark's result was recognised in it", f"Known are {names}")
    first = ", ".join(key.replace("|", " or ") for key in lacks[nearest][:4])
    more = f" and {len(lacks[nearest]) - 4} more" if len(lacks[nearest]) > 4 else ""
    lack = f", but has no {first}{more}" if first else ""
    return Fault(
        document.name,
        "",
        f"no benchmark's result was recognised in it; it comes closest to {nearest.NAME}{lack}",
        f"Its files are told by {nearest.LOOKS_FOR}",
    )
