"""A task as it is played: its steps from left to right, a box as wide as its time, frames around what repeats."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import altair as alt
import pandas as pd

from agentcalc.figures.figure import Figure
from agentcalc.figures.frame import Plot, key_columns, rows, text
from agentcalc.figures.graph_layout import (
    KIND_COMPONENT,
    KIND_NAMES,
    MOST_BOXES,
    Layout,
    Link,
    Piece,
    frame_words,
    value_words,
)
from agentcalc.figures.measure import ems
from agentcalc.figures.settable import Named, Settable
from agentcalc.figures.theme import Look
from agentcalc.figures.words import About
from agentcalc.task import Task, keys, places
from agentcalc.units import counted, show_share, show_time

APP_WIDE = 340
"""Pixels of the narrowest place in the app; a wider one stretches the picture."""

SMALLEST_TYPE = 10.0
LARGEST_TYPE = 1.5
"""Of the usual type, where a picture has a size of its own and a task is small."""
DASHES = {"choice": [5, 4], "group": [2, 3], "graph": [2, 3]}


def seconds_a_play(steps: pd.DataFrame, system: str) -> dict[str, float]:
    """Mean seconds of one play of each step on a system, by the step's key, from ``Comparison.steps``."""
    mine = steps[(steps["system"] == system) & (steps["plays"] > 0)]
    return {row.step: float(row.mean_s / row.plays) for row in mine.itertuples()}


def tidy(task: Task, seconds: Mapping[str, float]) -> pd.DataFrame:
    """One row a step: step (its key), path, kind, depth, says (what its box or frame says), seconds (a play's mean)."""
    named = keys(task)
    return pd.DataFrame(
        [
            {
                "step": named[place.path],
                "path": place.path,
                "kind": place.step.kind,
                "depth": place.depth,
                "says": frame_words(place.step) if place.step.blocks else value_words(place.step),
                "seconds": seconds.get(named[place.path], float("nan")),
            }
            for place in places(task.steps)
        ]
    )


def figure(
    task: Task, seconds: Mapping[str, float], about: About, *, system: str, calls: float, tool_share: float
) -> Figure:
    """The drawn task.

    seconds: mean of one play of each step by its key, on the system called ``system``; calls: calls of a typical run;
    tool_share: share of the mean task time that is tools.
    """
    table = tidy(task, seconds)
    found = title(task, calls, tool_share, system)
    subtitle = (
        f"A box is as wide as its mean time on {system}, on a log scale. Ranges go from the typical to nine in ten."
    )
    by_path = {row.path: row.seconds for row in table.itertuples() if row.seconds == row.seconds}
    shown = table[table["kind"].isin(KIND_COMPONENT)]
    alt_words = f"{found}. {described(table)}"
    draw = partial(plot, task, by_path, tuple(dict.fromkeys(shown["kind"])))
    can = partial(settable, tuple(dict.fromkeys(shown["kind"])), system)
    return Figure("task_graph", found, subtitle, about.source, alt_words, table, draw, settable=can)


def settable(present: tuple[str, ...], system: str) -> Settable:
    """What can be set: the colours of the kinds of steps, and what the system is called."""
    boxes = [Named(KIND_NAMES[kind], "side", slot=f"fill:{KIND_COMPONENT[kind]}") for kind in present]
    return Settable((*boxes, Named(system, "system")))


def title(task: Task, calls: float, tool_share: float, system: str) -> str:
    """``Coding agent: 8 calls, 35% of the time on GB300 is tools``."""
    made = counted(round(calls), "call") if calls >= 0.5 else "no calls"
    rest = f"{show_share(tool_share)} of the time on {system} is tools" if tool_share > 0 else "no time in tools"
    return f"{task.name}: {made}, {rest}"


def described(table: pd.DataFrame) -> str:
    """The shape in a clause, for those who do not see it: the first steps in their order with what stands inside."""
    parts = [
        f"{'inside, ' if row.depth > 1 else ''}{row.step}{f' ({row.says})' if row.says else ''}"
        for row in table.head(12).itertuples()
    ]
    more = len(table) - len(parts)
    return "Steps from left to right: " + ", ".join(parts) + (f", and {more:,} more." if more > 0 else ".")


def plot(task: Task, seconds: Mapping[str, float], kinds: tuple[str, ...], look: Look) -> Plot:
    """Layers of the drawn task. In the app it is as high as it needs; elsewhere type is as large as fits."""
    names = [KIND_NAMES[kind] for kind in kinds]
    size, wide = round(0.87 * look.px.label, 2), APP_WIDE
    legend = 2.4 * look.px.label
    room = None
    if look.px.height:
        wide = look.px.width - 2 * look.px.margin
        room = look.room - legend
        size *= LARGEST_TYPE
    most = MOST_BOXES
    piece = Layout(size, seconds, most).task(task.steps, wide)
    while room is not None and piece.height > room and (size > SMALLEST_TYPE or most > 8):
        size, most = (size * 0.92, most) if size > SMALLEST_TYPE else (size, most - 6)
        piece = Layout(size, seconds, most).task(task.steps, wide)
    tall = max(piece.height, room or 0.0)
    layers = _layers(piece, wide, tall, size, look, names)
    # The narrowest picture has the key in as many lines as it needs.
    lines = 1 if sum(ems(name) * look.px.label + look.px.label + 30 for name in names) <= APP_WIDE else 2
    height = round(piece.height + legend * lines + 8)
    return Plot(layers, {}, height, 0, 0)


def _layers(piece: Piece, wide: float, tall: float, size: float, look: Look, names: list[str]) -> list[alt.Chart]:
    palette = look.palette
    # Every line keeps its pixels inside the picture.
    x_scale = alt.Scale(domain=[-2, wide + 2], nice=False, zero=False)
    y_scale = alt.Scale(domain=[-2, tall + 2], reverse=True, nice=False, zero=False)

    def x(name: str, **more) -> alt.X:
        return alt.X(f"{name}:Q", scale=x_scale, axis=None, **more)

    def y(name: str, **more) -> alt.Y:
        return alt.Y(f"{name}:Q", scale=y_scale, axis=None, **more)

    def words(records: list[dict], colour: str, anchor: str = "top", **marks) -> alt.Chart:
        mark = text(rows(records), look, round(size, 2), colour, baseline=anchor, **marks)
        return mark.encode(x=x("x"), y=y("y"), text=alt.Text("t:N"))

    line = {"strokeWidth": 1.2, "color": palette.axis, "fillOpacity": 0}
    layers = []
    for kind in dict.fromkeys(frame.kind for frame in piece.frames):
        mine = [_corners(frame) for frame in piece.frames if frame.kind == kind]
        colour = palette.fills["retry"].fill if kind == "retry" else palette.axis
        mark = rows(mine).mark_rect(**line | {"stroke": colour}, cornerRadius=6, strokeDash=DASHES.get(kind, [1, 0]))
        layers.append(mark.encode(x=x("x"), x2=alt.X2("x2:Q"), y=y("y"), y2=alt.Y2("y2:Q")))
        if kind == "loop":
            layers += _turning(piece, size, palette.axis, x, y)
    layers += _arrows(piece.links, size, palette.axis, x, y)
    if piece.boxes:
        layers += _boxes(piece, size, look, names, x, y)
    named = [{"x": box.x, "y": box.y - 3, "t": box.name} for box in piece.boxes]
    if named:
        # The last line of a name stands right above its box.
        lift = [record | {"y": record["y"] - size * 1.2 * record["t"].count("\n")} for record in named]
        layers.append(words(lift, palette.ink, "bottom", lineHeight=round(size * 1.2, 2)))
    framed = [
        {"x": frame.x + size * 0.75, "y": frame.y + size * 0.6, "t": frame.label}
        for frame in piece.frames
        if frame.label
    ]
    if framed:
        layers.append(words(framed, palette.ink, fontWeight="bold", lineHeight=round(size * 1.22, 2)))
    noted = [{"x": note.x, "y": note.y, "t": note.text} for note in piece.notes]
    if noted:
        layers.append(words(noted, palette.muted, lineHeight=round(size * 1.22, 2)))
    return layers


def _corners(item) -> dict:
    return {"x": item.x, "x2": item.x + item.width, "y": item.y, "y2": item.y + item.height}


def _boxes(piece: Piece, size: float, look: Look, names: list[str], x, y) -> list[alt.Chart]:
    palette = look.palette
    kinds = {KIND_NAMES[kind]: palette.fills[component] for kind, component in KIND_COMPONENT.items()}
    records = []
    for box in piece.boxes:
        what = KIND_NAMES[box.kind]
        says = f"{box.value} tokens" if box.kind == "model_call" else box.value
        time = show_time(box.seconds) if box.seconds else "no time"
        record = _corners(box) | {"what": what, "step": box.title, "says": says, "time": time}
        records.append(record | {"middle": box.x + box.width / 2, "level": box.y + box.height / 2, "t": box.value})
    key = alt.Legend(title=None, orient="top", direction="horizontal", columns=key_columns(names, look))
    fills = [kinds[name] for name in names]
    encoding = {
        "x": x("x"),
        "x2": alt.X2("x2:Q"),
        "y": y("y"),
        "y2": alt.Y2("y2:Q"),
        "fill": alt.Fill("what:N", scale=alt.Scale(domain=names, range=[f.fill for f in fills]), legend=key),
        "stroke": alt.Stroke("what:N", scale=alt.Scale(domain=names, range=[f.outline for f in fills]), legend=key),
        "tooltip": [
            alt.Tooltip("step:N", title="step"),
            alt.Tooltip("what:N", title="kind"),
            alt.Tooltip("says:N", title="says"),
            alt.Tooltip("time:N", title="mean time"),
        ],
    }
    layers = []
    for name, fill in zip(names, fills, strict=True):
        mine = [record for record in records if record["what"] == name]
        dash = [4, 3] if fill.dashed else [1, 0]
        layers.append(rows(mine).mark_rect(cornerRadius=4, strokeWidth=1.2, strokeDash=dash).encode(**encoding))
        mark = text(rows(mine), look, round(size, 2), fill.text, align="center")
        layers.append(mark.encode(x=x("middle"), y=y("level"), text=alt.Text("t:N")))
    return layers


def _turning(piece: Piece, size: float, colour: str, x, y) -> list[alt.Chart]:
    """On the lower edge of a loop's frame an arrow that points back to its start."""
    loops = [frame for frame in piece.frames if frame.kind == "loop"]
    records = [{"x": frame.x + frame.width / 2, "y": frame.y + frame.height} for frame in loops]
    mark = rows(records).mark_point(shape="triangle-left", filled=True, size=size * 7, color=colour, opacity=1)
    return [mark.encode(x=x("x"), y=y("y"))]


def _arrows(links: tuple[Link, ...], size: float, colour: str, x, y) -> list[alt.Chart]:
    records, heads = [], []
    for number, link in enumerate(links):
        records += [{"x": a, "y": b, "link": number, "order": i} for i, (a, b) in enumerate(link.points)]
        if link.end:
            heads.append({"x": link.points[-1][0] - size * 0.2, "y": link.points[-1][1]})
    if not records:
        return []
    line = rows(records).mark_line(strokeWidth=1.3, color=colour).encode(
        x=x("x"), y=y("y"), detail=alt.Detail("link:N"), order=alt.Order("order:Q")
    )  # fmt: skip
    layers = [line]
    if heads:
        mark = rows(heads).mark_point(shape="triangle-right", filled=True, size=size * 4, color=colour, opacity=1)
        layers.append(mark.encode(x=x("x"), y=y("y")))
    return layers
