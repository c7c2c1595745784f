"""Options that several commands take, and the kinds of values that are read from a command line."""

from __future__ import annotations

import re
from collections.abc import Sequence

import click

from agentcalc.defaults import SEED, TRIALS
from agentcalc.errors import Fault, InputError

FORMATS = ("table", "json", "csv", "markdown")
STATISTICS = ("p50", "mean", "p95")
PAIR = ("gb300/deepseek-r1", "jalapeno/deepseek-r1")
"""The pair that is asked about when none is named."""
MOST_TRIALS = 10_000_000

format_option = click.option("--format", "form", type=click.Choice(FORMATS), default="table", show_default=True)


class Whole(click.types.IntParamType):
    """A whole number in plain digits; Python would take other scripts' digits and underscores too."""

    def convert(self, value, param, ctx):
        if isinstance(value, str) and not re.fullmatch(r"\s*[+-]?[0-9]{1,80}\s*", value):
            self.fail(f"{value[:80]!r} is not a whole number in plain digits.", param, ctx)
        return super().convert(value, param, ctx)


WHOLE = Whole()

seed_option = click.option("--seed", type=WHOLE, default=SEED, show_default=True, help="Another seed plays other runs.")
each_trials_option = click.option(
    "--trials", type=WHOLE, help="How many runs of each task; by default as many as take a moment."
)
"""For commands about several tasks."""


def trials_option(default: int = TRIALS, what: str = "How many runs of the task."):
    """How many runs."""
    return click.option("--trials", type=WHOLE, default=default, show_default=True, help=what)


def systems_option(what: str):
    """Systems, once or several times. what: its help."""
    return click.option("-s", "--system", "systems", multiple=True, metavar="SYSTEM", help=what)


def by_option(what: str, default: str = "p50"):
    """One of the three statistics of the app. what: its help."""
    return click.option("--by", type=click.Choice(STATISTICS), default=default, show_default=True, help=what)


set_option = click.option(
    "--set", "changes", multiple=True, metavar="LEVER=VALUE",
    help="What if: tools=0.5x, tokens=2x, speed=1.5x, cached=50%, ... Again for more. A lever of a system is that of "
    'the second one (of the only one), with "baseline." before it of the first. Levers are those of "agentcalc solve", '
    "and lifetime, that of the cache.",
)  # fmt: skip

compared_option = systems_option(
    f"A system; the first is the baseline. Again for more. By default {' and '.join(PAIR)}."
)
two_systems_option = systems_option(f"The two systems, the baseline first; by default {' and '.join(PAIR)}.")


def check_two(systems: Sequence[str], what: str) -> None:
    """Raises InputError where systems are named, but not two. what: "a race"."""
    if systems and len(systems) != 2:
        remedy = "name a baseline and a candidate: --system A --system B"
        raise InputError(Fault("--system", "", f"{what} takes two systems, not {len(systems)}", remedy))


def check_trials(trials: int | None) -> None:
    """Raises InputError for a number of runs out of range; None: as many as take a moment."""
    if trials is not None and not 1 <= trials <= MOST_TRIALS:
        raise InputError(Fault("trials", "", f"found {trials}", f"use a whole number from 1 to {MOST_TRIALS:,}"))


class Seconds(click.ParamType):
    """Seconds as a number, or a number and a unit: ``60``, ``60s``, ``5 min``, ``1h``. How many it may be is for the
    analysis to say.
    """

    name = "time"

    def convert(self, value, param, ctx):
        if isinstance(value, float):
            return value
        from agentcalc.units import parse_duration_s

        try:
            return float(value)
        except ValueError:
            pass
        try:
            return parse_duration_s(value)
        except ValueError as error:
            self.fail(f"'{value[:80]}': {error}.", param, ctx)


class Share(click.ParamType):
    """A share, "20%" or 0.2, or the word "own"."""

    name = "share"

    def convert(self, value, param, ctx):
        if isinstance(value, float) or value == "own":
            return value
        text = value.strip()
        try:
            return float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
        except ValueError:
            self.fail(f"{value[:80]!r} is not a share; write 20% or own", param, ctx)


def changed(task, systems: Sequence, changes: Sequence[str]):
    """(task, systems, line): loaded ones with what ``--set`` changes of them, and that in words, "" for nothing.

    Raises InputError for what cannot be read or set.
    """
    if not changes:
        return task, tuple(systems), ""
    from agentcalc.analysis.moves import moved, moves_line, read_move

    moves = [read_move(text) for text in changes]
    case = moved(task, systems, moves)
    return case.task, case.specs, moves_line(task, systems, moves)
