"""One run as plain records: what all that is told of a run reads, made once from its timeline.

A timeline has a few hundred rows at most, where a table costs more for each question than going through all of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeVar

import pandas as pd

K = TypeVar("K")


class Segment(NamedTuple):
    """A row of ``Comparison.timeline``: seconds of one component of one play of a step on one system."""

    event: int
    system: str
    label: str
    name: str
    kind: str
    turn: str
    branch: str
    component: str
    start_s: float
    end_s: float
    critical: bool
    tokens: float

    @property
    def seconds(self) -> float:
        return self.end_s - self.start_s


@dataclass(frozen=True)
class Segments:
    """The segments of one run in the order of its timeline."""

    all: tuple[Segment, ...]

    @classmethod
    def of(cls, timeline: pd.DataFrame | Segments) -> Segments:
        """From a timeline; what is made already stays as it is."""
        if isinstance(timeline, Segments):
            return timeline
        columns = (timeline[name].tolist() for name in Segment._fields)
        return cls(tuple(map(Segment._make, zip(*columns, strict=True))))

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """Systems in the order in which they first appear."""
        return tuple(self._labels)

    @cached_property
    def critical(self) -> tuple[Segment, ...]:
        """What lies on the critical path of its system."""
        return tuple(part for part in self.all if part.critical)

    @cached_property
    def stages(self) -> dict[int, int]:
        """The step, counted from 1, that each event belongs to; see ``accumulation.stages``."""
        found: dict[int, int] = {}
        stage, has_call, in_block = 1, False, False
        for event, first in sorted(self._events.items()):
            block, call = bool(first.branch), first.kind == "model_call"
            if (block and not in_block and has_call) or (call and not block and has_call):
                stage, has_call = stage + 1, False
            has_call = has_call or call or block
            in_block = block
            found[event] = stage
        return found

    @cached_property
    def steps(self) -> int:
        """How many steps there are."""
        return max(self.stages.values(), default=0)

    @cached_property
    def _events(self) -> dict[int, Segment]:
        """The first segment of every event."""
        found: dict[int, Segment] = {}
        for part in self.all:
            found.setdefault(part.event, part)
        return found

    @cached_property
    def calls(self) -> tuple[int, ...]:
        """Events that are model calls."""
        return tuple({part.event: None for part in self.all if part.kind == "model_call"})

    @cached_property
    def _labels(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for part in self.all:
            found.setdefault(part.system, part.label)
        return found

    def label(self, system: str) -> str:
        """The label of a system. Raises ValueError when it is not there."""
        if system not in self._labels:
            raise ValueError(f"{system} is not in this timeline")
        return self._labels[system]

    @cached_property
    def _ends(self) -> dict[str, list[float]]:
        latest: dict[str, list[float]] = {system: [0.0] * (self.steps + 1) for system in self.systems}
        for part in self.critical:
            ends, step = latest[part.system], self.stages[part.event]
            ends[step] = max(ends[step], part.end_s)
        return {system: running(ends, max) for system, ends in latest.items()}

    def ends(self, system: str) -> list[float]:
        """Seconds since the request when each step ends on a system's critical path, 0 first.

        Raises ValueError when the system is not there.
        """
        self.label(system)
        return self._ends[system]


def running(values: list[float], join: Callable[[float, float], float]) -> list[float]:
    """Each value joined with all before it."""
    found, at = [], 0.0
    for value in values:
        at = join(at, value)
        found.append(at)
    return found


def seconds_by(parts: Iterable[Segment], key: Callable[[Segment], K]) -> dict[K, float]:
    """Seconds of segments, added up by a key."""
    found: dict[K, float] = defaultdict(float)
    for part in parts:
        found[key(part)] += part.end_s - part.start_s
    return dict(found)
