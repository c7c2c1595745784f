"""How many runs are done by when as a native chart: a line a system over a logarithmic axis of time."""

from __future__ import annotations

from agentcalc.exports import native_chart as xml
from agentcalc.exports.native_axes import below
from agentcalc.exports.native_chart import ACROSS, UP, Chart
from agentcalc.exports.native_ground import Box, Ground
from agentcalc.exports.native_shapes import Shapes
from agentcalc.figures.distribution import LEAST_S, Spread, dashes_of, key_words, nice_times, tick_words, time_domain
from agentcalc.figures.figure import Figure
from agentcalc.units import show_share

DASH = {"dashed": "dash", "dotted": "sysDot", "long dashes": "lgDash", "dash and dot": "dashDot"}
"""The figures' dashes as DrawingML has them."""
MIDDLE = 0.5


def draw(ground: Ground, figure: Figure, box: Box) -> None:
    """The figure's spread into a box of the slide: a chart with its workbook, and the words above it."""
    spread: Spread = figure.drawn
    palette, chart, words = ground.palette, Chart(ground), Shapes(ground)
    left, top, wide, tall = box
    at = top + words.named(key_words(spread, palette), box)
    axis = ground.wide("100%", ground.label) + 10
    inner = (left + axis, at + 8, wide - axis - 20, top + tall - below(ground) - at - 8)
    low, high = time_domain(spread)
    made = [_line(chart, spread, system) for system in spread.order]
    made += _deadline(chart, spread)
    made.append(_ticks(chart, nice_times(low, high)))
    chart.groups.append(xml.scatter(made))
    up = {"step": 0.25, "form": "0%", "grid": True}
    across = {"title": "time since the request", "line": True, "shown": "none", "log": True}
    chart.axes.append(xml.value_axis(ground, ACROSS, "b", low, high, **across))
    chart.axes.append(xml.value_axis(ground, UP, "l", 0.0, 1.0, **up))
    chart.put(figure, xml.around(inner, left=axis, below=below(ground), above=10, right=20), inner)
    words.put("distribution: words")


def _line(chart: Chart, spread: Spread, system: str) -> str:
    """A system's curve, with a dot where half of its runs are done."""
    ground, palette, role = chart.ground, chart.ground.palette, spread.roles[system]
    mine = spread.table[spread.table["system"] == system]
    seconds = [max(s, LEAST_S) for s in mine["seconds"].tolist()]
    times = chart.sheet.add(f"{spread.labels[system]}: time (s)", seconds)
    shares = chart.sheet.add(f"{spread.labels[system]}", mine["share"].tolist())
    colour, dashes = palette.system(role), dashes_of(spread)
    look = xml.drawn(ground, colour, 2 if role == "other" else 3, DASH[dashes[system][0]] if system in dashes else "")
    half = min(range(len(shares.values)), key=lambda i: abs(shares.values[i] - MIDDLE))
    stroke = xml.drawn(ground, colour, 2 if role == "other" else 3)
    dot = f'<c:dPt><c:idx val="{half}"/>{xml.marker(ground, colour, 11)}<c:bubble3D val="0"/>{stroke}</c:dPt>'
    values = times.numbers("c:xVal") + shares.numbers("c:yVal")
    return chart.series(
        shares, look + xml.NO_MARKER, values, before=dot if role != "other" else "", after='<c:smooth val="0"/>'
    )


def _deadline(chart: Chart, spread: Spread) -> list[str]:
    """The deadline as an upright line, with the share done by then beside it."""
    if spread.deadline_s is None:
        return []
    ground, palette = chart.ground, chart.ground.palette
    shown = sorted(dict.fromkeys((spread.order[0], spread.order[-1])), key=lambda key: spread.done[key])
    at = [0.0, *(spread.done[key] for key in shown), 1.0]
    times = chart.sheet.add("deadline (s)", [spread.deadline_s] * len(at))
    shares = chart.sheet.add("done by the deadline", at)
    said = []
    for number, key in enumerate(shown, 1):
        # Curves rise: beside a point there is room at its left for the first to be done, at its right for the last.
        place = "l" if number == len(shown) else "r"
        colour = palette.name(spread.roles[key])
        said.append(
            xml.label(ground, number, place, ground.label, colour, text=show_share(spread.done[key]), bold=True)
        )
    look = xml.drawn(ground, palette.ink, 1.5, "dash") + xml.NO_MARKER
    values = times.numbers("c:xVal") + shares.numbers("c:yVal")
    return [chart.series(shares, look, values, before=xml.labels(said), after='<c:smooth val="0"/>')]


def _ticks(chart: Chart, ticks: list[float]) -> str:
    """Ticks of the axis as labels of points on it: a chart's own would stand at powers of ten, in seconds."""
    ground = chart.ground
    times = chart.sheet.add("tick (s)", ticks)
    foot = chart.sheet.add("ticks of the axis", [0.0] * len(ticks))
    said = [
        xml.label(ground, i, "b", ground.label, ground.palette.muted, text=tick_words(tick))
        for i, tick in enumerate(ticks)
    ]
    values = times.numbers("c:xVal") + foot.numbers("c:yVal")
    return chart.series(
        foot, xml.unseen() + xml.NO_MARKER, values, before=xml.labels(said), after='<c:smooth val="0"/>'
    )
