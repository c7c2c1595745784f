"""Figures from hand-made timelines: exact titles, colours that can be read, and no text over another at any width."""

from __future__ import annotations

import unicodedata
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from figure_geometry import assert_legible

import agentcalc
from agentcalc import exports
from agentcalc.analysis.segments import Segments
from agentcalc.figures import KINDS, accumulation, break_even, components, distribution, figures_for, timeline
from agentcalc.figures.axes import time_ticks
from agentcalc.figures.bars import condensed, laned
from agentcalc.figures.frame import Plot
from agentcalc.figures.measure import balance, ems, in_lines, wrap
from agentcalc.figures.theme import DARK, LIGHT, Look, blend, contrast
from agentcalc.figures.words import About, change, pair
from agentcalc.results import COMPONENTS

NAME = "A serving system with a name of eighty characters, as long as names may become X"
assert len(NAME) == 80

R1 = (("base", "GB300", 0.33, 1 / 164.7), ("cand", "Jalapeño", 0.28, 1 / 700))
OSS = (("base", "GB200", 0.03, 1 / 1459), ("cand", "Jalapeño", 0.11, 1 / 3700))
LONG = (("base", NAME, 0.33, 1 / 164.7), ("cand", NAME.replace(" X", " Y"), 0.28, 1 / 700))
CODING = [
    *("c744", "t0.05", "c1176", "t0.02", "c90", "t0.5", "c400", "t4.1"),
    *("c1601", "t0.1", "c130", "t0.25", "c930", "t16.6", "c400"),
]
ABOUT = About(
    "Coding agent, one request",
    "DeepSeek R1",
    10_000,
    "Jalapeño: speed reported by OpenAI (25 Aug 2026), first-token time derived, its split assumed. GB300: measured by "
    "SemiAnalysis (InferenceX). Task: TraceLab. 10,000 runs, seed 7. Band: what is not published about Jalapeño’s "
    "first-token time.",
)
KIND = {"c": "model_call", "t": "tool_wait", "h": "human_wait", "r": "model_call"}
NAMED = {"c": "act", "t": "run", "h": "approve", "r": "act"}


def a_timeline(steps: list[str], systems=R1, overhead: float = 0.0) -> pd.DataFrame:
    """One chain: c120 a call writing 120 tokens, t0.5 a tool, h30 a person, r2 a failed attempt, in seconds."""
    rows = []
    for index, (system, label, ttft, tpot) in enumerate(systems):
        at, call = 0.0, 0
        role = "baseline" if index == 0 else "candidate" if index == len(systems) - 1 else "other"
        for event, step in enumerate(steps):
            what, amount = step[0], float(step[1:])
            call += what == "c"
            parts = {
                "c": [("overhead", overhead), ("ttft", ttft), ("decode", (amount - 1) * tpot)],
                "t": [("tool", amount)],
                "h": [("human", amount)],
                "r": [("retry", amount)],
            }[what]
            for component, seconds in parts:
                rows.append(_row(event, system, label, role, what, call, component, at, seconds, "", True, amount))
                at += seconds
    return pd.DataFrame(rows)


def a_fork(systems=R1, branches=((3.0, 900), (8.0, 300), (2.0, 200), (5.0, 700), (1.0, 100))) -> pd.DataFrame:
    """A call, then branches of a tool and a call beside each other, then a call."""
    rows = []
    for index, (system, label, ttft, tpot) in enumerate(systems):
        role = "baseline" if index == 0 else "candidate"

        def add(event, what, call, component, at, seconds, branch, critical, system=system, label=label, role=role):
            rows.append(_row(event, system, label, role, what, call, component, at, seconds, branch, critical, 0.0))

        add(0, "c", 1, "ttft", 0.0, ttft, "", True)
        add(0, "c", 1, "decode", ttft, 500 * tpot, "", True)
        fork = ttft + 500 * tpot
        ends = [fork + tool + ttft + out * tpot for tool, out in branches]
        for b, (tool, out) in enumerate(branches):
            branch, critical = f"research[{b + 1}]", ends[b] == max(ends)
            add(1 + 2 * b, "t", 1 + b, "tool", fork, tool, branch, critical)
            add(2 + 2 * b, "c", 2 + b, "ttft", fork + tool, ttft, branch, critical)
            add(2 + 2 * b, "c", 2 + b, "decode", fork + tool + ttft, out * tpot, branch, critical)
        add(99, "c", 9, "ttft", max(ends), ttft, "", True)
        add(99, "c", 9, "decode", max(ends) + ttft, 1200 * tpot, "", True)
    return pd.DataFrame(rows)


def _row(event, system, label, role, what, call, component, at, seconds, branch, critical, amount) -> dict:
    tokens = {"ttft": 100.0, "decode": amount}.get(component, float("nan"))
    place = {"event": event, "system": system, "label": label, "role": role, "step": NAMED[what], "name": NAMED[what]}
    place |= {"kind": KIND[what], "turn": "", "branch": branch, "call": call, "component": component}
    return place | {"start_s": at, "end_s": at + seconds, "critical": critical, "tokens": tokens}


def run_title(steps, systems=R1, band=None) -> str:
    return plain(timeline.title(timeline.read(a_timeline(steps, systems), "base", "cand", band)))


def plain(text: str) -> str:
    return text.replace("\u00a0", " ")


# Words


@pytest.mark.parametrize(
    ("steps", "systems", "band", "expected"),
    [
        (CODING, R1, (29.5, 32.1), "Jalapeño finishes 25.7 s sooner: 31.7 s instead of 57.4 s"),
        (["c600"], OSS, None, "Jalapeño finishes 0.17 s sooner: 0.27 s instead of 0.44 s"),
        (
            ["t0.175", "c60", "t0.245"],
            OSS,
            (0.45, 0.85),
            "Too close to call: 0.49 s on GB200, 0.45 s to 0.85 s on Jalapeño",
        ),
        (["t100", "c60"], R1, None, "Too close to call: 1 min 41 s on GB300, 1 min 40 s on Jalapeño"),
        (
            ["t900", "c120"],
            R1,
            (900.4, 905.4),
            "Too close to call: 15 min 1 s on GB300, 15 min to 15 min 5 s on Jalapeño",
        ),
        (["c10", "t0.1"], OSS, None, "GB200 finishes first: 0.14 s instead of 0.21 s on Jalapeño"),
        (["c600"], OSS, (0.1, 0.6), "Not known yet: Jalapeño takes 0.10 s to 0.60 s, GB200 0.44 s"),
        (
            ["c700", "t100"],
            R1,
            None,
            "Faster calls hardly help here: 1 min 41 s instead of 1 min 45 s; tools take 96%",
        ),
        (
            ["c700", "t50", "h50"],
            R1,
            None,
            "Faster calls hardly help here: 1 min 41 s instead of 1 min 45 s; tools and people take 96%",
        ),
        (["c1000", "t95"], R1, None, "Faster calls hardly help here: 97 s instead of 1 min 41 s; tools take 94%"),
    ],
)
def test_titles_of_the_timeline(steps, systems, band, expected):
    assert run_title(steps, systems, band) == expected


@pytest.mark.parametrize(
    ("b", "c", "expected"),
    [
        (57.0, 31.5, ("57.0 s", "31.5 s", "25.5 s")),
        (5.44, 0.55, ("5.44 s", "0.55 s", "4.89 s")),
        (359.4, 338.2, ("5 min 59 s", "5 min 38 s", "21 s")),
        (130.0, 31.46, ("2 min 10 s", "31 s", "99 s")),
        (0.50, 0.50, ("0.50 s", "0.50 s", "0 s")),
        (0.501, 0.502, ("0.501 s", "0.502 s", "0.001 s")),
        (907.4, 906.2, ("15 min 7 s", "15 min 6 s", "1 s")),
        (7200.0, 3600.0, ("2 h", "1 h", "1 h")),
    ],
)
def test_two_times_and_their_difference_agree_by_hand(b, c, expected):
    found = pair(b, c)
    assert (plain(found.b), plain(found.c)) == expected[:2]
    assert plain(found.difference) in (expected[2], "1 ms")


def test_change_of_a_part():
    assert change(21.5, 21.5) == "same"
    assert plain(change(32.9, 7.7)) == "−25.2 s"
    assert plain(change(0.03, 0.39)) == "+0.36 s"


def test_titles_of_accumulation():
    def title(steps, systems=R1):
        return plain(accumulation.title(accumulation.read(a_timeline(steps, systems), "base", "cand")))

    assert title(CODING) == "Each call adds about 3.2 s: after 8 calls the gap is 25.7 s"
    assert title(["c1000"]) == "One call makes the whole gap of 4.69 s"
    assert title(["c100", "c4000", "c100", "t1"]) == "One long answer, call 2, makes 18.6 s of the 19.7 s gap"
    slow = title(["c10", "c10", "c10"], OSS)
    assert slow == "Each call costs Jalapeño about 0.08 s: after 3 calls it is 0.23 s behind"
    # The baseline alone loses 30 s in its fourth call, which makes over half of the gap; most of that is the loss.
    calls = a_timeline([*["c2500"] * 4, "r30"])
    lost = calls[(calls["system"] == "base") | (calls["component"] != "retry")].replace({"event": {4: 3}})
    assert plain(accumulation.title(accumulation.read(lost, "base", "cand"))) == (
        "30.0 s of the 76.6 s gap is lost to retries on GB300"
    )
    forked = accumulation.read(a_fork(), "base", "cand")
    assert plain(accumulation.title(forked)) == "Step 3 alone makes 5.6 s of the 9.4 s gap"


def test_titles_of_components():
    def title(steps, systems=R1):
        return plain(components.figure(a_timeline(steps, systems), "base", "cand", ABOUT).title)

    assert title(CODING) == "Nearly all of the time saved comes from writing tokens; 21.6 s of tools stay"
    assert title(["c1000"]) == "Nearly all of the time saved comes from writing tokens"
    rest = "a faster system can only touch the rest"
    assert title(["c700", "t900"]) == f"Tools take 15 min of 15 min 5 s: {rest}"
    waits = a_timeline(["c1000", "t9", "r30"])
    lost = waits[(waits["system"] == "base") | (waits["component"] != "retry")]
    assert plain(components.figure(lost, "base", "cand", ABOUT).title) == (
        "Most of the time saved was lost to retries on GB300; 9.0 s of tools stay"
    )
    assert title(["c700", "t100"]) == f"Tools take 1 min 40 s of 1 min 45 s: {rest}"
    both = "Jalapeño loses 0.08 s waiting for the first token and gains 0.25 s writing tokens"
    assert title(["c600"], OSS) == both


def test_mean_components_say_so():
    rows = [
        {"system": s, "label": s, "component": c, "mean_s": seconds}
        for s, times in (("b", {"tool": 2.0, "decode": 8.0}), ("c", {"tool": 2.0, "decode": 3.0}))
        for c, seconds in ({name: 0.0 for name in COMPONENTS} | times).items()
    ]
    found = components.of_means(pd.DataFrame(rows), "b", "c", ABOUT)
    assert found.subtitle.startswith("Mean of 10,000 runs.")
    assert plain(found.title) == "Nearly all of the time saved comes from writing tokens; 2.0 s of tools stay"


def test_what_rounding_leaves_is_no_gain():
    rows = [
        {"system": s, "label": s, "component": c, "mean_s": seconds}
        for s, times in (("b", {"tool": 0.1 + 0.2, "decode": 3.0}), ("c", {"tool": 0.3, "decode": 8.0}))
        for c, seconds in ({name: 0.0 for name in COMPONENTS} | times).items()
    ]
    assert plain(components.of_means(pd.DataFrame(rows), "b", "c", ABOUT).title) == "c loses 5.0 s writing tokens"


def test_subtitle_counts_calls_and_says_what_is_drawn_together():
    found = timeline.figure(a_timeline(CODING), "base", "cand", ABOUT)
    expected = "One run of 10,000. Coding agent, one request: 8 calls to DeepSeek R1, 21.6 s of tools."
    assert plain(found.subtitle) == expected
    many = timeline.figure(a_timeline(["c50", "t1"] * 150), "base", "cand", ABOUT)
    assert "shorter steps, drawn together" in plain(many.subtitle)
    forked = plain(timeline.figure(a_fork(), "base", "cand", ABOUT).subtitle)
    assert forked.endswith("Pale: beside the critical path. + 1 branch, not drawn.")


def test_steps_are_named_where_their_names_begin():
    table = a_timeline(["c400", "t1", "c400", "t1", "c400", "t2"], OSS)
    table.loc[(table["event"] == 4), "name"] = "report"
    drawn = exports.svg(timeline.figure(table, "base", "cand", ABOUT), "app")
    assert all(f">{words}</text>" in drawn for words in ("step 1, act", "2", "step 3, report"))
    forked = exports.svg(timeline.figure(a_fork(), "base", "cand", ABOUT), "app")
    assert ">step 2, research</text>" in forked


def test_distribution_and_break_even_titles():
    seconds = np.array([[50.0, 58.0, 90.0], [20.0, 32.0, 80.0]])
    spread = distribution.read(seconds, ["b", "c"], ["GB300", "Jalapeño"])
    half = "Half of all runs are done within 32 s on Jalapeño, within 58 s on GB300"
    assert plain(distribution.title(spread)) == half
    near = distribution.read(np.array([[900.0] * 3, [880.0] * 3]), ["b", "c"], ["GB300", "Jalapeño"])
    assert plain(distribution.title(near)) == (
        "Half of all runs are done within 14 min 40 s on Jalapeño, within 15 min on GB300"
    )
    alike = distribution.read(np.array([[900.0] * 3] * 2), ["b", "c"], ["GB300", "Jalapeño"])
    assert plain(distribution.title(alike)) == "Half of all runs are done within 15 min on Jalapeño and on GB300"
    spread = distribution.read(seconds, ["b", "c"], ["GB300", "Jalapeño"], deadline_s=40)
    assert plain(distribution.title(spread)) == "Within 40 s, 67% of runs are done on Jalapeño, 0% on GB300"
    spread = distribution.read(seconds, ["b", "c"], ["GB300", "Jalapeño"], deadline_s=60)
    assert plain(distribution.title(spread)) == half, "a deadline that both meet alike is no finding"

    base, cand = (agentcalc.load_system(f"{name}/gpt-oss-120b") for name in ("gb200", "jalapeno"))
    sure = cand.model_copy(update={"points": tuple(_without_band(p) for p in cand.points)})
    sure = sure.model_copy(update={"fixed_share": sure.fixed_share.model_copy(update={"band": None, "unknown": None})})
    still = base.model_copy(update={"fixed_share": base.fixed_share.model_copy(update={"band": None, "unknown": None})})
    calls = np.array([100.0, 150.0, 2000.0, 3000.0])
    found = plain(break_even.figure(still, sure, 7373, calls, ABOUT).title)
    assert found == "GB200 finishes a call first below about 250 tokens; 50% of this task’s calls are shorter"
    for lengths, share in (((2000.0, 3000.0), "none"), ((100.0, 150.0), "all")):
        found = plain(break_even.figure(still, sure, 7373, np.array(lengths), ABOUT).title)
        assert found == f"GB200 finishes a call first below about 250 tokens; {share} of this task’s calls are shorter"
    calls = np.array([250.0, 251.0])
    assert break_even.figure(base, cand, 7373, calls, ABOUT).title.startswith("Too close to call: the two meet")


def _without_band(point):
    ttft = point.ttft.model_copy(update={"band": None, "unknown": None})
    tpot = point.tpot.model_copy(update={"band": None, "unknown": None})
    return point.model_copy(update={"ttft": ttft, "tpot": tpot})


# Drawing


def test_lanes_give_the_critical_path_twice_the_height_of_what_runs_beside_it():
    segments = Segments.of(a_fork().query("system == 'base'")).all
    found = laned(segments)
    assert found.hidden == 1
    beside = [piece for piece in found.pieces if not piece.critical]
    assert {round(piece.high - piece.low, 6) for piece in beside} == {0.2}
    assert min(piece.low for piece in beside) >= 0.4 - 1e-9
    alone = [segment.branch == "" for segment in segments if segment.critical]
    heights = [piece.high for piece in found.pieces if piece.critical]
    assert heights == pytest.approx([1.0 if without else 0.4 for without in alone])
    assert len(found.pieces) == len(segments) - 3, "one branch of a tool and a call is left out"


def test_short_segments_are_drawn_together_and_keep_their_seconds():
    pieces = laned(
        Segments.of(a_timeline(["c50", "t1"] * 150).query("system == 'base' and end_s > start_s")).all
    ).pieces
    found = condensed(pieces)
    assert found.merged > 0
    for component in {piece.component for piece in pieces}:
        seconds, expected = (
            sum(piece.end_s - piece.start_s for piece in those if piece.component == component)
            for those in (found.pieces, pieces)
        )
        assert seconds == pytest.approx(expected)
    ordered = sorted(found.pieces, key=lambda piece: piece.start_s)
    assert [piece.end_s for piece in ordered][:-1] == pytest.approx([piece.start_s for piece in ordered][1:])


@pytest.mark.parametrize(("palette", "other"), [(LIGHT, "#1B2430"), (DARK, "#0B1016")])
def test_contrasts(palette, other):
    ground = palette.background
    for colour in (palette.ink, palette.muted, palette.candidate, palette.baseline, palette.third, palette.fourth):
        assert contrast(colour, ground) >= 4.5
    assert contrast(palette.other, ground) >= 3
    for role in ("baseline", "candidate"):
        assert contrast(palette.name(role), palette.tint(role)) >= 4.5
    for component, fill in palette.fills.items():
        assert contrast(fill.text, fill.fill) >= 4.5, component
        edge = fill.outline if fill.outline != ground else fill.fill
        assert contrast(edge, ground) >= 3, component
        ribbon = blend(fill.outline if fill.dashed else fill.fill, ground, 0.55 if component == "tool" else 0.2)
        assert contrast(palette.ink, ribbon) >= 4.5, component


def test_measured_widths_and_wrapping():
    assert ems("Jalapeño") == pytest.approx(ems("Jalapeno"))
    assert ems("Title", bold=True) > ems("Title")
    assert wrap("one two three", ems("one two")) == ["one two", "three"]
    assert all(ems(line) <= 5 for line in wrap("x" * 80, 5))
    assert balance("Jalapeño finishes first", 100) == ["Jalapeño finishes first"]
    assert len(in_lines(NAME, 3)) <= 3 and " ".join(in_lines(NAME, 3)) == NAME


@pytest.mark.parametrize(
    ("longest", "word", "last"),
    [(57, "seconds", 50), (0.85, "seconds", 0.8), (360, "minutes", 360), (20_000, "hours", 18_000)],
)
def test_ticks(longest, word, last):
    ticks, _, unit = time_ticks(longest)
    assert unit == word and ticks[0] == 0 and ticks[-1] == pytest.approx(last) and len(ticks) <= 10


def test_a_size_that_is_not_there():
    with pytest.raises(ValueError, match="use one of app, slide, full"):
        Look("huge")


# What the reader sees


SIX = (
    ("base", "GB300", 0.33, 1 / 164.7),
    ("b", "GB300 with MTP", 0.3, 1 / 280),
    ("c", "H200", 0.5, 1 / 80),
    ("d", "B200", 0.4, 1 / 120),
    ("e", "MI355X", 0.4, 1 / 100),
    ("cand", "Jalapeño", 0.28, 1 / 700),
)
CASES = {
    "coding": lambda: (a_timeline(CODING), (29.5, 32.1)),
    "close": lambda: (a_timeline(["t0.175", "c60", "t0.245"], OSS), (0.45, 0.85)),
    "one call": lambda: (a_timeline(["c600"], OSS), None),
    "slower": lambda: (a_timeline(["c10", "t0.1", "c20"], OSS), None),
    "names": lambda: (a_timeline(CODING, LONG), (29.5, 32.1)),
    "six": lambda: (a_timeline(CODING, SIX), (29.5, 32.1)),
    "nearly all tool": lambda: (a_timeline(["c100", "t4000", "c5"]), None),
    "every part": lambda: (a_timeline(["c100", "t3", "h9", "r2", "c500"], overhead=0.2), None),
    "many": lambda: (a_timeline(["c90", "t1", "c300", "t0.2"] * 75), None),
    "fork": lambda: (a_fork(), None),
}


DRAWN = {"timeline": timeline, "accumulation": accumulation, "components": components}
SHOWN = [
    *((case, kind, width) for case in ("coding", "names") for kind in DRAWN for width in (358, 1216)),
    *(("coding", kind, 640) for kind in DRAWN),
    *((case, "timeline", 358) for case in CASES if case not in ("coding", "names")),
    *(("slower", "accumulation", 358), ("every part", "components", 358), ("fork", "accumulation", 640)),
    *(("six", "timeline", "half"), ("names", "timeline", "half"), ("many", "timeline", 1216)),
]


@pytest.mark.parametrize(("case", "kind", "width"), SHOWN)
def test_no_text_of_a_run_overlaps_or_is_cut(case, kind, width):
    table, band = CASES[case]()
    more = {} if kind == "accumulation" else {"band": band}
    figure = DRAWN[kind].figure(table, "base", "cand", ABOUT, **more)
    size = "half" if width == "half" else "app"
    assert_legible(figure, size, None if size == "half" else width)


def test_an_overlap_would_be_seen():
    figure = timeline.figure(a_timeline(CODING), "base", "cand", ABOUT)
    with pytest.raises(AssertionError, match=r"overlap|cut"):
        assert_legible(figure, width=90)


def test_what_is_written_follows_the_width():
    figure = timeline.figure(a_timeline(CODING), "base", "cand", ABOUT, band=(29.5, 32.1))
    wide, narrow = assert_legible(figure, width=1216), assert_legible(figure, width=358)
    assert {"GB300", "Jalapeño", "57.4 s", "31.7 s", "run 16.6 s"} <= set(wide) & set(narrow)
    assert "25.7 s sooner" in wide and "writes 9.7 s" in wide and "step 1" in wide
    assert "25.7 s" in narrow and "9.7 s" in narrow and "step 1" not in narrow


def test_every_figure_of_a_comparison():
    systems = ["gb200/gpt-oss-120b", "jalapeno/gpt-oss-120b"]
    comparison = agentcalc.compare("rag-answer", systems, trials=500)
    figures = figures_for(comparison)
    assert tuple(figures) == KINDS
    for kind, figure in figures.items():
        assert figure.kind == kind and figure.alt_text.startswith(figure.title) and figure.subtitle
        assert "Jalapeño: " in figure.source and "derived" in figure.source and "seed" in figure.source
        assert not figure.table.empty and isinstance(figure.draw(Look()), Plot)
        spec = figure.chart("full").to_dict()
        assert spec["description"] == figure.alt_text and "description" not in figure.chart().to_dict()
        if kind in ("break_even", "distribution"):
            assert_legible(figure, width=358)
        assert_legible(figure, "full", dark=True)
        assert replace(figure, title="x").chart("half").to_dict()["title"]["text"] == ["x"]
        assert unicodedata.is_normalized("NFC", figure.title)


def test_one_system_on_both_sides_is_refused():
    twice = agentcalc.compare("chat-turn", ["gb300/deepseek-r1"] * 2, trials=20)
    with pytest.raises(agentcalc.InputError, match=r"both sides are GB300\. Choose another candidate"):
        figures_for(twice, 0)


def test_one_system_alone_and_a_pair_that_is_not_there():
    alone = agentcalc.compare("benchmark-call", ["gb300/deepseek-r1"], trials=50)
    figures = figures_for(alone)
    assert set(figures) == {"timeline", "distribution"}
    assert_legible(figures["timeline"], width=640)
    two = agentcalc.compare("benchmark-call", ["gb300/deepseek-r1", "jalapeno/deepseek-r1"], trials=50)
    with pytest.raises(agentcalc.AgentcalcError, match="Use a number from 0 to 0"):
        figures_for(two, pair=3)
