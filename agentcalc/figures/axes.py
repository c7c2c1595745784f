"""Axes of figures: titles under the left end, labels that take exactly their pixels, round ticks in units of time."""

from __future__ import annotations

import math

import altair as alt

from agentcalc.figures.measure import ems
from agentcalc.figures.theme import Look
from agentcalc.units import NBSP

SIGNS = {"seconds": "s", "minutes": "min", "hours": "h"}
"""Units of time as labels write them."""


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


def time_ticks(longest_s: float, most: int = 8) -> tuple[list[float], str, str]:
    """Ticks from 0 in seconds, the Vega expression of their labels, and the unit in words.

    Over 180 s ticks are whole minutes, over 3 h whole hours.
    """
    unit, word = (
        (1.0, "seconds") if longest_s <= 180 else (60.0, "minutes") if longest_s <= 10_800 else (3600.0, "hours")
    )
    span = longest_s / unit
    least = span / most
    power = 10 ** math.floor(math.log10(least)) if least > 0 else 1.0
    step = next(power * k for k in (1, 2, 5, 10) if power * k >= least * 0.999)
    if unit > 1:
        step = max(1.0, step)
    ticks = [float(f"{i * step * unit:.10g}") for i in range(int(span / step + 1e-9) + 1)]
    decimals = max(0, -math.floor(math.log10(step) + 1e-9))
    return ticks, f"datum.value == 0 ? '0' : format(datum.value / {unit:g}, ',.{decimals}f')", word


def time_axis(longest_s: float, after: str = "") -> alt.Axis:
    """An x axis in seconds, minutes or hours, with the unit in words under its left end and light vertical lines."""
    ticks, label, word = time_ticks(longest_s)
    return x_axis(f"{word}{after}", values=ticks, labelExpr=label, grid=True, domain=True, orient="bottom")


def value_axis(longest_s: float, extent: float) -> alt.Axis:
    """A y axis in time with the unit at every tick."""
    ticks, label, word = time_ticks(longest_s, 6)
    label = f"({label}) + (datum.value == 0 ? '' : '{NBSP}{SIGNS[word]}')"
    return y_axis(extent, values=ticks, labelExpr=label)


def value_extent(longest_s: float, look: Look) -> float:
    """Pixels that the labels of :func:`value_axis` need."""
    ticks, _, word = time_ticks(longest_s, 6)
    unit = SIGNS[word]
    step = ticks[1] if len(ticks) > 1 else longest_s
    widest = f"{ticks[-1]:,.0f} {unit}" if word != "seconds" or step >= 1 else f"{ticks[-1]:.2f} {unit}"
    return round(ems(widest) * look.px.label + 8)
