"""The critical path through a graph: traced back from the step that ends last, and what was spent along it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from agentcalc.simulate.scene import Bill, Line


class Trace:
    """For each step of one play, which of the steps it waits for ended last; of equals the first."""

    def __init__(self, after: Sequence[Sequence[int]]):
        self.after = after
        # where a step was later than all before it in the list, bool [players, lanes]: from the second on
        self._later: list[list[np.ndarray]] = [[] for _ in after]

    def until(self, i: int, clocks: Sequence[np.ndarray]) -> np.ndarray:
        """When the last of the steps that one waits for ended, [players, lanes]; clocks: their ends, as listed."""
        latest, *others = clocks
        for clock in others:
            self._later[i].append(clock > latest)
            latest = np.maximum(latest, clock)
        return latest

    def back(self, order: Sequence[int], last: Mapping[int, np.ndarray]) -> list[np.ndarray | None]:
        """For each step, where it lies on the critical path, bool [players, lanes]; None: nowhere.

        order: each step after those it waits for; last: the steps that are the last of all somewhere, and where.
        """
        found: list[np.ndarray | None] = [last.get(i) for i in range(len(self.after))]
        for i in reversed(order):
            here = found[i]
            if here is None or not self.after[i]:
                continue
            first, *others = self.after[i]
            for j, later in zip(reversed(others), reversed(self._later[i]), strict=True):
                _also(found, j, here & later)
                here = here > later
            _also(found, first, here)
        return found


def _also(found: list[np.ndarray | None], j: int, here: np.ndarray) -> None:
    found[j] = here if found[j] is None else found[j] | here


def add_along(total: list[np.ndarray], steps: Iterable[tuple[np.ndarray | None, Bill]]) -> None:
    """Adds to each component, [players, lanes], what steps have spent where they lie on the critical path.

    steps: where, and what.
    """
    share, part = np.empty(total[0].shape), np.empty(total[0].shape)
    lines: dict[tuple[int, int], _Lines] = {}
    for critical, bill in steps:
        if critical is None or not critical.any():
            continue
        # A product by 0 or 1: which path is critical changes at random from lane to lane, and a processor that guesses
        # it wrong loses more time than the product takes.
        np.copyto(share, critical)
        for component, spent in bill:
            if isinstance(spent, Line):
                key = component, id(spent.slope)
                if key not in lines:
                    lines[key] = _Lines(spent, share.shape)
                lines[key].add(spent.tokens, share, part)
            else:
                np.multiply(spent, share, out=part)
                total[component] += part
    for (component, _), alike in lines.items():
        total[component] += alike.seconds()


class _Lines:
    """Calls along the critical path whose seconds lie on one line: only their tokens are added up one by one."""

    def __init__(self, line: Line, shape: tuple[int, int]):
        self.line, self.tokens = line, np.zeros(shape)
        self.calls = None if line.fixed is None else np.zeros(shape)

    def add(self, tokens: np.ndarray | float, share: np.ndarray, part: np.ndarray) -> None:
        """Adds a call where share is 1; part: room, [players, lanes]."""
        np.multiply(tokens, share, out=part)
        self.tokens += part
        if self.calls is not None:
            self.calls += share

    def seconds(self) -> np.ndarray:
        """Seconds of all of them, [players, lanes]."""
        found = self.line.slope * self.tokens
        return found if self.calls is None else found + self.line.fixed * self.calls
