"""Two inputs at once: the answer at every pair of their values, today's cell, and where a target is met."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import altair as alt
import numpy as np
import pandas as pd

from agentcalc.figures.axes import x_axis, y_axis
from agentcalc.figures.figure import Figure
from agentcalc.figures.frame import Plot, below_px, rows
from agentcalc.figures.marks import SAFE, place
from agentcalc.figures.measure import ems
from agentcalc.figures.rows import key_unless
from agentcalc.figures.settable import Named, Settable, names
from agentcalc.figures.theme import Look, blend, ink_on
from agentcalc.figures.words import STATISTIC_WORDS, About
from agentcalc.units import show_count, show_ratio, show_time

if TYPE_CHECKING:
    from agentcalc.analysis.sweep import Sweep

COLUMNS = ("x", "y", "x_value", "y_value", "value", "today")
MOST_X, MOST_Y = 15, 15
LONG_PX = 280
"""A longer name of an input stands in the key, where it can wrap."""


@dataclass(frozen=True)
class Grid:
    """Values of two inputs, ascending, and the answer [y, x]; today's cell (x, y), None where it is not in the grid."""

    x_name: str
    y_name: str
    xs: list[float]
    ys: list[float]
    values: np.ndarray
    today: tuple[int, int] | None

    @property
    def finite(self) -> np.ndarray:
        return self.values[np.isfinite(self.values)]


def read(table: pd.DataFrame) -> Grid:
    """From a sweep with the columns x, y (names of the inputs), x_value, y_value, value, today (whether it is the cell
    of today). Raises ValueError for a column or a cell that is missing, and for too many.
    """
    missing = [name for name in COLUMNS if name not in table.columns]
    if missing:
        raise ValueError(f"the table has no column {', '.join(missing)}")
    wide = table.pivot_table(index="y_value", columns="x_value", values="value", aggfunc="first", dropna=False)
    if wide.shape[0] * wide.shape[1] != len(table) or table.empty:
        raise ValueError("the table is no full grid of the two inputs")
    if wide.shape[1] > MOST_X or wide.shape[0] > MOST_Y:
        raise ValueError(f"{wide.shape[1]} by {wide.shape[0]} cells; draw at most {MOST_X} by {MOST_Y}")
    xs, ys = [float(v) for v in wide.columns], [float(v) for v in wide.index]
    now = table[table["today"].astype(bool)]
    today = None
    if len(now):
        today = xs.index(float(now["x_value"].iloc[0])), ys.index(float(now["y_value"].iloc[0]))
    names = str(table["x"].iloc[0]), str(table["y"].iloc[0])
    return Grid(*names, xs, ys, wide.to_numpy(dtype=float), today)


def of_sweep(found: Sweep, about: About, of: str = "time") -> Figure:
    """The heat map of ``analysis.sweep.sweep``: of its seconds, with its target, or of the speed-up.

    Its table has, beside the columns of :func:`read`, x_in_unit and y_in_unit: the inputs' values in each cell, with
    x_unit and y_unit, and of. At the axes stand the values of today's row and column.
    """
    cells = found.table()
    table = pd.DataFrame(
        {
            "x": found.x.title,
            "y": found.y.title,
            # Settings make a grid; values may not: what is left of tools where something else takes longer is the same.
            "x_value": cells["x_setting"],
            "y_value": cells["y_setting"],
            "x_in_unit": cells["x"],
            "y_in_unit": cells["y"],
            "x_unit": found.x.unit,
            "y_unit": found.y.unit,
            "of": of,
            "value": cells["seconds" if of == "time" else "speedup"].astype(float),
            "today": cells["today"].astype(bool),
        }
    )
    here = found.today
    xs = {cell.x_setting: found.x.show(cell.x) for cell in found.cells if cell.y_setting == here.y_setting}
    ys = {cell.y_setting: found.y.show(cell.y) for cell in found.cells if cell.x_setting == here.x_setting}
    title = found.sentence.removesuffix(".")
    target = found.target_s if of == "time" else None
    return figure(table, about, title, of=of, target=target, show_x=xs.__getitem__, show_y=ys.__getitem__, by=found.by)


def figure(
    table: pd.DataFrame,
    about: About,
    title: str,
    *,
    of: str = "time",
    target: float | None = None,
    show_x: Callable[[float], str] | None = None,
    show_y: Callable[[float], str] | None = None,
    by: str = "p50",
) -> Figure:
    """The heat map of a sweep. of: "time", greener is less, or "speedup", green above 1 and slate below; target: the
    answer whose border is drawn, s or a ratio; show_x, show_y: texts of the inputs' values. title: the finding, as the
    analysis says it. Raises as :func:`read`, and ValueError for another ``of``.
    """
    if of not in ("time", "speedup"):
        raise ValueError(f"of is '{of}'; use time or speedup")
    grid = read(table)
    show = show_time if of == "time" else show_ratio
    what = "task time" if of == "time" else "how many times faster the task is"
    word = STATISTIC_WORDS.get(by, "Answer")
    subtitle = f"{word} of {show_count(about.trials)} runs: {what}. {about.of_model}."
    subtitle += " Outlined: today." if grid.today else ""
    low, high = (float(f(grid.finite)) if len(grid.finite) else 0.0 for f in (np.min, np.max))
    now = f" Today {show(grid.values[grid.today[1], grid.today[0]])}." if grid.today else ""
    alt_words = (
        f"{title}. From {show(low)} to {show(high)}, a ratio of {high / low if low else float('inf'):.2f}.{now} "
        f"A grid of {len(grid.xs)} by {len(grid.ys)} cells over {grid.x_name} and {grid.y_name}."
    )
    shows = (show_x or _number, show_y or _number)
    draw, can = partial(plot, grid, of, target, shows), partial(settable, grid, of)
    return Figure("heat_map", title, subtitle, about.source, alt_words, table, draw, settable=can)


def settable(grid: Grid, of: str) -> Settable:
    """What can be set: the names of the two inputs, and the colours of better and, of ratios, worse."""
    sides = [Named("better", "side", slot="candidate")]
    some_worse = of == "speedup" and bool((grid.finite < 1).any())
    sides += [Named("worse", "side", slot="baseline")] if some_worse else []
    return Settable((*names("input", [grid.x_name, grid.y_name]), *sides))


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def plot(grid: Grid, of: str, target: float | None, shows: tuple, look: Look) -> Plot:
    """Layers of the cells, their numbers, today's cell and the border of the target."""
    palette, chosen = look.palette, look.chosen
    if chosen.labels:
        grid = replace(grid, x_name=chosen.name(grid.x_name), y_name=chosen.name(grid.y_name))
    nx, ny = len(grid.xs), len(grid.ys)
    show_x, show_y = shows
    y_words = [show_y(v) for v in grid.ys]
    size = look.px.label
    left = round(max(ems(t) for t in y_words) * size * SAFE + 10)
    aside = ems(grid.x_name) * size > LONG_PX
    key = key_unless(
        [(words, palette.ink) for words in _key_words(grid, of, target, aside, not chosen.colours)], look, left
    )
    top = key.top
    cell_h = f"((height - {top}) / {ny})"
    across = x_axis(
        "" if aside else grid.x_name,
        values=[i + 0.5 for i in range(nx)],
        labelExpr=_labels([show_x(v) for v in grid.xs]),
        grid=False,
        ticks=False,
        domain=False,
        labelOverlap="greedy",
        labelFlush=False,
        **_ends_inside([show_x(v) for v in grid.xs], look),
    )
    values = [i + 0.5 for i in range(ny)]
    up = y_axis(left, values=values, labelExpr=_labels(y_words), grid=False, labelOverlap="greedy")
    x_scale = alt.Scale(domain=[0, nx], nice=False, zero=False)
    y_scale = alt.Scale(domain=[0, ny], range=[alt.ExprRef("height"), alt.ExprRef(top)], nice=False, zero=False)

    def x(field):
        return alt.X(f"{field}:Q", scale=x_scale, axis=across)

    def y(field):
        return alt.Y(f"{field}:Q", scale=y_scale, axis=up)

    records = _records(grid, of, shows, look)
    tooltip = [
        alt.Tooltip("xv:N", title=grid.x_name),
        alt.Tooltip("yv:N", title=grid.y_name),
        alt.Tooltip("t:N", title=of),
    ]
    cells = rows(records).mark_rect(stroke=palette.background, strokeWidth=1)
    fill = alt.Fill("fill:N", scale=None, legend=None)
    layers = [cells.encode(x=x("x"), x2="x2:Q", y=y("y"), y2="y2:Q", fill=fill, tooltip=tooltip)]
    # A number in every cell or in none: a few would look like a choice.
    wide = max(ems(record["short"]) for record in records) * look.small * SAFE + 6
    fits = f"width / {nx} >= {wide:.0f} && {cell_h} >= {1.3 * look.small:.0f}"
    label = place(records, look, look.small, palette.ink, align="center")
    label = label.transform_calculate(shown=f"{fits} ? datum.short : ''")
    ink = alt.Color("ink:N", scale=None, legend=None)
    layers.append(label.encode(x=x("mx"), y=y("my"), text="shown:N", color=ink))
    layers += _border(grid, target, of, look, x, y)
    layers += _outline(grid, look, x, y)
    return Plot([*layers, *key.layers], key.params, 120 + 34 * ny, left, below_px(look))


def _key_words(grid: Grid, of: str, target: float | None, aside: bool, green: bool = True) -> list[str]:
    """What stands above the cells; aside: also what lies across, which is too long to stand under them; green: whether
    better is.
    """
    lines = [f"Across: {grid.x_name}"] if aside else []
    lines.append(f"Up: {grid.y_name}")
    _, unit = _cells(grid, of)
    lines += [f"Cells: {unit}"] if unit else []
    if target is None or not len(grid.finite):
        return lines
    under = f"under {show_time(target)}" if of == "time" else f"over {show_ratio(target)}"
    reached = _met(grid.values, target, of)
    if reached.any() and not reached.all():
        return [*lines, f"Line: {under} on the {'greener' if green else 'stronger coloured'} side"]
    return [*lines, f"{'Everywhere' if reached.all() else 'Nowhere'} {under}"]


def _records(grid: Grid, of: str, shows: tuple, look: Look) -> list[dict]:
    """The cells, with their colours and texts."""
    show_x, show_y = shows
    show = show_time if of == "time" else show_ratio
    number, _ = _cells(grid, of)
    records = []
    for j, y_value in enumerate(grid.ys):
        for i, x_value in enumerate(grid.xs):
            value = float(grid.values[j, i])
            fill = _colour(grid, value, of, look)
            ink = ink_on(fill)
            text = show(value) if np.isfinite(value) else "no end"
            record = {"x": i, "x2": i + 1, "y": j, "y2": j + 1, "mx": i + 0.5, "my": j + 0.5, "fill": fill, "ink": ink}
            tip = {"xv": show_x(x_value), "yv": show_y(y_value), "t": text}
            records.append(record | tip | {"short": number(value)})
    return records


def _outline(grid: Grid, look: Look, x, y) -> list[alt.Chart]:
    """The border of today's cell."""
    if grid.today is None:
        return []
    i, j = grid.today
    now = rows([{"x": i, "x2": i + 1, "y": j, "y2": j + 1}])
    marks = [
        now.mark_rect(filled=False, stroke=colour, strokeWidth=wide)
        for colour, wide in ((look.palette.background, 6), (look.palette.ink, 3))
    ]
    return [mark.encode(x=x("x"), x2="x2:Q", y=y("y"), y2="y2:Q") for mark in marks]


def _ends_inside(words: list[str], look: Look) -> dict:
    """Options of an axis: a last label wider than its cell ends at the cell's middle, not past the edge."""
    wide = ems(words[-1]) * look.px.label * SAFE
    test = f"datum.value == {len(words) - 0.5} && width / {len(words)} < {wide:.0f}"
    return {"labelAlign": {"condition": {"test": test, "value": "right"}, "value": "center"}}


def _labels(words: list[str]) -> str:
    tests = " : ".join(f"datum.value == {i + 0.5} ? {text!r}" for i, text in enumerate(words))
    return f"{tests} : ''"


def _cells(grid: Grid, of: str) -> tuple[Callable[[float], str], str]:
    """How a cell writes its number, and the unit of all of them; none for a ratio, which has its sign."""
    if of == "speedup":
        return lambda value: show_ratio(value) if np.isfinite(value) else "", ""
    highest = float(grid.finite.max()) if len(grid.finite) else 0.0
    unit, word = (1.0, "seconds") if highest < 600 else (60.0, "minutes") if highest < 36_000 else (3600.0, "hours")

    def number(value: float) -> str:
        if not np.isfinite(value):
            return ""
        inside = value / unit
        return f"{inside:,.0f}" if inside >= 9.95 else f"{inside:.1f}" if inside >= 1.995 else f"{inside:.2f}"

    return number, word


def _met(values: np.ndarray, target: float, of: str) -> np.ndarray:
    return values <= target if of == "time" else values >= target


def _colour(grid: Grid, value: float, of: str, look: Look) -> str:
    """Greener is better; by logarithms, since answers here differ by factors."""
    palette = look.palette
    if not np.isfinite(value) or not len(grid.finite):
        return palette.grid
    if of == "speedup":
        farthest = max(abs(float(np.log(max(v, 1e-9)))) for v in (grid.finite.min(), grid.finite.max())) or 1.0
        share = float(np.log(max(value, 1e-9))) / farthest
        hue = palette.candidate if share >= 0 else palette.baseline
        return blend(hue, palette.background, 0.04 + 0.86 * abs(share))
    low, high = (float(np.log(max(v, 1e-9))) for v in (grid.finite.min(), grid.finite.max()))
    share = (high - float(np.log(max(value, 1e-9)))) / (high - low) if high > low else 0.5
    return blend(palette.candidate, palette.background, 0.04 + 0.86 * share)


def _border(grid: Grid, target: float | None, of: str, look: Look, x, y) -> list[alt.Chart]:
    """The border between cells that meet the target and cells that do not."""
    edges = [] if target is None else _edges(grid, target, of)
    if not edges:
        return []
    line = rows(edges).mark_rule(color=look.palette.ink, strokeWidth=3.5, strokeCap="square")
    return [line.encode(x=x("x"), x2="x2:Q", y=y("y"), y2="y2:Q")]


def _edges(grid: Grid, target: float, of: str) -> list[dict]:
    """Edges of cells, in cells: x, x2, y, y2."""
    met = _met(grid.values, target, of)
    ny, nx = met.shape
    edges = []
    for j in range(ny):
        for i in range(nx):
            if i + 1 < nx and met[j, i] != met[j, i + 1]:
                edges.append({"x": i + 1, "x2": i + 1, "y": j, "y2": j + 1})
            if j + 1 < ny and met[j, i] != met[j + 1, i]:
                edges.append({"x": i, "x2": i + 1, "y": j + 1, "y2": j + 1})
    return edges
