"""The address of a scenario: read without trust, written with defaults left out. No Streamlit."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentcalc import catalog
from agentcalc.app.choices import OWN, choices
from agentcalc.app.state import FACTORS, MODEL, MORE_FACTORS, TASK, WHAT_IFS, State, from_query, start, to_query

KNOWN = choices(catalog.tasks(), catalog.systems(), catalog.PAIRS, TASK, MODEL)
TRIALS = 40_000
CODING = "Coding agent, one request"


def read(**query):
    return from_query(query, KNOWN, TRIALS)


def test_a_first_visit_shows_the_coding_agent_on_deepseek_r1_and_has_an_empty_address():
    state, notes = read()
    assert notes == ()
    assert (state.task, state.model, state.baseline, state.candidate, state.by) == (
        "coding-agent", "deepseek-r1", "gb300", "jalapeno", "typical",
    )  # fmt: skip
    assert to_query(state, KNOWN) == {}
    assert state == start(KNOWN)


def test_defaults_are_left_out_and_the_rest_stays_readable():
    state, notes = read(task="deep-research", by="slow", tools="0.5", run="12")
    assert notes == ()
    assert to_query(state, KNOWN) == {"task": "deep-research", "by": "slow", "run": "12", "tools": "0.5"}
    assert state.statistic == "p95"
    assert state.factors == {"tools": 0.5}


def test_another_model_brings_its_own_pair():
    state, _ = read(model="gpt-oss-120b")
    assert (state.baseline, state.candidate) == ("gb200", "jalapeno")
    beside = start(KNOWN).changed(KNOWN, model="gpt-oss-120b", candidate="h200")
    assert (beside.baseline, beside.candidate) == ("gb200", "h200")
    assert to_query(state, KNOWN) == {"model": "gpt-oss-120b"}
    back = state.changed(KNOWN, model="deepseek-r1")
    assert (back.baseline, back.candidate) == ("gb300", "jalapeno")


@pytest.mark.parametrize(
    ("query", "line"),
    [
        ({"baseline": "gb400"}, "Part of this link could not be read (system 'gb400'). Showing GB300 instead."),
        ({"candidate": ""}, "Part of this link could not be read (system ''). Showing Jalapeño instead."),
        ({"task": "nope"}, f"Part of this link could not be read (task 'nope'). Showing {CODING} instead."),
        ({"model": "gpt-5"}, "Part of this link could not be read (model 'gpt-5'). Showing DeepSeek R1 instead."),
        ({"by": "Average 1.07×"}, "Part of this link could not be read (by 'Average 1.07×'). Showing Typical instead."),
        ({"tools": "9"}, "Part of this link could not be read (tools '9'). It goes from 0.25 to 4; showing 1 instead."),
        ({"speed": "-"}, "Part of this link could not be read (speed '-'). It goes from 0.25 to 4; showing 1 instead."),
        ({"tools": "٢"}, "Part of this link could not be read (tools '٢'). It goes from 0.25 to 4; showing 1 instead."),
        ({"run": "40000"}, "Part of this link could not be read (run '40000'). Showing the most ordinary run instead."),
        ({"run": "-1"}, "Part of this link could not be read (run '-1'). Showing the most ordinary run instead."),
        ({"more": "gb300-mtp,gb9"}, "Part of this link could not be read (system 'gb9'). It was left out."),
        ({"modle": "kimi"}, "Part of this link could not be read ('modle'). It was left out."),
        ({"cached": "1.2"}, "Part of this link could not be read (cached '1.2'). It goes from 0 to 1; showing the "
         "task's own instead."),
        ({"target": "0"}, "Part of this link could not be read (target '0'). Write seconds, such as 30."),
        ({"task": OWN}, f"This link is about a task file that stays with whoever opened it. Showing {CODING} instead."),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_said_in_one_line_and_replaced(query, line):
    state, notes = from_query(query, KNOWN, TRIALS)
    assert notes == (line,)
    assert state.model_copy(update={"more": ()}) == start(KNOWN)


@pytest.mark.parametrize(
    "value",
    ["a" * 10_000_000, "\u202egnihtyna", "<script>alert(1)</script>", "../../etc/passwd", "\x00", "a\nb", "💥" * 50],
)
@pytest.mark.parametrize("part", ["task", "model", "baseline", "candidate", "more", "by", "run", "tools"])
def test_hostile_values_get_one_short_printable_line(part, value):
    state, notes = from_query({part: value}, KNOWN, TRIALS)
    assert state == start(KNOWN)
    assert len(notes) == 1
    assert len(notes[0]) < 260 and notes[0].isprintable()


def test_many_broken_parts_are_counted_not_listed():
    _, notes = from_query({f"k{i}": "1" for i in range(50)}, KNOWN, TRIALS)
    assert len(notes) == 4
    assert notes[-1] == "47 more parts of this link could not be read."


texts = st.text(max_size=30)
keys = st.sampled_from(["task", "model", "baseline", "candidate", "more", "by", "run", "target", *WHAT_IFS]) | texts


@settings(max_examples=300, deadline=None)
@given(st.dictionaries(keys, texts | st.lists(texts, max_size=3)))
def test_no_address_raises(query):
    state, notes = from_query(query, KNOWN, TRIALS)
    assert isinstance(state, State)
    assert all(line.isprintable() for line in notes)
    assert from_query(to_query(state, KNOWN), KNOWN, TRIALS) == (state, ())


@st.composite
def states(draw):
    model = draw(st.sampled_from(list(KNOWN.systems)))
    systems = st.sampled_from(list(KNOWN.systems[model]))
    factor = st.sampled_from([0.25, 0.5, 0.85, 1.0, 1.7, 4.0, 0.3333])
    state = State(
        task=draw(st.sampled_from(list(KNOWN.tasks))),
        model=model,
        baseline=draw(systems),
        candidate=draw(systems),
        by=draw(st.sampled_from(["typical", "average", "slow"])),
        run=draw(st.none() | st.integers(0, TRIALS - 1)),
        target=draw(st.none() | st.sampled_from([0.5, 25, 3600])),
        cached=draw(st.none() | st.sampled_from([0.0, 0.25, 1.0])),
        **{name: draw(factor) for name in (*FACTORS, *MORE_FACTORS)},
    )
    return state.changed(
        KNOWN, more=tuple(draw(st.lists(systems, max_size=4, unique=True))), run=state.run, target=state.target
    )


@settings(max_examples=200, deadline=None)
@given(states())
def test_every_scenario_survives_its_address(state):
    query = to_query(state, KNOWN)
    assert from_query(query, KNOWN, TRIALS) == (state, ())
    assert sum(len(k) + len(v) for k, v in query.items()) < 400


def test_another_statistic_or_task_shows_its_own_run():
    state, _ = read(run="5")
    assert state.changed(KNOWN, tools=0.5).run == 5
    assert state.changed(KNOWN, by="slow").run is None
    assert state.changed(KNOWN, task="chat-turn").run is None
    assert state.changed(KNOWN, run=6).run == 6


def test_the_first_run_has_an_address_too():
    state, notes = read(run="0")
    assert (state.run, notes, to_query(state, KNOWN)) == (0, (), {"run": "0"})
