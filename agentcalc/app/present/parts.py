"""What is on the page: the screen, and the bar that appears when the pointer moves."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import streamlit as st

from agentcalc.app import race
from agentcalc.app.options import pages_folder
from agentcalc.app.present import desk, drawing, said, screens
from agentcalc.app.present.desk import Desk
from agentcalc.app.present.screens import Screen
from agentcalc.app.words import plain_label
from agentcalc.errors import AgentcalcError
from agentcalc.figures.theme import DARK, LIGHT

STYLE = Path(__file__).with_name("present.css")
JS = Path(__file__).with_name("present.js")
_KEYS = "present_keys"
_HEARD = "present_heard"


def style(dark: bool | None) -> None:
    """The look of the page; dark: for a reader who chose another scheme than the browser's own, else None."""
    st.html(STYLE)
    if dark is not None:
        palette, scheme = (DARK, "dark") if dark else (LIGHT, "light")
        st.html(
            f"<style>.stApp {{ color-scheme: {scheme} !important; background: {palette.background} !important; "
            f"color: {palette.ink} !important; }}</style>"
        )


def screen(here: Desk, editable: bool) -> None:
    """The screen that is on."""
    shown, head = here.screen, here.head
    if editable:
        st.html(said.number(here.number, len(here.kinds)))
    if shown.kind == "race" and not shown.wrong:
        st.html(f'<div class="pr-head">{said.title(shown, head, editable)}{said.about(shown)}</div>')
        race.show(here.answer.now, here.answer.run, play=False, scheme="dark" if here.dark else "light")
        return
    drawn = ("", "")
    if shown.figure is not None:
        try:
            drawn = _pictures(here, shown)
        except AgentcalcError as error:
            shown = screens.broken(shown.kind, str(error))
    place = st.empty()
    place.html(said.screen(shown, head, editable, *drawn))
    # The figure is looked at while more is worked out about it.
    whole = here.whole(shown)
    if whole != shown:
        place.html(said.screen(whole, head, editable, *drawn))


def _pictures(here: Desk, shown: Screen) -> tuple[str, ...]:
    return tuple(drawing.picture(here.answer, shown.figure, here.dark, narrow) for narrow in (False, True))


def draw_ahead(here: Desk) -> None:
    """Draws the pictures of the next screen while this one is looked at, so that it is there at once."""
    if here.number == len(here.kinds) or here.kinds[here.number] not in drawing.QUICK:
        return
    shown = here.build(here.kinds[here.number])
    # What cannot be drawn is told where it would stand.
    if shown.figure is not None:
        with suppress(AgentcalcError):
            _pictures(here, shown)


def bar(here: Desk, more: Callable[[], None]) -> None:
    """Where to go, what to take along (``more``), dark or light, and what is left out of the deck."""
    at, last = here.number, len(here.kinds)
    with st.container(horizontal=True, key="pr_bar", vertical_alignment="center", gap="small"):
        # Their keys are heard by present.js: of quick clicks on a button Streamlit takes one.
        for label, icon, by in (
            ("First", "first_page", -last),
            ("Left", "chevron_left", -1),
            ("Right", "chevron_right", 1),
            ("Last", "last_page", last),
        ):
            st.button(
                label,
                icon=f":material/{icon}:",
                key=f"pr_go_{label.lower()}",
                disabled=at == (1 if by < 0 else last),
                on_click=desk.step,
                args=(by, last),
            )
        more()
        st.button("Light" if here.dark else "Dark", shortcut="D", key="pr_dark", on_click=_turn, args=(not here.dark,))
        _tick(here)
        if st.button("Back", shortcut="Esc", key="pr_back"):
            st.switch_page(pages_folder() / "compare.py")
    if here.screen.own:
        st.button(
            "Back to the computed title",
            icon=":material/undo:",
            key="pr_title_back",
            on_click=_untitle,
            args=(here.screen,),
            help=plain_label(here.screen.title),
        )


def _tick(here: Desk) -> None:
    key = f"pr_in_{here.kind}"
    st.session_state[key] = here.kind not in here.without
    st.checkbox("In the deck", key=key, on_change=_ticked, args=(here.kind, key, here.without))


def _ticked(kind: str, key: str, without: frozenset[str]) -> None:
    desk.keep_out(kind, not st.session_state[key], without)


def _turn(dark: bool) -> None:
    st.session_state[desk.DARK] = dark


def _untitle(shown: Screen) -> None:
    desk.retitle(shown.kind, shown.title, "")


def keys(here: Desk, take: int) -> None:
    """What the browser does by itself: hears the keys that lead to other screens, hides the bar, edits the title in its
    place, blanks the screen.

    take: another number each time a file has been made that is to be saved at once.
    """
    shown = here.screen

    def edited() -> None:
        text = getattr(st.session_state.get(_KEYS), "title", None)
        if isinstance(text, str):
            desk.retitle(shown.kind, shown.title, text)

    def led() -> None:
        count, number = _led(getattr(st.session_state.get(_KEYS), "slide", None))
        st.session_state[_HEARD] = count
        if 1 <= number <= len(here.kinds):
            desk.go(number)

    data = {
        "kind": shown.kind,
        "title": shown.shown,
        "longest": desk.LONGEST_TITLE,
        "take": take,
        "of": len(here.kinds),
        "heard": st.session_state.get(_HEARD, 0),
    }
    _component()(key=_KEYS, data=data, on_title_change=edited, on_slide_change=led)


def _led(said: Any) -> tuple[int, int]:
    """How many keys the browser has heard, and the screen they lead to; zeros for anything else."""
    match said:
        case [int(count), int(number)]:
            return count, number
        case _:
            return 0, 0


@st.cache_resource(show_spinner=False)
def _component() -> Callable[..., Any]:
    return st.components.v2.component(
        "agentcalc_present", html="<span hidden></span>", js=JS.read_text("utf-8"), isolate_styles=False
    )
