"""What is wrong with a draft: one line each, with the row and the column it stands in."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agentcalc.app.build.cells import CellError
from agentcalc.app.build.columns import BY_NAME, KIND_WORDS, TITLES, column_of
from agentcalc.app.build.heads import HEADS
from agentcalc.app.build.rows import Draft, Row, branched, parents, written
from agentcalc.documents import parse
from agentcalc.errors import Fault, InputError
from agentcalc.task import Task

MOST = 50
_MISSING = re.compile(r"the key '(\w+)' is missing")


@dataclass(frozen=True)
class Mistake:
    """row: its index, None for what belongs to no row; text: the whole line."""

    row: int | None
    column: str | None
    text: str


@dataclass(frozen=True)
class Checked:
    """The task a draft says, or what is wrong with it. ``task`` is None exactly when there is a mistake, or no row."""

    task: Task | None
    mistakes: tuple[Mistake, ...] = ()

    @property
    def rows(self) -> frozenset[int]:
        """Rows with a mistake."""
        return frozenset(mistake.row for mistake in self.mistakes if mistake.row is not None)

    @property
    def line(self) -> str:
        """The first mistake, and how many more there are."""
        if not self.mistakes:
            return ""
        more = len(self.mistakes) - 1
        return self.mistakes[0].text + (f" (and {more} more)" if more else "")


def check(draft: Draft) -> Checked:
    """The task that a draft says, or every mistake in it."""
    if not draft.rows:
        return Checked(None)
    found = [*_typed(draft), *_places(draft)]
    if not found:
        try:
            return Checked(parse(Task, written(draft).plain, ""))
        except InputError as error:
            paths = written(draft).paths
            found = [_of_fault(fault, draft, paths) for fault in error.faults]
    unique = {mistake.text: mistake for mistake in found}
    return Checked(None, tuple(unique.values())[:MOST])


def say(row: int | None, column: str | None, found: str) -> Mistake:
    """A mistake with its place in front: ``Row 3, Wait: …``."""
    place = [] if row is None else [f"Row {row + 1}"]
    if column is not None:
        place.append(HEADS[column].title if row is None and column in HEADS else TITLES.get(column, column))
    text = ", ".join(place)
    sentence = found if found.endswith(("?", ".")) else f"{found}."
    if not text:
        return Mistake(row, column, sentence[:1].upper() + sentence[1:])
    return Mistake(row, column, f"{text}: {sentence}")


def _typed(draft: Draft) -> list[Mistake]:
    found = []
    for name, text in draft.typed.items():
        found.append(say(None, name, _why(lambda name=name, text=text: HEADS[name].read(text))))
    for index, row in enumerate(draft.rows):
        for name, text in row.typed.items():
            found.append(say(index, name, _why_cell(row, name, text)))
    return found


def _why_cell(row: Row, name: str, text: str) -> str:
    column = BY_NAME.get(name)
    if column is None:
        return f'"{text[:80]}" does not fit here'
    if column.key(row.kind) is None:
        titled = f"a {KIND_WORDS[row.kind]}" if row.kind != "option" else "an option"
        return f"{titled} has nothing to say here. Clear the cell"
    return _why(lambda: column.read(text, row.kind))


def _why(read) -> str:
    try:
        read()
    except CellError as error:
        return str(error)
    return "it cannot be read"


def _places(draft: Draft) -> list[Mistake]:
    """Rows that stand where they cannot."""
    found = []
    rows = draft.rows
    for index, above in enumerate(parents(rows)):
        row, parent = rows[index], None if above is None else rows[above]
        inside = "task" if parent is None else parent.kind
        word = KIND_WORDS[row.kind]
        if row.kind == "branch" and inside != "parallel":
            found.append(say(index, "kind", "a branch stands only inside a parallel. Choose another kind, or move it"))
        elif row.kind == "option" and inside != "choice":
            found.append(say(index, "kind", "an option stands only inside a choice. Choose another kind, or move it"))
        elif inside == "choice" and row.kind != "option":
            found.append(say(index, "kind", f"a {word} cannot stand directly in a choice. Put it inside an option"))
        elif inside == "parallel" and row.kind != "branch" and branched(rows, above):
            found.append(say(index, "kind", f"a {word} cannot stand beside branches. Put it inside one of them"))
        elif parent is not None and not parent.holds:
            found.append(say(index, "inside", f"a {KIND_WORDS[inside]} holds no steps. Move this row out"))
        empty = row.holds and (index + 1 == len(rows) or rows[index + 1].depth <= row.depth)
        if empty and row.kind not in ("branch", "option"):
            lacking = "an option" if row.kind == "choice" else "a step"
            found.append(say(index, None, f"this {word} has nothing inside. Add {lacking} inside, or delete it"))
    return found


def _of_fault(fault: Fault, draft: Draft, paths: tuple[str, ...]) -> Mistake:
    """A fault of the file that the draft would be, as one of a row or of the head."""
    homes = [i for i, path in enumerate(paths) if fault.path == path or fault.path.startswith((f"{path}.", f"{path}["))]
    missing = _MISSING.search(fault.found)
    remedy = f". {fault.remedy[:1].upper()}{fault.remedy[1:]}" if fault.remedy else ""
    if not homes:
        key = fault.path.partition(".")[0].partition("[")[0] or (missing[1] if missing else "")
        text = fault.found + remedy
        if (first := text.partition(" ")[0]) in HEADS:
            # Of the whole task, and about a field that has a title here.
            key, text = first, text.partition(" ")[2].replace("context_tokens", "the context's")
        return say(None, key if key in HEADS else None, text if key in HEADS or not key else f"{key}: {text}")
    row = homes[-1]
    rest = fault.path[len(paths[row]) :].lstrip(".")
    key = rest.partition(".")[0].partition("[")[0]
    if missing:
        key = missing[1]
    column = column_of(draft.rows[row].kind, key) if key else None
    if missing and column in BY_NAME:
        return say(row, column, f"nothing stands here. Try {_EXAMPLES[BY_NAME[column].reads]}")
    found = re.sub(r"steps\[(\d+)\]", lambda m: f"its step {int(m[1]) + 1}", fault.found)
    return say(row, column or (f"{key} (in YAML)" if key else None), found + remedy)


_EXAMPLES = {
    "seconds": "3 s, 300 ms, or 0.3–14 s",
    "tokens": "250, 1.7k, or 214–1.7k",
    "count": "8, or 6–20",
    "share": "30%, or 0.3",
}
