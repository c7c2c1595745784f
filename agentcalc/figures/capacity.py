"""What happens to task time and to the work done when more agents share one system."""

from __future__ import annotations

import math
from functools import partial
from itertools import groupby

import altair as alt

from agentcalc.accelerators import BASIS_WORDS
from agentcalc.analysis.capacity import Capacity, Served
from agentcalc.analysis.capacity_words import most_line, one_system
from agentcalc.catalog import source
from agentcalc.figures.axes import SIGNS, time_ticks, x_axis
from agentcalc.figures.figure import Figure
from agentcalc.figures.frame import Plot, below_px, rows
from agentcalc.figures.marks import SAFE, apart, place
from agentcalc.figures.measure import ems
from agentcalc.figures.settable import Named, Settable
from agentcalc.figures.theme import Look, blend
from agentcalc.figures.words import series
from agentcalc.provenance import Source
from agentcalc.units import NBSP, counted, show_count, show_time

DASHES = {"below": [2, 4], "measured": [1, 0], "queueing": [8, 5]}
"""Solid where the load was measured."""
UPPER = 0.6
"""Share of the height that task time gets; tasks an hour have the rest."""
LABELS = {"p95": "p95", "p50": "typical"}


def title(found: Capacity) -> str:
    """The finding: the most agents within the limit, else how many fill the system."""
    if found.most is not None:
        return most_line(found).removesuffix(".")
    done = show_count(found.served[-1].per_hour.value)
    if found.full_at > found.served[-1].agents:
        return f"{counted(found.served[-1].agents, 'agent')} do {done} tasks an hour on {one_system(found)}"
    return f"{counted(found.full_at, 'agent')} keep {one_system(found)} busy: {done} tasks an hour are the most"


def figure(found: Capacity, by: str = "p95") -> Figure:
    """Task time (``by`` and typical) and tasks an hour over the number of agents. Raises ValueError for fewer than two
    numbers of agents.
    """
    if len(found.served) < 2:
        raise ValueError("one number of agents makes no curve; ask for two or more")
    by = found.most.by if found.most is not None else by
    low, high = found.loads
    per_kw = "" if found.power_kw is None else f", {found.power_kw:.3g} kW of {BASIS_WORDS[found.basis]}"
    subtitle = (
        f"{show_count(found.trials)} runs. {found.task.name}, on {one_system(found)}{per_kw}. Solid: loads as "
        f"measured, {low} to {high} calls in flight; dashed: fewer than measured, or calls that wait their turn."
    )
    ends = (found.served[0], found.served[-1])
    said = "; ".join(f"{counted(s.agents, 'agent')}: {_time(s, by)}, {_hourly(s)} tasks an hour" for s in ends)
    name = title(found)
    alt_words = f"{name}. {said}. Task time rises with the number of agents; tasks an hour rise and then stay level."
    draw, can = partial(plot, found, by), partial(settable, found)
    return Figure("capacity", name, subtitle, source_line(found), alt_words, found.table(), draw, settable=can)


def settable(found: Capacity) -> Settable:
    """What can be set: what the system is called, and its colour."""
    return Settable((Named(found.name, "system", slot="candidate"),))


def _time(served: Served, by: str) -> str:
    return f"{LABELS.get(by, by)} {show_time(served.task_s[by].value)}"


def _hourly(served: Served) -> str:
    return show_count(served.per_hour.value)


def source_line(found: Capacity) -> str:
    """Where the numbers come from: the curve, the task, the runs."""
    numbers = [n for point in found.system.points if _on(found, point) for n in (point.ttft, point.tpot)]
    publishers = dict.fromkeys(source(number.source, found.system).publisher for number in numbers)
    grades = series(list(dict.fromkeys(str(number.grade) for number in numbers)))
    parts = [f"{found.name}: curve {grades} by {series(list(publishers))}, rest {found.grade}."]
    named = [item if isinstance(item, Source) else source(item, found.task) for item in found.task.sources]
    if named:
        parts.append(f"Task: {series(list(dict.fromkeys(item.publisher for item in named)))}.")
    parts.append(f"{show_count(found.trials)} runs, seed{NBSP}{found.seed}.")
    beyond = max(served.extrapolated_share for served in found.served)
    if beyond > 0:
        parts.append("Extrapolated beyond the prompt lengths that were measured.")
    return " ".join(parts)


def _on(found: Capacity, point) -> bool:
    return point.concurrency is not None and point.configuration == found.configuration


def plot(found: Capacity, by: str, look: Look) -> Plot:
    """Layers of the two panels."""
    return _Drawing(found, by, look).plot()


class _Drawing:
    """Two panels in one view: y positions are pixels, so that both may have their own scale."""

    def __init__(self, found: Capacity, by: str, look: Look):
        self.found, self.by, self.look, self.palette = found, by, look, look.palette
        self.colour = self.palette.candidate
        self.shown = [by] if by == "p50" else [by, "p50"]
        self.most_s = 1.06 * max(served.task_s[by].high for served in found.served)
        if found.most is not None:
            self.most_s = max(self.most_s, 1.15 * found.most.limit_s)
        self.most_done = 1.12 * max(served.per_hour.high for served in found.served)
        self.last = max(found.served[-1].agents, 2)
        size = look.px.label
        ticks, self.tick_words, word = time_ticks(self.most_s, 5)
        self.times = ticks
        self.unit = SIGNS[word]
        scale = {"s": 1, "min": 60, "h": 3600}[self.unit]
        widest = max((f"{t / scale:g}{NBSP}{self.unit}" for t in ticks), key=ems)
        self.dones = _round_ticks(self.most_done, 4)
        self.left = round(max(ems(widest), *(ems(f"{t:,.6g}") for t in self.dones)) * size + 12)
        names = [LABELS.get(name, name) for name in self.shown]
        self.room = round(max(ems(name, bold=True) for name in names) * size * SAFE + 16)
        head = 1.75 * size
        self.params = {
            "split": f"height * {UPPER}",
            "top0": f"{head:.0f}",
            "low0": f"split - {0.5 * size:.0f}",
            "top1": f"split + {head + 0.6 * size:.0f}",
            "low1": "height",
        }

    def x(self, field: str) -> alt.X:
        axis = x_axis(
            "agents that share the system",
            values=[t for t in _log_ticks(self.last) if t <= self.last],
            format=",d",
            grid=False,
            labelFlush=False,
            labelOverlap="greedy",
        )
        ends = [0, alt.ExprRef(f"width - {self.room}")]
        return alt.X(
            f"{field}:Q", scale=alt.Scale(type="log", domain=[1, self.last], range=ends, nice=False), axis=axis
        )

    def y(self, field: str = "y") -> alt.Y:
        whole = alt.ExprRef("height")
        return alt.Y(
            f"{field}:Q", scale=alt.Scale(domain=[0, whole], range=[0, whole], nice=False, zero=False), axis=None
        )

    def pixel(self, panel: int, value: str) -> str:
        """Expression of the pixel of a value, itself an expression, in a panel."""
        most = (self.most_s, self.most_done)[panel]
        return f"(low{panel} - ({value}) / {most:.9g} * (low{panel} - top{panel}))"

    def plot(self) -> Plot:
        shades, waiting = self._waiting()
        rules, limits = self._limit()
        layers = [*shades, *self._grid(), *rules]
        for panel, measure in ((1, "per_hour"), *((0, name) for name in reversed(self.shown))):
            layers += self._curve(panel, measure)
        params = dict(self.params)
        ends, more = self._ends()
        return Plot([*layers, *waiting, *limits, *ends], params | more, 470, self.left, below_px(self.look))

    def _of(self, served: Served, measure: str):
        return served.per_hour if measure == "per_hour" else served.task_s[measure]

    def _curve(self, panel: int, measure: str) -> list[alt.Chart]:
        """A line in pieces, each drawn as its load was measured or not, over its band."""
        thick = 3.5 if measure in (self.by, "per_hour") else 2
        points = [
            {"agents": s.agents, "regime": s.regime}
            | dict(zip(("v", "low", "high"), _ends(self._of(s, measure)), strict=True))
            | {"told": f"{_hourly(s)}{NBSP}tasks an hour" if measure == "per_hour" else _time(s, measure)}
            for s in self.found.served
        ]
        layers = []
        if max(p["high"] / p["low"] for p in points) > 1.02:
            area = rows(points).transform_calculate(a=self.pixel(panel, "datum.low"), b=self.pixel(panel, "datum.high"))
            area = area.mark_area(color=self.colour, opacity=0.16 if panel == 0 and len(self.shown) > 1 else 0.28)
            layers.append(area.encode(x=self.x("agents"), y=self.y("a"), y2="b:Q"))
        start = None
        for regime, group in groupby(points, key=lambda point: point["regime"]):
            piece = list(group)
            # From the last point of one kind on the line is of the next kind.
            piece = [start, *piece] if start is not None else piece
            start = piece[-1]
            if len(piece) > 1:
                line = rows(piece).transform_calculate(y=self.pixel(panel, "datum.v"))
                line = line.mark_line(color=self.colour, strokeWidth=thick, strokeDash=DASHES[regime])
                tooltip = [alt.Tooltip("agents:Q", title="agents", format=",d"), alt.Tooltip("told:N", title="value")]
                layers.append(line.encode(x=self.x("agents"), y=self.y(), tooltip=tooltip))
        return layers

    def _grid(self) -> list[alt.Chart]:
        """Horizontal lines with their values left of them, and what each panel shows above it."""
        layers, palette, look = [], self.palette, self.look
        for panel, ticks, words in (
            (0, self.times, f"({self.tick_words}) + (datum.value == 0 ? '' : '{NBSP}{self.unit}')"),
            (1, self.dones, "format(datum.value, ',.6~g')"),
        ):
            base = rows([{"value": t} for t in ticks]).transform_calculate(y=self.pixel(panel, "datum.value"), t=words)
            colour = {"condition": {"test": "datum.value == 0", "value": palette.axis}, "value": palette.grid}
            rule = base.mark_rule(strokeWidth=1).encode(
                x=alt.value(0), x2=alt.value(alt.ExprRef(f"width - {self.room}")), y=self.y(), stroke=colour
            )
            label = base.mark_text(align="right", baseline="middle", fontSize=look.px.label, color=palette.muted)
            layers += [rule, label.encode(x=alt.value(-6), y=self.y(), text="t:N")]
        heads = [{"t": "Time of a task", "panel": 0}, {"t": "Tasks an hour, all agents together", "panel": 1}]
        head = place(heads, look, look.px.label, palette.ink, fontWeight="bold", baseline="bottom")
        head = head.transform_calculate(y=f"(datum.panel ? top1 : top0) - {0.45 * look.px.label:.1f}")
        return [*layers, head.encode(x=alt.value(-self.left), y=self.y(), text="t:N")]

    def _share(self, agents: float) -> str:
        """Expression of the pixel of a number of agents."""
        return f"({math.log(max(agents, 1)) / math.log(self.last):.6f} * (width - {self.room}))"

    def _waiting(self) -> tuple[list[alt.Chart], list[alt.Chart]]:
        """Where calls wait their turn, shaded in both panels; and, over all lines, words of it in the lower."""
        start = max(self.found.measured_to, 1)
        if start >= self.last:
            return [], []
        layers, ground = [], blend(self.palette.baseline_tint, self.palette.background, 0.7)
        for panel in (0, 1):
            shade = rows([{"a": start, "b": self.last}]).mark_rect(color=ground)
            top, low = alt.value(alt.ExprRef(f"top{panel}")), alt.value(alt.ExprRef(f"low{panel}"))
            layers.append(shade.encode(x=self.x("a"), x2="b:Q", y=top, y2=low))
        text = "calls wait"
        wide = ems(text) * self.look.small * SAFE + 12
        at, foot, said = alt.value(alt.ExprRef(self._share(start))), alt.value(alt.ExprRef("low1")), []
        for halo in ({"stroke": ground, "strokeWidth": 4, "strokeJoin": "round"}, {}):
            marks = {"baseline": "bottom", "dx": 6, "dy": -5} | halo
            label = place([{"t": text}], self.look, self.look.small, self.palette.muted, **marks)
            label = label.transform_filter(f"width - {self.room} - {self._share(start)} > {wide:.0f}")
            said.append(label.encode(x=at, y=foot, text="t:N"))
        return layers, said

    def _limit(self) -> tuple[list[alt.Chart], list[alt.Chart]]:
        """The limit as a rule, and the last number of agents within it; and their words, to be drawn over all lines."""
        most, palette, look = self.found.most, self.palette, self.look
        if most is None:
            return [], []
        base = rows([{"v": most.limit_s, "t": f"limit {show_time(most.limit_s)}"}])
        base = base.transform_calculate(y=self.pixel(0, "datum.v"))
        end = alt.value(alt.ExprRef(f"width - {self.room}"))
        rule = base.mark_rule(color=palette.ink, strokeWidth=1.5, strokeDash=[4, 4])
        halo = {"stroke": palette.background, "strokeWidth": 4, "strokeJoin": "round"}
        layers, said = [rule.encode(x=alt.value(0), x2=end, y=self.y())], []
        for more in (halo, {}):
            text = base.mark_text(
                align="left", baseline="bottom", dy=-4, dx=6, fontSize=look.px.label, color=palette.ink, **more
            )
            said.append(text.encode(x=alt.value(0), y=self.y(), text="t:N"))
        if 1 <= most.agents <= self.last:
            words = counted(most.agents, "agent")
            at = {"agents": most.agents}
            tall = rows([at]).mark_rule(color=palette.ink, strokeWidth=1.5, strokeDash=[4, 4])
            # In each panel by itself: what the lower one shows is said between them.
            for panel in (0, 1):
                top, low = alt.value(alt.ExprRef(f"top{panel}")), alt.value(alt.ExprRef(f"low{panel}"))
                layers.append(tall.encode(x=self.x("agents"), y=top, y2=low))
            wide = ems(words, bold=True) * look.px.label * SAFE + 14
            left = f"{self._share(most.agents)} + {wide:.0f} > width - {self.room}"
            for more in (halo, {}):
                label = place(
                    [{"t": words}], look, look.px.label, palette.ink, fontWeight="bold", baseline="top", **more
                )
                x = alt.value(alt.ExprRef(f"{self._share(most.agents)} + ({left} ? {-wide + 6:.0f} : 8)"))
                said.append(label.encode(x=x, y=alt.value(alt.ExprRef("top0")), text="t:N"))
        return layers, said

    def _ends(self) -> tuple[list[alt.Chart], dict[str, str]]:
        """Names of the lines of task time at their right ends."""
        last, size = self.found.served[-1], self.look.px.label
        wanted = [self.pixel(0, f"{last.task_s[name].value:.9g}") for name in self.shown]
        params = apart(wanted, [0.0, *[1.25 * size] * (len(wanted) - 1)], "top0", "low0", "end")
        layers = []
        for n, name in enumerate(self.shown):
            weight = "bold" if name == self.by else "normal"
            label = place(
                [{"t": LABELS.get(name, name)}], self.look, size, self.palette.name("candidate"), fontWeight=weight
            )
            x, y = alt.value(alt.ExprRef(f"width - {self.room} + 8")), alt.value(alt.ExprRef(f"end{n}"))
            layers.append(label.encode(x=x, y=y, text="t:N"))
        return layers, params


def _ends(number) -> tuple[float, float, float]:
    return number.value, number.low, number.high


def _round_ticks(most: float, count: int) -> list[float]:
    """From 0 in steps of 1, 2, 2.5 or 5 times a power of ten, about ``count`` of them."""
    power = 10 ** math.floor(math.log10(most / count))
    step = next(power * k for k in (1, 2, 2.5, 5, 10) if power * k >= most / count * 0.999)
    return [float(f"{i * step:.10g}") for i in range(int(most / step + 1e-9) + 1)]


def _log_ticks(last: float) -> list[int]:
    return [k * 10**p for p in range(6) for k in (1, 2, 5)]
