"""Charts and shapes that PowerPoint can edit: numbers in the workbook, places of words, the look of every part."""

import io
import re
from dataclasses import replace

import pytest
from openpyxl import load_workbook
from pptx import Presentation
from pptx.enum.shapes import MSO_SHAPE_TYPE, PP_PLACEHOLDER
from pptx.oxml.ns import qn

from agentcalc import catalog
from agentcalc.analysis.sensitivity import sensitivity
from agentcalc.comparison import compare
from agentcalc.exports import native, template, template_look
from agentcalc.exports.deck import deck, slide_of
from agentcalc.exports.native_axes import SECONDS_IN, TimeTicks
from agentcalc.exports.native_ground import EMU, Ground, apart, writable
from agentcalc.exports.slide_layout import HEIGHT, WIDTH
from agentcalc.figures import accumulation, break_even, tornado
from agentcalc.figures.race import race_for
from agentcalc.figures.race_still import figure as still
from agentcalc.figures.several import about, figures_for
from agentcalc.figures.theme import LIGHT
from agentcalc.task import Task

R1 = ("gb300/deepseek-r1", "jalapeno/deepseek-r1")
OSS = ("gb200/gpt-oss-120b", "jalapeno/gpt-oss-120b")
LONG = "A system with a name of eighty characters, as nobody would ever call it by itself "
UNITS = {"s": 1.0, "min": 60.0, "h": 3600.0}


def named(ids, count=None):
    """Systems under names of 80 characters."""
    found = [catalog.load_system(name) for name in ids]
    return [s.model_copy(update={"label": f"{LONG[:77]}{i:03d}"}) for i, s in enumerate(found[:count])]


def twelve():
    ids = [name for name in catalog.systems() if name.endswith("gpt-oss-120b") and not name.startswith("jalapeno")]
    return named([*ids[:1], "jalapeno/gpt-oss-120b", *ids[1:11]])


CASES = {
    "usual": ("coding-agent", R1),
    "tools dominate": ("deep-research", R1),
    "compounds": ("long-report", R1),
    "branches": ("best-of-n", R1),
    "people": ("approvals", R1),
    "too close": ("chat-turn", OSS),
    "one call": ("benchmark-call", R1),
    "long names": ("coding-agent", named(R1)),
    "twelve long names": ("customer-support", twelve()),
    "one system": ("coding-agent", R1[:1]),
}


SLOW = ("tools dominate", "people", "one call")


@pytest.fixture(
    scope="module",
    params=[pytest.param(name, marks=[pytest.mark.slow] if name in SLOW else []) for name in CASES],
)
def figures(request):
    task, systems = CASES[request.param]
    found = compare(task, systems, trials=200)
    figures = figures_for(found)
    if found.pairs:
        figures["race"] = still(race_for(found))
        pair = found.specs[:2]
        moved = sensitivity(found.task, pair, pairs=False, trials=60, seed=7)
        figures["tornado"] = tornado.of_sensitivity(moved, about(found, (0, 1)))
    return figures


@pytest.fixture(scope="module")
def made(figures):
    slides = Presentation(io.BytesIO(deck([slide_of(figure) for figure in figures.values()]))).slides
    return {kind: slide for kind, slide in zip(figures, slides, strict=True)}


def chart(slide):
    return next(shape for shape in slide.shapes if shape.has_chart).chart


def sheet(slide):
    """Columns of the workbook inside: values by heading."""
    book = load_workbook(io.BytesIO(chart(slide).part.chart_workbook.xlsx_part.blob))
    assert book.sheetnames == ["Data", "Source"]
    columns = {}
    for column in book["Data"].iter_cols(values_only=True):
        values = [value for value in column[1:] if value is not None]
        columns.setdefault(column[0], values)
    return columns


def seconds(columns, heading):
    """A column in seconds, whatever its unit, as its heading says."""
    found = next(name for name in columns if re.fullmatch(re.escape(heading) + r" \((s|min|h)\)", name))
    return [value * UNITS[found[:-1].rpartition("(")[2]] for value in columns[found]]


def test_components_hold_the_seconds_of_the_table(figures, made):
    if "components" not in figures:
        return
    columns, table = sheet(made["components"]), figures["components"].table
    for component, mine in table.groupby("component"):
        words = native.native_components.COMPONENT_WORDS[component]
        if mine["seconds"].sum() > 0:
            assert seconds(columns, words) == pytest.approx(mine["seconds"].tolist(), abs=1e-9)
    assert columns["system"] == list(dict.fromkeys(table["label"]))[:2] or len(set(table["label"])) == 1


def test_accumulation_holds_the_seconds_of_the_table(figures, made):
    if "accumulation" not in figures:
        return
    columns, figure = sheet(made["accumulation"]), figures["accumulation"]
    growth = figure.drawn
    by_role = {role: mine["seconds"].tolist() for role, mine in figure.table.groupby("role")}
    if growth.alone_is_gap:
        gap = [b - c for b, c in zip(by_role["baseline"], by_role["candidate"], strict=True)]
        assert seconds(columns, f"{growth.cand} ahead") == pytest.approx(gap, abs=1e-9)
    else:
        for role, name in (("baseline", growth.base), ("candidate", growth.cand)):
            assert seconds(columns, name) == pytest.approx(by_role[role], abs=1e-9)


def test_distribution_holds_the_curves_of_the_table(figures, made):
    columns = sheet(made["distribution"])
    for label, mine in figures["distribution"].table.groupby("label"):
        assert columns[f"{label}: time (s)"] == pytest.approx(mine["seconds"].tolist())
        assert columns[label] == pytest.approx(mine["share"].tolist())


def test_break_even_holds_the_lines_of_the_table(figures, made):
    if "break_even" not in figures:
        return
    columns, figure = sheet(made["break_even"]), figures["break_even"]
    for role, mine in figure.table.groupby("role"):
        name = figure.drawn.names[role]
        assert columns[f"{name}: tokens written"] == pytest.approx(mine["tokens"].tolist())
        assert seconds(columns, name) == pytest.approx(mine["seconds"].tolist())


def test_tornado_holds_the_ends_of_the_table(figures, made):
    if "tornado" not in figures:
        return
    columns, (table, _) = sheet(made["tornado"]), figures["tornado"].drawn
    low, less, more = (seconds(columns, name) for name in ("least", "less than today", "more than today"))
    for row, (a, b, c) in enumerate(zip(low, less, more, strict=True)):
        ends = sorted((table["at_low"][row], table["at_high"][row], table["now"][row]))
        assert (a, a + b + c) == pytest.approx((ends[0], ends[-1]))


def test_what_a_chart_shows_is_what_its_workbook_holds(made):
    for slide in made.values():
        if not any(shape.has_chart for shape in slide.shapes):
            continue
        book = load_workbook(io.BytesIO(chart(slide).part.chart_workbook.xlsx_part.blob))["Data"]
        references = chart(slide)._chartSpace.xpath(".//c:numRef | .//c:strRef")
        assert references
        for reference in references:
            cells = book[reference.find(qn("c:f")).text.partition("!")[2].replace("$", "")]
            rows = cells if isinstance(cells, tuple) else ((cells,),)
            shown = {int(pt.get("idx")): pt.find(qn("c:v")).text for pt in reference.iter(qn("c:pt"))}
            held = {i: row[0].value for i, row in enumerate(rows) if row[0].value is not None}
            assert held.keys() == shown.keys()
            for i, value in held.items():
                assert (
                    float(shown[i]) == pytest.approx(value)
                    if isinstance(value, float)
                    else shown[i] == str(value) or (float(shown[i]) == value)
                )


def test_charts_have_our_colours_axis_titles_and_no_default_look(made):
    for kind, slide in made.items():
        for frame in (shape for shape in slide.shapes if shape.has_chart):
            space = frame.chart._chartSpace
            series = [s for s in space.iter(qn("c:ser"))]
            assert series and all(s.find(qn("c:spPr")) is not None for s in series)
            assert len(space.xpath("./c:chart/c:autoTitleDeleted[@val='1']")) == 1 and not space.xpath(".//c:legend")
            titles = ["".join(t.itertext()).strip() for t in space.xpath(".//c:valAx/c:title | .//c:catAx/c:title")]
            assert titles and all(titles), kind
            assert frame._element.nvGraphicFramePr.cNvPr.get("descr")
            # Ticks are counted from the lower end of an axis.
            for axis in space.iter(qn("c:valAx")):
                step = axis.find(qn("c:majorUnit"))
                if step is not None:
                    ratio = float(axis.find(".//" + qn("c:min")).get("val")) / float(step.get("val"))
                    assert ratio == pytest.approx(round(ratio), abs=1e-6)


ORDER = {
    "ser": "idx order tx spPr invertIfNegative marker dPt dLbls errBars cat val xVal yVal smooth",
    "dLbl": "idx tx numFmt spPr txPr dLblPos showLegendKey showVal showCatName showSerName showPercent showBubbleSize",
    "valAx": "axId scaling delete axPos majorGridlines title numFmt majorTickMark minorTickMark tickLblPos spPr txPr "
    "crossAx crosses crossBetween majorUnit",
    "catAx": "axId scaling delete axPos title numFmt majorTickMark minorTickMark tickLblPos spPr txPr crossAx crosses "
    "auto lblAlgn lblOffset tickLblSkip tickMarkSkip noMultiLvlLbl",
    "scaling": "logBase orientation max min",
    "errBars": "errDir errBarType errValType noEndCap plus minus spPr",
    "chartSpace": "date1904 roundedCorners chart spPr txPr externalData",
    "plotArea": "layout barChart areaChart lineChart scatterChart catAx valAx spPr",
}
"""The order in which the format's schema wants the parts of each part: PowerPoint repairs a file with another."""


def test_parts_stand_in_the_order_of_the_format(made):
    for slide in made.values():
        for frame in (shape for shape in slide.shapes if shape.has_chart):
            for element in frame.chart._chartSpace.iter():
                wanted = ORDER.get(element.tag.rpartition("}")[2])
                if wanted is None:
                    continue
                names = [child.tag.rpartition("}")[2] for child in element]
                assert set(names) <= set(wanted.split())
                assert names == sorted(names, key=wanted.split().index), element.tag


def boxes(slide):
    """(name, box in pixels, text, size in pixels, bold) of all that holds text, groups included."""
    found = []
    for shape in slide.shapes:
        those = shape.shapes if shape.shape_type == MSO_SHAPE_TYPE.GROUP else [shape]
        for one in those:
            numbered = one.is_placeholder and one.placeholder_format.type is PP_PLACEHOLDER.SLIDE_NUMBER
            if one.has_text_frame and one.text_frame.text and not numbered:
                font = one.text_frame.paragraphs[0].runs or [one.text_frame.paragraphs[0]]
                box = tuple(value / EMU for value in (one.left, one.top, one.width, one.height))
                size = font[0].font.size.pt / 0.75
                found.append((one.name, box, one.text_frame.text.split("\n"), size, bool(font[0].font.bold)))
    return found


@pytest.fixture(scope="module")
def narrow(figures):
    """The same on slides of 4:3, whose titles stand in a template's own place."""
    file = io.BytesIO()
    Presentation().save(file)
    stage = template.opened(file.getvalue(), "ours.pptx")
    slides = Presentation(io.BytesIO(deck([slide_of(figure) for figure in figures.values()], stage=stage))).slides
    return {kind: slide for kind, slide in zip(figures, slides, strict=True)}


def test_no_words_meet_or_leave_the_slide(made):
    check_words(made, WIDTH, Ground(None, LIGHT))


def test_no_words_meet_or_leave_a_slide_of_4_to_3(narrow):
    check_words(narrow, 960, Ground(None, LIGHT, wider=template_look.WIDER["calibri"]))


def check_words(made, width, ground):
    for kind, slide in made.items():
        found = boxes(slide)
        for name, (left, top, wide, tall), lines, size, bold in found:
            assert left >= 0 and top >= 0 and left + wide <= width + 1 and top + tall <= HEIGHT + 1, (kind, name)
            if name not in ("Title", "About", "Source", "Text", "Number"):
                assert max(ground.wide(line, size, bold) for line in lines) <= wide + 2, (kind, name, lines)
        for index, (name, a, lines, *_) in enumerate(found):
            for other, b, *_ in found[:index]:
                across = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
                down = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
                assert across <= 2 or down <= 3, (kind, name, lines, other)


def test_shapes_of_a_figure_are_one_group_that_is_described(figures, made):
    group = next(shape for shape in made["timeline"].shapes if shape.name == "timeline")
    assert group._element.nvGrpSpPr.cNvPr.get("descr") == figures["timeline"].alt_text
    inside = [shape.name for shape in group.shapes]
    assert len(inside) > 5 and inside.count("end") == min(6, len({*figures["timeline"].table["system"]}))


def test_texts_that_a_workbook_would_compute_or_xml_cannot_hold_stay_texts():
    base, cand = (catalog.load_system(name) for name in R1)
    hostile = [base.model_copy(update={"label": '=HYPERLINK("x")'}), cand.model_copy(update={"label": "<b>&\u0007"})]
    figure = figures_for(compare("benchmark-call", hostile, trials=50))["components"]
    slide = Presentation(io.BytesIO(deck([slide_of(figure)]))).slides[0]
    book = load_workbook(io.BytesIO(chart(slide).part.chart_workbook.xlsx_part.blob))
    cell = book["Data"]["A2"]
    assert cell.data_type == "s" and cell.value == '=HYPERLINK("x")'
    assert "<b>&\ufffd" in [text for _, _, lines, *_ in boxes(slide) for text in lines]


def test_other_figures_stay_pictures(figures):
    figure = replace(figures["distribution"], kind="heat_map")
    assert not native.has_native(figure)


@pytest.mark.parametrize(
    ("longest", "word", "labels"),
    [(57.7, "seconds", ["0", "10", "20"]), (400.0, "minutes", ["0", "1", "2"]), (20_000.0, "hours", ["0", "1", "2"])],
)
def test_ticks_are_told_in_their_unit(longest, word, labels):
    ticks = TimeTicks.of(longest)
    assert ticks.word == word and ticks.labels[:3] == labels and ticks.unit_s == SECONDS_IN[word]
    assert ticks.signed[0] == "0" and ticks.signed[1].endswith(ticks.sign)


def test_labels_are_pushed_apart_and_stay_inside():
    assert apart([10, 12, 14], [0, 20, 20], 0, 100) == [10, 30, 50]
    assert apart([90, 95, 99], [0, 20, 20], 0, 100) == [60, 80, 100]


def test_a_line_that_is_too_long_ends_with_an_ellipsis():
    ground = Ground(None, LIGHT)
    lines = ground.lines("word " * 40, 20, 200, most=2)
    assert len(lines) == 2 and lines[-1].endswith("…")
    assert all(ground.wide(line, 20) <= 200 * 1.001 for line in lines)
    assert writable("a\u0007b\x00c") == "a\ufffdb\ufffdc"


def test_the_kinds_that_are_drawn_natively_carry_what_they_draw(figures):
    assert all(native.has_native(figure) for figure in figures.values())
    assert set(figures) <= set(native.DRAWN)
    kinds = {accumulation.Growth, break_even.Meeting}
    assert kinds >= {type(figures[kind].drawn) for kind in ("accumulation", "break_even") if kind in figures}


def test_a_number_format_writes_zero_alone():
    assert TimeTicks.of(57.7).written() == "#,##0;−#,##0;0"
    assert TimeTicks.of(0.87).written("s") == '#,##0.0"\u00a0s";−#,##0.0"\u00a0s";0'


def test_of_many_steps_the_last_alone_tells_what_is_unknown():
    chain = [{"kind": "model_call", "name": f"call {i}", "input_tokens": 100, "output_tokens": 50} for i in range(60)]
    task = Task.model_validate({"name": "Chain", "context_tokens": 500, "cached_tokens": 500, "steps": chain})
    figure = figures_for(compare(task, R1, trials=5))["accumulation"]
    slide = Presentation(io.BytesIO(deck([slide_of(figure)]))).slides[0]
    assert len(figure.drawn.b) == 61
    found = list(chart(slide)._chartSpace.iter(qn("c:errBars")))
    assert found
    for bars in found:
        assert [int(pt.get("idx")) for pt in bars.find(qn("c:plus")).iter(qn("c:pt"))] == [60]
