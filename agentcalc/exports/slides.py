"""The slides of one comparison: the answer, its figures, what would change it, what is not known and who said it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest

from agentcalc.analysis.headline import Headline
from agentcalc.analysis.naming import models, names
from agentcalc.analysis.reach import extrapolations
from agentcalc.catalog import source
from agentcalc.exports.deck import Slide, slide_of
from agentcalc.figures.figure import Figure
from agentcalc.provenance import Source
from agentcalc.results import Comparison
from agentcalc.system import Spec
from agentcalc.units import NBSP, show_share, show_time

MOST_LINES = 9


def slides_for(
    comparison: Comparison,
    head: Headline,
    figures: Mapping[str, Figure],
    *,
    caveat: str = "",
    changes: Sequence[str] = (),
    titles: Mapping[str, str] | None = None,
    leave_out: Sequence[str] = (),
) -> tuple[Slide, ...]:
    """Slides in the order in which a meeting asks: the sentence, each figure, all runs in numbers, what would change
    it, what is not known, the sources.

    head: the sentence of the pair; caveat: what the numbers are, under it; figures by kind; changes: lines on what
    would change the answer, the first of them the slide's title; titles: in place of a slide's own, by kind ("answer",
    a figure's kind, "numbers", "changes", "unknown", "sources"); leave_out: kinds without a slide.
    """
    said = next(iter(figures.values())).source if figures else ""
    task = ", ".join((comparison.task.name, *models(comparison.specs)))
    answer = tuple(line for line in (head.why, head.so_what, caveat) if line)
    found = {"answer": Slide(head.title, task, answer, source=said)}
    found |= {kind: slide_of(figure) for kind, figure in figures.items()}
    found["numbers"] = Slide("All runs in numbers", task, _numbers(comparison), source=said)
    if changes:
        found["changes"] = Slide(changes[0], task, tuple(changes[1:])[:MOST_LINES], source=said)
    unknown = unknown_lines(comparison)
    if unknown:
        found["unknown"] = Slide("What is not known", task, unknown, source=said)
    found["sources"] = Slide("Who said the numbers", task, source_lines(comparison))
    named = titles or {}
    kept = {kind: slide for kind, slide in found.items() if kind not in leave_out}
    return tuple(Slide(named.get(kind, s.title), s.subtitle, s.lines, s.figure, s.source) for kind, s in kept.items())


def _numbers(comparison: Comparison) -> tuple[str, ...]:
    lines = []
    for index, system in enumerate(comparison.systems):
        times = {word: show_time(system.task_s[by]) for word, by in (("typical", "p50"), ("average", "mean"))}
        line = f"{system.label}: {times['typical']} typical, {times['average']} on average, "
        line += f"{show_time(system.task_s['p95'])} at p95; rests on: {system.grade.value}"
        if index:
            wins = show_share(comparison.pairs[index - 1].candidate_wins)
            line += f"; first in {wins} of runs"
        lines.append(line)
    return (*lines[:MOST_LINES], f"{comparison.n_trials:,} runs, seed {comparison.seed}.")


def unknown_lines(comparison: Comparison) -> tuple[str, ...]:
    """Every number with a band that matters, then what is extrapolated, then what a reader must know."""
    lines = []
    for system in comparison.systems:
        for row in system.basis:
            if row.band is not None and row.matters and row.unknown:
                low, high = (_amount(end, row.unit) for end in row.band)
                lines.append(f"{row.system}: {row.unknown} ({low} to {high}).")
    # Turn by turn, so that whoever has most to say does not crowd out the others.
    notes = [
        f"{called}: {note}"
        for turn in zip_longest(*(_notes(spec) for spec in comparison.specs))
        for called, note in zip(names(comparison.specs), turn, strict=True)
        if note
    ]
    return tuple(dict.fromkeys((*lines, *extrapolations(comparison), *comparison.warnings, *notes)))


def _notes(spec: Spec) -> list[str]:
    return [note for part in spec.parts for note in part.notes]


def _amount(value: float, unit: str) -> str:
    if unit == "share":
        return show_share(value)
    return show_time(value) if unit == "s" else f"{value:,.4g}{NBSP}{unit}"


def source_lines(comparison: Comparison) -> tuple[str, ...]:
    """Every source that the systems and the task rest on: title, publisher, date."""
    lines = {}
    for spec, system in zip(comparison.specs, comparison.systems, strict=True):
        for row in system.basis:
            found = source(row.source, spec)
            lines[found.id] = _source(found)
    for entry in comparison.task.sources:
        found = source(entry, comparison.task) if isinstance(entry, str) else entry
        lines[found.id] = _source(found)
    return tuple(lines.values())


def _source(found: Source) -> str:
    day = f", {found.date.day}{NBSP}{found.date:%b}{NBSP}{found.date.year}" if found.date else ""
    return f"{found.title} ({found.publisher}{day})"
