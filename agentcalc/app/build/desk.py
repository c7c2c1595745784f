"""All of a visit's editing as one value: drafts with undo and redo, the last answer, what is ticked.

The table on the page keeps what was typed into it and tells all of it again on every run, so the desk remembers what
it has taken already. When rows move, the table is put up anew: ``epoch`` names it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from agentcalc.app.build import changes, edits
from agentcalc.app.build.history import History
from agentcalc.app.build.mistakes import Checked, check
from agentcalc.app.build.rows import EMPTY, Draft, in_graph, rows_of
from agentcalc.errors import InputError
from agentcalc.task import Task

PICK = "pick"
"""The column of ticks."""

MOVES_ROWS = ("kind", "inside")


@dataclass
class Desk:
    """compared: the task of Compare when this was last looked at; start: the task that editing began with.

    played: the last task that had an answer, None where none had yet; said: one line about what could not be done;
    typed_yaml: YAML with a mistake, kept as it was typed.
    """

    compared: Task | None = None
    start: Task | None = None
    history: History[Draft] = field(default_factory=lambda: History(EMPTY))
    checked: Checked = field(default_factory=lambda: Checked(None))
    played: Task | None = None
    epoch: int = 0
    taken: dict[tuple[int, str], Any] = field(default_factory=dict)
    picked: frozenset[int] = frozenset()
    said: str = ""
    typed_yaml: str | None = None
    yaml_line: str = ""

    @property
    def draft(self) -> Draft:
        return self.history.now

    @property
    def edited(self) -> bool:
        """Whether anything differs from the task that editing began with."""
        return self.start is None or self.checked.task != self.start

    def open(self, task: Task | None, *, keep: bool = False) -> None:
        """Begin with a task, or with an empty table. keep: as one more edit, so that undo leads back.

        A task that is too long for a table changes nothing, and is said to be.
        """
        self.said = ""
        try:
            draft = EMPTY if task is None else rows_of(task)
        except InputError as error:
            self.said = str(error)
            return
        self.start = task
        self.history = self.history.then(draft) if keep else History(draft)
        self._changed()
        self._anew()

    def edit(self, change: Callable[[Draft], Draft], *, anew: bool = True) -> None:
        """Change the draft; what cannot be done is said in one line. anew: rows may have moved."""
        self.said = ""
        try:
            draft = change(self.draft)
        except InputError as error:
            self.said = str(error)
            return
        self.history = self.history.then(draft)
        self._changed()
        if anew:
            self._anew()

    def undo(self) -> None:
        self._back(self.history.undo())

    def redo(self) -> None:
        self._back(self.history.redo())

    def _back(self, history: History[Draft]) -> None:
        self.history, self.said = history, ""
        self._changed()
        self._anew()

    def take(self, edited_rows: Mapping[int, Mapping[str, Any]]) -> None:
        """What was typed into the table that stands on the page: cells by the number of their row."""
        order = [row.key for row in self.draft.rows]
        fresh = []
        for number, cells in edited_rows.items():
            for name, value in cells.items():
                if number < len(order) and self.taken.get((number, name), _NOTHING) != value:
                    self.taken[number, name] = value
                    fresh.append((order[number], name, value))
        typed = [(key, name, value) for key, name, value in fresh if name != PICK]
        for key, name, value in fresh:
            if name == PICK:
                self.picked = self.picked | {key} if value else self.picked - {key}
        if not typed:
            return
        moves = any(name in MOVES_ROWS or (name == "name" and self._in_graph(key)) for key, name, _ in typed)

        refused: list[str] = []

        def change(draft: Draft) -> Draft:
            for key, name, value in typed:
                try:
                    draft = changes.typed(draft, key, name, value)
                except InputError as error:
                    refused.append(str(error))
            return draft

        # Where something typed cannot be, the table shows again what stands.
        self.edit(change, anew=moves)
        self.said = refused[0] if refused else ""

    def read_yaml(self, task: Task, draft: Draft) -> None:
        """Take what YAML says as one more edit."""
        self.history = self.history.then(draft if task != self.checked.task else self.draft)
        self._changed()
        self._anew()

    def refuse_yaml(self, text: str, line: str) -> None:
        """Keep YAML that has a mistake as it was typed; the table stays as it was."""
        self.typed_yaml, self.yaml_line = text, line

    # Buttons: each works on the ticked rows.

    def add(self, kind: str) -> None:
        """A new row behind the last ticked one, or inside it where it holds others and is alone; else at the end."""
        picked = [row for row in self.draft.rows if row.key in self.picked]
        last = picked[-1] if picked else None
        inside = last is not None and len(picked) == 1 and last.holds
        self.edit(lambda draft: edits.add(draft, kind, None if last is None else last.key, inside)[0])

    def duplicate(self) -> None:
        made: list[int] = []

        def change(draft: Draft) -> Draft:
            draft, keys = edits.duplicate(draft, self.picked)
            made.extend(keys)
            return draft

        self.edit(change)
        if made:
            self.picked = frozenset(made)

    def move(self, step: int) -> None:
        self.edit(lambda draft: edits.move(draft, self.picked, step))

    def delete(self) -> None:
        self.edit(lambda draft: edits.delete(draft, self.picked))

    def _in_graph(self, key: int) -> bool:
        return in_graph(self.draft.rows)[edits.index_of(self.draft, key)]

    def _changed(self) -> None:
        self.checked = check(self.draft)
        self.typed_yaml, self.yaml_line = None, ""
        self.picked &= {row.key for row in self.draft.rows}

    def _anew(self) -> None:
        self.epoch += 1
        self.taken = {}


_NOTHING = object()
