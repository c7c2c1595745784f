"""Figures on a page, and as files. A figure's words are HTML on the page, so that they wrap and can be read aloud."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from agentcalc.app.arrangement import Arrangement
from agentcalc.app.calls import Answer, specification
from agentcalc.app.words import esc
from agentcalc.figures.figure import Figure

SIZES = {"full": "Full slide, 16:9", "half": "Half a slide", "square": "Square", "4:3": "4:3"}
KIND_WORDS = {
    "timeline": "Timeline",
    "accumulation": "Step by step",
    "components": "Where the time goes",
    "break_even": "Break-even",
    "distribution": "All runs",
}


def dark() -> bool:
    """Whether the reader's browser shows the dark theme."""
    return st.context.theme.type == "dark"


def show(answer: Answer, figure: Figure) -> None:
    """One figure: finding, what it is about, picture, source line, and its numbers."""
    with st.container(key=f"figure-{figure.kind}"):
        st.html(f'<h2 class="ac-finding">{esc(figure.title)}</h2><p class="ac-about">{esc(figure.subtitle)}</p>')
        picture = specification(answer, figure, dark())
        st.vega_lite_chart(spec=picture, theme=None, width="stretch", key=f"chart-{figure.kind}", alt=figure.alt_text)
        st.html(f'<p class="ac-source">{esc(figure.source)}</p>')
        with st.expander("See the numbers", key=f"numbers-{figure.kind}", on_change="rerun") as numbers:
            if numbers.open:
                st.dataframe(figure.table, hide_index=True, width="stretch")


def show_all(answer: Answer, arrangement: Arrangement) -> None:
    """The first figure over the whole width, the others side by side; one under the other where the page is narrow."""
    show(answer, arrangement.first)
    for row in arrangement.rows:
        with st.container(key=f"row-{row[0].kind}"):
            for column, figure in zip(st.columns(len(row), gap="large"), row, strict=True):
                with column:
                    show(answer, figure)


@st.dialog("Figures", width="medium")
def take_away(figures: Sequence[Figure], stem: str) -> None:
    """Every figure of the page as PNG, SVG and its data as CSV. stem: the start of the files' names."""
    left, right = st.columns(2)
    size = left.selectbox("Size", list(SIZES), format_func=SIZES.get, key="export_size")
    scheme = right.segmented_control("Colours", ["Light", "Dark"], default="Light", required=True, key="export_scheme")
    is_dark = scheme == "Dark"
    for figure in figures:
        name = f"{stem}-{figure.kind}"
        with st.container(border=True, key=f"export-{figure.kind}"):
            st.html(
                f"<b>{esc(KIND_WORDS.get(figure.kind, figure.kind))}</b><p class='ac-about'>{esc(figure.title)}</p>"
            )
            with st.container(horizontal=True):
                _download("PNG", figure, f"{name}.png", "image/png", lambda f=figure: _png(f, size, is_dark))
                _download("SVG", figure, f"{name}.svg", "image/svg+xml", lambda f=figure: _svg(f, size, is_dark))
                _download(
                    "Data (CSV)",
                    figure,
                    f"{name}.csv",
                    "text/csv",
                    lambda f=figure: f.table.to_csv(index=False).encode(),
                )


def _download(label: str, figure: Figure, name: str, mime: str, make) -> None:
    st.download_button(label, make, file_name=name, mime=mime, on_click="ignore", key=f"take-{figure.kind}-{mime}")


def _png(figure: Figure, size: str, is_dark: bool) -> bytes:
    from agentcalc.exports import png

    return png(figure, size, is_dark)


def _svg(figure: Figure, size: str, is_dark: bool) -> bytes:
    from agentcalc.exports import svg

    return svg(figure, size, is_dark).encode()
