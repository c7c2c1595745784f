"""Colours and sizes of all figures, light and dark, for the app and for export."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

from agentcalc.errors import Fault, InputError
from agentcalc.figures.chosen import NOTHING, Chosen
from agentcalc.results import COMPONENTS

FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
"""vl-convert carries Liberation Sans; Arial has the same widths, so app and export lay out alike."""

GREY_FIRST = ("tool", "human", "overhead", "ttft", "decode", "refill", "retry", "attention")
"""Components with what no system can change first."""

INKS = ("#FFFFFF", "#000000")
"""On any fill one of the two has a contrast of 4.5."""
READABLE, SEEN = 4.5, 3.0
"""Contrast that text needs, and that a line or an area needs."""
TINT = 0.14
"""How much of a reader's colour its tint has."""


@dataclass(frozen=True)
class Fill:
    """How a component is drawn: fill, outline, colour of text on it, and whether the outline is dashed."""

    fill: str
    outline: str
    text: str
    dashed: bool = False


@dataclass(frozen=True)
class Palette:
    """Every colour of one scheme; ``fills`` by component, ``own`` what a reader gave to systems beside the pair, by
    name; ``text`` colours of words about a system of the pair, where its own cannot be read.
    """

    background: str
    ink: str
    muted: str
    grid: str
    axis: str
    candidate: str
    candidate_tint: str
    candidate_text: str
    baseline: str
    baseline_tint: str
    third: str
    fourth: str
    other: str
    fills: dict[str, Fill]
    own: Mapping[str, str] = field(default_factory=dict)
    text: Mapping[str, str] = field(default_factory=dict)

    def system(self, role: str, name: str = "") -> str:
        """Colour of a system's bar, line or dot: the role is baseline, candidate or other."""
        return {"baseline": self.baseline, "candidate": self.candidate}.get(role) or self.own.get(name, self.other)

    def name(self, role: str, name: str = "") -> str:
        """Colour of a system's name: as the system, but never so pale that text cannot be read."""
        if role in ("baseline", "candidate"):
            return self.text.get(role) or self.system(role)
        return readable(self.own[name], self.background) if name in self.own else self.muted

    def tint(self, role: str) -> str:
        """Pale area that belongs to a system."""
        return self.candidate_tint if role == "candidate" else self.baseline_tint


def _fills(
    background: str, ink: str, first: tuple, writing: tuple, tool: tuple, overhead: tuple, outline: str, lost: tuple
):
    wasted = Fill(lost[0], background, lost[1])
    return {
        "overhead": Fill(overhead[0], outline, overhead[1]),
        "ttft": Fill(first[0], background, first[1]),
        "decode": Fill(writing[0], background, writing[1]),
        "refill": wasted,
        "tool": Fill(tool[0], outline, tool[1]),
        "human": Fill(background, outline, ink, dashed=True),
        "attention": wasted,
        "retry": wasted,
    }


LIGHT = Palette(
    background="#FFFFFF",
    ink="#1B2430",
    muted="#5A6675",
    grid="#E3E7EC",
    axis="#8592A1",
    candidate="#00795C",
    candidate_tint="#DDF1EA",
    candidate_text="#FFFFFF",
    baseline="#4A5563",
    baseline_tint="#E9ECF0",
    third="#8A4FBE",
    fourth="#A65300",
    other="#7C8896",
    fills=_fills(
        "#FFFFFF",
        "#1B2430",
        ("#C97A00", "#1B2430"),
        ("#1F5FA8", "#FFFFFF"),
        ("#D9DFE6", "#1B2430"),
        ("#98A3AF", "#1B2430"),
        "#707C8A",
        ("#D6336C", "#FFFFFF"),
    ),
)
DARK = Palette(
    background="#12171E",
    ink="#EEF2F6",
    muted="#A3AFBD",
    grid="#2A323D",
    axis="#6F7C8B",
    candidate="#2FC79B",
    candidate_tint="#12352D",
    candidate_text="#0B1016",
    baseline="#B4BECA",
    baseline_tint="#232C37",
    third="#C79BF2",
    fourth="#E8903F",
    other="#7E8B9A",
    fills=_fills(
        "#12171E",
        "#EEF2F6",
        ("#F0A62B", "#0B1016"),
        ("#4F9BE0", "#0B1016"),
        ("#2B3440", "#EEF2F6"),
        ("#98A4B2", "#0B1016"),
        "#7E8B9A",
        ("#D6336C", "#FFFFFF"),
    ),
)
assert set(LIGHT.fills) == set(COMPONENTS) == set(GREY_FIRST)


@dataclass(frozen=True)
class Size:
    """Outer size in CSS pixels and type sizes of one form of a figure."""

    width: int
    height: int | None
    margin: int
    title: float
    subtitle: float
    label: float
    source: float


SIZES = {
    "app": Size(1216, None, 2, 0, 0, 15, 0),
    "slide": Size(1184, 470, 2, 0, 0, 19, 0),
    "full": Size(1280, 720, 32, 31, 19, 19, 14),
    "half": Size(640, 640, 22, 23, 16, 15.5, 12),
    "square": Size(1000, 1000, 32, 32, 20, 20, 15),
    "4:3": Size(960, 720, 22, 23, 16, 15.5, 12),
}
"""The app draws the plot alone, as wide as the page (``width`` is only the default) and as high as the figure asks; a
slide of a deck, whose words are text boxes, the plot alone too."""


NARROW_PX = 358
"""The narrowest place in the app: a phone of 390 px."""
SCALES = (1, 0.92, 0.85, 0.78, 0.71, 0.65, 0.6)
"""Sizes of labels that are tried, of the usual one, until all of them have room."""


@dataclass(frozen=True)
class Look:
    """One size, one scheme, and what a reader has set. Raises InputError for a colour that cannot be seen.

    words_px: pixels of height that title, subtitle and source take; scale: of the type of labels.
    """

    size: str = "app"
    dark: bool = False
    chosen: Chosen = NOTHING
    words_px: float = 0.0
    scale: float = 1.0

    def __post_init__(self):
        if self.size not in SIZES:
            raise ValueError(f"size is '{self.size}'; use one of {', '.join(SIZES)}")

    @cached_property
    def px(self) -> Size:
        size = SIZES[self.size]
        return size if self.scale == 1 else replace(size, label=round(self.scale * size.label, 2))

    @property
    def room(self) -> float | None:
        """Pixels of height left for the plot with its axis and key; None in the app, where it is not limited."""
        return None if self.px.height is None else self.px.height - 2 * self.px.margin - self.words_px

    @property
    def inner(self) -> float:
        """Pixels of width inside the margins; in the app those on a phone."""
        return (self.px.width if self.px.height else NARROW_PX) - 2 * self.px.margin

    def fitting(self, need: Callable[[Look], float]) -> Look:
        """This look, or one with smaller labels: the largest in which what ``need`` says fits the room, in pixels."""
        look = self
        for scale in SCALES if self.room is not None else ():
            look = replace(self, scale=scale)
            if need(look) <= look.room:
                break
        return look

    @property
    def palette(self) -> Palette:
        if self.chosen.colours:
            return recoloured(self.dark, self.chosen.colours)
        return DARK if self.dark else LIGHT

    @property
    def small(self) -> float:
        """Labels inside bars."""
        return round(0.95 * self.px.label, 2)

    @property
    def name(self) -> float:
        """Names and end values."""
        return round(1.3 * self.px.label, 2)

    @property
    def gap(self) -> float:
        """The time gained."""
        return round(1.5 * self.px.label, 2)


def luminance(colour: str) -> float:
    """Relative luminance of #RRGGBB (WCAG 2.2)."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    """Contrast ratio of two colours, 1 to 21 (WCAG 2.2)."""
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def blend(colour: str, background: str, share: float) -> str:
    """A colour laid over a background at an opacity of ``share``."""
    mixed = [
        round(int(colour[i : i + 2], 16) * share + int(background[i : i + 2], 16) * (1 - share)) for i in (1, 3, 5)
    ]
    return "#" + "".join(f"{c:02X}" for c in mixed)


def ink_on(fill: str) -> str:
    """The colour of text on a fill: white or black, whichever can be read better."""
    return max(INKS, key=lambda ink: contrast(ink, fill))


def readable(colour: str, *grounds: str) -> str:
    """A colour of text: as given, or as much nearer to black or white as it takes to be read on all the grounds."""
    ink = max(INKS, key=lambda ink: min(contrast(ink, ground) for ground in grounds))
    for step in range(21):
        found = blend(ink, colour, step / 20)
        if all(contrast(found, ground) >= READABLE for ground in grounds):
            return found
    return ink


@lru_cache(maxsize=256)
def recoloured(dark: bool, colours: tuple[tuple[str, str], ...]) -> Palette:
    """A scheme with a reader's colours by slot: "baseline", "candidate", "own:NAME" and "fill:COMPONENT".

    Raises InputError for one that cannot be told from the background, and for two systems in one colour.
    """
    palette = DARK if dark else LIGHT
    for slot, colour in colours:
        kind, _, name = slot.partition(":")
        outlined = kind == "fill" and palette.fills[name].outline != palette.background
        if not outlined and contrast(colour, palette.background) < SEEN:
            ground = f"the {'dark' if dark else 'light'} background"
            found = f"{colour} cannot be told from {ground} ({contrast(colour, palette.background):.1f}:1)"
            raise InputError(
                Fault("", "colours", found, f"Choose a {'lighter' if dark else 'darker'} one, from 3:1 on")
            )
        if kind == "fill":
            fill = palette.fills[name]
            outline = fill.outline if outlined else palette.background
            drawn = Fill(colour, outline, ink_on(colour), fill.dashed)
            palette = replace(palette, fills=palette.fills | {name: drawn})
        elif kind == "own":
            palette = replace(palette, own=dict(palette.own) | {name: colour})
        else:
            tint = blend(colour, palette.background, TINT)
            text = dict(palette.text) | {kind: readable(colour, palette.background, tint)}
            more = {"candidate_text": ink_on(colour)} if kind == "candidate" else {}
            palette = replace(palette, text=text, **{kind: colour, f"{kind}_tint": tint}, **more)
    mine = [palette.baseline, palette.candidate, *palette.own.values()]
    if len(set(mine)) < len(mine) and any(not slot.startswith("fill:") for slot, _ in colours):
        twice = next(colour for colour in mine if mine.count(colour) > 1)
        raise InputError(Fault("", "colours", f"two systems would be {twice}", "Give each its own colour"))
    return palette
