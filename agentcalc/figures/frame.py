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


def finish(plot: Plot, look: Look, words: tuple[str, str, str, str] | None) -> alt.LayerChart:
    """Layers, and for export (title, subtitle, source, description), made into one chart of the look's outer size."""
    px, palette = look.px, look.palette
    layers = list(plot.layers)
    padding = {"left": px.margin, "right": px.margin, "top": px.margin, "bottom": px.margin}
    extra = {"width": px.width, "height": px.height or plot.height}
    if words:
        title, subtitle, source, description = words
        inner = px.width - 2 * px.margin
        lines = [line for part in source.split("\n") for line in wrap(part, (inner - 4) / px.source)]
        step = round(px.source * 1.35, 1)
        padding["bottom"] = px.margin - 6
        layers.append(_source_line(lines, plot, look, step))
        padding["top"] = px.margin - 8
        extra["title"] = alt.Title(
            balance(title, inner / px.title * 0.99, bold=True),
            subtitle=balance(subtitle, inner / px.subtitle * 0.99),
        )
        extra["description"] = description
    # One constructor for everything: each method of a chart would copy it with all its data.
    return Layers(
        layers,
        autosize=alt.AutoSizeParams(type="fit", contains="padding"),
        padding=padding,
        background=palette.background,
        params=[alt.VariableParameter(name=alt.ParameterName(name), expr=expr) for name, expr in plot.params.items()],
        config=_config(look),
        **extra,
    )


def _source_line(lines: list[str], plot: Plot, look: Look, step: float) -> alt.Chart:
    at = alt.ExprRef(f"height + {plot.below + 10:g}")
    chart = rows([{"t": "\n".join(lines)}])
    # Vega counts marks outside the plot when it fits the picture, so the plot gives way to as many lines as there are.
    mark = text(chart, look, look.px.source, look.palette.muted, baseline="top", lineHeight=step)
    return mark.encode(x=alt.value(-plot.left), y=alt.value(at), text="t:N")


def _config(look: Look) -> alt.Config:
    px, palette = look.px, look.palette
    label = px.label
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
            fontSize=px.title or 20,
            fontWeight="bold",
            color=palette.ink,
            lineHeight=round((px.title or 20) * 1.2),
            subtitleFontSize=px.subtitle or 15,
            subtitleColor=palette.muted,
            subtitleLineHeight=round((px.subtitle or 15) * 1.3),
            subtitlePadding=8,
            offset=14,
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
            symbolSize=round(label**2 * 0.95),
            symbolStrokeWidth=1,
            columnPadding=18,
            rowPadding=4,
            padding=0,
            offset=12,
        ),
    )


def key_columns(labels: list[str], look: Look) -> alt.ExprRef:
    """Columns of a key as a Vega expression: all in one row where they fit, else two, else one under the other."""
    entry = [pixels(label, look.px.label) + look.px.label + 30 for label in labels]
    two = 2 * max(entry)
    return alt.ExprRef(f"width > {sum(entry):.0f} ? {len(labels)} : width > {two:.0f} ? 2 : 1")
