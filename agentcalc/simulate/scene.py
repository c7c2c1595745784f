"""The state of the lanes. A lane is one trial, or one trial inside a branch; lanes are the last axis of every array."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from agentcalc.simulate.draws import Batch, uniforms

COPIED = ("seconds", "alone", "context", "cached", "used", "waiting", "last_output", "results", "exhausted")
SHARED = ("calls",)
CLOCK = ("seconds", "alone")
ARRAYS = (*COPIED, *SHARED)


class Scene:
    """State while a task is played.

    trial int64 [lanes], key uint64 [lanes]: who the lanes are · seconds [components, players, lanes]: spent on the
    critical path so far · alone [players, lanes]: the clock without people, None when nobody is waited for · context
    [conversations, rows, lanes] and cached [caches, rows, lanes]: tokens · used [caches, players, lanes]: when a call
    last used the cache, None without a lifetime · waiting [players, lanes]: since when a person has waited, None
    without attention · last_output [rows, lanes]: kept output of the last call of this branch, -1 before it · results
    [rows, lanes]: tokens of tool results of this branch · exhausted [rows, lanes]: whether attempts ran out · calls
    [rows, lanes].

    rows is 1 until players can differ in what is said (timeouts, joins on the first or k-th), then one a player.

    batch, offset: the batch of turns whose draws these lanes share, and where in it they stand; None outside a loop.
    """

    __slots__ = ("trial", "key", "batch", "offset", *ARRAYS)

    def __init__(self):
        self.batch, self.offset = None, 0

    @classmethod
    def start(
        cls, trial, key, *, components, players, rows, contexts, cached, people: bool, lifetime: bool, attention: bool
    ) -> Scene:
        """The start of a task for some trials; contexts, cached: tokens of each conversation and cache."""
        scene, lanes = cls(), len(trial)
        scene.trial, scene.key = trial, key
        scene.seconds = np.zeros((components, players, lanes))
        scene.alone = np.zeros((players, lanes)) if people else None
        scene.context = np.tile(np.array(contexts, dtype=float)[:, None, None], (1, rows, lanes))
        scene.cached = np.tile(np.array(cached, dtype=float)[:, None, None], (1, rows, lanes))
        scene.used = np.zeros((len(cached), players, lanes)) if lifetime else None
        scene.waiting = np.zeros((players, lanes)) if attention else None
        scene.last_output = np.full((rows, lanes), -1.0)
        scene.results = np.zeros((rows, lanes))
        scene.exhausted = np.zeros((rows, lanes), dtype=bool)
        scene.calls = np.zeros((rows, lanes))
        return scene

    @property
    def lanes(self) -> int:
        return len(self.key)

    def now(self) -> np.ndarray:
        """Seconds since the start, [players, lanes]: by definition the sum of the components."""
        return self.seconds.sum(axis=0)

    def _made(self, change, names=("trial", "key", *ARRAYS)) -> Scene:
        other = Scene()
        for name in ("trial", "key", *ARRAYS):
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
        for name in ARRAYS:
            array = getattr(self, name)
            if array is not None:
                array[..., index] = getattr(other, name)

    def first(self, lanes: int) -> Scene:
        """A view of the first lanes: what is played on it is written here."""
        return self._in_batch(self._made(lambda array: array[..., :lanes]))

    def fork(self, clock_of: Scene | None = None, take_over: bool = False) -> Scene:
        """The start of a branch: conversation, cache and clock are copied; counts of calls stay shared.

        clock_of: whose seconds it starts from, when not this scene's; take_over: nobody else needs those, so they are
        not copied.
        """
        other = Scene()
        for name in ("trial", "key", *SHARED):
            setattr(other, name, getattr(self, name))
        for name in COPIED:
            clock = clock_of is not None and name in CLOCK
            array = getattr(clock_of if clock else self, name)
            setattr(other, name, array if array is None or (clock and take_over) else array.copy())
        self._in_batch(other)
        other.last_output.fill(-1.0)
        other.results.fill(0.0)
        return other
