"""agentcalc capacity: agents that share a system, energy and price of a task, refusals."""

from __future__ import annotations

import csv
import io
import json

import pytest
from test_cli_planning import flat, run

TASK = """
name: chain
steps:
  - {kind: model_call, name: act, input_tokens: 1000, output_tokens: 101}
  - {kind: tool_wait, name: run, seconds: 6}
"""


def point(concurrency: int) -> str:
    return f"""
  - concurrency: {concurrency}
    chips: 8
    ttft: {{value: 1, unit: s, grade: measured, source: typed-in-place}}
    ttft_at_tokens: 1000
    tpot: {{value: 10, unit: ms, grade: measured, source: typed-in-place}}
    throughput: {{value: 1200, unit: tok/s/chip, grade: measured, source: typed-in-place}}"""


# A call takes 1 s + 100 x 10 ms = 2 s at any load.
SYSTEM = f"""
id: mine/model
label: Mine
accelerator: GB200
headline: An example.
fixed_share: {{value: 0.5, unit: share, grade: measured, source: typed-in-place}}
points:{point(1)}{point(4)}
"""
FEW = ("--trials", "20")


@pytest.fixture
def chain(tmp_path):
    path = tmp_path / "chain.yaml"
    path.write_text(TASK)
    return str(path)


@pytest.fixture
def mine(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text(SYSTEM)
    return str(path)


def test_agents_in_words_and_a_table(chain, mine):
    out, err = run("capacity", chain, "-s", mine, "--agents", 1, "--agents", 200, *FEW)
    text = flat(out)
    assert err == ""
    assert "200 agents: 7,200 tasks an hour, 900 per chip, 750 per kW of package TDP." in text
    assert "waits for tools and people cost it nothing" in text
    assert "A task then costs USD 0.0021 (hyperscaler) to USD 0.0029 (rental)." in text
    assert "Rests on: Mine, derived." in text
    rows = [line.split() for line in out.splitlines()]
    assert ["1", "8.0", "s", "8.0", "s", "8.0", "s", "0.2", "0", "450", "47", "6%", "below", "measured"] in rows
    assert any(row[:1] == ["200"] and row[-2:] == ["calls", "wait"] for row in rows)


def test_the_most_agents_under_a_time(chain, mine):
    out, _ = run("capacity", chain, "-s", mine, "--under", "9s", *FEW)
    assert "agents share one Mine system of 8 chips before p95 passes 9.0 s." in flat(out)
    out, _ = run("capacity", chain, "-s", mine, "--under", "7s", "--by", "mean", "--agents", 1, *FEW)
    assert "Not even one agent: alone an average run takes 8.0 s on Mine, and the limit is 7.0 s." in flat(out)


def test_json_and_csv_carry_every_number(chain, mine):
    out, _ = run("capacity", chain, "-s", mine, "-n", 1, "--under", "9s", "--format", "json", *FEW)
    data = json.loads(out)
    [system] = data["systems"]
    assert data["task"]["name"] == "chain" and data["trials"] == 20
    assert (system["chips"], system["power_kw"], system["loads"], system["grade"]) == (8, 9.6, [1, 4], "derived")
    assert system["most"]["limit_s"] == 9 and system["most"]["alone_s"] == pytest.approx(8)
    [row] = data["rows"]
    assert (row["agents"], row["per_hour"], row["per_hour_kw"]) == (1, pytest.approx(450), pytest.approx(450 / 9.6))
    out, _ = run("capacity", chain, "-s", mine, "-n", 1, "-n", 2, "--format", "csv", *FEW)
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["agents"] for row in rows] == ["1", "2"] and float(rows[0]["p95_s"]) == pytest.approx(8)
    out, _ = run("capacity", chain, "-s", mine, "-n", 1, "--format", "markdown", *FEW)
    assert out.startswith("**") and "| Agents | Typical |" in out


def test_a_pause_and_all_in_power(chain, mine):
    out, _ = run("capacity", chain, "-s", mine, "-n", 1, "--pause", "8s", "--basis", "all-in", *FEW)
    assert "1 agent: 225 tasks an hour, 28 per chip, 15 per kW of all-in power." in flat(out)


def test_a_file(chain, mine, tmp_path):
    to = tmp_path / "out.csv"
    out, _ = run("capacity", chain, "-s", mine, "-n", 1, "--format", "csv", "-o", to, *FEW)
    assert out == "" and to.read_text().startswith("system,label,agents")


def test_a_picture_of_agents_and_one_of_operating_points(chain, mine, tmp_path):
    agents, points = tmp_path / "agents.svg", tmp_path / "points.png"
    out, _ = run("capacity", chain, "-s", mine, "-n", 1, "-n", 9, "--under", "9s", "-o", agents, *FEW)
    assert out == "" and "agents share one Mine system" in agents.read_text("utf-8").replace("\u00a0", " ")
    run("capacity", "benchmark-call", "--energy", "-o", points, *FEW)
    assert points.read_bytes().startswith(b"\x89PNG")
    _, err = run("capacity", chain, "-s", mine, "-s", mine, "-o", agents, *FEW, code=1)
    assert err == "--system: 2 systems in one picture. Name one.\n"
    _, err = run("capacity", chain, "-s", mine, "-n", 3, "-o", agents, *FEW, code=1)
    assert err == "--agents: one number of agents makes no curve. Give two or more, or none.\n"
    _, err = run("capacity", chain, "--energy", "-s", "mine:ttft=1s,speed=10", "-o", points, *FEW, code=1)
    assert err.startswith("systems: of no operating point are speed and work per kilowatt both known")


def test_a_system_without_a_curve_is_refused_in_one_line_with_what_is_known():
    out, err = run("capacity", "coding-agent", "-s", "jalapeno/deepseek-r1", code=1)
    assert out == "" and err.count("\n") == 1
    assert "no curve over concurrency is stated" in err
    assert "12,258 mixed tok/s/kW (tdp) at 169 tok/s per user, GB300's best speed per user" in err


def test_energy_and_price_each_at_its_point(chain, mine):
    out, _ = run("capacity", "benchmark-call", "--energy", "-s", mine, *FEW)
    text = flat(out)
    assert "A task takes 2.3 Wh on Mine where it does most work (per kW of package TDP)." in text
    assert "1 user on 8 chips (its task time)" in text and "Do not combine" not in text
    data = json.loads(run("capacity", "benchmark-call", "--energy", "--format", "json", *FEW)[0])
    assert data["basis"] == "tdp"
    assert {(row["system"], row["which"]) for row in data["rows"]} >= {
        ("jalapeno/deepseek-r1", "throughput"),
        ("gb300/deepseek-r1", "latency"),
    }
    assert any("Do not combine the two." in line for line in data["lines"])
    assert any(line == "Jalapeño: no public price of Jalapeño." for line in data["lines"])


@pytest.mark.parametrize(
    ("args", "code", "says"),
    [
        (("coding-agent",), 2, "Name a system with --system"),
        (("coding-agent", "--energy", "-n", "3"), 2, "--energy is about one task"),
        (("coding-agent", "--energy", "--basis", "all-in"), 1, "no all-in power is stated for Jalapeño"),
        (("coding-agent", "-s", "mine:ttft=1s,speed=10"), 1, "no curve over concurrency"),
        (("coding-agent", "-s", "nobody/nothing"), 1, "there is no system of this name"),
        (("coding-agent", "--energy", "-s", "mine:ttft=1s,speed=10"), 1, "nobody states its work per kilowatt"),
        (("coding-agent", *["-s", "gb200/gpt-oss-120b"] * 7), 1, "7 systems"),
    ],
)
def test_refusals(args, code, says):
    out, err = run("capacity", *args, *FEW, code=code)
    assert says in err and out == ""


def test_agents_out_of_reach(chain, mine):
    _, err = run("capacity", chain, "-s", mine, "-n", 0, *FEW, code=1)
    assert err == "agents: 0 agents are out of reach. Give whole numbers from 1 to 100,000.\n"
