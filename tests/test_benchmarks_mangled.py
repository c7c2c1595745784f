"""Files that were cut, shuffled or filled with wrong things: a reader says so in one line, or its numbers are real."""

from __future__ import annotations

import copy
import json
import math
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agentcalc.benchmarks.document import Document
from agentcalc.benchmarks.reading import FORMATS, read
from agentcalc.benchmarks.records import Measurement
from agentcalc.errors import InputError
from tests.benchmark_files import FILES

CASES = [(tool, name, data) for tool, files in FILES.items() for name, data in files]
IDS = [f"{tool} {name}" for tool, name, _ in CASES]
case = pytest.mark.parametrize(("tool", "name", "data"), CASES, ids=IDS)

HOSTILE = (
    None, True, False, 0, -0.0, -1, 1, 0.5, 1e-320, 1e308, float("nan"), float("inf"), -float("inf"), 10**400, "", "x",
    "nan", "12", "-3", "1e999", "\u0000\u202e", [], {}, [[]], {"unit": "ms"}, [None], [{}], {"avg": "x", "unit": "s"},
)  # fmt: skip
CELLS = ("", "0", "-1", "nan", "inf", "1e999", "x", '"', "1,000", "\u202e", "true", "#", "Metric")
quick = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def real(run: Measurement) -> bool:
    """Every number of a run is None or finite and above 0; what may be 0 is at least not below."""
    above = ["concurrency", "request_rate", "input_tokens", "output_tokens", "output_tok_s", "total_tok_s", "chips"]
    numbers = [getattr(run, name) for name in above]
    numbers += [value for part in (run.ttft, run.tpot, run.e2el) for value in vars(part).values()]
    requests = run.requests
    if requests is not None:
        numbers += [*requests.ttft_s, *requests.e2el_s, *requests.output_tokens, *requests.input_tokens]
    counts = [n for n in (run.context_tokens, run.completed, run.failed) if n is not None]
    return all(n is None or 0 < n < math.inf for n in numbers) and all(0 <= n < math.inf for n in counts)


def honest(data: bytes, name: str) -> None:
    try:
        runs = read(data, name)
    except InputError as error:
        said = str(error)
        assert said.startswith(name) and said.replace("\u00a0", " ").isprintable()
        return
    assert runs and all(real(run) for run in runs)


def places(value: Any, path: tuple = ()) -> list[tuple]:
    """The way to every value inside a value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path] * bool(path) + [place for key, inside in items for place in places(inside, (*path, key))]


def at(value: Any, path: tuple) -> Any:
    for key in path:
        value = value[key]
    return value


@case
def test_each_is_read_by_its_own_reader_alone(tool: str, name: str, data: bytes) -> None:
    assert {run.format for run in read(data, name)} == {tool}
    others = [r.NAME for r in FORMATS if r.matches(Document.of(data, name)) and r.NAME != "the template"]
    assert others == ([] if tool == "the template" else [tool])


@case
@quick
@given(source=st.data())
def test_wrong_values(tool: str, name: str, data: bytes, source: st.DataObject) -> None:
    if name.endswith((".csv", ".yaml")):
        lines = data.decode().split("\n")
        line = source.draw(st.integers(0, len(lines) - 1))
        cells = lines[line].split("," if name.endswith(".csv") else " ")
        cells[source.draw(st.integers(0, len(cells) - 1))] = source.draw(st.sampled_from(CELLS))
        lines[line] = ("," if name.endswith(".csv") else " ").join(cells)
        return honest("\n".join(lines).encode(), name)
    values = [json.loads(line) for line in data.split(b"\n")] if name.endswith(".jsonl") else [json.loads(data)]
    for _ in range(source.draw(st.integers(1, 4))):
        ways = places(values)
        way = source.draw(st.sampled_from(ways)) if ways else ()
        if not way:
            break
        inside, key = at(values, way[:-1]), way[-1]
        if source.draw(st.booleans()):
            inside[key] = copy.deepcopy(source.draw(st.sampled_from(HOSTILE)))
        else:
            del inside[key]
    return honest(b"\n".join(json.dumps(value).encode() for value in values), name)


@case
@quick
@given(share=st.floats(0.0, 1.0))
def test_cut_files(tool: str, name: str, data: bytes, share: float) -> None:
    honest(data[: int(share * len(data))], name)


@pytest.mark.parametrize(("tool", "name", "data"), [c for c in CASES if c[1].endswith(".json")])
def test_the_order_of_keys_does_not_matter(tool: str, name: str, data: bytes) -> None:
    def turned(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: turned(value[key]) for key in reversed(value)}
        return [turned(item) for item in value] if isinstance(value, list) else value

    assert read(json.dumps(turned(json.loads(data))).encode(), name) == read(data, name)
