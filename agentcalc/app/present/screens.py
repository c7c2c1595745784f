"""The screens there are, in the order in which a meeting asks: each is a slide, shown. No Streamlit."""

from __future__ import annotations

from dataclasses import dataclass, replace

from agentcalc.app.arrangement import Arrangement
from agentcalc.exports import slides
from agentcalc.exports.deck import Slide
from agentcalc.exports.slides import Told
from agentcalc.figures.figure import Figure

WORDS = {kind: name for kind, name in slides.WORDS.items() if kind != "cover"}
"""Kinds of screens, each with its name. A deck begins with one more slide."""

USUAL = ("answer", "race", "timeline", "accumulation", "components", "changes", "sources")
"""The screens of most tasks."""

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


def screen(kind: str, told: Told) -> Screen:
    """A screen, without the line that ``told.line`` takes its time for."""
    made = slides.slide(kind, told)
    # On screen the race is played, and its title gives nothing away.
    title = f"{made.race.task}, side by side" if made.race is not None else made.title
    return Screen(kind, title, made)


def broken(kind: str, why: str) -> Screen:
    """In the place of a screen that could not be drawn."""
    return Screen(kind, WORDS[kind], Slide(WORDS[kind]), wrong=why)


def titled(shown: Screen, own: str) -> Screen:
    """With the reader's own title, on the slide and in the figure as well; its source line stays."""
    return shown if own == shown.title else replace(shown, own=own, slide=slides.titled(shown.slide, own))
