"""What stands on each slide of a comparison, in the order in which a meeting asks: for the app and the command line.

The app shows the same as screens; a deck puts a first slide before them, and notes under each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from agentcalc.analysis.headline import Headline
from agentcalc.analysis.naming import names
from agentcalc.analysis.reach import extrapolations
from agentcalc.analysis.sensitivity import Sensitivity
from agentcalc.catalog import source
from agentcalc.errors import Fault, NotFoundError
from agentcalc.exports.deck import Slide, slide_of
from agentcalc.exports.slide_notes import notes
from agentcalc.figures import race_still, tornado
from agentcalc.figures.distribution import DASHES
from agentcalc.figures.figure import Figure
from agentcalc.figures.race import Race
from agentcalc.figures.several import about
from agentcalc.figures.words import series
from agentcalc.provenance import Source
from agentcalc.results import Comparison
from agentcalc.system import Spec
from agentcalc.units import NBSP, counted, show_share, show_time

WORDS = {
    "cover": "Title",
    "answer": "The sentence",
    "race": "The race",
    "timeline": "Timeline",
    "accumulation": "Step by step",
    "components": "Where the time goes",
    "break_even": "Break-even",
    "distribution": "All runs",
    "changes": "What would change it",
    "sources": "Sources, and what is not known",
}
"""Kinds of slides, each with its name."""

SOURCES_TITLE = "What is not known, and who said the numbers"
NOTHING_UNKNOWN = "Nothing that the systems rest on is left open."
METHOD = (
    "A task is played step by step, the same runs on every system. A call takes its overhead, its first-token "
    "time for what the server has not kept of the prompt, and a time for each further token; steps add up along the "
    "path that ends last."
)
MOST_LINES = 9
MOST_NAMED = 1 + len(DASHES)
"""Systems a first slide names beside the baseline."""


@dataclass(frozen=True)
class Told:
    """All that slides are made of. What takes time is asked for by the slide that shows it.

    by: the statistic of the sentence (p50, mean, p95); run: index of the run shown; changed: what a what-if changed,
    with the answer before it, or nothing; caveat: what the numbers are, in a line; figures: by kind; line: what would
    bring the candidate under a round time, or nothing; command: what makes a slide of a kind again, and "" the deck.
    """

    comparison: Comparison
    head: Headline | None
    by: str
    run: int
    caveat: str
    changed: str
    figures: Callable[[], Mapping[str, Figure]]
    race: Callable[[], Race]
    moved: Callable[[], Sensitivity]
    line: Callable[[], str]
    command: Callable[[str], str]


def slide(kind: str, told: Told) -> Slide:
    """A slide, without its notes, and without the line that ``told.line`` takes its time for.

    Raises NotFoundError for a figure that the comparison does not have.
    """
    made = {"cover": cover, "answer": answer, "race": race, "changes": changes, "sources": sources}.get(kind)
    return made(told) if made else slide_of(_figure(kind, told))


def whole(kind: str, told: Told) -> Slide:
    """A slide with all that belongs on it."""
    made = slide(kind, told)
    return with_line(made, told.line()) if kind == "changes" else made


def deck_of(made: Iterable[tuple[str, Slide]], told: Told, first: bool = True) -> tuple[Slide, ...]:
    """The slides of a deck, each with its notes, from slides by kind. first: after the one with the title."""
    every = [*([("cover", cover(told))] if first else []), *made]
    return tuple(replace(one, notes=notes(kind, one, told)) for kind, one in every)


def cover(told: Told) -> Slide:
    """The first slide: the task, who is compared on which model, how many runs."""
    found, words = told.comparison, about(told.comparison)
    base, *others = names(found.specs)
    more = len(others) - MOST_NAMED
    named = [*others[:MOST_NAMED], *([f"{more} more"] if more > 0 else [])]
    systems = f"{series(named)} against {base}" if named else base
    subtitle = f"{systems}, {words.model}" if words.model else systems
    lines = (f"{counted(found.n_trials, 'run')} of the task, the same on every system.",) if found.pairs else ()
    return Slide(found.task.name, subtitle, lines, source=words.source, cover=True)


def answer(told: Told) -> Slide:
    """The sentence with the lines under it."""
    found, head = told.comparison, told.head
    if head is None:
        title = f"A typical run takes {show_time(found.systems[0].task_s['p50'])} on {names(found.specs)[0]}"
        said = (told.changed, told.caveat)
    else:
        title, said = head.title, (head.why, told.changed, head.so_what, told.caveat)
    words = about(found)
    return Slide(title, words.of_model, tuple(line for line in said if line), source=words.source)


def race(told: Told) -> Slide:
    """The race as a still: a slide cannot play it, so its title tells how it ends."""
    found = told.race()
    return replace(slide_of(race_still.figure(found)), race=found)


def changes(told: Told) -> Slide:
    """What would change the answer: each input of the pair's candidate moved by a fifth."""
    found, words = told.moved(), about(told.comparison, (0, 1) if told.comparison.pairs else (0,))
    if not (found.table()["span"] > 0).any():
        return Slide(found.sentence.removesuffix("."), words.of_model, source=words.source)
    return slide_of(tornado.of_sensitivity(found, words))


def with_line(made: Slide, line: str) -> Slide:
    """The same with a line under its figure; without a figure, or a line, as it was."""
    return replace(made, lines=(line,)) if line and made.figure is not None else made


def sources(told: Told) -> Slide:
    """What is not known, who said the rest, and how it was worked out."""
    found = told.comparison
    how = f"{METHOD} {counted(found.n_trials, 'run')}, seed{NBSP}{found.seed}."
    columns = (
        ("Not known, and to bear in mind", _first(unknown_lines(found)) or (NOTHING_UNKNOWN,)),
        ("Who said the numbers, and how they came about", (*_first(source_lines(found)), how)),
    )
    return Slide(SOURCES_TITLE, about(found).of_model, columns=columns)


def titled(made: Slide, own: str) -> Slide:
    """Under a title of one's own, in the figure's description too; its source line stays."""
    found = made.figure
    if found is None:
        return replace(made, title=own)
    # A still's title is a finding of its own, which its description begins with; it is kept.
    alt = f"{own}. {found.alt_text}" if found.kind == "race" else found.alt_text.replace(found.title, own, 1)
    return replace(made, title=own, figure=replace(found, title=own, alt_text=alt))


def _figure(kind: str, told: Told) -> Figure:
    found = told.figures()
    if kind not in found:
        has = f"it has {', '.join(found)}" if found else "give a task in which something takes time"
        raise NotFoundError(Fault(kind, "", "this comparison has no such figure", has))
    return found[kind]


def _first(lines: Sequence[str]) -> tuple[str, ...]:
    """As many lines as a screen has room for; Method, and a slide's notes, have all of them."""
    more = len(lines) - MOST_LINES
    return (*lines[: MOST_LINES - 1], f"and {more + 1} more, on Method") if more > 0 else tuple(lines)


def unknown_lines(comparison: Comparison) -> tuple[str, ...]:
    """Every number with a band that matters, then what is extrapolated, then what a reader must know."""
    lines = []
    for system in comparison.systems:
        for row in system.basis:
            if row.band is not None and row.matters and row.unknown:
                low, high = (_amount(end, row.unit) for end in row.band)
                lines.append(f"{row.system}: {row.unknown} ({low} to {high}).")
    # Turn by turn, so that whoever has most to say does not crowd out the others.
    said = [
        f"{called}: {note}"
        for turn in zip_longest(*(_notes(spec) for spec in comparison.specs))
        for called, note in zip(names(comparison.specs), turn, strict=True)
        if note
    ]
    return tuple(dict.fromkeys((*lines, *extrapolations(comparison), *comparison.warnings, *said)))


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
