"""Typing into Build's table, in a browser that is too busy to draw at once: every edit is taken, however it is made."""

from __future__ import annotations

import re
import time

import pytest
from build_table import CELLS, FIELD, YAML, cells, choose, double_click, place
from driving import Watched
from playwright.sync_api import Page, Route, expect

from agentcalc.app.build.columns import BY_NAME

pytestmark = pytest.mark.browser

LATE_MS = 120
"""How much later than asked for every frame comes."""

LATE = f"""{{
  const frame = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (then) => frame(() => setTimeout(() => then(performance.now()), {LATE_MS}));
}}"""

ADDED = (
    ("parallel", 0, "times", "3", "width"),
    ("parallel of tools", 1, "wait", "7 s", "seconds"),
    ("loop", 0, "times", "5", "times"),
    ("retry", 0, "chance", "20%", "failure_probability"),
    ("tool", 0, "wait", "9 s", "seconds"),
    ("person", 0, "wait", "8 s", "seconds"),
    ("model call", 0, "out", "6", "output_tokens"),
    ("compact", 0, "out", "4", "to_tokens"),
)
"""What is added, the row of it that is edited, the column, what is typed, and the key of a file that holds it."""


def _open(app: Watched, path: str = "/build?task=chat-turn") -> Page:
    app.page.set_viewport_size({"width": 1280, "height": 1000})
    app.page.add_init_script(LATE)
    return app.open(path)


def _add(app: Watched, kind: str) -> int:
    """The number of the new row."""
    before = len(cells(app))
    app.page.get_by_role("button", name="Add a step").click()
    app.page.get_by_text(kind, exact=True).last.click()
    app.page.wait_for_function(f"() => ({CELLS})().length > {before}")
    return before - 1


def _says(app: Watched, row: int, column: str, text: str) -> None:
    # The table shows at once what was typed; the server has it when its answer has come.
    app.settle()
    # Columns that are out of sight are not told. The head is the first of all rows.
    at = cells(app)[0].index(BY_NAME[column].title)
    app.page.wait_for_function(f"([row, at, text]) => ({CELLS})()[row + 1][at] === text", arg=[row, at, text])


def _double_click(app: Watched, row: int, column: str) -> None:
    double_click(app, row, column)
    app.page.wait_for_timeout(2 * LATE_MS)
    expect(app.page.locator(FIELD)).to_be_focused()


def _choose(app: Watched, row: int, column: str) -> None:
    """A cell is chosen, and the pointer goes away."""
    choose(app, row, column)
    app.page.wait_for_timeout(LATE_MS)
    app.page.mouse.move(4, 4)
    app.page.wait_for_timeout(2 * LATE_MS)


def _yaml(app: Watched) -> str:
    app.page.get_by_text("YAML", exact=True).click()
    app.settle()
    return app.written(YAML)


@pytest.mark.parametrize("task", ["chat-turn", "coding-agent"])
def test_a_double_click_edits_cells_of_rows_that_were_just_added(app: Watched, task: str):
    page = _open(app, f"/build?task={task}")
    for position, (kind, inside, column, text, _) in enumerate(ADDED):
        row = _add(app, kind) + inside
        _double_click(app, row, column)
        page.keyboard.type(text)
        page.keyboard.press("Tab" if position % 2 else "Enter")
        _says(app, row, column, text)
    written = _yaml(app)
    for *_, text, key in ADDED:
        value = "0.2" if text == "20%" else text.removesuffix(" s")
        assert re.search(rf"\b{key}: {value}(\.0)?\b", written), (key, text)


def test_every_way_to_edit_a_cell_is_taken_and_escape_takes_nothing(app: Watched):
    page = _open(app)
    keys, picture = page.keyboard, page.locator(".st-key-figure-task_graph")
    _add(app, "loop")
    row = _add(app, "loop")

    def chosen(text: str) -> None:
        _choose(app, row, "times")
        keys.type(text, delay=20)

    _double_click(app, row, "times")
    keys.type("4")
    page.mouse.click(*place(app, 0, "name"))
    _says(app, row, "times", "4")
    _double_click(app, row, "times")
    keys.type("15")
    page.locator("h1").first.click()
    _says(app, row, "times", "15")
    expect(picture).to_contain_text("15 times")
    _double_click(app, row, "times")
    keys.type("6")
    keys.press("Escape")
    _says(app, row, "times", "15")
    page.locator("h1").first.click()
    chosen("7")
    keys.press("Enter")
    _says(app, row, "times", "7")
    # Enter chose the cell below, though the pointer is elsewhere.
    keys.press("ArrowUp")
    page.wait_for_timeout(2 * LATE_MS)
    keys.press("F2")
    expect(page.locator(FIELD)).to_be_focused()
    keys.press("Control+a")
    keys.type("18")
    keys.press("Tab")
    _says(app, row, "times", "18")
    assert "times: 18" in _yaml(app)

    for key, times in (("z", 7), ("z", 15), ("y", 7), ("y", 18)):
        page.locator("h1").first.click()
        keys.press(key)
        expect(picture).to_contain_text(f"{times} times")
        app.settle()
        expect(page.locator(YAML)).to_have_value(re.compile(rf"\btimes: {times}\b"))


def test_several_cells_are_pasted(app: Watched):
    page = _open(app)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    _add(app, "loop")
    page.evaluate("navigator.clipboard.writeText('one\\ntwo\\nthree')")
    _choose(app, 0, "name")
    page.keyboard.press("Control+v")
    app.settle()
    page.wait_for_function(f"() => ({CELLS})().slice(1).map(row => row[2]).join() === 'one,two,three'")


def test_keys_are_not_lost_where_the_field_is_slow_to_load(app: Watched):
    def slow(route: Route) -> None:
        time.sleep(0.6)
        route.continue_()

    app.page.route("**/data-grid-overlay-editor*", slow)
    page = _open(app)
    row = _add(app, "loop")
    _choose(app, row, "times")
    page.keyboard.type("77", delay=80)
    page.keyboard.press("Enter")
    _says(app, row, "times", "77")


def test_control_enter_in_the_table_leads_to_compare(app: Watched):
    page = _open(app)
    row = _add(app, "loop")
    _choose(app, row, "times")
    page.keyboard.press("Control+Enter")
    page.wait_for_url("**/compare?*x=*")
    app.settle()
