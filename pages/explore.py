"""What would change the answer?"""

import streamlit as st

from agentcalc.app import calls, scenario, session, shell, waiting
from agentcalc.app.explore import asking, drawing, questions, said, view
from agentcalc.app.explore.asked import ask
from agentcalc.errors import AgentcalcError

state, known = session.current(*view.PARTS), session.known()
here = view.read(session.part, state, known)
question = questions.QUESTIONS[here.view]
waiting.place(drawing.go_back)

st.html(drawing.STYLE)
with st.container(horizontal=True, key="explore_top", vertical_alignment="center"):
    questions.switch(here.view)
    drawing.scenario(state, known)
answer = st.container(key="answer")
controls = st.container(horizontal=True, key="explore_controls", vertical_alignment="bottom")

asked, found = None, None
with answer:
    shell.notice((*session.notes(), *here.notes, *asking.refused()))
    try:
        asked = ask(state, known, here, calls.trials_for(scenario.task_of(state, known)))
        found = question.find(asked)
        shell.notice(found.notes)
        st.html(said.head(found, asked))
        drawing.answered()
    except AgentcalcError as error:
        shell.problem(str(error))
if asked:
    with controls:
        drawing.controls(question, asked, told=found is None)
if found and found.figure:
    drawing.picture(found, asked)
