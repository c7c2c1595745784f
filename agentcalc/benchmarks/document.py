"""The text of a benchmark's file into plain values, without trust.

A file is one JSON text, several of them (a line each, or one after the other), CSV or YAML; which of them is decided by
content, and by the name only where content leaves it open. Tools write ``NaN`` and ``Infinity`` into JSON, though JSON
has no such numbers: they are read, and refused where a number is needed (:mod:`~agentcalc.benchmarks.fields`).
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from agentcalc import documents
from agentcalc.benchmarks.fields import shown
from agentcalc.errors import Fault, InputError, NotFoundError, echo

MOST_BYTES = 50_000_000
"""The largest benchmark file that is read."""
MOST_VALUES = 5_000_000
"""The most values, counted by commas, that are read from one file."""
DEEPEST = 100
"""The deepest nesting that is read."""

_LONGEST_NUMBER = 40


@dataclass(frozen=True)
class Document:
    """A file's values. json, yaml: the value. jsonl: a list of values. csv: a list of rows, each a list of texts; an
    empty line is an empty row.
    """

    name: str
    kind: Literal["json", "jsonl", "csv", "yaml"]
    data: Any

    @classmethod
    def of(cls, source: Path | str | bytes, name: str | None = None) -> Document:
        """The document of a path or of a file's bytes; ``name`` is how errors name it, and its ending counts.

        Raises InputError where it cannot be read, NotFoundError when there is no such file.
        """
        where = name or documents.file_name(source)
        text = _text(source if isinstance(source, bytes) else _bytes(Path(source), where), where)
        ending = Path(where).suffix.lower()
        yaml_named = ending in (".yaml", ".yml")
        if (text.lstrip()[0] in "{[" and not yaml_named) or ending in (".json", ".jsonl"):
            values = _json(text, where)
            return cls(where, "json", values[0]) if len(values) == 1 else cls(where, "jsonl", values)
        if ending in (".csv", ".tsv") or (not yaml_named and _looks_like_csv(text)):
            return cls(where, "csv", _csv(text, where))
        if len(text) > documents.MOST_BYTES:
            found = f"it is neither JSON nor CSV, and of YAML no more than {documents.MOST_BYTES / 1e6:g} MB are read"
            raise InputError(Fault(where, "", found, "Give the tool's file unchanged"))
        return cls(where, "yaml", documents.load(text.encode(), where=where))

    @cached_property
    def objects(self) -> list[dict[str, Any]]:
        """The objects of a JSON, JSONL or YAML document: itself, the items of its list, or one a line."""
        if self.kind == "csv":
            return []
        items = self.data if isinstance(self.data, list) else [self.data]
        return [item for item in items if isinstance(item, dict)]

    def placed(self) -> Iterator[tuple[dict[str, Any], str]]:
        """The objects, each with its place for errors: the file, and which of several. Raises InputError where an item
        of the list is no object.
        """
        items = self.data if isinstance(self.data, list) and self.kind != "csv" else [self.data]
        for at, item in enumerate(items, start=1):
            where = f"{self.name}: run {at}" if len(items) > 1 else self.name
            if not isinstance(item, dict):
                raise InputError(Fault(where, "", f"{shown(item)} is not a run", "Give the tool's file unchanged"))
            yield item, where

    @cached_property
    def table(self) -> list[dict[str, str]]:
        """The rows of a CSV document under its first row, as texts; empty cells and empty rows are left out.

        Raises InputError where a row is longer than the header or the header repeats a name.
        """
        if self.kind != "csv" or not self.data:
            return []
        header = [cell.strip() for cell in self.data[0]]
        named = [cell for cell in header if cell]
        if len(set(named)) < len(named):
            twice = next(cell for cell in named if named.count(cell) > 1)
            raise InputError(Fault(self.name, "", f"the column {echo(twice)} stands twice", "Keep one of the two"))
        rows = []
        for line, cells in enumerate(self.data[1:], start=2):
            if any(cell.strip() for cell in cells[len(header) :]):
                found = f"it has {len(cells)} cells and the header {len(header)}"
                raise InputError(Fault(self.name, f"row {line}", found, "Check quotes and commas"))
            row = {key: cell.strip() for key, cell in zip(header, cells, strict=False) if key and cell.strip()}
            if row:
                rows.append(row)
        return rows

    def keys(self, most: int = 1000) -> set[str]:
        """Names that stand in the document at any depth, or in its first ``most`` places: keys, and cells of a CSV."""
        if self.kind == "csv":
            return {cell.strip() for row in self.data[:most] for cell in row}
        found: set[str] = set()
        level = list(_inside([[self.data]]))
        while level and most > 0:
            level = level[:most]
            most -= len(level)
            for item in level:
                if isinstance(item, dict):
                    found.update(item)
            level = list(_inside(level))
        return found


def _inside(level: list[Any]) -> Iterator[Any]:
    """The objects and lists that stand in some others."""
    for item in level:
        children = item.values() if isinstance(item, dict) else item
        yield from (child for child in children if isinstance(child, dict | list))


def _bytes(path: Path, where: str) -> bytes:
    try:
        if path.is_dir():
            raise InputError(Fault(where, "", "it is a folder", "Name a file inside it"))
        if path.exists() and not path.is_file():
            raise InputError(Fault(where, "", "it is not a file", "Name a file of a benchmark"))
        with path.open("rb") as file:
            return file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise NotFoundError(Fault(where, "", "there is no such file", "Check the folder and the name")) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "the name is not a path"
        found = f"it cannot be read ({reason.lower()})"
        raise InputError(Fault(where, "", found, "Check the name and the permissions")) from None


def _text(data: bytes, where: str) -> str:
    if len(data) > MOST_BYTES:
        remedy = "Give the file without the single requests"
        raise InputError(Fault(where, "", f"it is larger than {MOST_BYTES / 1e6:g} MB", remedy))
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError(Fault(where, "", "it is written in UTF-16", "Save it as UTF-8"))
    if b"\0" in data:
        raise InputError(Fault(where, "", "it is a binary file", "Give a text file in JSON, CSV or YAML"))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(Fault(where, f"line {line}", "it is not UTF-8 text", "Save the file as UTF-8")) from None
    if not text.strip():
        raise InputError(Fault(where, "", "it is empty", "Give the result of a benchmark"))
    if text.count(",") > MOST_VALUES:
        found = f"it holds more than {MOST_VALUES:,} values"
        raise InputError(Fault(where, "", found, "Give the file without the single requests"))
    return text


class _Twice(ValueError):
    """A key that stands twice in one object."""


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        raise _Twice(next(key for key, _ in pairs if key in seen or seen.add(key)))
    return found


def _whole(text: str) -> int | float:
    """Whole numbers beyond 40 digits become floats, endless ones at worst: Python refuses to read very long ones."""
    return int(text) if len(text) <= _LONGEST_NUMBER else float(text)


_DECODER = json.JSONDecoder(object_pairs_hook=_pairs, parse_int=_whole)
_SPACE = re.compile(r"[ \t\r\n]*")


def _json(text: str, where: str) -> list[Any]:
    """The JSON values that stand one after the other in a text."""
    values: list[Any] = []
    position = _SPACE.match(text).end()
    try:
        while position < len(text):
            value, end = _DECODER.raw_decode(text, position)
            values.append(value)
            position = _SPACE.match(text, end).end()
            if position == end < len(text) and text[end] not in "{[":
                raise json.JSONDecodeError("Text after the end", text, end)
    except json.JSONDecodeError as error:
        found = f"it is not JSON ({error.msg[:1].lower()}{error.msg[1:]})"
        remedy = "Check that the file is complete"
        raise InputError(Fault(where, f"line {error.lineno}", found, remedy)) from None
    except _Twice as error:
        found = f"the key {echo(str(error))} stands twice in one place"
        raise InputError(Fault(where, "", found, "Keep one of the two")) from None
    except RecursionError:
        raise _too_deep(where) from None
    level, depth = list(_inside([values])), 1
    while level:
        depth += 1
        if depth > DEEPEST + 1:
            raise _too_deep(where)
        level = list(_inside(level))
    return values


def _too_deep(where: str) -> InputError:
    return InputError(Fault(where, "", f"it is nested more than {DEEPEST} deep", "Give the result of a benchmark"))


def _header(text: str) -> str:
    return text.lstrip().split("\n", 1)[0]


def _looks_like_csv(text: str) -> bool:
    """A first line of several cells, whose names hold no colon and blank as keys in YAML do."""
    header = _header(text)
    return any(mark in header for mark in ",;\t") and ": " not in header and not header.startswith(("#", "---"))


def _csv(text: str, where: str) -> list[list[str]]:
    header = _header(text)
    delimiter = max(",;\t", key=header.count)
    try:
        return list(csv.reader(io.StringIO(text.lstrip("\r\n"), newline=""), delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise InputError(Fault(where, "", f"it is not CSV ({error})", "Check quotes and commas")) from None
