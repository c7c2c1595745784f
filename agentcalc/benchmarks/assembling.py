"""From the runs of a benchmark to systems: one for each server, its runs the points of its curve."""

from __future__ import annotations

import re
import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from pydantic import ValidationError

from agentcalc.benchmarks.profile_fit import fit_line
from agentcalc.benchmarks.records import Measurement
from agentcalc.benchmarks.run_points import MEDIANS, Made, Said, best, points, product
from agentcalc.errors import Fault, InputError
from agentcalc.points import Measured, OperatingPoint, Range, quick
from agentcalc.provenance import Grade, Number, Source
from agentcalc.system import System
from agentcalc.units import show_count

SOURCE = "imported"
SPLIT_UNKNOWN = "how its first-token time grows with the prompt"
WIDE = 1.5
"""Prompts of one run whose longest is so many times the shortest tell how TTFT grows with the prompt."""
MOST_NOTES = 30


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
    say: Callable[[Measurement], str] | None = None,
) -> tuple[System, ...]:
    """The systems that some runs were made on, each with its own points, the quickest 8k/1k call first.

    source: where the numbers come from; cite: the id of each run's own source, where they have several; say: what the
    note of a run's TTFT says further. Raises InputError where no run tells both TTFT and TPOT, or a number is one that
    no system has.
    """
    named, where = named or Named(), source.title
    groups: dict[tuple, list[Measurement]] = {}
    for run in runs:
        groups.setdefault((run.model, run.hardware, run.precision, product(run.software), run.mtp), []).append(run)
    said = Said(cite or (lambda _: source.id), say or (lambda _: ""))
    try:
        made = {key: points(group, said) for key, group in groups.items()}
        built = {key: found for key, found in made.items() if found.points}
        if not built:
            missing = "TPOT" if any(best(run.ttft) for run in runs) else "TTFT"
            found = f"none of its {len(runs)} runs tells {missing} beside the other latency"
            raise InputError(Fault(where, "", found, "Give runs of streamed answers, with TTFT and TPOT"))
        if named.id and len(built) > 1:
            found = f"it holds {len(built)} systems, and one id is given"
            raise InputError(Fault(where, "", found, "Leave the id out; each gets its own"))
        ids = _ids(list(built), named)
        return tuple(_system(ids[key], groups[key], found, source, named) for key, found in built.items())
    except ValidationError as error:
        first = error.errors()[0]
        path, found = ".".join(map(str, first["loc"])), first["msg"].removeprefix("Value error, ")
        raise InputError(Fault(where, path, found, "Is it in another unit?")) from None


def _system(name: str, runs: list[Measurement], made: Made, source: Source, named: Named) -> System:
    run, found = runs[0], tuple(sorted(made.points, key=quick))
    label = named.label or run.hardware or named.id or "Imported"
    softwares = ", ".join(dict.fromkeys(filter(None, (other.software for other in runs))))
    notes = dict.fromkeys(_line(note) for other in runs for note in other.notes)
    return System(
        id=name,
        label=label[:80],
        accelerator=(run.hardware or label)[:80],
        model=_slug(named.model or run.model) if named.model or run.model else None,
        model_label=(named.model or run.model or "")[:80] or None,
        precision=run.precision and run.precision[:80],
        software=softwares[:80] or None,
        mtp=run.mtp,
        points=found,
        fixed_share=_share(found, runs),
        measured=_measured(runs),
        headline=f"Measured with {run.format}: {len(found)} operating point{'s' if len(found) > 1 else ''}.",
        notes=(*_about(run, made, len(runs)), *_most(list(notes))),
        sources=(source,),
    )


def _about(run: Measurement, made: Made, runs: int) -> Iterator[str]:
    """What a reader must know of how the points came of the runs."""
    if run.mtp is None:
        yield "Whether it predicts several tokens at once (MTP, speculative decoding) is not said."
    if any(point.configuration and MEDIANS in point.configuration for point in made.points):
        yield "Where the file has no means, medians stand for them: a mean first-token time may be longer."
    if made.silent:
        yield f"{made.silent:,} of its {runs:,} runs do not tell both TTFT and TPOT and are left out."
    if made.repeated:
        yield "Of several runs of one configuration, load and length the middle one counts."


def _most(notes: list[str]) -> list[str]:
    """The first notes, and how many more there are."""
    if len(notes) <= MOST_NOTES:
        return notes
    return [*notes[:MOST_NOTES], f"{len(notes) - MOST_NOTES:,} more notes on its runs are left out here."]


def _share(found: tuple[OperatingPoint, ...], runs: list[Measurement]) -> Number | None:
    """The part of TTFT that does not grow with the prompt: none needed with tables, fitted to single requests where
    their prompts differ enough, else unknown.
    """
    if all(point.ttft_over_prompt is not None for point in found):
        return None
    at, source = found[0].ttft_at_tokens, found[0].ttft.source
    for run in runs:
        asked = run.requests
        enough = asked is not None and len(asked.ttft_s) >= 20 and min(asked.ttft_s) > 0
        if enough and max(asked.input_tokens) >= WIDE * min(asked.input_tokens) > 0:
            line = fit_line(asked.input_tokens, asked.ttft_s)
            share = round(line.fixed_s / line.at(at), 6)
            note = f"a line through {len(asked.ttft_s)} single requests; half of them lie within {line.error:.0%} of it"
            return Number(value=share, unit="share", grade=Grade.DERIVED, source=source, note=note)
    why = "Not all loads were measured" if any(point.ttft_over_prompt for point in found) else "No load was measured"
    note = (
        f"{why} at several prompt lengths, which would tell how TTFT grows with the prompt: half of it is assumed to."
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
    """An id for each system, accelerator/model; where two would be alike, precision, software and whether MTP is said
    tell them apart, and at last a number.
    """
    found: dict[tuple, str] = {}
    for parts in range(4):
        for key in keys:
            model, hardware, precision, software, mtp = key
            unsaid = "mtp-unknown" if mtp is None else None
            extra = [_slug(text) for text in (precision, software, unsaid)[:parts] if text]
            slug = "-".join([_slug(hardware or "imported") + ("-mtp" if mtp else ""), *extra])[:65].strip("-._")
            found[key] = f"{slug}/{_slug(named.model or model)}" if named.model or model else slug
        if len(set(found.values())) == len(keys):
            break
    taken: set[str] = set()
    for key, name in found.items():
        at, free = 1, name
        while free in taken:
            at += 1
            accelerator, slash, model = name.partition("/")
            free = f"{accelerator}-{at}{slash}{model}"
        taken.add(free)
        found[key] = free
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
