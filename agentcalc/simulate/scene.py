"""The state of the lanes. A lane is one trial, or one trial inside a branch; lanes are the last axis of every array.

A branch borrows all that it starts with, as arrays that cannot be written. What it changes becomes its own: it adds to
its clocks by :meth:`Scene.spend` and asks for everything else by :meth:`Scene.own`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce

import numpy as np

from agentcalc.simulate.draws import Ahead, Batch, uniforms

CLOCKS = ("clock", "alone")
LENT = (*CLOCKS, "context", "cached", "used", "waiting", "exhausted")
ARRAYS = (*LENT, "last_output", "results", "calls")

Part = np.ndarray | float
"""Seconds: [players, lanes], [lanes] or one number."""


@dataclass(frozen=True, slots=True)
class Line:
    """Seconds told by tokens: fixed + slope * tokens. Fixed, None for 0, and slope [players, 1]; tokens [rows, lanes],
    [lanes] or one number, which all players share and which take less room.
    """

    fixed: np.ndarray | None
    slope: np.ndarray
    tokens: np.ndarray | float

    def seconds(self) -> np.ndarray:
        """The seconds of every player, [players, lanes or 1]."""
        found = self.slope * self.tokens
        if self.fixed is not None:
            found += self.fixed
        return found


Bill = list[tuple[int, Part | Line]]
"""What was spent, part by part: the component, and the seconds."""


@lru_cache(maxsize=256)
def everywhere(value: float, shape: tuple[int, ...]) -> np.ndarray:
    """One value in every place of an array that cannot be written and takes no room."""
    return np.broadcast_to(value, shape)


def nothing(shape: tuple[int, ...]) -> np.ndarray:
    """The seconds of a component on which nothing has been spent; one and the same array for a shape."""
    return everywhere(0.0, shape)


def silent(shape: tuple[int, ...]) -> np.ndarray:
    """The kept output where no call has been made; one and the same array for a shape."""
    return everywhere(-1.0, shape)


def lent(array: np.ndarray) -> np.ndarray:
    """The same array, which cannot be written."""
    if array.flags.writeable:
        array = array.view()
        array.flags.writeable = False
    return array


def plus(array: np.ndarray, more: np.ndarray | float) -> np.ndarray:
    """The sum, in place where the array may be written."""
    if not array.flags.writeable:
        return array + more
    array += more
    return array


def replaced(array: np.ndarray, values: np.ndarray | float) -> np.ndarray:
    """The values in the place of those of an array: written into it where it may be written, else lent, so that they
    must not change any more.
    """
    if array.flags.writeable:
        array[...] = values
        return array
    if isinstance(values, np.ndarray) and values.size == array.size:
        return lent(values.reshape(array.shape))  # numpy's own broadcast_to takes several times as long
    return np.broadcast_to(values, array.shape)


class Scene:
    """State while a task is played.

    trial int64 [lanes], key uint64 [lanes]: who the lanes are · seconds: for each component [players, lanes], spent on
    the critical path so far · clock [players, lanes]: the time now, None where it is not kept beside its components ·
    alone [players, lanes]: the clock without people, None when nobody is waited for · context
    [conversations, rows, lanes] and cached [caches, rows, lanes]: tokens · used [caches, players, lanes]: when a call
    last used the cache, None without a lifetime · waiting [players, lanes]: since when a person has waited, None
    without attention · last_output [rows, lanes]: kept output of the last call of this branch, -1 before it · results
    [rows, lanes]: tokens of tool results of this branch · exhausted [rows, lanes]: whether attempts ran out · calls
    [rows, lanes], which branches share.

    rows is 1 until players can differ in what is said (timeouts, joins on the first or k-th), then one a player.

    bill: what a step of a graph spends, beside ``seconds``, since it counts only where the step turns out to be
    critical; None elsewhere.

    batch, offset: the batch of turns whose draws these lanes share, and where in it they stand; or the draws ahead of a
    graph; None outside both.
    """

    __slots__ = ("trial", "key", "seconds", "bill", "batch", "offset", *ARRAYS)

    def __init__(self):
        self.bill, self.batch, self.offset = None, None, 0

    @classmethod
    def start(
        cls, trial, key, *, components, players, rows, contexts, cached, people: bool, lifetime: bool, attention: bool
    ) -> Scene:
        """The start of a task for some trials; contexts, cached: tokens of each conversation and cache."""
        scene, lanes = cls(), len(trial)
        scene.trial, scene.key = trial, key
        scene.seconds, scene.clock = [nothing((players, lanes))] * components, None
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
        return sum_of(self.seconds) if self.clock is None else self.clock.copy()

    def spend(self, component: int, seconds: Part, person: bool = False) -> None:
        """Adds seconds to a component and the clocks; person: not to that without people."""
        self.note(component, seconds)
        if self.clock is not None or self.alone is not None:
            self.elapse(seconds, person)

    def note(self, component: int, seconds: Part | Line) -> None:
        """Adds seconds to a component only; a line only where there is a bill."""
        if self.bill is None:
            self.seconds[component] = plus(self.seconds[component], seconds)
        else:
            self.bill.append((component, seconds))

    def elapse(self, seconds: Part, person: bool = False) -> None:
        """Adds seconds to the clocks only; person: not to that without people."""
        if self.clock is not None:
            self.clock = plus(self.clock, seconds)
        if self.alone is not None and not person:
            self.alone = plus(self.alone, seconds)

    def billed(self) -> Bill:
        """All that a step of a graph has spent."""
        none = nothing(self.seconds[0].shape)
        return [(row, seconds) for row, seconds in enumerate(self.seconds) if seconds is not none] + self.bill

    def own(self, name: str) -> np.ndarray:
        """An array that may be written: a copy in the place of a borrowed one."""
        array = getattr(self, name)
        if not array.flags.writeable:
            array = array.copy()
            setattr(self, name, array)
        return array

    def replace(self, name: str, place: int, tokens: np.ndarray | float) -> None:
        """Puts tokens in one place of an array, [rows, lanes], [lanes] or one number; see :func:`replaced`."""
        if len(getattr(self, name)) > 1:
            self.own(name)[place] = tokens
        else:
            setattr(self, name, replaced(getattr(self, name), tokens))

    def own_seconds(self) -> list[np.ndarray]:
        """The components, each of which may be written."""
        for component, seconds in enumerate(self.seconds):
            if not seconds.flags.writeable:
                self.seconds[component] = seconds.copy()
        return self.seconds

    def _in_batch(self, other: Scene) -> Scene:
        """The first lanes of a scene stay where they are in its batch."""
        other.batch, other.offset = self.batch, self.offset
        return other

    def rekey(self, key: np.ndarray, batch: Batch | Ahead | None = None, offset: int = 0) -> None:
        """Gives the lanes other draws: those of a turn, a copy or an attempt."""
        self.key, self.batch, self.offset = key, batch, offset

    def draw(self, stream: np.uint64, shape: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
        """Draws [lanes] of a stream; shape turns uniform numbers into them, element by element."""
        if self.batch is None:
            return shape(uniforms(self.key, stream))
        return self.batch.draw(stream, shape)[self.offset : self.offset + self.lanes]

    def take(self, index: np.ndarray) -> Scene:
        """Copies of some lanes, in the order of index; give them back with :meth:`put`."""
        other = Scene()
        other.trial, other.key = self.trial.take(index), self.key.take(index)
        other.seconds = [seconds.take(index, axis=-1) for seconds in self.seconds]
        for name in ARRAYS:
            array = getattr(self, name)
            setattr(other, name, None if array is None else array.take(index, axis=-1))
        return other

    def put(self, index: np.ndarray, other: Scene) -> None:
        """Writes the lanes of ``other`` back to where :meth:`take` found them."""
        pairs = list(zip(self.own_seconds(), other.seconds, strict=True))
        pairs += [(self.own(name), getattr(other, name)) for name in ARRAYS if getattr(self, name) is not None]
        if len(index) < self.lanes:
            for mine, theirs in pairs:
                mine[..., index] = theirs
            return
        # Of all lanes taking is several times as fast as putting.
        back = np.empty_like(index)
        back[index] = np.arange(len(index))
        for mine, theirs in pairs:
            mine[...] = theirs.take(back, axis=-1)

    def first(self, lanes: int) -> Scene:
        """A view of the first lanes: what is played on it is written here."""
        other = Scene()
        other.trial, other.key = self.trial[:lanes], self.key[:lanes]
        other.seconds = [seconds[:, :lanes] for seconds in self.own_seconds()]
        for name in ARRAYS:
            setattr(other, name, None if getattr(self, name) is None else self.own(name)[..., :lanes])
        return self._in_batch(other)

    def fork(self, seconds: Sequence[np.ndarray] | None = None, **given: np.ndarray | None) -> Scene:
        """The start of a branch: it borrows clock, conversation and cache, and shares the counts of calls.

        seconds, given: arrays that it takes as they are.
        """
        other = Scene()
        other.trial, other.key, other.calls = self.trial, self.key, self.calls
        other.seconds = [lent(row) for row in self.seconds] if seconds is None else list(seconds)
        for name in LENT:
            array = given.get(name)
            if array is None:
                array = getattr(self, name)
                if array is not None and array.flags.writeable:
                    array = lent(array)
            setattr(other, name, array)
        other.last_output = silent(self.last_output.shape)
        other.results = nothing(self.results.shape)
        return self._in_batch(other)

    def end(self) -> None:
        """Nothing is written here any more: what comes after borrows seconds and clocks without further ado."""
        for array in (*self.seconds, *(getattr(self, name) for name in CLOCKS)):
            if array is not None:
                array.flags.writeable = False


def sum_of(rows: Sequence[np.ndarray]) -> np.ndarray:
    """The sum of some arrays, one at least; a new one."""
    return reduce(np.add, rows) if len(rows) > 1 else rows[0].copy()
