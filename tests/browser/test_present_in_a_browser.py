"""Present as a reader meets it: on a big screen, by its keys, and what is taken away, opened."""

from __future__ import annotations

import io
import re
import zipfile
from itertools import pairwise
from pathlib import Path

import pytest
from driving import Watched, serving
from playwright.sync_api import Browser, Page, expect
from pptx import Presentation

from agentcalc.exports.bundle import ENDINGS

pytestmark = pytest.mark.browser

SCREEN, WALL, PHONE = {"width": 1280, "height": 800}, {"width": 1920, "height": 1080}, {"width": 390, "height": 844}
LONG_WAIT = 120_000
NUMBER = ".pr-number"


def at(page: Page, number: int) -> None:
    # For a moment the screen before it may stand below.
    expect(page.locator(NUMBER).first).to_contain_text(f"{number} / 7")


def opened(app: Watched, path: str) -> Page:
    """The page, once its keys are there as well."""
    page = app.open(path)
    expect(page.locator(".st-key-pr_back button")).to_be_attached()
    app.settle()
    return page


def test_a_deep_link_to_a_screen_on_a_server_that_nobody_has_visited(page: Page, tmp_path):
    with serving(tmp_path) as address:
        watched = Watched(page, address)
        watched.open("/present?slide=3")
        expect(page.locator("h1")).to_contain_text(re.compile(r"Jalapeño finishes .* sooner"))
        at(page, 3)
        expect(page.locator("img.pr-wide")).to_have_js_property("naturalWidth", 1184)
        expect(page.locator("p.pr-source")).to_contain_text("seed")
        watched.clean()


@pytest.mark.slow
def test_the_keys_of_a_presentation(app: Watched):
    page = opened(app, "/present")
    at(page, 1)
    page.keyboard.press("ArrowRight")
    at(page, 2)
    expect(page).to_have_url(re.compile(r"slide=2"))
    page.keyboard.press("End")
    at(page, 7)
    page.keyboard.press("ArrowLeft")
    at(page, 6)
    page.keyboard.press("Home")
    at(page, 1)
    app.settle()
    page.keyboard.press("d")
    expect(page.get_by_role("button", name="Light")).to_be_attached()
    app.settle()
    expect(page.locator(".stApp")).to_have_css("background-color", "rgb(18, 23, 30)")
    expect(page.locator("h1")).to_have_css("color", "rgb(238, 242, 246)")
    # Escape closes a list of keys first, and leads back only after that.
    page.keyboard.press("h")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    app.settle()
    at(page, 1)
    page.keyboard.press("b")
    black = page.locator(".pr-blank")
    expect(black).to_be_visible()
    assert black.bounding_box() == {"x": 0, "y": 0, **page.viewport_size}
    page.keyboard.press("ArrowRight")
    expect(black).to_have_count(0)
    at(page, 1)
    page.keyboard.press("Escape")
    expect(page.locator(".st-key-controls")).to_be_visible()
    expect(page).to_have_url(f"{app.address}/compare")
    app.settle()


def test_of_quick_keys_none_is_lost(app: Watched):
    page = opened(app, "/present?slide=2")
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    at(page, 6)
    # Pressed while the screen that the last one leads to is still on its way.
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    at(page, 6)
    page.keyboard.press("Home")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    at(page, 2)
    expect(page).to_have_url(re.compile(r"slide=2"))
    # Another way there and the keys agree.
    page.mouse.move(400, 400)
    page.get_by_role("button", name="Last").click()
    at(page, 7)
    page.keyboard.press("ArrowLeft")
    at(page, 6)
    app.settle()


@pytest.mark.slow
def test_space_plays_the_race_and_its_slider_keeps_its_keys(app: Watched):
    page = opened(app, "/present?slide=1")
    # Led here by the pointer: Space is the race's all the same.
    page.mouse.move(400, 400)
    page.get_by_role("button", name="Right").click()
    at(page, 2)
    app.settle()
    race = page.locator(".race")
    expect(race).to_have_attribute("data-phase", "ready")
    page.keyboard.press(" ")
    expect(race).to_have_attribute("data-phase", "running")
    page.keyboard.press(" ")
    expect(race).to_have_attribute("data-phase", "paused")
    slider = page.get_by_role("slider", name="Time")
    slider.focus()
    before = slider.input_value()
    page.keyboard.press("ArrowRight")
    expect(slider).not_to_have_value(before)
    assert float(slider.input_value()) > float(before)
    app.settle()
    at(page, 2)


def test_who_asks_for_less_motion_finds_the_race_at_its_end(app: Watched):
    app.page.emulate_media(reduced_motion="reduce")
    page = app.open("/present?slide=2")
    expect(page.locator(".race")).to_have_attribute("data-phase", "finished")
    expect(page.locator(".race")).to_contain_text("sooner")


def test_controls_hide_while_the_pointer_rests_and_number_and_source_stay(app: Watched):
    app.page.set_viewport_size(SCREEN)
    page = opened(app, "/present?slide=3")
    bar, header = page.locator(".st-key-pr_bar"), page.locator("[data-testid=stHeader]")
    for hidden in (bar, header):
        expect(hidden).to_have_css("opacity", "0")
    for shown in (page.locator("p.pr-source"), page.locator(NUMBER)):
        expect(shown).to_be_visible()
        expect(shown).to_have_css("opacity", "1")
    page.mouse.move(500, 400)
    page.mouse.move(520, 410)
    expect(bar).to_have_css("opacity", "1")
    page.mouse.move(500, 400)
    expect(header).to_have_css("opacity", "1")
    expect(bar).to_have_css("opacity", "0")
    # By keyboard they are there as long as it is among them.
    page.get_by_role("button", name="Slides (PPTX)").focus()
    expect(bar).to_have_css("opacity", "1")


def test_on_touch_controls_are_always_there(browser: Browser, server: str):
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    watched = Watched(context.new_page(), server)
    page = watched.open("/present?slide=4")
    for shown in (".st-key-pr_bar", "[data-testid=stHeader]"):
        expect(page.locator(shown)).to_have_css("opacity", "1")
    page.get_by_role("button", name="Right").tap()
    at(page, 5)
    watched.settle()
    watched.clean()
    context.close()


@pytest.mark.slow
def test_a_title_is_edited_in_its_place_and_travels(app: Watched, browser: Browser):
    page = opened(app, "/present?slide=3")
    heading, source = page.locator("h1"), page.locator("p.pr-source").inner_text()
    computed = heading.inner_text()
    heading.click()
    page.keyboard.press("ControlOrMeta+a")
    # Letters of a title are no keys of the page.
    page.keyboard.type("bad <b>days</b> end")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("x="))
    app.settle()
    expect(heading).to_have_text("bad <b>days</b> end")
    expect(page.locator("p.pr-source")).to_have_text(source)
    expect(page.locator(".pr-blank")).to_have_count(0)
    with browser.new_context() as context:
        other = Watched(context.new_page(), app.address)
        other.page.goto(page.url)
        other.settle()
        expect(other.page.locator("h1")).to_have_text("bad <b>days</b> end")
        other.clean()
    page.get_by_role("button", name="Back to the computed title").click()
    expect(heading).to_have_text(computed)
    # Escape, and an emptied title, leave it as it was.
    for keys in (["x", "Escape"], ["Delete", "Enter"]):
        heading.focus()
        page.keyboard.press("Enter")
        page.keyboard.press("ControlOrMeta+a")
        for key in keys:
            page.keyboard.press(key)
        app.settle()
        expect(heading).to_have_text(computed)
        at(page, 3)


@pytest.mark.slow
def test_the_deck_is_saved_and_opens(app: Watched):
    page = opened(app, "/present?slide=5")
    tick = page.get_by_role("checkbox", name="In the deck")
    page.mouse.move(300, 300)
    page.locator(".st-key-pr_in_components label").click()
    page.wait_for_url(re.compile("without=components"))
    expect(tick).not_to_be_checked()
    app.settle()
    with page.expect_download(timeout=LONG_WAIT) as taken:
        page.get_by_role("button", name="Slides (PPTX)").click()
    assert taken.value.suggested_filename == "coding-agent.pptx"
    made = Presentation(io.BytesIO(Path(taken.value.path()).read_bytes()))
    titles = [s.text_frame.text for slide in made.slides for s in slide.shapes if s.name == "Title"]
    assert len(titles) == 7 and not any("time saved comes from" in title for title in titles)
    kinds = {"race", "timeline", "accumulation", "components", "tornado"}
    drawn = [s.name for slide in made.slides for s in slide.shapes if s.name in kinds]
    assert drawn == ["race", "timeline", "accumulation", "tornado"]
    expect(page.locator(".pr-said")).to_contain_text(re.compile(r"7.slides, \d+.kB"))


@pytest.mark.slow
def test_a_template_is_opened_or_refused_in_a_line(app: Watched):
    page = opened(app, "/present")
    page.get_by_role("button", name="Slides (PPTX)").click()
    page.get_by_role("button", name="Template").click(timeout=LONG_WAIT)
    place = page.locator("input[type=file]")
    place.set_input_files({"name": "ours.pptx", "mimeType": "application/zip", "buffer": b"no"})
    expect(page.locator(".pr-said[role=alert]")).to_contain_text("it is no PowerPoint file")
    file = io.BytesIO()
    Presentation().save(file)
    if not place.count():
        page.get_by_role("button", name="Template").click()
    place.set_input_files({"name": "ours.pptx", "mimeType": "application/zip", "buffer": file.getvalue()})
    expect(page.locator(".pr-said[role=alert]")).to_have_count(0, timeout=LONG_WAIT)
    with page.expect_download(timeout=LONG_WAIT) as taken:
        page.get_by_role("button", name="Save coding-agent.pptx").click()
    made = Presentation(io.BytesIO(Path(taken.value.path()).read_bytes()))
    assert made.slide_width == Presentation().slide_width and len(made.slides) == 8


@pytest.mark.slow
def test_all_figures_are_saved_as_a_zip(app: Watched):
    page = opened(app, "/present")
    with page.expect_download(timeout=LONG_WAIT) as taken:
        page.get_by_role("button", name="All figures").click()
    packed = zipfile.ZipFile(taken.value.path())
    kinds = ("race", "timeline", "accumulation", "components", "tornado")
    assert packed.namelist() == [f"{kind}.{ending}" for kind in kinds for ending in ENDINGS]
    assert packed.testzip() is None
    expect(page.locator(".pr-said")).to_contain_text("5\u00a0figures, 25\u00a0files")


@pytest.mark.slow
def test_one_page_opens_without_any_request_and_plays_the_race(app: Watched, browser: Browser, tmp_path):
    page = opened(app, "/present")
    with page.expect_download(timeout=LONG_WAIT) as taken:
        page.get_by_role("button", name="One page (HTML)").click()
    path = tmp_path / taken.value.suggested_filename
    taken.value.save_as(path)
    context = browser.new_context(viewport=SCREEN)
    alone, asked, said = context.new_page(), [], []
    alone.on("request", lambda request: asked.append(request.url))
    alone.on("console", lambda message: said.append(message.text))
    alone.on("pageerror", lambda error: said.append(str(error)))
    alone.goto(path.as_uri())
    assert alone.locator("main > section").count() == 7 and alone.locator("svg").count() == 4
    alone.get_by_role("button", name="Play").click()
    expect(alone.locator(".race")).to_have_attribute("data-phase", "running")
    # Outside of the race the keys scroll.
    alone.locator("h1").click()
    alone.keyboard.press("End")
    alone.wait_for_function("() => scrollY > 1000")
    assert alone.evaluate("document.documentElement.scrollWidth") <= SCREEN["width"]
    alone.set_viewport_size(PHONE)
    assert alone.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert [url for url in asked if not url.startswith("file:")] == [] and said == []
    context.close()


@pytest.mark.slow
def test_a_picture_is_copied(browser: Browser, server: str):
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    watched = Watched(context.new_page(), server)
    page = watched.open("/present?slide=5")
    page.get_by_role("button", name="Copy image").click()
    expect(page.locator(".ac-copied")).to_contain_text("The picture is copied.", timeout=LONG_WAIT)
    kinds = page.evaluate("navigator.clipboard.read().then(items => items.flatMap(item => item.types))")
    assert kinds == ["image/png"]
    watched.clean()
    context.close()


@pytest.mark.slow
@pytest.mark.parametrize("size", [SCREEN, WALL], ids=["1280", "1920"])
@pytest.mark.parametrize("slide", range(1, 8))
def test_a_screen_needs_no_scrolling(app: Watched, slide: int, size: dict):
    app.page.set_viewport_size(size)
    page = app.open(f"/present?slide={slide}")
    main = page.locator(".stMain")
    assert main.evaluate("e => e.scrollHeight - e.clientHeight") <= 0
    assert main.evaluate("e => e.scrollWidth - e.clientWidth") <= 0
    boxes = page.evaluate(
        """() => [...document.querySelectorAll('h1, .pr-about, .pr-wide, .pr-source, .pr-columns, .st-key-race-place')]
             .map(e => e.getBoundingClientRect()).map(b => [b.top, b.bottom]).sort((a, b) => a[0] - b[0])"""
    )
    assert all(above[1] <= below[0] + 1 for above, below in pairwise(boxes))
    assert boxes[-1][1] <= size["height"]
    # 64 px, or a little less where two lines would not hold the title.
    assert float(page.locator("h1").evaluate("e => parseFloat(getComputedStyle(e).fontSize)")) >= 60


@pytest.mark.slow
@pytest.mark.parametrize("slide", range(1, 8))
def test_a_phone_and_a_large_zoom_show_all_of_it(app: Watched, slide: int):
    page = app.open(f"/present?slide={slide}")
    # 1280 at 200% is 640 wide.
    for size in (PHONE, {"width": 640, "height": 400}):
        page.set_viewport_size(size)
        app.settle()
        wide = page.evaluate(
            """() => [...document.querySelectorAll('.stMain :is(h1, h2, p, img, button)')]
                 .filter(e => e.getBoundingClientRect().right > innerWidth + 1).map(e => e.outerHTML.slice(0, 80))"""
        )
        assert wide == []
        picture = page.locator("img.pr-narrow")
        if picture.count():
            assert picture.is_visible() and not page.locator("img.pr-wide").is_visible()


def test_inside_another_page_the_figure_stands_alone(app: Watched):
    app.page.set_viewport_size({"width": 960, "height": 540})
    page = app.open("/present?slide=4&embed=true")
    expect(page.locator("h1")).to_contain_text("Each call adds")
    expect(page.locator("p.pr-source")).to_be_visible()
    for gone in (".st-key-pr_bar", NUMBER, "[data-testid=stTopNavLink]", ".st-key-keys"):
        expect(page.locator(gone)).to_have_count(0)
    assert page.locator("h1").get_attribute("tabindex") is None
    assert page.locator("h1").bounding_box()["y"] < 40
    assert page.locator(".stMain").evaluate("e => e.scrollHeight - e.clientHeight") <= 0
