"""The work of one run as a track for two systems: where each part of it lies, and when each system does it.

A place on the track is measured in the baseline's seconds of work. Parts that both systems do take the baseline's time
as their length; what only one of them loses (a retry, a lost cache) has none, and holds that system in place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import pandas as pd

from agentcalc.analysis.accumulation import LOST

MOST_ROWS = 4
"""Branches drawn beside each other; of more, those on a critical path first, then the longest."""

BASE, CAND = 0, 1
BOTH = (BASE, CAND)


@dataclass(frozen=True)
class Part:
    """What one system does from start to end (seconds since the request) at x0 to x1 of the track.

    kind: a component; tokens: written by a call (None for what writes none); x0 = x1: the system is held in place;
    skipped: only the baseline does it, so the system passes it at ``start``.
    """

    kind: str
    start: float
    end: float
    x0: float
    x1: float
    tokens: int | None
    critical: bool
    skipped: bool = False


@dataclass(frozen=True)
class Strip:
    """Parts of one branch, one after the other, in a row of the lane: low and high as shares of its height, from the
    top; None where there was no room to draw it.
    """

    row: tuple[float, float] | None
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Fold:
    """Where branches were left out of the drawing: how many, and the row with most room to say so, x0 to x1 of it."""

    x0: float
    x1: float
    row: tuple[float, float]
    hidden: int


@dataclass(frozen=True)
class Track:
    """length: in seconds of the baseline's work; strips: those of the baseline and those of the candidate."""

    length: float
    strips: tuple[tuple[Strip, ...], tuple[Strip, ...]]
    folds: tuple[Fold, ...]


def lay(base: pd.DataFrame, cand: pd.DataFrame) -> Track:
    """The track of one run, from the rows of the two systems in ``Comparison.timeline``."""
    root = _Branch()
    for lane, rows in zip(BOTH, (base, cand), strict=True):
        for row in rows.itertuples(index=False):
            if row.end_s > row.start_s or row.component not in LOST:
                root.at(row.inside, row.event).played[lane].append(row)
    length = root.spread(0.0, 0.0, [0.0, 0.0])
    drawn = _Drawn()
    root.draw((0.0, 1.0), MOST_ROWS, drawn)
    return Track(length, (tuple(drawn.strips[BASE]), tuple(drawn.strips[CAND])), tuple(drawn.folds))


@dataclass
class _Drawn:
    strips: tuple[list[Strip], list[Strip]] = field(default_factory=lambda: ([], []))
    folds: list[Fold] = field(default_factory=list)


@dataclass
class _Branch:
    """A sequence: what each system plays in it, and the forks inside it by their number."""

    played: tuple[list, list] = field(default_factory=lambda: ([], []))
    forks: dict[int, _Fork] = field(default_factory=dict)
    parts: tuple[list[Part], list[Part]] = field(default_factory=lambda: ([], []))
    x0: float = 0.0
    x1: float = 0.0

    def at(self, inside: str, event: int) -> _Branch:
        """The branch that a path such as "0.2/3.1" leads to."""
        here = self
        for step in filter(None, inside.split("/")):
            number, index = (int(part) for part in step.split("."))
            fork = here.forks.setdefault(number, _Fork(event))
            here = fork.branches.setdefault(index, _Branch())
        return here

    def rows(self, lane: int) -> Iterator:
        """Everything one system plays here and in the forks inside."""
        yield from self.played[lane]
        for fork in self.forks.values():
            for branch in fork.branches.values():
                yield from branch.rows(lane)

    def is_critical(self, lane: int) -> bool:
        return any(row.critical for row in self.rows(lane))

    def spread(self, x: float, base_s: float, passed: list[float]) -> float:
        """Puts everything at its place from x on, and gives where it ends.

        base_s: when the baseline gets here; passed: when each system did; both in seconds. Waits for something outside
        the branch (a graph's step for those before it) keep the baseline's length.
        """
        passed, first = list(passed), True
        self.x0 = x
        for item in self._merged():
            starts = [row.start_s for row in (item.rows(BASE) if isinstance(item, _Fork) else item[:1]) if row]
            if starts:
                x += max(0.0, min(starts) - base_s)
                base_s = max(base_s, min(starts))
            if first:
                self.x0, first = x, False
            if isinstance(item, _Fork):
                x = max((branch.spread(x, base_s, passed) for branch in item.branches.values()), default=x)
                for lane in BOTH:
                    passed[lane] = max([passed[lane], *(row.end_s for row in item.rows(lane))])
                base_s = max(base_s, passed[BASE])
            else:
                x = self._put(item, x, passed)
                base_s = max(base_s, passed[BASE])
        self.x1 = x
        return x

    def _put(self, pair: tuple, x: float, passed: list[float]) -> float:
        base, cand = pair
        # What is lost by one alone is no work: it has no length. Other work of the baseline alone the candidate skips.
        lone = base is None or (cand is None and base.component in LOST)
        to = x if lone else x + base.end_s - base.start_s
        for lane, row in zip(BOTH, pair, strict=True):
            if row is not None:
                tokens = int(row.tokens) if row.component == "decode" and row.tokens == row.tokens else None
                part = Part(row.component, row.start_s, row.end_s, x, to, tokens, bool(row.critical))
                self.parts[lane].append(part)
                passed[lane] = max(passed[lane], row.end_s)
            elif not lone:
                at = passed[lane]
                self.parts[lane].append(Part(base.component, at, at, x, to, None, False, skipped=True))
        return to

    def _merged(self) -> list:
        """Pairs (baseline's row, candidate's row), None where one has none, and forks, in the order of play."""
        base, cand = self.played
        keys = [_keys(rows) for rows in self.played]
        theirs = {key: i for i, key in enumerate(keys[CAND])}
        twin, last = {}, -1
        for i, key in enumerate(keys[BASE]):
            # Never crossing: what comes later on one system comes later on the other.
            if theirs.get(key, -1) > last:
                last = twin[i] = theirs[key]
        placed = [((row.event, 0, i, 0), (row, cand[twin[i]] if i in twin else None)) for i, row in enumerate(base)]
        back, at = {j: i for i, j in twin.items()}, (-1, 0, 0, 0)
        for j, row in enumerate(cand):
            if j in back:
                at = placed[back[j]][0]
            else:
                at = max((*at[:3], at[3] + 1), (row.event, -1, 0, j))
                placed.append((at, (None, row)))
        placed += [((fork.event, -2, 0, number), fork) for number, fork in self.forks.items()]
        return [item for _, item in sorted(placed, key=lambda entry: entry[0])]

    def draw(self, row: tuple[float, float] | None, budget: int, drawn: _Drawn) -> None:
        """Gives every branch its row; budget: into how many rows it may still be split."""
        for lane in BOTH:
            if self.parts[lane]:
                drawn.strips[lane].append(Strip(row, tuple(self.parts[lane])))
        for _, fork in sorted(self.forks.items()):
            fork.draw(row, budget, drawn)


@dataclass
class _Fork:
    """event: the first inside; branches by their index."""

    event: int
    branches: dict[int, _Branch] = field(default_factory=dict)

    def rows(self, lane: int) -> Iterator:
        for branch in self.branches.values():
            yield from branch.rows(lane)

    def draw(self, row: tuple[float, float] | None, budget: int, drawn: _Drawn) -> None:
        shown, ends = self._packed(budget) if row else [], []
        for place, indices in enumerate(shown):
            low, high = row
            share = (high - low) / len(shown)
            mine = (low + place * share, low + (place + 1) * share)
            for index in indices:
                self.branches[index].draw(mine, budget // len(shown), drawn)
            ends.append((max(self.branches[index].x1 for index in indices), mine))
        left = self.branches.keys() - {index for indices in shown for index in indices}
        for index in sorted(left):
            self.branches[index].draw(None, 0, drawn)
        if row and left:
            drawn.folds.append(Fold(min(ends)[0], max(b.x1 for b in self.branches.values()), min(ends)[1], len(left)))

    def _packed(self, budget: int) -> list[list[int]]:
        """Which branches share a row, from top to bottom: those that follow each other on the track may."""
        rows: list[list[int]] = []
        for index in sorted(self.branches, key=self._rank):
            mine = self.branches[index]
            free = next((row for row in rows if all(_apart(mine, self.branches[other]) for other in row)), None)
            if free is not None:
                free.append(index)
            elif len(rows) < budget:
                rows.append([index])
        return sorted(rows, key=min)

    def _rank(self, index: int) -> tuple:
        branch = self.branches[index]
        return not branch.is_critical(BASE), not branch.is_critical(CAND), branch.x0 - branch.x1, index


def _apart(a: _Branch, b: _Branch) -> bool:
    return (a.x1 <= b.x0 or b.x1 <= a.x0) and (a.x0, a.x1) != (b.x0, b.x1)


def _keys(rows: Iterable) -> list[tuple]:
    """A key for each row that is the same for the same work on another system, whatever its attempts: step, turn,
    component, and how many such rows came before.
    """
    seen: dict[tuple, int] = {}
    found = []
    for row in rows:
        key = (row.step, row.turn, row.component)
        seen[key] = seen.get(key, 0) + 1
        found.append((*key, seen[key]))
    return found
