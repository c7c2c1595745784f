"""The figures of one command line, and each as a file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from agentcalc.cli.compared import check_trial, load, of_loaded
from agentcalc.cli.figure_options import PARAMETERS
from agentcalc.cli.options import PAIR
from agentcalc.cli.redraw import again
from agentcalc.cli.style_options import in_options, styles_of
from agentcalc.defaults import TRIALS
from agentcalc.errors import Fault, InputError, NotFoundError
from agentcalc.figures.kinds import KINDS, NAMES, kind_of

if TYPE_CHECKING:
    from agentcalc.figures import Asked, Figure
    from agentcalc.results import Comparison

PICTURES = (".png", ".svg", ".pdf", ".html")
DATA = (".csv", ".xlsx")
ENDINGS = (*PICTURES, *DATA)
ALL = "all"


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
