"""``agentcalc compare TASK``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from agentcalc.cli.options import WHOLE, changed, format_option, seed_option, set_option, systems_option
from agentcalc.cli.output import as_json, check_text, put, to_file
from agentcalc.cli.progress import counting
from agentcalc.defaults import TRIALS

if TYPE_CHECKING:
    from agentcalc.results import Comparison

LONG_RUN = 200_000
"""Trials from which progress is shown."""
LONG_TASK = 20_000
"""Steps a run may play from which it is shown too."""


class Trials(click.ParamType):
    """A whole number, or "auto"."""

    name = "number|auto"

    def convert(self, value, param, ctx):
        return value if value == "auto" else WHOLE.convert(value, param, ctx)


@click.command()
@click.argument("task", metavar="TASK")
@systems_option("A system; the first is the baseline. Again for more.")
@click.option(
    "--trials",
    type=Trials(),
    default=TRIALS,
    show_default=True,
    help="How many runs of the task; auto: until p50 and p95 are within 1%.",
)
@click.option(
    "--at",
    "load",
    metavar="LOAD",
    help="At which load: 16 (all at this concurrency), 5000tok/s/kW (all at this work per kilowatt of package TDP), "
    "or best (each where it finishes an 8k/1k call first). Without it, each at the point it is packaged with.",
)
@set_option
@seed_option
@format_option
@to_file
def command(
    task: str, systems: tuple[str, ...], trials: int | str, load: str | None, changes: tuple[str, ...], seed: int,
    form: str, output: str | None,
) -> None:  # fmt: skip
    """How long TASK takes on some systems, where the time goes, and how sure that is.

    TASK is a packaged id ("agentcalc tasks" lists them) or a file. SYSTEM is a packaged id, with "@16" for a
    concurrency on its measured curve and "+tails" for calls that differ as measured, a file, or written in place:
    "mine:ttft=0.4s,speed=300". Without --system, the three packaged pairs.

    \b
      agentcalc compare coding-agent
      agentcalc compare coding-agent -s gb300/deepseek-r1 -s jalapeno/deepseek-r1 --set tools=0.5x --set speed=2x
    """
    from agentcalc import catalog
    from agentcalc.loads import at_load, read_load

    remedy = "Name a .txt, .json, .csv or .md file; pictures are saved from the app's Figures"
    check_text(output, "a comparison", remedy)
    model = catalog.load_task(task)
    groups = [systems] if systems else catalog.PAIRS
    chosen = [[catalog.load_system(name) for name in group] for group in groups]
    if load is not None:
        chosen = [at_load(group, read_load(load)) for group in chosen]
    cases = [changed(model, group, changes) for group in chosen]
    found = [_play(case, group, trials, seed) for case, group, _ in cases]
    lines = tuple(dict.fromkeys(line for _, _, line in cases if line))
    if form == "table":
        from agentcalc.cli.answer_text import answer_text

        text = answer_text(found, [rivals(comparison) for comparison in found])
        text = "\n\n".join([*([] if load is None else [str(read_load(load))]), *lines, text])
    elif form == "json":
        text = as_json(merged(found) | ({"changed": list(changes)} if changes else {}))
    else:
        from agentcalc.cli import tidy

        text = tidy.csv_text(found, changes) if form == "csv" else tidy.markdown_text(found, lines)
    put(text, output)


def merged(found: list[Comparison]) -> dict[str, Any]:
    """Comparisons of one task as one document: the keys of one, with all systems, pairs and warnings in turn."""
    first, *others = [comparison.to_dict() for comparison in found]
    for other in others:
        known = {system["id"] for system in first["systems"]}
        first["systems"] += [system for system in other["systems"] if system["id"] not in known]
        first["comparisons"] += other["comparisons"]
        first["warnings"] += [warning for warning in other["warnings"] if warning not in first["warnings"]]
    return first


def _play(task, systems, trials: int | str, seed: int) -> Comparison:
    from agentcalc.comparison import compare
    from agentcalc.simulate.size import size

    long = trials == "auto" or trials >= LONG_RUN or size(task).most >= LONG_TASK
    with counting("runs", long) as progress:
        if progress and trials != "auto":
            progress(0, trials)
        return compare(task, systems, trials=trials, seed=seed, progress=progress)


def rivals(comparison: Comparison) -> list[Comparison | None]:
    """For each pair, the stronger rival against the candidate on the same runs, unless it is shown anyway."""
    from agentcalc import catalog
    from agentcalc.analysis.rival import stronger_rival

    found = []
    for candidate in comparison.specs[1:]:
        rival = stronger_rival(comparison.specs[0], candidate, catalog.systems().values())
        if rival is None or rival.id in {spec.id for spec in comparison.specs}:
            found.append(None)
        else:
            found.append(_play(comparison.task, [rival, candidate], comparison.n_trials, comparison.seed))
    return found
