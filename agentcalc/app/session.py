"""The scenario of this visit: read from the address once, changed by controls, written back by one function."""

from __future__ import annotations

from typing import Any

import streamlit as st

from agentcalc.app import calls
from agentcalc.app.choices import OWN, Choices
from agentcalc.app.state import State, from_query, to_query
from agentcalc.defaults import TRIALS
from agentcalc.task import Task

_STATE, _NOTES, _ADDRESS, _OWN_TASK, _FAULT = "scenario", "notes", "address", "own_task", "own_fault"


def known() -> Choices:
    """What can be chosen on this visit: the catalog, and the reader's own task if one was opened."""
    return calls.catalog_choices().with_own(st.session_state.get(_OWN_TASK))


def current() -> State:
    """The scenario. An address that this visit did not write itself is read anew; a bare one keeps what is there."""
    query = st.query_params.to_dict()
    state = st.session_state.get(_STATE)
    if state is None or (query and query != st.session_state.get(_ADDRESS)):
        state, st.session_state[_NOTES] = from_query(query, known(), TRIALS)
        st.session_state[_STATE], st.session_state[_ADDRESS] = state, query
    elif not query:
        # Streamlit clears the address when another page is opened.
        _write(state)
    return state


def notes() -> tuple[str, ...]:
    """One line for each part of the link that could not be read, until something is chosen."""
    return st.session_state.get(_NOTES, ())


def change(**update: Any) -> None:
    """Change parts of the scenario; called by controls before the page is drawn again."""
    state = st.session_state[_STATE].changed(known(), **update)
    st.session_state[_STATE], st.session_state[_NOTES] = state, ()
    forget_fault()
    _write(state)


def open_task(task: Task) -> None:
    """Take a task of the reader's own, for this visit only, and show it."""
    st.session_state[_OWN_TASK] = task
    change(task=OWN, run=None)


def refuse(lines: tuple[str, ...]) -> None:
    """Show lines in place of the answer until something is chosen: what is wrong with a file that was opened."""
    st.session_state[_FAULT] = lines


def fault() -> tuple[str, ...]:
    """What is wrong with the file that was opened last; empty when nothing is."""
    return st.session_state.get(_FAULT, ())


def forget_fault() -> None:
    st.session_state.pop(_FAULT, None)


def _write(state: State) -> None:
    """The one place that writes the address."""
    query = to_query(state, known())
    st.session_state[_ADDRESS] = query
    if st.query_params.to_dict() != query:
        st.query_params.from_dict(query)
