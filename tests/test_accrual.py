"""What adds up and what compounds, in one sentence; deadlines and attempts; lost seconds in the figure of one run."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

import agentcalc
from agentcalc.analysis.accrual import accrual, causes
from agentcalc.analysis.accumulation import lost
from agentcalc.analysis.deadline import deadline_line, exhausted_line
from agentcalc.analysis.headline import headline
from agentcalc.app.words import beside_the_table
from agentcalc.figures import figures_for
from agentcalc.task import Task
from agentcalc.units import show_time
from tests.test_headline import a_comparison, a_system

R1 = ["gb300/deepseek-r1", "jalapeno/deepseek-r1"]


def said(*args, **rest) -> str:
    return accrual(a_comparison(*args, **rest)).replace("\u00a0", " ")


def with_rules(comparison, **rules):
    plain = {"name": "t", "steps": [{"kind": "tool_wait", "seconds": 1}]}
    return replace(comparison, task=Task.model_validate(plain | rules))


# The sentence


def test_all_of_it_adds_up():
    assert said(64.0, 32.0) == "All of it adds up call by call: 32 s a run on average."


def test_averages_not_medians():
    assert said(64.0, 32.0, mean=(105.0, 73.0), saved=(19.0, 32.0)) == said(64.0, 32.0)


def test_part_of_it_compounds():
    assert said(91.0, 50.0, compounded=12.0, causes={"refill": 12.0}) == (
        "Of the 41 s saved a run on average, 29 s add up call by call and 12 s compound: a cache it keeps."
    )


def test_small_parts_take_a_decimal_so_that_the_sum_agrees():
    assert said(143.06, 100.0, compounded=5.41, causes={"refill": 5.41}) == (
        "Of the 43.1 s saved a run on average, 37.7 s add up call by call and 5.4 s compound: a cache it keeps."
    )


def test_compounding_against_the_candidate():
    made = {"compounded": -3.0, "causes": {"refill": -3.0}}
    assert said(97.0, 80.0, **made) == (
        "Compounding goes against Jalapeño here: 3 s of the 20 s a run that its calls gain on average are lost to a "
        "cache it does not keep."
    ).replace("3 s of", "3.0 s of").replace("20 s", "20.0 s")
    assert said(80.0, 82.0, compounded=-5.0, causes={"retry": -5.0}).startswith(
        "Compounding goes against Jalapeño here: its calls gain 3.0 s a run on average, but 5.0 s are lost to timeouts"
    )


def test_a_candidate_that_loses():
    assert said(50.0, 62.0) == "All of it adds up call by call: 12 s a run on average that Jalapeño takes longer."
    assert said(50.0, 80.0, compounded=-18.0, causes={"attention": -18.0}) == (
        "Of the 30 s a run that Jalapeño takes longer on average, 12 s add up call by call and 18 s compound: a person "
        "it loses."
    )
    assert said(50.0, 45.0, compounded=17.0, causes={"attention": 17.0}) == (
        "Call by call Jalapeño would lose 12 s a run on average; 17 s compound in its favour: a person it does not "
        "lose."
    )


def test_no_difference_says_nothing():
    assert said(20.0, 20.0) == ""


def test_next_to_nothing_is_not_called_nothing():
    found = said(64.0, 32.0, compounded=0.02, causes={"refill": 0.02})
    assert found.startswith("Nearly all of it adds up call by call: 32 s a run on average; ")
    assert found.endswith("; under 1% compounds (a cache it keeps).")


def test_rules_that_make_no_difference_are_named():
    both = with_rules(a_comparison(64.0, 32.0), cache={"lifetime_s": 300}, attention={"threshold_s": 10, "cost_s": 30})
    assert accrual(both).endswith("; the cache's lifetime and the limit of attention make no difference.")


def test_what_is_not_known_is_not_called_saved():
    assert said(40.0, 36.0, band=(0.8, 1.3)) == "Whatever the difference turns out to be, it adds up call by call."
    found = said(40.0, 20.0, band=(0.8, 2.3), compounded=10.0, causes={"refill": 10.0})
    assert found.startswith("With the numbers taken here: Of the 20 s saved")


def test_only_causes_that_matter_are_named():
    pair = a_comparison(causes={"refill": 10.0, "retry": 4.0, "attention": -2.0}, compounded=12.0).pairs[0]
    assert causes(pair) == "a cache it keeps and timeouts it no longer hits"
    assert causes(pair, against=True) == "a person it loses"
    assert causes(a_comparison(causes={"refill": 10.0, "retry": 1.0}, compounded=11.0).pairs[0]) == "a cache it keeps"
    assert causes(a_comparison().pairs[0]) == ""


def seconds(text: str) -> float:
    return sum(float(n) * {"s": 1, "min": 60, "ms": 1e-3}[u] for n, u in re.findall(r"([\d.]+) (min|ms|s)\b", text))


@pytest.mark.parametrize("extra", [0.31, 1.0, 7.77, 12.345, 55.5, 99.0])
@pytest.mark.parametrize("total", [60.3, 100.0, 361.7, 5000.0])
def test_the_three_numbers_add_up_by_hand(total: float, extra: float):
    found = said(2 * total, total, compounded=extra, causes={"refill": extra})
    if "compound:" in found and extra < total:
        saved, parts = found.split(" saved a run on average, ")
        added, compounded = parts.split(" add up call by call and ")
        assert seconds(saved) == pytest.approx(seconds(added) + seconds(compounded), abs=1e-6)
        assert seconds(compounded) == pytest.approx(extra, rel=0.05)


# Packaged tasks


@pytest.mark.parametrize(
    ("task", "why"),
    [
        ("sub-agents-cache", "a cache it keeps"),
        ("long-report", "timeouts it no longer hits"),
        ("approvals", "a person it does not lose"),
    ],
)
def test_each_packaged_task_that_compounds_says_so(task: str, why: str):
    found = agentcalc.compare(task, R1, trials=1_000)
    assert accrual(found).endswith(f" compound: {why}.")
    turned = accrual(agentcalc.compare(task, R1[::-1], trials=1_000))
    assert turned.startswith("Of the ") and "GB300 takes longer" in turned and " compound: " in turned


def test_the_headline_of_tasks_that_compound():
    for task, why in (("long-report", "timeouts it no longer hits"), ("approvals", "a person it does not lose")):
        found = agentcalc.compare(task, R1, trials=1_000)
        head, pair = headline(found), found.pairs[0]
        assert head.case == "compounds"
        alone = found.systems[0].task_s["mean"] / (found.systems[0].task_s["mean"] - pair.accumulated_s)
        assert head.why == (
            f"The calls alone would give {alone:.1f}×; the rest, {show_time(pair.compounded_s)} a run on average, "
            f"comes from {why}."
        )
        assert alone < pair.speedup["of_means"]


# Deadlines and attempts


def with_deadlines(comparison, *deadlines):
    systems = (replace(s, deadline=d) for s, d in zip(comparison.systems, deadlines, strict=True))
    task = with_rules(comparison, deadline={"seconds": deadlines[0]["seconds"]}).task
    return replace(comparison, systems=tuple(systems), task=task)


def a_deadline(met: float, attempts: float | None = None, success: float | None = None) -> dict:
    return {"seconds": 60.0, "met_share": met, "attempts_mean": attempts, "success_share": success}


def test_a_deadline_in_words():
    made = with_deadlines(a_comparison(58.0, 32.0), a_deadline(0.51, 1.2), a_deadline(0.64, 2.0))
    assert deadline_line(made).replace("\u00a0", " ") == "Within 60 s: 51% of runs on GB300, 64% on Jalapeño."
    made = with_deadlines(a_comparison(58.0, 32.0), a_deadline(0.5, 3.27, 0.59), a_deadline(1.0, 12.4, 0.75))
    assert deadline_line(made).endswith(
        "Attempts that fit, one after the other: 3.3 on GB300, 12 on Jalapeño. Chance of success at most 59% on GB300, "
        "75% on Jalapeño."
    )
    assert deadline_line(a_comparison()) == ""


def test_an_unknown_across_the_deadline_is_said():
    made = with_deadlines(a_comparison(80.0, 55.0, candidate_s=(50.0, 66.0)), a_deadline(0.1), a_deadline(0.6))
    assert deadline_line(made).startswith("With the numbers taken here, within 60\u00a0s: ")


def exhausted(*shares: float) -> str:
    made = a_comparison()
    systems = (replace(s, exhausted_share=share) for s, share in zip(made.systems, shares, strict=True))
    return exhausted_line(replace(made, systems=tuple(systems)))


def test_attempts_that_ran_out():
    after = "; the task then goes on without success."
    assert exhausted(0.0, 0.0) == ""
    assert exhausted(0.021, 0.0) == f"Attempts ran out in 2% of runs on GB300{after}"
    assert exhausted(0.021, 0.021) == f"Attempts ran out in 2% of runs on both{after}"
    assert exhausted(0.021, 0.004) == f"Attempts ran out in 2% of runs on GB300, under 1% on Jalapeño{after}"


# In the app and in the figure of one run


def test_names_in_the_app_are_escaped():
    specs = (a_system("GB300", vendor="NVIDIA"), a_system("<b>mine</b>"))
    found = beside_the_table(a_comparison(50.0, 62.0, specs=specs))
    assert "&lt;b&gt;mine" in found and "<b>" not in found


def test_lost_seconds_of_a_run():
    found = agentcalc.compare("approvals", R1, trials=200)
    gaps = (found.task_seconds[0] - found.task_seconds[1]).argmax()
    table = found.timeline(int(gaps))
    by_step, kind = lost(table, *R1)
    spent = table[table["component"] == "attention"].eval("end_s - start_s").groupby(table["system"]).sum()
    assert kind == "attention"
    assert by_step[0] == 0 and by_step[-1] == pytest.approx(spent[R1[0]] - spent.get(R1[1], 0.0))
    figure = figures_for(found, int(gaps))["accumulation"]
    assert re.search(r"(of the .* gap is|more are) lost to a distracted person", figure.title)
    assert "in pink, is lost to a distracted person" in figure.alt_text
    assert figure.table[figure.table["role"] == "lost"]["seconds"].tolist() == pytest.approx(by_step)
    for dark in (False, True):
        assert "#D6336C" in figure.chart("full", dark=dark).to_json()


def test_no_lost_seconds_without_a_threshold():
    found = agentcalc.compare("coding-agent", R1, trials=100)
    table = found.timeline(0)
    assert lost(table, *R1) == ([0.0] * len(lost(table, *R1)[0]), "")
    figure = figures_for(found, 0)["accumulation"]
    assert "lost" not in set(figure.table["role"]) and "#D6336C" not in figure.chart("full").to_json()
