"""Copying to the clipboard: the browser does it, and says whether it was allowed."""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

JS = Path(__file__).with_name("clipboard.js")
BY_HAND = "Press Ctrl+C."
NO_PICTURES = "This browser does not let pages copy pictures. Right-click the picture and choose Copy."


def copy_address(query: str, done: str, wish: int) -> None:
    """Copies this page's address with these parts ("?by=slow"). wish: another number each time it is wanted."""
    data = {"query": query, "done": done, "refused": BY_HAND, "label": "The link", "wish": wish}
    _component()(key="copied-address", data=data)


def copy_picture(png: bytes, alt: str, wish: int) -> None:
    """Copies a picture; alt: what it shows, for where the browser refuses and it is shown instead."""
    data = {"picture": base64.b64encode(png).decode(), "alt": alt, "refused": NO_PICTURES, "wish": wish}
    _component()(key="copied-picture", data=data | {"done": "The picture is copied."})


@st.cache_resource(show_spinner=False)
def _component() -> Callable[..., Any]:
    return st.components.v2.component(
        "agentcalc_clipboard",
        html='<div class="ac-copied" role="status"></div>',
        js=JS.read_text("utf-8"),
        isolate_styles=False,
    )
