"""The calls a page makes, each kept: the catalog once, comparisons by their frozen task and systems.

All visits share what is kept: it depends on what is compared and on nothing else. Never change it.
"""

from __future__ import annotations

import threading
from contextlib import suppress
from dataclasses import dataclass, replace

import streamlit as st

from agentcalc import catalog
from agentcalc.analysis.naming import names
from agentcalc.app import runs, scenario, waiting, what_if, workers
from agentcalc.app.arrangement import Arrangement, arrange
from agentcalc.app.choices import Choices, choices
from agentcalc.app.keeping import Keeping
from agentcalc.app.state import MODEL, TASK, State
from agentcalc.defaults import TRIALS
from agentcalc.errors import Fault, InputError
from agentcalc.figures import Figure, figures_for
from agentcalc.figures.quick import draw_quickly
from agentcalc.results import Comparison
from agentcalc.simulate.size import check, size
from agentcalc.system import System
from agentcalc.task import Task
from agentcalc.units import show_count

draw_quickly()

MOST_PLAYED = 1_000_000
"""Steps in all runs together: some tenth of a second, so that thirty people can move sliders at once. Errors grow with
the root of what is saved.
"""

FEWEST = 500

MOST_ON_A_PAGE = 50_000
"""Steps in one run: each costs a moment however few the runs, and a page has no Cancel."""


@st.cache_resource(show_spinner=False)
def catalog_choices() -> Choices:
    """The packaged tasks and systems, in a reader's order."""
    return choices(catalog.tasks(), catalog.systems(), catalog.PAIRS, TASK, MODEL)


_comparisons = Keeping(48)
_ordinary = Keeping(192)
_figures = Keeping(32)
_specifications = Keeping(128)
_drawing = threading.Lock()
"""Figures are drawn for one reader at a time: two at once would both wait for the sum of their times."""


def comparison(task: Task, systems: tuple[System, ...], trials: int, *, beside: bool = False) -> Comparison:
    """One comparison; a reader who waits long for it sees how far it is and may go back.

    beside: it stands beside the answer, which stays when this is cancelled. Raises GivenUp when it was.
    """
    key = (task, systems, trials)

    def work(progress: waiting.Progress) -> Comparison:
        return _comparisons.get(key, lambda: _played(task, systems, trials, progress))

    return work(_unheard) if _comparisons.has(key) else waiting.patiently(work, beside=key if beside else None)


def _played(task: Task, systems: tuple[System, ...], trials: int, progress: waiting.Progress) -> Comparison:
    """Played by a worker where there is one, unless it takes so long that a reader wants to see how far it is."""
    others = workers.at_hand() if size(task).mean * trials <= MOST_PLAYED else None
    if others:
        with suppress(workers.Unavailable):
            return others.play(task, systems, trials)
    return runs.played(task, systems, trials, progress)


def _unheard(done: int, of: int) -> None:
    """Nobody listens."""


@dataclass(frozen=True)
class Answer:
    """now: the comparison on screen; before: the same without any what-if; rival: the stronger rival's name and its
    ratio to the candidate by the statistic, or None.

    run: index of the run shown, chosen before any what-if, so that bars slide and never jump.
    """

    now: Comparison
    before: Comparison
    rival: tuple[str, float] | None
    run: int


def answer(state: State, known: Choices) -> Answer:
    """All a page needs for its scenario. Raises InputError when the task or a system cannot be compared."""
    workers.seen()
    now, rival = _compared(state, known)
    before = now if state.plain == state else _compared(state.plain, known)[0]
    now = replace(now, changed=what_if.changed_line(state.factors, before)) if state.factors else now
    run = _ordinary_run(before, state.statistic) if state.run is None else state.run
    return Answer(now, before, rival, run % min(now.n_trials, before.n_trials))


def _ordinary_run(found: Comparison, by: str) -> int:
    """The run shown for a statistic, kept."""
    return _ordinary.get((found.task, found.specs, found.n_trials, by), lambda: found.ordinary_trial(by))


def compared(state: State, known: Choices) -> Comparison:
    """The comparison of a scenario that stands beside the answer. Raises InputError as :func:`answer`, and GivenUp."""
    return _compared(state, known, beside=True)[0]


def _compared(state: State, known: Choices, *, beside: bool = False) -> tuple[Comparison, tuple[str, float] | None]:
    """The comparison of a scenario, and the stronger rival's name and ratio."""
    task, systems = scenario.task_of(state, known), scenario.systems_of(state, known)
    against, trials = scenario.rival_of(state, known), trials_for(task)
    if against is None or against in systems:
        return comparison(task, systems, trials, beside=beside), None
    # The rival plays along: one more player on the same draws costs a tenth of a walk of its own. Nobody is told
    # its bands.
    whole = comparison(task, (*systems, scenario.pinned(against, "", 0.0)), trials, beside=beside)
    seconds, candidate = (whole.systems[i].task_s[state.statistic] for i in (-1, 1))
    name = names((against, *systems[:2]))[0]
    return runs.first(whole, len(systems)), (name, seconds / candidate if candidate else float("inf"))


def trials_for(task: Task) -> int:
    """As many runs as everywhere, fewer for a task that would keep a reader waiting. Raises InputError if too long."""
    found = size(task)
    fitting = int(MOST_PLAYED / found.mean) if found.mean < MOST_PLAYED else 0
    trials = min(TRIALS, max(FEWEST, fitting // 500 * 500))
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

    def drawn() -> Arrangement | None:
        with _drawing:
            return arrange(figures_for(found.now, found.run), found.now)

    return _figures.get(picture_key(found), drawn)


def specification(found: Answer, figure: Figure, dark: bool) -> dict:
    """The picture of one of these figures for the page, as Vega-Lite; kept, for making it costs more than drawing."""

    def drawn() -> dict:
        # The tests of the figures hold them to the schema; checking each again would double the wait.
        with _drawing:
            return figure.chart("app", dark).to_dict(validate=False)

    return _specifications.get((*picture_key(found), figure.kind, dark), drawn)


def picture_key(found: Answer) -> tuple:
    """What the pictures of an answer depend on, beside their own size and colours."""
    return found.now.task, found.now.specs, found.now.n_trials, found.now.changed, found.run
