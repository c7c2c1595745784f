"""What all steps share while a task is played: the players, the places of components and conversations, the tallies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np

from agentcalc import latency
from agentcalc.distributions import Amount, whole
from agentcalc.latency import Profile
from agentcalc.simulate.components import COMPONENTS
from agentcalc.simulate.scene import Line, Part, Scene

Player = Profile | Mapping[str, Profile]
"""Whose latency a row of the walk has: one profile for every role, or one a role."""


TAILS = ("ttft_tail", "tpot_tail")
FEW = 8_192
"""Numbers, of players times lanes, up to which they are sooner copied than looked at."""
NEVER = -1
"""In place of a row whose outcomes are given: no threshold is crossed."""


class Players:
    """The rows of a walk.

    fixed, per_token, tpot, overhead: for each role columns [players, 1]. plain: whether these are all there is, without
    tables over lengths and without tails. named: how many of the first are systems a person asked for. outcomes_of
    [players]: whose threshold outcomes (cache kept or lost, timed out or not, attention kept or lost) each row is
    given; None when each has its own.
    """

    def __init__(self, players: Sequence[Player], roles: Sequence[str], named: int, outcomes_of: np.ndarray | None):
        self.named, self.outcomes_of, self.roles = named, outcomes_of, tuple(roles)
        self.profiles = [[p if isinstance(p, Profile) else p[role] for p in players] for role in roles]
        self.fixed, self.per_token, self.tpot, self.overhead = (
            [np.array([getattr(p, name) for p in row], dtype=float)[:, None] for row in self.profiles]
            for name in ("fixed_s", "per_token_s", "tpot_s", "overhead_s")
        )
        self.count = len(players)
        self.plain = all(profile.plain for row in self.profiles for profile in row)
        self.tails = [tuple(any(getattr(p, name) for p in row) for name in TAILS) for row in self.profiles]
        self.varied = [any(tails) for tails in self.tails]

    def __len__(self) -> int:
        return self.count

    def ttft(self, role: int, uncached) -> np.ndarray:
        """Mean TTFT, s, [players, lanes or 1]; uncached tokens [rows, lanes], [lanes] or one number."""
        found = latency.ttft_s(uncached, self.fixed[role], self.per_token[role])
        return found if self.plain else self._each(role, found, "ttft_table", lambda p, u: p.first_s(u), uncached)

    def decode(self, role: int, writing, prompt) -> np.ndarray:
        """Mean seconds of writing so many tokens after the first, [players, lanes or 1]; tokens as in :meth:`ttft`."""
        found = writing * self.tpot[role]
        if self.plain:
            return found
        return self._each(role, found, "tpot_table", lambda p, n, w: w * p.token_s(n), prompt, writing)

    def _each(self, role: int, found: np.ndarray, table: str, price, *tokens) -> np.ndarray:
        """Found again for the players that have a table, one by one."""
        rows = [i for i, profile in enumerate(self.profiles[role]) if getattr(profile, table) is not None]
        if not rows:
            return found
        shape = (self.count, *np.broadcast_shapes(*(np.shape(t)[-1:] for t in tokens), found.shape[-1:]))
        full = np.array(np.broadcast_to(found, shape))
        for i in rows:
            mine = (t[i if len(t) > 1 else 0] if np.ndim(t) == 2 else t for t in tokens)
            full[i] = price(self.profiles[role][i], *mine)
        return full

    def factors(self, role: int, tail: str, u: np.ndarray) -> np.ndarray:
        """What each player's calls are multiplied by, [players, lanes], from uniform numbers [lanes] all share."""
        tails = [getattr(profile, tail) for profile in self.profiles[role]]
        drawn = {id(shape): shape.draw(u) for shape in tails if shape is not None}
        return np.stack([np.ones(len(u)) if shape is None else drawn[id(shape)] for shape in tails])

    def decided(self, outcomes: np.ndarray) -> np.ndarray:
        """Threshold outcomes as they count, bool [players, lanes]: a row's own, those of the row it is given, or
        none.
        """
        if self.outcomes_of is None:
            return outcomes
        decided = outcomes[self.outcomes_of]
        decided[self.outcomes_of == NEVER] = False
        return decided


class Observer(Protocol):
    """Sees every step as it is played; see ``record`` and ``paths``. Seconds and tokens are [players, lanes].

    spent: tokens of a call are (uncached, prompt, output), NaN for players that do not make this attempt. joined:
    when the join was, and for each branch whether it is critical and its slack, how much later it could have ended
    without delaying the join (s; NaN where it was not played or was stopped).
    """

    def spent(self, stage: Stage, act, scene: Scene, start: np.ndarray, parts, tokens) -> None: ...

    def forked(self, stage: Stage) -> int: ...

    def joined(
        self, instance: int, scene: Scene, end: np.ndarray, critical: list[np.ndarray], slack: list[np.ndarray]
    ) -> None: ...

    def mark(self) -> int: ...

    def failed(self, since: int, scene: Scene) -> None: ...


def fixed_count(amount: Amount) -> float | None:
    """The one value of an amount as a whole number; None for a distribution."""
    if amount.fixed is None:
        return None
    return max(float(round(amount.fixed)), 0.0 if amount.writes_zero else 1.0)


def _full(values: Part, shape: tuple[int, int]) -> np.ndarray:
    """Values of every player on every lane. Of few lanes a copy takes a fraction of the time of numpy's view."""
    if shape[0] * shape[1] > FEW:
        return np.broadcast_to(values, shape)
    found = np.empty(shape)
    found[...] = values
    return found


class Stage:
    """Shared by the steps of one block. ``path``: the turns being played; ``branches``: the branches, from the
    outside in.
    """

    def __init__(self, players: Players, components: tuple[str, ...], tally, task, observer: Observer | None):
        self.players, self.tally, self.observer = players, tally, observer
        self.lifetime = None if task.cache is None else task.cache.lifetime_s
        self.attention = task.attention
        self.row = {name: components.index(name) if name in components else None for name in COMPONENTS}
        self.path: list[int] = []
        self.branches: list[tuple[int, int, str]] = []

    def unseen(self, scene: Scene) -> bool:
        """Whether of a call's seconds only the sum is asked for now, and all else once its step is found critical."""
        return scene.bill is not None and self.players.plain and self.observer is None

    def amount(self, scene: Scene, amount: Amount, stream: np.uint64) -> np.ndarray | float:
        """Draws [lanes] of an amount, or its one value."""
        return amount.fixed if amount.fixed is not None else scene.draw(stream, amount.draw)

    def count(self, scene: Scene, amount: Amount, stream: np.uint64) -> np.ndarray | float:
        """The same as whole numbers."""
        if amount.fixed is not None:
            return fixed_count(amount)
        return scene.draw(stream, lambda u: whole(amount, amount.draw(u)))

    def spend(
        self,
        scene: Scene,
        act,
        parts: Sequence[tuple[str, Part | Line]],
        tokens=None,
        total: Part | None = None,
    ) -> None:
        """Adds seconds to components; tokens: (uncached, prompt, output) of a call; total: the sum of all parts, where
        it is known. Lines only from an :meth:`unseen` call, with their total.
        """
        start = scene.now() if self.observer else None
        if total is None:
            for component, seconds in parts:
                scene.spend(self.row[component], seconds, component == "human")
        else:
            for component, seconds in parts:
                scene.note(self.row[component], seconds)
            scene.elapse(total)
        if self.observer:
            full = [(name, _full(seconds, start.shape)) for name, seconds in parts]
            tokens = tokens and tuple(_full(t, start.shape) for t in tokens)
            self.observer.spent(self, act, scene, start, full, tokens)
