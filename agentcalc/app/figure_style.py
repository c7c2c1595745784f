"""What a reader sets on a figure in the dialog: axes, limits, unit, colours of systems. Kept for the visit, by kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from agentcalc.app.words import esc
from agentcalc.errors import AgentcalcError
from agentcalc.figures.figure import Figure
from agentcalc.figures.settable import Axis
from agentcalc.figures.style import PLAIN, UNITS, Style, style_of
from agentcalc.figures.theme import Look

_KEPT = "figures_style"
_SCALES = {"linear": "Linear", "log": "Logarithmic"}


def styled(figure: Figure, dark: bool) -> tuple[Figure, Style]:
    """The figure as it was set, below the controls that set it; as it is, with the reason, where that cannot be."""
    with st.expander("Axes and colours", key="figure-style"):
        _controls(figure, dark)
        try:
            style = style_of(**_kept(figure.kind))
            found = figure.styled(style)
            # A colour is tried on the scheme of the picture.
            _ = Look("app", dark, found.chosen).palette
        except AgentcalcError as error:
            st.html(f'<p class="ac-small" role="alert">{esc(error)}</p>')
            return figure, PLAIN
    return found, style


def _controls(figure: Figure, dark: bool) -> None:
    can = figure.settable()
    axes = [(letter, axis) for letter, axis in (("x", can.x), ("y", can.y)) if axis is not None]
    for letter, axis in axes:
        _axis(figure.kind, letter, axis)
    if any(axis.time for _, axis in axes):
        _kept_control(figure.kind, "unit", None, ["auto", *UNITS], lambda **k: st.selectbox("Unit of time", **k))
    palette = (Look("app", dark)).palette
    named = [one for one in can.names if one.what == "system" and one.slot]
    for column, one in zip(st.columns(max(len(named), 1)), named, strict=False):
        role = one.slot if one.slot in ("baseline", "candidate") else "other"
        with column:
            _colour(figure.kind, one.said, palette.system(role).upper(), dark)
    if not axes and not named:
        st.caption("This figure has no axis and no colour of a system to set.")


def _axis(kind: str, letter: str, axis: Axis) -> None:
    if axis.other:
        label, words = f"{'Across' if letter == 'x' else 'Up'}: {axis.what}", _SCALES
        options = [axis.scale, *(scale for scale in words if scale != axis.scale)]
        _kept_control(
            kind, f"{letter}_scale", axis.scale, options,
            lambda **k: st.segmented_control(label, format_func=words.get, required=True, **k),
        )  # fmt: skip
    if axis.limits:
        label = f"Limits {'across' if letter == 'x' else 'up'} ({axis.what})"
        _kept_control(
            kind, f"{letter}_limits", "", None, lambda **k: st.text_input(label, placeholder="low:high, 0:90", **k)
        )


def _kept(kind: str) -> dict[str, Any]:
    """Fields of the style of a kind."""
    found = st.session_state.setdefault(_KEPT, {}).get(kind, {})
    colours = {name: colour for (field, name), colour in found.items() if field == "colour"}
    fields = {field: value for (field, name), value in found.items() if field != "colour"}
    return fields | ({"colours": colours} if colours else {})


def _keep(kind: str, place: tuple[str, str], usual: Any, key: str) -> None:
    """Remembers a value that differs from the usual one, and forgets one that does not."""
    value = st.session_state[key]
    found = {at: kept for at, kept in st.session_state[_KEPT].get(kind, {}).items() if at != place}
    differs = value not in (None, "", "auto") and value != usual
    st.session_state[_KEPT] = st.session_state[_KEPT] | {kind: found | ({place: value} if differs else {})}


def _kept_control(kind: str, field: str, usual: Any, options: list[str] | None, control: Callable) -> None:
    """A control whose value is remembered, also while the dialog is closed."""
    key, place = f"style-{kind}-{field}", (field, "")
    kept = st.session_state.setdefault(_KEPT, {}).get(kind, {})
    st.session_state[key] = kept.get(place, "auto" if field == "unit" else usual)
    of = {} if options is None else {"options": options}
    control(key=key, on_change=_keep, args=(kind, place, usual, key), **of)


def _colour(kind: str, name: str, usual: str, dark: bool) -> None:
    key, place = f"style-{kind}-colour-{name}-{dark}", ("colour", name)
    st.session_state[key] = st.session_state[_KEPT].get(kind, {}).get(place, usual).lower()
    st.color_picker(name, key=key, on_change=_keep, args=(kind, place, usual.lower(), key))
