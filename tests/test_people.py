"""Waits between the things a person does, and the bands of attention they fall into."""

from __future__ import annotations

import numpy as np
import pytest

import agentcalc
from agentcalc.analysis.people import band_words, people
from agentcalc.analysis.people_words import fewer_line, one_wait, people_line
from agentcalc.catalog import load_task
from agentcalc.errors import InputError
from tests.test_budget import FIXED, QUICK, SLOW, plain

ASKED = b"""
name: Asked once
steps:
  - {kind: model_call, name: propose, output_tokens: 101}
  - {kind: human_wait, name: approve, seconds: 60}
  - {kind: tool_wait, name: run, seconds: 2}
  - {kind: model_call, name: say, output_tokens: 6}
"""
"""Waits on slow: 10.5 s, then 2 + 0.5 + 0.5 = 3 s; on quick: 1.5 s, then 2.55 s; instant: 0 and 2 s."""


def of(text: bytes, systems=(SLOW, QUICK), **rest):
    return people(agentcalc.compare(load_task(text, where="t"), list(systems), trials=20), **rest)


def waits(found, system: int) -> list[float]:
    return [number.value for number in found.systems[system].by_band]


def test_waits_by_hand():
    found = of(ASKED)
    assert found.waits == 2 and found.limits_s == (0.1, 1.0, 10.0)
    assert waits(found, 0) == [0, 0, 1, 1]
    assert waits(found, 1) == [0, 0, 2, 0]
    assert [n.value for n in found.instant.by_band] == [1, 0, 1, 0]
    assert found.systems[0].mean_s.value == pytest.approx((10.5 + 3) / 2)
    assert found.kept_s == 10
    assert plain(people_line(found)) == (
        "Of 2 waits a run, 0 are longer than 10 s on quick, 1 on slow; an instant model: 0."
    )
    assert (
        plain(fewer_line(found)) == "In 1,000 runs quick makes a person wait longer than 10 s 0 times instead of 1,000."
    )


def test_a_wait_at_a_limit_is_within_it():
    found = of(b"name: t\nsteps: [{kind: tool_wait, name: run, seconds: 10}]")
    assert waits(found, 0) == [0, 0, 1, 0]


def test_streaming_ends_a_wait_with_the_first_token_of_the_last_call():
    found = of(ASKED, streaming=True)
    # 0.5 s to the first token of the proposal; 2 + 0.5 s to that of the answer
    assert found.systems[0].mean_s.value == pytest.approx((0.5 + 2.5) / 2)
    assert found.systems[1].mean_s.value == pytest.approx((0.5 + 2.5) / 2)
    after = of(b"""
name: t
steps:
  - {kind: model_call, name: say, output_tokens: 11}
  - {kind: tool_wait, name: run, seconds: 2}
  - {kind: human_wait, name: read, seconds: 5}
  - {kind: tool_wait, name: run, seconds: 3}
""", streaming=True)  # fmt: skip
    # the second wait holds no call: it ends with all done
    assert after.systems[0].mean_s.value == pytest.approx((0.5 + 3) / 2)


def test_a_failed_attempt_shows_nothing():
    text = b"""
name: t
steps: [{kind: model_call, name: say, output_tokens: 11, timeout_s: 1.2, max_attempts: 2, backoff_s: 1}]
"""
    found = of(text, streaming=True)
    # slow: 1.5 s is cut at 1.2 s twice, nothing is ever seen; quick: 0.5 s to its first token
    assert found.systems[0].mean_s.value == pytest.approx(3.4)
    assert found.systems[1].mean_s.value == pytest.approx(0.5)


def test_a_task_without_people_is_one_wait():
    found = of(FIXED)
    assert one_wait(found) and found.waits == 1
    assert waits(found, 0) == [0, 0, 0, 1] and waits(found, 1) == [0, 0, 1, 0]
    assert plain(people_line(found)) == (
        "A person waits longer than 10 s in 0% of runs on quick, 100% of runs on slow; an instant model: 0%."
    ).replace("100% of runs on slow", "100% on slow")


def test_nothing_between_two_people_is_no_wait():
    found = of(b"name: t\nsteps: [{kind: human_wait, name: a, seconds: 1}, {kind: human_wait, name: b, seconds: 1}]")
    assert found.waits == 0 and people_line(found) == "Nobody is kept waiting in this task."
    assert fewer_line(found) == ""


def test_waits_are_those_that_the_walk_charges_for():
    """With attention on, a wait over the threshold costs once; what is counted here is what is charged there."""
    comparison = agentcalc.compare("approvals", ["gb300/deepseek-r1", "jalapeno/deepseek-r1"], trials=300)
    found = people(comparison)
    assert found.kept_s == comparison.task.attention.threshold_s == 10
    for system, one in zip(comparison.systems, found.systems, strict=True):
        assert one.kept.value * 30 == pytest.approx(system.components_s["attention"])
        assert sum(n.value for n in one.by_band) == pytest.approx(7)
        assert one.kept.low <= one.kept.value <= one.kept.high
    whole = sum(one.value for one in found.systems[0].by_band) * found.systems[0].mean_s.value
    spent = {k: v for k, v in comparison.systems[0].components_s.items() if k not in ("human", "attention")}
    assert whole == pytest.approx(sum(spent.values()))


def test_people_beside_each_other():
    text = b"""
name: t
steps:
  - kind: parallel
    name: both
    branches:
      - steps: [{kind: tool_wait, name: a, seconds: 5}, {kind: human_wait, name: ask, seconds: 10}]
      - steps: [{kind: tool_wait, name: b, seconds: 30}]
  - {kind: tool_wait, name: c, seconds: 1}
"""
    found = of(text)
    # asked after 5 s; since 15 s, when the person had done, until 31 s
    assert waits(found, 0) == [0, 0, 1, 1] and found.systems[0].mean_s.value == pytest.approx((5 + 16) / 2)


def test_a_person_in_a_branch_that_is_stopped_is_not_asked():
    text = b"""
name: t
steps:
  - kind: parallel
    join: any
    branches:
      - steps: [{kind: tool_wait, name: a, seconds: 5}, {kind: human_wait, name: ask, seconds: 10}]
      - steps: [{kind: tool_wait, name: b, seconds: 3}]
"""
    found = of(text)
    assert found.waits == 1 and found.systems[0].mean_s.value == pytest.approx(3)


def test_limits_of_ones_own():
    found = of(ASKED, limits_s=[5.0], kept_s=2.0)
    assert found.limits_s == (2.0, 5.0) and waits(found, 0) == [0, 1, 1] and found.systems[0].kept.value == 2
    table = found.table()
    assert [plain(w) for w in table["words"][:3]] == ["up to 2 s", "2 s to 5 s", "over 5 s"]
    assert table[table["system"] == found.systems[0].system]["share"].sum() == pytest.approx(1)
    assert plain(band_words(0, 0.1)) == "up to 0.1 s"


@pytest.mark.parametrize("limits", [[], [0.0], [float("inf")], list(np.arange(1.0, 10.0))])
def test_limits_that_cannot_be(limits):
    with pytest.raises(InputError, match="limits"):
        of(ASKED, limits_s=limits)


def test_too_close_to_call():
    comparison = agentcalc.compare("chat-turn", ["gb200/gpt-oss-120b", "jalapeno/gpt-oss-120b"], trials=300)
    found = people(comparison, kept_s=0.4)
    assert people_line(found).startswith("Too close to call: a person waits longer than")
    assert fewer_line(found) == ""
