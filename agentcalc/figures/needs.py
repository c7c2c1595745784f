"""What each lever can buy of the time between today and a target: one bar a lever, smallest change first."""

from __future__ import annotations

from functools import partial

import altair as alt
import pandas as pd

from agentcalc.analysis.goals import runs_words
from agentcalc.analysis.needs import Needs, card
from agentcalc.analysis.solving import NEEDED, Solution
from agentcalc.figures.axes import time_ticks, x_axis
from agentcalc.figures.figure import Figure
from agentcalc.figures.frame import Plot, below_px, rows
from agentcalc.figures.marks import SAFE, place
from agentcalc.figures.measure import ems
from agentcalc.figures.rows import Rows, key_unless, lines_but_zero, room_for, stacked
from agentcalc.figures.settable import Named, Settable
from agentcalc.figures.theme import Look
from agentcalc.figures.words import About
from agentcalc.units import NBSP, counted, show_count, show_time

MOST, FEW = 8, 5


def title(needs: Needs) -> str:
    """The finding: the smallest change that does it, or that none does."""
    target = show_time(needs.under_s)
    if needs.now <= needs.under_s:
        return f"{needs.name} already finishes {runs_words(needs.by)} in {show_time(needs.now)}"
    if needs.answers:
        return f"{_capital(card(needs.answers[0]))} would bring {needs.name} under {target}"
    return f"No single change brings {needs.name} under {target}"


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def does(solution: Solution) -> bool:
    """Whether a lever gets to the target without moving too far."""
    return solution.status == NEEDED and not card(solution).startswith("not ")


def reached_s(solution: Solution) -> float:
    """Seconds that a lever gets to: about the target where it does it, else its best; today's where it need not."""
    if solution.status == NEEDED and solution.reached is not None:
        return solution.reached
    return solution.now if solution.best is None or solution.now <= solution.limit else solution.best


def table(needs: Needs) -> pd.DataFrame:
    """One row a lever, in the order of the bars: lever, title, words, status, today, needed, unit, now_s, reached_s,
    under_s, by. needed: NaN where no value does it.
    """
    found = [
        {
            "lever": s.lever.id,
            "title": s.lever.title,
            "words": card(s),
            "status": s.status,
            "today": s.today,
            "needed": float("nan") if s.value is None else s.value,
            "unit": s.lever.unit,
            "now_s": s.now,
            "reached_s": reached_s(s),
            "under_s": needs.under_s,
            "by": needs.by,
        }
        for s in needs.solutions
    ]
    return pd.DataFrame(found)


def figure(needs: Needs, about: About) -> Figure:
    """One bar a lever, as long as today's time, with what the lever buys of it at its end; the target as a line.

    Raises ValueError where no lever changes anything.
    """
    if not needs.solutions:
        raise ValueError("no lever changes anything")
    rest = len(needs.solutions) - MOST
    subtitle = (
        f"{_capital(runs_words(needs.by))} of {show_count(about.trials)} on {needs.name}: what each change by itself "
        f"buys. {about.of_model}."
    )
    subtitle += f" + {counted(rest, 'other')}." if rest > 0 else ""
    each = "; ".join(f"{s.lever.title}: {_words(s)}" for s in needs.solutions[:MOST])
    alt_words = (
        f"{title(needs)}. Today {show_time(needs.now)}, target {show_time(needs.under_s)}. {each}. One bar a lever, "
        "the smallest change first, with the target as a line."
    )
    draw = partial(plot, needs)
    return Figure("needs", title(needs), subtitle, about.source, alt_words, table(needs), draw, settable=settable)


def settable() -> Settable:
    """What can be set: the colours of what is bought and of what stays."""
    return Settable((Named("bought", "side", slot="candidate"), Named("stays", "side", slot="fill:tool")))


def _words(solution: Solution) -> str:
    """ "35% less tool time: 39 s on average instead of 60 s" where it does it, "not by faster writing: it would take
    about 3,400 tok/s instead of 700" where it would have to move too far, "not by a sooner first token: 29 s at best"
    where it cannot.
    """
    lever, said = solution.lever, card(solution)
    if solution.status == NEEDED and lever.factor:
        would = "" if does(solution) else "it would take "
        there = f"{lever.show(solution.value, about=True)}{lever.often}"
        return f"{said}: {would}{there} instead of {lever.show(solution.today)}"
    if solution.status == NEEDED or solution.now <= solution.limit:
        return said
    return f"{said}: {show_time(reached_s(solution))} at best"


def plot(needs: Needs, look: Look) -> Plot:
    """Layers of the bars: grey stays, green is bought."""
    palette = look.palette
    titles = [_capital(_words(s)) for s in needs.solutions]
    shown = needs.solutions[: room_for(titles, look, MOST, FEW)]
    tools = palette.fills["tool"]
    met = needs.now <= needs.under_s
    colour = "Coloured" if look.chosen.colours else "Green"
    bought = f"{colour}: bought of today's {show_time(needs.now)}, pale where it is not enough or the change too large"
    lines = [] if met else [(bought, palette.name("candidate"))]
    lines.append((f"Line: the target, {show_time(needs.under_s)}", palette.ink))
    below = below_px(look)
    stack, look, need = stacked(
        look, lambda look: Rows(titles[: len(shown)], 1, look, key=key_unless(lines, look), gap=8), below
    )
    key = stack.key
    records, texts = [], []
    for row, s in enumerate(shown):
        left = min(reached_s(s), needs.now)
        at = {"row": row, "bar": 0}
        tip = {"lever": s.lever.title, "words": _words(s)}
        if left > 0:
            records.append(at | {"start": 0.0, "end": left, "fill": tools.fill} | tip)
        if needs.now > left:
            fill = palette.candidate if does(s) else palette.candidate_tint
            records.append(at | {"start": left, "end": needs.now, "fill": fill} | tip)
        text = show_time(needs.under_s if s.status == NEEDED else left)
        texts.append(at | {"t": f"under{NBSP}{text}" if does(s) else text})
    wide = max(ems(text["t"], bold=True) for text in texts) * look.px.label * SAFE
    high = max(needs.now, needs.under_s)
    scale = alt.Scale(domain=[0, high], range=[0, alt.ExprRef(f"width - {wide + 14:.0f}")], nice=False)
    ticks, label, word = time_ticks(high)
    axis = x_axis(
        word,
        values=ticks,
        labelExpr=label,
        **lines_but_zero(look),
    )

    def x(field):
        return alt.X(f"{field}:Q", scale=scale, axis=axis)

    tooltip = [alt.Tooltip("lever:N"), alt.Tooltip("words:N", title="change")]
    layers = [stack.rects(records, x, tooltip=tooltip)]
    # Grey by itself is hard to see on white: what stays has an outline, as tools have everywhere.
    outlines = [record for record in records if record["fill"] == tools.fill]
    outline = rows(outlines).transform_calculate(y=stack.bar_top(), y2=f"{stack.bar_top()} + bar")
    outline = outline.mark_rect(filled=False, stroke=tools.outline, strokeWidth=1)
    layers.append(outline.encode(x=x("start"), x2="end:Q", y=stack.y("y"), y2="y2:Q"))
    layers += stack.crossing([{"row": row, "x": needs.under_s} for row in range(len(shown))], x)
    value = place(texts, look, look.px.label, palette.ink, fontWeight="bold", dx=7)
    value = value.transform_calculate(y=f"{stack.bar_top()} + bar / 2", x=f"{needs.now!r}")
    layers.append(value.encode(x=x("x"), y=stack.y("y"), text="t:N"))
    layers += [*stack.titles(), *key.layers]
    return Plot(layers, key.params | stack.params, max(110 + 52 * len(shown), need), 0, below)
