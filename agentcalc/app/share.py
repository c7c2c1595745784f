"""Copy link: the whole scenario as an address, or as a file when it is too long for one."""

from __future__ import annotations

from urllib.parse import urlencode

import streamlit as st

from agentcalc.app import clipboard, opening, session
from agentcalc.app.link import LONG_LINK, length
from agentcalc.app.state import LONGEST_LINK
from agentcalc.units import show_count

COPIED = "Copied. Whoever opens it sees these numbers."
LONG = "It is a long link: some chat programs cut it."
TOO_LONG = "This scenario takes {n} characters as a link, and browsers and servers stop at fewer. Send it as a file."

_WISH = "copy_wish"


def button() -> None:
    """The button; what came of it is said by :func:`outcome`."""
    st.button("Copy link", icon=":material/link:", shortcut="L", key="copy_link", on_click=_wanted)


def outcome() -> None:
    """What became of the last wish for a link, until something else is on screen."""
    number, query = st.session_state.get(_WISH, (0, None))
    if query is None or query != session.shared():
        return
    with st.container(key="copied"):
        if length(query) > LONGEST_LINK:
            st.html(f'<p class="ac-small" role="status">{TOO_LONG.format(n=show_count(length(query)))}</p>')
            opening.save_button("save_instead")
        else:
            said = f"{COPIED} {LONG}" if length(query) > LONG_LINK else COPIED
            clipboard.copy_address(f"?{urlencode(query)}" if query else "", said, number)


def _wanted() -> None:
    number, _ = st.session_state.get(_WISH, (0, None))
    st.session_state[_WISH] = number + 1, session.shared()
