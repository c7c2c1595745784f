"""A day of many tasks: sums by hand, bands of sums, files and words."""

from __future__ import annotations

import pytest

import agentcalc
from agentcalc.analysis.portfolio import plan_portfolio, portfolio_of, read_portfolio
from agentcalc.analysis.portfolio_words import each_line, portfolio_line, potential_line, runs_words
from agentcalc.catalog import load_system
from agentcalc.errors import InputError, NotFoundError
from tests.test_budget import FIXED, QUICK, SLOW, plain

TOOLS = b"name: Tools alone\nsteps: [{kind: tool_wait, name: run, seconds: 100}]"


@pytest.fixture
def files(tmp_path):
    for name, text in (("fixed", FIXED), ("tools", TOOLS)):
        (tmp_path / f"{name}.yaml").write_bytes(text)
    return tmp_path


def plan(words, people=None, systems=(SLOW, QUICK), **rest):
    return plan_portfolio(portfolio_of(words, people), *map(load_system, systems), **rest)


def test_sums_by_hand(files):
    found = plan([f"{files}/fixed.yaml=1000", f"{files}/tools.yaml=10"], trials=4)
    # 13.5 s a run, 16 s at most
    assert found.saved_s.value == pytest.approx(13_500) and found.possible_s == pytest.approx(16_000)
    assert found.base_s.value == pytest.approx(24_000) and found.cand_s.value == pytest.approx(10_500)
    assert [one.task.name for one in found.tasks] == ["Two calls and a tool", "Tools alone"]
    assert [one.share for one in found.tasks] == pytest.approx([1, 0])
    assert found.per_1000_people_s is None and each_line(found) == ""
    assert plain(portfolio_line(found)) == (
        "1,010 runs save 4 hours a day on quick; speed up Two calls and a tool first, all of it."
    )
    assert plain(potential_line(found)) == (
        "No system could save more than 4 hours a day, 100% of it in Two calls and a tool."
    )


def test_people(files):
    found = plan([f"{files}/fixed.yaml=25"], 40, trials=2)
    assert found.saved_s.value == pytest.approx(13_500) and found.people == 40
    assert found.per_1000_people_s.value == pytest.approx(13_500 * 25)
    assert plain(runs_words(found)) == "40 people × 25 runs"
    assert plain(each_line(found)) == "A thousand such people save 94 hours a day."
    table = found.table()
    assert list(table["task"]) == ["Two calls and a tool", "all"] and table["runs_a_day"].tolist() == [1000, 1000]


def test_a_task_says_the_same_as_its_comparison():
    names = ["gb300/deepseek-r1", "jalapeno/deepseek-r1"]
    found = plan(["coding-agent=3"], systems=names, trials=300)
    comparison = agentcalc.compare("coding-agent", names, trials=300)
    assert found.saved_s.value == pytest.approx(3 * comparison.pairs[0].saved_s["mean"])
    for system, day in zip(comparison.systems, (found.base_s, found.cand_s), strict=True):
        assert (day.low, day.high) == pytest.approx(tuple(3 * end for end in system.band_s["mean"]))


def test_an_unknown_lies_at_one_end_in_every_task():
    """Short prompts want TTFT to grow with the prompt and long ones do not: the sum's band is less than the sum of
    bands."""
    names = ["gb200/gpt-oss-120b", "jalapeno/gpt-oss-120b"]
    found = plan(["chat-turn=100", "long-report=100", "rag-answer=100"], systems=names, trials=100)
    apart = sum(100 * (one.cand_s.high - one.cand_s.low) for one in found.tasks)
    assert 0 < found.cand_s.high - found.cand_s.low <= apart + 1e-9
    assert found.cand_s.low <= found.cand_s.value <= found.cand_s.high


def test_too_close_slower_and_different_models():
    close = plan(["chat-turn=200"], systems=["gb200/gpt-oss-120b", "jalapeno/gpt-oss-120b"], trials=200)
    assert plain(portfolio_line(close)).startswith("Too close to call: on Jalapeño, 200 runs a day take between")
    same = plan(["chat-turn=200"], systems=[SLOW, SLOW], trials=5)
    assert "take about as long on" in portfolio_line(same) and same.tasks[0].share is None
    slower = plan(["chat-turn=200"], systems=[QUICK, SLOW], trials=5)
    assert portfolio_line(slower).startswith("quick finishes first: 200 runs a day take")
    assert "slow is slower for a chat answer" in potential_line(slower)
    mixed = plan(["chat-turn=1"], systems=["gb200/gpt-oss-120b", "gb300/deepseek-r1"], trials=5)
    assert mixed.warnings == ("These are different models: this compares speed, not answers.",)


def test_a_file():
    text = b"name: A team\npeople: 40\ntasks:\n  - {task: coding-agent, runs_per_day: 60}\n"
    text += b"  - {task: chat-turn, runs_per_day: 0.5, people: 3}\n"
    found = read_portfolio(text)
    assert found.people == 40 and found.tasks[1].people == 3 and found.tasks[0].runs_per_day == 60
    day = plan_portfolio(found, load_system(SLOW), load_system(QUICK), trials=5)
    assert sorted(one.runs_a_day for one in day.tasks) == [1.5, 2400] and day.name == "A team"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"tasks: []", "tasks"),
        (b"tasks: [{task: coding-agent}]", "runs_per_day"),
        (b"tasks: [{task: coding-agent, runs_per_day: 0}]", "runs_per_day"),
        (b"tasks: [{task: coding-agent, runs_per_day: 1, often: 2}]", "often"),
        (b"people: 0\ntasks: [{task: coding-agent, runs_per_day: 1}]", "people"),
        (b"people: 1", "tasks"),
    ],
)
def test_files_with_a_fault(text, says):
    with pytest.raises(InputError, match=says):
        read_portfolio(text)


@pytest.mark.parametrize(
    "word", ["coding-agent", "=5", "coding-agent=", "coding-agent=0", "coding-agent=often", "a=-1"]
)
def test_words_with_a_fault(word):
    with pytest.raises(InputError, match="portfolio"):
        portfolio_of([word])


def test_a_task_that_is_not_there_or_twice():
    with pytest.raises(NotFoundError):
        plan(["nothing=1"], trials=2)
    with pytest.raises(InputError, match="twice"):
        plan(["chat-turn=1", "chat-turn=2"], trials=2)
