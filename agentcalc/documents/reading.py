"""Files into plain values, without surprises.

What readers take in different ways is refused: duplicate keys, tags, several documents. So is what makes a small file
large: anchors and aliases. Reading stops where a file is too big, too deep or has too many values.
"""

from __future__ import annotations

import json
import re
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from agentcalc.documents.refused import DEEPEST, MOST_VALUES, Refused, too_deep, too_many
from agentcalc.documents.yaml_values import Plain, build, number, refuse_constant
from agentcalc.errors import Fault, InputError, NotFoundError, echo

MOST_BYTES = 2_000_000
"""The largest file that is read."""
_SURROGATE = re.compile("[\ud800-\udfff]")
_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL)


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
    except Refused as refused:
        raise InputError(Fault(where, *refused.fault)) from None
    except FileNotFoundError:
        raise NotFoundError(Fault(where, "", "there is no such file", _neighbours(Path(source)))) from None


def _bytes(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise Refused("", "it is a folder", "Name a file inside it")
        if path.exists() and not path.is_file() and not path.is_dir():
            raise Refused("", "it is not a file", "Name a YAML or JSON file")
        with path.open("rb") as file:
            # One byte more than allowed tells a file that is too large, also where its size is not known beforehand.
            return file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "the name is not a path"
        raise Refused("", f"it cannot be read ({reason.lower()})", "Check the name and the permissions") from None


def _neighbours(path: Path) -> str:
    try:
        names = [p.name for p in path.parent.iterdir() if p.suffix in (".yaml", ".yml", ".json")][:1000]
    except OSError:
        return "Check the folder and the name"
    near = get_close_matches(path.name, names, n=1)
    return f"Did you mean {echo(near[0])}?" if near else "Check the folder and the name"


def _text(data: bytes) -> str:
    if len(data) > MOST_BYTES:
        raise Refused("", f"it is larger than {MOST_BYTES / 1e6:g} MB", "Use loop or width for repeated work")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise Refused("", "it is written in UTF-16", "Save it as UTF-8")
    if b"\0" in data:
        raise Refused("", "it is a binary file", "Give a text file in YAML or JSON")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Refused(f"line {line}", "it is not UTF-8 text", "Save the file as UTF-8") from None
    if not text.strip():
        raise Refused("", "it is empty", "Write a task (name, steps) or a system (id, points and more)")
    return text


def _values(text: str, json_only: bool) -> Plain:
    """JSON where the text is JSON; else YAML, which also reads ``{a: 1}``. A .json file is only read as JSON."""
    if json_only or text.lstrip()[0] in "{[":
        _check_depth(text)
        try:
            value = json.loads(
                text,
                object_pairs_hook=_pairs,
                parse_constant=refuse_constant,
                parse_float=number,
                parse_int=number,
            )
            _check(value)
            return value
        except json.JSONDecodeError as error:
            if json_only:
                found = f"it is not JSON ({error.msg[:1].lower()}{error.msg[1:]})"
                raise Refused(f"line {error.lineno}", found, "Correct it, or name the file .yaml") from None
    value = build(text)
    _check(value)
    return value


def _check_depth(text: str) -> None:
    depth = 0
    for match in _BRACKETS.finditer(text):
        mark = match[0]
        if mark in "[{":
            depth += 1
            if depth > DEEPEST:
                raise too_deep(text.count("\n", 0, match.start()) + 1)
        elif mark in "]}":
            depth -= 1


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))
        raise Refused("", f"the key {echo(twice)} stands twice in one place", "Keep one of the two")
    return found


def _check(value: Plain) -> None:
    """Refuse too many values, and half characters that no file could hold."""
    count, stack = 0, [value]
    while stack:
        item = stack.pop()
        count += 1
        if count > MOST_VALUES:
            raise too_many()
        if isinstance(item, dict):
            stack.extend(item)
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)
        elif isinstance(item, str) and _SURROGATE.search(item):
            raise Refused("", f"{echo(item)} holds half of a character", "Write the character itself")
