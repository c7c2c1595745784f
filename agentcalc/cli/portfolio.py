"""``agentcalc portfolio FILE`` or ``agentcalc portfolio TASK=RUNS ...``"""

from __future__ import annotations

import click

from agentcalc.cli.options import (
    PAIR,
    check_trials,
    check_two,
    each_trials_option,
    format_option,
    seed_option,
    two_systems_option,
)
from agentcalc.cli.output import check_writable, put, to_file
from agentcalc.cli.tabled import written


@click.command()
@click.argument("given", metavar="FILE | TASK=RUNS...", nargs=-1, required=True)
@two_systems_option
@click.option("--people", type=click.IntRange(1, 10_000_000), help="RUNS are of each of so many people.")
@each_trials_option
@seed_option
@format_option
@to_file
def command(
    given: tuple[str, ...], systems: tuple[str, ...], people: int | None, trials: int | None, seed: int, form: str,
    output: str | None,
) -> None:  # fmt: skip
    """What a day of many tasks saves, and which to speed up first. RUNS are runs a day.

    \b
    agentcalc portfolio coding-agent=60 chat-turn=200 --people 40
    agentcalc portfolio team.yaml

    A file says the same: "people: 40" and "tasks: [{task: coding-agent, runs_per_day: 60}, ...]".
    """
    from agentcalc import catalog
    from agentcalc.analysis.portfolio import plan_portfolio
    from agentcalc.analysis.portfolio_words import each_line, portfolio_line, potential_line
    from agentcalc.units import show_count, show_time

    check_writable(output)
    check_two(systems, "a portfolio")
    portfolio = _read(given, people)
    check_trials(trials)
    base, cand = (catalog.load_system(name) for name in systems or PAIR)
    found = plan_portfolio(portfolio, base, cand, trials=trials, seed=seed)
    heads = ("", "Runs a day", found.base, found.cand, "Saved a day", "At most")
    rows = [heads]
    for one in found.tasks:
        times = (show_time(one.base_s.value), show_time(one.cand_s.value))
        rows.append((one.task.name, show_count(one.runs_a_day), *times, *_saved(one)))
    rows.append(("All", show_count(sum(one.runs_a_day for one in found.tasks)), "", "", *_saved(found)))
    text = written(
        form,
        title=found.name or "A day of many tasks",
        lines=[portfolio_line(found), potential_line(found), each_line(found), *found.warnings],
        rows=rows,
        right=range(1, len(heads)),
        table=found.table(),
        data={"name": found.name, "seed": seed, "systems": [base.id, cand.id], "people": found.people}
        | {"warnings": list(found.warnings)},
    )
    put(text, output)


def _read(given: tuple[str, ...], people: int | None):
    from agentcalc.analysis.portfolio import portfolio_of, read_portfolio

    if len(given) == 1 and "=" not in given[0]:
        portfolio = read_portfolio(given[0])
        return portfolio if people is None else portfolio.model_copy(update={"people": people})
    return portfolio_of(given, people)


def _saved(one) -> tuple[str, str]:
    """What a task, or all of them, saves a day with its band, and what any system could save at most."""
    from agentcalc.analysis.banded import Banded
    from agentcalc.analysis.portfolio_words import total_words

    return total_words(one.saved_s), total_words(Banded(*(one.possible_s,) * 3))
