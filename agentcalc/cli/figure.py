"""``agentcalc figure TASK --kind KIND -o FILE``"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from agentcalc.cli.figure_options import OF_SOME_KINDS, PARAMETERS, PICTURE, list_option, options
from agentcalc.cli.options import PAIR, WHOLE, by_option, changed, seed_option, set_option, systems_option
from agentcalc.cli.output import check_writable, check_writable_folder, put, put_bytes
from agentcalc.cli.redraw import again
from agentcalc.cli.style_options import in_options, style_options, styles_of
from agentcalc.defaults import TRIALS
from agentcalc.errors import Fault, InputError, NotFoundError, echo
from agentcalc.figures.kinds import KINDS, NAMES, kind_of

if TYPE_CHECKING:
    from agentcalc.figures import Asked, Figure
    from agentcalc.results import Comparison

PICTURES = (".png", ".svg", ".pdf", ".html")
DATA = (".csv", ".xlsx")
ENDINGS = (*PICTURES, *DATA)
ALL = "all"

choose_systems = systems_option(f"A system, the baseline first; by default {' and '.join(PAIR)}.")
choose_run = click.option("--trial", type=WHOLE, help="Which run to show, from 0; by default the most ordinary one.")
choose_by = by_option("What the run shown is ordinary for: typical, average or slow runs.")


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


class Every:
    """The figures of one command line; what kinds of as many runs share is played once."""

    def __init__(self, ctx: click.Context):
        self.ctx, self.given = ctx, ctx.params
        self.played: dict[int, Comparison] = {}
        self.styles = styles_of(self.given, self.given["kind"] == ALL)
        self.loaded = load(self.given["task"], self.given["systems"], self.given["changes"])

    def trials(self, kind: str) -> int:
        """Runs of a kind: those asked for, or as many as take a moment."""
        from agentcalc.analysis.fitting import fitting_runs

        one = kind_of(kind)
        if self.given["trials"] is not None:
            return self.given["trials"]
        most = one.most or TRIALS
        return fitting_runs(self.loaded[0], one.cases, one.steps, most) if one.steps else most

    def asked(self, kind: str) -> Asked:
        """What it is about. Raises InputError for what cannot be compared, or a run that is not there."""
        from agentcalc.analysis.goals import check_under
        from agentcalc.figures.asked import Asked

        if self.given["deadline"] is not None:
            check_under(self.given["deadline"], "deadline")
        given, trials = self.given, self.trials(kind)
        if trials not in self.played:
            self.played[trials] = of_loaded(*self.loaded, trials, given["seed"])
        found = self.played[trials]
        check_trial(found, given["trial"])
        return Asked(
            found, given["trial"], given["by"], deadline_s=given["deadline"], of=given["of"], range=given["reach"],
            x=given["x"], y=given["y"], under_s=given["under"], within_s=given["within"], basis=given["basis"],
        )  # fmt: skip

    def drawn(self, kind: str) -> Figure:
        """The figure of a kind."""
        from agentcalc.figures.asked import drawn

        found = drawn(kind, self.asked(kind))
        with in_options():
            return found.styled(*self.styles)

    def facts(self, kind: str, output: str) -> dict[str, str | int]:
        """What a workbook says of its numbers, the command that draws them last. output: the picture it writes."""
        trials, seed = self.trials(kind), self.given["seed"]
        settled = {"kind": kind, "trials": trials, "seed": seed, "systems": self.given["systems"] or PAIR}
        if self.given["kind"] == ALL:
            settled |= {
                PARAMETERS.get(n, n): None for one in KINDS for n in one.options if n not in kind_of(kind).options
            }
        # What is said of a workbook or a CSV is of no use to a picture.
        command = again(self.ctx, settled | {"comments": None}, output)
        what_if = {"Changed": " ".join(self.given["changes"])} if self.given["changes"] else {}
        return {"Runs": trials, "Seed": seed} | what_if | {"Command": command}

    def file(self, kind: str, figure: Figure, ending: str, output: str) -> str | bytes:
        """A figure as a file of one ending."""
        given = self.given
        facts = self.facts(kind, str(Path(output).with_suffix(".png")))
        if ending == ".csv":
            from agentcalc.exports import csv

            return csv(figure, facts, comments=given["comments"])
        if ending == ".xlsx":
            from agentcalc.exports.workbook import xlsx

            return xlsx(figure, facts)
        figure = figure.with_assumptions if given["assumptions"] else figure
        with in_options():
            return picture(figure, ending, given["size"], given["dark"], given["scale"])

    def files(self) -> Iterator[tuple[str, bytes]]:
        """All figures there are, each with its files; those that there are not are said on stderr."""
        from agentcalc.exports.bundle import files

        given, done = self.given, 0
        for kind in NAMES:
            try:
                figure = self.drawn(kind)
            except InputError as error:
                click.echo(f"Left out: {kind} ({error.faults[0].found}).", err=True)
                continue
            done += 1
            facts, how = self.facts(kind, f"{kind}.png"), {name: given[name] for name in ("scale", "assumptions")}
            for ending, data in files(figure, given["size"], given["dark"], facts, **how):
                yield f"{kind}.{ending}", data
        if not done:
            raise NotFoundError(Fault("--kind all", "", "this task has no figure", "give a task that takes time"))


def picture(figure: Figure, ending: str, size: str = "full", dark: bool = False, scale: int = 2) -> str | bytes:
    """A figure as a file that ends in one of ``PICTURES``."""
    from agentcalc.exports import page, pdf, png, svg

    if ending == ".png":
        return png(figure, size, dark, scale)
    return {".svg": svg, ".pdf": pdf, ".html": page}[ending](figure, size, dark)


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
