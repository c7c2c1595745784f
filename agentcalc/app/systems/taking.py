"""A figure of the page taken away as a file: size, colours, and what kind of file."""

from __future__ import annotations

import streamlit as st

from agentcalc.app import files
from agentcalc.app.figures_dialog import SIZES
from agentcalc.figures.figure import Figure


def popover(figure: Figure, name: str) -> None:
    """A button that opens the choice; each file is made when it is wanted. name: tells the figure from others here."""
    with st.popover("Take this figure", icon=":material/image:", key=f"taking-{name}", on_change="rerun") as opened:
        if not opened.open:
            return
        size = st.selectbox("Size", list(SIZES), key=f"taking-size-{name}", format_func=SIZES.get)
        scheme = st.segmented_control(
            "Colours", ["Light", "Dark"], default="Light", key=f"taking-scheme-{name}", required=True
        )
        dark = scheme == "Dark"
        with st.container(horizontal=True, key=f"taking-files-{name}"):
            files.buttons(
                figure, size, dark, figure.kind.replace("_", "-"), {}, lambda ending: f"taking-{ending}-{name}"
            )
