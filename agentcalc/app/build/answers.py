"""The answer of the task that is being built, and its picture: kept by what was compared."""

from __future__ import annotations

from dataclasses import dataclass

from agentcalc.analysis.naming import names
from agentcalc.app import calls, scenario
from agentcalc.app.build.desk import Desk
from agentcalc.app.choices import Choices
from agentcalc.app.keeping import Keeping
from agentcalc.app.state import State
from agentcalc.comparison import compare
from agentcalc.defaults import SEED
from agentcalc.errors import InputError
from agentcalc.figures import Figure, about
from agentcalc.figures.task_graph import figure, seconds_a_play
from agentcalc.results import Comparison
from agentcalc.simulate.size import size
from agentcalc.system import System
from agentcalc.task import Task
from agentcalc.units import NBSP, show_count

FEW = 200
"""Runs that decide how wide a box is drawn, and what a sparkline shows."""

MOST_FEW = 400_000
"""Steps in those runs together: a moment."""

_figures, _pictures, _fews = Keeping(48), Keeping(64), Keeping(64)


@dataclass(frozen=True)
class Latest:
    """found: the comparison of the last state that could be played; line: why the present one cannot, if so."""

    found: Comparison | None
    line: str


def latest(desk: Desk, state: State, known: Choices) -> Latest:
    """The answer of the table, or of its last state that had one; none for an empty table."""
    systems = scenario.systems_of(state.plain, known)[:2]
    line = desk.said or desk.checked.line
    if not desk.draft.rows:
        return Latest(None, line)
    if desk.checked.task is not None:
        try:
            found = played(desk.checked.task, systems)
        except InputError as error:
            line = str(error)
        else:
            desk.played = desk.checked.task
            return Latest(found, line)
    return Latest(None if desk.played is None else played(desk.played, systems), line)


def played(task: Task, systems: tuple[System, ...]) -> Comparison:
    """The comparison of a task. Raises InputError when it takes too long to play."""
    return calls.comparison(task, systems, calls.trials_for(task))


def drawn(found: Comparison) -> Figure:
    """The drawn task of a comparison."""
    return _figures.get(_key(found), lambda: _draw(found))


def _draw(found: Comparison) -> Figure:
    base = found.systems[0]
    mean = base.task_s["mean"]
    few = _few(found.task, found.specs[0])
    return figure(
        found.task,
        seconds_a_play(few.steps(), base.id),
        about(found),
        system=names(found.specs)[0],
        calls=typical_calls(found),
        tool_share=base.components_s["tool"] / mean if mean else 0.0,
    )


def specification(found: Comparison, dark: bool) -> dict:
    """The picture as Vega-Lite."""
    return _pictures.get((*_key(found), dark), lambda: drawn(found).chart("app", dark).to_dict(validate=False))


def _key(found: Comparison) -> tuple:
    return found.task, found.specs, found.n_trials


def typical_calls(found: Comparison) -> float:
    """Calls of the middle run on the baseline."""
    ordered = sorted(found.calls[0].tolist())
    return float(ordered[len(ordered) // 2])


def calls_words(found: Comparison) -> str:
    """``typically 7 calls``; ``7 calls`` where every run makes as many."""
    typical, made = typical_calls(found), found.calls[0]
    words = f"{show_count(typical)}{NBSP}call{'' if round(typical) == 1 else 's'}"
    return words if made.min() == made.max() else f"typically {words}"


def _few(task: Task, system: System) -> Comparison:
    trials = max(20, min(FEW, int(MOST_FEW / max(size(task).mean, 1.0))))
    return _fews.get((task, system), lambda: compare(task, (system,), trials=trials, seed=SEED))


def shares(task: Task, system: System) -> dict[str, float]:
    """The share of each component in the mean task time, where there is any."""
    parts = _few(task, system).systems[0].components_s
    whole = sum(parts.values())
    return {name: seconds / whole for name, seconds in parts.items() if seconds > 0} if whole else {}
