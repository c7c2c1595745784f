"""Parallel: branches that copy conversation and cache, and a join on the last, the first or the k-th to finish.

Branches are played one after the other and joined at once, so that memory does not grow with their number.
"""

from __future__ import annotations

import numpy as np

from agentcalc.simulate.draws import stream
from agentcalc.simulate.inline import by_count, play_all, play_turn
from agentcalc.simulate.merge import give_back, go_on, handed_back, latest, spend_as
from agentcalc.simulate.scene import Scene
from agentcalc.simulate.stage import Stage
from agentcalc.task import Parallel


class _Join:
    """What the joins share: who is critical and when each branch ended, kept only while somebody observes."""

    def __init__(self, scene: Scene, stage: Stage):
        self.scene = scene
        self.ends: list[np.ndarray] | None = [] if stage.observer else None
        self.critical: np.ndarray | None = None
        self.end: np.ndarray | None = None

    def note(self, finish: np.ndarray) -> None:
        """Keeps when a branch ended, [players, lanes of the branch]."""
        if self.ends is not None:
            self.ends.append(finish)

    def slack(self) -> list[np.ndarray]:
        """How much later each branch could have ended, [players, lanes]; NaN where it was stopped or not played."""
        found = []
        for finish in self.ends:
            slack = np.full(self.end.shape, np.nan)
            left = self.end[:, : finish.shape[1]] - finish
            slack[:, : finish.shape[1]] = np.where(left >= 0, left, np.nan)
            found.append(slack)
        return found


class JoinAll(_Join):
    """Keeps, for each player and lane, the seconds of the latest finisher so far (ties: the first) and the tokens
    gained.
    """

    def __init__(self, scene: Scene, stage: Stage):
        super().__init__(scene, stage)
        self.finish = np.full(scene.seconds[0].shape, -np.inf)
        self.best = scene.fork()
        self.gained = np.zeros(scene.results.shape)
        self.critical = np.full(self.finish.shape, -1) if stage.observer else None

    def offer(self, branch: Scene, index: int, result: np.ndarray | float) -> None:
        """A branch has finished on the first ``branch.lanes`` lanes; result: its tokens for the parent."""
        lanes, best = branch.lanes, self.best
        finish = branch.now()
        self.note(finish)
        later = finish > self.finish[:, :lanes]
        np.maximum(self.finish[:, :lanes], finish, out=self.finish[:, :lanes])
        go_on(best, branch, later)
        if self.critical is not None:
            self.critical[:, :lanes][later] = index
        self.gained[:, :lanes] += result

    def close(self, talk: int | None) -> None:
        """Writes the join to the parent: the critical branch's seconds, and what the branches hand back, uncached."""
        self.end = self.finish
        spend_as(self.scene, self.best)
        give_back(self.scene, self.best, self.gained, talk)


class JoinFirst(_Join):
    """Keeps the first k finishers in order (ties: the first listed); the k-th is critical, the others stop there.

    Where fewer than k branches are played, the last of them is critical.
    """

    NAMES = ("clock", "used", "waiting", "exhausted")

    def __init__(self, scene: Scene, stage: Stage, k: int):
        super().__init__(scene, stage)
        self.k = k
        players, lanes = scene.seconds[0].shape
        self.slots = [scene.fork() for _ in range(k)]
        self.finish = np.full((k, players, lanes), np.inf)
        self.alone = np.full((k, players, lanes), np.inf) if scene.alone is not None else None
        self.gained = np.zeros((k, players, lanes))
        self.index = np.full((k, players, lanes), -1)
        self.played = np.zeros(lanes, dtype=int)

    def offer(self, branch: Scene, index: int, result: np.ndarray | float) -> None:
        """A branch has finished on the first ``branch.lanes`` lanes; result: its tokens for the parent."""
        lanes = branch.lanes
        finish = branch.now()
        self.note(finish)
        place = (self.finish[..., :lanes] <= finish).sum(axis=0)
        result = np.broadcast_to(result, finish.shape)
        _insert(self.finish[..., :lanes], finish, place)
        _insert(self.gained[..., :lanes], result, place)
        _insert(self.index[..., :lanes], np.full(finish.shape, index), place)
        for component, new in enumerate(branch.seconds):
            _insert([slot.own_seconds()[component][:, :lanes] for slot in self.slots], new, place)
        for name in self.NAMES:
            new = getattr(branch, name)
            if new is not None:
                _insert([slot.own(name)[..., :lanes] for slot in self.slots], new, place)
        if self.alone is not None:
            before = (self.alone[..., :lanes] <= branch.alone).sum(axis=0)
            _insert(self.alone[..., :lanes], branch.alone, before)
        self.played[:lanes] += 1

    def close(self, talk: int | None) -> None:
        """Writes the join to the parent: the k-th finisher's seconds, and what those that finished hand back,
        uncached.
        """
        last = np.minimum(self.k, self.played) - 1
        lanes = np.arange(len(last))
        best = self.slots[0]
        for j, slot in enumerate(self.slots[1:], start=1):
            ended = last >= j
            for mine, theirs in zip(best.own_seconds(), slot.seconds, strict=True):
                np.copyto(mine, theirs, where=last == j)
            if best.clock is not None:
                np.copyto(best.own("clock"), slot.clock, where=last == j)
            finished = slot.take(np.flatnonzero(ended))
            some = best.take(np.flatnonzero(ended))
            latest(some, finished)
            best.put(np.flatnonzero(ended), some)
        if self.alone is not None:
            best.alone = self.alone[last, :, lanes].T
        gained = np.where(np.arange(self.k)[:, None, None] <= last, self.gained, 0.0).sum(axis=0)
        self.critical, self.end = self.index[last, :, lanes].T, self.finish[last, :, lanes].T
        spend_as(self.scene, best)
        give_back(self.scene, best, gained, talk)


def _insert(slots, new: np.ndarray, place: np.ndarray) -> None:
    """Puts new at its place [players, lanes] among slots; later ones move back and the last falls out."""
    for j in range(len(slots) - 1, -1, -1):
        if j:
            np.copyto(slots[j], slots[j - 1], where=place < j)
        np.copyto(slots[j], new, where=place == j)


class _Fork:
    def __init__(self, step: Parallel, key: str, talk: int | None):
        self.step, self.key, self.talk = step, key, talk

    def _join(self, scene: Scene, stage: Stage) -> JoinAll | JoinFirst:
        join = self.step.join
        return JoinAll(scene, stage) if join == "all" else JoinFirst(scene, stage, 1 if join == "any" else join)

    def _branch(self, scene: Scene, stage: Stage, instance: int, index: int, label: str, play) -> Scene:
        branch = scene.fork()
        stage.branches.append((instance, index, label))
        play(branch)
        stage.branches.pop()
        return branch

    def _close(self, join: JoinAll | JoinFirst, stage: Stage, instance: int, branches: int) -> None:
        join.close(self.talk)
        if stage.observer:
            critical = [join.critical == i for i in range(branches)]
            stage.observer.joined(instance, join.scene, join.end, critical, join.slack())


class Branches(_Fork):
    def __init__(self, step: Parallel, key: str, seed: int, talk: int | None, acts_of):
        super().__init__(step, key, talk)
        self.acts_of = acts_of
        self.streams = [stream(seed, key, f"branches[{i}].result_tokens") for i in range(len(acts_of))]

    def play(self, scene: Scene, stage: Stage) -> None:
        join = self._join(scene, stage)
        instance = stage.observer.forked(stage) if stage.observer else 0
        for index, (spec, acts) in enumerate(zip(self.step.branches, self.acts_of, strict=True)):
            label = spec.name or f"{self.key}[{index + 1}]"
            branch = self._branch(scene, stage, instance, index, label, lambda b, acts=acts: play_all(acts, b, stage))
            given = spec.result_tokens
            result = handed_back(branch) if given is None else stage.count(scene, given, self.streams[index])
            join.offer(branch, index, result)
        self._close(join, stage, instance, len(self.acts_of))


class Copies(_Fork):
    def __init__(self, step: Parallel, key: str, seed: int, talk: int | None, acts):
        super().__init__(step, key, talk)
        self.acts = acts
        self.width, self.result = stream(seed, key, "width"), stream(seed, key, "result_tokens")

    def play(self, scene: Scene, stage: Stage) -> None:
        counts = np.broadcast_to(stage.count(scene, self.step.width, self.width), scene.lanes)
        order, lanes = by_count(counts)
        inner = scene.take(order)
        join = self._join(inner, stage)
        instance = stage.observer.forked(stage) if stage.observer else 0
        for copy, playing in enumerate(lanes):
            view = inner.first(playing)
            label = f"{self.key}[{copy + 1}]"
            branch = self._branch(
                view, stage, instance, copy, label, lambda b, copy=copy: play_turn(self.acts, b, stage, copy)
            )
            given = self.step.result_tokens
            result = handed_back(branch) if given is None else stage.count(branch, given, self.result)
            join.offer(branch, copy, result)
        self._close(join, stage, instance, len(lanes))
        scene.put(order, inner)
