"""Slides and pictures as files: what is in them, and the commands that write them."""

import io

import pytest
from click.testing import CliRunner
from pptx import Presentation
from pptx.enum.shapes import MSO_SHAPE_TYPE
from pptx.util import Emu

from agentcalc.analysis.headline import headline
from agentcalc.cli.main import cli
from agentcalc.comparison import compare
from agentcalc.exports import page, pdf
from agentcalc.exports.deck import Slide, deck
from agentcalc.exports.native_ground import EMU
from agentcalc.exports.slide_layout import HEIGHT, WIDTH
from agentcalc.exports.slides import slides_for
from agentcalc.figures.several import figures_for

PAIR = ("gb300/deepseek-r1", "jalapeno/deepseek-r1")


@pytest.fixture(scope="module")
def found():
    return compare("coding-agent", PAIR, trials=2000)


@pytest.fixture(scope="module")
def figures(found):
    return figures_for(found)


def texts(slide):
    return {shape.name: shape.text_frame.text for shape in slide.shapes if shape.has_text_frame}


def test_every_figure_is_a_slide_with_title_picture_description_and_source(found, figures):
    slides = slides_for(found, headline(found), figures, changes=("What would?", "Less."), titles={"timeline": "Mine"})
    steps = []
    made = Presentation(io.BytesIO(deck(slides, progress=lambda done, total: steps.append((done, total)))))
    assert (made.slide_width, made.slide_height) == (WIDTH * EMU, HEIGHT * EMU)
    assert steps == [(n, len(slides)) for n in range(1, len(slides) + 1)]
    shown = [texts(slide)["Title"] for slide in made.slides]
    assert shown[0] == headline(found).title and shown[-1] == "Who said the numbers"
    assert shown[1] == "Mine" and shown[2:6] == [f.title for f in list(figures.values())[1:]]
    assert "What would?" in shown and "What is not known" in shown
    for slide, figure in zip(list(made.slides)[1:6], figures.values(), strict=True):
        drawn = next(shape for shape in slide.shapes if shape.name == figure.kind)
        assert drawn._element.xpath(".//p:cNvPr")[0].get("descr") == figure.alt_text
        assert drawn.shape_type == (MSO_SHAPE_TYPE.GROUP if figure.kind == "timeline" else MSO_SHAPE_TYPE.CHART)
        assert texts(slide)["Source"] == figure.source


def test_nothing_on_a_slide_lies_outside_it(found, figures):
    made = Presentation(io.BytesIO(deck(slides_for(found, headline(found), dict(list(figures.items())[:1])))))
    for slide in made.slides:
        for shape in slide.shapes:
            assert shape.left >= 0 and shape.left + shape.width <= Emu(WIDTH * EMU)
            assert shape.top >= 0 and shape.top + shape.height <= Emu(HEIGHT * EMU)


def test_slides_can_be_left_out(found, figures):
    kept = slides_for(found, headline(found), figures, leave_out=("timeline", "sources", "answer"))
    assert [s.title for s in kept if s.title in (figures["timeline"].title, "Who said the numbers")] == []


def test_a_dark_deck_is_dark():
    made = Presentation(io.BytesIO(deck([Slide("A", lines=("One.", "Two."))], dark=True)))
    assert str(made.slides[0].background.fill.fore_color.rgb) == "12171E"
    assert texts(made.slides[0])["Text"] == "One.\nTwo."


def test_a_page_makes_no_request_and_its_words_are_text(figures):
    text = page(figures["components"])
    assert "default-src 'none'" in text and "<script" not in text and "<svg" in text
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
            "no such figure",
        ),
        (["deck", "chat-turn", "-o", "x.pdf"], "is no deck"),
    ],
)
def test_what_cannot_be_drawn(args, error):
    refused = run(*args)
    assert refused.exit_code == 1 and error in refused.stderr and refused.stderr.count("\n") == 1


def test_the_deck_command(tmp_path):
    made = run("deck", "coding-agent", "--trials", 500, "-o", tmp_path / "x.pptx")
    assert made.exit_code == 0, made.stderr
    assert len(Presentation(tmp_path / "x.pptx").slides) == 10
