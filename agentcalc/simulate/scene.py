"""The state of the lanes. A lane is one trial, or one trial inside a branch; lanes are the last axis of every array."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from agentcalc.simulate.draws import Batch, uniforms

COPIED = ("seconds", "alone", "context", "cached", "last_output", "results")
SHARED = ("calls", "exhausted")


class Scene:
    """State while a task is played.

    trial int64 [lanes], key uint64 [lanes]: who the lanes are · seconds [components, players, lanes]: spent on the critical path
    so far · alone [players, lanes]: the clock without people, None when nobody is waited for · context, cached
    [conversations, lanes]: tokens · last_output [lanes]: kept output of the last call of this branch, -1 before it · results
    [lanes]: tokens of tool results of this branch · calls [lanes] · exhausted [lanes]: whether attempts ran out.

    batch, offset: the batch of turns whose draws these lanes share, and where in it they stand; None outside a loop.

    Tokens have one row, not one a player: nothing that players do differently changes them.
    """

    __slots__ = ("trial", "key", "batch", "offset", *COPIED, *SHARED)

    def __init__(self):
        self.batch, self.offset = None, 0

    @classmethod
    def start(cls, trial, key, *, components: int, players: int, contexts, cached, people: bool) -> Scene:
        """The start of a task for some trials; contexts, cached: tokens per conversation."""
        scene, lanes = cls(), len(trial)
        scene.trial, scene.key = trial, key
        scene.seconds = np.zeros((components, players, lanes))
        scene.alone = np.zeros((players, lanes)) if people else None
        scene.context = np.repeat(np.array(contexts, dtype=float)[:, None], lanes, axis=1)
        scene.cached = np.repeat(np.array(cached, dtype=float)[:, None], lanes, axis=1)
        scene.last_output = np.full(lanes, -1.0)
        scene.results = np.zeros(lanes)
        scene.calls = np.zeros(lanes)
        scene.exhausted = np.zeros(lanes, dtype=bool)
        return scene

    @property
    def lanes(self) -> int:
        return len(self.key)

    def now(self) -> np.ndarray:
        """Seconds since the start, [players, lanes]: by definition the sum of the components."""
        return self.seconds.sum(axis=0)

    def _made(self, change, names=("trial", "key", *COPIED, *SHARED)) -> Scene:
        other = Scene()
        for name in ("trial", "key", *COPIED, *SHARED):
            array = getattr(self, name)
            setattr(other, name, change(array) if array is not None and name in names else array)
        return other

    def _in_batch(self, other: Scene) -> Scene:
        """The first lanes of a scene stay where they are in its batch."""
        other.batch, other.offset = self.batch, self.offset
        return other

    def rekey(self, key: np.ndarray, batch: Batch | None = None, offset: int = 0) -> None:
        """Gives the lanes other draws: those of a turn, a copy or an attempt."""
        self.key, self.batch, self.offset = key, batch, offset

    def draw(self, stream: np.uint64, shape: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
        """Draws [lanes] of a stream; shape turns uniform numbers into them, element by element."""
        if self.batch is None:
            return shape(uniforms(self.key, stream))
        return self.batch.draw(stream, shape)[self.offset : self.offset + self.lanes]

    def take(self, index: np.ndarray) -> Scene:
        """Copies of some lanes, in the order of index; give them back with :meth:`put`."""
        return self._made(lambda array: array.take(index, axis=-1))

    def put(self, index: np.ndarray, other: Scene) -> None:
        """Writes the lanes of ``other`` back to where :meth:`take` found them."""
        for name in (*COPIED, *SHARED):
            array = getattr(self, name)
            if array is not None:
                array[..., index] = getattr(other, name)

    def first(self, lanes: int) -> Scene:
        """A view of the first lanes: what is played on it is written here."""
        return self._in_batch(self._made(lambda array: array[..., :lanes]))

    def fork(self) -> Scene:
        """The start of a branch: conversation, cache and clock are copied; counts of calls stay shared."""
        other = self._in_batch(self._made(np.copy, COPIED))
        other.last_output.fill(-1.0)
        other.results.fill(0.0)
        return other
