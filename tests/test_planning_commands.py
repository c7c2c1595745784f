"""The commands budget, people, portfolio and speedup: formats, examples of their help, one-line errors."""

from __future__ import annotations

import csv
import io
import json

import pytest

from tests.test_cli import one_line, run

FEW = ("--trials", "300")
R1 = ("gb300/deepseek-r1", "jalapeno/deepseek-r1")
COMMANDS = {
    "budget": ("budget", "coding-agent", *FEW, "--within", "60s"),
    "people": ("people", "approvals", *FEW),
    "portfolio": ("portfolio", "coding-agent=60", "chat-turn=200", *FEW),
    "speedup": ("speedup", "coding-agent", "chat-turn", *FEW),
}
ANSWERS = {
    "budget": "Within 60 s, ",
    "people": "Of 7 waits a run, ",
    "portfolio": "260 runs save ",
    "speedup": "Calls 4× faster make a coding agent ",
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_table_leads_with_the_answer(name):
    out, err = run(*COMMANDS[name])
    title, _, answer, *rest = out.splitlines()
    assert title and answer.startswith(ANSWERS[name]) and rest and err == ""


@pytest.mark.parametrize("name", COMMANDS)
def test_the_three_other_formats_hold_the_same(name):
    data = json.loads(run(*COMMANDS[name], "--format", "json")[0])
    assert data["lines"][0].replace("\u00a0", " ").startswith(ANSWERS[name])
    rows = list(csv.DictReader(io.StringIO(run(*COMMANDS[name], "--format", "csv")[0])))
    assert len(rows) == len(data["rows"]) and list(rows[0]) == list(data["rows"][0])
    marked, _ = run(*COMMANDS[name], "--format", "markdown")
    assert marked.startswith(f"**{ANSWERS[name]}") and "\n|---" in marked.replace("| ---", "|---")


@pytest.mark.parametrize("name", COMMANDS)
def test_a_file_instead_of_the_terminal(name, tmp_path):
    target = tmp_path / "out.csv"
    out, _ = run(*COMMANDS[name], "--format", "csv", "-o", target)
    assert out == "" and target.read_text("utf-8").count("\n") > 2
    before = target.read_text("utf-8")
    _, err = run(name, "nothing=1" if name == "portfolio" else "nothing", "-o", target, code=1)
    assert "nothing" in one_line(err) and target.read_text("utf-8") == before


def test_what_has_no_end_is_null_or_empty():
    args = ("budget", "chat-turn", *FEW, "--within", "60")
    rows = json.loads(run(*args, "--format", "json")[0])["rows"]
    instant = next(row for row in rows if row["role"] == "instant")
    assert instant["tasks"] is None and instant["success"] is None and instant["done"] == 1
    rows = list(csv.DictReader(io.StringIO(run(*args, "--format", "csv")[0])))
    assert rows[-1]["role"] == "instant" and rows[-1]["tasks"] == ""


def test_times_with_and_without_units():
    rows = json.loads(run("budget", "chat-turn", *FEW, "-w", "5min", "-w", "2", "-w", "1 h", "--format", "json")[0])[
        "rows"
    ]
    assert sorted({row["within_s"] for row in rows}) == [2, 300, 3600]
    _, err = run("budget", "chat-turn", "-w", "3parsec", code=2)
    assert "'3parsec': 'parsec' is not a unit of time" in err


def test_success_from_the_deadline_or_a_curve():
    out, _ = run("budget", "best-of-n", *FEW, "-w", "5min")
    assert "Chance of success at most" in " ".join(out.split()) and "Success" in out
    curve = ("--success", "1:15.9%,250:56%", "--attempts-per-run", "4")
    out, _ = run("budget", "best-of-n", *FEW, "-w", "5min", *curve)
    assert "by the measured curve" in " ".join(out.split())


def test_the_systems_and_the_scale_are_ones_own():
    mine = ("-s", "slow:ttft=0.5s,speed=10", "-s", "quick:ttft=0.5s,speed=100")
    out, _ = run("budget", "coding-agent", *FEW, "-w", "60s", *mine)
    assert "on quick" in out
    out, _ = run("speedup", "coding-agent", *FEW, *mine, "--scale", "speed", "-k", "3", "--by", "mean")
    assert "Writing 3× faster makes a coding agent" in out and "3×" in out
    out, _ = run("people", "chat-turn", *FEW, *mine, "--streaming", "--kept", "0.4s", "-l", "2s")
    assert "waits for the first word longer than 0.4 s" in " ".join(out.split())


def test_a_portfolio_from_a_file(tmp_path):
    path = tmp_path / "team.yaml"
    path.write_text("name: A team\npeople: 40\ntasks: [{task: chat-turn, runs_per_day: 60}]\n", "utf-8")
    out, _ = run("portfolio", path, *FEW)
    assert out.startswith("A team\n") and "40 people × 60 runs save" in out
    out, _ = run("portfolio", path, *FEW, "--people", "2", "--format", "json")
    assert json.loads(out)["people"] == 2


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("budget", "coding-agent", "-w", "0"), "within: 0 s is out of reach"),
        (("budget", "coding-agent", "--success", "often"), "--success: 'often' is not a number"),
        (("budget", "nothing"), "there is no task of this name"),
        (("people", "coding-agent", "-l", "0"), "limits: 0 s is out of reach"),
        (("portfolio", "coding-agent"), "there is no such file"),
        (("portfolio", "coding-agent=x"), "'x' is not a number of runs a day"),
        (("portfolio", "chat-turn=1", "-s", R1[0]), "a portfolio takes two systems, not 1"),
        (("portfolio", "chat-turn=1", "--trials", "0"), "trials: found 0"),
        (("speedup", "chat-turn", "-k", "0.5"), "calls 0.5 times faster"),
        (("speedup", "chat-turn", "--trials", "0"), "trials: found 0"),
        (("speedup", *["chat-turn"] * 21), "give at most 20"),
    ],
)
def test_errors_are_one_line(args, says):
    _, err = run(*args, code=1)
    assert says.lower() in one_line(err).lower()


@pytest.mark.parametrize(
    "args",
    [
        ("capacity", "chat-turn", "-s", "gb200/gpt-oss-120b"),
        ("capacity", "chat-turn", "--energy"),
        ("speedup", "chat-turn"),
        ("portfolio", "chat-turn=3"),
    ],
)
@pytest.mark.parametrize("seed", ["-1", str(2**63)])
def test_a_seed_out_of_range(args, seed):
    _, err = run(*args, *FEW, "--seed", seed, code=1)
    assert f"seed: found {seed}. Use a whole number from 0 to 2^63 - 1." in one_line(err)
