"""Files of benchmarks: what is read of them, what of their numbers is believed, and which format a file is."""

from __future__ import annotations

import copy
import json
import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentcalc.benchmarks import document as documents
from agentcalc.benchmarks.checks import checked
from agentcalc.benchmarks.document import Document
from agentcalc.benchmarks.fields import count, day, has, inner, latency, number, positive, spread, words
from agentcalc.benchmarks.reading import FORMATS, read
from agentcalc.benchmarks.records import Measurement, Spread
from agentcalc.errors import InputError, NotFoundError
from tests.benchmark_inputs import INPUTS, serving, text

# ─── Files ───


def test_a_json_file_with_a_byte_order_mark():
    assert Document.of(b'\xef\xbb\xbf {"a": 1}', "x.json") == Document("x.json", "json", {"a": 1})


@pytest.mark.parametrize(
    "data", [b'{"a": 1}\n{"a": 2}\n', b'{"a": 1}{"a": 2}', b'{\n "a": 1\n}\n\n{\n "a": 2\n}', b'{"a": 1}\r\n{"a": 2}']
)
def test_several_json_texts_in_one_file(data: bytes):
    found = Document.of(data)
    assert (found.kind, found.data, found.objects) == ("jsonl", [{"a": 1}, {"a": 2}], [{"a": 1}, {"a": 2}])


def test_a_single_line_of_jsonl_is_json():
    assert Document.of(b'{"a": 1}\n', "runs.jsonl").kind == "json"


def test_bare_nan_and_infinity_are_read():
    a = Document.of(b'{"a": NaN, "b": Infinity, "c": -Infinity, "d": 1e999}').data
    assert math.isnan(a["a"]) and (a["b"], a["c"], a["d"]) == (math.inf, -math.inf, math.inf)


def test_whole_numbers_of_any_length_are_read():
    assert Document.of(b'{"a": ' + b"9" * 10_000 + b', "b": 12345678901234567890}').data == {
        "a": math.inf,
        "b": 12345678901234567890,
    }


def test_csv_rows_and_table():
    found = Document.of(b"name,n,\na,1\n\nb,,\n", "x.csv")
    assert found.data == [["name", "n", ""], ["a", "1"], [], ["b", "", ""]]
    assert found.table == [{"name": "a", "n": "1"}, {"name": "b"}]
    assert found.objects == []


def test_csv_by_semicolon_and_without_a_name():
    assert Document.of("a;b\n1,5;ü\n".encode()).data == [["a", "b"], ["1,5", "ü"]]


def test_yaml_is_read_by_the_project_s_reader():
    assert Document.of(b"a: 1\nb: no\n").data == {"a": 1, "b": "no"}
    assert Document.of(b"{a: 1}", "x.yaml").kind == "yaml"


@pytest.mark.parametrize(
    ("data", "name", "said"),
    [
        (b"", None, "it is empty"),
        (b" \n ", None, "it is empty"),
        (b"\xff\xfea\x00", None, "UTF-16"),
        (b"{\x00}", None, "binary"),
        (b'{"a": 1}\n{"\xff": 1}', None, "line 2: it is not UTF-8 text"),
        (b'{"a": 1', None, "line 1: it is not JSON"),
        (b'{"a": 1}\nmore', None, "line 2: it is not JSON"),
        (b"a: 1", "x.json", "it is not JSON"),
        (b'{"a": {"b": 1, "b": 2}}', None, "the key 'b' stands twice"),
        (b"[" * 101 + b"]" * 101, None, "nested more than 100 deep"),
        (b"[" * 200_000, None, "nested more than 100 deep"),
        (b'a,b\n"1,2', None, "it is not CSV"),
        (b'"' + b"x" * 2_000_001, None, "it is neither JSON nor CSV, and of YAML no more than 2 MB"),
        (b"a,b\n" + b"x" * 200_000 + b",1\n", "x.csv", "it is not CSV (field larger than field limit"),
    ],
)
def test_a_file_that_cannot_be_read_is_named_in_one_line(data: bytes, name: str | None, said: str):
    with pytest.raises(InputError) as caught:
        Document.of(data, name)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(name or "the text")


def test_100_deep_is_read():
    assert Document.of(b"[" * 100 + b"]" * 100).kind == "json"


def test_a_table_refuses_rows_longer_than_the_header_and_a_column_twice():
    with pytest.raises(InputError, match="row 3: it has 3 cells and the header 2"):
        _ = Document.of(b"a,b\n1,2\n1,2,3\n").table
    with pytest.raises(InputError, match="the column 'a' stands twice"):
        _ = Document.of(b"a,a\n1,2\n").table


def test_a_file_of_51_mb_is_refused(tmp_path):
    large = tmp_path / "large.json"
    with large.open("wb") as file:
        file.truncate(documents.MOST_BYTES + 1)
    with pytest.raises(InputError, match=r"large\.json: it is larger than 50 MB"):
        Document.of(large)


def test_too_many_values_are_refused(monkeypatch):
    monkeypatch.setattr(documents, "MOST_VALUES", 3)
    assert Document.of(b"[1, 2, 3, 4]").data == [1, 2, 3, 4]
    with pytest.raises(InputError, match="it holds more than 3 values"):
        Document.of(b"[1, 2, 3, 4, 5]")


def test_paths(tmp_path):
    with pytest.raises(NotFoundError, match="there is no such file"):
        Document.of(tmp_path / "none.json")
    with pytest.raises(InputError, match="it is a folder"):
        Document.of(tmp_path)
    with pytest.raises(InputError, match="the name is not a path"):
        Document.of("a\0b")
    (tmp_path / "a.json").write_text("[1]")
    assert Document.of(tmp_path / "a.json").data == [1]
    assert Document.of(str(tmp_path / "a.json"), "shown.json").name == "shown.json"


def test_the_keys_of_a_document_at_any_depth_up_to_a_number_of_places():
    assert Document.of(b'[{"a": {"b": [{"c": 1}]}}]').keys() == {"a", "b", "c"}
    assert Document.of(b'[{"a": {"b": [{"c": 1}]}}]').keys(most=3) == {"a", "b"}
    assert Document.of(b"a, b\n1,c\n").keys() == {"a", "b", "1", "c"}


def test_items_that_are_no_objects_are_refused_with_their_place():
    assert list(Document.of(b'{"a": 1}', "f").placed()) == [({"a": 1}, "f")]
    with pytest.raises(InputError, match="f: run 2: a list or keys is not a run"):
        list(Document.of(b'[{"a": 1}, []]', "f").placed())


# ─── Numbers ───


def test_a_number_and_its_unit():
    row = {"a": 1500, "b": 0.25, "c": "1.5e3", "d": 0, "e": "", "f": None, "g": math.nan, "h": "N/A"}
    assert number(row, "a", "f", unit="ms") == 1.5
    assert number(row, "a", "f", unit="us") == 0.0015
    assert number(row, "b", "f", unit="s") == 0.25
    assert number(row, "c", "f", text=True) == 1500
    assert number(row, "d", "f") == 0
    assert [number(row, key, "f", text=True) for key in "efghi"] == [None] * 5
    assert latency(row, "d", "f", unit="ms") is None
    assert positive(row, "d", "f") is None
    assert count(row, "d", "f") == 0


@pytest.mark.parametrize("value", [0.9e-6, 1.1e9, 5e-324, 1e20])
def test_a_latency_that_no_request_has_is_an_error(value: float):
    """In ms: below a nanosecond, above eleven days."""
    with pytest.raises(InputError, match=r"f: k: no latency is .* s\. Is it in another unit\?"):
        latency({"k": value}, "k", "f", unit="ms")


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (True, "True is not a number"),
        ("12", "'12' is not a number"),
        ([1], "a list or keys is not a number"),
        ({}, "a list or keys is not a number"),
        (math.inf, "inf is not a number that can be used"),
        (-math.inf, "-inf is not a number that can be used"),
        (10**400, "is not a number that can be used"),
        (1.1e20, "1.1e+20 is not a number that can be used"),
        (-1, "-1 is below zero"),
        (-0.001, "-0.001 is below zero"),
    ],
)
def test_what_is_no_number_is_an_error_with_file_key_and_value(value, said: str):
    with pytest.raises(InputError) as caught:
        number({"k": value}, "k", "file.json")
    assert str(caught.value).startswith("file.json: k: ")
    assert said in str(caught.value)


@pytest.mark.parametrize("value", ["twelve", "1_000", "0x10", "١", "1e5000", "inf", "-3", "1" * 50])
def test_text_that_is_no_usable_number_is_an_error_where_text_may_be_one(value: str):
    with pytest.raises(InputError):
        number({"k": value}, "k", "file.csv", text=True)


def test_a_needed_number():
    with pytest.raises(InputError, match="there is no k"):
        number({}, "k", "f", needed=True)
    with pytest.raises(InputError, match="k is NaN"):
        number({"k": math.nan}, "k", "f", needed=True)
    with pytest.raises(InputError, match="k is null"):
        number({"k": None}, "k", "f", needed=True)


def test_a_count_is_whole():
    assert count({"k": 3.0}, "k", "f") == 3
    with pytest.raises(InputError, match=r"k: 2\.5 is not a whole number"):
        count({"k": 2.5}, "k", "f")


def test_a_spread_takes_the_first_key_that_has_a_number():
    row = {"p50": 2, "median": None, "mean": 3, "p99": 0}
    found = spread(row, "f", unit="ms", mean="mean", median=("median", "p50"), p99="p99", p90="p90")
    assert found == Spread(mean=0.003, median=0.002)


def test_words_are_one_short_line():
    assert words({"k": " a\n\x1bb "}, "k") == "a ?b"
    assert len(words({"k": "x" * 5000}, "k")) == 200
    assert words({"k": 1}, "k") is None and words({}, "k") is None and words({"k": " "}, "k") is None


@pytest.mark.parametrize(
    ("value", "shown"),
    [("20260213-141321", "2026-02-13"), ("2026-02-13T10:00:00Z", "2026-02-13"), ("2026-13-01", None), (5, None)],
)
def test_days(value, shown: str | None):
    found = day({"k": value}, "k")
    assert (found and found.isoformat()) == shown


def test_has_and_inner_take_anything():
    assert has({"a": 1, "b": 2}, "a", "b") and not has({"a": 1}, "a", "b") and not has([1], "a")
    assert inner({"a": {"b": {"c": 1}}}, "a", "b") == {"c": 1}
    assert inner({"a": [1]}, "a", "b") == {} == inner(None, "a")


# ─── Numbers together ───

RUN = Measurement(
    format="a tool",
    concurrency=2,
    input_tokens=1000,
    output_tokens=101,
    ttft=Spread(mean=0.5, median=0.4, p99=0.9),
    tpot=Spread(mean=0.01),
    e2el=Spread(mean=1.5),
    output_tok_s=101 * 2 / 1.5,
)


def test_numbers_that_fit_get_no_note():
    assert checked(RUN, "f") == RUN
    assert checked(replace(RUN, e2el=Spread(mean=1.5 * 1.049), output_tok_s=None), "f").notes == ()


def test_e2el_apart_from_ttft_and_tpot_is_noted_with_the_gap():
    (note,) = checked(replace(RUN, e2el=Spread(mean=2.0)), "f").notes
    assert note.replace("\u00a0", " ") == "Mean TTFT and TPOT make 1.50 s, 25% less than the mean E2EL of 2.0 s."


@pytest.mark.parametrize(
    "wrong",
    [
        {"ttft": Spread(mean=500.0), "tpot": Spread(mean=10.0)},
        {"e2el": Spread(mean=1500.0)},
        {"e2el": Spread(median=0.0015)},
        {"tpot": Spread(median=10.0)},
    ],
)
def test_latencies_in_two_units_are_an_error(wrong: dict):
    with pytest.raises(InputError, match="Is one of them in another unit, such as microseconds"):
        checked(replace(RUN, **wrong), "f")


def test_all_latencies_in_a_wrong_unit_are_an_error_by_the_throughput():
    """TTFT, TPOT and E2EL a thousand times too long agree with one another, but not with 2 requests in flight."""
    wrong = replace(RUN, ttft=Spread(mean=500.0), tpot=Spread(mean=10.0), e2el=Spread(mean=1500.0))
    with pytest.raises(
        InputError, match=r"mean 2e\+03 requests in flight\. It says 2: are its latencies in another unit"
    ):
        checked(wrong, "f")
    assert checked(replace(wrong, concurrency=None), "f").concurrency is None


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"concurrency": 0}, "concurrency: 0 is not a number above zero"),
        ({"output_tok_s": math.inf}, "output_tok_s: inf is not"),
        ({"input_tokens": math.nan}, "input_tokens: nan is not"),
        ({"completed": -1}, "completed: -1 is not a number of zero or more"),
        ({"context_tokens": -1.0}, "context_tokens: -1.0 is not"),
        ({"ttft": Spread(mean=0.0)}, "mean TTFT: no latency is 0 s"),
        ({"tpot": Spread(mean=9e-6)}, "mean TPOT: no latency is 9e-06 s"),
        ({"tpot": Spread(p99=math.nan)}, "p99 TPOT: no latency is nan s"),
        ({"ttft": Spread(median=0.5, p99=0.4)}, "p99 TTFT: it is 0.4 s, below the median of 0.5 s"),
        ({"output_tok_s": 10.0, "total_tok_s": 9.0}, "total_tok_s: it is 9, below the output alone of 10"),
        ({"total_tok_s": 1e8}, "total_tok_s: it is 1e+08, but its output and its tokens a request make"),
        (dict.fromkeys(("ttft", "tpot", "e2el"), Spread()), "it holds no TTFT, TPOT or end-to-end latency above zero"),
    ],
)
def test_a_number_that_cannot_be_right_is_an_error(wrong: dict, said: str):
    with pytest.raises(InputError) as caught:
        checked(replace(RUN, **wrong), "f")
    assert said in str(caught.value)


def test_failed_requests_are_noted():
    assert checked(replace(RUN, completed=39, failed=1), "f").notes == (
        "1 of 40 requests failed; the numbers are of the others.",
    )


def test_ttft_longer_than_generation_is_noted_as_queueing():
    slow = replace(RUN, concurrency=256, output_tok_s=None, ttft=Spread(mean=18.7), e2el=Spread())
    (note,) = checked(slow, "f").notes
    assert note.replace("\u00a0", " ") == (
        "TTFT of 19 s is longer than the 1.00 s of generation after it: at this load it holds waiting in the server's "
        "queue."
    )
    assert checked(replace(slow, concurrency=1), "f").notes == ()


# ─── Which format ───


def test_every_reader_says_what_it_is_and_looks_for():
    names = [reader.NAME for reader in FORMATS]
    assert len(set(names)) == len(names)
    assert all(reader.LOOKS_FOR and reader.KEYS and all(reader.KEYS) for reader in FORMATS)
    assert set(INPUTS) <= set(names)


@pytest.mark.parametrize("name", INPUTS)
def test_each_format_is_told_by_one_reader_alone_and_read_in_any_order_of_keys(name: str):
    for data in INPUTS[name]:
        assert [reader.NAME for reader in FORMATS if reader.matches(Document.of(data))] == [name]
        runs = read(data)
        assert {run.format for run in runs} == {name}
        if not data.startswith(b"{"):
            continue
        objects = [json.loads(line) for line in data.splitlines()]
        turned = b"\n".join(text(dict(reversed(row.items()))) for row in objects)
        assert read(turned) == runs


def test_an_unknown_file_is_told_the_nearest_format_and_what_it_lacks():
    row = serving()
    del row["total_token_throughput"]
    with pytest.raises(InputError) as caught:
        read(text(row), "x.json")
    assert str(caught.value).startswith(
        "x.json: no benchmark's result was recognised in it; it comes closest to vLLM bench serve, but has no "
        "total_token_throughput. Its files are told by total_token_throughput and a latency"
    )


@pytest.mark.parametrize(
    "data", [b'{"a": 1}', b"[]", b"[[[]]]", b"1,2\n3,4\n", b"- 1\n- 2\n", b"hello", b'{"metrics": 5}']
)
def test_a_file_of_something_else_is_told_what_is_known(data: bytes):
    with pytest.raises(InputError, match="no benchmark's result was recognised in it"):
        read(data)


# ─── Hostile files ───


def sound(run: Measurement) -> bool:
    """Whether every number of a run is finite and above zero (or zero where that is a number), or None."""
    times = [value for spread in (run.ttft, run.tpot, run.e2el) for value in vars(spread).values()]
    above = [run.concurrency, run.request_rate, run.input_tokens, run.output_tokens, run.chips]
    above += [run.output_tok_s, run.total_tok_s, *times]
    above += [v for row in vars(run.requests).values() for v in row] if run.requests else []
    zero_too = [run.context_tokens, run.completed, run.failed]
    return all(v is None or 0 < v < math.inf for v in above) and all(v is None or 0 <= v < math.inf for v in zero_too)


def outcome(data: bytes, name: str | None = None) -> None:
    try:
        runs = read(data, name)
    except InputError as error:
        assert "\n" not in str(error)
    else:
        assert runs and all(sound(run) for run in runs)
        assert any(v is not None for run in runs for s in (run.ttft, run.tpot, run.e2el) for v in vars(s).values())


DEEP: object = 1
for _ in range(90):
    DEEP = [DEEP]

NUMBERS = (math.nan, math.inf, -math.inf, 0, -0.0, -1, 1e308, 5e-324, 1e-9, 1e15, 10**60, 10**400)
OTHERS = (True, False, None, "", "x", "12", "inf", "-1", "NaN", "\ud7ff\x1b[31m", [], [[]], {}, {"mean": -1}, DEEP)
JUNK = st.sampled_from((*NUMBERS, *OTHERS)) | st.floats()


def places(value: object, path: tuple = ()) -> list[tuple]:
    """Paths to every place inside objects and lists."""
    found = [path] if path else []
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in items:
        found += places(child, (*path, key))
    return found


FILES = [data for files in INPUTS.values() for data in files]


@st.composite
def broken_objects(draw: st.DrawFn) -> bytes:
    """A valid JSON file with a few of its values replaced or taken out."""
    data = draw(st.sampled_from([data for data in FILES if data.startswith(b"{")]))
    rows = [json.loads(line) for line in data.splitlines()]
    for _ in range(draw(st.integers(1, 3))):
        *way, last = draw(st.sampled_from(places(rows)))
        inside = rows
        for key in way:
            inside = inside[key]
        if draw(st.booleans()):
            inside[last] = copy.deepcopy(draw(JUNK))
        elif isinstance(inside, dict):
            del inside[last]
        if not isinstance(rows, list) or not rows:
            break
    return b"\n".join(text(row) for row in rows)


@st.composite
def broken_tables(draw: st.DrawFn) -> bytes:
    """A valid CSV file with a cell replaced or taken out, in the header or below."""
    data = draw(st.sampled_from([data for data in FILES if not data.startswith(b"{")]))
    rows = [line.split(",") for line in data.decode().splitlines()]
    row = draw(st.sampled_from(rows))
    at = draw(st.integers(0, len(row) - 1))
    if draw(st.booleans()):
        row[at] = draw(
            st.sampled_from(["nan", "inf", "-1", "0", "x", "", '"', "1e400", "9" * 50]) | st.text(max_size=5)
        )
    else:
        del row[at]
    return "\n".join(",".join(row) for row in rows).encode("utf-8", "replace")


@settings(max_examples=300)
@given(data=broken_objects())
def test_broken_values_never_crash_a_reader_nor_give_a_silent_zero(data: bytes):
    outcome(data)


@settings(max_examples=100)
@given(data=broken_tables())
def test_broken_tables_never_crash_a_reader_nor_give_a_silent_zero(data: bytes):
    outcome(data)


@settings(max_examples=150)
@given(data=st.sampled_from(FILES), keep=st.floats(0, 1), at=st.floats(0, 1), junk=st.binary(max_size=8))
def test_truncated_files_and_stray_bytes_never_crash_a_reader(data: bytes, keep: float, at: float, junk: bytes):
    cut = data[: int(keep * len(data))]
    outcome(cut)
    place = int(at * len(data))
    outcome(data[:place] + junk + data[place:])


@settings(max_examples=100)
@given(data=st.binary(max_size=200), name=st.sampled_from([None, "a.json", "a.csv", "a.yaml", "a.jsonl"]))
def test_random_bytes_never_crash_a_reader(data: bytes, name: str | None):
    outcome(data, name)


def test_a_large_file_of_single_requests_is_read():
    row = serving() | {
        "input_lens": [1000] * 20_000,
        "output_lens": [101] * 20_000,
        "ttfts": [0.5] * 20_000,
        "itls": [[0.5, 0.5]] * 20_000,
    }
    (run,) = read(text(row))
    assert len(run.requests.ttft_s) == 20_000
