"""What matters most: how far each input moves the answer, longest first."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import altair as alt
import pandas as pd

from agentcalc.figures.axes import SIGNS, time_ticks, time_unit, x_axis
from agentcalc.figures.figure import Figure
from agentcalc.figures.frame import Plot, below_px
from agentcalc.figures.marks import SAFE, place
from agentcalc.figures.measure import ems
from agentcalc.figures.rows import Rows, key_unless, stacked
from agentcalc.figures.settable import Axis, Named, Settable
from agentcalc.figures.theme import Look
from agentcalc.figures.words import STATISTIC_WORDS, About
from agentcalc.units import TIMES, counted, show_count, show_ratio, show_time

if TYPE_CHECKING:
    from agentcalc.analysis.sensitivity import Sensitivity

COLUMNS = ("input", "unit", "low", "high", "at_low", "at_high", "now")
MOST = 8
SEEN = 0.02
"""Inputs that move the answer less than this share of the first are counted among the others."""


def of_sensitivity(found: Sensitivity, about: About) -> Figure:
    """The tornado of ``analysis.sensitivity.sensitivity``. Raises ValueError where nothing changes it."""
    table = found.table()
    moved = table[table["span"] > 0]
    shown = {bar.lever.id: (bar.lever.show(bar.low), bar.lever.show(bar.high)) for bar in found.bars}
    often = {bar.lever.id: bar.lever.often for bar in found.bars}
    titles = {
        name: f"{title}, {' to '.join(shown[name])}{often[name]}"
        for name, title in zip(moved["input"], moved["title"], strict=True)
    }
    first, note = (text.partition(". ")[0].removesuffix(".") for text in (found.sentence, found.interaction_line))
    return figure(moved, about, first, of=found.of, note=f"{note}." if note else "", titles=titles)


def figure(
    table: pd.DataFrame,
    about: About,
    title: str,
    *,
    of: str = "time",
    note: str = "",
    titles: Mapping[str, str] | None = None,
) -> Figure:
    """A tornado of a sensitivity table with the columns input, unit, low, high, at_low, at_high, now, by.

    low, high: between what the input was moved, in its unit; at_low, at_high, now: the answer there and today, task
    time in s (of "time") or a speed-up (of "speedup"), by the statistic ``by``. title: the finding, as the analysis
    says it; note: of interactions; titles: words of an input with its range. Raises ValueError for a column that is
    missing, and for no input.
    """
    missing = [name for name in COLUMNS if name not in table.columns]
    if missing:
        raise ValueError(f"the table has no column {', '.join(missing)}")
    if of not in ("time", "speedup"):
        raise ValueError(f"of is '{of}'; use time or speedup")
    if table.empty:
        raise ValueError("the table has no input")
    longest = (table["at_high"] - table["at_low"]).abs()
    order = longest.sort_values(ascending=False, kind="stable")
    told = order[order >= SEEN * order.iloc[0]].index if order.iloc[0] > 0 else order.index
    shown = table.loc[told].head(MOST).reset_index(drop=True)
    words = titles or {}
    shown = shown.assign(words=[words.get(row["input"]) or row_title(row) for row in shown.to_dict("records")])
    by = STATISTIC_WORDS.get(str(table["by"].iloc[0]), "") if "by" in table.columns else ""
    what = "task time" if of == "time" else "how many times faster the task is"
    rest = len(table) - len(shown)
    subtitle = f"{by or 'Answer'} of {show_count(about.trials)} runs: {what} when one input moves. {about.of_model}."
    subtitle += f" + {counted(rest, 'other')}, which move it less." if rest else ""
    subtitle += f" {note}" if note else ""
    show = show_time if of == "time" else show_ratio
    top = shown.iloc[0]
    alt_words = (
        f"{title}. {top['words']}: {show(top['at_low'])} to {show(top['at_high'])}, today {show(top['now'])}. "
        f"Bars either side of today, {counted(len(shown), 'input')}, longest first."
    )
    draw, can = partial(plot, shown, of), partial(settable, shown, of)
    return Figure("tornado", title, subtitle, about.source, alt_words, table, draw, (shown, of), can)


def settable(shown: pd.DataFrame, of: str) -> Settable:
    """What can be set: the inputs and their order, the colours of less and more, and how far the axis reaches."""
    inputs = [
        Named(words, "input", _input(words), (name,))
        for words, name in zip(shown["words"].tolist(), shown["input"].tolist(), strict=True)
    ]
    slots = ("candidate", "baseline") if of == "time" else ("baseline", "candidate")
    sides = [Named(side, "side", slot=slot) for side, slot in zip(("less", "more"), slots, strict=True)]
    found = ends_of(shown, of)
    what = "task time" if of == "time" else "speed-up"
    axis = Axis(what, min(found.left), max(found.right), time=of == "time", bars="whole")
    return Settable((*inputs, *sides), ("input",), axis, of_order=(", longest first",))


def _input(words: str) -> str:
    """An input without its range."""
    return words.partition(",")[0]


def row_title(row: dict) -> str:
    """An input with its range: "Tool time, 16 s to 25 s"."""
    return f"{row['input']}, {_shown(row['low'], row['unit'])} to {_shown(row['high'], row['unit'])}"


def _shown(value: float, unit: str) -> str:
    if unit == "s":
        return show_time(value)
    if unit == "share":
        return f"{value:.0%}"
    if unit in ("×", "x", "factor"):
        return f"{value:g}{TIMES}"
    number = f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
    return f"{number} {unit}".strip()


@dataclass(frozen=True)
class Ends:
    """A bar an input: from where to where the answer goes, by input, today between them, and all of it in words.

    low, high: of the axis; words: of what lies left and right of today.
    """

    titles: tuple[str, ...]
    left: tuple[float, ...]
    right: tuple[float, ...]
    left_words: tuple[str, ...]
    right_words: tuple[str, ...]
    today: float
    low: float
    high: float
    words: tuple[str, str]


def ends_of(table: pd.DataFrame, of: str) -> Ends:
    """Of the inputs shown. An input that moves the answer one way only ends at today on the other side."""
    today, show = float(table["now"].iloc[0]), _labels(table, of)
    pairs = [sorted((float(a), float(b))) for a, b in zip(table["at_low"], table["at_high"], strict=True)]
    left, right = [min(a, today) for a, _ in pairs], [max(b, today) for _, b in pairs]
    low, high = min(left), max(right)
    span = (high - low) or abs(today) or 1.0
    what = "time" if of == "time" else "speed-up"
    return Ends(
        titles=tuple(table["words"]),
        left=tuple(left),
        right=tuple(right),
        left_words=tuple(map(show, left)),
        right_words=tuple(map(show, right)),
        today=today,
        low=low - 0.02 * span,
        high=high + 0.02 * span,
        words=(f"less {what} than today", f"more {what} than today"),
    )


def plot(table: pd.DataFrame, of: str, look: Look) -> Plot:
    """Layers of the tornado; to the left is less."""
    palette, chosen = look.palette, look.chosen
    if chosen.order:
        at = {words: i for i, words in enumerate(table["words"])}
        table = table.iloc[[at[words] for words in chosen.arranged(at)]].reset_index(drop=True)
    found = ends_of(table, of)
    titles = [chosen.name(w) + w[len(_input(w)) :] if w in chosen.labels else w for w in table["words"]]
    today, span = found.today, chosen.span("x", found.low, found.high)
    low, high = span.low, span.high
    show = _labels(table, of)
    roles = ("candidate", "baseline") if of == "time" else ("baseline", "candidate")
    better, worse = map(palette.system, roles)
    texts_in = tuple(map(palette.name, roles))

    def make(look: Look) -> Rows:
        key = key_unless([(found.words[0], texts_in[0]), (found.words[1], texts_in[1])], look)
        return Rows(titles, 1, look, key=key, gap=5)

    below = below_px(look)
    stack, look, need = stacked(look, make, below)
    key = stack.key
    records, texts = [], []
    for index, row in enumerate(table.to_dict("records")):
        left, right = found.left[index], found.right[index]
        for start, end, fill in ((left, today, better), (today, right, worse)):
            if end > start:
                tip = {"input": row["words"], "from": show(start), "to": show(end)}
                records.append({"row": index, "bar": 0, "start": start, "end": end, "fill": fill} | tip)
        texts.append({"row": index, "bar": 0, "x": left, "t": found.left_words[index], "side": "left"})
        texts.append({"row": index, "bar": 0, "x": right, "t": found.right_words[index], "side": "right"})
    room = max(ems(text["t"]) for text in texts) * look.px.label * SAFE + 12
    scale = alt.Scale(domain=[low, high], range=[room, alt.ExprRef(f"width - {room:.0f}")], nice=False, zero=False)
    axis = _axis(low, high, of, chosen.unit)

    def x(field):
        return alt.X(f"{field}:Q", scale=scale, axis=axis)

    tooltip = [alt.Tooltip("input:N"), alt.Tooltip("from:N"), alt.Tooltip("to:N")]
    layers = [stack.rects(records, x, tooltip=tooltip)] if records else []
    layers += stack.crossing([{"row": row, "x": today} for row in range(len(table))], x)
    for side, align, dx in (("left", "right", -6), ("right", "left", 6)):
        mine = [text for text in texts if text["side"] == side]
        label = place(mine, look, look.px.label, palette.ink, align=align, dx=dx)
        label = label.transform_calculate(y=f"{stack.bar_top()} + bar / 2")
        layers.append(label.encode(x=x("x"), y=stack.y("y"), text="t:N"))
    layers += [*stack.titles(), *key.layers]
    return Plot(layers, key.params | stack.params, max(90 + 52 * len(table), need), 0, below)


def _labels(table: pd.DataFrame, of: str) -> Callable[[float], str]:
    """Texts of the ends, all with the digits that tell each end from today where the bars do."""
    today, ends = float(table["now"].iloc[0]), [*table["at_low"], *table["at_high"]]
    show = show_time if of == "time" else show_ratio
    span = max(ends) - min(ends)
    for more in range(3):
        apart = [end for end in ends if abs(end - today) > 0.05 * span]
        if all(show(end, more=more) != show(today, more=more) for end in apart):
            break
    return partial(show, more=more)


@dataclass(frozen=True)
class Ticks:
    """Ticks of the answer, which need not start at 0: a tornado shows differences. at, step: in s, or ratios; unit: how
    much of that one of the axis' own unit is, called ``word`` below it and ``sign`` in a heading.
    """

    at: tuple[float, ...]
    step: float
    unit: float
    digits: int
    word: str
    sign: str


def ticks_of(low: float, high: float, of: str, sign: str = "") -> Ticks:
    """Round ticks between two answers. sign: of the unit a reader wants."""
    if of == "speedup":
        steps = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100)
        step = next((s for s in steps if (high - low) / s <= 6), steps[-1])
        unit, word, digits = 1.0, "speed-up of the task", 2 if step < 0.1 else 1 if step < 1 else 0
    else:
        unit, word = time_unit(high, sign)
        step = (time_ticks((high - low) / unit, 6)[0] + [(high - low) / unit])[1] * unit
        digits = max(0, -math.floor(math.log10(step / unit) + 1e-9))
    whole = range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
    at = tuple(float(f"{i * step:.10g}") for i in whole)
    return Ticks(at, float(step), unit, digits, word, SIGNS.get(word, TIMES))


def _axis(low: float, high: float, of: str, sign: str) -> alt.Axis:
    ticks = ticks_of(low, high, of, sign)
    expression = f"format(datum.value / {ticks.unit:g}, ',.{ticks.digits}f')"
    expression += f" + '{TIMES}'" if of == "speedup" else ""
    return x_axis(ticks.word, values=list(ticks.at), labelExpr=expression, grid=True, labelOverlap=True)
