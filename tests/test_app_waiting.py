"""Work that takes long: kept once for all, shown after a while, and given up when nobody waits. No browser."""

from __future__ import annotations

import threading
import time

import pytest
from streamlit.testing.v1 import AppTest

from agentcalc.app import waiting
from agentcalc.app.keeping import Keeping


def test_what_is_kept_is_made_once_and_the_least_used_goes_first():
    made = []
    kept = Keeping(2)

    def get(key):
        return kept.get(key, lambda: made.append(key) or key)

    assert [get(k) for k in "aab"] == ["a", "a", "b"]
    get("a")
    get("c")
    assert [kept.has(k) for k in "abc"] == [True, False, True]
    assert made == ["a", "b", "c"]


def test_two_who_ask_for_the_same_wait_for_one():
    kept, made, begun = Keeping(2), [], threading.Event()

    def make():
        begun.set()
        time.sleep(0.05)
        made.append(1)
        return len(made)

    found = []
    threads = [threading.Thread(target=lambda: found.append(kept.get("k", make))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [1, 1, 1, 1] and begun.is_set()


def test_a_failure_is_kept_by_nobody():
    kept = Keeping(2)
    with pytest.raises(ValueError):
        kept.get("k", lambda: int("x"))
    assert kept.get("k", lambda: 7) == 7


def script(seconds: float):
    import time

    import streamlit as st

    from agentcalc.app import waiting

    def cancel():
        st.session_state["cancelled"] = True

    waiting.QUIET_S, waiting.SAY_EVERY_S = 0.1, 0.02
    waiting.place(cancel)

    def work(progress):
        for now in range(4):
            time.sleep(seconds)
            progress(now, 4)
        return "found"

    for _ in range(2):
        st.write(waiting.patiently(work))


@pytest.fixture
def patience():
    before = waiting.QUIET_S, waiting.SAY_EVERY_S
    yield
    waiting.QUIET_S, waiting.SAY_EVERY_S = before


def test_short_work_says_nothing_and_long_work_twice_on_a_page_is_said(patience):
    for seconds in (0.0, 0.06):
        app = AppTest.from_function(script, args=(seconds,)).run()
        assert not app.exception
        assert [m.value for m in app.markdown] == ["found", "found"]
        assert len(app.button) == 0


def test_work_that_nobody_waits_for_stops():
    seen = []

    def work(progress):
        for now in range(1000):
            time.sleep(0.001)
            seen.append(now)
            progress(now, 1000)

    class Gone:
        """A page that a newer wish has overtaken."""

        def empty(self):
            raise KeyboardInterrupt

    waiting.st.session_state[waiting._PLACE] = Gone()
    before, waiting.SAY_EVERY_S = waiting.SAY_EVERY_S, 0.01
    try:
        with pytest.raises(KeyboardInterrupt):
            waiting.patiently(work)
        time.sleep(0.1)
        assert len(seen) < 900
    finally:
        waiting.SAY_EVERY_S = before
        del waiting.st.session_state[waiting._PLACE]


def test_work_beside_the_answer_is_given_up_alone():
    def script():
        import streamlit as st

        from agentcalc.app import waiting

        waiting.place(lambda: None)
        st.button("cancel", key="cancel", on_click=waiting._cancelled, args=(("a", 1),))
        for name in ("a", "b"):
            try:
                st.write(waiting.patiently(lambda progress, name=name: name, beside=(name, 1)))
            except waiting.GivenUp as error:
                st.write(str(error))

    app = AppTest.from_function(script).run()
    assert [m.value for m in app.markdown] == ["a", "b"]
    next(b for b in app.button if b.key == "cancel").click().run()
    assert [m.value for m in app.markdown] == ["Cancelled. Any change tries again.", "b"]
