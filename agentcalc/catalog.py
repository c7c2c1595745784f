"""The packaged tasks, systems and sources, and how a name, a file or a line of text becomes one of them."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated

from pydantic import Field

from agentcalc import documents
from agentcalc.accelerators import Accelerator
from agentcalc.errors import Fault, InputError, NotFoundError, echo
from agentcalc.points import Table
from agentcalc.provenance import Frozen, Number, Source
from agentcalc.system import Deployment, Spec, System
from agentcalc.task import Task

PAIRS: tuple[tuple[str, str], ...] = (
    ("gb200/gpt-oss-120b", "jalapeno/gpt-oss-120b"),
    ("gb300/deepseek-r1", "jalapeno/deepseek-r1"),
    ("gb300/kimi-k2.5", "jalapeno/kimi-k2.5"),
)
"""The pairs compared when none is named: (baseline, candidate)."""

_RIVAL = "gb300-mtp/deepseek-r1"
_TASKS_FIRST = ("coding-agent", "swe-bench-fix", "deep-research", "chat-turn", "rag-answer", "benchmark-call")
_FILES = (".yaml", ".yml", ".json")
_OF_A_POINT = ("ttft", "ttft_over_prompt", "tpot", "tpot_over_context", "throughput")
"""What of an operating point names a source."""


class _SourceList(Frozen):
    sources: Annotated[tuple[Source, ...], Field(strict=False, min_length=1)]


class _AcceleratorList(Frozen):
    accelerators: Annotated[tuple[Accelerator, ...], Field(strict=False, min_length=1)]


@cache
def sources() -> dict[str, Source]:
    """The packaged sources by id."""
    where = "agentcalc/data/sources.yaml"
    data = documents.load((files("agentcalc") / "data" / "sources.yaml").read_bytes(), where=where)
    return {source.id: source for source in documents.parse(_SourceList, data, where).sources}


@cache
def accelerators() -> dict[str, Accelerator]:
    """The accelerators whose power is known, by id."""
    where = "agentcalc/data/accelerators.yaml"
    data = documents.load((files("agentcalc") / "data" / "accelerators.yaml").read_bytes(), where=where)
    return {found.id: found for found in documents.parse(_AcceleratorList, data, where).accelerators}


def accelerator(label: str) -> Accelerator:
    """The accelerator that a system names, by label or id, in any case. Raises NotFoundError."""
    for found in accelerators().values():
        if label.casefold() in (found.label.casefold(), found.id):
            return found
    remedy = f"power is known of {', '.join(a.label for a in accelerators().values())}"
    raise NotFoundError(Fault(f"accelerator {echo(label)}", "", "its power is not stated", remedy))


@cache
def tasks() -> dict[str, Task]:
    """The packaged tasks by id, in the order of a menu."""
    found = {task.id: task for task in (documents.read_task(data, where=where) for where, data in _packaged("tasks"))}
    return {name: found[name] for name in _ordered(_TASKS_FIRST, found)}


@cache
def systems() -> dict[str, System]:
    """The packaged systems by id: the pairs first, each baseline before its candidate, then the rival with MTP."""
    found = {s.id: s for s in (documents.read_system(data, where=where) for where, data in _packaged("systems"))}
    return {name: found[name] for name in _ordered([*(name for pair in PAIRS for name in pair), _RIVAL], found)}


def _packaged(folder: str) -> list[tuple[str, bytes]]:
    entries = sorted((files("agentcalc") / "data" / folder).iterdir(), key=lambda entry: entry.name)
    return [(f"agentcalc/data/{folder}/{e.name}", e.read_bytes()) for e in entries if e.name.endswith(".yaml")]


def _ordered(first: Iterable[str], found: dict[str, object]) -> list[str]:
    leading = [name for name in first if name in found]
    return [*leading, *(name for name in sorted(found) if name not in leading)]


def source(name: str, of: Task | System | None = None) -> Source:
    """The source of an id: one of the file's own, when ``of`` is given, else a packaged one. Raises NotFoundError."""
    own = {s.id: s for s in of.sources if isinstance(s, Source)} if of is not None else {}
    found = own.get(name) or sources().get(name)
    if found is None:
        raise _not_found("source", name, [*own, *sources()])
    return found


def load_task(task: Task | Path | str | bytes, *, where: str | None = None) -> Task:
    """A task from a packaged id, a file's path or bytes; a Task is given back. Raises InputError and NotFoundError."""
    if isinstance(task, Task):
        return task
    if isinstance(task, str) and not _is_file(task):
        if task in tasks():
            return tasks()[task]
        raise _not_found("task", task, tasks())
    return _resolved(documents.read_task(task, where=where), where or documents.file_name(task))


def load_single(system: System | Path | str | bytes, *, where: str | None = None) -> System:
    """A system from a packaged id, a file's path or bytes, or typed in place: ``"mine:ttft=0.4s,speed=300"``.

    An id or a path may name an operating point, ``"gb300/deepseek-r1@5"``, measured or between two measured ones, and
    ask for calls that differ from one another as measured, ``"gb300/deepseek-r1@5+tails"``. A System is given back.
    Raises InputError and NotFoundError.
    """
    if isinstance(system, System):
        return system
    if isinstance(system, str) and system.endswith("+tails"):
        return load_single(system.removesuffix("+tails"), where=where).varied()
    if not isinstance(system, str):
        return _resolved(documents.read_system(system, where=where), where or documents.file_name(system))
    name, at, concurrency = system.rpartition("@")
    if at and not _is_file(system):
        if not (concurrency.isascii() and concurrency.isdecimal()) or not 0 < len(concurrency) <= 9:
            remedy = f"Write a whole number after @, such as {name or 'NAME'}@5"
            raise InputError(Fault(f"system {echo(system)}", "", f"{echo(concurrency)} is not a concurrency", remedy))
        return load_single(name, where=where).at(int(concurrency))
    if _is_file(system):
        return _resolved(documents.read_system(system, where=where), where or system)
    if system in systems():
        return systems()[system]
    _, colon, _ = system.partition(":")
    if colon:
        return documents.read_in_place(system, taken=systems())
    raise _not_found("system", system, systems())


def _role_parts(text: str) -> list[str]:
    """The parts of a deployment; commas inside a system typed in place ("mine:ttft=1s,speed=3") part none."""
    parts: list[str] = []
    for piece in text.split(","):
        inside = parts and ":" in parts[-1] and piece.partition("=")[0].strip() in documents.IN_PLACE_KEYS
        if inside:
            parts[-1] += "," + piece
        else:
            parts.append(piece)
    return parts


def load_system(system: Spec | Path | str | bytes, *, where: str | None = None) -> Spec:
    """A system as :func:`load_single` reads it, or a deployment:
    ``"main=gb300/deepseek-r1,router=jalapeno/gpt-oss-120b"``.

    Raises InputError and NotFoundError.
    """
    if isinstance(system, Deployment):
        return system
    if not isinstance(system, str) or _is_file(system) or ":" in system.partition("=")[0] or "=" not in system:
        return load_single(system, where=where)
    roles: list[tuple[str, System]] = []
    for part in _role_parts(system):
        role, _, name = (text.strip() for text in part.partition("="))
        if not role or not name or role in dict(roles) or not role.isprintable() or len(role) > 80:
            found = f"{echo(role)} twice" if role in dict(roles) else f"{echo(part)} is not ROLE=SYSTEM"
            raise InputError(
                Fault(f"system {echo(system)}", "", found, "Write main=SYSTEM,router=SYSTEM, each role once")
            )
        roles.append((role, load_single(name)))
    if len(system) > 400:
        remedy = "Put long systems into files"
        raise InputError(Fault(f"system {echo(system)}", "", "more than 400 characters", remedy))
    label = ", ".join(f"{serving.label} ({role})" for role, serving in roles)
    return Deployment(id=system, label=label if len(label) <= 80 else label[:79] + "…", roles=tuple(roles))


def check(path: Path | str) -> list[Fault]:
    """Every fault of a task or system file, sources that lead nowhere included; none: the file is right."""
    where = str(path)
    try:
        data = documents.load(path, where=where)
        kind = documents.kind_of(data)
        if kind is None:
            return [Fault(where, "", "it is neither a task nor a system", "A task has 'steps', a system has 'points'")]
        model = documents.parse(Task if kind == "task" else System, data, where)
    except InputError as error:
        return list(error.faults)
    return unresolved(model, where)


def unresolved(model: Task | System, where: str) -> list[Fault]:
    """A fault for each source id of a task or a system that is neither its own nor packaged."""
    faults = []
    for path, name in _cited(model):
        try:
            source(name, model)
        except NotFoundError as error:
            remedy = error.faults[0].remedy
            remedy = f"{remedy.rstrip('?')}, or give it under 'sources'"
            faults.append(Fault(where, path, f"no source {echo(name)}", remedy))
    return faults


def _cited(model: Task | System) -> list[tuple[str, str]]:
    """(path, source id) for everything that names a source."""
    if isinstance(model, Task):
        return [(f"sources[{i}]", entry) for i, entry in enumerate(model.sources) if isinstance(entry, str)]
    numbers: list[tuple[str, Number | Table | None]] = [
        ("fixed_share", model.fixed_share),
        ("overhead", model.overhead),
    ]
    for i, point in enumerate(model.points):
        numbers += [(f"points[{i}].{name}", getattr(point, name)) for name in _OF_A_POINT]
    for i, stated in enumerate(model.capacity):
        numbers += [(f"capacity[{i}].mixed", stated.mixed), (f"capacity[{i}].speed", stated.speed)]
    return [(f"{path}.source", number.source) for path, number in numbers if number is not None]


def _resolved(model: Task | System, where: str) -> Task | System:
    faults = unresolved(model, where)
    if faults:
        raise InputError(faults)
    return model


def _is_file(text: str) -> bool:
    if text.lower().endswith(_FILES):
        return True
    try:
        return Path(text).is_file()
    except (OSError, ValueError):
        return False


def _not_found(kind: str, name: str, known: Iterable[str]) -> NotFoundError:
    known = list(known)
    holding = [k for k in known if len(name) > 1 and name.lower() in k]
    near = list(dict.fromkeys([*holding, *get_close_matches(name[:120], known, n=2)]))[:4]
    if near:
        remedy = f"Did you mean {' or '.join(echo(k) for k in near)}?"
    else:
        remedy = f"The {kind}s are {', '.join(known)}" if len(known) <= 20 else f"'agentcalc {kind}s' lists them"
    return NotFoundError(Fault(f"{kind} {echo(name)}", "", f"there is no {kind} of this name", remedy))
