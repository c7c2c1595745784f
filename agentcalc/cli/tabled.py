"""An answer of sentences and one table, as text, JSON, CSV or Markdown."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from agentcalc import spreadsheets
from agentcalc.cli.layout import columns, paragraph
from agentcalc.cli.output import as_json
from agentcalc.markdown_text import safe

if TYPE_CHECKING:
    import pandas as pd


def written(
    form: str,
    *,
    title: str,
    lines: Iterable[str],
    rows: Sequence[Sequence[str]],
    right: Sequence[int],
    table: pd.DataFrame,
    data: dict[str, Any],
) -> str:
    """An answer in one of ``options.FORMATS``.

    title, lines: what it is about and its sentences, the first the answer; rows: cells of the table that people read,
    heads first; right: its columns of numbers; table: all numbers, for CSV; data: further keys of the JSON document,
    before "lines" and "rows".
    """
    said = [line for line in lines if line]
    if form == "json":
        return as_json({**data, "lines": said, "rows": records(table)})
    if form == "csv":
        return csv_text(table)
    if form == "markdown":
        return markdown(said, rows, right)
    parts = [paragraph(title), "\n".join(paragraph(line) for line in said), columns(rows, right=right)]
    return "\n\n".join(part for part in parts if part)


def records(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows as plain values; what is no number, or has no end, is null."""
    return [{key: _plain(value) for key, value in row.items()} for row in table.to_dict("records")]


def _plain(value: Any) -> Any:
    value = value.item() if hasattr(value, "item") else value
    return None if isinstance(value, float) and not math.isfinite(value) else value


def csv_text(table: pd.DataFrame) -> str:
    """CSV with a head line; empty cells where a number does not apply or has no end."""
    return spreadsheets.csv_text(list(table.columns), records(table))


def markdown(lines: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int]) -> str:
    """The answer in bold, the other sentences, and the table."""
    head, *rest = rows
    first, *others = [safe(line) for line in lines] or [""]
    found = [f"**{first}**", ""] if first else []
    found += [" ".join(others), ""] if others else []
    found.append(f"| {' | '.join(map(safe, head))} |")
    found.append("|" + "|".join("---:" if i in right else "---" for i in range(len(head))) + "|")
    found += [f"| {' | '.join(map(safe, row))} |" for row in rest]
    return "\n".join(found)


def ident(task) -> dict[str, Any]:
    """A task in a document's head."""
    return {"id": task.id, "name": task.name}


def comparison_data(comparison) -> dict[str, Any]:
    """What every JSON answer about a comparison says first."""
    systems = [{"id": system.id, "label": system.label, "grade": system.grade.value} for system in comparison.systems]
    return {
        "task": ident(comparison.task),
        "trials": comparison.n_trials,
        "seed": comparison.seed,
        "systems": systems,
        "warnings": list(comparison.warnings),
    }
