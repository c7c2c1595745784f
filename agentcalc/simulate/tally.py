"""Sums over all calls of all trials, from which per-call ratios, extrapolation and mean lengths follow.

A call's seconds are affine in its uncached tokens and the tokens it writes after the first, so that the sums of tokens give
the sums of seconds of every player without touching [players, lanes] arrays.
"""

from __future__ import annotations

import numpy as np

from agentcalc.latency import Profile
from agentcalc.simulate.stage import Players


class Tally:
    """calls, uncached, writing, output: sums; slowest, fastest [named players]: the range of baseline / player over paired calls."""

    def __init__(self, players: Players):
        self.players = players
        self.calls = self.uncached = self.writing = self.output = 0.0
        self.fastest = np.full(players.named, -np.inf)
        self.slowest = np.full(players.named, np.inf)
        self._ranges = {(p.uncached_range, p.context_range) for p in players.profiles[: players.named]}
        self._outside = {ranges: np.zeros(3) for ranges in self._ranges}

    def add(self, uncached, prompt, output, writing, seconds: np.ndarray) -> None:
        """Counts the calls of all lanes; tokens [lanes] or numbers, seconds [players, lanes]."""
        lanes = seconds.shape[1]
        self.calls += lanes
        self.uncached += _total(uncached, lanes)
        self.output += _total(output, lanes)
        self.writing += _total(writing, lanes)
        for ranges in self._ranges:
            self._outside[ranges] += _outside(ranges, uncached, prompt, output, writing, lanes)
        named = self.players.named
        if named > 1 and lanes:
            with np.errstate(divide="ignore", invalid="ignore"):
                ratio = seconds[0] / seconds[1:named]
            # 0 / 0 says nothing about either system: fmax and fmin pass over it
            np.fmax(self.fastest[1:], np.fmax.reduce(ratio, axis=1), out=self.fastest[1:])
            np.fmin(self.slowest[1:], np.fmin.reduce(ratio, axis=1), out=self.slowest[1:])

    def seconds(self, profile: Profile) -> float:
        """Seconds of all calls on a player."""
        first = self.calls * (profile.overhead_s + profile.fixed_s) + profile.per_token_s * self.uncached
        return first + profile.tpot_s * self.writing

    def extrapolated_share(self, profile: Profile) -> float:
        """Share of the call seconds of a named player that lie outside the range it was measured on."""
        total = self.seconds(profile)
        calls, uncached, writing = self._outside[profile.uncached_range, profile.context_range]
        outside = calls * profile.fixed_s + uncached * profile.per_token_s + writing * profile.tpot_s
        return outside / total if total > 0 else 0.0


def _total(tokens, lanes: int) -> float:
    return float(np.sum(tokens)) if np.ndim(tokens) else float(tokens) * lanes


def _outside(ranges, uncached, prompt, output, writing, lanes: int) -> np.ndarray:
    """Calls and uncached tokens whose TTFT, and written tokens whose TPOT, lie outside (uncached_range, context_range)."""
    uncached_range, context_range = ranges
    found = np.zeros(3)
    if uncached_range is not None:
        out = (uncached < uncached_range[0]) | (uncached > uncached_range[1])
        found[0] = _total(out, lanes)
        found[1] = _total(np.multiply(uncached, out), lanes)
    if context_range is not None:
        out = (prompt < context_range[0]) | (prompt + output > context_range[1])
        found[2] = _total(np.multiply(writing, out), lanes)
    return found
