"""``agentcalc capacity TASK``"""

from __future__ import annotations

from pathlib import Path

import click

from agentcalc.cli.figure_files import PICTURES, picture
from agentcalc.cli.options import (
    STATISTICS,
    WHOLE,
    Seconds,
    by_option,
    format_option,
    seed_option,
    systems_option,
    trials_option,
)
from agentcalc.cli.output import check_writable, put, put_bytes, to_file
from agentcalc.cli.tabled import ident, written
from agentcalc.errors import Fault, InputError

TRIALS = 10_000
MOST_SYSTEMS = 6


@click.command()
@click.argument("task", metavar="TASK")
@systems_option(
    "A system measured at several loads. Again for more. With --energy by default the three packaged pairs."
)
@click.option(
    "-n", "--agents", multiple=True, type=WHOLE, metavar="N",
    help="How many agents. Again for more. By default from one to more than fill the system.",
)  # fmt: skip
@click.option("-u", "--under", type=Seconds(), metavar="TIME", help="How many agents stay under this time: 60s, 5min.")
@by_option("Which runs stay under it.", "p95")
@click.option(
    "--pause", type=Seconds(), default=0.0, metavar="TIME", help="Between the runs of an agent; by default none."
)
@click.option("--configuration", metavar="NAME", help="Which curve of the system; by default the one with most points.")
@click.option(
    "--basis", type=click.Choice(("tdp", "all-in")), default="tdp", show_default=True,
    help="The power that work is divided by: of the chips, or with all around them.",
)  # fmt: skip
@click.option("--energy", is_flag=True, help="Energy and price of one task instead, each at its operating point.")
@trials_option(TRIALS)
@seed_option
@format_option
@to_file
def command(
    task: str, systems: tuple[str, ...], agents: tuple[int, ...], under: float | None, by: str, pause: float,
    configuration: str | None, basis: str, energy: bool, trials: int, seed: int, form: str, output: str | None,
) -> None:  # fmt: skip
    """How many agents that run TASK share a system, what they get, and what their tool waits cost it.

    A FILE that ends in .png, .svg, .pdf or .html gets the figure: agents on one system, or with --energy the operating
    points of the systems.

    \b
    agentcalc capacity coding-agent -s gb200/gpt-oss-120b --under 5min
    agentcalc capacity coding-agent -s gb200/gpt-oss-120b --agents 10 --agents 100
    agentcalc capacity coding-agent -s gb200/gpt-oss-120b --under 5min -o agents.png
    agentcalc capacity benchmark-call --energy
    """
    from agentcalc import catalog

    check_writable(output)
    drawn = output is not None and Path(output).suffix.lower() in PICTURES
    model = catalog.load_task(task)
    if len(systems) > MOST_SYSTEMS:
        raise InputError(Fault("--system", "", f"{len(systems)} systems", f"give at most {MOST_SYSTEMS}"))
    if energy:
        if agents or under is not None or pause or configuration:
            raise click.UsageError(
                "--energy is about one task: leave --agents, --under, --pause and --configuration out."
            )
        groups = [systems] if systems else catalog.PAIRS
        loaded = [[catalog.load_system(name) for name in group] for group in groups]
        if drawn:
            _draw(_points_figure(loaded[0], basis), output)
        else:
            put(_energy(model, loaded, basis, trials, seed, form), output)
        return
    if under is not None:
        from agentcalc.analysis.goals import check_under

        check_under(under)
    if not systems:
        raise click.UsageError("Name a system with --system, such as gb200/gpt-oss-120b.")
    from agentcalc.analysis.capacity import capacity, closely, usual

    if drawn and len(systems) > 1:
        raise InputError(Fault("--system", "", f"{len(systems)} systems in one picture", "name one"))
    keys = {"limit_s": under, "by": by, "pause_s": pause, "configuration": configuration, "basis": basis}
    keys |= {"trials": trials, "seed": seed, "spread": closely if drawn else usual}
    found = [capacity(model, catalog.load_system(name), agents or None, **keys) for name in systems]
    if drawn:
        from agentcalc.figures.capacity import figure

        if len(found[0].served) < 2:
            raise InputError(Fault("--agents", "", "one number of agents makes no curve", "give two or more, or none"))
        _draw(figure(found[0]), output)
    else:
        put(_agents(found, form), output)


def _points_figure(systems, basis: str):
    from agentcalc.accelerators import BASIS_WORDS
    from agentcalc.analysis.naming import models, names
    from agentcalc.figures.load_curve import Line
    from agentcalc.figures.operating_points import figure

    roles = ["baseline", "candidate", *["other"] * len(systems)]
    lines = [Line(*one) for one in zip(systems, names(systems), roles, strict=False)]
    model = models(systems)
    try:
        return figure(lines, basis=basis, model=model[0] if len(model) == 1 else None)
    except ValueError as error:
        remedy = "name a system with tokens per chip"
        raise InputError(Fault("systems", "", f"{error}, per kW of {BASIS_WORDS[basis]}", remedy)) from error


def _draw(figure, output: str) -> None:
    drawn = picture(figure, Path(output).suffix.lower())
    (put if isinstance(drawn, str) else put_bytes)(drawn, output)


def _agents(found, form: str) -> str:
    import pandas as pd

    from agentcalc.analysis.capacity_words import compared_line, most_line, range_line, waits_line, work_line
    from agentcalc.units import counted

    first, lines = found[0], []
    for one in found:
        lines += [most_line(one), range_line(one)]
        shown = one.served[len(one.served) // 2]
        if one.most is not None and any(served.agents == one.most.agents for served in one.served):
            shown = one.at(one.most.agents)
        lines += [work_line(one, shown), waits_line(one, shown), _price_line(one, shown)]
    lines += [compared_line(found), *dict.fromkeys(f"Assumed: {text}" for one in found for text in one.assumptions)]
    lines += [f"Rests on: {one.name}, {one.grade.value}." for one in found] if form != "json" else []
    return written(
        form,
        title=f"{first.task.name}: {counted(first.trials, 'run')}, seed {first.seed}",
        lines=lines,
        rows=_rows(found),
        right=range(1 if len(found) > 1 else 0, 9 + (len(found) > 1)),
        table=pd.concat([one.table() for one in found], ignore_index=True),
        data={
            "task": ident(first.task),
            "trials": first.trials,
            "seed": first.seed,
            "systems": [_data(one) for one in found],
        },
    )


def _price_line(found, served) -> str:
    """What a task costs when so many agents share the system, or why nobody knows."""
    from agentcalc.analysis.energy_words import show_usd

    usd = found.usd(served)
    if not usd:
        return f"No public price of {found.system.accelerator}." if found.chips is not None else ""
    tiers = sorted(usd, key=lambda tier: usd[tier].value)
    low, high = (show_usd(usd[tier].value) for tier in (tiers[0], tiers[-1]))
    return f"A task then costs {low} ({tiers[0]}) to {high} ({tiers[-1]})."


def _data(one) -> dict:
    most = one.most
    return {
        "id": one.system.id,
        "label": one.name,
        "configuration": one.configuration,
        "chips": one.chips,
        "power_kw": one.power_kw,
        "basis": one.basis,
        "loads": list(one.loads),
        "grade": one.grade.value,
        "measured_to": one.measured_to,
        "full_at": one.full_at,
        "most": None if most is None else {
            "limit_s": most.limit_s, "by": most.by, "agents": most.agents, "low": most.low, "high": most.high,
            "capped": most.capped, "alone_s": most.alone_s, "without_calls_s": most.without_s,
        },
        "assumptions": list(one.assumptions),
    }  # fmt: skip


def _rows(found) -> list[tuple[str, ...]]:
    """The table that people read."""
    from agentcalc.analysis.banded import show_number
    from agentcalc.analysis.capacity_words import REGIME_WORDS
    from agentcalc.units import show_count, show_share, show_time

    several = len(found) > 1
    heads = ("Agents", "Typical", "Average", "p95", "In flight", "Waiting", "Tasks/h", "Per kW", "Busy", "Load")
    rows = [("", *heads) if several else heads]
    for one in found:
        for i, served in enumerate(one.served):
            per_kw = one.per_kw(served.per_hour)
            cells = [show_count(served.agents), *(show_time(served.task_s[by].value) for by in STATISTICS)]
            cells += [show_number(served.in_flight.value), show_number(served.waiting.value)]
            cells += [show_number(served.per_hour.value), "" if per_kw is None else show_number(per_kw.value)]
            cells += [show_share(served.utilisation.value), REGIME_WORDS[served.regime]]
            rows.append(((one.name if i == 0 else ""), *cells) if several else tuple(cells))
    return rows


def _energy(task, groups, basis: str, trials: int, seed: int, form: str) -> str:
    import pandas as pd

    from agentcalc.analysis.energy import energy, table
    from agentcalc.analysis.energy_words import energy_line, points_apart, price_line
    from agentcalc.units import counted

    found = [energy(task, group, basis=basis, trials=trials, seed=seed) for group in groups]
    every = [one for group in found for one in group]
    lines = []
    for group in found:
        lines += [energy_line(group, "throughput"), energy_line(group, "latency")]
    lines += [line for one in every for line in (points_apart(one), price_line(one))]
    lines += [f"Assumed: {text}" for text in dict.fromkeys(text for one in every for text in one.assumptions)]
    tables = [one for group in found if len(one := table(group))]
    if not tables:
        names = ", ".join(one.system for one in every)
        raise InputError(Fault(names, "", "nobody states its work per kilowatt", "name a system with tokens per chip"))
    return written(
        form,
        title=f"{task.name}: {counted(trials, 'run')}, seed {seed}",
        lines=dict.fromkeys(lines),
        rows=_energy_rows(every),
        right=(2, 3, 4, 5),
        table=pd.concat(tables, ignore_index=True),
        data={"task": ident(task), "trials": trials, "seed": seed, "basis": basis},
    )


def _energy_rows(every) -> list[tuple[str, ...]]:
    from agentcalc.analysis.banded import in_words, show_number
    from agentcalc.analysis.energy_words import show_energy
    from agentcalc.units import show_count

    rows = [("System", "Operating point", "tok/s/kW", "Tasks/h/kW", "A task", "By its time", "Rests on")]
    for one in every:
        for point in one.points:
            own = " (its task time)" if point.rate.own else ""
            by_time = "" if point.wh_by_time is None else show_energy(point.wh_by_time.value)
            cells = [one.system, f"{point.rate.at}{own}", show_count(point.rate.mixed.value)]
            cells += [show_number(point.per_hour_kw.value), in_words(point.wh, show_energy), by_time, point.grade.value]
            rows.append(tuple(cells))
    return rows
