"""``agentcalc figure TASK --kind KIND -o FILE``"""

from __future__ import annotations

import os
from pathlib import Path

import click
from click.core import ParameterSource

from agentcalc.cli.compared import choose_by, choose_run, choose_systems, one_line
from agentcalc.cli.figure_files import ALL, ENDINGS, Every
from agentcalc.cli.figure_options import OF_SOME_KINDS, PARAMETERS, PICTURE, list_option, options
from agentcalc.cli.options import WHOLE, seed_option, set_option
from agentcalc.cli.output import check_writable, check_writable_folder, put, put_bytes
from agentcalc.cli.style_options import style_options
from agentcalc.defaults import TRIALS
from agentcalc.errors import Fault, InputError, echo
from agentcalc.figures.kinds import KINDS, NAMES, kind_of


@click.command()
@click.argument("task", metavar="TASK")
@choose_systems
@click.option(
    "--kind",
    type=click.Choice((*NAMES, ALL)),
    default="timeline",
    show_default=True,
    metavar="KIND",
    help="Which figure (see --list), or all that the task has.",
)
@list_option
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="FILE",
    help=f"Ends in {', '.join(ENDINGS)}; of all kinds: a folder with / at its end, or a .zip.",
)
@options(PICTURE)
@style_options
@options(OF_SOME_KINDS)
@set_option
@choose_run
@choose_by
@click.option(
    "--trials",
    type=WHOLE,
    help=f"How many runs; by default {TRIALS:,}, or fewer for a figure that plays the task many times.",
)
@seed_option
@click.pass_context
def command(ctx: click.Context, task: str, kind: str, output: str, title: str | None, **asked) -> None:  # fmt: skip
    """Draw a figure of TASK on some systems as PNG, SVG, PDF or HTML, or write its numbers as CSV or XLSX.

    \b
      agentcalc figure coding-agent --kind components -o where.png
      agentcalc figure coding-agent --kind components -o where.xlsx
      agentcalc figure chat-turn -s gb200/gpt-oss-120b -s jalapeno/gpt-oss-120b --kind break_even -o meet.svg
      agentcalc figure coding-agent --kind histogram --deadline 60s --scale 3 -o runs.png
      agentcalc figure coding-agent --kind distribution --x-scale linear --x-limits 0:5min --unit min -o runs.svg
      agentcalc figure coding-agent --colour "Jalapeño=#7a1fa2" --label "GB300=Today's rack" -o ours.png
      agentcalc figure coding-agent --kind all -o figures.zip
    """
    _check(ctx, kind, output, title)
    words = one_line(title) if title else None
    every = Every(ctx)
    if kind != ALL:
        figure = every.drawn(kind)
        figure = figure if words is None else figure.titled(words)
        made = every.file(kind, figure, Path(output).suffix.lower(), output)
        (put if isinstance(made, str) else put_bytes)(made, output)
    elif output.endswith(".zip"):
        from agentcalc.exports.bundle import packed

        put_bytes(packed(every.files()), output)
    else:
        Path(output).mkdir(exist_ok=True)
        for name, data in every.files():
            put_bytes(data, str(Path(output) / name))


def _check(ctx: click.Context, kind: str, output: str, title: str | None) -> None:
    """Raises InputError, before any work, for what does not go together."""
    ending = Path(output).suffix.lower()
    if kind == ALL:
        if title:
            raise InputError(Fault("--title", "", "one title for many figures", "draw one kind, or leave it out"))
        if output.endswith(("/", os.sep)):
            check_writable_folder(output)
        elif ending == ".zip":
            check_writable(output)
        else:
            remedy = "end it in / for a folder, or in .zip"
            raise InputError(Fault(output, "", "all figures do not go into one picture", remedy))
        return
    if ending not in ENDINGS:
        raise InputError(Fault(output, "", f"{echo(ending)} is no kind of figure", f"end it in {', '.join(ENDINGS)}"))
    check_writable(output)
    of_some = {name for one in KINDS for name in one.options}
    given = {name for name in of_some if _typed(ctx, PARAMETERS.get(name, name))}
    for name in sorted(given - set(kind_of(kind).options)):
        having = " and ".join(one.name for one in KINDS if name in one.options)
        raise InputError(Fault(f"--{name}", "", f"the figure {kind} has no such option", f"it is one of {having}"))


def _typed(ctx: click.Context, name: str) -> bool:
    return ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE
