"""Undo and redo over everything that was edited: every step back is a whole value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

MOST = 200
"""Steps back that are kept."""

T = TypeVar("T")


@dataclass(frozen=True)
class History(Generic[T]):
    """now, with what was before it (oldest first) and what was undone (next first)."""

    now: T
    past: tuple[T, ...] = ()
    future: tuple[T, ...] = ()

    def then(self, new: T) -> History[T]:
        """With a new value, unless nothing changed; what was undone is gone."""
        return self if new == self.now else History(new, (*self.past, self.now)[-MOST:])

    def undo(self) -> History[T]:
        """One step back; the same at the start."""
        if not self.past:
            return self
        return History(self.past[-1], self.past[:-1], (self.now, *self.future))

    def redo(self) -> History[T]:
        """One step forward; the same at the end."""
        if not self.future:
            return self
        return History(self.future[0], (*self.past, self.now), self.future[1:])
