"""``agentcalc report TASK -o FILE``"""

from __future__ import annotations

from pathlib import Path

import click

from agentcalc.cli.compared import check_trial, choose_by, choose_run, choose_systems, compared, one_line
from agentcalc.cli.options import PAIR, seed_option, set_option, trials_option
from agentcalc.cli.output import check_writable, folder_beside, put, put_with_files
from agentcalc.cli.progress import counting
from agentcalc.cli.redraw import again
from agentcalc.errors import Fault, InputError, echo

HTML, MARKDOWN = (".html", ".htm"), (".md", ".markdown")


@click.command()
@click.argument("task", metavar="TASK")
@choose_systems
@click.option("-o", "--output", required=True, metavar="FILE", help="Ends in .html, or in .md for Markdown.")
@click.option("--title", help="In place of the finding, which then follows under it.")
@set_option
@choose_run
@choose_by
@trials_option()
@seed_option
@click.option("--dark/--light", "dark", default=None, help="Always dark or light; by default as the reader's system.")
@click.pass_context
def command(
    ctx: click.Context, task: str, systems: tuple[str, ...], output: str, title: str | None, changes: tuple[str, ...],
    trial: int | None, by: str, trials: int, seed: int, dark: bool | None,
) -> None:  # fmt: skip
    """A report of TASK on some systems: the answer, the figures, all numbers, what is not known, every source.

    An HTML report is one file that needs no network and prints on paper. A Markdown report has its figures as SVG
    files in a folder beside it: note.md and note_files.

    \b
      agentcalc report coding-agent -o coding.html
      agentcalc report coding-agent -o note.md
    """
    from agentcalc import catalog
    from agentcalc.analysis.findings import findings
    from agentcalc.app.words import caveat
    from agentcalc.cli.compare import rivals
    from agentcalc.exports.report import report_for
    from agentcalc.exports.report_files import own_files
    from agentcalc.figures.several import figures_for

    ending = Path(output).suffix.lower()
    if ending not in (*HTML, *MARKDOWN):
        raise InputError(Fault(output, "", f"{echo(ending)} is no kind of report", "end its name in .html or .md"))
    title = one_line(title) if title else ""
    check_writable(output)
    folder = folder_beside(output) if ending in MARKDOWN else ""
    chosen = systems or PAIR
    found = compared(task, chosen, trials, seed, changes)
    check_trial(found, trial)
    figures = figures_for(found, trial, by)
    with counting("questions") as progress:
        more = findings(found, by, rivals(found) if found.pairs else (), progress)
    parts = tuple(dict.fromkeys(part for spec in found.specs for part in spec.parts))
    report = report_for(
        found,
        more,
        figures,
        caveat=caveat(parts),
        command=again(ctx, {"systems": chosen, "by": by, "trials": trials, "seed": seed}, Path(output).name),
        files=own_files(catalog.load_task(task), [catalog.load_system(name) for name in chosen]),
        title=title,
    )
    with counting("figures") as progress:
        _write(report, output, folder, dark, progress)


def _write(report, output: str, folder: str, dark: bool | None, progress) -> None:
    scheme = {None: None, True: "dark", False: "light"}[dark]
    if not folder:
        from agentcalc.exports.report_html import report_html

        put(report_html(report, scheme, progress), output)
        return
    from agentcalc.exports.report_markdown import report_markdown

    made = report_markdown(report, folder, dark is True)
    put_with_files(made.text, output, folder, made.pictures)
