"""Changing which rows there are and where they stand. Every function takes a draft and gives a new one.

Rows are named by their keys, which stay through every move. What names another step, an ``after`` inside a graph,
follows it when it is renamed and forgets it when it goes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import count
from typing import Any

from agentcalc.app.build.columns import HOLDERS
from agentcalc.app.build.rows import MOST_ROWS, Draft, Row, branched, end_of, in_graph, parents
from agentcalc.errors import Fault, InputError
from agentcalc.task import DEEPEST

STARTS: dict[str, dict[str, Any]] = {
    "model_call": {"output_tokens": 250},
    "tool_wait": {"seconds": 1},
    "human_wait": {"seconds": 30},
    "loop": {"times": 3},
    "parallel": {"width": 2},
    "branch": {},
    "choice": {},
    "option": {"probability": 0.5},
    "retry": {"failure_probability": 0.1},
    "group": {},
    "graph": {},
    "compact": {"to_tokens": 1000},
}
"""What a new row of each kind says, for its reader to change."""

NAMES = {"model_call": "call", "tool_wait": "tool", "human_wait": "person", "loop": "turn"}
"""What new rows are called; others stay without a name."""

_INSIDE = {"choice": ("option", "option")}
"""What a new row has inside; others that hold steps have one step."""

_SHARED = ("name", "after")
_KEPT = {
    "model_call": ("input_tokens", "output_tokens", "reasoning_tokens", "role", "conversation", "failure_probability",
                   "timeout_s", "max_attempts", "backoff_s"),
    "tool_wait": ("seconds", "result_tokens", "conversation"),
    "human_wait": ("seconds",),
    "compact": ("to_tokens", "conversation"),
    "loop": ("times", "until"),
    "parallel": ("join", "width", "result_tokens", "conversation"),
    "branch": ("result_tokens",),
    "option": ("probability",),
    "retry": ("failure_probability", "max_attempts", "backoff_s"),
    "graph": ("conversation",),
}  # fmt: skip
"""Keys that a row keeps when it becomes this kind."""


def index_of(draft: Draft, key: int) -> int:
    """Where the row with a key stands."""
    return next(index for index, row in enumerate(draft.rows) if row.key == key)


def outermost(draft: Draft, keys: Collection[int]) -> list[int]:
    """Indices of the rows with these keys, in order, without those inside another of them."""
    found: list[int] = []
    for index, row in enumerate(draft.rows):
        if row.key in keys and not (found and index < end_of(draft.rows, found[-1])):
            found.append(index)
    return found


def add(
    draft: Draft, kind: str, after: int | None = None, inside: bool = False, of: str = "model_call"
) -> tuple[Draft, int]:
    """A new row of a kind, and what it needs inside: behind the row ``after`` and all in it, or last inside of it.

    What a row that holds steps has inside is a step of the kind ``of``.

    Without ``after`` it comes last of all. Gives the draft and the new row's key. A row added to a choice is an option,
    to the branches of a parallel a branch. Raises InputError when there is no more room.
    """
    rows = draft.rows
    at, depth = len(rows), 0
    if after is not None:
        index = index_of(draft, after)
        at, depth = end_of(rows, index), rows[index].depth + inside
        home = index if inside else parents(rows)[index]
        if home is not None and kind not in ("branch", "option"):
            kind = "option" if rows[home].kind == "choice" else "branch" if branched(rows, home) else kind
    key = draft.next_key()
    new = _new(kind, key, depth, draft, of)
    changed = _checked(replace(draft, rows=(*rows[:at], *new, *rows[at:])))
    return _graph_named(changed), key


def _new(kind: str, key: int, depth: int, draft: Draft, of: str) -> list[Row]:
    taken = {row.name for row in draft.rows}
    keys = count(key)

    def made(kind: str, depth: int) -> Iterator[Row]:
        data = dict(STARTS[kind])
        if kind in NAMES:
            data = {"name": _free(NAMES[kind], taken), **data}
            taken.add(data["name"])
        yield Row(next(keys), kind, depth, data)
        for inner in _INSIDE.get(kind, (of,)) if kind in HOLDERS else ():
            yield from made(inner, depth + 1)

    return list(made(kind, depth))


def _free(name: str, taken: Collection[str]) -> str:
    """The name, or the first of ``name 2``, ``name 3`` that is free."""
    if name not in taken:
        return name
    stem, _, last = name.rpartition(" ")
    if stem and last.isdecimal() and len(last) < 6:
        name = stem
    return next(tried for number in count(2) if (tried := f"{name[:70]} {number}") not in taken)


def duplicate(draft: Draft, keys: Collection[int]) -> tuple[Draft, tuple[int, ...]]:
    """Each of the rows once more, behind itself, with all inside it; names get a number. Gives the copies' keys too."""
    taken = {row.name for row in draft.rows}
    fresh = count(draft.next_key())
    rows = list(draft.rows)
    made = []
    for index in reversed(outermost(draft, keys)):
        end = end_of(draft.rows, index)
        copies = []
        renamed: dict[str, str] = {}
        for row in draft.rows[index:end]:
            copy = replace(row, key=next(fresh))
            if row.name:
                renamed[row.name] = _free(row.name, taken)
                taken.add(renamed[row.name])
                copy = copy.but(name=renamed[row.name])
            copies.append(copy)
        # Inside the copy steps wait for the copies; the copied row itself waits for what the first one waits for.
        copies[1:] = [_after(copy, lambda name, new=renamed: new.get(name, name)) for copy in copies[1:]]
        rows[end:end] = copies
        made.append(copies[0].key)
    return _checked(replace(draft, rows=tuple(rows))), tuple(reversed(made))


def delete(draft: Draft, keys: Collection[int]) -> Draft:
    """Without the rows and all inside them; nothing waits for them any more."""
    for index in reversed(outermost(draft, keys)):
        draft = _forget(draft, index)
        end = end_of(draft.rows, index)
        draft = replace(draft, rows=draft.rows[:index] + draft.rows[end:])
    return draft


def _forget(draft: Draft, index: int) -> Draft:
    """Without the row's name in the ``after`` of its siblings in a graph."""
    if not in_graph(draft.rows)[index]:
        return draft
    gone = draft.rows[index].name
    return _siblings(draft, index, lambda name: None if name == gone else name)


def _siblings(draft: Draft, index: int, change) -> Draft:
    """With a change made to every name in the ``after`` of rows of the same graph."""
    home = parents(draft.rows)[index]
    rows = list(draft.rows)
    for at, parent in enumerate(parents(draft.rows)):
        if parent == home:
            rows[at] = _after(rows[at], change)
    return replace(draft, rows=tuple(rows))


def _after(row: Row, change) -> Row:
    names = row.data.get("after")
    if not names:
        return row
    kept = [new for name in names if (new := change(name)) is not None]
    return row if kept == list(names) else row.but(after=kept or None)


def move(draft: Draft, keys: Collection[int], step: int) -> Draft:
    """Each of the rows one place up (-1) or down (+1) among those it stands beside, with all inside it.

    Rows at the end of their block stay.
    """
    picked = outermost(draft, keys)
    chosen = {draft.rows[index].key for index in picked}
    order = [draft.rows[index].key for index in (picked if step < 0 else reversed(picked))]
    for key in order:
        index = index_of(draft, key)
        rows = draft.rows
        beside = _neighbour(rows, index, step)
        if beside is None or rows[beside].key in chosen:
            continue
        first, second = sorted((index, beside))
        middle, end = end_of(rows, first), end_of(rows, second)
        rows = rows[:first] + rows[second:end] + rows[first:middle] + rows[end:]
        draft = replace(draft, rows=rows)
    return draft


def _neighbour(rows: Sequence[Row], index: int, step: int) -> int | None:
    """The index of the row before or behind one, inside the same parent."""
    depth = rows[index].depth
    at = index - 1 if step < 0 else end_of(tuple(rows), index)
    while 0 <= at < len(rows) and rows[at].depth > depth:
        at -= 1
    return at if 0 <= at < len(rows) and rows[at].depth == depth else None


def nest(draft: Draft, key: int, parent: int | None) -> Draft:
    """The row, with all inside it, last inside another row, or out of all of them and behind (None).

    Raises InputError when that row is the row itself or inside it, or when it would be too deep.
    """
    index = index_of(draft, key)
    rows = draft.rows
    above = parents(rows)[index]
    if (None if above is None else rows[above].key) == parent:
        return draft
    end = end_of(rows, index)
    moved = rows[index:end]
    if parent is not None and any(row.key == parent for row in moved):
        raise InputError(Fault("", "", "a row cannot stand inside itself", "choose another place"))
    draft = _forget(draft, index)
    rest = draft.rows[:index] + draft.rows[end:]
    if parent is None:
        top = index
        while rows[top].depth:
            top -= 1
        at, depth = end_of(rest, top), 0
    else:
        home = next(i for i, row in enumerate(rest) if row.key == parent)
        at, depth = end_of(rest, home), rest[home].depth + 1
    shift = depth - moved[0].depth
    placed = tuple(replace(row, depth=row.depth + shift) for row in moved)
    # What it waited for stays behind.
    placed = (placed[0].but(after=None), *placed[1:])
    return _graph_named(_checked(replace(draft, rows=rest[:at] + placed + rest[at:])))


def change_kind(draft: Draft, key: int, kind: str) -> Draft:
    """The row as another kind; keys that the new kind has stay, others go, and nothing inside is lost.

    A step that becomes a holder stands inside it from then on. What stood inside a row that holds nothing any more
    stands behind it; options and branches become what fits their new home.
    """
    index = index_of(draft, key)
    row = draft.rows[index]
    if row.kind == kind:
        return draft
    rows = list(draft.rows)
    end = end_of(draft.rows, index)
    inside = rows[index + 1 : end]
    fresh = count(draft.next_key())
    if kind in HOLDERS and not row.holds:
        # The holder takes the step's place, and what waits for it in a graph waits for the holder.
        waits = {name: row.data[name] for name in _SHARED if name in row.data and in_graph(draft.rows)[index]}
        within = replace(row.but(after=None), key=next(fresh), depth=row.depth + 1)
        holder = Row(row.key, kind, row.depth, {**STARTS[kind], **waits})
        return _graph_named(
            _checked(replace(draft, rows=(*rows[:index], *_fitting(holder, [within], fresh), *rows[end:])))
        )
    kept = {name: value for name, value in row.data.items() if name in (*_SHARED, *_KEPT.get(kind, ()))}
    needed = {} if kind == "loop" and "until" in kept else STARTS[kind]
    new = Row(row.key, kind, row.depth, {**needed, **kept})
    if kind not in HOLDERS:
        fitted = [new, *(replace(inner, depth=inner.depth - 1) for inner in _as_groups(inside, row.depth + 1))]
    else:
        fitted = _fitting(new, inside, fresh)
    return _graph_named(_checked(replace(draft, rows=(*rows[:index], *fitted, *rows[end:]))))


def _fitting(holder: Row, inside: Sequence[Row], fresh: Iterator[int]) -> list[Row]:
    """The holder and what stands inside it, as the kinds that it may hold."""
    own = {"choice": "option", "parallel": "branch"}.get(holder.kind)
    depth = holder.depth + 1
    direct = [row for row in inside if row.depth == depth]
    parted = any(row.kind in ("option", "branch") for row in direct)
    if own and parted:
        share = {"probability": round(1 / len(direct), 6)} if own == "option" else {}
        made = [replace(row, kind=own, data=_only(row, own) | share) if row.depth == depth else row for row in inside]
        if share:
            last = max(i for i, row in enumerate(made) if row.depth == depth)
            made[last] = made[last].but(probability=1 - share["probability"] * (len(direct) - 1))
        return [holder, *made]
    if holder.kind == "choice":
        # One option holds all there is; a second one is for its reader to add.
        option = Row(next(fresh), "option", depth, {"probability": 1})
        return [holder, option, *(replace(row, depth=row.depth + 1) for row in inside)]
    inner = _as_groups(inside, depth)
    call = Row(next(fresh), "model_call", depth, STARTS["model_call"])
    return [holder, *(inner or ([call] if holder.kind not in ("branch", "option") else []))]


def _only(row: Row, kind: str) -> dict[str, Any]:
    return {name: value for name, value in row.data.items() if name in ("name", *_KEPT.get(kind, ()))}


def _as_groups(inside: Sequence[Row], depth: int) -> list[Row]:
    """Rows whose branches and options at a depth are groups of what stands inside them; without the empty ones."""
    found = []
    for index, row in enumerate(inside):
        if row.depth == depth and row.kind in ("branch", "option"):
            if index + 1 < len(inside) and inside[index + 1].depth > depth:
                found.append(replace(row, kind="group", data=_only(row, "group")))
        else:
            found.append(row)
    return found


def rename(draft: Draft, key: int, name: str) -> Draft:
    """The row under another name, or none; what waits for it in a graph waits for the new name."""
    index = index_of(draft, key)
    row = draft.rows[index]
    if row.name == name:
        return draft
    if in_graph(draft.rows)[index] and row.name and name:
        old = row.name
        draft = _siblings(draft, index, lambda other: name if other == old else other)
    rows = list(draft.rows)
    rows[index] = rows[index].but(name=name or None)
    return replace(draft, rows=tuple(rows))


def _graph_named(draft: Draft) -> Draft:
    """With a name of its own for every row that a graph needs one of."""
    rows = list(draft.rows)
    taken = {row.name for row in rows}
    for index, inside in enumerate(in_graph(draft.rows)):
        if inside and not rows[index].name:
            name = _free(NAMES.get(rows[index].kind, rows[index].kind), taken)
            taken.add(name)
            rows[index] = rows[index].but(name=name)
    return replace(draft, rows=tuple(rows))


def _checked(draft: Draft) -> Draft:
    if len(draft.rows) > MOST_ROWS:
        found = f"the table would have more than {MOST_ROWS} rows"
        raise InputError(Fault("", "", found, "use a loop for repeated work"))
    if any(row.depth >= DEEPEST for row in draft.rows):
        raise InputError(Fault("", "", f"steps would stand more than {DEEPEST} deep", "move the row further out"))
    return draft
