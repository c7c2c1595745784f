"""What does a day of many tasks save?"""

from __future__ import annotations

import streamlit as st

from agentcalc import catalog
from agentcalc.analysis.portfolio import MOST_PEOPLE, MOST_RUNS, Entry, Planned, Portfolio, plan_portfolio
from agentcalc.analysis.portfolio_words import each_line, portfolio_line, potential_line
from agentcalc.app import calls, session, waiting
from agentcalc.app.explore import asking
from agentcalc.app.explore.asked import Asked
from agentcalc.app.explore.commands import Command, Writing
from agentcalc.app.explore.found import Found
from agentcalc.app.explore.view import MOST_TASKS, PEOPLE, short, usual_runs, write_runs
from agentcalc.app.explore.working import worked
from agentcalc.app.words import plain_label
from agentcalc.defaults import SEED
from agentcalc.figures import portfolio as drawn
from agentcalc.figures.words import source_line
from agentcalc.provenance import Source
from agentcalc.units import show_count

A_START = "The counts are a start to change, nobody's records."
NEW_RUNS = 10.0


def controls(asked: Asked) -> None:
    asking.number("People", "explore_people", asked.view.people, 1, MOST_PEOPLE, _people)
    runs = dict(asked.view.runs)
    label = f"Of each a day: {_count(sum(runs.values()))} runs of {len(runs)} {'task' if len(runs) == 1 else 'tasks'}"
    with st.popover(plain_label(label), icon=":material/edit:", key="explore_runs"):
        st.session_state["explore_day_tasks"] = list(runs)
        names = {name: task.name for name, task in asked.known.tasks.items()}
        usual = usual_runs(names, asked.state.task)
        st.multiselect(
            "Tasks", list(names), key="explore_day_tasks", format_func=names.get, max_selections=MOST_TASKS,
            on_change=_tasks, args=(runs, usual),
        )  # fmt: skip
        for name, number in runs.items():
            key = f"explore_runs_{name}"
            st.session_state[key] = float(number)
            st.number_input(
                plain_label(names[name]), min_value=0.01, max_value=MOST_RUNS, key=key, step=1.0, format="%g",
                on_change=_runs, args=(runs, name, usual),
            )  # fmt: skip


def _count(number: float) -> str:
    return show_count(number) if number == round(number) else f"{number:,.1f}"


def _people() -> None:
    people = st.session_state["explore_people"]
    session.change_parts(people=None if people == PEOPLE else str(people))


def _tasks(runs: dict[str, float], usual: tuple) -> None:
    chosen = st.session_state["explore_day_tasks"]
    _put({name: runs.get(name, dict(usual).get(name, NEW_RUNS)) for name in chosen}, usual)


def _runs(runs: dict[str, float], name: str, usual: tuple) -> None:
    _put(runs | {name: round(float(st.session_state[f"explore_runs_{name}"]), 4)}, usual)


def _put(runs: dict[str, float], usual: tuple) -> None:
    session.change_parts(runs=None if tuple(runs.items()) == usual else write_runs(runs))


def find(asked: Asked) -> Found:
    runs, people = asked.view.runs, asked.view.people
    tasks = {name: asked.task_of(name) for name, _ in runs}
    entries = tuple(Entry(task=name, runs_per_day=number) for name, number in runs)
    key = ("day", runs, tuple(tasks.values()), asked.pair, people)

    def make(progress: waiting.Progress) -> Planned:
        return plan_portfolio(Portfolio(people=people, tasks=entries), *asked.pair, tasks=tasks)

    found = worked(key, make)
    figure = drawn.figure(found, _source(asked, found))
    usual = A_START if runs == usual_runs(asked.known.tasks, asked.state.task) and people == PEOPLE else ""
    why = tuple(text for text in (potential_line(found), each_line(found), usual) if text)
    return Found(portfolio_line(found), why, figure, key, command=command(asked))


def _source(asked: Asked, found: Planned) -> str:
    """The source line of the two systems, with the sources of all tasks of the day."""
    systems = calls.comparison(asked.task, asked.pair, asked.trials).systems
    specs = dict(zip((system.id for system in systems), asked.pair, strict=True))
    named = [(item, one.task) for one in found.tasks for item in one.task.sources]
    return source_line(
        systems[::-1],
        [item if isinstance(item, Source) else catalog.source(item, task) for item, task in named],
        trials=min(one.trials for one in found.tasks),
        seed=SEED,
        source=lambda system, name: catalog.source(name, specs[system]),
        names=asked.names[::-1],
    )


def command(asked: Asked) -> Command:
    writing = Writing(asked, "portfolio")
    for name, number in asked.view.runs:
        writing.add(f"{writing.called(name, asked.task_of(name))}={short(number)}")
    return writing.add("--people", str(asked.view.people)).systems().done()
