"""``agentcalc sweep TASK --x LEVER --y LEVER``"""

from __future__ import annotations

import click

from agentcalc.cli import planning
from agentcalc.cli.options import WHOLE, Seconds
from agentcalc.cli.output import check_text, put
from agentcalc.cli.progress import counting
from agentcalc.cli.tabled import records

FEW = 10_000


@click.command()
@click.argument("task", metavar="TASK")
@planning.systems_options
@click.option("--x", required=True, metavar="LEVER", help="The lever from left to right, such as tools.")
@click.option("--y", required=True, metavar="LEVER", help="The lever from top to bottom, such as speed.")
@click.option("--of", type=click.Choice(("time", "speedup")), default="time", show_default=True)
@click.option("--under", type=Seconds(), help="The time whose contour is marked (default: the next round).")
@click.option("--points", nargs=2, type=WHOLE, default=(11, 9), show_default=True, help="How many of x and of y.")
@planning.answer_options(FEW)
def command(
    task: str, systems: tuple[str, ...], baseline: str | None, x: str, y: str, of: str, under: float | None,
    points: tuple[int, int], by: str, trials: int, seed: int, form: str, output: str | None,
) -> None:  # fmt: skip
    """Two levers of TASK at once, as a grid of what the task takes.

    Factors go from a quarter to four times today. In the table today's cell stands in brackets, and a * marks what is
    under the target; of a speed-up, a ? marks what is too close to call. The other formats carry time and speed-up of
    every cell. Levers are those of "agentcalc solve".

    \b
    agentcalc sweep coding-agent --x tools --y speed
    agentcalc sweep coding-agent --x tools --y tokens --of speedup --format csv -o grid.csv
    """
    check_text(output, "a grid")
    from agentcalc.analysis.sweep import sweep
    from agentcalc.errors import Fault, InputError

    by = planning.statistic(by)
    model, specs = planning.load(task, systems, baseline)
    if of == "speedup" and len(specs) < 2:
        raise InputError(Fault("systems", "", "a speed-up needs two systems", "name the baseline first"))
    with counting("cells") as progress:
        found = sweep(
            model, specs, x, y, by=by, target_s=under, points=points, trials=trials, seed=seed, progress=progress
        )
    if form == "table":
        put(planning.with_notes(_text(found, of), specs), output)
        return
    head = planning.head(model, specs, trials, seed)
    head |= {
        "x": {"lever": found.x.id, "title": found.x.title, "unit": found.x.unit},
        "y": {"lever": found.y.id, "title": found.y.title, "unit": found.y.unit},
        "by": by,
        "target_s": found.target_s,
        "answer": found.sentence,
    }
    put(planning.written(records(found.table()), form, head, "cells"), output)


def _text(found, of: str) -> str:
    from agentcalc.analysis.sweep import now_words
    from agentcalc.cli.layout import columns, paragraph
    from agentcalc.units import counted, show_ratio, show_time

    cells = {(cell.x_setting, cell.y_setting): cell for cell in found.cells}

    def show(cell) -> str:
        if of == "speedup":
            text = ("none" if cell.speedup is None else show_ratio(cell.speedup)) + ("?" if cell.undecided else "")
        else:
            text = show_time(cell.seconds) + ("*" if cell.under else "")
        return f"[{text}]" if cell.today else text

    def axis(lever, setting: float) -> str:
        if not lever.factor:
            return lever.show(setting)
        return f"{setting:.2f}".rstrip("0").rstrip(".") + "×"

    rows = [("", *(axis(found.x, a) for a in found.xs))]
    rows += [(axis(found.y, b), *(show(cells[a, b]) for a in found.xs)) for b in found.ys]
    across = f"Across: {found.x.title}, now {now_words(found.x, found.today.x)}."
    down = f"Down: {found.y.title}, now {now_words(found.y, found.today.y)}."
    runs = f"{counted(found.trials, 'run')}, seed {found.seed}."
    marks = f"* under {show_time(found.target_s)}" if of == "time" else "? too close to call"
    shown = columns(rows, right=range(len(rows[0])))
    return "\n\n".join([paragraph(found.sentence), paragraph(f"{across} {down} {marks}. {runs}"), shown])
