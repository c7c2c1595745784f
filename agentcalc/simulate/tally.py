"""Sums over all calls of all trials, from which per-call ratios, extrapolation and mean lengths follow.

A call's seconds are affine in its uncached tokens and the tokens it writes after the first, so that tokens are all
that need be kept of it. They are gathered until there are many, and summed together.
"""

from __future__ import annotations

import numpy as np

from agentcalc import latency
from agentcalc.latency import Profile
from agentcalc.simulate.stage import Players

ROOM = 32_768
"""Calls gathered before they are summed."""

UNCACHED, PROMPT, OUTPUT = range(3)


class Tally:
    """Of the first attempt of every call, by role and player: calls, uncached, writing, output, all [roles, players].

    slowest, fastest [named players]: the range of baseline / player over paired calls. rows: 1, or one a player where
    what is said can differ.
    """

    def __init__(self, players: Players, rows: int):
        self.players = players
        shape = (len(players.roles), len(players))
        self.calls, self.uncached, self.writing, self.output = (np.zeros(shape) for _ in range(4))
        self.fastest = np.full(players.named, -np.inf)
        self.slowest = np.full(players.named, np.inf)
        self._outside = [
            {_ranges(p): np.zeros((3, len(players))) for p in row[: players.named]} for row in players.profiles
        ]
        self._tokens = [np.empty((3, rows, ROOM)) for _ in players.roles]
        self._gathered = [0] * len(players.roles)

    def add(self, role: int, lanes: int, uncached, prompt, output) -> None:
        """Counts the calls of some lanes; tokens [rows, lanes], [lanes] or numbers."""
        if self._gathered[role] + lanes > ROOM:
            self._sum(role)
        start = self._gathered[role]
        room = self._tokens[role][:, :, start : start + lanes]
        room[UNCACHED], room[PROMPT], room[OUTPUT] = uncached, prompt, output
        self._gathered[role] = start + lanes

    def settle(self) -> None:
        """Sums what is still gathered; to be called once all is played."""
        for role in range(len(self.players.roles)):
            self._sum(role)

    def _sum(self, role: int) -> None:
        calls = self._gathered[role]
        uncached, prompt, output = self._tokens[role][:, :, :calls]
        self._gathered[role] = 0
        if not calls:
            return
        writing = np.maximum(output - 1.0, 0.0)
        self.calls[role] += calls
        for total, tokens in ((self.uncached, uncached), (self.output, output), (self.writing, writing)):
            total[role] += tokens.sum(axis=-1)
        for ranges, found in self._outside[role].items():
            _add_outside(found, ranges, uncached, prompt, output, writing)
        if self.players.named > 1:
            self._pair(role, uncached, output)

    def _pair(self, role: int, uncached: np.ndarray, output: np.ndarray) -> None:
        players, named = self.players, self.players.named
        mine = slice(named if len(uncached) > 1 else 1)
        seconds = players.overhead[role][:named] + latency.ttft_s(
            uncached[mine], players.fixed[role][:named], players.per_token[role][:named]
        )
        seconds += latency.decode_s(output[mine], players.tpot[role][:named])
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = seconds[0] / seconds[1:]
        # 0 / 0 says nothing about either system: fmax and fmin pass over it
        np.fmax(self.fastest[1:], np.fmax.reduce(ratio, axis=1), out=self.fastest[1:])
        np.fmin(self.slowest[1:], np.fmin.reduce(ratio, axis=1), out=self.slowest[1:])

    def seconds(self, player: int) -> float:
        """Seconds of all calls on a player."""
        total = 0.0
        for role, row in enumerate(self.players.profiles):
            p, calls = row[player], self.calls[role, player]
            total += calls * (p.overhead_s + p.fixed_s)
            total += self.uncached[role, player] * p.per_token_s + self.writing[role, player] * p.tpot_s
        return float(total)

    def extrapolated_share(self, player: int) -> float:
        """Share of the call seconds of a named player that lie outside the range it was measured on."""
        total, outside = self.seconds(player), 0.0
        for role, row in enumerate(self.players.profiles):
            p = row[player]
            calls, uncached, writing = self._outside[role][_ranges(p)][:, player]
            outside += calls * p.fixed_s + uncached * p.per_token_s + writing * p.tpot_s
        return float(outside / total) if total > 0 else 0.0


def _ranges(profile: Profile):
    return profile.uncached_range, profile.context_range


def _add_outside(found: np.ndarray, ranges, uncached, prompt, output, writing) -> None:
    """Calls and uncached tokens whose TTFT, and written tokens whose TPOT, lie outside (uncached_range, context_range).

    found [3, players]; tokens [rows, calls].
    """
    uncached_range, context_range = ranges
    if uncached_range is not None:
        out = (uncached < uncached_range[0]) | (uncached > uncached_range[1])
        found[0] += out.sum(axis=-1)
        found[1] += np.where(out, uncached, 0.0).sum(axis=-1)
    if context_range is not None:
        out = (prompt < context_range[0]) | (prompt + output > context_range[1])
        found[2] += np.where(out, writing, 0.0).sum(axis=-1)
