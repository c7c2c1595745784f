"""``agentcalc sensitivity TASK``"""

from __future__ import annotations

import click

from agentcalc.cli import planning
from agentcalc.cli.options import Share
from agentcalc.cli.output import check_text, put
from agentcalc.cli.progress import counting
from agentcalc.cli.tabled import records


@click.command()
@click.argument("task", metavar="TASK")
@planning.systems_options
@click.option("--of", type=click.Choice(("time", "speedup")), default="time", show_default=True)
@click.option(
    "--range",
    "reach",
    type=Share(),
    default="20%",
    show_default=True,
    metavar="SHARE|own",
    help="How far each input is moved either way; own: across what is uncertain about it.",
)
@click.option("--steps", is_flag=True, help="Each step's amounts by themselves.")
@click.option("--changes", is_flag=True, help="Instead: what each change would save in an average run, most first.")
@planning.answer_options()
def command(
    task: str, systems: tuple[str, ...], baseline: str | None, of: str, reach: float | str, steps: bool, changes: bool,
    by: str, trials: int, seed: int, form: str, output: str | None,
) -> None:  # fmt: skip
    """Which input of TASK matters most.

    Every input is moved by 20% either way, one at a time; the five that matter most also two by two, and a pair that
    together does over 5% more or less than one by one is named. --range own moves a system's numbers across their
    bands and an amount from its 10th to its 90th percentile.

    \b
    agentcalc sensitivity coding-agent
    agentcalc sensitivity coding-agent --of speedup --by mean
    agentcalc sensitivity coding-agent --changes
    """
    check_text(output, "a sensitivity")
    by = planning.statistic(by)
    model, specs = planning.load(task, systems, baseline)
    head = planning.head(model, specs, trials, seed)
    if changes:
        _changes(model, specs, trials, seed, form, output, head)
        return
    from agentcalc.analysis.sensitivity import sensitivity

    with counting("inputs") as progress:
        found = sensitivity(
            model, specs, of=of, by=by, range=reach, steps=steps, trials=trials, seed=seed, progress=progress
        )
    if form == "table":
        put(planning.with_notes(_text(found), specs), output)
        return
    head |= {"of": of, "by": by, "now": found.now, "band": list(found.band), "answer": found.sentence}
    if form == "json":
        head["interactions"] = records(found.interaction_table())
    put(planning.written(records(found.table()), form, head, "inputs"), output)


def _text(found) -> str:
    from agentcalc.cli.layout import columns, paragraph
    from agentcalc.units import counted, show_ratio, show_time

    def show(answer: float) -> str:
        return show_time(answer, more=1) if found.of == "time" else show_ratio(answer, more=1)

    what = "Task time" if found.of == "time" else "Speed-up"
    rows = [("Input", "Low", "High", f"{what} at low", "at high")]
    still = []
    for bar in found.bars:
        if show(bar.at_low) == show(bar.at_high):
            still.append(bar.lever.title)
            continue
        lever = bar.lever
        rows.append((lever.title, lever.show(bar.low), lever.show(bar.high), show(bar.at_low), show(bar.at_high)))
    parts = [paragraph(found.sentence)]
    parts += [paragraph(found.band_line)] if found.band_line and not found.unsure else []
    parts += [paragraph(found.interaction_line)] if found.interaction_line else []
    parts += [columns(rows, right=(1, 2, 3, 4))] if len(rows) > 1 else []
    parts += [paragraph(f"No difference to speak of: {', '.join(still)}.")] if still else []
    runs = counted(found.trials, "run")
    parts.append(paragraph(f"Low and High are averages of {runs}, seed {found.seed}."))
    return "\n\n".join(parts)


def _changes(model, specs, trials, seed, form, output, head) -> None:
    from agentcalc.analysis.changes import changes
    from agentcalc.cli.layout import columns, paragraph
    from agentcalc.units import MINUS, show_time

    with counting("changes") as progress:
        found = changes(model, specs, trials=trials, seed=seed, progress=progress)
    if form != "table":
        head |= {"mean_s": found.mean_s, "answer": found.sentence}
        put(planning.written(records(found.table()), form, head, "changes"), output)
        return
    rows = [("Change", "Saves", "Then", "")]
    for s in found.savings:
        sign = MINUS if s.saved_s > 0 else "+"
        note = "too close to call" if s.undecided else f"if {s.change.needs}" if s.change.needs else ""
        rows.append((s.change.title, f"{sign}{show_time(abs(s.saved_s))}", show_time(s.mean_s), note))
    title = f"An average run takes {show_time(found.mean_s)} on {found.name}. Each change by itself:"
    put("\n\n".join([paragraph(title), columns(rows, right=(1, 2), cut=True)]), output)
