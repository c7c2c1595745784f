"""The page Explore from the entry script, without a browser: eight answers, their controls, their commands, and never
a traceback.
"""

from __future__ import annotations

import html
import os
import random
import re
import shlex

import pytest
from click.testing import CliRunner
from streamlit.testing.v1 import AppTest

from agentcalc import catalog, documents
from agentcalc.app import calls, link
from agentcalc.app.brought import Brought
from agentcalc.app.choices import OWN
from agentcalc.app.explore import deadline, said
from agentcalc.app.explore.asked import ask, has_calls, has_tools
from agentcalc.app.explore.commands import Writing
from agentcalc.app.explore.view import PARTS, VIEWS, WITHIN_S, read, usual_others, usual_runs, write_runs
from agentcalc.app.options import ENTRY, pages_folder
from agentcalc.app.shell import BROKEN
from agentcalc.app.state import start
from agentcalc.cli.main import cli
from tests.pages import control

QUICK = {"task": "chat-turn"}
"""A task of one call: every question about it is answered in a moment."""

WAITS = b"""
name: Mostly tools
steps:
  - {kind: model_call, name: ask, input_tokens: 500, output_tokens: 200}
  - {kind: tool_wait, name: look, seconds: 71, result_tokens: 100}
"""


def visit(**query: str) -> AppTest:
    """A new visit to the page by its address."""
    app = AppTest.from_file(str(ENTRY), default_timeout=120)
    app.run()
    app.query_params.clear()
    for key, value in query.items():
        app.query_params[key] = value
    return well(app.switch_page(str(pages_folder() / "explore.py")).run())


def well(app: AppTest) -> AppTest:
    assert not app.exception, app.exception
    assert BROKEN not in text(app)
    return app


def bodies(app: AppTest) -> list[str]:
    found = [element.proto.body for element in app.get("html")]
    return [body for body in found if not body.startswith("<style")]


def plain(body: str) -> str:
    """Text without tags, with plain spaces."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", body)).replace("\u00a0", " ").split())


def text(app: AppTest) -> str:
    return " ".join(map(plain, bodies(app)))


def answer(app: AppTest) -> str:
    """The sentence."""
    body = next(body for body in bodies(app) if "ac-explore" in body)
    return plain(re.search(r"<h1.*?</h1>", body)[0])


def query(app: AppTest) -> dict[str, str]:
    return {key: value[-1] if isinstance(value, list) else value for key, value in app.query_params.items()}


def charts(app: AppTest) -> int:
    return len(app.get("arrow_vega_lite_chart")) + len(app.get("vega_lite_chart"))


def slowly(*values):
    """A case of the full test run."""
    return pytest.param(*values, marks=pytest.mark.slow)


def of_a_link(task) -> str:
    return link.pack(Brought(task=task))


def run(command: str) -> str:
    """What a command says, in one line with plain spaces."""
    words = shlex.split(command)
    assert words[0] == "agentcalc"
    found = CliRunner().invoke(cli, words[1:])
    assert found.exit_code == 0, found.output
    return " ".join(found.output.replace("\u00a0", " ").split())


# Each question opens with an answer, and a command gives the same


SENTENCES = {
    "faster": r"Calls 4× faster make a chat answer 4\.0× faster; there is no ceiling\.",
    "target": r"(Too close to call today: t|T)o finish a typical run under 0\.50 s, Jalapeño needs \d+% .*",
    "matters": r"Jalapeño writing speed matters most: 20% faster writing makes it .*",
    "two": r"Halving tokens per call .* Jalapeño writing speed.*",
    "deadline": r"In 10 s, one after the other, Jalapeño finishes .* tasks, GB300 .*; an instant model any number\.",
    "waits": r".*person waits longer than 1 s in \d+%.* of runs on Jalapeño, .* on GB300; an instant model: 0%\.",
    "agents": r"\d+ agents( \(\d+ to \d+\))? share one GB300 system of 22 chips before p95 passes 5\.0 s\.",
    "day": r"40 people × 60 runs save \d+ hours .* a day on Jalapeño; speed up a coding agent first, \d+% of it\.",
}


MORE = {"faster": {"tasks": "none"}, "two": {"across": "tokens"}, "day": {"task": "coding-agent"}}


@pytest.mark.parametrize("name", [name if name in ("target", "agents", "day") else slowly(name) for name in VIEWS])
def test_every_question_opens_with_its_answer_a_figure_and_a_command_that_says_the_same(name: str):
    parts = {"view": name, **QUICK} | MORE.get(name, {})
    app = visit(**parts)
    sentence = answer(app)
    assert re.fullmatch(SENTENCES[name], sentence), sentence
    assert charts(app) == 1
    source = next(plain(body) for body in bodies(app) if "ac-source" in body)
    assert re.search(r"[\d,]+ runs, seed 7\.", source) and "GB300" in source
    assert "See the numbers" in [box.label for box in app.expander]
    assert "could not be read" not in text(app)
    # What is unknown stands in a line of its own on the page, in brackets in the command's answer.
    unsure = re.compile(r" \([^()]* over what is unknown about the systems\)")
    assert sentence in unsure.sub("", run(app.code[0].value)) or sentence in run(app.code[0].value)


def test_the_sentence_about_faster_calls_and_the_systems_that_exist():
    app = visit()
    assert re.fullmatch(r"Calls 4× faster make a coding agent 1\.9× faster; the ceiling is 2\.[78]×\.", answer(app))
    said = text(app)
    assert re.search(r"Of the others a chat answer gains most, 4\.0×, and deep research least, 1\.\d+×\.", said)
    assert re.search(r"Calls on Jalapeño are 3\.\d× as fast as on GB300: a coding agent 1\.[89]×\.", said)
    assert query(app) == {}


def test_names_stand_in_the_colour_of_their_side():
    names = ("GB300", "GB300 with MTP")
    found = said.coloured("GB300 with MTP takes 1 s, GB300 2 s, GB300 <3> GB300s", names)
    assert found == (
        '<span class="ac-candidate">GB300 with MTP</span> takes 1 s, <span class="ac-baseline">GB300</span> 2 s, '
        "GB300 &lt;3&gt; GB300s"
    )


@pytest.mark.slow
@pytest.mark.parametrize("task", sorted(catalog.tasks()))
def test_every_packaged_task_has_an_answer_to_every_question(task: str, monkeypatch):
    monkeypatch.setattr(calls, "trials_for", lambda task: 2_000)
    for view in VIEWS:
        app = visit(view=view, task=task, tasks="none", runs=f"{task}:3")
        sentence = answer(app)
        assert sentence.endswith(".") and "nan" not in sentence.lower(), (view, sentence)
        assert charts(app) == 1 or sentence == "This task has no tools, so there is nothing to trade.", (view, sentence)


# Nothing to say, and answers that are no


def test_a_task_without_tools_has_nothing_to_trade():
    app = visit(view="two", **QUICK)
    assert answer(app) == "This task has no tools, so there is nothing to trade."
    assert "Choose another input across, such as tokens per call." in text(app)
    assert charts(app) == 0
    app = well(control(app, "explore_across").set_value("tokens").run())
    assert charts(app) == 1 and query(app)["across"] == "tokens"


def test_a_target_below_the_tools_cannot_be_reached_and_that_is_an_answer():
    task = documents.read_task(WAITS, where="waits.yaml")
    app = visit(view="target", task=OWN, target="60", x=of_a_link(task))
    assert re.fullmatch(
        r"To finish a typical run under 60 s, Jalapeño needs 1\d% less tool time: (59|60) s a run on average "
        r"instead of 71 s\.",
        answer(app),
    )
    # Not even by a quarter of the tools.
    app = visit(view="target", task=OWN, target="1", x=of_a_link(task))
    assert answer(app) == "It cannot be reached: tools alone take 71 s."
    assert charts(app) == 1


def test_a_system_without_a_curve_refuses_in_one_line_and_offers_its_matched_point():
    app = visit(view="agents", on="jalapeno", **QUICK)
    assert answer(app) == ("Jalapeño: no curve over concurrency is stated, so how many agents it carries is not known.")
    assert re.search(r"Published at a matched speed: 12,258 mixed tok/s per kW of package TDP at 169 tok/s", text(app))
    assert "such as GB300." in text(app)
    assert charts(app) == 0 and not app.code
    # Unasked, the answer is about a system that has one, and says why.
    app = visit(view="agents", **QUICK)
    assert "share one GB300" in answer(app) and "Jalapeño: no curve over concurrency" in text(app)


@pytest.mark.slow
def test_a_task_without_calls():
    task = documents.read_task(b"name: Wait\nsteps: [{kind: tool_wait, name: look, seconds: 3}]", where="w.yaml")
    assert not has_calls(task) and has_tools(task)
    said = {
        "faster": "This task makes no model calls, so there is nothing to speed up.",
        "agents": "This task makes no model calls, so any number of agents can run it.",
    }
    for name, line in said.items():
        app = visit(view=name, tasks="none", task=OWN, x=of_a_link(task))
        assert answer(app) == line
        assert charts(app) == 0
    for name in ("target", "matters", "two", "deadline", "waits", "day"):
        assert answer(visit(view=name, task=OWN, x=of_a_link(task)))


@pytest.mark.slow
def test_a_task_that_takes_no_time():
    task = documents.read_task(b"name: None\nsteps: [{kind: tool_wait, name: look, seconds: 0}]", where="w.yaml")
    for name in VIEWS:
        assert answer(visit(view=name, tasks="none", task=OWN, x=of_a_link(task)))


def test_a_task_too_long_to_play_is_one_line_with_the_controls_kept():
    task = documents.read_task(
        b"name: Endless\nsteps: [{kind: loop, name: a, times: 300000, steps: [{kind: model_call, output_tokens: 5}]}]",
        where="w.yaml",
    )
    app = visit(view="target", task=OWN, x=of_a_link(task))
    assert "too many" in text(app) or "too long" in text(app)
    assert control(app, "explore_view")


# What a reader brings and changes counts


def test_what_a_what_if_changed_counts_and_is_said():
    before, now = (visit(view="waits", **QUICK, **more) for more in ({}, {"tokens": "0.25"}))
    assert answer(before) != answer(now)
    assert "What if: tokens per call 0.25×." in text(now)


@pytest.mark.parametrize(
    "name", ["waits", *(slowly(name) for name in ("faster", "target", "matters", "deadline", "agents", "day"))]
)
def test_the_command_of_a_changed_scenario_reads_files_and_says_the_same(name: str, tmp_path, monkeypatch):
    asked = {"view": name, "speed": "2", "tokens": "0.5", **QUICK, "runs": "chat-turn:20", "on": "gb300"}
    asked["tasks"] = "none"
    app = visit(**asked)
    state, known = app.session_state["scenario"], calls.catalog_choices()
    view = read(lambda part: asked.get(part, ""), state, known)
    one = ask(state, known, view, 1_000)
    writing = Writing(one, "any").task().systems()
    writing.system(one.pair[0], "system.yaml")
    monkeypatch.chdir(tmp_path)
    for file, written in writing.done().files:
        (tmp_path / file).write_text(written, "utf-8")
    assert sorted(os.listdir(tmp_path)) == ["candidate.yaml", "task.yaml"]
    command = app.code[0].value
    assert "task.yaml" in command and ("candidate.yaml" in command or name == "agents")
    said = re.sub(r" \([^()]* over what is unknown about the systems\)", "", run(command))
    assert answer(app) in said, said


def test_a_task_of_the_readers_own_is_part_of_every_question():
    task = documents.read_task(WAITS, where="waits.yaml")
    app = visit(view="day", task=OWN, x=of_a_link(task), runs="own:5")
    assert "40 people × 5 runs" in answer(app)
    assert app.code[0].value.startswith("agentcalc portfolio task.yaml=5 --people 40")
    app = visit(task=OWN, x=of_a_link(task), tasks="none")
    assert "Mostly tools 1.0" in answer(app)


# The address


def test_a_switch_of_questions_keeps_the_scenario_in_the_address():
    app = visit(view="waits", by="slow", tools="0.5", **QUICK)
    app = well(control(app, "explore_view").set_value("day").run())
    assert query(app) == {"view": "day", "by": "slow", "tools": "0.5", "task": "chat-turn"}
    app = well(control(app, "explore_view").set_value("faster").run())
    assert query(app) == {"by": "slow", "tools": "0.5", "task": "chat-turn"}


@pytest.mark.parametrize(
    ("view", "key", "value", "part", "written"),
    [
        slowly("faster", "explore_scale", "ttft", "scale", "ttft"),
        slowly("faster", "explore_tasks", ["rag-answer"], "tasks", "rag-answer"),
        slowly("faster", "explore_tasks", [], "tasks", "none"),
        slowly("faster", "explore_by", "slow", "by", "slow"),
        ("target", "explore_target", 0.4, "target", "0.4"),
        slowly("matters", "explore_range", "own", "range", "own"),
        slowly("matters", "explore_of", "speedup", "of", "speedup"),
        slowly("matters", "explore_each", True, "each", "1"),
        slowly("two", "explore_up", "ttft", "up", "ttft"),
        ("deadline", "explore_within", ["10 s", "1 min"], "within", "10,60"),
        slowly("deadline", "explore_count", "turns", "count", "turns"),
        ("waits", "explore_kept", 0.5, "kept", "0.5"),
        slowly("waits", "explore_ends", "first", "ends", "first"),
        slowly("agents", "explore_limit", 12.5, "limit", "12.5"),
        slowly("agents", "explore_agents", 7, "agents", "7"),
        slowly("agents", "explore_on", "jalapeno", "on", "jalapeno"),
        slowly("day", "explore_people", 7, "people", "7"),
        ("day", "explore_runs_chat-turn", 5.5, "runs", "coding-agent:20,chat-turn:5.5,rag-answer:10"),
        slowly("day", "explore_day_tasks", ["chat-turn", "voice-turn"], "runs", "chat-turn:30,voice-turn:10"),
    ],
)
def test_every_control_writes_to_the_address_and_a_link_brings_it_back(view, key, value, part, written):
    more = {"across": "tokens"} if view == "two" else {"tasks": "none"} if view == "faster" and part != "tasks" else {}
    where = {} if view == "faster" else {"view": view}
    app = visit(**where, **QUICK, **more)
    assert part not in query(app)
    app = well(control(app, key).set_value(value).run())
    assert query(app) == {**QUICK, **where, **more, part: written}
    again = visit(**query(app))
    assert text(again) == text(app)
    assert control(again, key).value == value


def test_the_address_of_a_page_before_does_not_linger():
    app = visit(view="waits", kept="0.5", **QUICK)
    app.query_params.clear()
    app.query_params["task"] = "chat-turn"
    app = well(app.run())
    assert "Calls 4× faster" in answer(app)


@pytest.mark.parametrize(
    ("parts", "line"),
    [
        ({"view": "<script>"}, "Part of this link could not be read (view '<script>'). Showing Faster calls instead."),
        ({"scale": "all"}, "(scale 'all'). Showing The whole call instead."),
        ({"tasks": "rag-answer,nothing"}, "(task 'nothing'). It was left out."),
        ({"view": "waits", "kept": "1e9"}, "(kept '1e9'). Showing the usual limit instead."),
        ({"view": "waits", "kept": "nan"}, "(kept 'nan'). Showing the usual limit instead."),
        ({"view": "two", "across": "tools;rm"}, "(across 'tools;rm'). Showing the usual input instead."),
        ({"view": "two", "across": "wit"}, "(across 'wit'). Showing the usual input instead."),
        ({"view": "deadline", "within": "5,x"}, "(within '5,x'). Write seconds, such as 30,60."),
        ({"view": "agents", "on": "gb400"}, "(on 'gb400'). Showing the usual system instead."),
        ({"view": "agents", "agents": "2.5"}, "(agents '2.5'). Showing the usual number instead."),
        ({"view": "day", "people": "0"}, "(people '0'). Showing 40 instead."),
        ({"view": "day", "runs": "chat-turn:0"}, "(runs 'chat-turn:0'). It was left out."),
    ],
)
def test_a_part_that_cannot_be_read_is_one_plain_line(parts, line):
    app = visit(**QUICK, **parts)
    assert line in text(app)
    assert answer(app)


def test_both_inputs_of_a_link_the_same():
    app = visit(view="two", across="tokens", up="tokens", **QUICK)
    assert "Both inputs of this link are the same." in text(app) and charts(app) == 1


@pytest.mark.slow
def test_hostile_addresses_never_break_the_page():
    random.seed(7)
    pieces = [
        "<b>",
        "\u202e",
        "9" * 30,
        "-1",
        "nan",
        "inf",
        "1e400",
        ",",
        ":",
        "own",
        "tools",
        "\x00",
        "'",
        "..",
        "a" * 300,
    ]
    for view in VIEWS:
        parts = {part: "".join(random.choices(pieces, k=3)) for part in PARTS if part not in ("view", "tasks")}
        app = visit(**(parts | {"view": view, "tasks": "none,<b>", **QUICK}))
        assert answer(app)
        assert all("<b>" not in body for body in bodies(app))


def test_what_was_typed_as_a_time_and_is_none_is_said_once():
    app = visit(view="deadline", **QUICK)
    app = well(control(app, "explore_within").set_value(["10 s", "soon"]).run())
    assert "'soon' is not a time. Try 30 s, 2 min or 1.5 h." in text(app)
    assert query(app)["within"] == "10"
    assert "soon" not in text(well(app.run()))
    app = well(control(app, "explore_within").set_value(["10 s", "1000000 h"]).run())
    assert "'1000000 h' is out of reach." in text(app)


@pytest.mark.parametrize(("text_", "seconds"), [("10 s", 10), ("5 min", 300), ("1.5 h", 5400), ("0.25 s", 0.25)])
def test_a_time_is_written_as_it_is_read(text_: str, seconds: float):
    assert deadline.in_words(seconds) == text_
    assert deadline._seconds(text_) == seconds


def test_a_deadline_counts_what_tells_most_until_a_reader_chooses():
    said = [answer(visit(view="deadline", within="3600", **QUICK, **more)) for more in ({}, {"count": "calls"})]
    assert re.fullmatch(r"In 1 h, one after the other, Jalapeño finishes [\d,]+ .*tasks.*", said[0])
    assert re.fullmatch(r"Within 1 h, calls: [\d,]+ on Jalapeño, [\d,]+ on GB300\.", said[1])
    # A chance of success counts only where the task has one.
    assert answer(visit(view="deadline", count="success", within="3600", **QUICK)) == said[0]
    app = visit(view="deadline", task="best-of-n", count="success")
    assert "chance of success: " in answer(app)


# Pieces


def read_of(**parts: str):
    known = calls.catalog_choices()
    return read(lambda name: parts.get(name, ""), start(known), known)


def test_a_bare_address_has_the_usual_of_everything():
    view = read_of()
    assert (view.view, view.scale, view.share, view.of, view.within) == ("faster", "both", 0.2, "time", WITHIN_S)
    assert len(view.tasks) == 5 and "coding-agent" not in view.tasks
    assert view.people == 40 and sum(runs for _, runs in view.runs) == 60
    assert view.notes == ()


def test_what_is_usual_never_names_what_is_not_there():
    assert usual_others(["voice-turn", "mine"], "mine") == ("voice-turn",)
    assert usual_runs(["voice-turn", "mine"], "mine") == (("mine", 20.0),)
    assert dict(usual_runs(list(catalog.tasks()), "deep-research"))["deep-research"] == 20.0


def test_runs_are_read_as_they_are_written():
    runs = {"coding-agent": 2.5, "chat-turn": 1000.0}
    assert dict(read_of(runs=write_runs(runs)).runs) == runs


def test_as_many_runs_as_a_reader_waits_for():
    known = calls.catalog_choices()
    one = ask(start(known), known, read_of(), 40_000)
    assert one.runs(1, 10**12) == 40_000
    assert one.runs(1, 10**12, 5_000) == 5_000
    fewer = one.runs(40, 10_000_000)
    # About 20.6 steps a run, told in two digits.
    assert 10_000 <= fewer <= 13_000 and fewer % 1_000 == 0
    assert one.runs(10**6, 10_000_000) == 1_000
