"""Reading hostile and mistaken files, the exact words of each refusal, and the exact round trip."""

from __future__ import annotations

import json
import time
from datetime import date

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from agentcalc.documents import (
    DEEPEST,
    MOST_BYTES,
    kind_of,
    load,
    parse,
    read_in_place,
    read_system,
    read_task,
    write,
    yaml_values,
)
from agentcalc.errors import InputError, NotFoundError
from agentcalc.provenance import Number, Source
from agentcalc.system import System
from agentcalc.task import Task

HEAD = "name: x\nsteps:\n"
WAIT = "{kind: tool_wait, seconds: 1}"


def faults(text: str | bytes, read=read_task) -> list[str]:
    with pytest.raises(InputError) as caught:
        read(text.encode() if isinstance(text, str) else text, where="f.yaml")
    return [str(fault) for fault in caught.value.faults]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("no", "no"),
        ("yes", "yes"),
        ("on", "on"),
        ("012", 12),
        ("0o14", 12),
        ("0x1F", 31),
        ("12:30", "12:30"),
        ("1e3", 1000.0),
        ("1.5e-3", 0.0015),
        (".5", 0.5),
        ("1.", 1.0),
        ("+7", 7),
        ("1_000", "1_000"),
        ("true", True),
        ("False", False),
        ("null", None),
        ("~", None),
        ("", None),
        ("2026-08-25", "2026-08-25"),
        ("'1'", "1"),
        ('"true"', "true"),
        ("0b11", "0b11"),
        ("=", "="),
    ],
)
def test_scalars_are_those_of_yaml_1_2(text: str, value: object) -> None:
    found = load(f"a: {text}\n".encode())["a"]
    assert found == value
    assert type(found) is type(value)


def test_merge_keys_are_plain_keys() -> None:
    assert load(b"<<: {a: 1}\n") == {"<<": {"a": 1}}


def test_json_is_read_as_json_and_flow_yaml_still_works() -> None:
    assert load(b'{"a": [1, 2.5, "no", null, true]}') == {"a": [1, 2.5, "no", None, True]}
    assert load(b"{a: no, b: [1e3]}") == {"a": "no", "b": [1000.0]}
    assert load(b"\xef\xbb\xbfa: 1\n") == {"a": 1}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (b"", "it is empty. Write a task (name, steps) or a system (id, points and more)."),
        (b" \n\n", "it is empty. Write a task (name, steps) or a system (id, points and more)."),
        (b"a: &x 1\n", "line 1: the anchor '&x'. Write values out."),
        (b"a: 1\nb: *x\n", "line 2: the alias '*x'. Write the value out."),
        (b"a: !t 1\n", "line 1: the tag '!t'. Take it out; values need no tags."),
        (b"a: 1\n---\nb: 1\n", "line 2: a second document starts with '---'. Keep one document in a file."),
        (b"a: 1\nb: 2\na: 3\n", "line 3: the key 'a' stands twice in one place. Keep one of the two."),
        (b'{"a": 1, "a": 2}', "the key 'a' stands twice in one place. Keep one of the two."),
        (b"1: 2\n", "line 1: 1 is used as a key. A key must be text; put it in quotes."),
        (b"true: 2\n", "line 1: true is used as a key. A key must be text; put it in quotes."),
        (b"~: 2\n", "line 1: nothing is used as a key. A key must be text; put it in quotes."),
        (b"[a]: 2\n", "line 1: a list or keys is used as a key. A key must be text; put it in quotes."),
        (b"a: .inf\n", "line 1: .inf is not a number that can be used. Write a finite number."),
        (b"a: .NaN\n", "line 1: .NaN is not a number that can be used. Write a finite number."),
        (b"a: 1e999\n", "line 1: 1e999 is too large a number. Write a smaller one."),
        (b'{"a": NaN}', "NaN is not a number that can be used. Write a finite number."),
        (b'{"a": -Infinity}', "-Infinity is not a number that can be used. Write a finite number."),
        (b"a: " + b"9" * 5000, "line 1: a number of 5000 characters. Write it shorter, such as 1e6."),
        (b"a: 1\nb: \xff\n", "line 2: it is not UTF-8 text. Save the file as UTF-8."),
        ("a: 1".encode("utf-16"), "it is written in UTF-16. Save it as UTF-8."),
        (b"\x7fELF\0\1", "it is a binary file. Give a text file in YAML or JSON."),
        (b"a: \x07\n", "line 1: a control character stands in the text. Take it out."),
        (b'a: "\\ud800"\n', None),
        (b'{"a": "\\ud800"}', "'?' holds half of a character. Write the character itself."),
        (b"a:\n\tb: 1\n", None),
        (b"a: b: c\n", None),
        (b"a: [1, 2\n", None),
    ],
)
def test_refused_texts(text: bytes, line: str | None) -> None:
    with pytest.raises(InputError) as caught:
        load(text, where="f.yaml")
    said = str(caught.value)
    assert "\n" not in said
    assert said.startswith("f.yaml: ")
    if line is not None:
        assert said == f"f.yaml: {line}"


def test_tabs_are_named() -> None:
    assert faults("a:\n\tb: 1\n", load) == [
        "f.yaml: line 2: it is not YAML (found character that cannot start any token). Indent with spaces, not tabs."
    ]


def test_a_json_file_is_only_read_as_json() -> None:
    with pytest.raises(InputError, match=r"^f\.json: line 1: it is not JSON .*name the file \.yaml\.$"):
        load(b"{a: 1}", where="f.json")


def test_files_that_are_not_there_or_not_files(tmp_path) -> None:
    with pytest.raises(NotFoundError) as caught:
        load(tmp_path / "taks.yaml")
    assert str(caught.value) == f"{tmp_path}/taks.yaml: there is no such file. Check the folder and the name."
    (tmp_path / "task.yaml").write_text("a: 1")
    with pytest.raises(NotFoundError, match=r"there is no such file\. Did you mean 'task\.yaml'\?$"):
        load(tmp_path / "taks.yaml")
    with pytest.raises(InputError) as caught:
        load(tmp_path)
    assert str(caught.value) == f"{tmp_path}: it is a folder. Name a file inside it."
    with pytest.raises(InputError, match="the name is not a path"):
        load("a\0b")
    assert load(str(tmp_path / "task.yaml")) == {"a": 1}


LAUGHS = "a0: &a0 [x, x]\n" + "".join(f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]\n" for i in range(1, 30))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (LAUGHS.encode(), "the anchor '&a0'"),
        (b"[" * 100_000, f"nested more than {DEEPEST} deep"),
        (b"- " * 100_000, f"nested more than {DEEPEST} deep"),
        (b'{"a":' * 100_000, f"nested more than {DEEPEST} deep"),
        (b"a: " + b"{" * 100_000, ""),
        (b"? " * 100_000, ""),
        (b"x" * 50_000_000, "larger than 2 MB"),
        (b"[" + b"1," * 900_000 + b"1]", "more than 250,000 values"),
        (b"steps: [" + b"1," * 900_000 + b"1]", "more than 250,000 values"),
        (b'"' + b"a" * 1_900_000, ""),
    ],
    ids=["laughs", "flow", "block", "json", "maps", "keys", "50MB", "many", "many-yaml", "string"],
)
def test_bombs_are_refused_at_once(text: bytes, said: str) -> None:
    start = time.process_time()
    lines = faults(text)
    assert time.process_time() - start < 3.0
    assert said in lines[0]
    assert len(lines[0]) < 300


def test_a_huge_file_is_not_read_whole(tmp_path) -> None:
    path = tmp_path / "huge.yaml"
    with path.open("wb") as file:
        file.truncate(MOST_BYTES * 1000)
    start = time.process_time()
    with pytest.raises(InputError, match="larger than 2 MB"):
        load(path)
    assert time.process_time() - start < 1.0


def test_without_libyaml_the_values_are_the_same(monkeypatch) -> None:
    text = b"a: [1, no, {b: '012'}]\nc: |\n  x\n  y\n"
    fast = load(text)
    monkeypatch.setattr(yaml_values, "PARSER", yaml.SafeLoader)
    assert load(text) == fast
    with pytest.raises(InputError, match="stands twice"):
        load(b"a: 1\na: 2\n")


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        (
            "  - {kind: model_call, output_tokens: 5, input_token: 5}",
            ["steps[0]: unknown key 'input_token'. Did you mean 'input_tokens'?"],
        ),
        (
            "  - {kind: model_call, output_token: 5}",
            [
                "steps[0]: the key 'output_tokens' is missing. Add it.",
                "steps[0]: unknown key 'output_token'. Did you mean 'output_tokens'?",
            ],
        ),
        ("  - {kind: model_cal}", ["steps[0]: unknown kind 'model_cal'. Did you mean 'model_call'?"]),
        (
            "  - {kind: model_call, output_tokens: abc}",
            ["steps[0].output_tokens: 'abc' is text. Write a number."],
        ),
        (
            "  - 5",
            ["steps[0]: 5 is a number, not a step. Write keys such as kind, name and what the kind needs."],
        ),
        (
            "  - {kind: tool_wait, seconds: 3 parsecs}",
            ["steps[0].seconds: 'parsecs' is not a unit of time. Use us, ms, s, min or h."],
        ),
        (
            "  - {kind: tool_wait, seconds: {values: [1, a]}}",
            [
                "steps[0].seconds.values[1]: 'a' is not a time. Write seconds as a number, or a number and a unit "
                "such as '300 ms' or '2 min'."
            ],
        ),
        (
            "  - {kind: model_call, output_tokens: {values: [1, -2]}}",
            ["steps[0].output_tokens.values[1]: -2 is below 0. Write 0 or more."],
        ),
        (
            "  - {kind: model_call, output_tokens: {mixture: [{weight: 1, p50: 3, p90: 4}, {weight: 1, value: -1}]}}",
            ["steps[0].output_tokens.mixture[1]: -1 is below 0. Write 0 or more."],
        ),
        (
            "  - {kind: tool_wait, seconds: {p50: 1, p9o: 3}}",
            ["steps[0].seconds: unknown key 'p9o'. Did you mean 'p90'?"],
        ),
        (
            "  - {kind: tool_wait, seconds: {p50: 3}}",
            ["steps[0].seconds: one quantile does not make a distribution. Give two such as p50 and p90."],
        ),
        (
            "  - {kind: tool_wait, seconds: true}",
            ["steps[0].seconds: true is a yes-or-no value. Write a number."],
        ),
        ("  - {kind: tool_wait, seconds: }", ["steps[0].seconds: nothing stands here. Write a number."]),
        (
            f"  - {{kind: choice, options: [{{probability: 2, steps: [{WAIT}]}}]}}",
            ["steps[0].options[0].probability: 2 is above 1. Write 1 or less."],
        ),
        (
            f"  - {{kind: choice, options: [{{probability: 0.5, steps: [{WAIT}]}}]}}",
            ["steps[0]: probabilities add up to 0.5. They must add up to 1."],
        ),
        ("  - {kind: loop, times: 2, steps: []}", ["steps[0].steps: the list is empty. Write at least 1."]),
        (
            "  - {kind: loop, times: 2, steps: [{kind: choice, options: [{probability: .5, steps: "
            "[{kind: tool_wait, seconds: -3}]}, {probability: .5, steps: [3]}]}]}",
            [
                "steps[0].steps[0].options[0].steps[0].seconds: -3 is below 0. Write 0 or more.",
                "steps[0].steps[0].options[1].steps[0]: 3 is a number, not a step. Write keys such as kind, name "
                "and what the kind needs.",
            ],
        ),
        (
            "  - {kind: graph, steps: [{kind: tool_wait, name: a, seconds: 1, after: [b]}, "
            "{kind: tool_wait, name: b, seconds: 1, after: [a]}]}",
            ["steps[0]: the steps 'a', 'b' wait for each other. Take one 'after' out."],
        ),
        (
            f"  - {{kind: retry, failure_probability: 0.1, max_attempts: 1.5, steps: [{WAIT}]}}",
            ["steps[0].max_attempts: 1.5 is not a whole number. Write a whole number."],
        ),
        (
            "  - {kind: tool_wait, seconds: 1, name: " + "x" * 500 + "}",
            ["steps[0].name: the text is 500 characters long. Write at most 80."],
        ),
        (
            "  - {kind: group, steps: [{kind: choice, options: [{probability: 1, steps: []}]}]}",
            None,
        ),
    ],
)
def test_what_a_task_is_told(steps: str, said: list[str] | None) -> None:
    found = faults(HEAD + steps)
    if said is not None:
        assert found == [f"f.yaml: {line}" for line in said]
    assert all("\n" not in line and len(line) < 400 for line in found)


def test_what_the_top_of_a_file_is_told() -> None:
    assert faults("hello") == [
        "f.yaml: 'hello' is text. Write keys below it, such as id, name, short, description, context_tokens."
    ]
    assert faults("name: 3\nsteps: []") == [
        "f.yaml: name: 3 is a number. Write text; numbers, true and false need quotes to be text.",
        "f.yaml: steps: the list is empty. Write at least 1.",
    ]
    assert faults("points: []") == [
        "f.yaml: this is a system file (it has 'points'), and a task is needed. Give a file that has 'steps'."
    ]
    assert faults(f"name: x\nsteps: [{WAIT}]", read_system) == [
        "f.yaml: this is a task file (it has 'steps'), and a system is needed. Give a file that has 'points'."
    ]


def test_sources_of_a_file_are_named_in_their_own_words() -> None:
    text = (
        f"name: a\nsteps: [{WAIT}]\nsources: [Open AI, {{id: x}}, 3, {{id: y, title: t, publisher: p, date: soon}}]\n"
    )
    assert faults(text) == [
        "f.yaml: sources[0]: 'Open AI' does not fit. Use lower-case letters, digits, dots, dashes and underscores, "
        "such as my-task.",
        "f.yaml: sources[1]: the key 'title' is missing. Add it.",
        "f.yaml: sources[1]: the key 'publisher' is missing. Add it.",
        "f.yaml: sources[2]: 3 is a number. Write text; numbers, true and false need quotes to be text.",
        "f.yaml: sources[3].date: 'soon' is not a date. Write it as year-month-day, such as 2026-08-25.",
    ]


def test_kind_of() -> None:
    assert kind_of({"steps": []}) == "task"
    assert kind_of({"points": []}) == "system"
    assert kind_of({"steps": [], "points": []}) is None
    assert kind_of([]) is None


# Round trip

TEXTS = st.text(
    st.characters(exclude_categories=("Cs",), exclude_characters="\r"), min_size=1, max_size=60
) | st.sampled_from(
    ["no", "1e3", "012", "null", "~", "12:30", "two\nlines\n", " lead", "a: b", "- a", "#", "=", "<<", "\n"]
)
LINES = TEXTS.filter(lambda text: text.isprintable() and text.strip())
NAMES = LINES.filter(lambda text: len(text) <= 80)
POSITIVE = st.floats(1e-6, 1e10) | st.integers(1, 10**9).map(float)
AMOUNTS = st.recursive(
    st.one_of(
        POSITIVE,
        st.just(0),
        st.tuples(POSITIVE, st.floats(1, 50)).map(lambda p: {"p50": p[0], "p90": p[0] * p[1], "max": p[0] * p[1] * 2}),
        st.tuples(POSITIVE, st.floats(0, 50)).map(lambda p: {"mean": p[0], "sd": p[0] * p[1]}),
        st.tuples(POSITIVE, POSITIVE).map(lambda p: {"low": min(p), "high": max(p)}),
        st.tuples(POSITIVE, POSITIVE).map(lambda p: {"low": min(p), "mode": min(p), "high": max(p), "max": max(p)}),
        st.lists(POSITIVE, min_size=1, max_size=4).map(lambda v: {"values": v, "weights": v}),
    ),
    lambda inner: st.lists(st.tuples(POSITIVE, inner), min_size=1, max_size=3).map(
        lambda parts: {
            "mixture": [{"weight": w, **(a if isinstance(a, dict) else {"value": a})} for w, a in parts],
        }
    ),
    max_leaves=4,
)
CALLS = st.fixed_dictionaries(
    {"kind": st.just("model_call"), "output_tokens": AMOUNTS},
    optional={"name": NAMES, "input_tokens": AMOUNTS, "conversation": st.none() | NAMES},
)
WAITS = st.fixed_dictionaries({"kind": st.just("tool_wait"), "seconds": AMOUNTS}, optional={"name": NAMES})
STEPS = st.recursive(
    st.lists(CALLS | WAITS, min_size=1, max_size=3),
    lambda inner: st.lists(
        st.one_of(
            st.fixed_dictionaries({"kind": st.just("loop"), "times": AMOUNTS, "steps": inner}),
            st.fixed_dictionaries({"kind": st.just("parallel"), "branches": inner.map(lambda s: [{"steps": s}])}),
            inner.map(lambda s: {"kind": "choice", "options": [{"probability": 1, "steps": s}]}),
            inner.map(lambda s: {"kind": "retry", "failure_probability": 0.1, "backoff_s": 0.5, "steps": s}),
        ),
        min_size=1,
        max_size=2,
    ),
    max_leaves=5,
)
TASKS = st.fixed_dictionaries(
    {"name": NAMES, "steps": STEPS},
    optional={"description": TEXTS, "context_tokens": st.integers(0, 10**6), "notes": st.lists(LINES, max_size=2)},
)


@pytest.mark.parametrize("format", ["yaml", "json"])
@settings(max_examples=120, deadline=None)
@given(data=TASKS)
def test_tasks_survive_the_round_trip(format: str, data: dict) -> None:
    task = Task.model_validate(data)
    text = write(task, format)
    assert read_task(text.encode()) == task
    assert write(read_task(text.encode()), format) == text


@settings(max_examples=200, deadline=None)
@given(TEXTS)
def test_any_text_survives_the_round_trip(text: str) -> None:
    number = Number(value=1, unit="s", grade="assumed", source="x", note=text)
    for format in ("yaml", "json"):
        assert parse(Number, load(write(number, format).encode()), "x") == number


@pytest.mark.parametrize(
    "text", ["no", "1e3", "012", "null", "~", "12:30", "a\nb\n", "a\n\n", "\ta", "0x1", "2026-08-25"]
)
def test_texts_that_look_like_something_else(text: str) -> None:
    number = Number(value=1, unit="s", grade="assumed", source="x", note=text)
    written = write(number)
    assert parse(Number, load(written.encode()), "x").note == text
    assert yaml.safe_load(written)["note"] == text, "readers of the older YAML read the same"


def test_all_of_a_first_token_may_grow_with_the_prompt():
    assert read_in_place("r:ttft=1s,speed=400,per_token=100us,at=10000").fixed_share.value == 0


def test_systems_and_sources_survive_the_round_trip() -> None:
    system = read_in_place("mine:ttft=0.4s,speed=300,per_token=12us,overhead=50ms")
    own = Source(id="us", title="Ours: measured", publisher="no", date=date(2026, 8, 25))
    system = system.model_copy(update={"sources": (own,), "headline": "two\nlines: # no"})
    for format in ("yaml", "json"):
        assert parse(System, load(write(system, format).encode()), "x") == system


@pytest.mark.parametrize("quantile", ["p99.99995", "p99.9", "p95", "p75.123456789"])
def test_quantiles_keep_every_digit(quantile: str) -> None:
    task = Task.model_validate({"name": "x", "steps": [{"kind": "tool_wait", "seconds": {"p50": 1, quantile: 2}}]})
    assert f"{quantile}: 2" in write(task)
    assert read_task(write(task).encode()) == task


def test_what_is_written_reads_well() -> None:
    task = read_task(
        b"steps: [{output_tokens: {max: 8000, p90: 1700.0, p50: 214}, kind: model_call, name: act, input_tokens: 0},"
        b" {seconds: 300 ms, kind: tool_wait, conversation: null}]\nname: Agent\n"
    )
    assert write(task) == (
        "name: Agent\n"
        "steps:\n"
        "  - kind: model_call\n"
        "    name: act\n"
        "    output_tokens: {p50: 214, p90: 1700, max: 8000}\n"
        "  - kind: tool_wait\n"
        "    seconds: 0.3\n"
        "    conversation: null\n"
    )
    assert json.loads(write(task, "json"))["steps"][1] == {"kind": "tool_wait", "seconds": 0.3, "conversation": None}
