"""Where a task may start: a packaged one, a file, an empty table."""

from __future__ import annotations

import streamlit as st

from agentcalc import catalog
from agentcalc.app import pictures
from agentcalc.app.build import answers, parts, said
from agentcalc.app.build.desk import Desk
from agentcalc.app.options import MOST_UPLOAD_MB
from agentcalc.app.words import plain_label
from agentcalc.system import System
from agentcalc.task import Task

_BOX, _FILE = "new", "build_file"


def control(here: Desk, system: System) -> None:
    """A button that opens the ways to start. system: on which the sparklines show where time goes."""
    with st.popover("New", icon=":material/note_add:", key=_BOX, on_change="rerun") as box:
        if not box.open:
            return
        with st.container(key="build_new_body"):
            st.button("An empty table", key="new_empty", on_click=_begin, args=(here, None))
            st.file_uploader(
                "A task file, YAML or JSON",
                type=["yaml", "yml", "json"],
                key=_FILE,
                max_upload_size=MOST_UPLOAD_MB,
                on_change=_opened,
                args=(here,),
            )
            st.html("<h3>A packaged task, and where its time goes</h3>")
            for name, task in catalog.tasks().items():
                with st.container(key=f"packaged-{name}"):
                    with st.container(horizontal=True, horizontal_alignment="distribute"):
                        st.button(
                            plain_label(task.name),
                            key=f"new_{name}",
                            type="tertiary",
                            on_click=_begin,
                            args=(here, task),
                        )
                        st.html(said.spark(answers.shares(task, system), pictures.dark()), width="content")
                    st.html(said.note(_first_sentence(task.description or "")))


def _begin(here: Desk, task: Task | None) -> None:
    here.open(task, keep=True)
    st.session_state[_BOX] = False


def _first_sentence(text: str) -> str:
    return text.partition(". ")[0].rstrip(".") + "." if text else ""


def _opened(here: Desk) -> None:
    file = st.session_state[_FILE]
    if file is not None:
        parts.take_file(here, file.getvalue(), file.name)
        st.session_state[_BOX] = False
