"""How much faster whole tasks get when their calls get k times faster, with each task's ceiling."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import altair as alt
import numpy as np
import pandas as pd

from agentcalc.analysis.speedup_curve import Curve
from agentcalc.analysis.speedup_words import ceiling_words, curve_line, curves_line
from agentcalc.figures import cut
from agentcalc.figures.axes import noted, start, ticks_on, x_axis, y_axis
from agentcalc.figures.chosen import NOTHING, Chosen, Span
from agentcalc.figures.figure import Figure
from agentcalc.figures.frame import Plot, below_px, rows
from agentcalc.figures.marks import SAFE, apart, place
from agentcalc.figures.measure import ems
from agentcalc.figures.rows import key_unless
from agentcalc.figures.settable import Axis, Named, Settable, names
from agentcalc.figures.theme import Look, readable
from agentcalc.figures.words import About, series
from agentcalc.units import NBSP, TIMES, show_count, show_ratio

TICKS = (0.1, 0.2, 0.3, 0.5, 0.7, 1, 2, 3, 4, 5, 7, 10, 20, 30, 50, 70, 100, 200, 500, 1000)
FINE_TICKS = (0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.3, 1.5, 1.7, 2, 2.5, 3, 3.5, 4)
USUAL = (2.0, 4.0)
"""How many times faster calls usually are: shaded."""
MOST_CURVES = 8
STATISTIC_WORDS = {"p50": "median of all runs", "mean": "mean of all runs", "p95": "slow runs, p95"}
AXIS_WORDS = {
    "both": "how many times faster each model call is",
    "ttft": "how many times sooner the first token comes",
    "speed": "how many times faster tokens are written",
}


def title(curves: Sequence[Curve], by: str = "p50", k: float = 4.0) -> str:
    """The finding: of one task its gain and its ceiling, of several the first and the one that gains least."""
    if len(curves) == 1:
        return curve_line(curves[0], k, by).removesuffix(".")
    others = sorted(curves[1:], key=lambda curve: curve.at(k, by).value)
    return curves_line([curves[0], others[0]], k, by).removesuffix(".")


def figure(curves: Sequence[Curve], about: About, by: str = "p50", k: float = 4.0) -> Figure:
    """The curves of some tasks by a statistic, the first the one it is about.

    about: of a comparison of the first task, for model and source line. Dots are the systems that exist: all of them
    for one task, else the first of each task's ``marks``. Raises ValueError for no curve, or more than 8.
    """
    if not 1 <= len(curves) <= MOST_CURVES:
        raise ValueError(f"there are {len(curves)} curves; draw 1 to {MOST_CURVES}")
    curves = list(curves)
    dots, beyond = _dots(curves, by)
    tables = [curve.table[curve.table["by"] == by] for curve in curves]
    table = pd.concat([*tables, *([dots] if len(dots) else [])], ignore_index=True)
    shown = series(list(dict.fromkeys(dots["label"]))) if len(dots) else ""
    of = f" to {about.model}" if about.model else ""
    subtitle = (
        f"How many times faster the whole task gets ({STATISTIC_WORDS[by]}) when its calls{of} do, starting from "
        f"{curves[0].base}." + (f" Dots: {shown}." if shown else "") + (f" Outside: {beyond}." if beyond else "")
    )
    last = min(curve.table["k"].max() for curve in curves)
    ends = ", ".join(
        f"{curve.short} {show_ratio(curve.at(last, by).value)} ({ceiling_words(curve, by)})" for curve in curves
    )
    found = title(curves, by, k)
    alt_words = (
        f"{found}. At calls {last:g}{TIMES} faster: {ends}. Curves that rise from 1{TIMES}, on logarithmic axes; those "
        "with a low ceiling flatten."
    )
    draw = partial(plot, curves, dots, by)
    can = partial(settable, curves, dots, by)
    return Figure("speedup_curve", found, subtitle, _source(curves, about), alt_words, table, draw, settable=can)


def settable(curves: Sequence[Curve], dots: pd.DataFrame, by: str) -> Settable:
    """What can be set: the tasks and their colours, what the dots are called, and both axes."""
    slots = ["candidate", *(f"own:{i}" for i in range(1, len(curves)))]
    tasks = [
        Named(_name(curve), "task", others=(curve.task.id or "", curve.task.name), slot=slot)
        for curve, slot in zip(curves, slots, strict=True)
    ]
    shown = names("system", dots["label"].tolist() if len(dots) else [])
    drawn = pd.concat([curve.table[curve.table["by"] == by] for curve in curves])
    x = Axis("how many times faster calls are", 1.0, float(drawn["k"].max()), "log", other=True)
    y = Axis("speed-up", float(drawn["low"].min()), float(drawn["high"].max()), "log", other=True)
    return Settable((*tasks, *shown), (), x, y)


def _source(curves: Sequence[Curve], about: About) -> str:
    if len(curves) == 1:
        return about.source
    runs = {curve.trials for curve in curves}
    some = show_count(min(runs)) if len(runs) == 1 else f"{show_count(min(runs))} to {show_count(max(runs))}"
    return f"{about.source} Curves: {some} runs of each task."


def _dots(curves: Sequence[Curve], by: str) -> tuple[pd.DataFrame, str]:
    """The systems to mark, and those outside the axis in words."""
    found, beyond = [], []
    longest = max(curve.table["k"].max() for curve in curves)
    for curve in curves:
        mine = curve.marks[curve.marks["by"] == by]
        mine = mine if len(curves) == 1 else mine.head(1)
        if mine.empty:
            continue
        inside = (mine["per_call"] >= 1) & (mine["per_call"] <= longest) & np.isfinite(mine["speedup"])
        for row in mine[~inside].itertuples():
            of = f" for {curve.short}" if len(curves) > 1 else ""
            beyond.append(f"{row.label}{of} (calls {show_ratio(row.per_call)})")
        found.append(mine[inside])
    dots = pd.concat(found, ignore_index=True) if found else pd.DataFrame()
    return dots, series(beyond) if beyond else ""


def end_words(curve: Curve, by: str, chosen: Chosen = NOTHING) -> str:
    """What stands at the end of a line: "Coding agent: ceiling 2.8×"."""
    limit = ceiling_words(curve, by).removeprefix("the ").removeprefix("there is ").replace("ceiling is ", "ceiling ")
    return f"{chosen.name(_name(curve))}: {limit}"


def _name(curve: Curve) -> str:
    """A task's short phrase as a name: without its article, with a capital."""
    words = curve.task.short or curve.task.name
    for article in ("a ", "an ", "one "):
        words = words.removeprefix(article)
    return words[0].upper() + words[1:]


def plot(curves: Sequence[Curve], dots: pd.DataFrame, by: str, look: Look) -> Plot:
    """Layers of the curves."""
    return _Drawing(list(curves), dots, by, look).plot()


class _Drawing:
    def __init__(self, curves: list[Curve], dots: pd.DataFrame, by: str, look: Look):
        self.curves, self.dots, self.by, self.look, self.palette = curves, dots, by, look, look.palette
        self.tables = [curve.table[curve.table["by"] == by].sort_values("k") for curve in curves]
        self.longest = max(table["k"].max() for table in self.tables)
        lows = [table["low"].min() for table in self.tables]
        highs = [table["high"].max() for table in self.tables]
        if len(dots):
            lows, highs = [*lows, dots["low"].min()], [*highs, dots["high"][np.isfinite(dots["high"])].max()]
        self.low = min(1.0, *lows) * (1 if min(lows) >= 1 else 0.95)
        self.high = max(1.2, min(max(highs), 2 * self.longest)) * 1.02
        self.limit = curves[0].ceiling(by) if len(curves) == 1 else None
        if self.limit is not None and self.limit <= 2 * self.high:
            self.high = max(self.high, 1.04 * self.limit)
        else:
            self.limit = None
        # Where nothing is gained, curve and ceiling lie together; below them there is room for their words.
        self.flat = self.limit is not None and self.limit < 1.1
        if self.flat:
            self.low = min(self.low, 0.75)
        self.chosen = look.chosen
        self.xs = look.chosen.span("x", 1, self.longest, log=True, other_low=1)
        self.ys = look.chosen.span("y", self.low, self.high, log=True)
        self.low, self.high = self.ys.low, self.ys.high
        self.limit = self.limit if self.limit is None or self.ys.inside(self.limit) else None
        widest = f"10{TIMES}" if not self.ys.given else max(self._tick_words(self.ys), key=ems, default="")
        self.left = round(ems(widest) * look.px.label + 12)
        # Top first, as their ends lie.
        self.order = sorted(range(len(curves)), key=lambda i: -self.tables[i]["speedup"].iloc[-1])
        self.words = [end_words(curves[i], by, self.chosen) for i in self.order]
        self.numbers = [f"{n + 1}" for n in range(len(self.order))]
        wide = max(self._px(text, i) for text, i in zip(self.words, self.order, strict=True))
        self.params = {"roomy": f"width * 0.42 >= {wide + 14:.0f} ? 1 : 0"}
        alone = len(curves) == 1
        room = 12 if alone else self._px("8", 0) + 20
        self.params |= {"room": f"roomy ? {wide + 18:.0f} : {room:.0f}"}
        lines = [
            (text if alone else f"{n} {text}", self._colour(i, text=True))
            for n, text, i in zip(self.numbers, self.words, self.order, strict=True)
        ]
        self.key = key_unless(lines, look, self.left, "roomy")

    def _px(self, text: str, index: int) -> float:
        return ems(text, bold=index == 0) * self.look.px.label * SAFE

    def _colour(self, index: int, text: bool = False) -> str:
        if index == 0:
            return self.palette.name("candidate") if text else self.palette.candidate
        if str(index) in self.palette.own:
            own = self.palette.own[str(index)]
            return readable(own, self.palette.background) if text else own
        return self.palette.ink if text else self.palette.baseline

    def _ticks(self, span: Span) -> dict:
        if span.given:
            return {"values": ticks_on(span), "labelExpr": f"format(datum.value, ',.6~g') + '{TIMES}'"}
        low, high = span.low, span.high
        ticks = [t for t in (FINE_TICKS if high / low < 3.5 else TICKS) if low * 0.999 <= t <= high * 1.001]
        if len(ticks) > 9:
            ticks = [t for t in ticks if f"{t:g}".strip("0.")[0] in "125"]
        return {"values": ticks, "labelExpr": f"datum.value + '{TIMES}'", "labelOverlap": "greedy"}

    def _tick_words(self, span: Span) -> list[str]:
        return [f"{tick:,.6g}{TIMES}" for tick in ticks_on(span)]

    def x(self, field: str) -> alt.X:
        title = AXIS_WORDS[self.curves[0].scale]
        title = noted(title, start(self.xs, TIMES), start(self.ys, TIMES))
        axis = x_axis(title, grid=False, labelFlush=True, **self._ticks(self.xs))
        ends = [0, alt.ExprRef("width - room")]
        scale = alt.Scale(**self.xs.type, domain=self.xs.domain, range=ends, nice=False)
        return alt.X(f"{field}:Q", scale=scale, axis=axis)

    def y(self, field: str) -> alt.Y:
        axis = y_axis(self.left, **self._ticks(self.ys))
        ends = [alt.ExprRef("height"), alt.ExprRef(self.key.top)]
        scale = alt.Scale(**self.ys.type, domain=self.ys.domain, range=ends, nice=False)
        return alt.Y(f"{field}:Q", scale=scale, axis=axis)

    def pixel(self, value: float) -> str:
        """Expression of the pixel of a speed-up."""
        share = self.ys.share(self.ys.held(value))
        return f"({self.key.top} + {share:.6f} * (height - {self.key.top}))"

    def plot(self) -> Plot:
        size = self.look.px.label
        ends = [self.tables[i]["speedup"].iloc[-1] for i in self.order]
        gaps = [0.0, *[1.25 * size] * (len(ends) - 1)]
        params = self.params | self.key.params
        params |= apart([self.pixel(v) for v in ends], gaps, self.key.top, "height - 4", "end")
        ceiling, said = self._ceiling()
        layers = [*self._usual(), *ceiling, *self._bands(), *self._lines(), *self._ends()]
        if len(self.dots):
            layers += self._marks()
            if len(self.curves) == 1:
                found, more = self._mark_names()
                layers, params = layers + found, params | more
        return Plot(
            [*layers, *said, *self.key.layers], params, 400 + 8 * len(self.curves), self.left, below_px(self.look)
        )

    def _usual(self) -> list[alt.Chart]:
        """2 to 4 times faster, shaded."""
        low, high = self.xs.held(USUAL[0]), self.xs.held(USUAL[1])
        if high <= low or self.curves[0].scale != "both":
            return []
        record = {"a": low, "b": high, "low": self.low, "high": self.high, "t": f"2–4{TIMES} faster calls"}
        shade = rows([record]).mark_rect(color=self.palette.baseline_tint, opacity=0.7)
        # Under one curve, above several: where no line runs.
        foot = len(self.curves) == 1
        marks = {"baseline": "bottom", "dy": -6} if foot else {"baseline": "top", "dy": 6}
        label = place([record], self.look, self.look.small, self.palette.muted, dx=6, **marks)
        wide = ems(record["t"]) * self.look.small * SAFE + 12
        share = self.xs.place(high) - self.xs.place(low)
        label = label.transform_filter(f"(width - room) * {share:.4f} > {wide:.0f}")
        return [
            shade.encode(x=self.x("a"), x2="b:Q", y=self.y("low"), y2="high:Q"),
            label.encode(x=self.x("a"), y=self.y("low" if foot else "high"), text="t:N"),
        ]

    def _ceiling(self) -> tuple[list[alt.Chart], list[alt.Chart]]:
        """Where one task's curve can never reach; and what is said of it, to be drawn over all lines."""
        if self.limit is None:
            return [], []
        record = {"s": self.limit, "t": f"an instant model: {show_ratio(self.limit)}"}
        rule = rows([record]).mark_rule(color=self.palette.axis, strokeWidth=2, strokeDash=[2, 5])
        rule = rule.encode(x=alt.value(0), x2=alt.value(alt.ExprRef("width - room")), y=self.y("s"))
        where = {"baseline": "bottom", "dy": -8} if self.flat else {"baseline": "top", "dy": 6}
        said = []
        for halo in ({"stroke": self.palette.background, "strokeWidth": 5, "strokeJoin": "round"}, {}):
            label = place([record], self.look, self.look.px.label, self.palette.muted, dx=6, **where, **halo)
            said.append(label.encode(x=alt.value(0), y=self.y("s"), text="t:N"))
        return [rule], said

    def _bands(self) -> list[alt.Chart]:
        """What is unknown about the starting system, where it can be seen."""
        found = []
        for i, table in enumerate(self.tables):
            if (table["high"] / table["low"]).max() > 1.02:
                records = cut.area(table[["k", "low", "high"]].to_dict("records"), "k", "low", "high", self.xs, self.ys)
                area = rows(records).mark_area(color=self._colour(i), opacity=0.28)
                found.append(area.encode(x=self.x("k"), y=self.y("low"), y2="high:Q"))
        return found

    def _lines(self) -> list[alt.Chart]:
        found = []
        # The task it is about lies on top.
        for i in reversed(range(len(self.tables))):
            records = [
                row | {"task": self.curves[i].task.name, "calls": show_ratio(row["k"]), "t": show_ratio(row["speedup"])}
                for row in self.tables[i][["k", "speedup"]].to_dict("records")
            ]
            tooltip = [alt.Tooltip("task:N"), alt.Tooltip("calls:N", title="calls faster")]
            tooltip.append(alt.Tooltip("t:N", title="task faster"))
            for piece in cut.lines(records, "k", "speedup", self.xs, self.ys):
                line = rows(piece).mark_line(
                    color=self._colour(i), strokeWidth=4 if i == 0 else 2, interpolate="monotone", clip=True
                )
                found.append(line.encode(x=self.x("k"), y=self.y("speedup"), tooltip=tooltip))
        return found

    def _ends(self) -> list[alt.Chart]:
        found = []
        alone = len(self.curves) == 1
        for n, (i, text) in enumerate(zip(self.order, self.words, strict=True)):
            short = "" if alone else self.numbers[n]
            weight = "bold" if i == 0 else "normal"
            label = place(
                [{"long": text, "short": short}],
                self.look,
                self.look.px.label,
                self._colour(i, text=True),
                fontWeight=weight,
            ).transform_calculate(t="roomy ? datum.long : datum.short")
            x, y = alt.value(alt.ExprRef("width - room + 10")), alt.value(alt.ExprRef(f"end{n}"))
            found.append(label.encode(x=x, y=y, text="t:N"))
        return found

    def _marks(self) -> list[alt.Chart]:
        """The systems that exist, with what is unknown about each."""
        records = []
        about = self.curves[0].task
        first = about.id or about.name
        for row in self._dots_inside(self.dots):
            mine = row["task"] == first
            keep = {key: row[key] for key in ("label", "per_call", "speedup")}
            clip = {
                "low": max(row["low"], self.low),
                "high": min(row["high"], self.high),
                "left": max(row["per_call_low"], self.xs.low),
                "right": min(row["per_call_high"], self.xs.high),
            }
            colour = self.palette.candidate if mine else self.palette.baseline
            records.append(keep | clip | {"colour": colour})
        halo, palette = rows(records), self.palette
        colour = alt.Stroke("colour:N", scale=None, legend=None)
        tall = halo.mark_rule(strokeWidth=3.5, opacity=0.6).encode(
            x=self.x("per_call"), y=self.y("low"), y2="high:Q", stroke=colour
        )
        wide = halo.mark_rule(strokeWidth=3.5, opacity=0.6).encode(
            x=self.x("left"), x2="right:Q", y=self.y("speedup"), stroke=colour
        )
        dot = halo.mark_point(filled=True, size=170, opacity=1, stroke=palette.background, strokeWidth=2).encode(
            x=self.x("per_call"), y=self.y("speedup"), fill=alt.Fill("colour:N", scale=None, legend=None)
        )
        # Of several tasks the bars of calls would lie over one another.
        return [tall, wide, dot] if len(self.curves) == 1 else [tall, dot]

    def _dots_inside(self, dots: pd.DataFrame) -> list[dict]:
        found = dots.to_dict("records")
        return cut.points(found, "per_call", "speedup", self.xs, self.ys)

    def _mark_names(self) -> tuple[list[alt.Chart], dict[str, str]]:
        """Names of the dots on one curve, under it to the right of each dot; parted from what lies behind."""
        look, layers = self.look, []
        dots = self._dots_inside(self.dots.sort_values("speedup", ascending=False))
        wanted = [f"{self.pixel(row['speedup'])} + {1.1 * look.px.label:.1f}" for row in dots]
        params = apart(wanted, [0.0, *[1.25 * look.px.label] * (len(dots) - 1)], self.key.top, "height - 10", "dot")
        for n, row in enumerate(dots):
            text = f"{self.chosen.name(row['label'])}{NBSP}{show_ratio(row['speedup'])}"
            wide = ems(text) * look.px.label * SAFE
            share = self.xs.place(row["per_call"])
            at = f"{share:.5f} * (width - room)"
            x = f"max(2, min({at} + 10, width - room - {wide:.0f}))"
            for halo in ({"stroke": self.palette.background, "strokeWidth": 5, "strokeJoin": "round"}, {}):
                # Where even the whole plot is too narrow for the name, the dot stands for itself.
                label = place([{"long": text}], look, look.px.label, self.palette.ink, **halo)
                label = label.transform_calculate(t=f"width - room > {wide + 4:.0f} ? datum.long : ''")
                y = alt.value(alt.ExprRef(f"dot{n}"))
                layers.append(label.encode(x=alt.value(alt.ExprRef(x)), y=y, text="t:N"))
        return layers, params
