"""Where the cells of Build's table are on the screen, and what they say."""

from __future__ import annotations

from contextlib import suppress

from driving import Watched
from playwright.sync_api import TimeoutError

from agentcalc.app.build.columns import BY_NAME

ROW_PX, HEAD_PX = 35, 36
"""Height of a row of Streamlit's table, and of its head."""

PICK_PX = 32
FIRST_PX = {"Step": 84, "Kind": 84, "Inside": 82}
"""Widths of the columns that hold no amounts."""

YAML = ".st-key-build_yaml textarea"
"""The field that holds the table's task as YAML."""

CELLS = """() => [...document.querySelectorAll('[data-testid=stDataFrame] table tr')]
  .map(row => [...row.querySelectorAll('th, td')].map(cell => cell.innerText))"""
"""What the table says to those who do not see it: its head, and its rows."""


FIELD = "#portal textarea"
"""The field of a cell that is open."""

TRIES, TRY_MS = 6, 6_000
"""How often a click is tried, and how long its effect may take on a busy machine."""

CHOSEN = """row => {
  const cell = document.activeElement;
  if (cell.matches('#portal textarea')) return true;
  return cell.matches('[role=gridcell][aria-selected=true]') && cell.id.split('-').at(-1) === row;
}"""
"""True while a cell of a row is chosen and has the focus, or its field has: a cell that was chosen before is opened."""


def cells(app: Watched) -> list[list[str]]:
    """The head of the table, and its rows."""
    app.page.wait_for_function(f"() => ({CELLS})().length > 1")
    return app.page.evaluate(CELLS)


def choose(app: Watched, row: int, column: str) -> None:
    """Returns once a click on a cell has chosen it and given it the keys; one that a late frame undid is made again."""
    for _ in range(TRIES):
        app.page.mouse.click(*place(app, row, column))
        with suppress(TimeoutError):
            app.page.wait_for_function(CHOSEN, arg=str(row), timeout=TRY_MS)
            return
    raise AssertionError(f"cell {column} of row {row} could not be chosen")


def double_click(app: Watched, row: int, column: str) -> None:
    """Returns once a double click has opened the field of a cell.

    By the clock of the table: two clicks are no double click where the browser came late to the second.
    """
    for _ in range(TRIES):
        app.page.mouse.dblclick(*place(app, row, column))
        with suppress(TimeoutError):
            app.page.locator(FIELD).wait_for(timeout=TRY_MS)
            return
    raise AssertionError(f"cell {column} of row {row} could not be opened")


def place(app: Watched, row: int, column: str) -> tuple[float, float]:
    """The middle of a cell on the screen; room that is left over is shared out evenly among the columns."""
    titles, *rows = cells(app)
    deepest = max(row_cells[0].count("\u2003") for row_cells in rows)
    amounts = {held.title: held.width for held in BY_NAME.values()}
    widths = [36 + 14 * deepest, PICK_PX, *((FIRST_PX | amounts)[title] for title in titles[2:])]
    title = BY_NAME[column].title if column in BY_NAME else {"name": "Step"}.get(column)
    at = 1 if title is None else titles.index(title)
    table = app.page.get_by_test_id("stDataFrame").first.bounding_box()
    more = max(0.0, table["width"] - 2 - sum(widths)) / len(widths)
    x = sum(width + more for width in widths[:at]) + (widths[at] + more) / 2
    return table["x"] + 1 + x, table["y"] + HEAD_PX + ROW_PX * (row + 0.5)
