"""The scenario of this visit: read from the address once, changed by controls, written back by one function.

What pages use:

    state, known = session.current(), session.known()    what is compared, and what can be chosen
    session.change(task="chat-turn", tools=0.5)          from a control's callback, before the page is drawn again
    session.open_task(task); session.add_system(system)  what the reader brings along; it travels in the link
    session.current("view", "prompt")                    a page with parts of the address of its own names them
    session.part("view", "faster"); session.change_parts(view="target")

Everything here is of one visit. Nothing is kept on the server when it ends; the address brings it all back.
"""

from __future__ import annotations

from typing import Any

import streamlit as st

from agentcalc.app import calls, link
from agentcalc.app.brought import MOST_SYSTEMS, Brought, placed, short_id
from agentcalc.app.choices import OWN, Choices
from agentcalc.app.state import LONGEST_LINK, State, start
from agentcalc.defaults import TRIALS
from agentcalc.errors import Fault, InputError
from agentcalc.system import System
from agentcalc.task import Task

_STATE, _BROUGHT, _NOTES, _ADDRESS, _FAULT = "scenario", "brought", "notes", "address", "own_fault"
_ANSWERED, _PARTS, _MINE = "answered", "page_parts", "parts_of_this_page"
_PAGE, _TOLD = "page_shown", "told"

KEYS = (_STATE, _BROUGHT, _NOTES, _ADDRESS, _FAULT, _PARTS)
"""Where all of it stands in Streamlit's session state."""

LONGEST_PART = 400


def known() -> Choices:
    """What can be chosen on this visit: the catalog, and what the reader brought along."""
    return brought().choices(calls.catalog_choices())


def current(*mine: str) -> State:
    """The scenario. An address that this visit did not write itself is read anew; a bare one keeps what is there.

    mine: names of the parts of the address that this page reads by itself, through :func:`part`. Call it first on
    every page: it settles what the rest of this module answers.
    """
    st.session_state[_MINE] = mine
    query = st.query_params.to_dict()
    before = st.session_state.get(_STATE)
    if before is None or (query and query != st.session_state.get(_ADDRESS)):
        opened = link.read(query, calls.catalog_choices(), TRIALS, mine)
        if "x" not in query and before is not None and not _fits(link.write(before, brought(), _packaged())):
            # What is too long for a link is not in the address; it is not gone for that.
            opened = link.read(query, known(), TRIALS, mine)
            opened = link.Opened(opened.state, brought(), opened.notes)
        _take(opened)
        st.session_state[_ADDRESS] = query
        # A part that another address of this page does not have is as on a first visit; other pages keep theirs.
        others = {name: value for name, value in st.session_state.get(_PARTS, {}).items() if name not in mine}
        parts = {name: str(query[name])[:LONGEST_PART] for name in mine if name in query}
        st.session_state[_PARTS] = others | parts
    elif not query:
        # Streamlit clears the address when another page is opened.
        _write()
    return st.session_state[_STATE]


def state() -> State:
    """The scenario as :func:`current` has settled it."""
    return st.session_state[_STATE]


def brought() -> Brought:
    """What the reader brought along: a task, systems, kept scenarios, titles of figures."""
    return st.session_state.get(_BROUGHT, Brought())


def notes() -> tuple[str, ...]:
    """One line for each part of the link that could not be read, until something is chosen or another page shown."""
    told = st.session_state.get(_TOLD)
    return (*((told,) if told else ()), *st.session_state.get(_NOTES, ()))


def tell(line: str) -> None:
    """One more line for the next page that is shown, beside those of the link."""
    st.session_state[_TOLD] = line
    st.session_state.pop(_PAGE, None)


def arrive(page: str) -> None:
    """What a page told of a link is not told again on another one. Called before each page is drawn."""
    if st.session_state.get(_PAGE, page) != page:
        st.session_state[_NOTES] = ()
        st.session_state.pop(_TOLD, None)
    st.session_state[_PAGE] = page


def change(**update: Any) -> None:
    """Change parts of the scenario (see ``State``); called by controls before the page is drawn again."""
    _set(st.session_state[_STATE].changed(known(), **update))


def show(state: State) -> None:
    """Show another scenario in place of this one, whole."""
    _set(state)


def bring(new: Brought) -> None:
    """Take another set of kept scenarios and titles; the reader's task and systems have functions of their own."""
    st.session_state[_BROUGHT] = new
    _write()


def open_task(task: Task) -> None:
    """Take a task of the reader's own and show it. It takes the place of the one before, and travels in the link."""
    _bring(task=task)
    change(task=OWN, run=None, target=None)


def add_system(system: System) -> tuple[str, str]:
    """Add a system of the reader's own to the choices of its model; one that names no model serves the present one.

    Returns (model, id), the parts of a scenario that choose it: ``change(model=model, candidate=id)``. Its id is
    changed where a packaged system has the same; one that the reader added under that id before is replaced. Raises
    InputError when there are too many.
    """
    ready = placed(system, _packaged(), st.session_state[_STATE].model)
    others = tuple(one for one in brought().systems if one.id != ready.id)
    if len(others) >= MOST_SYSTEMS:
        remedy = f"a scenario holds {MOST_SYSTEMS} beside the packaged ones; remove one first"
        raise InputError(Fault(ready.label, "", "there is no room for another system", remedy))
    _bring(systems=(*others, ready))
    _write()
    return ready.model, short_id(ready)


def remove_system(model: str, name: str) -> None:
    """Take a system of the reader's own out of the choices; where it was compared, the usual one is."""
    _bring(systems=tuple(one for one in brought().systems if (one.model, short_id(one)) != (model, name)))
    model = st.session_state[_STATE].model
    change(model=model if model in known().systems else known().default_model)


def open_scenario(opened: link.Opened) -> None:
    """Show what a file of a scenario holds, in place of everything there is."""
    _take(opened)
    forget_fault()
    _write()


def part(name: str, default: str = "") -> str:
    """A part of the address that belongs to this page, as text that anybody may have written."""
    return st.session_state.get(_PARTS, {}).get(name, default)


def change_parts(**update: str | None) -> None:
    """Change parts of the address that belong to this page; None or nothing takes one out."""
    parts = st.session_state.get(_PARTS, {}) | update
    st.session_state[_PARTS] = {name: str(value)[:LONGEST_PART] for name, value in parts.items() if value}
    _write()


def shared() -> dict[str, str]:
    """The parts of the address that shows all of this, however long."""
    return link.write(st.session_state[_STATE], brought(), _packaged()) | _mine()


def answered() -> None:
    """Remember that the scenario has an answer on screen: what :func:`go_back` leads to."""
    st.session_state[_ANSWERED] = st.session_state[_STATE], brought()


def go_back() -> None:
    """Show the last scenario that had an answer; the first one when there was none."""
    back = st.session_state.get(_ANSWERED) or (start(_packaged()), Brought())
    st.session_state[_BROUGHT] = back[1]
    _set(back[0])


def refuse(lines: tuple[str, ...]) -> None:
    """Show lines in place of the answer until something is chosen: what is wrong with a file that was opened."""
    st.session_state[_FAULT] = lines


def fault() -> tuple[str, ...]:
    """What is wrong with the file that was opened last; empty when nothing is."""
    return st.session_state.get(_FAULT, ())


def forget_fault() -> None:
    st.session_state.pop(_FAULT, None)


def _packaged() -> Choices:
    return calls.catalog_choices()


def _bring(**update: Any) -> None:
    st.session_state[_BROUGHT] = brought().model_copy(update=update)


def _take(opened: link.Opened) -> None:
    st.session_state[_STATE], st.session_state[_BROUGHT] = opened.state, opened.brought
    st.session_state[_NOTES] = opened.notes


def _set(state: State) -> None:
    st.session_state[_STATE], st.session_state[_NOTES] = state, ()
    st.session_state.pop(_TOLD, None)
    forget_fault()
    _write()


def _mine() -> dict[str, str]:
    parts = st.session_state.get(_PARTS, {})
    return {name: parts[name] for name in st.session_state.get(_MINE, ()) if name in parts}


def _fits(query: dict[str, str]) -> bool:
    return link.length(query) <= LONGEST_LINK


def _write() -> None:
    """The one place that writes the address. What is too long for one stays out of it, and goes as a file."""
    query = shared()
    if not _fits(query):
        query.pop("x", None)
    st.session_state[_ADDRESS] = query
    if st.query_params.to_dict() != query:
        st.query_params.from_dict(query)
