"""Which of two systems finishes one call first, by the number of tokens it writes, over the task's own calls."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, partial

import altair as alt
import numpy as np
import pandas as pd

from agentcalc.analysis.break_even import Crossing, crossing, lines
from agentcalc.figures import cut
from agentcalc.figures.axes import log_ticks, noted, start, start_s, time_ticks, value_axis, value_extent, x_axis
from agentcalc.figures.chosen import Span
from agentcalc.figures.figure import Figure
from agentcalc.figures.frame import Plot, below_px, records, rows
from agentcalc.figures.marks import key_lines
from agentcalc.figures.settable import Axis, Settable, systems
from agentcalc.figures.theme import Look
from agentcalc.figures.words import About, run_time
from agentcalc.system import System
from agentcalc.units import NBSP, counted, show_count, show_share, show_tokens

MOST_RUG = 200
ROLES = {"a": "baseline", "b": "candidate"}
DRAWN = ("tokens", "seconds", "low_s", "high_s", "label")


SHORTEST_BAR = 0.004
"""Share of the longest length below which what is not known about a crossing is not drawn."""


@dataclass(frozen=True)
class Met:
    """Where two lines meet: tokens and seconds, and what is not known about the tokens, low to high; banded: whether
    that is wide enough to be drawn.
    """

    tokens: float
    seconds: float
    low: float
    high: float
    banded: bool


@dataclass(frozen=True)
class Meeting:
    """Two lines, where they meet, and the output lengths of the task's own calls."""

    table: pd.DataFrame
    names: dict[str, str]
    crossing: Crossing
    calls: np.ndarray
    uncached: float
    longest: float

    @cached_property
    def lines(self) -> dict[str, list[dict]]:
        """Rows of the table by role, as the lines are drawn."""
        drawn = records(self.table, ("role", *DRAWN))
        return {role: [{name: row[name] for name in DRAWN} for row in drawn if row["role"] == role] for role in ROLES}

    @cached_property
    def met(self) -> Met | None:
        """The crossing as it is drawn, or None where the lines do not meet within the longest length."""
        found, mine = self.crossing, self.lines["a"]
        if found.tokens is None or found.tokens > self.longest:
            return None
        seconds = float(np.interp(found.tokens, [row["tokens"] for row in mine], [row["seconds"] for row in mine]))
        low = 1.0 if found.low is None else found.low
        high = self.longest if found.high is None else min(found.high, self.longest)
        return Met(float(found.tokens), seconds, float(low), float(high), high - low > SHORTEST_BAR * self.longest)


def _told(row: dict) -> dict:
    """A point of a line in words."""
    return {"writes": counted(round(row["tokens"]), "token"), "takes": run_time(row["seconds"])}


def read(
    baseline: System,
    candidate: System,
    uncached_tokens: float,
    calls: np.ndarray,
    names: tuple[str, str] | None = None,
    context_tokens: float | None = None,
) -> Meeting:
    """calls: output tokens of the task's own calls; uncached_tokens, context_tokens: fresh tokens they read and their
    whole prompt, on average.
    """
    found = crossing(baseline, candidate, uncached_tokens, context_tokens)
    ends = [found.tokens, found.high, found.low]
    ends = [end for end in ends if end is not None]
    usual = float(np.percentile(calls, 90)) if len(calls) else 0.0
    near = [end for end in ends if end <= 5 * max(1000.0, usual)]
    longest = _round_up(max(1000.0, *(1.3 * end for end in near), 1.1 * usual))
    a, b = names or (baseline.label, candidate.label)
    table = lines(baseline, candidate, uncached_tokens, longest, context_tokens, labels=(a, b))
    return Meeting(table, {"a": a, "b": b}, found, np.asarray(calls, dtype=float), uncached_tokens, longest)


def _round_up(tokens: float) -> float:
    ticks, *_ = time_ticks(tokens / 1e3, 6)
    step = ticks[1] * 1e3
    return step * np.ceil(tokens / step - 1e-9)


def title(meeting: Meeting) -> str:
    """The finding."""
    found, names = meeting.crossing, meeting.names
    if found.tokens is None:
        at_worst = ""
        if found.high is not None:
            at_worst = f"; at worst only above about {show_tokens(found.high)}{NBSP}tokens"
        elif found.low is not None:
            at_worst = f"; at worst only below about {show_tokens(found.low)}{NBSP}tokens"
        return f"{names[found.first]} finishes every call first" + (at_worst or ", however short or long")
    undecided = float(found.undecided(meeting.calls).mean()) if len(meeting.calls) else 0.0
    if undecided > 0.5:
        return f"Too close to call: the two meet {_between(found)}, where {_of_calls(undecided)} lie"
    below = f"{names[found.first]} finishes a call first below about {show_tokens(found.tokens)}{NBSP}tokens"
    if not len(meeting.calls):
        return below
    return f"{below}; {_of_calls(float((meeting.calls < found.tokens).mean()))} are shorter"


def _of_calls(share: float) -> str:
    return f"{'none' if share == 0 else 'all' if share == 1 else show_share(share)} of this task’s calls"


def _between(found: Crossing) -> str:
    if found.low is None and found.high is None:
        return "anywhere, or at no length"
    if found.low is None:
        return f"anywhere up to about {show_tokens(found.high)}{NBSP}tokens"
    if found.high is None:
        return f"anywhere from about {show_tokens(found.low)}{NBSP}tokens up"
    return f"between about {show_tokens(found.low)} and {show_tokens(found.high)}{NBSP}tokens"


def figure(
    baseline: System,
    candidate: System,
    uncached_tokens: float,
    calls: np.ndarray,
    about: About,
    names: tuple[str, str] | None = None,
    context_tokens: float | None = None,
) -> Figure:
    """The break-even of two systems at the task's own uncached and context tokens; calls: answers its calls write."""
    meeting = read(baseline, candidate, uncached_tokens, calls, names, context_tokens)
    subtitle = (
        f"One call that reads {show_count(uncached_tokens)} fresh tokens. {about.of_model}. "
        + ("Marks below: the calls of this task." if len(calls) else "")
    ).strip()
    found = meeting.crossing
    at = "They do not meet." if found.tokens is None else f"They meet at about {show_tokens(found.tokens)} tokens."
    seconds = meeting.table["seconds"].to_numpy()
    last = {"a": seconds[len(seconds) // 2 - 1], "b": seconds[-1]}
    ends = ", ".join(f"{meeting.names[role]} {run_time(last[role])}" for role in ("a", "b"))
    alt_words = (
        f"{title(meeting)}. At {show_count(meeting.longest)} tokens {ends}, a ratio of {last['a'] / last['b']:.2f}. "
        f"Two straight lines over tokens written. {at}"
    )
    draw, can = partial(plot, meeting), partial(settable, meeting, (baseline.id, candidate.id))
    return Figure("break_even", title(meeting), subtitle, about.source, alt_words, meeting.table, draw, meeting, can)


def settable(meeting: Meeting, ids: tuple[str, str]) -> Settable:
    """What can be set: the two systems and both axes."""
    both = systems((meeting.names[side], id, role) for (side, role), id in zip(ROLES.items(), ids, strict=True))
    low, high = _extent(meeting)
    x, y = (
        Axis("tokens written", 1.0, meeting.longest, other=True),
        Axis("time of a call", low, high, other=True, time=True),
    )
    return Settable(tuple(both), x=x, y=y)


def _extent(meeting: Meeting) -> tuple[float, float]:
    """The shortest and the longest call that is drawn, in seconds."""
    drawn = [row for mine in meeting.lines.values() for row in mine]
    return min(row["low_s"] for row in drawn), max(row["high_s"] for row in drawn)


def key_words(meeting: Meeting) -> list[tuple[str, str]]:
    """Text and role of the two lines: who is first where."""
    found, names = meeting.crossing, meeting.names
    if found.tokens is None:
        other = "b" if found.first == "a" else "a"
        always = found.low is None and found.high is None
        return [
            (f"{names[found.first]} first{' at every length' if always else ''}", found.first),
            (names[other], other),
        ]
    below = f"{names[found.first]} first below about {show_tokens(found.tokens)}{NBSP}tokens"
    return [(below, found.first), (f"{names[found.last]} first above", found.last)]


def plot(meeting: Meeting, look: Look) -> Plot:
    """Layers of the break-even."""
    palette, chosen = look.palette, look.chosen
    if chosen.labels:
        meeting = replace(meeting, names={side: chosen.name(name) for side, name in meeting.names.items()})
    shortest, longest = _extent(meeting)
    xs = chosen.span("x", 0, meeting.longest, other_low=1.0)
    ys = chosen.span("y", 0, longest * 1.03, other_low=max(shortest, 1e-4) * 0.9)
    top = ys.high
    left = value_extent(top, look, ys, chosen.unit)
    key = key_lines([(text, palette.name(ROLES[role])) for text, role in key_words(meeting)], look, left)
    across = x_axis(
        noted("tokens written", start(xs), start_s(ys, chosen.unit)),
        values=_ticks(xs),
        format=",d",
        grid=False,
    )
    x_options = {"scale": alt.Scale(**xs.type, domain=xs.domain, nice=False), "axis": across}
    rug = round(0.8 * look.px.label)
    y_scale = alt.Scale(
        **ys.type,
        domain=ys.domain,
        range=[alt.ExprRef(f"height - {rug}"), alt.ExprRef(key.top)],
        nice=False,
        **({} if ys.given else {"zero": True}),
    )
    y_options = {"scale": y_scale, "axis": value_axis(top, left, ys, chosen.unit)}

    def x(field):
        return alt.X(f"{field}:Q", **x_options)

    def y(field):
        return alt.Y(f"{field}:Q", **y_options)

    layers = [*_tints(meeting, look, x, y, xs, ys)]
    tooltip = [alt.Tooltip("label:N", title="system"), alt.Tooltip("writes:N", title="a call that writes")]
    tooltip.append(alt.Tooltip("takes:N", title="takes"))
    for role, mine in meeting.lines.items():
        colour = palette.system(ROLES[role])
        mine = cut.denser(mine, "tokens", ("seconds", "low_s", "high_s"), xs)
        if max(row["high_s"] - row["low_s"] for row in mine) > 1e-9:
            band = rows(cut.area(mine, "tokens", "low_s", "high_s", xs, ys))
            band = band.mark_area(color=colour, opacity=0.28, line=False)
            layers.append(band.encode(x=x("tokens"), y=y("low_s"), y2="high_s:Q"))
        for piece in cut.lines(mine, "tokens", "seconds", xs, ys):
            told = {"label": meeting.names[role]}
            line = rows([row | _told(row) | told for row in piece])
            line = line.mark_line(color=colour, strokeWidth=3.5 if role == "b" else 3)
            layers.append(line.encode(x=x("tokens"), y=y("seconds"), tooltip=tooltip))
    calls = meeting.calls[(meeting.calls <= xs.high) & (meeting.calls >= xs.low)][:MOST_RUG]
    if len(calls):
        marks = rows([{"tokens": float(tokens)} for tokens in calls])
        marks = marks.mark_rule(color=palette.ink, strokeWidth=1, opacity=0.35)
        low, high = alt.value(alt.ExprRef("height")), alt.value(alt.ExprRef(f"height - {rug - 3}"))
        layers.append(marks.encode(x=x("tokens"), y=low, y2=high))
    layers += _dot(meeting, look, x, y, xs, ys)
    return Plot([*layers, *key.layers], key.params, 340, left, below_px(look))


def _ticks(xs: Span) -> list[float]:
    if xs.log:
        return [tick for tick in log_ticks(xs.low, xs.high) if tick >= 1]
    return [
        tick * 1e3 for tick in time_ticks(xs.high / 1e3, 6, xs.low / 1e3 if xs.cut else 0.0, "s" if xs.cut else "")[0]
    ]


def sides(meeting: Meeting) -> list[tuple[float, float, str]]:
    """Where a system is first for certain: (from, to) in tokens and its role; what is undecided is left out."""
    found = meeting.crossing
    if found.tokens is None:
        start = 0.0 if found.high is None else found.high
        spans = [(start, meeting.longest if found.low is None else found.low, found.first)]
    else:
        low = found.tokens if found.low is None and found.high is None else found.low or 0.0
        high = meeting.longest if found.high is None and found.low is not None else found.high or found.tokens
        spans = [(0.0, low, found.first), (high, meeting.longest, found.last)]
    ended = [(start, min(end, meeting.longest), role) for start, end, role in spans]
    return [(start, end, role) for start, end, role in ended if end > start]


def _tints(meeting: Meeting, look: Look, x, y, xs: Span, ys: Span) -> list[alt.Chart]:
    """The side each system wins, in its tint; what is undecided stays plain."""
    layers = []
    for first, last, role in sides(meeting):
        if xs.given:
            first, last = max(first, xs.low), min(last, xs.high)
        if last > first:
            tint = rows([{"start": first, "end": last, "low": ys.low if ys.given else 0.0, "high": ys.high}])
            tint = tint.mark_rect(color=look.palette.tint(ROLES[role]), opacity=0.75)
            layers.append(tint.encode(x=x("start"), x2="end:Q", y=y("low"), y2="high:Q"))
    return layers


def _dot(meeting: Meeting, look: Look, x, y, xs: Span, ys: Span) -> list[alt.Chart]:
    """The crossing, and the capped bar of what is not known about it."""
    met, found, palette = meeting.met, meeting.crossing, look.palette
    if met is None or not ys.inside(met.seconds):
        return []
    seconds, low, high = met.seconds, met.low, met.high
    hidden_low, hidden_high = low < xs.low, high > xs.high
    low, high, layers = max(low, xs.low), min(high, xs.high), []
    if high - low > SHORTEST_BAR * meeting.longest:
        bar = rows([{"low": low, "high": high, "s": seconds}]).mark_rule(color=palette.ink, strokeWidth=2.5)
        layers.append(bar.encode(x=x("low"), x2="high:Q", y=y("s")))
        ends = [
            end
            for end, open_end in (
                (low, found.low is None or hidden_low),
                (high, high == meeting.longest or hidden_high),
            )
            if not open_end
        ]
        if ends:
            caps = rows([{"x": end, "s": seconds} for end in ends])
            caps = caps.mark_tick(color=palette.ink, orient="vertical", thickness=2.5, size=14)
            layers.append(caps.encode(x=x("x"), y=y("s")))
    if not xs.inside(met.tokens):
        return layers
    dot = rows([{"x": met.tokens, "s": seconds}])
    dot = dot.mark_point(filled=True, size=130, color=palette.ink, opacity=1, stroke=palette.background, strokeWidth=2)
    return [*layers, dot.encode(x=x("x"), y=y("s"))]
