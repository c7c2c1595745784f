"""YAML into plain values, from the parser's events, one by one and without recursion.

Scalars follow the YAML 1.2 core schema, so ``no`` is text, ``012`` is 12, ``12:30`` is text and ``1e3`` is a number.
Duplicate keys, tags, several documents, anchors and aliases are refused.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

import yaml

from agentcalc.documents.refused import DEEPEST, MOST_VALUES, Refused, too_deep, too_many
from agentcalc.errors import echo

LONGEST_NUMBER = 40

Plain = dict[str, Any] | list[Any] | str | int | float | bool | None

PARSER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

NULL = re.compile(r"^(?:~|null|Null|NULL|)$")
BOOL = re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$")
INT = re.compile(r"^[-+]?[0-9]+$")
BASED = re.compile(r"^0(?:o[0-7]+|x[0-9a-fA-F]+)$")
FLOAT = re.compile(r"^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$")
ENDLESS = re.compile(r"^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$")


def number(text: str) -> int | float:
    """The number of a scalar. Raises Refused for one too long or too large."""
    if len(text) > LONGEST_NUMBER:
        raise Refused("", f"a number of {len(text)} characters", "Write it shorter, such as 1e6")
    if INT.match(text):
        return int(text)
    value = float(text)
    if not math.isfinite(value):
        raise Refused("", f"{echo(text)[1:-1]} is too large a number", "Write a smaller one")
    return value


def refuse_constant(text: str) -> None:
    """Raises Refused: infinity and not-a-number are no numbers here."""
    raise Refused("", f"{text} is not a number that can be used", "Write a finite number")


def _scalar(event: yaml.ScalarEvent) -> Plain:
    """The value of a scalar by the YAML 1.2 core schema; what is quoted is text."""
    text = event.value
    if not event.implicit[0]:
        return text
    if NULL.match(text):
        return None
    if BOOL.match(text):
        return text[0] in "tT"
    if ENDLESS.match(text):
        refuse_constant(text)
    if INT.match(text) or FLOAT.match(text):
        return number(text)
    if BASED.match(text) and len(text) <= LONGEST_NUMBER:
        return int(text, 0)
    return text


def _events(text: str) -> Iterator[yaml.Event]:
    """The parser's events; what cannot be parsed is refused with its line."""
    try:
        yield from yaml.parse(text, Loader=PARSER)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = f"line {mark.line + 1}" if mark else ""
        problem = " ".join((error.problem or "it cannot be parsed").split())
        stands = [*text.split("\n"), ""][mark.line][: mark.column + 1] if mark else ""
        remedy = "Indent with spaces, not tabs" if stands.endswith("\t") else "Check indentation, quotes and colons"
        raise Refused(line, f"it is not YAML ({problem})", remedy) from None
    except yaml.reader.ReaderError as error:
        line = f"line {text.count(chr(10), 0, error.position) + 1}" if isinstance(error.position, int) else ""
        raise Refused(line, "a control character stands in the text", "Take it out") from None
    except yaml.YAMLError:
        raise Refused("", "it is not YAML", "Check indentation, quotes and colons") from None


def _named(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "a list or keys" if isinstance(value, dict | list) else echo(value)


_NO_KEY = object()


def build(text: str) -> Plain:
    """Plain values of a YAML text. Raises Refused, with the line."""
    built = _Built()
    documents = count = 0
    for event in _events(text):
        line = event.start_mark.line + 1
        if isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if documents > 1:
                raise Refused(f"line {line}", "a second document starts with '---'", "Keep one document in a file")
        elif isinstance(event, yaml.AliasEvent):
            raise Refused(f"line {line}", f"the alias {echo('*' + event.anchor)}", "Write the value out")
        elif isinstance(event, yaml.NodeEvent):
            count += 1
            if count > MOST_VALUES:
                raise too_many()
            _check_plain(event, line)
            built.add(event, line)
        elif isinstance(event, yaml.CollectionEndEvent):
            built.end()
    return built.value


def _check_plain(event: yaml.NodeEvent, line: int) -> None:
    if event.anchor is not None:
        raise Refused(f"line {line}", f"the anchor {echo('&' + event.anchor)}", "Write values out")
    if event.tag is not None:
        raise Refused(f"line {line}", f"the tag {echo(event.tag)}", "Take it out; values need no tags")


class _Built:
    """Values as they are built: the containers that are still open, each, in a mapping, with the key that waits."""

    def __init__(self):
        self.root: list[Any] = []
        self.open: list[list[Any]] = [[self.root, _NO_KEY]]

    @property
    def value(self) -> Plain:
        return self.root[0] if self.root else None

    def add(self, event: yaml.NodeEvent, line: int) -> None:
        """A scalar, or a container that opens."""
        if isinstance(event, yaml.ScalarEvent):
            try:
                self._put(_scalar(event), line)
            except Refused as refused:
                path, found, remedy = refused.fault
                raise Refused(path or f"line {line}", found, remedy) from None
            return
        value: Any = [] if isinstance(event, yaml.SequenceStartEvent) else {}
        self._put(value, line)
        self.open.append([value, _NO_KEY])
        if len(self.open) > DEEPEST + 1:
            raise too_deep(line)

    def end(self) -> None:
        """The last container closes."""
        self.open.pop()

    def _put(self, value: Any, line: int) -> None:
        container, key = self.open[-1]
        if isinstance(container, list):
            container.append(value)
        elif key is not _NO_KEY:
            container[key] = value
            self.open[-1][1] = _NO_KEY
        elif not isinstance(value, str):
            raise Refused(f"line {line}", f"{_named(value)} is used as a key", "A key must be text; put it in quotes")
        elif value in container:
            raise Refused(f"line {line}", f"the key {echo(value)} stands twice in one place", "Keep one of the two")
        else:
            self.open[-1][1] = value
