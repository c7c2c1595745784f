"""Which input matters most?"""

from __future__ import annotations

from agentcalc.analysis.sensitivity import Sensitivity, sensitivity
from agentcalc.app import calls, waiting
from agentcalc.app.explore import asking
from agentcalc.app.explore.asked import Asked
from agentcalc.app.explore.commands import Command, Writing, redrawing
from agentcalc.app.explore.found import Found
from agentcalc.app.explore.view import OF, RANGES
from agentcalc.app.explore.working import in_runs, worked
from agentcalc.figures import about, tornado

CASES, MOST_STEPS = 40, 20_000_000
"""About so many walks it takes, and so many steps in all of them: a second or two."""


def controls(asked: Asked) -> None:
    view = asked.view
    asking.statistic(asked.state)
    asking.switch("Each input moved by", "range", RANGES, view.range, "20")
    asking.switch("What it does to", "of", OF, view.of, "time")
    asking.toggle("Each step by itself", "each", view.each, "Tools, calls and waits of every step apart.")


def find(asked: Asked) -> Found:
    view, by = asked.view, asked.by
    trials = asked.runs(CASES, MOST_STEPS)
    key = ("matters", asked.task, asked.pair, view.of, by, view.range, view.each, trials)

    def make(progress: waiting.Progress) -> Sensitivity:
        told = in_runs(progress, trials)
        return sensitivity(
            asked.task, asked.pair, of=view.of, by=by, range=view.share, steps=view.each, trials=trials, progress=told
        )

    found = worked(key, make)
    of = about(calls.comparison(asked.task, asked.pair, trials), (0, 1))
    figure = tornado.of_sensitivity(found, of) if any(bar.span > 0 for bar in found.bars) else None
    why = tuple(line for line in (found.interaction_line, "" if found.unsure else found.band_line) if line)
    return Found(found.sentence, why, figure, key, command=command(asked, trials), redraw=redraw(asked, trials))


def command(asked: Asked, trials: int) -> Command:
    view = asked.view
    writing = Writing(asked, "sensitivity").task().systems().option("--of", view.of, "time")
    writing.option("--range", view.range if view.range == "own" else f"{view.range}%", "20%")
    writing.flag("--steps", view.each).option("--by", asked.by, "p50")
    return writing.option("--trials", trials, calls.TRIALS).done()


def redraw(asked: Asked, trials: int) -> Command | None:
    view, writing = asked.view, redrawing(asked, "tornado", trials)
    if writing is None or view.each:
        return None
    writing.option("--of", view.of, "time")
    return writing.option("--range", view.range if view.range == "own" else f"{view.range}%", "20%").done()
