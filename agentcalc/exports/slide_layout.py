"""Where everything stands on a slide: sizes and places by measured width, so that no text runs into another.

All in CSS pixels of a slide of 1280 x 720; type sizes in points. No file is made here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agentcalc.figures.measure import wrap
from agentcalc.figures.theme import SIZES

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

TITLE_PT = (30, 28, 26, 24, 22, 20)
ABOUT_PT = (15, 14, 13, 12)
TEXT_PT = (24, 22, 20, 18, 17, 16, 15, 14, 13, 12, 11, 10)
SOURCE_PT = (11, 10, 9)
TITLE_LINES, ABOUT_LINES, UNDER_LINES, SOURCE_LINES = 2, 2, 2, 4

Box = tuple[float, float, float, float]
"""Left, top, width, height."""


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
    """What stands on one slide, and the picture's box if there is one."""

    texts: tuple[Text, ...]
    picture: Box | None


def height(lines: Sequence[str], pt: float, wide: float, bold: bool = False) -> float:
    """Pixels that paragraphs take in a box of some width."""
    size = pt * PX
    rows = sum(len(wrap(line, wide * SAFE / size, bold)) for line in lines)
    return size * (LEADING * rows + (AFTER * len(lines) if len(lines) > 1 else 0))


def lay_out(
    title: str,
    about: str,
    lines: Sequence[str],
    columns: Sequence[tuple[str, Sequence[str]]],
    source: str,
    number: str,
    pictured: bool,
) -> Layout:
    """Title on top, then what it is about, the picture with lines under it, or lines or columns, and the source line at
    the foot.

    A title of more than two lines gets a smaller type, a source line of more than four as well; the picture has what is
    left. Text that does not fit at the smallest type ends with how many lines there are beyond it.
    """
    wide = WIDTH - 2 * MARGIN
    pt, tall = _fitted((title,), TITLE_PT, wide, TITLE_LINES, bold=True)
    texts = [Text("Title", (title,), (MARGIN, TOP, wide, tall), pt, bold=True)]
    top = TOP + tall + 6
    if about:
        pt, tall = _fitted((about,), ABOUT_PT, wide, ABOUT_LINES)
        texts.append(Text("About", (about,), (MARGIN, top, wide, tall), pt, muted=True))
        top += tall
    foot = FOOT - 24
    if source:
        pt, tall = _fitted((source,), SOURCE_PT, wide - NUMBER_WIDE, SOURCE_LINES)
        foot = FOOT - tall
        texts.append(Text("Source", (source,), (MARGIN, foot, wide - NUMBER_WIDE, tall), pt, muted=True))
    texts.append(Text("Number", (number,), (WIDTH - MARGIN - 80, FOOT - 24, 80, 24), 11, muted=True, right=True))
    top, foot = top + GAP, foot - GAP
    if lines and pictured:
        pt, tall = _fitted(lines, ABOUT_PT, wide, UNDER_LINES)
        foot -= tall
        texts.append(Text("Text", tuple(lines), (MARGIN, foot, wide, tall), pt))
        foot -= GAP
    elif lines:
        texts.append(_text("Text", lines, (MARGIN, top + GAP, wide, foot - top - GAP)))
    if columns:
        texts += _columns(columns, (MARGIN, top + GAP, wide, foot - top - GAP))
    return Layout(tuple(texts), _picture((MARGIN, top, wide, foot - top)) if pictured else None)


def _fitted(lines: Sequence[str], sizes: Sequence[float], wide: float, most: int, bold=False) -> tuple[float, float]:
    """The largest type at which a text takes at most so many lines, else the smallest; and the pixels it takes."""
    for pt in sizes:
        tall = height(lines, pt, wide, bold)
        if tall <= most * LEADING * pt * PX + 0.5:
            break
    return pt, tall


def _text(name: str, lines: Sequence[str], box: Box, sizes: Sequence[float] = TEXT_PT, heading=False) -> Text:
    wide, room = box[2:]
    for pt in sizes:
        if height(lines, pt, wide, heading) <= room:
            return Text(name, tuple(lines), box, pt, heading=heading)
    return Text(name, _shortened(lines, pt, wide, room, heading), box, pt, heading=heading)


def _shortened(lines: Sequence[str], pt: float, wide: float, room: float, heading: bool) -> tuple[str, ...]:
    """As many lines as fit, and how many more there are."""
    for kept in range(len(lines) - 1, 0, -1):
        shown = (*lines[:kept], f"and {len(lines) - kept} more")
        if height(shown, pt, wide, heading) <= room:
            return shown
    return tuple(lines[:1])


def _columns(columns: Sequence[tuple[str, Sequence[str]]], box: Box) -> list[Text]:
    """Columns side by side under their headings, all in one type."""
    left, top, wide, tall = box
    each = (wide - BETWEEN * (len(columns) - 1)) / len(columns)
    boxes = [(left + i * (each + BETWEEN), top, each, tall) for i in range(len(columns))]
    columns = [(head, *lines) for head, lines in columns]
    first = [
        _text(f"Column {i + 1}", c, b, TEXT_PT[3:], heading=True)
        for i, (c, b) in enumerate(zip(columns, boxes, strict=True))
    ]
    pt = min(text.pt for text in first)
    return [_text(text.name, c, text.box, (pt,), heading=True) for text, c in zip(first, columns, strict=True)]


def _picture(box: Box) -> Box:
    """The largest place of a figure's proportions inside a box, at its left and top."""
    left, top, wide, tall = box
    size = SIZES["slide"]
    scale = min(wide / size.width, tall / size.height)
    return left, top, size.width * scale, size.height * scale
