"""Hypothetical systems: Amdahl by hand, and laws that no curve breaks."""

from __future__ import annotations

import math

import pytest

import agentcalc
from agentcalc.analysis.speedup_curve import KS, faster, speedup_curve
from agentcalc.analysis.speedup_words import ceiling_words, curve_line, curves_line, who_gains
from agentcalc.catalog import load_system, load_task, systems, tasks
from agentcalc.errors import InputError
from agentcalc.latency import profile
from tests.test_budget import FIXED, SLOW, plain

BASE = "gb300/deepseek-r1"


def amdahl(share: float, k: float) -> float:
    return 1 / (share + (1 - share) / k)


@pytest.fixture(scope="module")
def fixed_curve():
    return speedup_curve(load_task(FIXED, where="fixed"), load_system(SLOW), trials=3)


@pytest.mark.parametrize("by", ["p50", "mean", "p95"])
def test_amdahl_by_hand(fixed_curve, by):
    # 16 s of calls, 7 s of tools
    mine = fixed_curve.table[fixed_curve.table["by"] == by].set_index("k")["speedup"]
    assert tuple(mine.index) == KS
    for k in KS:
        assert mine[k] == pytest.approx(amdahl(7 / 23, k))
    assert fixed_curve.ceiling(by) == pytest.approx(23 / 7)


def test_one_part_of_a_call_scaled():
    task, base = load_task(FIXED, where="fixed"), load_system(SLOW)
    first = speedup_curve(task, base, scale="ttft", ks=[4], trials=2).at(4).value
    assert first == pytest.approx(23 / (23 - 0.75 * 1.0))
    speed = speedup_curve(task, base, scale="speed", ks=[4], trials=2).at(4).value
    assert speed == pytest.approx(23 / (23 - 0.75 * 15.0))
    assert speedup_curve(task, base, scale="speed", ks=[4], trials=2).marks.empty


def test_an_overhead_is_part_of_a_call():
    base = load_system("mine:ttft=1s,speed=10,overhead=1s")
    assert profile(faster(base, 4)).overhead_s == pytest.approx(0.25)
    assert profile(faster(base, 4, "ttft")).overhead_s == 1
    curve = speedup_curve(load_task("chat-turn"), base, ks=[4], trials=20)
    assert curve.at(4).value == pytest.approx(4) and curve.ceiling() is None


def test_every_part_of_a_deployment_is_scaled():
    spec = load_system("main=mine:ttft=1s,speed=10,router=other:ttft=2s,speed=5")
    found = faster(spec, 2)
    assert profile(found.for_role("router")).tpot_s == pytest.approx(0.1)
    assert profile(found.for_role("main")).fixed_s == pytest.approx(0.5)


@pytest.mark.parametrize("name", list(tasks()))
def test_no_curve_lies_above_its_ceiling_nor_above_its_calls(name):
    task = tasks()[name]
    curve = speedup_curve(task, load_system(BASE), trials=60)
    for by, table in curve.table.groupby("by"):
        values = list(table.sort_values("k")["speedup"])
        assert values[0] == pytest.approx(1)
        limit = curve.ceiling(by)
        assert all(v <= (math.inf if limit is None else limit) * (1 + 1e-9) for v in values)
        if not task.rules:
            assert (table["high"] <= table["k"] * (1 + 1e-9)).all()
            assert values == sorted(values)
        assert (table["low"] <= table["speedup"]).all() and (table["speedup"] <= table["high"]).all()


def test_a_system_that_exists_stands_where_the_comparison_says():
    names = [BASE, "jalapeno/deepseek-r1"]
    curve = speedup_curve(load_task("coding-agent"), *map(load_system, names[:1]), [load_system(names[1])], trials=200)
    pair = agentcalc.compare("coding-agent", names, trials=200).pairs[0]
    mark = curve.marks.set_index("by").loc["mean"]
    assert mark["speedup"] == pytest.approx(pair.speedup["of_means"])
    assert mark["per_call"] == pytest.approx(pair.per_call_speedup["mean"])
    assert (mark["low"], mark["high"]) == pytest.approx(pair.speedup_band["mean"])
    assert mark["per_call_low"] <= mark["per_call"] <= mark["per_call_high"]


def test_a_system_that_is_the_start_scaled_lies_on_the_curve():
    base = load_system(BASE)
    twin = faster(base, 3).model_copy(update={"id": "gb300/three", "label": "Three"})
    curve = speedup_curve(load_task("coding-agent"), base, [twin], trials=100)
    mark = curve.marks.set_index("by").loc["p50"]
    assert mark["per_call"] == pytest.approx(3) and mark["speedup"] == pytest.approx(curve.at(3).value)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"ks": [0.5]}, "calls 0.5 times faster"),
        ({"ks": []}, "no factor"),
        ({"ks": [math.inf]}, "times faster"),
        ({"ks": [5000]}, "times faster"),
        ({"scale": "all"}, "use one of both, ttft, speed"),
    ],
)
def test_what_cannot_be_scaled(change, says):
    with pytest.raises(InputError, match=f"(?i){says}"):
        speedup_curve(load_task("chat-turn"), load_system(BASE), trials=2, **change)


def test_sentences(fixed_curve):
    assert plain(curve_line(fixed_curve)) == (
        "Calls 4× faster make Two calls and a tool 2.1× faster; the ceiling is 3.3×."
    )
    chat = speedup_curve(load_task("chat-turn"), load_system(SLOW), trials=20)
    assert plain(curves_line([chat, fixed_curve], 2)) == (
        "Calls 2× faster make a chat answer 2.0× faster, Two calls and a tool 1.5×."
    )
    assert ceiling_words(chat) == "there is no ceiling"
    first = speedup_curve(load_task("chat-turn"), load_system(SLOW), scale="ttft", trials=20)
    assert curve_line(first, 10).startswith("A first token 10× sooner makes a chat answer")


def test_who_gains_and_who_cannot(fixed_curve):
    base = systems()[BASE]
    curves = [fixed_curve, *(speedup_curve(load_task(t), base, trials=50) for t in ("chat-turn", "deep-research"))]
    found = who_gains(curves)
    assert list(found["verdict"]) == ["gains nearly all", "gains in part", "cannot gain"]
    assert list(found.columns) == ["task", "title", "at_2", "at_4", "at_10", "ceiling", "survives", "verdict"]
    assert found["survives"].iloc[1] == pytest.approx((amdahl(7 / 23, 4) - 1) / 3)
