"""The files that a figure is taken away as: one button a kind, each made when it is wanted."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from agentcalc import exports
from agentcalc.defaults import SEED
from agentcalc.exports import workbook
from agentcalc.exports.images import PNG_SCALE
from agentcalc.figures.figure import Figure
from agentcalc.results import Comparison

Facts = dict[str, str | int]
"""What a workbook says of its numbers beside title, sentence and source line."""


def facts(found: Comparison, run: int | None = None) -> Facts:
    """Runs and seed of a comparison, and the run shown."""
    said: Facts = {"Runs": found.n_trials, "Seed": found.seed}
    return said if run is None else said | {"Run shown": run}


def seeded() -> Facts:
    """Of an answer whose runs stand in its source line."""
    return {"Seed": SEED}


def made_by(command: str | None) -> Facts:
    """The command that gives the figure again, where there is one."""
    return {"Command": command} if command else {}


def buttons(
    figure: Figure, size: str, dark: bool, stem: str, about: Facts, key: Callable[[str], str], scale: int = PNG_SCALE
) -> None:
    """One download button a kind of file. stem: of the files' names; about: further facts for the workbook; key: of
    the button of an ending; scale: of the PNG.
    """
    kinds = (
        ("PNG", "png", "image/png", lambda: exports.png(figure, size, dark, scale)),
        ("SVG", "svg", "image/svg+xml", lambda: exports.svg(figure, size, dark).encode()),
        ("PDF", "pdf", "application/pdf", lambda: exports.pdf(figure, size, dark)),
        ("HTML", "html", "text/html", lambda: exports.page(figure, size, dark).encode()),
        ("Data (CSV)", "csv", "text/csv", lambda: exports.csv(figure).encode()),
        ("Data (XLSX)", "xlsx", workbook.MIME, lambda: workbook.xlsx(figure, about)),
    )
    for label, ending, mime, make in kinds:
        st.download_button(label, make, file_name=f"{stem}.{ending}", mime=mime, on_click="ignore", key=key(ending))
