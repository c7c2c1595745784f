"""How seconds add up over all runs, where the ratio settles, and what survives of the calls' advantage."""

from __future__ import annotations

import pytest

import agentcalc
from agentcalc.analysis.settling import advantage, settling
from agentcalc.analysis.tool_share import tool_share
from agentcalc.catalog import load_task
from tests.test_budget import FIXED, QUICK, SLOW, fixed, plain

R1 = ["gb300/deepseek-r1", "jalapeno/deepseek-r1"]
OSS = ["gb200/gpt-oss-120b", "jalapeno/gpt-oss-120b"]


def of(found, role: str, column: str) -> list[float]:
    return list(found.table[found.table["role"] == role].sort_values("step")[column])


def test_a_fixed_task_step_by_step():
    found = settling(fixed())
    # the first call and its tool, then the second call
    assert of(found, "baseline", "total_s") == pytest.approx([0, 17.5, 23])
    assert of(found, "candidate", "total_s") == pytest.approx([0, 8.5, 9.5])
    assert of(found, "alone", "total_s") == pytest.approx([0, 7, 7])
    assert of(found, "candidate", "saved_s") == pytest.approx([0, 9, 13.5])
    assert of(found, "candidate", "ratio") == pytest.approx([1, 17.5 / 8.5, 23 / 9.5])
    assert of(found, "candidate", "seconds")[1:] == pytest.approx([8.5, 1.0])
    assert found.steps == 2 and found.settles_at == 2
    assert plain(found.sentence()) == (
        "An average step saves 6.8 s; the ratio is 2.1× after one step and settles at 2.4× after 2."
    )


@pytest.mark.parametrize("task", ["coding-agent", "deep-research", "approvals", "sub-agents-cache", "best-of-n"])
def test_the_last_step_is_the_mean_task_time(task):
    comparison = agentcalc.compare(task, R1, trials=60)
    found = settling(comparison)
    for role, row in (("baseline", 0), ("candidate", 1)):
        assert of(found, role, "total_s")[-1] == pytest.approx(comparison.systems[row].task_s["mean"])
        assert of(found, role, "total_s") == sorted(of(found, role, "total_s"))
    assert of(found, "candidate", "ratio")[-1] == pytest.approx(comparison.pairs[0].speedup["of_means"])
    assert of(found, "candidate", "saved_s")[-1] == pytest.approx(comparison.pairs[0].saved_s["mean"])
    shares = of(found, "baseline", "runs_share")
    assert shares == sorted(shares, reverse=True) and shares[0] == 1
    settled = of(found, "candidate", "ratio")[found.settles_at :]
    assert all(abs(r / settled[-1] - 1) <= 0.03 for r in settled)


def test_steps_of_all_runs_are_those_of_one_run():
    comparison = agentcalc.compare("coding-agent", R1, trials=1)
    from agentcalc.analysis.accumulation import accumulation

    one = accumulation(comparison.timeline(0), *R1)
    for role in ("baseline", "candidate"):
        assert list(one[one["role"] == role]["seconds"]) == pytest.approx(of(settling(comparison), role, "total_s"))


def test_one_step_says_nothing_and_a_pair_must_be_there():
    assert settling(agentcalc.compare("chat-turn", R1, trials=5)).sentence() == ""
    with pytest.raises(IndexError):
        settling(fixed(), 1)


def test_unknown_numbers_are_said():
    comparison = agentcalc.compare("swe-bench-fix", OSS, trials=200)
    assert settling(comparison).sentence().startswith("With the numbers taken here, an average step")


# What survives


def test_the_share_that_survives_by_hand():
    found = advantage(fixed())
    # calls 16 s against 2.5 s, task 23 s against 9.5 s, tools 7 s
    assert found.per_call.value == pytest.approx(6.4)
    assert found.task.value == pytest.approx(23 / 9.5)
    assert found.ceiling == pytest.approx(23 / 7)
    assert found.survives == pytest.approx((23 / 9.5 - 1) / 5.4)
    assert plain(found.sentence()) == (
        "Calls are 6.4× faster; the task is 2.4×: 26% of the advantage survives. "
        "No system could make it more than 3.3× faster."
    )


@pytest.mark.parametrize("by", ["p50", "mean", "p95"])
@pytest.mark.parametrize("pair", [R1, OSS])
@pytest.mark.parametrize("task", ["coding-agent", "approvals", "voice-turn", "customer-support"])
def test_the_three_numbers_of_the_sentence_agree_by_hand(task, pair, by):
    found = advantage(agentcalc.compare(task, pair, trials=100), by=by)
    calls = found.per_call
    assert calls.low <= calls.value <= calls.high
    text = plain(found.sentence())
    if found.case != "usual":
        return
    first, second = (float(part.split("×")[0].split()[-1]) for part in (text, text.split("the task is")[1]))
    share = float(text.split("%")[0].split()[-1]) / 100
    assert (second - 1) / (first - 1) == pytest.approx(share, abs=0.00501)
    assert share == pytest.approx(found.survives, abs=0.0251)


def test_cases_of_the_advantage():
    slower = advantage(agentcalc.compare(load_task(FIXED, where="t"), [QUICK, SLOW], trials=5))
    assert slower.case == "slower" and "quick finishes first" in slower.sentence() and slower.survives is None
    same = advantage(agentcalc.compare("chat-turn", [SLOW, SLOW], trials=5))
    assert same.case == "close"
    close = advantage(agentcalc.compare("chat-turn", OSS, trials=300))
    assert close.case == "close" and "anywhere from 0." in close.sentence()
    none = load_task(b"name: t\nsteps: [{kind: tool_wait, name: run, seconds: 1}]", where="t")
    assert advantage(agentcalc.compare(none, [SLOW, QUICK], trials=5)).case == "no calls"
    with pytest.raises(ValueError, match="by is 'max'"):
        advantage(fixed(), by="max")


def test_more_than_the_calls_alone():
    text = b"""
name: Cut off
steps: [{kind: model_call, name: say, output_tokens: 200, timeout_s: 20, max_attempts: 3}]
"""
    systems = ["slow:ttft=0.5s,speed=10", "quick:ttft=0.5s,speed=12"]
    comparison = agentcalc.compare(load_task(text, where="t"), systems, trials=5)
    # slow: 20.4 s, cut off at 20 s three times; quick: 17.1 s
    found = advantage(comparison)
    assert comparison.pairs[0].compounded_s > 0
    assert found.case == "more" and "more than its calls alone" in found.sentence()


# The share of tools


def test_a_chain_lies_on_the_line_by_means():
    comparison = agentcalc.compare("coding-agent", R1, trials=300)
    found = tool_share(comparison, by="mean")
    k, share = found.advantage.per_call.value, found.share
    assert 1 / (share + (1 - share) / k) == pytest.approx(found.advantage.task.value, rel=1e-6)
    assert share == pytest.approx(comparison.systems[0].components_s["tool"] / comparison.systems[0].task_s["mean"])
    line = found.line
    assert line["speedup"].iloc[0] == pytest.approx(k) and line["speedup"].iloc[-1] == pytest.approx(1)
    assert (line["low"] <= line["speedup"] + 1e-12).all() and (line["speedup"] <= line["high"] + 1e-12).all()
    assert len(found.runs) == 200 and ((found.runs >= 0) & (found.runs <= 1)).all()


def test_a_task_without_calls_has_no_line():
    none = load_task(b"name: t\nsteps: [{kind: tool_wait, name: run, seconds: 1}]", where="t")
    assert tool_share(agentcalc.compare(none, [SLOW, QUICK], trials=5)) is None
    assert tool_share(agentcalc.compare("chat-turn", [SLOW, QUICK], trials=5)).share == 0
