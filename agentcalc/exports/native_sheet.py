"""The workbook inside a native chart: a sheet of numbers that its series point to, and one that says what they are."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from agentcalc.exports.native_ground import writable
from agentcalc.exports.workbook import AS_TEXT, DATA, SOURCE, SOURCE_WIDTHS, Writing
from agentcalc.figures.figure import Figure


@dataclass(frozen=True)
class Column:
    """A column of the sheet: numbers (None: an empty cell) or texts, under a heading."""

    letter: str
    heading: str
    values: tuple

    @property
    def named(self) -> str:
        """``c:tx`` of a series: its name is the column's heading."""
        cell = f"<c:f>{DATA}!${self.letter}$1</c:f>"
        cache = f'<c:strCache><c:ptCount val="1"/>{_point(0, self.heading)}</c:strCache>'
        return f"<c:tx><c:strRef>{cell}{cache}</c:strRef></c:tx>"

    def numbers(self, tag: str) -> str:
        """Numbers of a series; tag: ``c:val``, ``c:xVal`` or ``c:yVal``."""
        points = "".join(_point(i, repr(float(v))) for i, v in enumerate(self.values) if v is not None)
        inside = f'<c:formatCode>General</c:formatCode><c:ptCount val="{len(self.values)}"/>{points}'
        return f"<{tag}><c:numRef><c:f>{self._cells}</c:f><c:numCache>{inside}</c:numCache></c:numRef></{tag}>"

    @property
    def categories(self) -> str:
        """``c:cat`` of a series."""
        points = "".join(_point(i, str(v)) for i, v in enumerate(self.values))
        inside = f'<c:ptCount val="{len(self.values)}"/>{points}'
        return f"<c:cat><c:strRef><c:f>{self._cells}</c:f><c:strCache>{inside}</c:strCache></c:strRef></c:cat>"

    @property
    def _cells(self) -> str:
        return f"{DATA}!${self.letter}$2:${self.letter}${len(self.values) + 1}"


class Sheet:
    """Columns of a chart, in the order in which they are added."""

    def __init__(self) -> None:
        self.columns: list[Column] = []

    def add(self, heading: str, values: Sequence) -> Column:
        """A further column. Numbers that are not finite become empty cells."""
        clean = tuple(None if isinstance(v, float) and not math.isfinite(v) else v for v in values)
        self.columns.append(Column(_letter(len(self.columns)), writable(heading), clean))
        return self.columns[-1]

    def xlsx(self, figure: Figure) -> bytes:
        """The workbook; texts stay texts, whatever they begin with. Raises AgentcalcError for more than it can hold."""
        from xlsxwriter import Workbook

        file = io.BytesIO()
        with Workbook(file, AS_TEXT) as book:
            book.set_properties({"title": figure.title, "subject": figure.subtitle, "comments": figure.source})
            bold, quoted = book.add_format({"bold": True}), book.add_format({"quote_prefix": True})
            writing, sheet = Writing(figure.kind, quoted), book.add_worksheet(DATA)
            for number, column in enumerate(self.columns):
                writing.put(sheet, 0, number, column.heading, bold)
                for row, value in enumerate(column.values, 1):
                    writing.put(sheet, row, number, value)
                sheet.set_column(number, number, min(40, max(12, len(column.heading) + 2)))
            said = book.add_worksheet(SOURCE)
            wrapped = book.add_format({"text_wrap": True, "valign": "top", "quote_prefix": True})
            words = {"Title": figure.title, "Sentence": figure.subtitle, "Source": figure.source}
            for row, (name, value) in enumerate(words.items()):
                writing.put(said, row, 0, name, bold)
                writing.put(said, row, 1, value, wrapped)
            for number, width in enumerate(SOURCE_WIDTHS):
                said.set_column(number, number, width)
        return file.getvalue()


def _letter(index: int) -> str:
    return (_letter(index // 26 - 1) if index >= 26 else "") + chr(65 + index % 26)


def _point(index: int, value: str) -> str:
    return f'<c:pt idx="{index}"><c:v>{escape(writable(value))}</c:v></c:pt>'
