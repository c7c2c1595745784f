"""The tables of a report: every statistic with the simulation's error, each pair, where the seconds go."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from agentcalc.analysis.naming import names
from agentcalc.exports.report_blocks import Grid
from agentcalc.figures.theme import GREY_FIRST
from agentcalc.figures.words import COMPONENT_WORDS
from agentcalc.results import STATISTICS, Comparison, PairResult, SystemResult, ratio
from agentcalc.units import MINUS, NBSP, TIMES, last_digit_s, show_ratio, show_share, show_time, show_to, show_tokens

TIME_WORDS = {
    "p50": "Typical (median)",
    "mean": "Average",
    "p95": "Slow (p95)",
    "p5": "Fast (p5)",
    "p90": "p90",
    "p99": "p99",
}
"""Statistics of task time in the order shown."""
BATCHES = 40
FEWEST = 25
"""Runs that a batch needs for its ratio to say something."""
NONE = "none"
EXACT = 1e-9
"""An error below this share of a number is rounding."""
PLUS_MINUS = f"{NBSP}±{NBSP}"


def with_error(seconds: float, error: float | None) -> str:
    """A time with the simulation's standard error, to the digit that the error leaves: "58.4 s ± 0.3 s"."""
    if error is None or not math.isfinite(error):
        return show_time(seconds)
    if error <= EXACT * abs(seconds):
        return f"{show_time(seconds)} in every run" if seconds else show_time(0)
    unit = min(10.0 ** math.floor(math.log10(error)), last_digit_s(seconds))
    # A time of many digits is no better known than its system.
    unit = max(unit, last_digit_s(seconds) / 100)
    decimals = max(0, -math.floor(math.log10(unit) + 1e-9))
    shown = f"{round(error / unit) * unit:.{decimals}f}" if error >= unit / 2 else f"under {unit:.{decimals}f}"
    sign = MINUS if seconds < 0 else ""
    return f"{sign}{_to(abs(seconds), unit)}{PLUS_MINUS}{shown}{NBSP}s"


def _to(seconds: float, unit: float) -> str:
    """Seconds to a unit; below 100 s as a decimal number, so that it stands in the unit of its error."""
    # Rounded again: a whole number of units carries the dust of binary arithmetic.
    value = float(f"{round(seconds / unit) * unit:.12g}")
    decimals = max(0, -math.floor(math.log10(unit) + 1e-9))
    return f"{value:.{decimals}f}{NBSP}s" if value < 100 else show_to(value, unit)


def _rounded_down(seconds: float) -> str:
    """As in the sentence: half of all runs must save more than the number shown."""
    unit = last_digit_s(seconds)
    return show_time(math.floor(seconds / unit + 1e-9) * unit)


def ratio_error(baseline: np.ndarray, candidate: np.ndarray, by: str) -> float | None:
    """The simulation's standard error of the ratio of a statistic, of paired trials [trials].

    The trials are cut into 40 batches of equal size; the ratios of the batches, each on its own trials of both systems,
    scatter by sqrt(40) times the error of all (batch means; Law, Simulation Modeling and Analysis, section 9.5). None
    for too few trials, or where a batch takes no time.
    """
    n = len(baseline) // BATCHES
    if n < FEWEST:
        return None
    pair = np.stack([baseline[: n * BATCHES], candidate[: n * BATCHES]]).reshape(2, BATCHES, n)
    found = pair.mean(axis=2) if by == "mean" else np.percentile(pair, float(by[1:]), axis=2)
    if not np.all(found[1] > 0):
        return None
    return float(np.std(found[0] / found[1], ddof=1) / math.sqrt(BATCHES))


def times_table(comparison: Comparison) -> Grid:
    """Task time by statistic on every system, and what else there is to count."""
    systems, called = comparison.systems, names(comparison.specs)
    rows = [
        (word, *(with_error(system.task_s[by], system.task_se_s.get(by)) for system in systems))
        for by, word in TIME_WORDS.items()
    ]
    rows += [
        (f"{TIME_WORDS[by]}, over what is not known", *(_band(system, by) for system in systems))
        for by in STATISTICS
        if any(_band(system, by) for system in systems)
    ]
    rows.append(("Standard deviation of runs", *(show_time(system.task_s["sd"]) for system in systems)))
    if any(system.components_s["human"] for system in systems):
        rows.append(("Average without people", *(show_time(s.without_people_s["mean"]) for s in systems)))
    rows.append(("Model calls a run, on average", *(f"{system.calls['mean']:,.1f}" for system in systems)))
    rows.append(("Share of the time that is model calls", *(show_share(system.model_share) for system in systems)))
    rows.append(("Model time that is extrapolated", *(show_share(system.extrapolated_share) for system in systems)))
    if any(system.exhausted_share for system in systems):
        rows.append(("Runs in which attempts ran out", *(show_share(system.exhausted_share) for system in systems)))
    rows.append(("Rests on", *(system.grade.value for system in systems)))
    caption = "Task time, with one standard error of the simulation" if comparison.n_trials > 1 else "Task time"
    return Grid(caption, ("", *called), tuple(rows), tuple(range(1, len(systems) + 1)))


def _band(system: SystemResult, by: str) -> str:
    low, high = (show_time(end) for end in system.band_s[by])
    return f"{low} to {high}" if low != high else ""


def pairs_table(comparison: Comparison) -> Grid:
    """Each candidate against the baseline."""
    base, *others = comparison.systems
    b = comparison.task_seconds[0]
    columns = []
    for index, (system, pair) in enumerate(zip(others, comparison.pairs, strict=True), 1):
        c = comparison.task_seconds[index]
        column = {
            f"{TIME_WORDS[by]}: how many times faster": _ratio(
                base.task_s[by], system.task_s[by], ratio_error(b, c, by)
            )
            for by in STATISTICS
        }
        column |= {f"{TIME_WORDS[by]}, over what is not known": _ratio_band(pair.speedup_band[by]) for by in STATISTICS}
        saved, alone = b - c, pair.per_call_speedup
        error = float(np.std(saved, ddof=1) / len(saved) ** 0.5) if len(saved) > 1 else None
        column |= {
            "Saved a run, on average": with_error(pair.saved_s["mean"], error),
            "Of that, adding up call by call": show_time(pair.accumulated_s),
            "Of that, compounding": show_time(pair.compounded_s),
            "Half of all runs save more than": _rounded_down(pair.saved_s["p50"]),
            "Ratio of a run: p5, median, p95": _several(pair.speedup[name] for name in ("p5", "p50", "p95")),
            "Runs in which it is first": _first_in(pair),
            "The calls alone: mean, least, most": _several(alone[name] for name in ("mean", "min", "max")),
            "At most, with calls that take no time: typical, average, slow": _several(
                pair.ceilings[by] for by in STATISTICS
            ),
            "Break-even: tokens that a call writes": _meet(pair.break_even_output_tokens, pair.break_even_band),
        }
        columns.append(column)
    heads = [head for head in columns[0] if any(column[head] for column in columns)]
    rows = tuple((head, *(column[head] for column in columns)) for head in heads)
    caption = f"Against {names(comparison.specs)[0]}, on the same runs"
    return Grid(caption, ("", *names(comparison.specs)[1:]), rows, tuple(range(1, len(others) + 1)))


def _first_in(pair: PairResult) -> str:
    """In how many runs the candidate is first; no share where what is unknown decides who is."""
    unknown = any(low < 1 < high for low, high in pair.speedup_band.values())
    return "not known" if unknown else show_share(pair.candidate_wins)


def _ratio(b: float, c: float, error: float | None) -> str:
    found = ratio(b, c)
    if found is None:
        return "no end"
    if error is None:
        return show_ratio(found)
    decimals = min(3, max(0, -math.floor(math.log10(error)))) if error > EXACT * found else 3
    shown = f"{error:.{decimals}f}"
    return f"{found:,.{decimals}f}{TIMES}{PLUS_MINUS}{shown if float(shown) else f'under {10**-decimals:g}'}"


def _ratio_band(band: tuple[float, float]) -> str:
    low, high = (show_ratio(end) for end in band)
    return f"{low} to {high}" if low != high else ""


def _several(ratios: Iterable[float | None]) -> str:
    return ", ".join("no end" if r is None else show_ratio(r) for r in ratios)


def _meet(tokens: float | None, band: tuple[float | None, float | None] | None) -> str:
    if tokens is None and band is None:
        return NONE
    middle = NONE if tokens is None else f"about {show_tokens(tokens)}"
    if band is None or band[0] == band[1]:
        return middle
    low, high = (None if end is None else show_tokens(end) for end in band)
    span = f"up to {high}" if low is None else f"from {low}" if high is None else f"{low} to {high}"
    return f"{middle} ({span}, not known better)"


def components_table(comparison: Comparison) -> Grid:
    """Where the seconds of an average run go; parts that take no time on any system are left out."""
    systems = comparison.systems
    present = [part for part in GREY_FIRST if any(system.components_s[part] for system in systems)]
    rows = [
        (_first_up(COMPONENT_WORDS[part]), *(show_time(system.components_s[part]) for system in systems))
        for part in present
    ]
    rows.append(("Together", *(show_time(system.task_s["mean"]) for system in systems)))
    caption = "Where an average run’s time goes"
    return Grid(caption, ("", *names(comparison.specs)), tuple(rows), tuple(range(1, len(systems) + 1)))


def causes_table(comparison: Comparison) -> Grid | None:
    """Compounded seconds by cause, where there are any."""
    pairs = comparison.pairs
    found = [part for part in ("refill", "retry", "attention") if any(p.compounded_by_s[part] for p in pairs)]
    if not found:
        return None
    rows = tuple(
        (_first_up(COMPONENT_WORDS[part]), *(show_time(pair.compounded_by_s[part]) for pair in pairs)) for part in found
    )
    head = ("", *names(comparison.specs)[1:])
    return Grid("Seconds a run that compound, on average", head, rows, tuple(range(1, len(head))))


def deadline_table(comparison: Comparison) -> Grid | None:
    """What a deadline means on each system; None without one."""
    found = [system.deadline for system in comparison.systems]
    if found[0] is None:
        return None
    rows = [("Runs done in time", *(show_share(one["met_share"]) for one in found))]
    rows.append(("Attempts that fit, one after the other", *(_attempts(one["attempts_mean"]) for one in found)))
    if found[0]["success_share"] is not None:
        rows.append(("Chance of success, at most", *(show_share(one["success_share"]) for one in found)))
    caption = f"Within {show_time(found[0]['seconds'])}, with the numbers taken here"
    return Grid(caption, ("", *names(comparison.specs)), tuple(rows), tuple(range(1, len(found) + 1)))


def _attempts(mean: float | None) -> str:
    return "any number" if mean is None else f"{mean:,.1f}"


def _first_up(text: str) -> str:
    return text[0].upper() + text[1:]


def show_amount(value: float, unit: str) -> str:
    """A number of a system in its own unit: "0.335 s", "83%", "700 tok/s per user"."""
    if unit == "share":
        return show_share(value)
    return f"{value:,.4g}{NBSP}{unit.replace('/user', ' per user')}"
