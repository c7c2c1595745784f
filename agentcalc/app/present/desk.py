"""The presentation of this visit: its scenario, its screens, and which of them is on."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from functools import cached_property

import streamlit as st

from agentcalc.analysis.headline import Headline, headline
from agentcalc.app import calls, commands, pictures, race, scenario, session, what_if, words
from agentcalc.app.calls import Answer
from agentcalc.app.choices import Choices
from agentcalc.app.present import drawing, screens
from agentcalc.app.present.screens import Screen
from agentcalc.app.state import State
from agentcalc.errors import AgentcalcError, InputError, echo
from agentcalc.exports import slides
from agentcalc.exports.slides import Told

PARTS = ("slide", "without")
"""Parts of the address that are this page's own: which screen, and the kinds of those left out of the deck."""

DARK = "present_dark"
UNEXPECTED = "The reason is in the program's own log."
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Desk:
    """number: of the screen that is on, from 1; notes: what of the address could not be read."""

    state: State
    answer: Answer
    head: Headline
    kinds: tuple[str, ...]
    number: int
    without: frozenset[str]
    dark: bool
    notes: tuple[str, ...]

    @property
    def kind(self) -> str:
        return self.kinds[self.number - 1]

    @cached_property
    def screen(self) -> Screen:
        """The screen that is on, without the line that :meth:`whole` takes its time for."""
        return self.build(self.kind)

    def whole(self, screen: Screen) -> Screen:
        """The same with all that belongs on it: under what would change the answer, the line that takes longer."""
        if screen.kind != "changes" or screen.figure is None:
            return screen
        return replace(screen, slide=slides.with_line(screen.slide, self.told.line()))

    @cached_property
    def told(self) -> Told:
        """What all screens are made of."""
        now, before, by = self.answer.now, self.answer.before, self.state.statistic
        return Told(
            comparison=now,
            head=self.head,
            by=by,
            run=self.answer.run,
            caveat=words.caveat(now.specs, before.specs) if self.head.case != "same" else "",
            changed=what_if.before_line(self.state.factors, before, by),
            figures=lambda: {figure.kind: figure for figure in calls.figures(self.answer).all},
            race=lambda: race.of(now, self.answer.run),
            moved=lambda: drawing.moved(self.answer, self.state),
            line=lambda: drawing.line(self.answer, self.state),
            command=self.command,
        )

    def command(self, kind: str, own: str = "", on: str = "") -> str:
        """What makes a slide of a kind again. own: the reader's title, on: the name of their template, or nothing."""
        now, moves = self.answer.now, scenario.moves_of(self.state, session.known())
        look = {"dark": self.dark and not on, "title": own, "template": on}
        return commands.deck_command(self.state, moves, kind, self.answer.run, now.n_trials, now.seed, **look)

    def build(self, kind: str) -> Screen:
        """A screen under the reader's title; one that cannot be drawn says why, and is no reason for others to fail."""
        try:
            made = screens.screen(kind, self.told)
        except AgentcalcError as error:
            return screens.broken(kind, str(error))
        except Exception:
            _log.exception("the screen %s failed", kind)
            return screens.broken(kind, UNEXPECTED)
        return screens.titled(made, session.brought().title(kind, made.title))


def opened(state: State, known: Choices) -> Desk:
    """The presentation of the scenario. Raises InputError when it has no answer."""
    answer = calls.answer(state, known)
    head = headline(answer.now, by=state.statistic, rival=answer.rival)
    session.answered()
    kinds = ("answer", "sources") if head.case == "same" else _kinds(answer)
    number, notes = _number(session.part("slide"), len(kinds))
    without = frozenset(session.part("without").split(",")) & frozenset(screens.WORDS)
    dark = st.session_state.get(DARK, pictures.dark())
    return Desk(state, answer, head, kinds, number, without, dark, (*session.notes(), *notes))


def _kinds(answer: Answer) -> tuple[str, ...]:
    """The screens there are. What fails here fails again where it would stand, and is told there."""
    racing = True
    try:
        race.of(answer.now, answer.run)
    except InputError:
        racing = False
    except Exception:
        _log.exception("the race failed")
    try:
        return screens.kinds_of(calls.figures(answer), racing)
    except Exception:
        _log.exception("the figures failed")
        return screens.USUAL


def _number(text: str, of: int) -> tuple[int, tuple[str, ...]]:
    if not text:
        return 1, ()
    if text.isascii() and text.isdigit() and len(text) < 4 and 1 <= int(text) <= of:
        return int(text), ()
    return 1, (f"Part of this link could not be read (slide {echo(text)}). Showing the first of {of}.",)


def go(number: int) -> None:
    """Put another screen on."""
    session.change_parts(slide=str(number) if number > 1 else None)


def step(by: int, of: int) -> None:
    """On or back from the screen that the address names now, which may be ahead of the one still shown."""
    now, _ = _number(session.part("slide"), of)
    go(min(max(now + by, 1), of))


def keep_out(kind: str, out: bool, without: frozenset[str]) -> None:
    """Leave a screen out of the deck, or take it in again; the link remembers."""
    left = without | {kind} if out else without - {kind}
    session.change_parts(without=",".join(name for name in screens.WORDS if name in left))


def retitle(kind: str, computed: str, text: str) -> None:
    """A screen's title in the reader's own words; nothing, or the computed one, takes it away. It travels in x."""
    text = "".join(c if c.isprintable() else " " for c in text)[:LONGEST_TITLE]
    session.bring(session.brought().titled(kind, computed, text))


LONGEST_TITLE = 200
