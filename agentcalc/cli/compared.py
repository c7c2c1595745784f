"""What a command compares: TASK on some systems with what ``--set`` changes, the run it shows, a title in its words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentcalc.cli.options import PAIR, WHOLE, by_option, changed, systems_option
from agentcalc.errors import Fault, InputError, echo

if TYPE_CHECKING:
    from agentcalc.results import Comparison

choose_systems = systems_option(f"A system, the baseline first; by default {' and '.join(PAIR)}.")
choose_run = click.option("--trial", type=WHOLE, help="Which run to show, from 0; by default the most ordinary one.")
choose_by = by_option("What the run shown is ordinary for: typical, average or slow runs.")


def load(task: str, systems: tuple[str, ...], changes: tuple[str, ...]):
    """(task, systems, what ``--set`` changed of them, in words); by default the first pair a reader of the app sees."""
    from agentcalc import catalog

    return changed(catalog.load_task(task), [catalog.load_system(name) for name in systems or PAIR], changes)


def of_loaded(model, specs, said: str, trials: int, seed: int) -> Comparison:
    """The comparison of what was loaded."""
    from dataclasses import replace

    from agentcalc.comparison import compare

    return replace(compare(model, specs, trials=trials, seed=seed), changed=said)


def compared(task: str, systems: tuple[str, ...], trials: int, seed: int, changes: tuple[str, ...]) -> Comparison:
    """TASK on some systems, by default the first pair a reader of the app sees, with what ``--set`` changes."""
    return of_loaded(*load(task, systems, changes), trials, seed)


def check_trial(found, trial: int | None) -> None:
    """Raises InputError for a run that was not played."""
    if trial is not None and not 0 <= trial < found.n_trials:
        remedy = f"use a number from 0 to {found.n_trials - 1}"
        raise InputError(Fault("--trial", "", f"there is no run {trial}", remedy))


def one_line(title: str) -> str:
    """A title as given on the command line: one line, no characters that could turn it around."""
    if not title.strip() or not all(c.isprintable() or c == "\xa0" for c in title) or len(title) > 200:
        raise InputError(Fault("--title", "", f"found {echo(title)}", "write one line of at most 200 plain characters"))
    return title
