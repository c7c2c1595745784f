"""Systems and Import as a reader meets them: a real browser, a fresh server, no network."""

from __future__ import annotations

import json
import re

import pytest
from driving import Watched, serving
from playwright.sync_api import Page, expect

from agentcalc import catalog, documents
from agentcalc.app.importing import examples

pytestmark = pytest.mark.browser

SCREEN, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
TASK = b"""
name: My <b>own</b> task
steps:
  - {kind: model_call, name: ask, input_tokens: 3000, output_tokens: 900}
  - {kind: tool_wait, name: look, seconds: 2, result_tokens: 500}
"""
HEADS = {
    "/systems": "tok/s per user",
    "/systems?model=gpt-oss-120b&system=gb200&prompt=900&answer=100": "Jalapeño writes",
    "/import": "What would it take elsewhere?",
}


def drop(app: Watched, *files: tuple[str, bytes]) -> Page:
    """Puts files into the drop zone, and waits until what they are is said."""
    made = [{"name": name, "mimeType": "application/octet-stream", "buffer": data} for name, data in files]
    app.page.locator("input[type=file]").set_input_files(made)
    app.page.locator(".ac-files li").nth(len(files) - 1).wait_for()
    app.settle()
    return app.page


@pytest.mark.parametrize("path", list(HEADS))
def test_a_deep_link_works_on_a_server_that_nobody_has_visited(page: Page, tmp_path, path: str):
    with serving(tmp_path) as address:
        watched = Watched(page, address)
        watched.open(path)
        expect(page.locator("h1").first).to_contain_text(HEADS[path])
        expect(page.locator(".ac-notice")).to_have_count(0)
        watched.clean()


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [SCREEN, PHONE], ids=["1280", "390"])
@pytest.mark.parametrize("path", ["/systems", "/import"])
def test_a_page_fits_its_screen(app: Watched, path: str, size: dict, scheme: str):
    app.page.set_viewport_size(size)
    app.page.emulate_media(color_scheme=scheme)
    page = app.open(path)
    if path == "/import":
        page.get_by_role("button", name=re.compile("A server under load")).click()
        page.locator(".st-key-card-measured-0").wait_for()
        app.settle()
    assert page.evaluate("document.querySelector('.stMain').scrollWidth") <= size["width"]
    wide = page.evaluate(
        """() => [...document.querySelectorAll('.stMain h1, .stMain h2, .stMain p, .stMain dd, .stMain button')]
             .filter(e => !e.closest('.ac-scroll') && e.getBoundingClientRect().right > innerWidth + 1)
             .map(e => e.innerText)"""
    )
    assert wide == []
    first = page.locator("h1").first.bounding_box()["y"]
    if size is PHONE and path == "/systems":
        assert first < page.locator(".st-key-systems_choices").bounding_box()["y"]


@pytest.mark.slow
def test_a_system_is_looked_at_and_compared(app: Watched):
    page = app.open("/systems")
    page.get_by_role("combobox", name=re.compile("^(Jalapeño|.*System)")).first.click()
    page.get_by_role("option", name="GB300 with MTP", exact=True).click()
    page.wait_for_url("**/systems?system=gb300-mtp")
    app.settle()
    expect(page.locator(".ac-panel-name")).to_have_text("GB300 with MTP")
    page.locator(".ac-panel summary").first.click()
    expect(page.locator(".ac-panel details[open]")).to_have_count(1)
    page.get_by_role("button", name="Use as baseline").click()
    page.wait_for_url("**/compare?baseline=gb300-mtp")
    app.settle()
    expect(page.locator("h1").first).to_contain_text(re.compile(r"Jalapeño takes .* instead of"))


@pytest.mark.slow
def test_who_finishes_one_call_first_follows_what_is_typed(app: Watched):
    page = app.open("/systems?model=gpt-oss-120b")
    said = page.locator(".st-key-systems_call .ac-why")
    field = page.get_by_role("spinbutton", name="Answer, tokens")
    field.fill("900")
    field.press("Enter")
    page.wait_for_url("**answer=900**")
    app.settle()
    expect(said).to_contain_text("Jalapeño finishes first")
    picture = page.locator(".st-key-figure-break_even-systems [data-testid=stVegaLiteChart]")
    expect(picture).to_be_visible()


@pytest.mark.slow
def test_a_hostile_link_is_told_in_lines(app: Watched):
    page = app.open("/systems?system=<img src=x onerror=alert(1)>&prompt=1e9&at=%E2%80%AE5")
    expect(page.locator(".ac-notice")).to_have_count(3)
    assert page.locator("img[src=x]").count() == 0


def test_benchmark_files_become_a_system(app: Watched, tmp_path):
    page = drop(app_at(app), *examples.sweep())
    expect(page.locator("h1").first).to_contain_text("tok/s per user")
    expect(page.locator(".ac-table.points")).to_contain_text("TTFT (s)")
    field = page.get_by_role("spinbutton", name="Chips that served it")
    field.fill("8")
    field.press("Enter")
    expect(page.locator(".ac-table.points")).to_contain_text("tok/s per chip")
    app.settle()
    with page.expect_download() as taken:
        page.get_by_role("button", name="Download as YAML").click()
    saved = tmp_path / "again.yaml"
    taken.value.save_as(saved)
    assert [point.concurrency for point in documents.read_system(saved).curve] == [1, 4, 16, 64, 256]
    page.get_by_role("button", name="Use as candidate").click()
    page.wait_for_url("**/compare?**candidate=imported**")
    app.settle()
    expect(page.locator("h1").first).to_contain_text("Imported")
    shared = page.url
    app.open(shared.removeprefix(app.address))
    expect(page.locator("h1").first).to_contain_text("Imported")


def app_at(app: Watched, path: str = "/import") -> Watched:
    app.open(path)
    return app


@pytest.mark.slow
def test_a_task_is_dropped_and_used(app: Watched):
    page = drop(app_at(app), ("mine.yaml", TASK))
    expect(page.locator("h1").first).to_have_text("A task: My <b>own</b> task")
    page.get_by_role("button", name="Use this task in Compare").click()
    page.wait_for_url("**/compare?task=own**")
    app.settle()
    expect(page.locator("h1").first).to_contain_text("instead of")


@pytest.mark.slow
def test_a_system_is_dropped_and_used(app: Watched):
    system = catalog.systems()["gb300/deepseek-r1"].model_copy(update={"label": "Our GB300", "id": "ours/deepseek-r1"})
    page = drop(app_at(app), ("ours.yaml", documents.write(system).encode()))
    page.get_by_role("button", name="Use as baseline").click()
    page.wait_for_url("**/compare?baseline=ours**")
    app.settle()
    expect(page.locator(".ac-caveat")).to_contain_text("Our GB300's point serves 5 users on 22 GPUs")


@pytest.mark.slow
def test_several_files_some_of_them_hostile(app: Watched):
    bad = "<img src=x onerror=alert(1)>.json"
    page = drop(
        app_at(app), ("notes.txt", b"hello"), (bad, b'{"median_ttft_ms": 5}'), ("run.json", examples.sweep()[0][1])
    )
    expect(page.locator(".ac-why").first).to_contain_text("1 of 3 files. 2 were not read: notes.txt")
    expect(page.locator(".ac-files")).to_contain_text("it comes closest to vLLM bench serve")
    assert page.locator("img[src=x]").count() == 0
    page.get_by_role("button", name="Take everything away").click()
    expect(page.locator("h1").first).to_have_text("What would it take elsewhere?")
    app.settle()


@pytest.mark.slow
def test_a_file_that_is_too_big_is_told_so(app: Watched):
    page = app_at(app).page
    big = json.dumps({"x": "y" * 21_000_000}).encode()
    page.locator("input[type=file]").set_input_files(
        {"name": "big.json", "mimeType": "application/json", "buffer": big}
    )
    expect(page.get_by_test_id("stFileUploader")).to_contain_text(re.compile("20.?0?MB"))
    expect(page.get_by_test_id("stFileUploader")).to_contain_text(
        re.compile("must be|too large|exceeds", re.IGNORECASE)
    )
    expect(page.locator("h1").first).to_have_text("What would it take elsewhere?")


@pytest.mark.slow
def test_a_figure_is_taken_away_in_every_form(app: Watched):
    page = app.open("/systems")
    page.get_by_role("button", name="Take this figure").first.click()
    box = page.locator("[class*=st-key-taking-files-operating_points]")
    starts = {"PNG": b"\x89PNG", "SVG": b"<svg", "PDF": b"%PDF", "HTML": b"<!doctype", "Data (CSV)": b"system,label"}
    for label, start in starts.items():
        with page.expect_download() as taken:
            box.get_by_role("button", name=label, exact=True).click()
        assert taken.value.path().read_bytes()[: len(start)].lower() == start.lower(), label
        assert taken.value.suggested_filename.startswith("operating-points.")
