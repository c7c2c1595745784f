"""From the runs of a benchmark to systems: one for each server, its runs the points of its curve.

Runs that differ only in the prompt's length make one point with a table over lengths; runs that differ only in the load
are points of one configuration, between which interpolation is allowed. Means and medians never share a configuration.
"""

from __future__ import annotations

import re
import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from agentcalc.benchmarks.profile_fit import fit_line
from agentcalc.benchmarks.records import Measurement, Spread
from agentcalc.errors import Fault, InputError
from agentcalc.points import CallSpread, Measured, OperatingPoint, Range, Table, quick
from agentcalc.provenance import Grade, Number, Source
from agentcalc.system import System
from agentcalc.units import show_count

SOURCE = "imported"
SPLIT_UNKNOWN = "how its first-token time grows with the prompt"
WIDE = 1.5
"""Prompts of one run whose longest is so many times the shortest tell how TTFT grows with the prompt."""


@dataclass(frozen=True)
class Named:
    """What the reader of a file may say better than the file: all optional."""

    id: str | None = None
    label: str | None = None
    model: str | None = None


def systems(
    runs: Sequence[Measurement],
    source: Source,
    named: Named | None = None,
    cite: Callable[[Measurement], str] | None = None,
) -> tuple[System, ...]:
    """The systems that some runs were made on, each with its own points, the quickest 8k/1k call first.

    source: where the numbers come from; cite: the id of each run's own source, where they have several. Raises
    InputError where no run tells both TTFT and TPOT.
    """
    named, where = named or Named(), source.title
    groups: dict[tuple, list[Measurement]] = {}
    for run in runs:
        groups.setdefault((run.model, run.hardware, run.precision, _product(run.software), run.mtp), []).append(run)
    built = {key: _points(group, cite or (lambda _: source.id)) for key, group in groups.items()}
    built = {key: points for key, points in built.items() if points}
    if not built:
        missing = "TPOT" if any(_best(run.ttft) for run in runs) else "TTFT"
        found = f"none of its {len(runs)} runs tells {missing} beside the other latency"
        raise InputError(Fault(where, "", found, "Give runs of streamed answers, with TTFT and TPOT"))
    if named.id and len(built) > 1:
        found = f"it holds {len(built)} systems, and --id names one"
        raise InputError(Fault(where, "", found, "Leave --id out; each gets its own"))
    ids = _ids(list(built), named)
    return tuple(
        _system(ids[key], groups[key], tuple(sorted(points, key=quick)), source, named) for key, points in built.items()
    )


def _points(runs: list[Measurement], cite: Callable[[Measurement], str]) -> list[OperatingPoint]:
    """A point for each configuration and load that tells TTFT and TPOT."""
    places: dict[tuple, list[Measurement]] = {}
    for run in runs:
        places.setdefault((_configuration(run, runs), run.chips, run.concurrency, run.request_rate), []).append(run)
    found: list[OperatingPoint] = []
    for (configuration, chips, concurrency, _), here in places.items():
        for statistic in ("mean", "median"):
            mine = [run for run in here if _best(run.ttft or run.tpot) == statistic or _best(run.tpot) == statistic]
            point = _point(mine, statistic, cite)
            if point is not None:
                name = configuration if statistic == "mean" else " ".join(filter(None, (configuration, "(medians)")))
                load = None if concurrency is None else max(1, round(concurrency))
                found.append(point.model_copy(update={"configuration": name, "chips": chips, "concurrency": load}))
                break
    return found


def _best(spread: Spread) -> str | None:
    """The statistic that stands for a latency: its mean, else its median."""
    return "mean" if spread.mean is not None else "median" if spread.median is not None else None


def _point(runs: list[Measurement], statistic: str, cite: Callable[[Measurement], str]) -> OperatingPoint | None:
    firsts = _by_length(runs, lambda run: getattr(run.ttft, statistic), lambda run: run.input_tokens)
    tokens = _by_length(runs, lambda run: getattr(run.tpot, statistic), lambda run: _context(run))
    # A run of prompts alone and one of answers alone are two halves of a point.
    if not firsts or not tokens:
        return None
    length, main = max(firsts.items())
    _, writing = min(tokens.items(), key=lambda item: abs(item[0] - length))
    ttft, tpot = getattr(main.ttft, statistic), getattr(writing.tpot, statistic)
    return OperatingPoint(
        ttft=_number(ttft, "s", main, statistic, cite),
        ttft_at_tokens=max(1, round(length)),
        ttft_spread=_spread(main.ttft, 1.0),
        ttft_over_prompt=_table(firsts, "ttft", statistic, cite),
        tpot=_number(tpot * 1e3, "ms", writing, statistic, cite),
        tpot_spread=_spread(writing.tpot, 1e3),
        tpot_over_context=_table(tokens, "tpot", statistic, cite),
        throughput=_throughput(main, cite),
    )


def _by_length(
    runs: Iterable[Measurement], value: Callable, length: Callable[[Measurement], float | None]
) -> dict[float, Measurement]:
    """A run for each length at which a value is known: of several the middle one by that value."""
    found: dict[float, list[Measurement]] = {}
    for run in runs:
        if value(run) is not None and length(run) is not None:
            found.setdefault(round(length(run)), []).append(run)
    return {n: sorted(those, key=value)[(len(those) - 1) // 2] for n, those in sorted(found.items())}


def _context(run: Measurement) -> float:
    """Tokens a written token attends to at its start: what was cached and the prompt."""
    return run.context_tokens + (run.input_tokens or 0.0)


def _table(
    runs: dict[float, Measurement], which: str, statistic: str, cite: Callable[[Measurement], str]
) -> Table | None:
    if len(runs) < 2:
        return None
    values = tuple(_digits(getattr(getattr(run, which), statistic) * 1e3) for run in runs.values())
    first = next(iter(runs.values()))
    note = f"{statistic.capitalize()} at {len(runs)} lengths, {_when(first)}."
    return Table(tokens=tuple(runs), values=values, unit="ms", grade=Grade.MEASURED, source=cite(first), note=note)


def _spread(found: Spread, k: float) -> CallSpread | None:
    """From call to call, where median and p99 are known beside the mean; medians alone have no tail to keep."""
    if None in (found.mean, found.median, found.p99) or not found.median < found.p99:
        return None
    known = {"p50": found.median, "p90": found.p90, "p95": found.p95, "p99": found.p99}
    return CallSpread(**{name: _digits(value * k) for name, value in known.items() if value is not None})


def _throughput(run: Measurement, cite: Callable[[Measurement], str]) -> Number | None:
    if run.total_tok_s is None or not run.chips:
        return None
    note = f"Input and output tokens of the run over {run.chips} chips, {_when(run)}."
    value = _digits(run.total_tok_s / run.chips)
    return Number(value=value, unit="tok/s/chip", grade=Grade.MEASURED, source=cite(run), note=note)


def _number(value: float, unit: str, run: Measurement, statistic: str, cite: Callable[[Measurement], str]) -> Number:
    note = f"{statistic.capitalize()}, {_when(run)}."
    return Number(value=_digits(value), unit=unit, grade=Grade.MEASURED, source=cite(run), note=note)


def _when(run: Measurement) -> str:
    return f"row of {run.date}" if run.date else f"from {run.format}"


def _digits(value: float) -> float:
    """Seven significant digits: more than any benchmark has."""
    return float(f"{value:.7g}")


def _product(software: str | None) -> str | None:
    """The software without its version: a curve belongs to one version, a system may have several."""
    return software and re.sub(r"\s*\([^)]*\)$", "", software)


def _configuration(run: Measurement, of: list[Measurement]) -> str | None:
    """What must be equal for two runs to lie on one curve, in words: layout, chips, version, length of the answers."""
    parts = [run.layout, f"{run.chips} chips" if run.chips else None]
    if len({other.software for other in of}) > 1:
        parts.append(run.software)
    if len({_answers(other) for other in of} - {None}) > 1:
        parts.append(f"answers of {_answers(run):,} tokens" if _answers(run) else None)
    text = ", ".join(part for part in parts if part)
    return (text if len(text) <= 80 else text[:79] + "…") or None


def _answers(run: Measurement) -> int | None:
    return None if run.output_tokens is None else round(run.output_tokens)


def _system(
    name: str, runs: list[Measurement], points: tuple[OperatingPoint, ...], source: Source, named: Named
) -> System:
    run = runs[0]
    label = named.label or run.hardware or named.id or "Imported"
    softwares = ", ".join(dict.fromkeys(filter(None, (other.software for other in runs))))
    notes = dict.fromkeys(_line(note) for other in runs for note in other.notes)
    if any(point.configuration and "(medians)" in point.configuration for point in points):
        notes["Where the file has no means, medians stand for them: a mean first-token time may be longer."] = None
    return System(
        id=name,
        label=label[:80],
        accelerator=(run.hardware or label)[:80],
        model=_slug(named.model or run.model) if named.model or run.model else None,
        model_label=(named.model or run.model or "")[:80] or None,
        precision=run.precision,
        software=softwares[:80] or None,
        mtp=bool(run.mtp),
        points=points,
        fixed_share=_share(points, runs),
        measured=_measured(runs),
        headline=f"Measured with {run.format}: {len(points)} operating point{'s' if len(points) > 1 else ''}.",
        notes=tuple(notes)[:20],
        sources=(source,),
    )


def _share(points: tuple[OperatingPoint, ...], runs: list[Measurement]) -> Number | None:
    """The part of TTFT that does not grow with the prompt: none needed with tables, fitted to single requests where
    their prompts differ enough, else unknown.
    """
    if all(point.ttft_over_prompt is not None for point in points):
        return None
    at, source = points[0].ttft_at_tokens, points[0].ttft.source
    for run in runs:
        asked = run.requests
        if asked and len(asked.ttft_s) >= 20 and max(asked.input_tokens) >= WIDE * min(asked.input_tokens) > 0:
            line = fit_line(asked.input_tokens, asked.ttft_s)
            share = line.fixed_s / line.at(at)
            note = f"a line through {len(asked.ttft_s)} single requests; half of them lie within {line.error:.0%} of it"
            return Number(value=_digits(share), unit="share", grade=Grade.DERIVED, source=source, note=note)
    note = (
        "All prompts are of one length, which does not tell how TTFT grows with the prompt: half of it is assumed to."
    )
    return Number(
        value=0.5, unit="share", grade=Grade.ASSUMED, source=source, note=note, band=(0.0, 1.0), unknown=SPLIT_UNKNOWN
    )


def _measured(runs: list[Measurement]) -> Measured | None:
    lengths = [n for run in runs for n in (run.requests.input_tokens if run.requests else [run.input_tokens]) if n]
    if not lengths:
        return None
    answers = [n for run in runs for n in (run.requests.output_tokens if run.requests else [run.output_tokens]) if n]
    deepest = max(run.context_tokens for run in runs)
    low, high = int(min(lengths)), int(max(lengths) + 0.999)
    return Measured(
        uncached_tokens=Range(low=low, high=high),
        context_tokens=Range(low=low, high=int(high + deepest + max(answers, default=0) + 0.999)),
    )


def _ids(keys: list[tuple], named: Named) -> dict[tuple, str]:
    """An id for each system, accelerator/model; where two would be alike, precision and software tell them apart."""
    found: dict[tuple, str] = {}
    for parts in (1, 2, 3):
        for key in keys:
            model, hardware, precision, software, mtp = key
            name = _slug(hardware or "imported") + ("-mtp" if mtp else "")
            extra = [_slug(x) for x in (precision, software)[: parts - 1] if x]
            slug = "-".join([name, *extra])
            found[key] = f"{slug}/{_slug(named.model or model)}" if named.model or model else slug
        if len(set(found.values())) == len(keys):
            break
    for at, key in enumerate(keys, 1):
        if list(found.values()).count(found[key]) > 1:
            found[key] += f"-{at}"
    return {key: named.id or name for key, name in found.items()}


def _line(note: str) -> str:
    """A note as a file may hold it: plain spaces, at most 400 characters."""
    plain = " ".join(note.split())
    return plain if len(plain) <= 400 else plain[:399] + "…"


def _slug(text: str) -> str:
    slug = re.sub(r"[^a-z0-9._]+", "-", text.lower().rpartition("/")[2]).strip("-._")
    return slug[:50] or "imported"


def told(system: System) -> str:
    """What an import found, in a line: how many points, from which load to which."""
    loads = [point.concurrency for point in system.curve]
    said = f"{len(system.points)} operating point{'s' if len(system.points) > 1 else ''}"
    if loads:
        same = (
            f" at concurrency {loads[0]:,}" if loads[0] == loads[-1] else f", concurrency {loads[0]:,} to {loads[-1]:,}"
        )
        said += same
    lengths = statistics.median(point.ttft_at_tokens for point in system.points)
    return f"{said}, prompts of about {show_count(lengths)} tokens"
