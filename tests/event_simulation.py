"""Agents on a server as events, one after the other: an independent check of the closed network.

Each agent plays random runs of a task, taken from recorded ones: calls, waits, forks of one level. The server works on
up to ``places`` calls at once, first come first served; TTFT and TPOT are those of the number it works on, at every
moment, so that a call under way speeds up and slows down.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import simpy

from agentcalc.analysis.demand import walk
from agentcalc.latency import Profile
from agentcalc.simulate.record import Recorder
from agentcalc.task import Task


def scripts(task: Task, profile: Profile, trials: int, seed: int) -> list[list[tuple]]:
    """Runs of a task as lists of ("call", uncached, prompt, output), ("wait", seconds) and ("fork", branches)."""
    seen = Recorder()
    walk(task, [profile], np.arange(trials), seed, seen)
    found: list[list[tuple]] = [[] for _ in range(trials)]
    forks: dict[tuple[int, int], dict[int, list[tuple]]] = {}
    for event in seen.events:
        for lane, trial in enumerate(event.trial):
            if event.tokens is not None:
                item = ("call", *(float(tokens[0, lane]) for tokens in event.tokens))
            else:
                item = ("wait", sum(float(seconds[0, lane]) for _, seconds in event.parts))
            line = found[trial]
            if event.branches:
                assert len(event.branches) == 1, "forks of one level"
                instance, branch, _ = event.branches[0]
                if (trial, instance) not in forks:
                    forks[trial, instance] = {}
                    line.append(("fork", forks[trial, instance]))
                line = forks[trial, instance].setdefault(branch, [])
            line.append(item)
    return found


class _Job:
    """A call: what is left of its first token and of its writing, as shares, and how long both take at each load."""

    def __init__(self, profiles: list[Profile], tokens: tuple[float, float, float], done: simpy.Event):
        uncached, prompt, output = tokens
        self.first = [p.overhead_s + float(p.first_s(uncached)) for p in profiles]
        self.write = [max(output - 1, 0.0) * float(p.token_s(prompt)) for p in profiles]
        self.left = [1.0, 1.0]
        self.done = done

    def seconds(self, load: int) -> float:
        return max(0.0, self.left[0] * self.first[load - 1] + self.left[1] * self.write[load - 1])

    def work(self, load: int, seconds: float) -> None:
        for part, whole in enumerate((self.first[load - 1], self.write[load - 1])):
            spent = min(seconds, self.left[part] * whole)
            if whole > 0:
                self.left[part] -= spent / whole
            seconds -= spent


class _Server:
    def __init__(self, env: simpy.Environment, profiles: list[Profile]):
        self.env, self.profiles = env, profiles
        self.jobs: list[_Job] = []
        self.queue: deque[_Job] = deque()
        self.now, self.plans, self.in_flight = 0.0, 0, 0.0

    def call(self, *tokens: float) -> simpy.Event:
        self._work()
        job = _Job(self.profiles, tokens, self.env.event())
        (self.jobs if len(self.jobs) < len(self.profiles) else self.queue).append(job)
        self._plan()
        return job.done

    def _work(self) -> None:
        passed, self.now = self.env.now - self.now, self.env.now
        self.in_flight += passed * len(self.jobs)
        for job in self.jobs:
            job.work(len(self.jobs), passed)

    def _plan(self) -> None:
        self.plans += 1
        if self.jobs:
            load = len(self.jobs)
            first = min(self.jobs, key=lambda job: job.seconds(load))
            self.env.process(self._end(self.plans, first, first.seconds(load)))

    def _end(self, plan: int, job: _Job, seconds: float):
        yield self.env.timeout(seconds)
        if plan != self.plans:
            return
        self._work()
        self.jobs.remove(job)
        if self.queue:
            self.jobs.append(self.queue.popleft())
        job.done.succeed()
        self._plan()


@dataclass(frozen=True)
class Seen:
    """per_s: runs that ended a second; in_flight: mean calls worked on; task_s: of the runs that ended."""

    per_s: float
    in_flight: float
    task_s: np.ndarray


def simulate(
    runs: list[list[tuple]], at: Callable[[int], Profile], places: int, agents: int, ended: int, seed: int
) -> Seen:
    """Agents that play random ones of some runs for ever; ``ended`` of them are counted, after a quarter as many.

    at: the server's profile at a whole concurrency.
    """
    env = simpy.Environment()
    server = _Server(env, [at(load) for load in range(1, places + 1)])
    rng = np.random.default_rng(seed)
    took: list[float] = []

    def line(items):
        for kind, *rest in items:
            if kind == "call":
                yield server.call(*rest)
            elif kind == "wait":
                yield env.timeout(rest[0])
            else:
                yield env.all_of([env.process(line(branch)) for branch in rest[0].values()])

    def agent():
        while True:
            start = env.now
            yield env.process(line(runs[rng.integers(len(runs))]))
            took.append(env.now - start)

    for _ in range(agents):
        env.process(agent())
    while len(took) < ended // 4:
        env.step()
    start, before, skipped = env.now, server.in_flight, len(took)
    while len(took) < ended + skipped:
        env.step()
    span = env.now - start
    return Seen(ended / span, (server.in_flight - before) / span, np.array(took[skipped:]))
