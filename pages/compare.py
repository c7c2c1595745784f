"""How much sooner is this task done, and why?"""

import streamlit as st

from agentcalc.analysis.headline import headline
from agentcalc.app import (
    calls,
    controls,
    figures_dialog,
    keys,
    needs_cards,
    opening,
    pictures,
    race,
    session,
    share,
    shell,
    strip,
    what_if,
    words,
)
from agentcalc.errors import InputError

state, known = session.current(), session.known()
by = state.statistic

answer, head, wrong = None, None, session.fault()
try:
    answer = calls.answer(state, known)
    head = headline(answer.now, by=by, rival=answer.rival)
    session.answered()
except InputError as error:
    wrong = wrong or (str(error),)

answered = head is not None and head.case != "same" and not wrong
figures = calls.figures(answer) if answered else None
racing = controls.racing() and figures is not None

controls.scenario(state, known, head)

with st.container(key="answer"):
    shell.notice(session.notes())
    if wrong:
        shell.problem(*wrong)
    elif racing:
        race.heading(race.of(answer.now, answer.run))
    else:
        st.html(words.answer(head, what_if.before_line(state.factors, answer.before, by)))
        if answered:
            st.html(words.caveat_line(answer.now.specs, answer.before.specs))
        shell.notice(answer.now.warnings)

with st.container(horizontal=True, key="buttons"):
    if figures:
        controls.race_switch()
        share.button()
        figures_dialog.button(answer, figures.all, state)
        controls.rests_on(answer.now, head, by)
    if not racing:
        if figures:
            controls.what_if_switch(state)
            strip.button(state)
        opening.control()
keys.button()
share.outcome()

if racing:
    race.show(answer.now, answer.run)
    st.stop()

kept = st.container()
if answered and controls.what_if_open(state):
    controls.what_if(state, answer.now, answer.before)
if figures:

    def beside() -> None:
        controls.another_run(answer.run, answer.now.n_trials)
        controls.more_systems(state, known)

    pictures.show(answer, figures.first, beside)
    needs = st.container()
    pictures.show_rows(answer, figures.rows)
if answered:
    st.html(
        f'<h2 class="ac-finding">In numbers</h2>{words.beside_the_table(answer.now)}'
        f"{words.results_table(answer.now, by)}"
    )
# Each card may be work of its own, so the answer is there first.
with kept:
    strip.show(state.by)
if figures:
    with needs:
        needs_cards.show(answer, state)
