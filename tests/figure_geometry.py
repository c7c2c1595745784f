"""What a reader sees of an exported SVG: where its texts and marks lie, and what is wrong with that.

``read`` takes the SVG apart, ``faults`` names in words what is cut, covered, crossed out or out of place. Widths of
texts are the product's own (``agentcalc.figures.measure``), which a test holds against what is drawn.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from xml.etree import ElementTree

import vl_convert

from agentcalc.figures.figure import Figure
from agentcalc.figures.measure import ems
from agentcalc.figures.theme import blend, contrast

Point = tuple[float, float]
Matrix = tuple[float, float, float, float, float, float]

HAIR = 0.75
"""Pixels that rounding, and widths in another browser, may take."""
CAPITAL, DEPTH, SMALL = 0.72, 0.21, 0.52
"""Heights of a capital, of the tail of a g and of an x, in font sizes."""
SHALLOW = re.compile(r"[gjpqyQ,;()\[\]{}|_@/µçß§]")
"""What reaches below the line."""
PALE = 1.6
"""Contrast below which a line is furniture, such as a grid: a text may stand on it."""
EDGE = 1.45
"""Contrast from which two grounds are seen as two: below it lie tints, which a text may leave."""
READABLE = 4.5
"""Contrast of a text to what lies under it (WCAG 2.2, AA)."""
LARGE = 3.0
"""The same for text from 24 px, or from 18.66 px when bold."""


@dataclass(frozen=True)
class Box:
    """A rectangle in pixels of the picture, y downwards."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box, least: float = 0.0) -> bool:
        """Whether both share more than ``least`` pixels in each direction."""
        return (
            min(self.right, other.right) - max(self.left, other.left) > least
            and min(self.bottom, other.bottom) - max(self.top, other.top) > least
        )

    def inside(self, other: Box, spare: float = HAIR) -> bool:
        return (
            self.left >= other.left - spare
            and self.right <= other.right + spare
            and self.top >= other.top - spare
            and self.bottom <= other.bottom + spare
        )


@dataclass(frozen=True)
class Words:
    """One line of text. order: its place among all that is drawn, the first at the bottom."""

    text: str
    box: Box
    core: Box
    """Between the foot and the height of an x: what a line must not cross."""
    size: float
    bold: bool
    fill: str
    alpha: float
    order: int
    role: str

    @property
    def least(self) -> float:
        """The contrast that it must have."""
        return LARGE if self.size >= (18.66 if self.bold else 24) else READABLE


@dataclass(frozen=True)
class Shape:
    """A mark or a line. rings: its outlines as points; closed: whether it encloses an area; role: Vega's."""

    rings: tuple[tuple[Point, ...], ...]
    closed: bool
    fill: str | None
    fill_alpha: float
    stroke: str | None
    stroke_alpha: float
    width: float
    order: int
    role: str
    name: str

    @cached_property
    def box(self) -> Box:
        xs, ys = zip(*[point for ring in self.rings for point in ring], strict=True)
        return Box(min(xs), min(ys), max(xs), max(ys))

    @cached_property
    def upright(self) -> bool:
        """Whether it is a rectangle along the axes."""
        if not self.closed or len(self.rings) != 1:
            return False
        xs, ys = ({round(p[i], 3) for p in self.rings[0]} for i in (0, 1))
        return len(xs) <= 2 and len(ys) <= 2

    def holds(self, x: float, y: float) -> bool:
        """Whether its filled area lies over a point."""
        box = self.box
        if self.fill is None or not (box.left <= x <= box.right and box.top <= y <= box.bottom):
            return False
        return self.upright or _winding(self.rings, x, y)

    def edges(self) -> Iterator[tuple[Point, Point]]:
        """The pieces of its stroke."""
        for ring in self.rings:
            yield from pairwise(ring)


@dataclass(frozen=True)
class Picture:
    """Everything drawn, in order. plot: the frame that axes stand around."""

    width: float
    height: float
    words: list[Words]
    shapes: list[Shape]
    halos: list[Words] = field(default_factory=list)
    plot: Box | None = None

    @property
    def texts(self) -> list[str]:
        return [w.text.replace("\u00a0", " ") for w in self.words]

    def ground(self, x: float, y: float, before: int) -> str:
        """The colour at a point under what is drawn as number ``before``."""
        colour = "#FFFFFF"
        for order, shape in self._layers:
            if order >= before:
                break
            if isinstance(shape, Words):
                box = shape.box
                if box.left - 2 <= x <= box.right + 2 and box.top - 2 <= y <= box.bottom + 2:
                    colour = shape.fill
            elif shape.holds(x, y):
                colour = blend(shape.fill, colour, shape.fill_alpha)
        return colour

    @cached_property
    def _layers(self) -> list[tuple[int, Shape | Words]]:
        return sorted(((s.order, s) for s in (*self.shapes, *self.halos) if s.fill is not None), key=lambda p: p[0])

    def hidden(self, x: float, y: float, after: int, before: int) -> bool:
        """Whether something opaque, drawn between two orders, lies over a point."""
        for order, shape in self._layers:
            if not after < order < before:
                continue
            if isinstance(shape, Words):
                box = shape.box
                if box.left - 2 <= x <= box.right + 2 and box.top - 2 <= y <= box.bottom + 2:
                    return True
            elif shape.fill_alpha > 0.95 and shape.holds(x, y):
                return True
        return False


# Drawing


def drawn(figure: Figure, size: str | int, dark: bool = False) -> str:
    """A figure as SVG: in a size, or alone as wide as a page of the app."""
    more = {"width": size} if isinstance(size, int) else {}
    spec = figure.chart("app" if more else size, dark).to_dict(validate=False) | more
    return vl_convert.vegalite_to_svg(spec, allowed_base_urls=[])


def assert_legible(figure: Figure, size: str = "app", width: int | None = None, dark: bool = False) -> list[str]:
    """That nothing is wrong with a figure; gives its texts."""
    picture = read(drawn(figure, width or size, dark))
    found = faults(picture)
    assert not found, "; ".join(found)
    return picture.texts


# Reading


def read(svg: str) -> Picture:
    """An SVG as Vega writes it. Raises ValueError for a part that is not known here, rather than skipping it."""
    root = ElementTree.fromstring(svg)
    width, height = (float(root.get(side)) for side in ("width", "height"))
    made = _Reader(width, height)
    made.visit(root, (1, 0, 0, 1, 0, 0), {"fill": "#000000"}, "", "")
    return made.picture


class _Reader:
    def __init__(self, width: float, height: float):
        self.words: list[Words] = []
        self.halos: list[Words] = []
        self.shapes: list[Shape] = []
        self.plot: Box | None = None
        self.size = width, height
        self.order = 0

    @property
    def picture(self) -> Picture:
        return Picture(*self.size, self.words, self.shapes, self.halos, self.plot)

    def visit(self, node, matrix: Matrix, style: dict, role: str, name: str, alpha: float = 1.0) -> None:
        tag = node.tag.rsplit("}", 1)[-1]
        matrix = _times(matrix, _matrix(node.get("transform", "")))
        style = style | {key: node.get(key) for key in _INHERITED if node.get(key) is not None}
        alpha *= float(node.get("opacity", 1))
        if node.get("display") == "none" or tag in ("defs", "title", "style"):
            return
        classes = node.get("class", "").split()
        for part in classes:
            if part.startswith("role-"):
                role, name = part[5:], classes[-1]
        if tag in ("svg", "g"):
            for child in node:
                self.visit(child, matrix, style, role, name, alpha)
            return
        self.order += 1
        if tag == "text":
            self._text(node, matrix, style, role, alpha)
            return
        rings = _rings(tag, node)
        if node.get("class") == "background" and role == "frame" and self.plot is None:
            self.plot = Shape(tuple(_moved(ring, matrix) for ring, _ in rings), *[None] * 9).box
        self._shape(rings, matrix, style, role, name, alpha)

    def _shape(self, rings, matrix: Matrix, style: dict, role: str, name: str, alpha: float) -> None:
        rings = [(ring, closed) for ring, closed in rings if len(ring) > 1]
        fill_alpha = alpha * float(style.get("fill-opacity", 1))
        stroke_alpha = alpha * float(style.get("stroke-opacity", 1))
        fill = _colour(style.get("fill"), fill_alpha)
        stroke = _colour(style.get("stroke"), stroke_alpha)
        width = float(style.get("stroke-width", 1))
        stroke = stroke if width > 0 else None
        if not rings or (fill is None and stroke is None):
            return
        moved = tuple(_moved(ring, matrix) for ring, _ in rings)
        closed = fill is not None or all(c for _, c in rings)
        self.shapes.append(Shape(moved, closed, fill, fill_alpha, stroke, stroke_alpha, width, self.order, role, name))

    def _text(self, node, matrix: Matrix, style: dict, role: str, alpha: float) -> None:
        size = float(style["font-size"].removesuffix("px"))
        bold = style.get("font-weight") in ("bold", "600", "700")
        lines, down = [], 0.0
        if node.text and node.text.strip():
            lines.append((node.text, down))
        for span in node:
            down += float(span.get("dy", 0))
            lines.append((span.text or "", down))
        fill_alpha = alpha * float(style.get("fill-opacity", 1))
        stroke = _colour(style.get("stroke"), alpha)
        fill = _colour(style.get("fill"), fill_alpha)
        for text, down in lines:
            if not text.strip() or (fill is None and stroke is None):
                continue
            wide = ems(text, bold) * size
            left = {"end": -wide, "middle": -wide / 2}.get(style.get("text-anchor", "start"), 0.0)
            foot = DEPTH if SHALLOW.search(text) or not text.isascii() else 0.02
            box, core = (
                _around(_moved([(left, down - high * size), (left + wide, down + low * size)], matrix))
                for high, low in ((CAPITAL, foot), (SMALL, -0.04))
            )
            made = Words(text, box, core, size, bold, stroke or fill, fill_alpha, self.order, role)
            (self.halos if stroke else self.words).append(made)


_INHERITED = (
    *("fill", "stroke", "fill-opacity", "stroke-opacity", "stroke-width", "font-size", "font-weight", "text-anchor"),
)


def _colour(text: str | None, alpha: float) -> str | None:
    if text in (None, "none", "transparent") or alpha <= 0.01:
        return None
    named = {"white": "#FFFFFF", "black": "#000000"}.get(text, text)
    if found := re.fullmatch(r"rgb\((\d+), ?(\d+), ?(\d+)\)", named):
        return "#" + "".join(f"{int(c):02X}" for c in found.groups())
    if not re.fullmatch("#[0-9A-Fa-f]{6}", named):
        raise ValueError(f"colour {text!r}")
    return named


def _matrix(text: str) -> Matrix:
    made: Matrix = (1, 0, 0, 1, 0, 0)
    for kind, inside in re.findall(r"(\w+)\(([^)]*)\)", text):
        values = [float(v) for v in re.split(r"[ ,]+", inside.strip())]
        if kind == "translate":
            step: Matrix = (1, 0, 0, 1, values[0], values[1] if len(values) > 1 else 0)
        elif kind == "rotate" and len(values) == 1:
            c, s = math.cos(math.radians(values[0])), math.sin(math.radians(values[0]))
            step = (c, s, -s, c, 0, 0)
        elif kind == "scale":
            step = (values[0], 0, 0, values[-1], 0, 0)
        else:
            raise ValueError(f"transform {kind}({inside})")
        made = _times(made, step)
    return made


def _times(m: Matrix, n: Matrix) -> Matrix:
    a, b, c, d, e, f = m
    g, h, i, j, k, o = n
    return (a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * o + e, b * k + d * o + f)


def _moved(points, m: Matrix) -> tuple[Point, ...]:
    a, b, c, d, e, f = m
    return tuple((a * x + c * y + e, b * x + d * y + f) for x, y in points)


def _around(points) -> Box:
    xs, ys = zip(*points, strict=True)
    return Box(min(xs), min(ys), max(xs), max(ys))


def _rings(tag: str, node) -> list[tuple[list[Point], bool]]:
    def number(key: str) -> float:
        return float(node.get(key, 0))

    if tag == "line":
        return [([(number("x1"), number("y1")), (number("x2"), number("y2"))], False)]
    if tag == "rect":
        x, y, w, h = (number(key) for key in ("x", "y", "width", "height"))
        return [([(x, y), (x + w, y), (x + w, y + h), (x, y + h), (x, y)], True)]
    if tag == "path":
        return list(_path(node.get("d", "")))
    raise ValueError(f"element <{tag}>")


_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_TAKES = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "Q": 4, "A": 7, "Z": 0}


def _path(d: str) -> Iterator[tuple[list[Point], bool]]:
    """The subpaths of a path as points, curves in small pieces, and whether each is closed."""
    ring: list[Point] = []
    x = y = 0.0
    for letter, inside in re.findall(r"([A-Za-z])([^A-Za-z]*(?:[eE][-+]?\d+[^A-Za-z]*)*)", d):
        values = [float(v) for v in _NUMBER.findall(inside)]
        kind, relative = letter.upper(), letter.islower()
        if kind not in _TAKES:
            raise ValueError(f"path command {letter}")
        if kind == "Z":
            if ring:
                x, y = ring[0]
                yield [*ring, ring[0]], True
            ring = []
            continue
        for at in range(0, len(values), _TAKES[kind]):
            part = values[at : at + _TAKES[kind]]
            ox, oy = (x, y) if relative else (0.0, 0.0)
            if kind == "M" and at == 0:
                if ring:
                    yield ring, False
                x, y = part[0] + ox, part[1] + oy
                ring = [(x, y)]
                continue
            ring = ring or [(x, y)]
            if kind == "H":
                ring.append((part[0] + ox, y))
            elif kind == "V":
                ring.append((x, part[0] + oy))
            elif kind in "ML":
                ring.append((part[0] + ox, part[1] + oy))
            elif kind == "A":
                ring += _arc((x, y), part[0], bool(part[3]), bool(part[4]), (part[5] + ox, part[6] + oy))
            else:
                places = [(part[i] + ox, part[i + 1] + oy) for i in range(0, len(part), 2)]
                ring += _curve([(x, y), *places])
            x, y = ring[-1]
    if ring:
        yield ring, False


def _curve(places: list[Point], pieces: int = 8) -> list[Point]:
    found = []
    for i in range(1, pieces + 1):
        t, level = i / pieces, places
        while len(level) > 1:
            level = [(a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])) for a, b in pairwise(level)]
        found.append(level[0])
    return found


def _arc(start: Point, radius: float, large: bool, sweep: bool, end: Point, pieces: int = 12) -> list[Point]:
    """A part of a circle, as SVG gives it by its ends."""
    (x1, y1), (x2, y2) = start, end
    half = math.dist(start, end) / 2
    radius = max(radius, half)
    if half == 0:
        return [end]
    off = math.sqrt(max(radius**2 - half**2, 0)) * (1 if large == sweep else -1)
    cx, cy = (x1 + x2) / 2 + off * (y2 - y1) / (2 * half), (y1 + y2) / 2 - off * (x2 - x1) / (2 * half)
    a, b = math.atan2(y1 - cy, x1 - cx), math.atan2(y2 - cy, x2 - cx)
    turn = (b - a) % (2 * math.pi) if sweep else -((a - b) % (2 * math.pi))
    steps = [a + turn * i / pieces for i in range(1, pieces + 1)]
    return [(cx + radius * math.cos(t), cy + radius * math.sin(t)) for t in steps]


def _winding(rings, x: float, y: float) -> bool:
    turns = 0
    for ring in rings:
        for (x1, y1), (x2, y2) in zip(ring, [*ring[1:], ring[0]], strict=True):
            if (y1 <= y) != (y2 <= y):
                cross = (x2 - x1) * (y - y1) - (x - x1) * (y2 - y1)
                if (y2 > y1 and cross > 0) or (y2 <= y1 and cross < 0):
                    turns += 1 if y2 > y1 else -1
    return turns != 0


# Judging


def faults(picture: Picture) -> list[str]:
    """What is wrong, each in one line; empty when nothing is."""
    return [*cut(picture), *overlapping(picture), *unreadable(picture), *struck(picture), *outside(picture)]


def cut(picture: Picture) -> Iterator[str]:
    """Texts that the picture's edge cuts, or that were shortened."""
    whole = Box(0, 0, picture.width, picture.height)
    for words in picture.words:
        if not words.box.inside(whole):
            yield f"cut: {words.text!r} at {_said(words.box)} of {picture.width:.0f} × {picture.height:.0f}"
        if "…" in words.text:
            yield f"shortened: {words.text!r}"


def overlapping(picture: Picture) -> Iterator[str]:
    """Texts that lie over each other."""
    for i, a in enumerate(picture.words):
        for b in picture.words[i + 1 :]:
            if a.box.meets(b.box, HAIR):
                yield f"overlap: {a.text!r} and {b.text!r} at {_said(a.box)} and {_said(b.box)}"


def places(words: Words) -> list[Point]:
    """Points of a text at which the ground is looked at."""
    box = words.core
    count = max(2, min(60, round((box.right - box.left) / 4)))
    across = [box.left + 0.5 + (box.right - box.left - 1) * i / (count - 1) for i in range(count)]
    return [(x, y) for y in (box.top, (box.top + box.bottom) / 2, box.bottom) for x in across]


def grounds(picture: Picture, words: Words) -> dict[str, int]:
    """The colours that lie under a text, with how many of its places each is under."""
    found: dict[str, int] = {}
    for x, y in places(words):
        colour = picture.ground(x, y, words.order)
        found[colour] = found.get(colour, 0) + 1
    return found


def unreadable(picture: Picture) -> Iterator[str]:
    """Texts without contrast to what lies under them, across the edge of a mark, or under a mark drawn later."""
    for words in picture.words:
        under = grounds(picture, words)
        for colour in under:
            ratio = contrast(blend(words.fill, colour, words.alpha), colour)
            if ratio < words.least - 0.005:
                yield f"contrast: {words.text!r}, {words.fill} on {colour} is {ratio:.2f}, not {words.least}"
        most = max(under, key=under.get)
        other = max(under, key=lambda colour: contrast(colour, most))
        if contrast(other, most) >= EDGE:
            yield f"across an edge: {words.text!r} lies on {most} and {other} at {_said(words.box)}"
        for shape in picture.shapes:
            later = shape.order > words.order and shape.fill and shape.fill_alpha > 0.05
            if later and shape.box.meets(words.box) and any(shape.holds(x, y) for x, y in places(words)):
                yield f"covered: {words.text!r} by {shape.name or shape.role}"


def struck(picture: Picture) -> Iterator[str]:
    """Texts that a line runs through.

    Tolerated: lines as pale as a grid; lines under a halo of the text; lines hidden by what is drawn over them.
    """
    for words in picture.words:
        core = Box(words.core.left + 1, words.core.top, words.core.right - 1, words.core.bottom)
        if core.right <= core.left:
            continue
        for shape in picture.shapes:
            if shape.stroke is None or not _near(shape.box, core, shape.width):
                continue
            for a, b in shape.edges():
                at = _crossing(a, b, core)
                if at is None:
                    continue
                ground = picture.ground(*at, words.order)
                seen = contrast(blend(shape.stroke, ground, shape.stroke_alpha), ground) >= PALE
                if seen and not picture.hidden(*at, shape.order, words.order):
                    yield f"struck through: {words.text!r} by {shape.name or shape.role} at {at[0]:.0f}, {at[1]:.0f}"
                    break


def _near(box: Box, core: Box, width: float) -> bool:
    return not (
        box.right + width < core.left
        or box.left - width > core.right
        or box.bottom + width < core.top
        or box.top - width > core.bottom
    )


def _crossing(a: Point, b: Point, box: Box) -> Point | None:
    """The middle of the part of a line that lies in a box."""
    low, high = 0.0, 1.0
    for start, end, least, most in ((a[0], b[0], box.left, box.right), (a[1], b[1], box.top, box.bottom)):
        if start == end:
            if not least <= start <= most:
                return None
            continue
        first, last = sorted(((least - start) / (end - start), (most - start) / (end - start)))
        low, high = max(low, first), min(high, last)
    if low > high:
        return None
    t = (low + high) / 2
    return a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])


def outside(picture: Picture) -> Iterator[str]:
    """Marks that leave the picture, or the plot by more than half of a dot or a line."""
    whole = Box(0, 0, picture.width, picture.height)
    for shape in picture.shapes:
        if shape.role != "mark":
            continue
        box, half = shape.box, shape.width / 2 if shape.stroke else 0.0
        drawn = Box(box.left - half, box.top - half, box.right + half, box.bottom + half)
        if not drawn.inside(whole):
            yield f"outside the picture: {shape.name} at {_said(drawn)} of {picture.width:.0f} × {picture.height:.0f}"
        elif picture.plot and not box.inside(picture.plot, half + DOT):
            yield f"outside the plot: {shape.name} at {_said(box)}, plot {_said(picture.plot)}"


DOT = 8.5
"""Pixels that half a dot may reach over the frame that its middle lies on."""


def _said(box: Box) -> str:
    return f"({box.left:.0f}, {box.top:.0f})–({box.right:.0f}, {box.bottom:.0f})"
