"""The step table on the page. It tells what was typed; the desk decides what it means."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from agentcalc.app.build import changes, mistakes
from agentcalc.app.build.cells import KEPT
from agentcalc.app.build.columns import COLUMNS, KEY_WORDS, KIND_WORDS
from agentcalc.app.build.desk import PICK, Desk
from agentcalc.app.build.rows import in_graph, kept_in_yaml, labels

MARK = "row"
REST = "rest"
WRONG = "▲"
STEP_IN = "\u2003"


def key(desk: Desk) -> str:
    """The name of the table that stands on the page now."""
    return f"steps-{desk.epoch}"


def take(desk: Desk) -> None:
    """Hand what was typed to the desk, before anything is drawn."""
    state = st.session_state.get(key(desk))
    if state is None:
        # The table has not been drawn yet, or was left behind on another page with what was typed into it.
        desk.left()
    else:
        desk.take(state["edited_rows"])


def show(desk: Desk) -> None:
    """The table of all steps, with a mark at rows that have a mistake."""
    rows = desk.draft.rows
    used = {row.kind for row in rows}
    shown = [column for column in COLUMNS if _wanted(column, desk, used)]
    waits = any(in_graph(rows))
    rest = any(kept_in_yaml(row) for row in rows)
    order = [MARK, PICK, "name", "kind", "inside", *(["after"] if waits else []), *(c.name for c in shown)]
    st.data_editor(
        pd.DataFrame(desk.give(_records(desk))),
        key=key(desk),
        hide_index=True,
        width="stretch",
        height="content",
        column_order=[*order, REST] if rest else order,
        column_config=_config(desk),
        num_rows="fixed",
        placeholder="",
        alt="The steps of the task, one a row",
    )


def _wanted(column, desk: Desk, used: set[str]) -> bool:
    """A column shows when a row can say something in it; a call's chance of failing only where one is said."""
    if any(column.name in row.typed for row in desk.draft.rows):
        return True
    if column.name == "chance":
        return bool(used & {"option", "retry"}) or any("failure_probability" in row.data for row in desk.draft.rows)
    return bool(used & set(column.keys))


def _records(desk: Desk) -> list[dict[str, Any]]:
    wrong = desk.checked.rows
    found = []
    for index, (row, record) in enumerate(zip(desk.draft.rows, changes.table(desk.draft), strict=True)):
        mark = f"{WRONG} " if index in wrong else ""
        said = ", ".join(KEY_WORDS.get(name, name) for name in kept_in_yaml(row))
        found.append(
            {
                MARK: f"{mark}{STEP_IN * row.depth}{index + 1}",
                PICK: row.key in desk.picked,
                **record,
                REST: f"{KEPT}: {said}" if said else "",
            }
        )
    return found


def _config(desk: Desk) -> dict[str, Any]:
    text, select = st.column_config.TextColumn, st.column_config.SelectboxColumn
    deepest = max(row.depth for row in desk.draft.rows)
    names = [row.name for row, inside in zip(desk.draft.rows, in_graph(desk.draft.rows), strict=True) if inside]
    homes = list(dict.fromkeys([changes.OUT, *labels(desk.draft.rows).values()]))
    return {
        MARK: text("", width=min(36 + 14 * deepest, 160), disabled=True, help=f"{WRONG}: a mistake"),
        PICK: st.column_config.CheckboxColumn(" ", width=32, help="Tick rows to move, copy or delete them"),
        "name": text(mistakes.TITLES["name"], width=84, help="What the step is called"),
        "kind": select(mistakes.TITLES["kind"], width=84, options=list(KIND_WORDS.values()), required=True),
        "inside": select(
            mistakes.TITLES["inside"], width=82, options=homes, required=True, help="What this row is a part of"
        ),
        "after": st.column_config.MultiselectColumn(
            mistakes.TITLES["after"],
            width=110,
            options=list(dict.fromkeys(names)),
            color="gray",
            help="Of a step in a graph: what must have ended before it starts",
        ),
        **{column.name: text(column.title, width=column.width, help=column.help) for column in COLUMNS},
        REST: text("Also", width=150, disabled=True, help="What this table has no column for: it stays as it is"),
    }
