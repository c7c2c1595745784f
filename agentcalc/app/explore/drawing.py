"""The answer on the page: sentence, controls, figure, source line, numbers."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from agentcalc.analysis.naming import names
from agentcalc.app import pictures, session
from agentcalc.app.choices import Choices
from agentcalc.app.explore import taking
from agentcalc.app.explore.asked import Asked
from agentcalc.app.explore.found import Found
from agentcalc.app.explore.questions import Question
from agentcalc.app.explore.view import PARTS
from agentcalc.app.held import held
from agentcalc.app.keeping import Keeping
from agentcalc.app.state import State
from agentcalc.app.words import esc, plain_label
from agentcalc.errors import AgentcalcError

STYLE = Path(__file__).with_name("explore.css")

_pictures = Keeping(96)
_ANSWERED = "explore_answered"


def scenario(state: State, known: Choices) -> None:
    """What every question is about, which can be changed here too."""
    systems = known.systems[state.model]
    called = dict(zip(systems, names(list(systems.values())), strict=True))
    task = known.tasks[state.task]
    label = f"For: {task.short or task.name}, {known.model_label(state.model)}"
    with st.popover(plain_label(label), icon=":material/tune:", key="explore_scenario"):
        _select("Task", "task", state, {name: task.name for name, task in known.tasks.items()})
        _select("Model", "model", state, {name: known.model_label(name) for name in known.systems})
        _select("Baseline", "baseline", state, called)
        _select("Candidate", "candidate", state, called)


def _select(label: str, part: str, state: State, options: dict[str, str]) -> None:
    key = held(f"explore_pick_{part}", getattr(state, part))
    st.selectbox(label, list(options), key=key, format_func=options.get, on_change=_picked, args=(part, key))


def _picked(part: str, key: str) -> None:
    if st.session_state[key] is not None:
        session.change(**{part: st.session_state[key]})
        if part == "model":
            session.change_parts(on=None)


def controls(question: Question, asked: Asked, *, told: bool) -> None:
    """The controls of a question. told: why there is no answer stands there already, and is not told again."""
    try:
        question.controls(asked)
    except AgentcalcError:
        if not told:
            raise


def picture(found: Found, asked: Asked) -> None:
    """The figure with what it is about, its source line, what takes it away, and its numbers."""
    figure = found.figure
    dark = pictures.dark()
    view = asked.view.view
    spec = _pictures.get((found.key, dark), lambda: figure.chart("app", dark).to_dict(validate=False))
    with st.container(key=f"figure-{view}"):
        st.html(f'<p class="ac-about">{esc(figure.subtitle)}</p>')
        st.vega_lite_chart(spec=spec, theme=None, width="stretch", key=f"chart-{view}", alt=figure.alt_text)
        with st.container(horizontal=True, key=f"under-{view}", vertical_alignment="center"):
            st.html(f'<p class="ac-source">{esc(figure.source)}</p>')
            taking.button(found, f"{asked.state.task}-{figure.kind}")
            taking.command(found.command)
        with st.expander("See the numbers", key=f"numbers-{view}", on_change="rerun") as numbers:
            if numbers.open:
                st.dataframe(figure.table, hide_index=True, width="stretch")


def answered() -> None:
    """Remember that this question has an answer on screen: what :func:`go_back` leads to."""
    session.answered()
    st.session_state[_ANSWERED] = {name: session.part(name) for name in PARTS}


def go_back() -> None:
    """Show the last question that had an answer; the first one when there was none."""
    session.go_back()
    parts = st.session_state.get(_ANSWERED, {})
    session.change_parts(**{name: parts.get(name) or None for name in PARTS})
