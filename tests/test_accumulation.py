"""Seconds that add up along one run, and the output length at which two systems meet."""

from __future__ import annotations

import numpy as np
import pytest

import agentcalc
from agentcalc.analysis.accumulation import accumulation, largest_step, run_band, stage_words, stages
from agentcalc.analysis.break_even import crossing, lines
from agentcalc.latency import call_s, profile
from tests.test_figures import CODING, a_fork, a_timeline


def by_role(table) -> dict[str, list[float]]:
    return {role: list(group.sort_values("step")["seconds"]) for role, group in table.groupby("role")}


def test_a_step_is_a_call_and_what_follows_it():
    assert list(stages(a_timeline(["c1", "t1", "t2", "c1", "c1", "t1"])).values()) == [1, 1, 1, 2, 3, 3]
    assert list(stages(a_timeline(["t1", "c1", "t1", "c1"])).values()) == [1, 1, 1, 2]
    assert list(stages(a_timeline(["t1", "h2"])).values()) == [1, 1]


def test_a_parallel_block_is_one_step():
    assert sorted(set(stages(a_fork()).values())) == [1, 2, 3]
    assert stage_words(a_fork()) == "step"
    assert stage_words(a_timeline(CODING)) == "call"


def test_seconds_after_each_call_by_hand():
    systems = (("base", "A", 1.0, 0.01), ("cand", "B", 0.5, 0.001))
    found = by_role(accumulation(a_timeline(["c101", "t2", "c201"], systems), "base", "cand"))
    assert found["baseline"] == pytest.approx([0, 4.0, 7.0])
    assert found["candidate"] == pytest.approx([0, 2.6, 3.3])
    assert found["gap"] == pytest.approx([0, 1.4, 3.7])
    assert found["alone"] == pytest.approx([0, 2.0, 2.0])


def test_the_ends_are_those_of_the_run_also_with_branches():
    table = a_fork()
    found = by_role(accumulation(table, "base", "cand"))
    for role, system in (("baseline", "base"), ("candidate", "cand")):
        assert found[role][-1] == pytest.approx(table[table["system"] == system]["end_s"].max())
        assert found[role] == sorted(found[role])
    assert found["gap"][-1] == pytest.approx(found["baseline"][-1] - found["candidate"][-1])


def test_the_largest_step():
    table = accumulation(a_timeline(["c10", "c5000", "c10"]), "base", "cand")
    step, made = largest_step(table)
    gap = by_role(table)["gap"]
    assert step == 2 and made == pytest.approx(gap[2] - gap[1])
    assert largest_step(accumulation(a_timeline(["t1"]), "base", "cand")) == (0, 0.0)


def test_a_system_that_is_not_there():
    with pytest.raises(ValueError, match="other is not in this timeline"):
        accumulation(a_timeline(["c1"]), "base", "other")


def test_the_band_of_a_run_times_its_calls_again_at_the_ends_of_the_unknown():
    names = ["gb200/gpt-oss-120b", "jalapeno/gpt-oss-120b"]
    comparison = agentcalc.compare("benchmark-call", names, trials=20)
    table = comparison.timeline(0)
    spec = comparison.specs[1]
    band = run_band(table, spec)
    call = comparison.calls_sample(1).iloc[0]
    ends = [call_s(call["uncached_tokens"], call["output_tokens"], profile(spec, corner)) for corner in spec.corners()]
    assert band["low_s"].iloc[-1] == pytest.approx(min(ends))
    assert band["high_s"].iloc[-1] == pytest.approx(max(ends))
    assert (band["low_s"] <= band["high_s"]).all() and band["low_s"].iloc[0] == 0


def test_the_band_of_a_chain_is_that_of_the_simulated_corners():
    names = ["gb300/deepseek-r1", "jalapeno/deepseek-r1"]
    comparison = agentcalc.compare("coding-agent", names, trials=1)
    band = run_band(comparison.timeline(0), comparison.specs[1])
    low, high = comparison.systems[1].band_s["mean"]
    assert (band["low_s"].iloc[-1], band["high_s"].iloc[-1]) == pytest.approx((low, high))


def test_no_band_without_unknowns():
    system = agentcalc.load_system("mine:ttft=0.4s,speed=300")
    bare = system.model_copy(update={"fixed_share": system.fixed_share.model_copy(update={"band": None})})
    assert run_band(a_timeline(["c1"]), bare, "base") is None


def test_lines_meet_where_the_crossing_says():
    a, b = (agentcalc.load_system(f"{name}/gpt-oss-120b") for name in ("gb200", "jalapeno"))
    found = crossing(a, b, 7373)
    assert found.first == "a" and found.last == "b"
    assert found.tokens == pytest.approx(250, rel=0.05)
    assert found.low is None or found.low <= found.tokens
    assert found.high is None or found.high >= found.tokens
    seconds = [float(call_s(7373, found.tokens, profile(system))) for system in (a, b)]
    assert seconds[0] == pytest.approx(seconds[1])
    table = lines(a, b, 7373, 500)
    assert set(table["role"]) == {"a", "b"} and table["tokens"].min() == 1 and table["tokens"].max() == 500
    assert (table["low_s"] <= table["seconds"]).all() and (table["seconds"] <= table["high_s"]).all()


def test_a_crossing_agrees_with_the_comparison():
    names = ["gb200/gpt-oss-120b", "jalapeno/gpt-oss-120b"]
    comparison = agentcalc.compare("rag-answer", names, trials=200)
    pair = comparison.pairs[0]
    found = crossing(*comparison.specs, pair.call_uncached_tokens)
    assert found.tokens == pytest.approx(pair.break_even_output_tokens)


def test_one_is_always_first():
    slow = agentcalc.load_system("mine:ttft=2s,speed=100")
    quick = agentcalc.load_system("mine:ttft=0.2s,speed=900")
    found = crossing(slow, quick, 7373)
    assert (found.tokens, found.first, found.last) == (None, "b", "b")
    assert not found.undecided(np.array([1.0, 1e6])).any()
    same = crossing(slow, slow, 7373)
    assert same.tokens is None and not same.undecided(np.array([10.0])).any()
