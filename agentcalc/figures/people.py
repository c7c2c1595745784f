"""Into which bands of attention the waits of a person fall, on each system."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import altair as alt

from agentcalc.analysis.banded import show_number
from agentcalc.analysis.people import OfSystem, People, band_words
from agentcalc.analysis.people_words import one_wait, people_line
from agentcalc.figures.axes import x_axis
from agentcalc.figures.figure import Figure
from agentcalc.figures.frame import Plot, below_px, key_columns, rows
from agentcalc.figures.marks import SAFE, place
from agentcalc.figures.measure import ems
from agentcalc.figures.rows import Rows, lines_but_zero, stacked
from agentcalc.figures.settable import Named, Settable, names
from agentcalc.figures.theme import SEEN, Look, blend, contrast, ink_on
from agentcalc.figures.words import About
from agentcalc.units import counted, show_count, show_share


def title(found: People) -> str:
    """The finding."""
    return people_line(found, bands=False).partition("; an instant model")[0].removesuffix(".")


MOST_SYSTEMS = 6


def figure(found: People, about: About) -> Figure:
    """One bar for each of the first six systems, cut into bands of waits from the shortest to the longest; the instant
    model last. The table has all systems.
    """
    table, rest = found.table(), len(found.systems) - MOST_SYSTEMS
    found = replace(found, systems=found.systems[:MOST_SYSTEMS])
    ends = "the first token of the last call" if found.streaming else "the answer"
    what = "Shares of runs by how long a person waits" if one_wait(found) else "Shares of waits by their length"
    subtitle = f"{show_count(found.trials)} runs. {about.of_model}. {what} for {ends}."
    subtitle += f" + {counted(rest, 'system')}, not drawn." if rest > 0 else ""
    said = "; ".join(f"{one.name}: {_shares(found, one)}" for one in (*found.systems, found.instant))
    alt_words = f"{title(found)}. {said}. Bars cut into bands of waits, the longest waits last and darkest."
    draw, can = partial(plot, found), partial(settable, found)
    return Figure("people", title(found), subtitle, about.source, alt_words, table, draw, settable=can)


def settable(found: People) -> Settable:
    """What can be set: the systems, their order, and the colour of the longest waits."""
    longest = Named("longest waits", "side", slot="fill:attention")
    return Settable((*names("system", [one.name for one in found.systems]), longest), ("system",))


def _shares(found: People, one: OfSystem) -> str:
    total = sum(number.value for number in one.by_band) or 1.0
    words = [band_words(low, high) for low, high in found.bands]
    return ", ".join(f"{show_share(n.value / total)} {w}" for n, w in zip(one.by_band, words, strict=True) if n.value)


LOW = 0.86
"""How far down in a bar what is unknown is drawn: below the share that is written in it."""


def colours(count: int, look: Look) -> list[str]:
    """One colour a band: paler is shorter, the longest waits in the colour of what is lost."""
    palette = look.palette
    lost = palette.fills["attention"].fill
    greys = [blend(palette.baseline, palette.background, 0.12 + 0.6 * i / max(count - 2, 1)) for i in range(count - 1)]
    return [*greys, lost]


def plot(found: People, look: Look) -> Plot:
    """Layers of the bars."""
    palette = look.palette
    chosen = look.chosen
    by_name = {one.name: one for one in found.systems}
    told = [by_name[name] for name in chosen.arranged(by_name)] if chosen.order else found.systems
    systems = [*told, found.instant]
    words = [band_words(low, high) for low, high in found.bands]
    fills = colours(len(words), look)
    titles = [_row_title(found, one, chosen.name(one.name)) for one in systems]
    below, legend = below_px(look), len(words) * (1.2 * look.px.label + 4) + 12
    columns = key_columns(words, look)
    stack, look, need = stacked(look, lambda look: Rows(titles, 1, look, gap=14), below + legend)
    records, texts, bands = [], [], []
    for row, one in enumerate(systems):
        total = sum(number.value for number in one.by_band)
        at = 0.0
        for number, word, fill in zip(one.by_band, words, fills, strict=True):
            share = number.value / total if total else 0.0
            if share <= 0:
                continue
            place_at = {"row": row, "bar": 0}
            record = place_at | {"start": at, "end": at + share, "band": word, "system": chosen.name(one.name)}
            records.append(record | {"share": show_share(share), "waits": show_number(number.value)})
            ink = ink_on(fill)
            texts.append(place_at | {"x": at + share / 2, "span": share, "t": show_share(share), "ink": ink})
            at += share
        kept = one.kept
        if total and not kept.known and kept.high - kept.low > 0.004 * total:
            ends = sorted((1 - min(kept.high / total, 1.0), 1 - kept.low / total))
            bands.append({"row": row, "bar": 0, "low": ends[0], "high": ends[1], "colour": palette.ink})
    axis = x_axis(
        "of runs" if one_wait(found) else "of all waits",
        values=[0, 0.25, 0.5, 0.75, 1],
        format=".0%",
        **lines_but_zero(look),
    )
    scale = alt.Scale(domain=[0, 1], nice=False)

    def x(field):
        return alt.X(f"{field}:Q", scale=scale, axis=axis)

    # The palest is hard to see by itself. A second key, of the outlines, is not joined to this one by every Vega-Lite.
    outline, ground = palette.fills["tool"].outline, palette.background
    edges = [ground if contrast(fill, ground) >= SEEN else outline for fill in fills]
    key = alt.Legend(
        title=None, orient="top", direction="horizontal", columns=columns, symbolOpacity=1, symbolStrokeColor=outline
    )
    tooltip = [alt.Tooltip("system:N"), alt.Tooltip("band:N", title="wait"), alt.Tooltip("share:N")]
    bar = stack_rects(records, stack, x, words, fills, key, tooltip, edges)
    wide = ems("100%") * look.small * SAFE + 8
    label = place(texts, look, look.small, palette.ink, align="center").transform_calculate(
        y=f"{stack.bar_top()} + bar / 2",
        shown=f"bar > {look.small:.0f} && datum.span * width > {wide:.0f} ? datum.t : ''",
    )
    ink = alt.Color("ink:N", scale=None, legend=None)
    layers = [bar, label.encode(x=x("x"), y=stack.y("y"), text="shown:N", color=ink), *stack.capped(bands, x, LOW)]
    layers += stack.titles()
    return Plot(layers, stack.params, max(110 + 66 * len(systems), need), 0, below)


def stack_rects(records, stack: Rows, x, words, fills, key, tooltip, edges) -> alt.Chart:
    """Segments with a key of their bands."""
    edge = dict(zip(words, edges, strict=True))
    chart = rows([record | {"edge": edge[record["band"]]} for record in records]).transform_calculate(
        y=stack.bar_top(), y2=f"{stack.bar_top()} + bar"
    )
    scale = alt.Scale(domain=words, range=fills)
    return chart.mark_rect(strokeWidth=1).encode(
        x=x("start"),
        x2="end:Q",
        y=stack.y("y"),
        y2="y2:Q",
        fill=alt.Fill("band:N", scale=scale, legend=key),
        stroke=alt.Stroke("edge:N", scale=None, legend=None),
        tooltip=tooltip,
    )


def _row_title(found: People, one: OfSystem, called: str) -> str:
    """A system and how often it keeps a person waiting."""
    name = called[0].upper() + called[1:]
    if one_wait(found):
        return name
    return f"{name}: {show_number(1000 * one.kept.value)} long waits in 1,000 runs"
