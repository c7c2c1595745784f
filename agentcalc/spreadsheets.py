"""Text that a spreadsheet opens as text.

A cell that begins with ``=``, ``+``, ``-`` or ``@`` is a formula to spreadsheets, wherever the file comes from. Names
come from files and links of others, so an apostrophe is put before such a text; a number stays a number.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def cell(value: Any) -> Any:
    """The value; a text that a spreadsheet would compute comes back behind an apostrophe."""
    if not isinstance(value, str) or not value.startswith(_FORMULA):
        return value
    try:
        float(value)
    except ValueError:
        return "'" + value
    return value


def csv_text(heads: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """CSV with a head line; None is an empty cell. Raises ValueError for a row with a key that is no head."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([cell(head) for head in heads])
    for row in rows:
        if unknown := row.keys() - set(heads):
            raise ValueError(f"no head for {sorted(unknown)}")
        writer.writerow([cell(row.get(head, "")) for head in heads])
    return text.getvalue()


def table_csv(table: pd.DataFrame) -> str:
    """A table of a figure as CSV, without its index."""
    return table.map(cell).rename(columns=cell).to_csv(index=False)
