"""What did this run take, and what would it take elsewhere?"""

import streamlit as st

from agentcalc.app import session, shell
from agentcalc.app.importing import desk, parts, said
from agentcalc.app.words import esc

session.current("from")
known = session.known()

st.html(parts.STYLE)
answer = st.container(key="answer")
dropped = parts.drop_zone()
desk.take(dropped)
here = desk.desk()
parts.beside_the_zone(here)

told, users = parts.by_hand(here)
systems = parts.measure(here, told, users)
with answer:
    shell.notice(session.notes())
    st.html(said.head(here.found, systems))
    parts.example_note(here)
    if here.found:
        st.html(said.understood(here.found, systems, here.left_out, desk.unread(dropped)))

parts.cards(here, systems, told, users, known)

st.html(f'<p class="ac-small">{esc(said.LATER)}</p><p class="ac-small">{esc(said.PRIVACY)}</p>')
