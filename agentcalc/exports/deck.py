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
from agentcalc.exports.slide_layout import AFTER, HEIGHT, WIDTH, Box, Text, lay_out
from agentcalc.figures.figure import Figure
from agentcalc.figures.race import Race
from agentcalc.figures.theme import DARK, LIGHT, Palette

EMU = 9525
"""English Metric Units to a CSS pixel (96 to an inch)."""
FACE = "Arial"
TITLE_ONLY = 5
"""The default template's layout with nothing but a title."""


@dataclass(frozen=True)
class Slide:
    """One slide: a title that states the finding, and a figure, lines of text, or columns of lines under headings;
    source: its last line; race: what the figure is a still of, for where it can be played.
    """

    title: str
    subtitle: str = ""
    lines: tuple[str, ...] = ()
    figure: Figure | None = None
    source: str = ""
    columns: tuple[tuple[str, tuple[str, ...]], ...] = ()
    race: Race | None = None


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
    page = made.slides.add_slide(made.slide_layouts[TITLE_ONLY])
    page.background.fill.solid()
    page.background.fill.fore_color.rgb = _rgb(palette.background)
    pictured = slide.figure is not None
    layout = lay_out(slide.title, slide.subtitle, slide.lines, slide.columns, slide.source, number, pictured)
    if slide.figure is not None:
        picture = io.BytesIO(png(slide.figure, "slide", dark))
        shape = page.shapes.add_picture(picture, *_place(layout.picture))
        shape.name = slide.figure.kind
        shape._element.nvPicPr.cNvPr.set("descr", slide.figure.alt_text)
    for text in layout.texts:
        _text(page, text, palette)


def _text(page, text: Text, palette: Palette) -> None:
    from pptx.enum.text import MSO_ANCHOR, PP_ALIGN

    box = _box(page, text)
    box.name = text.name
    frame = box.text_frame
    frame.word_wrap, frame.vertical_anchor = True, MSO_ANCHOR.TOP
    frame.margin_left = frame.margin_right = frame.margin_top = frame.margin_bottom = 0
    for index, line in enumerate(text.lines):
        paragraph = frame.paragraphs[0] if index == 0 else frame.add_paragraph()
        paragraph.alignment = PP_ALIGN.RIGHT if text.right else PP_ALIGN.LEFT
        paragraph.space_after = Pt(text.pt * AFTER) if len(text.lines) > 1 else Pt(0)
        run = paragraph.add_run()
        run.text = line
        font = run.font
        font.size, font.name = Pt(text.pt), FACE
        font.bold = text.bold or (text.heading and index == 0)
        font.color.rgb = _rgb(palette.muted if text.muted else palette.ink)


def _box(page, text: Text):
    """The title's own placeholder, so that outlines and screen readers find it; a text box for everything else."""
    if text.name != "Title":
        return page.shapes.add_textbox(*_place(text.box))
    title = page.shapes.title
    title.left, title.top, title.width, title.height = _place(text.box)
    return title


def _place(box: Box) -> tuple[Emu, Emu, Emu, Emu]:
    return tuple(Emu(round(value * EMU)) for value in box)


def _rgb(colour: str) -> RGBColor:
    return RGBColor.from_string(colour.lstrip("#"))
