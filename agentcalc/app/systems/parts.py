"""The pieces of the page: choices, the curve, the panel of one system, and who finishes one call first."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import islice
from pathlib import Path

import streamlit as st

from agentcalc.analysis.naming import names as tell_apart
from agentcalc.app import session, shell
from agentcalc.app.choices import Choices
from agentcalc.app.state import State
from agentcalc.app.systems import calling, drawing, picking, said, using
from agentcalc.app.systems.picking import Picked
from agentcalc.app.systems.view import BASES, CURVES, MOST_TOKENS, MTP, View
from agentcalc.app.words import caveat_line, esc, plain_label
from agentcalc.errors import InputError
from agentcalc.figures.load_curve import Line, drawable

STYLE = Path(__file__).with_name("systems.css")

_OF_A_MODEL = dict.fromkeys(("system", "at", "tails", "against"))
"""Parts of the address that another model empties."""

MOST_LINES = 4
"""Systems drawn at once: more lines would cross unread."""


def called(state: State, known: Choices) -> dict[str, str]:
    """The systems of the model by name, each as sentences call it."""
    systems = known.systems[state.model]
    return dict(zip(systems, tell_apart(list(systems.values())), strict=True))


def choices(state: State, known: Choices, view: View, names: dict[str, str]) -> None:
    """Model, kind of prediction, and the system that the panel is about."""
    with st.container(horizontal=True, key="systems_choices", vertical_alignment="bottom"):
        st.session_state["systems_model"] = state.model
        st.selectbox(
            "Model",
            list(known.systems),
            key="systems_model",
            format_func=known.model_label,
            width=180,
            on_change=_model,
        )
        if len({bool(system.mtp) for system in known.systems[state.model].values()}) > 1:
            st.session_state["systems_mtp"] = view.mtp
            _switch("Tokens predicted at once", "systems_mtp", MTP, "mtp", "all")
        st.session_state["systems_name"] = view.name
        st.selectbox(
            "System",
            list(view.systems),
            key="systems_name",
            format_func=names.get,
            width=260,
            on_change=_name,
            args=(view,),
        )


def _switch(label: str, key: str, options: dict[str, str], part: str, usual: str) -> None:
    st.segmented_control(
        label,
        list(options),
        key=key,
        format_func=options.get,
        required=True,
        on_change=_switched,
        args=(key, part, usual),
    )


def _switched(key: str, part: str, usual: str) -> None:
    value = st.session_state[key]
    session.change_parts(**{part: None if value == usual else value})


def _model() -> None:
    # Looking around leaves the scenario of the other pages as it is.
    model = st.session_state["systems_model"]
    session.change_parts(of=None if model == session.state().model else model, **_OF_A_MODEL)


def follow(state: State, linked: bool) -> None:
    """Another model in the scenario, chosen on another page, is what this page is about too. linked: the address says
    itself what to show.
    """
    if not linked and st.session_state.get("systems_scenario", state.model) != state.model:
        session.change_parts(of=None, **_OF_A_MODEL)
    st.session_state["systems_scenario"] = state.model


def _name(view: View) -> None:
    # The filter, which a link to a system may have opened, stays as it is shown.
    mtp = None if view.mtp == "all" else view.mtp
    session.change_parts(system=st.session_state["systems_name"], mtp=mtp, at=None, tails=None, against=None)


def curve(state: State, view: View, names: dict[str, str], model: str) -> None:
    """Speed against work per kilowatt, or first token and speed over the load, of systems that have such points; what
    is missing, where none has.
    """
    works = {basis: _lines(state, view, names, partial(drawing.has_work, basis=basis)) for basis in BASES}
    loads = _lines(state, view, names, lambda line: drawable(line.system))
    known = {"work": any(works.values()), "load": bool(loads)}
    if not any(known.values()):
        _no_curve(view)
        return
    shown = view.curve if known.get(view.curve) else next(kind for kind in CURVES if known[kind])
    with st.container(horizontal=True, key="curve_choices", vertical_alignment="bottom"):
        if all(known.values()):
            st.session_state["systems_curve"] = shown
            _switch("Curve", "systems_curve", CURVES, "curve", "work")
        basis = view.per if works[view.per] else next((basis for basis in BASES if works[basis]), "tdp")
        if shown == "work" and all(works.values()):
            st.session_state["systems_per"] = basis
            _switch("Per kilowatt of", "systems_per", BASES, "per", "tdp")
    if shown == "work":
        lines = works[basis]
        work = said.work_line([line.system for line in lines], [line.name for line in lines], basis)
        drawing.show(drawing.work(lines, basis, f"{_source(lines)} {work}", model))
        if not all(works.values()):
            st.html(f'<p class="ac-small">{esc(said.ONE_BASIS)}</p>')
        return
    for what in ("ttft", "speed"):
        drawing.show(drawing.under_load(loads, what, _source(loads), model))
    checked = "".join(f'<p class="ac-small">{esc(text)}</p>' for text in map(said.between_points, loads) if text)
    if checked:
        st.html(checked)


def _source(lines: tuple[Line, ...]) -> str:
    return said.source_line([line.system for line in lines], [line.name for line in lines])


def _no_curve(view: View) -> None:
    measured = any(said.is_measured(system) for system in view.systems.values())
    with st.container(key="systems_empty"):
        st.html(f'<p class="ac-empty">{esc(said.ONE_POINT if measured else said.NO_CURVE)}</p>')
        if st.button("Import a benchmark", key="go_import", icon=":material/upload_file:"):
            using.show("import_")


def _lines(state: State, view: View, names: dict[str, str], wanted: Callable[[Line], bool]) -> tuple[Line, ...]:
    """Systems to draw, four at most: the one of the panel, the pair of Compare, then those that write fastest."""
    fastest = sorted(view.systems, key=lambda name: -said.speed(view.systems[name]))
    order = dict.fromkeys((view.name, state.candidate, state.baseline, *fastest))
    role = {state.baseline: "baseline", state.candidate: "candidate"}
    lines = (Line(view.systems[n], names[n], role.get(n, "other")) for n in order if n in view.systems)
    return tuple(islice(filter(wanted, lines), MOST_LINES))


def panel(state: State, view: View, names: dict[str, str]) -> None:
    """One system: at which load, every number it has there, and buttons that compare it so."""
    name = names[view.name]
    st.html(f'<h2 class="ac-finding ac-panel-name">{esc(name)}</h2>')
    picked = load(view.system, "systems", view.at, view.tails, _load_changed)
    use_buttons(view.system, picked, "systems", known_as=(state.model, view.name))
    st.html(said.panel(picked, name))


def load(system, key: str, at: int | None, tails: bool, changed: Callable[[str, str], None]) -> Picked:
    """Controls of the load and of tails, where something was measured to choose from; what they pick."""
    ends, varies = picking.loads(system), picking.has_tails(system)
    if ends is not None or varies:
        with st.container(horizontal=True, key=f"{key}_load", vertical_alignment="bottom"):
            if ends is not None:
                low, high = ends
                usual = system.point.concurrency or low
                st.session_state[f"{key}_at"] = min(max(usual if at is None else at, low), high)
                between = "or between" if picking.interpolable(system) else "no value between"
                st.number_input(
                    "Requests at once",
                    min_value=low,
                    max_value=high,
                    step=1,
                    key=f"{key}_at",
                    width=150,
                    help=f"Measured at {', '.join(f'{p.concurrency:,}' for p in system.curve[:20])}; {between}.",
                    on_change=changed,
                    args=(f"{key}_at", "at"),
                )
            if varies:
                st.session_state[f"{key}_tails"] = tails
                st.toggle(
                    "Calls vary as measured",
                    key=f"{key}_tails",
                    on_change=changed,
                    args=(f"{key}_tails", "tails"),
                    help="Each call draws its own first token and speed, from the measured median and p99.",
                )
    picked = picking.pick(system, at, tails)
    if picked.wrong:
        st.html(f'<p class="ac-notice" role="status">{esc(picked.wrong)}</p>')
    return picked


def _load_changed(key: str, part: str) -> None:
    value = st.session_state[key]
    text = {True: "1", False: None, None: None}.get(value, str(value)) if part == "tails" else value and str(value)
    session.change_parts(**{part: text})


def use_buttons(system, picked: Picked, key: str, known_as: tuple[str, str] | None = None, why_not: str = "") -> None:
    """Buttons that compare what was picked. known_as: (model, name) of the system where it can be chosen as it is."""
    with st.container(horizontal=True, key=f"{key}_use", width="content"):
        for side in ("baseline", "candidate"):
            pressed = st.button(
                f"Use as {side}", key=f"{key}_{side}", disabled=bool(why_not), help=why_not or None, width="content"
            )
            if not pressed:
                continue
            try:
                if known_as is not None and picked.system is system:
                    using.choose(*known_as, side)
                else:
                    using.add(picked.system, side)
            except InputError as error:
                shell.notice((str(error),))
            else:
                using.show()


def one_call(state: State, known: Choices, view: View, names: dict[str, str], model: str) -> None:
    """Who finishes one call first, of the panel's system and another one, at a prompt and an answer."""
    systems = known.systems[state.model]
    with st.container(key="systems_call"):
        st.html('<h2 class="ac-finding">Who finishes one call first?</h2>')
        with st.container(horizontal=True, key="call_controls", vertical_alignment="bottom"):
            _tokens("Prompt, fresh tokens", "prompt", view.prompt)
            _tokens("Answer, tokens", "answer", view.answer)
            others = [name for name in systems if name != view.name]
            if others:
                st.session_state["systems_against"] = view.against
                st.selectbox(
                    f"{plain_label(names[view.name])} against",
                    others,
                    key="systems_against",
                    format_func=names.get,
                    width=220,
                    on_change=_against,
                )
        if not others:
            st.html(f'<p class="ac-empty">{esc("No other system of this model is known.")}</p>')
            return
        pair = _pair(state, view)
        both = tuple(_at(view, name, systems[name]) for name in pair)
        shown = tell_apart(both)
        found = calling.one_call(*both, shown, view.prompt, view.answer)
        lines = f'<p class="ac-why">{esc(found.title)}</p><p class="ac-so">{esc(found.why)}</p>'
        st.html(f'<div role="status">{lines}{caveat_line(both)}</div>')
        drawing.show(drawing.one_call(both, shown, view.prompt, said.source_line(both, shown), model), place="-systems")


def _pair(state: State, view: View) -> tuple[str, str]:
    """Baseline and candidate of a call, by name: as on Compare where they stand there, else the panel's is ours."""
    if state.candidate == view.against or state.baseline == view.name:
        return view.name, view.against
    return view.against, view.name


def _at(view: View, name: str, system):
    return picking.pick(system, view.at).system if name == view.name else system


def _tokens(label: str, part: str, value: int) -> None:
    key = f"systems_{part}"
    st.session_state[key] = value
    st.number_input(
        label, min_value=1, max_value=MOST_TOKENS, step=1, key=key, width=170, on_change=_typed, args=(key, part)
    )


def _typed(key: str, part: str) -> None:
    value = st.session_state[key]
    session.change_parts(**{part: None if value is None else str(value)})


def _against() -> None:
    session.change_parts(against=st.session_state["systems_against"])
