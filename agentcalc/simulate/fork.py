"""Parallel: branches that copy conversation and cache, and a join on the last to finish.

Branches are played one after the other and joined at once, so that memory does not grow with their number.
"""

from __future__ import annotations

import numpy as np

from agentcalc.simulate.draws import stream
from agentcalc.simulate.inline import by_count, play_all, play_turn
from agentcalc.simulate.scene import Scene
from agentcalc.simulate.stage import Stage
from agentcalc.task import Parallel


class Join:
    """Keeps, for each player and lane, the seconds of the latest finisher so far (ties: the first) and the tokens gained."""

    def __init__(self, scene: Scene, stage: Stage):
        self.scene, self.stage = scene, stage
        self.finish = np.full(scene.seconds.shape[1:], -np.inf)
        self.seconds = scene.seconds.copy()
        self.alone = None if scene.alone is None else scene.alone.copy()
        self.gained = np.zeros(scene.lanes)
        self.winner = np.full(self.finish.shape, -1) if stage.observer else None

    def offer(self, branch: Scene, index: int, result: np.ndarray | float) -> None:
        """A branch has finished on the first ``branch.lanes`` lanes; result: its tokens for the parent."""
        lanes = branch.lanes
        finish = branch.now()
        later = finish > self.finish[:, :lanes]
        np.copyto(self.finish[:, :lanes], finish, where=later)
        np.copyto(self.seconds[..., :lanes], branch.seconds, where=later)
        if self.alone is not None:
            np.maximum(self.alone[:, :lanes], branch.alone, out=self.alone[:, :lanes])
        if self.winner is not None:
            self.winner[:, :lanes][later] = index
        self.gained[:lanes] += result

    def close(self, talk: int | None) -> None:
        """Writes the join to the parent: the critical branch's seconds, and what the branches hand back, uncached."""
        scene = self.scene
        scene.seconds[...] = self.seconds
        if self.alone is not None:
            scene.alone[...] = self.alone
        scene.results += self.gained
        if talk is not None:
            scene.context[talk] += self.gained


def handed_back(branch: Scene) -> np.ndarray:
    """What a branch without ``result_tokens`` gives its parent: its last call's output, else its tools' results; [lanes]."""
    return np.where(branch.last_output >= 0, branch.last_output, branch.results)


class _Fork:
    def __init__(self, step: Parallel, key: str, conversations: dict[str, int]):
        self.step, self.key = step, key
        self.talk = None if step.conversation is None else conversations[step.conversation]

    def _branch(self, scene: Scene, stage: Stage, instance: int, index: int, label: str, play) -> Scene:
        branch = scene.fork()
        stage.branches.append((instance, index, label))
        play(branch)
        stage.branches.pop()
        return branch

    def _close(self, join: Join, stage: Stage, instance: int, branches: int) -> None:
        join.close(self.talk)
        if stage.observer:
            stage.observer.joined(instance, join.scene, [join.winner == i for i in range(branches)])


class Branches(_Fork):
    def __init__(self, step: Parallel, key: str, seed: int, conversations: dict[str, int], acts_of):
        super().__init__(step, key, conversations)
        self.acts_of = acts_of
        self.streams = [stream(seed, key, f"branches[{i}].result_tokens") for i in range(len(acts_of))]

    def play(self, scene: Scene, stage: Stage) -> None:
        join = Join(scene, stage)
        instance = stage.observer.forked(stage) if stage.observer else 0
        for index, (spec, acts) in enumerate(zip(self.step.branches, self.acts_of, strict=True)):
            label = spec.name or f"{self.key}[{index + 1}]"
            branch = self._branch(scene, stage, instance, index, label, lambda b, acts=acts: play_all(acts, b, stage))
            given = spec.result_tokens
            result = handed_back(branch) if given is None else stage.count(scene, given, self.streams[index])
            join.offer(branch, index, result)
        self._close(join, stage, instance, len(self.acts_of))


class Copies(_Fork):
    def __init__(self, step: Parallel, key: str, seed: int, conversations: dict[str, int], acts):
        super().__init__(step, key, conversations)
        self.acts = acts
        self.width, self.result = stream(seed, key, "width"), stream(seed, key, "result_tokens")

    def play(self, scene: Scene, stage: Stage) -> None:
        counts = np.broadcast_to(stage.count(scene, self.step.width, self.width), scene.lanes)
        order, lanes = by_count(counts)
        inner = scene.take(order)
        join = Join(inner, stage)
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
