"""How many agents share a system?"""

from __future__ import annotations

from functools import partial

import streamlit as st

from agentcalc.accelerators import BASIS_WORDS
from agentcalc.analysis.along_curve import along_curve
from agentcalc.analysis.capacity import TRIALS, Capacity, capacity, closely
from agentcalc.analysis.capacity_words import most_line, range_line, waits_line, work_line
from agentcalc.analysis.naming import names, short_name
from agentcalc.analysis.needs import ROUND
from agentcalc.app import calls, session, waiting
from agentcalc.app.explore import asking
from agentcalc.app.explore.asked import Asked, has_calls
from agentcalc.app.explore.commands import Command, Writing, seconds
from agentcalc.app.explore.found import Found
from agentcalc.app.explore.view import LEAST_S, MOST_AGENTS, MOST_S, short
from agentcalc.app.explore.working import worked
from agentcalc.errors import InputError, NotFoundError
from agentcalc.figures import capacity as drawn
from agentcalc.system import Capacity as Stated
from agentcalc.system import System
from agentcalc.units import show_count

BY = "p95"
ROOM = 1.25
"""The usual limit is the next round time at or above so many times what one agent alone takes."""

FULL_REACH = 0.7
"""Of the numbers of agents that a curve usually reaches, a third beyond a full system, the share that fills it."""

NO_CALLS = "This task makes no model calls, so any number of agents can run it."
CHOOSE = "Choose a system that was measured at several loads, such as {0}."
NONE_AT_ALL = "No system of this model was measured at several loads. Import a benchmark that was."
MOST_STEPS = 13_000_000


def controls(asked: Asked) -> None:
    systems = asked.known.systems[asked.state.model]
    called = dict(zip(systems, names(list(systems.values())), strict=True))
    usual = _usual(asked)
    asking.choose("System", "on", called, asked.view.on or usual, usual)
    if not has_calls(asked.task) or _refusal(_system(asked)) is not None:
        return
    asking.number("Limit of p95, in seconds", "explore_limit", limit_s(asked), LEAST_S, MOST_S, _limit)
    found = _found(asked)
    agents = asked.view.agents or max(found.most.agents, 1)
    asking.number("Agents to look at", "explore_agents", min(agents, MOST_AGENTS), 1, MOST_AGENTS, _agents)


def _limit() -> None:
    session.change_parts(limit=short(st.session_state["explore_limit"]))


def _agents() -> None:
    session.change_parts(agents=str(st.session_state["explore_agents"]))


def _usual(asked: Asked) -> str:
    """The name of the candidate if it has a curve, else of the baseline, else of the first system that has one."""
    state = asked.state
    every = asked.known.systems[state.model]
    order = dict.fromkeys((state.candidate, state.baseline, *every))
    return next((name for name in order if _refusal(every[name]) is None), state.candidate)


def _system(asked: Asked) -> System:
    """The system asked about; a candidate with what a what-if changed of it."""
    name = asked.view.on or _usual(asked)
    if name == asked.state.candidate:
        return asked.pair[1]
    return asked.known.system(asked.state.model, name)


def _refusal(system: System) -> tuple[str, str] | None:
    """Why a system has no curve, and what is known of it all the same; None where it has one."""
    try:
        along_curve(system)
    except NotFoundError as error:
        why = error.faults[0].found.partition("; ")[0]
        return f"{short_name(system)}: {why}.", " ".join(map(_matched, (c for c in system.capacity if c.speed)))
    return None


def _matched(stated: Stated) -> str:
    """What is published at a matched speed, where there is no curve."""
    return (
        f"Published at a matched speed: {show_count(stated.mixed.value)} mixed tok/s per kW of "
        f"{BASIS_WORDS[stated.basis]} at {show_count(stated.speed.value)} tok/s per user, {stated.at}."
    )


def _trials(asked: Asked) -> int:
    return asked.runs(CASES, MOST_STEPS, TRIALS)


CASES = 60
"""Walks that looking for the most agents takes, about."""


def limit_s(asked: Asked) -> float:
    """Seconds that p95 must stay under: the reader's, or a round time that one agent alone keeps."""
    if asked.view.limit is not None:
        return asked.view.limit
    alone = calls.comparison(asked.task, (_system(asked),), _trials(asked)).systems[0].task_s[BY]
    return next((r for r in ROUND if r >= ROOM * alone), ROOM * alone) if alone > 0 else 1.0


def _key(asked: Asked) -> tuple:
    return ("agents", asked.task, _system(asked), limit_s(asked), asked.view.agents, _trials(asked))


def _found(asked: Asked) -> Capacity:
    trials, limit, agents = _trials(asked), limit_s(asked), asked.view.agents

    def upto(reach: float, progress: waiting.Progress) -> Capacity:
        spread = partial(_spread, agents, reach)
        return capacity(
            asked.task, _system(asked), spread=spread, limit_s=limit, by=BY, trials=trials, progress=progress
        )

    def make(progress: waiting.Progress) -> Capacity:
        try:
            return upto(1.0, progress)
        except InputError:
            # Where calls wait long a task with timeouts or a person may end otherwise, and nothing is known of so many
            # agents: the curve then ends where the system is about full. If that is too far too, it is said.
            return upto(FULL_REACH, progress)

    return worked(_key(asked), make)


def _spread(agents: int | None, reach: float, last: int) -> list[int]:
    """Close enough for a curve, with the number that a reader asks about."""
    last = max(round(last * reach), 2)
    return closely(last) if agents is None else sorted({*closely(max(last, agents)), agents})


def find(asked: Asked) -> Found:
    if not has_calls(asked.task):
        return Found(NO_CALLS)
    refused = _refusal(_system(asked))
    if refused is not None:
        usual = _usual(asked)
        other = asked.known.system(asked.state.model, usual)
        more = NONE_AT_ALL if _refusal(other) is not None else CHOOSE.format(short_name(other))
        return Found(refused[0], tuple(line for line in (refused[1], more) if line))
    found = _found(asked)
    why = [range_line(found)]
    number = asked.view.agents or found.most.agents
    if number:
        served = found.at(number)
        why += [work_line(found, served), waits_line(found, served)]
    candidate = _refusal(asked.pair[1])
    if candidate is not None and not asked.view.on:
        # The candidate is what a reader came for: why the answer is about another system is said unasked.
        why.append(" ".join(line for line in candidate if line))
    return Found(most_line(found), tuple(why), drawn.figure(found), _key(asked), command=command(asked))


def command(asked: Asked) -> Command:
    system = _system(asked)
    writing = Writing(asked, "capacity").task()
    writing.add("--system", writing.system(system, "system.yaml"), "--under", seconds(limit_s(asked)))
    writing.option("--agents", asked.view.agents)
    return writing.option("--trials", _trials(asked), TRIALS).done()
