"""Sums over all calls of all trials, from which per-call ratios, extrapolation and mean lengths follow.

A call's seconds are affine in its uncached tokens and the tokens it writes after the first, so that the sums of
tokens give the sums of seconds of every player without touching [players, lanes] arrays.
"""

from __future__ import annotations

import numpy as np

from agentcalc.simulate.stage import Players


class Tally:
    """Of the first attempt of every call, by role and player: calls, uncached, writing, output, all [roles, players].

    slowest, fastest [named players]: the range of baseline / player over paired calls.
    """

    def __init__(self, players: Players):
        self.players = players
        shape = (len(players.roles), len(players))
        self.calls, self.uncached, self.writing, self.output = (np.zeros(shape) for _ in range(4))
        self.fastest = np.full(players.named, -np.inf)
        self.slowest = np.full(players.named, np.inf)
        self._outside = [
            {(p.uncached_range, p.context_range): np.zeros((3, len(players))) for p in row[: players.named]}
            for row in players.profiles
        ]

    def add(self, role: int, uncached, prompt, output, writing, seconds: np.ndarray) -> None:
        """Counts the calls of all lanes; tokens [rows, lanes], [lanes] or numbers, seconds [named players, lanes]."""
        lanes = seconds.shape[1]
        self.calls[role] += lanes
        self.uncached[role] += _total(uncached, lanes)
        self.output[role] += _total(output, lanes)
        self.writing[role] += _total(writing, lanes)
        for ranges, found in self._outside[role].items():
            _add_outside(found, ranges, uncached, prompt, output, writing, lanes)
        if self.players.named > 1 and lanes:
            with np.errstate(divide="ignore", invalid="ignore"):
                ratio = seconds[0] / seconds[1:]
            # 0 / 0 says nothing about either system: fmax and fmin pass over it
            np.fmax(self.fastest[1:], np.fmax.reduce(ratio, axis=1), out=self.fastest[1:])
            np.fmin(self.slowest[1:], np.fmin.reduce(ratio, axis=1), out=self.slowest[1:])

    def seconds(self, player: int) -> float:
        """Seconds of all calls on a player."""
        return sum(self._seconds(role, player, *self._sums(role, player)) for role in range(len(self.players.roles)))

    def extrapolated_share(self, player: int) -> float:
        """Share of the call seconds of a named player that lie outside the range it was measured on."""
        total, outside = self.seconds(player), 0.0
        for role, row in enumerate(self.players.profiles):
            p = row[player]
            calls, uncached, writing = self._outside[role][p.uncached_range, p.context_range][:, player]
            outside += calls * p.fixed_s + uncached * p.per_token_s + writing * p.tpot_s
        return outside / total if total > 0 else 0.0

    def _sums(self, role: int, player: int) -> tuple[float, float, float]:
        return tuple(float(sums[role, player]) for sums in (self.calls, self.uncached, self.writing))

    def _seconds(self, role: int, player: int, calls: float, uncached: float, writing: float) -> float:
        p = self.players.profiles[role][player]
        return calls * (p.overhead_s + p.fixed_s) + uncached * p.per_token_s + writing * p.tpot_s


def _total(tokens, lanes: int):
    """Sum over lanes: a number, or [rows] for tokens [rows, lanes]."""
    return np.sum(tokens, axis=-1) if np.ndim(tokens) else float(tokens) * lanes


def _add_outside(found: np.ndarray, ranges, uncached, prompt, output, writing, lanes: int) -> None:
    """Calls and uncached tokens whose TTFT, and written tokens whose TPOT, lie outside (uncached_range,
    context_range).
    """
    uncached_range, context_range = ranges
    if uncached_range is not None:
        out = (uncached < uncached_range[0]) | (uncached > uncached_range[1])
        found[0] += _total(out, lanes)
        found[1] += _total(np.multiply(uncached, out), lanes)
    if context_range is not None:
        out = (prompt < context_range[0]) | (prompt + output > context_range[1])
        found[2] += _total(np.multiply(writing, out), lanes)
