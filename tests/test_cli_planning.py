"""agentcalc solve, sensitivity and sweep."""

from __future__ import annotations

import csv
import io
import json

import pytest
from click.testing import CliRunner

from agentcalc.cli.main import cli

FEW = ("--trials", "200")
S = ("-s", "jalapeno/deepseek-r1")
TASK = """
name: chain
steps:
  - {kind: model_call, name: act, output_tokens: 401}
  - {kind: tool_wait, name: run, seconds: 5}
  - {kind: tool_wait, name: test, seconds: 2}
"""


@pytest.fixture
def chain(tmp_path):
    path = tmp_path / "chain.yaml"
    path.write_text(TASK)
    return str(path)


A, B = ("-s", "a:ttft=1s,speed=100"), ("-s", "b:ttft=2s,speed=200")


def run(*args, code=0):
    found = CliRunner().invoke(cli, [str(arg) for arg in args])
    assert found.exit_code == code, (found.output, found.exception)
    return found.stdout.replace("\u00a0", " "), found.stderr.replace("\u00a0", " ")


def flat(text):
    return " ".join(text.split())


def test_solve_one_lever(chain):
    out, err = run("solve", chain, *A, "--lever", "tools", "--under", "10s", *FEW)
    assert flat(out) == (
        "To finish a typical run under 10 s, a needs 29% less tool time: 5.0 s a run on average instead of 7.0 s."
    )
    assert err == ""
    out, _ = run("solve", chain, *A, "--lever", "speed", "--under", "6 s", *FEW)
    assert flat(out) == "It cannot be reached: tools alone take 7.0 s."


def test_solve_takes_a_share_of_runs(chain):
    out, _ = run("solve", chain, *A, "-l", "tools", "--under", "10", "--by", "95%", *FEW)
    assert out.startswith("To finish 95% of runs under 10 s")
    out, _ = run("solve", chain, *A, "-l", "tools", "--under", "10", "--by", "average", *FEW)
    assert out.startswith("To finish an average run under 10 s")


def test_solve_all_levers(chain):
    out, _ = run("solve", chain, *A, *FEW)
    assert out.startswith("What would bring a under 8.0 s?\n")
    rows = [line for line in out.splitlines() if line.startswith(("tools", "tokens", "speed", "ttft"))]
    assert rows[0].split()[0] == "tools" and rows[-1].startswith("ttft") and "not by a sooner first token" in rows[-1]
    assert all(len(line) <= 80 for line in out.splitlines())


def test_solve_without_systems_asks_about_a_packaged_pair():
    out, _ = run("solve", "coding-agent", *FEW)
    assert out.startswith("What would bring Jalapeño under ")
    out, _ = run("solve", "coding-agent", "--match", *FEW)
    assert out.startswith("GB300 would match Jalapeño at about ")


def test_solve_a_speed_up(chain):
    out, _ = run("solve", chain, *A, *B, "--lever", "tokens", "--speedup", "1", "--by", "mean", *FEW)
    assert flat(out).startswith("b is already") or "at least 1.00× faster than a" in out


def test_solve_formats(chain, tmp_path):
    out, _ = run("solve", chain, *A, "--under", "10s", "--format", "json", *FEW)
    found = json.loads(out)
    assert found["task"]["name"] == "chain" and found["systems"] == ["a"] and found["trials"] == 200
    tools = next(row for row in found["solutions"] if row["lever"] == "tools")
    assert tools["value"] == pytest.approx(5, abs=0.03) and tools["status"] == "needed"
    assert found["answer"] == found["solutions"][0]["sentence"]
    out, _ = run("solve", chain, *A, "--under", "10s", "--format", "csv", *FEW)
    assert [row["lever"] for row in csv.DictReader(io.StringIO(out))] == [row["lever"] for row in found["solutions"]]
    file = tmp_path / "found.md"
    out, _ = run("solve", chain, *A, "--under", "10s", "--format", "markdown", "-o", file, *FEW)
    assert out == "" and file.read_text().startswith("| lever | title |")


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("--lever", "tokns"), "Did you mean 'tokens'"),
        (("--by", "p100"), "by: found 'p100'."),
        (("--baseline", "gb300/deepseek-r1"), "Add --system"),
        ((*S, *S, *S), "systems: 3 systems."),
        ((*S, "--match"), "there is no baseline"),
        (("--trials", "0"), "trials: found 0."),
        (("-o", "x.png"), "a solution is written as text"),
        ((*S, "-l", "tools", "--speedup", "2"), "a speed-up needs two systems"),
    ],
)
def test_solve_says_in_one_line_what_is_wrong(args, says):
    out, err = run("solve", "coding-agent", *args, code=1)
    assert out == "" and err.count("\n") == 1 and says in err


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("--under", "soon"), "'soon': not a time"),
        (("--under", "5s", "--match"), "give one of"),
        (("--speedup", "2"), "needs --lever"),
        (("--match", "-l", "tools"), "leave --lever out"),
    ],
)
def test_wrong_usage(args, says):
    assert says in run("solve", "coding-agent", *args, code=2)[1]


@pytest.mark.parametrize("under", ["-3", "0", "nan", "1e-99s", "1e12"])
def test_a_time_out_of_reach_is_one_line(under):
    for command in (("solve",), ("sweep", "--x", "tools", "--y", "speed"), ("capacity", "-s", "gb200/gpt-oss-120b")):
        name, *rest = command
        err = run(name, "coding-agent", *rest, "--under", under, code=1)[1]
        assert err.startswith("under: found ") and err.count("\n") <= 1 and len(err) < 100


def test_sensitivity(chain):
    out, _ = run("sensitivity", chain, *A, "--by", "mean", *FEW)
    assert out.startswith("Tool time matters most: 20% less tool time saves 1.40 s.")
    assert "\nTool time" in out and "No difference" not in out
    out, _ = run("sensitivity", chain, *A, "--steps", "--range", "50%", "--format", "csv", *FEW)
    rows = {row["input"]: row for row in csv.DictReader(io.StringIO(out))}
    assert float(rows["run:tools"]["span"]) == pytest.approx(5) and "test:tools" in rows
    out, _ = run("sensitivity", chain, *A, *B, "--of", "speedup", "--format", "json", *FEW)
    found = json.loads(out)
    assert found["now"] == pytest.approx(12 / 11) and found["interactions"] and found["inputs"][0]["of"] == "speedup"
    out, _ = run("sensitivity", chain, *A, "--range", "own", "--format", "markdown", *FEW)
    assert out == "\n"


def test_changes(chain):
    out, _ = run("sensitivity", chain, *A, "--changes", *FEW)
    assert out.startswith("An average run takes 12 s on a. Each change by itself:")
    assert "run run and test at the same time" in out and "−2.0 s" in out and "if test must not need" in out
    out, _ = run("sensitivity", chain, *A, "--changes", "--format", "json", *FEW)
    found = json.loads(out)
    assert found["changes"][0]["change"] == "tools=0.5" and found["changes"][0]["saved_s"] == pytest.approx(3.5)


@pytest.mark.parametrize("reach", ["0%", "100%", "2"])
def test_sensitivity_of_no_range(chain, reach):
    assert "a share between 0% and 100%, or own" in run("sensitivity", chain, *A, "--range", reach, code=1)[1]


def test_a_range_in_words_is_wrong_usage(chain):
    assert "is not a share" in run("sensitivity", chain, *A, "--range", "much", code=2)[1]


def test_sweep(chain):
    out, _ = run("sweep", chain, *A, "--x", "tools", "--y", "speed", *FEW)
    assert flat(out).startswith(
        "Halving tool time helps more than doubling a writing speed until tool time falls below"
    )
    assert "[12 s]" in out and "7.5 s*" not in out.split("[12 s]")[1].splitlines()[0]
    out, _ = run("sweep", chain, *A, *B, "--x", "tools", "--y", "tokens", "--of", "speedup", "--points", "3", "3", *FEW)
    assert "[1.09×]" in out and "? too close to call" in flat(out)
    out, _ = run("sweep", chain, *A, "--x", "tools", "--y", "speed", "--under", "9s", "--format", "csv", *FEW)
    rows = list(csv.DictReader(io.StringIO(out)))
    assert len(rows) == 99 and sum(row["today"] == "True" for row in rows) == 1
    assert {row["under"] for row in rows} == {"True", "False"}
    out, _ = run("sweep", chain, *A, "--x", "tools", "--y", "speed", "--format", "json", *FEW)
    found = json.loads(out)
    assert found["x"] == {"lever": "tools", "title": "Tool time", "unit": "s"} and len(found["cells"]) == 99
    assert found["target_s"] == 8


def test_different_models_are_noted():
    pair = ("-s", "gb300/deepseek-r1", "-s", "jalapeno/kimi-k2.5", "--trials", "20")
    for args in (("solve", "chat-turn", "-l", "tokens", "--under", "9s"), ("sensitivity", "chat-turn")):
        assert "These are different models" in run(*args, *pair)[0]
        assert "different models" not in run(*args, *S, "--trials", "20")[0]


def test_a_deployment_is_a_system():
    pair = "main=gb300/deepseek-r1,router=jalapeno/deepseek-r1"
    out, _ = run("solve", "chat-turn", "-s", pair, "-l", "speed@main", "--under", "1s", *FEW)
    assert "faster writing on GB300 (main)" in flat(out)


def test_sweep_needs_two_levers(chain):
    assert "Missing option '--y'" in run("sweep", chain, "--x", "tools", code=2)[1]
    assert "both axes move the same input" in run("sweep", chain, *A, "--x", "tools", "--y", "tools", code=1)[1]
    assert "a speed-up needs two systems" in run(
        "sweep", chain, *A, "--x", "tools", "--y", "speed", "--of", "speedup", code=1
    )[1]  # fmt: skip


def test_break_evens_of_length_tool_time_and_steps_by_hand(tmp_path):
    # 1 + 0.005 (n - 1) = 0.5 + 0.01 (n - 1) at n = 101; (1.25 + x) / (1 + x) = 1.1 at x = 1.5 s
    steps = "[{kind: model_call, output_tokens: 51}, {kind: tool_wait, seconds: 2}]"
    (tmp_path / "t.yaml").write_text(f"name: t\nsteps: {steps}\n")
    pair = ("-s", "a:ttft=1s,tpot=5ms", "-s", "b:ttft=0.5s,tpot=10ms")
    made = CliRunner().invoke(cli, ["solve", str(tmp_path / "t.yaml"), *pair, "--break-even", "--format", "json"])
    assert made.exit_code == 0, made.output
    found = {row["lever"]: row["value"] for row in json.loads(made.stdout)["solutions"]}
    assert found == {"tokens": pytest.approx(101, abs=1), "tools": pytest.approx(1.5, rel=1e-3)}
    alone = CliRunner().invoke(cli, ["solve", str(tmp_path / "t.yaml"), "-s", "a:ttft=1s,tpot=5ms", "--break-even"])
    assert alone.exit_code == 1 and "nothing to break even with" in alone.stderr
    twice = CliRunner().invoke(cli, ["solve", "coding-agent", "--lever", "tools", "--lever", "speed"])
    assert twice.exit_code == 2 and "give one --lever" in twice.stderr
