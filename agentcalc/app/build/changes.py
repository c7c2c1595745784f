"""What was typed into the table, cell by cell, as a new draft."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from agentcalc.app.build import edits
from agentcalc.app.build.cells import BLANK, KEPT, CellError
from agentcalc.app.build.columns import BY_NAME, COLUMNS, KIND_OF, KIND_WORDS
from agentcalc.app.build.rows import Draft, Row, labels, parents

OUT = "–"
"""Inside nothing; a cell with nothing to say."""


def cell(row: Row, name: str) -> str:
    """What a cell of a column of amounts says."""
    if name in row.typed:
        return row.typed[name]
    column = BY_NAME[name]
    key = column.key(row.kind)
    if key is None:
        return OUT
    if key not in row.data:
        return KEPT if (row.kind, name) == ("loop", "times") and "until" in row.data else ""
    return column.show(row.data[key], row.kind)


def table(draft: Draft) -> list[dict[str, Any]]:
    """One record a row: name, kind, inside, after and the columns of amounts, as the table shows them."""
    homes = labels(draft.rows)
    return [
        {
            "name": row.name,
            "kind": KIND_WORDS[row.kind],
            "inside": OUT if above is None else homes.get(above, OUT),
            "after": list(row.data.get("after") or ()),
            **{column.name: cell(row, column.name) for column in COLUMNS},
        }
        for row, above in zip(draft.rows, parents(draft.rows), strict=True)
    ]


def typed(draft: Draft, key: int, name: str, value: Any) -> Draft:
    """The draft after a value was put into the cell of a column, in the row with a key.

    An amount that cannot be read stays in its cell as it was typed. Raises InputError where a row cannot go.
    """
    index = edits.index_of(draft, key)
    row = draft.rows[index]
    if name == "name":
        return edits.rename(draft, key, _text(value).strip())
    if name == "kind":
        kind = KIND_OF.get(_text(value))
        return draft if kind is None else edits.change_kind(draft, key, kind)
    if name == "inside":
        return _nested(draft, key, _text(value))
    rows = list(draft.rows)
    rows[index] = _waiting(row, value) if name == "after" else _amount(row, name, _text(value).strip())
    return replace(draft, rows=tuple(rows))


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def _nested(draft: Draft, key: int, label: str) -> Draft:
    if label in BLANK:
        return edits.nest(draft, key, None)
    home = next((index for index, known in labels(draft.rows).items() if known == label), None)
    return draft if home is None else edits.nest(draft, key, draft.rows[home].key)


def _waiting(row: Row, value: Any) -> Row:
    names = value if isinstance(value, list | tuple) else [value] if value else []
    return row.but(after=[str(name) for name in names] or None)


def _amount(row: Row, name: str, text: str) -> Row:
    if text == cell(row, name):
        return row
    left: Mapping[str, str] = {key: said for key, said in row.typed.items() if key != name}
    row = replace(row, typed=left)
    column = BY_NAME[name]
    key = column.key(row.kind)
    if text == cell(row, name):
        return row
    if key is None:
        return row if text in BLANK else replace(row, typed={**left, name: text})
    if text in BLANK:
        return row.but(**{key: None})
    try:
        value = column.read(text, row.kind)
    except CellError:
        return replace(row, typed={**left, name: text})
    # A loop that says how often it turns no longer stops by chance.
    update = {key: value} | ({"until": None} if key == "times" else {})
    return row.but(**update)
