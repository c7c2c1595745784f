"""The calls a page makes, each kept: the catalog once, comparisons by their frozen task and systems."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from agentcalc import catalog
from agentcalc.app import scenario
from agentcalc.app.arrangement import Arrangement, arrange
from agentcalc.app.choices import Choices, choices
from agentcalc.app.state import MODEL, TASK, State
from agentcalc.comparison import compare
from agentcalc.defaults import SEED, TRIALS
from agentcalc.errors import Fault, InputError
from agentcalc.figures import Figure, figures_for
from agentcalc.results import Comparison
from agentcalc.simulate.size import check, size
from agentcalc.system import System
from agentcalc.task import Task
from agentcalc.units import show_count

MOST_PLAYED = 12_000_000
"""Steps in all runs together that a reader waits for: two or three seconds."""

FEWEST = 100

MOST_ON_A_PAGE = 50_000
"""Steps in one run: each costs a moment however few the runs, and a page has no Cancel."""


@st.cache_resource(show_spinner=False)
def catalog_choices() -> Choices:
    """The packaged tasks and systems, in a reader's order."""
    return choices(catalog.tasks(), catalog.systems(), catalog.PAIRS, TASK, MODEL)


@st.cache_resource(show_spinner=False, max_entries=48)
def comparison(task: Task, systems: tuple[System, ...], trials: int) -> Comparison:
    """One comparison; kept for everybody, since it only depends on what is compared. Never change it."""
    return compare(task, systems, trials=trials, seed=SEED)


@dataclass(frozen=True)
class Answer:
    """now: the comparison on screen; before: the same without any what-if; rival: the stronger rival and the candidate.

    run: index of the run shown, chosen before any what-if, so that bars slide and never jump.
    """

    now: Comparison
    before: Comparison
    rival: Comparison | None
    run: int


def answer(state: State, known: Choices) -> Answer:
    """All a page needs for its scenario. Raises InputError when the task or a system cannot be compared."""
    plain = scenario.without_factors(state)
    before = _compared(plain, known)
    now = before if plain == state else _compared(state, known)
    against = scenario.rival_of(state, known)
    rival = None if against is None else comparison(now.task, (against, now.specs[1]), now.n_trials)
    run = before.ordinary_trial(state.statistic) if state.run is None else state.run
    return Answer(now, before, rival, run % min(now.n_trials, before.n_trials))


def _compared(state: State, known: Choices) -> Comparison:
    task = scenario.task_of(state, known)
    return comparison(task, scenario.systems_of(state, known), trials_for(task))


def trials_for(task: Task) -> int:
    """As many runs as everywhere, fewer for a task that would keep a reader waiting. Raises InputError if too long."""
    found = size(task)
    trials = min(TRIALS, max(FEWEST, int(MOST_PLAYED / found.mean))) if found.mean < MOST_PLAYED else FEWEST
    check(task, trials)
    if found.most > MOST_ON_A_PAGE:
        remedy = "compare it on the command line: agentcalc compare FILE"
        raise InputError(Fault(task.name, "", f"a run may play {show_count(found.most)} steps, too many here", remedy))
    return trials


def checked_task(data: bytes, name: str) -> Task:
    """A task from the bytes of an opened file. Raises InputError when it cannot be read, or takes too long to play."""
    task = catalog.load_task(data, where=name)
    trials_for(task)
    return task


def effects(found: Comparison, by: str) -> dict[tuple[int, str], tuple[float, float]]:
    """What each unknown alone does: (system, number) to baseline / candidate at its low and at its high end."""
    pair = found.specs[:2]
    cases = [(player, name) for player, spec in enumerate(pair) for name in spec.unknowns()]
    variants = {(p, n): tuple(scenario.pinned(pair[p], n, end) for end in (0.0, 1.0)) for p, n in cases}
    if not variants:
        return {}
    systems = (*(scenario.pinned(spec, "", 0.0) for spec in pair), *(s for ends in variants.values() for s in ends))
    seconds = [system.task_s[by] for system in comparison(found.task, systems, found.n_trials).systems]
    ends = iter(seconds[2:])
    effect = {}
    for player, name in cases:
        low, high = next(ends), next(ends)
        other = seconds[1 - player]
        effect[player, name] = (low / other, high / other) if player == 0 else (other / low, other / high)
    return effect


def figures(found: Answer) -> Arrangement | None:
    """The figures of the page, of the run shown; None where nothing takes time."""
    return _figures(found.now.task, found.now.specs, found.now.n_trials, found.run)


@st.cache_resource(show_spinner=False, max_entries=32)
def _figures(task: Task, systems: tuple[System, ...], trials: int, run: int) -> Arrangement | None:
    found = comparison(task, systems, trials)
    return arrange(figures_for(found, run), found)


def specification(found: Answer, figure: Figure, dark: bool) -> dict:
    """The picture of one of these figures for the page, as Vega-Lite; kept, for making it costs more than drawing."""
    return _specification(found.now.task, found.now.specs, found.now.n_trials, found.run, figure.kind, dark)


@st.cache_resource(show_spinner=False, max_entries=128)
def _specification(task: Task, systems: tuple[System, ...], trials: int, run: int, kind: str, dark: bool) -> dict:
    figure = next(f for f in _figures(task, systems, trials, run).all if f.kind == kind)
    # The tests of the figures hold them to the schema; checking each again would double the wait.
    return figure.chart("app", dark).to_dict(validate=False)
