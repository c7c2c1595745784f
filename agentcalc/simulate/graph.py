"""A graph: steps that start when those in their ``after`` have ended.

Each step is played like a branch: from a copy of the conversation at the graph's start plus the results of everything it
waited for, directly or not. The graph ends with its last step; the critical path runs back through the latest predecessors.
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

    def play(self, scene: Scene, stage: Stage) -> None:
        instance = stage.observer.forked(stage) if stage.observer else 0
        results = np.zeros((len(self.acts), *scene.results.shape))
        ended: dict[int, Scene] = {}
        waiting = [sum(i in after for after in self.after) for i in range(len(self.acts))]
        last, last_finish = None, None
        came_from = [None] * len(self.acts)
        finals = [None] * len(self.acts)
        for i in self.order:
            branch = scene.fork()
            came_from[i] = self._start(branch, i, ended)
            if self.talk is not None:
                branch.context[self.talk] += results[sorted(self.before[i])].sum(axis=0)
            stage.branches.append((instance, i, self.step.steps[i].name))
            self.acts[i].play(branch, stage)
            stage.branches.pop()
            results[i] = handed_back(branch)
            finals[i] = branch.now()
            ended[i] = branch
            # What nobody waits for any more is joined and let go: memory follows the graph's width, not its length.
            for j in self.after[i]:
                waiting[j] -= 1
            last, last_finish = self._latest(last, last_finish, branch, finals[i])
            for j in [j for j in ended if not waiting[j]]:
                del ended[j]
        give_back(scene, last, results.sum(axis=0), self.talk)
        if stage.observer:
            stage.observer.joined(instance, scene, self._critical(finals, came_from))

    def _start(self, branch: Scene, i: int, ended: dict[int, Scene]) -> np.ndarray | None:
        """Moves the branch's clock to the end of its latest predecessor; returns which that was, [players, lanes]."""
        if not self.after[i]:
            return None
        first, *others = self.after[i]
        branch.seconds[...] = ended[first].seconds
        finish = ended[first].now()
        came = np.full(finish.shape, first)
        if branch.alone is not None:
            branch.alone[...] = ended[first].alone
        latest(branch, ended[first])
        for j in others:
            now = ended[j].now()
            later = now > finish
            np.copyto(finish, now, where=later)
            np.copyto(branch.seconds, ended[j].seconds, where=later)
            came[later] = j
            latest(branch, ended[j])
            if branch.alone is not None:
                np.maximum(branch.alone, ended[j].alone, out=branch.alone)
        return came

    def _latest(self, last: Scene | None, last_finish, branch: Scene, finish):
        if last is None:
            return branch.fork(), finish.copy()
        later = finish > last_finish
        np.copyto(last_finish, finish, where=later)
        np.copyto(last.seconds, branch.seconds, where=later)
        if last.alone is not None:
            np.maximum(last.alone, branch.alone, out=last.alone)
        latest(last, branch)
        return last, last_finish

    def _critical(self, finals, came_from) -> list[np.ndarray]:
        """For each step, where it lies on the critical path: traced back from the last end, [players, lanes] each."""
        latest = np.max(finals, axis=0)
        critical = [np.zeros(latest.shape, dtype=bool) for _ in finals]
        open_ = np.ones(latest.shape, dtype=bool)
        for i in self.order:
            critical[i] |= open_ & (finals[i] == latest)
            open_ &= ~critical[i]
        for i in reversed(self.order):
            for j in set(self.after[i]):
                critical[j] |= critical[i] & (came_from[i] == j)
        return critical
