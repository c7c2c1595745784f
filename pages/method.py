"""Why should I believe this?"""

import platform
from importlib.metadata import version

import streamlit as st

import agentcalc
from agentcalc import catalog
from agentcalc.analysis.headline import headline
from agentcalc.app import calls, method_tables, method_words, scenario, session
from agentcalc.app.commands import compare_command
from agentcalc.app.words import contents, esc

state, known = session.current(), session.known()
answer = calls.answer(state, known)
found = answer.now
head = headline(found, by=state.statistic, rival=answer.rival)
systems = list(catalog.systems().values())
again = compare_command(state, scenario.moves_of(state, known), found.n_trials, found.seed)

SECTIONS = {
    "answer": "The answer, by hand",
    "formulas": "Formulas",
    "rules": "Rules of play",
    "adding-up": "What adds up, and what compounds",
    "numbers": "Every number of every system",
    "checks": "Which checks are independent",
    "not-known": "What is not known",
    "not": "What the numbers are not",
    "tasks": "The tasks",
    "sources": "Sources",
    "again": "To compute this page again",
}


def section(anchor: str, body: str) -> None:
    st.header(SECTIONS[anchor], anchor=anchor)
    st.html(f'<div class="ac-prose">{body}</div>')


with st.container(key="method"):
    st.html(
        '<div class="ac-prose"><h1>Why should I believe this?</h1><p>All of this is about the scenario on Compare: '
        f"{esc(found.task.name)}, {esc(known.model_label(state.model))}.</p>{contents(SECTIONS)}</div>"
    )
    section("answer", "".join(f"<p>{esc(line)}</p>" for line in head.lines) + method_words.one_call(found))
    section("formulas", method_words.formulas(found))
    section("rules", method_words.rules())
    section("adding-up", method_words.adding_up(found))
    section("numbers", "".join(method_tables.numbers(system, catalog.source) for system in systems))
    section("checks", method_tables.checks(catalog.tasks(), catalog.systems(), catalog.PAIRS))
    section("not-known", method_tables.unknowns(systems))
    section("not", method_words.limits(method_tables.measured_range(systems)))
    section("tasks", method_tables.task_sources(catalog.tasks().values(), catalog.source))
    section("sources", method_tables.sources(catalog.sources().values()))
    section(
        "again",
        f"<pre>{esc(again)}</pre><p>{found.n_trials:,} runs, seed {found.seed}. agentcalc {agentcalc.__version__}, "
        f"Python {platform.python_version()}, numpy {version('numpy')}, streamlit {version('streamlit')}, "
        f"altair {version('altair')}.</p><p>To cite: agentcalc {agentcalc.__version__}, with the lines above.</p>",
    )
