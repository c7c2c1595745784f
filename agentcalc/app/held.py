"""Controls that show what the program holds, and are never taken for a choice that nobody made.

A browser sends the values of all controls with each click. Where a run of the page is overtaken by the next click, what
it set may never reach the browser, which then sends the value before it: Streamlit takes that for a choice. A control
whose value the program changed is therefore another control, under a new key; what comes for the old one is not heard.
"""

from __future__ import annotations

from typing import Any

import streamlit as st


def held(name: str, value: Any) -> str:
    """The key of a control that shows ``value``: its name, with a number before it once the program changed it."""
    times = f"times_{name}"
    key = _key(name, st.session_state.get(times, 0))
    if key in st.session_state and st.session_state[key] != value:
        st.session_state[times] = st.session_state.get(times, 0) + 1
        key = _key(name, st.session_state[times])
    st.session_state[key] = value
    return key


def _key(name: str, times: int) -> str:
    return f"again{times}-{name}" if times else name
