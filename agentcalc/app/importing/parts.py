"""The pieces of the page: where files are dropped, examples, what is added by hand, and a card for what was found."""

from __future__ import annotations

import streamlit as st

from agentcalc import catalog, documents
from agentcalc.app import session
from agentcalc.app.choices import Choices
from agentcalc.app.importing import desk as desks
from agentcalc.app.importing import measured, said
from agentcalc.app.importing.desk import Desk
from agentcalc.app.importing.examples import EXAMPLES, NOTE
from agentcalc.app.importing.files import Found
from agentcalc.app.importing.measured import Measured
from agentcalc.app.options import MOST_BENCHMARK_MB
from agentcalc.app.systems import drawing, using
from agentcalc.app.systems import parts as of_systems
from agentcalc.app.systems import said as systems_said
from agentcalc.app.words import esc, plain_label
from agentcalc.benchmarks import reading
from agentcalc.benchmarks.importing import Said
from agentcalc.benchmarks.template import EXAMPLE as TEMPLATE
from agentcalc.figures.load_curve import Line, drawable
from agentcalc.system import System

STYLE = of_systems.STYLE
FEW_CARDS, MOST_CARDS = 3, 12
MOST_BY_FILE = 8
"""Files whose load is asked for one by one."""


def drop_zone() -> list:
    """The place to drop files, and examples to try; the files that lie there."""
    with st.container(key="import_drop"):
        files = st.file_uploader(
            "Drop results of a benchmark, a task, a system or a scenario here",
            accept_multiple_files=True,
            key=desks.uploader_key(),
            max_upload_size=MOST_BENCHMARK_MB,
            on_change=desks.dropped,
            help="vLLM, SGLang, TensorRT-LLM, AIPerf, GenAI-Perf, GuideLLM, inference-perf, LLMPerf, llama-bench, "
            "InferenceX, or a table of your own.",
        )
        with st.container(horizontal=True, key="import_try", vertical_alignment="center"):
            st.html('<p class="ac-small">Try an example:</p>', width="content")
            for name, example in EXAMPLES.items():
                st.button(example.title, key=f"try-{name}", on_click=desks.try_example, args=(name,), type="tertiary")
    return files or []


def beside_the_zone(here: Desk) -> None:
    """What is read, a form to fill in, and a way to take everything away again."""
    with st.container(horizontal=True, key="import_beside", vertical_alignment="center"):
        with st.popover("Which files are read", key="formats", icon=":material/help:"):
            st.html(said.formats([(reader.NAME, reader.LOOKS_FOR) for reader in reading.FORMATS]))
        st.download_button(
            "A form for two numbers from a status page",
            TEMPLATE.encode(),
            file_name="measurements.yaml",
            mime="text/yaml",
            on_click="ignore",
            icon=":material/download:",
            key="template",
        )
        if here.found:
            st.button("Take everything away", key="forget", on_click=desks.forget, icon=":material/close:")


def by_hand(here: Desk) -> tuple[Said, dict[int, int]]:
    """Fields for what the files do not say: the accelerator, its chips, and the load of each file; what is in them.

    The loads stand by the number of the file among those found.
    """
    lacks = measured.lacking(here.found)
    hardware, chips, users = None, None, {}
    if not lacks:
        return Said(), users
    with st.container(key="by_hand"):
        st.html('<h2 class="ac-finding">What the files do not say</h2>')
        with st.container(horizontal=True, key="by_hand_fields", vertical_alignment="bottom"):
            if "hardware" in lacks:
                hardware = _hardware(here)
            if "chips" in lacks:
                chips = _whole(here, "chips", "Chips that served it", 100_000)
            silent = [at for at, one in enumerate(here.found) if any(run.concurrency is None for run in one.runs)]
            for at in silent[:MOST_BY_FILE]:
                of = f", {plain_label(here.found[at].name)}" if len(here.found) > 1 else ""
                users[at] = _whole(here, f"users-{here.drops}-{at}", f"Requests at once{of}", 1_000_000)
    return Said(hardware=_line(hardware), chips=chips), {at: n for at, n in users.items() if n}


def _hardware(here: Desk) -> str | None:
    labels = [chip.label for chip in catalog.accelerators().values()]
    key = _kept(here, "hardware")
    typed = st.session_state.get(key)
    here.typed["hardware"] = st.selectbox(
        "Accelerator",
        [*labels, *([typed] if typed and typed not in labels else [])],
        index=None,
        key=key,
        accept_new_options=True,
        placeholder="Not said",
        width=200,
    )
    return here.typed["hardware"]


def _whole(here: Desk, name: str, label: str, most: int) -> int | None:
    here.typed[name] = st.number_input(
        label, 1, most, None, step=1, key=_kept(here, name), placeholder="Not said", width=200
    )
    return here.typed[name]


def _kept(here: Desk, name: str) -> str:
    """The key of a field that keeps what was written into it also while another page is open."""
    key = f"by-hand-{name}"
    if key not in st.session_state and here.typed.get(name) is not None:
        st.session_state[key] = here.typed[name]
    return key


def _line(text: str | None) -> str | None:
    """A typed text fit for a name; None where nothing is left of it."""
    plain = " ".join("".join(c if c.isprintable() else " " for c in text or "").split())[:60]
    return plain or None


def measure(here: Desk, told: Said, users: dict[int, int]) -> Measured:
    """The systems that the files measured; made anew only when something was changed."""
    key = (here.found, told, tuple(users.items()))
    if here.made is None or here.made[0] != key:
        here.made = key, measured.measured(here.found, told, users)
    return here.made[1]


def cards(here: Desk, found: Measured, told: Said, users: dict[int, int], known: Choices) -> None:
    """A card for each measured system, then for each system, task and scenario that was written as one.

    told, users: what was added by hand, as :func:`by_hand` gives it.
    """
    lacks = measured.still_lacking(here.found, told, users)
    for number in _wanted(here, found):
        _measured(f"measured-{number}", found.systems[number], lacks, here, known)
    for number, one in enumerate(here.found):
        if one.system:
            _measured(f"system-{number}", one.system, (), here, known)
        elif one.task:
            _task(f"task-{number}", one)
        elif one.scenario:
            _scenario(f"scenario-{number}", one)


def _wanted(here: Desk, found: Measured) -> list[int]:
    """Numbers of the systems that get a card: of many, those that the reader chooses."""
    every = list(range(len(found.systems)))
    if len(every) <= FEW_CARDS:
        return every
    return st.multiselect(
        f"Show, of the {len(every)} systems in these files",
        every,
        every[:FEW_CARDS],
        format_func=lambda number: f"{said.card_title(found.systems[number])} ({found.systems[number].id})",
        max_selections=MOST_CARDS,
        key=f"wanted-{here.drops}-{len(every)}",
        placeholder="Choose systems",
    )


def _measured(key: str, system: System, lacks: tuple[str, ...], here: Desk, known: Choices) -> None:
    with st.container(border=True, key=f"card-{key}"):
        st.html(f'<h2 class="ac-finding">{esc(said.card_title(system))}</h2>{said.card(system, lacks)}')
        served = _serves(key, system, here, known)
        picked = _load(key, served, here)
        model = served.model
        alone = model is not None and model not in known.systems
        why_not = "No other system of this model is known: choose the model that it stands for." if alone else ""
        with st.container(horizontal=True, key=f"do-{key}"):
            of_systems.use_buttons(served, picked, key, why_not=why_not)
            st.download_button(
                "Download as YAML",
                documents.write(served).encode(),
                file_name=said.file_name(served.id),
                mime="text/yaml",
                on_click="ignore",
                icon=":material/download:",
                key=f"yaml-{key}",
            )
        st.html(f'<p class="ac-small">{esc(why_not or picked.line)}</p>{said.notes(system)}')
        if drawable(served):
            _curves(key, served, known)


def _serves(key: str, system: System, here: Desk, known: Choices) -> System:
    """The system under a name and a model that the reader may say better than the file."""
    with st.container(horizontal=True, key=f"named-{key}", vertical_alignment="bottom"):
        # The key follows the label, so that what is said of the accelerator shows in the field.
        name = st.text_input(
            "Its name", system.label, key=f"name-{here.drops}-{key}-{system.label}", max_chars=60, width=220
        )
        own = [] if system.model is None or system.model in known.systems else [system.model]
        options = [*known.systems, *own]
        usual = system.model if system.model in options else None

        def show(model: str) -> str:
            return f"{system.model_label or model} (as in the file)" if model in own else known.model_label(model)

        model = st.selectbox(
            "It serves",
            options,
            index=options.index(usual) if usual else None,
            format_func=show,
            key=f"model-{here.drops}-{key}",
            placeholder="The model of Compare",
            width=260,
            help="Systems are compared with others of the same model.",
        )
    label = known.model_label(model) if model in known.systems else None
    return measured.serving(system, model, label, _line(name))


def _load(key: str, system: System, here: Desk):
    """At which load it is compared; kept for this visit."""

    def changed(field: str, part: str) -> None:
        here.typed[f"{part}-{key}"] = st.session_state[field]

    at, tails = here.typed.get(f"at-{key}"), here.typed.get(f"tails-{key}")
    return of_systems.load(system, key, at, bool(tails), changed)


def _curves(key: str, system: System, known: Choices) -> None:
    line = (Line(system, system.label, "candidate"),)
    source = systems_said.source_line((system,), (system.label,))
    model = known.model_label(system.model) if system.model in known.systems else system.model_label
    with st.container(key=f"row-{key}"):
        for column, what in zip(st.columns(2, gap="large"), ("ttft", "speed"), strict=True):
            with column:
                drawing.show(drawing.under_load(line, what, source, model or ""), place=f"-{key}")
        text = systems_said.between_points(line[0])
        if text:
            st.html(f'<p class="ac-small">{esc(text)}</p>')


def _task(key: str, one: Found) -> None:
    task = one.task
    with st.container(border=True, key=f"card-{key}"):
        lines = f'<p class="ac-about">{esc(said.task_words(task))} From {esc(one.name)}.</p>'
        st.html(f'<h2 class="ac-finding">A task: {esc(task.name)}</h2>{lines}')
        with st.container(horizontal=True, key=f"do-{key}"):
            for page, label in (("compare", "Use this task in Compare"), ("build", "Open it in Build")):
                if st.button(label, key=f"{page}-{key}", type="primary" if page == "compare" else "secondary"):
                    using.open_task(task, page)


def _scenario(key: str, one: Found) -> None:
    with st.container(border=True, key=f"card-{key}"):
        line = f"From {one.name}. It takes the place of what is compared now."
        st.html(f'<h2 class="ac-finding">A scenario</h2><p class="ac-about">{esc(line)}</p>')
        if st.button("Open this scenario", key=f"open-{key}", type="primary"):
            session.open_scenario(one.scenario)
            using.show()


def example_note(here: Desk) -> None:
    if here.example:
        st.html(f'<p class="ac-notice ac-example" role="status">{esc(NOTE)}</p>')
