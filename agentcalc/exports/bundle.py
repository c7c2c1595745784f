"""Figures as many files or as one ZIP: each as PNG, SVG and PDF, and its numbers as CSV and XLSX."""

from __future__ import annotations

import datetime as dt
import io
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence

from agentcalc.exports.data import csv
from agentcalc.exports.images import PNG_SCALE, pdf, png, svg
from agentcalc.exports.workbook import xlsx
from agentcalc.figures.figure import Figure

ENDINGS = ("png", "svg", "pdf", "csv", "xlsx")

Facts = Mapping[str, str | int]


def files(
    figure: Figure,
    size: str = "full",
    dark: bool = False,
    facts: Facts | None = None,
    *,
    scale: int = PNG_SCALE,
    assumptions: bool = False,
) -> Iterator[tuple[str, bytes]]:
    """Each ending with the file of it. facts: what the workbook says beside title and source, such as {"Seed": 7};
    scale: of the PNG; assumptions: listed in the pictures too, not only in the workbook. Raises AgentcalcError when it
    cannot be drawn.
    """
    shown = figure.with_assumptions if assumptions else figure
    yield "png", png(shown, size, dark, scale)
    yield "svg", svg(shown, size, dark).encode()
    yield "pdf", pdf(shown, size, dark)
    yield "csv", csv(figure).encode()
    yield "xlsx", xlsx(figure, facts)


def bundle(
    figures: Sequence[Figure],
    size: str = "full",
    dark: bool = False,
    progress: Callable[[int, int], None] | None = None,
    facts: Facts | None = None,
) -> bytes:
    """The figures as a ZIP of files named by their kind. progress: called with figures done and in all; facts: as of
    :func:`files`. Raises AgentcalcError when one cannot be drawn.
    """

    def every() -> Iterator[tuple[str, bytes]]:
        for done, figure in enumerate(figures, 1):
            for ending, data in files(figure, size, dark, facts):
                yield f"{figure.kind}.{ending}", data
            if progress:
                progress(done, len(figures))

    return packed(every())


def packed(named: Iterator[tuple[str, bytes]]) -> bytes:
    """Files with their names as a ZIP."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name, data in named:
            zipped.writestr(_entry(name), data)
    return file.getvalue()


def _entry(name: str) -> zipfile.ZipInfo:
    """Two bundles of the same figures differ only in the day they were made."""
    entry = zipfile.ZipInfo(name, dt.date.today().timetuple()[:6])
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    return entry
