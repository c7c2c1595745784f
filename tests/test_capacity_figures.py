"""Figures of agents that share a system and of operating points: titles, what is drawn, no text over another."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import pytest
from figure_geometry import assert_legible
from test_capacity import CALL_AND_WAIT, CHAIN, ONE, SLOWER, flat
from test_energy import server, stated
from test_points import at, curve

from agentcalc import catalog
from agentcalc.analysis.capacity import capacity, closely
from agentcalc.figures import capacity as capacity_figure
from agentcalc.figures import operating_points
from agentcalc.figures.load_curve import Line
from agentcalc.figures.theme import Look
from tests.test_figures import NAME, plain

SHARE = {"value": 0.5, "unit": "share", "grade": "assumed", "source": "house", "band": [0, 1]}


@cache
def shared(case: str):
    slower = curve(*SLOWER, fixed_share=ONE | {"source": "typed-in-place"}, label="GB200", accelerator="GB200")
    keys = {"spread": closely, "trials": 60}
    if case == "limit":
        return capacity(CHAIN, slower, limit_s=40.0, **keys)
    if case == "none":
        return capacity(CHAIN, slower, limit_s=1.0, **keys)
    if case == "one":
        return capacity(CHAIN, slower, limit_s=33.0, by="mean", **keys)
    if case == "band":
        return capacity(CALL_AND_WAIT, curve(at(2, 3, 10), at(8, 6, 20), fixed_share=SHARE), limit_s=12.0, **keys)
    if case == "long":
        return capacity(CHAIN, slower.model_copy(update={"label": NAME}), limit_s=40.0, **keys)
    if case == "few":
        return capacity(CHAIN, slower, [1, 2], **keys)
    return capacity(CHAIN, slower, **keys)


CASES = ("limit", "none", "one", "band", "long", "few", "plain")


def sources_known(found):
    """The same answer with a source that is packaged."""
    point = {"source": "typed-in-place"}

    def known(number):
        return number.model_copy(update=point)

    points = tuple(p.model_copy(update={"ttft": known(p.ttft), "tpot": known(p.tpot)}) for p in found.system.points)
    return replace(found, system=found.system.model_copy(update={"points": points}))


@cache
def drawn(case: str):
    return capacity_figure.figure(sources_known(shared(case)))


def test_the_title_is_the_answer():
    most = shared("limit").most.agents
    assert plain(drawn("limit").title) == f"{most} agents share one GB200 system before p95 passes 40 s"
    assert drawn("none").title.startswith("Not even one agent")
    full = shared("plain").full_at
    assert plain(drawn("plain").title).startswith(f"{full} agents keep one GB200 system busy: ")
    assert plain(drawn("few").title).startswith("2 agents do ")


def test_what_the_reader_is_told_beside_the_picture():
    figure = drawn("limit")
    assert "Solid: loads as measured, 1 to 8 calls in flight" in plain(figure.subtitle)
    assert figure.source.startswith("GB200: curve measured by Whoever asked the question, rest derived.")
    assert figure.alt_text.startswith(figure.title) and "tasks an hour" in figure.alt_text
    assert list(figure.table["agents"]) == sorted(figure.table["agents"])


def test_one_number_of_agents_is_no_curve():
    with pytest.raises(ValueError, match="ask for two or more"):
        capacity_figure.figure(capacity(CALL_AND_WAIT, flat(), [3], trials=5))


@pytest.mark.parametrize("case", CASES)
def test_no_text_of_a_capacity_curve_overlaps_or_is_cut(case):
    for width in (358, 1216):
        texts = assert_legible(drawn(case), width=width)
        assert {"Time of a task", "Tasks an hour, all agents together"} <= set(texts)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_no_text_of_a_capacity_export_overlaps_or_is_cut(case):
    for size, dark in (("full", False), ("half", True), ("square", False), ("4:3", True)):
        assert_legible(drawn(case), size, dark=dark)


def dashes(figure) -> list[list[int]]:
    layers = figure.draw(Look()).layers
    marks = [layer.to_dict(validate=False)["mark"] for layer in layers]
    return [mark["strokeDash"] for mark in marks if mark["type"] == "line"]


def test_lines_are_solid_only_where_the_load_was_measured():
    solid, waiting = capacity_figure.DASHES["measured"], capacity_figure.DASHES["queueing"]
    found = dashes(drawn("plain"))
    assert found.count(solid) == 3 and found.count(waiting) == 3
    # two agents never wait, and from two on the load is one that was measured
    assert waiting not in dashes(drawn("few"))


# Operating points


def pair(**other):
    base = server(
        at(4, 0.5, 5, chips=8, ttft_at_tokens=7373), at(64, 1, 10, chips=8, ttft_at_tokens=7373),
        label="GB200", capacity=[stated(5000, "its best"), stated(400, "its speed", 200.0)],
    )  # fmt: skip
    cand = server(
        at(None, 0.2, 1), accelerator="Jalapeño", label="Jalapeño",
        capacity=[stated(9000, "its best"), stated(6000, "the other's", 200.0)],
    )  # fmt: skip
    cand = cand.model_copy(update={"id": "other/model"})
    return [Line(base, other.get("base", "GB200"), "baseline"), Line(cand, other.get("cand", "Jalapeño"), "candidate")]


def test_points_limits_and_what_is_not_stated():
    rows = operating_points.table(pair())
    base, cand = (rows[rows["role"] == role] for role in ("baseline", "candidate"))
    # 400 at 200 tok/s per user is stated; the point of 5 ms a token is the same and is not drawn beside it
    assert base["tok_s_user"].dropna().tolist() == pytest.approx([100, 200])
    assert base["inferred"].tolist() == [True, False, False]
    # 1 ms a token: 1,000 tok/s per user, of which no work is stated
    assert cand["kind"].tolist() == ["point", "highest", "fastest"]
    assert cand["tok_s_user"].tolist()[::2] == pytest.approx([200, 1000]) and math.isnan(cand["tok_s_user"].iloc[1])
    assert set(rows["basis"]) == {"tdp"}


def test_a_title_says_own_best_first_and_the_same_speed_second():
    found = operating_points.figure(pair(), "Source.")
    assert plain(found.title) == (
        "Each at its own best, Jalapeño does 1.8× the work per kW of GB200; at GB200’s best speed, 200 tok/s per user, "
        "15×"
    )
    assert "per kW of package TDP" in found.subtitle and found.alt_text.startswith(found.title)


def test_a_title_without_a_matched_point_and_one_too_close_to_call():
    base, cand = pair()
    own = Line(server(at(8, 1, 10, chips=8, ttft_at_tokens=7373), capacity=[stated(4000)]), "Mine", "candidate")
    assert (
        operating_points.figure([base, own], "S.").title
        == "Each at its own best, GB200 does 1.2× the work per kW of Mine"
    )
    alike = Line(server(at(8, 1, 10, chips=8, ttft_at_tokens=7373), capacity=[stated(5050)]), "Mine", "candidate")
    assert operating_points.figure([base, alike], "S.").title.startswith(
        "Too close to call: each at its own best, Mine"
    )
    assert plain(operating_points.figure([base], "S.").title).startswith(
        "GB200: from 100 to 200 tok/s per user work per kW"
    )
    assert plain(operating_points.figure([cand], "S.").title) == "Jalapeño does 6,000 tok/s/kW at 200 tok/s per user"


def test_a_basis_of_its_own():
    base, _ = pair()
    rows = operating_points.table([base], "all-in")
    assert set(rows["basis"]) == {"all-in"} and (rows["kind"] == "point").sum() == 2 and rows["inferred"].sum() == 2
    with pytest.raises(ValueError, match="of no operating point"):
        operating_points.figure(pair()[1:], "S.", "all-in")


def test_packaged_pairs_are_drawn():
    for names in catalog.PAIRS:
        loaded = [catalog.load_single(name) for name in names]
        roles = ("baseline", "candidate")
        lines = [Line(system, system.label, role) for system, role in zip(loaded, roles, strict=True)]
        assert operating_points.figure(lines, "S.").title.startswith("Each at its own best, Jalapeño does 1.")


@pytest.mark.parametrize("names", [{}, {"base": NAME[:-1] + "1", "cand": NAME[:-1] + "2"}], ids=["short", "long"])
@pytest.mark.parametrize("width", [358, 640, 1216])
def test_no_text_of_operating_points_overlaps_or_is_cut(names, width):
    assert_legible(operating_points.figure(pair(**names), "Source."), width=width)


@pytest.mark.slow
def test_no_text_of_an_export_of_operating_points_overlaps_or_is_cut():
    for size, dark in (("full", False), ("half", True), ("square", False), ("4:3", True)):
        assert_legible(operating_points.figure(pair(), "Source."), size, dark=dark)
