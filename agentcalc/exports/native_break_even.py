"""Which of two systems finishes a call first as a native chart: two lines over tokens written, and where they meet."""

from __future__ import annotations

from agentcalc.exports import native_chart as xml
from agentcalc.exports.native_axes import TimeTicks, below
from agentcalc.exports.native_chart import ACROSS, UP, Chart
from agentcalc.exports.native_ground import Box, Ground
from agentcalc.exports.native_shapes import Shapes
from agentcalc.figures.axes import time_ticks
from agentcalc.figures.break_even import MOST_RUG, ROLES, Meeting, key_words, sides
from agentcalc.figures.figure import Figure

RUG = 0.03
"""Height of the marks of a task's own calls, as a share of the plot."""
STRAIGHT = '<c:smooth val="0"/>'


def draw(ground: Ground, figure: Figure, box: Box) -> None:
    """The figure's meeting into a box of the slide: a chart with its workbook, the words above it, tints behind."""
    meeting: Meeting = figure.drawn
    palette, chart, words, behind = ground.palette, Chart(ground), Shapes(ground), Shapes(ground)
    left, top, wide, tall = box
    at = top + words.named([(text, palette.system(ROLES[role])) for text, role in key_words(meeting)], box)
    high = max(row["high_s"] for mine in meeting.lines.values() for row in mine) * 1.03
    ticks = TimeTicks.of(high, 6)
    axis = max(ground.wide(text, ground.label) for text in ticks.signed) + 8
    inner = (left + axis, at + 8, wide - axis - 24, top + tall - below(ground) - at - 8)
    for start, end, role in sides(meeting):
        x = [inner[0] + tokens / meeting.longest * inner[2] for tokens in (start, end)]
        tint = palette.tint(ROLES[role])
        behind.rect(x[0], inner[1], x[1], inner[1] + inner[3], tint, alpha=0.75, name="first here")
    _rug(behind, meeting, inner)
    behind.put("break-even: behind")
    made = [series for role in ROLES for series in _line(chart, meeting, role, ticks)]
    made += _dot(chart, meeting, ticks)
    chart.groups.append(xml.scatter(made))
    step = time_ticks(meeting.longest / 1e3, 6)[0][1] * 1e3
    across = {"step": step, "form": "#,##0", "title": "tokens written", "line": True}
    up = {"step": ticks.step, "form": ticks.written(ticks.sign), "grid": True}
    chart.axes.append(xml.value_axis(ground, ACROSS, "b", 0.0, float(meeting.longest), **across))
    chart.axes.append(xml.value_axis(ground, UP, "l", 0.0, high / ticks.unit_s, **up))
    chart.put(figure, xml.around(inner, left=axis, below=below(ground), above=8, right=24), inner)
    words.put("break-even: words")


def _line(chart: Chart, meeting: Meeting, role: str, ticks: TimeTicks) -> list[str]:
    """A system's line, and in thin dashes between which it lies by what is unknown."""
    ground, mine, name = chart.ground, meeting.lines[role], meeting.names[role]
    colour = ground.palette.system(ROLES[role])
    tokens = chart.sheet.add(f"{name}: tokens written", [float(row["tokens"]) for row in mine])
    drawn = [("seconds", name, 3.0, "")]
    if max(row["high_s"] - row["low_s"] for row in mine) > 1e-9:
        drawn += [("low_s", f"{name}, at least", 1.25, "sysDash"), ("high_s", f"{name}, at most", 1.25, "sysDash")]
    made = []
    for column, heading, width, dash in drawn:
        seconds = chart.sheet.add(f"{heading} ({ticks.sign})", [row[column] / ticks.unit_s for row in mine])
        look = xml.drawn(ground, colour, width, dash) + xml.NO_MARKER
        made.append(chart.series(seconds, look, tokens.numbers("c:xVal") + seconds.numbers("c:yVal"), after=STRAIGHT))
    return made


def _rug(shapes: Shapes, meeting: Meeting, inner: Box) -> None:
    """The lengths of the task's own calls, as short upright marks on the axis."""
    left, top, wide, tall = inner
    at = [left + float(t) / meeting.longest * wide for t in meeting.calls[meeting.calls <= meeting.longest][:MOST_RUG]]
    if at:
        marks = [(x, top + (1 - RUG) * tall, x, top + tall) for x in sorted({round(x) for x in at})]
        shapes.strokes(marks, shapes.ground.palette.muted, 1, "calls of this task")


def _dot(chart: Chart, meeting: Meeting, ticks: TimeTicks) -> list[str]:
    """Where the lines meet, with a capped bar of what is not known about it."""
    met, ground, ink = meeting.met, chart.ground, chart.ground.palette.ink
    if met is None:
        return []
    at = chart.sheet.add("they meet at (tokens)", [met.tokens])
    of = chart.sheet.add(f"they meet after ({ticks.sign})", [met.seconds / ticks.unit_s])
    spans = ""
    if met.banded:
        plus = chart.sheet.add("at most, tokens more", [max(0.0, met.high - met.tokens)])
        minus = chart.sheet.add("at least, tokens less", [max(0.0, met.tokens - met.low)])
        spans = xml.spans(ground, "x", plus, minus, ink, 2.5, True)
    values = at.numbers("c:xVal") + of.numbers("c:yVal")
    look = xml.unseen() + xml.marker(ground, ink, 12)
    return [chart.series(of, look, values, before=spans, after=STRAIGHT)]
