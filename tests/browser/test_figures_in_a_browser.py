"""The app and an export draw the same picture: the same specification, and every mark in the same place."""

from __future__ import annotations

import base64
import json
import re
import time

import pytest
from driving import PAGE_MS, Watched
from geometry import differences, marks
from playwright.sync_api import Browser, Page, expect

from agentcalc import exports
from agentcalc.app import calls, scenario
from agentcalc.app.build import answers
from agentcalc.app.explore import questions
from agentcalc.app.explore.asked import ask
from agentcalc.app.explore.view import VIEWS, read
from agentcalc.app.present import drawing
from agentcalc.app.state import State, start
from agentcalc.figures import Figure
from tests.pages import visit

pytestmark = pytest.mark.browser

PHONE = {"width": 390, "height": 844}
NARROW = 358
"""Pixels of a figure on a phone."""

SCREEN = {"width": 1280, "height": 800}
WIDE = (1216, 576)
"""Pixels on such a screen: over the whole page, or one of two side by side."""

LEAST = 5
"""Marks that every figure has at least."""


def state(**changed: str) -> State:
    first = start(calls.catalog_choices())
    return State(
        **{name: changed.get(name, getattr(first, name)) for name in ("task", "model", "baseline", "candidate")}
    )


def on_compare(**asked: str) -> dict[str, Figure]:
    answer = calls.answer(state(**asked), calls.catalog_choices())
    return {f"figure-{figure.kind}": figure for figure in calls.figures(answer).all}


def on_explore(view: str, task: str) -> dict[str, Figure]:
    known, here = calls.catalog_choices(), state(task=task)
    shown = read(lambda part: view if part == "view" else "", here, known)
    asked = ask(here, known, shown, calls.trials_for(scenario.task_of(here, known)))
    return {f"figure-{view}": questions.QUESTIONS[view].find(asked).figure}


def on_build(task: str) -> dict[str, Figure]:
    known, here = calls.catalog_choices(), state(task=task)
    systems = scenario.systems_of(here, known)[:2]
    return {"figure-task_graph": answers.drawn(answers.played(scenario.task_of(here, known), systems))}


PLACES = {
    "compare": ("compare", {"task": "sub-agents-cache"}, lambda: on_compare(task="sub-agents-cache")),
    "compare, not known": (
        "compare",
        {"task": "chat-turn", "model": "gpt-oss-120b"},
        lambda: on_compare(task="chat-turn", model="gpt-oss-120b", baseline="gb200", candidate="jalapeno"),
    ),
    **{
        view: ("explore", {"task": "voice-turn", "view": view}, lambda view=view: on_explore(view, "voice-turn"))
        for view in VIEWS
    },
    "build": ("build", {"task": "tree-of-thoughts"}, lambda: on_build("tree-of-thoughts")),
}


@pytest.mark.parametrize("place", PLACES)
def test_a_figure_in_the_app_is_that_of_an_export(app: Watched, place: str):
    name, query, made = PLACES[place]
    figures = made()
    sent = specifications(name, query)
    assert sent == [figure.chart("app").to_dict() for figure in figures.values()]
    app.page.set_viewport_size(SCREEN)
    page = app.open(f"/{name}?" + "&".join(f"{part}={value}" for part, value in query.items()))
    for key, figure in figures.items():
        same(page, key, figure, () if name == "build" else WIDE)
    page.set_viewport_size(PHONE)
    for key, figure in figures.items():
        same(page, key, figure, () if name == "build" else (NARROW,))


def specifications(page: str, query: dict[str, str]) -> list[dict]:
    """What the server sends to be drawn on a page, from top to bottom."""
    return [json.loads(chart.proto.spec) for chart in visit(page, **query).get("vega_lite_chart")]


def same(page: Page, key: str, figure: Figure, wide: tuple[float, ...]) -> None:
    """Waits until a chart is as wide as one of ``wide`` and all its marks are where the export of that width has them.

    A page that settles draws a chart more than once.
    """
    picture = page.locator(f".st-key-{key} svg.marks")
    picture.wait_for(timeout=PAGE_MS)
    until, exported = time.monotonic() + PAGE_MS / 1000, {}
    while True:
        width, room = picture.evaluate("p => [Number(p.getAttribute('width')), p.parentElement.clientWidth]")
        found = [f"{width} pixels wide, in a place of {room}"]
        if abs(width - room) < 1 and (not wide or width in wide):
            if width not in exported:
                exported[width] = marks(exports.svg(figure, "app", width=width))
            drawn = marks(picture.evaluate("p => new XMLSerializer().serializeToString(p)"))
            found = differences(drawn, exported[width])
            assert len(drawn) > LEAST
        if not found:
            return
        if time.monotonic() > until:
            pytest.fail(f"{key}: " + "\n".join(found[:5]))
        page.wait_for_timeout(100)


def test_a_screen_of_present_shows_the_export(app: Watched):
    answer = calls.answer(state(), calls.catalog_choices())
    timeline = calls.figures(answer).first
    page = app.open("/present?slide=3")
    for kind, size, width in (("wide", SCREEN, 1216), ("narrow", PHONE, NARROW)):
        page.set_viewport_size(size)
        picture = page.locator(f"img.pr-{kind}")
        expect(picture).to_be_visible(timeout=PAGE_MS)
        shown = base64.b64decode(picture.get_attribute("src").partition(",")[2]).decode()
        assert shown == drawing.picture(answer, timeline, False, kind == "narrow")
        # It fills its place in the shape it has: within the place, or by giving the place its own.
        wide, shape, own, fit = picture.evaluate(
            "p => [p.clientWidth, p.clientHeight / p.clientWidth, p.naturalHeight / p.naturalWidth,"
            " getComputedStyle(p).objectFit]"
        )
        assert wide == pytest.approx(width, abs=1)
        assert fit == "contain" or shape == pytest.approx(own, rel=0.01)


def test_the_picture_of_the_dialog_is_copied_and_that_is_said(browser: Browser, server: str):
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    watched = Watched(context.new_page(), server)
    page = watched.open("/compare")
    page.get_by_role("button", name=re.compile("^Figures")).click()
    page.get_by_role("button", name="Copy image").click()
    expect(page.locator(".ac-copied")).to_contain_text("The picture is copied.", timeout=PAGE_MS)
    taken = page.evaluate("""async () => {
        const [item] = await navigator.clipboard.read();
        const picture = await createImageBitmap(await item.getType("image/png"));
        return [picture.width, picture.height];
    }""")
    assert taken == [2560, 1440]
    watched.clean()
    context.close()


def test_a_mark_elsewhere_is_seen():
    drawn = """<svg xmlns="http://www.w3.org/2000/svg"><g transform="translate(3,32)">
        <path d="M1,2h5v6.5h-5Z" fill="red"/><g transform="translate(10, 0)">
        <text transform="translate(1,2) rotate(-90)">a</text><line x2="4"/></g></g></svg>"""
    first = marks(drawn)
    assert [mark.numbers for mark in first] == [(4, 34, 5, 6.5, -5), (14, 34, -90), (13, 32, 17, 32)]
    assert differences(first, marks(drawn.replace("M1,2", "M1.4,2"))) == []
    for was, now in (("M1,2", "M1.6,2"), ("h5", "h6"), (">a<", ">b<"), ("-90", "0"), ("10,", "11,"), ("red", "blue"),
                     ('<line x2="4"/>', "")):  # fmt: skip
        assert differences(first, marks(drawn.replace(was, now))), now
