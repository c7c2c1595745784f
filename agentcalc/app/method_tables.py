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
from agentcalc.units import NBSP

CHECK_TASK = "benchmark-call"


def title(system: System) -> str:
    """A system with its model: "Jalapeño, DeepSeek R1"."""
    return f"{short_name(system)}, {system.model_label or system.model or 'any model'}"


def numbers(system: System, find: Find) -> str:
    """One system: each number with value, band, grade, source and note, and why it differs from its headline."""
    what = [system.precision, system.software, "MTP" if system.mtp else "no MTP"]
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
    rows = []
    for pair in pairs:
        found = compare(tasks[CHECK_TASK], [systems[name] for name in pair], trials=1)
        for spec, result in zip(found.specs, found.systems, strict=True):
            independent = spec.point.ttft.grade is Grade.MEASURED
            rows.append(
                (
                    title(spec),
                    f"{result.task_s['mean']:.2f}{NBSP}s",
                    "independent" if independent else "closes by construction",
                    spec.headline,
                )
            )
    head = ("System", "One benchmark call", "As a check", "Against what was reported")
    return (
        "<p>A first-token time that was measured apart makes the end-to-end time a real check. One that was derived "
        "from the reported end-to-end time gives that time back whatever the truth is.</p>"
    ) + table(head, rows)


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
    """The prompts the numbers were measured on, as one sentence."""
    ranges = {(s.measured.uncached_tokens.low, s.measured.uncached_tokens.high) for s in systems if s.measured}
    said = " and ".join(f"{low:,} to {high:,}" for low, high in sorted(ranges))
    return f"prompts of {said} fresh tokens" if said else "prompts of a length nobody states"


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
