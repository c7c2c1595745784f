"""What is taken away: the deck, all figures, one page, a report, and a picture for the clipboard."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import streamlit as st

from agentcalc import exports
from agentcalc.app import clipboard, files, session, waiting
from agentcalc.app.calls import picture_key
from agentcalc.app.present import own_template, screens
from agentcalc.app.present.desk import Desk
from agentcalc.app.present.memo import memo
from agentcalc.app.present.said import size
from agentcalc.app.present.screens import WORDS, Screen
from agentcalc.app.words import esc
from agentcalc.errors import AgentcalcError
from agentcalc.exports.bundle import ENDINGS, bundle
from agentcalc.exports.deck import MIME, deck
from agentcalc.exports.one_page import one_page
from agentcalc.exports.slides import deck_of
from agentcalc.figures.words import counted

LABELS = {
    "deck": "Slides (PPTX)",
    "figures": "All figures (PNG, SVG, PDF)",
    "page": "One page (HTML)",
    "report": "Report (HTML)",
}
ALL_OUT = "Every screen is left out of the deck."

_WISH, _MADE, _COPY = "present_wish", "present_made", "present_copy"


@dataclass(frozen=True)
class Made:
    """A file ready to be saved. said: "7 slides, 210 kB"; number: another for each one made."""

    name: str
    mime: str
    data: bytes
    said: str
    number: int


def buttons(here: Desk) -> None:
    """One button a kind of file, and one for the clipboard."""
    for what, label in LABELS.items():
        none = what == "deck" and here.without >= set(here.kinds)
        st.button(
            label,
            key=f"pr_take_{what}",
            on_click=_wanted,
            args=(_WISH, what),
            disabled=none,
            help=ALL_OUT if none else None,
        )
    figure = here.screen.figure
    st.button(
        "Copy image",
        icon=":material/content_copy:",
        key="pr_copy",
        on_click=_wanted,
        args=(_COPY, here.kind),
        disabled=figure is None,
        help=None if figure is not None else "This screen is text: select it.",
    )


def _wanted(which: str, what: str) -> None:
    number, _, _ = st.session_state.get(which, (0, "", None))
    for other in (_WISH, _COPY):
        st.session_state[other] = st.session_state.get(other, (0,))[0], "", None
    st.session_state[which] = number + 1, what, None


def outcome(here: Desk) -> int:
    """Makes what was last wished for, and says what came of it; until something else is on screen.

    Returns another number each time a file has just been made.
    """
    with st.container(key="pr_outcome", horizontal=True, vertical_alignment="center"):
        made = _file(here)
        _copied(here)
    return made.number if made else 0


def _file(here: Desk) -> Made | None:
    number, what, about = st.session_state.get(_WISH, (0, "", None))
    key = (what, *_shown(here))
    if not what or (about is not None and about != key):
        st.session_state.pop(_MADE, None)
        return None
    if about is None:
        st.session_state[_WISH] = number, what, key
        try:
            st.session_state[_MADE] = _make(here, what, number)
        except AgentcalcError as error:
            st.session_state.pop(_MADE, None)
            st.html(f'<p class="pr-said" role="alert">{esc(error)}</p>')
            return None
    made = st.session_state.get(_MADE)
    if made is not None:
        st.html(f'<p class="pr-said" role="status">{esc(made.said)}</p>')
        st.download_button(
            f"Save {made.name}", made.data, file_name=made.name, mime=made.mime, on_click="ignore", key="pr_save"
        )
        if what == "deck":
            own_template.control(lambda: _wanted(_WISH, "deck"))
    return made


def _shown(here: Desk) -> tuple:
    """What a file depends on: with another title or another scheme it is another file."""
    return (
        *picture_key(here.answer),
        here.state,
        here.without,
        here.dark,
        session.brought().titles,
        own_template.own(),
    )


def _make(here: Desk, what: str, number: int) -> Made:
    if what == "report":
        data = waiting.patiently(memo(here), "Writing the report")
        name = f"{here.state.task}-report.html"
        return Made(name, "text/html", data, f"One report, {size(len(data))}", number)
    wanted = [kind for kind in here.kinds if what != "deck" or kind not in here.without]
    every = [here.whole(here.build(kind)) for kind in wanted]
    fine = [screen for screen in every if not screen.wrong]
    missing = [WORDS[screen.kind] for screen in every if screen.wrong]
    left = f" Left out, for they could not be drawn: {', '.join(missing)}." if missing else ""
    stem = here.state.task
    facts = files.facts(here.answer.now, here.answer.run)
    name, mime, work, told = _kind(what, stem, fine, here, facts)
    data = waiting.patiently(work, "Drawing")
    return Made(name, mime, data, f"{told}, {size(len(data))}{'.' if left else ''}{left}", number)


def _kind(what: str, stem: str, fine: list[Screen], here: Desk, facts: files.Facts) -> tuple[str, str, Callable, str]:
    slides, dark = [screen.slide for screen in fine], here.dark
    if what == "deck":
        own, kept = {screen.kind: screen.own for screen in fine}, own_template.own()
        on = kept.name if kept else ""
        all_told = replace(here.told, command=lambda kind: here.command(kind, own.get(kind, ""), on))
        noted = deck_of(((screen.kind, screen.slide) for screen in fine), all_told)
        stage = own_template.stage()
        # A template keeps its own background, whatever the screen's is.
        plainly_dark = dark and stage is None

        def made(progress: waiting.Progress) -> bytes:
            return deck(noted, plainly_dark, progress, stage=stage)

        return f"{stem}.pptx", MIME, made, counted(len(noted), "slide")
    if what == "page":
        told = counted(len(slides), "screen")
        return f"{stem}.html", "text/html", lambda progress: one_page(slides, dark, progress).encode(), told
    figures = [screen.figure for screen in fine if screen.figure is not None]
    told = f"{counted(len(figures), 'figure')}, {counted(len(ENDINGS) * len(figures), 'file')}"

    def packed(progress: waiting.Progress) -> bytes:
        return bundle(figures, "full", dark, progress, facts)

    return f"{stem}-figures.zip", "application/zip", packed, told


def _copied(here: Desk) -> None:
    number, kind, about = st.session_state.get(_COPY, (0, "", None))
    key = (*_shown(here), here.number)
    if kind != here.kind or here.screen.figure is None or (about is not None and about[0] != key):
        return
    if about is None:
        try:
            drawn = exports.png(here.screen.figure, "full", here.dark)
        except AgentcalcError as error:
            st.html(f'<p class="pr-said" role="alert">{esc(screens.NOT_DRAWN)} {esc(error)}</p>')
            return
        about = key, drawn
        st.session_state[_COPY] = number, kind, about
    clipboard.copy_picture(about[1], here.screen.figure.alt_text, number)
