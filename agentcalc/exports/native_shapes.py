"""Rectangles, lines, areas and words of one figure as shapes that can be edited, put on a slide as one group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal
from xml.sax.saxutils import escape, quoteattr

from pptx.oxml import parse_xml

from agentcalc.exports.native_ground import LEADING, Box, Ground, writable

Align = Literal["l", "ctr", "r"]
NAMESPACES = (
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
)
MOST_NAMED = 0.35
SQUARE = 0.75
"""Side of a square of a key, in type sizes."""


class Shapes:
    """Shapes in the order drawn. All lengths in pixels of the layout."""

    def __init__(self, ground: Ground):
        self.ground = ground
        self._made: list[tuple[str, str]] = []
        self._corners: list[tuple[float, float]] = []

    def rect(
        self, left: float, top: float, right: float, bottom: float, fill: str | None, *, outline: str | None = None,
        edge: float = 1.0, dashed: bool = False, alpha: float = 1.0, name: str = "bar",
        text: str = "", size: float = 0.0, colour: str = "", bold: bool = False,
    ) -> None:  # fmt: skip
        """A rectangle with a text in its middle. edge: pixels of its outline."""
        words = _body(self.ground, [text], size, colour, bold, "ctr", "ctr") if text else ""
        shape = _fill(fill, alpha) + _line(self.ground, outline, edge, "sysDash" if dashed else "")
        self._add(
            name, left, top, right - left, bottom - top, '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom>', shape, words
        )

    def strokes(self, those: Sequence[tuple[float, float, float, float]], colour: str, width: float, name: str) -> None:
        """Many straight lines, (x1, y1, x2, y2), as one shape."""
        xs, ys = [x for line in those for x in line[::2]], [y for line in those for y in line[1::2]]
        left, top, emu = min(xs), min(ys), self.ground.emu
        steps = "".join(
            f'<a:moveTo><a:pt x="{emu(a - left)}" y="{emu(b - top)}"/></a:moveTo>'
            f'<a:lnTo><a:pt x="{emu(c - left)}" y="{emu(d - top)}"/></a:lnTo>'
            for a, b, c, d in those
        )
        wide, tall = max(xs) - left, max(ys) - top
        shape = "<a:noFill/>" + _line(self.ground, colour, width, "")
        self._add(name, left, top, wide, tall, self._path(wide, tall, steps), shape, "")

    def area(self, points: Sequence[tuple[float, float]], fill: str, alpha: float = 1.0, name: str = "area") -> None:
        """A filled polygon."""
        xs, ys = [x for x, _ in points], [y for _, y in points]
        left, top, emu = min(xs), min(ys), self.ground.emu
        wide, tall = max(xs) - left, max(ys) - top
        spots = [f'<a:pt x="{emu(x - left)}" y="{emu(y - top)}"/>' for x, y in points]
        steps = "".join(f"<a:lnTo>{spot}</a:lnTo>" for spot in spots[1:])
        geometry = self._path(wide, tall, f"<a:moveTo>{spots[0]}</a:moveTo>{steps}<a:close/>")
        shape = _fill(fill, alpha) + "<a:ln><a:noFill/></a:ln>"
        self._add(name, left, top, wide, tall, geometry, shape, "")

    def line(
        self, x1: float, y1: float, x2: float, y2: float, colour: str, width: float = 1.0, *, dash: str = "",
        name: str = "line",
    ) -> None:  # fmt: skip
        """A straight line; dash: of DrawingML, such as ``sysDash``."""
        flips = (' flipH="1"' if x2 < x1 else "") + (' flipV="1"' if y2 < y1 else "")
        shape = '<a:prstGeom prst="line"><a:avLst/></a:prstGeom>' + _line(self.ground, colour, width, dash)
        box = (min(x1, x2), min(y1, y2), abs(x2 - x1), abs(y2 - y1))
        self._corners += [(x1, y1), (x2, y2)]
        self._made.append(
            (
                name,
                "<p:cxnSp><p:nvCxnSpPr>{id}<p:cNvCxnSpPr/><p:nvPr/></p:nvCxnSpPr>"
                f"<p:spPr>{self._frame(*box, flips)}{shape}</p:spPr></p:cxnSp>",
            )
        )

    def text(
        self, x: float, y: float, text: str | Sequence[str], size: float, colour: str, *, bold: bool = False,
        align: Align = "l", anchor: Literal["t", "ctr", "b"] = "t", name: str = "label",
    ) -> None:  # fmt: skip
        """Lines at a point. align, anchor: which side, and which end, of them the point is."""
        lines = [text] if isinstance(text, str) else list(text)
        wide = max(self.ground.wide(line, size, bold) for line in lines)
        tall = len(lines) * LEADING * size
        left = x - {"l": 0, "ctr": wide / 2, "r": wide}[align]
        top = y - {"t": 0, "ctr": tall / 2, "b": tall}[anchor]
        words = _body(self.ground, lines, size, colour, bold, align, anchor)
        plain = '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom>'
        self._add(name, left, top, wide, tall, plain, "<a:noFill/><a:ln><a:noFill/></a:ln>", words, ' txBox="1"')

    def key(self, entries: Sequence[tuple[str, str, str]], left: float, top: float, wide: float) -> float:
        """A key of squares, (words, fill, outline), from left to right, line by line; returns the pixels it takes."""
        size, square = self.ground.label, SQUARE * self.ground.label
        line, x, row = 1.4 * size, left, 0
        for words, fill, outline in entries:
            needs = square + 8 + self.ground.wide(words, size) + 18
            if x > left and x + needs - 18 > left + wide:
                x, row = left, row + 1
            y = top + row * line + line / 2
            self.rect(x, y - square / 2, x + square, y + square / 2, fill, outline=outline, name=f"key: {words}")
            self.text(x + square + 8, y, words, size, self.ground.palette.ink, anchor="ctr", name=f"key: {words}")
            x += needs
        return (row + 1) * line if entries else 0.0

    def named(self, lines: Sequence[tuple[str, str]], box: Box, most: float = MOST_NAMED) -> float:
        """Words above a plot, (text, colour) one under the other, each wrapped by itself, in a type so small that all
        take no more than a share of the box; returns the pixels they take.
        """
        left, top, wide, tall = box
        for size in (share * self.ground.label for share in (1.1, 1.0, 0.9, 0.8, 0.7, 0.6)):
            wrapped = [self.ground.lines(text, size, wide, True, 2) for text, _ in lines]
            taken = sum(len(those) * LEADING * size + 3 for those in wrapped)
            if taken <= most * tall:
                break
        at = top
        for those, (_, colour) in zip(wrapped, lines, strict=True):
            self.text(left, at, those, size, colour, bold=True, name="system")
            at += len(those) * LEADING * size + 3
        return taken

    def put(self, name: str, described: str = "") -> None:
        """All of it onto the slide, as a group with a name and a description; nothing for no shapes."""
        if not self._made:
            return
        tree = self.ground.page.shapes._spTree
        first = max((int(i) for i in tree.xpath("//@id") if str(i).isdigit()), default=1) + 1
        left, top = min(x for x, _ in self._corners), min(y for _, y in self._corners)
        right, bottom = max(x for x, _ in self._corners), max(y for _, y in self._corners)
        off, ext = self._at(left, top), self._size(right - left, bottom - top)
        group = f"<a:xfrm>{off}{ext}{off.replace('a:off', 'a:chOff')}{ext.replace('a:ext', 'a:chExt')}</a:xfrm>"
        parts = [
            part.replace("{id}", f'<p:cNvPr id="{first + i}" name={quoteattr(writable(called))}/>', 1)
            for i, (called, part) in enumerate(self._made, 1)
        ]
        tree.append(
            parse_xml(
                f"<p:grpSp {NAMESPACES}><p:nvGrpSpPr>"
                f'<p:cNvPr id="{first}" name={quoteattr(writable(name))} descr={quoteattr(writable(described))}/>'
                f"<p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr>{group}</p:grpSpPr>{''.join(parts)}</p:grpSp>"
            )
        )

    def _path(self, wide: float, tall: float, steps: str) -> str:
        size = f'w="{max(1, self.ground.emu(wide))}" h="{max(1, self.ground.emu(tall))}"'
        return (
            '<a:custGeom><a:avLst/><a:gdLst/><a:ahLst/><a:cxnLst/><a:rect l="0" t="0" r="r" b="b"/>'
            f"<a:pathLst><a:path {size}>{steps}</a:path></a:pathLst></a:custGeom>"
        )

    def _add(self, name, left, top, wide, tall, geometry: str, shape: str, words: str, kind: str = "") -> None:
        self._corners += [(left, top), (left + wide, top + tall)]
        body = words or "<p:txBody><a:bodyPr/><a:p/></p:txBody>"
        self._made.append(
            (
                name,
                f"<p:sp><p:nvSpPr>{{id}}<p:cNvSpPr{kind}/><p:nvPr/></p:nvSpPr>"
                f"<p:spPr>{self._frame(left, top, wide, tall)}{geometry}{shape}</p:spPr>{body}</p:sp>",
            )
        )

    def _frame(self, left: float, top: float, wide: float, tall: float, flips: str = "") -> str:
        return f"<a:xfrm{flips}>{self._at(left, top)}{self._size(wide, tall)}</a:xfrm>"

    def _at(self, x: float, y: float) -> str:
        return f'<a:off x="{self.ground.emu(x)}" y="{self.ground.emu(y)}"/>'

    def _size(self, wide: float, tall: float) -> str:
        return f'<a:ext cx="{max(0, self.ground.emu(wide))}" cy="{max(0, self.ground.emu(tall))}"/>'


def font(ground: Ground, size: float, colour: str, bold: bool, tag: str = "a:rPr") -> str:
    """Properties of a run of text, or of a chart's (``a:defRPr``)."""
    face = f"<a:latin typeface={quoteattr(ground.face)}/>" if ground.face else ""
    return f'<{tag} sz="{ground.points(size)}" b="{int(bold)}">{solid(colour)}{face}</{tag}>'


def solid(colour: str, alpha: float = 1.0) -> str:
    """A fill of one colour."""
    clear = f'<a:alpha val="{round(alpha * 100_000)}"/>' if alpha < 1 else ""
    return f'<a:solidFill><a:srgbClr val="{colour.lstrip("#")}">{clear}</a:srgbClr></a:solidFill>'


def _fill(colour: str | None, alpha: float) -> str:
    return solid(colour, alpha) if colour else "<a:noFill/>"


def _line(ground: Ground, colour: str | None, width: float, dash: str) -> str:
    if not colour or width <= 0:
        return "<a:ln><a:noFill/></a:ln>"
    dashes = f'<a:prstDash val="{dash}"/>' if dash else ""
    return f'<a:ln w="{ground.emu(width)}">{solid(colour)}{dashes}</a:ln>'


def _body(ground: Ground, lines: Sequence[str], size: float, colour: str, bold: bool, align: str, anchor: str) -> str:
    run = font(ground, size, colour, bold)
    paragraphs = "".join(
        f'<a:p><a:pPr algn="{align}"/><a:r>{run}<a:t>{escape(writable(line))}</a:t></a:r></a:p>' for line in lines
    )
    insets = 'lIns="0" tIns="0" rIns="0" bIns="0"'
    return (
        f'<p:txBody><a:bodyPr wrap="none" {insets} anchor="{anchor}"><a:noAutofit/></a:bodyPr>{paragraphs}</p:txBody>'
    )
