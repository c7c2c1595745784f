"""Figures on a page. A figure's words are HTML on the page, so that they wrap and can be read aloud."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from agentcalc.app import session
from agentcalc.app.calls import Answer, specification
from agentcalc.app.words import esc
from agentcalc.figures.figure import Figure


def dark() -> bool:
    """Whether the reader's browser shows the dark theme."""
    return st.context.theme.type == "dark"


def show(answer: Answer, figure: Figure, beside: Callable[[], None] | None = None) -> None:
    """One figure: finding, what it is about, picture, source line, and its numbers.

    beside: draws the controls that stand beside the source line.
    """
    with st.container(key=f"figure-{figure.kind}"):
        title = session.brought().title(figure.kind, figure.title)
        st.html(f'<h2 class="ac-finding">{esc(title)}</h2><p class="ac-about">{esc(figure.subtitle)}</p>')
        picture = specification(answer, figure, dark())
        st.vega_lite_chart(spec=picture, theme=None, width="stretch", key=f"chart-{figure.kind}", alt=figure.alt_text)
        source = f'<p class="ac-source">{esc(figure.source)}</p>'
        if beside:
            with st.container(horizontal=True, key=f"under-{figure.kind}", vertical_alignment="center"):
                st.html(source)
                beside()
        else:
            st.html(source)
        with st.expander("See the numbers", key=f"numbers-{figure.kind}", on_change="rerun") as numbers:
            if numbers.open:
                st.dataframe(figure.table, hide_index=True, width="stretch")


def show_rows(answer: Answer, rows: tuple[tuple[Figure, ...], ...]) -> None:
    """Figures side by side; one under the other where the page is narrow."""
    for row in rows:
        with st.container(key=f"row-{row[0].kind}"):
            for column, figure in zip(st.columns(len(row), gap="large"), row, strict=True):
                with column:
                    show(answer, figure)
