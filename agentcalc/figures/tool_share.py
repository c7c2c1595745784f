"""What faster calls give a task, by the share of its time that no system can shorten."""

from __future__ import annotations

from functools import partial

import altair as alt

from agentcalc.analysis.tool_share import ToolShare
from agentcalc.figures import cut
from agentcalc.figures.axes import noted, start, ticks_on, x_axis, y_axis
from agentcalc.figures.chosen import Span
from agentcalc.figures.figure import Figure
from agentcalc.figures.frame import Plot, below_px, rows
from agentcalc.figures.marks import SAFE, place
from agentcalc.figures.measure import ems
from agentcalc.figures.rows import key_unless
from agentcalc.figures.settable import Axis, Named, Settable
from agentcalc.figures.theme import Look
from agentcalc.figures.words import STATISTIC_WORDS, About
from agentcalc.units import NBSP, TIMES, show_count, show_ratio, show_share

ROOM = 10
"""Pixels left and right of the axis' ends, for half a dot."""
MOST_BAND = 1.7
"""How far above the line the axis follows its band."""
DENSE = 60
"""Runs from which the marks of single runs grow pale."""


def title(found: ToolShare) -> str:
    """The finding."""
    one = found.advantage
    share = f"At {show_share(found.share)} tools"
    calls, task = show_ratio(one.per_call.value), show_ratio(one.task.value)
    if one.case == "close":
        return f"Too close to call: at {show_share(found.share)} tools, calls of {calls} give {task}"
    if one.case == "slower":
        return f"{share}, calls of {calls} give {task}: {one.base} finishes first"
    return f"{share}, {calls} faster calls give {task}"


def figure(found: ToolShare, about: About) -> Figure:
    """Amdahl's line at a pair's ratio of calls, with the task on it."""
    one = found.advantage
    subtitle = (
        f"{STATISTIC_WORDS[one.by]} of {show_count(about.trials)} runs. {about.of_model}, "
        f"{one.cand} against {one.base}. Marks below: {len(found.runs)} runs, by their own share."
    )
    ends = f"from {show_ratio(one.per_call.value)} without tools to 1{TIMES} with nothing else"
    alt_words = (
        f"{title(found)}. {one.base} over {one.cand}: calls {show_ratio(one.per_call.value)}, task "
        f"{show_ratio(one.task.value)}. A curve that falls {ends}."
    )
    draw, can = partial(plot, found), partial(settable, found)
    return Figure("tool_share", title(found), subtitle, about.source, alt_words, found.line, draw, settable=can)


def settable(found: ToolShare) -> Settable:
    """What can be set: the two systems, the line in the candidate's colour, and the axis of the speed-up."""
    one, line = found.advantage, found.line["speedup"]
    both = (Named(one.base, "system"), Named(one.cand, "system", slot="candidate"))
    return Settable(both, y=Axis("speed-up", float(line.min()), float(line.max()), other=float(line.min()) > 0))


def plot(found: ToolShare, look: Look) -> Plot:
    """Layers of the line, its band, the rug of runs and the dot."""
    one, palette = found.advantage, look.palette
    line = found.line
    most = MOST_BAND * one.per_call.value
    top = max(float(line["speedup"].max()), one.task.value, min(one.task.high, most), min(one.per_call.high, most), 1.0)
    low = min(float(line["speedup"].min()), one.task.value, 1.0)
    low = 0.0 if low < 1 else 1.0
    top = top + 0.04 * (top - low or 1)
    span = look.chosen.span("y", low, top, other_low=min(1.0, float(line["speedup"].min())) * 0.95)
    low, top, xs = span.low, span.high, Span(0, 1)
    step = next(s for s in (0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200) if (top - low) / s <= 6 or s == 200)
    ticks = [low + i * step for i in range(int((top - low) / step + 1e-9) + 1)]
    digits = 0 if step >= 1 else 2 if step < 0.1 else 1
    if span.given:
        ticks = ticks_on(span, 6)
        digits = max((len(f"{tick:.6g}".partition(".")[2]) for tick in ticks), default=0)
    left = round(ems(f"{max(ticks, default=top):.{digits}f}{TIMES}") * look.px.label + 12)
    words = f"{show_ratio(one.per_call.value)} faster calls, by the share of tools and people"
    key = key_unless([(words, palette.name("candidate"))], look, left)
    rug = round(0.8 * look.px.label)

    across = x_axis(
        noted("share of the time that no system can shorten", vertical=start(span, TIMES)),
        values=[0, 0.25, 0.5, 0.75, 1],
        format=".0%",
        grid=False,
        labelFlush=True,
    )
    up = y_axis(
        left,
        values=ticks,
        labelExpr=f"format(datum.value, '.{digits}f') + '{TIMES}'",
    )
    # A dot at either end stands on the axis by its middle, beside the labels.
    x_scale = alt.Scale(domain=[0, 1], range=[ROOM, alt.ExprRef(f"width - {ROOM}")], nice=False)
    y_range = [alt.ExprRef(f"height - {rug}"), alt.ExprRef(key.top)]
    options = span.type or {"zero": False}
    y_scale = alt.Scale(domain=span.domain, range=y_range, nice=False, clamp=True, **options)

    def x(field):
        return alt.X(f"{field}:Q", scale=x_scale, axis=across)

    def y(field):
        return alt.Y(f"{field}:Q", scale=y_scale, axis=up)

    layers = []
    if not one.per_call.known:
        records = line.assign(high=line["high"].clip(upper=top))[["share", "low", "high"]].to_dict("records")
        area = rows(cut.area(records, "share", "low", "high", xs, span)).mark_area(
            color=palette.candidate, opacity=0.28
        )
        layers.append(area.encode(x=x("share"), y=y("low"), y2="high:Q"))
    points = [
        row | {"tools": show_share(row["share"]), "task": show_ratio(row["speedup"])}
        for row in line[["share", "speedup"]].to_dict("records")
    ]
    tooltip = [alt.Tooltip("tools:N"), alt.Tooltip("task:N", title="task faster")]
    for piece in cut.lines(points, "share", "speedup", xs, span):
        curve = rows(piece).mark_line(color=palette.candidate, strokeWidth=3.5)
        layers.append(curve.encode(x=x("share"), y=y("speedup"), tooltip=tooltip))
    if len(found.runs):
        marks = rows([{"share": float(share)} for share in found.runs])
        marks = marks.mark_rule(color=palette.ink, strokeWidth=1, opacity=0.15 if len(found.runs) > DENSE else 0.35)
        foot, head = alt.value(alt.ExprRef("height")), alt.value(alt.ExprRef(f"height - {rug - 3}"))
        layers.append(marks.encode(x=x("share"), y=foot, y2=head))
    layers += _here(found, look, x, y, span)
    return Plot([*layers, *key.layers], key.params, 340, left, below_px(look))


def _here(found: ToolShare, look: Look, x, y, span: Span) -> list[alt.Chart]:
    """The task: a dot with what is unknown about its ratio, and where it stands in words."""
    one, palette = found.advantage, look.palette
    if span.given and not span.inside(one.task.value):
        return []
    low, high = one.task.low, min(one.task.high, span.high)
    record = {
        "share": found.share,
        "speedup": one.task.value,
        "low": span.held(low) if span.given else low,
        "high": high,
    }
    layers = []
    if not one.task.known:
        bar = rows([record]).mark_rule(color=palette.ink, strokeWidth=2.5)
        layers.append(bar.encode(x=x("share"), y=y("low"), y2="high:Q"))
    dot = rows([record]).mark_point(
        filled=True, size=170, color=palette.ink, opacity=1, stroke=palette.background, strokeWidth=2
    )
    layers.append(dot.encode(x=x("share"), y=y("speedup")))
    said = f"you are here: tools {show_share(found.share)}, task {show_ratio(one.task.value)}".replace(" ", NBSP)
    wide = ems(said, bold=True) * look.px.label * SAFE + 14
    lift = round(0.8 * look.px.label)
    for halo in ({"stroke": palette.background, "strokeWidth": 6, "strokeJoin": "round"}, {}):
        label = place([record | {"t": said}], look, look.px.label, palette.ink, fontWeight="bold", dy=-lift, **halo)
        # Right of the dot where there is room, else as far left as it takes.
        at = f"max(0, min({ROOM} + {found.share:.5f} * (width - {2 * ROOM}) + 14, width - {wide:.0f}))"
        layers.append(label.encode(x=alt.value(alt.ExprRef(at)), y=y("speedup"), text="t:N"))
    return layers
