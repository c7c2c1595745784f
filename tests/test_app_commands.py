"""Commands and cards that come from what is on screen. No Streamlit server."""

from __future__ import annotations

import shlex

from click.testing import CliRunner
from test_app_state import KNOWN

from agentcalc import catalog
from agentcalc.analysis.needs import levers_to_target, to_match
from agentcalc.app import needs_cards
from agentcalc.app.choices import OWN
from agentcalc.app.commands import figure_command, system_names
from agentcalc.app.state import from_query
from agentcalc.cli.main import cli

PAIR = [catalog.systems()[name] for name in ("gb300/deepseek-r1", "jalapeno/deepseek-r1")]


def state(**query: str):
    return from_query(query, KNOWN, 40_000)[0]


def test_the_command_draws_the_figure_again(tmp_path):
    title = "Half the wait, it's $5 <b>"
    line = figure_command(state(task="chat-turn"), "components", 3, 500, 7, "half", True, title)
    words = shlex.split(line)
    assert words[:2] == ["agentcalc", "figure"] and words[-1] == "components.png"
    out = tmp_path / "figure.svg"
    done = CliRunner().invoke(cli, [*words[1:-1], str(out)])
    assert done.exit_code == 0, done.output
    drawn = out.read_text("utf-8")
    assert "#12171E" in drawn.upper() and 'width="640"' in drawn and "Half the wait" in drawn


def test_what_no_command_can_name_stands_for_a_file_and_a_what_if_has_none():
    own = state().model_copy(update={"task": OWN, "candidate": "mine", "more": ("gb300-mtp",)})
    assert system_names(own) == ["gb300/deepseek-r1", "YOUR-SYSTEM.yaml", "gb300-mtp/deepseek-r1"]
    line = figure_command(own, "timeline", 0, 100, 7, "full", False, None)
    assert line == (
        "agentcalc figure YOUR-TASK.yaml --system gb300/deepseek-r1 --system YOUR-SYSTEM.yaml "
        "--system gb300-mtp/deepseek-r1 --kind timeline --trial 0 --trials 100 --seed 7 -o timeline.png"
    )
    assert figure_command(state(tools="0.5"), "timeline", 0, 100, 7, "full", False, None) is None


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
