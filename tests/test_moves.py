"""A what-if as moves of levers: how they are written, what they change, and what is refused."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from agentcalc import catalog
from agentcalc.analysis.levers import find_lever
from agentcalc.analysis.moves import Move, moved, moves_line, read_move
from agentcalc.cli.main import cli
from agentcalc.errors import InputError, NotFoundError
from agentcalc.task import Task

PAIR = tuple(catalog.systems()[name] for name in ("gb300/deepseek-r1", "jalapeno/deepseek-r1"))
CODING = catalog.tasks()["coding-agent"]
TWO = ("-s", PAIR[0].id, "-s", PAIR[1].id)


def run(*words: str):
    return CliRunner().invoke(cli, list(words))


@pytest.mark.parametrize(
    ("text", "lever", "value", "factor"),
    [
        ("tools=0.5x", "tools", 0.5, True),
        (" tools = 2 × ", "tools", 2.0, True),
        ("act:tokens=.25x", "act:tokens", 0.25, True),
        ("cached=50%", "cached", 0.5, False),
        ("cached=0.5", "cached", 0.5, False),
        ("baseline.concurrency=16", "baseline.concurrency", 16.0, False),
        ("a=b:tools=3x", "a=b:tools", 3.0, True),
    ],
)
def test_how_a_move_is_written(text, lever, value, factor):
    move = read_move(text)
    assert move == Move(lever, value, factor)
    assert read_move(move.written) == move


@pytest.mark.parametrize(
    "text", ["", "tools", "tools=", "=2x", "tools=fast", "tools=-1x", "tools=1e3x", "tools=2xx", "\x1b[2J"]
)
def test_what_is_no_move_is_told_in_a_line(text):
    with pytest.raises(InputError, match=r"--set: found .*LEVER=0\.5x") as caught:
        read_move(text)
    assert "\n" not in str(caught.value) and "\x1b" not in str(caught.value)


def test_moves_by_hand():
    task = Task.model_validate(
        {
            "name": "t", "context_tokens": 1000, "cached_tokens": 800, "cache": {"lifetime_s": 60},
            "steps": [
                {"kind": "model_call", "name": "act", "output_tokens": 100},
                {"kind": "tool_wait", "name": "run", "seconds": 4},
            ],
        }
    )  # fmt: skip
    written = ("cached=25%", "context=2x", "tools=0.5x", "tokens=3x", "lifetime=0.5x", "speed=2x", "baseline.ttft=4x")
    case = moved(task, PAIR, map(read_move, written))
    call, tool = case.task.steps
    assert (call.output_tokens.fixed, tool.seconds.fixed, case.task.cache.lifetime_s) == (300, 2, 30)
    # A share of the context that was set, whatever is written first.
    assert (case.task.context_tokens, case.task.cached_tokens) == (2000, 500)
    assert case.specs[1].point.tpot.seconds() == pytest.approx(PAIR[1].point.tpot.seconds() / 2)
    assert case.specs[0].point.ttft.seconds() == pytest.approx(PAIR[0].point.ttft.seconds() * 4)
    assert case.specs[1].point.ttft == PAIR[1].point.ttft and case.specs[0].point.tpot == PAIR[0].point.tpot
    line = moves_line(task, PAIR, map(read_move, ("tools=0.5x", "cached=25%", "speed=2x")))
    assert line == "Changed: tool time 0.5×, cached share 25%, Jalapeño writing speed 2×."


def test_nothing_moved_is_the_same_and_a_third_system_stays():
    assert moved(CODING, PAIR, ()) == (CODING, PAIR) and moves_line(CODING, PAIR, ()) == ""
    third = catalog.systems()["gb300-mtp/deepseek-r1"]
    case = moved(CODING, (*PAIR, third), [read_move("speed=2x")])
    assert case.task is CODING and (case.specs[0], case.specs[2]) == (PAIR[0], third) and case.specs[1] != PAIR[1]
    alone = moved(CODING, PAIR[:1], [read_move("speed=2x")]).specs
    assert len(alone) == 1 and alone[0].point.tpot.seconds() == pytest.approx(PAIR[0].point.tpot.seconds() / 2)
    twice = moved(CODING, (PAIR[0], PAIR[0]), [read_move("speed=2x")]).specs
    assert [spec.id for spec in twice] == ["gb300/deepseek-r1", "gb300/deepseek-r1.changed"]


def test_a_lever_is_that_of_the_planning_commands():
    lever = find_lever(CODING, PAIR, "tools")
    assert moved(CODING, PAIR, [read_move("tools=0.5x")]) == lever.apply(CODING, PAIR, 0.5)


@pytest.mark.parametrize(
    ("texts", "kind", "said"),
    [
        (["tools=0.5"], InputError, r"--set tools: found 0.5\. Write a factor, such as tools=0.5x"),
        (["cached=2x"], InputError, r"--set cached: found 2x\. Write a value, such as cached=1"),
        (["cached=150%"], InputError, r"--set cached: found 150%\. It goes from 0% to 100%"),
        (["steps=9x"], InputError, r"--set steps: found 9x\. It goes from 0x to 4x"),
        (["tools=2x", "tools=3x"], InputError, "tools is moved twice"),
        (["\x1b[2J=2x"], NotFoundError, r"lever '\?\[2J'"),
        (["toools=2x"], NotFoundError, "Did you mean 'tools'"),
        (["concurrency=4"], NotFoundError, "no curve over concurrency"),
    ],
)
def test_what_cannot_be_moved_is_refused(texts, kind, said):
    with pytest.raises(kind, match=said):
        moved(CODING, PAIR, map(read_move, texts))


def test_an_operating_point_and_its_numbers_are_one_input():
    curve = catalog.systems()["gb200/gpt-oss-120b"]
    loads = find_lever(CODING, [curve], "concurrency").whole
    with pytest.raises(InputError, match="are one input"):
        moved(CODING, [curve], map(read_move, (f"concurrency={loads[0]:g}", "speed=2x")))
    case = moved(CODING, [curve], [read_move(f"concurrency={loads[-1]:g}")])
    assert case.specs[0].point.concurrency == loads[-1]


def test_compare_says_what_was_changed_in_every_format():
    words = ["compare", "coding-agent", *TWO, "--trials", "200", "--set", "tools=0.5x", "--set", "speed=2x"]
    line = "Changed: tool time 0.5×, Jalapeño writing speed 2×."
    assert run(*words).output.startswith(line)
    assert run(*words, "--format", "markdown").output.startswith(line)
    assert json.loads(run(*words, "--format", "json").output)["changed"] == ["tools=0.5x", "speed=2x"]
    head, *rows = run(*words, "--format", "csv").output.splitlines()
    assert head.endswith(",changed") and len(rows) == 2 and all(row.endswith(",tools=0.5x speed=2x") for row in rows)
    plain = ["compare", "coding-agent", *TWO, "--trials", "200"]
    assert "changed" not in json.loads(run(*plain, "--format", "json").output)
    assert "changed" not in run(*plain, "--format", "csv").output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("compare", "coding-agent", "--set", "tools=0.5"), "write a factor, such as tools=0.5x"),
        (("figure", "coding-agent", "-o", "x.png", "--set", "nothing=2x"), "has no such lever"),
        (("race", "chat-turn", "-o", "x.html", "--set", "tools=2x"), "has no such lever"),
        (("deck", "chat-turn", "-o", "x.pptx", "--set", "tokens"), "found 'tokens'"),
    ],
)
def test_commands_refuse_in_one_line(words, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run(*words)
    assert done.exit_code == 1 and said.lower() in done.output.lower() and len(done.output.strip().splitlines()) == 1
    assert not list(tmp_path.iterdir())


def test_a_race_and_a_deck_of_a_what_if(tmp_path):
    for name, words in (("r.html", ("race",)), ("d.pptx", ("deck",))):
        changed, plain = tmp_path / name, tmp_path / f"plain-{name}"
        base = [*words, "chat-turn", *TWO, "--trials", "200", "--trial", "1"]
        assert run(*base, "-o", str(changed), "--set", "tokens=2x").exit_code == 0
        assert run(*base, "-o", str(plain)).exit_code == 0
        assert changed.read_bytes() != plain.read_bytes()
