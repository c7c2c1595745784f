"""Say it on a big screen, take it away."""

import streamlit as st

from agentcalc.app import keys, session, shell
from agentcalc.app.present import desk, parts, taking
from agentcalc.errors import InputError

state, known = session.current(*desk.PARTS), session.known()
alone = st.context.is_embedded

parts.style(st.session_state.get(desk.DARK))
wrong = session.fault()
try:
    here = None if wrong else desk.opened(state, known)
except InputError as error:
    wrong = (str(error),)
if wrong:
    shell.problem(*wrong)
    st.stop()

shell.notice(here.notes)
parts.screen(here, editable=not alone)
if not alone:
    parts.bar(here, lambda: taking.buttons(here))
    keys.button()
    parts.keys(here, taking.outcome(here))
    parts.draw_ahead(here)
