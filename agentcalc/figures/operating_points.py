"""Speed for one user against work per kilowatt: the operating points of some systems, on one basis of power."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

import altair as alt
import pandas as pd

from agentcalc.accelerators import BASIS_WORDS, Basis
from agentcalc.analysis.banded import Banded, order
from agentcalc.analysis.energy import SAME_SPEED, Rate, rates
from agentcalc.catalog import source
from agentcalc.figures import cut
from agentcalc.figures.axes import noted, start, ticks_on, x_axis, y_axis
from agentcalc.figures.figure import Figure
from agentcalc.figures.frame import Plot, below_px, rows
from agentcalc.figures.lines import MOST_SYSTEMS, Line, Styles
from agentcalc.figures.marks import SAFE, Names, apart, either, fitting, place
from agentcalc.figures.measure import ems
from agentcalc.figures.rows import key_unless
from agentcalc.figures.settable import Axis, Settable, systems
from agentcalc.figures.theme import Look
from agentcalc.figures.words import series
from agentcalc.provenance import Grade
from agentcalc.units import NBSP, show_count, show_ratio

WIDE = 700
"""Pixels of a plot from which points are labelled with their load."""
SAME_WORK = 0.1
"""A highest work that a known point comes so near to, as a share, is that point's."""
Kind = Literal["point", "highest", "fastest"]


@dataclass(frozen=True)
class _Found:
    """What is known of one system: points with speed and work, the highest work, the fastest speed."""

    line: Line
    points: tuple[Rate, ...]
    highest: float | None
    fastest: float


def _known(line: Line, basis: Basis) -> _Found:
    found = rates(line.system, basis)
    stated = [rate for rate in found if rate.speed is not None and not rate.inferred]
    # What is stated of a point stands for what is inferred of it.
    points = [
        rate
        for rate in found
        if rate.speed is not None
        and not (rate.inferred and any(abs(s.speed / rate.speed - 1) <= SAME_SPEED for s in stated))
    ]
    bare = [rate.mixed.value for rate in found if rate.speed is None]
    fastest = max([1 / line.system.point.tpot.seconds(), *(rate.speed for rate in points)])
    points = tuple(sorted(points, key=lambda rate: rate.speed))
    return _Found(line, points, max(bare, default=None), fastest)


def table(lines: Sequence[Line], basis: Basis = "tdp") -> pd.DataFrame:
    """One row a known point: system, label, role, kind ("point"; "highest": work whose speed is not stated; "fastest":
    speed whose work is not stated), at, tok_s_user, tok_s_kw (NaN where not stated), basis, grade, inferred.
    """
    records = []
    for found in (_known(line, basis) for line in lines):
        line = found.line
        head = {"system": line.system.id, "label": line.name, "role": line.role}
        for rate in found.points:
            row = {"kind": "point", "at": rate.at, "tok_s_user": rate.speed, "tok_s_kw": rate.mixed.value}
            grade = rate.mixed.grade.value
            records.append(head | row | {"basis": basis, "grade": grade, "inferred": rate.inferred})
        if found.highest is not None:
            row = {"kind": "highest", "at": "its highest throughput", "tok_s_user": math.nan, "tok_s_kw": found.highest}
            records.append(head | row | {"basis": basis, "grade": Grade.REPORTED.value, "inferred": False})
        if not found.points or found.fastest > found.points[-1].speed * (1 + SAME_SPEED):
            row = {"kind": "fastest", "at": "its best speed", "tok_s_user": found.fastest, "tok_s_kw": math.nan}
            grade = line.system.point.tpot.grade.value
            records.append(head | row | {"basis": basis, "grade": grade, "inferred": False})
    columns = ["system", "label", "role", "kind", "at", "tok_s_user", "tok_s_kw", "basis", "grade", "inferred"]
    return pd.DataFrame(records, columns=columns)


def source_line(lines: Sequence[Line], basis: Basis = "tdp") -> str:
    """Where the figures come from: who measured or reported them, system by system."""
    said = []
    for line in lines:
        known = sorted(rates(line.system, basis), key=lambda rate: rate.inferred)
        words = [f"{_grade(line, rate)} {source(rate.mixed.source, line.system).publisher}" for rate in known]
        if words:
            said.append(f"{line.name}: {series(list(dict.fromkeys(words)))}.")
    return " ".join(said)


def _grade(line: Line, rate: Rate) -> str:
    stated = any(
        rate.mixed.source == c.mixed.source and rate.mixed.value == c.mixed.value for c in line.system.capacity
    )
    return "reported by" if stated else "inferred from loads of" if rate.inferred else "measured by"


def figure(lines: Sequence[Line], source: str | None = None, basis: Basis = "tdp", model: str | None = None) -> Figure:
    """The operating points of up to six systems. source: the source line, by default :func:`source_line`. Raises
    ValueError where no system has a point whose speed and work are both known.
    """
    source = source_line(lines[:MOST_SYSTEMS], basis) if source is None else source
    found = table(lines[:MOST_SYSTEMS], basis)
    if not (found["kind"] == "point").any():
        raise ValueError("of no operating point are speed and work per kilowatt both known")
    said = title(found)
    of = f" {model}." if model else ""
    subtitle = (
        f"Work at each operating point, 8k tokens in and 1k out, nothing cached, per kW of {BASIS_WORDS[basis]}.{of} "
        "Filled: measured or reported; pale: inferred from the load. Dotted: the highest work where its speed is not "
        "stated, the best speed where its work is not."
    )
    names = list(dict.fromkeys(found["label"]))
    alt_words = f"{said}. " + " ".join(_in_words(found[found["label"] == name]) for name in names)
    alt_words += " Faster for one user means less work per kilowatt."
    draw, can = partial(plot, found, basis), partial(settable, found)
    return Figure("operating_points", said, subtitle, source, alt_words, found, draw, settable=can)


def settable(found: pd.DataFrame) -> Settable:
    """What can be set: the systems and both axes."""
    ends = [(float(found[name].min()), float(found[name].max())) for name in ("tok_s_user", "tok_s_kw")]
    what = ("tok/s per user", "tok/s per kW")
    x, y = (Axis(words, *end, "log", other=True) for words, end in zip(what, ends, strict=True))
    return Settable(tuple(systems(found[["label", "system", "role"]].itertuples(index=False, name=None))), (), x, y)


def _in_words(mine: pd.DataFrame) -> str:
    points = mine[mine["kind"] == "point"]
    name = mine["label"].iloc[0]
    if not len(points):
        return f"{name}: no point with both."
    ends = [points.iloc[0], points.iloc[-1]][: len(points)]
    said = [f"{show_count(p['tok_s_kw'])} tok/s/kW at {show_count(p['tok_s_user'])} tok/s per user" for p in ends]
    return f"{name}: {series(said)}."


def title(found: pd.DataFrame) -> str:
    """The finding: candidate against baseline each at its own highest, and at the baseline's best speed if the
    candidate's work is known there.
    """
    sides = {role: found[found["role"] == role] for role in ("baseline", "candidate")}
    if not all(len(side) and side["tok_s_kw"].notna().any() for side in sides.values()):
        return _alone(found)
    base, cand = sides["baseline"], sides["candidate"]
    names = base["label"].iloc[0], cand["label"].iloc[0]
    own = _against(_best(cand), _best(base))
    said = f"Too close to call: each at its own best, {names[1]} and {names[0]} do alike work per kW"
    if own is not None:
        more, less = (names[1], names[0]) if own >= 1 else (names[0], names[1])
        said = f"Each at its own best, {more} does {show_ratio(max(own, 1 / own))} the work per kW of {less}"
    points = base[base["kind"] == "point"]
    if not len(points):
        return said
    fastest = points.sort_values("tok_s_user").iloc[-1]
    near = cand[((cand["tok_s_user"] / fastest["tok_s_user"] - 1).abs() <= SAME_SPEED) & cand["tok_s_kw"].notna()]
    if not len(near):
        return said
    speed = f"{show_count(fastest['tok_s_user'])}{NBSP}tok/s per user"
    matched = show_ratio(near["tok_s_kw"].max() / fastest["tok_s_kw"])
    whose = "" if own is not None and own >= 1 else f" on {names[1]}"
    return f"{said}; at {names[0]}’s best speed, {speed}, {matched}{whose}"


def _best(side: pd.DataFrame) -> float:
    """The highest work of a system; what is measured or stated comes before what is inferred."""
    known = side[side["tok_s_kw"].notna()]
    said = known[~known["inferred"].astype(bool)]
    return (said if len(said) else known)["tok_s_kw"].max()


def _against(candidate: float, baseline: float) -> float | None:
    """The ratio of two figures, None where it is too close to call."""
    numbers = (Banded(value, value, value) for value in (candidate, baseline))
    return None if order(*numbers) in ("close", "same") else candidate / baseline


def _alone(found: pd.DataFrame) -> str:
    first = found[found["kind"] == "point"]
    mine = first[first["label"] == first["label"].iloc[0]]
    slow, fast = mine.iloc[0], mine.iloc[-1]
    if len(mine) == 1:
        speed = f"{show_count(slow['tok_s_user'])}{NBSP}tok/s per user"
        return f"{slow['label']} does {show_count(slow['tok_s_kw'])}{NBSP}tok/s/kW at {speed}"
    ratio = slow["tok_s_kw"] / fast["tok_s_kw"]
    speeds = f"{show_count(slow['tok_s_user'])} to {show_count(fast['tok_s_user'])}{NBSP}tok/s per user"
    return f"{slow['label']}: from {speeds} work per kW falls {show_ratio(ratio)}"


def plot(found: pd.DataFrame, basis: Basis, look: Look) -> Plot:
    """Layers of the points."""
    return _Drawing(found, basis, look).plot()


def _load(point: pd.Series) -> str:
    """The load of a point in words, "3,228 users"; "" where it is not known."""
    load = str(point["at"]).partition(" on ")[0]
    return load if load.endswith(("user", "users")) and "speed" not in load else ""


class _Drawing:
    def __init__(self, found: pd.DataFrame, basis: Basis, look: Look):
        self.found, self.basis, self.look, self.palette = found, basis, look, look.palette
        speeds, works = found["tok_s_user"].dropna(), found["tok_s_kw"].dropna()
        self.xs = look.chosen.span("x", speeds.min() / 1.3, speeds.max() * 1.3, log=True)
        self.ys = look.chosen.span("y", works.min() / 1.5, works.max() * 1.5, log=True)
        self.styles = Styles(found, look)
        self.names = self.styles.names
        ticks = ticks_on(self.ys, 7)
        self.ticks = ticks
        self.left = round(max(ems(f"{t:,.6g}") for t in ticks or [1.0]) * look.px.label + 12)
        wide = max(self._px(self.styles.named(name), bold=True) for name in self.names)
        self.params = {"roomy": f"width * 0.3 >= {wide + 14:.0f} ? 1 : 0"}
        lines = [(self.styles.named(name), self.styles.colour(name, text=True)) for name in self.names]
        names = key_unless(lines, look, self.left, "roomy")
        words = Names(
            [f"input and output tok/s per kW of {BASIS_WORDS[basis]}"], look, prefix="axis", gap=3, size=look.px.label
        )
        self.params |= names.params | words.params | {"top": f"{names.top} + axisstrip"}
        axis = place([words.fields(0)], look, words.size, self.palette.muted, baseline="top", lineHeight=words.line)
        axis = axis.transform_calculate(t=words.pick("n"))
        at = alt.value(alt.ExprRef(f"{names.top} - {0.5 * look.px.label:.0f}"))
        self.above = [*names.layers, axis.encode(x=alt.value(-self.left), y=at, text="t:N")]

    def _px(self, text: str, bold: bool = False) -> float:
        return ems(text, bold) * self.look.px.label * SAFE

    def _mine(self, name: str, kind: Kind = "point") -> pd.DataFrame:
        return self.found[(self.found["label"] == name) & (self.found["kind"] == kind)]

    def x(self, field: str) -> alt.X:
        axis = x_axis(
            noted("tok/s that one user sees", start(self.xs), start(self.ys)),
            values=ticks_on(self.xs, 8),
            format=",d",
            grid=False,
            labelFlush=False,
            labelOverlap="greedy",
        )
        scale = alt.Scale(**self.xs.type, domain=self.xs.domain, nice=False)
        return alt.X(f"{field}:Q", scale=scale, axis=axis)

    def y(self, field: str) -> alt.Y:
        axis = y_axis(
            self.left,
            values=self.ticks,
            labelExpr="format(datum.value, ',.6~g')",
            labelOverlap="greedy",
        )
        ends = [alt.ExprRef("height"), alt.ExprRef("top")]
        scale = alt.Scale(**self.ys.type, domain=self.ys.domain, range=ends, nice=False)
        return alt.Y(f"{field}:Q", scale=scale, axis=axis)

    def plot(self) -> Plot:
        layers, said = [], []
        for name in self.styles.from_below:
            rules, words = self._limits(name)
            layers += [*rules, *self._line(name)]
            said += words
        loads, more = self._labels("load", 0)
        ends, most = self._labels("end", -1)
        params = self.params | more | most
        return Plot([*layers, *said, *loads, *ends, *self.above], params, 420, self.left, below_px(self.look))

    def _line(self, name: str) -> list[alt.Chart]:
        mine, colour, palette = self._mine(name), self.styles.colour(name), self.palette
        fields = ["tok_s_user", "tok_s_kw", "label", "at"]
        layers = []
        if len(mine) > 1:
            for piece in cut.lines(mine[fields].to_dict("records"), "tok_s_user", "tok_s_kw", self.xs, self.ys):
                line = rows(piece).mark_line(color=colour, strokeWidth=2.5, strokeDash=self.styles.dash(name))
                order = alt.Order("tok_s_user:Q")
                layers.append(line.encode(x=self.x("tok_s_user"), y=self.y("tok_s_kw"), order=order))
        for inferred, some in mine.groupby("inferred"):
            found = cut.points(some[fields].to_dict("records"), "tok_s_user", "tok_s_kw", self.xs, self.ys)
            base = rows([row | {"label": self.styles.named(name)} for row in found])
            tips = [alt.Tooltip("label:N", title="system"), alt.Tooltip("at:N"),
                    alt.Tooltip("tok_s_user:Q", title="tok/s per user", format=",.0f"),
                    alt.Tooltip("tok_s_kw:Q", title="tok/s per kW", format=",.0f")]  # fmt: skip
            ground = base.mark_point(size=110, fill=palette.background, strokeWidth=0, opacity=1)
            dots = base.mark_point(
                size=110, fill=colour, fillOpacity=0.35 if inferred else 1, stroke=colour, strokeWidth=2, opacity=1
            )
            layers += [
                chart.encode(x=self.x("tok_s_user"), y=self.y("tok_s_kw"), tooltip=tips) for chart in (ground, dots)
            ]
        return layers

    def _limits(self, name: str) -> tuple[list[alt.Chart], list[alt.Chart]]:
        """What is stated of no point: the highest work as a line across, the best speed as a line upright; and what is
        said of them, to be drawn over all lines.
        """
        look, colour, ink = self.look, self.styles.colour(name), self.styles.colour(name, text=True)
        layers, said, works = [], [], self._mine(name)["tok_s_kw"]
        rule = {"color": colour, "strokeWidth": 1.5, "strokeDash": [2, 4]}
        for row in self._mine(name, "highest").to_dict("records"):
            if ((works / row["tok_s_kw"] - 1).abs() <= SAME_WORK).any() or not self.ys.inside(row["tok_s_kw"]):
                continue
            words = either(f"{self.styles.named(name)}’s highest", "highest", look.small)
            base = rows([words | {"tok_s_kw": row["tok_s_kw"]}])
            whole = alt.value(alt.ExprRef("width"))
            layers.append(base.mark_rule(**rule).encode(x=alt.value(0), x2=whole, y=self.y("tok_s_kw")))
            marks = {"align": "right", "baseline": "bottom", "dy": -4, "fontSize": look.small}
            for more in (self._halo(), {}):
                text = base.mark_text(color=ink, **marks, **more)
                text = text.transform_calculate(t=fitting(f"width - {self._loads_end()}"))
                end = alt.value(alt.ExprRef("width - 4"))
                said.append(text.encode(x=end, y=self.y("tok_s_kw"), text="t:N"))
        for row in self._mine(name, "fastest").to_dict("records"):
            if not self.xs.inside(row["tok_s_user"]):
                continue
            base = rows([{"tok_s_user": row["tok_s_user"]}])
            top, low = alt.value(alt.ExprRef("top")), alt.value(alt.ExprRef("height"))
            layers.append(base.mark_rule(**rule).encode(x=self.x("tok_s_user"), y=top, y2=low))
        return layers, said

    def _loads_end(self) -> str:
        """Expression of the pixel at which the words beside the slowest points end, where there are any."""
        ends = [
            f"{self.xs.place(self.xs.held(mine['tok_s_user'].iloc[0])):.4f} * width"
            f" + {11 + self._px(_load(mine.iloc[0])):.0f}"
            for mine in map(self._mine, self.names)
            if len(mine) > 1
        ]
        return f"(width >= {WIDE} ? max({', '.join(['0', *ends])}) : 0)"

    def _halo(self) -> dict:
        return {"stroke": self.palette.background, "strokeWidth": 4, "strokeJoin": "round"}

    def _labels(self, prefix: str, which: int) -> tuple[list[alt.Chart], dict[str, str]]:
        """Beside the slowest (0) point of each system its load, beside the fastest (-1) its name and load: apart from
        one another, inside the plot.
        """
        found = []
        for name in self.names:
            mine = self._mine(name)
            if len(mine) > (which == 0):
                point = mine.iloc[which]
                if self.xs.inside(point["tok_s_user"]) and self.ys.inside(point["tok_s_kw"]):
                    found.append((name, _load(point), point["tok_s_user"], point["tok_s_kw"]))
        found.sort(key=lambda item: -item[3])
        size = self.look.px.label
        wanted = [f"(top + {self.ys.share(kw):.6f} * (height - top) - {0.75 * size:.0f})" for *_, kw in found]
        params = apart(wanted, [0.0, *[1.2 * size] * (len(found) - 1)], "top", f"height - {size:.0f}", prefix)
        layers = []
        for n, (name, load, speed, _) in enumerate(found):
            called = self.styles.named(name)
            full = ", ".join(part for part in (called, load) if part)
            # A small picture has no room for loads, and beside long names there is none: they stand in the key.
            long, short, alone = (load, "", load) if which == 0 else (full, called, load)
            bold = which == -1
            left = f"{self.xs.place(speed):.6f} * width"
            long_px, short_px, alone_px = (self._px(words, bold) for words in (long, short, alone))
            px = f"(width < {WIDE} ? {short_px:.0f} : roomy ? {long_px:.0f} : {alone_px:.0f})"
            x = alt.value(alt.ExprRef(f"max(2, min({left} + 11, width - {px}))"))
            weight = "bold" if which == -1 else "normal"
            for more in (self._halo(), {}):
                text = place(
                    [{"long": long, "short": short, "alone": alone}],
                    self.look,
                    size,
                    self.styles.colour(name, text=True),
                    fontWeight=weight,
                    **more,
                )
                text = text.transform_calculate(
                    t=f"roomy ? (width >= {WIDE} ? datum.long : datum.short) : width >= {WIDE} ? datum.alone : ''"
                )
                layers.append(text.encode(x=x, y=alt.value(alt.ExprRef(f"{prefix}{n}")), text="t:N"))
        return layers, params
