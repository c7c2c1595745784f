"""A system becomes the baseline or the candidate of the scenario, and Compare shows it."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from agentcalc.app import session
from agentcalc.app.options import pages_folder
from agentcalc.system import System
from agentcalc.task import Task

Side = Literal["baseline", "candidate"]


def choose(model: str, name: str, side: Side) -> None:
    """Compare a system that can be chosen; one that is on the other side already changes sides with it."""
    if session.state().model != model:
        # Another model brings its own pair; only then is there something to take the place of.
        session.change(model=model)
    state = session.state()
    other = "candidate" if side == "baseline" else "baseline"
    update = {side: name}
    if getattr(state, other) == name:
        update[other] = getattr(state, side)
    session.change(**update)


def add(system: System, side: Side) -> None:
    """Compare a system of the reader's own. Raises InputError when there is no room for another."""
    choose(*session.add_system(system), side)


def show(page: str = "compare") -> None:
    """Go to another page with the scenario as it is now."""
    # What of the address belongs to this page stays behind.
    session.current()
    session.change_parts()
    st.switch_page(pages_folder() / f"{page}.py", query_params=st.query_params.to_dict())


def open_task(task: Task, page: str) -> None:
    """Show a task on Compare, or open it to be built on."""
    session.open_task(task)
    if page == "build":
        from agentcalc.app.build import parts

        parts.desk(session.state(), session.known()).open(task, keep=True)
    show(page)
