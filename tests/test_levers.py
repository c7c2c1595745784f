"""Levers: which a task has, what each does to task and systems, and that nothing else moves."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcalc import catalog
from agentcalc.analysis.edits import all_named, mean_of, multiplied, with_steps
from agentcalc.analysis.levers import FARTHEST_STEPS, every_lever, find_lever, levers, told_apart
from agentcalc.analysis.playing import Case, check_by, check_systems, play_cases
from agentcalc.comparison import compare
from agentcalc.distributions import Fixed, MeanSd, Quantiles, Uniform, Values
from agentcalc.errors import InputError, NotFoundError
from agentcalc.system import Deployment, OperatingPoint
from agentcalc.task import Task, keys, places
from agentcalc.units import NBSP
from tests.test_system import number

A = catalog.load_system("a:ttft=1s,speed=100")
B = catalog.load_system("b:ttft=0.5s,speed=200,per_token=10us,at=10000,overhead=0.1s")
CALL = {"kind": "model_call", "name": "act", "output_tokens": 101}
TOOL = {"kind": "tool_wait", "name": "run", "seconds": 4}


def task(*steps, **rest) -> Task:
    return Task.model_validate({"name": "t", "steps": list(steps), **rest})


def ids(found) -> list[str]:
    return [lever.id for lever in found]


def seconds(case: Case, trials: int = 50) -> np.ndarray:
    return play_cases([case], trials, 7)[0].seconds


# Which levers there are


def test_a_task_has_the_levers_of_its_steps():
    assert ids(levers(task(TOOL), [A])) == ["tools", "speed", "ttft", "fixed-share"]
    assert "tools" not in ids(levers(task(CALL), [A]))
    agent = task(
        {"kind": "loop", "name": "turns", "times": 3, "steps": [CALL, TOOL]},
        {"kind": "parallel", "name": "wide", "width": 2, "steps": [{**CALL, "name": "think", "input_tokens": 10}]},
        {"kind": "human_wait", "name": "approve", "seconds": 5},
        {"kind": "retry", "name": "again", "failure_probability": 0.5, "steps": [{**TOOL, "name": "test"}]},
        context_tokens=1000,
    )
    found = ids(levers(agent, [A, B]))
    assert found == [
        "tools", "tokens", "input", "steps", "width", "humans", "failures", "context", "cached",
        "speed", "ttft", "overhead", "fixed-share", "baseline.speed", "baseline.ttft", "baseline.fixed-share",
    ]  # fmt: skip
    single = ids(levers(agent, [A], steps=True))
    assert [name for name in single if ":" in name] == ["run:tools", "test:tools", "act:tokens", "think:tokens"]
    assert set(every_lever(agent, [A, B])) == set(found) | {n for n in single if ":" in n}


def test_a_lever_of_zero_is_none():
    found = ids(levers(task({**TOOL, "seconds": 0}, {**CALL, "input_tokens": 0}), [A]))
    assert "tools" not in found and "input" not in found


def test_levers_say_what_they_are():
    lever = find_lever(task(CALL, TOOL), [A], "tools")
    assert (lever.title, lever.unit, lever.slower, lever.row, lever.today) == ("Tool time", "s", 1, None, 1.0)
    assert (lever.best, lever.worst, lever.factor) == (0.0, 100.0, True)
    speed = find_lever(task(CALL), [A], "speed")
    assert (speed.title, speed.unit, speed.slower, speed.row) == ("a writing speed", "tok/s", -1, 0)
    two = task(CALL, {**CALL, "name": "report"}, TOOL, {**TOOL, "name": "test", "result_tokens": 10})
    assert find_lever(two, [A], "act:tokens").title == "act: output tokens"
    assert find_lever(two, [A], "test:tools").title == "test: tool time"
    inputs = task({**CALL, "input_tokens": 9}, {**TOOL, "result_tokens": 10})
    assert find_lever(inputs, [A], "run:input").title == "run: result tokens"
    assert find_lever(inputs, [A], "act:input").title == "act: input tokens"


def test_showing_values():
    found = every_lever(task({"kind": "loop", "times": 3, "steps": [CALL, TOOL]}, context_tokens=10), [A])
    assert found["tools"].show(13.2) == f"13{NBSP}s"
    assert found["speed"].show(734.4) == f"734{NBSP}tok/s"
    assert found["speed"].show(734.4, about=True) == f"about 730{NBSP}tok/s"
    assert found["tokens"].show(1) == f"1{NBSP}token" and found["tokens"].show(4, about=True) == f"4{NBSP}tokens"
    assert found["cached"].show(0.6) == "60%"
    assert found["steps"].show(1.0) == f"1{NBSP}call" and found["steps"].show(8.26) == f"8.3{NBSP}calls"


def test_an_unknown_lever_is_refused_with_a_hint():
    with pytest.raises(NotFoundError, match=r"lever 'tokns': .* no such lever. Did you mean 'tokens'"):
        find_lever(task(CALL), [A], "tokns")
    with pytest.raises(NotFoundError, match="It has tokens, speed, ttft"):
        find_lever(task(CALL), [A], "qqqq")


@pytest.mark.parametrize("count", [0, 3])
def test_one_system_or_two(count):
    with pytest.raises(InputError, match="Give one, or a baseline and a candidate"):
        check_systems([A] * count)


# What they do


def test_today_is_the_same_task_and_systems():
    agent = catalog.load_task("coding-agent")
    for lever in every_lever(agent, [A, B]).values():
        case = lever.apply(agent, [A, B], lever.today)
        assert case.task is agent and case.specs == (A, B)


def test_steps_tokens_and_tools_reach_every_depth_and_keep_the_draws():
    inner = [
        {**CALL, "output_tokens": {"p50": 100, "p90": 300}, "reasoning_tokens": 8},
        {**TOOL, "seconds": 3},
    ]
    deep = task(
        {"kind": "loop", "times": 4, "steps": [{"kind": "group", "steps": inner}]},
        {"kind": "parallel", "branches": [{"steps": inner}]},
        {"kind": "choice", "options": [{"probability": 1, "steps": [{"kind": "loop", "times": 1, "steps": inner}]}]},
        {"kind": "human_wait", "seconds": 5},
    )
    changed = deep
    for name, factor in (("steps", 2), ("tokens", 0.5), ("tools", 3)):
        changed = find_lever(deep, [A], name).apply(changed, [A], factor).task
    assert changed.steps[0].times.fixed == 8
    assert changed.steps[2].options[0].steps[0].times.fixed == 2
    for call, wait in (
        changed.steps[0].steps[0].steps,
        changed.steps[1].branches[0].steps,
        changed.steps[2].options[0].steps[0].steps,
    ):
        assert call.output_tokens.points == ((50, 50), (90, 150))
        assert call.reasoning_tokens.fixed == 4 and wait.seconds.fixed == 9
    assert changed.steps[3] == deep.steps[3] and keys(changed) == keys(deep)


def test_a_lever_of_one_step_leaves_the_others_alone():
    two = task(CALL, TOOL, {**TOOL, "name": "test", "seconds": {"p50": 1, "p90": 3}})
    changed = find_lever(two, [A], "run:tools").apply(two, [A], 0.5).task
    assert changed.steps[1].seconds == Fixed(2.0)
    assert changed.steps[0] is two.steps[0] and changed.steps[2] is two.steps[2]


def test_levers_reach_into_every_kind_of_block():
    inner = {"kind": "choice", "options": [{"probability": 1, "steps": [TOOL]}]}
    deep = task(
        {"kind": "parallel", "branches": [{"steps": [inner]}, {"steps": [{**TOOL, "name": "b"}]}]},
        {"kind": "graph", "steps": [{**TOOL, "name": "c"}, {**TOOL, "name": "d", "after": ["c"]}]},
        {"kind": "group", "steps": [{**TOOL, "name": "e"}]},
    )
    changed = find_lever(deep, [A], "tools").apply(deep, [A], 0.25).task
    waits = [place.step.seconds.fixed for place in places(changed.steps) if place.step.kind == "tool_wait"]
    assert waits == [1.0] * 5
    assert seconds(Case(changed, (A,)))[0, 0] == pytest.approx(1 + 2 + 1)


def test_the_ends_of_the_levers_are_what_they_say():
    agent = task(
        {"kind": "loop", "name": "turns", "times": 4, "steps": [{**CALL, "input_tokens": 50}, TOOL]},
        {"kind": "human_wait", "seconds": 5},
        context_tokens=1000, cached_tokens=500,
    )  # fmt: skip
    found = every_lever(agent, [B])

    def at(name, setting):
        return seconds(found[name].apply(agent, [B], setting))[0, 0]

    per_token = 10e-6
    prefill = (1000 - 500 + 4 * 50) * per_token
    now = 4 * (0.1 + 0.4 + 100 / 200 + 4) + 5 + prefill
    assert at("tools", 1.0) == pytest.approx(now)
    assert at("tools", 0.0) == pytest.approx(now - 16)
    assert at("humans", 0.0) == pytest.approx(now - 5)
    assert at("tokens", 0.0) == pytest.approx(now - 4 * 0.5)  # one token a call: nothing after the first
    assert at("input", 0.0) == pytest.approx(now - 200 * per_token)
    assert at("steps", 0.0) == pytest.approx(now / 4 + 5 * 3 / 4 + (500 - 125) * per_token)
    assert at("speed", 2.0) == pytest.approx(now - 4 * 0.25)
    assert at("speed", 1e9) == pytest.approx(now - 4 * 0.5)
    assert at("ttft", 0.0) == pytest.approx(now - 4 * 0.4 - prefill)
    assert at("overhead", 0.0) == pytest.approx(now - 0.4)
    assert at("cached", 1.0) == pytest.approx(now - 500 * per_token)
    assert at("cached", 0.0) == pytest.approx(now + 500 * per_token)
    assert at("context", 2.0) == pytest.approx(now + 500 * per_token)
    assert at("fixed-share", 0.0) == pytest.approx(now - 4 * 0.4 + 700 * 0.4 / 10_000)


def test_turns_that_end_by_chance_are_multiplied_too():
    agent = task({"kind": "loop", "name": "turns", "until": {"probability": 0.2, "max": 50}, "steps": [TOOL]})
    lever = find_lever(agent, [A], "steps")
    assert lever.unit == "turns"
    case = Case(agent, (A,))
    assert lever.value(case, play_cases([case], 10, 7)[0]) == pytest.approx(5, rel=1e-4)
    half = lever.apply(agent, [A], 0.5).task.steps[0].until
    assert (half.probability, half.max) == (0.4, 25)
    assert lever.apply(agent, [A], 0.0).task.steps[0].until.probability == 1.0


def test_failures_stop_at_certainty():
    agent = task({**CALL, "failure_probability": 0.25}, {**CALL, "name": "b", "failure_probability": 0.5})
    lever = find_lever(agent, [A], "failures")
    assert lever.high == 2.0
    case = lever.apply(agent, [A], 2.0)
    assert [step.failure_probability for step in case.task.steps] == [0.5, 1.0]
    assert lever.value(case, None) == 0.75
    assert all(step.failure_probability == 0 for step in lever.apply(agent, [A], 0.0).task.steps)


def test_plain_turns_and_copies_have_whole_settings():
    agent = task({"kind": "loop", "times": 3, "steps": [TOOL]})
    lever = find_lever(agent, [A], "steps")
    assert lever.whole[:3] == pytest.approx((1 / 3, 2 / 3, 1)) and lever.whole[-1] == FARTHEST_STEPS
    assert find_lever(catalog.load_task("coding-agent"), [A], "steps").whole == ()


def test_values_are_read_from_what_was_played():
    agent = catalog.load_task("coding-agent")
    case = Case(agent, (A, B))
    outcome = play_cases([case], 400, 7)[0]
    comparison = compare(agent, [A, B], trials=400)
    found = every_lever(agent, [A, B])
    assert found["tools"].value(case, outcome) == pytest.approx(comparison.systems[1].components_s["tool"])
    assert found["steps"].value(case, outcome) == pytest.approx(comparison.systems[1].calls["mean"])
    assert found["tokens"].value(case, outcome) == pytest.approx(comparison.pairs[0].call_output_tokens)
    assert found["input"].value(case, outcome) == pytest.approx(comparison.pairs[0].call_uncached_tokens)
    assert found["speed"].value(case, outcome) == 200 and found["baseline.speed"].value(case, outcome) == 100


# Systems


def test_systems_that_differ_differ_in_id():
    fast = find_lever(task(CALL), [A, A], "speed").apply(task(CALL), [A, A], 2.0)
    assert [spec.id for spec in fast.specs] == ["a", "a.changed"]
    assert [spec.label for spec in fast.specs] == ["a", "Changed a"]
    compare(fast.task, fast.specs, trials=5)
    assert told_apart([A, B, A]) == (A, B, A)


def test_a_deployment_has_a_lever_for_each_role():
    routed = task(CALL, {**CALL, "name": "route", "role": "router"})
    both = Deployment(id="main=a,router=b", label="both", roles=(("main", A), ("router", B)))
    found = every_lever(routed, [both])
    assert {"speed", "ttft", "speed@main", "speed@router", "ttft@router"} <= set(found)
    now = seconds(Case(routed, (both,)))[0, 0]
    assert now - seconds(found["speed@router"].apply(routed, [both], 2.0))[0, 0] == pytest.approx(0.25)
    assert now - seconds(found["speed"].apply(routed, [both], 2.0))[0, 0] == pytest.approx(0.25 + 0.5)
    same = Deployment(id="main=a,router=a", label="same", roles=(("main", A), ("router", A)))
    assert "speed@router" not in every_lever(routed, [same])


def test_a_system_with_several_points_has_a_concurrency():
    points = tuple(
        OperatingPoint(concurrency=c, ttft=number(0.1 * c, "s"), ttft_at_tokens=1000, tpot=number(c, "ms"))
        for c in (1, 4, 16)
    )
    loaded = A.model_copy(update={"id": "loaded", "points": points})
    lever = find_lever(task(CALL), [loaded], "concurrency")
    assert {1.0, 4.0, 16.0} <= set(lever.whole) and lever.today == 1.0 and not lever.factor
    case = lever.apply(task(CALL), [loaded], 16.0)
    assert case.specs[0].point.concurrency == 16
    assert lever.value(case, None) == 16
    assert lever.clashes(find_lever(task(CALL), [loaded], "speed"))
    assert not lever.clashes(find_lever(task(CALL, TOOL), [loaded], "tools"))
    assert "concurrency" not in every_lever(task(CALL), [A])
    with pytest.raises(NotFoundError, match="only one operating point"):
        find_lever(task(CALL), [A], "concurrency")


# The same seconds as compare


@pytest.mark.parametrize("name", catalog.tasks())
def test_cases_are_played_as_compare_plays_them(name):
    agent = catalog.load_task(name)
    pair = [catalog.load_system(s) for s in ("gb300/deepseek-r1", "jalapeno/deepseek-r1")]
    comparison = compare(agent, pair, trials=60)
    outcome = play_cases([Case(agent, tuple(pair))], 60, 7, bands=True, alone=True)[0]
    np.testing.assert_array_equal(outcome.seconds, comparison.task_seconds)
    for row, system in enumerate(comparison.systems):
        every = [outcome.seconds[row].mean(), *outcome.corners[row].mean(axis=1)]
        assert (min(every), max(every)) == pytest.approx(system.band_s["mean"], rel=1e-12)
        assert outcome.tool_s[row] == pytest.approx(system.components_s["tool"])
    ceiling = comparison.pairs[0].ceilings["mean"]
    assert outcome.alone.mean() == pytest.approx(comparison.systems[0].task_s["mean"] / ceiling if ceiling else 0.0)


def test_many_cases_share_walks_and_keep_their_order():
    agent = task(CALL, TOOL)
    speed = find_lever(agent, [A], "speed")
    cases = [speed.apply(agent, [A], k) for k in np.linspace(0.5, 4, 120)]
    done = []
    outcomes = play_cases(cases, 3, 7, progress=lambda *count: done.append(count))
    assert [o.seconds[0, 0] for o in outcomes] == pytest.approx([1 + 4 + 1 / k for k in np.linspace(0.5, 4, 120)])
    assert len(done) == 3 and done[-1] == (120, 120)


@pytest.mark.parametrize("by", ["p0", "p100", "p", "median", "p1e3", "p-5", "", "95"])
def test_statistics_that_are_none(by):
    with pytest.raises(InputError, match="or a percentile"):
        check_by(by)


# Edits


@given(k=st.floats(1e-12, 1e12))
def test_multiplied_amounts_stay_amounts(k):
    for amount in (
        Fixed(3.0), Quantiles(points=((50.0, 0.3), (90.0, 13.6)), max=120.0), MeanSd(mean=10.0, sd=1e6),
        Uniform(low=0.0, high=5.0), Values(values=(0.0, 2.0)),
    ):  # fmt: skip
        changed = multiplied(amount, k)
        drawn = changed.draw(np.array([0.2, 0.5, 0.99]))
        assert np.isfinite(drawn).all() and (drawn >= 0).all()
        if 1e-3 < k < 1e3:
            np.testing.assert_allclose(drawn, amount.draw(np.array([0.2, 0.5, 0.99])) * k, rtol=1e-9)


def test_multiplied_by_nothing():
    assert multiplied(Fixed(3.0), 0) == Fixed(0.0)
    assert multiplied(Fixed(3.0), 0, 1.0) == Fixed(1.0)
    assert multiplied(Fixed(0.0), 0, 1.0) == Fixed(0.0)
    amount = MeanSd(mean=1.0, sd=0.1)
    assert multiplied(amount, 1) is amount
    assert multiplied(Fixed(0.0), 7.0) == Fixed(0.0)


def test_means_of_amounts():
    assert mean_of(Fixed(2.4)) == 2.4 and mean_of(Fixed(2.4), count=True) == 2
    assert mean_of(Uniform(low=2.0, high=4.0)) == pytest.approx(3.0)
    assert mean_of(MeanSd(mean=10.0, sd=5.0, max=1e6)) == pytest.approx(10.0, rel=1e-3)
    assert mean_of(Values(values=(0.0, 1.0)), count=True) == pytest.approx(0.5)


def test_nothing_changed_is_the_same_task():
    agent = catalog.load_task("swe-bench-fix")
    assert with_steps(agent) is agent
    named = all_named(task(TOOL, {"kind": "loop", "times": 2, "steps": [{"kind": "tool_wait", "seconds": 1}]}))
    assert all(place.step.name == place.key for place in places(named.steps))
    assert all_named(named) is named


def test_naming_the_steps_leaves_the_draws_alone():
    amount = {"p50": 1, "p90": 5}
    inner = [{"kind": "tool_wait", "seconds": amount}, {"kind": "tool_wait", "seconds": amount}]
    loose = task(*inner, {"kind": "loop", "times": {"p50": 2, "p90": 5}, "steps": inner})
    np.testing.assert_array_equal(seconds(Case(all_named(loose), (A,))), seconds(Case(loose, (A,))))


def test_a_sequence_sees_what_stands_around_it():
    seen = []

    def note(steps, inside):
        seen.append((len(steps), inside))
        return steps

    graph = {"kind": "graph", "steps": [{**TOOL, "name": "a"}, {"kind": "group", "name": "g", "steps": [TOOL, CALL]}]}
    with_steps(task(graph), sequence=note)
    assert seen == [(2, ("graph", "group")), (1, ())]


def test_infinite_speed_is_read():
    still = A.point.model_copy(update={"tpot": A.point.tpot.model_copy(update={"value": 0.0, "unit": "s"})})
    case = Case(task(CALL), (A.model_copy(update={"points": (still,)}),))
    assert find_lever(task(CALL), [A], "speed").value(case, None) == math.inf
