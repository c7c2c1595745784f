"""Processes that play and draw for the app, once several people are here.

Python does one thing at a time in one process: thirty people's runs and figures would wait for each other, and every
word of the pages for both. One or two readers are served as quickly without, and need the memory of none.
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
from typing import Any

from streamlit.runtime.scriptrunner import get_script_run_ctx

import agentcalc

MOST_ALONE = 2
"""So many visits are served without workers."""

RECENT_S = 120.0
"""A visit that has not asked for that long is not counted."""

WORKERS = min(2, os.cpu_count() or 1)
PATIENCE_S = 60.0
"""So long a job waits for a worker that has no other."""

_log = logging.getLogger(__name__)


class Unavailable(Exception):
    """No worker did the job; whoever asked does it."""


class _Worker:
    """One process, one job at a time."""

    def __init__(self) -> None:
        root = str(Path(agentcalc.__file__).resolve().parents[1])
        path = os.pathsep.join([root, *filter(None, [os.environ.get("PYTHONPATH")])])
        self.process = subprocess.Popen(
            [sys.executable, "-m", "agentcalc.app.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": path},
        )

    def ask(self, name: str, arguments: tuple) -> Any:
        """What comes of a job. Raises Unavailable when it failed there, OSError, EOFError when the process is gone."""
        pickle.dump((name, arguments), self.process.stdin, protocol=pickle.HIGHEST_PROTOCOL)
        self.process.stdin.flush()
        done, found = pickle.load(self.process.stdout)
        if not done:
            raise Unavailable(name)
        return found

    def end(self) -> None:
        """Ends the process; it has nothing to lose."""
        self.process.kill()
        self.process.wait()
        # What was not read any more is lost with it.
        with suppress(OSError):
            self.process.stdin.close()
        self.process.stdout.close()


class Workers:
    """Some processes that take jobs in turn. They end with this process, however it ends."""

    def __init__(self, count: int):
        self._idle: queue.Queue[_Worker] = queue.Queue()
        self._lock = threading.Lock()
        self._alive = 0
        for _ in range(count):
            self._begin_another()

    @property
    def ready(self) -> bool:
        """Whether there is one that works."""
        return self._alive > 0

    def do(self, name: str, *arguments: Any) -> Any:
        """What comes of a job of :data:`agentcalc.app.jobs.JOBS`. Raises Unavailable when no worker could do it."""
        try:
            worker = self._idle.get(timeout=PATIENCE_S if self.ready else 0.01)
        except queue.Empty:
            raise Unavailable(name) from None
        try:
            found = worker.ask(name, arguments)
        except Unavailable:
            self._idle.put(worker)
            raise
        except BaseException as error:
            # It may be in the middle of a word, so it is of no more use.
            self._end(worker)
            self._begin_another()
            if not isinstance(error, OSError | EOFError | pickle.UnpicklingError):
                raise
            _log.warning("a worker ended: %r; another one takes its place", error)
            raise Unavailable(name) from error
        self._idle.put(worker)
        return found

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
            worker.ask("ready", ())
        except (OSError, EOFError, Unavailable) as error:
            _log.warning("no worker could be started: %r", error)
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


def at_hand() -> Workers | None:
    """The workers, once they are ready and several people are here; else None: the app does it itself."""
    with _lock:
        return _workers if _workers is not None and _workers.ready and len(_visits) > MOST_ALONE else None
