"""The dialog that takes figures away: which, how large, light or dark, under what title, and as what kind of file."""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from agentcalc import exports
from agentcalc.app import clipboard, files, scenario, session
from agentcalc.app.calls import Answer, picture_key
from agentcalc.app.commands import figure_command
from agentcalc.app.keeping import Keeping
from agentcalc.app.state import State
from agentcalc.app.words import esc, plain_label
from agentcalc.errors import AgentcalcError
from agentcalc.figures.figure import Figure

SIZES = {"full": "Full slide, 16:9", "half": "Half a slide", "square": "Square", "4:3": "4:3"}
KIND_WORDS = {
    "timeline": "Timeline",
    "accumulation": "Step by step",
    "components": "Where the time goes",
    "break_even": "Break-even",
    "distribution": "All runs",
}
THUMBNAIL = "half"
LONGEST_TITLE = 200

_WANTED, _COPY = "figures_wanted", "figures_copy"
_pictures = Keeping(64)


def button(answer: Answer, figures: Sequence[Figure], state: State) -> None:
    """The button that opens the dialog."""
    if st.button("Figures", icon=":material/image:", shortcut="F", key="figures"):
        st.session_state.pop(_COPY, None)
        _dialog(answer, figures, state)


@st.dialog("Figures", width="medium", on_dismiss="rerun")
def _dialog(answer: Answer, figures: Sequence[Figure], state: State) -> None:
    wanted = st.session_state.setdefault(_WANTED, {"kind": figures[0].kind, "size": "full", "scheme": "Light"})
    dark = wanted["scheme"] == "Dark"
    shown = [titled(figure) for figure in figures]
    chosen = next((i for i, figure in enumerate(figures) if figure.kind == wanted["kind"]), 0)
    for column, figure in zip(st.columns(len(shown), gap="small"), shown, strict=True):
        with column:
            _thumbnail(answer, figure, dark, figure is shown[chosen])
    left, right = st.columns([3, 2], vertical_alignment="bottom")
    with left:
        _choice("Size", "size", list(SIZES), lambda label, **k: st.selectbox(label, format_func=SIZES.get, **k))
    with right:
        _choice("Colours", "scheme", ["Light", "Dark"], partial(st.segmented_control, required=True))
    _title(figures[chosen], shown[chosen])
    figure, size = shown[chosen], wanted["size"]
    title = None if figure.title == figures[chosen].title else figure.title
    now = answer.now
    moves = scenario.moves_of(state, session.known())
    again = figure_command(state, moves, figure.kind, answer.run, now.n_trials, now.seed, size, dark, title)
    _take(figure, size, dark, f"{state.task}-{figure.kind}", files.facts(now, answer.run) | files.made_by(again))
    with st.container(key="figure-preview"):
        _picture(answer, figure, size, dark)
    st.caption("The command that redraws it")
    st.code(again, language=None, wrap_lines=True)


def titled(figure: Figure) -> Figure:
    """The figure under the reader's own title, if it has one."""
    title = session.brought().title(figure.kind, figure.title)
    return replace(figure, title=title, alt_text=figure.alt_text.replace(figure.title, title, 1))


def _choice(label: str, part: str, options: list[str], control: Callable) -> None:
    """A control whose value is remembered for the visit, also while the dialog is closed."""
    key = f"figures_{part}"
    st.session_state[key] = st.session_state[_WANTED][part]
    control(label, options=options, key=key, on_change=_choose, args=(part, key))


def _choose(part: str, key: str) -> None:
    _want(**{part: st.session_state[key]})


def _want(**update: str) -> None:
    st.session_state[_WANTED] = st.session_state[_WANTED] | update
    st.session_state.pop(_COPY, None)


def _thumbnail(answer: Answer, figure: Figure, dark: bool, chosen: bool) -> None:
    _picture(answer, figure, THUMBNAIL, dark)
    st.button(
        KIND_WORDS.get(figure.kind, figure.kind),
        key=f"choose-{figure.kind}",
        type="primary" if chosen else "secondary",
        width="stretch",
        on_click=_want,
        kwargs={"kind": figure.kind},
    )


def _picture(answer: Answer, figure: Figure, size: str, dark: bool) -> None:
    key = (*picture_key(answer), figure.kind, figure.title, size, dark)
    try:
        drawn = _pictures.get(key, lambda: exports.svg(figure, size, dark))
    except AgentcalcError as error:
        st.html(f'<p class="ac-small">This figure could not be drawn. {esc(error)}</p>')
        return
    data = base64.b64encode(drawn.encode()).decode()
    st.html(f'<img class="ac-picture" alt="{esc(figure.alt_text)}" src="data:image/svg+xml;base64,{data}">')


def _title(computed: Figure, shown: Figure) -> None:
    key = f"title-{computed.kind}"
    st.session_state[key] = shown.title
    st.text_input("Title", key=key, max_chars=LONGEST_TITLE, on_change=_retitled, args=(computed, key))
    if shown.title != computed.title:
        label = f"Back to the computed title: {computed.title}"
        st.button(plain_label(label), key="title-back", type="tertiary", on_click=_untitled, args=(computed,))


def _retitled(computed: Figure, key: str) -> None:
    text = "".join(c if c.isprintable() else " " for c in st.session_state[key])
    session.bring(session.brought().titled(computed.kind, computed.title, text))


def _untitled(computed: Figure) -> None:
    session.bring(session.brought().titled(computed.kind, computed.title, ""))


def _take(figure: Figure, size: str, dark: bool, stem: str, facts: files.Facts) -> None:
    with st.container(horizontal=True, key="figure-files"):
        files.buttons(figure, size, dark, stem, facts, lambda ending: f"take-{ending}")
        st.button("Copy image", icon=":material/content_copy:", key="copy_image", on_click=_copy)
    wish = st.session_state.get(_COPY)
    if wish:
        clipboard.copy_picture(exports.png(figure, size, dark), figure.alt_text, wish)


def _copy() -> None:
    number = st.session_state["copies"] = st.session_state.get("copies", 0) + 1
    st.session_state[_COPY] = number
