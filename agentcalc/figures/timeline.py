"""Where the seconds of one run go on each system: a bar a system, joined where each step ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import altair as alt
import pandas as pd

from agentcalc.analysis.segments import Segment, Segments, seconds_by
from agentcalc.figures.axes import time_axis
from agentcalc.figures.bars import Bars, Condensed, Laned, Piece, condensed, laned
from agentcalc.figures.chosen import NOTHING, Chosen
from agentcalc.figures.figure import Figure
from agentcalc.figures.frame import Plot, below_px, rows
from agentcalc.figures.marks import either, fitting, place
from agentcalc.figures.settable import Axis, Settable, kinds, names, systems
from agentcalc.figures.theme import Look
from agentcalc.figures.words import (
    BAR_WORDS,
    COMPONENT_WORDS,
    About,
    from_to,
    pair,
    run_time,
    series,
)
from agentcalc.units import counted, show_share

MOST_SYSTEMS = 6
MOST_LINES = 60
LABELS_A_KIND = 3
KEY_ORDER = ("overhead", "ttft", "decode", "tool", "human", "refill", "retry", "attention")

Band = tuple[float, float]


@dataclass(frozen=True)
class Run:
    """One run as the figure draws it: systems top to bottom, their ends in seconds, and the candidate's band."""

    segments: dict[str, tuple[Segment, ...]]
    """Those that take time, by system."""
    order: tuple[str, ...]
    labels: dict[str, str]
    roles: dict[str, str]
    ends: dict[str, float]
    band: Band | None
    base_band: Band | None
    steps: dict[str, list[float]]
    """When each step ends on a system, 0 first."""
    names: tuple[str, ...] = ()
    """What each step is called: as its first call, as its fork, or else as what it waits for."""

    @property
    def baseline(self) -> str:
        return self._in_role("baseline")

    @property
    def candidate(self) -> str:
        """The candidate; where there is none, the baseline."""
        return self._in_role("candidate")

    def _in_role(self, role: str) -> str:
        return next((system for system in self.order if self.roles[system] == role), self.order[0])

    @property
    def longest(self) -> float:
        return max([*self.ends.values(), *(high for _, _, high in self.bands)]) or 1.0

    @property
    def bands(self) -> list[tuple[str, float, float]]:
        """(system, low, high) of the bands wide enough to be seen."""
        least = 0.01 * max(self.ends.values())
        found = {self.baseline: self.base_band, self.candidate: self.band}
        return [(system, *band) for system, band in found.items() if band and band[1] - band[0] >= least]

    @property
    def b(self) -> float:
        return self.ends[self.baseline]

    @property
    def c(self) -> float:
        return self.ends[self.candidate]

    @property
    def case(self) -> str:
        return verdict(self.b, self.c, self.band, self.base_band)

    def seconds(self, system: str, component: str) -> float:
        """Seconds of a component on a system's critical path."""
        return self._spent.get((system, component), 0.0)

    @cached_property
    def _spent(self) -> dict[tuple[str, str], float]:
        path = (part for mine in self.segments.values() for part in mine if part.critical)
        return seconds_by(path, lambda part: (part.system, part.component))

    @cached_property
    def pieces(self) -> dict[str, Condensed]:
        """What is drawn of the segments, by system."""
        return {system: condensed(placed.pieces) for system, placed in self._laned.items()}

    @property
    def hidden(self) -> int:
        """How many of the baseline's branches are not drawn."""
        return self._laned[self.baseline].hidden

    @cached_property
    def _laned(self) -> dict[str, Laned]:
        return {system: laned(mine) for system, mine in self.segments.items()}


def read(
    timeline: pd.DataFrame | Segments,
    baseline: str,
    candidate: str,
    band: Band | None = None,
    base_band: Band | None = None,
) -> Run:
    """Systems in the order drawn: baseline on top, candidate below, up to four others between."""
    run = Segments.of(timeline)
    others = [s for s in run.systems if s not in (baseline, candidate)]
    order = (baseline, *others[: MOST_SYSTEMS - 2], *([candidate] if candidate != baseline else []))
    labels = {system: run.label(system) for system in order}
    mine = {system: [part for part in run.all if part.system == system] for system in order}
    ends = {}
    for system, parts in mine.items():
        path = [part.end_s for part in parts if part.critical]
        ends[system] = max(path or [part.end_s for part in parts])
    lasting = {system: tuple(part for part in parts if part.end_s > part.start_s) for system, parts in mine.items()}
    roles = {s: "baseline" if s == baseline else "candidate" if s == candidate else "other" for s in order}
    steps = {system: run.ends(system) for system in order}
    return Run(lasting, order, labels, roles, ends, band, base_band, steps, _step_names(run))


def _step_names(run: Segments) -> tuple[str, ...]:
    found: dict[int, Segment] = {}
    for part in run.all:
        step = run.stages[part.event]
        leads = part.kind == "model_call" or bool(part.branch)
        if step not in found or (leads and found[step].kind != "model_call" and not found[step].branch):
            found[step] = part
    return tuple(part.branch.partition("[")[0] or part.name for _, part in sorted(found.items()))


def verdict(b: float, c: float, band: Band | None, base_band: Band | None = None) -> str:
    """What one run of b and c seconds, each in its band, allows to say: "unknown", "close", "slower" or "faster"."""
    ratio = b / c if c else float("inf")
    (c_low, c_high), (b_low, b_high) = band or (c, c), base_band or (b, b)
    spans = c_low < b_high and b_low < c_high and (band is not None or base_band is not None)
    if spans and (ratio >= 1.15 or ratio <= 0.87):
        return "unknown"
    if spans or abs(ratio - 1) < 0.03:
        return "close"
    return "faster" if ratio > 1 else "slower"


def title(run: Run) -> str:
    """The finding, by the run's case."""
    base, cand = run.labels[run.baseline], run.labels[run.candidate]
    if len(run.order) == 1:
        return f"{base} takes {run_time(run.b)}"
    times = pair(run.b, run.c)
    case = run.case
    between = from_to(*run.band) if run.band else times.c
    if case == "unknown":
        return f"Not known yet: {cand} takes {between}, {base} {times.b}"
    if case == "close":
        return f"Too close to call: {times.b} on {base}, {between} on {cand}"
    if case == "slower":
        return f"{base} finishes first: {times.b} instead of {times.c} on {cand}"
    grey = {c: run.seconds(run.baseline, c) for c in ("tool", "human")}
    if run.b < 1.25 * sum(grey.values()):
        words = {"tool": "tools take", "human": "people take"}
        said = [words[c] for c in grey if grey[c] > 0]
        who = said[0] if len(said) == 1 else "tools and people take"
        share = show_share(sum(grey.values()) / run.b)
        return f"Faster calls hardly help here: {times.c} instead of {times.b}; {who} {share}"
    return f"{cand} finishes {times.difference} sooner: {times.c} instead of {times.b}"


def facts(run: Run, about: About) -> str:
    """What the run consists of: "8 calls to DeepSeek R1, 21.5 s of tools"."""
    calls = len({part.event for part in run.segments[run.baseline] if part.kind == "model_call"})
    words = [counted(calls, "call") + (f" to {about.model}" if about.model else "")]
    for component, what in (("tool", "of tools"), ("human", "of waiting for a person")):
        seconds = run.seconds(run.baseline, component)
        if seconds > 0:
            words.append(f"{run_time(seconds)} {what}")
    return ", ".join(words)


def subtitle(run: Run, about: About) -> str:
    """What is shown: "One run of 10,000. Coding agent: 8 calls to DeepSeek R1, 21.5 s of tools.", and what is not."""
    merged, hidden = run.pieces[run.baseline].merged, run.hidden
    beside = any(not piece.critical for piece in run.pieces[run.baseline].pieces)
    more = " Pale: beside the critical path." if beside else ""
    more += f" + {counted(merged, 'shorter step')}, drawn together." if merged else ""
    more += f" + {counted(hidden, 'branch', 'branches')}, not drawn." if hidden else ""
    return f"{about.one_run} {about.task}: {facts(run, about)}.{more}"


def alt_text(run: Run) -> str:
    """Title, the two values and their ratio, and the shape in one clause."""
    if len(run.order) == 1:
        return f"{title(run)}. One bar over time."
    ratio = f", a ratio of {run.b / run.c:.2f}" if run.c else ""
    bars = {2: "Two", 3: "Three", 4: "Four", 5: "Five", 6: "Six"}[len(run.order)]
    base, cand, times = run.labels[run.baseline], run.labels[run.candidate], pair(run.b, run.c)
    parts = series([COMPONENT_WORDS[c] for c in present(run)])
    return (
        f"{title(run)}. {base} {times.b}, {cand} {times.c}{ratio}. "
        f"{bars} bars over time, cut into {parts}; lines join where each step ends."
    )


def figure(
    timeline: pd.DataFrame,
    baseline: str,
    candidate: str,
    about: About,
    *,
    band: Band | None = None,
    base_band: Band | None = None,
    segments: Segments | None = None,
) -> Figure:
    """The timeline of one run, from ``Comparison.timeline``.

    band, base_band: low and high seconds of the candidate's and the baseline's end over what is unknown about each;
    segments: those of the timeline, where they are made already.
    """
    run = read(timeline if segments is None else segments, baseline, candidate, band, base_band)
    return Figure(
        "timeline", title(run), subtitle(run, about), about.source, alt_text(run), timeline,
        partial(plot, run), run, partial(settable, run),
    )  # fmt: skip


def settable(run: Run) -> Settable:
    """What can be set: systems, kinds of time and steps, and how far its axis reaches."""
    steps = {piece.name for found in run.pieces.values() for piece in found.pieces}
    found = [*systems((run.labels[s], s, run.roles[s]) for s in run.order), *kinds(present(run))]
    return Settable(
        (*found, *names("step", sorted(steps))),
        ("system",),
        x=Axis("task time", 0.0, run.longest, time=True, bars="zero"),
    )


def present(run: Run) -> list[str]:
    """Components that take time on any system, in the order of the key."""
    seen = {part.component for mine in run.segments.values() for part in mine}
    return [component for component in KEY_ORDER if component in seen]


def plot(run: Run, look: Look) -> Plot:
    """Layers of the timeline."""
    chosen = look.chosen
    if chosen.order:
        by_label = {label: system for system, label in run.labels.items()}
        run = replace(run, order=tuple(by_label[label] for label in chosen.arranged(by_label)))
    span = chosen.span("x", 0, run.longest)
    axis = time_axis(span.high, " since the request", chosen.unit)
    x = {"scale": alt.Scale(domain=span.domain, nice=False, zero=True), "axis": axis}
    bars = Bars(run.order, run.roles, run.labels, {s: end_words(run, s) for s in run.order}, look, x, span.high)
    layers = [
        *_gap(run, look, bars),
        *_fan(run, look, bars),
        *_segments(run, look, bars),
        *_mark(run, look, bars),
        *_numbers(run, look, bars),
        *_band(run, look, bars),
        *bars.names(),
        *bars.ends(run.ends),
    ]
    parts, long = len(present(run)), bars.long_names
    height = 236 + 34 * max(0, parts - 2) + 104 * max(0, len(run.order) - 2) + (18 * len(run.order) if long else 0)
    return Plot(layers, bars.params(), height, 0, below_px(look))


def end_words(run: Run, system: str) -> str:
    """The end of a system's bar; those of the pair subtract by hand."""
    if system in (run.baseline, run.candidate) and len(run.order) > 1:
        times = pair(run.b, run.c)
        return times.b if system == run.baseline else times.c
    return run_time(run.ends[system])


def _gap(run: Run, look: Look, bars: Bars) -> list[alt.Chart]:
    """The time gained, tinted to the right of the earlier bar; not where it is too close to call."""
    case = run.case
    if len(run.order) == 1 or case in ("close", "unknown"):
        return []
    early = run.candidate if case == "faster" else run.baseline
    return bars.gained(early, run.ends[early], max(run.b, run.c), f"{pair(run.b, run.c).difference} sooner")


def _mark(run: Run, look: Look, bars: Bars) -> list[alt.Chart]:
    """Where it is too close to call, the baseline's end drawn down to the candidate's band, through no bar's words."""
    if len(run.order) == 1 or run.case not in ("close", "unknown"):
        return []
    first, last = sorted(run.order.index(system) for system in (run.baseline, run.candidate))
    between = [{"x": run.b, "row": row, "end": row + 1} for row in range(first, last)]
    ends = f"datum.end > {last} ? {bars.bottom(str(last))} + 8 : {bars.top('datum.end')}"
    chart = rows([*between, {"x": run.b, "row": last, "end": last + 1}])
    chart = chart.transform_calculate(y=bars.bottom("datum.row"), y2=ends)
    rule = chart.mark_rule(color=look.palette.ink, strokeDash=[4, 4], strokeWidth=1.5)
    return [rule.encode(x=bars.x("x"), y=bars.y("y"), y2="y2:Q")]


def _fan(run: Run, look: Look, bars: Bars) -> list[alt.Chart]:
    """Thin lines that join the end of each step on neighbouring rows."""
    ends = run.steps
    steps = longest_steps(ends[run.baseline])
    records = [
        {"x": ends[a][step], "x2": ends[b][step], "row": i, "next": i + 1}
        for i, (a, b) in enumerate(zip(run.order, run.order[1:], strict=False))
        for step in steps
    ]
    if not records:
        return []
    chart = rows(records).transform_calculate(y=bars.bottom("datum.row") + " + 3", y2=bars.top("datum.next") + " - 3")
    rule = chart.mark_rule(color=look.palette.axis, strokeWidth=1)
    return [rule.encode(x=bars.x("x"), x2="x2:Q", y=bars.y("y"), y2="y2:Q")]


def longest_steps(ends: list[float]) -> list[int]:
    """Steps that are joined by a line: the longest, and the last."""
    steps = list(range(1, len(ends)))
    if len(steps) <= MOST_LINES:
        return steps
    longest = sorted(steps, key=lambda s: ends[s - 1] - ends[s])[: MOST_LINES - 1]
    return sorted({*longest, steps[-1]})


def _numbers(run: Run, look: Look, bars: Bars) -> list[alt.Chart]:
    """Numbers of the steps between the first two rows, only where at least half of them fit."""
    ends = run.steps
    steps = range(1, len(ends[run.baseline]))
    if len(run.order) < 2 or not 1 < len(steps) <= MOST_LINES:
        return []
    a, b = ends[run.order[0]], ends[run.order[1]]
    at = 0.32
    widest = max(steps, key=lambda s: (a[s] - a[s - 1]) * (1 - at) + (b[s] - b[s - 1]) * at)
    records = []
    for step in steps:
        left, right = (a[s] * (1 - at) + b[s] * at for s in (step - 1, step))
        # What the numbers are is told once, where there is most room. A name is told where it begins: the turns of a
        # loop have one name.
        number = f"step {step}" if step in (1, widest) else str(step)
        named = run.names[step - 1] if step == 1 or run.names[step - 1] != run.names[step - 2] else ""
        words = either(
            f"{number}, {look.chosen.name(named)}" if named else number, number if step == 1 else str(step), look.small
        )
        lean = max(abs(a[s] - b[s]) for s in (step - 1, step))
        records.append({"x": (left + right) / 2, "room": right - left, "lean": lean} | words)
    chart = (
        place(records, look, look.small * 0.97, look.palette.muted, align="center")
        # A number has height: between slanting lines it needs that much more room.
        .transform_calculate(
            px=f"(datum.room - datum.lean * {look.small} / fan) / {bars.longest} * width",
        )
        .transform_calculate(fits="datum.px > datum.short_px + 8 ? 1 : 0")
        .transform_joinaggregate(share="mean(fits)")
        .transform_calculate(
            shown=f"fan > {1.8 * look.small:.1f} && datum.share >= 0.5 ? ({fitting('datum.px', 8)}) : ''",
            y=f"{bars.bottom('0')} + {at} * fan",
        )
    )
    return [chart.encode(x=bars.x("x"), y=bars.y("y"), text="shown:N")]


def _segments(run: Run, look: Look, bars: Bars) -> list[alt.Chart]:
    palette, chosen = look.palette, look.chosen
    records, labels, part_words = [], [], chosen.words(COMPONENT_WORDS)
    for row, system in enumerate(run.order):
        pieces = run.pieces[system].pieces
        widest = widest_pieces(pieces)
        for i, piece in enumerate(pieces):
            seconds = piece.end_s - piece.start_s
            record = {
                "row": row,
                "start": piece.start_s,
                "end": piece.end_s,
                "low": piece.low,
                "high": piece.high,
                "component": piece.component,
                "part": part_words[piece.component],
                "step": chosen.name(piece.name),
                "time": run_time(seconds),
                "system": bars.labels[system],
                "opacity": 1.0 if piece.critical else 0.4,
            }
            records.append(record)
            if i in widest:
                label = either(*segment_words(piece, seconds, chosen), look.small)
                colour = palette.fills[piece.component].text
                labels.append(record | label | {"colour": colour, "middle": (record["start"] + record["end"]) / 2})
    found = bars.rects(records, present(run), part_words)
    if labels:
        chart = place(labels, look, look.small, palette.ink, align="center")
        chart = chart.transform_calculate(
            shown=f"(datum.high - datum.low) * bar < {1.25 * look.small:.1f} ? '' : "
            + fitting(f"(datum.end - datum.start) / {bars.longest} * width"),
            y=f"{bars.top('datum.row')} + (datum.low + datum.high) / 2 * bar",
        )
        colour = alt.Color("colour:N", scale=None, legend=None)
        found.append(chart.encode(x=bars.x("middle"), y=bars.y("y"), text="shown:N", color=colour))
    return found


def widest_pieces(pieces: Sequence[Piece]) -> set[int]:
    """Numbers of the pieces that are labelled: the longest of each component."""
    lengths: dict[str, list[tuple[float, int]]] = {}
    for i, piece in enumerate(pieces):
        if piece.critical:
            lengths.setdefault(piece.component, []).append((piece.start_s - piece.end_s, i))
    return {i for those in lengths.values() for _, i in sorted(those)[:LABELS_A_KIND]}


def segment_words(piece: Piece, seconds: float, chosen: Chosen = NOTHING) -> tuple[str, str]:
    """A label long and short: "writes 9.7 s" and "9.7 s"."""
    short = run_time(seconds)
    word = BAR_WORDS.get(piece.component)
    word = chosen.name(piece.name) if word is None else chosen.kinds.get(piece.component, word)
    return f"{word} {short}", short


def _band(run: Run, look: Look, bars: Bars) -> list[alt.Chart]:
    """What is unknown about a system: a thin capped bar on its end."""
    return [layer for band in run.bands for layer in bars.capped(*band)]
