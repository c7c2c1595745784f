"""Processes that play for the app: they find what the app would, and nothing is lost when one ends."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from agentcalc import catalog
from agentcalc.app import calls, runs, workers
from agentcalc.app.keeping import Keeping
from agentcalc.app.state import start
from agentcalc.defaults import TRIALS as TRIALS_OF_PAGES

KNOWN = calls.catalog_choices()
SYSTEMS = tuple(catalog.systems()[f"{name}/deepseek-r1"] for name in ("gb300", "jalapeno"))
TRIALS = 500
TASK = catalog.tasks()["chat-turn"]


def until(true, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.fixture(scope="module")
def pool() -> Iterator[workers.Workers]:
    found = workers.Workers(1)
    until(lambda: found.ready)
    yield found
    found.end()
    assert not found.ready


def test_a_worker_finds_what_the_app_finds(pool):
    task = catalog.tasks()["approvals"]
    here, there = runs.played(task, SYSTEMS, TRIALS), pool.play(task, SYSTEMS, TRIALS)
    assert here.to_dict() == there.to_dict()
    np.testing.assert_array_equal(here.task_seconds, there.task_seconds)
    pd.testing.assert_frame_equal(here.timeline(7), there.timeline(7))
    assert here.ordinary_trial() == there.ordinary_trial()


def test_what_fails_is_left_to_the_app_and_the_worker_goes_on(pool):
    with pytest.raises(workers.Unavailable):
        pool.play(TASK, (), TRIALS)
    assert pool.play(TASK, SYSTEMS, TRIALS).n_trials == TRIALS


def test_a_worker_that_ended_is_replaced(pool, caplog):
    worker = pool._idle.get()
    worker.process.kill()
    worker.process.wait()
    pool._idle.put(worker)
    with pytest.raises(workers.Unavailable):
        pool.play(TASK, SYSTEMS, TRIALS)
    assert "another one takes its place" in caplog.text
    until(lambda: pool.ready)
    assert pool.play(TASK, SYSTEMS, TRIALS).n_trials == TRIALS


def test_a_worker_that_hangs_is_ended_and_replaced(pool, caplog, monkeypatch):
    monkeypatch.setattr(workers, "PLAY_S", 0.3)
    worker = pool._idle.get()
    worker.process.send_signal(signal.SIGSTOP)
    pool._idle.put(worker)
    with pytest.raises(workers.Unavailable):
        pool.play(TASK, SYSTEMS, TRIALS)
    assert worker.process.poll() is not None and "another one takes its place" in caplog.text
    monkeypatch.undo()
    until(lambda: pool.ready)
    assert pool.play(TASK, SYSTEMS, TRIALS).n_trials == TRIALS


def test_one_that_did_not_start_is_tried_again_later(monkeypatch, caplog):
    monkeypatch.setattr(workers, "START_S", 0.05)
    found = workers.Workers(1)
    until(lambda: "no worker could be started" in caplog.text and found._missing == 1)
    monkeypatch.undo()
    found.restore()
    assert found._missing == 1
    monkeypatch.setattr(workers, "AGAIN_S", 0.0)
    found.restore()
    until(lambda: found.ready)
    assert found._missing == 0
    found.end()


def test_where_none_is_left_nobody_waits():
    none = workers.Workers(0)
    begun = time.monotonic()
    with pytest.raises(workers.Unavailable):
        none.play(TASK, SYSTEMS, TRIALS)
    assert time.monotonic() - begun < 1


def test_a_worker_ends_when_nobody_asks_any_more():
    process = subprocess.Popen(
        [sys.executable, "-m", "agentcalc.app.worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    process.stdin.close()
    assert process.wait(timeout=60) == 0
    process.stdout.close()


@pytest.fixture
def visits(monkeypatch):
    """A function that plays a visit at a time; the workers it would begin do nothing."""
    begun, now = [], [0.0]
    monkeypatch.setattr(workers, "_visits", {})
    monkeypatch.setattr(workers, "_workers", None)
    monkeypatch.setattr(workers, "WORKERS", 2)
    monkeypatch.setattr(
        workers, "Workers", lambda count: begun.append(count) or SimpleNamespace(ready=True, restore=lambda: None)
    )
    monkeypatch.setattr(workers.time, "monotonic", lambda: now[0])

    def visit(name: str | None, at: float = 0.0):
        now[0] = at
        context = None if name is None else SimpleNamespace(session_id=name)
        monkeypatch.setattr(workers, "get_script_run_ctx", lambda **_: context)
        workers.seen()
        return begun, workers.at_hand() is not None

    return visit


def test_workers_begin_with_the_third_visit_and_rest_when_people_have_gone(visits):
    assert visits("a") == visits("b") == visits("a") == visits(None) == ([], False)
    assert visits("c") == visits("d") == ([2], True)
    assert visits("a", at=workers.RECENT_S + 1) == ([2], False)
    visits("b", at=workers.RECENT_S + 2)
    assert visits("c", at=workers.RECENT_S + 3) == ([2], True)


def test_one_processor_has_no_workers(visits, monkeypatch):
    monkeypatch.setattr(workers, "WORKERS", 1)
    assert [visits(name) for name in "abcd"] == [([], False)] * 4


def test_pages_take_what_a_worker_found_and_do_without(monkeypatch):
    state = start(KNOWN).changed(KNOWN, task="chat-turn", tokens=1.23)
    asked = []

    class Pool:
        def play(self, *what):
            asked.append(what)
            if len(asked) > 2:
                raise workers.Unavailable
            return runs.played(*what)

    monkeypatch.setattr(workers, "at_hand", Pool)
    # Whatever other tests have played is not kept here.
    monkeypatch.setattr(calls, "_comparisons", Keeping(8))
    found = calls.answer(state, KNOWN)
    assert len(asked) == 2 and found.now.n_trials == TRIALS_OF_PAGES
    alone = calls.answer(state.changed(KNOWN, tokens=1.27), KNOWN)
    assert len(asked) == 3 and alone.now.n_trials == TRIALS_OF_PAGES
    assert calls.figures(alone).first.kind == "timeline"


def test_what_a_reader_may_want_to_cancel_is_played_here(monkeypatch):
    monkeypatch.setattr(workers, "at_hand", lambda: pytest.fail("a worker was asked"))
    monkeypatch.setattr(calls, "MOST_PLAYED", 1_000)
    monkeypatch.setattr(calls, "_comparisons", Keeping(8))
    assert calls.comparison(KNOWN.tasks["chat-turn"], SYSTEMS, 1_001).n_trials == 1_001
