"""Single runs, second by second: the walk played again on a few trials with every step written down."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np


@dataclass
class Event:
    """One play of a step on some lanes. start [players, lanes]; parts: (component, seconds) as spent; tokens: of a
    call, (uncached, prompt, output), each [players, lanes].
    """

    key: str
    step: object
    turn: str
    branches: tuple[tuple[int, int, str], ...]
    trial: np.ndarray
    start: np.ndarray
    parts: tuple[tuple[str, np.ndarray], ...]
    tokens: tuple[np.ndarray, np.ndarray, np.ndarray] | None
    failed: set[int] = field(default_factory=set)

    def takes_part(self, player: int, lane: int) -> bool:
        """Whether a player makes this attempt of a call, or waits before it: others try no more."""
        if self.tokens is not None:
            return not np.isnan(self.tokens[0][player, lane])
        return self.step.kind != "model_call" or any(seconds[player, lane] > 0 for _, seconds in self.parts)

    def segments(self, player: int, lane: int) -> list[tuple[str, float]]:
        """(component, seconds) of a player: what an attempt may lose is named only where it is lost, and an attempt
        that is lost is nothing else.
        """
        found = [(name, float(seconds[player, lane])) for name, seconds in self.parts]
        lost = [(name, seconds) for name, seconds in found if name == "retry" and seconds > 0]
        if lost and self.tokens is not None:
            return lost
        return [(n, s) for n, s in found if s > 0 or n not in ("retry", "refill", "attention")] or found[:1]


class Recorder:
    """An observer that keeps every event, and for every fork which branches were critical."""

    def __init__(self):
        self.events: list[Event] = []
        self._forks: list[tuple[tuple[int, int, str], ...]] = []
        self._critical: dict[tuple[int, int], np.ndarray] = {}
        self._end: dict[tuple[int, int], np.ndarray] = {}

    def spent(self, stage, act, scene, start, parts, tokens) -> None:
        kept = tuple((name, np.array(seconds)) for name, seconds in parts)
        tokens = tokens and tuple(np.array(t) for t in tokens)
        turn = ".".join(str(t + 1) for t in stage.path)
        self.events.append(
            Event(act.key, act.step, turn, tuple(stage.branches), scene.trial.copy(), start, kept, tokens)
        )

    def forked(self, stage) -> int:
        self._forks.append(tuple(stage.branches))
        return len(self._forks) - 1

    def joined(self, instance: int, scene, end, critical, slack) -> None:
        for lane, trial in enumerate(scene.trial):
            self._critical[instance, int(trial)] = np.array([branch[:, lane] for branch in critical])
            self._end[instance, int(trial)] = end[:, lane].copy()

    def mark(self) -> int:
        return len(self.events)

    def failed(self, since: int, scene) -> None:
        failed = {int(trial) for trial in scene.trial}
        for event in self.events[since:]:
            event.failed |= failed

    def critical(self, event: Event, trial: int) -> np.ndarray:
        """Whether an event lies on the critical path of a trial, [players]."""
        players = event.start.shape[0]
        found = np.ones(players, dtype=bool)
        for instance, branch, _ in event.branches:
            found &= self._critical[instance, trial][branch]
        return found

    def _stop(self, event: Event, trial: int) -> np.ndarray:
        """When the branches around an event are joined and what still runs in them stops, [players]."""
        ends = [self._end[instance, trial] for instance, _, _ in event.branches]
        return np.min(ends, axis=0) if ends else np.full(event.start.shape[0], np.inf)

    def rows(self, trial: int) -> list[dict]:
        """Segments of one trial, one row a player and component: player, event, step, kind, turn, branch, inside, call,
        component, start_s, end_s, critical, tokens. In the order of play; seconds of a failed attempt are ``retry``.

        An event has rows only for the players that take part in it, and ends where its branch is stopped.
        """
        rows: list[dict] = []
        calls = [0] * (self.events[0].start.shape[0] if self.events else 0)
        for number, event in enumerate(self.events):
            where = np.flatnonzero(event.trial == trial)
            if not len(where):
                continue
            lane = int(where[0])
            critical, stop = self.critical(event, trial), self._stop(event, trial)
            shared = {
                "event": number,
                "step": event.key,
                "kind": event.step.kind,
                "turn": event.turn,
                "branch": event.branches[-1][2] if event.branches else "",
                "inside": "/".join(f"{instance}.{index}" for instance, index, _ in event.branches),
            }
            for player in range(len(calls)):
                at = float(event.start[player, lane])
                if not event.takes_part(player, lane) or (at >= stop[player] and not critical[player]):
                    continue
                calls[player] += event.tokens is not None
                for component, seconds in event.segments(player, lane):
                    end = at + seconds
                    rows.append(
                        {
                            "player": player,
                            **shared,
                            "call": calls[player],
                            "component": "retry" if trial in event.failed else component,
                            "start_s": at,
                            "end_s": end if critical[player] else min(end, max(at, float(stop[player]))),
                            "critical": bool(critical[player]),
                            "tokens": _tokens(event, component, player, lane),
                        }
                    )
                    at = end
        return rows


def _tokens(event: Event, component: str, player: int, lane: int) -> float:
    if event.tokens is None or component not in ("ttft", "decode"):
        return float("nan")
    return float(event.tokens[0 if component == "ttft" else 2][player, lane])
