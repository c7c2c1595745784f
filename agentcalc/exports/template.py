"""A presentation of one's own as the template of a deck: checked, emptied of its slides, its layouts measured.

A template may come from anywhere: what it says of itself is checked before anything in it is read.
"""

from __future__ import annotations

import io
import zipfile
from typing import Any

from pptx import Presentation
from pptx.enum.shapes import PP_PLACEHOLDER
from pptx.opc.constants import RELATIONSHIP_TYPE

from agentcalc.errors import Fault, InputError
from agentcalc.exports import template_look
from agentcalc.exports.native_ground import EMU
from agentcalc.exports.slide_layout import FOOT, HEIGHT, MARGIN, TOP, Box, Room
from agentcalc.exports.stage import Stage, recoloured
from agentcalc.figures.theme import DARK

ENDINGS = (".pptx", ".potx")
MOST_BYTES = 50_000_000
MOST_UNPACKED = 300_000_000
MOST_PARTS = 5_000
SHAPES = (1.2, 2.5)
"""Width to height of the slides that can be written on: 4:3 to wider than 16:9."""

TYPES = "[Content_Types].xml"
MAIN = "application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"
OTHERS = tuple(MAIN.replace("presentation.main", f"{kind}.main") for kind in ("template", "slideshow"))
"""Content types of files that differ from a presentation in nothing else."""
OLD = b"\xd0\xcf\x11\xe0"
"""How old and encrypted files of Office begin."""

TITLES = (PP_PLACEHOLDER.TITLE, PP_PLACEHOLDER.CENTER_TITLE)
AT_FOOT = (PP_PLACEHOLDER.DATE, PP_PLACEHOLDER.FOOTER, PP_PLACEHOLDER.SLIDE_NUMBER)
HIGHEST_TITLE, WIDEST_FOOT = 0.45, 0.6
"""Shares of the height: a title must end above the one, what stands at the foot begin below the other."""
NARROWEST_TITLE = 0.4
INSET = 9.6
"""Pixels that text keeps from the left edge of a placeholder of PowerPoint's own."""


def opened(data: bytes, where: str, dark: bool = False) -> Stage:
    """A stage of the template's masters, faces, background and slide size, without its own slides.

    dark: on our dark background in place of the template's. Raises InputError, one line, for what is no template that
    slides can be written on.
    """
    checked = _checked(data, where)
    try:
        made = Presentation(io.BytesIO(checked))
        _emptied(made, where)
        return _stage(made, where, dark)
    except InputError:
        raise
    except Exception as error:  # whatever a broken file may raise in a reader that trusts it
        remedy = "open it in PowerPoint, save it again, or take another"
        raise _fault(where, "it is broken and cannot be read as a presentation", remedy) from error


def _checked(data: bytes, where: str) -> bytes:
    """The file, as a presentation. Raises InputError for one that is none, holds macros, or is too large."""
    if len(data) > MOST_BYTES:
        raise _fault(where, f"it has {len(data) / 1e6:.0f} MB", f"use one of at most {MOST_BYTES // 10**6} MB")
    if data.startswith(OLD):
        raise _fault(where, "it is an old or a protected file", "save it as .pptx without a password")
    try:
        packed = zipfile.ZipFile(io.BytesIO(data))
        entries = packed.infolist()
        names = {entry.filename for entry in entries}
        if len(entries) > MOST_PARTS or sum(entry.file_size for entry in entries) > MOST_UNPACKED:
            raise _fault(where, "it unpacks to far more than a template", "take another")
        if TYPES not in names:
            raise _fault(where, "it is no PowerPoint file", f"give one that ends in {' or '.join(ENDINGS)}")
        types = packed.read(TYPES).decode("utf-8", "replace")
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, EOFError, RuntimeError) as error:
        remedy = f"give one that ends in {' or '.join(ENDINGS)}"
        raise _fault(where, "it is no PowerPoint file", remedy) from error
    if "macroEnabled" in types or any(name.lower().endswith("vbaproject.bin") for name in names):
        raise _fault(where, "it holds macros", "save it without them, as .pptx")
    if len(names) < len(entries):
        raise _fault(where, "it is broken and cannot be read as a presentation", "save it again, or take another")
    if MAIN in types:
        return data
    other = next((kind for kind in OTHERS if kind in types), None)
    if other is None:
        raise _fault(where, "it is no presentation", f"give a PowerPoint file ({' or '.join(ENDINGS)})")
    return _retyped(packed, types.replace(other, MAIN))


def _retyped(packed: zipfile.ZipFile, types: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as out:
        for entry in packed.infolist():
            out.writestr(entry.filename, types if entry.filename == TYPES else packed.read(entry))
    return file.getvalue()


def _emptied(made: Any, where: str) -> None:
    """Without its own slides, and without what points to them: sections, shows, and the view it was left in."""
    part, element = made.part, made.part._element
    for slide in list(made.slides._sldIdLst):
        part.drop_rel(slide.rId)
        made.slides._sldIdLst.remove(slide)
    for gone in element.xpath("./p:custShowLst | ./p:extLst"):
        element.remove(gone)
    for name, relation in list(part.rels.items()):
        if relation.reltype == RELATIONSHIP_TYPE.VIEW_PROPS:
            part.rels.pop(name)
    if any(str(found.partname).startswith("/ppt/slides/") for found in part.package.iter_parts()):
        raise _fault(where, "its layouts point to its own slides", "remove these links, or take another")


def _stage(made: Any, where: str, dark: bool) -> Stage:
    wide, tall = made.slide_width, made.slide_height
    if not wide or not tall or not SHAPES[0] <= wide / tall <= SHAPES[1]:
        size = f"{(wide or 0) / 360_000:.0f} × {(tall or 0) / 360_000:.0f} cm"
        raise _fault(where, f"its slides are {size}", "use one with slides of 16:9 or 4:3")
    scale = tall / EMU / HEIGHT
    layouts = [layout for master in made.slide_masters for layout in master.slide_layouts]
    usable = sorted(
        (rank, number) for number, layout in enumerate(layouts) if (rank := _rank(layout, wide, tall)) is not None
    )
    if not usable:
        raise _fault(where, "it has no layout with a title at its top", 'add the layout "Title Only"')
    layout = layouts[usable[0][1]]
    cover = next((one for one in layouts if one._element.get("type") == "title" and _covers(one)), None)
    look = template_look.read(layout)
    palette = DARK if dark else recoloured(look.palette, look.background)
    room, cover_room = (_room(one, wide, scale, look) for one in (layout, cover or layout))
    return Stage(
        made, layout, cover, room, cover_room, palette, scale,
        face="+mn-lt", wider=look.wider, painted=dark, own=True,
    )  # fmt: skip


def _rank(layout: Any, wide: int, tall: int) -> tuple[int, int] | None:
    """The smaller, the better as a layout of a title and nothing else; None: no title, or not where it is of use."""
    titles = [shape for shape in layout.placeholders if shape.placeholder_format.type in TITLES]
    if len(titles) != 1:
        return None
    title = titles[0]
    if title.placeholder_format.type is not PP_PLACEHOLDER.TITLE:
        return None
    if title.top + title.height > HIGHEST_TITLE * tall or title.width < NARROWEST_TITLE * wide or title.top < 0:
        return None
    if title.left < 0 or title.left + title.width > wide or title.height <= 0:
        return None
    others = [s for s in layout.placeholders if s is not title and s.placeholder_format.type not in (*TITLES, *AT_FOOT)]
    named = layout._element.get("type") == "titleOnly" or "title only" in layout.name.lower()
    return (0 if named and not others else 1 if not others else 2, len(others))


def _covers(layout: Any) -> bool:
    kinds = [shape.placeholder_format.type for shape in layout.placeholders]
    return PP_PLACEHOLDER.CENTER_TITLE in kinds and PP_PLACEHOLDER.SUBTITLE in kinds


def _room(layout: Any, wide: int, scale: float, look: template_look.Look) -> Room:
    """Where a slide of the layout is written: under its title, above what stands at its foot."""

    def px(emu: int) -> float:
        return emu / EMU / scale

    feet = [px(s.top) for s in layout.placeholders if s.placeholder_format.type in AT_FOOT and s.top is not None]
    feet = [top for top in feet if top > WIDEST_FOOT * HEIGHT]
    foot = min([FOOT, *(top - 2 for top in feet)])
    title = next(s for s in layout.placeholders if s.placeholder_format.type in TITLES)
    box: Box = tuple(px(value) for value in (title.left, title.top, title.width, title.height))
    left = min(max(box[0] + INSET, MARGIN / 2), 0.2 * px(wide))
    inside = (box[0] + INSET, box[1], box[2] - 2 * INSET, box[3] - 4)
    numbered = not any(s.placeholder_format.type is PP_PLACEHOLDER.SLIDE_NUMBER for s in layout.placeholders)
    return Room(left, px(wide) - left, TOP, foot, inside, numbered, look.wider, look.title_wider)


def _fault(where: str, found: str, remedy: str) -> InputError:
    return InputError(Fault(where, "", found, remedy))
