"""Figures as one ZIP: each as PNG, SVG and PDF, and its numbers as CSV and XLSX."""

from __future__ import annotations

import datetime as dt
import io
import zipfile
from collections.abc import Callable, Mapping, Sequence

from agentcalc import spreadsheets
from agentcalc.exports.images import pdf, png, svg
from agentcalc.exports.workbook import xlsx
from agentcalc.figures.figure import Figure

ENDINGS = ("png", "svg", "pdf", "csv", "xlsx")


def bundle(
    figures: Sequence[Figure],
    size: str = "full",
    dark: bool = False,
    progress: Callable[[int, int], None] | None = None,
    facts: Mapping[str, str | int] | None = None,
) -> bytes:
    """The figures as a ZIP of files named by their kind. progress: called with figures done and in all; facts: what
    the workbooks say beside title and source, such as {"Seed": 7}.

    Raises AgentcalcError when one cannot be drawn.
    """
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for done, figure in enumerate(figures, 1):
            files = (
                png(figure, size, dark),
                svg(figure, size, dark),
                pdf(figure, size, dark),
                spreadsheets.table_csv(figure.table),
                xlsx(figure, facts),
            )
            for ending, data in zip(ENDINGS, files, strict=True):
                packed.writestr(_entry(f"{figure.kind}.{ending}"), data)
            if progress:
                progress(done, len(figures))
    return file.getvalue()


def _entry(name: str) -> zipfile.ZipInfo:
    """Two bundles of the same figures differ only in the day they were made."""
    entry = zipfile.ZipInfo(name, dt.date.today().timetuple()[:6])
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    return entry
