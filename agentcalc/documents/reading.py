"""Text into plain values, without surprises.

Scalars follow the YAML 1.2 core schema, so ``no`` is text, ``012`` is 12, ``12:30`` is text and ``1e3`` is a number.
What readers take in different ways is refused: duplicate keys, tags, several documents. So is what makes a small file
large: anchors and aliases. Values are built from the parser's events, one by one and without recursion, and reading
stops where a file is too big, too deep or has too many values.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import yaml

from agentcalc.errors import Fault, InputError, NotFoundError, echo

MOST_BYTES = 2_000_000
"""The largest file that is read."""
DEEPEST = 200
"""The deepest nesting that is read."""
MOST_VALUES = 250_000
"""The most values and keys that are read from one file."""
LONGEST_NUMBER = 40

Plain = dict[str, Any] | list[Any] | str | int | float | bool | None

_PARSER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_NULL = re.compile(r"^(?:~|null|Null|NULL|)$")
_BOOL = re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$")
_INT = re.compile(r"^[-+]?[0-9]+$")
_BASED = re.compile(r"^0(?:o[0-7]+|x[0-9a-fA-F]+)$")
_FLOAT = re.compile(r"^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$")
_ENDLESS = re.compile(r"^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$")
_SURROGATE = re.compile("[\ud800-\udfff]")
_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL)


class _Refused(Exception):
    """Something in the text is refused: the place inside it, what was found, what would do."""

    def __init__(self, path: str, found: str, remedy: str):
        super().__init__(path, found, remedy)
        self.fault = (path, found, remedy)


def file_name(source: Path | str | bytes) -> str:
    """How an error names a source."""
    return "the text" if isinstance(source, bytes) else str(source)


def load(source: Path | str | bytes, *, where: str | None = None) -> Plain:
    """The plain values of a YAML or JSON file, given by its path or its bytes; ``where`` names it in errors.

    Raises InputError, with the line where that is known, and NotFoundError when there is no such file.
    """
    where = where or file_name(source)
    try:
        text = _text(source if isinstance(source, bytes) else _bytes(Path(source)))
        return _values(text, json_only=where.lower().endswith(".json"))
    except _Refused as refused:
        raise InputError(Fault(where, *refused.fault)) from None
    except FileNotFoundError:
        raise NotFoundError(Fault(where, "", "there is no such file", _neighbours(Path(source)))) from None


def _bytes(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise _Refused("", "it is a folder", "Name a file inside it")
        if path.exists() and not path.is_file() and not path.is_dir():
            raise _Refused("", "it is not a file", "Name a YAML or JSON file")
        with path.open("rb") as file:
            # One byte more than allowed tells a file that is too large, also where its size is not known beforehand.
            return file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "the name is not a path"
        raise _Refused("", f"it cannot be read ({reason.lower()})", "Check the name and the permissions") from None


def _neighbours(path: Path) -> str:
    try:
        names = [p.name for p in path.parent.iterdir() if p.suffix in (".yaml", ".yml", ".json")][:1000]
    except OSError:
        return "Check the folder and the name"
    near = get_close_matches(path.name, names, n=1)
    return f"Did you mean {echo(near[0])}?" if near else "Check the folder and the name"


def _text(data: bytes) -> str:
    if len(data) > MOST_BYTES:
        raise _Refused("", f"it is larger than {MOST_BYTES / 1e6:g} MB", "Use loop or width for repeated work")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise _Refused("", "it is written in UTF-16", "Save it as UTF-8")
    if b"\0" in data:
        raise _Refused("", "it is a binary file", "Give a text file in YAML or JSON")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise _Refused(f"line {line}", "it is not UTF-8 text", "Save the file as UTF-8") from None
    if not text.strip():
        raise _Refused("", "it is empty", "Write a task (name, steps) or a system (id, points and more)")
    return text


def _values(text: str, json_only: bool) -> Plain:
    """JSON where the text is JSON; else YAML, which also reads ``{a: 1}``. A .json file is only read as JSON."""
    if json_only or text.lstrip()[0] in "{[":
        _check_depth(text)
        try:
            value = json.loads(
                text,
                object_pairs_hook=_pairs,
                parse_constant=_refuse_constant,
                parse_float=_number,
                parse_int=_number,
            )
            _check(value)
            return value
        except json.JSONDecodeError as error:
            if json_only:
                found = f"it is not JSON ({error.msg[:1].lower()}{error.msg[1:]})"
                raise _Refused(f"line {error.lineno}", found, "Correct it, or name the file .yaml") from None
    value = _build(text)
    _check(value)
    return value


def _check_depth(text: str) -> None:
    depth = 0
    for match in _BRACKETS.finditer(text):
        mark = match[0]
        if mark in "[{":
            depth += 1
            if depth > DEEPEST:
                raise _too_deep(text.count("\n", 0, match.start()) + 1)
        elif mark in "]}":
            depth -= 1


def _too_deep(line: int) -> _Refused:
    return _Refused(f"line {line}", f"it is nested more than {DEEPEST} deep", "Flatten it")


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))
        raise _Refused("", f"the key {echo(twice)} stands twice in one place", "Keep one of the two")
    return found


def _refuse_constant(text: str) -> None:
    raise _Refused("", f"{text} is not a number that can be used", "Write a finite number")


def _number(text: str) -> int | float:
    if len(text) > LONGEST_NUMBER:
        raise _Refused("", f"a number of {len(text)} characters", "Write it shorter, such as 1e6")
    if _INT.match(text):
        return int(text)
    value = float(text)
    if not math.isfinite(value):
        raise _Refused("", f"{echo(text)[1:-1]} is too large a number", "Write a smaller one")
    return value


def _check(value: Plain) -> None:
    """Refuse too many values, and half characters that no file could hold."""
    count, stack = 0, [value]
    while stack:
        item = stack.pop()
        count += 1
        if count > MOST_VALUES:
            raise _too_many()
        if isinstance(item, dict):
            stack.extend(item)
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)
        elif isinstance(item, str) and _SURROGATE.search(item):
            raise _Refused("", f"{echo(item)} holds half of a character", "Write the character itself")


def _too_many() -> _Refused:
    found = f"it holds more than {MOST_VALUES:,} values"
    return _Refused("", found, "Use loop or width for repeated work")


def _scalar(event: yaml.ScalarEvent) -> Plain:
    """The value of a scalar by the YAML 1.2 core schema; what is quoted is text."""
    text = event.value
    if not event.implicit[0]:
        return text
    if _NULL.match(text):
        return None
    if _BOOL.match(text):
        return text[0] in "tT"
    if _ENDLESS.match(text):
        _refuse_constant(text)
    if _INT.match(text) or _FLOAT.match(text):
        return _number(text)
    if _BASED.match(text) and len(text) <= LONGEST_NUMBER:
        return int(text, 0)
    return text


def _events(text: str) -> Iterator[yaml.Event]:
    """The parser's events; what cannot be parsed is refused with its line."""
    try:
        yield from yaml.parse(text, Loader=_PARSER)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = f"line {mark.line + 1}" if mark else ""
        problem = " ".join((error.problem or "it cannot be parsed").split())
        stands = [*text.split("\n"), ""][mark.line][: mark.column + 1] if mark else ""
        remedy = "Indent with spaces, not tabs" if stands.endswith("\t") else "Check indentation, quotes and colons"
        raise _Refused(line, f"it is not YAML ({problem})", remedy) from None
    except yaml.reader.ReaderError as error:
        line = f"line {text.count(chr(10), 0, error.position) + 1}" if isinstance(error.position, int) else ""
        raise _Refused(line, "a control character stands in the text", "Take it out") from None
    except yaml.YAMLError:
        raise _Refused("", "it is not YAML", "Check indentation, quotes and colons") from None


def _named(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "a list or keys" if isinstance(value, dict | list) else echo(value)


_NO_KEY = object()


def _build(text: str) -> Plain:
    """Plain values from the parser's events, one pass and no recursion."""
    root: list[Any] = []
    stack: list[list[Any]] = [[root, _NO_KEY]]  # a container and, in a mapping, the key that waits for its value
    documents = count = 0

    def put(value: Any, line: int) -> None:
        container, key = stack[-1]
        if isinstance(container, list):
            container.append(value)
        elif key is not _NO_KEY:
            container[key] = value
            stack[-1][1] = _NO_KEY
        elif not isinstance(value, str):
            raise _Refused(f"line {line}", f"{_named(value)} is used as a key", "A key must be text; put it in quotes")
        elif value in container:
            raise _Refused(f"line {line}", f"the key {echo(value)} stands twice in one place", "Keep one of the two")
        else:
            stack[-1][1] = value

    for event in _events(text):
        line = event.start_mark.line + 1
        if isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if documents > 1:
                raise _Refused(f"line {line}", "a second document starts with '---'", "Keep one document in a file")
        elif isinstance(event, yaml.AliasEvent):
            raise _Refused(f"line {line}", f"the alias {echo('*' + event.anchor)}", "Write the value out")
        elif isinstance(event, yaml.NodeEvent):
            count += 1
            if count > MOST_VALUES:
                raise _too_many()
            if event.anchor is not None:
                raise _Refused(f"line {line}", f"the anchor {echo('&' + event.anchor)}", "Write values out")
            if event.tag is not None:
                raise _Refused(f"line {line}", f"the tag {echo(event.tag)}", "Take it out; values need no tags")
            if isinstance(event, yaml.ScalarEvent):
                try:
                    put(_scalar(event), line)
                except _Refused as refused:
                    path, found, remedy = refused.fault
                    raise _Refused(path or f"line {line}", found, remedy) from None
                continue
            value: Any = [] if isinstance(event, yaml.SequenceStartEvent) else {}
            put(value, line)
            stack.append([value, _NO_KEY])
            if len(stack) > DEEPEST + 1:
                raise _too_deep(line)
        elif isinstance(event, yaml.CollectionEndEvent):
            stack.pop()
    return root[0] if root else None
