"""What a day of many tasks saves, task by task, and what any system could save at most."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import altair as alt

from agentcalc.analysis.portfolio import OfTask, Planned
from agentcalc.analysis.portfolio_words import portfolio_line, runs_words
from agentcalc.figures.axes import time_ticks, x_axis
from agentcalc.figures.figure import Figure
from agentcalc.figures.frame import Plot, below_px
from agentcalc.figures.marks import SAFE, place
from agentcalc.figures.measure import ems
from agentcalc.figures.rows import Rows, key_unless, lines_but_zero, room_for, stacked
from agentcalc.figures.settable import Axis, Named, Settable
from agentcalc.figures.theme import Look
from agentcalc.units import MINUS, show_count, show_total

MOST, FEW = 8, 3


def title(found: Planned) -> str:
    """The finding."""
    return portfolio_line(found, bands=False).removesuffix(".")


def figure(found: Planned, source: str) -> Figure:
    """Seconds saved a day by each task, most first. source: the source line of the two systems."""
    rest = len(found.tasks) - MOST
    subtitle = f"Saved a day on {found.cand} instead of {found.base}: {runs_words(found)} a day, means of all runs."
    subtitle += f" + {rest} more that save less." if rest > 0 else ""
    each = ", ".join(f"{one.short} {_saved(one)}" for one in found.tasks[:MOST])
    alt_words = f"{title(found)}. {each}. One bar a task, with a mark for what an instant model would save."
    draw, can = partial(plot, found), partial(settable, found)
    return Figure("portfolio", title(found), subtitle, source, alt_words, found.table(), draw, settable=can)


def settable(found: Planned) -> Settable:
    """What can be set: the tasks and their order, the two systems, and how far the axis reaches."""
    tasks = [Named(one.task.name, "task", others=(one.task.id or "", one.short)) for one in found.tasks]
    both = [Named(found.base, "system", slot="baseline"), Named(found.cand, "system", slot="candidate")]
    low, high = _extent(found.tasks)
    axis = Axis("time saved a day", low, high, time=True, bars="whole")
    return Settable((*tasks, *both), ("task",), axis)


def _extent(tasks: Sequence[OfTask]) -> tuple[float, float]:
    """The most lost and the most saved, or to be saved, a day, s."""
    low = min(min(0.0, one.saved_s.low, one.possible_s) for one in tasks)
    high = max(max(0.0, one.saved_s.high, one.possible_s) for one in tasks)
    return low, high if high > low else 1.0


def _saved(one: OfTask) -> str:
    seconds = one.saved_s.value
    return f"{MINUS if seconds < 0 else ''}{show_total(abs(seconds))}"


def plot(found: Planned, look: Look) -> Plot:
    """Layers of the bars; to the left of nothing is lost."""
    palette, chosen = look.palette, look.chosen
    called = [chosen.name(name) for name in (found.base, found.cand, *(one.task.name for one in found.tasks))]
    by_name = {one.task.name: one for one in found.tasks}
    tasks = [by_name[name] for name in chosen.arranged(by_name)] if chosen.order else found.tasks
    tasks = tasks[: room_for(called, look, MOST, FEW)]
    span = chosen.span("x", *_extent(tasks))
    low, high = span.low, span.high
    titles = [f"{chosen.name(one.task.name)}: {show_count(one.runs_a_day)} a day" for one in tasks]
    lines = [(f"saved on {called[1]}", palette.name("candidate")), ("Line: an instant model would save", palette.muted)]
    below = below_px(look)
    stack, look, need = stacked(look, lambda look: Rows(titles, 1, look, key=key_unless(lines, look), gap=10), below)
    key = stack.key
    records, bands, marks, texts = [], [], [], []
    for row, one in enumerate(tasks):
        seconds = one.saved_s.value
        at = {"row": row, "bar": 0}
        fill = palette.candidate if seconds >= 0 else palette.baseline
        tip = {"task": one.short, "saved": _saved(one)}
        records.append(at | {"start": min(0.0, seconds), "end": max(0.0, seconds), "fill": fill} | tip)
        if one.saved_s.high - one.saved_s.low > 0.004 * (high - low):
            bands.append(at | {"low": one.saved_s.low, "high": one.saved_s.high, "colour": palette.muted})
        marks.append({"row": row, "x": one.possible_s})
        end = max(0.0, seconds, one.saved_s.high)
        texts.append(at | {"at": end, "ceiling": one.possible_s, "t": _saved(one)})
    wide = max(ems(text["t"], bold=True) for text in texts) * look.px.label * SAFE
    room = f"{wide + 14:.0f}"
    scale = alt.Scale(domain=[low, high], range=[0, alt.ExprRef(f"width - {room}")], nice=False, zero=False)
    ticks, label, word = time_ticks(max(high, -low), sign=chosen.unit)
    ticks = [t for t in (*(-t for t in ticks[:0:-1]), *ticks) if low <= t <= high]
    axis = x_axis(
        f"{word} saved a day",
        values=ticks,
        labelExpr=label,
        **lines_but_zero(look),
    )

    def x(field):
        return alt.X(f"{field}:Q", scale=scale, axis=axis)

    tooltip = [alt.Tooltip("task:N"), alt.Tooltip("saved:N", title="saved a day")]
    layers = [stack.rects(records, x, tooltip=tooltip)]
    layers += stack.crossing(marks, x)
    layers += stack.capped(bands, x)
    span = f"(width - {room}) / {high - low!r}"
    clear = f"(datum.ceiling - datum.at) * {span} > {wide + 14:.0f}"
    value = place(texts, look, look.px.label, palette.ink, fontWeight="bold", dx=7).transform_calculate(
        x=f"{clear} ? datum.at : max(datum.at, datum.ceiling)", y=f"{stack.bar_top()} + bar / 2"
    )
    layers.append(value.encode(x=x("x"), y=stack.y("y"), text="t:N"))
    layers += [*stack.titles(), *key.layers]
    return Plot(layers, key.params | stack.params, max(100 + 56 * len(tasks), need), 0, below)
