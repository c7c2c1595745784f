"""Why should I believe this?"""

import platform
from importlib.metadata import version

import streamlit as st

import agentcalc
from agentcalc import catalog
from agentcalc.analysis.headline import headline
from agentcalc.app import calls, method_tables, method_words, session, words
from agentcalc.app.method_words import command

state, known = session.current(), session.known()
found = calls.answer(state, known).now
head = headline(found, by=state.statistic)
systems = list(catalog.systems().values())

SECTIONS = {
    "answer": "The answer, by hand",
    "formulas": "Formulas",
    "rules": "Rules of play",
    "adding-up": "What adds up, and that nothing compounds",
    "numbers": "Every number of every system",
    "checks": "Which checks are independent",
    "not-known": "What is not known",
    "not": "What the numbers are not",
    "tasks": "The tasks",
    "sources": "Sources",
    "again": "To compute this page again",
}


def section(anchor: str, body: str, wide: bool = False) -> None:
    st.header(SECTIONS[anchor], anchor=anchor)
    st.html(f'<div class="ac-prose{" wide" if wide else ""}">{body}</div>')


with st.container(key="method"):
    st.html('<div class="ac-prose"><h1>Why should I believe this?</h1><p>Everything below is about the scenario on Compare: '
            f"{words.esc(found.task.name)}, {words.esc(known.model_label(state.model))}.</p></div>")
    st.html('<ul class="ac-contents">' + "".join(f'<li><a href="#{a}">{t}</a></li>' for a, t in SECTIONS.items()) + "</ul>")

    section("answer", "".join(f"<p>{words.esc(line)}</p>" for line in head.lines) + method_words.one_call(found))
    section("formulas", method_words.formulas(found))
    section("rules", method_words.rules())
    section("adding-up", method_words.adding_up(found))
    section("numbers", "".join(method_tables.numbers(system, catalog.source) for system in systems), wide=True)
    section(
        "checks",
        "<p>A first-token time that was measured apart makes the end-to-end time a real check. One that was derived from the "
        "reported end-to-end time gives that time back whatever the truth is.</p>"
        + method_tables.checks(catalog.tasks(), catalog.systems(), catalog.PAIRS),
        wide=True,
    )
    section("not-known", method_tables.unknowns(systems))
    section("not", method_words.limits(method_tables.measured_range(systems)))
    section("tasks", method_tables.task_sources(catalog.tasks().values(), catalog.source), wide=True)
    section("sources", method_tables.sources(catalog.sources().values()), wide=True)
    section(
        "again",
        f"<pre>{words.esc(command(state, known, found))}</pre>"
        f"<p>{found.n_trials:,} runs, seed {found.seed}. agentcalc {agentcalc.__version__}, Python {platform.python_version()}, "
        f"numpy {version('numpy')}, streamlit {version('streamlit')}, altair {version('altair')}.</p>"
        f"<p>To cite: agentcalc {agentcalc.__version__}, {words.esc(command(state, known, found).splitlines()[-1])}.</p>",
    )
