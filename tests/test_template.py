"""Templates of one's own: whose layouts, faces, backgrounds and sizes are used, and what is refused in one line."""

import io
import zipfile

import pytest
from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.enum.shapes import PP_PLACEHOLDER
from pptx.util import Emu, Inches

from agentcalc.errors import InputError
from agentcalc.exports import template, template_look
from agentcalc.exports.deck import Slide, deck
from agentcalc.exports.native_ground import EMU
from agentcalc.figures.theme import DARK, LIGHT, contrast

SLIDES = (
    Slide("Coding agent", "GB300 against Jalapeño", ("2,000 runs.",), source="Source.", cover=True, notes=("Said.",)),
    Slide(
        "Jalapeño takes 31 s instead of 58 s: 1.9× faster", "Coding agent", ("Because.", "So what."), source="Source."
    ),
)


def saved(made) -> bytes:
    file = io.BytesIO()
    made.save(file)
    return file.getvalue()


def own(wide=10.0, tall=7.5, background=None, slides=2):
    made = Presentation()
    made.slide_width, made.slide_height = Inches(wide), Inches(tall)
    for holder in (made.slide_master, *made.slide_layouts):
        for shape in holder.placeholders:
            if shape._element.spPr.xfrm is not None:
                shape.left, shape.width = (Emu(round(x * wide / 10)) for x in (shape.left, shape.width))
                shape.top, shape.height = (Emu(round(y * tall / 7.5)) for y in (shape.top, shape.height))
    if background:
        made.slide_master.background.fill.solid()
        made.slide_master.background.fill.fore_color.rgb = RGBColor.from_string(background)
    for _ in range(slides):
        made.slides.add_slide(made.slide_layouts[0]).shapes.title.text = "Their own slide"
    return made


def repacked(data: bytes, change=None, more=()) -> bytes:
    """The same package with some parts changed: {name: bytes}, and others added."""
    packed, file = zipfile.ZipFile(io.BytesIO(data)), io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as out:
        for name in packed.namelist():
            text = packed.read(name)
            out.writestr(name, change(name, text) if change else text)
        for name, text in more:
            out.writestr(name, text)
    return file.getvalue()


def retyped(data: bytes, kind: str) -> bytes:
    types = template.MAIN.replace("presentation.main", f"{kind}.main").encode()
    return repacked(data, lambda name, text: text.replace(template.MAIN.encode(), types))


@pytest.mark.parametrize(("wide", "tall"), [(10, 7.5), (10, 5.625), (13.333, 7.5)])
def test_a_deck_in_a_template_has_its_size_and_layouts_and_none_of_its_slides(wide, tall):
    stage = template.opened(saved(own(wide, tall)), "ours.pptx")
    data = deck(SLIDES, stage=stage)
    made = Presentation(io.BytesIO(data))
    assert (made.slide_width, made.slide_height) == (Inches(wide), Inches(tall))
    assert [slide.slide_layout.name for slide in made.slides] == ["Title Slide", "Title Only"]
    assert b"Their own slide" not in b"".join(
        zipfile.ZipFile(io.BytesIO(data)).read(name) for name in zipfile.ZipFile(io.BytesIO(data)).namelist()
    )
    first, second = made.slides
    assert first.shapes.title.text_frame.text == "Coding agent"
    subtitle = next(s for s in first.placeholders if s.placeholder_format.type is PP_PLACEHOLDER.SUBTITLE)
    assert subtitle.text_frame.text == "GB300 against Jalapeño\n2,000 runs."
    title = second.shapes.title
    assert title.text_frame.text == SLIDES[1].title and title._element.spPr.xfrm is None
    assert first.notes_slide.notes_text_frame.text == "Said."
    for shape in second.shapes:
        assert shape.left >= 0 and shape.left + shape.width <= made.slide_width
        assert shape.top >= 0 and shape.top + shape.height <= made.slide_height
        if shape.name in ("About", "Text"):
            assert shape.top >= title.top + title.height - Emu(12 * EMU)
    assert second.shapes._spTree.xpath('.//p:ph[@type="sldNum"]')
    ids = second.shapes._spTree.xpath(".//p:cNvPr/@id")
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("kind", ["template", "slideshow"])
def test_a_file_made_as_a_template_is_one(kind):
    made = Presentation(io.BytesIO(deck(SLIDES, stage=template.opened(retyped(saved(own()), kind), "ours.potx"))))
    assert len(made.slides) == 2


@pytest.mark.parametrize(("background", "palette"), [("0B2545", DARK), ("FFF4E0", LIGHT), (None, LIGHT)])
def test_drawings_take_the_colours_that_can_be_read_on_its_background(background, palette):
    stage = template.opened(saved(own(background=background)), "ours.pptx")
    assert stage.palette.ink == palette.ink and not stage.painted
    assert stage.palette.background == f"#{background or 'FFFFFF'}"
    assert contrast(stage.palette.ink, stage.palette.background) > 4.5
    assert stage.palette.fills["human"].fill == stage.palette.background
    page = Presentation(io.BytesIO(deck(SLIDES, stage=stage))).slides[1]
    assert page.follow_master_background


def test_dark_is_dark_on_a_template_too():
    made = Presentation(io.BytesIO(deck(SLIDES, True, stage=template.opened(saved(own()), "ours.pptx", dark=True))))
    assert str(made.slides[1].background.fill.fore_color.rgb) == DARK.background.lstrip("#")
    run = made.slides[1].shapes.title.text_frame.paragraphs[0].runs[0]
    assert str(run.font.color.rgb) == DARK.ink.lstrip("#")


def test_text_is_in_the_faces_of_the_theme():
    page = Presentation(io.BytesIO(deck(SLIDES, stage=template.opened(saved(own()), "ours.pptx")))).slides[1]
    text = next(shape for shape in page.shapes if shape.name == "Text").text_frame.paragraphs[0].runs[0]
    assert text.font.name == "+mn-lt" and page.shapes.title.text_frame.paragraphs[0].runs[0].font.name is None


def test_a_title_is_set_so_small_that_it_fits_its_place():
    long = Slide("Nearly all of the time saved comes from writing tokens, and every tool stays as it was " * 2)
    stage = template.opened(saved(own()), "ours.pptx")
    page = Presentation(io.BytesIO(deck([SLIDES[1], long], stage=stage))).slides
    sizes = [slide.shapes.title.text_frame.paragraphs[0].runs[0].font.size.pt for slide in page]
    assert sizes[1] < sizes[0] <= 30


def test_a_layout_of_other_names_is_found_by_its_places():
    made = own(slides=0)
    for layout in made.slide_layouts:
        layout.name = "Anders"
        layout._element.attrib.pop("type", None)
    page = Presentation(io.BytesIO(deck(SLIDES, stage=template.opened(saved(made), "ours.pptx")))).slides[1]
    assert len(page.slide_layout.placeholders) == 4 and page.shapes.title.text_frame.text == SLIDES[1].title


def without_titles():
    made = own(slides=0)
    for layout in made.slide_layouts:
        for shape in list(layout.placeholders):
            if shape.placeholder_format.type in template.TITLES:
                shape._element.getparent().remove(shape._element)
    return saved(made)


def bomb() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr("ppt/media/zeros", b"\0" * (template.MOST_UNPACKED + 1))
    return file.getvalue()


def many() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as out:
        for number in range(template.MOST_PARTS + 1):
            out.writestr(str(number), b"")
    return file.getvalue()


HOSTILE = {
    "nothing": (lambda: b"", "no PowerPoint file"),
    "text": (lambda: b"hello", "no PowerPoint file"),
    "an old file": (lambda: template.OLD + b"\0" * 600, "an old or a protected file"),
    "any archive": (lambda: repacked(saved(own()), lambda n, t: t)[:400], "no PowerPoint file"),
    "a bomb": (bomb, "far more than a template"),
    "many parts": (many, "far more than a template"),
    "macros": (lambda: repacked(saved(own()), more=[("ppt/vbaProject.bin", b"x")]), "it holds macros"),
    "macros by type": (
        lambda: repacked(
            saved(own()),
            lambda n, t: t.replace(template.MAIN.encode(), b"application/vnd.ms-powerpoint.macroEnabled.main+xml"),
        ),
        "it holds macros",
    ),
    "a document": (
        lambda: repacked(saved(own()), lambda n, t: t.replace(template.MAIN.encode(), b"a/b")),
        "no presentation",
    ),
    "broken parts": (
        lambda: repacked(saved(own()), lambda n, t: b"<x" if n.startswith("ppt/slideLayouts/slideL") else t),
        "it is broken",
    ),
    "no presentation part": (
        lambda: repacked(saved(own()), lambda n, t: b"" if n == "ppt/presentation.xml" else t),
        "it is broken",
    ),
    "no layout with a title": (without_titles, "no layout with a title"),
    "upright slides": (lambda: saved(own(7.5, 10)), "its slides are 19 × 25 cm"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_no_template_is_refused_in_one_line(name):
    make, said = HOSTILE[name]
    with pytest.raises(InputError) as refused:
        template.opened(make(), "ours.pptx")
    assert (
        said in str(refused.value) and "\n" not in str(refused.value) and str(refused.value).startswith("ours.pptx: ")
    )


def test_too_many_bytes_are_not_even_opened(monkeypatch):
    monkeypatch.setattr(template, "MOST_BYTES", 1000)
    with pytest.raises(InputError, match="MB"):
        template.opened(saved(own()), "ours.pptx")


def test_entities_of_a_theme_are_not_followed():
    def hostile(name, text):
        head = b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/hostname">]>'
        return (
            text.replace(b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>', head) if "theme1" in name else text
        )

    data = deck(SLIDES, stage=template.opened(repacked(saved(own()), hostile), "ours.pptx"))
    assert len(Presentation(io.BytesIO(data)).slides) == 2


def test_colours_are_lightened_as_the_theme_says():
    from lxml import etree

    how = etree.fromstring(f'<x xmlns:a="{template_look.A[1:-1]}"><a:lumMod val="50000"/><a:lumOff val="50000"/></x>')
    assert (
        template_look._moved("#000000", how) == "#808080" and template_look._mean(["#000000", "#FFFFFF"]) == "#808080"
    )
