"""All of a visit's editing as one value: drafts with undo and redo, the last answer, what is ticked.

The table on the page keeps what was typed into it and tells all of it again on every run, so the desk remembers what
it has taken already. It forgets a cell into which its first content is typed again, so an edited cell is given the
content that it had before, until the table is put up anew: a cell that the table tells of no more is back at that.
When rows move, the table is put up anew: ``epoch`` names it.
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
    """compared: the task of Compare when this was last looked at; begun: the tasks that editing began with.

    given: what the table on the page was last given, a record a row; taken: what was typed into it.
    played: the last task that had an answer, None where none had yet; said: one line about what could not be done;
    typed_yaml: YAML with a mistake, kept as it was typed.
    """

    compared: Task | None = None
    begun: tuple[Task, ...] = ()
    history: History[Draft] = field(default_factory=lambda: History(EMPTY))
    checked: Checked = field(default_factory=lambda: Checked(None))
    played: Task | None = None
    epoch: int = 0
    given: list[dict[str, Any]] = field(default_factory=list)
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
        """Whether this is none of the tasks that editing began with."""
        return self.checked.task not in self.begun

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
        self.began(task)
        self.history = self.history.then(draft) if keep else History(draft)
        self._changed()
        self._anew()

    def began(self, task: Task | None) -> None:
        """Remember a task as one that is not edited."""
        if task is not None and task not in self.begun:
            self.begun = (*self.begun, task)

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
        now = {(n, name): v for n, cells in edited_rows.items() if n < len(order) for name, v in cells.items()}
        back = {cell: self.given[cell[0]][cell[1]] for cell in self.taken if cell not in now}
        fresh = [
            (order[number], name, value)
            for (number, name), value in {**back, **now}.items()
            if self.taken.get((number, name), _NOTHING) != value
        ]
        self.taken = now
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

    def give(self, records: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Records for the table on the page: an edited cell with the content that it had before it was edited."""
        for number, name in self.taken:
            records[number][name] = self.given[number][name]
        self.given = records
        return records

    def left(self) -> None:
        """The table was left behind with what was typed into it, all of it taken: put up another."""
        if self.taken:
            self._anew()

    def read_yaml(self, task: Task, draft: Draft) -> None:
        """Take what YAML says as one more edit."""
        self.history = self.history.then(draft if task != self.checked.task else self.draft)
        self._changed()
        self._anew()

    def refuse_yaml(self, text: str, line: str) -> None:
        """Keep YAML that has a mistake as it was typed; the table stays as it was."""
        self.typed_yaml, self.yaml_line = text, line

    # Buttons: each works on the ticked rows.

    def add(self, kind: str, of: str = "model_call") -> None:
        """A new row behind the last ticked one, or inside it where it holds others and is alone; else at the end.

        of: the kind of the step inside a new row that holds others.
        """
        picked = [row for row in self.draft.rows if row.key in self.picked]
        last = picked[-1] if picked else None
        inside = last is not None and len(picked) == 1 and last.holds
        self.edit(lambda draft: edits.add(draft, kind, None if last is None else last.key, inside, of)[0])

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
