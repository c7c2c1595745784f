"""What gets done in a fixed time: counting runs that follow one another, success curves, budgets of whole tasks."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import agentcalc
from agentcalc.analysis.banded import Banded, in_words, order, show_number
from agentcalc.analysis.budget import budget
from agentcalc.analysis.budget_words import line, measure_for, per_hour_line, success_line, telling_s
from agentcalc.analysis.renewal import moments_within, runs_within
from agentcalc.analysis.success import Success, read_success
from agentcalc.catalog import load_task
from agentcalc.errors import InputError

FIXED = b"""
name: Two calls and a tool
steps:
  - {kind: model_call, name: think, output_tokens: 101}
  - {kind: tool_wait, name: run, seconds: 7}
  - {kind: model_call, name: say, output_tokens: 51}
"""
"""On 10 tok/s and 0.5 s to the first token: 0.5 + 10 + 7 + 0.5 + 5 = 23 s. On 100 tok/s: 9.5 s. Instant: 7 s."""
SLOW, QUICK = "slow:ttft=0.5s,speed=10", "quick:ttft=0.5s,speed=100"


def fixed(**deadline):
    task = load_task(FIXED, where="fixed")
    return agentcalc.compare(task, [SLOW, QUICK], trials=20)


def plain(text: str) -> str:
    return text.replace("\u00a0", " ")


# Runs one after the other


def test_alike_runs_are_counted_exactly():
    alike = np.full(7, 20.0)
    assert runs_within(alike, 60).tolist() == [3] * 7
    assert runs_within(alike, 59.999).tolist() == [2] * 7
    assert runs_within(alike, 19).tolist() == [0] * 7
    # far beyond one lap of the trials
    assert runs_within(alike, 20 * 1000).tolist() == [1000] * 7


def test_a_tenth_is_no_trap():
    assert runs_within(np.full(9, 0.1), 0.3).tolist() == [3] * 9
    assert runs_within(np.full(3, 0.1), 6.0).tolist() == [60] * 3


def test_different_runs_by_hand():
    # 1, 3, 1, 3, ...: from the first 1 s run: ends at 1, 4, 5; from the 3 s run: ends at 3, 4
    assert runs_within(np.array([1.0, 3.0]), 4).tolist() == [2, 2]
    assert runs_within(np.array([1.0, 3.0]), 3).tolist() == [1, 1]
    assert runs_within(np.array([1.0, 3.0]), 0.5).tolist() == [0, 0]


def test_no_time_is_no_end():
    assert np.isinf(runs_within(np.zeros(3), 1)).all()
    assert runs_within(np.array([0.0, 1.0]), 1.0).tolist() == [3, 2]


def test_one_over_the_mean_is_not_the_answer():
    """Half of the runs take 1 s and half 9 s, in a random order: in 4 s about 0.9 of them end, not 4 / 5."""
    rng = np.random.default_rng(1)
    seconds = rng.choice([1.0, 9.0], 200_000)
    # chance that the first n all take 1 s, n = 1..4: 1/2 + 1/4 + 1/8 + 1/16
    assert runs_within(seconds, 4).mean() == pytest.approx(0.9375, abs=0.01)


@given(
    st.lists(st.floats(0.01, 50), min_size=1, max_size=30),
    st.floats(0.01, 500),
)
def test_counting_is_playing_one_after_the_other(seconds, budget_s):
    """Against the obvious loop, where no sum ends within rounding of the time."""
    runs = np.array(seconds)
    found = runs_within(runs, budget_s)
    for start in range(len(runs)):
        at, count, i = 0.0, 0, start
        near = False
        while at <= budget_s * (1 + 1e-6):
            at += runs[i % len(runs)]
            near = near or abs(at - budget_s) < 1e-6 * max(budget_s, 1)
            count += at <= budget_s
            i += 1
        if not near:
            assert found[start] == count


def test_moments_of_an_unfinished_run_count():
    task_s, run, at = np.array([1.0, 3.0]), np.array([0, 1, 1]), np.array([0.5, 1.0, 3.0])
    assert moments_within(task_s, run, at, 2).tolist() == [2, 1]
    assert moments_within(task_s, run, at, 4).tolist() == [3, 3]
    assert moments_within(task_s, run, at, 40).tolist() == [30, 30]
    # a call that a player never makes has no end on it
    assert moments_within(task_s, run, np.array([0.5, np.inf, 3.0]), 40).tolist() == [20, 20]
    assert moments_within(task_s, run[:0], at[:0], 40).tolist() == [0, 0]
    assert np.isinf(moments_within(np.zeros(1), np.array([0]), np.array([0.0]), 1)).all()


# Success


def test_independent_attempts():
    assert Success(((1.0, 0.25),)).after(np.array([0, 1, 2, np.inf])).tolist() == [0, 0.25, 0.4375, 1]


def test_a_measured_curve_goes_through_its_points():
    curve = read_success("1:15.9%,250:56%")
    assert curve.measured
    assert curve.after(np.array([1, 250])).tolist() == pytest.approx([0.159, 0.56])
    # the notes of best-of-n: 25% for four, 33% for three rounds of four, 37% for five
    assert curve.after(np.array([4, 12, 20])) == pytest.approx([0.2525, 0.335, 0.374], abs=1e-3)
    rising = curve.after(np.arange(1, 2000))
    assert (np.diff(rising) > 0).all() and curve.after(np.inf) == 1 and curve.after(0) == 0


def test_a_flat_curve_stays_where_it_is():
    curve = read_success("1:0.2,10:0.4,100:0.4")
    assert curve.after(np.array([1, 10, 50, 1e6, np.inf])).tolist() == pytest.approx([0.2, 0.4, 0.4, 0.4, 0.4])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("often", "'often' is not a number"),
        ("nan", "'nan' is not a number"),
        ("1.5", "a chance of '1.5'"),
        ("1:20%", "one point makes no curve"),
        ("1:20%,0.4", "neither a chance nor a curve"),
        ("1:20%,4:10%", "Attempts must rise and shares must not fall"),
        ("4:20%,1:30%", "Attempts must rise"),
        ("0:10%,4:20%", "Attempts start at 1"),
        ("1:0%,4:20%", "shares lie between 0 and 1"),
    ],
)
def test_success_that_is_none(text, says):
    with pytest.raises(InputError, match=says):
        read_success(text)


# Budgets


def test_a_fixed_task_by_hand():
    found = budget(fixed(), [60, 23, 10])
    assert found.within_s == (10, 23, 60)
    slow, quick = found.systems
    assert [d.tasks.value for d in slow.found] == [0, 1, 2]
    assert [d.tasks.value for d in quick.found] == [1, 2, 6]
    assert [d.tasks.value for d in found.instant.found] == [1, 3, 8]
    assert [d.done.value for d in slow.found] == [0, 1, 1]
    # within 10 s the slow system writes its first answer only at 10.5 s; the quick one has both calls (1.5 s, 9.5 s)
    assert [d.calls.value for d in slow.found] == [0, 2, 5]
    assert [d.calls.value for d in quick.found] == [2, 5, 13]
    # a turn is a call and the tool after it: on slow it ends at 17.5 s, on quick at 8.5 s
    assert [d.turns.value for d in slow.found] == [0, 2, 4]
    assert [d.turns.value for d in quick.found] == [2, 4, 12]
    assert slow.per_hour.value == pytest.approx(3600 / 23)
    assert [d.attempts.value for d in quick.found] == [1, 2, 6]
    assert all(d.success is None for d in slow.found)


def test_attempts_and_success_are_those_of_the_deadline():
    comparison = agentcalc.compare("best-of-n", ["gb300/deepseek-r1", "jalapeno/deepseek-r1"], trials=500)
    found = budget(comparison, [300])
    for system, one in zip(comparison.systems, found.systems, strict=True):
        assert one.within(300).attempts.value == pytest.approx(system.deadline["attempts_mean"])
        assert one.within(300).success.value == pytest.approx(system.deadline["success_share"])
        assert one.within(300).done.value == pytest.approx(system.deadline["met_share"])
    curve = budget(comparison, [300], read_success("1:15.9%,250:56%"), attempts_per_run=4)
    assert curve.systems[1].within(300).success.value < found.systems[1].within(300).success.value
    assert "at most" in success_line(found, 300) and "measured curve" in success_line(curve, 300)


def test_more_time_more_done_and_nobody_beats_the_instant_system():
    comparison = agentcalc.compare("coding-agent", ["gb300/deepseek-r1", "jalapeno/deepseek-r1"], trials=400)
    found = budget(comparison, [5, 50, 500])
    for one in (*found.systems, found.instant):
        for measure in ("done", "tasks", "turns", "calls"):
            values = [getattr(d, measure).value for d in one.found]
            assert values == sorted(values)
            for d in one.found:
                number = getattr(d, measure)
                assert number.low <= number.value <= number.high
                assert number.value <= getattr(found.instant.within(d.within_s), measure).value + 1e-9
    # in a chain every call is a turn; a run that is cut off has one call more at most
    last = found.systems[0].within(500)
    assert 0 <= last.calls.value - last.turns.value <= 1
    # the renewal theorem: in a long time, the time over the mean, within a run or so
    assert last.tasks.value == pytest.approx(500 / comparison.systems[0].task_s["mean"], abs=1.5)


def test_turns_may_be_counted_in_fewer_runs(monkeypatch):
    monkeypatch.setattr("agentcalc.analysis.walked.MOST_MOMENTS", 1)
    monkeypatch.setattr("agentcalc.analysis.walked.FEWEST", 15)
    found = budget(fixed(), [60])
    assert found.turns_from == 15 and found.trials == 20
    assert found.systems[1].within(60).turns.value == 12


def test_a_call_is_one_turn_however_often_it_is_tried():
    text = b"""
name: Retried
steps:
  - kind: loop
    times: 3
    steps:
      - {kind: model_call, name: act, output_tokens: 11, timeout_s: 1, max_attempts: 3, backoff_s: 1}
      - {kind: tool_wait, name: run, seconds: 1}
"""
    found = budget(agentcalc.compare(load_task(text, where="t"), [SLOW, QUICK], trials=3), [18, 1000])
    slow, quick = (one.within(18) for one in found.systems)
    # slow: 0.5 + 1 s is cut at 1 s three times with 1 s between: 5 s a call, 1 s a tool, 18 s a run
    assert (slow.tasks.value, slow.turns.value, slow.calls.value) == (1, 3, 9)
    # quick: 0.6 s and 1 s: 4.8 s a run; in 18 s 3 runs (14.4 s) and 2 turns of the next
    assert (quick.tasks.value, quick.turns.value, quick.calls.value) == (3, 11, 11)


def test_a_parallel_block_is_one_turn_and_stopped_calls_are_none():
    text = b"""
name: First of two
steps:
  - {kind: model_call, name: ask, output_tokens: 11}
  - kind: parallel
    join: any
    branches:
      - steps: [{kind: model_call, name: short, conversation: null, output_tokens: 11}]
      - steps: [{kind: model_call, name: long, conversation: null, output_tokens: 1001}]
"""
    found = budget(agentcalc.compare(load_task(text, where="t"), [SLOW], trials=3), [3.0, 300])
    one = found.systems[0]
    # 1.5 s and 1.5 s: the long answer never ends
    assert (one.within(3.0).tasks.value, one.within(3.0).turns.value, one.within(3.0).calls.value) == (1, 2, 2)
    assert (one.within(300).tasks.value, one.within(300).calls.value) == (100, 200)


def test_a_task_of_calls_alone_has_no_end_on_the_instant_system():
    found = budget(agentcalc.compare("chat-turn", [SLOW, QUICK], trials=50), [60])
    assert math.isinf(found.instant.within(60).tasks.value) and math.isinf(found.instant.per_hour.value)
    assert "an instant model any number" in line(found, 60) or "an instant model: 100%" in line(found, 60)
    assert "any number" in per_hour_line(found)


@pytest.mark.parametrize("within", [[], [0.0], [-1.0], [math.inf], [math.nan], [1e9]])
def test_times_out_of_reach(within):
    with pytest.raises(InputError, match="within"):
        budget(fixed(), within)
    with pytest.raises(KeyError):
        budget(fixed(), [60]).systems[0].within(61)


# Words


def test_sentences():
    found = budget(fixed(), [10, 60])
    assert plain(line(found, 10)) == "Within 10 s, 100% of runs are done on quick, 0% on slow; an instant model: 100%."
    assert measure_for(found, 60) == "tasks"
    assert plain(line(found, 60)) == "In 60 s, one after the other, quick finishes 6 tasks, slow 2; an instant model 8."
    assert telling_s(found) == 10
    assert success_line(found, 60) == ""


def test_too_close_to_call_where_bands_meet():
    comparison = agentcalc.compare("chat-turn", ["gb200/gpt-oss-120b", "jalapeno/gpt-oss-120b"], trials=400)
    found = budget(comparison, [0.4])
    assert line(found, 0.4).startswith("Too close to call: within")
    same = budget(agentcalc.compare("chat-turn", [SLOW, SLOW], trials=5), [1000])
    assert "both finish" in line(same, 1000)


def test_one_system_alone():
    found = budget(agentcalc.compare(load_task(FIXED, where="fixed"), [SLOW], trials=5), [23])
    assert plain(line(found, 23)) == "In 23 s, one after the other, slow finishes 1 task; an instant model 3."


def test_no_attempt_fits():
    found = budget(fixed(), [1.0, 60], Success(((1.0, 0.5),)))
    assert plain(success_line(found, 1.0)) == "Not one attempt fits into 1.00 s."
    assert "Chance of success at most 98% on quick, 75% on slow; with an instant model over 99%." in plain(
        success_line(found, 60)
    )


def test_bands_in_words_and_order():
    assert in_words(Banded(2.0, 1.0, 3.0), show_number) == "2 (1 to 3)"
    assert in_words(Banded(2.0, 2.0, 2.001), show_number) == "2"
    assert order(Banded(5, 4, 6), Banded(2, 1, 3)) == "more"
    assert order(Banded(2, 1, 3), Banded(5, 4, 6)) == "less"
    assert order(Banded(5, 2, 6), Banded(2, 1, 3)) == "close"
    assert order(Banded(5.1, 5.1, 5.1), Banded(5, 5, 5)) == "close"
    assert order(Banded(5, 5, 5), Banded(5, 5, 5)) == "same"
    assert [show_number(n) for n in (0, 0.01, 0.52, 3, 12.4, 1234.4, math.inf)] == [
        "0", "under 0.1", "0.5", "3", "12", "1,234", "any number",
    ]  # fmt: skip
