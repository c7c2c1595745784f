"""``agentcalc speedup TASK...``"""

from __future__ import annotations

import click

from agentcalc.cli.options import (
    PAIR,
    by_option,
    check_trials,
    each_trials_option,
    format_option,
    seed_option,
    systems_option,
)
from agentcalc.cli.output import check_writable, put, to_file
from agentcalc.cli.tabled import records, written
from agentcalc.errors import Fault, InputError

MOST_TASKS = 20


@click.command()
@click.argument("tasks", metavar="TASK...", nargs=-1, required=True)
@systems_option(f"Where it starts; further ones are marked on the curve. By default {' and '.join(PAIR)}.")
@click.option("-k", "--times", "ks", multiple=True, type=float, metavar="K", help="K times faster. Again for more.")
@click.option(
    "--scale", type=click.Choice(["both", "ttft", "speed"]), default="both", show_default=True,
    help="What is faster: all of a call, its first token, or its writing.",
)  # fmt: skip
@by_option("Typical, average or slow runs.")
@each_trials_option
@seed_option
@format_option
@to_file
def command(
    tasks: tuple[str, ...], systems: tuple[str, ...], ks: tuple[float, ...], scale: str, by: str, trials: int | None,
    seed: int, form: str, output: str | None,
) -> None:  # fmt: skip
    """What 2, 4 or 10 times faster calls would make of a TASK, apart from any vendor: who gains, and who cannot.

    \b
    agentcalc speedup coding-agent
    agentcalc speedup voice-turn chat-turn coding-agent deep-research
    agentcalc speedup coding-agent --scale ttft -k 2 -k 4
    """
    import pandas as pd

    from agentcalc import catalog
    from agentcalc.analysis.speedup_curve import KS, speedup_curve
    from agentcalc.analysis.speedup_words import curve_line, curves_line, who_gains
    from agentcalc.comparison import MOST_SYSTEMS
    from agentcalc.units import TIMES, show_ratio, show_share

    check_writable(output)
    if len(tasks) > MOST_TASKS:
        raise InputError(Fault("tasks", "", f"{len(tasks)} tasks", f"give at most {MOST_TASKS}"))
    if len(systems) > MOST_SYSTEMS:
        raise InputError(Fault("--system", "", f"{len(systems)} systems", f"give at most {MOST_SYSTEMS}"))
    check_trials(trials)
    models = [catalog.load_task(task) for task in tasks]
    base, *others = [catalog.load_system(name) for name in systems or PAIR]
    wanted = ks or (2.0, 4.0, 10.0)
    grid = sorted({*KS, *wanted})
    curves = [speedup_curve(m, base, others, scale=scale, ks=grid, trials=trials, seed=seed) for m in models]
    middle = sorted(wanted)[len(wanted) // 2]
    gains = who_gains(curves, wanted, by)
    lines = [curves_line(curves, middle, by)] if len(curves) > 1 else [curve_line(curves[0], middle, by)]
    lines += [line for curve in curves for line in _marks(curve, by)]
    heads = ["", *(f"{k:g}{TIMES}" for k in sorted(wanted)), "Ceiling", "Survives", ""]
    rows = [tuple(heads)]
    for row in gains.to_dict("records"):
        ceiling = "none" if pd.isna(row["ceiling"]) else show_ratio(row["ceiling"])
        cells = [row["title"], *(show_ratio(row[f"at_{k:g}"]) for k in sorted(wanted)), ceiling]
        survives = "" if pd.isna(row["survives"]) else show_share(row["survives"])
        rows.append((*cells, survives, row["verdict"]))
    text = written(
        form,
        title=f"Starting from {curves[0].base}: how many times faster the whole task gets, seed {seed}",
        lines=lines,
        rows=rows,
        right=range(1, len(heads) - 1),
        table=pd.concat([curve.table for curve in curves], ignore_index=True),
        data={"base": base.id, "scale": scale, "seed": seed, "trials": [curve.trials for curve in curves]}
        | {"marks": marks_data(curves), "gains": records(gains)},
    )
    put(text, output)


def marks_data(curves) -> list[dict]:
    """The systems that exist, for JSON."""
    return [row for curve in curves for row in records(curve.marks)]


def _marks(curve, by: str) -> list[str]:
    """Where each system that exists stands: "Jalapeño: calls 3.5× (3.3× to 4.5×), a coding agent 1.9× ..."."""
    from agentcalc.analysis.banded import Banded, in_words
    from agentcalc.units import show_ratio

    found = []
    for row in curve.marks[curve.marks["by"] == by].to_dict("records"):
        calls = in_words(Banded(row["per_call"], row["per_call_low"], row["per_call_high"]), show_ratio)
        task = in_words(Banded(row["speedup"], row["low"], row["high"]), show_ratio)
        found.append(f"{row['label']}: calls {calls}, {curve.short} {task}.")
    return found
