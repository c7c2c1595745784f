"""Two levers at once: every cell by hand, today's cell, the contour, and which half helps more."""

from __future__ import annotations

import numpy as np
import pytest

from agentcalc import catalog
from agentcalc.analysis.levers import find_lever
from agentcalc.analysis.sweep import settings, sweep
from agentcalc.errors import InputError, NotFoundError
from agentcalc.task import Task
from agentcalc.units import NBSP

A = catalog.load_system("a:ttft=1s,speed=100")
B = catalog.load_system("b:ttft=2s,speed=200")
CALL = {"kind": "model_call", "name": "act", "output_tokens": 401}
TOOL = {"kind": "tool_wait", "name": "run", "seconds": 12}


def task(*steps, **rest) -> Task:
    return Task.model_validate({"name": "t", "steps": list(steps), **rest})


CHAIN = task(CALL, TOOL)
"""On A 1 + 4 + 12 s, on B 2 + 2 + 12 s."""


@pytest.mark.parametrize(("x", "y"), [("tools", "speed"), ("speed", "tools")])
def test_every_cell_by_hand(x, y):
    found = sweep(CHAIN, [A], x, y, trials=3)
    table = found.table()
    assert len(table) == 99 and len(found.xs) == 11 and len(found.ys) == 9
    tools, speed = (table["x"], table["y"]) if x == "tools" else (table["y"], table["x"])
    np.testing.assert_allclose(table["seconds"], 1 + 400 / speed + tools, rtol=1e-12)
    assert table["x"].is_monotonic_increasing or table["x"].iloc[:11].is_monotonic_increasing
    assert tools.min() == pytest.approx(3) and tools.max() == pytest.approx(48)
    assert table["today"].sum() == 1
    now = table[table["today"]].iloc[0]
    assert (now["x_setting"], now["y_setting"], now["seconds"]) == (1, 1, pytest.approx(17))
    assert found.target_s == 12 and (table["under"] == (table["seconds"] <= 12)).all()
    assert table["speedup"].isna().all() and table["undecided"].isna().all()


def test_a_pair_has_the_speed_up_of_every_cell():
    table = sweep(CHAIN, [A, B], "tokens", "baseline.speed", points=(5, 5), trials=3).table()
    n, speed = np.round(401 * table["x_setting"]), 100 * table["y_setting"]
    base, mine = 1 + (n - 1) / speed + 12, 2 + (n - 1) / 200 + 12
    np.testing.assert_allclose(table["speedup"], base / mine)
    np.testing.assert_allclose(table["baseline_s"], base)
    np.testing.assert_allclose(table["speedup_low"], table["speedup"])
    assert (table["undecided"] == ((base / mine - 1).abs() < 0.03)).all() and table["undecided"].any()


def test_a_cell_inside_the_band_is_undecided():
    ttft = B.point.ttft.model_copy(update={"band": (0.5, 4.5)})
    banded = B.model_copy(update={"points": (B.point.model_copy(update={"ttft": ttft}),)})
    table = sweep(CHAIN, [A, banded], "tools", "tokens", points=(3, 3), trials=3).table()
    now = table[table["today"]].iloc[0]
    assert (now["low_s"], now["high_s"]) == (pytest.approx(14.5), pytest.approx(18.5))
    assert (now["speedup_low"], now["speedup_high"]) == (pytest.approx(17 / 18.5), pytest.approx(17 / 14.5))
    assert now["undecided"]


def test_a_share_goes_from_end_to_end_with_today_in_it():
    agent = task(CALL, TOOL, context_tokens=1000, cached_tokens=730)
    found = sweep(agent, [A], "cached", "tools", trials=3)
    assert found.xs[0] == 0 and found.xs[-1] == 1 and 0.73 in found.xs and len(found.xs) == 11
    assert found.today.x == pytest.approx(0.73)
    assert sum(cell.today for cell in found.cells) == 1


def test_whole_turns_are_the_nearest_ones():
    loop = task({"kind": "loop", "times": 5, "steps": [CALL, TOOL]})
    assert [round(5 * k) for k in settings(find_lever(loop, [A], "steps"), 9)] == [3, 4, 5, 6, 7, 8, 9, 10, 11]
    found = sweep(loop, [A], "steps", "tools", points=(5, 3), trials=3)
    assert found.halves is None and found.sentence.endswith(f"cells are under 60{NBSP}s.")


def test_halving_until():
    # halving tools saves x / 2, doubling speed saves 2 s: alike at 4 s of tools
    found = sweep(CHAIN, [A], "tools", "speed", trials=3)
    assert found.halves.turns == pytest.approx(4)
    assert found.sentence.replace("\u00a0", " ") == (
        "Halving tool time helps more than doubling a writing speed until tool time falls below 4.0 s "
        "(now 12 s on average)."
    )
    # the other way round: 6 s are saved until 400 / v / 2 is more
    turned = sweep(CHAIN, [A], "speed", "tools", trials=3)
    assert turned.halves.turns == pytest.approx(400 / 12)
    assert "until a writing speed falls below about 33\u00a0tok/s" in turned.sentence
    always = sweep(task(CALL, {**TOOL, "seconds": 100}), [A], "tools", "speed", trials=3)
    assert always.halves.turns is None
    assert always.sentence.replace("\u00a0", " ").endswith("doubling a writing speed: 55 s instead of 1 min 45 s.")


def test_a_random_task_is_the_same_in_today_s_cell():
    from agentcalc.comparison import compare

    agent = catalog.load_task("coding-agent")
    pair = [catalog.load_system(name) for name in ("gb300/deepseek-r1", "jalapeno/deepseek-r1")]
    comparison = compare(agent, pair, trials=300)
    for by in ("p50", "mean", "p95"):
        now = sweep(agent, pair, "tools", "speed", by=by, points=(3, 3), trials=300).today
        assert now.seconds == comparison.systems[1].task_s[by]
        assert (now.speedup_low, now.speedup_high) == pytest.approx(comparison.pairs[0].speedup_band[by])


def test_progress_and_target():
    done = []
    found = sweep(
        CHAIN, [A], "tools", "speed", target_s=10.0, points=(4, 3), trials=3, progress=lambda *count: done.append(count)
    )
    assert done[-1] == (12, 12) and found.target_s == 10


@pytest.mark.parametrize(
    ("x", "y", "points", "says"),
    [
        ("tools", "tools", (3, 3), "both axes move the same input"),
        ("tools", "speed", (1, 3), "from 2 to 41"),
        ("tools", "speed", (3, 42), "from 2 to 41"),
    ],
)
def test_grids_that_cannot_be(x, y, points, says):
    with pytest.raises(InputError, match=says):
        sweep(CHAIN, [A], x, y, points=points)


def test_an_unknown_lever():
    with pytest.raises(NotFoundError, match="no such lever"):
        sweep(CHAIN, [A], "steps", "tools")
