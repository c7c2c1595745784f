"""The calls a page makes, each kept: the catalog once, comparisons by their frozen task and systems."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from agentcalc import catalog
from agentcalc.app import scenario
from agentcalc.app.choices import Choices, choices
from agentcalc.app.state import MODEL, TASK, State
from agentcalc.comparison import compare
from agentcalc.results import Comparison
from agentcalc.system import System
from agentcalc.task import Task

TRIALS = 40_000
"""Enough that the digits a headline shows are not noise."""

SEED = 7


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
    """now: the comparison on screen; before: the same without any what-if; rival: the stronger rival against the candidate.

    run: index of the run shown, chosen before any what-if, so that bars slide and never jump.
    """

    now: Comparison
    before: Comparison
    rival: Comparison | None
    run: int


def answer(state: State, known: Choices) -> Answer:
    """All a page needs for its scenario. Raises InputError when the task or a system cannot be compared."""
    now = comparison(scenario.task_of(state, known), scenario.systems_of(state, known), TRIALS)
    plain = scenario.without_factors(state)
    before = now
    if plain != state:
        before = comparison(scenario.task_of(plain, known), scenario.systems_of(plain, known), TRIALS)
    against = scenario.rival_of(state, known)
    rival = None if against is None else comparison(now.task, (against, now.specs[1]), TRIALS)
    run = state.run if state.run is not None else before.ordinary_trial(state.statistic)
    return Answer(now, before, rival, run)


def checked_task(data: bytes, name: str) -> Task:
    """A task from the bytes of an opened file, played briefly so that what cannot be played is found here. Raises InputError."""
    task = catalog.load_task(data, where=name)
    known = catalog_choices()
    pair = [known.system(known.default_model, accelerator) for accelerator in known.pair(known.default_model)]
    compare(task, pair, trials=64, seed=SEED)
    return task


def effects(found: Comparison, by: str) -> dict[tuple[int, str], tuple[float, float]]:
    """What each unknown alone does to baseline / candidate: (system, number) to the ratio at its low and at its high end."""
    pair = found.specs[:2]
    cases = [(player, name) for player, spec in enumerate(pair) for name in spec.unknowns()]
    variants = {(p, n): tuple(scenario.pinned(pair[p], n, end) for end in (0.0, 1.0)) for p, n in cases}
    if not variants:
        return {}
    systems = (*(scenario.pinned(spec, "", 0.0) for spec in pair), *(s for ends in variants.values() for s in ends))
    seconds = [system.task_s[by] for system in comparison(found.task, systems, TRIALS).systems]
    ends = iter(seconds[2:])
    effect = {}
    for player, name in cases:
        low, high = next(ends), next(ends)
        other = seconds[1 - player]
        effect[player, name] = (low / other, high / other) if player == 0 else (other / low, other / high)
    return effect


def figures(found: Answer, by: str) -> tuple:
    """The figures of the page: timeline, step by step, where the time goes or break-even, all runs."""
    return ()
