"""The race: what lies where on the track and when, what is said, and the file it comes as."""

import json
import random
import re
from html.parser import HTMLParser

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import task_from

import agentcalc
from agentcalc.cli.main import cli
from agentcalc.exports.race import race_data, race_html, script, style
from agentcalc.figures.race import SPEEDS, race_for, speed
from agentcalc.figures.track import lay
from agentcalc.task import Task

SLOW, FAST = "slow:ttft=0.5s,speed=100", "fast:ttft=0.25s,speed=400"
seeds = st.integers(0, 2**32)
law = settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def task(*steps, **keys) -> Task:
    return Task.model_validate({"name": "t", "context_tokens": 0, "steps": list(steps), **keys})


def call(output, **keys):
    return {"kind": "model_call", "output_tokens": output, **keys}


def tool(seconds, **keys):
    return {"kind": "tool_wait", "seconds": seconds, **keys}


def race(it, systems=(SLOW, FAST), trials=1, trial=0):
    return race_for(agentcalc.compare(it, list(systems), trials=trials), trial)


def parts(lane, hidden=True):
    return [part for strip in lane.strips if strip.row or hidden for part in strip.parts]


def places(lane):
    return [(p.kind, round(p.start, 6), round(p.end, 6), round(p.x0, 6), round(p.x1, 6)) for p in parts(lane)]


def said(race):
    return [(round(at, 3), text.replace("\u00a0", " ")) for at, text in race.says]


# The track


def test_both_lanes_fill_the_same_track_in_the_baselines_seconds():
    found = race(task(call(101), tool(2), call(201)))
    base, cand = found.lanes
    assert places(base) == [
        ("ttft", 0, 0.5, 0, 0.5),
        ("decode", 0.5, 1.5, 0.5, 1.5),
        ("tool", 1.5, 3.5, 1.5, 3.5),
        ("ttft", 3.5, 4, 3.5, 4),
        ("decode", 4, 6, 4, 6),
    ]
    assert places(cand) == [
        ("ttft", 0, 0.25, 0, 0.5),
        ("decode", 0.25, 0.5, 0.5, 1.5),
        ("tool", 0.5, 2.5, 1.5, 3.5),
        ("ttft", 2.5, 2.75, 3.5, 4),
        ("decode", 2.75, 3.25, 4, 6),
    ]
    assert (found.length, base.end_s, cand.end_s) == (6, 6, 3.25)
    assert [p.tokens for p in parts(base)] == [None, 101, None, None, 201]
    assert (base.steps, cand.steps) == ((3.5, 6), (2.5, 3.25))


def test_what_one_system_alone_loses_holds_it_and_has_no_length():
    """The baseline's call of 2.5 s runs into its limit of 1 s twice; the candidate's takes 0.75 s."""
    it = task(tool(1), call(201, timeout_s=1, max_attempts=2), tool(1))
    base, cand = race(it).lanes
    assert [p for p in places(base) if p[0] == "retry"] == [("retry", 1, 2, 1, 1), ("retry", 2, 3, 1, 1)]
    assert [p[0] for p in places(cand)] == ["tool", "ttft", "decode", "tool"]
    # What only the candidate does is no loss, but there is no length for it either: the baseline never did it.
    assert places(cand)[1:3] == [("ttft", 1, 1.25, 1, 1), ("decode", 1.25, 1.75, 1, 1)]
    assert places(base)[-1][3:] == places(cand)[-1][3:] == (1, 2)


def test_an_attempt_made_again_is_matched_with_the_same_call_on_the_other_system():
    """The limit lies between the two systems' times for a call that draws anew: work is matched, losses hold."""
    it = task(call({"values": [51, 401]}, timeout_s=2, max_attempts=4, backoff_s=0.5), tool(1))
    comparison = agentcalc.compare(it, [SLOW, FAST], trials=60)
    for trial in range(60):
        found = race_for(comparison, trial)
        base, cand = found.lanes
        done = [p[3:] for p in places(base) if p[0] == "decode"]
        if done and [p for p in places(base) if p[0] == "retry"]:
            assert [p[3:] for p in places(cand) if p[0] == "decode"] == done
            assert found.length == pytest.approx(0.5 + done[0][1] - done[0][0] + 1)
            return
    pytest.fail("no run was made again on the baseline alone")


def test_a_loss_of_both_systems_is_on_the_track():
    retry = {"kind": "retry", "failure_probability": 1, "max_attempts": 2, "steps": [tool(3)]}
    found = race(task(retry, call(101)))
    for lane in found.lanes:
        assert [p[3:] for p in places(lane) if p[0] == "retry"] == [(0, 3), (3, 6)]
    assert found.length == 7.5


def test_branches_share_the_height_and_end_where_the_longest_does():
    fork = {"kind": "parallel", "branches": [{"steps": [tool(1)]}, {"steps": [call(201)]}, {"steps": [tool(2)]}]}
    found = race(task(fork, call(101)))
    base, cand = found.lanes
    assert [strip.row for strip in base.strips] == [(0, 1), (0, 1 / 3), (1 / 3, 2 / 3), (2 / 3, 1)]
    assert places(base)[-4:] == [
        ("tool", 0, 1, 0, 1),
        ("ttft", 0, 0.5, 0, 0.5),
        ("decode", 0.5, 2.5, 0.5, 2.5),
        ("tool", 0, 2, 0, 2),
    ]
    # On the candidate the tool is last, so its next call starts with it, at the place where the baseline's does.
    assert places(cand)[:2] == [("ttft", 2, 2.25, 2.5, 3), ("decode", 2.25, 2.5, 3, 4)]
    assert found.folds == ()


@pytest.mark.parametrize(("width", "drawn", "hidden"), [(4, 4, 0), (7, 4, 3)])
def test_four_branches_are_drawn_and_the_others_counted(width, drawn, hidden):
    branches = [{"steps": [tool(1 + i)]} for i in range(width)]
    found = race(task({"kind": "parallel", "branches": branches}))
    for lane in found.lanes:
        assert len([s for s in lane.strips if s.row]) == drawn and len([s for s in lane.strips if not s.row]) == hidden
        # The longest are drawn, the critical one among them.
        assert sorted(p.end for p in parts(lane, hidden=False)) == [width - 3, width - 2, width - 1, width]
    assert [fold.hidden for fold in found.folds] == ([hidden] if hidden else [])


def test_a_branch_within_a_branch_splits_its_row():
    inner = {"kind": "parallel", "name": "inner", "width": 3, "steps": [tool(1)]}
    outer = {"kind": "parallel", "name": "outer", "branches": [{"steps": [call(101), inner]}, {"steps": [tool(5)]}]}
    rows = [strip.row for strip in race(task(outer)).lanes[0].strips]
    assert rows == [(0, 0.5), (0, 0.25), (0.25, 0.5), None, (0.5, 1)]


def test_steps_of_a_graph_that_follow_each_other_share_a_row():
    steps = [tool(1, name="a"), tool(2, name="b", after=["a"]), tool(1, name="c", after=["a"])]
    lane = race(task({"kind": "graph", "steps": steps}, call(2))).lanes[0]
    rows = {p.x1: strip.row for strip in lane.strips for p in strip.parts if p.kind == "tool"}
    assert rows == {1: (0, 0.5), 3: (0, 0.5), 2: (0.5, 1)}


def test_work_that_the_candidate_need_not_do_is_passed_at_once():
    """Of two branches the first to finish counts; on the fast system that is the call, and the tool behind it stops."""
    first = {"steps": [call(201)]}
    second = {"steps": [tool(0.6, name="look"), tool(0.6, name="read")]}
    found = race(task({"kind": "parallel", "join": "any", "branches": [first, second]}))
    read = [p for p in parts(found.lanes[1]) if p.skipped or p.x0 == 0.6]
    assert [(p.skipped, round(p.start, 3), round(p.end, 3), p.x0, round(p.x1, 3)) for p in read] == [
        (False, 0.6, 0.75, 0.6, 1.2)
    ]
    found = race(task({"kind": "parallel", "join": "any", "branches": [{"steps": [call(101)]}, second]}))
    read = [p for p in parts(found.lanes[1]) if p.skipped]
    assert [(round(p.start, 3), round(p.end, 3), p.x0, round(p.x1, 3)) for p in read] == [(0.5, 0.5, 0.6, 1.2)]


@law
@given(seeds)
def test_any_run_is_a_race(seed):
    it = Task.model_validate(task_from(random.Random(seed)))
    comparison = agentcalc.compare(it, [SLOW, FAST], trials=2, seed=seed % 1000)
    trial = seed % 2
    table = comparison.timeline(trial)
    lanes = [table[table["role"] == role] for role in ("baseline", "candidate")]
    track = lay(*lanes)
    for rows, strips in zip(lanes, track.strips, strict=True):
        found = [part for strip in strips for part in strip.parts]
        for strip in strips:
            for a, b in zip(strip.parts, strip.parts[1:], strict=False):
                assert a.start <= a.end <= b.start + 1e-9 and a.x0 <= a.x1 + 1e-9 <= b.x0 + 2e-9
        # Nothing is invented and nothing lost: the same seconds, of the same kinds.
        real = [p for p in found if not p.skipped]
        assert sum(p.end - p.start for p in real) == pytest.approx((rows["end_s"] - rows["start_s"]).sum())
        assert max((p.end for p in real), default=0) == pytest.approx(rows["end_s"].max() if len(rows) else 0)
        assert all(p.x0 >= -1e-9 and p.x1 <= track.length + 1e-9 for p in found)
        path = sorted((p.start, p.end) for p in real if p.critical and p.end > p.start)
        at = 0.0
        for start, end in path:
            assert start == pytest.approx(at, abs=1e-9)
            at = end
    # The same places on both lanes, so that both are full at the finish.
    wide = [sorted((p.x0, p.x1) for strip in s for p in strip.parts if p.x1 > p.x0) for s in track.strips]
    assert wide[0] == wide[1]
    if len(table) and track.length > 0:
        data = race_for(comparison, trial).to_dict()
        assert json.loads(json.dumps(data, allow_nan=False)) == json.loads(json.dumps(data))


# Words


def test_what_is_said_from_start_to_finish():
    found = race(task(call(101), tool(2), call(201)))
    assert said(found) == [
        (0, "Both do the same work. The first across the line is done."),
        (0, "Both are at step 1 of 2."),
        (2.5, "fast is 1 step ahead."),
        (3.25, "fast is done. slow is still working."),
        (6, "fast finished 2.8 s sooner: 3.2 s instead of 6.0 s."),
    ]
    assert (found.about, found.title) == (
        "One run. 2\u00a0calls. Every pause and token at the pace of the sources.",
        "t, played in real time",
    )
    assert [lane.end.replace("\u00a0", " ") for lane in found.lanes] == ["6.0 s", "3.2 s"]


def test_the_baseline_may_be_first_and_leads_the_sentence():
    found = race(task(call(101), call(101)), (FAST, SLOW))
    assert said(found)[2:] == [
        (0.5, "fast is 1 step ahead."),
        (1.0, "fast is done. slow is still working."),
        (3.0, "fast finished 2.00 s sooner: 1.00 s instead of 3.00 s."),
    ]


def test_of_a_single_call_it_is_told_who_writes_first():
    found = race(task(call(1001)), ("early:ttft=0.1s,speed=100", "quick:ttft=0.4s,speed=500"))
    assert said(found)[1:4] == [
        (0, "Both wait for the first token."),
        (0.1, "early writes its first token."),
        (0.4, "Both are writing."),
    ]


def test_equal_systems_finish_together():
    found = race(task(tool(3), call(101)), (SLOW, SLOW))
    assert [at for at, _ in said(found)] == [0, 0, 4.5]
    assert said(found)[-1][1] == "Both took 4.5 s."


OSS = ("gb200/gpt-oss-120b", "jalapeno/gpt-oss-120b")


def test_too_close_to_call_carries_the_band_and_says_so():
    close = race(task(call(150, input_tokens=3000)), OSS)
    assert said(close)[-1][1].startswith("Too close to call: ")
    assert said(close)[-1][1].endswith("A different run could go the other way.")
    low, high = close.lanes[1].band
    assert low < close.lanes[1].end_s < high
    assert close.lanes[1].band_words in close.says[-1][1] and close.fact == ""


def test_not_known_yet_says_so():
    unknown = race(task(call(300, input_tokens=900)), OSS)
    assert re.match(r"Not known yet: Jalapeño takes .* to .*, GB200 .*\. Either may be first\.", said(unknown)[-1][1])


def test_a_clear_race_carries_no_band():
    clear = race("coding-agent", ("gb300/deepseek-r1", "jalapeno/deepseek-r1"), trials=100)
    assert clear.lanes[1].band is None and clear.lanes[1].band_words == ""
    assert clear.fact == "Jalapeño finishes first in all 100 runs."


def test_a_run_that_goes_the_other_way_says_so():
    """In one of four runs the work is a call that the system with the long first token loses."""
    options = [{"probability": p, "steps": [call(tokens)]} for p, tokens in ((0.3, 2), (0.7, 2001))]
    it = task({"kind": "choice", "options": options})
    comparison = agentcalc.compare(it, ["early:ttft=0.1s,speed=100", "quick:ttft=0.4s,speed=500"], trials=1000)
    facts = {race_for(comparison, trial).fact for trial in range(8)}
    share = round(100 * comparison.pairs[0].candidate_wins)
    assert facts == {
        f"Most runs go the other way: quick finishes first in {share}% of 1,000 runs.",
        f"quick finishes first in {share}% of 1,000 runs.",
    }


@pytest.mark.parametrize(
    ("seconds", "expected"), [(0.3, 1), (60, 1), (60.1, 2), (120, 2), (301, 10), (600, 10), (601, 60), (1e6, 60)]
)
def test_it_starts_at_the_smallest_speed_that_takes_a_minute(seconds, expected):
    assert speed(seconds) == expected and expected in SPEEDS


def test_a_long_race_says_how_it_is_played():
    assert race(task(tool(100), call(101))).title == "t, played 2 times as fast"


# What cannot be


def test_there_is_no_race_without_a_pair_or_without_time():
    alone = agentcalc.compare(task(tool(1)), [SLOW], trials=1)
    with pytest.raises(agentcalc.InputError, match=r"there is no pair 0\. Compare a baseline with a candidate"):
        race_for(alone, 0)
    pair = agentcalc.compare(task(tool(1)), [SLOW, FAST], trials=1)
    with pytest.raises(agentcalc.InputError, match="Use a number from 0 to 0"):
        race_for(pair, 0, which=1)
    with pytest.raises(IndexError, match="was not played"):
        race_for(pair, 1)
    idle = {"kind": "choice", "options": [{"probability": 1, "steps": []}, {"probability": 0, "steps": [call(9)]}]}
    for steps in ([tool(0)], [idle], [{"kind": "loop", "times": 0, "steps": [call(9)]}]):
        nothing = agentcalc.compare(task(*steps), [SLOW, FAST], trials=1)
        with pytest.raises(agentcalc.InputError, match="takes the baseline no time"):
            race_for(nothing, 0)


def test_the_second_candidate_can_race():
    comparison = agentcalc.compare(task(call(101)), [SLOW, FAST, "third:ttft=0.1s,speed=1000"], trials=1)
    assert [lane.name for lane in race_for(comparison, 0, which=1).lanes] == ["slow", "third"]


# The file


class Reader(HTMLParser):
    """Elements and their text, as a browser would part them."""

    def __init__(self):
        super().__init__()
        self.tags, self.text, self.here = [], {}, None

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self.here = (tag, dict(attrs).get("id"))

    def handle_endtag(self, tag):
        self.here = None

    def handle_data(self, data):
        self.text[self.here] = self.text.get(self.here, "") + data


def read(text: str) -> Reader:
    reader = Reader()
    reader.feed(text)
    return reader


def test_the_file_needs_nothing_beside_itself():
    text = race_html(race(task(call(101))))
    assert not re.search(r"https?:|//[a-z]+\.|\bimport\b\s*[\"'({*]|@import|url\(|fetch\(|XMLHttp|WebSocket", text)
    found = read(text)
    assert not [attrs for _, attrs in found.tags if "src" in attrs or "href" in attrs]
    assert {tag for tag, _ in found.tags} >= {"main", "noscript", "style", "script"}
    policy = next(attrs["content"] for tag, attrs in found.tags if attrs.get("http-equiv"))
    assert policy.startswith("default-src 'none'")
    # Without scripts it still says how it ends.
    assert "fast finished 1.00" in found.text[("p", None)].replace("\u00a0", " ")


def test_a_name_cannot_leave_its_place():
    name = "</script><script>alert(1)</script>"
    it = Task.model_validate({"name": f"{name} {{x}} & <b>", "steps": [call(101)]})
    text = race_html(race(it, (SLOW, "fast:ttft=0.25s,speed=400")))
    found = read(text)
    assert len([tag for tag, _ in found.tags if tag == "script"]) == 2 and "alert(1)</script>" not in text
    data = json.loads(found.text[("script", "data")])
    assert data["task"] == f"{name} {{x}} & <b>"
    assert found.text[("title", None)] == f"{name} {{x}} & <b>, played in real time"


def test_schemes():
    found = race(task(call(101)))
    assert "color-scheme: dark;" in race_html(found, "dark") and "color-scheme: light dark;" in race_html(found)
    assert race_data(found, "light")["scheme"] == "light" and race_data(found)["scheme"] is None
    with pytest.raises(agentcalc.AgentcalcError, match="no scheme 'sepia'"):
        race_data(found, "sepia")


def test_data_of_another_run_have_another_id_and_another_scheme_has_not():
    comparison = agentcalc.compare("chat-turn", [SLOW, FAST], trials=5)
    ids = [
        race_data(race_for(comparison, trial), scheme)["id"] for trial, scheme in ((0, None), (0, "dark"), (1, None))
    ]
    assert ids[0] == ids[1] != ids[2]


def test_the_script_is_one_module_without_markup_from_data():
    assert "export default function" in script() and "innerHTML" not in script() and ".race" in style()
    assert "</script" not in script() and "</style" not in style()


# The command


def run(*args, code=0):
    found = CliRunner().invoke(cli, ["race", *map(str, args)])
    assert found.exit_code == code, (found.output, found.exception)
    return found


def test_the_command_writes_the_file(tmp_path):
    path = tmp_path / "race.html"
    run("chat-turn", "--system", SLOW, "--system", FAST, "-o", path, "--trials", 20, "--trial", 3, "--dark", "--play")
    data = json.loads(read(path.read_text("utf-8")).text[("script", "data")])
    wanted = race_for(agentcalc.compare("chat-turn", [SLOW, FAST], trials=20), 3)
    assert [lane["end"] for lane in data["lanes"]] == [lane.end_s for lane in wanted.lanes]
    assert (data["scheme"], data["play"], data["heading"]) == ("dark", True, True)


def test_the_command_picks_the_most_ordinary_run_of_the_default_pair(tmp_path):
    run("coding-agent", "-o", tmp_path / "race.html", "--trials", 50, "--by", "p95")
    data = json.loads(read((tmp_path / "race.html").read_text("utf-8")).text[("script", "data")])
    pair = agentcalc.compare("coding-agent", ["gb300/deepseek-r1", "jalapeno/deepseek-r1"], trials=50)
    assert data["lanes"][1]["end"] == pair.task_seconds[1, pair.ordinary_trial("p95")]
    assert [lane["name"] for lane in data["lanes"]] == ["GB300", "Jalapeño"]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["chat-turn", "-o", "race.png"], "a race is an HTML file"),
        (["chat-turn", "-s", SLOW, "-o", "race.html"], "a race takes two systems, not 1"),
        (["chat-turn", "--trials", "5", "--trial", "5", "-o", "race.html"], "there is no run 5. Use a number from 0"),
        (["chat-turn", "-o", "no/such/folder/race.html"], "there is no folder"),
        (["chat-trun", "-o", "race.html"], "chat-turn"),
    ],
)  # fmt: skip
def test_what_the_command_refuses(args, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = run(*args, code=1)
    assert words in found.stderr and found.stderr.count("\n") == 1 and not list(tmp_path.iterdir())
