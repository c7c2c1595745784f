"""What all steps share while a task is played: the players, the places of components and conversations, the tallies."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from agentcalc.distributions import Amount, whole
from agentcalc.latency import Profile
from agentcalc.simulate.components import COMPONENTS
from agentcalc.simulate.scene import Scene


class Players:
    """Profiles as columns [players, 1]; ``named`` is how many of the first are systems a person asked for."""

    def __init__(self, profiles: tuple[Profile, ...], named: int):
        self.profiles, self.named = profiles, named
        self.fixed, self.per_token, self.tpot, self.overhead = (
            np.array([getattr(p, name) for p in profiles], dtype=float)[:, None]
            for name in ("fixed_s", "per_token_s", "tpot_s", "overhead_s")
        )

    def __len__(self) -> int:
        return len(self.profiles)


class Observer(Protocol):
    """Sees every step as it is played; see ``record`` and ``ledger``."""

    def spent(self, stage: Stage, act, scene: Scene, start: np.ndarray, parts, tokens) -> None: ...

    def forked(self, stage: Stage) -> int: ...

    def joined(self, instance: int, scene: Scene, critical: list[np.ndarray]) -> None: ...

    def mark(self) -> int: ...

    def failed(self, since: int, scene: Scene) -> None: ...


class Stage:
    """Shared by the steps of one block. ``path``: the turns being played; ``branches``: the branches, from the outside in."""

    def __init__(self, players: Players, seed: int, components: tuple[str, ...], tally, observer: Observer | None):
        self.players, self.seed, self.tally, self.observer = players, seed, tally, observer
        self.components = components
        self.row = {name: components.index(name) if name in components else None for name in COMPONENTS}
        self.path: list[int] = []
        self.branches: list[tuple[int, int, str]] = []

    def amount(self, scene: Scene, amount: Amount, stream: np.uint64) -> np.ndarray | float:
        """Draws [lanes] of an amount, or its one value."""
        return amount.fixed if amount.fixed is not None else scene.draw(stream, amount.draw)

    def count(self, scene: Scene, amount: Amount, stream: np.uint64) -> np.ndarray | float:
        """The same as whole numbers."""
        if amount.fixed is not None:
            return float(whole(amount, np.array(amount.fixed)))
        return scene.draw(stream, lambda u: whole(amount, amount.draw(u)))

    def spend(self, scene: Scene, act, parts: tuple[tuple[str, np.ndarray | float], ...], tokens=None) -> None:
        """Adds seconds ([players, lanes], [lanes] or one number) to components; tokens: (uncached, output) of a call."""
        start = scene.now() if self.observer else None
        for component, seconds in parts:
            scene.seconds[self.row[component]] += seconds
            if scene.alone is not None and component != "human":
                scene.alone += seconds
        if self.observer:
            self.observer.spent(self, act, scene, start, parts, tokens)
