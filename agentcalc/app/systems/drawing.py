"""The figures of the page, kept: they depend on systems alone."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np
import streamlit as st

from agentcalc.accelerators import Basis
from agentcalc.analysis.energy import rates
from agentcalc.app import pictures
from agentcalc.app.keeping import Keeping
from agentcalc.app.systems import taking
from agentcalc.app.words import esc
from agentcalc.figures import break_even, load_curve, operating_points
from agentcalc.figures.figure import Figure
from agentcalc.figures.load_curve import Line, What
from agentcalc.figures.words import About
from agentcalc.system import System

_figures, _pictures = Keeping(256), Keeping(128)


def under_load(lines: tuple[Line, ...], what: What, source: str, model: str) -> tuple[Hashable, Figure]:
    """The curve of a quantity over concurrency, under the key that it is kept by. Some line must have a curve."""
    key = ("load", lines, what)
    return key, _figures.get(key, lambda: load_curve.figure(lines, what, source, model))


def has_work(line: Line, basis: Basis) -> bool:
    """Whether speed and work per kilowatt on a basis are both known at some point of a system."""
    key = ("work", line.system, basis)
    return _figures.get(key, lambda: any(rate.speed is not None for rate in rates(line.system, basis)))


def work(lines: tuple[Line, ...], basis: Basis, source: str, model: str) -> tuple[Hashable, Figure]:
    """Speed for one user against work per kilowatt. Of some line both must be known."""
    key = ("operating points", lines, basis)
    return key, _figures.get(key, lambda: operating_points.figure(lines, source, basis, model))


def one_call(
    pair: tuple[System, System], names: tuple[str, str], prompt: int, source: str, model: str
) -> tuple[Hashable, Figure]:
    """Which of two finishes a call first by the length of its answer."""
    key = ("call", pair, names, prompt)

    def make() -> Figure:
        about = About(model, None, 1, source)
        return break_even.figure(*pair, float(prompt), np.array([]), about, names)

    return key, _figures.get(key, make)


def show(kept: tuple[Hashable, Figure], *, heading: bool = True, place: str = "") -> None:
    """A figure with its words and numbers. place: tells it from the same kind elsewhere on the page."""
    key, figure = kept
    dark, name = pictures.dark(), f"{figure.kind}{place}"
    spec = _pictures.get((key, dark), lambda: figure.chart("app", dark).to_dict(validate=False))
    with st.container(key=f"figure-{name}"):
        if heading:
            st.html(f'<h2 class="ac-finding">{esc(figure.title)}</h2>')
        st.html(f'<p class="ac-about">{esc(figure.subtitle)}</p>')
        st.vega_lite_chart(spec=spec, theme=None, width="stretch", key=f"chart-{name}", alt=figure.alt_text)
        st.html(f'<p class="ac-source">{esc(figure.source)}</p>')
        taking.popover(figure, name)
        with st.expander("See the numbers", key=f"numbers-{name}", on_change="rerun") as numbers:
            if numbers.open:
                st.dataframe(figure.table, hide_index=True, width="stretch")
