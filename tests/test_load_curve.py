"""The figure of a system under load."""

from __future__ import annotations

import pytest

from agentcalc.figures.load_curve import Line, drawable, figure, table
from tests.test_systems_page import number, point, spread, system

OURS = system(
    point(1, 0.1, 5, ttft_spread=spread(0.1), throughput=number(100, "tok/s/chip")),
    point(16, 0.4, 20),
    point(4, 0.2, 10),
    point(8, 0.5, 12, configuration="TP4"),
    point(None, 0.3, 9, configuration="elsewhere"),
)


def test_the_table_holds_every_point_whose_load_is_known():
    found = table([Line(OURS, "Ours", "candidate")])
    # One row a point, by rising concurrency in each configuration.
    assert found["concurrency"].tolist() == [1, 4, 16, 8] and found["curve"].tolist() == [0, 0, 0, 1]
    first = found.iloc[0]
    assert (first["ttft_s"], first["tok_s_user"], first["tok_s_chip"]) == (0.1, pytest.approx(200), 100)
    assert first["ttft_p99_s"] == pytest.approx(0.3) and found["grade"].unique().tolist() == ["measured"]


def test_the_finding_goes_from_the_least_to_the_largest_load():
    first, speed = (figure([Line(OURS, "Ours")], what, "Somewhere.", "M") for what in ("ttft", "speed"))
    assert (
        first.title.replace("\u00a0", " ")
        == "Ours: the first token takes 0.10 s to 0.40 s, from 1 to 16 requests at once"
    )
    assert speed.title.replace("\u00a0", " ") == "Ours writes 200 to 50 tok/s per user, from 1 to 16 requests at once"
    assert first.kind == "load_ttft" and "M." in first.subtitle and "Ours 0.10" in first.alt_text


def test_the_candidate_speaks_first_where_it_has_a_curve():
    theirs = system(point(1, 1.0, 5), point(2, 2.0, 5))
    lines = [Line(OURS, "Ours", "baseline"), Line(theirs, "Theirs", "candidate")]
    assert figure(lines, "ttft", "").title.startswith("Theirs: ")
    alone = system(point(3, 1.0, 5))
    assert figure([lines[0], Line(alone, "Theirs", "candidate")], "ttft", "").title.startswith("Ours: ")


def test_without_two_loads_of_one_configuration_there_is_no_curve():
    lone = system(point(4, 0.1, 5), point(8, 0.1, 5, configuration="TP4"))
    assert not drawable(lone) and drawable(OURS)
    with pytest.raises(ValueError, match="two loads"):
        figure([Line(lone, "Ours")], "ttft", "")


@pytest.mark.parametrize("size", ["app", "full", "half", "square", "4:3"])
@pytest.mark.parametrize("what", ["ttft", "speed"])
def test_it_draws_at_every_size_and_a_line_only_where_a_configuration_has_two_points(what, size):
    lines = [
        Line(OURS, "A system with a name of eighty characters, which is as long as any name may ever be.", "other")
    ]
    lines += [Line(OURS, name, role) for name, role in (("Base", "baseline"), ("Cand", "candidate"), ("More", "other"))]
    drawn = figure(lines, what, "Somewhere.").chart(size, dark=size == "half").to_dict()
    marks = [layer["mark"] for layer in drawn["layer"]]
    assert sum(mark["type"] == "line" for mark in marks) == 4
    assert sum(mark["type"] == "point" for mark in marks) == 4
    dashes = {tuple(mark["strokeDash"]) for mark in marks if mark["type"] == "line"}
    assert len(dashes) == 3, "the pair is solid, each other line has its own dash"
