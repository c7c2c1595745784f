"""Commands and cards that come from what is on screen. No Streamlit server."""

from __future__ import annotations

import json
import shlex

import pytest
from click.testing import CliRunner
from test_app_state import KNOWN

from agentcalc import catalog, exports
from agentcalc.analysis.needs import levers_to_target, to_match
from agentcalc.app import needs_cards, scenario
from agentcalc.app.calls import trials_for
from agentcalc.app.choices import OWN
from agentcalc.app.commands import Drawn, compare_command, figure_command, system_names
from agentcalc.app.state import from_query
from agentcalc.cli.main import cli
from agentcalc.cli.output import as_json
from agentcalc.comparison import compare
from agentcalc.figures.several import figures_for

PAIR = [catalog.systems()[name] for name in ("gb300/deepseek-r1", "jalapeno/deepseek-r1")]


def state(**query: str):
    return from_query(query, KNOWN, 40_000)[0]


def test_the_command_draws_the_figure_again(tmp_path):
    title = "Half the wait, it's $5 <b>"
    line = figure_command(
        state(task="chat-turn"), (), Drawn("components", 3, 500, 7, size="half", dark=True, title=title)
    )
    words = shlex.split(line)
    assert words[:2] == ["agentcalc", "figure"] and words[-1] == "components.png"
    out = tmp_path / "figure.svg"
    done = CliRunner().invoke(cli, [*words[1:-1], str(out)])
    assert done.exit_code == 0, done.output
    drawn = out.read_text("utf-8")
    assert "#12171E" in drawn.upper() and 'width="640"' in drawn and "Half the wait" in drawn


def test_what_no_command_can_name_stands_for_a_file():
    own = state().model_copy(update={"task": OWN, "candidate": "mine", "more": ("gb300-mtp",)})
    assert system_names(own) == ["gb300/deepseek-r1", "YOUR-SYSTEM.yaml", "gb300-mtp/deepseek-r1"]
    line = figure_command(own, (), Drawn("timeline", 0, 100, 7))
    assert line == (
        "agentcalc figure YOUR-TASK.yaml --system gb300/deepseek-r1 --system YOUR-SYSTEM.yaml "
        "--system gb300-mtp/deepseek-r1 --kind timeline --trial 0 --trials 100 --seed 7 -o timeline.png"
    )


EVERYTHING = {
    "steps": "0.5", "tokens": "2", "tools": "0.35", "speed": "1.7", "first": "0.25", "context": "4", "cached": "0.25",
    "lifetime": "0.5",
}  # fmt: skip


@pytest.mark.parametrize("what_if", [{}, {"tools": "0.5"}, EVERYTHING])
@pytest.mark.parametrize("pair", [{}, {"baseline": "gb300-mtp", "candidate": "gb300-mtp", "more": "jalapeno"}])
def test_commands_give_the_numbers_of_a_what_if(what_if, pair, tmp_path):
    now = state(**what_if, **pair, task="sub-agents-cache")
    moves = scenario.moves_of(now, KNOWN)
    assert {move.lever for move in moves} == {{"first": "ttft"}.get(name, name) for name in what_if}
    task, systems = scenario.task_of(now, KNOWN), scenario.systems_of(now, KNOWN)
    if systems[0] == systems[1]:
        return  # both sides are one system: there is nothing to compare
    found = compare(task, systems, trials=500)
    done = CliRunner().invoke(cli, [*shlex.split(compare_command(now, moves, 500, 7))[1:], "--format", "json"])
    assert done.exit_code == 0, done.output
    said = json.loads(done.output)
    assert said.pop("changed", []) == [move.written for move in moves]
    assert said == json.loads(as_json(found.to_dict()))
    figure = figures_for(found, 3)["components"]
    words = shlex.split(figure_command(now, moves, Drawn("components", 3, 500, 7)))
    out = tmp_path / "f.csv"
    done = CliRunner().invoke(cli, [*words[1:-1], str(out)])
    assert done.exit_code == 0, done.output
    assert out.read_text("utf-8") == exports.csv(figure)


def test_a_factor_without_a_lever_changes_nothing():
    now = state(task="benchmark-call", tools="0.5", lifetime="2", cached="0.5", tokens="2")
    assert [move.written for move in scenario.moves_of(now, KNOWN)] == ["tokens=2x"]
    plain = scenario.task_of(state(task="benchmark-call", tokens="2"), KNOWN)
    assert scenario.task_of(now, KNOWN) == plain and trials_for(plain) > 0


def test_a_card_a_lever_and_one_for_the_baseline():
    task = catalog.tasks()["coding-agent"]
    needs = levers_to_target(task, PAIR, 25.0, trials=2_000, bands=False)
    match = to_match(task, PAIR, trials=2_000, bands=False)[0]
    said = needs_cards.cards(needs, match).replace("\u00a0", " ")
    assert said.count('class="ac-need"') == len(needs.solutions) + 1
    assert "less tool time</b><span>61 s → 42 s a run on average</span>" in said
    assert "not by faster writing</b><span>it would take about 6,000 tok/s</span>" in said
    assert "not by a sooner first token</b></div>" in said
    assert "GB300 would match Jalapeño at about" in said
    assert "<b>" in said and "<script" not in needs_cards.cards(
        levers_to_target(task, [s.model_copy(update={"label": "<script>"}) for s in PAIR[1:]], 25.0, trials=500), None
    )
