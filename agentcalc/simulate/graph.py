"""A graph: steps that start when those in their ``after`` have ended.

Each step is played like a branch: from a copy of the conversation at the graph's start plus the results of everything
it waited for, directly or not. The graph ends with its last step (ties: the first listed); the critical path runs
back through the latest predecessors.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from agentcalc.simulate.gains import Gains, Sums
from agentcalc.simulate.merge import give_back, go_on, handed_back, latest
from agentcalc.simulate.scene import Scene
from agentcalc.simulate.stage import Stage
from agentcalc.task import Graph

DEAF = ("tool_wait", "human_wait")
"""Steps to which it makes no difference what was said before."""


class _Last:
    """The latest end so far, and which step it is; of equal ends the first listed."""

    def __init__(self, start: Scene):
        self.scene = start.fork(clock=np.full(start.clock.shape, -np.inf))
        self.which = np.zeros(start.clock.shape, dtype=np.int64)

    def offer(self, branch: Scene, i: int) -> None:
        best = self.scene
        later = (branch.clock > best.clock) | ((branch.clock == best.clock) & (self.which > i))
        self.which[later] = i
        go_on(best, branch, later)


class Network:
    def __init__(self, step: Graph, key: str, talk: int | None, acts):
        self.step, self.key, self.acts, self.talk = step, key, acts, talk
        index = {inner.name: i for i, inner in enumerate(step.steps)}
        self.order = step.order
        self.after = [tuple(index[name] for name in inner.after) for inner in step.steps]
        waited_for = Counter(j for after in self.after for j in after)
        self.followers = [waited_for[i] for i in range(len(acts))]
        self.sums = Sums(self.after, self.order)

    def play(self, scene: Scene, stage: Stage) -> None:
        instance = stage.observer.forked(stage) if stage.observer else 0
        start = scene.fork(clock=scene.now())
        gains = Gains(self.sums)
        ended: dict[int, Scene] = {}
        waiting = list(self.followers)
        finals, came_from = [None] * len(self.acts), [None] * len(self.acts)
        last = _Last(start)
        for i in self.order:
            before = [ended[j] for j in self.after[i]]
            branch = self._after(start, before)
            gained = gains.before(i)
            if self.talk is not None and np.ndim(gained) and self.step.steps[i].kind not in DEAF:
                branch.own("context")[self.talk] += gained
            stage.branches.append((instance, i, self.step.steps[i].name))
            self.acts[i].play(branch, stage)
            stage.branches.pop()
            branch.end()
            gains.add(i, handed_back(branch))
            ended[i] = branch
            if stage.observer:
                finals[i], came_from[i] = branch.clock, self._latest_of(i, before)
            for j in self._may_be_last(i, ended):
                last.offer(ended[j], j)
            # What nobody waits for any more is let go: memory follows the graph's width, not its length.
            for j in (i, *self.after[i]):
                waiting[j] -= j != i
                if not waiting[j]:
                    ended.pop(j, None)
        give_back(scene, last.scene, gains.total, self.talk)
        if stage.observer:
            end = np.max(finals, axis=0)
            stage.observer.joined(instance, scene, end, self._critical(finals, came_from), self._slack(finals))

    def _may_be_last(self, i: int, ended: dict[int, Scene]) -> list[int]:
        """Steps that may be the graph's last: one that nobody waits for, and those before a step that took no time."""
        found = [] if self.followers[i] else [i]
        return found + [j for j in self.after[i] if np.count_nonzero(ended[j].clock == ended[i].clock)]

    def _after(self, start: Scene, before: list[Scene]) -> Scene:
        """A step's scene, whose clock stands where the latest of those before it ended (ties: the first)."""
        if not before:
            return start.fork()
        first, *others = before
        branch = start.fork(seconds=first.seconds, clock=first.clock, alone=first.alone)
        latest(branch, first)
        for other in others:
            go_on(branch, other, other.clock > branch.clock)
        return branch

    def _latest_of(self, i: int, before: list[Scene]) -> np.ndarray | None:
        """Which of the steps before one ended last, the first of equals, [players, lanes]; None for a first step."""
        if not before:
            return None
        return np.array(self.after[i])[np.argmax([other.clock for other in before], axis=0)]

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
