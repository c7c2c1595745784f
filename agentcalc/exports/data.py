"""A figure's numbers as CSV, under the headings of the workbook.

A CSV has no place for more than its table: a reader takes a line above it for the heads. So what the numbers are stands
there only on request, behind ``#``; of itself it stands in the workbook.
"""

from __future__ import annotations

from collections.abc import Mapping

from agentcalc import spreadsheets
from agentcalc.exports.headings import headed
from agentcalc.figures.figure import Figure


def csv(figure: Figure, facts: Mapping[str, str | int] | None = None, *, comments: bool = False) -> str:
    """The table of a figure. comments: title, sentence, source line, assumptions and facts, such as {"Seed": 7}, stand
    above it, a line each behind ``# ``.
    """
    table = spreadsheets.table_csv(headed(figure))
    if not comments:
        return table
    said = [("Title", figure.title), ("Sentence", figure.subtitle), ("Source", figure.source), *(facts or {}).items()]
    said += [("Assumption", text) for text in figure.assumptions]
    lines = [f"# {name}: {' '.join(str(value).splitlines())}\n" for name, value in said]
    return "".join([*lines, table])
