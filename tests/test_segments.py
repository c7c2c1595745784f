"""One run as plain records, against the table they come from."""

from __future__ import annotations

from operator import add

import pandas as pd
import pytest

import agentcalc
from agentcalc.analysis.accumulation import lost, run_band
from agentcalc.analysis.segments import Segment, Segments, running, seconds_by
from tests.test_figures import a_fork, a_timeline

NAMES = ["gb300/deepseek-r1", "jalapeno/deepseek-r1"]


def test_segments_are_the_rows_of_the_timeline():
    table = agentcalc.compare("deep-research", NAMES, trials=3).timeline(1)
    run = Segments.of(table)
    again = pd.DataFrame(run.all)
    pd.testing.assert_frame_equal(again, table[list(Segment._fields)])
    assert Segments.of(run) is run
    assert run.systems == tuple(NAMES)


def test_a_run_without_a_step_has_no_segments():
    table = a_timeline(["c1"]).iloc[:0]
    run = Segments.of(table)
    assert run.all == run.systems == run.calls == () and run.stages == {} and run.steps == 0


def test_ends_are_those_of_the_critical_path():
    table = a_fork()
    ends = Segments.of(table).ends("base")
    path = table[(table["system"] == "base") & table["critical"]]
    blocks = [path["event"] == 0, path["event"].between(1, 98), path["event"] == 99]
    assert ends == [0.0, *(path[block]["end_s"].max() for block in blocks)]


def test_a_step_that_is_not_on_the_path_ends_with_the_one_before():
    table = a_timeline(["c10", "c20", "c30"])
    table.loc[table["event"] == 1, "critical"] = False
    ends = Segments.of(table).ends("cand")
    assert ends[2] == ends[1] < ends[3]


def test_calls_are_counted_once_whatever_they_consist_of():
    run = Segments.of(a_timeline(["c10", "t1", "r2", "h1"], overhead=0.5))
    assert run.calls == (0, 2)


def test_a_system_that_is_not_there_has_neither_label_nor_ends():
    run = Segments.of(a_timeline(["c1"]))
    assert run.label("cand") == "Jalapeño"
    for ask in (run.label, run.ends):
        with pytest.raises(ValueError, match="other is not in this timeline"):
            ask("other")


def test_seconds_by_a_key():
    run = Segments.of(a_timeline(["c101", "t2", "t3"], (("base", "A", 1.0, 0.01),)))
    spent = seconds_by(run.all, lambda part: part.component)
    assert spent == pytest.approx({"overhead": 0.0, "ttft": 1.0, "decode": 1.0, "tool": 5.0})
    assert seconds_by((), lambda part: part.event) == {}


def test_running():
    assert running([1.0, -2.0, 4.0], add) == [1.0, -1.0, 3.0]
    assert running([1.0, 0.0, 4.0], max) == [1.0, 1.0, 4.0]


def test_of_components_lost_the_one_that_makes_most_is_named():
    table = a_timeline(["c10", "r2", "r4"])
    table.loc[table["event"] == 1, "component"] = "refill"
    longer = (table["event"] > 0) & (table["system"] == "base")
    table.loc[longer, "end_s"] += table["event"][longer] * 10.0
    seconds, most = lost(table, "base", "cand")
    assert most == "retry" and seconds == pytest.approx([0.0, 0.0, 10.0, 30.0])
    assert lost(table, "cand", "base") == (pytest.approx([0.0, 0.0, -10.0, -30.0]), "")


def test_a_run_without_calls_has_no_width():
    spec = agentcalc.load_system("jalapeno/deepseek-r1")
    band = run_band(a_timeline(["t1", "t2"]), spec, "cand")
    assert band["low_s"].tolist() == band["high_s"].tolist() == [0.0, 3.0]
