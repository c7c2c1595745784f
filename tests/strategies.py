"""Random tasks and profiles for property tests.

Fixed seconds and profiles are multiples of powers of two, so that ends that should be equal are exactly equal.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from hypothesis import strategies as st

from agentcalc.distributions import Values
from agentcalc.latency import Profile
from agentcalc.task import Task

LEAVES = ("model_call", "tool_wait", "human_wait")
CONTAINERS = ("group", "loop", "branches", "copies", "choice", "retry", "graph")
RULES = ("roles", "cache", "timeout", "failure", "attention", "join", "compact", "until")
"""What makes latency compound, and what came with it: off unless a test wants it."""
ROLES = ("main", "router", "judge")


@dataclass(frozen=True)
class Wants:
    """What random tasks may hold."""

    kinds: tuple[str, ...] = LEAVES + CONTAINERS
    conversations: tuple[str | None, ...] = ("main", "main", "main", "notes", "plan", None)
    names: tuple[str | None, ...] = (None, None, "act", "run", "report")
    depth: int = 4
    longest: int = 3
    fixed_only: bool = False
    few: bool = False
    """Seconds of 0, 1 or 2 alone, so that many ends are equal."""
    rules: tuple[str, ...] = ()
    """Which of RULES may be switched on."""

    def on(self, rule: str, rng: random.Random, chance: float) -> bool:
        return rule in self.rules and rng.random() < chance


def _seconds(rng: random.Random, wants: Wants):
    if wants.few:
        return rng.choice([0, 1, 1, 2])
    if wants.fixed_only or rng.random() < 0.5:
        return rng.choice([0, 0, 0.25, 0.5, 1, 1, 2.5, 8])
    return _shape(rng, 0.25, 4.0)


def _tokens(rng: random.Random, wants: Wants):
    if wants.fixed_only or rng.random() < 0.5:
        return rng.choice([0, 0, 1, 2, 17, 100, 640, 2000])
    return _shape(rng, 8, 600)


def _shape(rng: random.Random, low: float, high: float):
    """One of the distribution shapes between about low and high."""
    middle = (low + high) / 4
    kind = rng.randrange(9)
    end = {"max": high * 2} if rng.random() < 0.5 else {}
    if kind == 0:
        return {"p50": low, "p90": high, **end}
    if kind == 1:
        return {"p10": low, "p50": middle, "p99": high, **end}
    if kind == 2:
        return {"mean": middle, "sd": high / 3, **end}
    if kind == 3:
        return {"low": 0 if rng.random() < 0.3 else low, "high": high}
    if kind == 4:
        return {"low": low, "mode": middle, "high": high}
    if kind == 5:
        return {"values": [0, low, low, high]}
    if kind == 6:
        return {"values": [low, middle, high], "weights": [3, 0, 1]}
    if kind == 7:
        return {"mixture": [{"weight": 2, "p50": low, "p90": middle}, {"weight": 1, "value": high}], "max": high * 2}
    return {"mixture": [{"weight": 1, "low": 0, "high": low}, {"weight": 3, "mean": middle, "sd": low}], "max": high}


def _count(rng: random.Random, wants: Wants):
    if wants.fixed_only or rng.random() < 0.4:
        return rng.choice([0, 1, 2, 2, 3])
    return rng.choice(
        [{"low": 0, "high": 3}, {"low": 1, "high": 3}, {"values": [0, 1, 3]}, {"p50": 1, "p90": 2.5, "max": 3},
         {"mixture": [{"weight": 1, "value": 1}, {"weight": 1, "low": 2, "high": 3}]}]
    )  # fmt: skip


def _limit(rng: random.Random, wants: Wants, *around: float) -> float:
    """A threshold: among whole seconds where ends are to be equal, else where no sum of round seconds lies."""
    return rng.choice([1, 2, 4]) if wants.few or wants.fixed_only else rng.choice(around)


def _steps(rng: random.Random, wants: Wants, depth: int, least: int = 1) -> list[dict]:
    return [_step(rng, wants, depth) for _ in range(rng.randint(least, wants.longest))]


def _step(rng: random.Random, wants: Wants, depth: int) -> dict:
    leaves = [kind for kind in wants.kinds if kind in LEAVES]
    containers = [kind for kind in wants.kinds if kind in CONTAINERS]
    inner = containers and depth < wants.depth and rng.random() < 0.5
    kind = rng.choice(containers if inner else leaves)
    if not inner and depth > 0 and wants.on("compact", rng, 0.08):
        kind = "compact"
    step: dict = {"kind": kind}
    name = rng.choice(wants.names)
    if name:
        step["name"] = name
    if kind == "model_call":
        output = _tokens(rng, wants)
        step |= {"input_tokens": _tokens(rng, wants), "output_tokens": output}
        step["conversation"] = rng.choice(wants.conversations)
        if rng.random() < 0.4:
            reasoning = _tokens(rng, wants)
            both = isinstance(output, int | float) and isinstance(reasoning, int | float)
            step["reasoning_tokens"] = min(output, reasoning) if both else reasoning
        if wants.on("roles", rng, 0.4):
            step["role"] = rng.choice(ROLES)
        if wants.on("timeout", rng, 0.3):
            step["timeout_s"] = _limit(rng, wants, 0.3, 0.7, 1.3, 2.9, 7.1, 21.3)
        if wants.on("failure", rng, 0.2):
            step["failure_probability"] = rng.choice([0.0, 0.3, 0.7, 1.0])
        if ("timeout_s" in step or "failure_probability" in step) and rng.random() < 0.8:
            step |= {"max_attempts": rng.randint(1, 4), "backoff_s": _seconds(rng, wants)}
    elif kind == "tool_wait":
        step |= {"seconds": _seconds(rng, wants), "result_tokens": _tokens(rng, wants)}
        step["conversation"] = rng.choice(wants.conversations)
    elif kind == "human_wait":
        step["seconds"] = _seconds(rng, wants)
    elif kind == "group":
        step["steps"] = _steps(rng, wants, depth + 1)
    elif kind == "loop":
        if wants.on("until", rng, 0.5):
            step["until"] = {"probability": rng.choice([0.2, 0.5, 0.8, 1.0]), "max": rng.randint(1, 4)}
        else:
            step["times"] = _count(rng, wants)
        step["steps"] = _steps(rng, wants, depth + 1)
    elif kind == "branches":
        step |= {"kind": "parallel", "conversation": rng.choice(wants.conversations)}
        step["branches"] = [
            {"steps": _steps(rng, wants, depth + 1, least=0)}
            | ({"result_tokens": _tokens(rng, wants)} if rng.random() < 0.3 else {})
            for _ in range(rng.randint(1, 3))
        ]
        if wants.on("join", rng, 0.6):
            step["join"] = rng.choice(["any", rng.randint(1, len(step["branches"]))])
    elif kind == "copies":
        step |= {"kind": "parallel", "conversation": rng.choice(wants.conversations), "width": _count(rng, wants)}
        step["steps"] = _steps(rng, wants, depth + 1)
        if rng.random() < 0.3:
            step["result_tokens"] = _tokens(rng, wants)
        if wants.on("join", rng, 0.6):
            step["join"] = rng.choice(["any", 1, 2, 3])
    elif kind == "compact":
        step |= {"to_tokens": _tokens(rng, wants), "conversation": rng.choice([c for c in wants.conversations if c])}
    elif kind == "choice":
        shares = rng.choice([[1.0], [0.5, 0.5], [0.25, 0.0, 0.75], [0.3, 0.6, 0.1]])
        step["options"] = [{"probability": p, "steps": _steps(rng, wants, depth + 1, least=0)} for p in shares]
    elif kind == "retry":
        step |= {"failure_probability": rng.choice([0.0, 0.3, 0.6, 1.0]), "max_attempts": rng.randint(1, 3)}
        step |= {"backoff_s": _seconds(rng, wants), "steps": _steps(rng, wants, depth + 1)}
    elif kind == "graph":
        steps = [_step(rng, wants, depth + 1) for _ in range(rng.randint(1, 4))]
        # Listed in any order, waiting only for those earlier in a hidden order, so that there is no cycle.
        hidden = list(range(len(steps)))
        rng.shuffle(hidden)
        for i, inside in enumerate(steps):
            inside["name"] = f"{'abcd'[i]}"
        for place, i in enumerate(hidden):
            after = [steps[j]["name"] for j in hidden[:place] if rng.random() < 0.5]
            if after:
                steps[i]["after"] = after
        step |= {"steps": steps, "conversation": rng.choice(wants.conversations)}
    return step


def task_from(rng: random.Random, wants: Wants | None = None) -> dict:
    """A random task as a file would write it. It always ends with something that takes time."""
    wants = wants or Wants()
    context = rng.choice([0, 0, 500, 4096])
    task = {"name": "random", "context_tokens": context}
    if rng.random() < 0.5:
        task["cached_tokens"] = rng.choice([0, context // 2, context])
    if wants.on("cache", rng, 0.8):
        task["cache"] = {"lifetime_s": _limit(rng, wants, 0.1, 0.6, 1.1, 2.7, 6.3)}
    if wants.on("attention", rng, 0.7):
        task["attention"] = {"threshold_s": _limit(rng, wants, 0.6, 1.9, 4.7, 11.3), "cost_s": rng.choice([0.5, 4, 16])}
    task["steps"] = [*_steps(rng, wants, 1), {"kind": "model_call", "output_tokens": 5}]
    return task


def player_from(rng: random.Random, curved: bool = False) -> Profile | dict[str, Profile]:
    """A random system, or one for every role."""
    return profile_from(rng, curved) if rng.random() < 0.4 else {role: profile_from(rng, curved) for role in ROLES}


def profile_from(rng: random.Random, curved: bool = False) -> Profile:
    """A random system; some parts are often zero. curved: it may have tables over lengths and tails."""
    return Profile(
        fixed_s=rng.choice([0.0, 0.125, 0.5, 2.0]),
        per_token_s=rng.choice([0.0, 1, 3, 40]) * 2.0**-16,
        tpot_s=rng.choice([0.0, 1, 5, 30]) * 2.0**-11,
        overhead_s=rng.choice([0.0, 0.0, 0.25]),
        **(_curved(rng) if curved and rng.random() < 0.6 else {}),
    )


TAIL = Values.model_validate({"values": [0.5, 1, 4], "weights": [5, 4, 1]})


def _curved(rng: random.Random) -> dict[str, object]:
    """Tables over lengths, rising and falling, and tails."""
    found: dict[str, object] = {}
    if rng.random() < 0.6:
        found["ttft_table"] = rng.choice(TTFT_TABLES)
    if rng.random() < 0.6:
        found["tpot_table"] = rng.choice(TPOT_TABLES)
    found |= {name: TAIL for name in ("ttft_tail", "tpot_tail") if rng.random() < 0.4}
    return found


# Lengths lie a power of two apart, and so do seconds: times on the lines between them are exact.
TTFT_TABLES = (
    ((64.0, 0.25), (128.0, 0.5), (2176.0, 3.0)),
    ((100.0, 0.125), (356.0, 2.125)),
    ((16.0, 1.0), (272.0, 0.5), (784.0, 0.25)),
)
TPOT_TABLES = (((0.0, 2.0**-9), (512.0, 2.0**-8), (4608.0, 2.0**-6)), ((50.0, 2.0**-7), (562.0, 2.0**-8)))


def tasks(wants: Wants | None = None) -> st.SearchStrategy[Task]:
    """Random tasks, built from one random source so that many are cheap; they shrink by seed only."""
    return st.randoms(use_true_random=False).map(lambda rng: Task.model_validate(task_from(rng, wants)))


def profiles() -> st.SearchStrategy[Profile]:
    return st.randoms(use_true_random=False).map(profile_from)
