"""The tables of the Method page as HTML, read from the data: numbers of every system, checks, unknowns, sources."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from agentcalc.analysis.naming import UNKNOWN_NUMBERS, short_name
from agentcalc.app.rests import NUMBER_WORDS, Find, link, show_date
from agentcalc.app.words import Html, bullets, esc, show_number, table
from agentcalc.comparison import compare
from agentcalc.provenance import Grade, Source
from agentcalc.system import System
from agentcalc.task import Task
from agentcalc.units import MINUS, NBSP

CHECK_TASK = "benchmark-call"
MANY = 6
"""So many systems are named one by one in a sentence; more are "all others"."""
BLIND = "independent and blind"
FOUND_BY_TIME = {"gb300/deepseek-r1": 5.99}
"""Measured rows that were told from their neighbours by the reported end-to-end time they give, in seconds."""


def title(system: System) -> str:
    """A system with its model: "Jalapeño, DeepSeek R1"."""
    return f"{short_name(system)}, {system.model_label or system.model or 'any model'}"


def numbers(system: System, find: Find) -> str:
    """One system: each number with value, band, grade, source and note, and why it differs from its headline."""
    what = [system.precision, system.software, {True: "MTP", False: "no MTP", None: None}[system.mtp]]
    kind = ", ".join(part for part in what if part)
    rows = []
    for name, number in system.numbers():
        band = "" if number.band is None else " to ".join(show_number(name, end, number.unit) for end in number.band)
        at = f" at {system.point.ttft_at_tokens:,} fresh tokens" if name == "ttft" else ""
        value = show_number(name, number.value, number.unit) + at
        origin = Html(link(find, number.source))
        rows.append((NUMBER_WORDS[name], value, band, number.grade.value, origin, number.note or ""))
    head = ("Number", "Value", "Could be", "Grade", "Source", "Note")
    return (
        f'<h3>{esc(title(system))}</h3><p class="ac-small">{esc(system.id)} · {esc(kind)}</p>'
        f"{table(head, rows, kind='numbers')}<p>{esc(system.headline)}</p>{bullets(system.notes)}"
    )


def checks(tasks: Mapping[str, Task], systems: Mapping[str, System], pairs: Iterable[tuple[str, str]]) -> str:
    """One benchmark call on each system of the default pairs, and whether meeting the reported time proves anything."""
    rows, blind = [], []
    for pair in pairs:
        found = compare(tasks[CHECK_TASK], [systems[name] for name in pair], trials=1)
        for spec, result in zip(found.specs, found.systems, strict=True):
            kind = _check(spec, result.task_s["mean"])
            blind += [title(spec)] * (kind == BLIND)
            rows.append((title(spec), f"{result.task_s['mean']:.2f}{NBSP}s", kind, spec.headline))
    head = ("System", "One benchmark call", "As a check", "Against what was reported")
    said = (
        f"Of these {len(rows)} only {' and '.join(blind) or 'none'} is a blind check: its row was found by its speed "
        "alone, so that it also comes near the reported end-to-end time proves something. A row that was found by the "
        "end-to-end time it gives checks the arithmetic and the point, and nothing else. A first-token time that was "
        "derived from the reported end-to-end time gives that time back whatever the truth is."
    )
    return f"<p>{esc(said)}</p>{table(head, rows)}"


def _check(system: System, seconds: float) -> str:
    """What one call of so many seconds proves about a system."""
    if system.point.ttft.grade is not Grade.MEASURED:
        return "closes by construction"
    if system.id in FOUND_BY_TIME:
        told = FOUND_BY_TIME[system.id]
        off = f"{seconds / told - 1:+.1%}".replace("-", MINUS)
        return f"not blind: the row was identified by its giving {told} s ({off}); checks the arithmetic and the point"
    return BLIND


def unknowns(systems: Iterable[System]) -> str:
    """What is not known: every number with a band, and every load that is not said."""
    items = []
    for system in systems:
        for name, number in system.numbers():
            if number.band is not None:
                low, high = (show_number(name, end, number.unit) for end in number.band)
                text = number.unknown or UNKNOWN_NUMBERS[name]
                items.append(f"{title(system)}: {text} ({low} to {high}).")
        if system.point.concurrency is None:
            items.append(f"{title(system)}: its load, how many users its point serves and on how many chips.")
    return bullets(items)


def measured_range(systems: Iterable[System]) -> str:
    """The prompts the numbers of each system were measured on, in sentences: systems of one range stand together, and
    those of the range that most have are named last, as all others.
    """
    by_range: dict[tuple[int, int], list[str]] = {}
    for system in systems:
        if system.measured:
            tokens = system.measured.uncached_tokens
            by_range.setdefault((tokens.low, tokens.high), []).append(title(system))
    ranges = sorted(by_range.items(), key=lambda item: len(item[1]))
    if len(ranges) > 1 and len(ranges[-1][1]) > MANY:
        ranges[-1] = ranges[-1][0], ["all others"]
    said = [
        f"{those[0][0].upper()}{'; '.join(those)[1:]}: measured on prompts of {low:,} to {high:,} fresh tokens."
        for (low, high), those in ranges
    ]
    return " ".join(said) or "Nobody states on prompts of which length they were measured."


def sources(found: Iterable[Source]) -> str:
    """Every source: title with its address, publisher, date, licence, note."""
    rows = [
        (Html(_titled(s)), s.publisher, show_date(s.date) if s.date else "", s.licence or "", s.note or "")
        for s in found
    ]
    return table(("Title", "Publisher", "Date", "Licence", "Note"), rows)


def _titled(source: Source) -> str:
    if not source.address:
        return esc(source.title)
    return f'<a href="{esc(source.address)}" target="_blank" rel="noreferrer noopener">{esc(source.title)}</a>'


def task_sources(tasks: Iterable[Task], find: Find) -> str:
    """Every packaged task with where it comes from."""
    rows = [(t.name, Html("; ".join(link(find, s) for s in t.sources)), " ".join(t.notes)) for t in tasks]
    return table(("Task", "Source", "Note"), rows)
