"""What would bring the candidate under a time?"""

from __future__ import annotations

import streamlit as st

from agentcalc.analysis.needs import Needs, levers_to_target, match_line, next_round_s, to_match
from agentcalc.analysis.solved_words import band_words
from agentcalc.analysis.solving import Solution
from agentcalc.app import calls, session, waiting
from agentcalc.app.explore import asking
from agentcalc.app.explore.asked import Asked
from agentcalc.app.explore.commands import Command, Writing, redrawing, seconds
from agentcalc.app.explore.found import Found
from agentcalc.app.explore.working import in_runs, worked
from agentcalc.app.needs_cards import LARGEST_S
from agentcalc.figures import about
from agentcalc.figures import needs as drawn

CASES, MOST_STEPS = 100, 90_000_000
"""About so many walks it takes; most tasks have the headline's own runs."""

NOTHING_TAKES_TIME = "Nothing in this task takes time."


def controls(asked: Asked) -> None:
    asking.statistic(asked.state)
    asking.number("Under, in seconds", "explore_target", target_s(asked), 0.001, LARGEST_S, _targeted)


def _targeted() -> None:
    session.change(target=round(float(st.session_state["explore_target"]), 3))


def target_s(asked: Asked) -> float:
    """Seconds that the candidate should stay under: the reader's, or the next round time."""
    now = _takes_s(asked)
    return asked.state.target or (next_round_s(now) if now > 0 else 1.0)


def _takes_s(asked: Asked) -> float:
    return calls.comparison(asked.task, asked.pair, asked.trials).systems[1].task_s[asked.by]


def find(asked: Asked) -> Found:
    if _takes_s(asked) <= 0:
        return Found(NOTHING_TAKES_TIME)
    target, by, trials = target_s(asked), asked.by, asked.runs(CASES, MOST_STEPS)
    key = ("target", asked.task, asked.pair, target, by, trials)

    def make(progress: waiting.Progress) -> tuple[Needs, Solution | None]:
        told = in_runs(progress, trials)
        needs = levers_to_target(asked.task, asked.pair, target, by=by, trials=trials, progress=told)
        # As on Compare: what lets the baseline match is told by its own numbers alone.
        return needs, next(iter(to_match(asked.task, asked.pair, by=by, trials=trials, bands=False)), None)

    needs, match = worked(key, make)
    of = about(calls.comparison(asked.task, asked.pair, trials), (0, 1))
    why = (doubt(needs), "" if match is None else match_line(match, needs.name), needs.note)
    figure = drawn.figure(needs, of) if needs.solutions else None
    said, again = command(asked, target, trials), redraw(asked, target, trials)
    return Found(sentence(needs), tuple(filter(None, why)), figure, key, command=said, redraw=again)


def sentence(needs: Needs) -> str:
    """The smallest change; or that it cannot be reached, which is an answer. What is unknown stands in a line below."""
    band = _band(needs)
    text = needs.sentence.replace(band, "", 1) if band else needs.sentence
    return text.replace("It cannot:", "It cannot be reached:", 1)


def _band(needs: Needs) -> str:
    return band_words(needs.answers[0]) if needs.answers and needs.now > needs.under_s else ""


def doubt(needs: Needs) -> str:
    """What the smallest change may be over what is unknown; "" where that makes no difference."""
    text = _band(needs).strip().removeprefix("(").removesuffix(")")
    return f"{text[0].upper()}{text[1:]}." if text else ""


def command(asked: Asked, target: float, trials: int) -> Command:
    writing = Writing(asked, "solve").task().systems().add("--under", seconds(target))
    return writing.option("--by", asked.by, "p50").option("--trials", trials, calls.TRIALS).done()


def redraw(asked: Asked, target: float, trials: int) -> Command | None:
    writing = redrawing(asked, "needs", trials)
    return None if writing is None else writing.add("--under", seconds(target)).done()
