"""Plays a task with the library and with the oracle and lists where they part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from oracle import COMPONENTS, Answer, Rules, answer

from agentcalc.latency import Profile
from agentcalc.simulate.draws import uniform
from agentcalc.simulate.walk import Run, play
from agentcalc.task import Task

TOLERANCE = 1e-9
SEED = 11


class Listener:
    """Writes down every call of every trial as the walk makes it: (key, turns, uncached, context, output, seconds)."""

    def __init__(self):
        self.calls: dict[int, list[tuple]] = {}

    def spent(self, stage, act, scene, start, parts, tokens) -> None:
        if tokens is None:
            return
        seconds = sum(s for _, s in parts)
        for lane, trial in enumerate(scene.trial):
            made = (act.key, tuple(stage.path), *(float(t[0, lane]) for t in tokens), *seconds[:, lane].tolist())
            self.calls.setdefault(int(trial), []).append(made)

    def forked(self, stage) -> int:
        return 0

    def joined(self, instance, scene, critical, slack) -> None:
        pass

    def mark(self) -> int:
        return 0

    def failed(self, since, scene) -> None:
        pass


def answers(task: Task, profile: Profile, trials: Sequence[int], seed: int = SEED, rules: Rules | None = None):
    """The oracle's answers on the walk's own draws."""

    def draw(key: str, field: str, trial: int, turns: tuple[int, ...]) -> float:
        return uniform(seed, key, field, trial, turns)

    return [answer(task, profile, draw, trial, rules) for trial in trials]


@dataclass(frozen=True)
class Walked:
    """What the library says about some trials: the run, and every call it made in them."""

    task: Task
    profiles: tuple[Profile, ...]
    trials: tuple[int, ...]
    seed: int
    run: Run
    calls: dict[int, list[tuple]]
    listening_changed_it: bool


def walked(task: Task, profiles: Sequence[Profile], trials: int | Sequence[int] = 3, seed: int = SEED) -> Walked:
    """Plays some trials twice: for the sums alone, and with every call listened to."""
    numbers = tuple(range(trials)) if isinstance(trials, int) else tuple(trials)
    run = play(task, profiles, trials=np.array(numbers), seed=seed, per_trial=True)
    listener = Listener()
    heard = play(task, profiles, trials=np.array(numbers), seed=seed, observer=listener)
    changed = not np.allclose(run.task_s, heard.task_s, rtol=1e-12, atol=0)
    return Walked(task, tuple(profiles), numbers, seed, run, listener.calls, changed)


def differences(walk: Walked, rules: Rules | None = None) -> Iterator[str]:
    """Every quantity on which library and oracle differ by more than 1e-9, relative, as lines of text."""
    if walk.listening_changed_it:
        yield "listening changes the seconds"
    for player, profile in enumerate(walk.profiles):
        for row, trial in enumerate(walk.trials):
            (want,) = answers(walk.task, profile, [trial], walk.seed, rules)
            pairs = _pairs(walk.run, player, row, want) + _calls(walk.calls.get(trial, []), player, want)
            for name, got, wanted in pairs:
                if not _same(got, wanted):
                    yield f"trial {trial}, player {player}: {name} is {got!r}, the oracle says {wanted!r}"


def _same(got, wanted) -> bool:
    if isinstance(wanted, str | tuple):
        return got == wanted
    return abs(float(got) - float(wanted)) <= TOLERANCE * max(1e-3, abs(float(wanted)))


def _pairs(run, player: int, row: int, want: Answer) -> list[tuple]:
    pairs = [
        ("task_s", run.task_s[player, row], want.task_s),
        ("without_people_s", run.without_people_s[player, row], want.without_people_s),
        ("calls", run.calls[player, row], want.calls),
        ("exhausted", run.exhausted[player, row], want.exhausted),
    ]
    # Where rounding alone chose the critical branch, either choice is right and only the sums can be compared.
    if not want.close:
        pairs += [(name, run.per_trial[i, player, row], want.components[name]) for i, name in enumerate(COMPONENTS)]
    return pairs


def _calls(heard: list[tuple], player: int, want: Answer) -> list[tuple]:
    made = sorted((c.key, c.turns, c.uncached_tokens, c.context_tokens, c.output_tokens, c.seconds) for c in want.made)
    got = sorted((*c[:5], c[5 + player]) for c in heard)
    pairs: list[tuple] = [("calls listened to", len(got), len(made))]
    for mine, its in zip(got, made, strict=False):
        names = ("key", "turns", "uncached_tokens", "context_tokens", "output_tokens", "seconds")
        pairs += [(f"{name} of {its[0]} {its[1]}", g, w) for name, g, w in zip(names, mine, its, strict=True)]
    return pairs
