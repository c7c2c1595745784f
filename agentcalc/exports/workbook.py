"""A figure's numbers as a workbook (XLSX): a sheet of data, and one that says what they are and where they come from.

Written with XlsxWriter, which python-pptx needs anyway: it writes text as text when it is told to, where pandas would
let it read formulas, links and numbers into names that come from files and links of others.
"""

from __future__ import annotations

import io
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from agentcalc import spreadsheets
from agentcalc.errors import AgentcalcError
from agentcalc.exports.headings import headed
from agentcalc.figures.figure import Figure

if TYPE_CHECKING:
    from xlsxwriter.format import Format
    from xlsxwriter.worksheet import Worksheet

DATA, SOURCE = "Data", "Source"
MIME = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
WIDEST = 40
"""Characters of a column of data."""
SOURCE_WIDTHS = (14, 100)

AS_TEXT = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False, "in_memory": True}
"""Options of a workbook in which text stays text."""


def xlsx(figure: Figure, facts: Mapping[str, str | int] | None = None) -> bytes:
    """The table of a figure as a workbook, its units in the headings, and on a second sheet its title, sentence and
    source line with its assumptions and further facts, such as {"Seed": 7}.

    Cells without a number are empty; a number without an end is the text ``inf``, as in a CSV. Text that a spreadsheet
    would compute stays text, also after it was edited. Raises AgentcalcError for more than a sheet can hold.
    """
    from xlsxwriter import Workbook

    file = io.BytesIO()
    with Workbook(file, AS_TEXT) as book:
        book.set_properties({"title": figure.title, "subject": figure.subtitle, "comments": figure.source})
        bold, quoted = book.add_format({"bold": True}), book.add_format({"quote_prefix": True})
        wrapped = book.add_format({"text_wrap": True, "valign": "top", "align": "left", "quote_prefix": True})
        writing = Writing(figure.kind, quoted)
        _data(book.add_worksheet(DATA), figure, writing, bold)
        _source(book.add_worksheet(SOURCE), figure, facts or {}, writing, bold, wrapped)
    return file.getvalue()


class Writing:
    """Puts one value into one cell, as what it is."""

    def __init__(self, kind: str, quoted: Format):
        self.kind, self.quoted = kind, quoted

    def put(self, sheet: Worksheet, row: int, column: int, value: Any, form: Format | None = None) -> None:
        value = value.item() if hasattr(value, "item") else value
        if value is None or value == "" or (isinstance(value, float) and math.isnan(value)):
            return
        if isinstance(value, bool):
            left = sheet.write_boolean(row, column, value, form)
        elif isinstance(value, int | float) and math.isfinite(value):
            left = sheet.write_number(row, column, value, form)
        else:
            text = str(value)
            computed = spreadsheets.cell(text) != text
            left = sheet.write_string(row, column, text, self.quoted if computed and form is None else form)
        if left:
            raise AgentcalcError(f"The data of the figure {self.kind} does not fit a spreadsheet. Take it as CSV.")


def _data(sheet: Worksheet, figure: Figure, writing: Writing, bold: Format) -> None:
    table = headed(figure)
    heads = list(table.columns)
    for column, head in enumerate(heads):
        writing.put(sheet, 0, column, head, bold)
        values = table.iloc[:, column].tolist()
        for row, value in enumerate(values, 1):
            writing.put(sheet, row, column, value)
        texts = [len(value) for value in values if isinstance(value, str)]
        sheet.set_column(column, column, min(WIDEST, max([len(head), 9, *texts]) + 2))
    sheet.freeze_panes(1, 0)
    if heads and len(table):
        sheet.autofilter(0, 0, len(table), len(heads) - 1)


def _source(
    sheet: Worksheet, figure: Figure, facts: Mapping[str, str | int], writing: Writing, bold: Format, wrapped: Format
) -> None:
    said = {"Title": figure.title, "Sentence": figure.subtitle, "Source": figure.source, **facts}
    said |= {f"Assumption {i}": text for i, text in enumerate(figure.assumptions, 1)}
    for row, (name, value) in enumerate(said.items()):
        writing.put(sheet, row, 0, name, bold)
        writing.put(sheet, row, 1, value, wrapped)
    for column, width in enumerate(SOURCE_WIDTHS):
        sheet.set_column(column, column, width)
