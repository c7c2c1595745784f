"""Figures of planning answers: exact titles, tables, and no text over another at any width."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest
from figure_geometry import assert_legible

import agentcalc
from agentcalc.analysis.budget import budget
from agentcalc.analysis.people import people
from agentcalc.analysis.portfolio import plan_portfolio, portfolio_of
from agentcalc.analysis.speedup_curve import speedup_curve
from agentcalc.analysis.success import Success
from agentcalc.analysis.tool_share import tool_share
from agentcalc.catalog import load_task, systems
from agentcalc.figures import about, heat_map, portfolio, tornado
from agentcalc.figures import budget as budget_figure
from agentcalc.figures import people as people_figure
from agentcalc.figures import speedup_curve as curve_figure
from agentcalc.figures import tool_share as share_figure
from agentcalc.figures.theme import INKS, Look, contrast
from tests.test_figures import ABOUT, NAME, plain

BASE, CAND = (systems()[name] for name in ("gb300/deepseek-r1", "jalapeno/deepseek-r1"))
LONG = [spec.model_copy(update={"label": NAME[:-1] + sign}) for spec, sign in ((BASE, "1"), (CAND, "2"))]
MTP = systems()["gb300-mtp/deepseek-r1"]
TASKS = ("coding-agent", "voice-turn", "chat-turn", "deep-research", "customer-support", "swe-bench-fix")

TORNADO = pd.DataFrame(
    [
        {"input": "Tool time", "unit": "s", "low": 16, "high": 25, "at_low": 28, "at_high": 36},
        {"input": "Output tokens", "unit": "tokens", "low": 300, "high": 450, "at_low": 30.1, "at_high": 34.2},
        {"input": "Writing speed", "unit": "tok/s", "low": 560, "high": 840, "at_low": 33.5, "at_high": 31},
        {"input": "Cached share", "unit": "share", "low": 0.5, "high": 1, "at_low": 33, "at_high": 32},
        {"input": "Nearly nothing", "unit": "s", "low": 1, "high": 2, "at_low": 32, "at_high": 32.01},
    ]
).assign(now=32.0, by="p50")


def a_sweep(name: str = "tok/s per user") -> pd.DataFrame:
    cells = [
        {"x": name, "y": "tool time, s", "x_value": x, "y_value": y, "value": 2 * y + 9000 / x}
        for x in np.linspace(200, 1200, 11)
        for y in (2.5, 4, 5, 6, 8, 10, 12, 16, 20)
    ]
    table = pd.DataFrame(cells)
    return table.assign(today=(table["x_value"] == 700) & (table["y_value"] == 10))


def played(task: str, specs) -> agentcalc.Comparison:
    return agentcalc.compare(task, list(specs), trials=200)


@cache
def make(name: str, long: bool = False):
    pair = LONG if long else (BASE, CAND)
    if name == "portfolio":
        words = ["coding-agent=60", "chat-turn=200", "deep-research=2", "customer-support=20"]
        return portfolio.figure(plan_portfolio(portfolio_of(words, 40), *pair, trials=60), ABOUT.source)
    if name == "tornado":
        table = TORNADO.assign(input=TORNADO["input"].replace("Tool time", NAME)) if long else TORNADO
        return tornado.figure(table, ABOUT, "Tool time matters most: 20% less saves 4.1 s")
    if name in ("heat map", "heat map of ratios"):
        table = a_sweep(NAME if long else "tok/s per user")
        if name == "heat map":
            return heat_map.figure(table, ABOUT, "Halving tools helps more than doubling tok/s", target=25)
        return heat_map.figure(table.assign(value=40 / table["value"]), ABOUT, "Both help", of="speedup", target=1.5)
    if name in ("one curve", "curves"):
        tasks = [load_task(t) for t in (TASKS if name == "curves" else TASKS[:1])]
        if long:
            tasks[0] = tasks[0].model_copy(update={"short": NAME})
        others = [pair[1], MTP] if name == "one curve" else [pair[1]]
        found = [speedup_curve(task, pair[0], others, trials=40) for task in tasks]
        return curve_figure.figure(found, ABOUT)
    comparison = played("approvals" if name == "people" else "coding-agent", pair)
    words = about(comparison)
    if name == "people":
        return people_figure.figure(people(comparison), words)
    if name == "tool share":
        return share_figure.figure(tool_share(comparison), words)
    return budget_figure.figure(budget(comparison, success=Success(((1.0, 0.2),))), words, name)


ALL = (
    *("done", "tasks", "turns", "calls", "attempts", "success", "people", "portfolio", "tornado", "heat map"),
    *("heat map of ratios", "one curve", "curves", "tool share"),
)
DRAWN = ("done", "tasks", "people", "portfolio", "tornado", "heat map", "one curve", "curves", "tool share")
"""One of each drawing."""


@pytest.mark.parametrize(("long", "width"), [(False, 358), (True, 358)])
@pytest.mark.parametrize("name", DRAWN)
def test_no_text_overlaps_or_is_cut(name, long, width):
    assert_legible(make(name, long), width=width)


@pytest.mark.slow
@pytest.mark.parametrize("long", [False, True], ids=["", "long names"])
@pytest.mark.parametrize("name", ALL)
def test_no_text_overlaps_or_is_cut_at_other_widths(name, long):
    figure = make(name, long)
    for width in (500, 640, 900, 1216):
        assert_legible(figure, width=width)


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_no_text_of_an_export_overlaps_or_is_cut(name):
    figure = make(name)
    for size, dark in (("full", False), ("half", True)):
        texts = " ".join(assert_legible(figure, size, dark=dark))
        assert plain(figure.title.split()[0]) in texts
    assert figure.alt_text.startswith(figure.title)
    assert len(figure.table) and figure.source


# Words


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("done", "Within "),
        ("tasks", "In 1 h, one after the other, Jalapeño finishes "),
        ("attempts", "Within 1 h, attempts that fit: "),
        ("people", "Of 7 waits a run, "),
        ("portfolio", "40 people × 282 runs save "),
        ("curves", "Calls 4× faster make a coding agent "),
        ("tool share", "At "),
    ],
)
def test_titles(name, says):
    title = plain(make(name).title)
    assert title.startswith(says) and not title.endswith(".") and "instant model" not in title


def test_what_no_figure_can_draw():
    comparison = played("coding-agent", (BASE, CAND))
    with pytest.raises(ValueError, match="measure is 'speed'"):
        budget_figure.figure(budget(comparison), ABOUT, "speed")
    with pytest.raises(ValueError, match="no chance of success"):
        budget_figure.figure(budget(comparison), ABOUT, "success")
    with pytest.raises(ValueError, match="0 curves"):
        curve_figure.figure([], ABOUT)
    with pytest.raises(ValueError, match="no column at_low"):
        tornado.figure(TORNADO.drop(columns="at_low"), ABOUT, "t")
    with pytest.raises(ValueError, match="no input"):
        tornado.figure(TORNADO.head(0), ABOUT, "t")
    with pytest.raises(ValueError, match="of is 'cost'"):
        tornado.figure(TORNADO, ABOUT, "t", of="cost")
    with pytest.raises(ValueError, match="no full grid"):
        heat_map.figure(a_sweep().head(50), ABOUT, "t")
    with pytest.raises(ValueError, match="no column value"):
        heat_map.figure(a_sweep().drop(columns="value"), ABOUT, "t")
    with pytest.raises(ValueError, match="of is 'cost'"):
        heat_map.figure(a_sweep(), ABOUT, "t", of="cost")


def test_a_tornado_draws_the_longest_and_counts_the_others():
    figure = make("tornado")
    texts = assert_legible(figure, width=900)
    assert "Tool time, 16 s to 25 s" in texts and "28 s" in texts and "36 s" in texts
    assert not any("Nearly nothing" in text for text in texts)
    assert "+ 1 other, which move it less." in plain(figure.subtitle)
    # ends that would look like today get a digit more
    close = TORNADO.head(1).assign(at_low=31.8, at_high=32.3)
    assert "31.8 s" in assert_legible(tornado.figure(close, ABOUT, "t"), width=900)


def test_an_input_that_moves_one_way_only():
    one = TORNADO.iloc[[3]]
    texts = assert_legible(tornado.figure(one, ABOUT, "t"), width=900)
    assert "Cached share, 50% to 100%" in texts and {"32 s", "33 s"} <= set(texts)


def test_the_border_of_a_target():
    texts = assert_legible(make("heat map"), width=1216)
    assert "Line: under 25 s on the greener side" in texts and "Cells: seconds" in texts
    nowhere = heat_map.figure(a_sweep(), ABOUT, "t", target=1)
    assert "Nowhere under 1.00 s" in assert_legible(nowhere, width=1216)
    everywhere = heat_map.figure(a_sweep(), ABOUT, "t", target=100)
    assert "Everywhere under 1 min 40 s" in assert_legible(everywhere, width=1216)


def test_edges_lie_between_cells_that_meet_the_target_and_those_that_do_not():
    grid = heat_map.read(a_sweep())
    edges = heat_map._edges(grid, 25, "time")
    met = grid.values <= 25
    crossings = int((met[:, 1:] != met[:, :-1]).sum() + (met[1:] != met[:-1]).sum())
    assert len(edges) == crossings > 0


def test_cells_are_readable():
    for dark in (False, True):
        look = Look("app", dark)
        for of, table in (("time", a_sweep()), ("speedup", a_sweep().assign(value=lambda t: 40 / t["value"]))):
            grid = heat_map.read(table)
            for value in grid.values.ravel():
                fill = heat_map._colour(grid, float(value), of, look)
                assert max(contrast(ink, fill) for ink in INKS) >= 4.5


def test_dots_outside_the_axis_are_named():
    oss = [systems()[name] for name in ("gb200/gpt-oss-120b", "jalapeno/gpt-oss-120b")]
    curve = speedup_curve(load_task("voice-turn"), oss[0], oss[1:], trials=60)
    figure = curve_figure.figure([curve], ABOUT)
    assert "Outside: Jalapeño (calls 0.5" in figure.subtitle and "Dots" not in figure.subtitle
    assert_legible(figure, width=640)


def test_other_scales_and_statistics():
    curve = speedup_curve(load_task("coding-agent"), BASE, scale="ttft", trials=40)
    figure = curve_figure.figure([curve], ABOUT, by="p95")
    assert "slow runs, p95" in figure.subtitle
    texts = assert_legible(figure, width=1000)
    assert "how many times sooner the first token comes" in texts


def test_an_instant_model_without_end():
    comparison = played("chat-turn", (BASE, CAND))
    figure = budget_figure.figure(budget(comparison, [60]), about(comparison), "tasks")
    assert_legible(figure, width=640)


def test_a_loss_is_drawn_to_the_left():
    found = plan_portfolio(portfolio_of(["chat-turn=100", "coding-agent=1"]), CAND, BASE, trials=60)
    figure = portfolio.figure(replace(found, tasks=found.tasks), ABOUT.source)
    assert figure.title.startswith("Jalapeño finishes first")
    assert_legible(figure, width=640)
