"""Opening a file of the reader's own, and saving the scenario as one. A file is read, checked and kept for this visit.

A task is shown, a system is compared as the candidate, a scenario takes the place of everything on screen.
"""

from __future__ import annotations

from functools import partial

import streamlit as st

from agentcalc import catalog, documents
from agentcalc.app import calls, faults, link, session
from agentcalc.app.options import MOST_UPLOAD_MB
from agentcalc.defaults import TRIALS
from agentcalc.errors import AgentcalcError

_FILE = "own_file"
SAVED_AS = "agentcalc-scenario.json"


def control() -> None:
    """A button that opens a place to drop a file, and to save what is on screen as one."""
    with st.popover("File", icon=":material/folder_open:", key="own"):
        st.file_uploader(
            "Open a task, a system or a scenario (YAML or JSON)",
            type=["yaml", "yml", "json"],
            key=_FILE,
            max_upload_size=MOST_UPLOAD_MB,
            on_change=_opened,
        )
        save_button("save_scenario")
        st.caption("Nothing you open leaves this computer or is kept on it. Copy link carries all of it.")


def save_button(key: str) -> None:
    """Saves the whole scenario as a file, which may be longer than any link. key: the button's own."""
    st.download_button(
        "Save this scenario as a file",
        # Made when it is wanted, of what is on screen now.
        partial(link.to_file, session.state(), session.brought(), calls.catalog_choices()),
        file_name=SAVED_AS,
        mime="application/json",
        on_click="ignore",
        key=key,
        icon=":material/save:",
    )


def _opened() -> None:
    file = st.session_state[_FILE]
    if file is None:
        # The file was taken away: so is what was wrong with it.
        session.forget_fault()
        return
    take(file.getvalue(), file.name)


def take(data: bytes, name: str) -> None:
    """Show what is in these bytes, or remember the lines that say what is wrong with them."""
    try:
        _take(data, name)
    except AgentcalcError as error:
        session.refuse(faults.lines(error))


def _take(data: bytes, name: str) -> None:
    values = documents.load(data, where=name)
    if link.is_scenario(values):
        session.open_scenario(link.from_file(values, name, calls.catalog_choices(), TRIALS))
    elif documents.kind_of(values) == "system":
        model, system = session.add_system(catalog.load_single(data, where=name))
        session.change(model=model, candidate=system)
    else:
        session.open_task(calls.checked_task(data, name))
