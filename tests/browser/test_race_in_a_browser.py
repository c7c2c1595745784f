"""The race as its reader sees it: the clock, the lanes, the squares, keys, sizes, and no word to anybody."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from driving import Watched, serving
from playwright.sync_api import Browser, Page, expect

import agentcalc
from agentcalc.app.options import ENTRY
from agentcalc.exports.race import race_html
from agentcalc.figures.race import race_for
from agentcalc.task import Task

pytestmark = pytest.mark.browser

SLOW, FAST = "slow:ttft=0.5s,speed=100", "fast:ttft=0.25s,speed=400"
SCREEN, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
LONG_NAME = "A task with a name of eighty characters, as long as names may become, and no morE"[:80]
FRAME_S = 1 / 60


def call(output, **keys):
    return {"kind": "model_call", "output_tokens": output, **keys}


def tool(seconds, **keys):
    return {"kind": "tool_wait", "seconds": seconds, **keys}


def task(*steps, name="t") -> Task:
    return Task.model_validate({"name": name, "context_tokens": 0, "steps": list(steps)})


SHORT = task(call(51), tool(0.3), call(101))
FORK = task(
    call(51), {"kind": "parallel", "width": 6, "steps": [call({"low": 50, "high": 900}), tool({"low": 0.2, "high": 3})]}
)
CODING = ("coding-agent", ("gb300/deepseek-r1", "jalapeno/deepseek-r1"))

Open = Callable[..., Page]


@pytest.fixture
def shown(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    """Opens the race of a task as a file; afterwards nothing was asked for and nothing went wrong."""
    asked, errors, contexts = [], [], []

    def show(it, systems=(SLOW, FAST), *, trial=0, scheme=None, play=False, **context) -> Page:
        found = race_for(agentcalc.compare(it, list(systems), trials=20), trial)
        path = tmp_path / "race.html"
        path.write_text(race_html(found, scheme, play=play), "utf-8")
        contexts.append(browser.new_context(**{"viewport": SCREEN} | context))
        page = contexts[-1].new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: errors.append(message.text))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(path.as_uri())
        page.wait_for_function("() => window.race")
        return page

    yield show
    for context in contexts:
        context.close()
    assert [address for address in asked if not address.endswith("/race.html")] == []
    assert errors == []


def state(page: Page) -> dict:
    return page.evaluate("race.state()")


def seek(page: Page, seconds: float) -> dict:
    return page.evaluate("at => { race.seek(at); return race.state(); }", seconds)


RECORD = """speed => {
  // The moment that the race itself reads: on a busy machine another reading may come much later.
  const samples = [], show = race.show.bind(race), now = performance.now.bind(performance), wall = Date.now();
  let read = 0;
  performance.now = () => (read = now());
  race.setSpeed(speed);
  race.seek(0);
  race.show = () => { samples.push([read, race.time]); show(); };
  race.play();
  return new Promise(done => {
    const told = () => ({samples, lanes: race.state().lanes, wall: Date.now() - wall});
    const ask = () => race.phase === "finished" ? done(told()) : setTimeout(ask, 20);
    ask();
  });
}"""


# The clock


@pytest.mark.parametrize(
    ("it", "speed", "allowed"),
    [(SHORT, 1, FRAME_S), (task(call(101), tool(50), call(2001)), 60, 0.001 * 72)],
    ids=["1x", "60x"],
)
def test_the_clock_is_the_wall_clock_times_the_speed(shown: Open, it: Task, speed: int, allowed: float):
    page = shown(it)
    found = page.evaluate(RECORD, speed)
    (started, zero), *samples = found["samples"]
    assert zero == 0 and len(samples) > 5
    ends = [lane["end"] for lane in found["lanes"]]
    for now, at in samples[:-1]:
        assert at == pytest.approx((now - started) / 1000 * speed, abs=allowed)
    # It ends with the first frame after the slower system's end, and at that end exactly.
    assert samples[-1][1] == max(ends)
    assert (samples[-1][0] - started) / 1000 * speed >= max(ends) - allowed
    assert found["wall"] / 1000 * speed >= max(ends) - speed * 0.005
    assert [lane["clock"] for lane in found["lanes"]] == [lane["ended"] for lane in page.evaluate("race.data.lanes")]


def test_a_system_is_done_at_its_own_end(shown: Open):
    page = shown(SHORT)
    fast = state(page)["lanes"][1]["end"]
    before, after = seek(page, fast - 1e-4), seek(page, fast)
    assert before["lanes"][1]["done"] == "" and "step 2 of 2" in before["lanes"][1]["status"]
    assert after["lanes"][1]["done"] == "done" and after["lanes"][1]["status"] == "finished"
    assert after["sentence"] == "fast is done. slow is still working."
    later = seek(page, fast + 0.5)
    assert later["lanes"][1]["done"].replace("\u00a0", " ") == "done, 0.50 s ago"
    assert later["lanes"][1]["clock"] == after["lanes"][1]["clock"] != later["lanes"][0]["clock"]


def test_in_a_hidden_tab_it_stands_still_and_goes_on(shown: Open):
    page = shown(task(tool(30)), play=True)
    page.wait_for_function("() => race.time > 0.2")
    hide = """hidden => {
      Object.defineProperty(document, "hidden", {value: hidden, configurable: true});
      document.dispatchEvent(new Event("visibilitychange"));
      return race.time;
    }"""
    left = page.evaluate(hide, True)
    page.wait_for_timeout(900)
    since = page.evaluate("performance.now()")
    back = page.evaluate(hide, False)
    assert left == back > 0.2 and state(page)["phase"] == "running"
    page.wait_for_function("left => race.time > left + 0.2", arg=left)
    # It has gone on for as long as it has been seen again, and no longer.
    here, now = page.evaluate("[race.time, performance.now()]")
    assert here - left <= (now - since) / 1000 + 0.05


# The lanes


@pytest.mark.parametrize("it", [SHORT, FORK, "coding-agent"], ids=["chain", "branches", "coding-agent"])
def test_at_the_finish_both_lanes_are_full(shown: Open, it):
    page = shown(it)
    assert [lane["position"] for lane in seek(page, 0)["lanes"]] == [0, 0]
    found = seek(page, 1e9)
    assert [lane["position"] for lane in found["lanes"]] == [1, 1]
    same = """() => race.lanes.map(lane => {
      const wide = Math.floor(race.reach * race.ratio), high = lane.full.height;
      const bits = canvas => canvas.getContext("2d").getImageData(0, 0, wide, high).data;
      const [shown, full, pale] = [lane.track, lane.full, lane.pale].map(bits);
      let wrong = 0, told = 0;
      for (let i = 0; i < full.length; i++) { wrong += shown[i] !== full[i]; told += full[i] !== pale[i]; }
      return [wrong / full.length, told / full.length];
    })"""
    for wrong, told in page.evaluate(same):
        assert wrong < 0.002 < told


def test_a_lead_is_a_distance(shown: Open):
    """After 1 s the baseline is half through its writing, and the candidate is at its tool of 0.3 s."""
    page = shown(SHORT)
    found = seek(page, 0.5 + 0.25)
    length = 0.5 + 0.5 + 0.3 + 0.5 + 1
    assert found["lanes"][0]["position"] == pytest.approx(0.75 / length)
    # first token 0.25 s, writing 0.125 s, tool 0.3 s: the second call waits since 0.675 s
    assert found["lanes"][1]["position"] == pytest.approx((1.3 + 0.075 / 0.25 * 0.5) / length)
    assert found["sentence"] == "fast is 1\u00a0step ahead."
    assert found["lanes"][0]["status"] == "step 1 of 2 · writing token 26 of 51"
    assert found["lanes"][1]["status"] == "step 2 of 2 · waiting for the first token"


def test_squares_fill_at_the_speeds_of_the_systems(shown: Open):
    page = shown(task(call(4001)))
    rates = []
    for lane, times in enumerate([(2, 4, 20, 38), (1, 2, 5, 9)]):
        squares = [seek(page, at)["lanes"][lane]["squares"] for at in times]
        rate = [(b - a) / (u - t) for a, b, t, u in zip(squares, squares[1:], times, times[1:], strict=False)]
        assert rate == pytest.approx([rate[0]] * 3, rel=1e-3)
        rates.append(rate[0])
    assert rates[1] / rates[0] == pytest.approx(4, rel=1e-3)
    assert rates[0] * state(page)["square"] == pytest.approx(100, rel=1e-3)
    expect(page.locator(".scale")).to_have_text(f"One square is {state(page)['square']} tokens. ")


def test_a_wait_of_one_system_alone_is_named_and_holds_it(shown: Open):
    page = shown(task(tool(1), call(201, timeout_s=1, max_attempts=2), tool(1)))
    found = seek(page, 2.5)
    assert found["lanes"][0]["status"].endswith("lost to retries, 0.50 of 1.00 s".replace(" s", "\u00a0s"))
    assert found["lanes"][0]["position"] == 0.5
    pink = """() => { const pen = race.lanes[0].track.getContext("2d"), at = Math.round(race.pixel(1) * race.ratio);
      return [...pen.getImageData(at - 5, 20, 1, 1).data].slice(0, 3); }"""
    assert page.evaluate(pink) == [0xD6, 0x33, 0x6C]


def test_branches_are_counted_in_words_and_hidden_ones_named(shown: Open):
    page = shown(FORK)
    found = seek(page, 1.6)
    assert found["lanes"][0]["status"].startswith("step 2 of 2 · ") and "calls writing" in found["lanes"][0]["status"]
    expect(page.locator(".note")).to_contain_text("Up to 2 more branches run beside those drawn.")


# Words


def test_the_sentence_is_polite_and_changes_only_when_it_says_something_else(shown: Open):
    page = shown(SHORT)
    expect(page.locator(".sentence")).to_have_attribute("aria-live", "polite")
    changes = page.evaluate(
        """() => new Promise(done => {
          let changes = 0;
          new MutationObserver(found => { changes += found.filter(m => m.addedNodes.length).length; })
            .observe(race.sentence, {childList: true, characterData: true, subtree: true});
          for (let at = 0; at <= race.seconds; at += race.seconds / 400) race.seek(at);
          race.seek(race.seconds);
          setTimeout(() => done(changes), 50);
        })"""
    )
    assert changes == len(page.evaluate("race.data.says")) - 1
    expect(page.locator(".sentence")).to_have_text("fast finished 1.62 s sooner: 1.18 s instead of 2.80 s.")
    expect(page.locator(".fact")).to_have_text("fast finishes first in all 20 runs. ")


def test_it_starts_at_the_speed_that_takes_a_minute_and_says_so(shown: Open):
    page = shown(task(tool(200), call(101)))
    expect(page.locator("h1")).to_have_text("t, played 5 times as fast")
    expect(page.get_by_role("button", name="5×, 5 times as fast")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="1×, in real time").click()
    expect(page.locator("h1")).to_have_text("t, played in real time")
    expect(page.locator(".how")).to_have_text("Played in real time.")
    expect(page.locator('[aria-pressed="true"]')).to_have_text("1×")


def test_names_are_only_text(shown: Open):
    page = shown(task(call(101), name="<img src=x onerror=alert(1)></script><b>it"))
    expect(page.locator("h1")).to_have_text("<img src=x onerror=alert(1)></script><b>it, played in real time")
    assert page.locator("img, b").count() == 0


# Hands


def test_by_keyboard_alone(shown: Open):
    page = shown(task(tool(40)))
    page.keyboard.press("Space")
    page.wait_for_function("() => race.time > 0.1")
    page.keyboard.press("Space")
    stopped = state(page)
    assert stopped["phase"] == "paused"
    page.wait_for_timeout(150)
    assert state(page)["time"] == stopped["time"]
    page.keyboard.press("End")
    assert (state(page)["phase"], state(page)["time"]) == ("finished", 40)
    page.keyboard.press("Home")
    assert (state(page)["phase"], state(page)["time"]) == ("ready", 0)
    names = []
    for _ in range(7):
        page.keyboard.press("Tab")
        names.append(page.evaluate("document.activeElement.textContent || document.activeElement.ariaLabel"))
        outline = page.evaluate("getComputedStyle(document.activeElement).outline")
        assert "solid 3px" in outline
    assert names == ["Play", "Time", "1×", "2×", "5×", "10×", "60×"]
    page.keyboard.press("Enter")
    assert state(page)["speed"] == 60
    page.get_by_role("slider", name="Time").focus()
    page.keyboard.press("ArrowRight")
    assert 0 < state(page)["time"] < 2
    page.keyboard.press("Space")
    page.wait_for_function("() => race.phase === 'finished'")
    # On the button, Space is the button's own.
    page.evaluate("race.setSpeed(1)")
    page.get_by_role("button", name="Play again").focus()
    page.keyboard.press("Space")
    assert state(page)["phase"] == "running"


def test_scrubbing_while_it_runs_goes_on_from_there(shown: Open):
    page = shown(task(tool(100)), play=True)
    page.get_by_role("slider", name="Time").fill("60")
    found = state(page)
    assert found["phase"] == "running" and 60 <= found["time"] < 100
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.get_by_role("slider", name="Time").fill("100")
    expect(page.get_by_role("button", name="Play again")).to_be_visible()
    page.get_by_role("button", name="Play again").click()
    assert state(page)["time"] < 60
    assert (
        page.get_by_role("slider", name="Time").get_attribute("aria-valuetext").endswith("of 1\u00a0min\u00a040\u00a0s")
    )


def test_less_motion_opens_at_the_end_and_moves_in_steps_of_a_second(shown: Open):
    page = shown(task(tool(20)), play=True, reduced_motion="reduce")
    assert (state(page)["phase"], state(page)["time"]) == ("finished", 20)
    page.get_by_role("button", name="Play again").click()
    seen = page.evaluate(
        """() => new Promise(done => {
          const seen = new Set();
          const look = () => { seen.add(race.time); race.time >= 2 ? done([...seen]) : setTimeout(look, 10); };
          look();
        })"""
    )
    assert seen[0] == 0 and len(seen) > 1 and all(at == round(at) for at in seen)


# Sizes and schemes


@pytest.mark.parametrize("size", [SCREEN, PHONE], ids=["1280", "390"])
@pytest.mark.parametrize("it", [*CODING[:1], LONG_NAME])
def test_it_fits_its_screen(shown: Open, size: dict, it: str):
    if it == LONG_NAME:
        page = shown(task(call(101), tool(1), name=it), viewport=size)
    else:
        page = shown(it, CODING[1], viewport=size)
    for at in (0, 0.5, 1):
        seek(page, at * state(page)["seconds"])
        assert page.evaluate("document.documentElement.scrollWidth") == size["width"]
        boxes = page.locator(".race :is(h1, h2, p, canvas, button, input):visible").evaluate_all(
            "found => found.map(e => [e.className, e.getBoundingClientRect().left, e.getBoundingClientRect().right])"
        )
        assert [box for box in boxes if box[1] < 0 or box[2] > size["width"]] == []
        if size is SCREEN:
            assert page.locator(".controls").bounding_box()["y"] + 40 < 800
    heads = page.locator(".lane header").first
    clock, status, name = (heads.locator(f".{part}").bounding_box() for part in ("clock", "status", "name"))
    assert name["y"] < clock["y"] + clock["height"] and name["x"] + name["width"] <= clock["x"] + 1
    if size is PHONE:
        assert status["y"] >= clock["y"] + clock["height"] - 8


def test_it_takes_a_new_width_and_the_readers_scheme(shown: Open):
    page = shown(SHORT, color_scheme="dark")
    seek(page, 1)
    square = state(page)["square"]
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    assert page.evaluate(ground) == "rgb(18, 23, 30)"
    assert page.locator(".candidate .name").evaluate("e => getComputedStyle(e).color") == "rgb(47, 199, 155)"
    page.emulate_media(color_scheme="light")
    expect(page.locator(".candidate .name")).to_have_css("color", "rgb(0, 121, 92)")
    assert page.evaluate(ground) == "rgb(255, 255, 255)"
    page.set_viewport_size({"width": 300, "height": 700})
    page.wait_for_function("() => race.width < 300")
    assert state(page)["square"] >= square and state(page)["time"] == 1


def test_a_fixed_scheme_stays(shown: Open):
    page = shown(SHORT, scheme="dark", color_scheme="light")
    assert page.locator(".race").evaluate("e => getComputedStyle(e).color") == "rgb(238, 242, 246)"


DRAWN = """() => {
  const pens = CanvasRenderingContext2D.prototype;
  let drawn = 0;
  for (const name of ["fillRect", "drawImage", "fillText", "stroke", "fill"]) {
    const draw = pens[name];
    pens[name] = function (...args) { drawn++; return draw.apply(this, args); };
  }
  return [...Array(60).keys()].map(i => {
    race.time = race.seconds * i / 60;
    drawn = 0;
    race.show();
    return drawn;
  });
}"""
"""How much is drawn for each of sixty frames."""


def turns(number: int) -> Task:
    steps = [call({"low": 5, "high": 60}), tool({"low": 0.01, "high": 1})]
    return task({"kind": "loop", "times": number, "steps": steps})


@pytest.mark.slow
def test_a_frame_of_ten_thousand_parts_draws_no_more_than_one_of_a_hundred(shown: Open):
    page = shown(turns(3400))
    assert sum(len(strip["parts"]) for strip in page.evaluate("race.data.lanes[0].strips")) > 10_000
    many, few = max(page.evaluate(DRAWN)), max(shown(turns(34)).evaluate(DRAWN))
    assert 0 < many <= few + 50, (many, few)


# In the app

ROOT = Path(agentcalc.__file__).parents[1]
SCRIPT = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
import streamlit as st
import agentcalc
from agentcalc.app import race

st.set_page_config(layout="wide")

@st.cache_resource
def found():
    return agentcalc.compare("coding-agent", ["gb300/deepseek-r1", "jalapeno/deepseek-r1"], trials=50)

race.heading(race.of(found(), 3))
st.button("Again")
st.text_input("Name")
if "wait" in st.query_params and not st.button("Watch"):
    st.stop()
told = "tell" in st.query_params
phase = race.show(found(), 3, on_phase=(lambda: None) if told else None)
st.html("<p id='phase'>" + phase + "</p>")
"""


@pytest.mark.slow
def test_in_the_app_it_plays_on_while_the_page_runs_again(page: Page, tmp_path: Path):
    script = tmp_path / "app.py"
    script.write_text(SCRIPT, "utf-8")
    shutil.copytree(ENTRY.parent / ".streamlit", tmp_path / ".streamlit")
    with serving(tmp_path, script) as address:
        watched = Watched(page, address)
        watched.open("/")
        clock, lanes = page.locator(".race .clock").first, page.locator(".race .lane")
        expect(page.locator('.race[data-phase="running"]')).to_have_count(1)
        before = _seconds(clock)
        page.get_by_role("button", name="Again").click()
        watched.settle()
        expect(lanes).to_have_count(2)
        page.wait_for_timeout(1500)
        assert before + 1 < _seconds(clock)
        page.emulate_media(color_scheme="dark")
        page.get_by_role("button", name="Again").click()
        expect(page.locator(".race .candidate .name")).to_have_css("color", "rgb(47, 199, 155)")
        expect(page.locator('.race[data-phase="running"]')).to_have_count(1)
        assert _seconds(clock) > before + 1.5
        # Where something is typed, a space is a space.
        page.get_by_label("Name").fill("a")
        page.get_by_label("Name").press("Space")
        expect(page.locator('.race[data-phase="running"]')).to_have_count(1)
        page.locator("h1").click()
        page.keyboard.press("End")
        expect(page.locator(".race .sentence")).to_contain_text("Jalapeño finished")
        expect(page.locator("#phase")).to_have_text("ready")
        watched.open("/?tell=1")
        page.locator("h1").click()
        page.keyboard.press("End")
        expect(page.locator("#phase")).to_have_text("finished")
        watched.open("/?wait=1")
        page.get_by_role("button", name="Watch").click()
        expect(page.locator('.race[data-phase="running"]')).to_have_count(1)
        page.keyboard.press("Space")
        expect(page.locator('.race[data-phase="paused"]')).to_have_count(1)
        watched.clean()


def _seconds(clock) -> float:
    number, _, rest = clock.inner_text().partition("\u00a0")
    minutes = rest.startswith("min")
    return 60 * float(number) + float(rest.split("\u00a0")[1]) if minutes else float(number)
