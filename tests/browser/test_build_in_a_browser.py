"""Build as a reader meets it: typing into the table, keys, files, and the way to a link that somebody else opens."""

from __future__ import annotations

import re

import pytest
from build_table import YAML, choose, place
from driving import SAID_MS, Watched
from playwright.sync_api import Browser, Page, expect

from agentcalc import documents

pytestmark = pytest.mark.browser

SCREEN, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}

GOOD = "name: My <b>own</b> task\nsteps:\n  - {kind: tool_wait, name: look, seconds: 2}\n"
BAD = "name: Broken\nsteps:\n  - kind: tool_wait\n    seconds: 3 parsecs\n"


def _click(app: Watched, row: int, column: str) -> None:
    app.page.mouse.click(*place(app, row, column))


def _type(app: Watched, row: int, column: str, text: str) -> None:
    choose(app, row, column)
    # The first key opens the field, which takes the others once it stands.
    app.page.keyboard.type(text[0])
    app.page.locator("#portal textarea").wait_for()
    app.page.keyboard.type(text[1:], delay=50)
    app.page.keyboard.press("Enter")
    app.settle()


def _top(page: Page) -> str:
    return page.locator(".st-key-answer").inner_text().replace("\u00a0", " ")


def _leave_table(app: Watched) -> None:
    app.page.locator("h1").first.click()
    app.page.wait_for_function("() => !document.activeElement.closest('[role=grid]')")


@pytest.mark.parametrize("size", [SCREEN, pytest.param(PHONE, marks=pytest.mark.slow)], ids=["1280", "390"])
def test_the_page_fits_its_screen(app: Watched, size: dict):
    app.page.set_viewport_size(size)
    page = app.open("/build")
    expect(page.locator("h1")).to_have_text("Coding agent, one request")
    assert page.evaluate("document.querySelector('.stMain').scrollWidth") <= size["width"]
    wide = page.evaluate(
        """() => [...document.querySelectorAll('.stMain h1, .stMain h2, .stMain p, .stMain button')]
             .filter(e => e.getBoundingClientRect().right > innerWidth + 1).map(e => e.innerText)"""
    )
    assert wide == []
    expect(page.get_by_text("Nothing you enter leaves this computer or is kept on it.").last).to_be_visible()


def test_typing_redraws_answer_and_picture_and_a_mistake_is_one_line(app: Watched):
    app.page.set_viewport_size(SCREEN)
    page = app.open("/build")
    before = _top(page).partition("\n")[2].strip()
    _type(app, 2, "wait", "3 parsecs")
    expect(page.locator(".ac-mistake")).to_have_text(
        'Row 3, Wait: "3 parsecs" is not a time. Try 3 s, 300 ms, or 0.3–14 s.'
    )
    assert before in _top(page) and "before your last edit" in _top(page)
    expect(page.get_by_role("button", name="Use in Compare")).to_be_disabled()
    _type(app, 2, "wait", "30 s")
    expect(page.locator(".ac-mistake")).to_have_count(0)
    expect(page.locator("h1")).to_contain_text("(edited)")
    assert before not in _top(page)
    expect(page.locator(".st-key-figure-task_graph")).to_contain_text("30 s", timeout=SAID_MS)


@pytest.mark.slow
def test_z_and_y_outside_the_table_and_in_it(app: Watched):
    app.page.set_viewport_size(SCREEN)
    page = app.open("/build")
    _type(app, 1, "name", "zzz")
    expect(page.locator(".st-key-figure-task_graph")).to_contain_text("zzz")
    _leave_table(app)
    page.keyboard.press("z")
    expect(page.locator("h1")).not_to_contain_text("(edited)")
    app.settle()
    page.keyboard.press("y")
    expect(page.locator("h1")).to_contain_text("(edited)")
    app.settle()


@pytest.mark.slow
def test_ticked_rows_move_by_keys(app: Watched):
    app.page.set_viewport_size(SCREEN)
    page = app.open("/build")
    expect(page.get_by_role("button", name="Duplicate")).to_be_disabled()
    _click(app, 0, "pick")
    expect(page.get_by_role("button", name="Duplicate")).to_be_enabled()
    app.settle()
    page.keyboard.press("Alt+ArrowDown")
    expect(page.locator("h1")).to_contain_text("(edited)")
    app.settle()
    description = page.locator(".st-key-figure-task_graph [aria-label*='left to right']").first
    expect(description).to_have_attribute("aria-label", re.compile(r"left to right: report .*, turns "))


def test_a_task_from_nothing_becomes_a_link_that_another_browser_opens(app: Watched, browser: Browser):
    app.page.set_viewport_size(SCREEN)
    page = app.open("/build")
    page.locator(".st-key-new button").first.click()
    page.get_by_role("button", name="An empty table").click()
    expect(page.get_by_text("Add a first step, or start from a packaged task.")).to_be_visible()
    app.settle()
    page.get_by_role("button", name="Add a step").click()
    page.get_by_text("model call", exact=True).last.click()
    expect(page.locator("p.ac-why")).to_contain_text("1\u00a0call")
    app.settle()
    page.get_by_label("Name", exact=True).fill("Made here")
    page.get_by_label("Name", exact=True).press("Enter")
    expect(page.locator("h1")).to_have_text("Made here (edited)")
    app.settle()
    page.get_by_role("button", name="Use in Compare").click()
    page.wait_for_url("**/compare?*x=*")
    app.settle()
    expect(page.locator(".ac-about").first).to_contain_text("Made here")
    heading = page.locator("h1").first.inner_text()
    context = browser.new_context()
    other = Watched(context.new_page(), app.address)
    other.open(page.url.removeprefix(app.address))
    expect(other.page.locator("h1").first).to_have_text(heading)
    other.clean()
    context.close()
    page.get_by_test_id("stTopNavLink").get_by_text("Build").click()
    expect(page.locator("h1")).to_have_text("Made here")
    app.settle()


@pytest.mark.slow
def test_a_sentence_and_yaml(app: Watched):
    app.page.set_viewport_size(SCREEN)
    page = app.open("/build")
    page.get_by_label("Say it in numbers").fill("8 turns, fast tools")
    expect(page.get_by_text("I could not use: 'fast tools'.")).to_be_visible()
    page.get_by_label("Say it in numbers").fill("8 turns, 6k context, 250 tokens out, 4 s tools")
    expect(page.get_by_text("8 × (model call, 250 tokens; tool, 4 s)")).to_be_visible()
    page.get_by_role("button", name="Make it").click()
    expect(page.locator("h1")).to_have_text("New task")
    app.settle()
    page.get_by_text("YAML", exact=True).click()
    app.settle()
    field = page.locator(YAML)
    task = documents.read_task(app.written(YAML).encode())
    assert task.context_tokens == 6000
    app.settle()
    field.fill(app.written(YAML).replace("seconds: 4", "seconds: 4 parsecs"))
    page.keyboard.press("Control+Enter")
    expect(page.locator(".ac-mistake")).to_contain_text(re.compile(r"YAML, line \d+: .*parsecs"))
    assert page.url.endswith("/build")
    app.settle()
    field.fill(app.written(YAML).replace("4 parsecs", "9"))
    page.keyboard.press("Control+Enter")
    expect(page.locator(".st-key-figure-task_graph")).to_contain_text("9 s")
    app.settle()


@pytest.mark.slow
def test_files_come_in_and_go_out(app: Watched):
    app.page.set_viewport_size(SCREEN)
    page = app.open("/build")
    for name, text, said in (("bad.yaml", BAD, "bad.yaml, line 4"), ("mine.yaml", GOOD, None)):
        page.locator(".st-key-new button").first.click()
        file = {"name": name, "mimeType": "text/yaml", "buffer": text.encode()}
        page.locator("input[type=file]").set_input_files(file)
        if said:
            expect(page.locator(".ac-mistake")).to_contain_text(said)
            expect(page.locator("h1")).to_have_text("Coding agent, one request")
        app.settle()
    expect(page.locator("h1")).to_have_text("My <b>own</b> task")
    assert page.locator("h1 b").count() == 0
    page.keyboard.press("Escape")
    with page.expect_download() as taken:
        page.get_by_role("button", name="Save file").click()
    assert taken.value.suggested_filename == "my-b-own-b-task.yaml"
    assert documents.read_task(taken.value.path()).name == "My <b>own</b> task"


@pytest.mark.slow
def test_every_packaged_task_can_be_started_from(app: Watched):
    app.page.set_viewport_size(SCREEN)
    page = app.open("/build")
    page.locator(".st-key-new button").first.click()
    body = page.locator(".st-key-build_new_body")
    expect(body.locator(".ac-spark").last).to_be_attached()
    app.settle()
    body.get_by_role("button", name="Tree of thoughts, five wide").click()
    expect(page.locator("h1")).to_have_text("Tree of thoughts, five wide")
    expect(body).to_have_count(0)
    app.settle()
