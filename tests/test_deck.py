"""Slides and pictures as files: what is in them, and the commands that write them."""

import io
import re
import shlex

import pytest
from click.testing import CliRunner
from pptx import Presentation
from pptx.enum.shapes import MSO_SHAPE_TYPE
from pptx.util import Emu

from agentcalc.analysis.headline import headline
from agentcalc.cli.deck import KINDS
from agentcalc.cli.main import cli
from agentcalc.comparison import compare
from agentcalc.exports import page, pdf, slides
from agentcalc.exports.deck import Slide, deck
from agentcalc.exports.native_ground import EMU
from agentcalc.exports.slide_layout import HEIGHT, WIDTH
from agentcalc.figures.race import race_for
from agentcalc.figures.several import figures_for

PAIR = ("gb300/deepseek-r1", "jalapeno/deepseek-r1")
DRAWN = ("race", "timeline", "accumulation", "components", "break_even", "distribution")


@pytest.fixture(scope="module")
def found():
    return compare("coding-agent", PAIR, trials=2000)


@pytest.fixture(scope="module")
def figures(found):
    return figures_for(found)


@pytest.fixture(scope="module")
def told(found, figures):
    return slides.Told(
        comparison=found, head=headline(found), by="p50", run=found.ordinary_trial(), caveat="A caveat.", changed="",
        figures=lambda: figures, race=lambda: race_for(found), moved=lambda: None, line=lambda: "",
        command="make {}".format,
    )  # fmt: skip


@pytest.fixture(scope="module")
def made(told):
    kinds = ("answer", *DRAWN, "sources")
    steps = []
    data = deck(
        slides.deck_of(((kind, slides.slide(kind, told)) for kind in kinds), told),
        progress=lambda done, total: steps.append((done, total)),
    )
    assert steps == [(n, len(kinds) + 1) for n in range(1, len(kinds) + 2)]
    return Presentation(io.BytesIO(data))


def texts(slide):
    return {shape.name: shape.text_frame.text for shape in slide.shapes if shape.has_text_frame}


def test_the_kinds_of_the_command_are_those_there_are():
    assert tuple(slides.WORDS) == KINDS


def test_every_figure_is_a_slide_with_title_drawing_description_and_source(made, told):
    assert (made.slide_width, made.slide_height) == (WIDTH * EMU, HEIGHT * EMU)
    for slide, kind in zip(list(made.slides)[2:8], DRAWN, strict=True):
        figure = slides.slide(kind, told).figure
        drawn = next(shape for shape in slide.shapes if shape.name == kind)
        assert drawn._element.xpath(".//p:cNvPr")[0].get("descr") == figure.alt_text
        shapes = kind in ("race", "timeline")
        assert drawn.shape_type == (MSO_SHAPE_TYPE.GROUP if shapes else MSO_SHAPE_TYPE.CHART)
        assert texts(slide)["Source"] == figure.source and texts(slide)["Title"] == figure.title
        assert slide.shapes.title.text_frame.text == figure.title


def test_the_first_slide_says_who_is_compared_and_the_last_how(made, told):
    first, last = texts(made.slides[0]), texts(made.slides[8])
    assert first["Title"] == "Coding agent, one request"
    assert first["About"] == "Jalapeño against GB300, DeepSeek R1"
    assert last["Title"] == slides.SOURCES_TITLE and slides.METHOD in last["Column 2"]
    assert last["Column 2"].endswith("2,000\u00a0runs, seed\u00a07.")
    assert texts(made.slides[1])["Text"].endswith("A caveat.")


def test_every_slide_has_notes_with_what_it_rests_on_and_how_to_make_it_again(made, found, told):
    for slide, kind in zip(made.slides, ("cover", "answer", *DRAWN, "sources"), strict=True):
        said = slide.notes_slide.notes_text_frame.text
        assert "2,000\u00a0runs, seed\u00a07." in said and said.endswith(f"Made again by: make {kind}")
        assert "Rests on: GB300: assumed, 100% extrapolated; Jalapeño: assumed" in said
        assert all(f"- {text}" in said for system in found.systems for text in system.assumptions)
        assert ("Run shown:" in said) == (kind in ("race", "timeline", "accumulation", "components"))
    everything = made.slides[8].notes_slide.notes_text_frame.text
    assert all(f"- {line}" in everything for line in (*slides.unknown_lines(found), *slides.source_lines(found)))


def test_nothing_on_a_slide_lies_outside_it(made):
    for slide in made.slides:
        for shape in slide.shapes:
            assert shape.left >= 0 and shape.left + shape.width <= Emu(WIDTH * EMU), shape.name
            assert shape.top >= 0 and shape.top + shape.height <= Emu(HEIGHT * EMU), shape.name


def test_names_of_shapes_are_theirs_alone_and_page_numbers_count(made):
    for slide in made.slides:
        ids = [int(i) for i in slide.shapes._spTree.xpath(".//p:cNvPr/@id")]
        assert len(ids) == len(set(ids))
    assert made.slides[2].shapes._spTree.xpath('.//a:fld[@type="slidenum"]')


def test_a_dark_deck_is_dark():
    made = Presentation(io.BytesIO(deck([Slide("A", lines=("One.", "Two."))], dark=True)))
    assert str(made.slides[0].background.fill.fore_color.rgb) == "12171E"
    assert texts(made.slides[0])["Text"] == "One.\nTwo."


def test_pictures_in_place_of_charts_fill_the_same_place(told):
    figure = slides.slide("components", told)
    made = Presentation(io.BytesIO(deck([figure], pictures=True)))
    picture = next(shape for shape in made.slides[0].shapes if shape.shape_type == MSO_SHAPE_TYPE.PICTURE)
    assert picture._element.nvPicPr.cNvPr.get("descr") == figure.figure.alt_text
    assert picture.image.size[0] == 2 * 1184 and picture.image.size[1] == pytest.approx(2 * picture.height / EMU, abs=2)


def test_a_page_makes_no_request_and_its_words_are_text(figures):
    text = page(figures["components"])
    assert "default-src 'none'" in text and text.count("<script>") == 1 and "<svg" in text
    assert "src=" not in text.replace("img-src", "").replace("default-src", "")
    assert text.count("<tr") > 2 and figures["components"].title.split(";")[0] in text


def test_a_pdf_is_a_pdf(figures):
    assert pdf(figures["distribution"], "half", True).startswith(b"%PDF-")


def run(*args):
    return CliRunner().invoke(cli, [str(arg) for arg in args])


@pytest.mark.parametrize(("ending", "start"), [("png", b"\x89PNG"), ("svg", b"<svg"), ("html", b"<!doctype")])
def test_the_figure_command(tmp_path, ending, start):
    made = run("figure", "chat-turn", "--kind", "components", "--trials", 500, "-o", tmp_path / f"x.{ending}")
    assert made.exit_code == 0, made.stderr
    assert (tmp_path / f"x.{ending}").read_bytes().startswith(start)


@pytest.mark.parametrize(
    ("args", "error"),
    [
        (["figure", "chat-turn", "-o", "x.gif"], "'.gif' is no kind of figure"),
        (["figure", "chat-turn", "-o", "x.png", "--trial", 999, "--trials", 10], "there is no run 999"),
        (["figure", "chat-turn", "-o", "x.png", "--title", "a\u202eb", "--trials", 10], "plain characters"),
        (
            ["figure", "chat-turn", "-o", "x.png", "-s", PAIR[0], "--kind", "components", "--trials", 10],
            "it compares two systems, and there is one",
        ),
        (["deck", "chat-turn", "-o", "x.pdf"], "is no deck"),
        (["deck", "chat-turn", "-o", "x.pptx", "--title", "Mine"], "Say which with --slide"),
        (["deck", "chat-turn", "-o", "x.pptx", "--template", "nowhere.pptx"], "there is no such file"),
        (["deck", "chat-turn", "-o", "x.pptx", "--template", "."], "it is no file"),
        (["deck", "chat-turn", "-o", "x.pptx", "--trial", 10, "--trials", 10], "there is no run 10"),
        (
            ["deck", "chat-turn", "-o", "x.pptx", "-s", PAIR[0], "--slide", "components", "--trials", 10],
            "no such figure",
        ),
    ],
)
def test_what_cannot_be_drawn(args, error):
    refused = run(*args)
    assert refused.exit_code == 1 and error in refused.stderr and refused.stderr.count("\n") == 1


def test_the_deck_command(tmp_path):
    made = run("deck", "coding-agent", "--trials", 500, "--set", "tools=0.5x", "-o", tmp_path / "x.pptx")
    assert made.exit_code == 0, made.stderr
    found = list(Presentation(tmp_path / "x.pptx").slides)
    assert len(found) == 8
    lines = texts(found[1])["Text"].replace("\u00a0", " ")
    assert re.search(r"Changed: tool time 0\.5×\. Before: \d+(\.\d)? s instead of \d+(\.\d)? s, ", lines)


def test_one_slide_and_the_command_in_its_notes_makes_it_again(tmp_path):
    first, second = tmp_path / "first.pptx", tmp_path / "second.pptx"
    asked = ("--slide", "components", "--title", "Mine", "--trials", 500, "--dark")
    assert run("deck", "coding-agent", *asked, "-o", first).exit_code == 0
    one = Presentation(first).slides
    assert len(one) == 1 and texts(one[0])["Title"] == "Mine"
    command = shlex.split(one[0].notes_slide.notes_text_frame.text.rpartition("Made again by: ")[2])
    assert command[:3] == ["agentcalc", "deck", "coding-agent"] and command[-2:] == ["-o", "components.pptx"]
    assert run(*command[1:-1], second).exit_code == 0
    assert texts(Presentation(second).slides[0]) == texts(one[0])


def test_one_system_alone_has_a_deck(tmp_path):
    made = run("deck", "chat-turn", "-s", PAIR[0], "--trials", 500, "-o", tmp_path / "x.pptx")
    assert made.exit_code == 0, made.stderr
    titles = [texts(slide)["Title"] for slide in Presentation(tmp_path / "x.pptx").slides]
    assert titles[1].startswith("A typical run takes") and len(titles) == 5
