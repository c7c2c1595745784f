"""Answers that rest on more than one row of the walk: stopped branches, attempts, ceilings, bounds, names, trials."""

from __future__ import annotations

import pytest

import agentcalc
from agentcalc.task import Task

PAIR = ("slow:ttft=1s,speed=10", "fast:ttft=0.5s,speed=20")


def task(*steps, **keys) -> Task:
    return Task.model_validate({"name": "t", "steps": list(steps), **keys})


def tool(seconds, **keys):
    return {"kind": "tool_wait", "seconds": seconds, **keys}


def call(output, **keys):
    return {"kind": "model_call", "output_tokens": output, **keys}


def parallel(join, *branches):
    return {"kind": "parallel", "join": join, "branches": [{"steps": list(steps)} for steps in branches]}


def test_the_timeline_stops_with_the_join():
    """The first tool ends the race at 1 s; the second is cut there, and what would follow it never starts."""
    found = agentcalc.compare(task(parallel("any", [tool(1)], [tool(9), tool(2)])), PAIR, trials=2)
    rows = found.timeline(0)
    assert found.systems[0].task_s["mean"] == 1
    assert rows["end_s"].max() == 1 and rows.groupby("system").size().tolist() == [2, 2]
    assert sorted(rows["critical"]) == [False, False, True, True]


# A call of 101 tokens takes 1 + 10 = 11 s on slow and 0.5 + 5 = 5.5 s on fast; the limit of 8 s stops slow twice.
LIMITED = call(101, name="c", timeout_s=8, max_attempts=2, backoff_s=3)


def test_attempts_belong_to_the_system_that_makes_them():
    found = agentcalc.compare(task(LIMITED), PAIR, trials=3)
    slow, fast = found.systems
    assert (slow.task_s["mean"], fast.task_s["mean"]) == (8 + 3 + 8, 5.5)
    assert (slow.calls["mean"], fast.calls["mean"]) == (2, 1)
    assert (slow.exhausted_share, fast.exhausted_share) == (1, 0)
    rows = found.timeline(0).groupby("label")
    assert rows["call"].max().to_dict() == {"slow": 2, "fast": 1}
    assert rows.get_group("fast")["component"].tolist() == ["ttft", "decode"]
    assert rows.get_group("slow")["component"].tolist() == ["retry", "retry", "retry"]
    plays = found.steps().set_index("label")["plays"]
    assert plays.to_dict() == {"slow": 2, "fast": 1}


def test_the_causes_of_compounded_seconds_add_up():
    """Forced into slow's time limits, fast would take 19 s instead of 5.5: 13.5 s compound, all by the limit."""
    pair = agentcalc.compare(task(LIMITED), PAIR, trials=3).pairs[0]
    assert pair.compounded_s == pytest.approx(13.5) and pair.accumulated_s == pytest.approx(0)
    assert pair.compounded_by_s == pytest.approx({"refill": 0, "attention": 0, "retry": 13.5})


def test_the_ceiling_holds_where_a_faster_call_makes_a_person_wait_longer():
    """A wait runs from the person's last step: an instant call moves that step forward, and the tool after it is longer
    than the threshold. The instant system is never charged for it, so that it stays the bound."""
    steps = [parallel("all", [call(41), {"kind": "human_wait", "seconds": 0}], [tool(6)]), tool(3)]
    found = agentcalc.compare(task(*steps, attention={"threshold_s": 5, "cost_s": 20}), PAIR, trials=2)
    assert found.pairs[0].ceiling == pytest.approx(found.systems[0].task_s["mean"] / 9)
    for system in found.systems:
        assert found.systems[0].task_s["mean"] / system.task_s["mean"] <= found.pairs[0].ceiling + 1e-12


def test_two_systems_of_one_name_are_refused():
    with pytest.raises(agentcalc.InputError, match="two different systems are called 'm'"):
        agentcalc.compare("chat-turn", ["m:ttft=1,speed=3", "m:ttft=2,speed=3"], trials=2)
    with pytest.raises(agentcalc.InputError, match="two different systems are called 'm'"):
        agentcalc.compare("chat-turn", ["main=m:ttft=1,speed=3,router=m:ttft=9,speed=3"], trials=2)
    agentcalc.compare("chat-turn", ["m:ttft=1,speed=3", "m:ttft=1,speed=3"], trials=2)


@pytest.mark.parametrize("times", [1e12, 600_000])
def test_a_task_without_end_is_refused_before_any_work(times):
    loop = {"kind": "loop", "name": "big", "times": times, "steps": [call(3)]}
    nested = {"kind": "loop", "times": 1e12, "steps": [{"kind": "loop", "times": 0, "steps": [loop]}]}
    for steps in (loop, nested):
        with pytest.raises(agentcalc.InputError, match="the limit is 500,000"):
            agentcalc.compare(task(steps), PAIR, trials=1)


def test_as_many_runs_as_it_takes():
    found = agentcalc.compare(task(tool({"p50": 1, "p90": 3})), PAIR, trials="auto")
    assert found.n_trials > 10_000
    for system in found.systems:
        for name in ("p50", "p95"):
            assert 2 * system.task_se_s[name] <= 0.01 * system.task_s[name]
    assert agentcalc.compare(task(tool(1)), PAIR, trials="auto").n_trials == 10_000
    with pytest.raises(agentcalc.InputError, match="from 1 to 10,000,000, or auto"):
        agentcalc.compare(task(tool(1)), PAIR, trials="some")
