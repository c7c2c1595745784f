"""How much sooner is this task done, and why?"""

import streamlit as st

from agentcalc.analysis.headline import headline
from agentcalc.app import calls, controls, opening, pictures, session, shell, what_if, words
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

same = head is not None and head.case == "same"

controls.scenario(state, known, head)

with st.container(key="answer"):
    shell.notice(session.notes())
    if wrong:
        shell.problem(*wrong)
    else:
        st.html(words.answer(head, what_if.before_line(state.factors, answer.before, by)))
        if not same:
            st.html(words.caveat_line(answer.now.specs, answer.before.specs))
        shell.notice(answer.now.warnings)

figures = None if wrong or same else calls.figures(answer)

with st.container(horizontal=True, key="buttons"):
    if figures:
        if st.button("Figures", icon=":material/image:", shortcut="F", key="figures"):
            pictures.take_away(figures.all, state.task)
        controls.rests_on(answer.now, head, by)
        controls.what_if_switch(state)
        controls.another_run(answer.run, answer.now.n_trials)
        controls.more_systems(state, known)
    opening.control()

if figures:
    if controls.what_if_open(state):
        controls.what_if(state, answer.now, answer.before)
    pictures.show_all(answer, figures)
if answer and not wrong and not same:
    st.html(
        f'<h2 class="ac-finding">In numbers</h2>{words.beside_the_table(answer.now)}'
        f"{words.results_table(answer.now, by)}"
    )
