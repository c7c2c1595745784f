"""How the first token and the speed of some systems change with the load: one line a measured configuration."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Literal

import altair as alt
import pandas as pd

from agentcalc.figures import cut
from agentcalc.figures.axes import noted, start, start_s, ticks_on, x_axis, y_axis
from agentcalc.figures.chosen import Span
from agentcalc.figures.figure import Figure
from agentcalc.figures.frame import Plot, below_px, rows
from agentcalc.figures.lines import MOST_SYSTEMS, Line, Styles
from agentcalc.figures.marks import SAFE, apart, place
from agentcalc.figures.measure import ems
from agentcalc.figures.rows import key_unless
from agentcalc.figures.settable import Axis, Settable, systems
from agentcalc.figures.theme import Look
from agentcalc.figures.words import series
from agentcalc.points import OperatingPoint, curves
from agentcalc.provenance import Grade, weakest
from agentcalc.system import System
from agentcalc.units import NBSP, SECONDS_IN, show_count, show_time

What = Literal["ttft", "speed"]

AXIS_WORDS = {"ttft": "seconds to the first token", "speed": "tokens a second that one user sees"}
TOLD = ("label", "concurrency", "grade")
COLUMN = {"ttft": "ttft_s", "speed": "tok_s_user"}


def drawable(system: System) -> bool:
    """Whether there is a curve to draw: one configuration measured at two loads or more."""
    return any(len(curve) > 1 for curve in curves(system.points))


def table(lines: Sequence[Line]) -> pd.DataFrame:
    """A row for each point whose concurrency is known: system, label, role, curve (a number for each configuration),
    configuration, concurrency, ttft_s, ttft_p99_s (None: not measured), tok_s_user, tok_s_chip, grade.
    """
    found = []
    for line in lines:
        for number, curve in enumerate(curves(line.system.points)):
            found += [_row(line, number, point) for point in curve]
    return pd.DataFrame(found)


def _row(line: Line, curve: int, point: OperatingPoint) -> dict:
    spread = point.ttft_spread
    p99 = None if spread is None else spread.p99 * SECONDS_IN[point.ttft.unit]
    return {
        "system": line.system.id,
        "label": line.name,
        "role": line.role,
        "curve": curve,
        "configuration": point.configuration or "",
        "concurrency": point.concurrency,
        "ttft_s": point.ttft.seconds(),
        "ttft_p99_s": p99,
        "tok_s_user": 1 / point.tpot.seconds(),
        "tok_s_chip": None if point.throughput is None else point.throughput.value,
        "grade": weakest((point.ttft.grade, point.tpot.grade)).value,
    }


def figure(lines: Sequence[Line], what: What, source: str, model: str | None = None) -> Figure:
    """The curve of a quantity over concurrency, of up to six systems. source: the source line.

    Raises ValueError where no system has a curve.
    """
    lines = [line for line in lines if line.system.curve][:MOST_SYSTEMS]
    if not any(drawable(line.system) for line in lines):
        raise ValueError("no system was measured at two loads of one configuration")
    found = table(lines)
    of = f" {model}." if model else ""
    subtitle = f"{AXIS_WORDS[what][0].upper()}{AXIS_WORDS[what][1:]}, by requests in flight at once.{of}"
    said = title(found, what)
    ends = "; ".join(_ends_words(found[found["label"] == name], what) for name in found["label"].unique())
    alt_words = f"{said}. {ends}. A line for each measured configuration, on logarithmic axes."
    draw, can = partial(plot, found, what), partial(settable, found, what)
    return Figure(f"load_{what}", said, subtitle, source, alt_words, found, draw, settable=can)


def settable(found: pd.DataFrame, what: What) -> Settable:
    """What can be set: the systems and both axes."""
    ends = [(float(found[name].min()), float(found[name].max())) for name in ("concurrency", COLUMN[what])]
    x = Axis("requests at once", *ends[0], "log", other=True)
    y = Axis(AXIS_WORDS[what], *ends[1], "log", other=True, time=what == "ttft")
    return Settable(tuple(systems(found[["label", "system", "role"]].itertuples(index=False, name=None))), (), x, y)


def title(found: pd.DataFrame, what: What) -> str:
    """The finding: what the widest curve of the first system becomes from its least to its largest load."""
    first = found[found["label"] == _first_drawn(found)]
    number = first.groupby("curve")["concurrency"].agg(lambda c: (len(c) > 1, c.max() / c.min())).idxmax()
    curve = first[first["curve"] == number].sort_values("concurrency")
    low, high = curve.iloc[0], curve.iloc[-1]
    name, users = low["label"], f"{low['concurrency']:,} to {high['concurrency']:,} requests at once"
    if what == "ttft":
        a, b = (show_time(row["ttft_s"]) for row in (low, high))
        return f"{name}: the first token takes {a} to {b}, from {users}"
    a, b = (show_count(row["tok_s_user"]) for row in (low, high))
    return f"{name} writes {a} to {b}{NBSP}tok/s per user, from {users}"


def _first_drawn(found: pd.DataFrame) -> str:
    """The name of the candidate if it has a curve, else of the first system that has one."""
    sizes = found.groupby(["label", "curve"], sort=False).size()
    names = [name for (name, _), n in sizes.items() if n > 1]
    chosen = [name for name in names if (found[found["label"] == name]["role"] == "candidate").any()]
    return (chosen or names)[0]


def _ends_words(mine: pd.DataFrame, what: What) -> str:
    mine = mine.sort_values("concurrency")
    parts = []
    for row in (mine.iloc[0], mine.iloc[-1])[: 1 if len(mine) == 1 else 2]:
        value = show_time(row["ttft_s"]) if what == "ttft" else f"{show_count(row['tok_s_user'])} tok/s"
        parts.append(f"{value} at {row['concurrency']:,}")
    return f"{mine.iloc[0]['label']} {series(parts)}"


def plot(found: pd.DataFrame, what: What, look: Look) -> Plot:
    """Layers of the curves."""
    return _Drawing(found, what, look).plot()


class _Drawing:
    def __init__(self, found: pd.DataFrame, what: What, look: Look):
        self.found, self.what, self.look, self.palette = found, what, look, look.palette
        self.field = COLUMN[what]
        values, users = found[self.field], found["concurrency"]
        chosen = look.chosen
        self.ys = chosen.span("y", values.min() / 1.15, values.max() * 1.15, log=True)
        self.xs = chosen.span("x", float(users.min() / 1.1), float(max(users.max(), users.min() * 2) * 1.1), log=True)
        self.sign = chosen.unit or "s"
        self.per = SECONDS_IN[self.sign] if what == "ttft" else 1.0
        self.styles = Styles(found, look)
        self.names = self.styles.names
        last = {name: self._mine(name).sort_values("concurrency").iloc[-1][self.field] for name in self.names}
        self.order = sorted(self.names, key=lambda name: -last[name])
        self.last = last
        # Round in the reader's unit.
        shown = Span(self.ys.low / self.per, self.ys.high / self.per, self.ys.log)
        self.ticks = [tick * self.per for tick in ticks_on(shown)] if self.per != 1 else ticks_on(shown)
        ticks = self.ticks
        self.left = round(max(ems(self._tick(t)) for t in ticks or [1.0]) * look.px.label + 12)
        wide = max(self._px(self.styles.named(name)) for name in self.names)
        self.params = {"roomy": f"width * 0.4 >= {wide + 14:.0f} ? 1 : 0", "room": f"roomy ? {wide + 18:.0f} : 10"}
        self.key = key_unless(
            [(self.styles.named(n), self.styles.colour(n, text=True)) for n in self.names], look, self.left, "roomy"
        )

    def _mine(self, name: str) -> pd.DataFrame:
        return self.found[self.found["label"] == name]

    def _px(self, name: str) -> float:
        return ems(name, bold=True) * self.look.px.label * SAFE

    def _tick(self, value: float) -> str:
        return f"{value / self.per:,.6g}" + (f"{NBSP}{self.sign}" if self.what == "ttft" else "")

    def x(self, field: str) -> alt.X:
        vertical = start_s(self.ys, self.sign) if self.what == "ttft" else start(self.ys)
        axis = x_axis(
            noted("requests in flight at once", start(self.xs), vertical),
            values=ticks_on(self.xs, 9),
            format=",d",
            grid=False,
            labelFlush=False,
            labelOverlap="greedy",
        )
        ends = [0, alt.ExprRef("width - room")]
        scale = alt.Scale(**self.xs.type, domain=self.xs.domain, range=ends, nice=False)
        return alt.X(f"{field}:Q", scale=scale, axis=axis)

    def y(self, field: str) -> alt.Y:
        unit = f" + '{NBSP}{self.sign}'" if self.what == "ttft" else ""
        value = "datum.value" if self.per == 1 else f"datum.value / {self.per:g}"
        axis = y_axis(
            self.left,
            values=self.ticks,
            labelExpr=f"format({value}, ',.6~g'){unit}",
            labelOverlap="greedy",
        )
        ends = [alt.ExprRef("height"), alt.ExprRef(self.key.top)]
        scale = alt.Scale(**self.ys.type, domain=self.ys.domain, range=ends, nice=False)
        return alt.Y(f"{field}:Q", scale=scale, axis=axis)

    def pixel(self, value: float) -> str:
        """Expression of the pixel of a value."""
        return f"({self.key.top} + {self.ys.share(value):.6f} * (height - {self.key.top}))"

    def plot(self) -> Plot:
        gaps = [0.0, *[1.25 * self.look.px.label] * (len(self.order) - 1)]
        wanted = [self.pixel(self.last[name]) for name in self.order]
        params = self.params | self.key.params | apart(wanted, gaps, self.key.top, "height - 4", "end")
        layers = []
        for name in self.styles.from_below:
            layers += self._line(name)
        layers += [layer for n, name in enumerate(self.order) for layer in self._end(n, name)]
        return Plot([*layers, *self.key.layers], params, 320, self.left, below_px(self.look))

    def _line(self, name: str) -> list[alt.Chart]:
        mine, colour = self._mine(name), self.styles.colour(name)
        wide = 3.5 if self.styles.role(name) == "candidate" else 2.5
        layers = []
        for _, curve in mine.groupby("curve", sort=False):
            if len(curve) > 1:
                records = curve.sort_values("concurrency")[["concurrency", self.field]].to_dict("records")
                for piece in cut.lines(records, "concurrency", self.field, self.xs, self.ys):
                    line = rows(piece).mark_line(color=colour, strokeWidth=wide, strokeDash=self.styles.dash(name))
                    layers.append(line.encode(x=self.x("concurrency"), y=self.y(self.field)))
        of = "first token" if self.field == "ttft_s" else "speed"
        tooltip = [alt.Tooltip("label:N", title="system"), alt.Tooltip("concurrency:Q", title="users", format=",d")]
        tooltip += [alt.Tooltip("t:N", title=of), alt.Tooltip("grade:N")]
        # Measured points are filled, all others hollow.
        for filled, some in mine.groupby(mine["grade"] == Grade.MEASURED.value):
            drawn = cut.points(
                some[[*TOLD, self.field]].to_dict("records"), "concurrency", self.field, self.xs, self.ys
            )
            called = {"label": self.styles.named(name)}
            dots = rows([row | called | self._told(row) for row in drawn])
            fill = colour if filled else self.palette.background
            dots = dots.mark_point(size=70, fill=fill, stroke=colour, strokeWidth=2, opacity=1)
            layers.append(dots.encode(x=self.x("concurrency"), y=self.y(self.field), tooltip=tooltip))
        return layers

    def _told(self, row: dict) -> dict:
        if self.field == "ttft_s":
            return {"t": show_time(row["ttft_s"])}
        return {"t": f"{row['tok_s_user']:,.0f}{NBSP}tok/s per user"}

    def _end(self, n: int, name: str) -> list[alt.Chart]:
        weight = "bold" if self.styles.role(name) == "candidate" else "normal"
        colour = self.styles.colour(name, text=True)
        label = place([{"long": self.styles.named(name)}], self.look, self.look.px.label, colour, fontWeight=weight)
        label = label.transform_calculate(t="roomy ? datum.long : ''")
        x, y = alt.value(alt.ExprRef("width - room + 10")), alt.value(alt.ExprRef(f"end{n}"))
        return [label.encode(x=x, y=y, text="t:N")]
