"""Every rule of play, broken on purpose, is noticed: with it broken the oracle no longer agrees with the library."""

from dataclasses import fields
from functools import cache

import numpy as np
import pytest
from agreement import SEED, Walked, differences, walked
from oracle import Rules
from strategies import TAIL, TPOT_TABLES, TTFT_TABLES

from agentcalc.latency import Profile
from agentcalc.simulate.walk import play
from agentcalc.task import Task

PROFILES = (
    Profile(fixed_s=0.5, per_token_s=2.0**-10, tpot_s=2.0**-6, overhead_s=0.25),
    Profile(fixed_s=0.125, per_token_s=2.0**-12, tpot_s=2.0**-8),
)
SLOW, FAST = PROFILES
MIXED = {"main": FAST, "router": SLOW, "judge": Profile(fixed_s=0.25, per_token_s=2.0**-11, tpot_s=2.0**-7)}
# For the rules with thresholds: each system, each with the other's outcomes, and a deployment with its own and with the
# slow system's.
PLAYERS = (SLOW, FAST, FAST, SLOW, MIXED, MIXED)
OUTCOMES_OF = (0, 1, 0, 1, 4, 0)
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


def parallel(*branches, **keys):
    return {"kind": "parallel", "branches": [{"steps": list(steps)} for steps in branches], **keys}


def graph(*steps):
    return {"kind": "graph", "steps": list(steps)}


# A call of 64 tokens takes 1.73 s on the slow system and 0.37 s on the fast one, with nothing to prefill.
LIFETIME = {"context_tokens": 1000, "cached_tokens": 300, "cache": {"lifetime_s": 2}}
ATTENTION = {"attention": {"threshold_s": 4, "cost_s": 8}}
NEVER = {"failure_probability": 1.0, "max_attempts": 2}

RULE_TASKS = {
    "roles": {
        "context_tokens": 1000,
        "steps": [
            call(role="router", input_tokens=40),
            call(input_tokens=5),
            call(role="judge", conversation="notes", input_tokens=70),
            call(role="router"),
            call(role="main", conversation="notes"),
        ],
    },
    "lifetime": {
        **LIFETIME,
        "steps": [call(), tool(1), call(input_tokens=10), tool(3), call(input_tokens=20), tool(2), call(), call()],
    },
    "lifetime from the start": {**LIFETIME, "steps": [tool(3), call(input_tokens=7), call()]},
    "lifetime by conversation": {
        **LIFETIME,
        "steps": [
            call(),
            tool(1.5),
            call(conversation="notes"),
            tool(1.5),
            call(),
            tool(1.5),
            call(conversation="notes"),
        ],
    },
    "lifetime by role": {
        **LIFETIME,
        "steps": [call(), tool(1.5), call(role="router"), tool(1.5), call(), tool(1.5), call(role="router")],
    },
    "lifetime beside a stand-alone call": {
        **LIFETIME,
        "steps": [call(), tool(1.5), call(conversation=None), tool(1.5), call()],
    },
    "lifetime in a fork": {**LIFETIME, "steps": [call(), parallel([tool(1), call()])]},
    "lifetime after a join": {**LIFETIME, "steps": [call(), parallel([tool(3), call()], [tool(0.5)]), call()]},
    "lifetime after a join on one": {
        **LIFETIME,
        "steps": [call(), parallel([tool(3)], [tool(2.5), call(output_tokens=640)], join="any"), call()],
    },
    "lifetime in a graph": {
        **LIFETIME,
        "steps": [call(), graph(tool(3, name="a"), call("b", after=["a"]), call("c", after=["b"])), call()],
    },
    "lifetime and people": {**LIFETIME, "steps": [call(), human(3), call()]},
    "attempts": {
        "context_tokens": 1000,
        "cached_tokens": 300,
        "steps": [
            call(
                "act",
                timeout_s=1.5,
                failure_probability=0.4,
                max_attempts=4,
                backoff_s={"low": 1, "high": 3},
                output_tokens=SPREAD,
                reasoning_tokens={"low": 1, "high": 20},
                input_tokens={"low": 1, "high": 100},
            ),
            call(),
        ],
    },
    "attempts that fail alone": {
        "steps": [call(failure_probability=0.5, backoff_s=0.5, output_tokens=SPREAD, input_tokens=30), call()]
    },
    "attempts that all fail": {"steps": [call(input_tokens=100, **NEVER), call()]},
    "a timeout just met": {"steps": [call(timeout_s=1.734375)]},
    "a timeout that overhead decides": {"steps": [call(timeout_s=1.6)]},
    "a timeout that a refill decides": {
        **LIFETIME,
        "cached_tokens": 1000,
        "steps": [tool(3), call(timeout_s=2.5), tool(1), call(timeout_s=2.5)],
    },
    "failed attempts use the cache": {
        **LIFETIME,
        "steps": [tool(3), call(failure_probability=0.6, max_attempts=5, backoff_s=0.5)],
    },
    "failed attempts that nothing follows": {
        "steps": [parallel([tool(1, result_tokens=50), call(**NEVER)], [tool(1), call(**NEVER)]), call()]
    },
    "attention": {**ATTENTION, "steps": [tool(5), human(1), tool(3.5)]},
    "attention just met": {**ATTENTION, "steps": [tool(4), human(1), tool(4.5)]},
    "attention in a fork": {**ATTENTION, "steps": [tool(3), parallel([tool(2), human(1)])]},
    "attention after a join": {
        **ATTENTION,
        "steps": [tool(3), parallel([tool(0.5), human(1)], [tool(2)]), tool(1)],
    },
    "attention after a join on one": {
        **ATTENTION,
        "steps": [tool(3), parallel([tool(1)], [tool(2), human(1)], join="any"), tool(1)],
    },
    "attention in a graph": {
        **ATTENTION,
        "steps": [
            tool(3),
            graph(
                {**human(1), "name": "ask"},
                tool(0.5, name="a", after=["ask"]),
                {**human(1), "name": "again", "after": ["a"]},
                tool(3.5, name="b"),
            ),
            tool(1),
        ],
    },
    "join on the second": {
        "steps": [
            parallel(
                [tool(5, result_tokens=100), call()],
                [human(2), tool(1, result_tokens=30)],
                [tool(1, result_tokens=9)],
                join=2,
            ),
            call(),
        ]
    },
    "join on one of equals": {"steps": [parallel([tool(2, result_tokens=30)], [human(2)], join="any"), call()]},
    "join on more than there are": {
        "steps": [{"kind": "parallel", "width": 2, "join": 3, "steps": [tool({"low": 1, "high": 5})]}, call()]
    },
    "join on one beside calls that fail": {"steps": [parallel([tool(1)], [tool(2), call(**NEVER)], join="any")]},
    "join on one beside people": {"steps": [parallel([human(3)], [tool(2)], join="any")]},
    "compact": {
        "context_tokens": 1000,
        "steps": [
            call(role="router"),
            {"kind": "compact", "to_tokens": 500},
            call(role="router"),
            call(),
            {"kind": "compact", "to_tokens": 2000},
            call(),
        ],
    },
    "compact another conversation": {
        "context_tokens": 1000,
        "steps": [
            call(conversation="notes", input_tokens=90),
            {"kind": "compact", "conversation": "notes", "to_tokens": {"low": 10, "high": 50}},
            call(),
            call(conversation="notes"),
        ],
    },
    "until": {"steps": [{"kind": "loop", "until": {"probability": 0.3, "max": 3}, "steps": [tool(SPREAD)]}]},
    "outcomes of another": {
        "context_tokens": 1000,
        "cache": {"lifetime_s": 5},
        "attention": {"threshold_s": 10, "cost_s": 3},
        "steps": [
            parallel([call(output_tokens=640, conversation=None)]),
            call(timeout_s=1, max_attempts=2),
            call(timeout_s=1, backoff_s=1),
        ],
    },
}

# For TTFT over the prompt, TPOT over the context, and calls that differ from one another.
CURVED = (
    Profile(0, 0, 0, ttft_table=TTFT_TABLES[0], tpot_table=TPOT_TABLES[0]),
    Profile(0, 0, 2.0**-8, overhead_s=0.25, ttft_table=TTFT_TABLES[1], tpot_tail=TAIL),
    Profile(0, 0, 0, ttft_table=TTFT_TABLES[2], tpot_table=TPOT_TABLES[1], ttft_tail=TAIL, tpot_tail=TAIL),
    SLOW,
)
CURVED_TASKS = {
    "prompts of many lengths": {
        "context_tokens": 300,
        "cached_tokens": 100,
        "steps": [call(input_tokens=n, conversation=c) for n in (1, 90, 700, 5000) for c in ("main", None, "side")],
    },
    "a refill beside tables": {
        **LIFETIME,
        "context_tokens": 1000,
        "steps": [tool(3), call(input_tokens=50), tool(0.5), call(input_tokens=500), tool(3), call()],
    },
    "calls that differ": {
        "steps": [{"kind": "loop", "times": 3, "steps": [call(timeout_s=4, max_attempts=2), call()]}, call()],
    },
}

RULES = [field.name for field in fields(Rules)]


@cache
def walks() -> dict[str, Walked]:
    """The library's side of each task, played once."""
    found = {}
    for name, it in {**TASKS, **RULE_TASKS, **CURVED_TASKS}.items():
        players, given = (PROFILES, None) if name in TASKS else (PLAYERS, OUTCOMES_OF)
        if name in CURVED_TASKS:
            players, given = CURVED, None
        task = Task.model_validate({"name": name, **it})
        run = play(task, players, trials=TRIALS, seed=SEED, outcomes_of=given)
        # A task without chance is one trial.
        chance = np.ptp(run.task_s, axis=1).any() or np.ptp(run.calls, axis=1).any()
        found[name] = walked(task, players, TRIALS if chance else 1, outcomes_of=given)
    return found


@pytest.mark.parametrize("name", [*TASKS, *RULE_TASKS, *CURVED_TASKS])
def test_unbroken_rules_agree(name):
    assert not list(differences(walks()[name]))


@pytest.mark.parametrize("rule", RULES)
def test_a_broken_rule_is_noticed(rule):
    rules = Rules().without(rule)
    # New rules are told apart by the later tasks, so these are looked at first.
    noticed = any(next(differences(walk, rules), None) for walk in reversed(walks().values()))
    assert noticed, f"nothing notices that '{rule}' is broken"
