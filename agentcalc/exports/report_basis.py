"""What a report rests on: systems and their points, every number with its grade, what is not known, sources."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import zip_longest

from agentcalc.analysis.naming import UNKNOWN_NUMBERS, names
from agentcalc.analysis.reach import extrapolations
from agentcalc.answers import WORDS
from agentcalc.catalog import source
from agentcalc.exports.report_blocks import Block, Grid, Link, Listed, Reference, References, Words
from agentcalc.exports.report_numbers import show_amount
from agentcalc.figures.words import series
from agentcalc.provenance import Source
from agentcalc.results import Basis, Comparison
from agentcalc.system import Spec, System
from agentcalc.units import counted, show_count, show_time


class Sources:
    """Sources by number, in the order in which they are first named, each with what rests on it."""

    def __init__(self, comparison: Comparison):
        # By the whole source and not by its id: two files may call different sources alike.
        self._used: dict[Source, list[str]] = {}
        for called, spec, system in zip(names(comparison.specs), comparison.specs, comparison.systems, strict=True):
            for row in system.basis:
                self._add(source(row.source, spec), f"{called}: {WORDS[row.name]} ({row.grade.value})")
        for entry in comparison.task.sources:
            found = entry if isinstance(entry, Source) else source(entry, comparison.task)
            self._add(found, "the task")

    def _add(self, found: Source, used: str) -> None:
        self._used.setdefault(found, []).append(used)

    def link(self, row: Basis, spec: Spec) -> Link:
        """The number of a source, as a link to it."""
        number = list(self._used).index(source(row.source, spec)) + 1
        return Link(str(number), source=number)

    def block(self) -> References:
        """All of them."""
        return References(tuple(self._reference(i, found) for i, found in enumerate(self._used, 1)))

    def _reference(self, number: int, found: Source) -> Reference:
        day = f", {found.date.day} {found.date:%b %Y}" if found.date else ", not dated"
        used = "; ".join(dict.fromkeys(self._used[found]))
        notes = (f"Licence: {found.licence}." if found.licence else "", found.note or "")
        said = f"{found.publisher}{day}"
        return Reference(number, found.title, said, found.address or "", used, tuple(note for note in notes if note))


def systems_table(comparison: Comparison) -> Grid:
    """Every system with its model, its software and its operating point."""
    specs, called = comparison.specs, names(comparison.specs)
    rows: list[tuple[str, ...]] = [
        ("Id", *(spec.id for spec in specs)),
        ("Model", *(_each(spec, lambda s: s.model_label or s.model or "any") for spec in specs)),
        ("Precision, software", *(_each(spec, _build) for spec in specs)),
        ("Operating point", *(_each(spec, _point) for spec in specs)),
        ("First token there", *(_each(spec, _first) for spec in specs)),
        ("Writing there", *(_each(spec, _writing) for spec in specs)),
        ("Weakest grade it rests on", *(system.grade.value for system in comparison.systems)),
    ]
    return Grid("The systems, the baseline first", ("", *called), tuple(row for row in rows if any(row[1:])))


def _each(spec: Spec, say) -> str:
    """What is said of a system; of a deployment, of each role's."""
    if isinstance(spec, System):
        return say(spec)
    return "; ".join(f"{role}: {say(system)}" for role, system in spec.roles)


def _build(system: System) -> str:
    mtp = {True: "with MTP", False: "no MTP", None: ""}[system.mtp]
    return ", ".join(part for part in (system.precision, system.software, mtp) if part)


def _point(system: System) -> str:
    point = system.point
    users = "load not published" if point.concurrency is None else counted(point.concurrency, "user")
    chips = "" if point.chips is None else f" on {counted(point.chips, 'chip')}"
    between = "" if point.between is None else f", between measured {series(list(map(str, point.between)))}"
    tails = ", calls differ as measured" if system.tails else ""
    return f"{users}{chips}{between}{tails}"


def _first(system: System) -> str:
    point = system.point
    return f"{show_amount(point.ttft.value, point.ttft.unit)} at {show_count(point.ttft_at_tokens)} tokens in"


def _writing(system: System) -> str:
    tpot = system.point.tpot
    if tpot.unit == "tok/s/user":
        return show_amount(tpot.value, tpot.unit)
    speed = f", {1 / tpot.seconds():,.0f} tok/s per user" if tpot.value else ""
    return f"{show_amount(tpot.value, tpot.unit)} a token{speed}"


def numbers_table(comparison: Comparison, sources: Sources) -> Grid:
    """Every number of a system that the answer rests on."""
    rows = []
    for called, spec, system in zip(names(comparison.specs), comparison.specs, comparison.systems, strict=True):
        for row in system.basis:
            band = "" if row.band is None else " to ".join(show_amount(end, row.unit) for end in row.band)
            words = _whose(called, spec, row)
            value = show_amount(row.value, row.unit)
            rows.append((words, value, band, row.grade.value, sources.link(row, spec)))
    head = ("Number", "Value", "Could be", "Grade", "Source")
    return Grid("Every number of the systems", head, tuple(rows))


def _whose(called: str, spec: Spec, row: Basis) -> str:
    """ "GB300: first-token time"; of a deployment also which of its systems."""
    who = called if len(spec.parts) == 1 else f"{called}, {row.system}"
    return f"{who}: {WORDS[row.name]}"


def number_notes(comparison: Comparison) -> tuple[Block, ...]:
    """What the files say of each number, and why a system differs from its headline."""
    lines = []
    for called, spec, system in zip(names(comparison.specs), comparison.specs, comparison.systems, strict=True):
        lines += [f"{_whose(called, spec, row)}. {row.note}" for row in system.basis if row.note]
        lines += [f"{called}: {part.headline}" for part in spec.parts]
    return (Words("How they came about:"), Listed.of(list(dict.fromkeys(lines))))


def unknown_blocks(comparison: Comparison) -> tuple[Block, ...]:
    """What is not known with what that does to the answer, what is extrapolated, what a reader must bear in mind."""
    rows = []
    for called, system in zip(names(comparison.specs), comparison.systems, strict=True):
        for row in system.basis:
            if row.band is not None and row.band[0] != row.band[1]:
                low, high = (show_amount(end, row.unit) for end in row.band)
                moves = f"an average run by up to {show_time(row.moves_s)}" if row.matters else "nothing here"
                what = row.unknown or UNKNOWN_NUMBERS.get(row.name, WORDS[row.name])
                rows.append((f"{called}: {what}", f"{low} to {high}", moves))
    blocks: list[Block] = []
    if rows:
        blocks.append(
            Grid("What is not known, and what that moves by itself", ("Not known", "Between", "Moves"), tuple(rows))
        )
    else:
        blocks.append(Words("Nothing that the systems rest on is left open by a band."))
    far = extrapolations(comparison)
    if far:
        blocks.append(Words("Extrapolated: beyond what was measured a straight line is drawn.", "strong"))
        blocks.append(Listed.of(far))
    mind = tuple(dict.fromkeys((*comparison.warnings, *_notes(comparison))))
    if mind:
        blocks += [Words("To bear in mind.", "strong"), Listed.of(mind)]
    assumed = assumptions(comparison)
    blocks.append(Words("Assumed.", "strong"))
    blocks.append(Listed.of(assumed) if assumed else Words("Nothing that changes a run."))
    return tuple(blocks)


def _notes(comparison: Comparison) -> Iterable[str]:
    """What the systems' files say, turn by turn, so that whoever has most to say does not crowd out the others."""
    mine = ([note for part in spec.parts for note in part.notes] for spec in comparison.specs)
    for turn in zip_longest(*mine):
        for called, note in zip(names(comparison.specs), turn, strict=True):
            if note:
                yield f"{called}: {note}"


def assumptions(comparison: Comparison) -> tuple[str, ...]:
    """Every assumption once."""
    return tuple(dict.fromkeys(text for system in comparison.systems for text in system.assumptions))
