"""``agentcalc race TASK``"""

from __future__ import annotations

from pathlib import Path

import click

from agentcalc.cli.output import check_writable, put
from agentcalc.defaults import SEED, TRIALS
from agentcalc.errors import Fault, InputError

STATISTICS = ("p50", "mean", "p95")
DEFAULT = ("gb300/deepseek-r1", "jalapeno/deepseek-r1")


@click.command()
@click.argument("task", metavar="TASK")
@click.option(
    "-s", "--system", "systems", multiple=True, metavar="SYSTEM",
    help=f"The two systems, the baseline first; by default {' and '.join(DEFAULT)}.",
)  # fmt: skip
@click.option("-o", "--output", required=True, metavar="FILE.html", help="The HTML file to write; - for the terminal.")
@click.option("--trial", type=int, help="Which run to play, from 0; by default the most ordinary one.")
@click.option(
    "--by", type=click.Choice(STATISTICS), default="p50", show_default=True,
    help="What the run is ordinary for: typical, average or slow runs.",
)  # fmt: skip
@click.option("--trials", type=int, default=TRIALS, show_default=True, help="How many runs to choose from.")
@click.option("--seed", type=int, default=SEED, show_default=True, help="Another seed plays other runs.")
@click.option("--dark/--light", "dark", default=None, help="Always dark or light; by default as the reader's system.")
@click.option("--play", is_flag=True, help="Start as soon as the file is opened.")
def command(
    task: str, systems: tuple[str, ...], output: str, trial: int | None, by: str, trials: int, seed: int,
    dark: bool | None, play: bool,
) -> None:  # fmt: skip
    """One run of TASK on two systems, side by side in real time, as one HTML file.

    The file needs no network and nothing beside it: open it in a browser, put it on a slide or a web page.
    """
    from agentcalc import catalog

    check_writable(output)
    if output != "-" and Path(output).suffix.lower() not in (".html", ".htm"):
        raise InputError(Fault(output, "", "a race is an HTML file", "end its name with .html"))
    if systems and len(systems) != 2:
        remedy = "name a baseline and a candidate: --system A --system B"
        raise InputError(Fault("--system", "", f"a race takes two systems, not {len(systems)}", remedy))
    model = catalog.load_task(task)
    pair = [catalog.load_system(name) for name in systems or DEFAULT]
    from agentcalc.comparison import compare
    from agentcalc.exports.race import race_html
    from agentcalc.figures.race import race_for

    found = compare(model, pair, trials=trials, seed=seed)
    if trial is not None and not 0 <= trial < found.n_trials:
        remedy = f"use a number from 0 to {found.n_trials - 1}"
        raise InputError(Fault("--trial", "", f"there is no run {trial}", remedy))
    scheme = {None: None, True: "dark", False: "light"}[dark]
    put(race_html(race_for(found, trial, by), scheme, play=play), output)
