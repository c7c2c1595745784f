"""What shrinks and what stays: the seconds of each kind on two systems, joined by ribbons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import altair as alt
import pandas as pd

from agentcalc.analysis.segments import Segments
from agentcalc.figures.axes import time_axis
from agentcalc.figures.bars import Bars
from agentcalc.figures.chosen import Chosen
from agentcalc.figures.figure import Figure
from agentcalc.figures.frame import Plot, below_px, rows
from agentcalc.figures.marks import either, fitting, place
from agentcalc.figures.settable import Axis, Settable, kinds, systems
from agentcalc.figures.theme import GREY_FIRST, Look
from agentcalc.figures.timeline import Band, Run, read, verdict
from agentcalc.figures.words import COMPONENT_WORDS, LOST_WORDS, About, change, pair, run_time
from agentcalc.units import shown_seconds

PART_WORDS = COMPONENT_WORDS | {"human": "a person", "ttft": "first token", "refill": "lost cache", "retry": "retries"}
"""Short names for use inside a bar."""
ROLES = ("baseline", "candidate")
OF_COLOURS = " Coloured: a faster system can change it. Grey: it cannot."
DUST_S = 1e-9
"""Seconds that are added up differ by rounding where they are the same: less than this is no difference."""


@dataclass(frozen=True)
class Parts:
    """The numbers drawn: labels and the seconds of each component, by role."""

    labels: dict[str, str]
    seconds: dict[str, dict[str, float]]

    @classmethod
    def of(cls, table: pd.DataFrame) -> Parts:
        """From a table of :func:`tidy` or :func:`means`; what it does not name takes no time."""
        labels: dict[str, str] = {}
        seconds = {role: dict.fromkeys(GREY_FIRST, 0.0) for role in ROLES}
        columns = (table[name].tolist() for name in ("role", "label", "component", "seconds"))
        for role, label, component, spent in zip(*columns, strict=True):
            labels.setdefault(role, label)
            seconds[role][component] = spent
        return cls(labels, seconds)

    @property
    def b(self) -> dict[str, float]:
        return self.seconds["baseline"]

    @property
    def c(self) -> dict[str, float]:
        return self.seconds["candidate"]

    @property
    def present(self) -> list[str]:
        """Components that take time on either system, in the order drawn."""
        return [part for part in GREY_FIRST if self.b[part] > 0 or self.c[part] > 0]


def tidy(run: Run) -> pd.DataFrame:
    """Seconds of each component on each system's critical path: columns system, label, role, component, seconds."""
    pairs = [(system, component) for system in (run.baseline, run.candidate) for component in GREY_FIRST]
    return pd.DataFrame(
        {
            "system": [system for system, _ in pairs],
            "label": [run.labels[system] for system, _ in pairs],
            "role": [run.roles[system] for system, _ in pairs],
            "component": [component for _, component in pairs],
            "seconds": [run.seconds(system, component) for system, component in pairs],
        }
    )


def means(components: pd.DataFrame, baseline: str, candidate: str) -> pd.DataFrame:
    """The same table from the mean components of all runs (``Comparison.components``)."""
    table = components[components["system"].isin([baseline, candidate])].rename(columns={"mean_s": "seconds"})
    roles = {baseline: "baseline", candidate: "candidate"}
    table = table.assign(role=table["system"].map(roles))[["system", "label", "role", "component", "seconds"]]
    order = {name: i for i, name in enumerate(GREY_FIRST)}
    key = table["component"].map(order) + table["role"].map({"baseline": 0, "candidate": 100})
    return table.iloc[key.argsort()].reset_index(drop=True)


def title(parts: Parts, case: str) -> str:
    """The finding. case: of ``timeline.verdict``."""
    b, c = parts.b, parts.c
    whole_b, whole_c = sum(b.values()), sum(c.values())
    grey = [part for part in ("tool", "human") if b[part] > 0]
    stay = sum(b[part] for part in grey)
    who = {(): "", ("tool",): "tools", ("human",): "people", ("tool", "human"): "tools and people"}[tuple(grey)]
    if stay >= 0.8 * whole_b:
        grey_s = pair(stay, whole_b)
        return f"{who.capitalize()} take {grey_s.b} of {grey_s.c}: a faster system can only touch the rest"
    times = pair(whole_b, whole_c)
    saved = {part: b[part] - c[part] if abs(b[part] - c[part]) > DUST_S else 0.0 for part in b}
    best = max(saved, key=lambda part: saved[part])
    worst = min(saved, key=lambda part: saved[part])
    # A saving that is paid for elsewhere is said with its price.
    if case != "faster" or -saved[worst] > 0.1 * (whole_b - whole_c):
        return _both_ways(parts.labels["candidate"], saved, best, worst)
    comes = f"comes from {COMPONENT_WORDS[best]}"
    if best in LOST_WORDS:
        comes = f"was lost to {LOST_WORDS[best]} on {parts.labels['baseline']}"
    if saved[best] >= 0.9 * (whole_b - whole_c):
        how = "Nearly all"
    elif saved[best] >= 2 / 3 * (whole_b - whole_c):
        how = "Most"
    else:
        how = f"{run_time(saved[best])}"
        if how != times.difference:
            how += f" of the {times.difference} saved {comes}"
            return how + _staying(stay, who)
    return f"{how} of the time saved {comes}{_staying(stay, who)}"


def _staying(stay: float, who: str) -> str:
    return f"; {run_time(stay)} of {who} stay" if stay > 0 else ""


def _both_ways(candidate: str, saved: dict[str, float], best: str, worst: str) -> str:
    lost, gained = -saved[worst], saved[best]
    parts = []
    if lost > 0 and shown_seconds(lost, one_run=True) > 0:
        parts.append(f"loses {run_time(lost)} {_doing(worst)}")
    if gained > 0 and shown_seconds(gained, one_run=True) > 0:
        parts.append(f"gains {run_time(gained)} {_doing(best)}")
    return f"{candidate} {' and '.join(parts)}" if parts else "The time goes to the same things on both"


def _doing(component: str) -> str:
    words = COMPONENT_WORDS[component]
    return words if component in ("ttft", "decode", "human") else f"on {LOST_WORDS.get(component, words)}"


def figure(
    timeline: pd.DataFrame | Segments,
    baseline: str,
    candidate: str,
    about: About,
    *,
    band: Band | None = None,
    base_band: Band | None = None,
) -> Figure:
    """The components of one run, from its timeline; bands as for the timeline."""
    run = read(timeline, baseline, candidate, band, base_band)
    return _figure(tidy(run), run.case, f"{about.one_run} {about.of_model}", about)


def of_means(components: pd.DataFrame, baseline: str, candidate: str, about: About) -> Figure:
    """The mean components of all runs, from ``Comparison.components``."""
    table = means(components, baseline, candidate)
    parts = Parts.of(table)
    b, c = sum(parts.b.values()), sum(parts.c.values())
    return _figure(table, verdict(b, c, None), f"Mean of {about.trials:,} runs. {about.of_model}", about)


def _figure(table: pd.DataFrame, case: str, what: str, about: About) -> Figure:
    subtitle = f"{what}.{OF_COLOURS}"
    parts = Parts.of(table)
    labels, whole = parts.labels, [sum(parts.b.values()), sum(parts.c.values())]
    ratio = f", a ratio of {whole[0] / whole[1]:.2f}" if whole[1] else ""
    found = title(parts, case)
    alt_words = (
        f"{found}. {labels['baseline']} {run_time(whole[0])}, {labels['candidate']} {run_time(whole[1])}{ratio}. "
        "Two bars cut into what the time is spent on, with ribbons that join the same part on both."
    )
    ids = dict(zip(table["role"].tolist(), table["system"].tolist(), strict=True))
    return Figure(
        "components", found, subtitle, about.source, alt_words, table,
        partial(plot, parts, case), parts, partial(settable, parts, ids),
    )  # fmt: skip


def settable(parts: Parts, ids: dict[str, str]) -> Settable:
    """What can be set: the two systems, the kinds of time, their order, and how far the axis reaches."""
    longest = max(sum(found.values()) for found in parts.seconds.values()) or 1.0
    both = systems((parts.labels[role], ids[role], role) for role in ROLES)
    axis = Axis("task time", 0.0, longest, time=True, bars="zero")
    return Settable((*both, *kinds(parts.present)), ("system", "kind"), x=axis, of_colours=(OF_COLOURS,))


def plot(parts: Parts, case: str, look: Look) -> Plot:
    """Layers of the components."""
    chosen = look.chosen
    roles = _arranged(parts, chosen)
    ends = {role: sum(found.values()) for role, found in parts.seconds.items()}
    longest = max(ends.values()) or 1.0
    times = pair(ends["baseline"], ends["candidate"])
    span = chosen.span("x", 0, longest)
    axis = time_axis(span.high, sign=chosen.unit)
    x = {"scale": alt.Scale(domain=span.domain, nice=False, zero=True), "axis": axis}
    shown = {"baseline": times.b, "candidate": times.c}
    bars = Bars(roles, {role: role for role in ROLES}, parts.labels, shown, look, x, span.high, fan=1.2)
    layers = []
    if case in ("faster", "slower"):
        early = "candidate" if case == "faster" else "baseline"
        layers += bars.gained(early, ends[early], longest, f"{times.difference} sooner")
    layers += [*_ribbons(parts, look, bars), *_bars(parts, look, bars)]
    layers += [*bars.names(), *bars.ends(ends)]
    height = 282 + 22 * max(0, len(parts.present) - 3) + (36 if bars.long_names else 0)
    return Plot(layers, bars.params(), height, 0, below_px(look))


def _arranged(parts: Parts, chosen: Chosen) -> tuple[str, ...]:
    """The two roles from top to bottom."""
    if not chosen.order:
        return ROLES
    by_label = {parts.labels[role]: role for role in ROLES}
    return tuple(by_label[label] for label in chosen.arranged(by_label))


def _spans(found: dict[str, float], present: Sequence[str]) -> dict[str, tuple[float, float]]:
    at, spans = 0.0, {}
    for part in present:
        spans[part] = (at, at + found[part])
        at += found[part]
    return spans


def _bars(parts: Parts, look: Look, bars: Bars) -> list[alt.Chart]:
    records, texts, chosen = [], [], look.chosen
    in_key, in_bar, present = chosen.words(COMPONENT_WORDS), chosen.words(PART_WORDS), chosen.arranged(parts.present)
    for row, role in enumerate(bars.order):
        for part, (start, end) in _spans(parts.seconds[role], present).items():
            if end <= start:
                continue
            time = run_time(end - start)
            record = {"row": row, "start": start, "end": end, "low": 0, "high": 1, "opacity": 1, "time": time}
            record |= {"part": in_key[part], "step": "all steps", "system": bars.labels[role]}
            records.append(record)
            text = {"middle": (start + end) / 2, "colour": look.palette.fills[part].text}
            texts.append(record | text | either(f"{in_bar[part]} {time}", time, look.small))
    label = place(texts, look, look.small, look.palette.ink, align="center").transform_calculate(
        shown=fitting(bars.pixel("(datum.end - datum.start)"), 8), y=f"{bars.top('datum.row')} + bar / 2"
    )
    colour = alt.Color("colour:N", scale=None, legend=None)
    return [
        *bars.rects(records, present, in_key),
        label.encode(x=bars.x("middle"), y=bars.y("y"), text="shown:N", color=colour),
    ]


def _ribbons(parts: Parts, look: Look, bars: Bars) -> list[alt.Chart]:
    """The same kind on both bars, joined, with what became of it."""
    palette, present = look.palette, look.chosen.arranged(parts.present)
    a, b = (_spans(parts.seconds[role], present) for role in bars.order)
    layers, texts = [], []
    for part in present:
        fill = palette.fills[part]
        colour = fill.outline if fill.dashed else fill.fill
        corners = rows(
            [
                {"lower": 0, "start": a[part][0], "end": a[part][1]},
                {"lower": 1, "start": b[part][0], "end": b[part][1]},
            ]
        ).transform_calculate(y=f"{bars.bottom('0')} + 2 + datum.lower * (fan - 4)")
        opacity = 0.2 if part not in ("tool",) else 0.55
        ribbon = corners.mark_area(color=colour, opacity=opacity, orient="horizontal", line=False)
        layers.append(ribbon.encode(x=bars.x("start"), x2="end:Q", y=bars.y("y")))
        left, right = (a[part][0] + b[part][0]) / 2, (a[part][1] + b[part][1]) / 2
        lean = max(abs(a[part][i] - b[part][i]) for i in (0, 1))
        said = change(parts.b[part], parts.c[part])
        texts.append(
            {"middle": (left + right) / 2, "room": right - left, "lean": lean}
            | either(said, "", look.name * 0.95, True)
        )
    size = round(look.name * 0.95, 2)
    room = f"{bars.pixel(f'(datum.room - datum.lean * {size} / fan)')}"
    label = place(texts, look, size, palette.ink, align="center", fontWeight="bold").transform_calculate(
        shown=f"{room} >= datum.long_px + 8 ? datum.long : ''", y=f"{bars.bottom('0')} + fan / 2"
    )
    return [*layers, label.encode(x=bars.x("middle"), y=bars.y("y"), text="shown:N")]
