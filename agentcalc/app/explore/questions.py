"""The questions in order, and the switch between them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from agentcalc.app import session
from agentcalc.app.explore import agents, day, deadline, faster, matters, target, two, waits
from agentcalc.app.explore.asked import Asked
from agentcalc.app.explore.found import Found
from agentcalc.app.explore.view import FIRST, VIEWS
from agentcalc.app.held import held


@dataclass(frozen=True)
class Question:
    """find: works out the answer, and raises AgentcalcError where there is none; controls: draws what it depends on."""

    find: Callable[[Asked], Found]
    controls: Callable[[Asked], None]


ROOMS = {
    "faster": faster,
    "target": target,
    "matters": matters,
    "two": two,
    "deadline": deadline,
    "waits": waits,
    "agents": agents,
    "day": day,
}
QUESTIONS = {name: Question(ROOMS[name].find, ROOMS[name].controls) for name in VIEWS}


def switch(view: str) -> None:
    """All questions side by side; Tab leads to them and arrows from one to the next."""
    key = held("explore_view", view)
    st.segmented_control(
        "Question", list(VIEWS), key=key, format_func=VIEWS.get, required=True, on_change=_switched, args=(key,),
        label_visibility="collapsed",
        wrap=True,
    )  # fmt: skip


def _switched(key: str) -> None:
    view = st.session_state[key]
    session.change_parts(view=None if view == FIRST else view)
