"""The pieces of the page around the table: sentence, fields, buttons of rows, YAML, picture."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from agentcalc import documents
from agentcalc.app import pictures
from agentcalc.app.build import answers, heads, said, sentence, text
from agentcalc.app.build.columns import KIND_WORDS
from agentcalc.app.build.desk import Desk
from agentcalc.app.choices import Choices
from agentcalc.app.state import State
from agentcalc.app.words import esc
from agentcalc.errors import InputError
from agentcalc.results import Comparison

STYLE = Path(__file__).with_name("build.css")
OFFERED: dict[str, tuple[str, ...]] = {}
"""What can be added, in words: its kind and, where it is not a model call, the kind of the step inside."""
for _kind, _word in KIND_WORDS.items():
    if _kind not in ("branch", "option"):
        OFFERED[_word] = (_kind,)
    if _kind == "parallel":
        OFFERED["parallel of tools"] = (_kind, "tool_wait")

_DESK, _SENTENCE, _YAML, _OPEN = "build", "build_sentence", "build_yaml", "yaml_open"


def desk(state: State, known: Choices) -> Desk:
    """What is being built on this visit: at first, and until something is edited, the task of Compare."""
    task = known.tasks[state.task]
    found: Desk | None = st.session_state.get(_DESK)
    if found is None:
        found = st.session_state[_DESK] = Desk()
    if found.compared != task:
        found.compared = task
        if not found.edited or not found.history.past:
            found.open(task, keep=bool(found.history.past))
    return found


def history(here: Desk) -> None:
    """Undo and redo."""
    st.button("Undo", shortcut="Z", key="undo", on_click=here.undo, disabled=not here.history.past)
    st.button("Redo", shortcut="Y", key="redo", on_click=here.redo, disabled=not here.history.future)


def leave(here: Desk) -> bool:
    """Save the task as a file, or take it to Compare: whether that was pressed."""
    task = here.checked.task
    ready = task is not None and here.played == task
    why = None if ready else "There is a mistake in the table" if here.draft.rows else "There is no step yet"
    st.download_button(
        "Save file",
        documents.write(task).encode() if task else b"",
        file_name=said.file_name(here.draft.name),
        mime="text/yaml",
        on_click="ignore",
        icon=":material/download:",
        key="save",
        disabled=task is None,
        help=why if task is None else None,
    )
    # In the field of YAML these keys take what was written, and must not lead away.
    keys = None if st.session_state.get(_OPEN) else "Ctrl+Enter"
    # A press can arrive together with an edit that is a mistake.
    return st.button("Use in Compare", type="primary", shortcut=keys, key="use", disabled=not ready, help=why) and ready


def say_it(here: Desk) -> None:
    """A sentence of numbers, and what is understood of it."""
    with st.container(horizontal=True, key="sentence", vertical_alignment="bottom"):
        written = st.text_input(
            "Say it in numbers", key=_SENTENCE, placeholder=sentence.EXAMPLE, live=True, max_chars=sentence.LONGEST
        )
        found = sentence.read(written or "")
        st.button("Make it", key="make", on_click=_make, args=(here,), disabled=found.task is None)
    if found.line:
        ready = found.task is not None and found.task != here.checked.task
        st.html(said.note(f"{found.line} Press Make it to build this." if ready else found.line))


def _make(here: Desk) -> None:
    task = sentence.read(st.session_state[_SENTENCE] or "").task
    if task is not None:
        here.open(task, keep=True)


def fields(here: Desk) -> None:
    """The task's name, and what its conversation starts with."""
    with st.container(horizontal=True, key="heads", vertical_alignment="bottom"):
        for name, field in heads.HEADS.items():
            key = f"head_{name}"
            st.session_state[key] = heads.shown(here.draft, name)
            st.text_input(
                field.title,
                key=key,
                placeholder=field.blank,
                help=field.help,
                max_chars=200,
                on_change=_head,
                args=(here, name, key),
                width="stretch" if name == "name" else 130,
            )


def _head(here: Desk, name: str, key: str) -> None:
    typed = st.session_state[key] or ""
    here.edit(lambda draft: heads.typed(draft, name, typed), anew=False)


def row_tools(here: Desk) -> None:
    """Buttons that add rows, and that work on the ticked ones."""
    none = not here.picked
    help_text = "Tick rows in the table first" if none else None
    with st.container(horizontal=True, key="rowtools", vertical_alignment="center"):
        st.menu_button("Add a step", list(OFFERED), key="add", icon=":material/add:", on_click=_add, args=(here,))
        st.button("Up", shortcut="Alt+Up", key="up", on_click=here.move, args=(-1,), disabled=none, help=help_text)
        st.button("Down", shortcut="Alt+Down", key="down", on_click=here.move, args=(1,), disabled=none, help=help_text)
        st.button("Duplicate", key="duplicate", on_click=here.duplicate, disabled=none, help=help_text)
        st.button("Delete", key="delete", on_click=here.delete, disabled=none, help=help_text)


def _add(here: Desk) -> None:
    offered = OFFERED.get(st.session_state["add"])
    if offered is not None:
        here.add(*offered)


def below_table(here: Desk, line: str) -> None:
    """What is wrong, or that there is nothing yet; what the task says elsewhere; what kinds mean."""
    if line:
        st.html(said.problem(line))
    elif not here.draft.rows:
        st.html(f'<p class="ac-about">{esc(said.EMPTY)}</p>')
    if kept := heads.kept_in_yaml(here.draft):
        st.html(said.note(f"Set in YAML, and kept: {', '.join(kept)}."))
    with st.popover("What each kind means", key="kinds", type="tertiary", icon=":material/help:"):
        st.html(said.kinds())


def yaml_view(here: Desk) -> None:
    """The same task as YAML, in step with the table; what is written there is taken, or its mistake told."""
    with st.container(key="build_yaml_box"), st.expander("YAML", key=_OPEN, on_change="rerun") as box:
        if not box.open:
            return
        task = here.checked.task or here.played
        shown = here.typed_yaml if here.typed_yaml is not None else documents.write(task) if task else ""
        st.session_state[_YAML] = shown
        st.text_area(
            "The task as YAML; Ctrl+Enter takes what you write",
            key=_YAML,
            height=min(140 + 20 * shown.count("\n"), 640),
            on_change=_yaml,
            args=(here,),
        )
        if here.yaml_line:
            st.html(said.problem(f"{here.yaml_line} The table stays as it was."))
        elif here.checked.task is None and task is not None:
            st.html(said.note("This is the task before your last edit."))


def _yaml(here: Desk) -> None:
    written = st.session_state[_YAML] or ""
    try:
        task, draft = text.read(written)
    except InputError as error:
        here.refuse_yaml(written, str(error))
    else:
        here.read_yaml(task, draft)


def picture(found: Comparison) -> None:
    """The drawn task, its words above it."""
    figure = answers.drawn(found)
    with st.container(key="figure-task_graph"):
        st.html(f'<h2 class="ac-finding">{esc(figure.title)}</h2>')
        picture = answers.specification(found, pictures.dark())
        st.vega_lite_chart(spec=picture, theme=None, width="stretch", key="chart-task_graph", alt=figure.alt_text)
        st.html(f'<p class="ac-source">{esc(figure.subtitle)}</p>')


def take_file(here: Desk, data: bytes, name: str) -> None:
    """Begin with the task in the bytes of a file, or say what is wrong with it."""
    try:
        task, _ = text.read(data.decode("utf-8-sig"), name)
        here.open(task, keep=True)
    except UnicodeDecodeError:
        here.said = f"{name[:80]}: it is not UTF-8 text. Give a task file in YAML or JSON."
    except InputError as error:
        here.said = str(error)
