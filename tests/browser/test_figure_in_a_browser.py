"""A figure as an HTML file, as its reader sees it: what its marks say, at any width, and no word to anybody."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import agentcalc
from agentcalc.exports import page as written
from agentcalc.figures.several import figures_for
from agentcalc.task import Task

pytestmark = pytest.mark.browser

SLOW, FAST = "slow:ttft=0.5s,speed=100", "fast:ttft=0.25s,speed=400"
HOSTILE = "<img src=x onerror=alert(1)> a: b"
TASK = Task.model_validate(
    {
        "name": HOSTILE,
        "context_tokens": 0,
        "steps": [
            {"kind": "model_call", "name": HOSTILE, "output_tokens": 101},
            {"kind": "tool_wait", "name": "look", "seconds": 2},
            {"kind": "model_call", "name": "answer", "output_tokens": 301},
        ],
    }
)

Open = Callable[..., Page]


@pytest.fixture(scope="module")
def figures() -> dict:
    return figures_for(agentcalc.compare(TASK, [SLOW, FAST], trials=20), 0)


@pytest.fixture
def shown(browser: Browser, tmp_path: Path, figures: dict) -> Iterator[Open]:
    """Opens a figure as a file; afterwards nothing was asked for and nothing went wrong."""
    asked, errors, contexts = [], [], []

    def show(kind: str, width: int = 1280, dark: bool = False, **context) -> Page:
        path = tmp_path / "figure.html"
        path.write_text(written(figures[kind], dark=dark), "utf-8")
        contexts.append(browser.new_context(viewport={"width": width, "height": 800}, **context))
        page = contexts[-1].new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: errors.append(message.text))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(path.as_uri())
        return page

    yield show
    for context in contexts:
        context.close()
    assert [address for address in asked if not address.endswith("/figure.html")] == []
    assert errors == []


def told(page: Page) -> dict[str, str]:
    """What the tooltip says, by what each line is of."""
    box = page.locator(".told")
    expect(box).to_be_visible()
    return dict(zip(box.locator("span").all_inner_texts(), box.locator("b").all_inner_texts(), strict=True))


def plain(said: dict[str, str]) -> dict[str, str]:
    return {name: value.replace("\u00a0", " ") for name, value in said.items()}


def test_a_segment_says_its_seconds_under_the_mouse(shown):
    """A call of 301 tokens at 100 tok/s writes for 3 s; a tool takes its 2 s on both."""
    page = shown("timeline")
    expect(page.locator(".told")).to_be_hidden()
    marks = page.locator("svg:visible .tip")
    found = []
    for i in range(marks.count()):
        marks.nth(i).hover()
        found.append(plain(told(page)))
    assert {"system": "slow", "step": "answer", "spent on": "writing tokens", "time": "3.0 s"} in found
    assert {"system": "fast", "step": "look", "spent on": "tools", "time": "2.0 s"} in found
    assert found[0] == {"system": "slow", "step": HOSTILE, "spent on": "waiting for the first token", "time": "0.50 s"}
    page.mouse.move(5, 5)
    expect(page.locator(".told")).to_be_hidden()
    assert page.locator("img").count() == 0


def test_a_line_says_its_values_at_the_nearest_point(shown):
    page = shown("break_even", 390)
    point = page.locator("svg:visible .tip.point").nth(30)
    box = point.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2 + 3, box["y"] + box["height"] / 2 - 3)
    said = plain(told(page))
    tokens = int(said["a call that writes"].removesuffix(" tokens").replace(",", ""))
    speed, first = (100, 0.5) if said["system"] == "slow" else (400, 0.25)
    assert float(said["takes"].removesuffix(" s")) == pytest.approx(first + (tokens - 1) / speed, abs=0.06)


def test_arrow_keys_read_the_values_one_by_one(shown):
    page = shown("timeline")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "drawn"
    page.keyboard.press("ArrowRight")
    assert told(page)["step"] == HOSTILE
    expect(page.locator(".heard")).to_contain_text("waiting for the first token")
    page.keyboard.press("ArrowRight")
    assert told(page)["spent on"] == "writing tokens"
    page.keyboard.press("End")
    assert told(page)["system"] == "fast"
    page.keyboard.press("Escape")
    expect(page.locator(".told")).to_be_hidden()


@pytest.mark.parametrize("width", [390, 800, 1280])
def test_it_fits_the_window_and_one_picture_is_shown(shown, width):
    page = shown("timeline", width, dark=width == 800)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator("svg:visible").count() == 1
    box = page.locator("svg:visible").bounding_box()
    drawn = float(page.locator("svg:visible").get_attribute("viewBox").split()[2])
    assert 0.79 <= box["width"] / drawn <= 1.3, "letters stay of a size to be read"
    page.locator("svg:visible .tip").last.hover()
    tip = page.locator(".told").bounding_box()
    assert tip["x"] >= 0 and tip["x"] + tip["width"] <= width


def test_without_scripts_it_is_still_all_there(shown):
    page = shown("timeline", java_script_enabled=False)
    expect(page.locator("h1")).to_contain_text("sooner")
    expect(page.locator("svg:visible")).to_have_count(1)
    expect(page.locator("svg:visible .tip > title").first).to_contain_text("waiting for the first token")
    expect(page.locator("summary")).to_be_visible()
