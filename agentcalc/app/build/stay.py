"""Typing into Streamlit's table: the field of a cell is there at once, and keeps the focus while it is open."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

JS = Path(__file__).with_name("stay.js")
SERVED = Path(st.__file__).parent / "static" / "static" / "js"


def place() -> None:
    """Called once on the page that has a table to type into."""
    with st.container(key="build_stay"):
        _component()(key="build-stay", data={"fields": _fields()})


@st.cache_resource(show_spinner=False)
def _fields() -> list[str]:
    """The files that Streamlit's page loads when a cell is first edited; none where it loads them with the table."""
    return sorted(path.name for path in SERVED.glob("data-grid-overlay-editor.*.js"))


@st.cache_resource(show_spinner=False)
def _component() -> Callable[..., Any]:
    return st.components.v2.component(
        "agentcalc_stay", html="<span hidden></span>", js=JS.read_text("utf-8"), isolate_styles=False
    )
