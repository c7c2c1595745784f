"""What matters most as a native chart: a bar an input either side of today, the answer at both ends."""

from __future__ import annotations

import math

from agentcalc.exports import native_chart as xml
from agentcalc.exports.native_axes import below
from agentcalc.exports.native_chart import ACROSS, UP, Chart
from agentcalc.exports.native_ground import LEADING, Box, Ground
from agentcalc.exports.native_shapes import Shapes
from agentcalc.figures.figure import Figure
from agentcalc.figures.tornado import Ends, Ticks, ends_of, ticks_of
from agentcalc.units import TIMES

MOST_TITLE = 0.38
"""Share of the width that the inputs' names may take, at the left of their bars."""
BAR = 0.62
"""Share of a row that its bar takes."""
TITLE_LINES = 3


def draw(ground: Ground, figure: Figure, box: Box) -> None:
    """The figure's inputs into a box of the slide: a chart with its workbook, and the words around it."""
    table, of = figure.drawn
    found, palette = ends_of(table, of), ground.palette
    chart, words = Chart(ground), Shapes(ground)
    left, top, wide, tall = box
    better, worse = (palette.candidate, palette.baseline) if of == "time" else (palette.baseline, palette.candidate)
    key = words.key([(found.words[0], better, better), (found.words[1], worse, worse)], left, top, wide)
    at = top + key + 6
    foot = top + tall - below(ground)
    row = (foot - at) / len(found.titles)
    size, titles = _titles(ground, found.titles, wide, row)
    names = max(ground.wide(line, size) for lines in titles for line in lines) + 14
    ends = max(ground.wide(text, ground.label) for text in (*found.left_words, *found.right_words)) + 12
    inner = (left + names, at, wide - names, foot - at)
    share = ends / inner[2]
    span = (found.high - found.low) / max(1e-9, 1 - 2 * share)
    low, high = found.low - share * span, found.high + share * span
    ticks = ticks_of(low, high, of)
    _bars(chart, found, ticks, high, better, worse)
    reverse = {"shown": "nextTo", "between": "between", "crosses": '<c:crosses val="max"/>'}
    form = "#,##0" + ("." + "0" * ticks.digits if ticks.digits else "") + (f'"{TIMES}"' if of == "speedup" else "")
    axis = {"step": ticks.step / ticks.unit, "form": form, "title": ticks.word, "grid": True, "line": True}
    chart.axes.append(xml.category_axis(ground, UP, "l", shown=False, reverse=True))
    # Ticks of a chart are counted from its lower end, which therefore is one of them.
    start = math.floor(low / ticks.step + 1e-9) * ticks.step
    chart.axes.append(xml.value_axis(ground, ACROSS, "b", start / ticks.unit, high / ticks.unit, **axis, **reverse))
    chart.put(figure, xml.around(inner, below=below(ground), left=12, right=12), inner)
    x = inner[0] + (found.today - start) / (high - start) * inner[2]
    words.line(x, at, x, foot, palette.ink, 2.5, name="today")
    for index, lines in enumerate(titles):
        middle = at + (index + 0.5) * row
        words.text(inner[0] - 12, middle, lines, size, palette.ink, align="r", anchor="ctr", name="input")
    words.put("tornado: words")


def _titles(ground: Ground, titles: tuple[str, ...], wide: float, row: float) -> tuple[float, list[list[str]]]:
    """Type size and lines of the inputs' names, so that each fits its row."""
    for share in (1.0, 0.9, 0.8, 0.7, 0.6):
        size = share * ground.label
        most = max(1, min(TITLE_LINES, int(row / (LEADING * size))))
        found = [ground.lines(title, size, MOST_TITLE * wide, most=99) for title in titles]
        if max(map(len, found)) <= most:
            return size, found
    return size, [ground.lines(title, size, MOST_TITLE * wide, most=most) for title in titles]


def _bars(chart: Chart, found: Ends, ticks: Ticks, high: float, better: str, worse: str) -> None:
    """Stacked on a bar that is not seen: what is less than today, what is more, and one not seen for the label."""
    ground, unit, sign = chart.ground, ticks.unit, ticks.sign
    inputs = chart.sheet.add("input", found.titles)
    stacked = (
        ("least", found.left, None, found.left_words, "inEnd"),
        ("less than today", [max(0.0, found.today - a) for a in found.left], better, None, ""),
        ("more than today", [max(0.0, b - found.today) for b in found.right], worse, None, ""),
        ("room for the most", [high - b for b in found.right], None, found.right_words, "inBase"),
    )
    made = []
    for heading, values, colour, texts, place in stacked:
        column = chart.sheet.add(f"{heading} ({sign})", [value / unit for value in values])
        look = xml.filled(ground, colour, None) if colour else xml.NONE
        ink, size = ground.palette.ink, ground.label
        # A space parts the words from the bar they stand at.
        said = [
            xml.label(ground, i, place, size, ink, text=f"{text}\u00a0" if place == "inEnd" else f"\u00a0{text}")
            for i, text in enumerate(texts or ())
        ]
        cells = inputs.categories + column.numbers("c:val")
        made.append(chart.series(column, look + '<c:invertIfNegative val="0"/>', cells, before=xml.labels(said)))
    chart.groups.append(xml.bars(made, round(100 * (1 / BAR - 1))))
