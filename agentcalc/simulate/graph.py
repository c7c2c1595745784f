"""A graph: steps that start when those in their ``after`` have ended.

Each step is played like a branch: from a copy of the conversation at the graph's start plus the results of everything
it waited for, directly or not. The graph ends with its last step (ties: the first listed); the critical path runs
back through the latest predecessors. Going forward only the clocks are kept up; what a step has spent is noted, and
added up at the end where the step turned out to be critical.
"""

from __future__ import annotations

from collections import Counter
from functools import reduce

import numpy as np

from agentcalc.simulate.critical import Trace, add_along
from agentcalc.simulate.draws import Ahead
from agentcalc.simulate.gains import Gains, Sums
from agentcalc.simulate.merge import give_back, handed_back, keep_latest, latest
from agentcalc.simulate.scene import Scene, lent, nothing
from agentcalc.simulate.stage import Stage
from agentcalc.task import Graph

DEAF = ("tool_wait", "human_wait")
"""Steps to which it makes no difference what was said before."""


def _alike(acts) -> dict[np.uint64, list[np.uint64]]:
    """For each stream of calls and tools all those of the same field and amount, in the order of the acts."""
    same: dict[tuple, list[np.uint64]] = {}
    found = {}
    for act in acts:
        for field in getattr(act, "DRAWS", ()):
            amount = getattr(act.step, field)
            if amount.fixed is None:
                found[act.streams[field]] = streams = same.setdefault((field, amount), [])
                streams.append(act.streams[field])
    return found


class _Last:
    """The latest end so far, and which step it is; of equal ends the first listed."""

    def __init__(self, start: Scene):
        self.scene = start.fork(clock=np.full(start.clock.shape, -np.inf))
        self.which = np.full(start.clock.shape, -1, dtype=np.int32)
        self.offered: set[int] = set()

    def offer(self, branch: Scene, i: int) -> None:
        best = self.scene
        later = (branch.clock > best.clock) | ((branch.clock == best.clock) & (self.which > i))
        np.copyto(self.which, i, where=later)
        self.offered.add(i)
        keep_latest(best, branch)

    def where(self) -> dict[int, np.ndarray]:
        """The steps that may be last, and where they are, bool [players, lanes]."""
        return {i: self.which == i for i in self.offered}


class Network:
    def __init__(self, step: Graph, key: str, talk: int | None, acts):
        self.step, self.key, self.acts, self.talk = step, key, acts, talk
        index = {inner.name: i for i, inner in enumerate(step.steps)}
        self.order = step.order
        self.after = [tuple(index[name] for name in inner.after) for inner in step.steps]
        waited_for = Counter(j for after in self.after for j in after)
        self.followers = [waited_for[i] for i in range(len(acts))]
        self.sums = Sums(self.after, self.order)
        self.alike = _alike([acts[i] for i in self.order])

    def play(self, scene: Scene, stage: Stage) -> None:
        instance = stage.observer.forked(stage) if stage.observer else 0
        start = scene.fork(seconds=[nothing(row.shape) for row in scene.seconds], clock=scene.now())
        if scene.batch is None:
            start.rekey(scene.key, Ahead(scene.key, self.alike))
        gains, trace, last = Gains(self.sums), Trace(self.after), _Last(start)
        ended: dict[int, Scene] = {}
        waiting = list(self.followers)
        spent, finals = [None] * len(self.acts), [None] * len(self.acts)
        for i in self.order:
            branch = self._after(start, trace, i, [ended[j] for j in self.after[i]])
            gained = gains.before(i)
            if self.talk is not None and np.ndim(gained) and self.step.steps[i].kind not in DEAF:
                branch.replace("context", self.talk, branch.context[self.talk] + gained)
            branch.bill, began = [], branch.clock
            stage.branches.append((instance, i, self.step.steps[i].name))
            self.acts[i].play(branch, stage)
            stage.branches.pop()
            branch.end()
            gains.add(i, handed_back(branch))
            ended[i], spent[i] = branch, branch.billed()
            if stage.observer:
                finals[i] = branch.clock
            # The last step of all is one that nobody waits for, or one before a step that took no time.
            if not self.followers[i]:
                last.offer(branch, i)
            if np.count_nonzero(branch.clock == began):
                for j in self.after[i]:
                    last.offer(ended[j], j)
            # Of a step that nobody waits for any more only its seconds are kept.
            for j in (i, *self.after[i]):
                waiting[j] -= j != i
                if not waiting[j]:
                    ended.pop(j, None)
        critical = trace.back(self.order, last.where())
        add_along(scene.own_seconds(), ((critical[i], spent[i]) for i in self.order))
        give_back(scene, last.scene, gains.total, self.talk)
        if stage.observer:
            end = np.max(finals, axis=0)
            on = [np.zeros(end.shape, dtype=bool) if where is None else where for where in critical]
            stage.observer.joined(instance, scene, end, on, self._slack(finals))

    def _after(self, start: Scene, trace: Trace, i: int, before: list[Scene]) -> Scene:
        """A step's scene, whose clock stands where the latest of those before it ended."""
        if not before:
            return start.fork()
        clock = lent(trace.until(i, [other.clock for other in before]))
        alone = None if start.alone is None else reduce(np.maximum, [other.alone for other in before])
        branch = start.fork(clock=clock, alone=alone)
        for other in before:
            latest(branch, other)
        return branch

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
