"""Processes that play runs for the app, once several people are here.

Python runs one thread at a time in a process, so that thirty people's runs would wait for each other, and every word of
their pages for both. One or two readers are served as quickly without, and need the memory of none.
"""

from __future__ import annotations

import logging
import os
import pickle
import queue
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

from streamlit.runtime.scriptrunner import get_script_run_ctx

import agentcalc
from agentcalc.app.runs import unpacked
from agentcalc.results import Comparison
from agentcalc.system import System
from agentcalc.task import Task

MOST_ALONE = 2
"""So many visits are served without workers."""

RECENT_S = 120.0
"""A visit that has not asked for that long is not counted."""

WORKERS = min(2, os.cpu_count() or 1)
PATIENCE_S = 60.0
"""So long a reader waits for a worker that plays for somebody else."""

START_S, PLAY_S = 60.0, 20.0
"""A worker that takes longer to start, or to play what takes a moment, hangs, and is ended."""

AGAIN_S = 30.0
"""After one that did not start the next is tried so much later."""

LOST = (OSError, EOFError, pickle.UnpicklingError)
"""What is raised where a process ended in the middle of a word."""

_log = logging.getLogger(__name__)


class Unavailable(Exception):
    """No worker played it; whoever asked does."""


class _Worker:
    """One process, one comparison at a time. Raises one of ``LOST`` when it does not start."""

    def __init__(self) -> None:
        root = str(Path(agentcalc.__file__).resolve().parents[1])
        path = os.pathsep.join([root, *filter(None, [os.environ.get("PYTHONPATH")])])
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "agentcalc.app.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": path},
        )
        try:
            self._heard(START_S)
        except BaseException:
            self.end()
            raise

    def play(self, *asked) -> Comparison | None:
        """What it finds; None where it failed. Raises one of ``LOST`` when the process is gone, or had to be ended."""
        pickle.dump(asked, self.process.stdin, protocol=pickle.HIGHEST_PROTOCOL)
        self.process.stdin.flush()
        return self._heard(PLAY_S)

    def _heard(self, within_s: float) -> Comparison | None:
        # A pipe can be waited for without end; that of a process that was ended says so.
        limit = threading.Timer(within_s, self.process.kill)
        limit.daemon = True
        limit.start()
        try:
            return pickle.load(self.process.stdout)
        finally:
            limit.cancel()

    def end(self) -> None:
        """Ends the process; it has nothing to lose."""
        self.process.kill()
        self.process.wait()
        # What was not read any more is lost with it.
        with suppress(OSError):
            self.process.stdin.close()
        self.process.stdout.close()


class Workers:
    """Some processes that play in turn. They end with this process, however it ends."""

    def __init__(self, count: int):
        self._idle: queue.Queue[_Worker] = queue.Queue()
        self._lock = threading.Lock()
        self._alive, self._missing, self._tried = 0, 0, 0.0
        for _ in range(count):
            self._begin_another()

    @property
    def ready(self) -> bool:
        """Whether there is one that works."""
        return self._alive > 0

    def play(self, task: Task, systems: tuple[System, ...], trials: int) -> Comparison:
        """A comparison as :func:`agentcalc.app.runs.played`. Raises Unavailable when no worker could play it."""
        try:
            worker = self._idle.get(timeout=PATIENCE_S if self.ready else 0.01)
        except queue.Empty:
            raise Unavailable from None
        try:
            found = worker.play(task, systems, trials)
        except BaseException as error:
            # It may be in the middle of a word, so it is of no more use.
            self._end(worker)
            self._begin_another()
            if not isinstance(error, LOST):
                raise
            _log.warning("a worker ended: %r; another one takes its place", error)
            raise Unavailable from error
        self._idle.put(worker)
        if found is None:
            raise Unavailable
        return unpacked(found)

    def restore(self) -> None:
        """Tries once more to start one that did not start, if that was a while ago."""
        with self._lock:
            due = self._missing > 0 and time.monotonic() - self._tried > AGAIN_S
            self._missing -= due
        if due:
            self._begin_another()

    def end(self) -> None:
        """Ends the processes that have nothing to do."""
        while not self._idle.empty():
            self._end(self._idle.get())

    def _end(self, worker: _Worker) -> None:
        with self._lock:
            self._alive -= 1
        worker.end()

    def _begin_another(self) -> None:
        threading.Thread(target=self._begin, daemon=True, name="worker-begins").start()

    def _begin(self) -> None:
        try:
            worker = _Worker()
        except LOST as error:
            _log.warning("no worker could be started: %r", error)
            with self._lock:
                self._missing, self._tried = self._missing + 1, time.monotonic()
            return
        with self._lock:
            self._alive += 1
        self._idle.put(worker)


_visits: dict[str, float] = {}
_lock = threading.Lock()
_workers: Workers | None = None


def seen() -> None:
    """Counts this visit; workers begin once there are several. Called by what every page asks for."""
    global _workers
    context = get_script_run_ctx(suppress_warning=True)
    if context is None:
        return
    now = time.monotonic()
    with _lock:
        _visits[context.session_id] = now
        for name in [name for name, at in _visits.items() if at < now - RECENT_S]:
            del _visits[name]
        if _workers is None and len(_visits) > MOST_ALONE and WORKERS > 1:
            _workers = Workers(WORKERS)
        elif _workers is not None:
            _workers.restore()


def at_hand() -> Workers | None:
    """The workers, once they are ready and several people are here; else None: the app plays itself."""
    with _lock:
        return _workers if _workers is not None and _workers.ready and len(_visits) > MOST_ALONE else None
