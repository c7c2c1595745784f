"""Goal seek: closed forms by hand, and every answer put back into compare."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentcalc import catalog
from agentcalc.analysis import solving
from agentcalc.analysis.goals import Goal, runs_words
from agentcalc.analysis.levers import levers
from agentcalc.analysis.needs import (
    break_even,
    break_even_words,
    card,
    levers_to_target,
    match_line,
    next_round_s,
    takes_s,
    to_match,
)
from agentcalc.analysis.roots import edge
from agentcalc.analysis.solving import FEW, MET, NEEDED, NO_EFFECT, UNREACHABLE, solve
from agentcalc.comparison import compare
from agentcalc.errors import InputError
from agentcalc.results import standard_error, statistics
from agentcalc.task import Task

A = catalog.load_system("a:ttft=1s,speed=100")
B = catalog.load_system("b:ttft=2s,speed=200")
PAIR = tuple(catalog.load_system(name) for name in ("gb300/deepseek-r1", "jalapeno/deepseek-r1"))

CALL = {"kind": "model_call", "name": "act", "output_tokens": 401}
TOOL = {"kind": "tool_wait", "name": "run", "seconds": 5}


def task(*steps, **rest) -> Task:
    return Task.model_validate({"name": "t", "steps": list(steps), **rest})


CHAIN = task(CALL, TOOL)
"""On A: 1 + 4 + 5 = 10 s."""


def put_back(solution, by="p50", trials=50, system=-1):
    """What compare says of the task and the systems with the lever where the solution wants it."""
    comparison = compare(solution.case.task, solution.case.specs, trials=trials)
    return statistics(comparison.task_seconds[system])[by]


def text(words: str) -> str:
    return words.replace("\u00a0", " ")


# Chains by hand


@pytest.mark.parametrize(
    ("lever", "under", "value", "factor"),
    [
        ("tools", 8.0, 3.0, 0.6),
        ("speed", 8.0, 200.0, 2.0),
        ("ttft", 9.5, 0.5, 0.5),
        ("tokens", 8.0, 201.0, 201 / 401),
    ],
)
def test_a_chain_is_solved_exactly(lever, under, value, factor):
    found = solve(CHAIN, [A], lever, under, trials=50)
    assert found.status == NEEDED
    assert (found.now, found.limit) == (pytest.approx(10), under)
    assert found.value == pytest.approx(value, rel=1e-3)
    assert found.factor == pytest.approx(factor, rel=4e-3)
    assert found.reached <= under and found.reached == pytest.approx(under, rel=2e-3)
    assert put_back(found) == pytest.approx(found.reached, rel=1e-12)
    assert found.band is None and not found.undecided


def test_the_answer_of_tokens_is_the_last_whole_one():
    found = solve(CHAIN, [A], "tokens", 7.999, trials=10)
    assert found.value == 200 and found.reached == pytest.approx(7.99)


def test_turns_are_whole():
    loop = task({"kind": "loop", "name": "turns", "times": 7, "steps": [CALL, TOOL]})
    found = solve(loop, [A], "steps", 45.0, trials=10)
    assert (found.value, found.reached, found.factor) == (4, pytest.approx(40), pytest.approx(4 / 7))
    assert put_back(found) == pytest.approx(40)
    more = solve(loop, [A], "steps", 95.0, trials=10)
    assert (more.status, more.value, more.reached) == (MET, 9, pytest.approx(90))


def test_a_share_of_the_cache():
    long = task(CALL, context_tokens=100_000, cached_tokens=0)
    reader = catalog.load_system("r:ttft=1.5s,speed=400,per_token=100us,at=10000")
    found = solve(long, [reader], "cached", 6.0, trials=10)
    assert found.now == pytest.approx(11.5)
    assert found.factor is None and found.change == math.inf
    assert found.value == pytest.approx(0.55, abs=2e-3) and found.setting == found.value
    assert put_back(found) == pytest.approx(6, rel=2e-3)
    assert text(found.sentence).startswith("To finish a typical run under 6.0 s, r needs 55% of the context cached")


def test_a_met_goal_says_how_far_it_stays_so():
    found = solve(CHAIN, [A], "tools", 15.0, trials=10)
    assert (found.status, found.value, found.factor) == (MET, pytest.approx(10, rel=5e-3), pytest.approx(2, rel=5e-3))
    assert put_back(found) <= 15
    assert text(found.sentence) == (
        "a already finishes a typical run in 10 s, and stays under 15 s with up to 100% more tool time: "
        "10.0 s a run on average instead of 5.0 s."
    ) or "2.0× as much tool time" in text(found.sentence)


def test_a_goal_met_everywhere():
    found = solve(CHAIN, [A], "ttft", 1e6, trials=10)
    assert found.status == MET and not found.found and found.best == pytest.approx(109)
    assert text(found.sentence) == "a already finishes a typical run in 10 s, whatever the a first-token time."


# What cannot be reached


def test_tools_alone():
    found = solve(CHAIN, [A], "speed", 4.0, trials=10)
    assert found.status == UNREACHABLE and not found.found and found.change == math.inf
    assert text(found.sentence) == "It cannot be reached: tools alone take 5.0 s."
    assert text(solve(CHAIN, [A], "tokens", 4.0, trials=10).sentence) == (
        "It cannot be reached by writing less: tools alone take 5.0 s."
    )


def test_what_is_left():
    found = solve(CHAIN, [A], "tools", 4.0, trials=10)
    assert found.best == pytest.approx(5)
    assert text(found.sentence) == "It cannot be reached by shorter tools: a would still take 5.0 s."
    mean = solve(CHAIN, [A], "ttft", 8.5, by="mean", trials=10)
    assert text(mean.sentence) == (
        "It cannot be reached by a sooner first token: a would still take 9.0 s, 5.0 s of it tools."
    )


def test_seconds_that_look_like_the_target_get_more_digits():
    found = solve(task(CALL, {**TOOL, "seconds": 60.2}), [A], "speed", 60.0, trials=10)
    assert text(found.sentence) == "It cannot be reached: tools alone take 60.2 s."


def test_a_lever_that_does_nothing():
    found = solve(task(CALL, TOOL, context_tokens=500), [A], "context", 8.0, trials=10)
    assert found.status == NO_EFFECT
    assert (
        text(found.sentence) == "Context makes no difference here: 10 s either way, so the goal is not reached by it."
    )
    best = solve(task(CALL, TOOL, context_tokens=500), [A], "cached", 8.0, trials=10)
    assert text(best.sentence) == "It cannot be reached by caching the context: that is at its best already."


# Put back into compare


@pytest.mark.parametrize("name", catalog.tasks())
@pytest.mark.parametrize(("by", "share"), [("p50", 0.8), pytest.param("p95", 1.4, marks=pytest.mark.slow)])
def test_every_answer_put_back_gives_the_target(name, by, share):
    agent, trials = catalog.load_task(name), 60
    target = share * takes_s(agent, PAIR, by, trials, 7)
    for lever in levers(agent, PAIR):
        found = solve(agent, PAIR, lever, target, by=by, trials=trials, bands=False)
        assert (found.now <= target) == (found.status == MET) or found.status == NO_EFFECT
        if not found.found:
            continue
        seconds = compare(found.case.task, found.case.specs[-1:], trials=trials).task_seconds[-1]
        there = statistics(seconds)[by]
        assert there == pytest.approx(found.reached, rel=1e-12)
        assert there <= target
        error = standard_error(seconds, by)
        if target - there > max(error, 0.002 * target):
            # only a step may lie further off: the next setting of the lever is beyond the target
            worse = lever.worst > lever.best
            ahead = [w for w in lever.whole if (w > found.setting) == worse and w != found.setting]
            beyond = found.setting * (1.001 if worse else 1 / 1.001)
            beyond = min(ahead, key=lambda w: abs(w - found.setting)) if ahead else beyond
            case = lever.apply(agent, PAIR, beyond)
            seconds = compare(case.task, case.specs[-1:], trials=trials).task_seconds[-1]
            assert statistics(seconds)[by] > target


def test_many_trials_are_settled_on_all_of_them():
    agent, trials = catalog.load_task("coding-agent"), 2 * FEW
    for lever, target in (("tools", 25.0), ("speed", 40.0), ("steps", 25.0)):
        found = solve(agent, PAIR, lever, target, trials=trials)
        seconds = compare(found.case.task, found.case.specs, trials=trials).task_seconds[-1]
        there = statistics(seconds)["p50"]
        assert there == found.reached
        assert 0 <= target - there <= standard_error(seconds, "p50")
        best, worst = found.band
        low, high = sorted((best, worst))
        assert low < found.value < high
        assert found.trials == trials and found.value_error > 0


def test_whole_turns_are_settled_on_all_trials():
    loop = task({"kind": "loop", "times": 6, "steps": [{**TOOL, "seconds": {"p50": 1, "p90": 4}}]})
    found = solve(loop, [A], "steps", 5.0, by="mean", trials=2 * FEW)
    few = [solve(loop, [A], "steps", 5.0, by="mean", trials=FEW).value, found.value]
    assert few[0] == few[1]
    assert put_back(found, "mean", 2 * FEW) == found.reached <= 5


@pytest.mark.parametrize(("few", "by"), [(1, "p50"), (3, "mean"), (20, "p95")])
def test_few_trials_that_mislead_cost_time_and_not_the_answer(monkeypatch, few, by):
    monkeypatch.setattr(solving, "FEW", few)
    agent, trials = catalog.load_task("coding-agent"), 100
    now = takes_s(agent, PAIR, by, trials, 7)
    for lever in (lever for lever in levers(agent, PAIR) if lever.id in ("tools", "tokens", "speed", "steps")):
        ends = [takes_s(*lever.apply(agent, PAIR, s), by, trials, 7) for s in (lever.low, lever.high)]
        for share in (0.5, 0.97, 1.6):
            target = share * now
            found = solve(agent, PAIR, lever, target, by=by, trials=trials, bands=False)
            assert found.found == (min(ends) <= target < max(ends)), (lever.id, share)
            if found.found:
                there = takes_s(*found.case, by, trials, 7)
                assert there == found.reached <= target
                # turns are whole, so that a statistic of 100 runs steps
                assert target - there <= 0.02 * target or lever.id == "steps"


@settings(max_examples=25)
@given(first=st.floats(5.2, 9.8), second=st.floats(5.2, 9.8))
def test_a_nearer_target_needs_less(first, second):
    near, far = (
        solve(CHAIN, [A], "tools", target, trials=5).value for target in (max(first, second), min(first, second))
    )
    assert near >= far - 0.01


@settings(max_examples=25)
@given(
    tool=st.floats(0.1, 50), speed=st.floats(5, 500), tokens=st.integers(2, 3000), share=st.floats(0.3, 3.0)
)  # fmt: skip
def test_tool_seconds_by_hand(tool, speed, tokens, share):
    system = catalog.load_system(f"x:ttft=0.5s,speed={speed:.6f}")
    calls = 0.5 + (tokens - 1) / float(f"{speed:.6f}")
    chain = task({**CALL, "output_tokens": tokens}, {**TOOL, "seconds": tool})
    target = share * (calls + tool)
    found = solve(chain, [system], "tools", target, trials=3)
    if target < calls * (1 - 1e-9):
        assert found.status == UNREACHABLE
    elif target > calls * (1 + 1e-9) and target < calls + 90 * tool:
        assert found.value == pytest.approx(target - calls, abs=2.1e-3 * target)


# What is unknown


def test_the_band_is_the_answer_at_the_ends():
    unknown = A.point.ttft.model_copy(update={"band": (0.5, 2.0)})
    banded = A.model_copy(update={"points": (A.point.model_copy(update={"ttft": unknown}),)})
    found = solve(CHAIN, [banded], "tools", 8.0, trials=10)
    assert found.band == (pytest.approx(3.5, abs=0.02), pytest.approx(2.0, abs=0.02))
    assert not found.undecided and found.now_band == (pytest.approx(9.5), pytest.approx(11.0))
    assert "(2.0 s to 3.5 s over what is unknown about the systems)" in text(found.sentence)
    close = solve(CHAIN, [banded], "tools", 9.6, trials=10)
    assert close.undecided and close.sentence.startswith("Too close to call today: to finish")
    worst = solve(CHAIN, [banded], "tools", 5.5, trials=10)
    assert worst.band == (pytest.approx(1.0, abs=0.02), None)
    assert "out of reach at the worst" in worst.sentence
    assert solve(CHAIN, [banded], "tools", 8.0, trials=10, bands=False).band is None


def test_the_band_of_a_ratio_crosses_the_ends_of_both():
    def banded(system, low, high):
        ttft = system.point.ttft.model_copy(update={"band": (low, high)})
        return system.model_copy(update={"points": (system.point.model_copy(update={"ttft": ttft}),)})

    # A takes 9.5 to 11 s, B 8 to 9 s
    found = solve(CHAIN, [banded(A, 0.5, 2.0), banded(B, 1.0, 2.0)], "tools", speedup=1.05, trials=5)
    assert found.now_band == (pytest.approx(8 / 11), pytest.approx(9 / 9.5))
    # (t + 6) / (t + 3) and (t + 4.5) / (t + 4) are 1.05
    assert found.band == (pytest.approx(57, rel=0.05), pytest.approx(6, rel=0.1))


# Two systems


def test_a_speed_up_is_solved_for():
    # A: 1 + n/100 + 5; B: 2 + n/200 + 5, with n tokens after the first
    found = solve(CHAIN, [A, B], "tokens", speedup=1.25, by="mean", trials=10)
    n = (1.25 * 7 - 6) / (1 / 100 - 1.25 / 200)
    assert found.now == pytest.approx(9 / 10) and found.status == NEEDED
    assert found.value == pytest.approx(n + 1, abs=3)
    comparison = compare(found.case.task, found.case.specs, trials=10)
    assert comparison.pairs[0].speedup["of_means"] >= 1.25
    assert found.row()["limit"] == 1.25 and found.row()["reached"] >= 1.25


def test_break_evens_by_hand():
    # equal at n/100 + 1 = n/200 + 2
    found = break_even(CHAIN, [A, B], "tokens", trials=10)
    assert found.value == pytest.approx(201, abs=2) and found.status == MET
    assert (
        text(break_even_words(found))
        == "b is as fast as a or faster on average from about 200 tokens a call (now 401 tokens on average)."
    )
    # (5 + t) / (4 + t) = 1.1
    tools = break_even(CHAIN, [A, B], "tools", ratio=1.1, trials=10)
    assert tools.value == pytest.approx(6.0, rel=0.02) and tools.status == MET
    assert text(break_even_words(tools)) == (
        "b is at least 1.10× faster than a on average up to 6.0 s of tools a run (now 5.0 s on average)."
    ) or "5.9 s" in text(break_even_words(tools))


def test_break_even_number_of_steps():
    # two calls of one token, on each of which A leads by a second, then turns in which B gains one
    short = {**CALL, "output_tokens": 1}
    steps = task(
        {**short, "name": "route"}, {**short, "name": "plan"}, {"kind": "loop", "times": 4, "steps": [CALL]}
    )  # fmt: skip
    found = break_even(steps, [A, B], "steps", trials=5)
    assert (found.status, found.value, found.factor, found.reached) == (MET, 4, 0.5, pytest.approx(1.0))
    assert (
        text(break_even_words(found))
        == "b is as fast as a or faster on average from 4 calls a run (now 6 calls on average)."
    )


def test_no_break_even():
    found = break_even(CHAIN, [A, catalog.load_system("c:ttft=1s,speed=200")], "tools", trials=5)
    assert found.status == MET and not found.found
    assert break_even_words(found) == "c is as fast as a or faster on average, whatever the tool time."


def test_what_lets_the_baseline_match():
    found = to_match(CHAIN, [A, B], trials=10)
    assert found[0].lever.id == "speed" and found[0].value == pytest.approx(400 / 3, rel=5e-3)
    assert put_back(found[0]) == pytest.approx(9, rel=2e-3)
    assert text(match_line(found[0], "b")) == "a would match b at about 130 tok/s (now 100 tok/s)."
    assert to_match(CHAIN, [B, A], trials=10) == ()
    fast = catalog.load_system("f:ttft=0.1s,speed=10000")
    lines = [text(match_line(s, "f")) for s in to_match(CHAIN, [A, fast], trials=10)]
    assert "a would not match f by faster writing: 6.0 s at best." in lines
    with pytest.raises(InputError, match="one system has nothing to match"):
        to_match(CHAIN, [A], trials=10)


# All levers


def test_all_levers_smallest_change_first():
    found = levers_to_target(CHAIN, [A], 8.0, trials=10)
    assert found.question == "What would bring a under 8.0\u00a0s?"
    assert [s.lever.id for s in found.solutions] == ["tools", "tokens", "speed", "ttft"]
    assert found.cards == (
        "40% less tool time",
        "50% fewer tokens per call",
        "2.0× faster writing",
        "not by a sooner first token",
    )
    changes = [s.change for s in found.answers]
    assert changes == sorted(changes) and len(changes) == 3
    assert found.sentence == found.answers[0].sentence


def test_a_lever_that_would_move_more_than_four_times_is_no_answer():
    found = levers_to_target(CHAIN, [A], 6.5, trials=10)
    tokens = next(s for s in found.solutions if s.lever.id == "tokens")
    assert tokens.status == NEEDED and tokens.change > 4
    assert card(tokens) == "not by writing less"
    assert tokens not in found.answers


def test_none_of_them():
    tools = task(CALL, {**TOOL, "seconds": 20})
    found = levers_to_target(tools, [A], 4.9, trials=10)
    assert text(found.sentence) == "It cannot: tools alone take 20 s."
    assert found.answers == () and set(found.cards) >= {"not by shorter tools", "not by faster writing"}
    calls = levers_to_target(task({**CALL, "output_tokens": 1}), [A], 0.1, trials=10)
    assert calls.sentence == "It cannot: no single change is enough."


def test_the_default_target_is_the_next_round_time():
    found = levers_to_target(CHAIN, [A], trials=10)
    assert found.under_s == 8.0 and found.now == pytest.approx(10)


@pytest.mark.parametrize(
    ("seconds", "target"),
    [(32, 25), (58, 45), (10, 8), (1.65, 1.0), (0.55, 0.4), (75, 60), (335, 240), (7200, 5400), (9e4, 64_800)],
)  # fmt: skip
def test_next_round_time(seconds, target):
    assert next_round_s(seconds) == pytest.approx(target)


@given(st.floats(1e-9, 1e9))
def test_a_round_time_is_at_most_four_fifths(seconds):
    assert 0 < next_round_s(seconds) <= 0.8 * seconds * (1 + 1e-9)


# Goals and words


def test_runs_in_words():
    assert [runs_words(by) for by in ("p50", "mean", "p95", "p99.5")] == [
        "a typical run", "an average run", "95% of runs", "99.5% of runs",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("goal", "says"),
    [
        ({"by": "p50"}, "give seconds or a speed-up"),
        ({"by": "p50", "under_s": 1.0, "speedup": 2.0}, "give seconds or a speed-up"),
        ({"by": "p50", "under_s": 0.0}, "under: found 0"),
        ({"by": "p50", "under_s": math.nan}, "under: found nan"),
        ({"by": "p50", "speedup": -1.0}, "speedup: found -1"),
        ({"by": "p200", "under_s": 1.0}, "by: found 'p200'"),
    ],
)
def test_goals_that_cannot_be(goal, says):
    with pytest.raises(InputError, match=says):
        Goal(**goal)


def test_what_is_asked_must_be_possible():
    with pytest.raises(InputError, match="a speed-up needs two systems"):
        solve(CHAIN, [A], "tools", speedup=2.0)
    with pytest.raises(InputError, match="trials: found 0"):
        solve(CHAIN, [A], "tools", 5.0, trials=0)
    with pytest.raises(InputError, match="seed: found -1"):
        solve(CHAIN, [A], "tools", 5.0, seed=-1)


def test_rows_are_plain_values():
    row = solve(CHAIN, [A], "speed", 8.0, trials=10).row()
    assert (row["lever"], row["status"], row["unit"], row["of"]) == ("speed", NEEDED, "tok/s", "time")
    assert all(value is None or isinstance(value, str | bool | float | int) for value in row.values())
    assert solve(CHAIN, [A], "speed", 4.0, trials=10).row()["value"] is None


# Roots


@settings(max_examples=60)
@given(limit=st.floats(0.05, 0.95), power=st.sampled_from([0.2, 1.0, 3.0, 9.0]), near=st.sampled_from([1e-2, 1e-5]))
def test_edges_of_curves(limit, power, near):
    calls = []

    def f(x):
        calls.append(x)
        return x**power

    found = edge(f, limit, (0.0, 0.0), (1.0, 1.0), near=near, apart=1e-12)
    assert limit - near <= found.there <= limit
    assert len(calls) <= 40


@settings(max_examples=40)
@given(step=st.floats(0.01, 0.99), falling=st.booleans())
def test_edges_of_steps(step, falling):
    def f(x):
        return float(x > step) if not falling else float(x < step)

    holds, over = ((0.0, 0.0), (1.0, 1.0)) if not falling else ((1.0, 0.0), (0.0, 1.0))
    found = edge(f, 0.5, holds, over, near=1e-6, apart=1e-6)
    assert f(found.holds) == 0 and f(found.over) == 1 and abs(found.holds - found.over) <= 1e-6
    assert min(found.holds, found.over) <= step <= max(found.holds, found.over)


def test_a_line_takes_one_evaluation():
    calls = []

    def f(x):
        calls.append(x)
        return 3 * x + 1

    assert edge(f, 2.0, (0.0, 1.0), (1.0, 4.0), near=1e-6, apart=1e-12).there == pytest.approx(2.0, abs=1e-6)
    assert len(calls) == 1
    assert np.isclose(calls[0], 1 / 3)
