"""Axes of figures: titles under the left end, labels that take exactly their pixels, round ticks in units of time."""

from __future__ import annotations

import math

import altair as alt

from agentcalc.figures.chosen import Span
from agentcalc.figures.measure import ems
from agentcalc.figures.theme import Look
from agentcalc.units import NBSP, SECONDS_IN

SIGNS = {"seconds": "s", "minutes": "min", "hours": "h"}
"""Units of time as labels write them."""
WORDS = {sign: word for word, sign in SIGNS.items()}


def x_axis(title: str, **options) -> alt.Axis:
    """An x axis with its title under its left end."""
    return alt.Axis(title=title, titleAnchor="start", titleAlign="left", titlePadding=2, **options)


def y_axis(extent: float, *, grid: bool = True, **options) -> alt.Axis:
    """A y axis of labels alone, beside horizontal lines; takes exactly ``extent`` pixels."""
    return alt.Axis(
        title=None,
        grid=grid,
        domain=False,
        ticks=False,
        labelPadding=6,
        labelFlush=False,
        minExtent=extent,
        maxExtent=extent,
        **options,
    )


def log_ticks(low: float, high: float, most: int = 8) -> list[float]:
    """Round ticks of a logarithmic axis: 1, 2 and 5 of each power of ten, or fewer."""
    powers = range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 1)
    for steps in ((1, 2, 5), (1, 3), (1,)):
        ticks = [float(f"{k * 10.0**p:.6g}") for p in powers for k in steps]
        ticks = [t for t in ticks if low * 0.999 <= t <= high * 1.001]
        if len(ticks) <= most:
            break
    return ticks


def even_ticks(low: float, high: float, most: int = 8) -> list[float]:
    """Round ticks of a linear axis: steps of 1, 2 or 5 times a power of ten, from 0 or from ``low`` on."""
    return time_ticks(high, most, low, "s")[0]


def ticks_on(span: Span, most: int = 8) -> list[float]:
    """Round ticks of an axis, by its scale."""
    return log_ticks(span.low, span.high, most) if span.log else even_ticks(span.low, span.high, most)


def time_unit(longest_s: float, sign: str = "") -> tuple[float, str]:
    """Seconds of the unit that an axis so long is in, and its word; sign: "s", "min" or "h", "" as it is usual."""
    if sign:
        return SECONDS_IN[sign], WORDS[sign]
    return (1.0, "seconds") if longest_s <= 180 else (60.0, "minutes") if longest_s <= 10_800 else (3600.0, "hours")


def time_ticks(longest_s: float, most: int = 8, low_s: float = 0.0, sign: str = "") -> tuple[list[float], str, str]:
    """Ticks in seconds, from 0 or from ``low_s`` on, the Vega expression of their labels, and the unit in words.

    Over 180 s ticks are whole minutes, over 3 h whole hours, unless a reader wants another unit: ``sign``.
    """
    unit, word = time_unit(longest_s, sign)
    span = (longest_s - low_s) / unit
    least = span / most
    power = 10 ** math.floor(math.log10(least)) if least > 0 else 1.0
    step = next(power * k for k in (1, 2, 5, 10) if power * k >= least * 0.999)
    if unit > 1 and not sign and not low_s:
        step = max(1.0, step)
    first = math.ceil(low_s / unit / step - 1e-9)
    last = int(longest_s / unit / step + 1e-9) if not low_s else math.floor(longest_s / unit / step + 1e-9)
    ticks = [float(f"{i * step * unit:.10g}") for i in range(first, last + 1)]
    decimals = max(0, -math.floor(math.log10(step) + 1e-9))
    return ticks, f"datum.value == 0 ? '0' : format(datum.value / {unit:g}, ',.{decimals}f')", word


def noted(title: str, axis: str = "", vertical: str = "") -> str:
    """The title under an x axis, which says where a cut axis starts: a y axis has no title of its own. axis, vertical:
    of :func:`start` or :func:`start_s`.
    """
    notes = (f"{name} starts at {at}" for name, at in (("axis", axis), ("vertical axis", vertical)) if at)
    return ", ".join([title, *notes])


def start(span: Span, unit: str = "") -> str:
    """Where a cut axis starts, "" for one that is whole. unit: a sign behind the number."""
    return f"{span.low:,.6g}{unit}" if span.cut else ""


def start_s(span: Span, sign: str = "") -> str:
    """The same of an axis in time, in the reader's unit."""
    return f"{span.low / SECONDS_IN[sign or 's']:,.6g}{NBSP}{sign or 's'}" if span.cut else ""


def time_axis(longest_s: float, after: str = "", sign: str = "") -> alt.Axis:
    """An x axis in seconds, minutes or hours, with the unit in words under its left end and light vertical lines."""
    ticks, label, word = time_ticks(longest_s, sign=sign)
    return x_axis(f"{word}{after}", values=ticks, labelExpr=label, grid=True, domain=True, orient="bottom")


def value_axis(longest_s: float, extent: float, shown: Span | None = None, sign: str = "") -> alt.Axis:
    """A y axis in time with the unit at every tick. shown, sign: what a reader has set of it."""
    if shown is not None and shown.log:
        return y_axis(extent, **log_times(shown, sign), labelOverlap="greedy")
    ticks, label, word = time_ticks(longest_s, 6, shown.low if shown is not None and shown.cut else 0.0, sign)
    label = f"({label}) + (datum.value == 0 ? '' : '{NBSP}{SIGNS[word]}')"
    return y_axis(extent, values=ticks, labelExpr=label)


def log_times(shown: Span, sign: str = "") -> dict:
    """Ticks of a logarithmic axis in time, and their labels: options of an axis."""
    unit, word = time_unit(shown.high, sign)
    ticks = [float(f"{t * unit:.10g}") for t in log_ticks(shown.low / unit, shown.high / unit)]
    return {"values": ticks, "labelExpr": f"format(datum.value / {unit:g}, ',.6~g') + '{NBSP}{SIGNS[word]}'"}


def value_extent(longest_s: float, look: Look, shown: Span | None = None, sign: str = "") -> float:
    """Pixels that the labels of :func:`value_axis` need."""
    if shown is not None and (shown.given or sign):
        unit, word = time_unit(shown.high, sign)
        low = shown.low if shown.cut else 0.0
        found = log_times(shown, sign)["values"] if shown.log else time_ticks(longest_s, 6, low, sign)[0]
        longest = max((f"{tick / unit:,.6g} {SIGNS[word]}" for tick in found), key=ems, default="0")
        return round(ems(longest) * look.px.label + 8)
    ticks, _, word = time_ticks(longest_s, 6)
    unit = SIGNS[word]
    step = ticks[1] if len(ticks) > 1 else longest_s
    widest = f"{ticks[-1]:,.0f} {unit}" if word != "seconds" or step >= 1 else f"{ticks[-1]:.2f} {unit}"
    return round(ems(widest) * look.px.label + 8)
