"""What a deck is made on: an empty presentation with its layouts, and where and in which colours a slide is written."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from pptx import Presentation
from pptx.util import Emu

from agentcalc.exports.native_ground import EMU, FACE
from agentcalc.exports.slide_layout import HEIGHT, WIDTH, Room
from agentcalc.figures.theme import DARK, LIGHT, Palette, blend

DEFAULT_TITLE_ONLY, DEFAULT_COVER = 5, 6
"""Layouts of python-pptx's own template: a title and nothing else; nothing."""
GRID, TINT = 0.14, 0.18
"""How much of a colour is left of it in lines and areas on a template's background."""
SETTLED = 40
"""Shapes of a layout are moved once; nobody has more of them."""


@dataclass(frozen=True)
class Stage:
    """presentation: without slides; layout: with a title and nothing else; cover: with a title and a subtitle, or None;
    room: of a slide of layout, and cover_room, in pixels of a slide 720 high, of which one is ``scale`` true ones.

    palette: of all that is drawn; face: of all text but a template's titles; wider: how wide it runs beside Arial;
    painted: whether slides get the palette's background and titles its ink; own: whether a template was given.
    """

    presentation: Any
    layout: Any
    cover: Any
    room: Room
    cover_room: Room
    palette: Palette
    scale: float = 1.0
    face: str = FACE
    wider: float = 1.0
    painted: bool = True
    own: bool = False


def plain(dark: bool = False) -> Stage:
    """Slides of 16:9 in the figures' own look."""
    made = Presentation()
    narrow = made.slide_width
    made.slide_width, made.slide_height = Emu(WIDTH * EMU), Emu(HEIGHT * EMU)
    # The layouts are those of a narrower slide: what somebody adds by hand would stand at the left.
    for holder in (made.slide_master, *made.slide_layouts):
        for shape in list(holder.placeholders)[:SETTLED]:
            if shape._element.spPr.xfrm is not None:
                shape.left, shape.width = (Emu(round(x * made.slide_width / narrow)) for x in (shape.left, shape.width))
    layouts = made.slide_layouts
    title_only = layouts[DEFAULT_TITLE_ONLY]
    return Stage(made, title_only, None, Room(), Room(numbered=False), DARK if dark else LIGHT)


def recoloured(palette: Palette, background: str) -> Palette:
    """The palette on another background: what is filled or parted by it takes the new one, what is pale its tint."""
    if background == palette.background:
        return palette

    def swap(colour: str) -> str:
        return background if colour == palette.background else colour

    fills = {
        name: replace(fill, fill=swap(fill.fill), outline=swap(fill.outline)) for name, fill in palette.fills.items()
    }
    pale = {
        "grid": blend(palette.ink, background, GRID),
        "candidate_tint": blend(palette.candidate, background, TINT),
        "baseline_tint": blend(palette.baseline, background, TINT),
    }
    return replace(palette, background=background, fills=fills, **pale)
