"""The race as a picture that does not move: both tracks at the moment at which the first system is done."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

import altair as alt
import pandas as pd

from agentcalc.figures.axes import time_ticks, x_axis
from agentcalc.figures.chosen import Chosen
from agentcalc.figures.figure import Figure
from agentcalc.figures.frame import Plot, below_px, key_columns, rows
from agentcalc.figures.measure import pixels
from agentcalc.figures.race import Lane, Race
from agentcalc.figures.rows import Rows, stacked
from agentcalc.figures.settable import Settable, kinds, names
from agentcalc.figures.theme import GREY_FIRST, Look, Palette, blend
from agentcalc.figures.track import Part
from agentcalc.figures.words import COMPONENT_WORDS, run_time
from agentcalc.units import show_count

PALE, PALE_TOOLS = 0.16, 0.3
"""How much of a part's colour is left while it is still to do."""
NARROWEST = 330
"""Pixels that a plot has on a phone."""
THIN = 0.004
"""A share of the track below which a part is drawn without an outline, which would be all of it."""


@dataclass(frozen=True)
class Still:
    """What is drawn: words of each lane, the baseline's name, parts of lanes as records, the length of the track; kinds
    of parts, grey first.
    """

    names: tuple[str, ...]
    base: str
    records: list[dict]
    length: float

    @property
    def present(self) -> list[str]:
        return [kind for kind in GREY_FIRST if any(record["component"] == kind for record in self.records)]


def figure(race: Race) -> Figure:
    """The still. Its table has a row for each part of a lane: system, component, start_s, end_s, from_work_s, to_work_s
    (places on the track, in the baseline's seconds of work) and done, the share of it that is done at that moment.
    """
    at = min(lane.end_s for lane in race.lanes)
    records = [record for lane in race.lanes for record in _records(lane, at)]
    columns = ["system", "component", "start_s", "end_s", "from_work_s", "to_work_s", "done"]
    table = pd.DataFrame([{name: record[name] for name in columns} for record in records], columns=columns)
    said_of = tuple(_lane_words(lane, at) for lane in race.lanes)
    said = title(race)
    alt = race.alt_text if race.alt_text.startswith(said) else f"{said}. {race.alt_text}"
    about = f"{race.run} {race.task}: {race.facts}"
    base = next(lane.name for lane in race.lanes if lane.role == "baseline")
    still = Still(said_of, base, records, race.length)
    return Figure(
        "race", said, about, race.source, alt, table, partial(_plot, still), still, partial(settable, race, still)
    )


def settable(race: Race, still: Still) -> Settable:
    """What can be set: what the systems are called, and the kinds of time."""
    return Settable((*names("system", [lane.name for lane in race.lanes]), *kinds(still.present)))


def title(race: Race) -> str:
    """Where the others are when the first is done; that it is too close to call, or not known, where it is."""
    first, last = sorted(race.lanes, key=lambda lane: lane.end_s)
    if any(lane.band for lane in race.lanes) or first.end_s == last.end_s:
        return race.says[-1][1].removesuffix(".")
    return f"When {first.name} is done, {last.name} is {_step(last, first.end_s)}"


def _step(lane: Lane, at: float) -> str:
    total = len(lane.steps)
    done = sum(end <= at for end in lane.steps)
    return f"at step {show_count(min(total, done + 1))} of {show_count(total)}" if total > 1 else "still at work"


def _lane_words(lane: Lane, at: float) -> str:
    if lane.end_s <= at:
        return f"{lane.name}: done after {lane.end}"
    return f"{lane.name}: {_step(lane, at)}, done after {lane.end}"


def _records(lane: Lane, at: float) -> Iterator[dict]:
    row = int(lane.role != "baseline")
    for strip in lane.strips:
        if strip.row is None:
            continue
        low, high = strip.row
        for part in strip.parts:
            if part.x1 > part.x0:
                yield {
                    "row": row, "bar": 0, "low": low, "high": high, "system": lane.name, "component": part.kind,
                    "start_s": part.start, "end_s": part.end, "from_work_s": part.x0, "to_work_s": part.x1,
                    "done": _done(part, at), "skipped": part.skipped,
                }  # fmt: skip


def _done(part: Part, at: float) -> float:
    if at >= part.end:
        return 1.0
    return 0.0 if at <= part.start else (at - part.start) / (part.end - part.start)


def _plot(still: Still, look: Look) -> Plot:
    palette, records, length, present = look.palette, still.records, still.length, still.present
    legend = len(present) * (1.2 * look.px.label + 4) + 12
    gap, outer = round(1.2 * look.px.label), look
    stack, look, need = stacked(
        look,
        lambda look: Rows([_called(said, look.chosen) for said in still.names], 1, look, gap=gap),
        legend + below_px(look),
    )
    axis = _axis(outer.chosen.name(still.base), length, outer)
    room = 8
    scale = alt.Scale(domain=[0, length], range=[0, alt.ExprRef(f"width - {room}")], nice=False, zero=True)

    def x(field: str) -> alt.X:
        return alt.X(f"{field}:Q", scale=scale, axis=axis)

    labels = look.chosen.labels
    called = [record | {"system": look.chosen.name(record["system"])} for record in records] if labels else records
    layers = [
        _rects(halves(called, length, palette, look.chosen.words(COMPONENT_WORDS)), stack, x, outer, present),
        *_finish(stack, len(still.names), length, x, palette.ink),
        *stack.titles(),
    ]
    return Plot(layers, stack.params, max(300, need), 0, below_px(outer))


def _axis(base: str, length: float, look: Look) -> alt.Axis:
    """The time that the work takes the baseline, in which the track is measured."""
    ticks, labels, word = time_ticks(length)
    title = f"{word} of work on {base}"
    if pixels(title, look.px.label) > NARROWEST:
        title = f"{word} of work on the system above"
    return x_axis(title, values=ticks, labelExpr=labels, grid=False)


def _called(said: str, chosen: Chosen) -> str:
    """Words of a lane with what a reader calls its system."""
    return next(
        (new + said.removeprefix(name) for name, new in chosen.labels.items() if said.startswith(f"{name}: ")), said
    )


def halves(
    records: list[dict], length: float, palette: Palette, words: Mapping[str, str] = COMPONENT_WORDS
) -> list[dict]:
    """Each part as what is done of it and what is not."""
    found = []
    for record in records:
        fill = palette.fills[record["component"]]
        pale = blend(fill.fill, palette.background, PALE_TOOLS if record["component"] in ("tool", "overhead") else PALE)
        middle = record["from_work_s"] + record["done"] * (record["to_work_s"] - record["from_work_s"])
        for start, end, done in ((record["from_work_s"], middle, True), (middle, record["to_work_s"], False)):
            if end > start:
                outlined = done and fill.outline != palette.background and end - start > THIN * length
                found.append(
                    {name: record[name] for name in ("row", "bar", "low", "high")}
                    | {"start": start, "end": end, "part": words[record["component"]]}
                    | {"system": record["system"], "when": _when(record)}
                    | {"fill": fill.fill if done and not record["skipped"] else pale}
                    | {"stroke": fill.outline if outlined else palette.background}
                )
    return found


def _when(record: dict) -> str:
    return f"{run_time(record['start_s'])} to {run_time(record['end_s'])}"


def _rects(records: list[dict], stack: Rows, x, look: Look, present: list[str]) -> alt.Chart:
    palette = look.palette
    top = stack.bar_top()
    chart = rows(records).transform_calculate(y=f"{top} + datum.low * bar", y2=f"{top} + datum.high * bar")
    called = look.chosen.words(COMPONENT_WORDS)
    words = [called[kind] for kind in present]
    # The key names colours; what is pale is the same kind, still to do.
    columns = key_columns(words, look)
    key = alt.Legend(title=None, orient="top", direction="horizontal", columns=columns, symbolOpacity=1)
    fills = [palette.fills[kind] for kind in present]
    legend = chart.mark_rect(opacity=0).encode(
        x=x("start"), x2="end:Q", y=stack.y("y"), y2="y2:Q",
        fill=alt.Fill("part:N", scale=alt.Scale(domain=words, range=[f.fill for f in fills]), legend=key),
        stroke=alt.Stroke("part:N", scale=alt.Scale(domain=words, range=[f.outline for f in fills]), legend=key),
    )  # fmt: skip
    drawn = chart.mark_rect(strokeWidth=1).encode(
        x=x("start"), x2="end:Q", y=stack.y("y"), y2="y2:Q",
        fill=alt.Fill("fill:N", scale=None, legend=None), stroke=alt.Stroke("stroke:N", scale=None, legend=None),
        tooltip=[alt.Tooltip("system:N"), alt.Tooltip("part:N", title="spent on"), alt.Tooltip("when:N", title="from")],
    )  # fmt: skip
    return alt.layer(legend, drawn)


def _finish(stack: Rows, lanes: int, length: float, x, ink: str) -> list[alt.Chart]:
    """The line that both must cross."""
    chart = rows([{"x": length, "row": row, "bar": 0} for row in range(lanes)])
    chart = chart.transform_calculate(y=stack.bar_top(), y2=f"{stack.bar_top()} + bar")
    return [chart.mark_rule(color=ink, strokeWidth=4, xOffset=4).encode(x=x("x"), y=stack.y("y"), y2="y2:Q")]
