"""Controls that write to the address, so that none keeps a value of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from agentcalc.app import session
from agentcalc.app.held import held
from agentcalc.app.state import BY_LABEL, State
from agentcalc.app.words import plain_label

_REFUSED = "explore_refused"


def statistic(state: State) -> None:
    """Typical, average or slow runs."""
    key = held("explore_by", state.by)
    st.segmented_control(
        "Of all runs", list(BY_LABEL), key=key, format_func=BY_LABEL.get, required=True, on_change=_by, args=(key,)
    )


def _by(key: str) -> None:
    session.change(by=st.session_state[key])


def switch(label: str, part: str, options: Mapping[str, str], value: str, usual: str) -> None:
    """A few choices side by side."""
    key = held(f"explore_{part}", value)
    st.segmented_control(
        label, list(options), key=key, format_func=options.get, required=True, on_change=_put, args=(key, part, usual)
    )


def choose(label: str, part: str, options: Mapping[str, str], value: str, usual: str, width: int = 230) -> None:
    """One of many choices."""
    key = held(f"explore_{part}", value)
    st.selectbox(
        label, list(options), key=key, format_func=options.get, width=width, on_change=_put, args=(key, part, usual)
    )


def toggle(label: str, part: str, on: bool, help_text: str) -> None:
    """On or off."""
    key = held(f"explore_{part}", on)
    st.toggle(label, key=key, help=help_text, on_change=_toggled, args=(key, part))


def _put(key: str, part: str, usual: str) -> None:
    value = st.session_state[key]
    session.change_parts(**{part: None if value == usual else value})


def _toggled(key: str, part: str) -> None:
    session.change_parts(**{part: "1" if st.session_state[key] else None})


def number(
    label: str, key: str, value: float | int, least: float | int, most: float | int, changed: Callable[[], None],
    help_text: str | None = None,
) -> None:  # fmt: skip
    """A number to type; whole where ``least`` is."""
    whole = isinstance(least, int)
    st.session_state[key] = int(value) if whole else float(value)
    st.number_input(
        plain_label(label), min_value=least, max_value=most, key=key, step=1 if whole else None,
        format="%d" if whole else "%g", width=190, on_change=changed, help=help_text,
    )  # fmt: skip


def refuse(line: str) -> None:
    """Keep a line about what was typed last, to be shown once."""
    st.session_state[_REFUSED] = line


def refused() -> tuple[str, ...]:
    """What could not be taken of what was typed last."""
    line = st.session_state.pop(_REFUSED, "")
    return (line,) if line else ()
