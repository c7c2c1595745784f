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


class Recorder:
    """An observer that keeps every event, and for every fork which branches were critical."""

    def __init__(self):
        self.events: list[Event] = []
        self._forks: list[tuple[tuple[int, int, str], ...]] = []
        self._critical: dict[tuple[int, int], np.ndarray] = {}

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

    def joined(self, instance: int, scene, critical, slack) -> None:
        for lane, trial in enumerate(scene.trial):
            self._critical[instance, int(trial)] = np.array([branch[:, lane] for branch in critical])

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

    def rows(self, trial: int) -> list[dict]:
        """Segments of one trial, one row a player and component: player, event, step, kind, turn, branch, call,
        component, start_s, end_s, critical, tokens. In the order of play; seconds of a failed attempt are ``retry``.
        """
        rows, calls = [], 0
        for number, event in enumerate(self.events):
            where = np.flatnonzero(event.trial == trial)
            if not len(where):
                continue
            lane = int(where[0])
            calls += event.tokens is not None
            critical = self.critical(event, trial)
            for player in range(event.start.shape[0]):
                at = float(event.start[player, lane])
                for component, seconds in event.parts:
                    end = at + float(seconds[player, lane])
                    rows.append(
                        {
                            "player": player,
                            "event": number,
                            "step": event.key,
                            "kind": event.step.kind,
                            "turn": event.turn,
                            "branch": event.branches[-1][2] if event.branches else "",
                            "call": calls,
                            "component": "retry" if trial in event.failed else component,
                            "start_s": at,
                            "end_s": end,
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
