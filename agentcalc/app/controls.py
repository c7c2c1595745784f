"""The controls: what to compare, by which statistic, and what if. Each writes to the scenario; none keeps its own."""

from __future__ import annotations

from functools import partial

import streamlit as st

from agentcalc import catalog
from agentcalc.analysis.headline import Headline
from agentcalc.analysis.naming import names
from agentcalc.app import calls, rests, session
from agentcalc.app import what_if as what_if_words
from agentcalc.app.choices import Choices
from agentcalc.app.held import held
from agentcalc.app.scenario import levers
from agentcalc.app.state import BY_LABEL, FACTORS, MOST_MORE, STATISTIC, UNCHANGED, WHAT_IFS, State
from agentcalc.app.words import plain_label
from agentcalc.results import Comparison
from agentcalc.task import Task
from agentcalc.units import show_ratio

LEVELS = (0.25, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7, 0.85, 1.0, 1.2, 1.4, 1.7, 2.0, 2.5, 2.8, 3.3, 4.0)
"""Stops of a what-if slider: near equal steps on a log scale, 1 in the middle."""

SHARES = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0)
"""Stops of the share of the starting context that is cached."""

MORE_WHAT_IFS = tuple(name for name in WHAT_IFS if name not in FACTORS)


def scenario(state: State, known: Choices, head: Headline | None) -> None:
    """Task, model, baseline, candidate, and the statistic with each one's own answer in its label."""
    systems = known.systems[state.model]
    # A model with one system has nothing to compare it with; a link may show it all the same.
    models = [model for model, those in known.systems.items() if len(those) > 1 or model == state.model]
    with st.container(horizontal=True, key="controls", vertical_alignment="bottom"):
        _select("Task", "task", state, list(known.tasks), lambda t: known.tasks[t].name, 225)
        _select("Model", "model", state, models, known.model_label, 150)
        called = dict(zip(systems, names(list(systems.values())), strict=True))
        _select("Baseline", "baseline", state, list(systems), called.get, 160)
        _swap_button(state)
        _select("Candidate", "candidate", state, list(systems), called.get, 150)
        _statistic(state, head)


def _select(label: str, part: str, state: State, options: list[str], show, width: int) -> None:
    key = held(f"pick_{part}", getattr(state, part))
    st.selectbox(label, options, key=key, format_func=show, width=width, on_change=_picked, args=(part, key))


def _picked(part: str, key: str) -> None:
    if st.session_state[key] is not None:
        session.change(**{part: st.session_state[key]})


def _statistic(state: State, head: Headline | None) -> None:
    def show(by: str) -> str:
        return f"{BY_LABEL[by]} {show_ratio(head.ratios[STATISTIC[by]])}" if head else BY_LABEL[by]

    key = held("pick_by", state.by)
    st.segmented_control(
        "Of all runs",
        list(BY_LABEL),
        key=key,
        format_func=show,
        on_change=_picked,
        args=("by", key),
        required=True,
    )


def what_if(state: State, now: Comparison, before: Comparison) -> None:
    """Sliders from a quarter to four times, each value now in its label, and before if it was moved; under More the
    context and the cache.
    """
    can = levers(before.task) | {"speed", "first"}

    def slider(name: str) -> None:
        label = what_if_words.label(name, now, before, state.statistic, moved=name in state.factors)
        _slider(name, state, before.task, label, disabled=name not in can)

    with st.container(key="whatif"):
        *columns, last = st.columns([4, 4, 4, 4, 4, 3], gap="medium", vertical_alignment="center")
        for column, name in zip(columns, FACTORS, strict=True):
            with column:
                slider(name)
        with last, st.container(key="whatif-back", gap="xsmall"):
            moved = sum(name in state.factors for name in MORE_WHAT_IFS)
            with st.popover(f"More: {moved} changed" if moved else "More", key="what_if_more"):
                for name in MORE_WHAT_IFS:
                    slider(name)
            st.button("Back to the start", on_click=_reset, type="tertiary", disabled=not state.factors, key="reset")


def more_systems(state: State, known: Choices) -> None:
    """A button to add further systems of the model to the figures and the table; the sentence stays about the pair."""
    systems = known.systems[state.model]
    others = [name for name in systems if name not in (state.baseline, state.candidate)]
    if not others:
        return
    called = dict(zip(systems, names(list(systems.values())), strict=True))
    label = f"More systems: {len(state.more)}" if state.more else "More systems"
    with st.popover(label, icon=":material/add:", key="more_systems"):
        key = held("pick_more", list(state.more))
        st.multiselect(
            "Also show",
            others,
            key=key,
            format_func=called.get,
            max_selections=MOST_MORE,
            on_change=_picked_more,
            args=(key,),
            placeholder="Choose systems",
        )


def _picked_more(key: str) -> None:
    session.change(more=tuple(st.session_state[key]))


def what_if_switch(state: State) -> None:
    """The button that opens and closes the sliders. Closing keeps what they changed; the answer says so."""
    st.button("What if", icon=":material/tune:", shortcut="W", key="what_if", on_click=_switch_what_if, args=(state,))


def what_if_open(state: State) -> bool:
    """Whether the sliders show: once opened, or from the start when a link brings factors."""
    return st.session_state.setdefault("what_if_open", bool(state.factors))


def _switch_what_if(state: State) -> None:
    st.session_state["what_if_open"] = not what_if_open(state)


def racing() -> bool:
    """Whether the race stands in place of the answer."""
    return st.session_state.get("racing", False)


def race_switch() -> None:
    """The button that starts the race and leads back from it."""
    label, icon = ("Back to the answer", "arrow_back") if racing() else ("Watch the race", "play_arrow")
    st.button(label, icon=f":material/{icon}:", shortcut="P", type="primary", key="race_switch", on_click=_switch_race)


def _switch_race() -> None:
    st.session_state["racing"] = not racing()


def _swap_button(state: State) -> None:
    st.button("Swap", icon=":material/swap_horiz:", shortcut="S", key="swap", on_click=_swap, args=(state,))


def _swap(state: State) -> None:
    session.change(baseline=state.candidate, candidate=state.baseline)


def another_run(shown: int, trials: int) -> None:
    """The button that shows the next run."""
    st.button(
        "Another run", icon=":material/casino:", shortcut="N", key="another", on_click=_next_run, args=(shown, trials)
    )


def _next_run(shown: int, trials: int) -> None:
    session.change(run=(shown + 1) % trials)


def rests_on(found: Comparison, head: Headline, by: str) -> None:
    """A button that says the weakest grade and the band, and opens every number with its source."""
    with st.popover(
        plain_label(rests.chip(found, head)), icon=":material/info:", key="rests", on_change="rerun"
    ) as opened:
        if opened.open:
            find = partial(catalog.source, of=found.task)
            st.html(rests.details(found, calls.effects(found, by), find))


def _reset(*which: str) -> None:
    session.change(**{name: UNCHANGED[name] for name in which or WHAT_IFS})


def _slider(name: str, state: State, task: Task, label: str, *, disabled: bool) -> None:
    """A slider, and beside it, once it was moved, a button that puts it back."""
    value, levels = getattr(state, name), LEVELS
    if name == "cached":
        own = task.starts_cached / task.context_tokens if task.context_tokens else 1.0
        value, levels = round(own if value is None else value, 4), SHARES
    key = held(f"factor_{name}", value)
    help_text = "This task has nothing of it to change." if disabled else None
    with st.container(horizontal=True, vertical_alignment="center", gap=None, key=f"lever_{name}"):
        st.select_slider(
            plain_label(label),
            sorted({*levels, value}),
            key=key,
            format_func=partial(what_if_words.shown, name),
            on_change=_picked,
            args=(name, key),
            disabled=disabled,
            help=help_text,
        )
        if name in state.factors:
            back = f"{plain_label(label.partition(':')[0])} back to the start"
            st.button(back, icon=":material/undo:", type="tertiary", key=f"undo_{name}", on_click=_reset, args=(name,))
