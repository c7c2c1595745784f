"""What does the agent do?"""

import streamlit as st

from agentcalc.app import session, shell
from agentcalc.app.build import answers, new, parts, said, table
from agentcalc.app.options import pages_folder

state, known = session.current(), session.known()
here = parts.desk(state, known)
table.take(here)
latest = answers.latest(here, state, known)
found = latest.found
behind = found is not None and found.task != here.checked.task

st.html(parts.STYLE)
with st.container(horizontal=True, key="build_top", vertical_alignment="bottom"):
    with st.container(key="answer", width="stretch"):
        shell.notice(session.notes())
        calls = answers.typical_calls(found) if found else 0
        st.html(said.head(here.draft.name, here.edited, found, state.statistic, calls, behind))
    with st.container(horizontal=True, key="buttons", width="content"):
        parts.history(here)
        new.control(here, known.system(state.model, state.baseline))
        use = parts.leave(here)
if use:
    session.open_task(here.checked.task)
    here.start = here.compared = here.checked.task
    st.switch_page(pages_folder() / "compare.py", query_params=st.query_params.to_dict())

parts.say_it(here)
parts.fields(here)

with st.container(key="build_sides"):
    left, right = st.columns([9, 5], gap="medium")
with left, st.container(key="build_left"):
    parts.row_tools(here)
    if here.draft.rows:
        table.show(here)
    parts.below_table(here, latest.line)
    parts.yaml_view(here)
if found:
    with right, st.container(key="build_right"):
        parts.picture(found)

st.html(f'<p class="ac-small">{said.PRIVACY}</p>')
