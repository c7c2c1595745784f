"""An address that Streamlit leaves out before any page sees it: the browser tells the page, and the page its reader."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

from agentcalc.app import link, session
from agentcalc.app.state import LONGEST_LINK

JS = Path(__file__).with_name("unread.js")
MOST_PARTS = 1_000
"""Parts of an address from which on Streamlit leaves all of them out; so it does beyond 512 Ki characters."""


def place() -> None:
    """Called once on every page. What reached the page is read, and told, by :mod:`agentcalc.app.link`."""
    if st.query_params:
        return
    with st.container(key="page_unread"):
        _component()(
            key="page-unread", data={"parts": MOST_PARTS, "characters": LONGEST_LINK}, on_unread_change=_unread
        )


def _unread() -> None:
    session.tell(link.TOO_LONG)


@st.cache_resource(show_spinner=False)
def _component() -> Callable[..., Any]:
    return st.components.v2.component(
        "agentcalc_unread", html="<span hidden></span>", js=JS.read_text("utf-8"), isolate_styles=False
    )
