"""A report as its reader sees it: on a screen of any width, in the dark, on paper, and no word to anybody."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

import agentcalc
from agentcalc.analysis.findings import findings
from agentcalc.exports.report import report_for
from agentcalc.exports.report_html import report_html
from agentcalc.figures.several import figures_for
from agentcalc.figures.theme import DARK, LIGHT

pytestmark = pytest.mark.browser

FIGURES = 6


@pytest.fixture(scope="module")
def file(tmp_path_factory) -> Path:
    found = agentcalc.compare("rag-answer", ["gb300/deepseek-r1", "jalapeno/deepseek-r1"], trials=300)
    words = {"caveat": "Vendor-run.", "command": "agentcalc report rag-answer --trials 300 -o report.html"}
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(report_html(report_for(found, findings(found), figures_for(found), **words)), "utf-8")
    return path


def rgb(colour: str) -> str:
    return f"rgb({', '.join(str(int(colour[i : i + 2], 16)) for i in (1, 3, 5))})"


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_it_fits_asks_nobody_and_shows_each_figure_once(browser: Browser, file: Path, width: int, scheme: str):
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    asked, said = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.goto(file.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    expect(page.locator("svg:visible")).to_have_count(FIGURES)
    expect(page.locator(f"svg.{scheme}.w{860 if width > 860 else 358}:visible")).to_have_count(FIGURES)
    ground = {"light": LIGHT, "dark": DARK}[scheme].background
    expect(page.locator("body")).to_have_css("background-color", rgb(ground))
    for link in page.locator("nav a").all():
        link.click()
        assert page.evaluate("document.querySelector(location.hash).getBoundingClientRect().top") < 900
    # Whatever a page may be asked for later, its policy refuses.
    assert page.evaluate("document.scripts.length") == 0
    assert [address for address in asked if not address.startswith("file:")] == [] and said == []
    page.close()


def test_on_paper_it_is_light_and_whole(browser: Browser, file: Path):
    page = browser.new_page(viewport={"width": 1280, "height": 900}, color_scheme="dark")
    page.goto(file.as_uri())
    page.emulate_media(media="print")
    expect(page.locator("body")).to_have_css("background-color", rgb(LIGHT.background))
    expect(page.locator("svg.light.w860:visible")).to_have_count(FIGURES)
    expect(page.locator("svg:visible")).to_have_count(FIGURES)
    expect(page.locator("nav")).to_be_hidden()
    # 178 mm between the margins of A4.
    page.set_viewport_size({"width": 672, "height": 1000})
    wide = page.evaluate(
        "[...document.querySelectorAll('table, pre, svg, p')].map(e => e.getBoundingClientRect().right)"
    )
    assert max(wide) <= 672
    assert page.pdf(prefer_css_page_size=True).startswith(b"%PDF-")
    page.close()
