"""A graph: steps that start when those in their ``after`` have ended.

Each step is played like a branch: from a copy of the conversation at the graph's start plus the results of everything it
waited for, directly or not. The graph ends with its last step; the critical path runs back through the latest predecessors.
"""

from __future__ import annotations

import numpy as np

from agentcalc.simulate.fork import handed_back
from agentcalc.simulate.scene import Scene
from agentcalc.simulate.stage import Stage
from agentcalc.task import Graph


class Network:
    def __init__(self, step: Graph, key: str, conversations: dict[str, int], acts):
        self.step, self.key, self.acts = step, key, acts
        self.talk = None if step.conversation is None else conversations[step.conversation]
        index = {inner.name: i for i, inner in enumerate(step.steps)}
        self.order = step.order
        self.after = [tuple(index[name] for name in inner.after) for inner in step.steps]
        self.before: list[set[int]] = [set() for _ in acts]
        for i in self.order:
            for j in self.after[i]:
                self.before[i] |= {j} | self.before[j]

    def play(self, scene: Scene, stage: Stage) -> None:
        instance = stage.observer.forked(stage) if stage.observer else 0
        results = np.zeros((len(self.acts), scene.lanes))
        ended: dict[int, Scene] = {}
        waiting = [sum(i in after for after in self.after) for i in range(len(self.acts))]
        last, last_finish, which = None, None, None
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
            last, last_finish, which = self._latest(last, last_finish, which, branch, finals[i], i)
            for j in [j for j in ended if not waiting[j]]:
                del ended[j]
        scene.seconds[...] = last.seconds
        if scene.alone is not None:
            scene.alone[...] = last.alone
        gained = results.sum(axis=0)
        scene.results += gained
        if self.talk is not None:
            scene.context[self.talk] += gained
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
        for j in others:
            now = ended[j].now()
            later = now > finish
            np.copyto(finish, now, where=later)
            np.copyto(branch.seconds, ended[j].seconds, where=later)
            came[later] = j
            if branch.alone is not None:
                np.maximum(branch.alone, ended[j].alone, out=branch.alone)
        return came

    def _latest(self, last: Scene | None, last_finish, which, branch: Scene, finish, i: int):
        if last is None:
            return branch.fork(), finish.copy(), np.full(finish.shape, i)
        # Steps are played in the order of their waits; of equal ends the first listed in the file is critical.
        later = (finish > last_finish) | ((finish == last_finish) & (which > i))
        which[later] = i
        np.copyto(last_finish, finish, where=later)
        np.copyto(last.seconds, branch.seconds, where=later)
        if last.alone is not None:
            np.maximum(last.alone, branch.alone, out=last.alone)
        return last, last_finish, which

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
