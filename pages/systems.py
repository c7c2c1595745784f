"""Whose numbers are these, and how good are they?"""

import streamlit as st

from agentcalc.app import session, share, shell
from agentcalc.app.systems import parts, said, view

linked = bool(st.query_params)
state, known = session.current(*view.PARTS), session.known()
parts.follow(state, linked)
state = view.looked_at(session.part, state, known)
systems, names, model = known.systems[state.model], parts.called(state, known), known.model_label(state.model)
here = view.read(session.part, state, known)
pair = (state.baseline, state.candidate)

st.html(parts.STYLE)
parts.choices(state, known, here, names)
with st.container(key="answer"):
    shell.notice((*session.notes(), *here.notes))
    st.html(said.head(*(systems[name] for name in pair), tuple(names[name] for name in pair)))

with st.container(horizontal=True, key="buttons"):
    share.button()
share.outcome()

with st.container(key="systems_sides"):
    left, right = st.columns([8, 5], gap="large")
with left:
    parts.curve(state, here, names, model)
    parts.one_call(state, known, here, names, model)
with right, st.container(key="systems_panel"):
    parts.panel(state, here, names)

st.html('<h2 class="ac-finding">All of them, for this model</h2>')
st.html(said.systems_table(here.systems, names, pair, here.name))
