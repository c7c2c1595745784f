"""What pages call: how many runs, what is kept of them, and that what is kept says the same."""

from __future__ import annotations

import altair as alt
import numpy as np
import pandas as pd
import pytest
from altair.utils import core, schemapi

from agentcalc import compare, documents
from agentcalc.app import calls, runs
from agentcalc.app.state import start
from agentcalc.defaults import TRIALS
from agentcalc.errors import InputError
from agentcalc.simulate.size import size

KNOWN = calls.catalog_choices()


def looping(times: str):
    text = f"name: loops\nsteps: [{{kind: loop, times: {times}, steps: [{{kind: tool_wait, seconds: 1}}]}}]"
    return documents.read_task(text.encode(), where="loops.yaml")


@pytest.mark.parametrize(
    ("times", "trials"),
    [("1", TRIALS), ("24", TRIALS), ("99", 10_000), ("1999", 500), ("40000", 500)],
    ids=["short", "as many as everywhere", "a million steps", "fewest", "never fewer"],
)
def test_a_page_plays_as_many_runs_as_a_reader_waits_for(times: str, trials: int):
    assert calls.trials_for(looping(times)) == trials


@pytest.mark.parametrize("task", KNOWN.tasks.values(), ids=KNOWN.tasks)
def test_no_packaged_task_keeps_thirty_readers_waiting(task):
    trials = calls.trials_for(task)
    assert trials * size(task).mean <= calls.MOST_PLAYED
    assert trials == TRIALS or trials >= 5_000


def test_a_run_that_is_too_long_for_a_page_is_refused():
    with pytest.raises(InputError, match="too many here"):
        calls.trials_for(looping("100000"))


@pytest.mark.parametrize("task", ["coding-agent", "approvals"], ids=["no people", "people"])
def test_what_is_kept_is_the_systems_rows_alone_and_says_the_same(task: str):
    found = compare(KNOWN.tasks[task], ["gb300/deepseek-r1", "jalapeno/deepseek-r1"], trials=2_000)
    light = runs.played(KNOWN.tasks[task], found.specs, 2_000)
    for name in ("task_seconds", "without_people_seconds", "calls"):
        whole, kept = getattr(found, name), getattr(light, name)
        np.testing.assert_array_equal(whole, kept)
        # Not a view into the walk's array, which holds many more rows.
        owner = kept if kept.base is None else kept.base
        assert owner.size <= kept.size
    pd.testing.assert_frame_equal(found.trials(), light.trials())
    pd.testing.assert_frame_equal(found.timeline(5), light.timeline(5))
    assert found.to_dict() == light.to_dict()


def test_the_run_shown_is_the_ordinary_one_of_the_statistic():
    for by in ("typical", "average", "slow"):
        state = start(KNOWN).changed(KNOWN, task="chat-turn", by=by)
        found = calls.answer(state, KNOWN)
        assert found.run == calls.answer(state, KNOWN).run == found.before.ordinary_trial(state.statistic)


def test_charts_are_written_as_altair_writes_them(monkeypatch):
    from agentcalc.figures import figures_for, frame, quick

    found = compare("chat-turn", ["gb300/deepseek-r1", "jalapeno/deepseek-r1"], trials=500)
    figures = figures_for(found, 3)
    quickly = {kind: figure.chart("full", False).to_dict(validate=True) for kind, figure in figures.items()}
    monkeypatch.setattr(frame, "Layer", alt.Chart)
    monkeypatch.setattr(schemapi, "_todict", quick._slowly)
    monkeypatch.setattr(quick._channels, "parse_shorthand", quick._parsed_slowly)
    monkeypatch.setattr(core._ChannelCache, "_wrap_in_channel", quick._wrapped_slowly)
    for kind, figure in figures.items():
        assert figure.chart("full", False).to_dict(validate=False) == quickly[kind]


def test_a_layer_alone_is_a_chart_of_its_own():
    from agentcalc.figures.frame import rows

    def drawn(chart):
        chart = chart.transform_calculate(b="datum.a * 2").transform_calculate(c="datum.b * 2")
        return chart.mark_rect().encode(x="a:Q", y="c:Q").encode(x2="b:Q", color=alt.value("red"))

    records = [{"a": 1.0}, {"a": 2.0}]
    one = rows(records)
    assert drawn(one).to_dict() == drawn(alt.Chart(alt.Data(values=records))).to_dict()
    assert one.to_dict(validate=False).keys().isdisjoint({"transform", "encoding"}), "each turn is a copy"
    assert drawn(one).copy().to_dict() == drawn(one).to_dict()
