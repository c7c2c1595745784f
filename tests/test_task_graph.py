"""The drawn task: what stands where, what it says, and no text over another at any width."""

from __future__ import annotations

import math
import random
from itertools import pairwise

import pytest
from figure_geometry import assert_legible
from strategies import RULES, Wants, task_from
from test_build_rows import EVERYTHING
from test_figures import ABOUT

from agentcalc import catalog
from agentcalc.comparison import compare
from agentcalc.distributions import Fixed, MeanSd, Quantiles, Uniform, Values
from agentcalc.figures import amount_words, task_graph
from agentcalc.figures.graph_layout import LONGEST_S, MOST_BOXES, SHORTEST_S, Layout, Piece, frame_words, label_words
from agentcalc.task import Task, keys, places

LONG = "A step with a name of eighty characters, as long as the name of any step may be."
assert len(LONG) == 80


def a_task(*steps: dict, **more) -> Task:
    return Task.model_validate({"name": "T", "steps": list(steps), **more})


def tool(name: str = "run", seconds=1, **more) -> dict:
    return {"kind": "tool_wait", "name": name, "seconds": seconds, **more}


def call(name: str = "act", tokens=100) -> dict:
    return {"kind": "model_call", "name": name, "output_tokens": tokens}


def drawn(task: Task, seconds: float = 2.0, **more):
    found = {"system": "GB300", "calls": 8.0, "tool_share": 0.35} | more
    return task_graph.figure(task, dict.fromkeys(keys(task).values(), seconds), ABOUT, **found)


def laid(task: Task, wide: float = 340, seconds: dict | None = None) -> Piece:
    return Layout(13, seconds or {}).task(task.steps, wide)


@pytest.mark.parametrize(
    ("amount", "unit", "said"),
    [
        (Fixed(250), "tokens", "250"),
        (Fixed(1000), "tokens", "1k"),
        (Fixed(119_400), "tokens", "119k"),
        (Fixed(2_500_000), "tokens", "2.5M"),
        (Quantiles(p50=214, p90=1700), "tokens", "214–1.7k"),
        (Quantiles(p50=214, p90=1700, max=1000), "tokens", "214–1k"),
        (Fixed(8), "times", "8"),
        (Quantiles(p50=6, p90=20), "times", "6–20"),
        (Fixed(4), "seconds", "4 s"),
        (Quantiles(p50=0.3, p90=13.6), "seconds", "0.3–14 s"),
        (Quantiles(p50=84, p90=1236), "seconds", "1.4–21 min"),
        (Uniform(low=0, high=10), "seconds", "5–9 s"),
        (Fixed(20_000), "seconds", "5.6 h"),
        (Fixed(0), "seconds", "0 s"),
    ],
)
def test_amounts_in_words(amount, unit: str, said: str):
    assert getattr(amount_words, unit)(amount).replace("\u00a0", " ") == said


def test_a_range_goes_from_typical_to_nine_in_ten_whatever_the_shape():
    assert amount_words.ends(Values(values=(1, 2))) == (2, 2)
    low, high = amount_words.ends(MeanSd(mean=10, sd=5))
    assert low == pytest.approx(10 / math.sqrt(1.25)) and high > low


def test_titles():
    task = catalog.tasks()["coding-agent"]
    plain = [drawn(task).title, drawn(task, calls=1.0, tool_share=0).title, drawn(task, calls=0, tool_share=1).title]
    assert [title.replace("\u00a0", " ") for title in plain] == [
        "Coding agent, one request: 8 calls, 35% of the time on GB300 is tools",
        "Coding agent, one request: 1 call, no time in tools",
        "Coding agent, one request: no calls, 100% of the time on GB300 is tools",
    ]


def test_frames_say_how_they_are_played():
    said = [(frame_words(p.step), label_words(p.step)) for p in places(EVERYTHING.steps) if p.step.blocks]
    assert said == [
        ("stops with 20% a turn, at most 9",) * 2,
        ("2 at once, the first 1 count",) * 2,
        ("3 at once",) * 2,
        ("one of 2",) * 2,
        ("fails 50%, at most 3 tries",) * 2,
        ("", "group"),
        ("", "graph"),
        ("2 times", "b: 2 times"),
    ]


def test_boxes_are_as_wide_as_the_logarithm_of_their_time():
    task = a_task(*(tool(str(i)) for i in range(5)))
    times = {
        f"steps[{i}]": s for i, s in enumerate((0.01, SHORTEST_S, math.sqrt(SHORTEST_S * LONGEST_S), LONGEST_S, 1e6))
    }
    widths = [box.width for box in laid(task, 2000, times).boxes]
    assert widths[0] == widths[1] and widths[3] == widths[4]
    assert widths[2] == pytest.approx((widths[1] + widths[3]) / 2, abs=0.1)


def test_steps_go_from_left_to_right_and_down_where_they_do_not_fit():
    task = a_task(*(tool(str(i)) for i in range(6)))
    boxes = laid(task, 340).boxes
    assert [box.name for box in boxes] == list("012345")
    for a, b in pairwise(boxes):
        assert (b.y == a.y and b.x >= a.x + a.width) or b.y > a.y + a.height
    assert len({box.y for box in laid(task, 2000).boxes}) == 1
    assert len({box.y for box in boxes}) > 1


@pytest.mark.parametrize("wide", [340, 1216])
@pytest.mark.parametrize("task", [*catalog.tasks().values(), EVERYTHING], ids=lambda task: task.id)
def test_everything_lies_inside_and_frames_hold_what_is_theirs(task: Task, wide: float):
    piece = laid(task, wide)
    for item in (*piece.boxes, *piece.frames):
        assert (
            item.x >= 0
            and item.y >= 0
            and item.x + item.width < wide + 1e-6
            and item.y + item.height < piece.height + 1e-6
        )
    for i, a in enumerate(piece.boxes):
        for b in piece.boxes[i + 1 :]:
            assert a.x + a.width <= b.x or b.x + b.width <= a.x or a.y + a.height <= b.y or b.y + b.height <= a.y
    for i, a in enumerate(piece.frames):
        for b in piece.frames[i + 1 :]:
            apart = a.x + a.width <= b.x or b.x + b.width <= a.x or a.y + a.height <= b.y or b.y + b.height <= a.y
            inner, outer = sorted((a, b), key=lambda frame: frame.width * frame.height)
            within = outer.x < inner.x and outer.x + outer.width > inner.x + inner.width
            assert apart or (within and outer.y < inner.y and outer.y + outer.height > inner.y + inner.height)
    acting = [p for p in places(task.steps) if not p.step.blocks]
    assert {box.path for box in piece.boxes} == {place.path for place in acting}


def test_a_graph_stands_in_columns_by_what_it_waits_for():
    steps = [tool("a"), tool("b", after=["a"]), tool("c", after=["a"]), tool("d", after=["b", "c", "a"])]
    piece = laid(a_task({"kind": "graph", "name": "g", "steps": steps}), 600)
    x = {box.title: box.x for box in piece.boxes}
    assert x["a"] < x["b"] == x["c"] < x["d"]
    assert sum(link.end for link in piece.links) == 5
    narrow = laid(a_task({"kind": "graph", "name": "g", "steps": steps}), 200)
    assert [note.text for note in narrow.notes] == ["at once", "after a", "after a", "after b and c and a"]


def test_of_many_steps_some_are_drawn_and_the_others_counted():
    task = a_task(*(tool(str(i)) for i in range(300)))
    piece = laid(task)
    assert len(piece.boxes) == MOST_BOXES
    assert [note.text.replace("\u00a0", " ") for note in piece.notes] == ["+ 240 more steps"]
    assert_legible(drawn(task), "app", 358)
    assert_legible(drawn(task), "half")


def test_what_is_too_deep_for_the_picture_is_counted():
    step = tool()
    for _ in range(40):
        step = {"kind": "group", "steps": [step]}
    assert [note.text.replace("\u00a0", " ") for note in laid(a_task(step)).notes] == ["+ steps inside"]


@pytest.mark.parametrize("width", [358, pytest.param(640, marks=pytest.mark.slow), 1216])
@pytest.mark.parametrize("name", ["coding-agent", "swe-bench-fix", "sub-agents-cache", "voice-turn"])
def test_no_text_overlaps_or_is_cut(name: str, width: int):
    assert_legible(drawn(catalog.tasks()[name]), "app", width, dark=width == 640)


@pytest.mark.parametrize(("size", "width"), [("app", 358), ("full", None), ("half", None), ("square", None)])
def test_nor_with_every_kind_and_long_names(size: str, width: int | None):
    assert_legible(drawn(EVERYTHING), size, width)
    loop = {"kind": "loop", "name": LONG, "times": 3, "steps": [call(LONG), tool(LONG.replace(" ", "")[:80], 86400)]}
    assert_legible(drawn(a_task(loop, tool(LONG))), size, width)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_nor_in_random_tasks(seed: int):
    task = Task.model_validate(task_from(random.Random(seed), Wants(rules=RULES)))
    for width in (358, 700):
        assert_legible(drawn(task), "app", width)


def test_from_a_comparison():
    task, systems = catalog.tasks()["coding-agent"], catalog.systems()
    found = compare(task, (systems["gb300/deepseek-r1"],), trials=200)
    seconds = task_graph.seconds_a_play(found.steps(), "gb300/deepseek-r1")
    assert set(seconds) == {"act", "run", "report"} and all(s > 0 for s in seconds.values())
    figure = task_graph.figure(task, seconds, ABOUT, system="GB300", calls=7, tool_share=0.4)
    assert list(figure.table["step"]) == ["turns", "act", "run", "report"]
    assert figure.table["seconds"].isna().tolist() == [True, False, False, False]
    assert figure.alt_text.endswith(
        "Steps from left to right: turns (6–20 times), inside, act (214–1.7k), inside, run (0.3–14\u00a0s), "
        "report (400)."
    )
    assert figure.kind == "task_graph" and "on GB300" in figure.subtitle
