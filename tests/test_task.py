"""Tasks: what a file may say, and the keys that name the draws of its steps."""

import json
import random
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError
from strategies import task_from, tasks

from agentcalc.distributions import Fixed
from agentcalc.task import DEEPEST, MOST_STEPS, Graph, Task, keys, places

CALL = {"kind": "model_call", "output_tokens": 10}
WAIT = {"kind": "tool_wait", "seconds": 1}


def task(*steps, **keys) -> Task:
    return Task.model_validate({"name": "t", "steps": list(steps), **keys})


def named(name, **keys):
    return {**WAIT, "name": name, **keys}


# -- reading -----------------------------------------------------------------------------------------------------------


def test_what_is_left_out():
    it = task(CALL, context_tokens=500)
    call = it.steps[0]
    assert (call.input_tokens, call.reasoning_tokens, call.conversation) == (Fixed(0), Fixed(0), "main")
    assert it.cached_tokens is None and it.starts_cached == 500
    assert task(CALL, context_tokens=500, cached_tokens=0).starts_cached == 0


def test_the_example_of_the_design():
    it = task(
        {
            "kind": "loop",
            "times": {"p50": 6, "p90": 20, "max": 200},
            "steps": [
                {**CALL, "name": "act", "input_tokens": 100, "output_tokens": {"p50": 214, "p90": 1700, "max": 8000}},
                {**WAIT, "name": "run", "seconds": {"p50": 0.3, "p90": 13.6, "p99": 216}, "result_tokens": 800},
            ],
        },
        {**CALL, "name": "report"},
        {"kind": "parallel", "name": "research", "join": "all", "branches": [{"steps": [CALL]}, {"steps": [WAIT]}]},
        {"kind": "parallel", "name": "fan-out", "width": 4, "steps": [CALL]},
        {
            "kind": "choice",
            "options": [{"probability": 0.3, "steps": [CALL]}, {"probability": 0.7, "steps": []}],
        },
        {"kind": "retry", "failure_probability": 0.1, "max_attempts": 3, "backoff_s": 1, "steps": [CALL]},
        {"kind": "group", "name": "verify", "steps": [WAIT]},
        {"kind": "human_wait", "name": "approve", "seconds": {"p50": 84, "p90": 1236}},
        {"kind": "graph", "steps": [named("a"), named("b", after=["a"], seconds="2 min")]},
        context_tokens=20000,
    )
    assert it.steps[-1].steps[1].seconds == Fixed(120)
    assert list(keys(it).items())[:5] == [
        ("steps[0]", "loop"),
        ("steps[0].steps[0]", "act"),
        ("steps[0].steps[1]", "run"),
        ("steps[1]", "report"),
        ("steps[2]", "research"),
    ]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(tasks())
def test_round_trip(it):
    assert Task.model_validate(it.model_dump()) == it
    assert Task.model_validate_json(it.model_dump_json(exclude_defaults=True)) == it


def test_a_task_cannot_be_changed():
    it = task(CALL)
    with pytest.raises(ValidationError, match="frozen"):
        it.name = "other"
    with pytest.raises(TypeError):
        it.steps[0] = None


BRANCH = {"steps": [CALL]}

FAULTS = {
    "no steps": ({"steps": []}, "at least 1 item"),
    "nothing that acts": (
        {"steps": [{"kind": "choice", "options": [{"probability": 1, "steps": []}]}]},
        "takes any time",
    ),
    "no kind": ({"steps": [{"seconds": 1}]}, "known kind; the kinds are model_call, tool_wait"),
    "unknown kind": ({"steps": [{"kind": "sleep"}]}, "known kind"),
    "a kind that is a list": ({"steps": [{"kind": []}]}, "known kind"),
    "a step that is text": ({"steps": ["model_call"]}, "known kind"),
    "a call without output": ({"steps": [{"kind": "model_call"}]}, "Field required"),
    "an unknown key": ({"steps": [{**CALL, "tokens": 3}]}, "Extra inputs"),
    "more reasoning than output": ({"steps": [{**CALL, "reasoning_tokens": 11}]}, "reasoning_tokens 11 is more than"),
    "more cached than there is": (
        {"context_tokens": 5, "cached_tokens": 6},
        "cached_tokens 6 is more than context_tokens 5",
    ),
    "negative context": ({"context_tokens": -1}, "greater than or equal to 0"),
    "context with decimals": ({"context_tokens": 1.5}, "valid integer"),
    "probabilities": (
        {"steps": [{"kind": "choice", "options": [{"probability": 0.5, "steps": [CALL]}]}]},
        "probabilities add up to 0.5",
    ),
    "a probability above 1": (
        {"steps": [{"kind": "choice", "options": [{"probability": 1.5, "steps": [CALL]}]}]},
        "less than or equal to 1",
    ),
    "no options": ({"steps": [{"kind": "choice", "options": []}]}, "at least 1 item"),
    "neither branches nor width": ({"steps": [{"kind": "parallel"}]}, "give either branches, or width and steps"),
    "both": (
        {"steps": [{"kind": "parallel", "branches": [BRANCH], "width": 2, "steps": [CALL]}]},
        "give either branches, or width and steps",
    ),
    "width without steps": ({"steps": [{"kind": "parallel", "width": 2}]}, "copies need both width and steps"),
    "results beside branches": (
        {"steps": [{"kind": "parallel", "branches": [BRANCH], "result_tokens": 2}]},
        "result_tokens stands in each branch",
    ),
    "join none": ({"steps": [{"kind": "parallel", "branches": [BRANCH], "join": "none"}]}, "'all'"),
    "no attempts": (
        {"steps": [{"kind": "retry", "failure_probability": 0.1, "max_attempts": 0, "steps": [CALL]}]},
        "greater than or equal to 1",
    ),
    "after outside a graph": (
        {"steps": [CALL, named("a", after=["a"])]},
        r"steps\[1\].after only works inside a graph",
    ),
    "after in a group of a graph": (
        {"steps": [{"kind": "graph", "steps": [{"kind": "group", "name": "g", "steps": [named("x", after=["g"])]}]}]},
        "only works inside a graph",
    ),
    "a graph step without a name": ({"steps": [{"kind": "graph", "steps": [WAIT]}]}, r"steps\[0\] has no name"),
    "two of a name": ({"steps": [{"kind": "graph", "steps": [named("a"), named("a")]}]}, "two steps are named 'a'"),
    "after nobody": (
        {"steps": [{"kind": "graph", "steps": [named("a", after=["b"])]}]},
        r"steps\[0\].after names 'b', which is not a step of this graph; it has 'a'",
    ),
    "a ring": (
        {"steps": [{"kind": "graph", "steps": [named("a", after=["b"]), named("b", after=["a"]), named("c")]}]},
        "'a', 'b' wait for each other",
    ),
    "a step after itself": ({"steps": [{"kind": "graph", "steps": [named("a", after=["a"])]}]}, "'a' waits for itself"),
    "after the same twice": (
        {"steps": [{"kind": "graph", "steps": [named("a"), named("b", after=["a", "a"])]}]},
        r"steps\[1\].after names 'a' twice",
    ),
    "a control character": ({"name": "bell\x07"}, "control or layout characters"),
    "no name": ({"name": " "}, "it is empty"),
}


@pytest.mark.parametrize(("written", "words"), FAULTS.values(), ids=FAULTS)
def test_faults(written, words):
    with pytest.raises(ValidationError, match=words):
        Task.model_validate({"name": "t", "steps": [CALL]} | written)


def test_probabilities_may_be_off_by_rounding_alone():
    options = [{"probability": p, "steps": [CALL]} for p in (0.1, 0.2, 0.3, 0.4)]
    task({"kind": "choice", "options": options})
    with pytest.raises(ValidationError):
        task({"kind": "choice", "options": [*options, {"probability": 1e-6, "steps": []}]})


def test_too_many_steps_and_too_deep():
    task(*[WAIT] * MOST_STEPS)
    with pytest.raises(ValidationError, match="at most 5000 items"):
        task(*[WAIT] * (MOST_STEPS + 1))
    step = WAIT
    for _ in range(DEEPEST - 1):
        step = {"kind": "group", "steps": [step]}
    task(step)
    with pytest.raises(ValidationError, match="nested more than 50 deep"):
        task({"kind": "group", "steps": [step]})


def test_thousands_of_one_name_options_or_afters_stay_quick():
    """Bounds in the time of the process: a name, an option or an after is looked at once, not once for each other."""
    started = time.process_time()
    assert len(set(keys(task(*[{**WAIT, "name": "a"}] * MOST_STEPS)).values())) == MOST_STEPS
    task(WAIT, {"kind": "choice", "options": [{"probability": 1 / 16384, "steps": []}] * 16384})
    first = [{**WAIT, "name": f"a{i}"} for i in range(2000)]
    last = [{**WAIT, "name": f"z{i}", "after": [step["name"] for step in first]} for i in range(30)]
    task({"kind": "graph", "steps": first + last})
    assert time.process_time() - started < 5
    with pytest.raises(ValidationError, match=r"steps\[1\]\.after names 'a' twice"):
        task({"kind": "graph", "steps": [{**WAIT, "name": "a"}, {**WAIT, "name": "b", "after": ["a", "a"]}]})


def test_the_order_of_a_graph():
    graph = Graph.model_validate(
        {"kind": "graph", "steps": [named("c", after=["a", "b"]), named("b", after=["a"]), named("a"), named("d")]}
    )
    assert graph.order == (2, 3, 1, 0)


# -- keys --------------------------------------------------------------------------------------------------------------


def test_keys_of_named_steps_are_their_names():
    it = task(named("a"), named("a"), {"kind": "group", "name": "g", "steps": [named("b"), named("a")]})
    assert list(keys(it).values()) == ["a", "a (2)", "g", "b", "a (3)"]


def test_keys_of_unnamed_steps_are_their_home_and_number():
    loop = {"kind": "loop", "times": 2, "steps": [CALL, WAIT, CALL]}
    fork = {"kind": "parallel", "name": "fork", "branches": [{"steps": [CALL]}, {"steps": [CALL, CALL]}]}
    choice = {"kind": "choice", "options": [{"probability": 1, "steps": [WAIT]}]}
    found = keys(task(loop, named("x"), fork, choice, loop))
    assert found == {
        "steps[0]": "loop",
        "steps[0].steps[0]": "loop/model_call",
        "steps[0].steps[1]": "loop/tool_wait",
        "steps[0].steps[2]": "loop/model_call 2",
        "steps[1]": "x",
        "steps[2]": "fork",
        "steps[2].branches[0].steps[0]": "fork/branches[0]/model_call",
        "steps[2].branches[1].steps[0]": "fork/branches[1]/model_call",
        "steps[2].branches[1].steps[1]": "fork/branches[1]/model_call 2",
        "steps[3]": "choice",
        "steps[3].options[0].steps[0]": "choice/tool_wait",
        "steps[4]": "loop 2",
        "steps[4].steps[0]": "loop 2/model_call",
        "steps[4].steps[1]": "loop 2/tool_wait",
        "steps[4].steps[2]": "loop 2/model_call 2",
    }


def test_a_name_that_looks_like_a_made_key_is_told_apart():
    found = list(keys(task(named("a (2)"), named("a"), named("a"), WAIT, named("tool_wait"))).values())
    assert len(set(found)) == 5


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(tasks())
def test_keys_are_unique_and_paths_lead_to_their_steps(it):
    found = keys(it)
    assert len(set(found.values())) == len(found)
    written = json.loads(it.model_dump_json())
    for place in places(it.steps):
        at = written
        for part in place.path.replace("]", "").replace(".", "[").split("["):
            at = at[int(part)] if part.isdigit() else at[part]
        assert at["kind"] == place.step.kind
        assert place.path.count("steps") == place.depth


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 2**32))
def test_a_named_step_at_the_front_changes_no_other_key(seed):
    written = task_from(random.Random(seed))
    before = list(keys(Task.model_validate(written)).values())
    written["steps"].insert(
        0, {"kind": "loop", "name": "new", "times": 2, "steps": [CALL, WAIT, {**WAIT, "name": "newer"}]}
    )
    after = list(keys(Task.model_validate(written)).values())
    assert after[4:] == before
    assert after[:4] == ["new", "new/model_call", "new/tool_wait", "newer"]
