"""What can be set on figures: each option where it has meaning, and one line that refuses it where it has none."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import figure_cases as cases
import numpy as np
import pytest
from click.testing import CliRunner
from figure_geometry import faults, read
from hypothesis import given, settings
from hypothesis import strategies as st

from agentcalc.cli.main import cli
from agentcalc.errors import InputError, NotFoundError
from agentcalc.exports import svg
from agentcalc.figures import accumulation, components, distribution, timeline
from agentcalc.figures.chosen import NOTHING, Chosen, Span, reworded
from agentcalc.figures.cut import area, denser, lines, points
from agentcalc.figures.kinds import NAMES
from agentcalc.figures.settable import HAVE, plain
from agentcalc.figures.style import PLAIN, Limits, read_limits, read_style, style_of
from agentcalc.figures.theme import DARK, LIGHT, contrast, ink_on, readable, recoloured
from tests.test_figures import ABOUT, CODING, SIX, a_timeline

CASE = "coding-agent"


def of(kind: str):
    return cases.figure(kind, CASE)


@pytest.fixture(scope="module")
def run():
    """A run by hand: 57.4 s on GB300, 31.7 s on Jalapeño, 21.6 s of it tools."""
    return timeline.figure(a_timeline(CODING), "base", "cand", ABOUT)


@pytest.fixture(scope="module")
def parts():
    return components.figure(a_timeline(CODING), "base", "cand", ABOUT)


@pytest.fixture(scope="module")
def steps():
    return accumulation.figure(a_timeline(CODING), "base", "cand", ABOUT)


@pytest.fixture(scope="module")
def spread():
    seconds = [[10.0 * k for k in range(1, 41)], [5.0 * k for k in range(1, 41)]]
    found = distribution.read(np.array(seconds), ["base", "cand"], ["GB300", "Jalapeño"])
    return distribution.figure(found, ABOUT)


def refusal(figure, dark: bool = False, **fields) -> str:
    with pytest.raises(InputError) as caught:
        figure.styled(style_of(**fields)).chart("full", dark)
    text = str(caught.value)
    assert "\n" not in text and len(text) < 400
    return text


def drawn(figure, **fields) -> dict:
    return figure.styled(style_of(**fields)).chart("full").to_dict(validate=False)


def scales(spec: dict, axis: str) -> dict:
    """The scale of an axis, the same in every layer that has one."""
    found = [layer["encoding"][axis]["scale"] for layer in spec["layer"] if "scale" in layer["encoding"].get(axis, {})]
    assert all(scale == found[0] for scale in found)
    return found[0]


def x_title(spec: dict) -> str:
    found = {layer["encoding"]["x"]["axis"]["title"] for layer in spec["layer"] if layer["encoding"]["x"].get("axis")}
    assert len(found) == 1
    return found.pop().replace("\u00a0", " ")


# Nothing set


def test_with_nothing_set_the_picture_is_the_same_byte_for_byte(run, parts, steps, spread):
    assert style_of().plain and style_of(unit="auto", order=(), title="").plain and style_of() == PLAIN
    for figure in (run, parts, steps, spread):
        assert figure.styled(PLAIN) is figure and figure.styled() is figure and figure.chosen is NOTHING
        plainly = figure.chart("full").to_dict(validate=False)
        assert figure.chart("full", style=PLAIN).to_dict(validate=False) == plainly
        # What a reader sets to what it is changes nothing, through all the code that draws what is set.
        can = figure.settable()
        own = {f"{name}_scale": axis.scale for name, axis in (("x", can.x), ("y", can.y)) if axis is not None}
        assert figure.styled(style_of(**own)).chart("full").to_dict(validate=False) == plainly
        assert replace(figure, chosen=Chosen()).chart("full").to_dict(validate=False) == plainly
    assert svg(run.styled(PLAIN)) == svg(run)


def test_an_unset_span_is_what_the_figure_asks_for():
    assert NOTHING.span("x", 0, 57.4) == Span(0, 57.4) and NOTHING.span("y", 1, 9, log=True) == Span(1, 9, True)
    assert NOTHING.arranged("abc") == ("a", "b", "c") and NOTHING.name("a") == "a"


# Axes


def test_bars_start_at_zero_and_are_shown_whole(run, parts):
    for figure in (run, parts):
        assert scales(drawn(figure, x_limits="0:90"), "x")["domain"] == [0, 90]
        assert scales(drawn(figure, x_limits=":2min"), "x")["domain"] == [0, 120]
        for wrong in ("0:40", "5:90", ":57", "-5:90"):
            said = refusal(figure, x_limits=wrong)
            assert "cut bars" in said and "start at 0 and are shown whole" in said and "0 to 57.4" in said
        assert "Kinds that have it: distribution" in refusal(figure, x_scale="log")
        assert "starts at 0" in refusal(figure, x_scale="log")
        assert scales(drawn(figure, x_scale="linear"), "x") == scales(figure.chart("full").to_dict(validate=False), "x")
        assert "y axis" in refusal(figure, y_limits="0:1") and "accumulation" in refusal(figure, y_limits="0:1")


def test_the_labels_of_bars_follow_the_axis(run):
    """At twice the length, half as many pixels a second: what fitted before may not now."""
    spec = json.dumps(drawn(run, x_limits="0:114.8"))
    assert "/ 114.8 * width" in spec and "/ 57.4" not in spec


@pytest.mark.parametrize(("unit", "word"), [("s", "seconds"), ("min", "minutes"), ("h", "hours")])
def test_the_unit_of_time(run, steps, spread, unit, word):
    assert x_title(drawn(run, unit=unit)) == f"{word} since the request"
    for figure, axis in ((steps, "y"), (spread, "x")):
        assert f"\u00a0{unit}'" in json.dumps(drawn(figure, unit=unit), ensure_ascii=False)
        assert (
            scales(drawn(figure, unit=unit), axis)["domain"]
            == scales(figure.chart("full").to_dict(validate=False), axis)["domain"]
        )
    assert "no axis in time" in refusal(of("task_graph"), unit=unit)


def test_limits_are_in_the_unit_that_is_set(steps):
    for limits, unit in (("0:2", "min"), ("0:120s", "min"), ("0:2min", "auto"), ([0, 120], "s"), (":120", "auto")):
        assert scales(drawn(steps, y_limits=limits, unit=unit), "y")["domain"] == pytest.approx([0, 120])
    assert "0 to 0.95" in refusal(steps, y_limits="2:3", unit="min")


def test_a_cut_axis_says_so(steps, spread):
    assert x_title(drawn(steps, y_limits="20:50")) == "calls finished, vertical axis starts at 20 s"
    assert x_title(drawn(steps, y_limits="0.25:1", unit="min")) == "calls finished, vertical axis starts at 0.25 min"
    assert x_title(drawn(steps, y_limits="0:50")) == "calls finished"
    whole = "time since the request"
    assert x_title(drawn(spread, x_scale="linear", x_limits="20:300")) == f"{whole}, axis starts at 20 s"
    # A logarithmic axis never starts at 0.
    assert x_title(drawn(spread, x_limits="20:300")) == x_title(drawn(spread, x_scale="linear")) == whole


def test_what_lies_beyond_the_limits_is_not_drawn(steps):
    spec = drawn(steps, y_limits="20:50")
    values = [
        row[name]
        for layer in spec["layer"]
        for row in layer["data"]["values"]
        for name in ("s", "low", "high", "b", "c")
        if isinstance(row.get(name), int | float)
    ]
    assert values and min(values) >= 20 and max(values) <= 50


def test_a_linear_axis_starts_at_zero_and_the_words_no_longer_say_logarithmic(spread):
    made = spread.styled(style_of(x_scale="linear"))
    scale = scales(made.chart("full").to_dict(validate=False), "x")
    assert scale["domain"][0] == 0 and "type" not in scale
    assert "logarithmic" in spread.alt_text and "logarithmic" not in made.alt_text


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"x_limits": "0:100"}, "has no 0"),
        ({"x_limits": "-1:100"}, "has no 0"),
        ({"x_limits": "500:900"}, "leaves nothing to see: task time goes from 6.95"),
        ({"x_limits": "1:2"}, "leaves nothing to see"),
        ({"x_limits": "30:30.0000001"}, "no shape"),
        ({"y_limits": "0:1"}, "no limits on its y axis"),
        ({"y_scale": "log"}, "no logarithmic y axis"),
    ],
)
def test_limits_that_have_no_meaning(spread, fields, said):
    assert said in refusal(spread, **fields)


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ("0:90", Limits(0, 90)),
        (":90", Limits(None, 90)),
        (" 5 : ", Limits(5, None)),
        ("0:5min", Limits(0, 300, True)),
        ("300ms:2 s", Limits(0.3, 2, True)),
        ([0, 1.5], Limits(0, 1.5)),
        ([None, "2min"], Limits(None, 120, True)),
        ("-1e1:.5", Limits(-10, 0.5)),
    ],
)
def test_limits_are_read(given, found):
    assert read_limits(given) == found
    assert read_limits(found.written()) == found


@pytest.mark.parametrize(
    "given", ["", ":", "5", "5:5", "9:1", "nan:3", "0:inf", "1:2:3", "a:b", "0:5parsecs", [1], [1, 2, 3], [True, 2],
              5, {"low": 1}, "1min:90", [0, math.nan], [0, math.inf], "1e999:2"],
)  # fmt: skip
def test_limits_that_cannot_be_read(given):
    with pytest.raises(InputError, match=r"x_limits") as caught:
        style_of(x_limits=given)
    assert "\n" not in str(caught.value) and "write" in str(caught.value).lower()


THREE_RUNS = distribution.figure(
    distribution.read(np.array([[10.0, 20.0, 40.0], [5.0, 9.0, 30.0]]), ["base", "cand"], ["GB300", "Jalapeño"]),
    ABOUT,
)
ENDS = st.one_of(st.none(), st.floats(-1e4, 1e4), st.floats(0, 100))


@settings(max_examples=60, deadline=None)
@given(low=ENDS, high=ENDS, log=st.booleans())
def test_any_limits_are_drawn_as_given_or_refused_in_one_line(low, high, log):
    try:
        chart = THREE_RUNS.chart("full", style=style_of(x_limits=[low, high], x_scale="log" if log else "linear"))
    except InputError as error:
        assert "\n" not in str(error) and "limits" in str(error)
        return
    spec = chart.to_dict(validate=False)
    domain = scales(spec, "x")["domain"]
    assert domain[0] < domain[1] and (low is None or domain[0] == low) and (high is None or domain[1] == high)
    seconds = [row["seconds"] for layer in spec["layer"] for row in layer["data"]["values"] if "seconds" in row]
    slack = 1e-6 * (domain[1] - domain[0])
    assert all(domain[0] - slack <= value <= domain[1] + slack for value in seconds)


# Cutting


def test_a_line_is_cut_where_the_limits_end_by_hand():
    up = [{"x": 0.0, "y": 0.0}, {"x": 10.0, "y": 10.0}, {"x": 20.0, "y": 0.0}]
    whole, upper = Span(0, 20), Span(4, 6, given=True)
    assert lines(up, "x", "y", whole, Span(0, 10)) == [up]
    (a, b), (c, d) = lines(up, "x", "y", whole, upper)
    assert [(r["x"], r["y"]) for r in (a, b, c, d)] == [(4, 4), (6, 6), (14, 6), (16, 4)]
    assert lines(up, "x", "y", Span(30, 40, given=True), whole) == []
    assert points(up, "x", "y", whole, Span(5, 20, given=True)) == [up[1]]
    inside = lines(up, "x", "y", Span(0, 20, given=True), Span(0, 10, given=True))
    assert inside == [up]


def test_a_cut_on_a_logarithmic_axis_lies_where_the_drawn_line_crosses():
    line = [{"x": 1.0, "y": 0.0}, {"x": 100.0, "y": 2.0}]
    ((a, b),) = lines(line, "x", "y", Span(10, 100, True, True), Span(0, 2))
    assert (a["x"], a["y"]) == (pytest.approx(10), pytest.approx(1)) and b == line[1]


def test_an_area_keeps_its_edges_where_it_is_cut():
    wedge = [{"x": 0.0, "low": 0.0, "high": 0.0}, {"x": 10.0, "low": 0.0, "high": 10.0}]
    found = area(wedge, "x", "low", "high", Span(0, 10), Span(2, 5, given=True))
    edge = {round(r["x"], 9): (r["low"], r["high"]) for r in found}
    assert edge[2] == (2, 2) and edge[5] == (2, 5) and edge[10] == (2, 5) and edge[0] == (2, 2)


def test_a_straight_line_bends_on_a_logarithmic_axis():
    line = [{"x": 1.0, "y": 1.0, "z": 0.0}, {"x": 101.0, "y": 101.0, "z": 10.0}]
    assert denser(line, "x", ("y",), Span(1, 101)) == line
    for row in denser(line, "x", ("y", "z"), Span(1, 101, True, True)):
        assert row["y"] == pytest.approx(row["x"]) and row["z"] == pytest.approx((row["x"] - 1) / 10)


# Colours


COLOUR = st.integers(0, 0xFFFFFF).map(lambda n: f"#{n:06X}")


@given(COLOUR)
def test_text_on_any_colour_can_be_read(colour):
    assert contrast(ink_on(colour), colour) >= 4.5
    for palette in (LIGHT, DARK):
        assert contrast(readable(colour, palette.background), palette.background) >= 4.5


@given(COLOUR, st.booleans(), st.sampled_from(["baseline", "candidate", "own:X", "fill:decode", "fill:tool"]))
def test_a_colour_is_seen_and_its_words_are_read_or_it_is_refused(colour, dark, slot):
    ground = (DARK if dark else LIGHT).background
    try:
        palette = recoloured(dark, ((slot, colour),))
    except InputError as error:
        assert "cannot be told" in str(error) or "two systems" in str(error)
        assert slot != "fill:tool" and (contrast(colour, ground) < 3 or "two systems" in str(error))
        return
    if slot.startswith("fill:"):
        fill = palette.fills[slot.removeprefix("fill:")]
        assert fill.fill == colour and contrast(fill.text, colour) >= 4.5
        # Grey for tools may be pale: its outline parts it from the background.
        assert max(contrast(colour, ground), contrast(fill.outline, ground)) >= 3
    else:
        role = slot if slot in ("baseline", "candidate") else "other"
        assert palette.system(role, "X") == colour and contrast(colour, ground) >= 3
        assert contrast(palette.name(role, "X"), ground) >= 4.5
        if role != "other":
            assert contrast(palette.name(role), palette.tint(role)) >= 4.5


def test_colours_by_name_and_kind(run, parts):
    spec = json.dumps(drawn(run, colours={"Jalapeño": "#7a1fa2", "tools": "#ccc", "writes": "#B0651D"}))
    assert "#7A1FA2" in spec and "#CCCCCC" in spec and "#B0651D" in spec
    assert (
        LIGHT.candidate not in spec and LIGHT.fills["tool"].fill not in spec and LIGHT.fills["decode"].fill not in spec
    )
    assert LIGHT.baseline in spec and LIGHT.fills["ttft"].fill in spec
    assert "Grey: it cannot" in parts.subtitle
    assert "Grey" not in parts.styled(style_of(colours={"tools": "#7a1fa2"})).subtitle


def test_colours_of_other_systems():
    six = timeline.figure(a_timeline(CODING, SIX), "base", "cand", ABOUT)
    assert "#7A1FA2" in json.dumps(drawn(six, colours={"H200": "#7a1fa2"}))


@pytest.mark.parametrize("wrong", ["red", "#12", "#12345", "#GGGGGG", "7a1fa2", "", None, 5, "#1234567"])
def test_a_wrong_colour(wrong):
    with pytest.raises(InputError, match=r"colours: 'tools': .*not a colour. Write #RRGGBB"):
        style_of(colours={"tools": wrong})


def test_colours_that_cannot_be_told_apart(run):
    assert "1.2:1" in refusal(run, colours={"Jalapeño": "#eee"}) and "darker" in refusal(run, colours={"GB300": "#eee"})
    assert "lighter" in refusal(run, dark=True, colours={"Jalapeño": "#111"})
    assert "writes" not in refusal(run, colours={"writing tokens": "#ffe"})
    assert "two systems would be #7A1FA2" in refusal(run, colours={"GB300": "#7a1fa2", "Jalapeño": "#7a1fa2"})
    assert LIGHT.baseline in refusal(run, colours={"Jalapeño": LIGHT.baseline})


# Names


def test_a_renamed_system_is_told_in_the_source_line_and_the_table_keeps_its_name(run, steps, spread):
    for figure in (run, steps, spread):
        made = figure.styled(style_of(labels={"GB300": "Today's rack"}))
        assert "Today's rack: GB300, measured by SemiAnalysis" in made.source
        assert made.table is figure.table and "GB300" in set(made.table["label"])
        words = json.dumps(made.chart("app").to_dict(validate=False), ensure_ascii=False)
        assert "Today's rack" in words
        assert "GB300" not in made.title + made.subtitle and "GB300" not in made.alt_text
    nowhere = replace(run, source="Task: TraceLab.").styled(style_of(labels={"base": "Ours"}))
    assert nowhere.source == "Ours: GB300. Task: TraceLab."


def test_kinds_of_time_and_steps_are_renamed(run, parts):
    words = json.dumps(drawn(run, labels={"tools": "sandbox", "act": "think", "run": "pytest"}))
    assert '"sandbox"' in words and "pytest 16.6" in words and '"run 16.6' not in words
    made = parts.styled(style_of(labels={"tools": "sandbox"}))
    assert "of sandbox stay" in made.title and "tools" not in made.title
    assert "One run of" in run.styled(style_of(labels={"run": "pytest"})).subtitle


def test_words_are_replaced_whole():
    known = ["GB300", "GB300 with MTP", "tools"]
    assert reworded("GB300 with MTP beats GB300.", {"GB300": "A"}, known) == "GB300 with MTP beats A."
    assert reworded("Tools take 5 s", {"tools": "sandbox"}, known) == "Sandbox take 5 s"
    assert reworded("GB3000 and GB300’s", {"GB300": r"\1"}, known) == r"GB3000 and \1’s"
    assert reworded("A and B", {"A": "B", "B": "A"}, []) == "B and A" and reworded("A", {}, known) == "A"


def test_names_are_found_however_they_are_typed(run):
    can = of("timeline").settable()
    for name in ("Jalapeño", "jalapeno", "JALAPEÑO", "jalapeno/deepseek-r1"):
        assert can.named(name).key == "Jalapeño"
    assert can.named("gb300").slot == "baseline" and can.named("TOOLS").key == "tool" and can.named("H100") is None
    assert plain("Jalapeño’s") == "jalapeno's"


@pytest.mark.parametrize("field", ["colours", "labels", "order"])
def test_a_name_that_is_not_in_the_figure(run, field):
    value = {"colours": {"H100": "#123456"}, "labels": {"H100": "x"}, "order": ["H100"]}[field]
    with pytest.raises(NotFoundError, match=rf"{field}: there is no 'H100' in this figure. It has GB300, Jalapeño, "):
        run.styled(style_of(**{field: value}))
    near = {"colours": {"Jalapneo": "#123456"}, "labels": {"Jalapneo": "x"}, "order": ["Jalapneo"]}[field]
    with pytest.raises(NotFoundError, match="Did you mean 'Jalapeño'"):
        run.styled(style_of(**{field: near}))


def test_what_cannot_be_named_so(run, steps):
    assert "would both be called 'GB300'" in refusal(run, labels={"Jalapeño": "GB300"})
    assert "would both be called 'a'" in refusal(run, labels={"Jalapeño": "a", "GB300": "a"})
    assert refusal(of("needs"), labels={"bought": "x"}).startswith("labels: 'bought' has no other name here")
    assert "'run' has no colour of its own here. With a colour: GB300" in refusal(run, colours={"run": "#123456"})
    for wrong in ("", " ", "two\nlines", "turned \u202e round", "x" * 81):
        with pytest.raises(InputError, match="labels: 'GB300'"):
            style_of(labels={"GB300": wrong})
    swapped = run.styled(style_of(labels={"GB300": "Jalapeño", "Jalapeño": "GB300"}))
    assert "GB300 finishes 25.7" in swapped.title and "Jalapeño: GB300, measured" in swapped.source


def test_titles(run):
    made = run.styled(style_of(title="What we found", subtitle="In our own words"))
    assert (made.title, made.subtitle) == ("What we found", "In our own words")
    assert made.alt_text.startswith("What we found. ") and made.source == run.source
    for field, most in (("title", 200), ("subtitle", 400)):
        for wrong in ("two\nlines", "x" * (most + 1), "\u202e"):
            with pytest.raises(InputError, match=field):
                style_of(**{field: wrong})


@pytest.mark.parametrize("kind", ["timeline", "distribution", "break_even", "accumulation"])
def test_what_answers_the_pointer_has_the_readers_names_too(kind):
    """Also where two names change places."""
    figure = of(kind)
    made = figure.styled(style_of(labels={"GB300": "Jalapeño", "Jalapeño": "Their rack"}))
    told = {
        row[name]
        for layer in made.chart("full").to_dict(validate=False)["layer"]
        for row in layer["data"]["values"]
        if layer["encoding"].get("tooltip")
        for name in ("system", "label")
        if name in row
    }
    assert told == {"Jalapeño", "Their rack"}


# Order


def test_the_order_of_rows_parts_and_words(run, parts, spread):
    first = drawn(run, order=["Jalapeño"])
    systems = [r["system"] for layer in first["layer"] for r in layer["data"]["values"] if "component" in r]
    assert list(dict.fromkeys(systems)) == ["Jalapeño", "GB300"]
    assert run.styled(style_of(order=["cand"])).title == run.title
    spec = drawn(parts, order=["writing tokens", "cand"])
    kinds = [r["part"] for layer in spec["layer"] for r in layer["data"]["values"] if "part" in r]
    assert next(iter(dict.fromkeys(kinds))) == "writing tokens"
    starts = [
        r["start"] for layer in spec["layer"] for r in layer["data"]["values"] if r.get("part") == "writing tokens"
    ]
    assert set(starts) == {0.0}
    words = json.dumps(drawn(spread, order=["Jalapeño"]), ensure_ascii=False)
    assert words.index("Jalapeño: half") < words.index("GB300: half")


def test_an_order_that_has_no_meaning(run, steps):
    assert "has no order to set. Kinds that have it: timeline" in refusal(steps, order=["GB300"])
    assert "'tools' has its place here. What can be ordered here: GB300, Jalapeño" in refusal(run, order=["tools"])
    for wrong in (["a", "a"], "GB300", [1], [""]):
        with pytest.raises(InputError, match="order"):
            style_of(order=wrong)


# A file


def test_a_style_file(tmp_path, run, steps):
    file = tmp_path / "house.yaml"
    file.write_text(
        "colours:\n  Jalapeño: '#7a1fa2'\n  tools: '#ccc'\n  GB200: '#123456'\n  B200: '#234567'\n"
        "labels: {GB300: Today's rack, Their box: Box}\norder: [jalapeno, h200]\n"
    )
    house = read_style(file)
    # It names what only other figures have; what this one has is set, and an option of one's own wins.
    made = run.styled(house, style_of(labels={"GB300": "Mine"}))
    assert "#7A1FA2" in json.dumps(made.chart("full").to_dict(validate=False)) and "Mine: GB300" in made.source
    assert "Today's rack" in steps.styled(house).source
    (tmp_path / "house.json").write_text('{"colours": {"Jalapneo": "#7a1fa2"}}')
    with pytest.raises(NotFoundError, match=r"house.json: colours: there is no 'Jalapneo' .* Did you mean 'Jalapeño'"):
        run.styled(read_style(tmp_path / "house.json"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("colours:\n  tools: #ccc\n", "colours: 'tools': nothing is not a colour. .* with the quotes"),
        ("unti: min\n", "unknown key 'unti'. Did you mean 'unit'"),
        ("x_limits: [5, 1]\n", "x_limits: .* leaves nothing"),
        ("x_scale: cube\n", "x_scale: 'cube' is not known. Use one of log, linear"),
        ("colours: [a, b]\n", "colours: no colours by name"),
        ("labels: {1: a}\n", "line 1: 1 is used as a key"),
        ("- a\n", "."),
    ],
)
def test_a_wrong_style_file(tmp_path, text, said):
    file = tmp_path / "house.yaml"
    file.write_text(text)
    with pytest.raises(InputError, match=rf"house.yaml: {said}") as caught:
        read_style(file)
    assert "\n" not in str(caught.value)
    with pytest.raises(NotFoundError, match="no such file"):
        read_style(tmp_path / "none.yaml")


# The command


def command(*words: str):
    return CliRunner().invoke(cli, ["figure", "voice-turn", "--trials", "50", *words])


def test_the_command_sets_it(tmp_path):
    out = tmp_path / "f.svg"
    result = command(
        *("--kind", "distribution", "--x-scale", "linear", "--unit", "s", "--x-limits", "0:9", "--order", "jalapeno"),
        *("--colour", "Jalapeño=#7a1fa2", "--label", "gb300=Today=rack", "--subtitle", "As we see it", "-o", str(out)),
    )
    assert result.exit_code == 0, result.output
    text = out.read_text()
    assert "#7A1FA2" in text and "Today=rack: half done" in text and "As we see it" in text and ">9 s<" not in text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--x-scale", "log"], "--x-scale: a timeline figure has no logarithmic x axis"),
        (["--x-limits", "9:1"], "--x-limits: '9:1' leaves nothing"),
        (["--colour", "Jalapeño"], "--colour: found 'Jalapeño'. Write NAME=#RRGGBB."),
        (["--colour", "Jalapeño=#eee"], "--colour: #EEEEEE cannot be told from the light background"),
        (["--label", "=x"], "--label: found '=x'. Write NAME=NEW."),
        (["--label", "H100=x"], "--label: there is no 'H100' in this figure"),
        (["--style", "nowhere.yaml"], "nowhere.yaml: there is no such file"),
    ],
)
def test_the_command_refuses_in_one_line(tmp_path, words, said):
    result = command(*words, "-o", str(tmp_path / "f.svg"))
    assert result.exit_code == 1 and said in result.stderr and result.stderr.count("\n") == 1
    assert not (tmp_path / "f.svg").exists()


def test_for_all_kinds_only_what_fits_all(tmp_path):
    result = command("--kind", "all", "--x-limits", "0:9", "-o", str(tmp_path / "all.zip"))
    assert result.exit_code == 1 and "does not fit all kinds" in result.stderr


# Every kind


@pytest.mark.slow
def test_the_table_of_who_has_what_is_right():
    have = {field: set() for field in HAVE}
    for name in NAMES:
        can = of(name).settable()
        for letter, axis in (("x", can.x), ("y", can.y)):
            have[f"{letter}_scale"] |= {name} if axis is not None and axis.other else set()
            have[f"{letter}_limits"] |= {name} if axis is not None and axis.limits else set()
            have["unit"] |= {name} if axis is not None and axis.time else set()
        have["order"] |= {name} if can.ordered else set()
    assert {field: set(kinds) for field, kinds in HAVE.items()} == have


def everything(kind: str) -> list[dict]:
    """Something of each option that a kind has."""
    can = of(kind).settable()
    found = []
    for letter, axis in (("x", can.x), ("y", can.y)):
        if axis is None:
            continue
        if axis.other:
            found.append({f"{letter}_scale": "linear" if axis.scale == "log" else "log"})
        if axis.limits and axis.bars:
            found.append({f"{letter}_limits": [min(axis.low, 0.0) * 2, axis.high * 1.7]})
        elif axis.limits:
            span = axis.high - axis.low
            found.append({f"{letter}_limits": [axis.low + 0.2 * span, axis.low + 0.7 * span]})
            found.append({f"{letter}_limits": [None, axis.low + 0.5 * span]})
        if axis.time:
            found.append({"unit": "min"})
    coloured = [one for one in can.names if one.slot]
    if coloured:
        found.append({"colours": {coloured[-1].said: "#7A1FA2"}})
    named = [one for one in can.names if one.what != "side"]
    found += [{"labels": {one.said: f"Another name, {i}"}} for i, one in enumerate(named[:2])]
    ordered = [one.said for one in can.names if one.what in can.ordered]
    if ordered:
        found.append({"order": ordered[::-1]})
    return found


@pytest.mark.slow
@pytest.mark.parametrize("kind", cases.KINDS)
def test_what_a_kind_has_is_drawn_without_overlap(kind):
    before = svg(of(kind), "full")
    for fields in everything(kind):
        made = of(kind).styled(style_of(**fields))
        after = svg(made, "full")
        assert after != before, fields
        assert not faults(read(after)), (fields, faults(read(after)))
        assert made.table is of(kind).table
