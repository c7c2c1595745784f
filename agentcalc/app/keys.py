"""The keys that pages answer to, and the list of them."""

from __future__ import annotations

import streamlit as st

from agentcalc.app.words import esc

KEYS = (
    ("P", "Watch the race, and back to the answer"),
    ("L", "Copy the link to all of this"),
    ("F", "Figures: take them away as files"),
    ("W", "What if: move what matters most"),
    ("K", "Keep this scenario beside others"),
    ("S", "Swap baseline and candidate"),
    ("N", "Another run"),
    ("Z, Y", "Build: undo, redo"),
    ("F2, Enter", "Build: write in the chosen cell"),
    ("Ctrl+Enter", "Build: use in Compare, also from the table; in YAML and in a cell: take what was written"),
    ("← →", "Present: slide by slide. The race: a little back and on"),
    ("Home, End", "Present: first and last slide"),
    ("D, B", "Present: dark or light; black until the next key"),
    ("Esc", "Present: back to the answer"),
    ("Space", "The race: play and pause"),
    ("H", "This list"),
)


def button() -> None:
    """The button that opens the list."""
    if st.button("Keys", icon=":material/keyboard:", shortcut="H", key="keys"):
        _list()


@st.dialog("Keys")
def _list() -> None:
    rows = "".join(f"<dt><kbd>{esc(key)}</kbd></dt><dd>{esc(what)}</dd>" for key, what in KEYS)
    st.html(f'<dl class="ac-keys">{rows}</dl><p class="ac-small">They rest while a field is in use.</p>')
