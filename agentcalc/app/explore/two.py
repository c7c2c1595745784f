"""What do two inputs do together?"""

from __future__ import annotations

from agentcalc.analysis.levers import Lever, levers
from agentcalc.analysis.sweep import SWEEP_TRIALS, Sweep, sweep
from agentcalc.app import calls, waiting
from agentcalc.app.explore import asking
from agentcalc.app.explore.asked import Asked, has_tools
from agentcalc.app.explore.commands import Command, Writing, redrawing, seconds
from agentcalc.app.explore.found import Found
from agentcalc.app.explore.target import target_s
from agentcalc.app.explore.view import OF
from agentcalc.app.explore.working import in_runs, worked
from agentcalc.errors import echo
from agentcalc.figures import about, heat_map

CASES, MOST_STEPS = 120, 14_000_000
"""About so many walks it takes, and so many steps in all of them: a second or two."""

ACROSS, UP = "tools", "speed"
NO_TOOLS = "This task has no tools, so there is nothing to trade."
ANOTHER = "Choose another input across, such as {0}."


def controls(asked: Asked) -> None:
    known = _levers(asked)
    across, up, _ = _axes(asked, known)
    titles = {name: lever.title for name, lever in known.items()}
    others = {name: title for name, title in titles.items() if across is None or not known[name].clashes(across)}
    # Where there are no tools, the usual input stands in the list all the same, for it is what the answer is about.
    named = titles if across is not None else {ACROSS: "Tool time"} | titles
    asking.choose("Across", "across", named, across.id if across else ACROSS, ACROSS)
    asking.choose("Up", "up", others, up.id, UP)
    asking.switch("Of", "of", OF, asked.view.of, "time")
    asking.statistic(asked.state)


def _levers(asked: Asked) -> dict[str, Lever]:
    """By id; the baseline's own only where it has a say."""
    every = levers(asked.task, asked.pair)
    return {lever.id: lever for lever in every if asked.view.of == "speedup" or not lever.id.startswith("baseline.")}


def _axes(asked: Asked, known: dict[str, Lever]) -> tuple[Lever | None, Lever, tuple[str, ...]]:
    """Across (None: tools, which the task has none of) and up, and a line for each that could not be read."""
    view, notes = asked.view, []
    wanted = {"across": view.across or ACROSS, "up": view.up or UP}
    for part, usual in (("across", ACROSS), ("up", UP)):
        if wanted[part] not in known and wanted[part] != usual:
            notes.append(
                f"Part of this link could not be read ({part} {echo(wanted[part])}). Showing the usual input instead."
            )
            wanted[part] = usual
    across = known.get(wanted["across"])
    up = known[wanted["up"]]
    if across is not None and up.clashes(across):
        if view.up:
            notes.append("Both inputs of this link are the same. Showing another one up.")
        up = next(lever for lever in known.values() if not lever.clashes(across))
    return across, up, tuple(notes)


def find(asked: Asked) -> Found:
    view, by, known = asked.view, asked.by, _levers(asked)
    across, up, notes = _axes(asked, known)
    if across is None:
        assert not has_tools(asked.task)
        first = next(lever for lever in known.values() if not lever.clashes(up))
        return Found(NO_TOOLS, (ANOTHER.format(first.inside),), notes=notes)
    trials = asked.runs(CASES, MOST_STEPS, SWEEP_TRIALS)
    # The target is that of the headline's runs, so that it is the same under every question.
    target = target_s(asked)
    key = ("two", asked.task, asked.pair, across.id, up.id, by, target, trials)

    def make(progress: waiting.Progress) -> Sweep:
        told = in_runs(progress, trials)
        return sweep(asked.task, asked.pair, across, up, by=by, target_s=target, trials=trials, progress=told)

    found = worked(key, make)
    of = about(calls.comparison(asked.task, asked.pair, trials), (0, 1))
    figure = heat_map.of_sweep(found, of, view.of)
    drawn = redraw(asked, found, trials)
    return Found(found.sentence, (), figure, (*key, view.of), notes, command(asked, found, trials), drawn)


def command(asked: Asked, found: Sweep, trials: int) -> Command:
    writing = Writing(asked, "sweep").task().systems().add("--x", found.x.id, "--y", found.y.id)
    writing.option("--of", asked.view.of, "time")
    writing.add("--under", seconds(found.target_s))
    return writing.option("--by", asked.by, "p50").option("--trials", trials, SWEEP_TRIALS).done()


def redraw(asked: Asked, found: Sweep, trials: int) -> Command | None:
    writing = redrawing(asked, "heat_map", trials)
    if writing is None:
        return None
    writing.add("--x", found.x.id, "--y", found.y.id).option("--of", asked.view.of, "time")
    return writing.add("--under", seconds(found.target_s)).done()
