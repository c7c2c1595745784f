"""What axe finds on every page, light and dark, on a screen and on a phone: nothing serious that an empty page lacks.

axe-core is part of a package, so nothing is fetched. What Streamlit itself brings is measured on a page that says one
word, on a server of its own. Words inside pictures are beyond axe: the tests of the figures hold their contrast.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import axe_playwright_python
import pytest
from driving import Watched, serving
from playwright.sync_api import Browser, Page

from agentcalc.app.shell import pages_there

pytestmark = [pytest.mark.browser, pytest.mark.slow]

AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js")
SIZES = {"1280": {"width": 1280, "height": 800}, "390": {"width": 390, "height": 844}}
SERIOUS = ("serious", "critical")
PAGES = [address for _, _, address in pages_there()]

STATES = {
    "sliders": ("compare?tools=0.5", None),
    "a link that is wrong": ("compare?task=nonsense&by=%3Cb%3E", None),
    "race": ("compare", "p"),
    "figures": ("compare", "f"),
    "keys": ("compare", "h"),
    "kept scenarios": ("compare", "k"),
    "deadline": ("explore?view=deadline", None),
    "a slide": ("present", "ArrowRight"),
}
"""Further states of pages that have words and widgets of their own: the address, then a key."""


def found(page: Page) -> dict[str, dict[str, list[str]]]:
    """Serious and critical findings: rule, then the place, then the words of each finding."""
    page.evaluate(AXE.read_text("utf-8"))
    violations = page.evaluate("async () => (await axe.run(document, {resultTypes: ['violations']})).violations")
    rules: dict[str, dict[str, list[str]]] = {}
    for violation in violations:
        if violation["impact"] in SERIOUS:
            for node in violation["nodes"]:
                place = " ".join(str(part) for part in node["target"])
                said = f"{node['html'][:200]} | {(node.get('failureSummary') or '').splitlines()[-1:]}"
                rules.setdefault(violation["id"], {}).setdefault(place, []).append(said)
    return rules


ENTRY = """
import streamlit as st

if "pale" in st.query_params:
    st.html('<p style="color: #bbbbbb; background: #ffffff">Pale</p><button></button>')
else:
    st.write("Empty")
"""


@pytest.fixture(scope="module")
def bare(tmp_path_factory) -> Iterator[str]:
    """The address of a Streamlit page of one word, on a server of its own."""
    folder = tmp_path_factory.mktemp("bare")
    entry = folder / "bare.py"
    entry.write_text(ENTRY)
    with serving(folder, entry) as address:
        yield address


@pytest.fixture(scope="module")
def empty(browser: Browser, bare: str) -> dict[tuple[str, str], set[str]]:
    """The rules that the page of one word breaks, by width and colours."""
    broken = {}
    for width, size in SIZES.items():
        for scheme in ("light", "dark"):
            page = browser.new_page(viewport=size, color_scheme=scheme)
            page.goto(bare)
            page.get_by_text("Empty").wait_for()
            broken[width, scheme] = set(found(page))
            page.close()
    return broken


def test_what_is_pale_or_has_no_name_is_found(page: Page, bare: str):
    page.goto(f"{bare}?pale=1")
    page.get_by_text("Pale").wait_for()
    assert {"color-contrast", "button-name"} <= set(found(page))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", SIZES)
@pytest.mark.parametrize("path", PAGES)
def test_a_page_has_no_serious_finding(browser: Browser, server: str, empty, path: str, width: str, scheme: str):
    page = browser.new_page(viewport=SIZES[width], color_scheme=scheme)
    watched = Watched(page, server)
    watched.open(f"/{path}")
    assert new(page, empty[width, scheme]) == ""
    assert page.evaluate("document.documentElement.lang") == "en"
    levels = page.evaluate("[...document.querySelectorAll('h1, h2, h3, h4')].map(h => +h.tagName[1])")
    assert levels.count(1) == 1 and all(b <= a + 1 for a, b in pairwise(levels)), levels
    watched.clean()
    page.close()


@pytest.mark.parametrize("state", STATES)
def test_what_opens_on_a_page_has_no_serious_finding(browser: Browser, server: str, empty, state: str):
    page = browser.new_page(viewport=SIZES["1280"], color_scheme="dark")
    watched = Watched(page, server)
    path, key = STATES[state]
    watched.open(f"/{path}")
    if key:
        page.keyboard.press(key)
        watched.settle()
        # What opens may fade in.
        page.wait_for_function("() => document.getAnimations().every(one => one.playState !== 'running')")
    assert new(page, empty["1280", "dark"]) == ""
    watched.clean()
    page.close()


def new(page: Page, known: set[str]) -> str:
    """What breaks a rule that the empty page keeps, as text; empty when nothing does."""
    unlike = {rule: places for rule, places in found(page).items() if rule not in known}
    return json.dumps(unlike, indent=1, ensure_ascii=False) if unlike else ""
