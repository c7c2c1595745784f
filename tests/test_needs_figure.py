"""The figure of levers against a target: by hand, drawn at every size, and what it must not draw."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from agentcalc import catalog, documents, exports
from agentcalc.analysis.needs import levers_to_target
from agentcalc.comparison import compare
from agentcalc.figures import about, needs
from agentcalc.figures.theme import LIGHT

PAIR = ("gb300/deepseek-r1", "jalapeno/deepseek-r1")

TASK = documents.read_task(
    b"""
name: One call and a tool
steps:
  - {kind: model_call, name: ask, input_tokens: 500, output_tokens: 701}
  - {kind: tool_wait, name: look, seconds: 9}
""",
    where="task.yaml",
)


def plain(text: str) -> str:
    return text.replace("\u00a0", " ")


def found(target: float):
    """On Jalapeño, which writes 700 tok/s: 1 s of writing, 9 s of tools, and the first token."""
    specs = tuple(catalog.load_system(name) for name in PAIR)
    return levers_to_target(TASK, specs, target, trials=100), about(compare(TASK, PAIR, trials=100), (0, 1))


def test_what_each_lever_buys_by_hand():
    answer, words = found(9.5)
    figure = needs.figure(answer, words)
    table = figure.table.set_index("lever")
    now = table["now_s"].iloc[0]
    assert 10 < now < 10.5 and (table["now_s"] == now).all() and (table["under_s"] == 9.5).all()
    # Less tool time buys all it takes; 1 s of writing is left of it at most when tools stay.
    assert table.loc["tools", "status"] == "needed"
    assert table.loc["tools", "needed"] == pytest.approx(9 - (now - 9.5), abs=0.02)
    assert table.loc["tools", "reached_s"] == pytest.approx(9.5, abs=0.02)
    assert table.loc["ttft", "reached_s"] == pytest.approx(10, abs=0.02)
    assert table.loc["ttft", "status"] == "cannot be reached"
    change = table["words"].iloc[0]
    assert plain(figure.title) == f"{change[0].upper()}{change[1:]} would bring Jalapeño under 9.5 s"


def test_in_one_line_what_does_it_and_what_does_not():
    # 1 s of writing, 9 s of tools and the first token: to 8 s, only the tools reach.
    line = plain(found(8.0)[0].line)
    assert re.fullmatch(
        r"What would bring Jalapeño under 8\.0 s\? 2\d% less tool time\. Not by [^,]+ or [^,]+\.", line
    ), line
    # 0.28 s too much: of 9 s of tools, or of 1 s of writing, as fewer tokens or as 1 / 0.72 times the speed.
    assert plain(found(10.0)[0].line) == (
        "What would bring Jalapeño under 10 s? 3% less tool time, 28% fewer tokens per call or 1.4× faster writing. "
        "Not by reading less or a sooner first token."
    )
    kept = found(60.0)[0]
    assert kept.line == kept.sentence and plain(kept.line).startswith("Jalapeño already finishes")
    assert plain(found(0.001)[0].line).startswith("It cannot: ")


def test_bars_that_do_it_are_green_and_those_that_do_not_are_pale():
    answer, words = found(9.5)
    spec = json.dumps(needs.figure(answer, words).chart("app").to_dict())
    assert LIGHT.candidate in spec and LIGHT.candidate_tint in spec
    assert any(not needs.does(solution) for solution in answer.solutions)
    assert sum(needs.does(solution) for solution in answer.solutions) == len(answer.answers)


def test_out_of_reach_and_kept_already():
    answer, words = found(5.0)
    figure = needs.figure(answer, words)
    # Tools can go; nothing else gets below 9 s.
    assert [needs.does(s) for s in answer.solutions if s.lever.id != "tools"] == [False] * (len(answer.solutions) - 1)
    assert "Jalapeño under 5.0 s" in plain(figure.title)
    answer, words = found(20.0)
    figure = needs.figure(answer, words)
    assert plain(figure.title) == "Jalapeño already finishes a typical run in 10 s"
    assert (figure.table["reached_s"] == figure.table["now_s"]).all()


@pytest.mark.parametrize("size", ["full", "half", "square", "4:3"])
def test_it_is_drawn_at_every_size(size: str):
    answer, words = found(9.5)
    figure = needs.figure(answer, words)
    drawn = exports.svg(figure, size, dark=size == "half")
    assert "target" in drawn and "Jalape" in drawn
    assert figure.alt_text.startswith(figure.title)


def test_nothing_to_draw_is_refused():
    answer, words = found(9.5)
    with pytest.raises(ValueError, match="no lever"):
        needs.figure(replace(answer, solutions=()), words)
