"""How the seconds add up as a native chart: lines of the two systems, the gap between them as an area, words beside."""

from __future__ import annotations

import math
from itertools import pairwise

from agentcalc.exports import native_chart as xml
from agentcalc.exports.native_axes import TimeTicks, below
from agentcalc.exports.native_chart import ACROSS, UP, Chart
from agentcalc.exports.native_ground import Box, Ground, apart
from agentcalc.exports.native_shapes import Shapes
from agentcalc.exports.native_sheet import Column
from agentcalc.figures.accumulation import MOST_DOTS, Drawing, Label
from agentcalc.figures.axes import time_ticks
from agentcalc.figures.figure import Figure
from agentcalc.figures.theme import Look

BRACKET = 12
"""Pixels from the plot to the bracket of the gap."""
WORDS = 26
MOST_WIDE = 0.46
"""Share of the width that words beside the plot may take."""
MOST_LABELS = 12


def draw(ground: Ground, figure: Figure, box: Box) -> None:
    """The figure's growth into a box of the slide: a chart with its workbook, and the words around it."""
    _Accumulation(ground, figure, box).put()


class _Accumulation:
    def __init__(self, ground: Ground, figure: Figure, box: Box):
        self.ground, self.figure, self.palette = ground, figure, ground.palette
        self.growth = figure.drawn
        # What stands where on the axis, and which words, are those of the picture.
        self.drawing = Drawing(self.growth, Look("slide"), ground.palette)
        self.ticks = TimeTicks.of(max(self.drawing.high, -self.drawing.low), 6)
        # Ticks of a chart are counted from its lower end, which therefore is one of them.
        step = self.ticks.step * self.ticks.unit_s
        self.low, self.high = math.floor(self.drawing.low / step + 1e-9) * step, self.drawing.high
        self.words = Shapes(ground)
        self._places(box)

    def _places(self, box: Box) -> None:
        left, top, wide, tall = box
        ground = self.ground
        longs = max(ground.wide(label.long, label.size, label.bold) for label in self.drawing.labels) + 30
        shorts = max(ground.wide(label.short, label.size, label.bold) for label in self.drawing.labels) + 30
        self.roomy = longs <= MOST_WIDE * wide
        key = self.words.named(self.drawing.key_words, box) + 0.6 * ground.label
        axis = max(ground.wide(text, ground.label) for text in (*self.ticks.signed, f"−{self.ticks.signed[-1]}")) + 8
        room = longs if self.roomy else shorts
        self.inner = (left + axis, top + key, wide - axis - room, tall - key - below(ground))
        self.axis = axis

    def y(self, seconds: float) -> float:
        return self.inner[1] + (self.high - seconds) / (self.high - self.low) * self.inner[3]

    def put(self) -> None:
        ground, chart, unit = self.ground, Chart(self.ground), self.ticks.unit_s
        g, p = self.growth, self.palette
        every = max(1, int(time_ticks(g.steps, MOST_LABELS)[0][1])) if g.steps > MOST_LABELS else 1
        steps = chart.sheet.add(f"{g.word}s finished", list(range(g.steps + 1)))
        sign = self.ticks.sign

        def column(heading: str, seconds: list[float]) -> Column:
            return chart.sheet.add(f"{heading} ({sign})", [None if s is None else s / unit for s in seconds])

        ahead = p.system(self.drawing.ahead)
        if g.alone_is_gap:
            curves = [(column(f"{g.cand} ahead", self.drawing.gap), ahead, 3.0, "", True)]
            lower, upper = [0.0] * (g.steps + 1), self.drawing.gap
            bands = [(curves[0][0], self.drawing.gap, self.drawing.gap_low, self.drawing.gap_high, ahead)]
        else:
            base, cand = column(g.base, g.b), column(g.cand, g.c)
            curves = [(base, p.baseline, 3.0, "", True), (cand, p.candidate, 3.0, "", True)]
            if g.alone_words and g.alone[-1] > 0:
                curves.insert(0, (column(g.alone_words, g.alone), p.axis, 2.0, "sysDot", False))
            lower, upper = (
                [min(b, c) for b, c in zip(g.b, g.c, strict=True)],
                [max(b, c) for b, c in zip(g.b, g.c, strict=True)],
            )
            bands = [
                (of, line, [low for low, _ in band], [high for _, high in band], colour)
                for of, line, band, colour in ((base, g.b, g.base_band, p.baseline), (cand, g.c, g.band, p.candidate))
                if band
            ]
        tinted = g.alone_is_gap or g.case not in ("close", "unknown")
        if tinted:
            chart.groups.append(xml.areas(self._areas(chart, steps, column, lower, upper)))
        made = []
        for of, colour, width, dash, dots in curves:
            dotted = dots and g.steps < MOST_DOTS
            look = xml.drawn(ground, colour, width, dash)
            look += xml.marker(ground, colour, 9) if dotted else xml.NO_MARKER
            spans = next((self._band(column, *band[1:]) for band in bands if band[0] is of), "")
            values = steps.categories + of.numbers("c:val")
            made.append(chart.series(of, look, values, before=spans, after='<c:smooth val="0"/>'))
        chart.groups.append(xml.lines(made))
        chart.axes.append(xml.category_axis(ground, ACROSS, "b", every=every, title=f"{g.word}s finished", line=True))
        axis = {
            "step": self.ticks.step,
            "form": self.ticks.written(sign),
            "grid": True,
            "crosses": '<c:crosses val="autoZero"/>',
        }
        chart.axes.append(xml.value_axis(ground, UP, "l", self.low / unit, self.high / unit, **axis))
        chart.put(
            self.figure, xml.around(self.inner, left=self.axis, below=below(ground), above=6, right=10), self.inner
        )
        self._ends()
        self.words.put("accumulation: words")

    def _areas(self, chart: Chart, steps: Column, column, lower: list[float], upper: list[float]) -> list[str]:
        """The space between the lines, stacked on one that is not seen; what is lost of it in pink."""
        g, p = self.growth, self.palette
        gap = [high - low for low, high in zip(lower, upper, strict=True)]
        lost = [min(max(s, 0.0), max(whole, 0.0)) for s, whole in zip(g.lost, gap, strict=True)]
        lost = lost if g.lost_shown else [0.0] * len(gap)
        kept = [whole - part for whole, part in zip(gap, lost, strict=True)]
        found = []
        stacked = [("below the gap", lower, ""), ("gap", kept, p.tint(self.drawing.ahead))]
        if g.lost_shown:
            stacked.append((f"gap, lost to {g.lost_to}", lost, p.fills["retry"].fill))
        for heading, seconds, colour in stacked:
            of = column(heading, seconds)
            look = (
                xml.filled(self.ground, colour, None, alpha=0.55 if heading != "gap" else 1.0) if colour else xml.NONE
            )
            found.append(chart.series(of, look, steps.categories + of.numbers("c:val")))
        return found

    def _band(self, column, line: list[float], low: list[float], high: list[float], colour: str) -> str:
        """What is unknown, as a line up and down from each point; nothing where it is too little to be seen."""
        up = [max(0.0, h - s) for h, s in zip(high, line, strict=True)]
        down = [max(0.0, s - w) for w, s in zip(low, line, strict=True)]
        if max(*up, *down) < 0.004 * (self.high - self.low):
            return ""
        if len(line) > MOST_DOTS:
            # Of many steps the last one tells it; bars at all of them would hide the lines.
            up, down = ([None] * (len(line) - 1) + ends[-1:] for ends in (up, down))
        plus, minus = column("unknown: up by", up), column("unknown: down by", down)
        return xml.spans(self.ground, "y", plus, minus, colour, 2, False)

    def _ends(self) -> None:
        """Names and ends at the right, pushed apart; the bracket of the gap; the gap at half way."""
        g, right = self.growth, self.inner[0] + self.inner[2]
        found: list[Label] = self.drawing.labels
        gaps = [0.0, *((a.size + b.size) / 2 * 1.25 for a, b in pairwise(found))]
        at = apart([self.y(label.at) for label in found], gaps, self.inner[1], self.inner[1] + self.inner[3] - 4)
        for label, y in zip(found, at, strict=True):
            text = label.long if self.roomy else label.short
            self.words.text(right + WORDS, y, text, label.size, label.colour, bold=label.bold, anchor="ctr", name="end")
        if g.alone_is_gap or g.case in ("close", "unknown"):
            return
        colour, b, c, x = self.palette.system(self.drawing.ahead), self.y(g.b[-1]), self.y(g.c[-1]), right + BRACKET
        self.words.line(x, b, x, c, colour, 3, name="gap")
        for y in (b, c):
            self.words.line(x - 5, y, x + 5, y, colour, 3, name="gap")
