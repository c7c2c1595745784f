"""A graph: steps that start when those in their ``after`` have ended.

Each step is played like a branch: from a copy of the conversation at the graph's start plus the results of everything
it waited for, directly or not. The graph ends with its last step (ties: the first listed); the critical path runs
back through the latest predecessors.
"""

from __future__ import annotations

import numpy as np

from agentcalc.simulate.fork import give_back, handed_back, latest
from agentcalc.simulate.scene import Scene
from agentcalc.simulate.stage import Stage
from agentcalc.task import Graph


class Network:
    def __init__(self, step: Graph, key: str, talk: int | None, acts):
        self.step, self.key, self.acts, self.talk = step, key, acts, talk
        index = {inner.name: i for i, inner in enumerate(step.steps)}
        self.order = step.order
        self.after = [tuple(index[name] for name in inner.after) for inner in step.steps]
        self.before: list[set[int]] = [set() for _ in acts]
        for i in self.order:
            for j in self.after[i]:
                self.before[i] |= {j} | self.before[j]
        self.sums = [self._sum_of(i) for i in range(len(acts))]
        self.followers = [sum(i in after for after in self.after) for i in range(len(acts))]

    def _sum_of(self, i: int) -> tuple[int | None, tuple[int, ...]]:
        """How the results before a step are summed: those before one of its predecessors, and the rest one by one."""
        if not self.after[i]:
            return None, ()
        most = max(self.after[i], key=lambda j: len(self.before[j]))
        return most, tuple(sorted(self.before[i] - self.before[most]))

    def play(self, scene: Scene, stage: Stage) -> None:
        instance = stage.observer.forked(stage) if stage.observer else 0
        shape = scene.results.shape
        results: list[np.ndarray | None] = [None] * len(self.acts)
        gained: list[np.ndarray | None] = [None] * len(self.acts)
        ended: dict[int, Scene] = {}
        waiting = list(self.followers)
        came_from: list[np.ndarray | None] = [None] * len(self.acts)
        finish: dict[int, np.ndarray] = {}
        finals, total, last = [None] * len(self.acts), np.zeros(shape), None
        for i in self.order:
            branch, came_from[i] = self._start(scene, i, ended, finish, waiting, stage)
            gained[i] = self._gained(i, gained, results, shape)
            if self.talk is not None and self.after[i]:
                branch.context[self.talk] += gained[i]
            stage.branches.append((instance, i, self.step.steps[i].name))
            self.acts[i].play(branch, stage)
            stage.branches.pop()
            results[i], finish[i], ended[i] = handed_back(branch), branch.now(), branch
            total += results[i]
            if stage.observer:
                finals[i] = finish[i]
            for j in self._may_be_last(i, finish):
                last = self._latest(last, ended[j], finish[j], j)
            # What nobody waits for any more is let go: memory follows the graph's width, not its length.
            for j in (i, *self.after[i]):
                waiting[j] -= j != i
                if not waiting[j]:
                    ended.pop(j, None), finish.pop(j, None)
        give_back(scene, last[0], total, self.talk)
        if stage.observer:
            end = np.max(finals, axis=0)
            stage.observer.joined(instance, scene, end, self._critical(finals, came_from), self._slack(finals))

    def _may_be_last(self, i: int, finish: dict[int, np.ndarray]) -> list[int]:
        """Steps that may be the graph's last: one that nobody waits for, and those before a step that took no time."""
        found = [] if self.followers[i] else [i]
        return found + [j for j in self.after[i] if (finish[j] == finish[i]).any()]

    def _gained(self, i: int, gained, results, shape) -> np.ndarray:
        most, rest = self.sums[i]
        found = np.zeros(shape) if most is None else gained[most].copy()
        for j in rest:
            found += results[j]
        return found

    def _start(
        self, scene: Scene, i: int, ended: dict[int, Scene], finish, waiting, stage
    ) -> tuple[Scene, np.ndarray | None]:
        """A step's scene, its clock at the end of its latest predecessor, and which that was, [players, lanes]."""
        if not self.after[i]:
            return scene.fork(), None
        first, *others = self.after[i]
        trace = stage.observer is not None
        branch = scene.fork(clock_of=ended[first], take_over=waiting[first] == 1)
        now = finish[first].copy() if others else finish[first]
        came = np.full(now.shape, first) if trace else None
        latest(branch, ended[first])
        for j in others:
            later = finish[j] > now
            np.copyto(now, finish[j], where=later)
            np.copyto(branch.seconds, ended[j].seconds, where=later)
            if trace:
                came[later] = j
            if branch.alone is not None:
                np.maximum(branch.alone, ended[j].alone, out=branch.alone)
            latest(branch, ended[j])
        return branch, came

    def _latest(self, last: tuple[Scene, np.ndarray, np.ndarray] | None, branch: Scene, finish: np.ndarray, i: int):
        """The latest end so far: a scene with its seconds, its time, and which step it is; of equal ends the first
        listed.
        """
        if last is None:
            return branch.fork(), finish.copy(), np.full(finish.shape, i)
        best, best_finish, which = last
        later = (finish > best_finish) | ((finish == best_finish) & (which > i))
        which[later] = i
        np.copyto(best_finish, finish, where=later)
        np.copyto(best.seconds, branch.seconds, where=later)
        if best.alone is not None:
            np.maximum(best.alone, branch.alone, out=best.alone)
        latest(best, branch)
        return best, best_finish, which

    def _critical(self, finals, came_from) -> list[np.ndarray]:
        """For each step, where it lies on the critical path: traced back from the last end, [players, lanes] each."""
        latest = np.max(finals, axis=0)
        critical = [np.zeros(latest.shape, dtype=bool) for _ in finals]
        open_ = np.ones(latest.shape, dtype=bool)
        for i in range(len(finals)):
            critical[i] |= open_ & (finals[i] == latest)
            open_ &= ~critical[i]
        for i in reversed(self.order):
            for j in set(self.after[i]):
                critical[j] |= critical[i] & (came_from[i] == j)
        return critical

    def _slack(self, finals) -> list[np.ndarray]:
        """For each step, how much later it could have ended without delaying the graph, [players, lanes]: the least
        over the steps that wait for it of the time until they start and their own slack.
        """
        end = np.max(finals, axis=0)
        slack = [end - finish for finish in finals]
        for i in reversed(self.order):
            if not self.after[i]:
                continue
            start = np.max([finals[j] for j in self.after[i]], axis=0)
            for j in self.after[i]:
                slack[j] = np.minimum(slack[j], start - finals[j] + slack[i])
        return slack
