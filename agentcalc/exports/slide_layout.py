"""Where everything stands on a slide: sizes and places by measured width, so that no text runs into another.

All in CSS pixels of a slide 720 high, whatever its true size; type sizes in points of that. No file is made here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agentcalc.figures.measure import wrap

WIDTH, HEIGHT = 1280, 720
"""Of a slide, in the CSS pixels figures are measured in: 16:9."""
MARGIN, TOP, FOOT = 48, 28, 704
PX = 96 / 72
"""Pixels to a point."""
LEADING = 1.2
"""Line height of Arial in slides, in type sizes."""
SAFE = 0.97
"""Share of a box that a line may fill: programs measure a little differently."""
AFTER = 0.5
"""Space after a paragraph of several, in type sizes."""
GAP = 10
NUMBER_WIDE = 90
BETWEEN = 40

ONE_LINE_PT = (30, 28, 26)
"""A title that needs little less to fit one line gets it."""
TITLE_PT = (30, 28, 26, 24, 22, 20)
SMALL_TITLE_PT = (*TITLE_PT, 18, 16, 14, 12, 11, 10)
COVER_PT = (44, 40, 36, 32, 28, 24, 20)
ABOUT_PT = (15, 14, 13, 12)
COVER_ABOUT_PT = (22, 20, 18, 16, 14)
TEXT_PT = (28, 26, 24, 22, 20, 18, 17, 16, 15, 14, 13, 12, 11, 10)
SOURCE_PT = (11, 10, 9, 8)
TITLE_LINES, ABOUT_LINES, UNDER_LINES, SOURCE_LINES = 2, 2, 2, 4
MOST_SOURCE_LINES = 6
IN_NOTES = "The rest is in the notes."
COVER_TOP, COVER_LINES = 210, 3

Box = tuple[float, float, float, float]
"""Left, top, width, height."""


@dataclass(frozen=True)
class Room:
    """What of a slide is written on. title: where a template wants it; foot: how far down; numbered: whether a page
    number stands at the foot; wider, title_wider: how wide text runs beside Arial.
    """

    left: float = MARGIN
    right: float = WIDTH - MARGIN
    top: float = TOP
    foot: float = FOOT
    title: Box | None = None
    numbered: bool = True
    wider: float = 1.0
    title_wider: float = 1.0

    @property
    def wide(self) -> float:
        return self.right - self.left


@dataclass(frozen=True)
class Text:
    """Paragraphs in a box. heading: the first of them stands out."""

    name: str
    lines: tuple[str, ...]
    box: Box
    pt: float
    bold: bool = False
    muted: bool = False
    right: bool = False
    heading: bool = False


@dataclass(frozen=True)
class Layout:
    """What stands on one slide, and the figure's box if there is one."""

    texts: tuple[Text, ...]
    picture: Box | None


def height(lines: Sequence[str], pt: float, wide: float, bold: bool = False, wider: float = 1.0) -> float:
    """Pixels that paragraphs take in a box of some width."""
    size = pt * PX
    rows = sum(len(wrap(line, wide * SAFE / (size * wider), bold)) for line in lines)
    return size * (LEADING * rows + (AFTER * len(lines) if len(lines) > 1 else 0))


def lay_out(
    title: str,
    about: str,
    lines: Sequence[str],
    columns: Sequence[tuple[str, Sequence[str]]],
    source: str,
    number: str,
    pictured: bool,
    room: Room | None = None,
) -> Layout:
    """Title on top, then what it is about, the figure with lines under it, or lines or columns, and the source line at
    the foot.

    A title of more than two lines gets a smaller type, a source line of more than four as well; the figure has what is
    left. Text that does not fit at the smallest type ends with how many lines there are beyond it.
    """
    room = room or Room()
    wide, left, wider = room.wide, room.left, room.wider
    texts = [_title(title, room)]
    top = sum(texts[0].box[1::2]) + 6
    if about:
        pt, tall = _fitted((about,), ABOUT_PT, wide, ABOUT_LINES, wider=wider)
        texts.append(Text("About", (about,), (left, top, wide, tall), pt, muted=True))
        top += tall
    foot = room.foot - (24 if room.numbered else 0)
    beside = NUMBER_WIDE if room.numbered else 0
    if source:
        source, pt, tall = _sourced(source, wide - beside, wider)
        foot = room.foot - tall
        texts.append(Text("Source", (source,), (left, foot, wide - beside, tall), pt, muted=True))
    if room.numbered:
        box = (room.right - 80, room.foot - 24, 80, 24)
        texts.append(Text("Number", (number,), box, 11, muted=True, right=True))
    top, foot = top + GAP, foot - GAP
    if lines and pictured:
        pt, tall = _fitted(lines, ABOUT_PT, wide, UNDER_LINES, wider=wider)
        foot -= tall
        texts.append(Text("Text", tuple(lines), (left, foot, wide, tall), pt))
        foot -= GAP
    elif lines:
        texts.append(_text("Text", lines, (left, top + GAP, wide, foot - top - GAP), wider=wider))
    if columns:
        texts += _columns(columns, (left, top + GAP, wide, foot - top - GAP), wider)
    return Layout(tuple(texts), (left, top, wide, foot - top) if pictured else None)


def lay_out_cover(title: str, about: str, lines: Sequence[str], source: str, room: Room | None = None) -> Layout:
    """A first slide: a large title in the middle, under it what it is about, then lines; the source at the foot."""
    room = room or Room()
    wide, left, wider = room.wide, room.left, room.wider
    pt, tall = _fitted((title,), COVER_PT, wide, COVER_LINES, bold=True, wider=room.title_wider)
    top = max(room.top, min(COVER_TOP, room.foot - 300 - tall))
    texts = [Text("Title", (title,), (left, top, wide, tall), pt, bold=True)]
    top += tall + 16
    if about:
        pt, tall = _fitted((about,), COVER_ABOUT_PT, wide, ABOUT_LINES, wider=wider)
        texts.append(Text("About", (about,), (left, top, wide, tall), pt, muted=True))
        top += tall + 12
    foot = room.foot
    if source:
        source, pt, tall = _sourced(source, wide, wider)
        foot -= tall
        texts.append(Text("Source", (source,), (left, foot, wide, tall), pt, muted=True))
    if lines:
        texts.append(_text("Text", lines, (left, top, wide, foot - GAP - top), TEXT_PT[6:], wider=wider))
    return Layout(tuple(texts), None)


def _sourced(source: str, wide: float, wider: float) -> tuple[str, float, float]:
    """A source line, its type, and the pixels it takes. Of one that would take the figure's place, as many sentences as
    fit are left: the notes under the slide have all of it.
    """
    pt, tall = _fitted((source,), SOURCE_PT, wide, SOURCE_LINES, wider=wider)
    sentences, most = source.split(". "), MOST_SOURCE_LINES * LEADING * pt * PX + 0.5
    while tall > most and len(sentences) > 1:
        sentences.pop()
        source = f"{'. '.join(sentences)}. {IN_NOTES}"
        tall = height((source,), pt, wide, wider=wider)
    return source, pt, tall


def _title(title: str, room: Room) -> Text:
    if room.title is None:
        how = {"bold": True, "wider": room.title_wider}
        pt, tall = _fitted((title,), ONE_LINE_PT, room.wide, 1, **how)
        if tall > LEADING * pt * PX + 0.5:
            pt, tall = _fitted((title,), TITLE_PT, room.wide, TITLE_LINES, **how)
        return Text("Title", (title,), (room.left, room.top, room.wide, tall), pt, bold=True)
    wide, tall = room.title[2:]
    sizes = (pt for pt in SMALL_TITLE_PT if height((title,), pt, wide, True, room.title_wider) <= tall)
    return Text("Title", (title,), room.title, next(sizes, SMALL_TITLE_PT[-1]), bold=True)


def _fitted(
    lines: Sequence[str], sizes: Sequence[float], wide: float, most: int, bold=False, wider=1.0
) -> tuple[float, float]:
    """The largest type at which a text takes at most so many lines, else the smallest; and the pixels it takes."""
    for pt in sizes:
        tall = height(lines, pt, wide, bold, wider)
        if tall <= most * LEADING * pt * PX + 0.5:
            break
    return pt, tall


def _text(
    name: str, lines: Sequence[str], box: Box, sizes: Sequence[float] = TEXT_PT, heading=False, wider=1.0
) -> Text:
    wide, room = box[2:]
    for pt in sizes:
        if height(lines, pt, wide, heading, wider) <= room:
            return Text(name, tuple(lines), box, pt, heading=heading)
    return Text(name, _shortened(lines, pt, wide, room, heading, wider), box, pt, heading=heading)


def _shortened(
    lines: Sequence[str], pt: float, wide: float, room: float, heading: bool, wider: float
) -> tuple[str, ...]:
    """As many lines as fit, and how many more there are."""
    for kept in range(len(lines) - 1, 0, -1):
        shown = (*lines[:kept], f"and {len(lines) - kept} more")
        if height(shown, pt, wide, heading, wider) <= room:
            return shown
    return tuple(lines[:1])


def _columns(columns: Sequence[tuple[str, Sequence[str]]], box: Box, wider: float) -> list[Text]:
    """Columns side by side under their headings, all in one type."""
    left, top, wide, tall = box
    each = (wide - BETWEEN * (len(columns) - 1)) / len(columns)
    boxes = [(left + i * (each + BETWEEN), top, each, tall) for i in range(len(columns))]
    columns = [(head, *lines) for head, lines in columns]
    first = [
        _text(f"Column {i + 1}", c, b, TEXT_PT[5:], True, wider)
        for i, (c, b) in enumerate(zip(columns, boxes, strict=True))
    ]
    pt = min(text.pt for text in first)
    return [_text(text.name, c, text.box, (pt,), True, wider) for text, c in zip(first, columns, strict=True)]
