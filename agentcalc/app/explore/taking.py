"""The figure taken away as a file, and the command that gives its answer again."""

from __future__ import annotations

import base64
import shlex

import streamlit as st

from agentcalc import exports
from agentcalc.app import files, session
from agentcalc.app.explore.commands import Command
from agentcalc.app.explore.found import Found
from agentcalc.app.figures_dialog import LONGEST_TITLE, SIZES
from agentcalc.app.keeping import Keeping
from agentcalc.app.words import esc, plain_label
from agentcalc.errors import AgentcalcError
from agentcalc.figures.figure import Figure

_WANTED = "explore_figure"
_pictures = Keeping(48)

FILES_TOO = "It reads these files, which must lie beside it:"


def button(found: Found, stem: str) -> None:
    """The button that opens the dialog. stem: of the files' names."""
    if st.button("Figure", icon=":material/image:", shortcut="F", key="explore_figure_button"):
        _dialog(found, stem)


@st.dialog("Figure", width="medium", on_dismiss="rerun")
def _dialog(found: Found, stem: str) -> None:
    wanted = st.session_state.setdefault(_WANTED, {"size": "full", "scheme": "Light"})
    left, right = st.columns([3, 2], vertical_alignment="bottom")
    with left:
        st.session_state["explore_figure_size"] = wanted["size"]
        st.selectbox("Size", list(SIZES), key="explore_figure_size", format_func=SIZES.get, on_change=_want)
    with right:
        st.session_state["explore_figure_scheme"] = wanted["scheme"]
        st.segmented_control("Colours", ["Light", "Dark"], key="explore_figure_scheme", required=True, on_change=_want)
    figure = titled(found.figure)
    _title(found.figure, figure)
    size, dark = wanted["size"], wanted["scheme"] == "Dark"
    own = None if figure.title == found.figure.title else figure.title
    again = drawing(found.redraw, figure.kind, size, dark, own)
    facts = files.seeded() | files.made_by(again or (found.command and found.command.text))
    with st.container(horizontal=True, key="figure-files"):
        files.buttons(figure, size, dark, stem, facts, lambda ending: f"explore-take-{ending}")
    key = (found.key, figure.title, size, dark)
    try:
        drawn = _pictures.get(key, lambda: exports.svg(figure, size, dark))
    except AgentcalcError as error:
        st.html(f'<p class="ac-small">This figure could not be drawn. {esc(error)}</p>')
        return
    data = base64.b64encode(drawn.encode()).decode()
    with st.container(key="figure-preview"):
        st.html(f'<img class="ac-picture" alt="{esc(figure.alt_text)}" src="data:image/svg+xml;base64,{data}">')
    if again:
        st.caption("The command that redraws it")
        st.code(again, language=None, wrap_lines=True)


def drawing(redraw: Command | None, kind: str, size: str, dark: bool, title: str | None) -> str | None:
    """The command that draws a figure as it is shown, under a reader's own title; None where there is none."""
    if redraw is None:
        return None
    words = [*redraw.words, "--size", size, *(["--dark"] if dark else []), *(["--title", title] if title else [])]
    return shlex.join([*words, "-o", f"{kind}.png"])


def _want() -> None:
    st.session_state[_WANTED] = {part: st.session_state[f"explore_figure_{part}"] for part in ("size", "scheme")}


def titled(figure: Figure) -> Figure:
    """The figure under the reader's own title, if it has one."""
    title = session.brought().title(_kind(figure), figure.title)
    return figure.titled(title)


def _kind(figure: Figure) -> str:
    return f"explore-{figure.kind}".replace("_", "-")


def _title(computed: Figure, shown: Figure) -> None:
    st.session_state["explore_title"] = shown.title
    st.text_input("Title", key="explore_title", max_chars=LONGEST_TITLE, on_change=_retitled, args=(computed,))
    if shown.title != computed.title:
        label = f"Back to the computed title: {computed.title}"
        st.button(plain_label(label), key="explore_title_back", type="tertiary", on_click=_untitled, args=(computed,))


def _retitled(computed: Figure) -> None:
    text = "".join(c if c.isprintable() else " " for c in st.session_state["explore_title"])
    session.bring(session.brought().titled(_kind(computed), computed.title, text))


def _untitled(computed: Figure) -> None:
    session.bring(session.brought().titled(_kind(computed), computed.title, ""))


def command(found: Command | None) -> None:
    """A button that shows the command, ready to be copied, and hands out the files it reads."""
    if found is None:
        return
    with st.popover("Copy the command", icon=":material/terminal:", key="explore_command"):
        st.code(found.text, language=None, wrap_lines=True)
        if found.files:
            st.caption(FILES_TOO)
            for name, text in found.files:
                st.download_button(
                    plain_label(name), text.encode(), file_name=name, mime="text/yaml", on_click="ignore",
                    key=f"explore-file-{name}",
                )  # fmt: skip
