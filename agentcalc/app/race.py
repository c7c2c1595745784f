"""The race on a page: one run of the pair on screen, played by race.js."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from agentcalc.app.pictures import dark
from agentcalc.app.words import esc
from agentcalc.exports.race import race_data, script, style
from agentcalc.figures.race import Race, race_for
from agentcalc.results import Comparison

NAME = "agentcalc_race"
READY, RUNNING, PAUSED, FINISHED = "ready", "running", "paused", "finished"


def of(comparison: Comparison, trial: int, which: int = 0) -> Race:
    """The race of one run, kept. Raises InputError where there is none: no pair, or a run that takes no time."""
    return _kept(comparison, *_key(comparison), trial, which)


def heading(race: Race) -> None:
    """What stands over the race in place of the answer, which would give the end away."""
    st.html(f'<h1 class="ac-answer">{esc(race.task)}, side by side</h1><p class="ac-so">{esc(race.about)}</p>')


def show(
    comparison: Comparison,
    trial: int,
    which: int = 0,
    *,
    play: bool = True,
    key: str = "race",
    on_phase: Callable[[], None] | None = None,
    scheme: str | None = None,
) -> str:
    """The lanes with their controls, and the source line.

    play: runs as soon as it is shown, unless the reader asks for less motion. on_phase: called when the race starts,
    stops or ends; with it, and only then, the page runs again at each of these and is given where the race is: "ready",
    "running", "paused" or "finished". scheme: "light" or "dark", by default the page's. Raises InputError where there
    is no race.
    """
    data = _data(comparison, *_key(comparison), trial, which, play)
    told = {"on_phase_change": on_phase} if on_phase else {}
    colours = scheme or ("dark" if dark() else "light")
    with st.container(key=f"{key}-place"):
        found = _component()(key=key, data=data | {"scheme": colours, "tell": on_phase is not None}, **told)
        st.html(f'<p class="ac-source">{esc(of(comparison, trial, which).source)}</p>')
    return (getattr(found, "phase", None) or READY) if on_phase else READY


def _key(comparison: Comparison) -> tuple[Any, ...]:
    return comparison.task, comparison.specs, comparison.n_trials, comparison.seed, comparison.changed


@st.cache_resource(show_spinner=False, max_entries=32)
def _kept(_comparison: Comparison, task, specs, trials: int, seed: int, changed: str, trial: int, which: int) -> Race:
    return race_for(_comparison, trial, which=which)


@st.cache_resource(show_spinner=False, max_entries=32)
def _data(
    _comparison: Comparison, task, specs, trials: int, seed: int, changed: str, trial: int, which: int, play: bool
) -> dict:
    return race_data(of(_comparison, trial, which), play=play)


@st.cache_resource(show_spinner=False)
def _component() -> Callable[..., Any]:
    return st.components.v2.component(NAME, css=style(), js=script())
