"""Horizontal bars over time, one row a system: where rows lie, how segments stack, names, ends and the time gained.

Rows are laid out in the browser: every position is a Vega expression of the plot's width and height.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import altair as alt

from agentcalc.analysis.segments import Segment
from agentcalc.figures.frame import key_columns, rows
from agentcalc.figures.marks import SAFE, Names, either, fitting, place
from agentcalc.figures.measure import ems
from agentcalc.figures.theme import Look

MOST_SEGMENTS = 60
MOST_LANES = 3
BELOW = 8
"""Pixels between the last bar and its name: room for the caps of a band."""

Span = tuple[float, float, list[int]]
"""Start and end of a branch, and the numbers of its segments."""


class Bars:
    """Rows from top to bottom: the first system's name stands above its bar, the last one's below.

    fan: height of the space between two bars, in bars; ends: end values as shown; x: scale and axis of all layers.
    """

    def __init__(
        self, order, roles, labels, ends: dict[str, str], look: Look, x: dict, longest: float, fan: float = 1.0
    ):
        self.order, self.roles, self.keys, self.shown = tuple(order), roles, labels, ends
        # What systems are called in the data tells their colours, and what a reader calls them is written.
        self.labels = {system: look.chosen.name(label) for system, label in labels.items()}
        self.look, self.x_options, self.longest, self.fan = look, x, longest, fan
        self.size = look.name if len(self.order) <= 3 else look.px.label
        self.end_ems = max(ems(text, bold=True) for text in ends.values())
        self._names = Names([self.labels[s] for s in order], look, self.end_ems, size=self.size)

    @property
    def long_names(self) -> bool:
        return self._names.size < self.size

    def params(self) -> dict[str, str]:
        n = len(self.order)
        share = n + (n - 1) * self.fan
        bar = f"max(6, (height - {n} * strip) / {share:g})"
        return self._names.params | {"bar": bar, "fan": f"{self.fan:g} * bar"}

    def x(self, field: str) -> alt.X:
        return alt.X(f"{field}:Q", **self.x_options)

    def y(self, field: str) -> alt.Y:
        whole = alt.ExprRef("height")
        scale = alt.Scale(domain=[0, whole], range=[0, whole], nice=False, zero=False)
        return alt.Y(f"{field}:Q", scale=scale, axis=None)

    def top(self, row: str) -> str:
        """Expression of the pixel where a row's bar begins."""
        n = len(self.order)
        return f"(strip + {row} * (bar + fan) + min({row}, {max(n - 2, 0)}) * strip)" if n > 1 else "strip"

    def bottom(self, row: str) -> str:
        return f"({self.top(row)} + bar)"

    def pixel(self, seconds: float | str) -> str:
        """Expression of the pixel of a time."""
        return f"({seconds} / {self.longest!r} * width)"

    def _is_below(self, row: int) -> bool:
        return row == len(self.order) - 1 and row > 0

    def names(self) -> list[alt.Chart]:
        """Names left above their bars, the last below its bar; a halo parts those between from the lines behind."""
        found = []
        for row, system in enumerate(self.order):
            y = f"{self.bottom(str(row))} + {BELOW}"
            if not self._is_below(row):
                # The last line stands on the same foot as the end value beside it.
                rise = 6 + 0.21 * self.size + 0.79 * self._names.size
                y = f"{self.top(str(row))} - {rise:.1f} - (lines - 1) * {self._names.line}"
            colour = self.look.palette.name(self.roles[system], self.keys.get(system, ""))
            marks = {"fontWeight": "bold", "baseline": "top", "lineHeight": self._names.line}
            records = [self._names.fields(row)]
            for halo in self._halos(row):
                chart = place(records, self.look, self._names.size, colour, **marks, **halo)
                chart = chart.transform_calculate(y=y, t=self._names.pick("n"))
                found.append(chart.encode(x=alt.value(0), y=self.y("y"), text="t:N"))
        return found

    def ends(self, seconds: dict[str, float]) -> list[alt.Chart]:
        """End values at the bars' ends, moved right where the name needs the room."""
        found = []
        for row, system in enumerate(self.order):
            below = self._is_below(row)
            y = f"{self.bottom(str(row))} + {BELOW}" if below else f"{self.top(str(row))} - 6"
            wide = ems(self.shown[system], bold=True) * self.size * SAFE
            beside = f"{self._names.pick('w')} + {wide + 16:.1f}"
            record = self._names.fields(row) | {"t": self.shown[system], "end": seconds[system]}
            at = f"min(width, max({self.pixel('datum.end')}, {beside})) / width * {self.longest!r}"
            marks = {"fontWeight": "bold", "align": "right", "baseline": "top" if below else "bottom"}
            colour = self.look.palette.name(self.roles[system], self.keys.get(system, ""))
            for halo in self._halos(row):
                chart = place([record], self.look, self.size, colour, **marks, **halo)
                chart = chart.transform_calculate(x=at, y=y)
                found.append(chart.encode(x=self.x("x"), y=self.y("y"), text="t:N"))
        return found

    def _halos(self, row: int) -> list[dict]:
        """Text over the fan is drawn twice, first as a halo of the background that parts it from the lines."""
        if not 0 < row < len(self.order) - 1:
            return [{}]
        return [{"stroke": self.look.palette.background, "strokeWidth": 6, "strokeJoin": "round"}, {}]

    def rects(self, records: list[dict], parts: list[str], words: dict[str, str]) -> list[alt.Chart]:
        """Segments: records with row, start, end, low, high (shares of the bar), component, part (in words), opacity.

        A line of the background parts them, except where a segment is too thin to give up a pixel.
        """
        palette = self.look.palette
        names = [words[part] for part in parts]
        fills = [palette.fills[part] for part in parts]
        key = alt.Legend(
            title=None, orient="top", direction="horizontal", columns=key_columns(names, self.look), symbolOpacity=1
        )
        chart = rows(records).transform_calculate(
            y=f"{self.top('datum.row')} + datum.low * bar",
            y2=f"{self.top('datum.row')} + datum.high * bar",
            edge=f"(datum.end - datum.start) / {self.longest!r} * width < 4 ? 0.25 : 1",
        )
        tooltip = [
            alt.Tooltip("system:N", title="system"),
            alt.Tooltip("step:N", title="step"),
            alt.Tooltip("part:N", title="spent on"),
            alt.Tooltip("time:N", title="time"),
        ]
        encoded = chart.mark_rect().encode(
            x=self.x("start"),
            x2="end:Q",
            y=self.y("y"),
            y2="y2:Q",
            fill=alt.Fill("part:N", scale=alt.Scale(domain=names, range=[f.fill for f in fills]), legend=key),
            stroke=alt.Stroke("part:N", scale=alt.Scale(domain=names, range=[f.outline for f in fills]), legend=key),
            strokeWidth=alt.StrokeWidth("edge:Q", scale=None, legend=None),
            opacity=alt.Opacity("opacity:Q", scale=None, legend=None),
            tooltip=tooltip,
        )
        return [encoded, *self._dashes(records, [words[part] for part in parts if palette.fills[part].dashed])]

    def _dashes(self, records: list[dict], dashed: list[str]) -> list[alt.Chart]:
        """Gaps in the outline of segments that are drawn dashed: dashes of the background over the solid line."""
        found = [record for record in records if record["part"] in dashed]
        if not found:
            return []
        chart = rows(found).transform_calculate(
            y=f"{self.top('datum.row')} + datum.low * bar", y2=f"{self.top('datum.row')} + datum.high * bar"
        )
        mark = chart.mark_rect(filled=False, stroke=self.look.palette.background, strokeWidth=1.5, strokeDash=[3, 3])
        return [mark.encode(x=self.x("start"), x2="end:Q", y=self.y("y"), y2="y2:Q")]

    def gained(self, system: str, start: float, end: float, said: str) -> list[alt.Chart]:
        """The time gained, tinted to the right of the earlier bar, with its length where it fits."""
        palette, look, role = self.look.palette, self.look, self.roles[system]
        row = self.order.index(system)
        short = said.rsplit(" ", 1)[0]
        record = {"row": row, "start": start, "end": end, "middle": (start + end) / 2}
        place_y = {"y": self.top("datum.row"), "y2": self.bottom("datum.row")}
        tint = rows([record]).transform_calculate(**place_y).mark_rect(color=palette.tint(role))
        label = place(
            [record | either(said, short, look.gap, bold=True)],
            look,
            look.gap,
            palette.name(role),
            align="center",
            fontWeight="bold",
        ).transform_calculate(
            shown=fitting(self.pixel("(datum.end - datum.start)"), 12),
            y=f"{self.top('datum.row')} + bar / 2",
        )
        return [
            tint.encode(x=self.x("start"), x2="end:Q", y=self.y("y"), y2="y2:Q"),
            label.encode(x=self.x("middle"), y=self.y("y"), text="shown:N"),
        ]

    def capped(self, system: str, low: float, high: float) -> list[alt.Chart]:
        """A thin capped bar from low to high at the foot of a system's bar: what is unknown about it."""
        row, colour = self.order.index(system), self.look.palette.system(self.roles[system])
        foot = self.bottom(str(row))

        # Rectangles, not lines: how far the ends of a thick line reach is counted differently by versions of Vega.
        def bar(px: float, fill: str) -> alt.Chart:
            chart = rows([{"low": low, "high": high}])
            chart = chart.transform_calculate(y=f"{foot} - {px / 2}", y2=f"{foot} + {px / 2}").mark_rect(color=fill)
            return chart.encode(x=self.x("low"), x2="high:Q", y=self.y("y"), y2="y2:Q")

        caps = (
            rows([{"x": low}, {"x": high}])
            .transform_calculate(y=f"{foot} - 6", y2=f"{foot} + 6")
            .mark_rect(color=colour, xOffset=-1.25, x2Offset=1.25)
        )
        return [
            bar(6, self.look.palette.background),
            bar(3, colour),
            caps.encode(x=self.x("x"), x2="x:Q", y=self.y("y"), y2="y2:Q"),
        ]


class Piece(NamedTuple):
    """What is drawn of a segment: from ``low`` to ``high``, shares of the bar's height."""

    event: int
    name: str
    component: str
    start_s: float
    end_s: float
    critical: bool
    low: float = 0.0
    high: float = 1.0


@dataclass(frozen=True)
class Laned:
    """Pieces of one system in the order of its segments, and how many lanes beside each other are left out."""

    pieces: tuple[Piece, ...]
    hidden: int


def laned(segments: Sequence[Segment]) -> Laned:
    """Where the segments of one system lie in its bar.

    The critical path lies on top, what runs beside it below and half as high, in at most three lanes; the rest is left
    out and counted.
    """
    pieces = [Piece(s.event, s.name, s.component, s.start_s, s.end_s, s.critical) for s in segments]
    branches: dict[tuple[str, str], list[int]] = {}
    for index, segment in enumerate(segments):
        if not segment.critical:
            branches.setdefault((segment.branch, segment.turn), []).append(index)
    spans = [
        (min(pieces[i].start_s for i in those), max(pieces[i].end_s for i in those), those)
        for those in branches.values()
    ]
    dropped, hidden = set(), 0
    for start, end, members in _clusters(spans):
        lanes, needed = _lanes(members)
        count = min(needed, MOST_LANES)
        hidden = max(hidden, needed - count)
        full = 1 / (1 + 0.5 * count)
        for index, piece in enumerate(pieces):
            if piece.critical and piece.start_s < end - 1e-9 and piece.end_s > start + 1e-9:
                pieces[index] = piece._replace(high=full)
        for lane, (_, _, those) in zip(lanes, members, strict=True):
            if lane >= count:
                dropped.update(those)
                continue
            low = full * (1 + 0.5 * lane)
            for index in those:
                pieces[index] = pieces[index]._replace(low=low, high=low + 0.5 * full)
    return Laned(tuple(piece for index, piece in enumerate(pieces) if index not in dropped), hidden)


def _clusters(spans: list[Span]) -> list[tuple[float, float, list[Span]]]:
    """Spans that run beside each other, with the start and the end of all of them, from left to right."""
    clusters: list[tuple[float, float, list[Span]]] = []
    for span in sorted(spans, key=lambda span: (span[0], -span[1])):
        if clusters and span[0] < clusters[-1][1] - 1e-9:
            start, end, members = clusters[-1]
            clusters[-1] = (start, max(end, span[1]), [*members, span])
        else:
            clusters.append((span[0], span[1], [span]))
    return clusters


def _lanes(members: list[Span]) -> tuple[list[int], int]:
    """The first free lane of each span of a cluster, and how many lanes there are."""
    free: list[float] = []
    lanes = []
    for begin, until, _ in members:
        lane = next((i for i, at in enumerate(free) if at <= begin + 1e-9), len(free))
        if lane == len(free):
            free.append(until)
        free[lane] = until
        lanes.append(lane)
    return lanes, len(free)


@dataclass(frozen=True)
class Condensed:
    """Pieces to draw, and how many shorter steps were drawn together."""

    pieces: tuple[Piece, ...]
    merged: int


def condensed(pieces: Sequence[Piece]) -> Condensed:
    """At most 60 pieces of one system as they are; what lies between two of them is drawn together, by component."""
    if len(pieces) <= MOST_SEGMENTS:
        return Condensed(tuple(pieces), 0)
    longest = sorted(range(len(pieces)), key=lambda i: pieces[i].start_s - pieces[i].end_s)
    kept = set(longest[:MOST_SEGMENTS])
    merged = {piece.event for piece in pieces} - {pieces[i].event for i in kept}
    out: list[Piece] = []
    waiting: list[Piece] = []

    def flush() -> None:
        at = waiting[0].start_s if waiting else 0.0
        for component in dict.fromkeys(piece.component for piece in waiting):
            those = [piece for piece in waiting if piece.component == component]
            end = at + sum(piece.end_s - piece.start_s for piece in those)
            out.append(those[0]._replace(start_s=at, end_s=end, name="shorter steps"))
            at = end
        waiting.clear()

    for index in sorted(range(len(pieces)), key=lambda i: pieces[i].start_s):
        piece = pieces[index]
        if index in kept:
            if piece.critical:
                flush()
            out.append(piece)
        elif piece.critical:
            waiting.append(piece)
    flush()
    return Condensed(tuple(out), len(merged))
