"""``agentcalc deck TASK -o FILE.pptx``"""

from __future__ import annotations

from pathlib import Path

import click

from agentcalc.cli.compared import check_trial, choose_by, choose_run, choose_systems, compared, one_line
from agentcalc.cli.options import PAIR, seed_option, set_option, trials_option
from agentcalc.cli.output import check_writable, put_bytes
from agentcalc.cli.progress import counting
from agentcalc.cli.redraw import again
from agentcalc.errors import Fault, InputError, NotFoundError, echo

ENDING = ".pptx"
FIGURES = ("race", "timeline", "accumulation", "components", "break_even", "distribution")
KINDS = ("cover", "answer", *FIGURES, "changes", "sources")
MOST_BYTES = 100_000_000
"""Of a file that is read as a template at all."""


@click.command()
@click.argument("task", metavar="TASK")
@choose_systems
@click.option("-o", "--output", required=True, metavar="FILE.pptx", help="The deck to write.")
@click.option("--slide", "kinds", type=click.Choice(KINDS), multiple=True, help="Only this slide. Again for more.")
@click.option("--title", help="Of the one slide asked for, in place of its finding; the source line stays.")
@click.option(
    "--template", metavar="FILE.pptx",
    help="A presentation or template of your own (.pptx, .potx): its layouts, fonts, background and slide size are "
    "used; its own slides are left out.",
)  # fmt: skip
@click.option("--dark", is_flag=True, help="Dark slides, on a template too.")
@click.option("--pictures", is_flag=True, help="Figures as pictures in place of charts that can be edited.")
@set_option
@choose_run
@choose_by
@trials_option()
@seed_option
@click.pass_context
def command(
    context: click.Context, task: str, systems: tuple[str, ...], output: str, kinds: tuple[str, ...], title: str | None,
    template: str | None, dark: bool, pictures: bool, changes: tuple[str, ...], trial: int | None, by: str,
    trials: int, seed: int,
) -> None:  # fmt: skip
    """Slides of TASK on some systems: the answer, the figures, what would change it, the numbers' sources.

    Each title is a finding. Figures are charts and shapes that can be edited, charts with their numbers in a workbook
    inside. The speaker's notes hold the assumptions and the command that makes the slide again.

    \b
      agentcalc deck coding-agent -o coding.pptx
      agentcalc deck coding-agent --template ours.potx -o coding.pptx
      agentcalc deck coding-agent --slide components -o one.pptx        # one slide, to paste
    """
    if Path(output).suffix.lower() != ENDING:
        raise InputError(Fault(output, "", f"{echo(Path(output).suffix)} is no deck", f"end it in {ENDING}"))
    if title and len(kinds) != 1:
        raise InputError(Fault("--title", "", "it is the title of one slide", "say which with --slide"))
    title = one_line(title) if title else ""
    check_writable(output)
    from agentcalc.exports.deck import deck
    from agentcalc.exports.slides import deck_of, titled, whole
    from agentcalc.exports.template import opened

    # What is wrong with a template is told before any work.
    stage = opened(_read(template), template, dark) if template else None

    def made_again(kind: str) -> str:
        one = kind if kind in kinds or kind != "cover" else None
        settled = {"systems": systems or PAIR, "kinds": [one] if one else None, "trial": told.run, "by": by}
        settled |= {"trials": trials, "seed": seed}
        return again(context, settled, f"{one or 'deck'}{ENDING}")

    told = _told(task, systems, changes, by, trials, seed, trial, made_again)
    wanted = list(dict.fromkeys(kinds)) or _kinds(told)
    made = [(kind, whole(kind, told)) for kind in wanted]
    if title:
        made = [(kind, titled(slide, title)) for kind, slide in made]
    with counting("slides") as progress:
        put_bytes(deck(deck_of(made, told, first=not kinds), dark, progress, stage=stage, pictures=pictures), output)


def _told(task, systems, changes, by, trials, seed, trial, made_again):
    """All that the slides are made of, played and drawn as they ask for it."""
    from functools import cache

    from agentcalc.analysis.headline import headline
    from agentcalc.analysis.needs import levers_to_target
    from agentcalc.analysis.sensitivity import sensitivity
    from agentcalc.app.what_if import before_words
    from agentcalc.app.words import caveat
    from agentcalc.cli.compare import rivals
    from agentcalc.exports.slides import Told
    from agentcalc.figures.race import race_for
    from agentcalc.figures.several import figures_for

    found = compared(task, systems, trials, seed, changes)
    check_trial(found, trial)
    before = compared(task, systems, trials, seed, ()) if changes else found
    # The run shown is chosen before any what-if, so that pictures with and without it show the same one.
    run = before.ordinary_trial(by) if trial is None else trial
    pair = found.specs[:2]
    asked = {"by": by, "trials": found.n_trials, "seed": seed}

    def line() -> str:
        last = found.systems[len(pair) - 1]
        return levers_to_target(found.task, pair, bands=False, **asked).line if last.task_s[by] > 0 else ""

    parts, untouched = ([part for spec in one.specs for part in spec.parts] for one in (found, before))
    return Told(
        comparison=found,
        head=headline(found, by=by, rival=rivals(found)[0]) if found.pairs else None,
        by=by,
        run=run,
        caveat=caveat(parts, untouched),
        changed=f"{found.changed} {before_words(before, by)}" if changes and found.pairs else found.changed,
        figures=cache(lambda: figures_for(found, run, by)),
        race=cache(lambda: race_for(found, run)),
        moved=lambda: sensitivity(found.task, pair, pairs=False, **asked),
        line=line,
        command=made_again,
    )


def _kinds(told) -> list[str]:
    """The slides of a deck: the screens that Present shows of the same."""
    from agentcalc.app.arrangement import arrange
    from agentcalc.app.present.screens import kinds_of

    figures = told.figures()
    if not told.comparison.pairs:
        return ["answer", *figures, "sources"]
    try:
        told.race()
    except InputError:
        racing = False
    else:
        racing = True
    return list(kinds_of(arrange(figures, told.comparison), racing))


def _read(template: str) -> bytes:
    """The bytes of a template. Raises InputError or NotFoundError where there are none to be read."""
    path = Path(template)
    try:
        if path.is_file() and path.stat().st_size > MOST_BYTES:
            raise InputError(Fault(template, "", "it is far larger than a template", "use one of at most 50 MB"))
        if not path.is_file() and path.exists():
            raise InputError(Fault(template, "", "it is no file", "give a .pptx or .potx"))
        return path.read_bytes()
    except FileNotFoundError as error:
        raise NotFoundError(Fault(template, "", "there is no such file", "give a .pptx or .potx")) from error
    except (OSError, ValueError) as error:
        raise InputError(Fault(echo(template), "", "it cannot be read", "give a .pptx or .potx")) from error
