"""Options of ``agentcalc figure``: how a figure is drawn and written, and what only some kinds have."""

from __future__ import annotations

import click

from agentcalc.cli.options import Seconds, Share
from agentcalc.cli.output import put
from agentcalc.figures.kinds import KINDS

PICTURE_SIZES = ("full", "half", "square", "4:3")

_BASES = click.Choice(("tdp", "all-in"))

PICTURE = (
    click.option("--size", type=click.Choice(PICTURE_SIZES), default="full", show_default=True),
    click.option(
        "--scale", type=click.IntRange(1, 4), default=2, show_default=True,
        help="PNG: pixels to a point; 2 for slides, 3 for print.",
    ),
    click.option("--dark", is_flag=True, help="For a dark slide."),
    click.option("--title", help="In place of the finding; the source line stays."),
    click.option("--assumptions", is_flag=True, help="List what it assumes below its source line; XLSX always does."),
    click.option("--comments", is_flag=True, help="CSV: title, source and command above the numbers, behind #."),
)  # fmt: skip

OF_SOME_KINDS = (
    click.option(
        "--deadline", type=Seconds(), metavar="TIME",
        help="distribution, histogram: a time to hold runs against; by default the task's.",
    ),
    click.option(
        "--of", type=click.Choice(("time", "speedup")), default="time", show_default=True,
        help="tornado, heat_map: what is shown.",
    ),
    click.option(
        "--range", "reach", type=Share(), default="20%", show_default=True, metavar="SHARE|own",
        help="tornado: how far each input is moved.",
    ),
    click.option("--x", metavar="LEVER", help="heat_map: from left to right; by default tools."),
    click.option("--y", metavar="LEVER", help="heat_map: from bottom to top; by default speed."),
    click.option(
        "--under", type=Seconds(), metavar="TIME",
        help="heat_map, needs, capacity: the time to stay under; by default a round one.",
    ),
    click.option(
        "--within", multiple=True, type=Seconds(), metavar="TIME",
        help="budget: a time. Again for more. By default 10 s, 1 min, 5 min and 1 h.",
    ),
    click.option(
        "--basis", type=_BASES, default="tdp", show_default=True,
        help="operating_points, capacity: the power that work is divided by.",
    ),
)  # fmt: skip

PARAMETERS = {"range": "reach"}
"""Where an option's name cannot be a parameter's."""


def options(table):
    """A decorator for all options of a table, in its order."""

    def decorate(command):
        for option in reversed(table):
            command = option(command)
        return command

    return decorate


def _list(ctx: click.Context, param: click.Parameter, wanted: bool) -> None:
    if not wanted:
        return
    from agentcalc.cli.layout import columns

    rows = [("KIND", "SHOWS", "OPTIONS", "MORE")]
    for kind in KINDS:
        rows.append((kind.name, kind.words, " ".join(f"--{name}" for name in kind.options), kind.command))
    put(columns(rows), None)
    ctx.exit()


list_option = click.option(
    "--list", is_flag=True, is_eager=True, expose_value=False, callback=_list,
    help="The kinds of figures, a line each, with the command that has more.",
)  # fmt: skip
