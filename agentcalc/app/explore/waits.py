"""How often is a person kept waiting?"""

from __future__ import annotations

import streamlit as st

from agentcalc.analysis.people import People, people
from agentcalc.analysis.people_words import fewer_line, people_line
from agentcalc.app import calls, session, waiting
from agentcalc.app.explore import asking
from agentcalc.app.explore.asked import Asked
from agentcalc.app.explore.commands import Command, Writing, redrawing, seconds
from agentcalc.app.explore.found import Found
from agentcalc.app.explore.view import ENDS, LEAST_S, MOST_S, short
from agentcalc.app.explore.working import worked
from agentcalc.figures import about
from agentcalc.figures import people as drawn


def controls(asked: Asked) -> None:
    asking.number(
        "A long wait, in seconds", "explore_kept", _found(asked).kept_s, LEAST_S, MOST_S, _kept,
        "0.1 s feels immediate, up to 1 s thought flows on, up to 10 s attention holds.",
    )  # fmt: skip
    asking.switch("A wait ends with", "ends", ENDS, asked.view.ends, "answer")


def _kept() -> None:
    session.change_parts(kept=short(st.session_state["explore_kept"]))


def _key(asked: Asked) -> tuple:
    return ("waits", asked.task, asked.pair, asked.view.kept, asked.view.ends, asked.trials)


def _found(asked: Asked) -> People:
    comparison = calls.comparison(asked.task, asked.pair, asked.trials)

    def make(progress: waiting.Progress) -> People:
        return people(comparison, kept_s=asked.view.kept, streaming=asked.view.ends == "first", progress=progress)

    return worked(_key(asked), make)


def find(asked: Asked) -> Found:
    found = _found(asked)
    comparison = calls.comparison(asked.task, asked.pair, asked.trials)
    figure = drawn.figure(found, about(comparison, (0, 1))) if found.waits else None
    fewer = fewer_line(found)
    why = (fewer,) if fewer else ()
    return Found(people_line(found), why, figure, _key(asked), command=command(asked), redraw=redraw(asked))


def command(asked: Asked) -> Command:
    writing = Writing(asked, "people").task().systems()
    if asked.view.kept is not None:
        writing.add("--kept", seconds(asked.view.kept))
    writing.flag("--streaming", asked.view.ends == "first")
    return writing.option("--trials", asked.trials, calls.TRIALS).done()


def redraw(asked: Asked) -> Command | None:
    writing = redrawing(asked, "people", asked.trials)
    usual = asked.view.kept is None and asked.view.ends == "answer"
    return writing.done() if writing is not None and usual else None
