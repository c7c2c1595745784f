"""Plays a task with the library and with the oracle and lists where they part."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from oracle import COMPONENTS, Answer, Call, Player, Rules, Turns, answer

from agentcalc.simulate.draws import uniform
from agentcalc.simulate.walk import Run, play
from agentcalc.task import Task

TOLERANCE = 1e-9
SEED = 11


@dataclass(frozen=True)
class Heard:
    """One attempt of a call as the walk made it, tokens and seconds by player."""

    uncached_tokens: list[float]
    context_tokens: list[float]
    output_tokens: list[float]
    seconds: list[float]


class Listener:
    """Writes down every call of every trial, its attempts in order: ``calls[trial][key, turns]``."""

    def __init__(self):
        self.calls: dict[int, dict[tuple[str, Turns], list[Heard]]] = defaultdict(lambda: defaultdict(list))

    def spent(self, stage, act, scene, start, parts, tokens) -> None:
        if tokens is None:
            return
        seconds = sum(s for _, s in parts)
        tokens = [np.broadcast_to(t, seconds.shape) for t in tokens]
        for lane, trial in enumerate(scene.trial):
            heard = Heard(*(t[:, lane].tolist() for t in tokens), seconds[:, lane].tolist())
            self.calls[int(trial)][act.key, tuple(stage.path)].append(heard)

    def forked(self, stage) -> int:
        return 0

    def joined(self, instance, scene, end, critical, slack) -> None:
        pass

    def mark(self) -> int:
        return 0

    def failed(self, since, scene) -> None:
        pass


def answers(
    task: Task,
    player: Player,
    trials: Sequence[int],
    seed: int = SEED,
    rules: Rules | None = None,
    outcomes_of: Player | None = None,
) -> list[Answer]:
    """The oracle's answers on the walk's own draws; outcomes_of: the player whose threshold outcomes are had."""

    def draw(key: str, field: str, trial: int, turns: tuple[int, ...]) -> float:
        return uniform(seed, key, field, trial, turns)

    found = []
    for trial in trials:
        other = None if outcomes_of is None else answer(task, outcomes_of, draw, trial, rules)
        mine = answer(task, player, draw, trial, rules, None if other is None else other.outcomes)
        found.append(replace(mine, doubtful=other.doubtful or mine.doubtful) if other else mine)
    return found


@dataclass(frozen=True)
class Walked:
    """What the library says about some trials: the run, and every call it made in them."""

    task: Task
    players: tuple[Player, ...]
    outcomes_of: tuple[int, ...]
    trials: tuple[int, ...]
    seed: int
    run: Run
    calls: dict[int, dict[tuple[str, Turns], list[Heard]]]
    listening_changed_it: bool


def walked(
    task: Task,
    players: Sequence[Player],
    trials: int | Sequence[int] = 3,
    seed: int = SEED,
    outcomes_of: Sequence[int] | None = None,
) -> Walked:
    """Plays some trials twice: for the sums alone, and with every call listened to."""
    numbers = tuple(range(trials)) if isinstance(trials, int) else tuple(trials)
    given = tuple(range(len(players)) if outcomes_of is None else outcomes_of)

    def run(**more) -> Run:
        return play(task, players, trials=np.array(numbers), seed=seed, outcomes_of=outcomes_of, **more)

    alone, listener = run(per_trial=True), Listener()
    heard = run(observer=listener)
    changed = not np.allclose(alone.task_s, heard.task_s, rtol=1e-12, atol=0)
    return Walked(task, tuple(players), given, numbers, seed, alone, listener.calls, changed)


def differences(walk: Walked, rules: Rules | None = None) -> Iterator[str]:
    """Every quantity on which library and oracle differ by more than 1e-9, relative, as lines of text."""
    if walk.listening_changed_it:
        yield "listening changes the seconds"
    if walk.run.calls.shape != walk.run.task_s.shape or walk.run.exhausted.shape != walk.run.task_s.shape:
        yield f"calls {walk.run.calls.shape} and exhausted {walk.run.exhausted.shape} have not a row a player"
    for player, (it, given) in enumerate(zip(walk.players, walk.outcomes_of, strict=True)):
        other = None if given == player else walk.players[given]
        for row, trial in enumerate(walk.trials):
            (want,) = answers(walk.task, it, [trial], walk.seed, rules, other)
            if want.doubtful:
                continue
            pairs = _pairs(walk.run, player, row, want) + _calls(walk.calls.get(trial, {}), player, want)
            for name, got, wanted in pairs:
                if not _same(got, wanted):
                    yield f"trial {trial}, player {player}: {name} is {got!r}, the oracle says {wanted!r}"


def _same(got, wanted) -> bool:
    if isinstance(wanted, str | tuple | list):
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


def _calls(heard: dict[tuple[str, Turns], list[Heard]], player: int, want: Answer) -> list[tuple]:
    made: dict[tuple[str, Turns], list[Call]] = defaultdict(list)
    for call in want.made:
        made[call.key, call.turns].append(call)
    pairs: list[tuple] = [("calls listened to", sorted(heard), sorted(made))]
    for which in set(heard) & set(made):
        got, its = heard[which], made[which]
        # Attempts that only another player made are heard too; they take no time on this one.
        pairs.append((f"attempts of {which}", len(got[: len(its)]), len(its)))
        pairs += [(f"seconds of an attempt of {which} not made", h.seconds[player], 0.0) for h in got[len(its) :]]
        for mine, wanted in zip(got, its, strict=False):
            for name in ("uncached_tokens", "context_tokens", "output_tokens", "seconds"):
                value = getattr(mine, name)[player]
                pairs.append((f"{name} of {which}, attempt {wanted.attempt}", value, getattr(wanted, name)))
    return pairs
