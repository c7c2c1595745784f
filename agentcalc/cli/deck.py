"""``agentcalc deck TASK -o FILE.pptx``"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from agentcalc.cli.figure import check_trial, choose_by, choose_run, choose_systems, compared
from agentcalc.cli.options import seed_option, set_option, trials_option
from agentcalc.cli.output import check_writable, put_bytes
from agentcalc.errors import Fault, InputError, echo


@click.command()
@click.argument("task", metavar="TASK")
@choose_systems
@click.option("-o", "--output", required=True, metavar="FILE.pptx", help="The deck to write.")
@click.option("--dark", is_flag=True, help="Dark slides.")
@set_option
@choose_run
@choose_by
@trials_option()
@seed_option
def command(
    task: str, systems: tuple[str, ...], output: str, dark: bool, changes: tuple[str, ...], trial: int | None, by: str,
    trials: int, seed: int,
) -> None:  # fmt: skip
    """Slides of TASK on some systems: the answer, the figures, the numbers' sources, each title a finding.

    Titles and lines are text that can be edited; every figure keeps its source line and its description.

    \b
      agentcalc deck coding-agent -o coding.pptx
    """
    if Path(output).suffix.lower() != ".pptx":
        raise InputError(Fault(output, "", f"{echo(Path(output).suffix)} is no deck", "end it in .pptx"))
    check_writable(output)
    found = compared(task, systems, trials, seed, changes)
    check_trial(found, trial)
    from agentcalc.analysis.headline import headline
    from agentcalc.analysis.needs import levers_to_target
    from agentcalc.app.words import caveat
    from agentcalc.cli.compare import rivals
    from agentcalc.exports.deck import deck
    from agentcalc.exports.slides import slides_for
    from agentcalc.figures.several import figures_for

    figures = figures_for(found, trial, by)
    wanted = ()
    if len(found.specs) > 1 and figures and len(found.specs[1].parts) == 1:
        needs = levers_to_target(found.task, found.specs[:2], by=by, trials=found.n_trials, seed=seed, bands=False)
        wanted = (needs.question, needs.sentence, *needs.cards)
    head = headline(found, by=by, rival=rivals(found)[0] if found.pairs else None)
    said = caveat(tuple(part for spec in found.specs for part in spec.parts))
    made = slides_for(found, head, figures, caveat=said, changes=wanted)
    shown = sys.stderr.isatty()

    def progress(done: int, total: int) -> None:
        click.echo(f"\rslide {done} of {total}", err=True, nl=done == total)

    put_bytes(deck(made, dark, progress if shown else None), output)
