"""Where the time goes as a native chart: two stacked bars, seconds in each part, what becomes of it between them."""

from __future__ import annotations

import re

from agentcalc.exports import native_chart as xml
from agentcalc.exports.native_axes import TimeTicks, below
from agentcalc.exports.native_chart import ACROSS, UP, Chart
from agentcalc.exports.native_ground import LEADING, Box, Ground
from agentcalc.exports.native_shapes import Shapes
from agentcalc.figures.components import PART_WORDS, ROLES, Parts
from agentcalc.figures.figure import Figure
from agentcalc.figures.timeline import verdict
from agentcalc.figures.words import COMPONENT_WORDS, change, pair, run_time
from agentcalc.units import NBSP

GOOD_BAR, LEAST_BAR = 44.0, 20.0
"""Pixels of a bar for which names give way, and of one however little room there is."""
_SECONDS = re.compile(rf"[0-9]+(?:\.(?P<decimals>[0-9]+))?{NBSP}s")


def draw(ground: Ground, figure: Figure, box: Box) -> None:
    """The figure's parts into a box of the slide: a chart with its workbook, and the words around it."""
    _Components(ground, figure, box).put()


class _Components:
    def __init__(self, ground: Ground, figure: Figure, box: Box):
        self.ground, self.figure, self.box, self.palette = ground, figure, box, ground.palette
        self.parts: Parts = figure.drawn
        self.whole = {role: sum(self.parts.seconds[role].values()) for role in ROLES}
        self.longest = max(self.whole.values()) or 1.0
        self.case = verdict(self.whole["baseline"], self.whole["candidate"], None)
        self.times = pair(self.whole["baseline"], self.whole["candidate"])
        self.ticks = TimeTicks.of(self.longest)
        self.under, self.over = Shapes(ground), Shapes(ground)
        self._places()

    def _places(self) -> None:
        """Rows from top to bottom: key, a name over its bar, the space between, a bar over its name, the axis."""
        left, top, wide, tall = self.box
        ground, palette = self.ground, self.palette
        kinds = [(COMPONENT_WORDS[p], palette.fills[p].fill, palette.fills[p].outline) for p in self.parts.present]
        key = self.over.key(kinds, left, top, wide)
        plot_top, self.bottom = top + key + 4, top + tall - below(ground)
        plot = self.bottom - plot_top
        for size, most in ((ground.name, 3), (ground.label, 2), (0.75 * ground.label, 2), (0.75 * ground.label, 1)):
            strip = self._named(size, most, wide)
            self.bar = plot / 2 - 2 * strip
            if self.bar >= GOOD_BAR:
                break
        # Half the gap between the bars of a chart stands above the first and below the last: there the names stand.
        self.bar = max(LEAST_BAR, self.bar)
        self.fan = plot / 2 - self.bar
        self.tops = (plot_top + self.fan / 2, plot_top + 1.5 * self.fan + self.bar)
        self.inner = (left, plot_top, wide, plot)

    def _named(self, size: float, most: int, wide: float) -> float:
        """Names in at most so many lines, beside the end values; returns the pixels of a strip that holds both."""
        ground = self.ground
        widest = max(ground.wide(self.parts.labels[r], size, True) for r in ROLES)
        self.end_size, self.size = size, size if widest <= 13.5 * size else min(size, ground.label)
        room = wide - max(ground.wide(text, size, True) for text in (self.times.b, self.times.c)) - 18
        self.names = {r: ground.lines(self.parts.labels[r], self.size, room, True, most) for r in ROLES}
        return max(max(map(len, self.names.values())) * LEADING * self.size, LEADING * size) + 13

    def x(self, seconds: float) -> float:
        return self.box[0] + seconds / self.longest * self.box[2]

    def put(self) -> None:
        self._ribbons()
        self.under.put("components: behind")
        self._chart()
        self._names()
        self._changes()
        self.over.put("components: words")

    def _chart(self) -> None:
        ground, chart, unit = self.ground, Chart(self.ground), self.ticks.unit_s
        systems = chart.sheet.add("system", [self.parts.labels[role] for role in ROLES])
        made = []
        for part in self.parts.present:
            fill = self.palette.fills[part]
            spent = [self.parts.seconds[role][part] for role in ROLES]
            column = chart.sheet.add(f"{COMPONENT_WORDS[part]} ({self.ticks.sign})", [s / unit for s in spent])
            look = xml.filled(ground, fill.fill, fill.outline, dashed=fill.dashed) + '<c:invertIfNegative val="0"/>'
            said = [text for i, s in enumerate(spent) if (text := self._label(i, part, s))]
            values = systems.categories + column.numbers("c:val")
            made.append(chart.series(column, look, values, before=xml.labels(said)))
        if self.case in ("faster", "slower"):
            made.append(self._gained(chart, systems, unit))
        chart.groups.append(xml.bars(made, round(100 * self.fan / self.bar)))
        chart.axes.append(xml.category_axis(ground, UP, "l", shown=False, reverse=True))
        axis = {
            "step": self.ticks.step,
            "form": self.ticks.written(),
            "title": self.ticks.word,
            "line": True,
            "grid": True,
        }
        axis |= {"between": "between", "shown": "nextTo", "crosses": '<c:crosses val="max"/>'}
        chart.axes.append(xml.value_axis(ground, ACROSS, "b", 0.0, self.longest / unit, **axis))
        # Half a label stands beyond the last tick: without room for it programs would move the plot.
        beyond = 6 + max(ground.wide(text, ground.label) for text in self.ticks.labels) / 2
        chart.put(self.figure, xml.around(self.inner, below=below(ground), left=12, right=beyond), self.inner)

    def _label(self, index: int, part: str, seconds: float) -> str:
        """Name and seconds inside a bar, as long as they fit; the seconds follow the number in the workbook."""
        ground, size = self.ground, self.ground.small
        time = run_time(seconds)
        room = seconds / self.longest * self.box[2] - 8
        long = f"{PART_WORDS[part]} {time}"
        if seconds <= 0 or ground.wide(time, size) > room:
            return ""
        fits = ground.wide(long, size) <= room
        found = _SECONDS.fullmatch(time)
        colour = self.palette.fills[part].text
        if found and self.ticks.unit_s == 1:
            form = "0" + ("." + "0" * len(found["decimals"]) if found["decimals"] else "") + f'"{NBSP}s"'
            form = f'"{PART_WORDS[part]} "{form}' if fits else form
            return xml.label(ground, index, "ctr", size, colour, form=form)
        return xml.label(ground, index, "ctr", size, colour, text=long if fits else time)

    def _gained(self, chart: Chart, systems, unit: float) -> str:
        """The time gained, tinted behind the earlier bar."""
        ground, early = self.ground, "candidate" if self.case == "faster" else "baseline"
        gap = abs(self.whole["baseline"] - self.whole["candidate"])
        column = chart.sheet.add(f"sooner ({self.ticks.sign})", [gap / unit if r == early else None for r in ROLES])
        look = xml.filled(ground, self.palette.tint(early), None) + '<c:invertIfNegative val="0"/>'
        room = gap / self.longest * self.box[2] - 12
        texts = (f"{self.times.difference} sooner", self.times.difference)
        fits = [text for text in texts if ground.wide(text, ground.gap, True) <= room]
        colour, said = self.palette.name(early), []
        if fits:
            row = ROLES.index(early)
            said.append(xml.label(ground, row, "ctr", ground.gap, colour, text=fits[0], bold=True))
        return chart.series(column, look, systems.categories + column.numbers("c:val"), before=xml.labels(said))

    def _ribbons(self) -> None:
        """The same kind on both bars, joined."""
        top, bottom = self.tops[0] + self.bar + 2, self.tops[1] - 2
        for part, (a, b), (c, d) in self._spans():
            fill = self.palette.fills[part]
            points = [(self.x(a), top), (self.x(b), top), (self.x(d), bottom), (self.x(c), bottom)]
            colour = fill.outline if fill.dashed else fill.fill
            self.under.area(points, colour, 0.55 if part == "tool" else 0.2, name=f"{COMPONENT_WORDS[part]}: joined")

    def _spans(self):
        a = c = 0.0
        for part in self.parts.present:
            b, d = a + self.parts.b[part], c + self.parts.c[part]
            yield part, (a, b), (c, d)
            a, c = b, d

    def _changes(self) -> None:
        size = 0.95 * self.ground.name
        for part, (a, b), (c, d) in self._spans():
            said = change(self.parts.b[part], self.parts.c[part])
            lean = max(abs(a - c), abs(b - d)) / self.longest * self.box[2] * size / self.fan
            room = (b + d - a - c) / 2 / self.longest * self.box[2] - lean
            if room >= self.ground.wide(said, size, True) + 8:
                x, y = self.x((a + b + c + d) / 4), self.tops[0] + self.bar + self.fan / 2
                self.over.text(x, y, said, size, self.palette.ink, bold=True, align="ctr", anchor="ctr", name="change")

    def _names(self) -> None:
        left, _, wide, _ = self.box
        for index, role in enumerate(ROLES):
            text, colour = (self.times.b, self.times.c)[index], self.palette.name(role)
            y, anchor = (self.tops[1] + self.bar + 6, "t") if index else (self.tops[0] - 5, "b")
            beside = max(self.ground.wide(line, self.size, True) for line in self.names[role]) + 16
            end = max(self.x(self.whole[role]), left + beside + self.ground.wide(text, self.end_size, True))
            self.over.text(left, y, self.names[role], self.size, colour, bold=True, anchor=anchor, name="system")
            end = min(end, left + wide)
            self.over.text(end, y, text, self.end_size, colour, bold=True, align="r", anchor=anchor, name="end")
