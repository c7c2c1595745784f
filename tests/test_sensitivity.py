"""The tornado against derivatives by hand, pairs, own ranges, and the ranked list of changes."""

from __future__ import annotations

import numpy as np
import pytest

from agentcalc import catalog
from agentcalc.analysis.changes import changes, possible_changes
from agentcalc.analysis.playing import Case, play_cases
from agentcalc.analysis.sensitivity import COLUMNS, sensitivity
from agentcalc.comparison import compare
from agentcalc.errors import InputError
from agentcalc.task import Task

A = catalog.load_system("a:ttft=2s,speed=100,per_token=100us,at=10000,overhead=0.1s")
B = catalog.load_system("b:ttft=0.5s,speed=500")
PAIR = tuple(catalog.load_system(name) for name in ("gb300/deepseek-r1", "jalapeno/deepseek-r1"))

CALL = {"kind": "model_call", "name": "act", "output_tokens": 501, "input_tokens": 1000}
TOOL = {"kind": "tool_wait", "name": "run", "seconds": 5}


def task(*steps, **rest) -> Task:
    return Task.model_validate({"name": "t", "steps": list(steps), **rest})


CHAIN = task(
    CALL, TOOL, {"kind": "human_wait", "name": "read", "seconds": 3}, {**TOOL, "name": "test", "seconds": 20},
    context_tokens=10_000, cached_tokens=5_000,
)  # fmt: skip
"""On A: 0.1 + 1 (fixed) + 6,000 uncached tokens x 100 us + 500 x 10 ms + 28 s of waits."""


def text(words: str) -> str:
    return words.replace("\u00a0", " ")


@pytest.mark.parametrize("by", ["mean", "p50", "p95"])
def test_the_tornado_of_a_linear_task_is_its_partial_derivatives(by):
    found = sensitivity(CHAIN, [A], by=by, steps=True, trials=3)
    now = 0.1 + 1.0 + 0.6 + 5.0 + 28.0
    assert found.now == pytest.approx(now, abs=1e-9)
    # d(seconds) / d(factor), by hand
    slopes = {
        "run:tools": 5.0,
        "test:tools": 20.0,
        "humans": 3.0,
        "input": 1000 * 100e-6,
        "context": 5000 * 100e-6,
        "ttft": 1.0 + 0.6,
        "overhead": 0.1,
        # the share f of 2 s is fixed, the rest grows: 2 f + (1 - f) 2 x 6000 / 10000
        "fixed-share": 0.5 * (2 - 1.2),
    }
    bars = {bar.lever.id: bar for bar in found.bars}
    for name, slope in slopes.items():
        bar = bars[name]
        assert (bar.low_setting, bar.high_setting) == (0.8, 1.2)
        assert bar.at_low == pytest.approx(now - 0.2 * slope, abs=1e-9), name
        assert bar.at_high == pytest.approx(now + 0.2 * slope, abs=1e-9), name
    # 401 and 601 tokens; a speed acts by its reciprocal; a share by its own width
    assert bars["tokens"].at_low == pytest.approx(now - 1.0, abs=1e-9)
    assert bars["tokens"].at_high == pytest.approx(now + 1.0, abs=1e-9)
    assert bars["speed"].at_high == pytest.approx(now - 5 + 5 / 1.2, abs=1e-9)
    assert bars["speed"].at_low == pytest.approx(now - 5 + 5 / 0.8, abs=1e-9)
    assert bars["cached"].at_low == pytest.approx(now + 0.2 * 10_000 * 100e-6, abs=1e-9)
    assert set(bars) == {*slopes, "tokens", "speed", "cached"}


def test_bars_are_sorted_and_tidy():
    found = sensitivity(CHAIN, [A], trials=3)
    table = found.table()
    assert tuple(table.columns) == COLUMNS
    assert table["span"].is_monotonic_decreasing and table["input"].iloc[0] == "tools"
    assert (table["span"] - (table["at_high"] - table["at_low"]).abs()).abs().max() == 0
    assert set(table["now"]) == {found.now}
    row = table[table["input"] == "tools"].iloc[0]
    assert (row["title"], row["unit"], row["today"], row["low"], row["high"]) == ("Tool time", "s", 25, 20, 30)


def test_what_matters_most_in_words():
    by_mean = sensitivity(CHAIN, [A], by="mean", trials=3)
    assert (
        text(by_mean.sentence)
        == "Tool time matters most: 20% less tool time saves 5.0 s. 20% faster writing saves 0.83 s."
    )
    typical = sensitivity(CHAIN, [A], trials=3)
    # medians are never subtracted
    assert "saves" not in typical.sentence and "makes it 30 s instead of 35 s" in text(typical.sentence)


def test_the_speed_up_as_the_answer():
    found = sensitivity(CHAIN, [A, B], of="speedup", trials=3)
    base, mine = 34.7, 0.5 + 1.0 + 28
    assert found.now == pytest.approx(base / mine)
    bars = {bar.lever.id: bar for bar in found.bars}
    assert bars["tools"].at_low == pytest.approx((base - 5) / (mine - 5))
    assert bars["baseline.speed"].at_low == pytest.approx((base - 5 + 5 / 0.8) / mine)
    assert bars["speed"].at_high == pytest.approx(base / (mine - 1 + 1 / 1.2))
    assert found.sentence.startswith("a writing speed matters most: 20% slower writing on a makes the speed-up")
    time = sensitivity(CHAIN, [A, B], trials=3)
    assert not any(bar.lever.id.startswith("baseline") for bar in time.bars)


def test_a_winner_inside_the_band_is_too_close_to_call():
    ttft = B.point.ttft.model_copy(update={"value": 6.0, "band": (0.5, 9.0)})
    banded = B.model_copy(update={"points": (B.point.model_copy(update={"ttft": ttft}),)})
    found = sensitivity(CHAIN, [A, banded], of="speedup", trials=3)
    assert found.band == (pytest.approx(34.7 / 38), pytest.approx(34.7 / 29.5))
    assert "too close to call" in found.sentence
    assert sensitivity(CHAIN, [A, B], of="speedup", trials=3).unsure == ""
    time = sensitivity(CHAIN, [banded], trials=3)
    assert time.band == (pytest.approx(29.5), pytest.approx(38)) and time.unsure == ""
    assert text(time.band_line) == "Today's 35 s is 30 s to 38 s over what is unknown about the systems."
    assert sensitivity(CHAIN, [A], trials=3).band_line == ""


def test_pairs_that_multiply_are_named():
    # 10 turns of 500 tokens at 100 tok/s and a tool: only turns x tokens, turns x speed, tokens x speed multiply
    loop = task(
        {"kind": "loop", "name": "turns", "times": 10, "steps": [{**CALL, "input_tokens": 0}]}, {**TOOL, "seconds": 100}
    )
    fast = catalog.load_system("f:ttft=0s,speed=100")
    found = sensitivity(loop, [fast], by="mean", trials=2)
    pairs = {frozenset((i.first.id, i.second.id)): i for i in found.interactions}
    both = pairs[frozenset(("steps", "tokens"))]
    # together 8 turns of 401 tokens; alone 8 turns of 501 and 10 turns of 401
    assert both.joint == pytest.approx(50 - 8 * 4) and both.apart == pytest.approx(10 + 10)
    assert both.share == pytest.approx(-0.1)
    assert pairs[frozenset(("steps", "tools"))].share == pytest.approx(0, abs=1e-9)
    assert "Tokens per call and steps together do 10% less than one by one." in found.interaction_line
    assert "tool time" not in found.interaction_line.lower()
    table = found.interaction_table()
    assert list(table.columns) == ["first", "second", "joint", "apart", "share", "named"]
    assert table["named"].sum() == 3
    assert sensitivity(loop, [fast], pairs=False, trials=2).interactions == ()
    # what changes nothing is in no pair: steps, tokens, speed and tools have six
    assert len(found.interactions) == 6


def test_plain_turns_go_to_the_next_whole_one():
    loop = task({"kind": "loop", "name": "turns", "times": 2, "steps": [TOOL]})
    bar = next(bar for bar in sensitivity(loop, [B], by="mean", trials=2).bars if bar.lever.id == "steps")
    assert (bar.low, bar.today, bar.high) == (1, 2, 3)
    assert (bar.at_low, bar.at_high) == (pytest.approx(5), pytest.approx(15))


def test_a_concurrency_goes_to_its_neighbours():
    points = tuple(
        B.point.model_copy(update={"concurrency": c, "ttft": B.point.ttft.model_copy(update={"value": float(c)})})
        for c in (16, 4, 64)
    )
    loaded = B.model_copy(update={"points": points})
    bar = next(bar for bar in sensitivity(CHAIN, [loaded], trials=2).bars if bar.lever.id == "concurrency")
    assert bar.low < 16 < bar.high and bar.at_low < 16 + 29 < bar.at_high


def test_own_ranges():
    agent = task(
        {**CALL, "output_tokens": {"low": 101, "high": 201}, "input_tokens": 0},
        {**TOOL, "seconds": {"low": 0, "high": 10}},
        {**TOOL, "name": "test", "seconds": 4},
    )
    ttft = B.point.ttft.model_copy(update={"band": (0.4, 0.9)})
    tpot = B.point.tpot.model_copy(update={"band": (250.0, 1000.0)})
    banded = B.model_copy(update={"points": (B.point.model_copy(update={"ttft": ttft, "tpot": tpot}),)})
    found = sensitivity(agent, [banded], by="mean", range="own", steps=True, trials=2000)
    bars = {bar.lever.id: bar for bar in found.bars}
    assert set(bars) == {"run:tools", "tokens", "ttft", "speed"}
    assert (bars["run:tools"].low, bars["run:tools"].high) == (pytest.approx(1), pytest.approx(9))
    assert bars["run:tools"].span == pytest.approx(8)
    assert bars["tokens"].span == pytest.approx(80 / 500)
    assert (bars["ttft"].low, bars["ttft"].high) == (0.4, 0.9) and bars["ttft"].span == pytest.approx(0.5)
    assert (bars["speed"].low, bars["speed"].high) == (250, 1000)
    assert bars["speed"].at_low > bars["speed"].at_high
    assert "run: tool time at 1.00 s instead of" in text(found.sentence)


def test_nothing_uncertain():
    found = sensitivity(CHAIN, [B], range="own", trials=2)
    assert found.bars == () and found.sentence == "Nothing that was moved makes a difference."
    assert list(found.table().columns) == list(COLUMNS)


def test_progress_counts_every_case():
    done = []
    found = sensitivity(CHAIN, [A], pairs=False, trials=2, progress=lambda *count: done.append(count))
    assert done[-1] == (2 * len(found.bars) + 1,) * 2


@pytest.mark.parametrize("reach", [0, 1.0, -0.2, "most"])
def test_ranges_that_cannot_be(reach):
    with pytest.raises(InputError, match="a share between 0% and 100%, or own"):
        sensitivity(CHAIN, [A], range=reach)


def test_a_speed_up_needs_two():
    with pytest.raises(InputError, match="a speed-up needs two systems"):
        sensitivity(CHAIN, [A], of="speedup")


# Changes


def by_id(found):
    return {saving.change.id: saving for saving in found.savings}


def test_changes_by_hand():
    found = changes(CHAIN, [A], trials=3)
    saved = {name: saving.saved_s for name, saving in by_id(found).items()}
    assert saved["tools=0.5"] == pytest.approx(12.5)
    assert saved["test:tools=0.5"] == pytest.approx(10)
    assert saved["humans=0"] == pytest.approx(3)
    assert saved["speed=2"] == pytest.approx(2.5)
    assert saved["ttft=0.5"] == pytest.approx(0.8)
    assert saved["overhead=0"] == pytest.approx(0.1)
    assert saved["cache"] == pytest.approx(0.5)
    assert saved["tokens=0.5"] == pytest.approx(2.51)
    assert [s.saved_s for s in found.savings] == sorted(saved.values(), reverse=True)
    assert text(found.sentence).startswith("halve tool time: −13 s; halve tool time of test: −10 s; ")
    assert found.mean_s == pytest.approx(34.7)
    table = found.table()
    assert table["saved_s"].is_monotonic_decreasing
    assert (table["mean_s"] + table["saved_s"]).to_list() == pytest.approx([34.7] * len(table))


def test_three_searches_at_the_same_time():
    searches = [
        {"kind": "tool_wait", "name": f"search {i}", "seconds": s, "result_tokens": 1000}
        for i, s in enumerate((4, 6, 3))
    ]
    agent = task({**CALL, "name": "plan"}, *searches, {**CALL, "name": "answer", "input_tokens": 0})
    found = by_id(changes(agent, [A], trials=3))["at-once:search 0+search 1+search 2"]
    assert found.change.title == "run search 0, search 1 and search 2 at the same time"
    assert found.change.needs == "search 2 must not need what comes before it"
    # 13 s become 6 s; the answer reads the same 3,000 fresh tokens
    assert found.saved_s == pytest.approx(7)
    compare(found.change.case.task, [A], trials=3)


def test_steps_at_the_same_time_draw_what_they_drew():
    waits = [{"kind": "tool_wait", "seconds": {"p50": 1, "p90": 5}, "result_tokens": {"p50": 100, "p90": 900}}] * 2
    agent = task({**CALL, "input_tokens": 0}, *waits, {**CALL, "name": "b"}, waits[0])
    change = next(c for c in possible_changes(agent, [A]) if c.id.startswith("at-once"))
    apart, together = play_cases([Case(agent, (A,)), change.case], 200, 7)
    drawn = compare(agent, [A], trials=200).again(np.arange(200), None).per_trial[4, 0]
    saved = apart.seconds[0] - together.seconds[0]
    assert (saved > 0).all() and (saved < drawn).all()
    assert apart.uncached_tokens == together.uncached_tokens


def test_calls_that_stand_alone_run_at_the_same_time_too():
    alone = {**CALL, "conversation": None}
    agent = task({**alone, "name": "a"}, {**alone, "name": "b", "output_tokens": 251}, {**CALL, "name": "c"})
    found = by_id(changes(agent, [A], trials=3))["at-once:a+b"]
    assert found.saved_s == pytest.approx(0.1 + 1 + 0.1 + 2.5)


@pytest.mark.parametrize(
    "steps",
    [
        [CALL, {**CALL, "name": "b"}],  # one conversation: the second reads the first
        [TOOL, CALL, {**TOOL, "name": "b"}],  # a call between
        [{**TOOL, "conversation": "x"}, {**TOOL, "name": "b"}],  # two conversations
        [{"kind": "graph", "steps": [TOOL, {**TOOL, "name": "b", "after": ["run"]}]}],  # an order of its own
    ],
)
def test_what_cannot_run_at_the_same_time(steps):
    assert not any(c.id.startswith("at-once") for c in possible_changes(task(*steps), [A]))


def test_a_loop_of_tools_fans_out():
    agent = task({"kind": "loop", "name": "fetch", "times": 4, "steps": [TOOL]}, CALL)
    found = by_id(changes(agent, [A], trials=3))["at-once:fetch"]
    assert found.change.title == "run the turns of fetch at the same time"
    assert found.saved_s == pytest.approx(15)
    assert not any(c.id == "at-once:turns" for c in possible_changes(catalog.load_task("coding-agent"), [A]))


def test_keeping_the_cache():
    agent = catalog.load_task("sub-agents-cache")
    ids = [c.id for c in possible_changes(agent, PAIR)]
    assert "keep-cache" in ids and "cache" not in ids


def test_a_saving_that_nobody_knows_is_too_close_to_call():
    # with more of the first token fixed, reading less saves less; nothing known to save is left out
    agent = catalog.load_task("voice-turn")
    found = by_id(changes(agent, PAIR, trials=200))
    first = found["ttft=0.5"]
    assert first.low_s < first.saved_s < first.high_s and not first.undecided
    assert all(saving.low_s <= saving.saved_s <= saving.high_s for saving in found.values())


@pytest.mark.parametrize("name", catalog.tasks())
def test_every_change_is_a_task_that_compare_plays(name):
    agent = catalog.load_task(name)
    for change in possible_changes(agent, PAIR):
        compare(change.case.task, change.case.specs, trials=2)
