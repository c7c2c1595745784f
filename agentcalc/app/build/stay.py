"""The focus stays in the field of a cell while it is open: Streamlit's table would take it back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

JS = Path(__file__).with_name("stay.js")


def place() -> None:
    """Called once on the page that has a table to type into."""
    with st.container(key="build_stay"):
        _component()(key="build-stay")


@st.cache_resource(show_spinner=False)
def _component() -> Callable[..., Any]:
    return st.components.v2.component(
        "agentcalc_stay", html="<span hidden></span>", js=JS.read_text("utf-8"), isolate_styles=False
    )
