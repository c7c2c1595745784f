"""What does the agent do?"""

import streamlit as st

from agentcalc.app import session, shell
from agentcalc.app.build import answers, new, parts, said, stay, table
from agentcalc.app.options import pages_folder

state, known = session.current(), session.known()
here = parts.desk(state, known)
table.take(here)

st.html(parts.STYLE)
top = st.container(horizontal=True, key="build_top", vertical_alignment="bottom")
parts.say_it(here)
parts.fields(here)

with st.container(key="build_sides"):
    left, right = st.columns([7, 3], gap="small")
# The table stands before its answer is known: nobody types into one whose rows have moved.
with left, st.container(key="build_left"):
    parts.row_tools(here)
    if here.draft.rows:
        table.show(here)
    below = st.container()

latest = answers.latest(here, state, known)
found = latest.found
behind = found is not None and found.task != here.checked.task
with top:
    with st.container(key="answer", width="stretch"):
        shell.notice(session.notes())
        calls = answers.calls_words(found) if found else ""
        st.html(said.head(here.draft.name, here.edited, found, state.statistic, calls, behind))
    with st.container(horizontal=True, key="buttons", width="content"):
        parts.history(here)
        new.control(here, known.system(state.model, state.baseline))
        use = parts.leave(here)
if use:
    session.open_task(here.checked.task)
    here.began(here.checked.task)
    here.compared = here.checked.task
    st.switch_page(pages_folder() / "compare.py", query_params=st.query_params.to_dict())

with below:
    parts.below_table(here, latest.line)
    parts.yaml_view(here)
if found:
    with right, st.container(key="build_right"):
        parts.picture(found)

st.html(f'<p class="ac-small">{said.PRIVACY}</p>')
stay.place()
