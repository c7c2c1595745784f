"""A template of the reader's own for the slides: opened, checked, kept for this visit."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from agentcalc.app.words import esc, plain_label
from agentcalc.errors import AgentcalcError
from agentcalc.exports import template
from agentcalc.exports.stage import Stage

MOST_MB = 20
_KEPT, _FILE, _WRONG = "present_template", "present_template_file", "present_template_wrong"


@dataclass(frozen=True)
class Own:
    """The file, and what tells it from another."""

    name: str
    data: bytes
    digest: str


def own() -> Own | None:
    """The reader's template, if there is one."""
    return st.session_state.get(_KEPT)


def stage() -> Stage | None:
    """What slides are made on: the reader's template, on its own background, or None for plain ones."""
    kept = own()
    return template.opened(kept.data, kept.name) if kept else None


def control(changed: Callable[[], None]) -> None:
    """A button that opens a place for a template, after what was wrong with the last; changed: called when slides are
    to be made on another.
    """
    kept = own()
    if wrong := st.session_state.get(_WRONG):
        st.html(f'<p class="pr-said" role="alert">{esc(wrong)}</p>')
    with st.popover("Template", icon=":material/style:", key="pr_template"):
        st.file_uploader(
            "Make the slides in a template of your own",
            type=[ending.removeprefix(".") for ending in template.ENDINGS],
            key=_FILE,
            max_upload_size=MOST_MB,
            on_change=_opened,
            args=(changed,),
        )
        if kept:
            st.button("Plain slides again", key="pr_template_none", on_click=_plain, args=(changed,))
        told = f"Slides are made in {kept.name}." if kept else "Its layouts, fonts and background are used."
        st.caption(plain_label(f"{told} Its own slides are left out; it is kept for this visit alone."))


def _plain(changed: Callable[[], None]) -> None:
    st.session_state.pop(_KEPT, None)
    changed()


def _opened(changed: Callable[[], None]) -> None:
    file = st.session_state[_FILE]
    st.session_state.pop(_WRONG, None)
    before = st.session_state.pop(_KEPT, None)
    if file is not None:
        data = file.getvalue()
        try:
            template.opened(data, file.name)
        except AgentcalcError as error:
            st.session_state[_WRONG] = str(error)
        else:
            st.session_state[_KEPT] = Own(file.name, data, hashlib.sha256(data).hexdigest())
    if st.session_state.get(_KEPT) != before:
        changed()
