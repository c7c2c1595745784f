"""How far calls go beyond what was measured: numbers and sentences."""

import pytest
from test_system import number, system

from agentcalc.analysis.reach import extrapolations
from agentcalc.comparison import compare
from agentcalc.results import Reach
from agentcalc.task import Task

MEASURED = {"uncached_tokens": {"low": 1000, "high": 8000}, "context_tokens": {"low": 1000, "high": 9000}}


def task(*calls):
    steps = [{"kind": "model_call", "conversation": None, "input_tokens": i, "output_tokens": o} for i, o in calls]
    return Task.model_validate({"name": "t", "steps": steps})


def test_how_far_calls_go_and_how_much_of_them():
    flat = {"fixed_share": number(1, "share"), "measured": MEASURED}
    one, other = system(**flat), system(id="lab/other", label="Other", **flat)
    found = compare(task((500, 11), (2000, 11), (8000, 2001)), [one, other], trials=3)
    assert found.systems[0].reach == Reach((500, 8000), (1000, 8000), (500, 10_001), (1000, 9000))
    # of three calls of 0.4 s, 0.4 s and 0.4 s first token and 10, 10 and 2,000 tokens of 5 ms the first and the last
    # lie outside, the last in what it writes
    assert found.systems[0].extrapolated_share == pytest.approx((0.4 + 0.05 + 10) / (1.2 + 2020 * 0.005))
    assert extrapolations(found) == (
        "Lab and Other: 92% of the model time is extrapolated: 500 to 8,000 fresh tokens a call, measured on 1,000 to "
        "8,000; 500 to 10,001 tokens of context, measured on 1,000 to 9,000.",
    )


def test_nothing_to_say_inside_or_without_calls():
    inside = system(measured=MEASURED)
    assert extrapolations(compare(task((2000, 11)), [inside], trials=3)) == ()
    waits = Task.model_validate({"name": "t", "steps": [{"kind": "tool_wait", "seconds": 1}]})
    found = compare(waits, [inside], trials=3)
    assert found.systems[0].reach is None and extrapolations(found) == ()
