"""A figure of the page taken away as a file: size, colours, and what kind of file."""

from __future__ import annotations

import streamlit as st

from agentcalc import exports, spreadsheets
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
        files = (
            ("PNG", "png", "image/png", lambda: exports.png(figure, size, dark)),
            ("SVG", "svg", "image/svg+xml", lambda: exports.svg(figure, size, dark).encode()),
            ("PDF", "pdf", "application/pdf", lambda: exports.pdf(figure, size, dark)),
            ("HTML", "html", "text/html", lambda: exports.page(figure, size, dark).encode()),
            ("Data (CSV)", "csv", "text/csv", lambda: spreadsheets.table_csv(figure.table).encode()),
        )
        stem = figure.kind.replace("_", "-")
        with st.container(horizontal=True, key=f"taking-files-{name}"):
            for label, ending, mime, make in files:
                st.download_button(
                    label,
                    make,
                    file_name=f"{stem}.{ending}",
                    mime=mime,
                    on_click="ignore",
                    key=f"taking-{ending}-{name}",
                )
