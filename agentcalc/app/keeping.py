"""A small store of what was worked out, shared by all visits: the least recently used goes first. No Streamlit.

What is kept depends on its key alone, so that nothing of one visit is ever shown to another that did not ask for the
same. Two who ask for the same at once wait for one to work it out.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

T = TypeVar("T")


class Keeping:
    """At most ``most`` values by key."""

    def __init__(self, most: int):
        self.most = most
        self._found: OrderedDict[Hashable, Any] = OrderedDict()
        self._lock = threading.Lock()
        self._working: dict[Hashable, threading.Lock] = {}

    def has(self, key: Hashable) -> bool:
        """Whether the value of a key is kept."""
        with self._lock:
            return key in self._found

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """The value of a key; worked out by ``make`` when it is not there. What ``make`` raises is raised, and kept
        by nobody.
        """
        with self._lock:
            if key in self._found:
                self._found.move_to_end(key)
                return self._found[key]
            working = self._working.setdefault(key, threading.Lock())
        with working:
            with self._lock:
                if key in self._found:
                    return self._found[key]
            try:
                value = make()
            finally:
                with self._lock:
                    self._working.pop(key, None)
            with self._lock:
                self._found[key] = value
                while len(self._found) > self.most:
                    self._found.popitem(last=False)
            return value
