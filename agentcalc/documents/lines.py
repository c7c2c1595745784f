"""On which line of a text a place of a document stands, for people who edit the text."""

from __future__ import annotations

from typing import Any

import yaml

from agentcalc.documents.yaml_values import PARSER


def line_of(text: str, path: str) -> int | None:
    """The line (from 1) of the place ``path``, such as ``steps[0].seconds``, or of the nearest place it stands in.

    None where nothing of it stands in the text, or the text cannot be parsed.
    """
    try:
        found = _lines(text)
    except yaml.YAMLError:
        return None
    while path:
        if path in found:
            return found[path]
        path = path[: max(path.rfind("."), path.rfind("["), 0)]
    return found.get("")


def _lines(text: str) -> dict[str, int]:
    """The line on which each place starts: of a key the line of the key itself."""
    found: dict[str, int] = {}
    # A container's path, and what comes next in it: an index, a key that waits for its value, or "" for a key.
    stack: list[list[Any]] = []

    def place(line: int) -> str:
        """The path of the value that starts here, and what comes next behind it."""
        if not stack:
            found.setdefault("", line)
            return ""
        home, state = stack[-1]
        if isinstance(state, int):
            stack[-1][1] += 1
            return f"{home}[{state}]"
        stack[-1][1] = ""
        return f"{home}.{state}" if home else state

    for event in yaml.parse(text, Loader=PARSER):
        line = event.start_mark.line + 1
        if isinstance(event, yaml.ScalarEvent):
            if stack and stack[-1][1] == "":
                home = stack[-1][0]
                stack[-1][1] = event.value or "?"
                found.setdefault(f"{home}.{event.value}" if home else event.value, line)
            else:
                found.setdefault(place(line), line)
        elif isinstance(event, yaml.CollectionStartEvent):
            path = place(line)
            found.setdefault(path, line)
            stack.append([path, 0 if isinstance(event, yaml.SequenceStartEvent) else ""])
        elif isinstance(event, yaml.CollectionEndEvent):
            stack.pop()
    return found
