"""Opening a task file of the reader's own. It is read, checked and kept for this visit only."""

from __future__ import annotations

import streamlit as st

from agentcalc.app import calls, faults, session
from agentcalc.app.options import MOST_UPLOAD_MB
from agentcalc.errors import AgentcalcError

_FILE = "own_file"


def control() -> None:
    """A button that opens a place to drop a task file."""
    with st.popover("Your own task", icon=":material/upload_file:", key="own"):
        st.file_uploader(
            "A task file, YAML or JSON",
            type=["yaml", "yml", "json"],
            key=_FILE,
            max_upload_size=MOST_UPLOAD_MB,
            on_change=_opened,
        )
        st.caption(
            "Nothing you open leaves this computer or is kept on it. A link does not carry it: send the file too."
        )


def _opened() -> None:
    file = st.session_state[_FILE]
    if file is None:
        # The file was taken away: so is what was wrong with it.
        session.forget_fault()
        return
    take(file.getvalue(), file.name)


def take(data: bytes, name: str) -> None:
    """Show the task in these bytes, or remember the lines that say what is wrong with them."""
    try:
        task = calls.checked_task(data, name)
    except AgentcalcError as error:
        session.refuse(faults.lines(error, data, name))
    else:
        session.open_task(task)
