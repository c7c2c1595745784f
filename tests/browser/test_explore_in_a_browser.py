"""Explore as a reader meets it: a real browser, a fresh server, no network."""

from __future__ import annotations

import io
import re
import shlex
import xml.etree.ElementTree as ElementTree

import pytest
from click.testing import CliRunner
from driving import Watched, serving
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from agentcalc import documents
from agentcalc.app import link
from agentcalc.app.brought import Brought
from agentcalc.app.explore.view import VIEWS
from agentcalc.cli.main import cli

pytestmark = pytest.mark.browser

SCREEN, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}

SAYS = {
    "faster": "Calls 4× faster make a chat answer",
    "target": "o finish a typical run under",
    "matters": "matters most",
    "two": "Halving tokens per call",
    "deadline": "an instant model",
    "waits": "person waits longer than",
    "agents": "agents",
    "day": "40 people × 60 runs",
}
MORE = {"two": "&across=tokens", "faster": "&tasks=none"}


def address(view: str) -> str:
    return f"/explore?task=chat-turn&view={view}{MORE.get(view, '')}"


def heading(page: Page):
    return page.locator("h1.ac-explore")


def test_a_deep_link_works_on_a_server_that_nobody_has_visited(page: Page, tmp_path):
    with serving(tmp_path) as server:
        watched = Watched(page, server)
        watched.open(address("waits"))
        expect(heading(page)).to_contain_text(SAYS["waits"])
        watched.clean()


@pytest.mark.parametrize("view", list(VIEWS))
def test_each_question_opens_by_its_address(app: Watched, view: str):
    page = app.open(address(view))
    expect(heading(page)).to_contain_text(SAYS[view])
    expect(page.get_by_role("radio", name=VIEWS[view])).to_be_checked()
    expect(
        page.locator(f".st-key-figure-{view} .stVegaLiteChart svg, .st-key-figure-{view} canvas").first
    ).to_be_visible()
    expect(page.locator(".ac-notice")).to_have_count(0)
    assert heading(page).evaluate("e => getComputedStyle(e).fontSize") == "32px"


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [SCREEN, PHONE], ids=["1280", "390"])
@pytest.mark.parametrize("view", list(VIEWS))
def test_a_question_fits_its_screen(app: Watched, view: str, size: dict, scheme):
    app.page.set_viewport_size(size)
    app.page.emulate_media(color_scheme=scheme)
    page = app.open(address(view))
    assert page.evaluate("document.querySelector('.stMain').scrollWidth") <= size["width"]
    wide = page.evaluate(
        """() => [...document.querySelectorAll('.stMain h1, .stMain p, .stMain button, .stMain svg')]
             .filter(e => !e.closest('[data-testid=stMultiSelectTagsContainer]'))
             .filter(e => e.getBoundingClientRect().right > innerWidth + 1).map(e => e.innerText || e.tagName)"""
    )
    assert wide == []
    first, tabs = heading(page).bounding_box(), page.locator(".st-key-explore_view").bounding_box()
    # On a phone the answer comes first.
    assert (first["y"] < tabs["y"]) == (size == PHONE)


def test_arrows_lead_from_one_question_to_the_next(app: Watched):
    page = app.open(address("faster"))
    page.get_by_role("radio", name="Faster calls").focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="Kept waiting")).to_be_focused()
    page.keyboard.press("Space")
    expect(heading(page)).to_contain_text(SAYS["waits"])
    app.settle()
    assert "view=waits" in page.url and "task=chat-turn" in page.url
    # Back in the browser leads back to the question before.
    page.go_back()
    expect(heading(page)).to_contain_text(SAYS["faster"])
    app.settle()


def test_a_link_shows_another_browser_the_same(app: Watched, browser: Browser):
    page = app.open("/explore?task=chat-turn&view=deadline")
    page.get_by_role("combobox", name="Within").fill("3 s")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    expect(page.locator(".st-key-figure-deadline")).to_be_visible()
    app.settle()
    assert "within=3%2C10" in page.url
    other = browser.new_page()
    other.goto(page.url)
    expect(heading(other)).to_have_text(heading(page).inner_text())
    other.close()


def test_the_figure_goes_away_as_every_kind_of_file(app: Watched):
    page = app.open(address("waits"))
    page.get_by_role("button", name=re.compile("^Figure")).click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("img.ac-picture")).to_be_visible()

    def take(kind: str) -> bytes:
        with page.expect_download() as taken:
            dialog.get_by_role("button", name=kind, exact=True).click()
        assert taken.value.suggested_filename.startswith("chat-turn-people.")
        return taken.value.path().read_bytes()

    assert Image.open(io.BytesIO(take("PNG"))).size == (2560, 1440)
    assert ElementTree.fromstring(take("SVG").decode()).tag.endswith("svg")
    assert take("PDF").startswith(b"%PDF-")
    assert take("Data (CSV)").decode().startswith("system,label,role,band")
    dialog.get_by_label("Title").fill("Fewer long waits <i>")
    dialog.get_by_label("Title").press("Enter")
    expect(dialog.get_by_role("button", name=re.compile("Back to the computed title"))).to_be_visible()
    html = take("HTML").decode()
    assert "Fewer long waits &lt;i&gt;" in html and "long waits <i>" not in html
    dialog.get_by_role("button", name="Close").click()
    app.settle()


def test_the_command_on_the_page_gives_the_answer_on_the_page(app: Watched):
    page = app.open(address("waits"))
    page.get_by_role("button", name="Copy the command").click()
    words = shlex.split(page.locator(".stCode code").inner_text())
    found = CliRunner().invoke(cli, words[1:])
    assert heading(page).inner_text().replace("\u00a0", " ") in " ".join(found.output.replace("\u00a0", " ").split())


@pytest.mark.slow
@pytest.mark.parametrize("question", ["Two at once", "By a deadline", "Many agents"])
def test_long_work_shows_how_far_it_is_and_cancel_leads_back(app: Watched, question: str):
    task = documents.read_task(
        b"""
name: Long
steps:
  - kind: loop
    name: turns
    times: 10000
    steps:
      - {kind: model_call, name: act, input_tokens: 100, output_tokens: {p50: 100, p90: 400}}
      - {kind: tool_wait, name: look, seconds: {p50: 1, p90: 4}}
""",
        where="long.yaml",
    )
    page = app.open(f"/explore?task=own&view=waits&x={link.pack(Brought(task=task))}")
    before = heading(page).inner_text()
    page.get_by_role("radio", name=question).click()
    bar = page.locator("[class*=st-key-waiting-]")
    expect(bar).to_contain_text(re.compile(r"Playing runs: [\d,]+ of [\d,]+ done"), timeout=60_000)
    bar.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("radio", name="Kept waiting")).to_be_checked(timeout=60_000)
    expect(heading(page)).to_have_text(before)
    app.settle()
    assert "view=waits" in page.url


def test_the_scenario_can_be_changed_here(app: Watched):
    page = app.open(address("waits"))
    page.get_by_role("button", name=re.compile("For: a chat answer")).click()
    page.get_by_role("combobox", name="Task").click()
    page.get_by_role("option", name="Voice, one turn").click()
    expect(page.get_by_role("button", name=re.compile("For: a voice turn"))).to_be_visible()
    app.settle()
    assert "task=voice-turn" in page.url and "view=waits" in page.url
