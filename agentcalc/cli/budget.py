"""``agentcalc budget TASK``"""

from __future__ import annotations

import click

from agentcalc.cli.options import PAIR, Seconds, compared_option, format_option, seed_option, trials_option
from agentcalc.cli.output import check_writable, put, to_file
from agentcalc.cli.tabled import comparison_data, written


@click.command()
@click.argument("task", metavar="TASK")
@compared_option
@click.option(
    "-w", "--within", multiple=True, type=Seconds(), metavar="TIME",
    help="A time such as 60s or 5min. Again for more. By default 10 s, 1 min, 5 min and 1 h.",
)  # fmt: skip
@click.option(
    "--success", metavar="CHANCE",
    help="One attempt's chance of success (0.25), or a measured curve of attempts and shares solved (1:15.9%,250:56%). "
    "By default that of the task's deadline.",
)  # fmt: skip
@click.option(
    "--attempts-per-run", type=click.IntRange(1, 1_000_000), default=1, show_default=True,
    help="How many attempts one run of the task makes.",
)  # fmt: skip
@trials_option()
@seed_option
@format_option
@to_file
def command(
    task: str, systems: tuple[str, ...], within: tuple[float, ...], success: str | None, attempts_per_run: int,
    trials: int, seed: int, form: str, output: str | None,
) -> None:  # fmt: skip
    """What gets done of TASK in a fixed time: runs, turns, calls, attempts and the chance of success.

    \b
    agentcalc budget coding-agent --within 60s
    agentcalc budget best-of-n --within 5min --success "1:15.9%,250:56%" --attempts-per-run 4
    """
    from agentcalc.analysis.budget import WITHIN_S, budget
    from agentcalc.analysis.budget_words import line, per_hour_line, success_line
    from agentcalc.analysis.success import read_success
    from agentcalc.comparison import compare
    from agentcalc.units import counted

    check_writable(output)
    chance = None if success is None else read_success(success, where="--success")
    comparison = compare(task, systems or PAIR, trials=trials, seed=seed)
    found = budget(comparison, within or WITHIN_S, chance, attempts_per_run)
    lines = [line(found, seconds) for seconds in found.within_s]
    lines += [success_line(found, seconds) for seconds in found.within_s]
    lines.append(per_hour_line(found))
    rows, right = _rows(found)
    text = written(
        form,
        title=f"{comparison.task.name}: {counted(comparison.n_trials, 'run')}, seed {comparison.seed}",
        lines=[*lines, *comparison.warnings],
        rows=rows,
        right=right,
        table=found.table(),
        data=comparison_data(comparison),
    )
    put(text, output)


def _rows(found) -> tuple[list[tuple[str, ...]], range]:
    """The table that people read."""
    from agentcalc.analysis.banded import in_words, show_number
    from agentcalc.units import show_share, show_time

    heads = ["Within", "", "Runs done", "Tasks", "Turns", "Calls"]
    heads += ["Attempts", "Success"] if found.success else []
    rows = [tuple(heads)]
    for seconds in found.within_s:
        for i, one in enumerate((*found.systems, found.instant)):
            done = one.within(seconds)
            name = one.name if one.role != "instant" else "instant"
            cells = [show_time(seconds) if i == 0 else "", name, in_words(done.done, show_share)]
            cells += [in_words(done.tasks, show_number)]
            counts = (done.turns, done.calls, *([done.attempts] if found.success else []))
            cells += [show_number(number.value) for number in counts]
            rows.append((*cells, *([show_share(done.success.value)] if found.success else [])))
    return rows, range(2, len(heads))
