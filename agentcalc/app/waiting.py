"""Work that takes long: after a while a reader sees how far it is, and may cancel it.

The work goes on in a thread of its own, so that the page hears a click meanwhile. Streamlit ends a script that a newer
wish has overtaken the next time it says something, so the script says something now and then.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import TypeVar

import streamlit as st

from agentcalc.errors import AgentcalcError

T = TypeVar("T")
Progress = Callable[[int, int], None]

QUIET_S = 2.0
"""Until then nothing is said of work that goes on."""

SAY_EVERY_S = 0.25
MOST_AT_ONCE = 2
"""Walks at once on this server: more would only slow each other down."""

_PLACE, _ON_CANCEL, _TIMES, _GIVEN_UP = "waiting_place", "waiting_cancel", "waiting_times", "given_up"
_pool = ThreadPoolExecutor(max_workers=MOST_AT_ONCE, thread_name_prefix="walk")


MOST_GIVEN_UP = 20


class Cancelled(Exception):
    """Raised inside work that nobody waits for any more."""


class GivenUp(AgentcalcError):
    """Raised in place of work that a reader did not want to wait for."""


def place(on_cancel: Callable[[], None]) -> None:
    """Keeps a place for what is said while work goes on, above everything else. Called once before a page is drawn.

    on_cancel: what to do, before the page is drawn again, when a reader does not want to wait.
    """
    st.session_state[_PLACE], st.session_state[_ON_CANCEL], st.session_state[_TIMES] = st.empty(), on_cancel, 0


def patiently(work: Callable[[Progress], T], doing: str = "Playing runs", beside: Hashable = None) -> T:
    """What ``work`` finds. It is given a function to call with how much is done and how much there is.

    doing: what it does, for the reader: "Playing runs: 4,000 of 40,000 done".
    beside: names work that stands beside the answer: cancelling it gives up it alone, for this visit, and leaves the
    answer. Raises whatever work raises, and GivenUp.
    """
    if beside is not None and beside in st.session_state.get(_GIVEN_UP, ()):
        raise GivenUp("Cancelled. Any change tries again.")
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
                _say(spot, future, done, doing, beside)
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


def _say(spot, future: Future, done: list[int], doing: str, beside: Hashable) -> None:
    # A page may wait more than once, and no two elements may have one key.
    number = st.session_state[_TIMES] = st.session_state[_TIMES] + 1
    with spot.container(key=f"waiting-{number}"):
        line = st.empty()
        st.button("Cancel", key=f"cancel-{number}", on_click=_cancelled, args=(beside,))
    while not future.done():
        now, of = done
        said = f"{doing}: {now:,} of {of:,} done" if of else doing
        line.progress(now / of if of else 0.0, text=said)
        wait([future], timeout=SAY_EVERY_S)
    spot.empty()


def _cancelled(beside: Hashable) -> None:
    if beside is None:
        st.session_state[_ON_CANCEL]()
    else:
        st.session_state[_GIVEN_UP] = (*st.session_state.get(_GIVEN_UP, ()), beside)[-MOST_GIVEN_UP:]
