"""What gets done in some times on two systems, with what an instant model would get done."""

from __future__ import annotations

import math
from functools import partial

import altair as alt

from agentcalc.analysis.banded import Banded, show_number
from agentcalc.analysis.budget import Budget, OfSystem
from agentcalc.analysis.budget_words import line, measure_for, telling_s
from agentcalc.figures.axes import x_axis
from agentcalc.figures.figure import Figure
from agentcalc.figures.frame import Plot, below_px
from agentcalc.figures.marks import SAFE, place
from agentcalc.figures.measure import ems
from agentcalc.figures.rows import Rows, key_unless, lines_but_zero, room_for, stacked
from agentcalc.figures.settable import Settable, systems
from agentcalc.figures.theme import Look
from agentcalc.figures.words import About
from agentcalc.units import show_count, show_share, show_time

WORDS = {
    "done": "Share of runs done within a time",
    "tasks": "Tasks done in a time, one after the other",
    "turns": "Turns done in a time, runs one after the other",
    "calls": "Calls made in a time, runs one after the other",
    "attempts": "Attempts at one problem that fit into a time",
    "success": "Chance of success within a time",
}
SHARES = ("done", "success")
MOST_ROWS, FEW_ROWS = 8, 2


def title(found: Budget, measure: str = "done", at_s: float | None = None) -> str:
    """The finding at a time; None: that which tells the systems apart most, of tasks the longest one."""
    if at_s is not None and measure == measure_for(found, at_s):
        return _short(line(found, at_s, bands=False))
    telling = telling_s(found)
    if measure == "done" and measure_for(found, telling) == "done":
        return _short(line(found, telling, bands=False))
    if measure in ("done", "tasks"):
        many = [s for s in found.within_s if measure_for(found, s) == "tasks"]
        return _short(line(found, many[0] if many and measure == "done" else found.within_s[-1], bands=False))
    best, shown = found.within_s[-1], _show(measure)
    told = [*found.systems[1:2], found.systems[0]]
    values = ", ".join(f"{shown(getattr(one.within(best), measure).value)} on {one.name}" for one in told)
    what = {"success": "chance of success", "attempts": "attempts that fit"}.get(measure, measure)
    return f"Within {show_time(best)}, {what}: {values}"


def _short(sentence: str) -> str:
    """Without the instant model, which the figure shows."""
    return sentence.rpartition("; an instant model")[0]


def figure(found: Budget, about: About, measure: str = "done", at_s: float | None = None) -> Figure:
    """Bars for each time: baseline over candidate. measure: one of ``WORDS``; at_s: as in :func:`title`.

    Raises ValueError for another measure, and for "success" where no chance of success is known.
    """
    if measure not in WORDS:
        raise ValueError(f"measure is '{measure}'; use one of {', '.join(WORDS)}")
    if measure == "success" and found.success is None:
        raise ValueError("no chance of success is known for this task")
    runs = found.turns_from if measure in ("turns", "calls") else found.trials
    scales = "" if measure in SHARES else " Each time has its own scale."
    subtitle = f"{show_count(runs)} runs. {about.of_model}. {WORDS[measure]}.{scales}"
    shown = _show(measure)

    def each_of(seconds: float) -> str:
        return ", ".join(f"{one.name} {shown(getattr(one.within(seconds), measure).value)}" for one in _told(found))

    each = "; ".join(f"{show_time(seconds)}: {each_of(seconds)}" for seconds in found.within_s)
    head = title(found, measure, at_s)
    alt_words = f"{head}. {each}. Two bars for each time, with a mark for an instant model."
    draw = partial(plot, found, measure, at_s=at_s)
    return Figure(
        "budget", head, subtitle, about.source, alt_words, found.table(), draw, settable=partial(settable, found)
    )


def settable(found: Budget) -> Settable:
    """What can be set: the systems and the order of their bars."""
    roles = ("baseline", "candidate")
    return Settable(
        tuple(systems((one.name, "", role) for one, role in zip(_told(found), roles, strict=False))), ("system",)
    )


def _told(found: Budget) -> list[OfSystem]:
    return list(found.systems[:2])


def _show(measure: str):
    return show_share if measure in SHARES else show_number


def shown_times(found: Budget, most: int, at_s: float | None = None) -> tuple[float, ...]:
    """So many of the times asked about, the one the title speaks of among them."""
    if len(found.within_s) <= most:
        return found.within_s
    kept = {telling_s(found) if at_s is None else at_s, *found.within_s[::-1][: most - 1]}
    return tuple(seconds for seconds in found.within_s if seconds in kept)[:most]


def plot(found: Budget, measure: str, look: Look, at_s: float | None = None) -> Plot:
    """Layers of the bars. Shares have one axis; of counts each time has its own length, and the values say how many."""
    palette, chosen, told = look.palette, look.chosen, _told(found)
    roles = ["baseline", "candidate"][: len(told)]
    if chosen.order:
        by_name = {one.name: (one, role) for one, role in zip(told, roles, strict=True)}
        told, roles = map(list, zip(*(by_name[name] for name in chosen.arranged(by_name)), strict=True))
    colours = {role: palette.system(role) for role in roles}
    lines = [
        *((chosen.name(one.name), palette.name(role)) for one, role in zip(told, roles, strict=True)),
        ("Line: an instant model", palette.muted),
    ]
    times = shown_times(found, room_for([chosen.name(one.name) for one in told], look, MOST_ROWS, FEW_ROWS), at_s)
    titles = [f"within {show_time(s)}" for s in times]
    below = below_px(look) if measure in SHARES else 10
    stack, look, need = stacked(look, lambda look: Rows(titles, len(told), look, key=key_unless(lines, look)), below)
    key = stack.key
    shown, shares = _show(measure), measure in SHARES
    records, bands, ticks, texts = [], [], [], []
    for row, seconds in enumerate(times):
        values: list[Banded] = [getattr(one.within(seconds), measure) for one in told]
        limit = getattr(found.instant.within(seconds), measure).value
        finite = [v for value in values for v in (value.value, value.high) if math.isfinite(v)]
        whole = 1.0 if shares else max([*finite, *([limit] if math.isfinite(limit) else [])], default=1.0) or 1.0
        for bar, (one, role, value) in enumerate(zip(told, roles, values, strict=True)):
            end = min(value.value, whole) / whole
            place_at = {"row": row, "bar": bar}
            tip = {"system": chosen.name(one.name), "time": show_time(seconds), "value": shown(value.value)}
            records.append(place_at | {"start": 0.0, "end": end, "fill": colours[role]} | tip)
            high = min(value.high, whole) / whole
            if high - min(value.low, whole) / whole > 0.004:
                low = min(value.low, whole) / whole
                bands.append(place_at | {"low": low, "high": high, "colour": palette.muted})
            ceiling = limit / whole if math.isfinite(limit) else 2.0
            text = {"at": max(end, high), "ceiling": ceiling, "t": tip["value"], "colour": palette.name(role)}
            texts.append(place_at | text)
        if math.isfinite(limit):
            ticks.append({"row": row, "x": limit / whole, "value": shown(limit)})
    wide = max(ems(text["t"], bold=True) for text in texts) * look.px.label * SAFE
    room = f"{wide + 14:.0f}"
    axis = None
    if shares:
        axis = x_axis(
            "of runs" if measure == "done" else "chance",
            values=[0, 0.25, 0.5, 0.75, 1],
            format=".0%",
            **lines_but_zero(look),
        )
    scale = alt.Scale(domain=[0, 1], range=[0, alt.ExprRef(f"width - {room}")], nice=False)

    def x(field):
        return alt.X(f"{field}:Q", scale=scale, axis=axis)

    tooltip = [alt.Tooltip("system:N"), alt.Tooltip("time:N", title="within"), alt.Tooltip("value:N", title=measure)]
    layers = [stack.rects(records, x, tooltip=tooltip)]
    if ticks:
        layers += stack.crossing(ticks, x)
    layers += stack.capped(bands, x)
    # A value stands at its bar's end, or behind the instant model's mark where that would cross it.
    span = f"(width - {room})"
    clear = f"(datum.ceiling - datum.at) * {span} > {wide + 14:.0f} || datum.ceiling > 1.5"
    label = place(texts, look, look.px.label, palette.ink, fontWeight="bold", dx=7).transform_calculate(
        x=f"{clear} ? datum.at : max(datum.at, datum.ceiling)",
        y=f"{stack.bar_top()} + bar / 2",
        shown=stack.legible("datum.t"),
    )
    colour = alt.Color("colour:N", scale=None, legend=None)
    layers.append(label.encode(x=x("x"), y=stack.y("y"), text="shown:N", color=colour))
    layers += [*stack.titles(), *key.layers]
    height = max(90 + len(times) * (34 + 26 * len(told)), need)
    return Plot(layers, key.params | stack.params, height, 0, below)
