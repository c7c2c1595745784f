"""What compounds, by hand: seconds that one threshold costs one system and not the other.

The fast system takes half the time for everything. So every call is exactly 2 times as fast, and whatever a task gains
beyond that, or loses, compounded.
"""

import numpy as np
import pytest

import agentcalc
from agentcalc.errors import NotFoundError
from agentcalc.results import Comparison
from agentcalc.task import Task

# (ttft at 1,000 tokens) slow: 1 s + 1 ms a token, 100 ms a token written; fast: half of each.
SLOW = "slow:ttft=2s,at=1000,per_token=1ms,speed=10"
FAST = "fast:ttft=1s,at=1000,per_token=500us,speed=20"


def call(output, **keys):
    return {"kind": "model_call", "output_tokens": output, **keys}


def tool(seconds, **keys):
    return {"kind": "tool_wait", "seconds": seconds, **keys}


def human(seconds):
    return {"kind": "human_wait", "seconds": seconds}


def parallel(*branches, **keys):
    branches = [{"steps": list(steps), "result_tokens": 0} for steps in branches]
    return {"kind": "parallel", "branches": branches, **keys}


def compared(*steps, systems=(SLOW, FAST), trials=1, **keys) -> Comparison:
    task = Task.model_validate({"name": "t", "steps": list(steps), **keys})
    return agentcalc.compare(task, list(systems), trials=trials)


def means(found: Comparison) -> list[float]:
    return [system.task_s["mean"] for system in found.systems]


def test_a_cache_that_only_the_slow_system_loses():
    """The main conversation waits for sub-agents; after them the slow system has forgotten it."""
    # Sub-agent, alone: slow 1 + 1000 x 0.1 = 101 s, fast 50.5 s. The cache lives 60 s.
    # Answer of 11 tokens: slow 1 + 10 x 0.1 + 10,000 x 1 ms = 12 s, fast 0.5 + 0.5 = 1 s.
    wait = parallel([call(1001, conversation=None)], [tool(5)])
    found = compared(wait, call(11), context_tokens=10_000, cached_tokens=10_000, cache={"lifetime_s": 60})
    assert means(found) == pytest.approx([113, 51.5])
    assert [s.components_s["refill"] for s in found.systems] == pytest.approx([10, 0])
    (pair,) = found.pairs
    assert pair.per_call_speedup == pytest.approx({"mean": 2, "min": 2, "max": 2})
    assert pair.speedup["of_means"] == pytest.approx(113 / 51.5)
    assert pair.speedup["of_means"] > 2.19
    # With its cache lost the fast system would have refilled 10,000 x 0.5 ms = 5 s: 56.5 s.
    assert pair.saved_s["mean"] == pytest.approx(61.5)
    assert pair.accumulated_s == pytest.approx(113 - 56.5)
    assert pair.compounded_s == pytest.approx(5)
    assert pair.compounded_by_s == pytest.approx({"refill": 5, "attention": 0, "retry": 0})


def test_a_cache_that_both_lose_or_both_keep_compounds_nothing():
    """In a chain the gap is the tool's, the same for both."""
    for lifetime_s, refill_s in ((4, (10, 5)), (6, (0, 0))):
        found = compared(
            tool(5), call(11), context_tokens=10_000, cached_tokens=10_000, cache={"lifetime_s": lifetime_s}
        )
        assert [s.components_s["refill"] for s in found.systems] == pytest.approx(refill_s)
        assert found.pairs[0].compounded_s == 0
        assert found.pairs[0].accumulated_s == pytest.approx(found.pairs[0].saved_s["mean"])


def test_a_timeout_that_only_the_slow_system_hits():
    # 101 tokens: slow 1 + 10 = 11 s, fast 5.5 s; the limit is 8 s. Slow: 8 + 3 + 8 = 19 s and nothing to show for it.
    found = compared(call(101, timeout_s=8, max_attempts=2, backoff_s=3), tool(1))
    assert means(found) == pytest.approx([19 + 1, 5.5 + 1])
    assert [s.exhausted_share for s in found.systems] == [1, 0]
    assert [s.calls["mean"] for s in found.systems] == [2, 1]
    assert found.systems[0].components_s["retry"] == pytest.approx(19)
    assert found.systems[1].components_s["retry"] == 0
    (pair,) = found.pairs
    assert pair.per_call_speedup == pytest.approx({"mean": 2, "min": 2, "max": 2})
    assert pair.speedup["of_means"] == pytest.approx(20 / 6.5)
    # Timed out as the slow one was, the fast one would have waited as long: everything saved compounded.
    assert pair.saved_s["mean"] == pytest.approx(13.5)
    assert pair.accumulated_s == pytest.approx(0)
    assert pair.compounded_s == pytest.approx(13.5)


def test_a_timeout_against_the_candidate():
    """The other way round: the candidate hits the limit; forced to answer, it would have taken its full time."""
    found = compared(call(101, timeout_s=8, max_attempts=1), systems=(FAST, SLOW))
    assert means(found) == pytest.approx([5.5, 8])
    (pair,) = found.pairs
    # Given the fast one's outcome, the slow one takes 11 s: 5.5 - 11 accumulated, 11 - 8 compounded.
    assert pair.accumulated_s == pytest.approx(-5.5)
    assert pair.compounded_s == pytest.approx(3)
    assert pair.saved_s["mean"] == pytest.approx(-2.5)


def test_attention_that_only_the_slow_system_loses():
    # 101 tokens: slow 11 s, fast 5.5 s, then the person; above 8 s of waiting they come back 30 s late.
    found = compared(call(101), human(2), attention={"threshold_s": 8, "cost_s": 30})
    assert means(found) == pytest.approx([11 + 30 + 2, 5.5 + 2])
    assert [s.without_people_s["mean"] for s in found.systems] == pytest.approx([41, 5.5])
    (pair,) = found.pairs
    assert pair.accumulated_s == pytest.approx(5.5)
    assert pair.compounded_s == pytest.approx(30)
    assert pair.compounded_by_s == pytest.approx({"refill": 0, "attention": 30, "retry": 0})


def test_a_slow_call_that_keeps_the_cache_alive():
    """Compounding against the faster system: beside a long tool its call ends early, and its cache is forgotten."""
    # Beside a tool of 10 s: 41 tokens, slow 1 + 4 = 5 s, fast 2.5 s. At the join the cache was last used 5 s or 7.5 s
    # ago; it lives 6 s. Then 11 tokens: slow 1 + 1 = 2 s; fast 0.5 + 0.5 + 8,000 x 0.5 ms = 5 s.
    keep = {"context_tokens": 8_000, "cached_tokens": 8_000, "cache": {"lifetime_s": 6}}
    found = compared(parallel([call(41)], [tool(10)]), call(11), **keep)
    assert means(found) == pytest.approx([12, 15])
    (pair,) = found.pairs
    assert pair.speedup["of_means"] == pytest.approx(0.8)
    assert pair.per_call_speedup["min"] == pytest.approx(2)
    assert pair.saved_s["mean"] == pytest.approx(-3)
    assert pair.accumulated_s == pytest.approx(12 - 11)
    assert pair.compounded_s == pytest.approx(-4)
    assert pair.compounded_by_s == pytest.approx({"refill": -4, "attention": 0, "retry": 0})
    # The one refill that takes time is at the end of the fast system's run.
    line = found.timeline(0)
    refill = line[(line["component"] == "refill") & (line["end_s"] > line["start_s"])]
    assert refill["system"].tolist() == ["fast"]
    assert (refill["end_s"] - refill["start_s"]).tolist() == pytest.approx([4])


def test_an_early_answer_that_lengthens_the_next_wait():
    """Against the faster system too: asked early, beside a long tool, the person waits longer for what follows."""
    # The wait runs from the answer (slow 5 s, fast 2.5 s) to the end at 6 + 3 = 9 s: 4 s or 6.5 s; the threshold is 5.
    found = compared(parallel([call(41), human(0)], [tool(6)]), tool(3), attention={"threshold_s": 5, "cost_s": 20})
    assert means(found) == pytest.approx([9, 29])
    assert found.pairs[0].accumulated_s == pytest.approx(0)
    assert found.pairs[0].compounded_s == pytest.approx(-20)


def test_the_first_of_two_accumulates_only():
    """Join any changes which branch counts, but no threshold: nothing compounds."""
    # Slow: tool of 5 s before its call of 11 s; fast: its call of 5.5 s still after the tool.
    found = compared(parallel([call(101)], [tool(5)], join="any"), call(11))
    assert means(found) == pytest.approx([5 + 2, 5 + 1])
    assert [s.calls["mean"] for s in found.systems] == [2, 2]
    assert found.pairs[0].compounded_s == 0 and found.pairs[0].accumulated_s == pytest.approx(1)


@pytest.mark.parametrize("seed", range(4))
def test_accumulated_and_compounded_are_all_that_is_saved(seed):
    """All rules at once, by chance; the forced walk stands between the two."""
    loop = {
        "kind": "loop",
        "until": {"probability": 0.3, "max": 8},
        "steps": [
            call({"p50": 40, "p90": 200}, input_tokens=50, timeout_s=9, failure_probability=0.05, backoff_s=1),
            parallel([call({"p50": 60, "p90": 300}, conversation=None)], [tool({"p50": 3, "p90": 20})]),
            human({"p50": 2, "p90": 9}),
        ],
    }
    rules = {"cache": {"lifetime_s": 12}, "attention": {"threshold_s": 15, "cost_s": 6}, "context_tokens": 2_000}
    task = Task.model_validate({"name": "t", "steps": [loop], **rules})
    found = agentcalc.compare(task, [SLOW, FAST], trials=400, seed=seed)
    (pair,) = found.pairs
    assert pair.accumulated_s + pair.compounded_s == pytest.approx(pair.saved_s["mean"], rel=1e-12)
    assert pair.compounded_s > 0 and pair.accumulated_s > 0
    forced = means(found)[0] - pair.accumulated_s
    assert forced == pytest.approx(means(found)[1] + pair.compounded_s, rel=1e-12)


# -- deadlines ---------------------------------------------------------------------------------------------------------


def test_a_deadline_turns_seconds_into_attempts():
    """1 - (1 - p)^floor(T / t): 20 s hold one attempt of 11 s and three of 5.5 s."""
    found = compared(call(101), deadline={"seconds": 20, "success_probability": 0.3})
    slow, fast = (s.deadline for s in found.systems)
    assert slow == pytest.approx({"seconds": 20, "met_share": 1, "attempts_mean": 1, "success_share": 0.3})
    assert fast == pytest.approx({"seconds": 20, "met_share": 1, "attempts_mean": 3, "success_share": 1 - 0.7**3})
    assert found.pairs[0].compounded_s == 0


def test_a_deadline_just_met_is_met():
    found = compared(tool(11), deadline={"seconds": 11, "success_probability": 1.0})
    assert found.systems[0].deadline == {"seconds": 11, "met_share": 1, "attempts_mean": 1, "success_share": 1}


def test_a_deadline_by_chance():
    """A tool of 4 s or 30 s: within 20 s it is met, and tried five times, only where the tool takes 4 s."""
    found = compared(tool({"values": [4, 30]}), deadline={"seconds": 20, "success_probability": 0.2}, trials=500)
    share = np.mean(found.task_seconds[0] == 4)
    assert 0.4 < share < 0.6
    wanted = {"met_share": share, "attempts_mean": 5 * share, "success_share": share * (1 - 0.8**5)}
    assert found.systems[0].deadline == pytest.approx({"seconds": 20, **wanted})


def test_a_deadline_without_a_chance_of_success_and_a_task_without_one():
    found = compared(call(101), deadline={"seconds": "10 s"})
    assert [s.deadline["met_share"] for s in found.systems] == [0, 1]
    assert [s.deadline["success_share"] for s in found.systems] == [None, None]
    assert compared(call(101)).systems[0].deadline is None


# -- deployments -------------------------------------------------------------------------------------------------------

ROUTED = (call(1, role="router", input_tokens=1_000), call(11))


def test_a_deployment_serves_each_role_with_its_system():
    # Router: 1 s + 1 s of prefill on the slow one, half on the fast one; its token then is new to main: 1,001 tokens.
    # Main: 1 + 1.001 + 10 x 0.1 = 3.001 s, or half.
    found = compared(*ROUTED, systems=(f"main={SLOW},router={FAST}", f"main={FAST},router={SLOW}", SLOW, FAST))
    assert means(found) == pytest.approx([1 + 3.001, 2 + 1.5005, 2 + 3.001, 1 + 1.5005])
    per_call = found.pairs[0].per_call_speedup
    assert (per_call["min"], per_call["max"]) == (pytest.approx(0.5), pytest.approx(2))
    assert per_call["mean"] == pytest.approx(4.001 / 3.5005)


def test_a_router_that_saw_the_conversation_does_not_share_its_cache():
    found = compared(*ROUTED, call(1, role="router"), systems=(SLOW,), context_tokens=500, cached_tokens=500)
    calls = found.calls_sample()
    # The router starts with nothing; main holds its 500; the router then misses what main wrote.
    assert calls["context_tokens"].tolist() == [1_500, 1_501, 1_512]
    assert calls["uncached_tokens"].tolist() == [1_500, 1_001, 11]


def test_a_role_that_nobody_serves_is_refused_in_one_line():
    with pytest.raises(NotFoundError) as refused:
        compared(*ROUTED, systems=(SLOW, f"main={FAST},judge={SLOW}"))
    said = str(refused.value)
    assert "\n" not in said and "'router'" in said and "main, judge" in said and "router=SYSTEM" in said


def test_a_role_that_the_task_does_not_ask_for_is_no_fault():
    found = compared(call(11), systems=(f"main={SLOW},router={FAST}",))
    assert means(found) == pytest.approx([2])
