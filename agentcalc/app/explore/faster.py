"""How much faster does the task get when its calls do?"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from agentcalc.analysis.speedup_curve import Curve, speedup_curve
from agentcalc.analysis.speedup_words import ceiling_words, curve_line, who_gains
from agentcalc.app import calls, session, waiting
from agentcalc.app.explore import asking
from agentcalc.app.explore.asked import Asked, has_calls
from agentcalc.app.explore.commands import Command, Writing
from agentcalc.app.explore.found import Found
from agentcalc.app.explore.view import MOST_OTHERS, NONE, SCALES, usual_others
from agentcalc.app.explore.working import worked
from agentcalc.figures import about
from agentcalc.figures import speedup_curve as drawn
from agentcalc.task import Task
from agentcalc.units import show_ratio

TIMES_FASTER = 4.0
"""What the sentence is about."""

ONLY = "With {0}: this task only, the others are as they are."

NO_CALLS = "This task makes no model calls, so there is nothing to speed up."


def controls(asked: Asked) -> None:
    asking.statistic(asked.state)
    asking.switch("What is faster", "scale", SCALES, asked.view.scale, "both")
    others = {name: task.name for name, task in asked.known.tasks.items() if name != asked.state.task}
    st.session_state["explore_tasks"] = list(asked.view.tasks)
    st.multiselect(
        "Beside it", list(others), key="explore_tasks", format_func=others.get, max_selections=MOST_OTHERS,
        placeholder="Other tasks", on_change=_tasks, args=(usual_others(others, asked.state.task),), width=480,
    )  # fmt: skip


def _tasks(usual: tuple[str, ...]) -> None:
    chosen = tuple(st.session_state["explore_tasks"])
    session.change_parts(tasks=None if chosen == usual else ",".join(chosen) or NONE)


def find(asked: Asked) -> Found:
    if not has_calls(asked.task):
        return Found(NO_CALLS)
    scale, by = asked.view.scale, asked.by
    tasks = [asked.task, *(asked.known.tasks[name] for name in asked.view.tasks)]
    # Whoever looks at the same pair shares the curves of the other tasks.
    curves = [_curve(asked, task, (done, len(tasks))) for done, task in enumerate(tasks)]
    changed = asked.changed_task if len(tasks) > 1 else ()
    if changed:
        curves[0] = _renamed(curves[0], changed)
    of = about(calls.comparison(asked.task, asked.pair, asked.trials), (0, 1))
    figure = drawn.figure(curves, of, by, TIMES_FASTER)
    if changed and len(curves) > 1:
        figure = replace(figure, subtitle=f"{figure.subtitle} {ONLY.format(', '.join(changed))}")
    key = ("faster", tuple(tasks), asked.pair, scale, by, changed)
    return Found(curve_line(curves[0], TIMES_FASTER, by), _why(curves, by), figure, key, command=command(asked))


def _renamed(curve: Curve, changed: tuple[str, ...]) -> Curve:
    """The curve of a task that a what-if changed, called so: "a coding agent (tool time 0.5×)"."""
    short = f"{curve.short} ({', '.join(changed)})" if len(changed) == 1 else f"{curve.short} (changed)"
    return replace(curve, task=curve.task.model_copy(update={"short": short}))


def _curve(asked: Asked, task: Task, done: tuple[int, int]) -> Curve:
    """done: how many curves there are, and how many there will be."""
    base, cand = asked.pair
    scale = asked.view.scale

    def make(progress: waiting.Progress) -> Curve:
        progress(*done)
        return speedup_curve(task, base, (cand,), scale=scale)

    return worked(("curve", task, base, cand, scale), make, "Playing tasks")


def _why(curves: list[Curve], by: str) -> tuple[str, ...]:
    """Who gains most and least of the others, and where the candidate stands on the curve of the first."""
    lines = []
    if len(curves) > 2:
        gains = who_gains(curves[1:], (TIMES_FASTER,), by)
        most, least = gains.iloc[0], gains.iloc[-1]
        at = f"at_{TIMES_FASTER:g}"
        lines.append(
            f"Of the others {most['title']} gains most, {show_ratio(most[at])}, and {least['title']} least, "
            f"{show_ratio(least[at])}."
        )
    elif len(curves) == 2:
        other = curves[1]
        gain = show_ratio(other.at(TIMES_FASTER, by).value)
        lines.append(f"They make {other.short} {gain} faster; {ceiling_words(other, by)}.")
    marks = curves[0].marks
    for row in marks[marks["by"] == by].to_dict("records"):
        lines.append(
            f"Calls on {row['label']} are {show_ratio(row['per_call'])} as fast as on {curves[0].base}: "
            f"{curves[0].short} {show_ratio(row['speedup'])}."
        )
    return tuple(lines)


def command(asked: Asked) -> Command:
    writing = Writing(asked, "speedup").task()
    for name in asked.view.tasks:
        writing.add(writing.called(name, asked.known.tasks[name]))
    return writing.systems().option("--scale", asked.view.scale, "both").option("--by", asked.by, "p50").done()
