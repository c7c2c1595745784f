"""Kept scenarios as cards: names, times and ratios that agree on a pocket calculator. No Streamlit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_app_state import KNOWN

from agentcalc import catalog
from agentcalc.app import scenario
from agentcalc.app.brought import Kept
from agentcalc.app.cards import Played, cards, default_name, kept_of
from agentcalc.app.choices import OWN
from agentcalc.app.state import from_query
from agentcalc.comparison import compare
from agentcalc.units import ratio_decimals

TASK = "Coding agent, one request"


def shown(*seconds: float | None, tasks: tuple[str, ...] | None = None):
    played = [Played(f"n{i}", (tasks or [TASK] * 9)[i], s, "" if s else "why") for i, s in enumerate(seconds)]
    return cards([Kept() for _ in seconds], played)


def test_ratios_are_against_the_first():
    found = shown(57.6, 32.0, 21.3)
    assert [card.letter for card in found] == ["A", "B", "C"]
    assert [card.time.replace("\u00a0", " ") for card in found] == ["57.6 s", "32.0 s", "21.3 s"]
    assert [card.ratio for card in found] == ["", "1.8×", "2.7×"]
    assert [card.name for card in found] == ["n0", "n1", "n2"]


def test_nothing_kept_no_cards():
    assert cards([], []) == []


def test_another_task_has_no_ratio_and_an_edited_one_has():
    found = shown(60, 30, 20, tasks=(TASK, "Chat turn", f"{TASK} (edited)"))
    assert [card.ratio for card in found] == ["", "", "3.0×"]


def test_what_changed_for_both_is_no_gain_of_the_candidate():
    a = Played("GB300", TASK, 44.0, model="R1")
    b = Played("Jalapeño", TASK, 31.0, model="R1", baseline="GB300", ratio=44 / 31)
    c = Played("Jalapeño, tool time 0.5×", TASK, 21.0, model="R1", baseline="GB300", ratio=34 / 21)
    found = cards([Kept()] * 3, [a, b, c], TASK, "R1")
    assert [card.ratio for card in found] == ["", "1.4×", "2.1×"]
    # Where the first card is its own baseline, one ratio says it all.
    assert [card.lines for card in found] == [(), (), ("1.6× against GB300 in this scenario",)]


def test_cards_name_their_task_and_model_where_those_or_the_screen_differ():
    a, b = Played("GB300", TASK, 44.0, model="R1"), Played("Jalapeño", TASK, 31.0, model="R1")
    assert [card.lines for card in cards([Kept()] * 2, [a, b], "Chat turn", "R1")] == [(TASK,), (TASK,)]
    other = Played("Jalapeño", "Chat turn", 1.0, model="Kimi")
    found = cards([Kept()] * 2, [a, other], TASK, "R1")
    assert [card.lines for card in found] == [(f"{TASK}, R1",), ("Chat turn, Kimi",)]


def test_what_could_not_be_compared_says_why_and_the_others_stand():
    found = shown(60, None, 30)
    assert (found[1].time, found[1].ratio, found[1].wrong) == ("", "", "why")
    assert found[2].ratio == "2.0×"
    assert [card.ratio for card in shown(None, 30)] == ["", ""]


def test_a_name_that_was_given_is_the_name():
    (card,) = cards([Kept(name="Today")], [Played("GB300", TASK, 5.0)])
    assert card.name == "Today"


@given(st.lists(st.floats(2, 90), min_size=2, max_size=6))
def test_the_times_shown_give_the_ratio_shown(seconds: list[float]):
    found = shown(*seconds)
    times = [float(card.time.replace("\u00a0s", "")) for card in found]
    for card, time, exact in zip(found[1:], times[1:], seconds[1:], strict=True):
        half = 0.5 * 10.0 ** -ratio_decimals(seconds[0] / exact)
        assert abs(times[0] / time - float(card.ratio.rstrip("×").replace(",", ""))) <= half + 1e-9


@pytest.fixture(scope="module")
def changed():
    state, _ = from_query({"tools": "0.5", "speed": "2", "cached": "0.5"}, KNOWN, 100)
    return state, compare(scenario.task_of(state, KNOWN), scenario.systems_of(state, KNOWN), trials=200)


def test_a_card_is_called_by_its_system_and_what_was_changed(changed):
    state, found = changed
    assert default_name(state, found, "candidate") == "Jalapeño, tool time 0.5×, tok/s 2×, of it cached 50%"
    # The candidate's own changes are not the baseline's.
    assert default_name(state, found, "baseline") == "GB300, tool time 0.5×, of it cached 50%"


def test_what_is_kept_is_the_scenario_without_its_statistic(changed):
    state = changed[0].model_copy(update={"by": "slow", "target": 20.0})
    kept = kept_of(state, KNOWN, "candidate")
    assert kept == Kept(query={"tools": "0.5", "speed": "2", "cached": "0.5"})
    own = KNOWN.with_own(catalog.tasks()["chat-turn"])
    kept = kept_of(state.model_copy(update={"task": OWN}), own, "baseline")
    assert kept.task == catalog.tasks()["chat-turn"] and kept.side == "baseline" and kept.query["task"] == OWN
