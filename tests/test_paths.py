"""Which steps decide: criticality, seconds on the critical path, slack; by hand and as sums over random tasks."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import task_from

import agentcalc
from agentcalc.task import Task

PAIR = ("slow:ttft=1s,tpot=10ms", "fast:ttft=0.5s,tpot=5ms")


def tool(name, seconds, **keys):
    return {"kind": "tool_wait", "name": name, "seconds": seconds, **keys}


def steps_of(*steps, trials=4, **keys):
    task = Task.model_validate({"name": "t", "steps": list(steps), **keys})
    found = agentcalc.compare(task, PAIR, trials=trials, seed=3)
    return found, found.steps().set_index(["label", "step"])


def test_the_critical_branch_differs_from_system_to_system():
    """A call of 101 tokens takes 1 + 1 = 2 s on slow and 0.5 + 0.5 = 1 s on fast; the tool beside it 1.25 s on both."""
    call = {"kind": "model_call", "name": "call", "output_tokens": 101}
    _, steps = steps_of({"kind": "parallel", "branches": [{"steps": [call]}, {"steps": [tool("run", 1.25)]}]})
    wanted = {
        ("slow", "call"): (1.0, 2.0, 1.0, 0.0),
        ("slow", "run"): (0.0, 0.0, 0.0, 0.75),
        ("fast", "call"): (0.0, 0.0, 0.0, 0.25),
        ("fast", "run"): (1.0, 1.25, 1.0, 0.0),
    }
    for key, numbers in wanted.items():
        row = steps.loc[key, ["critical_share", "critical_s", "critical_s_share", "slack_s"]]
        assert tuple(row) == pytest.approx(numbers), key


def test_slack_adds_up_from_the_inside_out():
    inner = {"kind": "parallel", "branches": [{"steps": [tool("a", 1)]}, {"steps": [tool("b", 3)]}]}
    _, steps = steps_of({"kind": "parallel", "branches": [{"steps": [inner]}, {"steps": [tool("c", 7)]}]})
    assert [steps.loc[("slow", name), "slack_s"] for name in "abc"] == pytest.approx([2 + 4, 4, 0])


def test_slack_in_a_graph_is_that_of_the_nearest_follower():
    """a 1 s, then b 1 s and c 4 s; d 2 s waits for b alone: the end is at 5 s, so b and d have 1 s to spare and a
    none.
    """
    graph = [tool("a", 1), tool("b", 1, after=["a"]), tool("c", 4, after=["a"]), tool("d", 2, after=["b"])]
    _, steps = steps_of({"kind": "graph", "steps": graph})
    assert [steps.loc[("slow", name), "slack_s"] for name in "abcd"] == pytest.approx([0, 1, 0, 1])
    assert [steps.loc[("slow", name), "critical_share"] for name in "abcd"] == [1, 0, 1, 0]


def test_a_branch_that_is_stopped_has_no_slack():
    race = {"kind": "parallel", "join": "any", "branches": [{"steps": [tool("a", 1)]}, {"steps": [tool("b", 3)]}]}
    _, steps = steps_of(race)
    assert steps.loc[("slow", "a"), "slack_s"] == 0 and math.isnan(steps.loc[("slow", "b"), "slack_s"])
    assert steps.loc[("slow", "b"), "critical_s"] == 0 and steps.loc[("slow", "b"), "mean_s"] == 3


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 2**32))
def test_seconds_on_the_critical_path_are_the_task_time(seed):
    task = Task.model_validate(task_from(random.Random(seed)))
    found = agentcalc.compare(task, PAIR, trials=6, seed=5)
    steps = found.steps()
    for system in found.systems:
        mine = steps[steps["system"] == system.id]
        assert mine["critical_s"].sum() == pytest.approx(system.task_s["mean"], rel=1e-9, abs=1e-9)
        assert ((mine["critical_s"] <= mine["mean_s"] + 1e-9) & mine["critical_share"].between(0, 1)).all()
        assert not (mine["slack_s"] < -1e-9).any()
