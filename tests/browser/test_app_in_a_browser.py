"""The app as a reader meets it: a real browser, a fresh server, no network."""

from __future__ import annotations

import io
import re
import xml.etree.ElementTree as ElementTree

import pytest
from driving import PAGE_MS, Watched, serving
from openpyxl import load_workbook
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from agentcalc import catalog, documents
from agentcalc.app import link
from agentcalc.app.brought import Brought
from agentcalc.app.link import TOO_LONG
from agentcalc.app.shell import pages_there
from agentcalc.app.unread import MOST_PARTS

pytestmark = pytest.mark.browser

SCREEN, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
HEADLINE = re.compile(r"Jalapeño takes .* instead of .* faster")

GOOD = """
name: My <b>own</b> task
steps:
  - {kind: model_call, name: ask, input_tokens: 3000, output_tokens: 900}
  - {kind: tool_wait, name: look, seconds: 2, result_tokens: 500}
  - {kind: model_call, name: tell, output_tokens: 700}
"""
HEAVY = """
name: Heavy
steps:
  - kind: loop
    times: 8000
    steps: [{kind: model_call, output_tokens: {p50: 200, p90: 900}}, {kind: tool_wait, seconds: 1}]
"""
BAD = """
name: Broken
steps:
  - kind: choice
    options: [{probability: 0.5, steps: []}, {probability: 0.4, steps: []}]
"""


HEADINGS = {"/": HEADLINE, "/compare": HEADLINE, "/method": "Why should I believe this?"}
ADDRESSES = ["/", *(f"/{address}" for _, _, address in pages_there())]


@pytest.mark.parametrize("path", ADDRESSES)
def test_a_deep_link_works_on_a_server_that_nobody_has_visited(page: Page, tmp_path, path: str):
    with serving(tmp_path) as address:
        watched = Watched(page, address)
        watched.open(path)
        expect(page.locator("h1").first).to_contain_text(HEADINGS.get(path, re.compile(".")))
        expect(page.get_by_test_id("stTopNavLink")).to_have_text([title for _, title, _ in pages_there()])
        watched.clean()


@pytest.mark.parametrize("size", [SCREEN, PHONE], ids=["1280", "390"])
@pytest.mark.parametrize("path", ["/compare", "/method"])
def test_a_page_fits_its_screen(app: Watched, path: str, size: dict):
    app.page.set_viewport_size(size)
    page = app.open(path)
    assert page.evaluate("document.querySelector('.stMain').scrollWidth") <= size["width"]
    wide = page.evaluate(
        """() => [...document.querySelectorAll('.stMain h1, .stMain h2, .stMain p, .stMain button')]
             .filter(e => !e.closest('.ac-scroll') && e.getBoundingClientRect().right > innerWidth + 1)
             .map(e => e.innerText)"""
    )
    assert wide == []


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/compare", "/method"])
def test_a_table_too_wide_for_a_phone_shows_that_it_scrolls(app: Watched, path: str):
    app.page.set_viewport_size(PHONE)
    page = app.open(path)
    wide = page.evaluate(
        """() => [...document.querySelectorAll('.stMain .ac-scroll')].filter(e => e.scrollWidth > e.clientWidth)
             .map(e => [getComputedStyle(e).scrollbarColor, getComputedStyle(e, '::-webkit-scrollbar').height,
             getComputedStyle(e).backgroundImage.split('linear-gradient').length - 1])"""
    )
    assert wide and all(one == ["auto", "8px", 4] for one in wide)
    assert page.evaluate("[...document.querySelectorAll('.stMain .ac-table')].every(e => e.closest('.ac-scroll'))")


def test_the_answer_and_its_caveat_are_on_the_first_screen(app: Watched):
    app.page.set_viewport_size(SCREEN)
    page = app.open("/compare")
    caveat = page.locator(".ac-caveat")
    for words in (
        "Vendor-run",
        "No MTP",
        "8k tokens in, 1k out",
        "5 users on 22 GPUs",
        "Jalapeño's load is unpublished",
    ):
        expect(caveat).to_contain_text(words)
    assert caveat.bounding_box()["y"] < 500
    heading = page.locator("h1").first.bounding_box()
    assert page.locator(".st-key-controls").bounding_box()["y"] < heading["y"]
    # Of the timeline both bars are in view.
    chart = page.locator(".st-key-figure-timeline [data-testid=stVegaLiteChart]").bounding_box()
    assert chart["y"] + chart["height"] < 800 + 60


def test_on_a_phone_the_answer_comes_before_the_controls(app: Watched):
    app.page.set_viewport_size(PHONE)
    page = app.open("/compare")
    assert page.locator("h1").first.bounding_box()["y"] < page.locator(".st-key-controls").bounding_box()["y"]


def test_names_of_systems_are_whole_on_a_phone(app: Watched):
    app.page.set_viewport_size(PHONE)
    page = app.open("/compare?baseline=gb300-mtp")
    names = page.locator(".st-key-controls .stSelectbox input").evaluate_all(
        "fields => fields.map(f => [f.value, f.scrollWidth <= f.clientWidth])"
    )
    assert len(names) == 4 and ["GB300 with MTP", True] in names and all(whole for _, whole in names), names


@pytest.mark.slow
def test_on_a_phone_the_other_page_is_two_taps_away(app: Watched):
    app.page.set_viewport_size(PHONE)
    page = app.open("/compare")
    page.locator("header button").first.click()
    page.get_by_role("link", name="Method").click()
    expect(page.locator("h1").first).to_contain_text("Why should I believe this?")
    app.settle()


@pytest.mark.slow
def test_the_keyboard_shows_where_it_is(app: Watched):
    page = app.open("/compare")
    page.get_by_role("button", name=re.compile("What if")).focus()
    page.keyboard.press("Shift+Tab")
    outline = page.evaluate("getComputedStyle(document.activeElement).outline")
    assert "solid 3px" in outline
    page.get_by_role("combobox", name="Task").focus()
    ring = page.locator(".stSelectbox [role=group]").first.evaluate("e => getComputedStyle(e).outline")
    assert "solid 3px" in ring


@pytest.mark.slow
def test_a_choice_is_in_the_address_and_the_address_is_a_choice(app: Watched):
    page = app.open("/compare")
    assert page.url == f"{app.address}/compare"
    page.get_by_role("radio", name=re.compile("Slow")).click()
    page.wait_for_url("**/compare?by=slow")
    app.settle()
    expect(page.locator("h1").first).to_contain_text("On slow runs (p95)")
    app.open("/compare?task=deep-research&by=slow")
    expect(page.get_by_role("radio", name=re.compile("Slow"))).to_be_checked()


@pytest.mark.slow
def test_the_scenario_survives_a_visit_to_method(app: Watched):
    page = app.open("/compare?model=kimi-k2.5")
    page.get_by_test_id("stTopNavLink").get_by_text("Method").click()
    expect(page.locator("h1").first).to_contain_text("Why should I believe this?")
    app.settle()
    expect(page.locator("pre").last).to_contain_text("jalapeno/kimi-k2.5")
    page.get_by_test_id("stTopNavLink").get_by_text("Compare").click()
    app.settle()
    expect(page).to_have_url(f"{app.address}/compare?model=kimi-k2.5")


@pytest.mark.slow
def test_what_if_by_its_key_and_back_to_the_start(app: Watched):
    page = app.open("/compare?tools=0.5")
    expect(page.locator(".ac-changed")).to_contain_text("Changed: tool time 0.5×. Before: ")
    expect(page.get_by_text(re.compile(r"Tool time: .* \(was "))).to_be_visible()
    page.get_by_role("button", name="Back to the start", exact=True).click()
    expect(page.locator(".ac-changed")).to_have_count(0)
    expect(page).to_have_url(f"{app.address}/compare")
    page.locator("h1").first.click()
    page.keyboard.press("w")
    expect(page.locator(".st-key-whatif")).to_have_count(0)


@pytest.mark.slow
def test_keys_answer_right_after_the_pointer_moved_a_slider_or_made_a_choice(app: Watched):
    page = app.open("/compare?tools=2")
    slider = page.get_by_role("slider", name="Tool time")
    box = page.locator(".st-key-lever_tools .stSlider").bounding_box()
    page.mouse.click(box["x"] + 6 + 0.25 * (box["width"] - 12), box["y"] + box["height"] - 14)
    expect(slider).to_have_attribute("aria-valuetext", "0.5×")
    app.settle()
    page.keyboard.press("k")
    expect(page.locator(".st-key-strip .ac-card")).to_have_count(2)
    app.settle()
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuetext", "0.6×")
    app.settle()
    page.get_by_role("combobox", name="Task").click()
    page.get_by_role("option", name="Deep research").click()
    expect(page.locator("p.ac-about").first).to_contain_text("Deep research")
    app.settle()
    page.keyboard.press("k")
    expect(page.locator(".st-key-strip .ac-card")).to_have_count(3)
    expect(page.locator(".st-key-strip")).to_contain_text("against GB300 in this scenario")


@pytest.mark.slow
def test_a_place_without_anything_takes_no_frame(app: Watched):
    page = app.open("/compare")
    page.mouse.click(1270, 700)
    page.keyboard.press("x")
    app.settle()
    frame = "() => getComputedStyle(document.querySelector('.stMain'), '::before').boxShadow"
    assert page.evaluate(frame) == "none"


@pytest.mark.slow
def test_a_page_that_is_not_there_is_said_once(app: Watched):
    page = app.open("/nopage")
    expect(page).to_have_url(re.compile("/compare$"))
    expect(page.locator(".ac-notice")).to_have_text("There is no page of this name; showing Compare.")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_test_id("stTopNavLink").get_by_text("Explore").click()
    expect(page.locator(".ac-notice")).to_have_count(0)


@pytest.mark.slow
def test_the_controls_are_one_row_with_the_widest_ratios(app: Watched):
    page = app.open("/compare?task=deep-research&tools=0.6")
    page.set_viewport_size(SCREEN)
    tops = page.locator(".st-key-controls button, .st-key-controls .stSelectbox").evaluate_all(
        "all => all.map((one) => Math.round(one.getBoundingClientRect().bottom))"
    )
    assert len(tops) >= 8 and max(tops) - min(tops) <= 2


@pytest.mark.slow
def test_another_run_keeps_the_answer_and_changes_the_timeline(app: Watched):
    page = app.open("/compare")
    before = page.locator("h1").first.inner_text(), page.locator(".st-key-figure-timeline h2").inner_text()
    page.keyboard.press("n")
    page.wait_for_url("**/compare?run=*")
    app.settle()
    after = page.locator("h1").first.inner_text(), page.locator(".st-key-figure-timeline h2").inner_text()
    assert after[0] == before[0] and after[1] != before[1]


def test_rests_on_opens_every_number_with_its_source(app: Watched):
    page = app.open("/compare")
    page.get_by_role("button", name=re.compile("Rests on")).click()
    details = page.locator(".ac-rests")
    expect(details).to_contain_text("That alone makes the answer")
    expect(details.get_by_role("link", name=re.compile("OpenAI")).first).to_have_attribute(
        "href", re.compile("^https://openai")
    )


@pytest.mark.slow
def test_figures_come_as_pictures_pages_and_data_under_a_title_of_ones_own(app: Watched):
    page = app.open("/compare")
    page.locator("h1").first.click()
    page.keyboard.press("f")
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("img.ac-picture")).to_have_count(5)

    def take(kind: str) -> bytes:
        with page.expect_download() as taken:
            dialog.get_by_role("button", name=kind, exact=True).click()
        assert taken.value.suggested_filename.startswith("coding-agent-")
        return taken.value.path().read_bytes()

    for kind in ("Timeline", "Step by step", "Where the time goes", "All runs"):
        dialog.get_by_role("button", name=kind, exact=True).click()
        app.settle()
        assert Image.open(io.BytesIO(take("PNG"))).size == (2560, 1440)
        assert ElementTree.fromstring(take("SVG").decode()).tag.endswith("svg")
        assert take("PDF").startswith(b"%PDF-")
        rows = take("Data (CSV)").decode().count("\n")
        assert rows > 2 and load_workbook(io.BytesIO(take("Data (XLSX)")))["Data"].max_row == rows
    dialog.get_by_label("Title").fill("Done in half the time <i>")
    dialog.get_by_label("Title").press("Enter")
    expect(dialog.get_by_role("button", name=re.compile("Back to the computed title"))).to_be_visible()
    dialog.get_by_role("radio", name="Dark").click()
    app.settle()
    html = take("HTML").decode()
    assert "Done in half the time &lt;i&gt;" in html and "half the time <i>" not in html
    expect(dialog.locator("code")).to_contain_text("--dark --title")
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_have_count(0)
    expect(page.locator(".st-key-figure-distribution h2")).to_have_text("Done in half the time <i>")
    assert "x=a" in page.url
    opened = page.context.new_page()
    asked = []
    opened.on("request", lambda request: asked.append(request.url))
    opened.set_content(html)
    expect(opened.locator("svg:visible")).to_have_count(1)
    assert opened.locator("tr").count() > 2 and asked == []


@pytest.mark.slow
def test_a_picture_is_copied_or_shown_to_be_copied(app: Watched):
    app.page.add_init_script("navigator.clipboard.write = () => Promise.reject(new Error('no'))")
    page = app.open("/compare")
    page.get_by_role("button", name=re.compile("^Figures")).click()
    page.get_by_role("button", name="Copy image").click()
    expect(page.locator(".ac-copied")).to_contain_text("Right-click the picture and choose Copy.")
    expect(page.locator(".ac-copied img")).to_have_js_property("naturalWidth", 2560)


def test_the_link_opens_the_same_numbers_in_another_browser(app: Watched, browser: Browser):
    app.page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=app.address)
    page = app.open("/compare?by=slow")
    _upload(page, "mine.yaml", GOOD)
    page.wait_for_url(re.compile(r"task=own.*x=a"))
    app.settle()
    page.keyboard.press("Escape")
    page.keyboard.press("k")
    expect(page.locator(".ac-card")).to_have_count(2)
    app.settle()
    page.keyboard.press("l")
    expect(page.locator(".ac-copied")).to_have_text("Copied. Whoever opens it sees these numbers.")
    link = page.evaluate("navigator.clipboard.readText()")
    assert link == page.url
    said = page.locator("h1").first.inner_text(), page.locator(".ac-card").all_inner_texts()
    other = Watched(browser.new_context().new_page(), app.address)
    other.open(link.removeprefix(app.address))
    assert (other.page.locator("h1").first.inner_text(), other.page.locator(".ac-card").all_inner_texts()) == said
    other.page.reload()
    other.settle()
    assert other.page.locator(".ac-card").all_inner_texts() == said[1]
    other.clean()


@pytest.mark.slow
def test_where_the_clipboard_is_refused_the_link_is_selected(app: Watched):
    app.page.add_init_script("navigator.clipboard.writeText = () => Promise.reject(new Error('no'))")
    page = app.open("/compare?tools=0.5")
    page.locator("h1").first.click()
    page.keyboard.press("l")
    expect(page.locator(".ac-copied")).to_contain_text("Press Ctrl+C.")
    field = page.get_by_label("The link")
    expect(field).to_be_focused()
    assert field.input_value() == f"{app.address}/compare?tools=0.5"
    assert page.evaluate("getSelection().toString()") == field.input_value()


@pytest.mark.slow
def test_a_page_inside_another_has_no_shell(app: Watched):
    page = app.open("/?embed=true&by=slow")
    assert page.url == f"{app.address}/compare?embed=true&by=slow"
    expect(page.get_by_test_id("stTopNavLink")).to_have_count(0)
    expect(page.locator("h1").first).to_contain_text("On slow runs")
    assert page.locator("h1").first.bounding_box()["y"] < 140  # below the controls alone
    page.get_by_role("radio", name=re.compile("Typical")).click()
    app.settle()
    assert page.url == f"{app.address}/compare?embed=true"


@pytest.mark.slow
def test_long_work_says_how_far_it_is_and_can_be_cancelled(app: Watched):
    heavy = documents.read_task(HEAVY.encode(), where="heavy.yaml")
    page = app.open(f"/compare?task=own&x={link.pack(Brought(task=heavy))}")
    before = page.locator("h1").first.inner_text()
    page.get_by_text("What would bring Jalapeño under").click()
    waiting = page.locator("[class*=st-key-waiting-]")
    expect(waiting).to_contain_text("Trying levers")
    assert page.locator("h1").first.inner_text() == before
    waiting.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("Cancelled.")).to_be_visible()
    expect(waiting).to_have_count(0)
    app.settle()
    assert page.locator("h1").first.inner_text() == before


@pytest.mark.slow
def test_a_task_stays_when_the_next_click_overtakes_its_first_run(app: Watched):
    page = app.open("/compare")
    _upload(page, "heavy.yaml", HEAVY)
    about = page.locator(".ac-about").first
    expect(about).to_contain_text("Heavy", timeout=PAGE_MS)
    page.keyboard.press("Escape")
    page.get_by_text("What would bring Jalapeño under").click()
    page.get_by_role("radio", name=re.compile("Slow")).click()
    page.wait_for_url(re.compile("by=slow"))
    app.settle()
    assert "task=own" in page.url
    expect(about).to_contain_text("Heavy")


@pytest.mark.slow
def test_what_would_bring_it_under_a_target(app: Watched):
    page = app.open("/compare?task=chat-turn&model=gpt-oss-120b")
    page.get_by_text("What would bring Jalapeño under").click()
    expect(page.locator(".ac-needs")).to_contain_text("GB200 would match Jalapeño at about")
    page.get_by_label("Under, in seconds").fill("0.3")
    page.get_by_label("Under, in seconds").press("Enter")
    page.wait_for_url("**target=0.3")
    expect(page.get_by_text("What would bring Jalapeño under 0.30 s?")).to_be_visible()


@pytest.mark.slow
def test_every_button_has_a_name_and_keys_have_a_list(app: Watched):
    page = app.open("/compare?tools=0.5")
    page.locator("h1").first.click()
    page.keyboard.press("k")
    expect(page.locator(".ac-card")).to_have_count(2)
    app.settle()
    for name in ("Swap", "Keys", "Change A", "Change B", "Tool time back to the start"):
        expect(page.get_by_role("button", name=re.compile(f"^{name}"))).to_have_count(1)
    page.locator("h1").first.click()
    page.keyboard.press("h")
    expect(page.get_by_role("dialog")).to_contain_text("Swap baseline and candidate")


def _upload(page: Page, name: str, text: str) -> None:
    page.get_by_role("button", name=re.compile("^File")).click()
    page.locator("input[type=file]").set_input_files({"name": name, "mimeType": "text/yaml", "buffer": text.encode()})


@pytest.mark.slow
def test_a_task_of_ones_own_is_shown_and_its_name_is_only_text(app: Watched):
    page = app.open("/compare")
    _upload(page, "mine.yaml", GOOD)
    page.wait_for_url(re.compile(r"/compare\?task=own&x=a"))
    app.settle()
    expect(page.locator("h1").first).to_contain_text("instead of")
    expect(page.locator(".ac-about").first).to_contain_text("My <b>own</b> task")


def test_a_broken_task_is_one_line_and_the_controls_stay(app: Watched):
    page = app.open("/compare")
    _upload(page, "broken.yaml", BAD)
    problem = page.locator(".ac-problem")
    expect(problem).to_contain_text("broken.yaml: steps[0]")
    expect(problem).to_contain_text("0.9")
    expect(problem).to_have_count(1)
    expect(page.locator("h1")).to_have_count(0)
    expect(page.get_by_role("combobox", name=re.compile("Task"))).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("^File"))).to_be_visible()


@pytest.mark.slow
def test_a_broken_link_says_what_it_shows_instead(app: Watched):
    page = app.open("/compare?baseline=gb400&task=<img src=x onerror=alert(1)>")
    said = "Part of this link could not be read (system 'gb400'). Showing GB300 instead."
    expect(page.locator(".ac-notice").get_by_text(said)).to_be_visible()
    assert page.locator("img[src=x]").count() == 0
    expect(page.locator("h1").first).to_contain_text(HEADLINE)


@pytest.mark.parametrize("path", ["compare", pytest.param("present", marks=pytest.mark.slow)])
def test_a_link_that_streamlit_leaves_out_is_told_too(app: Watched, path: str):
    page = app.open(f"/{path}?" + "&".join(f"p{i}={i}" for i in range(MOST_PARTS + 1)))
    line = page.locator(".ac-notice")
    expect(line).to_have_text(TOO_LONG)
    # Said once, and gone with the first choice.
    app.open(f"/{path}")
    expect(page.locator("h1").first).to_be_visible()
    expect(line).to_have_count(0)
    if path == "compare":
        app.open("/compare?" + "&".join("a" for _ in range(MOST_PARTS + 1)))
        expect(line).to_have_text(TOO_LONG)
        page.get_by_text("Slow (p95)").first.click()
        page.wait_for_url(re.compile("by=slow"))
        expect(line).to_have_count(0)
        app.settle()


@pytest.mark.slow
def test_method_names_every_source_and_its_contents_lead_somewhere(app: Watched):
    page = app.open("/method")
    for source in catalog.sources().values():
        if source.address:
            assert page.locator(f'a[href="{source.address}"]').count() > 0, source.id
    for entry in page.locator(".ac-contents a").all():
        assert page.locator(entry.get_attribute("href")).count() == 1
    page.locator('.ac-contents a[href="#sources"]').click()
    expect(page.locator("#sources")).to_be_in_viewport()


@pytest.mark.slow
def test_dark_follows_the_system(app: Watched):
    app.page.emulate_media(color_scheme="dark")
    page = app.open("/compare")
    expect(page.locator(".stApp")).to_have_css("background-color", "rgb(18, 23, 30)")
    expect(page.locator(".ac-candidate").first).to_have_css("color", "rgb(47, 199, 155)")
