"""What takes a page long, as functions of plain values: they may be played in another process. No Streamlit."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from agentcalc.app.arrangement import Arrangement, arrange
from agentcalc.comparison import compare
from agentcalc.defaults import SEED
from agentcalc.figures import Figure, figures_for
from agentcalc.results import Comparison
from agentcalc.simulate.cast import cast
from agentcalc.simulate.walk import Run, play
from agentcalc.system import Spec, System
from agentcalc.task import Task

Progress = Callable[[int, int], None]
Charts = dict[str, dict]
"""Pictures of figures by kind, as Vega-Lite."""


def played(task: Task, systems: tuple[System, ...], trials: int, progress: Progress | None = None) -> Comparison:
    """A comparison to keep: without the rows of players that are no systems, three quarters of the walk's arrays.
    Raises InputError as :func:`compare`.
    """
    found = compare(task, systems, trials=trials, seed=SEED, progress=progress)
    seconds = found.task_seconds.copy()
    alone = found.without_people_seconds
    same = np.shares_memory(alone, found.task_seconds)
    # Calls that are alike on every system are one row, seen several times.
    calls = found.calls.copy() if found.calls.strides[0] else found.calls
    return replace(found, task_seconds=seconds, without_people_seconds=seconds if same else alone.copy(), calls=calls)


def replaying(task: Task, specs: tuple[Spec, ...], seed: int) -> Callable[..., Run]:
    """What plays some trials of a comparison once more: its ``again``."""

    def again(numbers, observer) -> Run:
        players = cast(task, specs).players[: len(specs)]
        return play(task, players, trials=numbers, seed=seed, per_trial=True, observer=observer)

    return again


def packed(found: Comparison) -> Comparison:
    """A comparison fit to be sent to another process."""
    return replace(found, again=None)


def unpacked(found: Comparison) -> Comparison:
    """One that was sent, whole again."""
    return replace(found, again=replaying(found.task, found.specs, found.seed))


def drawn(found: Comparison, run: int, dark: bool) -> tuple[Arrangement | None, Charts]:
    """The figures of a page and their pictures; None and nothing where nothing takes time."""
    arrangement = arrange(figures_for(found, run), found)
    return arrangement, {} if arrangement is None else {f.kind: picture(f, dark) for f in arrangement.all}


def picture(figure: Figure, dark: bool) -> dict:
    """A figure as the page shows it, as Vega-Lite."""
    # The tests of the figures hold them to the schema; checking each again would double the wait.
    return figure.chart("app", dark).to_dict(validate=False)


def sent(found: Comparison, run: int, dark: bool) -> tuple[Arrangement | None, Charts]:
    """:func:`drawn` for another process: from a packed comparison, to figures that cannot be drawn by themselves."""
    arrangement, charts = drawn(unpacked(found), run, dark)
    return _each(arrangement, lambda figure: replace(figure, draw=None)), charts


def redrawable(arrangement: Arrangement | None, found: Comparison, run: int) -> Arrangement | None:
    """Figures that were sent, whole again: one that is wanted otherwise, such as for a slide, is made once more."""
    made: dict[str, Figure] = {}
    making = threading.Lock()

    def whole(kind: str) -> Figure:
        with making:
            if not made:
                made.update(figures_for(found, run))
        return made[kind]

    return _each(arrangement, lambda figure: replace(figure, draw=lambda look: whole(figure.kind).draw(look)))


def _each(arrangement: Arrangement | None, change: Callable[[Figure], Figure]) -> Arrangement | None:
    if arrangement is None:
        return None
    rows = tuple(tuple(change(figure) for figure in row) for row in arrangement.rows)
    return Arrangement(change(arrangement.first), rows)


def packed_play(task: Task, systems: tuple[System, ...], trials: int) -> Comparison:
    """:func:`played` for another process."""
    return packed(played(task, systems, trials))


JOBS: dict[str, Callable] = {"play": packed_play, "draw": sent, "ready": lambda: True}
"""What a worker does, by name."""
