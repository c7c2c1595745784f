"""What gets done within a time?"""

from __future__ import annotations

import streamlit as st

from agentcalc.analysis.budget import Budget, budget
from agentcalc.analysis.budget_words import line, measure_for, per_hour_line, success_line, telling_s
from agentcalc.app import calls, session, waiting
from agentcalc.app.explore import asking
from agentcalc.app.explore.asked import Asked
from agentcalc.app.explore.commands import Command, Writing, each, seconds
from agentcalc.app.explore.found import Found
from agentcalc.app.explore.view import COUNTS, LEAST_S, MOST_S, MOST_TIMES, WITHIN_S, short
from agentcalc.app.explore.working import worked
from agentcalc.errors import echo
from agentcalc.figures import about
from agentcalc.figures import budget as drawn
from agentcalc.units import parse_duration_s

CHANCES = ("attempts", "success")
"""What only a task with a chance of success has."""


def controls(asked: Asked) -> None:
    view = asked.view
    shown = [in_words(s) for s in view.within]
    st.session_state["explore_within"] = shown
    st.multiselect(
        "Within", list(dict.fromkeys([*map(in_words, WITHIN_S), *shown])), key="explore_within",
        accept_new_options=True, max_selections=MOST_TIMES, placeholder="A time, such as 30 s", on_change=_within,
        width=360, help="Choose, or type a time of your own: 30 s, 2 min, 1.5 h.",
    )  # fmt: skip
    counts = {name: words for name, words in COUNTS.items() if name not in CHANCES or _has_chance(asked)}
    asking.choose("Count", "count", {"": "What tells most", **counts}, _counted(asked), "", width=190)


def _has_chance(asked: Asked) -> bool:
    given = asked.task.deadline
    return given is not None and given.success_probability is not None


def _counted(asked: Asked) -> str:
    count = asked.view.count
    return "" if count in CHANCES and not _has_chance(asked) else count


def in_words(value: float) -> str:
    """A time as a reader types it: "10 s", "5 min", "1.5 h"."""
    for unit, size in (("h", 3600), ("min", 60)):
        if value >= size and value % (size / 2) == 0:
            return f"{value / size:g} {unit}"
    return f"{value:.10g} s"


def _within() -> None:
    found = []
    for text in st.session_state["explore_within"]:
        try:
            value = _seconds(text)
        except ValueError:
            asking.refuse(f"{echo(text)} is not a time. Try 30 s, 2 min or 1.5 h.")
            continue
        if LEAST_S <= value <= MOST_S:
            found.append(value)
        else:
            asking.refuse(f"{echo(text)} is out of reach. Give a time from 1 ms to 11 days.")
    found = sorted(set(found))
    usual = not found or found == list(WITHIN_S)
    session.change_parts(within=None if usual else ",".join(map(short, found)))


def _seconds(text: str) -> float:
    text = text.strip()
    return float(text) if text.replace(".", "", 1).isdigit() else parse_duration_s(text)


def find(asked: Asked) -> Found:
    within = asked.view.within
    comparison = calls.comparison(asked.task, asked.pair, asked.trials)
    key = ("deadline", asked.task, asked.pair, within, asked.trials)

    def make(progress: waiting.Progress) -> Budget:
        return budget(comparison, within, progress=progress)

    found = worked(key, make)
    at, count = _opening_s(asked, found), _counted(asked)
    measure = count or measure_for(found, at)
    figure = drawn.figure(found, about(comparison, (0, 1)), measure, at)
    sentence = line(found, at) if measure == measure_for(found, at) else f"{figure.title}."
    why = tuple(text for text in (success_line(found, at), per_hour_line(found)) if text)
    return Found(sentence, why, figure, (*key, measure), command=command(asked))


def _opening_s(asked: Asked, found: Budget) -> float:
    """The time that the sentence is about: of the usual ones the first that a typical run keeps on the candidate; of a
    reader's own the one that tells most.
    """
    if asked.view.within != WITHIN_S:
        return telling_s(found)
    comparison = calls.comparison(asked.task, asked.pair, asked.trials)
    typical = comparison.systems[1].task_s["p50"]
    return next((seconds for seconds in WITHIN_S if seconds >= typical), WITHIN_S[-1])


def command(asked: Asked) -> Command:
    writing = Writing(asked, "budget").task().systems()
    if asked.view.within != WITHIN_S:
        writing.add(*each("--within", [seconds(s) for s in asked.view.within]))
    return writing.option("--trials", asked.trials, calls.TRIALS).done()
