"""Sums over calls, and single runs second by second, against the oracle and against hand-made cases."""

import random
from dataclasses import replace

import numpy as np
import pytest
from agreement import answers
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from oracle import COMPONENTS
from strategies import profile_from, task_from

import agentcalc
from agentcalc.latency import Profile, break_even_output_tokens, profile
from agentcalc.simulate.walk import play
from agentcalc.task import Task, keys

SYSTEMS = ("slow:ttft=0.8s,speed=60,overhead=0.1s", "fast:ttft=0.2s,speed=240,per_token=10us")
TRIALS = 12
law = settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
seeds = st.integers(0, 2**32)


def task(*steps, **keys) -> Task:
    return Task.model_validate({"name": "t", "steps": list(steps), **keys})


def call(output=11, **keys):
    return {"kind": "model_call", "output_tokens": output, **keys}


def tool(seconds, **keys):
    return {"kind": "tool_wait", "seconds": seconds, **keys}


# -- sums over calls ---------------------------------------------------------------------------------------------------


@law
@given(seeds)
def test_sums_over_calls(seed):
    rng = random.Random(seed)
    it = Task.model_validate(task_from(rng))
    profiles = [profile_from(rng), replace(profile_from(rng), fixed_s=0.25)]
    tally = play(it, profiles, trials=TRIALS, seed=11).tally
    slow, fast = ([c for a in answers(it, p, range(TRIALS)) for c in a.made] for p in profiles)
    assert (tally.calls[0] == len(slow)).all()
    assert tally.uncached[0, 0] == pytest.approx(sum(c.uncached_tokens for c in slow), rel=1e-9)
    assert tally.output[0, 0] == pytest.approx(sum(c.output_tokens for c in slow), rel=1e-9)
    for p, made in enumerate((slow, fast)):
        assert tally.seconds(p) == pytest.approx(sum(c.seconds for c in made), rel=1e-9, abs=1e-12)
    ratios = [a.seconds / b.seconds for a, b in zip(slow, fast, strict=True)]
    assert tally.fastest[1] == pytest.approx(max(ratios), rel=1e-9)
    assert tally.slowest[1] == pytest.approx(min(ratios), rel=1e-9)


def test_sums_over_calls_that_need_no_draw():
    """A stand-alone call of fixed tokens is the same number in every trial, and still counts once in each."""
    it = task(call(conversation=None, input_tokens=100), call(conversation=None, output_tokens=0))
    slow, fast = Profile(1.0, 0.01, 0.1, 0.5), Profile(0.5, 0.01, 0.05)
    tally = play(it, [slow, fast], trials=4).tally
    assert [float(sums[0, 1]) for sums in (tally.calls, tally.uncached, tally.output)] == [8, 400, 44]
    assert tally.seconds(0) == pytest.approx(4 * (0.5 + 2 + 1 + 0.5 + 1))
    assert (tally.fastest[1], tally.slowest[1]) == (pytest.approx(1.5 / 0.5), pytest.approx(3.5 / 2))


def test_what_lies_outside_the_measured_range():
    """Of two calls one prompt is too long: its first token counts, and its writing where the whole is too long."""
    system = Profile(1.0, 0.001, 0.01, uncached_range=(0, 1000), context_range=(0, 1500))
    it = task(call(101, input_tokens=500), call(201, input_tokens=3000))
    tally = play(it, [system], trials=3).tally
    inside, outside = 1 + 0.5 + 1, 1 + 3 + 2
    assert tally.extrapolated_share(0) == pytest.approx(outside / (inside + outside))
    assert play(it, [replace(system, context_range=None)], trials=3).tally.extrapolated_share(0) == pytest.approx(
        4 / (inside + outside)
    )
    everywhere = Profile(1.0, 0.001, 0.01)
    assert play(it, [everywhere], trials=3).tally.extrapolated_share(0) == 0


# -- one run, second by second -----------------------------------------------------------------------------------------


@law
@given(seeds)
def test_a_timeline_is_the_run(seed):
    it = Task.model_validate(task_from(random.Random(seed)))
    found = agentcalc.compare(it, SYSTEMS, trials=TRIALS, seed=11)
    trial = seed % TRIALS
    line = found.timeline(trial)
    for row, spec in enumerate(found.specs):
        (want,) = answers(it, profile(spec), [trial])
        mine = line[line["system"] == spec.id]
        critical = mine[mine["critical"]]
        assert mine["end_s"].max() == pytest.approx(want.task_s, rel=1e-9)
        assert found.task_seconds[row, trial] == pytest.approx(want.task_s, rel=1e-9)
        assert (mine["end_s"] >= mine["start_s"]).all() and (mine["start_s"] >= 0).all()
        assert mine["call"].max() == want.calls
        assert set(mine["step"]) <= set(keys(it).values())
        if want.close:
            continue
        spent = (critical["end_s"] - critical["start_s"]).groupby(critical["component"]).sum()
        for component in COMPONENTS:
            assert spent.get(component, 0.0) == pytest.approx(want.components[component], rel=1e-9, abs=1e-9)
        # The critical path has no gap and no overlap.
        path = critical[critical["end_s"] > critical["start_s"]].sort_values(["start_s", "end_s"])
        assert path["start_s"].tolist() == pytest.approx(
            [0.0, *path["end_s"].tolist()][: len(path)], rel=1e-9, abs=1e-9
        )


@law
@given(seeds)
def test_steps_add_up_to_everything_spent(seed):
    it = Task.model_validate(task_from(random.Random(seed)))
    found = agentcalc.compare(it, SYSTEMS, trials=TRIALS, seed=11)
    steps = found.steps()
    for spec, result in zip(found.specs, found.systems, strict=True):
        mine = steps[steps["system"] == spec.id].set_index("step")
        calls = [c for a in answers(it, profile(spec), range(TRIALS)) for c in a.made]
        for key in {c.key for c in calls}:
            own = [c.seconds for c in calls if c.key == key]
            assert mine.loc[key, "plays"] == pytest.approx(len(own) / TRIALS)
            assert mine.loc[key, "mean_s"] == pytest.approx(sum(own) / TRIALS, rel=1e-9, abs=1e-12)
        assert mine["mean_s"].sum() >= result.task_s["mean"] * (1 - 1e-9)


@law
@given(seeds)
def test_sampled_calls_are_the_calls_made(seed):
    it = Task.model_validate(task_from(random.Random(seed)))
    found = agentcalc.compare(it, SYSTEMS[:1], trials=TRIALS, seed=11).calls_sample(5)
    columns = ["trial", "step", "uncached_tokens", "context_tokens", "output_tokens"]
    want = [
        (trial, c.key, c.uncached_tokens, c.context_tokens, c.output_tokens)
        for trial, a in enumerate(answers(it, profile(agentcalc.load_system(SYSTEMS[0])), range(5)))
        for c in a.made
    ]
    assert sorted(found[columns].itertuples(index=False, name=None)) == sorted(want)


def test_a_timeline_by_hand():
    fork = {
        "kind": "parallel",
        "name": "look",
        "branches": [{"name": "files", "steps": [tool(2, name="read")]}, {"steps": [call(name="ask")]}],
    }
    it = task(call(name="plan"), fork, tool(1, name="run"))
    line = agentcalc.compare(it, ["it:ttft=1s,speed=10"], trials=1).timeline(0)
    rows = [
        (r.step, r.component, r.start_s, r.end_s, r.critical, r.call) for r in line.itertuples() if r.end_s > r.start_s
    ]
    assert rows == [
        ("plan", "ttft", 0, 1, True, 1),
        ("plan", "decode", 1, 2, True, 1),
        # both branches take 2 s: the first listed is critical
        ("read", "tool", 2, 4, True, 1),
        ("ask", "ttft", 2, 3, False, 2),
        ("ask", "decode", 3, 4, False, 2),
        ("run", "tool", 4, 5, True, 2),
    ]
    by_step = line.drop_duplicates("step").set_index("step")
    assert by_step["kind"].to_dict() == {
        "plan": "model_call",
        "read": "tool_wait",
        "ask": "model_call",
        "run": "tool_wait",
    }
    assert by_step.loc["plan", "branch"] == "" and by_step.loc["read", "branch"] != ""
    assert by_step.loc["read", "branch"] != by_step.loc["ask", "branch"]
    tokens = line[line["component"] == "decode"]["tokens"]
    assert tokens.tolist() == [11, 11]
    assert line[line["component"] == "tool"]["tokens"].isna().all()


def test_failed_attempts_on_a_timeline():
    retry = {
        "kind": "retry",
        "failure_probability": 1,
        "max_attempts": 2,
        "backoff_s": 3,
        "steps": [tool(5, name="try")],
    }
    line = agentcalc.compare(task(retry, call()), ["it:ttft=1s,speed=10"], trials=1).timeline(0)
    spent = line[line["end_s"] > line["start_s"]]
    assert spent["component"].tolist() == ["retry", "retry", "retry", "ttft", "decode"]
    assert spent["end_s"].tolist() == [5, 8, 13, 14, 15]
    assert (line["end_s"].max(), line["critical"].all()) == (15, True)


def test_of_equal_last_ends_of_a_graph_the_first_listed_is_critical():
    steps = [
        {"kind": "human_wait", "name": "sign", "seconds": 1, "after": ["draft"]},
        tool(1, name="draft"),
        tool(2, name="scan"),
    ]
    found = agentcalc.compare(task({"kind": "graph", "steps": steps}), SYSTEMS[:1], trials=1)
    line = found.timeline(0)
    assert set(line[line["critical"]]["step"]) == {"draft", "sign"}
    assert found.systems[0].components_s["human"] == 1


def test_a_trial_that_was_not_played():
    found = agentcalc.compare(task(call()), SYSTEMS[:1], trials=2)
    for trial in (-1, 2):
        with pytest.raises(IndexError, match="was not played"):
            found.timeline(trial)


# -- numbers of a comparison, by hand ----------------------------------------------------------------------------------


def test_a_pair_by_hand():
    """Two calls and a tool: 1.1 + 1 and 0.4 + 0.25 a call, and 3 s beside them."""
    it = task(call(), tool(3), call())
    found = agentcalc.compare(it, ["a:ttft=1.1s,speed=10", "b:ttft=0.4s,speed=40"], trials=5)
    a, b = found.systems
    (pair,) = found.pairs
    assert (a.task_s["mean"], b.task_s["mean"]) == (pytest.approx(7.2), pytest.approx(4.3))
    assert a.task_s["sd"] == pytest.approx(0, abs=1e-12) and a.mean_se_s == pytest.approx(0, abs=1e-12)
    assert a.components_s["ttft"] == pytest.approx(2.2) and a.components_s["decode"] == pytest.approx(2)
    assert a.model_share == pytest.approx(4.2 / 7.2) and b.calls["mean"] == 2
    assert pair.speedup["of_means"] == pytest.approx(7.2 / 4.3)
    assert pair.saved_s == {"mean": pytest.approx(2.9), "p50": pytest.approx(2.9)}
    assert pair.per_call_speedup["mean"] == pytest.approx(4.2 / 1.3)
    assert pair.ceiling == pytest.approx(7.2 / 3)
    assert pair.candidate_wins == 1 and pair.break_even_output_tokens is None
    assert (pair.call_uncached_tokens, pair.call_output_tokens) == (0, 11)


def test_ratios_are_of_trials_and_of_means():
    """A choice of a call of 10 s against 1 s, or of 9 s of tool on both: trials 10 times or once as fast."""
    options = [{"probability": 0.5, "steps": [call(1)]}, {"probability": 0.5, "steps": [tool(9)]}]
    it = task({"kind": "choice", "options": options})
    found = agentcalc.compare(it, ["a:ttft=10s,speed=10", "b:ttft=1s,speed=10"], trials=1000)
    share = float(np.mean(found.calls))
    (pair,) = found.pairs
    assert pair.speedup["of_means"] == pytest.approx((10 * share + 9 * (1 - share)) / (share + 9 * (1 - share)))
    assert (pair.speedup["p5"], pair.speedup["p95"]) == (pytest.approx(1), pytest.approx(10))
    assert pair.candidate_wins == pytest.approx(share + (1 - share) / 2)
    assert pair.saved_s["mean"] == pytest.approx(9 * share)


def test_people_and_exhausted_attempts():
    retry = {"kind": "retry", "failure_probability": 0.5, "max_attempts": 2, "steps": [tool(1)]}
    it = task({"kind": "human_wait", "seconds": 30}, retry)
    (system,) = agentcalc.compare(it, SYSTEMS[:1], trials=4000).systems
    assert system.exhausted_share == pytest.approx(0.25, abs=0.03)
    assert system.task_s["mean"] - system.without_people_s["mean"] == pytest.approx(30)
    assert system.components_s["human"] == 30


def test_the_band_comes_from_the_ends_of_what_is_unknown():
    it = task(call(922, input_tokens=900))
    found = agentcalc.compare(it, ["gb200/gpt-oss-120b", "jalapeno/gpt-oss-120b"], trials=1)
    ends = [[profile(spec, e) for e in ({}, *spec.corners())] for spec in found.specs]
    low, high = zip(
        *[(min(t), max(t)) for t in ([p.fixed_s + 900 * p.per_token_s + 921 * p.tpot_s for p in ps] for ps in ends)],
        strict=True,
    )
    for row, system in enumerate(found.systems):
        for band in system.band_s.values():
            assert band == pytest.approx((low[row], high[row]))
    (pair,) = found.pairs
    assert pair.speedup_band["mean"] == pytest.approx((low[0] / high[1], high[0] / low[1]))
    crossings = [break_even_output_tokens(900, a, b) for a in ends[0] for b in ends[1]]
    assert pair.break_even_output_tokens == pytest.approx(crossings[0])
    assert pair.break_even_band == pytest.approx((min(crossings), max(crossings)))


def test_an_assumption_that_changes_nothing_is_dropped():
    """At the prompt length the first-token time was given for, its split into two parts does not matter."""
    system = "jalapeno/gpt-oss-120b"
    spec = agentcalc.load_system(system)
    at = spec.point.ttft_at_tokens
    (same,) = agentcalc.compare(task(call(input_tokens=at), context_tokens=0), [system], trials=3).systems
    (other,) = agentcalc.compare(task(call(input_tokens=at // 2), context_tokens=0), [system], trials=3).systems
    assert not any("does not grow" in text for text in same.assumptions)
    assert any("does not grow" in text for text in other.assumptions)
    assert same.grade.value == "derived" and other.grade.value == "assumed"
    (waiting,) = agentcalc.compare(task(tool(1)), [system], trials=3).systems
    assert waiting.assumptions == () and waiting.grade.value == "measured"


def test_the_start_of_the_cache_is_an_assumption_unless_it_is_written():
    (said,) = agentcalc.compare(task(tool(1), context_tokens=700, cached_tokens=700), SYSTEMS[:1], trials=1).systems
    (unsaid,) = agentcalc.compare(task(call(), context_tokens=700), SYSTEMS[:1], trials=1).systems
    assert not any("700 tokens" in text for text in said.assumptions)
    assert any("700 tokens" in text for text in unsaid.assumptions)


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"systems": []}, "no system is given"),
        ({"systems": [SYSTEMS[0]] * 13}, "at most 12"),
        ({"trials": 0}, "whole number from 1"),
        ({"trials": True}, "whole number from 1"),
        ({"trials": 2.5}, "whole number from 1"),
        ({"seed": -1}, "whole number from 0"),
        ({"seed": 2**63}, "whole number from 0"),
        ({"task": "coding-agnet"}, "coding-agent"),
        ({"systems": ["gb300/deepseek"]}, "gb300/deepseek-r1"),
    ],
)
def test_what_cannot_be_compared(keys, words):
    given = {"task": task(call()), "systems": [SYSTEMS[0]], "trials": 1} | keys
    with pytest.raises(agentcalc.InputError, match=words):
        agentcalc.compare(given.pop("task"), given.pop("systems"), **given)


def test_progress_is_told():
    heard = []
    agentcalc.compare(task(call()), SYSTEMS, trials=50, progress=lambda done, all_: heard.append((done, all_)))
    assert heard[-1] == (50, 50) and heard == sorted(heard)
