"""Sums over all calls of all trials, from which per-call ratios, extrapolation and mean lengths follow.

On plain players a call's seconds are affine in its uncached tokens and the tokens it writes after the first, so that
tokens are all that need be kept of it. They are gathered until there are many, and summed together. Where a player has
tables or tails, the seconds of each call are summed as it is made.
"""

from __future__ import annotations

import numpy as np

from agentcalc import latency
from agentcalc.latency import Profile
from agentcalc.simulate.stage import Players

ROOM = 32_768
"""Calls gathered before they are summed."""
MANY = 4_096
"""Calls that are summed by themselves."""

UNCACHED, PROMPT, OUTPUT = range(3)


class Tally:
    """Of the first attempt of every call, by role and player: calls, uncached, prompt, writing, output, all
    [roles, players].

    fewest, most [roles, 2]: the range of uncached and of context tokens (prompt and answer) over calls. slowest,
    fastest [named players]: the range of baseline / player over paired calls. rows: 1, or one a player where what is
    said can differ.
    """

    def __init__(self, players: Players, rows: int):
        self.players = players
        shape = (len(players.roles), len(players))
        self.calls, self.uncached, self.prompt, self.writing, self.output = (np.zeros(shape) for _ in range(5))
        self.fastest = np.full(players.named, -np.inf)
        self.slowest = np.full(players.named, np.inf)
        self._outside = [
            {_ranges(p): np.zeros((3, len(players))) for p in row[: players.named]} for row in players.profiles
        ]
        self.fewest = np.full((len(players.roles), 2), np.inf)
        self.most = np.full((len(players.roles), 2), -np.inf)
        self.priced, self.priced_outside = np.zeros(players.named), np.zeros(players.named)
        self._tokens = [np.empty((3, rows, ROOM)) for _ in players.roles]
        self._gathered = [0] * len(players.roles)

    def add(self, role: int, lanes: int, attempt, call_s: np.ndarray | None = None) -> None:
        """Counts the calls of some lanes; attempt: as ``calls.Attempt``; call_s: its ``call_s()``, if it is known."""
        if not self.players.plain:
            self._price(role, lanes, attempt)
        if lanes >= MANY:
            shape = self._tokens[role].shape[1], lanes
            self._sum(role, *(_filled(tokens, shape) for tokens in self._of(attempt)))
            if self.players.plain and (named := self.players.named) > 1:
                self._pair(attempt.call_s(named) if call_s is None else call_s[:named])
            return
        if self._gathered[role] + lanes > ROOM:
            self._sum_gathered(role)
        start = self._gathered[role]
        room = self._tokens[role][:, :, start : start + lanes]
        room[UNCACHED], room[PROMPT], room[OUTPUT] = self._of(attempt)
        self._gathered[role] = start + lanes

    def _price(self, role: int, lanes: int, attempt) -> None:
        """Sums the seconds of some calls as they are made, where they do not follow from tokens alone."""
        named = self.players.named
        total, ttft, decode = (
            np.broadcast_to(part[:named], (named, lanes))
            for part in (attempt.call_s(named), attempt.ttft, attempt.decode)
        )
        self.priced += total.sum(axis=-1)
        for player, profile in enumerate(self.players.profiles[role][:named]):
            tokens = (t[player] if np.ndim(t) == 2 and len(t) > 1 else t for t in self._of(attempt))
            first, writing = outside(*_ranges(profile), *tokens)
            self.priced_outside[player] += np.sum(ttft[player] * first) + np.sum(decode[player] * writing)
        if named > 1:
            self._pair(total)

    @staticmethod
    def _of(attempt):
        return attempt.uncached, attempt.prompt, attempt.output

    def settle(self) -> None:
        """Sums what is still gathered; to be called once all is played."""
        for role in range(len(self.players.roles)):
            self._sum_gathered(role)

    def _sum_gathered(self, role: int) -> None:
        calls, self._gathered[role] = self._gathered[role], 0
        if not calls:
            return
        uncached, prompt, output = self._tokens[role][:, :, :calls]
        self._sum(role, uncached, prompt, output)
        if self.players.named > 1 and self.players.plain:
            self._pair(self._affine(role, uncached, output))

    def _sum(self, role: int, uncached: np.ndarray, prompt: np.ndarray, output: np.ndarray) -> None:
        """Adds some calls; tokens [rows, calls]."""
        calls, written = output.shape[-1], np.add.reduce(output, axis=-1)
        self.calls[role] += calls
        self.uncached[role] += np.add.reduce(uncached, axis=-1)
        self.prompt[role] += np.add.reduce(prompt, axis=-1)
        self.output[role] += written
        # In whole numbers the sum of all but the first token of each call is exact either way.
        silent = np.minimum.reduce(output, axis=None) < 1
        self.writing[role] += np.maximum(output - 1.0, 0.0).sum(axis=-1) if silent else written - calls
        fewest, most = self.fewest[role], self.most[role]
        for column, tokens, after in ((0, uncached, uncached), (1, prompt, prompt + output)):
            fewest[column] = min(fewest[column], np.minimum.reduce(tokens, axis=None))
            most[column] = max(most[column], np.maximum.reduce(after, axis=None))
        for ranges, found in self._outside[role].items():
            _add_outside(found, ranges, uncached, prompt, output)

    def _affine(self, role: int, uncached: np.ndarray, output: np.ndarray) -> np.ndarray:
        """Seconds of calls on the named players, [named, calls]; tokens [rows, calls]."""
        players, named = self.players, self.players.named
        mine = slice(named if len(uncached) > 1 else 1)
        seconds = players.overhead[role][:named] + latency.ttft_s(
            uncached[mine], players.fixed[role][:named], players.per_token[role][:named]
        )
        return seconds + latency.decode_s(output[mine], players.tpot[role][:named])

    def _pair(self, seconds: np.ndarray) -> None:
        """Keeps the range of the ratios of some calls' seconds, [named, calls]."""
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = seconds[0] / seconds[1:]
        # 0 / 0 says nothing about either system: fmax and fmin pass over it
        np.fmax(self.fastest[1:], np.fmax.reduce(ratio, axis=1), out=self.fastest[1:])
        np.fmin(self.slowest[1:], np.fmin.reduce(ratio, axis=1), out=self.slowest[1:])

    def seconds(self, player: int) -> float:
        """Seconds of all calls on a named player."""
        if not self.players.plain:
            return float(self.priced[player])
        total = 0.0
        for role, row in enumerate(self.players.profiles):
            p, calls = row[player], self.calls[role, player]
            total += calls * (p.overhead_s + p.fixed_s)
            total += self.uncached[role, player] * p.per_token_s + self.writing[role, player] * p.tpot_s
        return float(total)

    def extrapolated_share(self, player: int) -> float:
        """Share of the call seconds of a named player that lie outside the range it was measured on."""
        total, far = self.seconds(player), 0.0
        if not self.players.plain:
            return float(self.priced_outside[player] / total) if total > 0 else 0.0
        for role, row in enumerate(self.players.profiles):
            p = row[player]
            calls, uncached, writing = self._outside[role][_ranges(p)][:, player]
            far += calls * p.fixed_s + uncached * p.per_token_s + writing * p.tpot_s
        return float(far / total) if total > 0 else 0.0


def _filled(tokens: np.ndarray | float, shape: tuple[int, int]) -> np.ndarray:
    """Tokens [rows, lanes], [lanes] or one number as [rows, lanes]; numpy's own broadcast_to takes longer."""
    if isinstance(tokens, np.ndarray) and tokens.size == shape[0] * shape[1]:
        return tokens.reshape(shape)
    return np.broadcast_to(tokens, shape)


def _ranges(profile: Profile):
    return profile.uncached_range, profile.context_range


def outside(uncached_range, context_range, uncached, prompt, output):
    """(where a call's TTFT, where its TPOT) lies outside what was measured; tokens of any shape."""
    first = writing = False
    if uncached_range is not None:
        first = (uncached < uncached_range[0]) | (uncached > uncached_range[1])
    if context_range is not None:
        writing = (prompt < context_range[0]) | (prompt + output > context_range[1])
    return first, writing


def _add_outside(found: np.ndarray, ranges, uncached, prompt, output) -> None:
    """Calls and uncached tokens whose TTFT, and written tokens whose TPOT, lie outside (uncached_range, context_range).

    found [3, players]; tokens [rows, calls].
    """
    out, late = outside(*ranges, uncached, prompt, output)
    if out is not False:
        found[0] += out.sum(axis=-1)
        found[1] += np.where(out, uncached, 0.0).sum(axis=-1)
    if late is not False:
        found[2] += np.where(late, np.maximum(output - 1.0, 0.0), 0.0).sum(axis=-1)
