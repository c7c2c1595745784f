"""The dialog that takes figures away: which, how large, light or dark, under what title, and as what kind of file."""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from agentcalc import exports
from agentcalc.app import clipboard, figure_style, files, scenario, session
from agentcalc.app.calls import Answer, picture_key
from agentcalc.app.commands import Drawn, figure_command
from agentcalc.app.keeping import Keeping
from agentcalc.app.state import State
from agentcalc.app.words import esc, plain_label
from agentcalc.errors import AgentcalcError
from agentcalc.figures.asked import Asked
from agentcalc.figures.asked import drawn as drawn_as
from agentcalc.figures.figure import Figure
from agentcalc.figures.kinds import LABELS
from agentcalc.figures.style import PLAIN, Style

SIZES = {"full": "Full slide, 16:9", "half": "Half a slide", "square": "Square", "4:3": "4:3"}
MORE = ("histogram", "tool_share", "race", "task_graph", "operating_points")
"""Kinds that the page does not show; each is made when it is chosen. Those of Explore's questions stand there."""
SCALES = {2: "2x, for slides", 3: "3x, for print"}
THUMBNAIL = "half"
LONGEST_TITLE = 200

_WANTED, _COPY = "figures_wanted", "figures_copy"
_pictures, _more = Keeping(64), Keeping(32)


def button(answer: Answer, figures: Sequence[Figure], state: State) -> None:
    """The button that opens the dialog."""
    if st.button("Figures", icon=":material/image:", shortcut="F", key="figures"):
        st.session_state.pop(_COPY, None)
        _dialog(answer, figures, state)


@st.dialog("Figures", width="medium", on_dismiss="rerun")
def _dialog(answer: Answer, figures: Sequence[Figure], state: State) -> None:
    usual = {"kind": figures[0].kind, "size": "full", "scheme": "Light", "scale": 2, "assumptions": False}
    wanted = st.session_state.setdefault(_WANTED, usual)
    dark, by = wanted["scheme"] == "Dark", state.statistic
    kinds = [figure.kind for figure in figures]
    chosen = wanted["kind"] if wanted["kind"] in (*kinds, *MORE) else kinds[0]
    for column, figure in zip(st.columns(len(figures), gap="small"), figures, strict=True):
        with column:
            _thumbnail(answer, titled(figure), dark, figure.kind == chosen)
    with st.container(horizontal=True, key="figure-kinds"):
        for kind in MORE:
            _kind_button(kind, kind == chosen)
    left, middle, right = st.columns([3, 2, 2], vertical_alignment="bottom")
    with left:
        _choice("Size", "size", list(SIZES), lambda label, **k: st.selectbox(label, format_func=SIZES.get, **k))
    with middle:
        _choice("Colours", "scheme", ["Light", "Dark"], partial(st.segmented_control, required=True))
    with right:
        _choice("PNG", "scale", list(SCALES), lambda label, **k: st.selectbox(label, format_func=SCALES.get, **k))
    try:
        computed = figures[kinds.index(chosen)] if chosen in kinds else _made(answer, chosen, by)
    except AgentcalcError as error:
        st.html(f'<p class="ac-small" role="alert">{esc(error)}</p>')
        return
    figure, size, scale = titled(computed), wanted["size"], wanted["scale"]
    _title(computed, figure)
    own = None if figure.title == computed.title else figure.title
    listed = _assumptions(figure)
    now = answer.now
    moves = scenario.moves_of(state, session.known())
    figure, style = figure_style.styled(figure, dark)
    drawn = Drawn(chosen, answer.run, now.n_trials, now.seed, by, size, dark, own, scale, listed, style)
    again = figure_command(state, moves, drawn)
    figure = figure.with_assumptions if listed else figure
    facts = files.facts(now, answer.run) | files.made_by(again)
    _take(figure, size, dark, scale, f"{state.task}-{chosen}", facts)
    with st.container(key="figure-preview"):
        _picture(answer, figure, size, dark, style)
    st.caption("The command that redraws it")
    st.code(again, language=None, wrap_lines=True)


def _made(answer: Answer, kind: str, by: str) -> Figure:
    """A figure that the page does not show, kept. Raises InputError where the comparison has none."""
    key = (*picture_key(answer), kind, by)
    return _more.get(key, lambda: drawn_as(kind, Asked(answer.now, answer.run, by)))


def _assumptions(figure: Figure) -> bool:
    """Whether the assumptions are listed below the source line."""
    if not figure.assumptions:
        return False
    _choice("List what it assumes below the source", "assumptions", None, lambda label, **k: st.checkbox(label, **k))
    return st.session_state[_WANTED]["assumptions"]


def titled(figure: Figure) -> Figure:
    """The figure under the reader's own title, if it has one."""
    title = session.brought().title(figure.kind, figure.title)
    return figure.titled(title)


def _choice(label: str, part: str, options: list | None, control: Callable) -> None:
    """A control whose value is remembered for the visit, also while the dialog is closed."""
    key = f"figures_{part}"
    st.session_state[key] = st.session_state[_WANTED][part]
    of = {} if options is None else {"options": options}
    control(label, key=key, on_change=_choose, args=(part, key), **of)


def _choose(part: str, key: str) -> None:
    _want(**{part: st.session_state[key]})


def _want(**update: object) -> None:
    st.session_state[_WANTED] = st.session_state[_WANTED] | update
    st.session_state.pop(_COPY, None)


def _thumbnail(answer: Answer, figure: Figure, dark: bool, chosen: bool) -> None:
    _picture(answer, figure, THUMBNAIL, dark)
    _kind_button(figure.kind, chosen, width="stretch")


def _kind_button(kind: str, chosen: bool, **how: str) -> None:
    style = "primary" if chosen else "secondary"
    st.button(LABELS[kind], key=f"choose-{kind}", type=style, on_click=_want, kwargs={"kind": kind}, **how)


def _picture(answer: Answer, figure: Figure, size: str, dark: bool, style: Style = PLAIN) -> None:
    key = (*picture_key(answer), figure.kind, figure.title, figure.source, size, dark, style)
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


def _take(figure: Figure, size: str, dark: bool, scale: int, stem: str, facts: files.Facts) -> None:
    with st.container(horizontal=True, key="figure-files"):
        files.buttons(figure, size, dark, stem, facts, lambda ending: f"take-{ending}", scale)
        st.button("Copy image", icon=":material/content_copy:", key="copy_image", on_click=_copy)
    wish = st.session_state.get(_COPY)
    if wish:
        clipboard.copy_picture(exports.png(figure, size, dark, scale), figure.alt_text, wish)


def _copy() -> None:
    number = st.session_state["copies"] = st.session_state.get("copies", 0) + 1
    st.session_state[_COPY] = number
