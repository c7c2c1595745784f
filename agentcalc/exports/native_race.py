"""The still of a race as shapes that can be edited: both tracks at the moment at which the first system is done."""

from __future__ import annotations

from agentcalc.exports.native_ground import LEADING, Box, Ground
from agentcalc.exports.native_shapes import Shapes
from agentcalc.figures.figure import Figure
from agentcalc.figures.race_still import Still, halves
from agentcalc.figures.words import COMPONENT_WORDS

FINISH = 8
"""Pixels at the right for the line that both must cross."""
NAME_GAP, ROW_GAP = 5, 22


def draw(ground: Ground, figure: Figure, box: Box) -> None:
    """The still into a box of the slide."""
    still: Still = figure.drawn
    palette, shapes, size = ground.palette, Shapes(ground), ground.label
    left, top, wide, tall = box
    kinds = [(COMPONENT_WORDS[k], palette.fills[k].fill, palette.fills[k].outline) for k in still.present]
    at = top + shapes.key(kinds, left, top, wide) + 4
    names = [ground.lines(name, size, wide, True, 2) for name in still.names]
    taken = sum(len(lines) * LEADING * size + NAME_GAP for lines in names) + (len(names) - 1) * ROW_GAP
    bar = (top + tall - at - taken) / len(names)
    starts = []
    for lines in names:
        shapes.text(left, at, lines, size, palette.ink, bold=True, name="system")
        at += len(lines) * LEADING * size + NAME_GAP
        starts.append(at)
        at += bar + ROW_GAP
    scale = (wide - FINISH) / still.length
    for part in halves(still.records, still.length, palette):
        y = starts[part["row"]]
        shapes.rect(
            left + part["start"] * scale, y + part["low"] * bar, left + part["end"] * scale, y + part["high"] * bar,
            part["fill"], outline=part["stroke"], edge=1.0, name=part["part"],
        )  # fmt: skip
    for y in starts:
        shapes.rect(left + wide - FINISH + 2, y, left + wide - 2, y + bar, palette.ink, name="finish")
    shapes.put(figure.kind, figure.alt_text)
