"""Rows of horizontal bars, each under its title, and a key that gives way to labels in the plot where there is room."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import altair as alt

from agentcalc.figures.frame import rows
from agentcalc.figures.marks import Key, Names, place
from agentcalc.figures.theme import Look

OUT = 2
"""Pixels by which a line sticks out of the bars it crosses."""


class Rows:
    """Rows from top to bottom: a title over one or more bars. Every position is a Vega expression of the plot's size.

    key: what stands above the first title; bars: bars of a row; between: pixels between two of them; gap: pixels
    between two rows.
    """

    def __init__(
        self, titles: Sequence[str], bars: int, look: Look, *, key: Key | None = None, between: int = 3, gap: int = 12
    ):
        self.look, self.count, self.key = look, len(titles), key
        self.top_px = key.top if key else "0"
        self.bars, self.between, self.gap = bars, between, gap
        size = look.px.label
        # Each title wraps by itself: a long one costs only its own row.
        self.names = [Names([title], look, prefix=f"row{i}", gap=4, size=size) for i, title in enumerate(titles)]

    @property
    def params(self) -> dict[str, str]:
        n, spare = self.count, (self.count - 1) * self.gap + self.count * (self.bars - 1) * self.between
        params = {}
        for names in self.names:
            params |= names.params
        strips = " + ".join(f"row{i}strip" for i in range(n))
        params["bar"] = f"max(4, (height - {self.top_px} - ({strips}) - {spare}) / {n * self.bars})"
        at = self.top_px
        for i in range(n):
            params[f"row{i}start"] = at
            at = f"row{i}start + row{i}strip + {self.bars} * bar + {(self.bars - 1) * self.between + self.gap}"
        return params

    def need(self, width: float) -> float:
        """Pixels of height in a plot so wide, with bars as thin as the labels beside them allow."""
        bars = self.count * (self.bars * round(0.9 * self.look.px.label) + (self.bars - 1) * self.between)
        above = self.key.need(width) if self.key else 0
        return above + sum(names.strip(width) for names in self.names) + bars + (self.count - 1) * self.gap

    def _of(self, row: int | str, what: str) -> str:
        if isinstance(row, int):
            return f"row{row}{what}"
        return f"[{', '.join(f'row{i}{what}' for i in range(self.count))}][{row}]"

    def start(self, row: int | str) -> str:
        """Expression of the pixel where a row's title begins; row: its number, or an expression of it."""
        return self._of(row, "start")

    def bar_top(self, row: int | str = "datum.row", bar: int | str = "datum.bar") -> str:
        """Expression of the pixel where a bar begins."""
        return f"({self._of(row, 'start')} + {self._of(row, 'strip')} + {bar} * (bar + {self.between}))"

    def legible(self, text: str) -> str:
        """Expression of a text beside a bar, empty where bars are too thin for one to each."""
        least = 0.95 * self.look.px.label
        return text if self.bars == 1 else f"bar + {self.between} >= {least:.1f} ? {text} : ''"

    def y(self, field: str) -> alt.Y:
        whole = alt.ExprRef("height")
        scale = alt.Scale(domain=[0, whole], range=[0, whole], nice=False, zero=False)
        return alt.Y(f"{field}:Q", scale=scale, axis=None)

    def titles(self, colour: str | None = None) -> list[alt.Chart]:
        """The titles, left above their bars, wrapped at any width."""
        colour, found = colour or self.look.palette.ink, []
        for row, names in enumerate(self.names):
            marks = {"fontWeight": "bold", "baseline": "top", "lineHeight": names.line}
            chart = place([names.fields(0)], self.look, names.size, colour, **marks)
            chart = chart.transform_calculate(t=names.pick("n"), y=self.start(row))
            found.append(chart.encode(x=alt.value(0), y=self.y("y"), text="t:N"))
        return found

    def rects(self, records: list[dict], x, **encodings) -> alt.Chart:
        """Bars on records with row, bar, start, end and fill; x: makes a channel of a field."""
        chart = rows(records).transform_calculate(y=self.bar_top(), y2=f"{self.bar_top()} + bar")
        fill = alt.Fill("fill:N", scale=None, legend=None)
        return chart.mark_rect().encode(x=x("start"), x2="end:Q", y=self.y("y"), y2="y2:Q", fill=fill, **encodings)

    def capped(self, records: list[dict], x, down: float = 0.5) -> list[alt.Chart]:
        """Thin capped bars across a bar, on records with row, bar, low, high and colour: the unknown. down: how far
        down in the bar they lie.
        """
        if not records:
            return []
        palette, middle, half = self.look.palette, f"{self.bar_top()} + {down:g} * bar", min(down, 1 - down)
        ends = [record | {"x": record[end]} for record in records for end in ("low", "high")]
        colour, halo = alt.Fill("colour:N", scale=None, legend=None), alt.value(palette.background)

        # Rectangles, not lines: how far the ends of a thick line reach is counted differently by versions of Vega.
        def line(px: float, fill) -> alt.Chart:
            chart = rows(records).transform_calculate(y=f"{middle} - {px / 2}", y2=f"{middle} + {px / 2}")
            return chart.mark_rect().encode(x=x("low"), x2="high:Q", y=self.y("y"), y2="y2:Q", fill=fill)

        def caps(px: float, fill) -> alt.Chart:
            reach = f"min(6, {half:g} * bar)"
            chart = rows(ends).transform_calculate(y=f"{middle} - {reach}", y2=f"{middle} + {reach}")
            chart = chart.mark_rect(xOffset=-px / 2, x2Offset=px / 2)
            return chart.encode(x=x("x"), x2="x:Q", y=self.y("y"), y2="y2:Q", fill=fill)

        return [line(6, halo), caps(5.5, halo), line(2.5, colour), caps(2.5, colour)]

    def crossing(self, records: list[dict], x) -> list[alt.Chart]:
        """Strong upright lines across all bars of a row, on records with row and x, with a halo. Where a picture has no
        axis below, its end with the halo must stay within ``frame.ROOM``.
        """
        top, bottom = self.bar_top(bar="0"), f"{self.bar_top(bar=str(self.bars - 1))} + bar"
        lines = rows(records).transform_calculate(y=f"{top} - {OUT}", y2=f"{bottom} + {OUT}")
        palette = self.look.palette
        marks = ({"color": palette.background, "strokeWidth": 5.5}, {"color": palette.ink, "strokeWidth": 2.5})
        return [lines.mark_rule(**mark).encode(x=x("x"), y=self.y("y"), y2="y2:Q") for mark in marks]


def lines_but_zero(look: Look) -> dict:
    """Vertical lines at every tick but 0, where titles begin: options of an axis."""
    palette = look.palette
    test = {"test": "datum.value === 0", "value": palette.background}
    return {"grid": True, "gridColor": {"condition": test, "value": palette.grid}}


def stacked(look: Look, make: Callable[[Look], Rows], beside: float) -> tuple[Rows, Look, int]:
    """Rows with labels as large as they have room for, the look with such labels, and the height of the whole in the
    app, where they take what they need on a phone. make: the rows of a look; beside: pixels of axis and key.
    """
    found = look.fitting(lambda smaller: make(smaller).need(look.inner) + beside)
    stack = make(found)
    return stack, found, round(stack.need(look.inner) + beside + 8)


LONG = 40
"""Characters from which a name leaves a small picture room for few rows."""


def room_for(names: Sequence[str], look: Look, usual: int, few: int) -> int:
    """How many rows a picture of this size has room for beside names so long."""
    small = look.px.height is not None and look.px.height <= 720
    return few if small and max(map(len, names), default=0) > LONG else usual


def key_unless(lines: list[tuple[str, str]], look: Look, left: float = 0, unless: str = "false") -> Key:
    """A key in words, (text, colour) lines one under the other, each wrapped by itself at any width; it takes no room
    where the expression ``unless`` holds. left: pixels of the y axis.
    """
    layers, params, at, found = [], {}, "0", []
    for i, (words, colour) in enumerate(lines):
        names = Names([words], look, prefix=f"key{i}", gap=3, size=look.px.label)
        found.append(names)
        marks = {"fontWeight": "bold", "baseline": "top", "lineHeight": names.line}
        chart = place([names.fields(0)], look, names.size, colour, **marks)
        chart = chart.transform_calculate(t=f"({unless}) ? '' : {names.pick('n')}")
        layers.append(chart.encode(x=alt.value(-left), y=alt.value(alt.ExprRef(at)), text="t:N"))
        params |= names.params | {f"key{i}end": f"{at} + key{i}strip"}
        at = f"key{i}end"
    pad = round(0.6 * look.px.label)
    return Key(layers, params, f"(({unless}) ? {pad} : {at} + {pad})", tuple(found), pad)
