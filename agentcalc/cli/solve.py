"""``agentcalc solve TASK``"""

from __future__ import annotations

import click

from agentcalc.cli import planning
from agentcalc.cli.options import Seconds
from agentcalc.cli.output import check_text, put
from agentcalc.cli.progress import counting
from agentcalc.errors import Fault, InputError
from agentcalc.units import NBSP


@click.command()
@click.argument("task", metavar="TASK")
@planning.systems_options
@click.option(
    "-l", "--lever", "chosen", multiple=True, metavar="LEVER",
    help="The one input to move; without it, all, smallest change first.",
)  # fmt: skip
@click.option(
    "--under",
    type=Seconds(),
    help="The time to stay under: 60s, 2min. Without it, the next round time at or below 0.8 of today's.",
)
@click.option("--speedup", type=float, metavar="TIMES", help="Instead: how many times faster than the baseline to be.")
@click.option("--match", is_flag=True, help="Instead: what lets the baseline match the system.")
@click.option(
    "--break-even",
    is_flag=True,
    help="Instead: the answer length and the number of steps at which both take equally long, and the tool time from "
    "which the lead is under 10%.",
)
@planning.answer_options()
def command(
    task: str, systems: tuple[str, ...], baseline: str | None, chosen: tuple[str, ...], under: float | None,
    speedup: float | None, match: bool, break_even: bool, by: str, trials: int, seed: int, form: str,
    output: str | None,
) -> None:  # fmt: skip
    """What it would take to finish TASK in time.

    "95% of runs under a minute" is --by p95 --under 60s. A lever is tools, tokens (written per call), input (fresh
    tokens), steps, width, humans, context, cached, failures, speed or ttft of the system, baseline.speed and so on of
    the baseline, or one step's own, such as "run:tools". An answer that cannot be reached is an answer: it says why,
    and the exit code is 0.

    \b
    agentcalc solve coding-agent --under 25s
    agentcalc solve coding-agent -s jalapeno/deepseek-r1 --lever tools --under 2min --by p95
    agentcalc solve coding-agent --lever tokens --speedup 2
    agentcalc solve coding-agent --match
    agentcalc solve coding-agent -s gb200/gpt-oss-120b -s jalapeno/gpt-oss-120b --break-even
    """
    check_text(output, "a solution")
    if sum((under is not None, speedup is not None, match, break_even)) > 1:
        raise click.UsageError("give one of --under, --speedup, --match and --break-even.")
    if len(chosen) > 1:
        raise click.UsageError("give one --lever, or none for all of them, each by itself.")
    lever = chosen[0] if chosen else None
    by = planning.statistic(by)
    model, specs = planning.load(task, systems, baseline)
    if speedup is not None and lever is None:
        raise click.UsageError("--speedup needs --lever: name the input to move, such as --lever tokens.")
    if match and lever is not None:
        raise click.UsageError("--match moves the baseline's own speed and first token; leave --lever out.")
    if break_even and lever is not None:
        raise click.UsageError("--break-even has its own levers; for another, give it with --speedup 1.")
    if break_even:
        lines, found = _break_evens(model, specs, by, trials, seed)
    else:
        lines, found = _answers(model, specs, lever, under, speedup, match, by, trials, seed)
    if form == "table":
        text = _text(lines, found, table=lever is None and not match and not break_even and bool(found))
        put(planning.with_notes(text, specs), output)
        return
    head = planning.head(model, specs, trials, seed) | {"answer": lines[-1] if lines else ""}
    put(planning.written([solution.row() for solution in found], form, head, "solutions"), output)


def _break_evens(model, specs, by: str, trials: int, seed: int):
    """A line and a solution for each break-even of two systems."""
    from agentcalc.analysis.needs import break_even_words, break_evens

    found = break_evens(model, specs, by=by, trials=trials, seed=seed)
    if not found:
        raise InputError(
            Fault("--break-even", "", "the task has no calls, tools or turns to vary", "name another task")
        )
    return [break_even_words(solution) for solution in found], list(found)


def _answers(model, specs, lever, under, speedup, match, by, trials, seed):
    """Lines to lead with (the last is the answer), and the solutions."""
    from agentcalc.analysis.levers import find_lever
    from agentcalc.analysis.naming import names
    from agentcalc.analysis.needs import NO_TIME, levers_to_target, match_line, next_round_s, takes_s, to_match
    from agentcalc.analysis.solving import solve

    asked = {"by": by, "trials": trials, "seed": seed}
    if under is None and speedup is None and not match and takes_s(model, specs, by, trials, seed) <= 0:
        return [f"{NO_TIME[0].upper()}{NO_TIME[1:]}."], []
    if match:
        if len(specs) < 2:
            remedy = "give --baseline too"
            raise InputError(Fault("--match", "", "there is no baseline that could match the system", remedy))
        found = list(to_match(model, specs, **asked))
        base, mine = names(specs)
        if not found:
            return [f"{base} is as fast as {mine} already."], found
        return [match_line(solution, mine) for solution in found], found
    if lever is not None:
        chosen = find_lever(model, specs, lever)
        if under is None and speedup is None:
            under = next_round_s(takes_s(model, specs, by, trials, seed))
        solution = solve(model, specs, chosen, under, speedup=speedup, **asked)
        return [solution.sentence], [solution]
    with counting("levers") as progress:
        needs = levers_to_target(model, specs, under, progress=progress, **asked)
    return [needs.question, needs.sentence], list(needs.solutions)


def _text(lines: list[str], found: list, *, table: bool) -> str:
    from agentcalc.analysis.needs import NOT_BY, card
    from agentcalc.cli.layout import columns, paragraph
    from agentcalc.units import counted

    parts = ["\n".join(paragraph(line) for line in lines)]
    if table:
        rows = [("Lever", "Needed", "Today", "There", "Band")]
        for s in found:
            there = _bare(s.lever.show(s.value, about=True)) if s.found else ""
            rows.append((s.lever.id, card(s), s.lever.show(s.today), there, _band(s)))
        parts.append(columns(rows, right=(2, 3, 4)))
        runs = counted(found[0].trials, "run")
        notes = [f"Today and There are averages of {runs}, seed {found[0].seed}."]
        notes += [NOT_BY] if any(card(s).startswith("not by") for s in found) else []
        parts.append("\n".join(paragraph(note) for note in notes))
    return "\n\n".join(parts)


def _bare(text: str) -> str:
    return text.removeprefix("about ")


def _band(s) -> str:
    """What the value may be over what is unknown: "40 s to 48 s", "40 s or none": the other end is out of reach."""
    if not s.found or s.band is None:
        return ""
    known = sorted(end for end in s.band if end is not None)
    shown = [_bare(s.lever.show(end, about=True)) for end in known]
    if len(shown) < 2:
        return f"{shown[0]} or none" if shown else ""
    if shown[0] == shown[1]:
        return shown[0]
    if s.lever.unit not in ("s", "share"):
        shown = [text.rpartition(NBSP)[0] for text in shown]
    elif all(text.endswith(f"{NBSP}s") and text.count(NBSP) == 1 for text in shown):
        shown[0] = shown[0].removesuffix(f"{NBSP}s")
    return f"{shown[0]} to {shown[1]}"
