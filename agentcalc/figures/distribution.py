"""How many runs are done by when: the cumulative share of all runs over task time."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial

import altair as alt
import numpy as np
import pandas as pd

from agentcalc.figures import cut
from agentcalc.figures.axes import SIGNS, log_times, noted, start_s, time_ticks, x_axis, y_axis
from agentcalc.figures.chosen import NOTHING, Chosen, Span
from agentcalc.figures.figure import Figure
from agentcalc.figures.frame import Plot, below_px, records, rows
from agentcalc.figures.marks import key_lines, place
from agentcalc.figures.measure import ems
from agentcalc.figures.settable import Axis, Settable, systems
from agentcalc.figures.theme import Look, Palette
from agentcalc.figures.words import About
from agentcalc.units import NBSP, show_count, show_share, show_time

SHARES = np.linspace(0.01, 0.99, 99)
DASHES = (("dashed", [7, 4]), ("dotted", [2, 4]), ("long dashes", [14, 5]), ("dash and dot", [9, 3, 2, 3]))
MOST_OTHERS = len(DASHES)
NICE = (1, 2, 5)
MOST_MORE = 2
"""Digits beyond the usual ones that two medians may need to differ."""
LEAST_S = 1e-7
"""A logarithmic axis has no zero."""
MOST_RATIO = 1e6
"""How many times the shortest time the longest may be on the axis; what is shorter stands at its left end."""


@dataclass(frozen=True)
class Spread:
    """Table of system, label, role, share, seconds; medians by system; shares done at the deadline, if there is one."""

    table: pd.DataFrame
    order: tuple[str, ...]
    labels: dict[str, str]
    roles: dict[str, str]
    median: dict[str, float]
    deadline_s: float | None
    done: dict[str, float]


def read(
    seconds: np.ndarray,
    systems: list[str],
    labels: list[str],
    candidate: int = 1,
    deadline_s: float | None = None,
) -> Spread:
    """seconds: task time, shape [systems, trials]; row 0 is the baseline, ``candidate`` the row of the candidate."""
    others = [i for i in range(1, len(systems)) if i != candidate][:MOST_OTHERS]
    order = [0, *others, *([candidate] if len(systems) > 1 else [])]
    roles = {i: "baseline" if i == 0 else "candidate" if i == candidate else "other" for i in order}
    keys = {i: f"{systems[i]}#{i}" if systems.count(systems[i]) > 1 else systems[i] for i in order}
    # Sorted once, since every quantile would sort for itself.
    ordered = {i: np.sort(seconds[i]) for i in order}
    points = {i: np.quantile(ordered[i], SHARES) for i in order}
    n = len(SHARES)
    table = pd.DataFrame(
        {
            "system": [keys[i] for i in order for _ in range(n)],
            "label": [labels[i] for i in order for _ in range(n)],
            "role": [roles[i] for i in order for _ in range(n)],
            "share": np.tile(SHARES, len(order)),
            "seconds": np.concatenate([points[i] for i in order]),
        }
    )
    done = {} if deadline_s is None else {keys[i]: float(np.mean(seconds[i] <= deadline_s)) for i in order}
    return Spread(
        table=table,
        order=tuple(keys[i] for i in order),
        labels={keys[i]: labels[i] for i in order},
        roles={keys[i]: roles[i] for i in order},
        median={keys[i]: float(np.median(ordered[i])) for i in order},
        deadline_s=deadline_s,
        done=done,
    )


def title(spread: Spread) -> str:
    """The finding."""
    base, cand = spread.order[0], spread.order[-1]
    if base == cand:
        return f"Half of all runs are done within {show_time(spread.median[base])} on {spread.labels[base]}"
    # A deadline that both meet alike is no finding.
    if spread.deadline_s is not None and show_share(spread.done[base]) != show_share(spread.done[cand]):
        shares = [f"{show_share(spread.done[key])}{end}" for key, end in ((cand, " of runs are done"), (base, ""))]
        within = f"Within {show_time(spread.deadline_s)}, {shares[0]} on {spread.labels[cand]}"
        return f"{within}, {shares[1]} on {spread.labels[base]}"
    times = medians(spread)
    if times[base] == times[cand]:
        return f"Half of all runs are done within {times[base]} on {spread.labels[cand]} and on {spread.labels[base]}"
    half = f"Half of all runs are done within {times[cand]} on {spread.labels[cand]}"
    return f"{half}, within {times[base]} on {spread.labels[base]}"


def medians(spread: Spread) -> dict[str, str]:
    """By when half of the runs are done on each system, in as many digits as tell baseline and candidate apart."""
    ends, words = {spread.order[0], spread.order[-1]}, {}
    for more in range(MOST_MORE + 1):
        words = {key: show_time(seconds, more=more) for key, seconds in spread.median.items()}
        if len({words[key] for key in ends}) == len(ends):
            return words
    return {key: show_time(seconds) for key, seconds in spread.median.items()}


def figure(spread: Spread, about: About) -> Figure:
    """The distribution of all runs."""
    what = "Share of runs done by then, from the fastest 1% to the slowest."
    subtitle = f"{show_count(about.trials)} runs. {about.of_model}. {what}"
    base, cand = spread.order[0], spread.order[-1]
    ratio = spread.median[base] / spread.median[cand] if spread.median[cand] else math.inf
    shape = "Rising curves of the share of runs done over time, on a logarithmic axis."
    alt_words = f"{title(spread)}, a ratio of {ratio:.2f}. {shape}"
    draw, can = partial(plot, spread), partial(settable, spread)
    return Figure("distribution", title(spread), subtitle, about.source, alt_words, spread.table, draw, spread, can)


def settable(spread: Spread) -> Settable:
    """What can be set: the systems, their order above the plot, and the axis of time."""
    found = systems((spread.labels[key], key, spread.roles[key]) for key in spread.order)
    low, high = (float(end) for end in (spread.table["seconds"].min(), spread.table["seconds"].max()))
    return Settable(tuple(found), ("system",), x=Axis("task time", low, high, "log", other=True, time=True))


def nice_times(low: float, high: float) -> list[float]:
    """Round times between two, nine at most: 1, 2, 5 and tens of them below a minute, then minutes and hours."""
    # 50 s would stand too near to 1 min
    seconds = [float(f"{k * 10.0**p:.3g}") for p in range(-6, 2) for k in NICE if k * 10.0**p < 50]
    minutes = [60.0 * m for m in (1, 2, 5, 10, 20, 30)]
    hours = [3600.0 * k * 10**p for p in range(4) for k in NICE]
    found = [t for t in (*seconds, *minutes, *hours) if low <= t <= high]
    if len(found) < 3:
        return near_times(low, high)
    return found if len(found) <= 9 else found[:: math.ceil(len(found) / 9)]


def near_times(low: float, high: float) -> list[float]:
    """Times between two that lie close together, about four, as round as that allows."""
    step = (high - low) / 4
    unit = 1.0 if high < 60 else 60.0 if high < 3600 else 3600.0
    power = 10 ** math.floor(math.log10(step / unit))
    step = unit * next(power * k for k in (1, 2, 5, 10) if power * k >= step / unit * 0.999)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [float(f"{i * step:.6g}") for i in range(first, last + 1)]


def tick_words(seconds: float) -> str:
    """A round time at a tick."""
    if seconds < 0.001:
        return f"{1000 * seconds:g}{NBSP}ms"
    if seconds < 60:
        return f"{seconds:g}{NBSP}s"
    return f"{seconds / 60:g}{NBSP}min" if seconds < 3600 else f"{seconds / 3600:g}{NBSP}h"


def time_domain(spread: Spread) -> tuple[float, float]:
    """Ends of the axis of time, s: all curves and the deadline, with a little room."""
    seconds = spread.table["seconds"]
    high = max(float(seconds.max()), 2 * LEAST_S)
    # A run that takes no time has no place of its own.
    low = min((s for s in seconds.tolist() if s > 0), default=high)
    low, high = max(low, high / MOST_RATIO) * 0.92, high * 1.08
    if spread.deadline_s:
        low, high = min(low, 0.9 * spread.deadline_s), max(high, 1.1 * spread.deadline_s)
    return low, high


def dashes_of(spread: Spread) -> dict[str, tuple[str, list[int]]]:
    """How the systems between baseline and candidate are told apart: a word and a dash by system."""
    return dict(zip(spread.order[1:-1], DASHES, strict=False))


def key_words(spread: Spread, palette: Palette, chosen: Chosen = NOTHING) -> list[tuple[str, str]]:
    """Words above the plot and their colours, a line a system: its name, its dash, by when half is done."""
    dashes, words, times = dashes_of(spread), [], medians(spread)
    for key in _arranged(spread, chosen):
        dash = f" ({dashes[key][0]})" if key in dashes else ""
        text = f"{chosen.name(spread.labels[key])}{dash}: half done within {times[key]}"
        words.append((text, palette.name(spread.roles[key], spread.labels[key])))
    return words


def _told(row: dict) -> dict:
    """A point of a curve in words."""
    return {"done": show_share(row["share"]), "time": show_time(row["seconds"])}


def plot(spread: Spread, look: Look) -> Plot:
    """Layers of the distribution."""
    palette, chosen = look.palette, look.chosen
    curves: dict[str, list[dict]] = {system: [] for system in spread.order}
    for row in records(spread.table, ("system", "share", "seconds", "label")):
        curves[row.pop("system")].append(row)
    low, high = time_domain(spread)
    span, shares = chosen.span("x", low, high, log=True), Span(0, 1)
    dashes = dashes_of(spread)
    left = round(ems("100%") * look.px.label + 8)
    key = key_lines(key_words(spread, palette, chosen), look, left)
    ticks, labels = axis_ticks(span, chosen.unit)
    across = x_axis(
        noted("time since the request", start_s(span, chosen.unit)),
        values=ticks,
        labelExpr=labels,
        labelOverlap="greedy",
        labelFlush=False,
        grid=False,
    )
    scale = alt.Scale(**span.type, domain=span.domain, nice=False, clamp=True)
    up = y_axis(
        left,
        values=[0, 0.25, 0.5, 0.75, 1],
        format=".0%",
    )
    y_scale = alt.Scale(domain=[0, 1], range=[alt.ExprRef("height"), alt.ExprRef(key.top)], nice=False)

    def x(field):
        return alt.X(f"{field}:Q", scale=scale, axis=across)

    def y(field):
        return alt.Y(f"{field}:Q", scale=y_scale, axis=up)

    layers = []
    tooltip = [alt.Tooltip("label:N", title="system"), alt.Tooltip("done:N", title="runs done")]
    tooltip.append(alt.Tooltip("time:N", title="within"))
    for system in spread.order:
        role = spread.roles[system]
        options = {"strokeWidth": 2 if role == "other" else 3}
        options |= {"strokeDash": dashes[system][1]} if system in dashes else {}
        name = chosen.name(spread.labels[system])
        for piece in cut.lines(curves[system], "seconds", "share", span, shares):
            told = [row | _told(row) | {"label": name} for row in piece]
            line = rows(told).mark_line(color=palette.system(role, spread.labels[system]), **options)
            layers.append(line.encode(x=x("seconds"), y=y("share"), order=alt.Order("share:Q"), tooltip=tooltip))
    for system in (spread.order[0], spread.order[-1]):
        half = max(spread.median[system], span.low)
        if span.given and not span.inside(half):
            continue
        dot = rows([{"s": half, "share": 0.5}])
        dot = dot.mark_point(filled=True, size=90, opacity=1, color=palette.system(spread.roles[system]))
        layers.append(dot.encode(x=x("s"), y=y("share")))
    layers += _deadline(spread, look, x, y, span)
    height = 330 + 20 * len(spread.order)
    return Plot([*layers, *key.layers], key.params, height, left, below_px(look))


def _arranged(spread: Spread, chosen: Chosen) -> tuple[str, ...]:
    """The systems in the order of the words above the plot."""
    if not chosen.order:
        return spread.order
    by_label = {spread.labels[key]: key for key in spread.order}
    return (
        tuple(by_label[label] for label in chosen.arranged(by_label))
        if len(by_label) == len(spread.order)
        else spread.order
    )


def axis_ticks(span: Span, unit: str) -> tuple[list[float], str]:
    """Ticks of the axis of time, and the Vega expression of their labels."""
    if not span.log:
        ticks, label, word = time_ticks(span.high, 8, span.low if span.cut else 0.0, unit)
        return ticks, f"({label}) + (datum.value == 0 ? '' : '{NBSP}{SIGNS[word]}')"
    if unit:
        options = log_times(span, unit)
        return options["values"], options["labelExpr"]
    ticks = nice_times(span.low, span.high)
    labels = " : ".join(f"datum.value == {tick!r} ? '{tick_words(tick)}'" for tick in ticks)
    return ticks, f"{labels} : ''" if ticks else "''"


def _deadline(spread: Spread, look: Look, x, y, span: Span) -> list[alt.Chart]:
    """The deadline as a rule, with the share done by then beside it."""
    if spread.deadline_s is None or not span.inside(spread.deadline_s):
        return []
    palette = look.palette
    rule = rows([{"s": spread.deadline_s, "low": 0.0, "high": 1.0}]).mark_rule(
        color=palette.ink, strokeWidth=1.5, strokeDash=[4, 4]
    )
    layers = [rule.encode(x=x("s"), y=y("low"), y2="high:Q")]
    across = span.place(spread.deadline_s)
    ends = dict.fromkeys((spread.order[0], spread.order[-1]))
    shown = sorted(ends, key=lambda key: -spread.done[key])
    for key, marks in zip(shown, _beside([spread.done[key] for key in shown], across, look), strict=True):
        record = {"s": spread.deadline_s, "share": spread.done[key], "t": show_share(spread.done[key])}
        colour = palette.name(spread.roles[key], spread.labels[key])
        text = place([record], look, look.px.label, colour, fontWeight="bold", **marks)
        layers.append(text.encode(x=x("s"), y=y("share"), text="t:N"))
    return layers


AT_THE_END = 0.1
"""A share so near to none or all has no room for its number beyond it."""


ROOM = 0.15
"""Share of the axis that a number beside the deadline takes, about."""


def _beside(shares: list[float], across: float, look: Look) -> list[dict]:
    """Where the numbers of shares stand beside a deadline so far along the axis (0 to 1), the highest first.

    Curves rise: what is above the upper one left of the deadline is free, and what is below the lower one right of it.
    Near none and near all both stand on one side, one over the other.
    """
    line = round(1.25 * look.px.label, 1)
    left, right = {"align": "right", "dx": -8}, {"align": "left", "dx": 8}
    above, below = {"baseline": "bottom", "dy": -2}, {"baseline": "top", "dy": 2}
    one = right if across < 0.6 else left
    near = line if shares[0] - shares[-1] < 2 * AT_THE_END and len(shares) > 1 else 0
    if shares[-1] < AT_THE_END:
        return [one | above | {"dy": -2 - near}, one | above][: len(shares)]
    if shares[0] > 1 - AT_THE_END:
        return [one | below, one | below | {"dy": 2 + near}][: len(shares)]
    return [(left if across > ROOM else right) | above, (right if across < 1 - ROOM else left) | below][: len(shares)]
