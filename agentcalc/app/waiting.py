"""Work that takes long: after a while a reader sees how far it is, and may cancel it.

The work goes on in a thread of its own, so that the page hears a click meanwhile. Streamlit ends a script that a newer
wish has overtaken the next time it says something, so the script says something now and then.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import TypeVar

import streamlit as st

T = TypeVar("T")
Progress = Callable[[int, int], None]

QUIET_S = 2.0
"""Until then nothing is said of work that goes on."""

SAY_EVERY_S = 0.25
MOST_AT_ONCE = 2
"""Walks at once on this server: more would only slow each other down."""

_PLACE, _ON_CANCEL, _TIMES = "waiting_place", "waiting_cancel", "waiting_times"
_pool = ThreadPoolExecutor(max_workers=MOST_AT_ONCE, thread_name_prefix="walk")


class Cancelled(Exception):
    """Raised inside work that nobody waits for any more."""


def place(on_cancel: Callable[[], None]) -> None:
    """Keeps a place for what is said while work goes on, above everything else. Called once before a page is drawn.

    on_cancel: what to do, before the page is drawn again, when a reader does not want to wait.
    """
    st.session_state[_PLACE], st.session_state[_ON_CANCEL], st.session_state[_TIMES] = st.empty(), on_cancel, 0


def patiently(work: Callable[[Progress], T]) -> T:
    """What ``work`` finds. It is given a function to call with how much is done and how much there is.

    Raises whatever work raises.
    """
    done = [0, 0]
    dropped = threading.Event()

    def progress(now: int, of: int) -> None:
        done[:] = now, of
        if dropped.is_set():
            raise Cancelled

    future = _pool.submit(work, progress)
    spot = st.session_state.get(_PLACE)
    finished = False
    try:
        if spot is not None:
            _quietly(spot, future)
            if not future.done():
                _say(spot, future, done)
        found = future.result()
        finished = True
        return found
    finally:
        if not finished:
            dropped.set()
            future.cancel()


def _quietly(spot, future: Future) -> None:
    for _ in range(round(QUIET_S / SAY_EVERY_S)):
        wait([future], timeout=SAY_EVERY_S)
        if future.done():
            return
        spot.empty()


def _say(spot, future: Future, done: list[int]) -> None:
    # A page may wait more than once, and no two elements may have one key.
    number = st.session_state[_TIMES] = st.session_state[_TIMES] + 1
    with spot.container(key=f"waiting-{number}"):
        line = st.empty()
        st.button("Cancel", key=f"cancel-{number}", on_click=st.session_state[_ON_CANCEL])
    while not future.done():
        now, of = done
        said = f"Playing runs: {now:,} of {of:,} done" if of else "Playing runs"
        line.progress(now / of if of else 0.0, text=said)
        wait([future], timeout=SAY_EVERY_S)
    spot.empty()
