"""Group, loop and choice: played in place, without a fork.

A loop draws its counts on entry, sorts its lanes once by count (stable) and plays each turn on a view of the first
lanes, so that work is proportional to the turns really played. A choice takes the lanes of each option out and puts
them back.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from agentcalc.distributions import pick
from agentcalc.simulate.draws import TOGETHER, Batch, stream, turned, uniforms
from agentcalc.simulate.scene import Scene
from agentcalc.simulate.stage import Stage
from agentcalc.task import Choice, Group, Loop, Until


def play_all(acts, scene: Scene, stage: Stage) -> None:
    for act in acts:
        act.play(scene, stage)


def play_turn(acts, scene: Scene, stage: Stage, turn: int) -> None:
    """Plays steps as one turn, copy or attempt: the lanes' draws change, and so does the path."""
    scene.rekey(turned(scene.key, turn))
    stage.path.append(turn)
    play_all(acts, scene, stage)
    stage.path.pop()


def by_count(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Lanes with a count of 1 or more, most first; and how many of them have a count above t, for t = 0, 1, ..."""
    # Of short whole numbers numpy counts the digits; it compares all others.
    short = counts.max(initial=0) < 2**15
    order = np.argsort(-counts.astype(np.int16) if short else -counts, kind="stable")
    order = order[: np.count_nonzero(counts > 0)]
    falling = counts[order]
    most = int(falling[0]) if len(order) else 0
    return order, len(order) - np.searchsorted(falling[::-1], np.arange(most), side="right")


def batches(keys: np.ndarray, lanes: list[int]) -> Iterator[tuple[range, Batch, list[int]]]:
    """Turns in a row that draw together: the turns, their batch, and how many lanes each plays."""
    first = 0
    while first < len(lanes):
        end, together = first + 1, lanes[first]
        while end < len(lanes) and together + lanes[end] <= TOGETHER:
            together += lanes[end]
            end += 1
        yield range(first, end), Batch(keys, range(first, end), lanes[first:end]), lanes[first:end]
        first = end


class Sequence:
    def __init__(self, step: Group, key: str, acts):
        self.step, self.key, self.acts = step, key, acts

    def play(self, scene: Scene, stage: Stage) -> None:
        play_all(self.acts, scene, stage)


class Turns:
    def __init__(self, step: Loop, key: str, seed: int, acts):
        self.step, self.key, self.acts = step, key, acts
        self.times, self.until = stream(seed, key, "times"), stream(seed, key, "until")

    def play(self, scene: Scene, stage: Stage) -> None:
        until = self.step.until
        if until is None:
            counts = stage.count(scene, self.step.times, self.times)
        else:
            counts = scene.draw(self.until, lambda u: turns_until(u, until))
        order, lanes = by_count(np.broadcast_to(counts, scene.lanes))
        inner = scene.take(order)
        view = inner.first(inner.lanes)
        for turns, batch, playing in batches(inner.key, lanes.tolist()):
            for turn, n, offset in zip(turns, playing, batch.starts, strict=True):
                # turns of as many lanes share a view
                view = view if view.lanes == n else inner.first(n)
                view.rekey(batch.keys[offset : offset + n], batch, offset)
                stage.path.append(turn)
                play_all(self.acts, view, stage)
                stage.path.pop()
        scene.put(order, inner)


def turns_until(u: np.ndarray, until: Until) -> np.ndarray:
    """Turns of a loop that stops with a chance after each: geometric, 1 + floor(log u / log(1 - p)), at most max."""
    if until.probability == 1:
        return np.ones(u.shape)
    return np.minimum(1.0 + np.floor(np.log(u) / np.log1p(-until.probability)), until.max)


class Options:
    def __init__(self, step: Choice, key: str, seed: int, acts_of):
        self.step, self.key, self.acts_of = step, key, acts_of
        self.stream = stream(seed, key, "choice")
        self.shares = np.array([option.probability for option in step.options])

    def play(self, scene: Scene, stage: Stage) -> None:
        chosen, _ = pick(uniforms(scene.key, self.stream), self.shares)
        for index, acts in enumerate(self.acts_of):
            here = np.flatnonzero(chosen == index)
            if not acts or not len(here):
                continue
            inner = scene.take(here)
            play_all(acts, inner, stage)
            scene.put(here, inner)
