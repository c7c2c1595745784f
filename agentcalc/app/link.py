"""A whole scenario as an address and as a file, and back: read without trust, with one line for what was wrong.

Packaged choices stay readable (``?task=chat-turn&by=slow``). What a reader brought along goes into ``x``: a letter for
the version, then base64url of deflated JSON. The same as a file is plain JSON. No Streamlit.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from agentcalc import catalog, documents
from agentcalc.app.brought import MOST_KEPT, MOST_SYSTEMS, MOST_TITLES, Brought, Kept, Title, placed
from agentcalc.app.choices import OWN, Choices
from agentcalc.app.packing import DICTIONARY
from agentcalc.app.state import LONGEST_LINK, State, from_query, start, to_query
from agentcalc.errors import Fault, InputError, echo
from agentcalc.provenance import Frozen
from agentcalc.system import System
from agentcalc.task import Task

VERSION = "a"
FILE_VERSION = 1
LONG_LINK = 2_000
"""Characters of an address beyond which some chat programs cut it; beyond ``LONGEST_LINK`` it goes as a file only."""
MOST_JSON = 400_000
"""Bytes of JSON that an address of ours can hold at the very most."""

NEWER_LINK = "This link comes from a newer agentcalc. Update, or ask for the file."
NEWER_FILE = "This file comes from a newer agentcalc. Update, or ask for the link."
TORN = "Part of this link was lost on its way (some programs cut long links). Ask for it again, or for the file."
NOT_OURS = "The rest of this link could not be read; it may have been cut."
TOO_LONG = "This link is too long to be one of ours. Showing the first comparison instead."

_PARTS = {"task": Task, "systems": System, "kept": Kept, "titles": Title}
_MOST = {"systems": MOST_SYSTEMS, "kept": MOST_KEPT, "titles": MOST_TITLES}
_WORDS = {"task": "its task", "systems": "a system", "kept": "a kept scenario", "titles": "a title"}
_BASE64 = re.compile(r"[A-Za-z0-9_-]*")


@dataclass(frozen=True)
class Opened:
    """What an address or a file holds. notes: one line for each part that could not be read."""

    state: State
    brought: Brought
    notes: tuple[str, ...]


def read(query: Mapping[str, Any], packaged: Choices, trials: int, own: Iterable[str] = ()) -> Opened:
    """The scenario an address describes; never an exception.

    trials: how many runs there are to show. own: parts of the address that the page reads by itself.
    """
    parts = {str(k): str(v[-1] if isinstance(v, list) and v else v) for k, v in query.items()}
    if sum(len(k) + len(v) for k, v in parts.items()) > LONGEST_LINK:
        return Opened(start(packaged), Brought(), (TOO_LONG,))
    packed = parts.pop("x", None)
    brought, notes = (Brought(), ()) if packed is None else unpack(packed, packaged)
    return _opened({k: v for k, v in parts.items() if k not in set(own)}, brought, notes, packaged, trials)


def write(state: State, brought: Brought, packaged: Choices) -> dict[str, str]:
    """The parts of the address of a scenario; ``x`` is there when the reader brought something."""
    query = to_query(state, brought.choices(packaged))
    return query if brought == Brought() else query | {"x": pack(brought)}


def length(query: Mapping[str, str]) -> int:
    """Characters of an address's parts, after the question mark."""
    return len(urlencode(query))


def pack(brought: Brought) -> str:
    """As the text of ``x``."""
    data = json.dumps(_plain(brought), ensure_ascii=False, separators=(",", ":")).encode()
    press = zlib.compressobj(9, zlib.DEFLATED, 15, 9, zlib.Z_DEFAULT_STRATEGY, DICTIONARY)
    return VERSION + base64.urlsafe_b64encode(press.compress(data) + press.flush()).decode().rstrip("=")


def unpack(text: str, packaged: Choices) -> tuple[Brought, tuple[str, ...]]:
    """What stands in ``x``, and one line for each part of it that could not be read; never an exception."""
    if text[:1] != VERSION:
        return Brought(), (NEWER_LINK if _is_newer(text) else NOT_OURS,)
    body = text[1:].rstrip("=")
    if not _BASE64.fullmatch(body):
        return Brought(), (NOT_OURS,)
    try:
        data = _inflate(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))
        if data is None:
            return Brought(), (NOT_OURS,)
        values = documents.load(data, where="x.json")
    except (binascii.Error, zlib.error, EOFError):
        return Brought(), (TORN,)
    except InputError:
        return Brought(), (NOT_OURS,)
    return _brought(values, packaged, "link")


def _is_newer(text: str) -> bool:
    """Whether this is the shape of ``x`` with the letter of a later version: base64url of what zlib has packed."""
    if not VERSION < text[:1] <= "z" or not _BASE64.fullmatch(text[1:]):
        return False
    head = base64.urlsafe_b64decode(text[1:5] + "=" * (-len(text[1:5]) % 4)) if len(text) > 4 else b""
    return len(head) >= 2 and head[0] % 16 == zlib.DEFLATED and int.from_bytes(head[:2], "big") % 31 == 0


def _inflate(data: bytes) -> bytes | None:
    """Unpacked; None when that would be more than any link of ours holds. Raises zlib.error, EOFError when cut."""
    unpress = zlib.decompressobj(15, DICTIONARY)
    found = unpress.decompress(data, MOST_JSON)
    if unpress.unconsumed_tail:
        return None
    if not unpress.eof:
        raise EOFError
    return found


def to_file(state: State, brought: Brought, packaged: Choices) -> bytes:
    """The same as a file: JSON that can be read, and opened on any agentcalc of this version or a newer one."""
    readable = to_query(state, brought.choices(packaged))
    data = {"scenario": FILE_VERSION, "link": readable, **_plain(brought)}
    return (json.dumps(data, indent=1, ensure_ascii=False) + "\n").encode()


def is_scenario(values: Any) -> bool:
    """Whether the plain values of a file are those of a kept scenario."""
    return isinstance(values, dict) and "scenario" in values


def from_file(values: Any, where: str, packaged: Choices, trials: int) -> Opened:
    """The scenario in a file's plain values. Raises InputError when the file is of a newer version, or no scenario."""
    if not is_scenario(values) or values["scenario"] != FILE_VERSION:
        raise InputError(Fault(where, "", "this file comes from a newer agentcalc", "Update, or ask for the link"))
    values = {key: value for key, value in values.items() if key != "scenario"}
    readable = values.pop("link", {})
    if not isinstance(readable, dict) or not all(isinstance(v, str) for v in readable.values()):
        raise InputError(Fault(where, "link", "it is not a list of names and texts", "Save the scenario again"))
    brought, notes = _brought(values, packaged, "file")
    return _opened(readable, brought, notes, packaged, trials)


def _opened(parts: dict[str, str], brought: Brought, notes: tuple[str, ...], packaged: Choices, trials: int) -> Opened:
    if notes and brought.task is None and parts.get("task") == OWN:
        # It has been said already why there is no task of the reader's own.
        del parts["task"]
    state, more = from_query(parts, brought.choices(packaged), trials)
    return Opened(state, brought, (*notes, *more))


def _plain(brought: Brought) -> dict[str, Any]:
    """Plain values with defaults left out, shaped as :func:`_brought` reads them."""
    found: dict[str, Any] = {}
    for part in _PARTS:
        value = getattr(brought, part)
        if isinstance(value, tuple) and value:
            found[part] = [json.loads(documents.write(item, "json")) for item in value]
        elif isinstance(value, Frozen):
            found[part] = json.loads(documents.write(value, "json"))
    return found


def _brought(values: Any, packaged: Choices, of: str) -> tuple[Brought, tuple[str, ...]]:
    """What stands in plain values, part by part: one that is wrong is left out and said, the others stay."""
    if not isinstance(values, dict):
        return Brought(), (f"Part of this {of} could not be read. It was left out.",)
    found: dict[str, list[Any]] = {part: [] for part in _PARTS}
    notes = []
    for part, model in _PARTS.items():
        value = values.get(part, [])
        items = [value] if part == "task" and value != [] else value if isinstance(value, list) else [value]
        for item in items[: _MOST.get(part, 1)]:
            try:
                found[part].append(_checked(documents.parse(model, item, ""), packaged))
            except InputError as error:
                fault = error.faults[0]
                place = ", ".join(text for text in (fault.path, fault.found) if text)
                notes.append(f"Part of this {of} could not be read ({_WORDS[part]}: {place}). It was left out.")
        if len(items) > _MOST.get(part, 1):
            notes.append(f"This {of} holds more {part} than there is room for. Showing the first {_MOST[part]}.")
    unknown = [echo(str(key)) for key in values if key not in _PARTS]
    notes += [f"Part of this {of} could not be read ({key}). It was left out." for key in unknown]
    systems = {system.id: system for system in found["systems"]}
    return (
        Brought(
            task=next(iter(found["task"]), None),
            systems=tuple(systems.values()),
            kept=tuple(found["kept"]),
            titles=tuple(found["titles"]),
        ),
        tuple(notes),
    )


def _checked(model: Any, packaged: Choices) -> Any:
    """The same, once its sources are known to lead somewhere; a system under an id of its own. Raises InputError."""
    task = model.task if isinstance(model, Kept) else model
    if isinstance(task, Task | System):
        faults = catalog.unresolved(task, "")
        if faults:
            raise InputError(faults)
    return placed(model, packaged, start(packaged).model) if isinstance(model, System) else model
