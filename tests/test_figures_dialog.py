"""The Figures dialog: kinds that the page does not show, and the command that draws the same."""

from __future__ import annotations

import base64
import re
import shlex

import pytest
from click.testing import CliRunner

from agentcalc.app import figures_dialog
from agentcalc.cli.main import cli
from agentcalc.figures.kinds import NAMES
from tests.pages import press, visit

WANTED = {"size": "half", "scheme": "Dark", "scale": 3}


def opened(kind: str, assumptions: bool):
    app = visit("compare", task="chat-turn")
    app.session_state[figures_dialog._WANTED] = WANTED | {"kind": kind, "assumptions": assumptions}
    return press(app, "figures")


def preview(app) -> str:
    """The large picture, the last one of the dialog."""
    shown = re.findall(r'src="data:image/svg\+xml;base64,([^"]+)', " ".join(e.proto.body for e in app.get("html")))
    return base64.b64decode(shown[-1]).decode()


@pytest.mark.parametrize(
    ("kind", "assumptions"),
    [
        ("histogram", True),
        *(pytest.param(kind, False, marks=pytest.mark.slow) for kind in ("components", *figures_dialog.MORE[1:])),
    ],
)
def test_the_command_draws_what_the_dialog_shows(kind, assumptions, tmp_path):
    app = opened(kind, assumptions)
    command = app.code[-1].value
    assert ("--assumptions" in command) is assumptions and "--dark" in command and "--scale 3" in command
    out = tmp_path / "f.svg"
    done = CliRunner().invoke(cli, [*shlex.split(command)[1:-1], str(out)])
    assert done.exit_code == 0, done.output
    assert out.read_text("utf-8") == f"{preview(app)}\n"


def test_what_is_set_on_the_figure_is_drawn_remembered_and_in_the_command(tmp_path):
    app = opened("distribution", False)
    for control, key, value in (
        ("button_group", "x_scale", "linear"),
        ("text_input", "x_limits", "0:9"),
        ("color_picker", "colour-Jalapeño-True", "#ff80c0"),
    ):
        # A run of the whole page closes the dialog; what was set is there when it opens again.
        getattr(app, control)(key=f"style-distribution-{key}").set_value(value).run()
        press(app, "figures")
    command = app.code[-1].value
    for word in ("--x-scale=linear", "--x-limits=0:9", "Jalapeño=#FF80C0"):
        assert word in command
    out = tmp_path / "f.svg"
    done = CliRunner().invoke(cli, [*shlex.split(command)[1:-1], str(out)])
    assert done.exit_code == 0, done.output
    assert out.read_text("utf-8") == f"{preview(app)}\n" and "#FF80C0" in preview(app)
    # Another figure has its own; this one keeps what was set.
    for kind, there in (("timeline", False), ("distribution", True)):
        press(press(app, f"choose-{kind}"), "figures")
        assert ("--x-scale=linear" in app.code[-1].value) is there
    # What cannot be is said in one line, and the figure stays as it was.
    app.text_input(key="style-distribution-x_limits").set_value("9:1").run()
    press(app, "figures")
    said = [e.proto.body for e in app.get("html") if "leaves nothing" in e.proto.body]
    assert len(said) == 1 and "--x-" not in app.code[-1].value


def test_every_kind_of_the_dialog_is_one_of_the_table():
    assert set(figures_dialog.MORE) <= set(NAMES)


QUICK = "rag-answer"


@pytest.mark.parametrize(
    ("view", "task"),
    [
        ("waits", QUICK),
        *(
            pytest.param(view, task, marks=pytest.mark.slow)
            for view, task in (("matters", QUICK), ("target", QUICK), ("two", "coding-agent"))
        ),
    ],
)
def test_the_command_draws_what_explore_shows(view, task, tmp_path):
    app = press(visit("explore", task=task, view=view), "explore_figure_button")
    out = tmp_path / "f.svg"
    done = CliRunner().invoke(cli, [*shlex.split(app.code[-1].value)[1:-1], str(out)])
    assert done.exit_code == 0, done.output
    assert out.read_text("utf-8") == f"{preview(app)}\n"


def test_no_command_is_given_where_it_would_draw_another_figure():
    for query in ({"view": "waits", "kept": "3"}, {"view": "waits", "tools": "0.5"}):
        app = press(visit("explore", task=QUICK, **query), "explore_figure_button")
        assert not any(code.value.startswith("agentcalc figure") for code in app.code)
