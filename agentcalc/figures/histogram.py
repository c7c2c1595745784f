"""How runs spread: the share of runs in each range of task time, one row of bars a system, on one logarithmic axis."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial

import altair as alt
import numpy as np
import pandas as pd

from agentcalc.figures import distribution
from agentcalc.figures.axes import x_axis
from agentcalc.figures.chosen import Span
from agentcalc.figures.distribution import Spread
from agentcalc.figures.figure import Figure
from agentcalc.figures.frame import Plot, below_px, rows
from agentcalc.figures.marks import Names, place
from agentcalc.figures.measure import ems
from agentcalc.figures.settable import Axis, Settable, systems
from agentcalc.figures.theme import Look
from agentcalc.figures.words import About
from agentcalc.units import NBSP, show_count, show_share, show_time

TO_A_DECADE = (2, 3, 5, 10, 20, 30, 50)
"""Ranges to a factor of ten. Their edges are the same for all tasks, so that pictures can be laid side by side."""
ENOUGH = 12
SEEN = 0.001
"""Ranges at either end in which no system has this share of its runs are left out, and said."""
MOST_ROWS = 4
LABELLED = 0.01
"""A smaller share is seen to be small without its number."""
LEAST_S = 1e-4


@dataclass(frozen=True)
class Bins:
    """edges [ranges + 1], s; shares by system, each [ranges], of all its runs; beyond: the largest share of a system's
    runs that lies outside.
    """

    edges: np.ndarray
    shares: dict[str, np.ndarray]
    beyond: float


def read(seconds: dict[str, np.ndarray]) -> Bins:
    """seconds: task time by system, each [trials]."""
    found = {key: np.maximum(times, LEAST_S) for key, times in seconds.items()}
    low = min(float(np.quantile(times, 0.01)) for times in found.values())
    high = max(float(np.quantile(times, 0.99)) for times in found.values())
    decades = math.log10(high / low)
    fine = next((n for n in TO_A_DECADE if decades * n >= ENOUGH), TO_A_DECADE[-1])
    least, most = (pick(pick(times) for times in found.values()) for pick in (min, max))
    first, last = math.floor(math.log10(least) * fine + 1e-9), math.floor(math.log10(most) * fine + 1e-9) + 1
    edges = 10.0 ** (np.arange(first, last + 1) / fine)
    # What rounding puts just outside of the first or the last edge belongs to it.
    edges[0], edges[-1] = min(edges[0], least), max(edges[-1], most)
    shares = {key: np.histogram(times, edges)[0] / len(times) for key, times in found.items()}
    seen = np.flatnonzero(np.max(list(shares.values()), axis=0) >= SEEN)
    if len(seen):
        edges = edges[seen[0] : seen[-1] + 2]
        shares = {key: mine[seen[0] : seen[-1] + 1] for key, mine in shares.items()}
    beyond = max(max(0.0, 1.0 - float(mine.sum())) for mine in shares.values())
    return Bins(edges, shares, beyond if beyond > 1e-9 else 0.0)


def figure(spread: Spread, seconds: dict[str, np.ndarray], about: About) -> Figure:
    """The histogram of up to four systems of a distribution. seconds: task time by system of the distribution."""
    inner = spread.order[1:-1][: MOST_ROWS - 2]
    order = tuple(dict.fromkeys((spread.order[0], *inner, spread.order[-1])))
    bins = read({key: seconds[key] for key in order})
    table = pd.DataFrame(
        [
            {
                "system": key,
                "label": spread.labels[key],
                "role": spread.roles[key],
                "from_s": low,
                "to_s": high,
                "share": share,
            }
            for key in order
            for low, high, share in zip(bins.edges[:-1], bins.edges[1:], bins.shares[key], strict=True)
        ]
    )
    part = f"up to {show_share(bins.beyond)}" if bins.beyond >= 0.01 else "fewer than 1%"
    left_out = f" Outside: {part} of the runs." if bins.beyond else ""
    subtitle = f"{show_count(about.trials)} runs. {about.of_model}. Share of runs by how long they take.{left_out}"
    said = distribution.title(spread)
    each = "; ".join(f"{spread.labels[key]}: most often {_most(bins, key)}" for key in order)
    alt_words = f"{said}. {each}. One row of bars for each system, on one logarithmic axis."
    draw, can = partial(plot, spread, bins, order), partial(settable, spread, order)
    return Figure("histogram", said, subtitle, about.source, alt_words, table, draw, settable=can)


def settable(spread: Spread, order: tuple[str, ...]) -> Settable:
    """What can be set: the systems and their rows."""
    low, high = float(spread.table["seconds"].min()), float(spread.table["seconds"].max())
    axis = Axis("task time", low, high, "log", time=True, limits=False)
    found = systems((spread.labels[key], key, spread.roles[key]) for key in order[::-1])
    return Settable(tuple(found), ("system",), axis)


def _most(bins: Bins, key: str) -> str:
    i = int(np.argmax(bins.shares[key]))
    return f"{_span(bins.edges[i], bins.edges[i + 1])}, {show_share(bins.shares[key][i])}"


def _span(low: float, high: float) -> str:
    return f"{show_time(low)} to {show_time(high)}"


def plot(spread: Spread, bins: Bins, order: tuple[str, ...], look: Look) -> Plot:
    """Layers of the histogram: the candidate's row on top, the baseline's at the bottom."""
    palette, chosen, count = look.palette, look.chosen, len(order)
    if chosen.order:
        by_label = {spread.labels[key]: key for key in order}
        # Rows are drawn from the bottom.
        order = tuple(by_label[label] for label in chosen.arranged(tuple(by_label)[::-1]))[::-1]
    low, high = float(bins.edges[0]), float(bins.edges[-1])
    if spread.deadline_s:
        low, high = min(low, 0.9 * spread.deadline_s), max(high, 1.1 * spread.deadline_s)
    ticks, labels = distribution.axis_ticks(Span(low, high, log=True), chosen.unit)
    across = x_axis(
        "time since the request",
        values=ticks,
        labelExpr=labels,
        labelOverlap="greedy",
        grid=False,
    )
    scale = alt.Scale(type="log", domain=[low, high], nice=False)
    whole = alt.ExprRef("height")
    up = alt.Scale(domain=[0, whole], range=[0, whole], nice=False, zero=False)
    stack = [
        Names([_row_words(spread, key, look)], look, prefix=f"row{i}", size=look.px.label)
        for i, key in enumerate(order)
    ]
    params = {name: expression for names in stack for name, expression in names.params.items()}
    most = max(float(mine.max()) for mine in bins.shares.values())

    def x(field):
        return alt.X(f"{field}:Q", scale=scale, axis=across)

    def y(field):
        return alt.Y(f"{field}:Q", scale=up, axis=None)

    layers, said = [], []
    share_of_width = math.log(bins.edges[1] / bins.edges[0]) / math.log(high / low) if len(bins.edges) > 1 else 1.0
    wide = round(ems("00%") * look.small + 4)
    tooltip = [alt.Tooltip("system:N"), alt.Tooltip("took:N", title="takes"), alt.Tooltip("t:N", title="of runs")]
    # A row holds its name, the shares above the bars, and the bars.
    above = 14 + 1.6 * look.small
    for row, key in enumerate(order):
        foot = f"(height * {count - row} / {count})"
        tall = f"max(4, height / {count} - row{row}strip - {above:.0f})"
        colour, found = palette.system(spread.roles[key], spread.labels[key]), bins.shares[key]
        marks = [
            {"a": a, "b": b, "of_most": share / most, "share": share, "t": show_share(share)}
            for a, b, share in zip(bins.edges[:-1].tolist(), bins.edges[1:].tolist(), found.tolist(), strict=True)
            if share > 0
        ]
        told = [mark | {"system": spread.labels[key], "took": _span(mark["a"], mark["b"])} for mark in marks]
        place_y = {"low": foot, "high": f"{foot} - datum.of_most * {tall}"}
        bar = rows(told).transform_calculate(**place_y)
        bar = bar.mark_bar(color=colour, stroke=palette.background, strokeWidth=1)
        layers.append(bar.encode(x=x("a"), x2="b:Q", y=y("low"), y2="high:Q", tooltip=tooltip))
        floor = rows([{"a": low, "b": high}]).transform_calculate(low=foot)
        floor = floor.mark_rule(color=palette.axis, strokeWidth=1)
        layers.append(floor.encode(x=x("a"), x2="b:Q", y=y("low")))
        said += _shares(marks, place_y, look, x, y, wide, share_of_width)
        words, ink = stack[row], palette.name(spread.roles[key], spread.labels[key])
        marks = {"fontWeight": "bold", "baseline": "top", "lineHeight": words.line, "dy": 8}
        name = place([words.fields(0)], look, words.size, ink, **marks)
        name = name.transform_calculate(t=words.pick("n"), y=f"{foot} - height / {count}")
        layers.append(name.encode(x=alt.value(0), y=y("y"), text="t:N"))
    if spread.deadline_s:
        # A line a row, below its name.
        feet = [f"height * {count - row} / {count}" for row in range(count)]
        strips = [f"row{row}strip + 8" for row in range(count)]
        rule = rows([{"s": spread.deadline_s, "row": row} for row in range(count)]).transform_calculate(
            low=f"[{', '.join(feet)}][datum.row]",
            high=f"datum.low - height / {count} + [{', '.join(strips)}][datum.row]",
        )
        rule = rule.mark_rule(color=palette.ink, strokeWidth=1.5, strokeDash=[4, 4])
        layers.append(rule.encode(x=x("s"), y=y("low"), y2="high:Q"))
    need = sum(names.strip(look.inner) for names in stack) + count * (above + 24) + below_px(look)
    return Plot([*layers, *said], params, max(60 + 150 * count, round(need)), 0, below_px(look))


def _shares(marks: list[dict], place_y: dict, look: Look, x, y, wide: float, share_of_width: float) -> list[alt.Chart]:
    """The share above every bar where bars are wide enough, else above the tallest alone; over the deadline's line."""
    middle = [mark | {"m": math.sqrt(mark["a"] * mark["b"])} for mark in marks]
    tallest = max(middle, key=lambda mark: mark["share"])
    others = [mark for mark in middle if mark is not tallest and mark["share"] >= LABELLED]
    fits = alt.ExprRef(f"width * {share_of_width:.6g} > {wide} ? datum.t : ''")
    found = []
    halo = {"stroke": look.palette.background, "strokeWidth": 4, "strokeJoin": "round"}
    for records, words in (([tallest], {}), (others, {"text": fits})):
        for more in (halo, {}) if records else ():
            marks = {"align": "center", "baseline": "bottom", "dy": -3} | words | more
            text = place(records, look, look.small, look.palette.muted, **marks).transform_calculate(**place_y)
            found.append(text.encode(x=x("m"), y=y("high"), **({} if words else {"text": "t:N"})))
    return found


def _row_words(spread: Spread, key: str, look: Look) -> str:
    """What a row is of, with its median and what is done by the deadline."""
    said = f"{look.chosen.name(spread.labels[key])}: half done within {show_time(spread.median[key])}"
    if spread.deadline_s:
        said += f", {show_share(spread.done[key])} within{NBSP}{show_time(spread.deadline_s)}"
    return said
