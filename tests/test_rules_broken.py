"""Every rule of play, broken on purpose, is noticed: with it broken the oracle no longer agrees with the library."""

from dataclasses import fields
from functools import cache

import pytest
from agreement import Walked, differences, walked
from oracle import Rules

from agentcalc.latency import Profile
from agentcalc.task import Task

PROFILES = (
    Profile(fixed_s=0.5, per_token_s=2.0**-10, tpot_s=2.0**-6, overhead_s=0.25),
    Profile(fixed_s=0.125, per_token_s=2.0**-12, tpot_s=2.0**-8),
)
TRIALS = 8


def call(name=None, **keys):
    return {"kind": "model_call", "output_tokens": 64, **({"name": name} if name else {}), **keys}


def tool(seconds=1, **keys):
    return {"kind": "tool_wait", "seconds": seconds, **keys}


def human(seconds):
    return {"kind": "human_wait", "seconds": seconds}


SPREAD = {"p50": 40, "p90": 400}

# One small task per idea; together they tell every rule from its opposite.
TASKS = {
    "conversation": {
        "context_tokens": 1000,
        "cached_tokens": 300,
        "steps": [
            call(input_tokens=100, reasoning_tokens=24),
            tool(result_tokens=50),
            call(input_tokens=10),
            call(),
        ],
    },
    "several conversations": {
        "context_tokens": 800,
        "steps": [
            call(conversation="notes", input_tokens=30),
            tool(result_tokens=70, conversation="notes"),
            call(conversation=None, input_tokens=500),
            call(input_tokens=5),
            call(conversation="notes"),
        ],
    },
    "edges of a call": {
        "steps": [
            call(output_tokens=0, input_tokens=10),
            call(output_tokens={"values": [2, 40]}, reasoning_tokens={"values": [1, 30]}),
            call(output_tokens={"low": 0, "high": 2}),
            call(output_tokens={"p50": 0.2, "p90": 0.6}, input_tokens=SPREAD),
            call(output_tokens={"p50": 30, "p90": 90, "max": 35}),
        ],
    },
    "loop of loops": {
        "steps": [
            {
                "kind": "loop",
                "times": {"values": [0, 2, 3]},
                "steps": [{"kind": "loop", "times": 2, "steps": [call(output_tokens=SPREAD), tool(SPREAD)]}],
            },
            call(),
        ]
    },
    "choice": {
        "steps": [
            {
                "kind": "choice",
                "options": [
                    {"probability": 0.1, "steps": [tool(5)]},
                    {"probability": 0.2, "steps": []},
                    {"probability": 0.7, "steps": [call()]},
                ],
            }
        ]
    },
    "branches": {
        "context_tokens": 600,
        "cached_tokens": 400,
        "steps": [
            {
                "kind": "parallel",
                "branches": [
                    {"steps": [call(), tool(result_tokens=300), call(reasoning_tokens=14), tool(result_tokens=9)]},
                    {"steps": [tool(2, result_tokens=37), tool(1, result_tokens=11)]},
                    {"steps": [call(conversation="side", input_tokens=90)], "result_tokens": 25},
                    {"steps": [call(conversation=None, output_tokens=21), tool(result_tokens=1000)]},
                ],
            },
            call(),
            call(conversation="side"),
        ],
    },
    "equal branches": {
        "steps": [{"kind": "parallel", "branches": [{"steps": [tool(2)]}, {"steps": [human(2)]}]}, call()],
    },
    "nested branches": {
        "context_tokens": 100,
        "steps": [
            {
                "kind": "parallel",
                "conversation": "shared",
                "branches": [
                    {
                        "steps": [
                            call(output_tokens=16, conversation="shared"),
                            {"kind": "parallel", "branches": [{"steps": [call(output_tokens=128)]}]},
                        ]
                    },
                    {
                        "steps": [
                            {"kind": "parallel", "branches": [{"steps": [call(output_tokens=320)]}]},
                            tool(result_tokens=5),
                        ]
                    },
                ],
            },
            call(conversation="shared"),
            call(),
        ],
    },
    "copies": {
        "steps": [
            {
                "kind": "parallel",
                "width": {"values": [0, 2, 3]},
                "result_tokens": SPREAD,
                "steps": [call(output_tokens=SPREAD), tool({"low": 0, "high": 9})],
            },
            call(),
        ]
    },
    "retry": {
        "context_tokens": 200,
        "steps": [
            {
                "kind": "retry",
                "failure_probability": 0.5,
                "max_attempts": 3,
                "backoff_s": {"low": 1, "high": 3},
                "steps": [call(output_tokens=SPREAD, input_tokens=64), tool(SPREAD, result_tokens=12)],
            },
            call(),
        ],
    },
    "retry that never succeeds": {
        "steps": [
            {"kind": "retry", "failure_probability": 1, "max_attempts": 2, "backoff_s": 4, "steps": [call()]},
            call(),
        ]
    },
    "graph": {
        "context_tokens": 100,
        "steps": [
            {
                "kind": "graph",
                "steps": [
                    call("a", output_tokens=300),
                    tool(1, name="b", after=["a"], result_tokens=70),
                    tool(9, name="c", result_tokens=500),
                    call("d", after=["b"]),
                    call("e", after=["c", "b"], input_tokens=8),
                    tool(0.25, name="f", result_tokens=40),
                ],
            },
            call(),
        ],
    },
    "graph of equals": {
        "steps": [
            {
                "kind": "graph",
                "steps": [
                    {"kind": "human_wait", "name": "ask", "seconds": 3},
                    tool(3, name="look"),
                    tool(1, name="act", after=["look", "ask"]),
                    call("write", after=["act"]),
                ],
            }
        ]
    },
    "graph whose last ends are equal": {
        "steps": [
            {
                "kind": "graph",
                "steps": [
                    {"kind": "human_wait", "name": "sign", "seconds": 1, "after": ["draft"]},
                    tool(1, name="draft"),
                    tool(2, name="scan"),
                ],
            }
        ]
    },
    "graph with three predecessors": {
        "steps": [
            {
                "kind": "graph",
                "steps": [
                    tool(1, name="short"),
                    {"kind": "human_wait", "name": "long", "seconds": 5},
                    call("middle", output_tokens=64),
                    tool({"low": 0, "high": 6}, name="any"),
                    tool(1, name="end", after=["short", "long", "middle", "any"]),
                ],
            }
        ]
    },
    "a branch whose last call keeps nothing": {
        "steps": [
            {
                "kind": "parallel",
                "branches": [{"steps": [tool(result_tokens=400), call(output_tokens=9, reasoning_tokens=9)]}],
            },
            call(),
        ]
    },
    "people beside tools": {
        "steps": [
            {
                "kind": "parallel",
                "branches": [{"steps": [human({"low": 0, "high": 8})]}, {"steps": [tool({"low": 0, "high": 4})]}],
            },
            call(),
        ]
    },
}

RULES = [field.name for field in fields(Rules)]


@cache
def walks() -> dict[str, Walked]:
    """The library's side of each task, played once."""
    return {name: walked(Task.model_validate({"name": name, **it}), PROFILES, TRIALS) for name, it in TASKS.items()}


@pytest.mark.parametrize("name", TASKS)
def test_unbroken_rules_agree(name):
    assert not list(differences(walks()[name]))


@pytest.mark.parametrize("rule", RULES)
def test_a_broken_rule_is_noticed(rule):
    rules = Rules().without(rule)
    noticed = any(next(differences(walk, rules), None) for walk in walks().values())
    assert noticed, f"nothing notices that '{rule}' is broken"
