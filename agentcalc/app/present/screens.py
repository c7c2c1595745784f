"""What stands on each screen, in the order in which a meeting asks. No Streamlit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agentcalc.analysis.headline import Headline
from agentcalc.app.arrangement import Arrangement
from agentcalc.exports.deck import Slide, slide_of
from agentcalc.exports.slides import source_lines, unknown_lines
from agentcalc.figures import race_still
from agentcalc.figures.figure import Figure
from agentcalc.figures.race import Race
from agentcalc.figures.several import about
from agentcalc.results import Comparison

WORDS = {
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
"""Kinds of screens, each with its name."""

USUAL = ("answer", "race", "timeline", "accumulation", "components", "changes", "sources")
"""The screens of most tasks."""

SOURCES_TITLE = "What is not known, and who said the numbers"
MOST_LINES = 9
NOTHING_UNKNOWN = "Nothing that the systems rest on is left open."
NOT_DRAWN = "This figure could not be drawn. The others are fine."


@dataclass(frozen=True)
class Screen:
    """One screen. title: as computed; slide: the same as a slide of a deck; own: the reader's title, or nothing;
    wrong: why it could not be drawn, or nothing.
    """

    kind: str
    title: str
    slide: Slide
    own: str = ""
    wrong: str = ""

    @property
    def shown(self) -> str:
        """The title on screen."""
        return self.own or self.title

    @property
    def figure(self) -> Figure | None:
        return self.slide.figure


def kinds_of(arrangement: Arrangement | None, racing: bool) -> tuple[str, ...]:
    """The screens there are. Figures are those that Compare shows first; break-even stands in the place of where the
    time goes wherever it does there.
    """
    if arrangement is None:
        return "answer", "sources"
    first = (arrangement.first, *(arrangement.rows[0] if arrangement.rows else ()))
    race = ("race",) if racing else ()
    return ("answer", *race, *(figure.kind for figure in first), "changes", "sources")


def answer(head: Headline, comparison: Comparison, changed: str, caveat: str, source: str) -> Screen:
    """The sentence with the lines under it. changed: what a what-if changed, or nothing."""
    lines = tuple(line for line in (head.why, changed, head.so_what, caveat) if line)
    return Screen("answer", head.title, Slide(head.title, about(comparison).of_model, lines, source=source))


def race(found: Race) -> Screen:
    """The race. Its title on screen gives nothing away; a slide, which cannot play it, tells how it ends."""
    slide = replace(slide_of(race_still.figure(found)), race=found)
    return Screen("race", f"{found.task}, side by side", slide)


def figure(found: Figure, kind: str = "") -> Screen:
    """A figure's screen."""
    return Screen(kind or found.kind, found.title, slide_of(found))


def text(kind: str, title: str, about: str, lines: Sequence[str], source: str) -> Screen:
    """A screen of words alone."""
    return Screen(kind, title, Slide(title, about, tuple(lines), source=source))


def sources(comparison: Comparison) -> Screen:
    """What is not known, and who said the rest."""
    columns = (
        ("Not known, and to bear in mind", _first(unknown_lines(comparison)) or (NOTHING_UNKNOWN,)),
        ("Who said the numbers", _first(source_lines(comparison))),
    )
    return Screen("sources", SOURCES_TITLE, Slide(SOURCES_TITLE, about(comparison).of_model, columns=columns))


def _first(lines: tuple[str, ...]) -> tuple[str, ...]:
    """As many lines as a screen has room for; Method has all of them."""
    more = len(lines) - MOST_LINES
    return (*lines[: MOST_LINES - 1], f"and {more + 1} more, on Method") if more > 0 else lines


def broken(kind: str, why: str) -> Screen:
    """In the place of a screen that could not be drawn."""
    return Screen(kind, WORDS[kind], Slide(WORDS[kind]), wrong=why)


def titled(screen: Screen, own: str) -> Screen:
    """With the reader's own title, on the slide and in the figure as well; its source line stays."""
    if own == screen.title:
        return screen
    slide = replace(screen.slide, title=own)
    if slide.figure is not None:
        alt = f"{own}. {slide.figure.alt_text}" if screen.kind == "race" else _named(slide.figure, own)
        slide = replace(slide, figure=replace(slide.figure, title=own, alt_text=alt))
    return replace(screen, own=own, slide=slide)


def _named(figure: Figure, own: str) -> str:
    return figure.alt_text.replace(figure.title, own, 1)
