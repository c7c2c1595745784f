"""Uniform numbers without order or state: a counter-based hash of (seed, step key, field, trial, turns).

Each step's field has a stream (64 bits from seed, key and field). Each lane has a key (64 bits from its trial, mixed
once more for every loop turn, copy or attempt it is in). A draw is a mix of the two, so other players, other steps
and the size of blocks can never change it. The mix is the finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b

import numpy as np

_STEP = np.uint64(0x9E3779B97F4A7C15)
# Arrays of no dimension: numpy makes one of every scalar at every use.
_M1, _M2 = np.array(0xBF58476D1CE4E5B9, dtype=np.uint64), np.array(0x94D049BB133111EB, dtype=np.uint64)
_S30, _S27, _S31, _S12 = (np.array(n, dtype=np.uint64) for n in (30, 27, 31, 12))
_ONE = np.array(1.0).view(np.uint64)
_JUST_BELOW_ONE = np.array(1 - 2.0**-53)
_TURN = 0xD1342543DE82EF95
_ALL = (1 << 64) - 1

TOGETHER = 8_192
"""Small turns draw together until they have about so many lanes."""
AHEAD = 8
"""Streams of a graph that are drawn in one go."""


@lru_cache(maxsize=8192)
def stream(seed: int, key: str, field: str) -> np.uint64:
    """The stream of one field of one step: 64 bits."""
    digest = blake2b(f"{seed}\x1f{key}\x1f{field}".encode(), digest_size=8).digest()
    return np.uint64(int.from_bytes(digest, "little"))


class Streams(dict[str, np.uint64]):
    """The streams of a step's fields, by field, each made when it is first asked for."""

    def __init__(self, seed: int, key: str):
        super().__init__()
        self.seed, self.key = seed, key

    def __missing__(self, field: str) -> np.uint64:
        self[field] = stream(self.seed, self.key, field)
        return self[field]


def _mix(z: np.ndarray) -> np.ndarray:
    """In place; uint64 arrays wrap."""
    scratch = z >> _S30
    z ^= scratch
    z *= _M1
    np.right_shift(z, _S27, out=scratch)
    z ^= scratch
    z *= _M2
    np.right_shift(z, _S31, out=scratch)
    z ^= scratch
    return z


def lane_keys(trials: np.ndarray) -> np.ndarray:
    """Keys of lanes outside any loop; trials int64 [lanes] -> uint64 [lanes]."""
    return _mix((trials.astype(np.uint64) + np.uint64(1)) * _STEP)


def turned(keys: np.ndarray, turn: int) -> np.ndarray:
    """Keys of the same lanes in a turn of a loop, a copy of a parallel or an attempt of a retry (each from 0)."""
    return _mix(keys ^ np.uint64((turn + 1) * _TURN & _ALL))


class Batch:
    """The lanes of several turns in a row, whose draws are made at once; every step's draws are kept until the last
    turn.

    Because a draw is a pure function of its lane's key, drawing together or apart gives the same numbers.
    """

    def __init__(self, keys: np.ndarray, turns: range, lanes: list[int]):
        """keys [lanes of the loop]: turn ``turns[i]`` plays the first ``lanes[i]`` of them."""
        shifts = np.array([(turn + 1) * _TURN & _ALL for turn in turns], dtype=np.uint64)
        self.keys = _mix(np.concatenate([keys[:n] for n in lanes]) ^ np.repeat(shifts, lanes))
        self.starts = np.cumsum([0, *lanes[:-1]]).tolist()
        self._drawn: dict[np.uint64, np.ndarray] = {}

    def draw(self, stream: np.uint64, shape: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
        """The draws of one stream for every lane of the batch, shaped once; uniform numbers -> draws."""
        drawn = self._drawn.get(stream)
        if drawn is None:
            drawn = self._drawn[stream] = shape(uniforms(self.keys, stream))
        return drawn


class Ahead:
    """The draws of several streams on the same lanes, each asked for once. Alike ones are made one right after the
    other, ahead of their use, while all that it takes is still close to the processor; on few lanes at once.
    """

    def __init__(self, keys: np.ndarray, alike: Mapping[np.uint64, Sequence[np.uint64]]):
        """keys [lanes]; alike: for a stream all those that are shaped as it is, itself among them, in order of use."""
        self.keys, self.alike = keys, alike
        self.at_once = max(TOGETHER // max(len(keys), 1), 1)
        self._drawn: dict[np.uint64, np.ndarray] = {}

    def draw(self, stream: np.uint64, shape: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
        """The draws of one stream, [lanes]; uniform numbers -> draws, element by element."""
        if stream not in self._drawn:
            alike = self.alike.get(stream, [stream])
            first = alike.index(stream)
            coming = alike[first : first + max(AHEAD, self.at_once)]
            for i in range(0, len(coming), self.at_once):
                streams = coming[i : i + self.at_once]
                drawn = shape(uniforms(self.keys, np.array(streams)[:, None]).ravel())
                self._drawn.update(zip(streams, drawn.reshape(len(streams), -1), strict=True))
        return self._drawn.pop(stream)


def uniforms(keys: np.ndarray, stream: np.uint64) -> np.ndarray:
    """Uniform numbers in (0, 1), both ends excluded; uint64 keys [lanes] -> float64 [lanes]."""
    z = _mix(keys ^ stream)
    # 52 bits as the fraction of a number from 1 on, and a half step: exact, and never 0 or 1
    z >>= _S12
    z |= _ONE
    u = z.view(np.float64)
    u -= _JUST_BELOW_ONE
    return u


def uniform(seed: int, key: str, field: str, trial: int, turns: tuple[int, ...] = ()) -> float:
    """One draw, as the walk makes it: the number of one step's field in one trial and turn, turns from the outside
    in.
    """
    keys = lane_keys(np.array([trial]))
    for turn in turns:
        keys = turned(keys, turn)
    return float(uniforms(keys, stream(seed, key, field))[0])
