"""Keys of the page right after the pointer was used: where Streamlit leaves the focus in a control, they would rest."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

JS = Path(__file__).with_name("focus.js")


def place() -> None:
    """Called once on every page."""
    with st.container(key="page_focus"):
        _component()(key="page-focus")


@st.cache_resource(show_spinner=False)
def _component() -> Callable[..., Any]:
    return st.components.v2.component(
        "agentcalc_focus", html="<span hidden></span>", js=JS.read_text("utf-8"), isolate_styles=False
    )
