"""The marks of a picture that Vega drew as SVG, with their places on it."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from dataclasses import dataclass

_MOVE = re.compile(r"translate\(\s*([-\d.e]+)(?:[\s,]+([-\d.e]+))?\s*\)")
_TURN = re.compile(r"rotate\(\s*([-\d.e]+)")
_PATH = re.compile(r"([A-Za-z])|([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)")
_SIDES = {"M": "xy", "L": "xy", "H": "x", "V": "y", "C": "xyxyxy", "Q": "xyxy", "A": "....." + "xy", "Z": ""}
"""Which numbers of a command are places on the picture; those of small letters are lengths."""

NEARLY = 0.5
"""Pixels by which a mark may lie elsewhere: a browser measures text by a hair otherwise."""


@dataclass(frozen=True)
class Mark:
    """One drawn thing: its element, what is written, the commands of its path, and its places and lengths in pixels."""

    tag: str
    text: str
    commands: str
    numbers: tuple[float, ...]
    look: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.tag} {self.text!r} {self.commands} {[round(n, 2) for n in self.numbers]} {self.look}"


def marks(svg: str) -> list[Mark]:
    """Every mark of an SVG in the order drawn, its places counted from the picture's left top.

    A picture's own background is no mark: in a file it is a rectangle, on a page a style.
    """
    return [mark for mark in _marks(ElementTree.fromstring(svg), 0.0, 0.0) if mark.tag != "rect"]


def differences(one: list[Mark], other: list[Mark], nearly: float = NEARLY) -> list[str]:
    """What differs between two pictures, in words; nothing where every mark is in the same place, written the same."""
    found = [] if len(one) == len(other) else [f"{len(one)} marks against {len(other)}"]
    for a, b in zip(one, other, strict=False):
        same = (a.tag, a.text, a.commands, a.look) == (b.tag, b.text, b.commands, b.look)
        if not same or any(abs(x - y) > nearly for x, y in zip(a.numbers, b.numbers, strict=True)):
            found.append(f"{a} against {b}")
    return found


def _marks(element: ElementTree.Element, left: float, top: float) -> Iterator[Mark]:
    tag = element.tag.rpartition("}")[2]
    moved = _MOVE.search(element.get("transform", ""))
    if moved:
        left, top = left + float(moved[1]), top + float(moved[2] or 0)
    if tag in ("svg", "g"):
        for child in element:
            yield from _marks(child, left, top)
    elif tag in ("path", "rect", "line", "text"):
        look = tuple(element.get(name, "") for name in ("fill", "stroke", "font-size", "text-anchor"))
        # The frame of a plot is not seen; on a page it takes the pointer.
        look = ("" if look[0] == "transparent" else look[0], *look[1:])
        commands, numbers = _placed(element, tag, left, top)
        yield Mark(tag, "".join(element.itertext()), commands, tuple(numbers), look)


def _placed(element: ElementTree.Element, tag: str, left: float, top: float) -> tuple[str, list[float]]:
    if tag == "path":
        return _path(element.get("d", ""), left, top)
    if tag == "rect":
        at = [float(element.get(name, 0)) for name in ("x", "y", "width", "height")]
        return "", [left + at[0], top + at[1], *at[2:]]
    if tag == "line":
        x1, x2, y1, y2 = (float(element.get(name, 0)) for name in ("x1", "x2", "y1", "y2"))
        return "", [left + x1, top + y1, left + x2, top + y2]
    turned = _TURN.search(element.get("transform", ""))
    return "", [left, top, float(turned[1]) if turned else 0.0]


def _path(drawn: str, left: float, top: float) -> tuple[str, list[float]]:
    commands, numbers, command, count = "", [], "", 0
    for letter, number in _PATH.findall(drawn):
        if letter:
            commands, command, count = commands + letter, letter, 0
            continue
        sides = _SIDES.get(command) or "."
        side = sides[count % len(sides)]
        numbers.append(float(number) + {"x": left, "y": top}.get(side, 0.0))
        count += 1
    return commands, numbers
