"""A task as rows, and rows as a task. What the table has no column for stays in its row, untouched.

Rows stand in the order of the file, parents first; ``depth`` says what stands inside what: a row's parent is the
nearest row above it that is one level up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from agentcalc.app.build.columns import HOLDERS, column_of
from agentcalc.errors import Fault, InputError
from agentcalc.task import Task
from agentcalc.units import show_count

MOST_ROWS = 500
"""Rows that a table is still edited in; longer tasks are files."""

_BLOCKS = {"steps": None, "branches": "branch", "options": "option"}
"""Keys that hold what stands inside, and the kind of its rows where they do not say it themselves."""


@dataclass(frozen=True)
class Row:
    """One step, branch or option. data: its keys as a file writes them, but for its kind and what stands inside.

    key: the row's own number, kept through every move; typed: what was typed into cells and cannot be read, by column.
    """

    key: int
    kind: str
    depth: int = 0
    data: Mapping[str, Any] = field(default_factory=dict)
    typed: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return str(self.data.get("name") or "")

    @property
    def holds(self) -> bool:
        """Whether rows may stand inside."""
        return self.kind in HOLDERS

    def but(self, **update: Any) -> Row:
        """The same row with keys of its data changed; None takes a key out."""
        gone = {key for key, value in update.items() if value is None}
        return replace(self, data={key: value for key, value in {**self.data, **update}.items() if key not in gone})


@dataclass(frozen=True)
class Draft:
    """A task that is being edited. head: the keys of the task but its steps; typed: of the head, as in a row."""

    head: Mapping[str, Any]
    rows: tuple[Row, ...] = ()
    typed: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return str(self.head.get("name") or "")

    def next_key(self) -> int:
        return max((row.key for row in self.rows), default=-1) + 1


EMPTY = Draft({"name": "New task"})


def rows_of(task: Task) -> Draft:
    """A task as a draft. Raises InputError when it has more rows than a table is edited in."""
    head = task.model_dump(mode="json", exclude_defaults=True)
    found: list[Row] = []
    stack: list[tuple[dict[str, Any], str | None, int]] = [(step, None, 0) for step in reversed(head.pop("steps"))]
    while stack:
        plain, kind, depth = stack.pop()
        kind = kind or plain["kind"]
        data = {key: value for key, value in plain.items() if key != "kind" and key not in _BLOCKS}
        found.append(Row(len(found), kind, depth, data))
        if len(found) > MOST_ROWS:
            found_more = f"it has more than {show_count(MOST_ROWS)} steps, too many for a table"
            remedy = "edit the file, and open it on Compare under Your own task"
            raise InputError(Fault(task.name, "", found_more, remedy))
        inner = [(step, of) for block, of in _BLOCKS.items() for step in plain.get(block) or ()]
        stack += [(step, of, depth + 1) for step, of in reversed(inner)]
    return Draft(head, tuple(found))


@dataclass(frozen=True)
class Written:
    """plain: the task as a file would write it; paths: the place of each row in it, such as ``steps[0].steps[1]``."""

    plain: dict[str, Any]
    paths: tuple[str, ...]


def written(draft: Draft) -> Written:
    """Rows as a file would write them, whether or not they make a task."""
    plain: dict[str, Any] = dict(draft.head)
    plain["steps"] = top = []
    open_rows: list[tuple[dict[str, Any], str, str]] = [(plain, "", "task")]
    paths = []
    for index, row in enumerate(draft.rows):
        del open_rows[row.depth + 1 :]
        parent, above, kind = open_rows[-1]
        block = _block(row.kind, kind)
        here: dict[str, Any] = dict(row.data)
        if row.kind not in ("branch", "option"):
            here = {"kind": row.kind, **here}
        if row.kind == "parallel" and branched(draft.rows, index):
            # The number of copies, kept for when the branches go, is none of branches.
            here.pop("width", None)
            here["branches"] = []
        elif row.kind == "choice":
            here["options"] = []
        elif row.holds:
            here["steps"] = []
        siblings = parent.setdefault(block, [])
        path = f"{above}.{block}[{len(siblings)}]" if above else f"{block}[{len(siblings)}]"
        siblings.append(here)
        paths.append(path)
        open_rows.append((here, path, row.kind))
    plain["steps"] = top
    return Written(plain, tuple(paths))


def _block(kind: str, parent: str) -> str:
    if kind == "branch" and parent == "parallel":
        return "branches"
    return "options" if kind == "option" and parent == "choice" else "steps"


def branched(rows: tuple[Row, ...], index: int) -> bool:
    """Whether a parallel holds branches, rather than copies of what stands inside."""
    return any(rows[child].kind == "branch" for child in children(rows, index))


def end_of(rows: tuple[Row, ...], index: int) -> int:
    """The index behind the last row inside a row."""
    end = index + 1
    while end < len(rows) and rows[end].depth > rows[index].depth:
        end += 1
    return end


def children(rows: tuple[Row, ...], index: int) -> Iterator[int]:
    """Indices of the rows directly inside a row."""
    for at in range(index + 1, end_of(rows, index)):
        if rows[at].depth == rows[index].depth + 1:
            yield at


def parents(rows: tuple[Row, ...]) -> tuple[int | None, ...]:
    """The index of each row's parent; None at the top."""
    found: list[int | None] = []
    chain: list[int] = []
    for index, row in enumerate(rows):
        del chain[row.depth :]
        found.append(chain[-1] if chain else None)
        chain.append(index)
    return tuple(found)


_ROW = re.compile(r"(?:.* in )?row [0-9]+", re.DOTALL)


def labels(rows: tuple[Row, ...]) -> dict[int, str]:
    """What each row that holds others is called in the column Inside, each its own: a name, else ``row 1``."""
    found: dict[int, str] = {}
    counts: dict[str, int] = {}
    for row in rows:
        if row.holds and row.name:
            counts[row.name] = counts.get(row.name, 0) + 1
    for index, row in enumerate(rows):
        if row.holds:
            alone = counts.get(row.name) == 1 and row.name.strip(" -–—−") != "" and not _ROW.fullmatch(row.name)
            found[index] = row.name if alone else f"{row.name} in row {index + 1}" if row.name else f"row {index + 1}"
    return found


def in_graph(rows: tuple[Row, ...]) -> tuple[bool, ...]:
    """Whether each row stands directly inside a graph, where it may wait for others."""
    return tuple(parent is not None and rows[parent].kind == "graph" for parent in parents(rows))


def kept_in_yaml(row: Row) -> tuple[str, ...]:
    """Keys of a row that no column shows."""
    return tuple(key for key in row.data if column_of(row.kind, key) is None)
