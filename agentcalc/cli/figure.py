"""``agentcalc figure TASK --kind KIND -o FILE``"""

from __future__ import annotations

from pathlib import Path

import click

from agentcalc.cli.options import PAIR, by_option, changed, seed_option, set_option, systems_option, trials_option
from agentcalc.cli.output import check_writable, put, put_bytes
from agentcalc.errors import Fault, InputError, NotFoundError, echo

PICTURES = (".png", ".svg", ".pdf", ".html")
DATA = (".csv", ".xlsx")
ENDINGS = (*PICTURES, *DATA)
KINDS = ("timeline", "accumulation", "components", "break_even", "distribution")
PICTURE_SIZES = ("full", "half", "square", "4:3")

choose_systems = systems_option(f"A system, the baseline first; by default {' and '.join(PAIR)}.")
choose_run = click.option("--trial", type=int, help="Which run to show, from 0; by default the most ordinary one.")
choose_by = by_option("What the run shown is ordinary for: typical, average or slow runs.")


@click.command()
@click.argument("task", metavar="TASK")
@choose_systems
@click.option("--kind", type=click.Choice(KINDS), default="timeline", show_default=True, help="Which figure.")
@click.option("-o", "--output", required=True, metavar="FILE", help=f"Ends in {', '.join(ENDINGS)}.")
@click.option("--size", type=click.Choice(PICTURE_SIZES), default="full", show_default=True)
@click.option("--dark", is_flag=True, help="For a dark slide.")
@click.option("--title", help="In place of the finding; the source line stays.")
@set_option
@choose_run
@choose_by
@trials_option()
@seed_option
def command(
    task: str, systems: tuple[str, ...], kind: str, output: str, size: str, dark: bool, title: str | None,
    changes: tuple[str, ...], trial: int | None, by: str, trials: int, seed: int,
) -> None:  # fmt: skip
    """Draw a figure of TASK on some systems as PNG, SVG, PDF or HTML, or write its numbers as CSV or XLSX.

    \b
      agentcalc figure coding-agent --kind components -o where.png
      agentcalc figure coding-agent --kind components -o where.xlsx
      agentcalc figure chat-turn -s gb200/gpt-oss-120b -s jalapeno/gpt-oss-120b --kind break_even -o meet.svg
    """
    ending = Path(output).suffix.lower()
    if ending not in ENDINGS:
        raise InputError(Fault(output, "", f"{echo(ending)} is no kind of figure", f"end it in {', '.join(ENDINGS)}"))
    check_writable(output)
    found = figures(task, systems, trials, seed, trial, by, changes)
    if kind not in found:
        remedy = f"it has {', '.join(found)}" if found else "give a task in which something takes time"
        raise NotFoundError(Fault(f"--kind {kind}", "", "this comparison has no such figure", remedy))
    from dataclasses import replace

    figure = replace(found[kind], title=one_line(title)) if title else found[kind]
    made = _data(figure, ending, trials, seed, changes) if ending in DATA else picture(figure, ending, size, dark)
    (put if isinstance(made, str) else put_bytes)(made, output)


def picture(figure, ending: str, size: str = "full", dark: bool = False) -> str | bytes:
    """A figure as a file that ends in one of ``PICTURES``."""
    from agentcalc.exports import page, pdf, png, svg

    return {".png": png, ".svg": svg, ".pdf": pdf, ".html": page}[ending](figure, size, dark)


def _data(figure, ending: str, trials: int, seed: int, changes: tuple[str, ...]) -> str | bytes:
    if ending == ".csv":
        from agentcalc import spreadsheets

        return spreadsheets.table_csv(figure.table)
    from agentcalc.exports.workbook import xlsx

    what_if = {"Changed": " ".join(changes)} if changes else {}
    return xlsx(figure, {"Runs": trials, "Seed": seed} | what_if)


def figures(
    task: str, systems: tuple[str, ...], trials: int, seed: int, trial: int | None, by: str, changes: tuple[str, ...]
) -> dict:
    """The figures of a comparison by kind. Raises InputError for what cannot be compared or a run that is not there."""
    from agentcalc.figures.several import figures_for

    found = compared(task, systems, trials, seed, changes)
    check_trial(found, trial)
    return figures_for(found, trial, by)


def compared(task: str, systems: tuple[str, ...], trials: int, seed: int, changes: tuple[str, ...]):
    """TASK on some systems, by default the first pair a reader of the app sees, with what ``--set`` changes."""
    from dataclasses import replace

    from agentcalc import catalog
    from agentcalc.comparison import compare

    loaded = catalog.load_task(task), [catalog.load_system(name) for name in systems or PAIR]
    model, specs, said = changed(*loaded, changes)
    return replace(compare(model, specs, trials=trials, seed=seed), changed=said)


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
