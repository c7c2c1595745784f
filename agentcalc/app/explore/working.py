"""Long work of the page: kept by what it depends on, and counted in runs while a reader waits."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar

from agentcalc.app import waiting
from agentcalc.app.keeping import Keeping

T = TypeVar("T")

_found = Keeping(96)


def worked(key: Hashable, make: Callable[[waiting.Progress], T], doing: str = "Playing runs") -> T:
    """What ``make`` finds, kept. A reader who waits long for it sees how far it is, and may cancel."""
    if _found.has(key):
        return _found.get(key, lambda: make(_unheard))
    return waiting.patiently(lambda progress: _found.get(key, lambda: make(progress)), doing)


def in_runs(progress: waiting.Progress, trials: int) -> waiting.Progress:
    """Progress that is told in cases, told in runs."""
    return lambda done, of: progress(done * trials, of * trials)


def _unheard(done: int, of: int) -> None:
    """Nobody listens."""
