"""What stands around every plot: title, subtitle, source line, padding, and the common configuration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import altair as alt
import pandas as pd

from agentcalc.figures.measure import balance, pixels, wrap
from agentcalc.figures.quick import AsTheyAre, Layer, Layers
from agentcalc.figures.theme import FONT, Look


@dataclass(frozen=True)
class Plot:
    """Layers and what they need.

    params: Vega expressions by name, in order of use; height: pixels of the whole plot in the app; left: pixels of the
    y axis; below: pixels of the x axis.
    """

    layers: list[alt.Chart]
    params: dict[str, str] = field(default_factory=dict)
    height: int = 300
    left: float = 0
    below: float = 50


def rows(records: list[dict]) -> alt.Chart:
    """A chart on plain records, carried inside the specification: the same in the app as in an export."""
    return Layer(alt.Data(values=AsTheyAre(records)))


def records(table: pd.DataFrame, columns: Sequence[str]) -> list[dict]:
    """Some columns of a table as plain records."""
    return [dict(zip(columns, row, strict=True)) for row in zip(*(table[c].tolist() for c in columns), strict=True)]


def text(chart: alt.Chart, look: Look, size: float, colour: str, **marks) -> alt.Chart:
    """A text mark in the figure's face; lines are parted by a line break."""
    marks = {"align": "left", "baseline": "middle", "lineBreak": "\n", "lineHeight": round(size * 1.2, 1)} | marks
    return chart.mark_text(font=FONT, fontSize=size, color=colour, **marks)


def below_px(look: Look) -> float:
    """Pixels of an x axis with its labels and its title."""
    return round(2.4 * look.px.label + 13)


@dataclass(frozen=True)
class Said:
    """Title, subtitle and source in lines, with the sizes of their type and the pixels of height they take together."""

    lines: tuple[list[str], list[str], list[str]]
    sizes: tuple[float, float, float]
    height: float


MOST_WORDS = 0.42
"""The share of a picture's height that its words may take."""
WORDS_SCALES = (
    (1, 1, 1),
    (0.85, 0.95, 0.95),
    (0.72, 0.88, 0.88),
    (0.62, 0.8, 0.8),
    (0.55, 0.72, 0.75),
    (0.5, 0.65, 0.7),
)
"""Sizes of title, subtitle and source that are tried, of the usual ones, until they leave the plot its room."""
OFFSET, PADDING = 14, 8
"""Pixels under the subtitle, and between it and the title."""


def said(title: str, subtitle: str, source: str, look: Look) -> Said:
    """The words around a plot. Where long names make them many lines, they are set smaller."""
    px = look.px
    inner = px.width - 2 * px.margin
    for scales in WORDS_SCALES:
        sizes = tuple(round(usual * k, 2) for usual, k in zip((px.title, px.subtitle, px.source), scales, strict=True))
        lines = (
            balance(title, inner / sizes[0] * 0.99, bold=True),
            balance(subtitle, inner / sizes[1] * 0.99),
            [line for part in source.split("\n") for line in wrap(part, (inner - 4) / sizes[2])],
        )
        heights = (len(some) * _line(size, k) for some, size, k in zip(lines, sizes, LINES, strict=True))
        height = sum(heights) + PADDING + OFFSET + 10 - 14
        if height <= MOST_WORDS * px.height:
            break
    return Said(lines, sizes, height)


LINES = (1.2, 1.3, 1.35)
"""Heights of a line of title, subtitle and source, in their sizes."""


def _line(size: float, k: float) -> float:
    return round(size * k) if k < 1.35 else round(size * k, 1)


def finish(plot: Plot, look: Look, words: Said | None, description: str = "") -> alt.LayerChart:
    """Layers, and for export words and description, made into one chart of the look's outer size."""
    px, palette = look.px, look.palette
    layers = [_room(), *plot.layers]
    padding = {"left": px.margin, "right": px.margin, "top": px.margin, "bottom": px.margin}
    extra = {"width": px.width, "height": px.height or plot.height}
    if words:
        title, subtitle, source = words.lines
        padding["bottom"] = px.margin - 6
        layers.append(_source_line(source, plot, look, words.sizes[2]))
        padding["top"] = px.margin - 8
        extra["title"] = alt.Title(title, subtitle=subtitle)
        extra["description"] = description
    # Vega lays a picture out as if all of it were the plot, then once more in what is left of it.
    params = {"settled": f"height < {extra['height']}", **plot.params}
    # One constructor for everything: each method of a chart would copy it with all its data.
    return Layers(
        layers,
        autosize=alt.AutoSizeParams(type="fit", contains="padding"),
        padding=padding,
        background=palette.background,
        params=[alt.VariableParameter(name=alt.ParameterName(name), expr=expr) for name, expr in params.items()],
        config=_config(look, words.sizes if words else (20, 15, 0)),
        **extra,
    )


ROOM, LEFT_ROOM = 8, 1
"""Pixels around a plot for what sticks out of it: half a dot, half a thick line; on the left, where titles begin and
nothing else does, half a thin one.
"""


def _room() -> alt.Chart:
    """Keeps that room. Versions of Vega differ in how far they count the outline of a mark beyond it, and so a page and
    an export would give the plot other widths where such a mark reached furthest.
    """
    ends = {"x2": alt.value(alt.ExprRef(f"width + {ROOM}")), "y2": alt.value(alt.ExprRef(f"height + {ROOM}"))}
    return rows([{}]).mark_rect(opacity=0).encode(x=alt.value(-LEFT_ROOM), y=alt.value(-ROOM), **ends)


def _source_line(lines: list[str], plot: Plot, look: Look, size: float) -> alt.Chart:
    at = alt.ExprRef(f"height + {plot.below + 10:g}")
    chart = rows([{"t": "\n".join(lines)}])
    # Vega counts marks outside the plot when it fits the picture, so the plot gives way to as many lines as there are.
    mark = text(chart, look, size, look.palette.muted, baseline="top", lineHeight=_line(size, LINES[2]))
    return mark.encode(x=alt.value(-plot.left), y=alt.value(at), text="t:N")


def _config(look: Look, sizes: tuple[float, float, float]) -> alt.Config:
    palette, label = look.palette, look.px.label
    title, subtitle, _ = sizes
    return alt.Config(
        font=FONT,
        view=alt.ViewConfig(stroke=None),
        # The chart is described as a whole; a screen reader that walked through every segment would drown in them.
        mark=alt.MarkConfig(aria=False),
        title=alt.TitleConfig(
            anchor="start",
            frame="bounds",
            font=FONT,
            subtitleFont=FONT,
            fontSize=title,
            fontWeight="bold",
            color=palette.ink,
            lineHeight=_line(title, LINES[0]),
            subtitleFontSize=subtitle,
            subtitleColor=palette.muted,
            subtitleLineHeight=_line(subtitle, LINES[1]),
            subtitlePadding=PADDING,
            offset=OFFSET,
        ),
        axis=alt.AxisConfig(
            labelFont=FONT,
            titleFont=FONT,
            labelFontSize=label,
            titleFontSize=label,
            titleFontWeight="normal",
            labelColor=palette.muted,
            titleColor=palette.muted,
            gridColor=palette.grid,
            domainColor=palette.axis,
            tickColor=palette.axis,
            labelOverlap=True,
            labelFlush=True,
        ),
        legend=alt.LegendConfig(
            labelFont=FONT,
            labelFontSize=label,
            labelColor=palette.ink,
            labelLimit=0,
            symbolType="square",
            # As high as a capital: then its outline, which versions of Vega count differently, moves no label.
            symbolSize=round((0.73 * label) ** 2),
            symbolStrokeWidth=1,
            columnPadding=18,
            rowPadding=4,
            padding=0,
            offset=12,
        ),
    )


def key_columns(labels: list[str], look: Look) -> alt.ExprRef:
    """Columns of a key as a Vega expression: all in one row where they fit, else as many as do.

    In an export the width is known. Vega makes room for a key before it takes the margins off the width: one that broke
    into more rows after that would push the title out of the picture.
    """
    entry = [pixels(label, look.px.label) + look.px.label + 26 for label in labels]
    # While room is made for the key the plot is still as wide as the picture: what it will lose is taken off before.
    width = f"(settled ? width : width - {2 * look.px.margin + LEFT_ROOM + ROOM:g})"
    if look.px.title:
        width = f"{look.px.width - 2 * look.px.margin}"
    expression = "1"
    for columns in range(2, len(labels)):
        expression = f"{width} > {columns * max(entry):.0f} ? {columns} : {expression}"
    return alt.ExprRef(f"{width} > {sum(entry):.0f} ? {len(labels)} : {expression}")
