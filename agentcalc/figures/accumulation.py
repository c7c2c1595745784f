"""How the seconds between two systems add up, call by call, along one run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import altair as alt
import pandas as pd

from agentcalc.analysis.accumulation import UNTOUCHED, accumulation, growth, largest_of, lost, stage_words
from agentcalc.analysis.segments import Segments, seconds_by
from agentcalc.figures import cut
from agentcalc.figures.axes import noted, start_s, time_ticks, value_axis, value_extent, x_axis
from agentcalc.figures.chosen import Span
from agentcalc.figures.figure import Figure
from agentcalc.figures.frame import Plot, below_px, rows, text
from agentcalc.figures.marks import SAFE, Key, apart, key_lines, place
from agentcalc.figures.measure import ems
from agentcalc.figures.settable import Axis, Named, Settable, systems
from agentcalc.figures.theme import READABLE, Look, Palette, blend, contrast
from agentcalc.figures.timeline import verdict
from agentcalc.figures.words import LOST_WORDS, About, pair, run_time
from agentcalc.units import counted

MOST_DOTS = 40
LONG_NAME = 11.0
"""Ems from which a name stands above the plot instead of at the end of its line."""
SEEN = 0.02
"""Lost seconds below this share of the gap are not drawn apart."""
TOLD = 0.1
"""From this share of the gap on, the title tells lost seconds apart; over half of it, it is about them."""


@dataclass(frozen=True)
class Growth:
    """Seconds by step of baseline, candidate and tools alone; the bands by step; what a step is called."""

    base: str
    cand: str
    b: list[float]
    c: list[float]
    alone: list[float]
    alone_words: str
    band: list[tuple[float, float]] | None
    base_band: list[tuple[float, float]] | None
    word: str
    long_answer: bool
    largest: tuple[int, float]
    lost: list[float]
    """Seconds that the baseline lost at thresholds and the candidate did not, by step."""
    lost_to: str

    @property
    def steps(self) -> int:
        return len(self.b) - 1

    @property
    def case(self) -> str:
        bands = (band[-1] if band else None for band in (self.band, self.base_band))
        return verdict(self.b[-1], self.c[-1], *bands)

    @property
    def lost_shown(self) -> float:
        """Seconds of the final gap that are drawn as lost; 0 where there are too few, or where nothing is gained."""
        gap = self.b[-1] - self.c[-1]
        made = min(self.lost[-1], gap)
        return made if self.case == "faster" and self.lost_to and made >= SEEN * gap else 0.0

    @property
    def alone_is_gap(self) -> bool:
        """Whether the gap is so small beside the whole that only it is drawn."""
        return abs(self.b[-1] - self.c[-1]) < 0.1 * max(self.b[-1], self.c[-1])


def read(
    timeline: pd.DataFrame | Segments,
    baseline: str,
    candidate: str,
    band: pd.DataFrame | None = None,
    base_band: pd.DataFrame | None = None,
) -> Growth:
    """From a timeline and, where something is unknown, the tables of ``run_band`` for candidate and baseline."""
    run = Segments.of(timeline)
    by_role = growth(run, baseline, candidate)
    step, seconds = largest_of(by_role["gap"])
    lost_s, lost_to = lost(run, baseline, candidate)
    there = {part.component for part in run.all if part.end_s > part.start_s and part.component in UNTOUCHED}
    words = {"tool": "tools alone", "human": "people alone"}
    alone_words = "tools and people alone" if len(there) == 2 else words[there.pop()] if there else ""
    return Growth(
        base=run.label(baseline),
        cand=run.label(candidate),
        b=by_role["baseline"],
        c=by_role["candidate"],
        alone=by_role["alone"],
        alone_words=alone_words,
        band=_pairs(band),
        base_band=_pairs(base_band),
        word=stage_words(run),
        long_answer=_from_writing(run, baseline, candidate, step),
        largest=(step, seconds),
        lost=lost_s,
        lost_to=LOST_WORDS.get(lost_to, ""),
    )


def _pairs(band: pd.DataFrame | None) -> list[tuple[float, float]] | None:
    return None if band is None else list(zip(band["low_s"].tolist(), band["high_s"].tolist(), strict=True))


def _from_writing(run: Segments, baseline: str, candidate: str, step: int) -> bool:
    """Whether most of what a step adds to the gap comes from writing tokens."""
    mine = [part for part in run.critical if run.stages[part.event] == step]
    whole = seconds_by(mine, lambda part: part.system)
    writing = seconds_by((part for part in mine if part.component == "decode"), lambda part: part.system)
    gap, part = (spent.get(baseline, 0.0) - spent.get(candidate, 0.0) for spent in (whole, writing))
    return gap > 0 and part > 0.5 * gap


def title(growth: Growth) -> str:
    """The finding."""
    gap = growth.b[-1] - growth.c[-1]
    times = pair(growth.b[-1], growth.c[-1])
    after = f"after {counted(growth.steps, growth.word)}"
    if growth.case == "unknown":
        return f"Not known yet: {after} {growth.cand} is {_either_way(growth)}"
    if growth.case == "close":
        gap_words = f"the gap is {times.difference}" if times.sooner else "there is no gap"
        return f"Too close to call: {after} {gap_words}"
    if growth.steps == 1:
        return f"One {growth.word} makes the whole gap of {times.difference}"
    step, made = growth.largest
    lost_there = growth.lost[step] - growth.lost[step - 1] if growth.lost_shown else 0.0
    # Of two steps one always makes over half; that alone is no finding.
    large = abs(made) > max(0.5, 1.25 / growth.steps) * abs(gap)
    if growth.lost_shown > 0.5 * abs(gap) or (large and lost_there > 0.5 * abs(made)):
        if run_time(growth.lost_shown) == times.difference:
            return f"All of the {times.difference} gap is lost to {growth.lost_to} on {growth.base}"
        made = run_time(growth.lost_shown)
        return f"{made} of the {times.difference} gap is lost to {growth.lost_to} on {growth.base}"
    if large:
        which = f"{growth.word.capitalize()} {step} alone"
        if growth.long_answer and growth.word == "call":
            which = f"One long answer, call {step},"
        if run_time(abs(made)) == times.difference or abs(made) >= abs(gap):
            return f"{which} makes the whole gap of {times.difference}"
        return f"{which} makes {run_time(abs(made))} of the {times.difference} gap"
    each = run_time(abs(gap) / growth.steps)
    if growth.case == "slower":
        return f"Each {growth.word} costs {growth.cand} about {each}: {after} it is {times.difference} behind"
    if growth.lost_shown and growth.lost_shown >= TOLD * gap:
        rest = run_time((gap - growth.lost_shown) / growth.steps)
        more = f"{run_time(growth.lost_shown)} more are lost to {growth.lost_to} on {growth.base}"
        return f"Each {growth.word} adds about {rest}; {more}"
    return f"Each {growth.word} adds about {each}: {after} the gap is {times.difference}"


def _either_way(growth: Growth) -> str:
    low, high = growth.band[-1] if growth.band else (growth.c[-1],) * 2
    first, last = growth.base_band[-1] if growth.base_band else (growth.b[-1],) * 2
    sooner, later = last - low, high - first
    return f"anywhere from {run_time(sooner)} sooner to {run_time(later)} later"


def figure(
    timeline: pd.DataFrame | Segments,
    baseline: str,
    candidate: str,
    about: About,
    *,
    band: pd.DataFrame | None = None,
    base_band: pd.DataFrame | None = None,
) -> Figure:
    """The accumulation of one run, from ``Comparison.timeline``.

    band, base_band: of ``analysis.accumulation.run_band``, for the candidate and the baseline.
    """
    run = Segments.of(timeline)
    grown = read(run, baseline, candidate, band, base_band)
    what = f"Seconds {grown.cand} is ahead" if grown.alone_is_gap else "Time since the request"
    subtitle = f"{about.one_run} {about.of_model}. {what}."
    times = pair(grown.b[-1], grown.c[-1])
    ratio = f", a ratio of {grown.b[-1] / grown.c[-1]:.2f}" if grown.c[-1] else ""
    shape = "The gap" if grown.alone_is_gap else "The space between two rising lines"
    if grown.lost_shown:
        shape = f"{run_time(grown.lost_shown)} of the gap, in pink, is lost to {grown.lost_to}. {shape}"
    found = title(grown)
    alt_words = f"{found}. {grown.base} {times.b}, {grown.cand} {times.c}{ratio}. {shape} after each {grown.word}."
    table = accumulation(run, baseline, candidate)
    if grown.lost_shown:
        steps = pd.DataFrame({"step": range(len(grown.lost)), "seconds": grown.lost})
        made = steps.assign(system=candidate, label=f"lost to {grown.lost_to}", role="lost")
        table = pd.concat([table, made], ignore_index=True)
    draw, can = partial(plot, grown), partial(settable, grown, baseline, candidate)
    return Figure("accumulation", found, subtitle, about.source, alt_words, table, draw, grown, can)


def settable(growth: Growth, baseline: str, candidate: str) -> Settable:
    """What can be set: the two systems, what lost seconds are drawn in, and the axis of time."""
    both = systems([(growth.base, baseline, "baseline"), (growth.cand, candidate, "candidate")])
    low, high = _extent(growth)
    made = [Named("lost", "side", slot="fill:retry")] if growth.lost_shown else []
    return Settable((*both, *made), y=Axis("time", low, high, time=True), of_colours=(", in pink,",))


def _extent(growth: Growth) -> tuple[float, float]:
    """The lowest and the highest seconds that are drawn."""
    g = growth
    c_band, b_band = g.band or [(c, c) for c in g.c], g.base_band or [(b, b) for b in g.b]
    if not g.alone_is_gap:
        return 0.0, max(high for _, high in (*b_band, *c_band)) or 1.0
    pairs = list(zip(b_band, c_band, strict=True))
    low, high = min(0.0, *(b[0] - c[1] for b, c in pairs)), max(0.0, *(b[1] - c[0] for b, c in pairs))
    return low, high if low < high else 1.0


def plot(growth: Growth, look: Look) -> Plot:
    """Layers of the accumulation."""
    return Drawing(growth, look).plot()


class Label(NamedTuple):
    """Words at the right end of the plot: beside which seconds they stand, long and short, and how they look."""

    at: float
    long: str
    short: str
    colour: str
    size: float
    bold: bool


class Drawing:
    """Scales, words and layers at one look: either two lines and the area between, or the gap alone.

    palette: in place of the look's own.
    """

    def __init__(self, growth: Growth, look: Look, palette: Palette | None = None):
        self.growth, self.look, self.palette = growth, look, palette or look.palette
        g = growth
        self.gap = [b - c for b, c in zip(g.b, g.c, strict=True)]
        c_band = g.band or [(c, c) for c in g.c]
        b_band = g.base_band or [(b, b) for b in g.b]
        self.gap_low = [b[0] - c[1] for b, c in zip(b_band, c_band, strict=True)]
        self.gap_high = [b[1] - c[0] for b, c in zip(b_band, c_band, strict=True)]
        self.low, self.high = _extent(g)
        span = self.high - self.low
        self.high += 0.04 * span if self.high > 0 else 0
        self.low -= 0.04 * span if self.low < 0 else 0
        chosen = look.chosen
        self.ys, self.xs, self.unit = chosen.span("y", self.low, self.high), Span(0, max(g.steps, 1)), chosen.unit
        self.low, self.high = self.ys.domain
        self.base, self.cand = chosen.name(g.base), chosen.name(g.cand)
        self.left = value_extent(max(self.high, -self.low), look, self.ys, self.unit) + (6 if self.low < 0 else 0)
        self.size = round(1.15 * look.px.label, 2)
        self.ahead = "candidate" if self.gap[-1] >= 0 else "baseline"
        self.labels = self._labels()
        both = [(self.base, self.palette.name("baseline")), (self.cand, self.palette.name("candidate"))]
        self.named = not g.alone_is_gap and max(ems(n, bold=True) for n, _ in both) <= LONG_NAME
        self.key_words = [] if self.named or g.alone_is_gap else both
        """Names too long for the ends of their lines stand above the plot: (name, colour)."""
        self.key = (
            key_lines(self.key_words, look, self.left) if self.key_words else Key([], {}, f"{0.5 * look.px.label:.0f}")
        )

    def x(self, field: str) -> alt.X:
        n = self.growth.steps
        every = max(1, int(time_ticks(n, 12)[0][1])) if n > 12 else 1
        axis = x_axis(
            noted(f"{self.growth.word}s finished", vertical=start_s(self.ys, self.unit)),
            values=list(range(0, n + 1, every)),
            format="d",
            grid=False,
        )
        scale = alt.Scale(domain=[0, max(n, 1)], range=[0, alt.ExprRef("width - room")], nice=False)
        return alt.X(f"{field}:Q", scale=scale, axis=axis)

    def y(self, field: str) -> alt.Y:
        axis = value_axis(self.high, self.left, self.ys, self.unit)
        if self.low < 0:
            ticks, *_ = time_ticks(max(self.high, -self.low), 4, sign=self.unit)
            axis.values = [t for t in [*(-x for x in ticks[:0:-1]), *ticks] if self.low <= t <= self.high]
        scale = alt.Scale(
            domain=[self.low, self.high],
            range=[alt.ExprRef("height"), alt.ExprRef(self.key.top)],
            nice=False,
            zero=False,
        )
        return alt.Y(f"{field}:Q", scale=scale, axis=axis)

    def pixel(self, seconds: float) -> str:
        share = (self.high - seconds) / (self.high - self.low)
        return f"({self.key.top} + {share:.6f} * (height - {self.key.top}))"

    def _labels(self) -> list[Label]:
        """At the right ends, top first."""
        g, p = self.growth, self.palette
        times = pair(g.b[-1], g.c[-1])
        word = "sooner" if self.gap[-1] >= 0 else "later"
        if g.alone_is_gap:
            said = f"{times.difference} {word}" if times.sooner else times.difference
            found = [(self.gap[-1], said, times.difference, p.name(self.ahead), self.look.gap, True)]
            return _from_above([*found, *self._lost_label(0.0, self.gap[-1])])
        short_names = max(ems(n, bold=True) for n in (self.base, self.cand)) <= LONG_NAME
        found = [
            (seconds, f"{name} {said}" if short_names else said, said, p.name(role), self.size, True)
            for seconds, name, said, role in (
                (g.b[-1], self.base, times.b, "baseline"),
                (g.c[-1], self.cand, times.c, "candidate"),
            )
        ]
        if g.case not in ("close", "unknown"):
            said = f"{times.difference} {word}"
            middle = (g.b[-1] + g.c[-1]) / 2
            found.append((middle, said, times.difference, p.name(self.ahead), self.look.gap, True))
            found += self._lost_label(g.c[-1], g.b[-1])
        if g.alone_words and g.alone[-1] > 0:
            alone = run_time(g.alone[-1])
            found.append((g.alone[-1], f"{g.alone_words} {alone}", alone, p.muted, self.look.px.label, False))
        return _from_above(found)

    def _lost_label(self, low: float, high: float) -> list[tuple]:
        """The label of the lost part at the upper end of a gap from low to high."""
        made = self.growth.lost_shown
        if not made:
            return []
        said = run_time(made)
        # A hair below the top, so that it stands under the label of the line it hangs from.
        at = max(low, high - made / 2)
        colour = self.palette.fills["retry"].fill
        if contrast(colour, self.palette.background) < READABLE:
            colour = blend(colour, self.palette.ink, 0.6)
        return [(at, f"{said} lost to {self.growth.lost_to}", said, colour, self.look.px.label, False)]

    def _lost_area(self, upper: list[float]) -> list[alt.Chart]:
        """The lost part of the gap, hanging from its upper edge."""
        if not self.growth.lost_shown:
            return []
        made = [min(max(s, 0.0), max(gap, 0.0)) for s, gap in zip(self.growth.lost, self.gap, strict=True)]
        lower = [high - s for high, s in zip(upper, made, strict=True)]
        return [self._area(lower, upper, self.palette.fills["retry"].fill, 0.55)]

    def plot(self) -> Plot:
        g, look = self.growth, self.look
        longs, shorts = (max(ems(label[i], label[5]) * label[4] for label in self.labels) * SAFE + 30 for i in (1, 2))
        params = self.key.params | {
            "roomy": f"width * 0.46 >= {longs:.0f} ? 1 : 0",
            "room": f"roomy ? {longs:.0f} : {shorts:.0f}",
        }
        gaps = [(a[4] + b[4]) / 2 * 1.25 for a, b in zip(self.labels, self.labels[1:], strict=False)]
        wanted = [self.pixel(label[0]) for label in self.labels]
        params |= apart(wanted, [0, *gaps], self.key.top, "height - 4", "at")
        layers = self._gap_layers() if g.alone_is_gap else self._line_layers()
        height = 320 + (40 if self.key.layers else 0)
        return Plot([*layers, *self._ends(), *self.key.layers], params, height, self.left, below_px(look))

    def _series(self, role: str, values: list[float], colour: str) -> list[alt.Chart]:
        records = [{"step": i, "s": v, "system": role, "time": run_time(v)} for i, v in enumerate(values)]
        tooltip = [alt.Tooltip("system:N"), alt.Tooltip("step:Q"), alt.Tooltip("time:N")]
        found = []
        for piece in cut.lines(records, "step", "s", self.xs, self.ys):
            line = rows(piece).mark_line(color=colour, strokeWidth=3, strokeJoin="round")
            found.append(line.encode(x=self.x("step"), y=self.y("s")))
        if len(values) <= MOST_DOTS:
            dot = rows(cut.points(records, "step", "s", self.xs, self.ys)).mark_point(
                color=colour, filled=True, size=70, opacity=1
            )
            found.append(dot.encode(x=self.x("step"), y=self.y("s"), tooltip=tooltip))
        return found

    def _area(self, low: list[float], high: list[float], colour: str, opacity: float) -> alt.Chart:
        records = [{"step": i, "low": a, "high": b} for i, (a, b) in enumerate(zip(low, high, strict=True))]
        records = cut.area(records, "step", "low", "high", self.xs, self.ys)
        area = rows(records).mark_area(color=colour, opacity=opacity, line=False)
        return area.encode(x=self.x("step"), y=self.y("low"), y2="high:Q")

    def _gap_layers(self) -> list[alt.Chart]:
        g, p = self.growth, self.palette
        layers = [self._area([0.0] * len(self.gap), self.gap, p.tint(self.ahead), 1), *self._lost_area(self.gap)]
        if g.band or g.base_band:
            layers.append(self._area(self.gap_low, self.gap_high, p.system(self.ahead), 0.28))
        zero = rows([{"s": 0.0}]).mark_rule(color=p.axis, strokeWidth=1).encode(x=alt.value(0), y=self.y("s"))
        zero = zero.encode(x2=alt.value(alt.ExprRef("width - room")))
        zeros = [zero] if self.ys.inside(0.0) else []
        return [*layers, *zeros, *self._series(self.cand, self.gap, p.system(self.ahead))]

    def _line_layers(self) -> list[alt.Chart]:
        g, p = self.growth, self.palette
        layers = [] if g.case in ("close", "unknown") else [self._area(g.c, g.b, p.tint(self.ahead), 1)]
        layers += self._lost_area(g.b)
        for band, colour in ((g.base_band, p.baseline), (g.band, p.candidate)):
            if band and band[-1][1] > band[-1][0]:
                layers.append(self._area([low for low, _ in band], [high for _, high in band], colour, 0.28))
        if g.alone_words and g.alone[-1] > 0:
            records = [{"step": i, "s": v} for i, v in enumerate(g.alone)]
            for piece in cut.lines(records, "step", "s", self.xs, self.ys):
                dotted = rows(piece).mark_line(color=p.axis, strokeWidth=2, strokeDash=[2, 5])
                layers.append(dotted.encode(x=self.x("step"), y=self.y("s")))
        layers += [*self._series(self.base, g.b, p.baseline), *self._series(self.cand, g.c, p.candidate)]
        if g.case not in ("close", "unknown"):
            layers += [*self._bracket(), *self._half_way()]
        return layers

    def _bracket(self) -> list[alt.Chart]:
        g, colour = self.growth, self.palette.system(self.ahead)
        at = alt.ExprRef("width - room + 12")
        ends = [self.ys.held(end) for end in (g.b[-1], g.c[-1])] if self.ys.given else [g.b[-1], g.c[-1]]
        bar = rows([{"b": ends[0], "c": ends[1]}]).mark_rule(color=colour, strokeWidth=3)
        # A bracket that goes on beyond the limits is open there.
        capped = [{"s": end} for end in (g.b[-1], g.c[-1]) if not self.ys.given or self.ys.inside(end)]
        caps = rows(capped).mark_rule(color=colour, strokeWidth=3)
        ends = {"x": alt.value(alt.ExprRef("width - room + 7")), "x2": alt.value(alt.ExprRef("width - room + 17"))}
        return [
            bar.encode(x=alt.value(at), y=self.y("b"), y2="c:Q"),
            caps.encode(y=self.y("s"), **ends),
        ]

    def _half_way(self) -> list[alt.Chart]:
        """The gap at half way, where there is room for it between the lines."""
        g = self.growth
        step = g.steps // 2
        if g.steps < 3 or self.gap[step] * self.gap[-1] <= 0:
            return []
        if self.ys.given and not all(self.ys.inside(seconds[step]) for seconds in (g.b, g.c)):
            return []
        colour = self.palette.name(self.ahead)
        said = run_time(abs(self.gap[step]))
        feet, ceilings = self._between(step)
        px = round(ems(said, bold=True) * self.size * SAFE + 14)
        record = {"step": step, "b": g.b[step], "c": g.c[step], "t": said, "feet": feet, "ceilings": ceilings}
        # Above the highest foot and below the lowest ceiling of the steps that it spans, the label crosses no line.
        spans = f"ceil({px} * {g.steps} / (width - room))"
        inside = f"(datum.ceiling - datum.foot) / {self.high - self.low!r} * (height - {self.key.top})"
        chart = (
            rows([record])
            .transform_calculate(spans=spans)
            .transform_filter(f"datum.spans < {len(feet)}")
            .transform_calculate(foot="datum.feet[datum.spans]", ceiling="datum.ceilings[datum.spans]")
            .transform_calculate(middle="(datum.foot + datum.ceiling) / 2")
            .transform_filter(f"{inside} > {1.5 * self.size:.0f}")
        )
        label = text(chart, self.look, self.size, colour, fontWeight="bold", dx=8)
        rule = chart.mark_rule(color=colour, strokeWidth=1.5)
        return [
            rule.encode(x=self.x("step"), y=self.y("b"), y2="c:Q"),
            label.encode(x=self.x("step"), y=self.y("middle"), text="t:N"),
        ]

    def _between(self, step: int) -> tuple[list[float], list[float]]:
        """The highest foot and the lowest ceiling of what lies between the lines, with their bands and without what is
        lost, over 0, 1, 2, ... steps from ``step`` on.
        """
        g, upper = self.growth, self.gap[-1] >= 0
        c_band, b_band = g.band or [(c, c) for c in g.c], g.base_band or [(b, b) for b in g.b]
        lower, higher = (c_band, b_band) if upper else (b_band, c_band)
        feet, ceilings = [], []
        for at in range(step, g.steps + 1):
            lost = max(g.lost[at], 0.0) if g.lost_shown and upper else 0.0
            foot, ceiling = max(lower[at][1], lower[at][0]), min(higher[at][0], higher[at][1]) - lost
            feet.append(max(foot, feet[-1]) if feet else foot)
            ceilings.append(min(ceiling, ceilings[-1]) if ceilings else ceiling)
        return feet, ceilings

    def _ends(self) -> list[alt.Chart]:
        found = []
        for i, (_, long, short, colour, size, bold) in enumerate(self.labels):
            weight = "bold" if bold else "normal"
            chart = place([{"long": long, "short": short}], self.look, size, colour, fontWeight=weight)
            chart = chart.transform_calculate(t="roomy ? datum.long : datum.short")
            x, y = alt.value(alt.ExprRef("width - room + 26")), alt.value(alt.ExprRef(f"at{i}"))
            found.append(chart.encode(x=x, y=y, text="t:N"))
        return found


def _from_above(labels: Sequence[tuple]) -> list[Label]:
    return [Label(*label) for label in sorted(labels, key=lambda label: -label[0])]
