"""What the results before each step of a graph add up to."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import numpy as np

Tokens = np.ndarray | float
"""[rows, lanes], or one number."""


class Sums:
    """How the results before each step are summed, the same in every trial: those before one of its predecessors,
    which are summed already, and the rest one by one. Steps come in an order in which each is after those it waits for.
    """

    def __init__(self, after: Sequence[Sequence[int]], order: Sequence[int]):
        # bit j of before[i]: step i waits for step j, directly or not
        before = [0] * len(after)
        self.parts: list[tuple[int | None, tuple[int, ...]]] = [(None, ())] * len(after)
        for i in order:
            for j in after[i]:
                before[i] |= 1 << j | before[j]
            if after[i]:
                most = max(after[i], key=lambda j: before[j].bit_count())
                self.parts[i] = most, _ones(before[i] & ~before[most])
        self.sum_until = {self.parts[i][0]: i for i in order}
        self.result_until = {j: i for i in order for j in self.parts[i][1]}


def _ones(bits: int) -> tuple[int, ...]:
    """Where a number has ones, from the lowest on."""
    found = []
    while bits:
        found.append((bits & -bits).bit_length() - 1)
        bits &= bits - 1
    return tuple(found)


class Gains:
    """The sums of one play. What no later step needs is let go."""

    def __init__(self, sums: Sums):
        self.sums, self.total = sums, 0.0
        self._before: dict[int, Tokens] = {}
        self._results: dict[int, Tokens] = {}

    def before(self, i: int) -> Tokens:
        """The sum of the results of all steps that one waits for; the number 0 where they have none."""
        most, rest = self.sums.parts[i]
        found = [self._results[j] for j in rest]
        if most is not None:
            found.append(self._before[most])
        there = [tokens for tokens in found if np.ndim(tokens)]
        self._before[i] = reduce(np.add, there) if there else 0.0
        for j in (j for j in rest if self.sums.result_until[j] == i):
            del self._results[j]
        if most is not None and self.sums.sum_until[most] == i:
            del self._before[most]
        if i not in self.sums.sum_until:
            return self._before.pop(i)
        return self._before[i]

    def add(self, i: int, result: Tokens) -> None:
        """The result of a step that has been played."""
        if np.ndim(result):
            self.total = self.total + result
        if i in self.sums.result_until:
            self._results[i] = result
