"""``agentcalc people TASK``"""

from __future__ import annotations

import click

from agentcalc.cli.options import PAIR, Seconds, compared_option, format_option, seed_option, trials_option
from agentcalc.cli.output import check_writable, put, to_file
from agentcalc.cli.tabled import comparison_data, written


@click.command()
@click.argument("task", metavar="TASK")
@compared_option
@click.option(
    "-l", "--limit", "limits", multiple=True, type=Seconds(), metavar="TIME",
    help="The upper end of a band of waits. Again for more. By default 0.1 s, 1 s and 10 s.",
)  # fmt: skip
@click.option(
    "--kept", type=Seconds(), metavar="TIME",
    help="From when on a person is kept waiting; by default the task's own limit of attention, else the limit that "
    "tells the systems furthest apart.",
)  # fmt: skip
@click.option("--streaming", is_flag=True, help="A wait ends with the first token of the last call, not with its end.")
@trials_option()
@seed_option
@format_option
@to_file
def command(
    task: str, systems: tuple[str, ...], limits: tuple[float, ...], kept: float | None, streaming: bool, trials: int,
    seed: int, form: str, output: str | None,
) -> None:  # fmt: skip
    """How often TASK keeps a person waiting, and into which bands of attention the waits fall.

    A wait runs from the start, or from what a person last did, until the person is asked again or all is done.

    \b
    agentcalc people approvals
    agentcalc people chat-turn --streaming --kept 0.5s
    """
    from agentcalc.analysis.banded import in_words, show_number
    from agentcalc.analysis.people import LIMITS_S, people
    from agentcalc.analysis.people_words import fewer_line, people_line
    from agentcalc.comparison import compare
    from agentcalc.units import counted, show_count, show_share

    check_writable(output)
    comparison = compare(task, systems or PAIR, trials=trials, seed=seed)
    found = people(comparison, limits or LIMITS_S, kept, streaming=streaming)
    table = found.table()
    rows = [("", "Wait", "Waits a run", "Share", "In 1,000 runs")]
    for one in (*found.systems, found.instant):
        mine = table[table["system"] == one.system].drop_duplicates("band")
        for number, row in zip(one.by_band, mine.to_dict("records"), strict=True):
            name = one.name if row["band"] == 0 else ""
            cells = (in_words(number, show_number), show_share(row["share"]), show_count(row["per_1000_runs"]))
            rows.append((name, row["words"], *cells))
    text = written(
        form,
        title=f"{comparison.task.name}: {counted(found.trials, 'run')}, seed {comparison.seed}",
        lines=[people_line(found), fewer_line(found), *comparison.warnings],
        rows=rows,
        right=range(2, 5),
        table=table,
        data=comparison_data(comparison) | {"counted": found.trials, "kept_s": found.kept_s, "waits": found.waits},
    )
    put(text, output)
