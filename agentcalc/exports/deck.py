"""A deck of slides: the finding as an editable title, the figure as a sharp picture with alt text, its source line."""

from __future__ import annotations

import datetime as dt
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.util import Emu, Pt

from agentcalc.exports.images import png
from agentcalc.figures.figure import Figure
from agentcalc.figures.theme import DARK, LIGHT, Palette

WIDTH, HEIGHT = 1280, 720
"""Of a slide, in the CSS pixels figures are measured in: 16:9."""
EMU = 9525
"""English Metric Units to a CSS pixel (96 to an inch)."""
MARGIN = 48
FACE = "Arial"
BLANK = 6
"""The empty layout of the default template: placeholders would need moving after the change to 16:9."""


@dataclass(frozen=True)
class Slide:
    """One slide: a title that states the finding, and either a figure or lines of text; source: its last line."""

    title: str
    subtitle: str = ""
    lines: tuple[str, ...] = ()
    figure: Figure | None = None
    source: str = ""


def slide_of(figure: Figure, title: str | None = None) -> Slide:
    """A figure's slide; title: in place of the figure's own. The source line stays whatever the title says."""
    return Slide(title=title or figure.title, subtitle=figure.subtitle, figure=figure, source=figure.source)


def deck(slides: Sequence[Slide], dark: bool = False, progress: Callable[[int, int], None] | None = None) -> bytes:
    """The slides as a PPTX file. progress: called with slides done and in all.

    Titles, lines and sources are text boxes; pictures carry the figure's alt text. Raises AgentcalcError when a figure
    cannot be drawn.
    """
    palette = DARK if dark else LIGHT
    made = Presentation()
    made.slide_width, made.slide_height = Emu(WIDTH * EMU), Emu(HEIGHT * EMU)
    made.core_properties.title = slides[0].title if slides else ""
    made.core_properties.author = "agentcalc"
    # Two decks of the same slides differ only in when they were made; a day is enough.
    made.core_properties.created = made.core_properties.modified = dt.datetime.combine(dt.date.today(), dt.time())
    for number, slide in enumerate(slides, 1):
        _add(made, slide, palette, dark, f"{number} / {len(slides)}")
        if progress:
            progress(number, len(slides))
    file = io.BytesIO()
    made.save(file)
    return file.getvalue()


def _add(made, slide: Slide, palette: Palette, dark: bool, number: str) -> None:
    page = made.slides.add_slide(made.slide_layouts[BLANK])
    page.background.fill.solid()
    page.background.fill.fore_color.rgb = _rgb(palette.background)
    wide = WIDTH - 2 * MARGIN
    _text(page, (slide.title,), (MARGIN, 28, wide, 90), 30, palette.ink, bold=True, name="Title")
    if slide.subtitle:
        _text(page, (slide.subtitle,), (MARGIN, 112, wide, 36), 15, palette.muted, name="About")
    if slide.figure is not None:
        picture = io.BytesIO(png(slide.figure, "slide", dark))
        shape = page.shapes.add_picture(picture, *_place((MARGIN, 152, wide, 470)))
        shape.name = slide.figure.kind
        shape._element.nvPicPr.cNvPr.set("descr", slide.figure.alt_text)
    if slide.lines:
        _text(page, slide.lines, (MARGIN, 160, wide, 460), 20, palette.ink, name="Text")
    if slide.source:
        _text(page, (slide.source,), (MARGIN, 634, wide - 90, 70), 11, palette.muted, name="Source")
    _text(page, (number,), (WIDTH - MARGIN - 80, 676, 80, 24), 11, palette.muted, name="Number", right=True)


def _text(page, lines: Sequence[str], place, size: float, colour: str, *, name: str, bold=False, right=False) -> None:
    from pptx.enum.text import MSO_ANCHOR, PP_ALIGN

    box = page.shapes.add_textbox(*_place(place))
    box.name = name
    frame = box.text_frame
    frame.word_wrap, frame.vertical_anchor = True, MSO_ANCHOR.TOP
    frame.margin_left = frame.margin_right = frame.margin_top = frame.margin_bottom = 0
    for index, line in enumerate(lines):
        paragraph = frame.paragraphs[0] if index == 0 else frame.add_paragraph()
        paragraph.alignment = PP_ALIGN.RIGHT if right else PP_ALIGN.LEFT
        paragraph.space_after = Pt(size * 0.5) if len(lines) > 1 else Pt(0)
        run = paragraph.add_run()
        run.text = line
        font = run.font
        font.size, font.bold, font.name, font.color.rgb = Pt(size), bold, FACE, _rgb(colour)


def _place(box: tuple[int, int, int, int]) -> tuple[Emu, Emu, Emu, Emu]:
    return tuple(Emu(value * EMU) for value in box)


def _rgb(colour: str) -> RGBColor:
    return RGBColor.from_string(colour.lstrip("#"))
