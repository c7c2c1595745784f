"""How close the walk is to the bare cost of its draws, and how far from an event simulation. Run by hand:

    python tests/speed/walk.py [--trials 10000] [--simpy 300]

Everything is measured in one run on the same tasks, in seconds of the processor and in turns, and printed as ratios,
since machines differ and are noisy. The bare cost is that of as many draws with numpy's fastest generator: a standard
normal and its exponential for each draw of a distribution, in arrays as long as the walk's. The bar is 2x that plus
40 us a step and turn for two players (5x for six). It is a strict one: the walk's draws also stop at a largest value,
tokens are whole, and each can be made without those before it. For the graph, whose arrays are as long as the walk's,
what they take alone stands beside it, and how much the walk takes of the bar that this would give.

SimPy plays the same tasks trial by trial on the same draws, made beforehand; its times must agree. A trial's cost goes
with its turns, so that it plays some that are spread evenly over all trials in the order of their turns.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial

import numpy as np
import simpy

from agentcalc import catalog
from agentcalc.distributions import Amount, whole
from agentcalc.latency import Profile, split_ttft
from agentcalc.simulate.draws import lane_keys, stream, turned, uniforms
from agentcalc.simulate.walk import play
from agentcalc.task import Task

FAST = Profile(*split_ttft(0.3343, 7373, 0.83), 1 / 700)
SLOW = Profile(*split_ttft(0.3866, 7373, 0.83), 6.0705e-3)
PER_STEP_S = 40e-6
SIMPY_REPEATS = 3


def best_of(repeats: int, *works: Callable[[], object]) -> list[float]:
    """The least seconds of the processor of each of some works, taken in turns: noise only ever adds."""
    times = [[] for _ in works]
    for _ in range(repeats):
        for work, found in zip(works, times, strict=True):
            start = time.process_time()
            work()
            found.append(time.process_time() - start)
    return [min(found) for found in times]


# -- the tasks ---------------------------------------------------------------------------------------------------------


def graph_task(steps: int = 200) -> Task:
    """A graph of calls and tools, each waiting for one or two steps before it."""
    rows = []
    for i in range(steps):
        after = sorted({f"s{max(0, i - 1 - i % 3)}", f"s{max(0, i - 2)}"}) if i > 1 else ["s0"][:i]
        row = {"name": f"s{i}", "after": after}
        if i % 2:
            row |= {"kind": "tool_wait", "seconds": {"p50": 1, "p90": 4}}
        else:
            row |= {"kind": "model_call", "input_tokens": 500, "output_tokens": {"p50": 200, "p90": 800}}
        rows.append(row)
    return Task.model_validate({"name": "graph", "steps": [{"kind": "graph", "steps": rows}]})


def loop_task(times: dict) -> Task:
    return Task.model_validate(
        {
            "name": "loop",
            "context_tokens": 20000,
            "cached_tokens": 20000,
            "steps": [
                {
                    "kind": "loop",
                    "name": "turns",
                    "times": times,
                    "steps": [
                        {
                            "kind": "model_call",
                            "name": "act",
                            "input_tokens": 100,
                            "output_tokens": {"p50": 214, "p90": 1700, "max": 8000},
                        },
                        {
                            "kind": "tool_wait",
                            "name": "run",
                            "seconds": {"p50": 0.3, "p90": 13.6, "p99": 216, "max": 120},
                            "result_tokens": 800,
                        },
                    ],
                }
            ],
        }
    )


TASKS = {
    "graph of 200": graph_task(),
    "coding-agent": catalog.tasks()["coding-agent"],
    "mean 9, p99 86": loop_task({"p50": 3.1, "p90": 20, "p99": 86}),
}


# -- what is drawn -----------------------------------------------------------------------------------------------------


class Shapes:
    """An observer that notes every step's draws: the amount, whether as whole numbers, and on how many lanes."""

    def __init__(self):
        self.draws: list[tuple[Amount, bool, int]] = []
        self.plays = 0

    def spent(self, stage, act, scene, start, parts, tokens) -> None:
        self.plays += 1
        for name in ("output_tokens", "input_tokens", "seconds", "result_tokens"):
            amount = getattr(act.step, name, None)
            if amount is not None and amount.fixed is None:
                self.draws.append((amount, name != "seconds", scene.lanes))

    def forked(self, stage) -> int:
        return 0

    def joined(self, instance, scene, end, critical, slack) -> None: ...

    def mark(self) -> int:
        return 0

    def failed(self, since, scene) -> None: ...


def bare(draws: list[tuple[Amount, bool, int]]) -> None:
    """As many draws as numpy makes them."""
    generator = np.random.Generator(np.random.SFC64(1))
    for _, _, n in draws:
        x = generator.standard_normal(n)
        x *= 1.3
        x += 4.0
        np.exp(x, out=x)


def own(draws: list[tuple[Amount, bool, int]], keys: np.ndarray) -> None:
    """The same draws as the walk makes them."""
    for i, (amount, counted, n) in enumerate(draws):
        values = amount.draw(uniforms(keys[:n], np.uint64(i)))
        if counted:
            whole(amount, values)


# -- the same tasks in SimPy -------------------------------------------------------------------------------------------


def turns_of(task: Task, keys: np.ndarray, seed: int) -> np.ndarray:
    """Turns of each trial, int [trials]; 1 of a graph."""
    first = task.steps[0]
    if first.kind == "graph":
        return np.ones(len(keys), int)
    return whole(first.times, first.times.draw(uniforms(keys, stream(seed, "turns", "times")))).astype(int)


def spread(turns: np.ndarray, many: int) -> np.ndarray:
    """The numbers of some trials, spread evenly over all in the order of their turns."""
    places = (np.arange(many) + 0.5) * len(turns) / many
    return np.argsort(turns, kind="stable")[places.astype(int)]


def drawn(task: Task, trials: np.ndarray, seed: int) -> dict:
    """All amounts of a task's steps by (step, turn), arrays over trials, from the walk's own draws."""
    keys = lane_keys(trials)
    counts = turns_of(task, keys, seed)
    first = task.steps[0]
    if first.kind == "graph":
        turns, lanes = 1, [keys]
    else:
        turns = int(counts.max())
        lanes = [turned(keys, t) for t in range(turns)]
    found = {"turns": counts}
    for step in first.steps:
        field = "output_tokens" if step.kind == "model_call" else "seconds"
        amount = getattr(step, field)
        for t in range(turns):
            values = amount.draw(uniforms(lanes[t], stream(seed, step.name, field)))
            found[step.name, t] = whole(amount, values) if field == "output_tokens" else values
    return found


def simpy_trial(task: Task, trial: int, amounts: dict, profile: Profile) -> float:
    env = simpy.Environment()
    first = task.steps[0]

    def call(uncached: float, output: float):
        yield env.timeout(profile.overhead_s + profile.fixed_s + profile.per_token_s * uncached)
        yield env.timeout(max(output - 1, 0) * profile.tpot_s)

    def loop():
        context = cached = float(task.context_tokens)
        act, run = first.steps
        for turn in range(int(amounts["turns"][trial])):
            prompt = context + act.input_tokens.fixed
            output = float(amounts["act", turn][trial])
            yield env.process(call(prompt - cached, output))
            context = cached = prompt + output
            yield env.timeout(float(amounts["run", turn][trial]))
            context += run.result_tokens.fixed
        for last in task.steps[1:]:
            prompt = context + last.input_tokens.fixed
            yield env.process(call(prompt - cached, last.output_tokens.fixed))
            context = cached = prompt + last.output_tokens.fixed

    handed: dict[str, float] = {}
    before: dict[str, set[str]] = {}
    ends: dict[str, simpy.Event] = {}

    def node(step):
        if step.after:
            yield env.all_of([ends[name] for name in step.after])
        value = float(amounts[step.name, 0][trial])
        if step.kind == "tool_wait":
            yield env.timeout(value)
            handed[step.name] = 0.0
        else:
            gained = sum(handed[name] for name in before[step.name])
            yield env.process(call(gained + step.input_tokens.fixed, value))
            handed[step.name] = value

    if first.kind == "loop":
        env.process(loop())
    else:
        for step in first.steps:
            before[step.name] = set(step.after).union(*(before[name] for name in step.after))
            ends[step.name] = env.process(node(step))
    env.run()
    return env.now


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trials", type=int, default=10_000)
    parser.add_argument("--simpy", type=int, default=300, help="trials that SimPy plays")
    parser.add_argument("--repeats", type=int, default=12)
    options = parser.parse_args()
    keys = lane_keys(np.arange(options.trials))
    for name, task in TASKS.items():
        shapes = Shapes()
        run = play(task, [SLOW, FAST], trials=options.trials, seed=7, observer=shapes)
        if task.steps[0].kind == "loop":
            shapes.draws.append((task.steps[0].times, True, options.trials))
        walks = [partial(play, task, [SLOW, FAST] * n, trials=options.trials, seed=7) for n in (1, 3)]
        cost, own_cost, two, six = best_of(
            options.repeats, partial(bare, shapes.draws), partial(own, shapes.draws, keys), *walks
        )
        floor, graph = PER_STEP_S * shapes.plays, task.steps[0].kind == "graph"
        count = sum(n for _, _, n in shapes.draws)
        print(f"{name}: {count:,} draws in {shapes.plays} steps and turns, bare {cost * 1e3:.1f} ms")
        if graph:
            print(f"  drawn as the walk draws: {own_cost * 1e3:.1f} ms")
        for players, factor, took in ((2, 2, two), (6, 5, six)):
            bar, own_bar = factor * cost + floor, factor * own_cost + floor
            print(
                f"  {players} players: {took * 1e3:.1f} ms = {took / cost:.1f}x bare; "
                f"{'within' if took <= bar else 'OVER'} {factor}x + 40 us a step = {bar * 1e3:.1f} ms "
                f"({took / bar:.2f} of it{f', {took / own_bar:.2f} with its own draws' if graph else ''})"
            )
        turns = turns_of(task, keys, 7)
        chosen = spread(turns, options.simpy)
        amounts = drawn(task, chosen, 7)
        theirs = np.empty((2, options.simpy))

        def events(task=task, amounts=amounts, theirs=theirs) -> None:
            for row, profile in enumerate((SLOW, FAST)):
                theirs[row] = [simpy_trial(task, t, amounts, profile) for t in range(options.simpy)]

        (spent,) = best_of(SIMPY_REPEATS, events)
        apart = np.abs(theirs / run.task_s[:, chosen] - 1).max()
        print(
            f"  SimPy: {spent / options.simpy / (two / options.trials):,.0f}x slower a trial "
            f"({turns[chosen].mean():.2f} turns each, all {turns.mean():.2f}); times apart {apart:.1e}"
        )


if __name__ == "__main__":
    main()
