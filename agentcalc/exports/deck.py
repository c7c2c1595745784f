"""A deck of slides: the finding as an editable title, the figure as a chart that can be edited, its source line, and
what it rests on in the speaker's notes.
"""

from __future__ import annotations

import copy
import datetime as dt
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pptx.enum.shapes import PP_PLACEHOLDER
from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
from pptx.oxml import parse_xml
from pptx.util import Pt

from agentcalc.exports import native
from agentcalc.exports.images import png
from agentcalc.exports.native_ground import EMU, Ground, rgb, writable
from agentcalc.exports.slide_layout import AFTER, COVER_PT, TEXT_PT, Box, Layout, Text, height, lay_out, lay_out_cover
from agentcalc.exports.stage import Stage, plain
from agentcalc.figures.figure import Figure
from agentcalc.figures.race import Race
from agentcalc.figures.theme import DARK

MIME = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
NUMBER = "‹#›"
"""What stands for a page number until a program counts."""
NAMESPACE = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'


@dataclass(frozen=True)
class Slide:
    """One slide: a title that states the finding, and a figure, lines of text, or columns of lines under headings;
    source: its last line; race: what the figure is a still of, for where it can be played; notes: for who speaks;
    cover: whether it is a first slide.
    """

    title: str
    subtitle: str = ""
    lines: tuple[str, ...] = ()
    figure: Figure | None = None
    source: str = ""
    columns: tuple[tuple[str, tuple[str, ...]], ...] = ()
    race: Race | None = None
    notes: tuple[str, ...] = ()
    cover: bool = False


def slide_of(figure: Figure, title: str | None = None) -> Slide:
    """A figure's slide; title: in place of the figure's own. The source line stays whatever the title says."""
    return Slide(title=title or figure.title, subtitle=figure.subtitle, figure=figure, source=figure.source)


def deck(
    slides: Sequence[Slide],
    dark: bool = False,
    progress: Callable[[int, int], None] | None = None,
    *,
    stage: Stage | None = None,
    pictures: bool = False,
) -> bytes:
    """The slides as a PPTX file. progress: called with slides done and in all.

    stage: of a template of one's own (``template.opened``), which is used up; without it slides are plain, 16:9.
    pictures: figures as sharp pictures in place of charts and shapes that can be edited. Either carries the figure's
    alt text. Raises AgentcalcError when a figure cannot be drawn.
    """
    stage = stage or plain(dark)
    made = stage.presentation
    about = made.core_properties
    about.title, about.author = slides[0].title if slides else "", "agentcalc"
    # Two decks of the same slides differ only in when they were made; a day is enough.
    about.created = about.modified = dt.datetime.combine(dt.date.today(), dt.time())
    for number, slide in enumerate(slides, 1):
        _add(stage, slide, pictures)
        if progress:
            progress(number, len(slides))
    file = io.BytesIO()
    made.save(file)
    return file.getvalue()


def _add(stage: Stage, slide: Slide, pictures: bool) -> None:
    holder = stage.cover if slide.cover and stage.cover is not None else stage.layout
    page = stage.presentation.slides.add_slide(holder)
    if stage.painted:
        page.background.fill.solid()
        page.background.fill.fore_color.rgb = rgb(stage.palette.background)
    if slide.cover and stage.cover is not None:
        _cover(page, slide, stage)
    else:
        _write(page, slide, stage, pictures)
    if stage.own:
        _numbered(page, holder)
    if slide.notes:
        page.notes_slide.notes_text_frame.text = "\n".join(map(writable, slide.notes))


def _write(page: Any, slide: Slide, stage: Stage, pictures: bool) -> None:
    for shape in list(page.placeholders):
        if shape != page.shapes.title:
            shape._element.getparent().remove(shape._element)
    if slide.cover:
        layout = lay_out_cover(slide.title, slide.subtitle, slide.lines, slide.source, stage.room)
    else:
        layout = _layout(slide, stage)
    if slide.figure is not None:
        ground = Ground(page, stage.palette, stage.scale, stage.face, stage.wider)
        if pictures or not native.has_native(slide.figure):
            _picture(ground, slide.figure, layout.picture, stage.palette.ink == DARK.ink)
        else:
            native.draw(ground, slide.figure, layout.picture)
    for text in layout.texts:
        _text(page, text, stage, slide.cover)


def _layout(slide: Slide, stage: Stage) -> Layout:
    pictured = slide.figure is not None
    parts = slide.title, slide.subtitle, slide.lines, slide.columns, slide.source, NUMBER, pictured
    return lay_out(*parts, stage.room)


def _picture(ground: Ground, figure: Figure, box: Box, dark: bool) -> None:
    """The figure as a picture that fills its box."""
    drawn = png(figure, "slide", dark, width=round(box[2]), height=round(box[3]))
    shape = ground.page.shapes.add_picture(io.BytesIO(drawn), *ground.place(box))
    shape.name = figure.kind
    shape._element.nvPicPr.cNvPr.set("descr", writable(figure.alt_text))


def _text(page: Any, text: Text, stage: Stage, cover: bool) -> None:
    ground = Ground(page, stage.palette, stage.scale)
    title = text.name == "Title"
    # A template's own title keeps its place, its face and its colour.
    own = title and stage.own and not cover
    box = page.shapes.title if title else page.shapes.add_textbox(*ground.place(text.box))
    box.name = text.name
    frame = box.text_frame
    frame.word_wrap = True
    if title and not own:
        box.left, box.top, box.width, box.height = ground.place(text.box)
    if not own:
        frame.vertical_anchor = MSO_ANCHOR.TOP
        frame.margin_left = frame.margin_right = frame.margin_top = frame.margin_bottom = 0
    for index, line in enumerate(text.lines):
        paragraph = frame.paragraphs[0] if index == 0 else frame.add_paragraph()
        if not own:
            paragraph.alignment = PP_ALIGN.RIGHT if text.right else PP_ALIGN.LEFT
        size = Pt(round(text.pt * stage.scale, 1))
        paragraph.space_after = Pt(text.pt * stage.scale * AFTER) if len(text.lines) > 1 else Pt(0)
        if text.name == "Number":
            _field(paragraph)
            font = paragraph.font
        else:
            run = paragraph.add_run()
            run.text = writable(line)
            font = run.font
        font.size = size
        if own and not stage.painted:
            continue
        if not own:
            font.name = stage.face if not title or not stage.own else "+mj-lt"
            font.bold = text.bold or (text.heading and index == 0)
        font.color.rgb = rgb(stage.palette.muted if text.muted else stage.palette.ink)


def _field(paragraph: Any) -> None:
    """A page number that counts by itself."""
    field = f'<a:fld {NAMESPACE} id="{{B6F15528-21DE-4FAA-801E-634DDDAF4B2B}}" type="slidenum">'
    paragraph._p.append(parse_xml(f'{field}<a:rPr lang="en-US"/><a:t>{NUMBER}</a:t></a:fld>'))


def _cover(page: Any, slide: Slide, stage: Stage) -> None:
    """A first slide in a template's own layout for it; what its two places cannot take is left to the notes."""
    words = {PP_PLACEHOLDER.CENTER_TITLE: (slide.title,), PP_PLACEHOLDER.SUBTITLE: (slide.subtitle, *slide.lines)}
    for shape in list(page.placeholders):
        lines = words.get(shape.placeholder_format.type)
        if lines is None:
            shape._element.getparent().remove(shape._element)
            continue
        shape.text_frame.text = "\n".join(map(writable, lines))
        shape.name = "Title" if shape.placeholder_format.type is PP_PLACEHOLDER.CENTER_TITLE else "About"
        wide, tall = (value / stage.scale / EMU - 20 for value in (shape.width, shape.height))
        bold = shape.name == "Title"
        wider = stage.room.title_wider if bold else stage.wider
        size = _size(lines, wide, tall, bold, wider)
        for paragraph in shape.text_frame.paragraphs:
            for run in paragraph.runs:
                run.font.size = Pt(round(size * stage.scale, 1))
                if stage.painted:
                    run.font.color.rgb = rgb(stage.palette.ink)


def _size(lines: Sequence[str], wide: float, tall: float, bold: bool, wider: float) -> float:
    sizes = (*COVER_PT, 18, 16, 14, 12, 10) if bold else TEXT_PT
    return next((pt for pt in sizes if height(lines, pt, wide, bold, wider) <= tall), sizes[-1])


def _numbered(page: Any, holder: Any) -> None:
    """The template's own page number, which programs do not copy from a layout by themselves."""
    for shape in holder.placeholders:
        if shape.placeholder_format.type is PP_PLACEHOLDER.SLIDE_NUMBER:
            mine, tree = copy.deepcopy(shape._element), page.shapes._spTree
            mine.nvSpPr.cNvPr.set("id", str(1 + max(int(i) for i in tree.xpath(".//p:cNvPr/@id"))))
            tree.append(mine)
