"""Agents on one system: hand-computed networks, limits, refusals, and agreement with an event simulation."""

import math
from itertools import pairwise

import numpy as np
import pytest
from event_simulation import scripts, simulate
from hypothesis import given, settings
from hypothesis import strategies as st
from test_points import at, curve

from agentcalc import catalog
from agentcalc.analysis.along_curve import Along, _between, along_curve
from agentcalc.analysis.capacity import MOST_AGENTS, _first, capacity, sharing, usual
from agentcalc.analysis.capacity_words import compared_line, most_line, range_line, waits_line, work_line
from agentcalc.analysis.closed import share
from agentcalc.analysis.demand import demands, walk
from agentcalc.errors import InputError, NotFoundError
from agentcalc.latency import Profile, profile
from agentcalc.provenance import Grade
from agentcalc.simulate.load import overlapping
from agentcalc.task import Task


def task(*steps, **keys) -> Task:
    return Task.model_validate({"name": "Test", "steps": list(steps), **keys})


def call(tokens=101, fresh=1000, **keys):
    return {"kind": "model_call", "input_tokens": fresh, "output_tokens": tokens, **keys}


def tool(seconds):
    return {"kind": "tool_wait", "seconds": seconds}


def flat(last=4, ttft=1.0, tpot=10.0, **keys):
    """A system whose calls take as long at any load: 101 tokens take 1 s + 100 x 10 ms = 2 s."""
    return curve(at(1, ttft, tpot, chips=8), at(last, ttft, tpot, chips=8), fixed_share=ONE, **keys)


ONE = {"value": 1, "unit": "share", "grade": "measured", "source": "house"}
CALL_AND_WAIT = task(call(), tool(6))


# The network by itself


def test_one_agent_is_in_the_model_for_its_share_of_the_time():
    found = share(6.0, np.array([0.5]), 4)
    assert found.inside == pytest.approx([0.75, 0.25])
    assert (found.per_s, found.in_service, found.waiting) == pytest.approx((1 / 8, 0.25, 0.0))


def test_two_agents_and_one_place_by_hand():
    # weights 1, 2 (Z = 1, S = 1), 2: the second waits while the first is served
    found = share(1.0, np.array([1.0, 1.0]), 1)
    assert found.inside == pytest.approx([0.2, 0.4, 0.4])
    assert (found.per_s, found.in_service, found.waiting) == pytest.approx((0.8, 0.8, 0.4))
    assert (found.service_s, found.wait_s) == pytest.approx((1.0, 0.5))


def test_agents_that_never_think_are_all_in_the_model():
    found = share(0.0, np.array([1.0, 1.5, 1.5]), 2)
    assert found.inside.tolist() == [0, 0, 0, 1]
    assert (found.per_s, found.in_service, found.waiting) == (1.5, 2.0, 1.0)


@settings(max_examples=80, deadline=None)
@given(
    think=st.floats(0.001, 1000),
    service=st.lists(st.floats(0.01, 100), min_size=1, max_size=12),
    agents=st.integers(1, 400),
)
def test_little_s_law_holds_and_the_chances_add_up(think, service, agents):
    places = len(service)
    load = np.minimum(np.arange(1, agents + 1), places)
    found = share(think, load / np.array(service)[load - 1], places)
    assert found.inside.sum() == pytest.approx(1)
    thinking = agents - found.in_service - found.waiting
    assert found.per_s * think == pytest.approx(thinking, rel=1e-6, abs=1e-9)
    assert min(service) * (1 - 1e-9) <= found.service_s <= max(service) * (1 + 1e-9)


# What a run asks of a server


@pytest.mark.parametrize(
    ("spans", "squares"),
    [
        ([(0, 0, 2)], 2),
        ([(0, 0, 2), (0, 2, 3)], 3),  # one after the other
        ([(0, 0, 2), (0, 0, 2)], 8),  # together: 2 squared, for 2 s
        ([(0, 0, 3), (0, 1, 2)], 1 + 4 + 1),
        ([(0, 0, 2), (1, 0, 2)], 4),  # of two runs
        ([(0, 1, 1)], 0),
    ],
)
def test_calls_in_flight_squared_over_time(spans, squares):
    run, start, end = (np.array(column) for column in zip(*spans, strict=True))
    assert overlapping(run, start.astype(float), end.astype(float)) == pytest.approx(squares)


def test_a_run_of_one_call_and_a_wait():
    [found] = demands(CALL_AND_WAIT, along_curve(flat()), [{}], trials=5, seed=1)
    assert found.model_s(1.0) == pytest.approx(2) and found.other_s(3.0) == pytest.approx(6)
    assert found.overlap(2.0) == 1 and found.calls_at(2.0) == 1
    assert found.tokens == (1000, 0, 101)


def test_calls_that_overlap_count_together():
    branch = {"steps": [call()]}
    forked = task({"kind": "parallel", "branches": [branch, branch, branch]}, tool(6))
    [found] = demands(forked, along_curve(flat()), [{}], trials=5, seed=1)
    assert found.overlap(1.0) == pytest.approx(3) and found.model_s(1.0) == pytest.approx(2)
    assert found.calls_s(1.0) == pytest.approx(6) and found.other_s(1.0) == pytest.approx(6)


def test_what_a_join_stops_counts_until_it_is_stopped():
    steps = [{"steps": [call()]}, {"steps": [call(301)]}]  # 2 s and 4 s, the longer stopped at 2 s
    [found] = demands(
        task({"kind": "parallel", "join": "any", "branches": steps}), along_curve(flat()), [{}], trials=3, seed=1
    )
    assert found.calls_s(1.0) == pytest.approx(4) and found.overlap(1.0) == pytest.approx(2)


def test_attempts_that_fail_keep_a_server_busy_and_the_wait_before_the_next_does_not():
    retried = task(call(failure_probability=1.0, max_attempts=2, backoff_s=3.0))
    [found] = demands(retried, along_curve(flat()), [{}], trials=3, seed=1)
    assert found.model_s(1.0) == pytest.approx(4) and found.other_s(1.0) == pytest.approx(3)
    assert found.calls_at(1.0) == 2


def test_a_lost_cache_is_prefilled_again_and_counted_as_uncached():
    lost = task(
        call(fresh=100), tool(6), call(fresh=100),
        context_tokens=1000, cached_tokens=1000, cache={"lifetime_s": 5},
    )  # fmt: skip
    there = curve(at(1, 1.0, 10), at(4, 1.0, 10), fixed_share=ONE | {"value": 0.5})
    [found] = demands(lost, along_curve(there), [{}], trials=3, seed=1)
    # first call: 100 uncached, 1,000 cached; second: 100 fresh, and the 1,201 that were held are read again
    assert found.tokens == pytest.approx((100 + 100 + 1201, 1000, 202))


def test_time_in_the_model_follows_the_curve_between_its_points():
    there = curve(at(4, 0.2, 4), at(16, 0.8, 9), fixed_share=ONE)
    [found] = demands(task(call(1001)), along_curve(there), [{}], trials=3, seed=1)
    assert found.model_s(8.0) == pytest.approx(0.4 + 6.0)
    assert found.load_at(6.4) == pytest.approx(8.0, rel=1e-3)
    assert (found.load_at(0.1), found.load_at(99.0)) == (4, 16)


def test_a_profile_along_the_curve_is_that_of_the_system_at_this_load():
    there = curve(at(4, 0.2, 4), at(16, 0.8, 9), fixed_share=ONE | {"value": 0.25})
    here, same = along_curve(there).profile(8.0), profile(there.at(8))
    assert here.fixed_s == pytest.approx(same.fixed_s) and here.per_token_s == pytest.approx(same.per_token_s)
    assert here.tpot_s == pytest.approx(same.tpot_s)
    assert along_curve(there).profile(1.0) == along_curve(there).profile(4.0)


def test_tables_of_different_lengths_are_interpolated_where_either_has_a_length():
    low, high = Profile(0, 0, 1, ttft_table=((0, 1.0), (10, 2.0))), Profile(0, 0, 1, ttft_table=((0, 4.0), (20, 4.0)))
    tokens, seconds = zip(*_between(low, high, 0.5).ttft_table, strict=True)
    assert tokens == (0, 10, 20) and seconds == pytest.approx((2.0, 8**0.5, 12**0.5))


# Agents on a system


def test_agents_that_never_meet_take_as_long_as_one():
    found = sharing(CALL_AND_WAIT, flat(), trials=10).serve([1, 4])
    assert [one.task_s["mean"].value for one in found] == pytest.approx([8, 8])
    assert [one.per_hour.value for one in found] == pytest.approx([450, 1800])
    assert [one.in_flight.value for one in found] == pytest.approx([0.25, 1.0])
    # Four calls at once in 2 s are the most: 7,200 an hour. Never at a tool, four agents would do 7,200.
    assert [one.utilisation.value for one in found] == pytest.approx([1 / 16, 1 / 4])
    assert [one.idle.value for one in found] == pytest.approx([0.75, 0.75])
    assert {one.regime for one in found} == {"below"}


def test_far_more_agents_than_places_are_served_at_the_server_s_rate():
    shared = sharing(CALL_AND_WAIT, flat(), trials=10)
    [found] = shared.serve([200])
    assert found.per_hour.value == pytest.approx(7200)
    assert found.task_s["mean"].value == pytest.approx(200 / 7200 * 3600)
    assert (found.in_flight.value, found.waiting.value) == pytest.approx((4, 200 - 4 - 12), rel=1e-6)
    assert (found.utilisation.value, found.idle.value, found.regime) == (pytest.approx(1), pytest.approx(0), "queueing")


def test_work_and_price_per_chip_and_per_kilowatt():
    there = flat().model_copy(update={"accelerator": "GB200"})
    found = capacity(CALL_AND_WAIT, there, [1], trials=10)
    row = found.table().iloc[0]
    assert (row.per_hour_chip, row.per_hour_kw) == pytest.approx((450 / 8, 450 / 9.6))
    # 8 chips for an hour at 1.86 USD do 450 tasks
    assert row.usd_hyperscaler == pytest.approx(8 * 1.86 / 450)
    whole = capacity(CALL_AND_WAIT, there, [1], trials=10, basis="all-in")
    assert whole.table().per_hour_kw[0] == pytest.approx(450 / (8 * 1.87))
    unknown = capacity(CALL_AND_WAIT, flat(), [1], trials=10)
    assert unknown.table()[["per_hour_kw", "usd_rental"]].isna().all(axis=None) and unknown.power_kw is None


def test_the_numbers_of_agents_that_are_asked_about_when_none_are_given():
    found = capacity(CALL_AND_WAIT, flat(), trials=10, limit_s=9.0)
    asked = [one.agents for one in found.served]
    assert asked == sorted(set(asked)) and asked[:3] == [1, 2, 5]
    assert {found.measured_to, found.most.agents} <= set(asked) and asked[-1] > found.full_at
    assert found.at(2).agents == 2
    with pytest.raises(KeyError):
        found.at(3)
    assert usual(7) == [1, 2, 5, 7] and usual(1) == [1]


def test_an_answer_says_what_it_takes_for_granted():
    found = capacity(CALL_AND_WAIT, curve(*SLOWER[1:], fixed_share=ONE), [1], trials=10, pause_s=30)
    assert found.assumptions == (
        "Load is counted in calls in flight. It was measured with prompts of 7,000 uncached tokens; calls of this task "
        "have 1,000 and write 101.",
        "More than 8 calls in flight were not measured: 8 are served and the others wait their turn.",
        "Fewer than 2 calls in flight were not measured: each call then takes as long as at 2.",
        "An agent begins its next run 30\u00a0s after the last one ends.",
        "Between measured loads times are interpolated; left out and predicted, 1 measured point of it came out 19% "
        "off in TTFT, 8% in TPOT and 9% in E2EL.",
    )


def test_a_pause_between_tasks_is_time_elsewhere():
    [found] = sharing(CALL_AND_WAIT, flat(), trials=10, pause_s=8).serve([1])
    assert found.per_hour.value == pytest.approx(225) and found.task_s["mean"].value == pytest.approx(8)


def test_the_band_of_an_unknown_reaches_the_answer_and_its_number_of_agents():
    share_of = {"value": 0.5, "unit": "share", "grade": "assumed", "source": "house", "band": [0, 1]}
    there = curve(at(1, 1.0, 10), at(4, 1.0, 10), fixed_share=share_of)
    # 7,000 uncached tokens are the whole TTFT; at 1,000 the fixed share decides: 1/7 s to 1 s, 4/7 s in the middle
    shared = sharing(CALL_AND_WAIT, there, trials=10)
    [one] = shared.serve([1])
    mean = one.task_s["mean"]
    assert (mean.value, mean.low, mean.high) == pytest.approx((7 + 4 / 7, 7 + 1 / 7, 8))
    most = shared.most(10.0, "mean")
    assert most.low < most.agents < most.high
    assert shared.grade is Grade.ASSUMED


def test_measured_numbers_make_a_derived_answer():
    assert sharing(CALL_AND_WAIT, flat(), trials=10).grade is Grade.DERIVED


def test_the_most_agents_before_a_limit_are_the_last_ones_within_it():
    shared = sharing(CALL_AND_WAIT, flat(), trials=200)
    most = shared.most(9.0)
    within, beyond = shared.serve([most.agents, most.agents + 1])
    assert within.task_s["p95"].value <= 9.0 < beyond.task_s["p95"].value
    assert most.alone_s == pytest.approx(8) and most.without_s == pytest.approx(6) and not most.capped


def test_not_even_one_agent_within_a_limit():
    most = sharing(CALL_AND_WAIT, flat(), trials=10).most(7.0, "mean")
    assert (most.agents, most.high, most.alone_s, most.without_s) == (0, 0, pytest.approx(8), pytest.approx(6))


def test_full_and_measured_to():
    shared = sharing(CALL_AND_WAIT, flat(), trials=10)
    full, measured = shared.full_at(), shared.measured_to()
    found = {one.agents: one for one in shared.serve([full - 1, full, measured, measured + 1])}
    assert found[full - 1].utilisation.value < 0.95 <= found[full].utilisation.value
    assert found[measured].regime != "queueing" and found[measured + 1].regime == "queueing"


@pytest.mark.parametrize("first", [1, 2, 3, 7, 8, 100, 1000, MOST_AGENTS])
@pytest.mark.parametrize("near", [1, 5, 900, MOST_AGENTS])
def test_the_search_finds_the_first_number(first, near):
    assert _first(lambda n: n >= first, near) == first


def test_the_search_says_when_there_is_none():
    assert _first(lambda n: False) == MOST_AGENTS + 1


@settings(max_examples=20, deadline=None)
@given(
    times=st.lists(st.floats(0.1, 3), min_size=3, max_size=3).map(sorted),
    wait=st.just(0.0) | st.floats(0.01, 30),
    wide=st.integers(1, 3),
)
def test_more_agents_take_longer_and_get_more_done(times, wait, wide):
    points = [at(c, t, 10 * t) for c, t in zip((1, 4, 16), times, strict=True)]
    # Rates that fall with load would be a server that does less when asked for more.
    if not times[1] <= 4 * times[0] or not times[2] <= 4 * times[1]:
        return
    forked = {"kind": "parallel", "branches": [{"steps": [call()]}] * wide}
    shared = sharing(task(forked, tool(wait)), curve(*points, fixed_share=ONE), trials=3)
    found = shared.serve([1, 2, 5, 20, 60])
    for few, many in pairwise(found):
        assert few.task_s["mean"].value <= many.task_s["mean"].value * (1 + 1e-6)
        assert few.per_hour.value <= many.per_hour.value * (1 + 1e-6)
        assert many.utilisation.value <= 1 + 1e-9
    for one in found:
        assert one.agents == pytest.approx(one.per_hour.value / 3600 * one.task_s["mean"].value, rel=2e-3)


# Words


def test_the_answer_in_words():
    there = flat().model_copy(update={"accelerator": "GB200"})
    found = capacity(CALL_AND_WAIT, there, [4, 200], trials=50, limit_s=9.0)
    n = found.most.agents
    assert most_line(found) == f"{n}\u00a0agents share one Lab system of 8\u00a0chips before p95 passes 9.0\u00a0s."
    assert range_line(found) == (
        f"Up to {found.measured_to}\u00a0agents stay within the 4 calls in flight that were measured; "
        f"{found.full_at}\u00a0agents keep it 95% busy. With more, calls are taken to wait their turn."
    )
    assert work_line(found, found.at(4)) == (
        "4\u00a0agents: 1,800 tasks an hour, 225 per chip, 188 per kW of package TDP."
    )
    # four agents do a quarter of what the system can, and all of it if they never waited
    assert waits_line(found, found.at(4)) == (
        "With 4\u00a0agents it is 25% busy; without waits for tools and people the same agents would keep it 100% busy."
    )
    assert waits_line(found, found.at(200)) == (
        "With 200\u00a0agents it is 100% busy; waits for tools and people cost it nothing, since others fill them."
    )


def test_why_not_even_one_agent():
    def said(limit):
        return most_line(capacity(CALL_AND_WAIT, flat(), [1], trials=10, limit_s=limit))

    assert said(5.0) == ("Not even one agent: without any calls p95 takes 6.0\u00a0s, and the limit is 5.0\u00a0s.")
    assert said(7.0) == "Not even one agent: alone p95 takes 8.0\u00a0s on Lab, and the limit is 7.0\u00a0s."


def test_a_limit_that_the_unknown_decides_is_not_known():
    share_of = {"value": 1, "unit": "share", "grade": "assumed", "source": "house", "band": [0, 1]}
    there = curve(at(1, 1.0, 10), at(4, 1.0, 10), fixed_share=share_of)
    # alone 8 s, or 7.14 s if its first token comes as soon as may be
    found = capacity(CALL_AND_WAIT, there, [1], trials=10, limit_s=7.5)
    assert most_line(found).startswith("Not known: one agent alone may pass 7.5\u00a0s by p95, or up to ")


def test_two_systems_are_compared_by_agents_per_kilowatt():
    def on(ttft, name="GB200"):
        there = flat(ttft=ttft).model_copy(update={"accelerator": name, "label": f"{name} at {ttft:g}"})
        return capacity(CALL_AND_WAIT, there, [1], trials=10, limit_s=100.0)

    line = compared_line([on(2.0), on(1.0)])
    assert line.startswith("Per kW of package TDP and within the limit, ") and line.index("at 1,") < line.index("at 2.")
    assert compared_line([on(1.0), on(1.03)]).startswith("Too close to call: per kW")
    assert compared_line([on(1.0), on(1.0, "Own chip")]) == "" == compared_line([on(1.0)])


# Refusals


def test_a_system_without_a_curve_is_refused_and_its_matched_point_offered():
    with pytest.raises(NotFoundError) as caught:
        sharing(CALL_AND_WAIT, catalog.load_single("jalapeno/gpt-oss-120b"))
    text = str(caught.value)
    assert "no curve over concurrency is stated" in text
    assert "22,935 mixed tok/s/kW (tdp) at 535 tok/s per user, GB200's best speed per user" in text
    assert "\n" not in text


@pytest.mark.parametrize(
    ("system", "says"),
    [
        (curve(at(4, 1, 10)), "measured at a load of 4 only"),
        (curve(at(4, 1, 10, configuration="A"), at(8, 1, 10, configuration="B")), "4, 8, are of different config"),
        (flat().at(2), "measured at a load of 2 only"),
    ],
)
def test_one_load_is_no_curve(system, says):
    with pytest.raises(NotFoundError, match=says):
        sharing(CALL_AND_WAIT, system)


def test_the_curve_is_the_one_measured_most_often_or_the_one_asked_for():
    points = [at(c, 1, 10, configuration="A") for c in (1, 2, 4)] + [at(c, 1, 10, configuration="B") for c in (8, 99)]
    both = curve(*points, fixed_share=ONE)
    assert along_curve(both).ends == (1, 4) and along_curve(both, "B").ends == (8, 99)
    with pytest.raises(NotFoundError, match="no curve of a configuration 'C'"):
        along_curve(both, "C")


def test_times_over_lengths_are_used_where_both_ends_have_them():
    lengths = {"tokens": [1000, 2000], "values": [10, 30], "unit": "ms", "grade": "measured", "source": "lab"}

    def there(*loads):
        points = [at(c, 1, 10, **({"tpot_over_context": lengths} if c in loads else {})) for c in (1, 2, 4)]
        return curve(*points, fixed_share=ONE)

    # 101 tokens after a prompt of 2,000: 100 x 30 ms, or 100 x 10 ms
    cases = {
        (1, 2, 4): (4.0, ""),
        (1, 4): (4.0, "Load 2 is left out"),
        (1, 2): (2.0, "at some loads only"),
        (): (2.0, ""),
    }
    for loads, (seconds, says) in cases.items():
        along = along_curve(there(*loads))
        assert says in along.left_out and bool(says) == bool(along.left_out)
        [found] = demands(task(call(fresh=2000)), along, [{}], trials=3, seed=1)
        assert found.model_s(np.array([1.0, 2.0, 3.0, 4.0])) == pytest.approx([seconds] * 4)
    assert any("Load 2 is left out" in said for said in capacity(CALL_AND_WAIT, there(1, 4), [1], trials=3).assumptions)


def test_calls_that_take_no_time_are_refused():
    """One token of an answer to nothing new, where all of the first-token time grows with the prompt."""
    system = curve(at(1, 1.0, 10, chips=8), at(4, 1.0, 10, chips=8), fixed_share={**ONE, "value": 0})
    with pytest.raises(InputError, match="its calls take no time at some load"):
        sharing(task(call(1, 0), tool(3)), system, trials=10)
    assert sharing(task(call(2, 0), tool(3)), system, trials=10).serve([1])


@pytest.mark.parametrize(
    ("steps", "says"),
    [
        ([tool(3)], "makes no calls"),
        ([{"kind": "parallel", "width": 5, "steps": [call()]}], "about 5 calls in flight at once"),
    ],
)
def test_tasks_that_no_curve_serves(steps, says):
    with pytest.raises(InputError, match=says):
        sharing(task(*steps), flat(), trials=5)


def test_a_deployment_and_numbers_out_of_reach_are_refused():
    with pytest.raises(InputError, match="not a deployment"):
        sharing(CALL_AND_WAIT, catalog.load_system("main=gb200/gpt-oss-120b,router=jalapeno/gpt-oss-120b"))
    for keys in ({"pause_s": -1.0}, {"pause_s": math.nan}, {"trials": 0}, {"trials": True}):
        with pytest.raises(InputError):
            sharing(CALL_AND_WAIT, flat(), **keys)
    shared = sharing(CALL_AND_WAIT, flat(), trials=5)
    for wrong in ([0], [MOST_AGENTS + 1]):
        with pytest.raises(InputError, match="out of reach"):
            shared.serve(wrong)
    with pytest.raises(InputError, match="no statistic"):
        shared.most(3.0, "p12")
    with pytest.raises(InputError, match="no limit"):
        shared.most(0.0)


def test_calls_that_time_out_while_they_wait_are_refused_where_they_wait():
    hasty = task(call(timeout_s=3.0, max_attempts=1), tool(1))
    shared = sharing(hasty, flat(), trials=20)
    assert shared.serve([2])[0].task_s["mean"].value == pytest.approx(3)
    with pytest.raises(InputError, match="end otherwise while they wait"):
        shared.serve([200])


# Against events

LOADS = (0.4, 0.8, 1.0, 1.3, 2.5)
"""Agents, as shares of those that would just fill the server."""
SLOWER = [at(1, 0.20, 10), at(2, 0.24, 11), at(4, 0.32, 13), at(8, 0.60, 18)]
CHAIN = task(
    {
        "kind": "loop",
        "times": {"low": 2, "high": 6},
        "steps": [call({"p50": 100, "p90": 300, "max": 900}, 500), tool({"p50": 2.0, "p90": 8.0, "max": 20})],
    }
)
FORKED = task(
    tool(2.0),
    {
        "kind": "parallel",
        "branches": [
            {"steps": [call({"p50": 100, "p90": 300, "max": 900}, 500), tool({"p50": 0.5, "p90": 2.0, "max": 6})]},
            {"steps": [call({"p50": 80, "p90": 200, "max": 900}, 500), call(60, 100)]},
        ],
    },
    call(120, 300),
)


def agree(one: Task, share_of_full: float, ended: int, seed: int = 3, tolerance: float = 0.03):
    trials = 400
    there = curve(*SLOWER, fixed_share=ONE | {"value": 0.4})
    shared = sharing(one, there, trials=trials, seed=7)
    first, last = shared.demands[0], shared.curve.ends[1]
    full = last * float(first.other_s(last) + first.model_s(last)) / float(first.model_s(last) * first.overlap(last))
    agents = max(1, round(share_of_full * full))
    [found] = shared.serve([agents])
    runs = scripts(one, shared.curve.measured()[0], trials, 7)
    seen = simulate(runs, shared.curve.profile, last, agents, ended, seed)
    assert found.per_hour.value / 3600 == pytest.approx(seen.per_s, rel=tolerance)
    assert found.in_flight.value == pytest.approx(seen.in_flight, rel=tolerance)
    # Little's law ties the mean task time to the rate; a mean over the runs that ended has its own noise.
    assert found.task_s["mean"].value == pytest.approx(agents / seen.per_s, rel=tolerance)
    assert found.task_s["p95"].value == pytest.approx(np.percentile(seen.task_s, 95), rel=0.08)


def test_as_many_agents_as_fill_the_server_agree_with_events():
    agree(CHAIN, 1.0, ended=2_000)


@pytest.mark.slow
@pytest.mark.parametrize("share_of_full", LOADS)
@pytest.mark.parametrize("one", [CHAIN, FORKED], ids=["chain", "forked"])
def test_agents_agree_with_events_within_three_per_cent(one, share_of_full):
    agree(one, share_of_full, ended=12_000)


def test_the_events_agree_with_a_walk_where_nobody_meets():
    """One agent alone takes as long as the walk says: the simulation itself is right."""
    there: Along = along_curve(curve(at(1, 0.2, 10), at(2, 0.2, 10), fixed_share=ONE))
    runs = scripts(CHAIN, there.measured()[0], 50, 7)
    seen = simulate(runs, there.profile, 2, 1, 400, 1)
    took = walk(CHAIN, there.measured()[:1], 50, 7).task_s[0]
    assert set(np.round(seen.task_s, 6)) <= set(np.round(took, 6))
    assert seen.task_s.max() == pytest.approx(took.max())
