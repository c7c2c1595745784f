"""From the runs of one server to operating points: one for each configuration and load.

Runs that differ only in the prompt's length make one point with a table over lengths; runs that differ only in the load
are points of one configuration, between which interpolation is allowed. Means and medians never share a configuration.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from agentcalc.benchmarks.records import Measurement, Spread
from agentcalc.points import CallSpread, OperatingPoint, Table
from agentcalc.provenance import Grade, Number

MEDIANS = "(medians)"
"""Ends the configuration of points whose numbers are medians."""
LONGEST_NAME = 80
LONGEST_NOTE = 1000
LONGEST_TABLE = 200


@dataclass(frozen=True)
class Said:
    """What stands beside a number: the id of its source, and sentences about its run."""

    cite: Callable[[Measurement], str]
    say: Callable[[Measurement], str]


class Made(NamedTuple):
    """points; silent: runs that gave none, since they do not tell both TTFT and TPOT; repeated: runs beside another of
    the same configuration, load and lengths.
    """

    points: list[OperatingPoint]
    silent: int
    repeated: int


def points(runs: list[Measurement], said: Said) -> Made:
    """A point for each configuration and load that tells TTFT and TPOT."""
    places: dict[tuple, list[Measurement]] = {}
    for run in runs:
        places.setdefault((_configuration(run, runs), _load(run)), []).append(run)
    found: list[OperatingPoint] = []
    names: dict[str, str] = {}
    silent = repeated = 0
    for (configuration, load), here in places.items():
        made = _point_of(here, said)
        if made is None:
            silent += len(here)
            continue
        statistic, point = made
        repeated += len(here) - len({(run.input_tokens, run.context_tokens) for run in here})
        name = " ".join(filter(None, (configuration, MEDIANS if statistic == "median" else ""))) or None
        update = {"configuration": name and _fitting(name, names), "chips": here[0].chips, "concurrency": load}
        found.append(OperatingPoint(**(dict(point) | update)))
    return Made(found, silent, repeated)


def product(software: str | None) -> str | None:
    """The software without its version: a curve belongs to one version, a system may have several."""
    return software and re.sub(r"\s*\([^)]*\)$", "", software)


def digits(value: float) -> float:
    """Seven significant digits: more than any benchmark has."""
    return float(f"{value:.7g}")


def best(spread: Spread) -> str | None:
    """The statistic that stands for a latency: its mean, else its median."""
    return "mean" if spread.mean is not None else "median" if spread.median is not None else None


def _load(run: Measurement) -> int | None:
    return None if run.concurrency is None else max(1, round(run.concurrency))


def _configuration(run: Measurement, of: list[Measurement]) -> str | None:
    """What must be equal for two runs to lie on one curve, in words: layout, chips, version, length of the answers, and
    the rate of requests where that is the load.
    """
    parts = [run.layout, f"{run.chips} chip{'s' if run.chips > 1 else ''}" if run.chips else None]
    if len({other.software for other in of}) > 1:
        parts.append(run.software and re.sub(r"\((\d[^)]*)\)$", r"\1", run.software))
    if len({_answers(other) for other in of} - {None}) > 1:
        parts.append(f"answers of {_answers(run):,} tokens" if _answers(run) else None)
    if len({other.request_rate for other in of}) > 1:
        parts.append(f"{run.request_rate:g} requests a second" if run.request_rate else None)
    return ", ".join(part for part in parts if part) or None


def _answers(run: Measurement) -> int | None:
    return None if run.output_tokens is None else round(run.output_tokens)


def _fitting(name: str, names: dict[str, str]) -> str:
    """A name cut to its limit, and told from others that are cut alike."""
    if name not in names:
        cut, at = (name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"), 1
        while cut in names.values():
            at += 1
            end = f"… {at}"
            cut = name[: LONGEST_NAME - len(end)] + end
        names[name] = cut
    return names[name]


def _point_of(runs: list[Measurement], said: Said) -> tuple[str, OperatingPoint] | None:
    """The point of runs at one load, from means where they tell both latencies, else from medians."""
    for statistic in ("mean", "median"):
        mine = [run for run in runs if statistic in (best(run.ttft), best(run.tpot))]
        point = _point(mine, statistic, said)
        if point is not None:
            return statistic, point
    return None


def _point(runs: list[Measurement], statistic: str, said: Said) -> OperatingPoint | None:
    firsts = _by_length(runs, lambda run: getattr(run.ttft, statistic), lambda run: run.input_tokens)
    tokens = _by_length(runs, lambda run: getattr(run.tpot, statistic), _context)
    # A run of prompts alone and one of answers alone are two halves of a point.
    if not firsts or not tokens:
        return None
    length, main = max(firsts.items())
    _, writing = min(tokens.items(), key=lambda item: abs(item[0] - length))
    ttft, tpot = getattr(main.ttft, statistic), getattr(writing.tpot, statistic)
    return OperatingPoint(
        ttft=_number(ttft, "s", main, statistic, said, said.say(main)),
        ttft_at_tokens=max(1, length),
        ttft_spread=_spread(main.ttft, 1.0),
        ttft_over_prompt=_table(firsts, "ttft", statistic, said),
        tpot=_number(tpot * 1e3, "ms", writing, statistic, said),
        tpot_spread=_spread(writing.tpot, 1e3),
        tpot_over_context=_table(tokens, "tpot", statistic, said),
        throughput=_throughput(main, said),
    )


def _by_length(
    runs: Iterable[Measurement], value: Callable, length: Callable[[Measurement], float | None]
) -> dict[int, Measurement]:
    """A run for each length at which a value is known, shortest first: of several the middle one by that value."""
    found: dict[int, list[Measurement]] = {}
    for run in runs:
        if value(run) is not None and length(run) is not None:
            found.setdefault(round(length(run)), []).append(run)
    return {n: sorted(those, key=value)[(len(those) - 1) // 2] for n, those in sorted(found.items())}


def _context(run: Measurement) -> float:
    """Tokens a written token attends to at its start: what was cached and the prompt."""
    return run.context_tokens + (run.input_tokens or 0.0)


def _table(runs: dict[int, Measurement], which: str, statistic: str, said: Said) -> Table | None:
    """A latency over lengths; of more lengths than a table holds, evenly many and the longest."""
    if len(runs) < 2:
        return None
    step = -(-len(runs) // LONGEST_TABLE)
    kept = dict([*runs.items()][::-step][::-1])
    values = tuple(digits(getattr(getattr(run, which), statistic) * 1e3) for run in kept.values())
    *shorter, longest = kept.values()
    lengths: dict[str, list[str]] = {}
    for tokens, run in kept.items():
        lengths.setdefault(_when(run), []).append(f"{tokens:,}")
    told = "; ".join(f"at {' and '.join(those)} tokens {when}" for when, those in lengths.items())
    if len(kept) > 12:
        told = f"at {len(kept)} lengths {_when(longest)}"
    sentences = [f"{statistic.capitalize()} {told}.", *dict.fromkeys(filter(None, map(said.say, shorter)))]
    if list(values) != sorted(values):
        name = {"ttft": "first-token time", "tpot": "time per token"}[which]
        sentences.append(f"The {name} does not rise all the way with the prompt: chance or waiting outweighs it here.")
    note = " ".join(sentences)[:LONGEST_NOTE]
    return Table(
        tokens=tuple(kept), values=values, unit="ms", grade=Grade.MEASURED, source=said.cite(longest), note=note
    )


def _spread(found: Spread, k: float) -> CallSpread | None:
    """From call to call, where median and p99 are known beside the mean; medians alone have no tail to keep."""
    if None in (found.mean, found.median, found.p99) or not found.median < found.p99:
        return None
    known = {"p50": found.median, "p90": found.p90, "p95": found.p95, "p99": found.p99}
    known = {name: value * k for name, value in known.items() if value is not None}
    # Readers let percentiles fall by a rounding error; here they rise.
    rising = accumulate(known.values(), max)
    return CallSpread(**{name: digits(value) for name, value in zip(known, rising, strict=True)})


def _throughput(run: Measurement, said: Said) -> Number | None:
    if run.total_tok_s is None or not run.chips:
        return None
    note = f"Input and output tokens of the run over {run.chips} chip{'s' if run.chips > 1 else ''}, {_when(run)}."
    value = digits(run.total_tok_s / run.chips)
    return Number(value=value, unit="tok/s/chip", grade=Grade.MEASURED, source=said.cite(run), note=note)


def _number(value: float, unit: str, run: Measurement, statistic: str, said: Said, more: str = "") -> Number:
    note = f"{statistic.capitalize()}, {_when(run)}. {more}"[:LONGEST_NOTE].rstrip()
    return Number(value=digits(value), unit=unit, grade=Grade.MEASURED, source=said.cite(run), note=note)


def _when(run: Measurement) -> str:
    return f"row of {run.date}" if run.date else f"from {run.format}"
