"""The race: two systems do the same work of one run side by side, each at its own speed.

Everything that moves is in the data: when a system starts and ends each part of the work, and where that part lies on
the track. Whoever plays it adds a clock, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from agentcalc.analysis.accumulation import accumulation, run_band
from agentcalc.analysis.naming import names
from agentcalc.errors import Fault, InputError
from agentcalc.figures.several import about
from agentcalc.figures.timeline import verdict
from agentcalc.figures.track import Fold, Strip, lay
from agentcalc.figures.words import About, Pair, pair, run_time
from agentcalc.results import Comparison
from agentcalc.units import counted, show_count, show_share, show_to

SPEEDS = (1, 2, 5, 10, 60)
PATIENCE_S = 60.0
"""A race starts at the smallest speed at which it takes no longer than this."""

START = "Both do the same work. The first across the line is done."
OTHER_WAY = "A different run could go the other way."
CERTAIN = 0.005
"""A share of runs below which nobody is told that they go the other way."""

Band = tuple[float, float]


@dataclass(frozen=True)
class Lane:
    """One system. end_s: when it is done, and end: that in words; steps: when it is done with each step, s;
    band: low and high of its end over what is unknown about it, where that leaves the race open; band_words: those.
    """

    role: str
    name: str
    end_s: float
    end: str
    steps: tuple[float, ...]
    band: Band | None
    band_words: str
    strips: tuple[Strip, ...] = field(repr=False)


@dataclass(frozen=True)
class Race:
    """All that is shown of one run. lanes: the baseline, then the candidate; length: of the track, in the baseline's
    seconds of work; unit: seconds of the clocks' last digit; says: what stands under the lanes, from which second on;
    fact: what all runs say of this one's winner; speed: times real time at which it starts.
    """

    task: str
    run: str
    facts: str
    source: str
    alt_text: str
    lanes: tuple[Lane, Lane]
    length: float
    unit: float
    says: tuple[tuple[float, str], ...]
    fact: str
    speed: int
    folds: tuple[Fold, ...]

    @property
    def about(self) -> str:
        """ "One run of 10,000. 8 calls to DeepSeek R1. Every pause and token at the pace of the sources." """
        return f"{self.run} {self.facts}"

    @property
    def seconds(self) -> float:
        """How long the run takes on the slower system."""
        return max(lane.end_s for lane in self.lanes)

    @property
    def title(self) -> str:
        return f"{self.task}, {pace(self.speed)}"

    def to_dict(self) -> dict[str, Any]:
        """The race as plain values for race.js: parts are lists (kind, start, end, x0, x1, tokens, flags) in
        microseconds' precision; flags: 1 critical, 2 skipped.
        """
        kinds: dict[str, int] = {}
        lanes = [
            {
                "role": lane.role,
                "name": lane.name,
                "end": lane.end_s,
                "ended": lane.end,
                "steps": [round(at, 6) for at in lane.steps],
                "band": lane.band,
                "bandWords": lane.band_words,
                "strips": [
                    {
                        "row": strip.row,
                        "parts": [
                            [
                                kinds.setdefault(part.kind, len(kinds)),
                                *(round(value, 6) for value in (part.start, part.end, part.x0, part.x1)),
                                part.tokens or 0,
                                part.critical + 2 * part.skipped,
                            ]
                            for part in strip.parts
                        ],
                    }
                    for strip in lane.strips
                ],
            }
            for lane in self.lanes
        ]
        return {
            "task": self.task,
            "about": self.about,
            "source": self.source,
            "alt": self.alt_text,
            "length": self.length,
            "unit": self.unit,
            "says": [list(said) for said in self.says],
            "fact": self.fact,
            "speeds": list(SPEEDS),
            "speed": self.speed,
            "folds": [[fold.x0, fold.x1, fold.row, fold.hidden] for fold in self.folds],
            "kinds": list(kinds),
            "lanes": lanes,
        }


def race_for(comparison: Comparison, trial: int | None = None, by: str = "p50", which: int = 0) -> Race:
    """The race of the baseline and one candidate in one run.

    trial: the run shown; by default the most ordinary one for the statistic ``by``; which: the candidate's pair.
    Raises InputError for a pair that is not there and for a run in which the baseline takes no time, IndexError for a
    trial that was not played.
    """
    if not 0 <= which < len(comparison.pairs):
        remedy = "compare a baseline with a candidate first"
        if comparison.pairs:
            remedy = f"use a number from 0 to {len(comparison.pairs) - 1}"
        raise InputError(Fault("race", "pair", f"there is no pair {which}", remedy))
    trial = comparison.ordinary_trial(by, which) if trial is None else trial
    base, cand = 0, which + 1
    ids = [system.id for system in comparison.systems]
    table, called = comparison.timeline(trial), names([comparison.specs[i] for i in (base, cand)])
    bands = [_end(run_band(table, comparison.specs[i], ids[i])) for i in (base, cand)]
    wins = comparison.pairs[which].candidate_wins
    words = about(comparison, (base, cand))
    return race(table, ids[base], ids[cand], words, names=called, band=bands[1], base_band=bands[0], wins=wins)


def race(
    timeline: pd.DataFrame,
    baseline: str,
    candidate: str,
    about: About,
    *,
    names: tuple[str, str] | None = None,
    band: Band | None = None,
    base_band: Band | None = None,
    wins: float | None = None,
) -> Race:
    """The race of one run, from ``Comparison.timeline``.

    names: of the two systems, by default their labels; band, base_band: low and high seconds of the candidate's and the
    baseline's end over what is unknown about each; wins: share of all runs in which the candidate is first, ties half.
    Raises InputError when the run takes the baseline no time, ValueError for a system that is not in the timeline.
    """
    base = timeline[timeline["role"] == "baseline"]
    cand = timeline[(timeline["system"] == candidate) & (timeline["role"] != "baseline")]
    track = lay(base, cand)
    if not track.length > 0:
        remedy = "choose another run, or another baseline"
        raise InputError(Fault(about.task, "", "this run takes the baseline no time, so there is no track", remedy))
    if cand.empty:
        raise ValueError(f"{candidate} is not in this timeline")
    called = names or (base["label"].iloc[0], cand["label"].iloc[0])
    steps = _steps(timeline, baseline, candidate)
    b, c = (max(part.end for strip in strips for part in strip.parts if part.critical) for strips in track.strips)
    times = pair(b, c)
    unit = min(times.unit, 1.0)
    case = verdict(b, c, band, base_band)
    is_open = case in ("close", "unknown")
    lanes = tuple(
        Lane(role, name, end, show_to(_round(end, unit), unit), mine, *_band(known if is_open else None, end), strips)
        for role, name, end, mine, known, strips in zip(
            ("baseline", "candidate"), called, (b, c), steps, (base_band, band), track.strips, strict=True
        )
    )
    last = _finish(case, lanes, times, wins)
    says = ((0.0, START), *_during(lanes, base), (max(b, c), last))
    fact = "" if is_open else _all_runs(lanes, wins, about)
    alt = f"{last} Two lanes with the same work in {counted(len(steps[0]), 'step')}, filled as each system does it."
    return Race(
        about.task, about.one_run, _facts(base, about), about.source, alt, lanes, track.length, unit, says, fact,
        speed(max(b, c)), track.folds,
    )  # fmt: skip


def speed(seconds: float) -> int:
    """The smallest speed at which a race of so many seconds takes at most a minute; the largest if none does."""
    return next((times for times in SPEEDS if seconds / times <= PATIENCE_S), SPEEDS[-1])


def pace(times: int) -> str:
    """How it is played, in words."""
    return "played in real time" if times == 1 else f"played {times} times as fast"


def _facts(base: pd.DataFrame, about: About) -> str:
    calls = base.loc[base["kind"] == "model_call", "call"].max() if (base["kind"] == "model_call").any() else 0
    model = f" to {about.model}" if about.model else ""
    pace = "at the pace of the sources" if not about.changed else "as changed by hand"
    return f"{counted(int(calls), 'call')}{model}. Every pause and token {pace}."


def _steps(timeline: pd.DataFrame, baseline: str, candidate: str) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """When each system is done with each step, s; a step is what the other figures count as one."""
    table = accumulation(timeline, baseline, candidate)
    ends = {role: rows.sort_values("step")["seconds"] for role, rows in table.groupby("role")}
    base, cand = (tuple(float(at) for at in ends[role].iloc[1:]) for role in ("baseline", "candidate"))
    return base, cand


def _during(lanes: tuple[Lane, Lane], base: pd.DataFrame) -> Iterator[tuple[float, str]]:
    """What is said between start and finish, whenever it changes."""
    first = min(lane.end_s for lane in lanes)
    if len(lanes[0].steps) == 1 and (base["kind"] == "model_call").all():
        changes = _one_call(lanes)
    else:
        changes = _by_steps(lanes)
    said = ""
    for at, text in changes:
        if at < first and text != said:
            said = text
            yield at, text
    done, rest = sorted(lanes, key=lambda lane: lane.end_s)
    if done.end_s < rest.end_s:
        yield done.end_s, f"{done.name} is done. {rest.name} is still working."


def _by_steps(lanes: tuple[Lane, Lane]) -> Iterator[tuple[float, str]]:
    total = len(lanes[0].steps)
    moments = sorted({0.0, *lanes[0].steps, *lanes[1].steps})
    done = [0, 0]
    for at in moments:
        for i, lane in enumerate(lanes):
            while done[i] < total and lane.steps[done[i]] <= at:
                done[i] += 1
        lead = done[0] - done[1]
        # From the first moment on, so that what stands at 0 s is the start.
        if lead:
            yield at or 1e-6, f"{lanes[0 if lead > 0 else 1].name} is {counted(abs(lead), 'step')} ahead."
        elif done[0] < total:
            both = f"at step {show_count(done[0] + 1)} of {show_count(total)}" if total > 1 else "at work"
            yield at or 1e-6, f"Both are {both}."


def _one_call(lanes: tuple[Lane, Lane]) -> Iterator[tuple[float, str]]:
    """A single call: who writes first is all there is to tell."""
    yield 1e-6, "Both wait for the first token."
    written = [
        (min((p.start for s in lane.strips for p in s.parts if p.kind == "decode"), default=lane.end_s), lane.name)
        for lane in lanes
    ]
    (first, early), (second, _) = sorted(written)
    if first < second:
        yield first, f"{early} writes its first token."
    yield second, "Both are writing."


def _finish(case: str, lanes: tuple[Lane, Lane], times: Pair, wins: float | None) -> str:
    base, cand = lanes
    if abs(base.end_s - cand.end_s) < 1e-9 and not (base.band or cand.band):
        return f"Both took {times.b}."
    if case in ("close", "unknown"):
        on_base, on_cand = base.band_words or times.b, cand.band_words or times.c
        mixed = wins is not None and CERTAIN < wins < 1 - CERTAIN
        if case == "unknown":
            return f"Not known yet: {cand.name} takes {on_cand}, {base.name} {on_base}. Either may be first."
        turn = OTHER_WAY if base.band or cand.band or mixed else "The difference is smaller than 3%."
        return f"Too close to call: {on_base} on {base.name}, {on_cand} on {cand.name}. {turn}"
    if times.sooner == "candidate":
        return f"{cand.name} finished {times.difference} sooner: {times.c} instead of {times.b}."
    return f"{base.name} finished {times.difference} sooner: {times.b} instead of {times.c}."


def _all_runs(lanes: tuple[Lane, Lane], wins: float | None, about: About) -> str:
    """Of all runs, how many this one's winner wins."""
    if wins is None or about.trials < 2:
        return ""
    first = lanes[1] if lanes[1].end_s < lanes[0].end_s else lanes[0]
    share = wins if first is lanes[1] else 1 - wins
    runs = f"of {show_count(about.trials)} runs"
    if share == 1:
        return f"{first.name} finishes first in all {show_count(about.trials)} runs."
    if share < 0.5:
        other = lanes[0] if first is lanes[1] else lanes[1]
        return f"Most runs go the other way: {other.name} finishes first in {show_share(1 - share)} {runs}."
    return f"{first.name} finishes first in {show_share(share)} {runs}."


def _band(band: Band | None, end: float) -> tuple[Band | None, str]:
    if band is None or run_time(band[0]) == run_time(band[1]):
        return None, ""
    return band, f"{run_time(band[0])} to {run_time(band[1])}"


def _end(band: pd.DataFrame | None) -> Band | None:
    return None if band is None else (float(band["low_s"].iloc[-1]), float(band["high_s"].iloc[-1]))


def _round(seconds: float, unit: float) -> float:
    return float(f"{round(seconds / unit) * unit:.12g}")
