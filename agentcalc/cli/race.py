"""``agentcalc race TASK``"""

from __future__ import annotations

from pathlib import Path

import click

from agentcalc.cli.compared import check_trial
from agentcalc.cli.options import (
    PAIR,
    WHOLE,
    by_option,
    changed,
    check_two,
    seed_option,
    set_option,
    trials_option,
    two_systems_option,
)
from agentcalc.cli.output import check_writable, put
from agentcalc.errors import Fault, InputError


@click.command()
@click.argument("task", metavar="TASK")
@two_systems_option
@click.option("-o", "--output", required=True, metavar="FILE.html", help="The HTML file to write; - for the terminal.")
@set_option
@click.option("--trial", type=WHOLE, help="Which run to play, from 0; by default the most ordinary one.")
@by_option("What the run is ordinary for: typical, average or slow runs.")
@trials_option(what="How many runs to choose from.")
@seed_option
@click.option("--dark/--light", "dark", default=None, help="Always dark or light; by default as the reader's system.")
@click.option("--play", is_flag=True, help="Start as soon as the file is opened.")
def command(
    task: str, systems: tuple[str, ...], output: str, changes: tuple[str, ...], trial: int | None, by: str, trials: int,
    seed: int, dark: bool | None, play: bool,
) -> None:  # fmt: skip
    """One run of TASK on two systems, side by side in real time, as one HTML file.

    The file needs no network and nothing beside it: open it in a browser, put it on a slide or a web page.
    """
    from agentcalc import catalog

    check_writable(output)
    if output != "-" and Path(output).suffix.lower() not in (".html", ".htm"):
        raise InputError(Fault(output, "", "a race is an HTML file", "end its name with .html"))
    check_two(systems, "a race")
    model = catalog.load_task(task)
    model, pair, said = changed(model, [catalog.load_system(name) for name in systems or PAIR], changes)
    from dataclasses import replace

    from agentcalc.comparison import compare
    from agentcalc.exports.race import race_html
    from agentcalc.figures.race import race_for

    found = replace(compare(model, pair, trials=trials, seed=seed), changed=said)
    check_trial(found, trial)
    scheme = {None: None, True: "dark", False: "light"}[dark]
    put(race_html(race_for(found, trial, by), scheme, play=play), output)
