"""The walk agrees with a slow, obvious play of the design's text, trial by trial."""

import random
from collections import Counter
from dataclasses import dataclass, replace

import numpy as np
import pytest
from agreement import answers, differences, walked
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from oracle import answer
from strategies import CONTAINERS, LEAVES, ROLES, RULES, Wants, player_from, profile_from, task_from

from agentcalc.latency import Profile
from agentcalc.simulate import walk
from agentcalc.simulate.plan import roles
from agentcalc.task import Task

SLOW_CHECKS = [HealthCheck.too_slow, HealthCheck.data_too_large]


def agree(seed: int, wants: Wants | None = None, trials: int = 3) -> None:
    rng = random.Random(seed)
    written = task_from(rng, wants)
    task = Task.model_validate(written)
    profiles = [profile_from(rng, curved=True) for _ in range(3)]
    found = list(differences(walked(task, profiles, trials)))
    assert not found, "\n".join([f"seed {seed}", str(written), *map(str, profiles), *found[:12]])


@settings(max_examples=300, deadline=None, suppress_health_check=SLOW_CHECKS)
@given(st.integers(0, 2**32))
def test_random_tasks(seed):
    agree(seed)


@pytest.mark.parametrize("kind", CONTAINERS)
def test_random_tasks_of_one_container(kind):
    wants = Wants(kinds=(*LEAVES, kind), depth=3)
    for seed in range(12):
        agree(seed, wants)


def test_random_tasks_whose_equal_ends_are_ties():
    for seed in range(60):
        agree(seed, Wants(fixed_only=True), trials=1)


def test_random_waits_of_a_few_lengths_alone():
    """Equal ends everywhere: which of them is critical decides the components."""
    wants = Wants(("tool_wait", "human_wait", "graph", "branches"), depth=3, fixed_only=True, few=True)
    for seed in range(300):
        agree(seed, wants, trials=1)


def agree_with_rules(seed: int, wants: Wants | None = None, trials: int = 3) -> None:
    """With all rules; the last player is the second one with the first one's threshold outcomes."""
    rng = random.Random(seed)
    written = task_from(rng, wants or Wants(rules=RULES))
    task = Task.model_validate(written)
    one, two = player_from(rng, curved=True), player_from(rng, curved=True)
    found = list(differences(walked(task, [one, two, two], trials, outcomes_of=[0, 1, 0])))
    assert not found, "\n".join([f"seed {seed}", str(written), str(one), str(two), *found[:12]])


@settings(max_examples=150, deadline=None, suppress_health_check=SLOW_CHECKS)
@given(st.integers(0, 2**32))
def test_random_tasks_with_all_rules(seed):
    agree_with_rules(seed)


@pytest.mark.parametrize("rule", RULES)
def test_random_tasks_with_one_rule(rule):
    for seed in range(12):
        agree_with_rules(seed, Wants(rules=(rule,), depth=3), trials=2)


def test_random_tasks_with_all_rules_whose_equal_ends_are_ties():
    """Ends that are equal, and gaps, calls and waits as long as their thresholds."""
    for seed in range(60):
        agree_with_rules(seed, Wants(rules=RULES, fixed_only=True, few=True, depth=3), trials=1)


def test_random_tasks_reach_both_sides_of_every_threshold():
    found = Counter()
    for seed in range(100):
        rng = random.Random(seed)
        task = Task.model_validate(task_from(rng, Wants(rules=RULES)))
        one, two = player_from(rng, curved=True), player_from(rng, curved=True)
        (mine,), (forced,) = answers(task, two, [0]), answers(task, two, [0], outcomes_of=one)
        found.update((kind, said) for (kind, *_), said in mine.outcomes.items())
        found["compounds"] += mine.task_s != forced.task_s
        found["exhausted"] += mine.exhausted
        found["doubtful"] += mine.doubtful
    assert all(found[kind, said] > 20 for kind in ("lost", "late", "attention") for said in (True, False))
    assert found["compounds"] > 2 and found["exhausted"] > 4 and found["doubtful"] == 0


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_many_random_tasks(part):
    for seed in range(150):
        agree(1_000_000 + part * 1_000 + seed, trials=4)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_many_random_tasks_with_all_rules(part):
    ties = {"fixed_only": True, "few": part % 2 == 0}
    for seed in range(150):
        agree_with_rules(2_000_000 + part * 1_000 + seed, trials=4)
        agree_with_rules(3_000_000 + part * 1_000 + seed, Wants(rules=RULES, **ties), trials=1)


@pytest.mark.parametrize("seed", range(8))
def test_many_trials_are_the_few(seed):
    """Trials played among twenty thousand, in blocks and with turns drawn together, are those the oracle plays."""
    rng = random.Random(seed)
    written = task_from(rng, Wants(kinds=(*LEAVES, "loop", "copies", "retry", "choice"), depth=3))
    written["steps"].append(LONG_LOOP)
    task, profiles = Task.model_validate(written), [profile_from(rng, curved=True)]
    trials = walk.BLOCK + 4_000
    few = [0, 1, 4_095, 8_191, 8_192, walk.BLOCK - 1, walk.BLOCK, trials - 1, *rng.sample(range(trials), 8)]
    run = walk.play(task, profiles, trials=trials, seed=5, per_trial=True)
    alone = walked(task, profiles, few, seed=5)
    assert run.calls[:, few].tolist() == alone.run.calls.tolist()
    assert run.exhausted[:, few].tolist() == alone.run.exhausted.tolist()
    np.testing.assert_allclose(run.task_s[:, few], alone.run.task_s, rtol=1e-12)
    np.testing.assert_allclose(run.without_people_s[:, few], alone.run.without_people_s, rtol=1e-12)
    np.testing.assert_allclose(run.per_trial[:, :, few], alone.run.per_trial, rtol=1e-12, atol=1e-12)
    means = walk.play(task, profiles, trials=trials, seed=5).components_s
    np.testing.assert_allclose(means, run.per_trial.mean(axis=2), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(means.sum(axis=0), run.task_s.mean(axis=1), rtol=1e-9)
    assert not list(differences(alone))


@pytest.mark.parametrize("seed", range(3))
def test_many_trials_with_all_rules_are_the_few(seed):
    """The same of players whose conversations part, one with another's outcomes."""
    rng = random.Random(seed)
    written = task_from(rng, Wants(rules=RULES, depth=3))
    written["steps"].append(LONG_LOOP)
    written |= {"cache": {"lifetime_s": 1.1}, "attention": {"threshold_s": 4.7, "cost_s": 2}}
    task, one, two = Task.model_validate(written), player_from(rng, curved=True), player_from(rng, curved=True)
    players, given = [one, two, two], [0, 1, 0]
    trials = walk.BLOCK + 1_000
    few = [0, 8_191, walk.BLOCK - 1, walk.BLOCK, trials - 1, *rng.sample(range(trials), 3)]
    run = walk.play(task, players, trials=trials, seed=5, per_trial=True, outcomes_of=given)
    alone = walked(task, players, few, seed=5, outcomes_of=given)
    assert run.calls[:, few].tolist() == alone.run.calls.tolist()
    assert run.exhausted[:, few].tolist() == alone.run.exhausted.tolist()
    np.testing.assert_allclose(run.per_trial[:, :, few], alone.run.per_trial, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(run.per_trial.sum(axis=0), run.task_s, rtol=1e-9)
    assert not list(differences(alone))


@pytest.mark.parametrize("seed", range(12))
def test_sums_over_first_attempts(seed):
    """What per-call ratios rest on: first attempts alone, in full and without refill, by role."""
    rng = random.Random(seed)
    task = Task.model_validate(task_from(rng, Wants(rules=RULES)))
    players = [{role: replace(profile_from(rng, curved=True), fixed_s=0.25) for role in ROLES} for _ in range(2)]
    tally = walk.play(task, players, trials=8, seed=11).tally
    made = [[c for a in answers(task, p, range(8)) for c in a.made if c.attempt == 0] for p in players]
    for row, role in enumerate(roles(task)):
        for player, calls in enumerate(made):
            own = [c for c in calls if c.role == role]
            assert tally.calls[row, player] == len(own)
            assert tally.uncached[row, player] == pytest.approx(sum(c.uncached_tokens for c in own), rel=1e-9)
            assert tally.output[row, player] == pytest.approx(sum(c.output_tokens for c in own), rel=1e-9)
    for player, calls in enumerate(made):
        assert tally.seconds(player) == pytest.approx(sum(c.full_s for c in calls), rel=1e-9)
    ratios = [a.full_s / b.full_s for a, b in zip(*made, strict=True)]
    assert tally.fastest[1] == pytest.approx(max(ratios), rel=1e-9)
    assert tally.slowest[1] == pytest.approx(min(ratios), rel=1e-9)


# Turns with all trials, with some and with one: counts from 0 to 60, most of them small.
LONG_LOOP = {
    "kind": "loop",
    "name": "long",
    "times": {"mixture": [{"weight": 1, "value": 0}, {"weight": 4, "p50": 3, "p90": 20, "max": 60}]},
    "steps": [
        {"kind": "model_call", "input_tokens": {"low": 0, "high": 40}, "output_tokens": {"p50": 20, "p90": 90}},
        {"kind": "tool_wait", "seconds": {"p50": 1, "p90": 3}, "result_tokens": {"low": 1, "high": 100}},
        {
            "kind": "loop",
            "times": {"values": [0, 1, 2]},
            "steps": [{"kind": "tool_wait", "seconds": {"low": 0, "high": 1}}],
        },
    ],
}


# -- the oracle itself, against sums made by hand --------------------------------------------------------------------


@dataclass
class Fields:
    """A draw that answers from a table by (key, field, turns), and 0.5 elsewhere."""

    table: dict

    def __call__(self, key, field, trial, turns):
        return self.table.get((key, field, turns), 0.5)


UNIT = Profile(fixed_s=1.0, per_token_s=0.01, tpot_s=0.1)


def played(steps, profile=UNIT, draw=None, **task):
    return answer(Task.model_validate({"name": "t", "steps": steps, **task}), profile, draw or Fields({}), 0)


def call(**keys):
    return {"kind": "model_call", "output_tokens": 11, **keys}


def tool(seconds=2, **keys):
    return {"kind": "tool_wait", "seconds": seconds, **keys}


def test_a_conversation_grows_and_is_cached():
    a = played([call(input_tokens=100), tool(result_tokens=50), call(input_tokens=10)], context_tokens=1000)
    assert [c.context_tokens for c in a.made] == [1100, 1171]
    assert [c.uncached_tokens for c in a.made] == [100, 60]
    assert a.task_s == pytest.approx(2.0 + 1.0 + 2.0 + 1.6 + 1.0)
    assert a.components["ttft"] == pytest.approx(3.6)
    assert a.components["decode"] == pytest.approx(2.0)


def test_a_start_that_is_not_cached_and_reasoning_that_is_not_kept():
    a = played([call(reasoning_tokens=4), call()], context_tokens=1000, cached_tokens=200)
    assert [c.uncached_tokens for c in a.made] == [800, 0]
    assert [c.context_tokens for c in a.made] == [1000, 1007]


def test_conversations_are_apart_and_null_is_alone():
    a = played(
        [
            call(conversation="notes", input_tokens=7),
            call(conversation=None, input_tokens=30),
            call(conversation="notes"),
        ],
        context_tokens=500,
    )
    assert [(c.context_tokens, c.uncached_tokens) for c in a.made] == [(7, 7), (30, 30), (18, 0)]


def test_no_output_is_prefill_only():
    a = played([call(output_tokens=0, input_tokens=100)], Profile(1.0, 0.01, 0.1, overhead_s=0.5))
    assert a.components["overhead"] == 0.5 and a.components["ttft"] == 2.0 and a.components["decode"] == 0.0


def test_parallel_takes_its_longest_branch_and_gains_every_result():
    branches = [
        {"steps": [call(output_tokens=21)]},
        {"steps": [tool(9, result_tokens=40)]},
        {"steps": [call()], "result_tokens": 5},
    ]
    a = played([{"kind": "parallel", "branches": branches}, call()], context_tokens=100)
    assert a.components["tool"] == 9.0
    assert a.calls == 3
    assert (a.made[-1].context_tokens, a.made[-1].uncached_tokens) == (100 + 21 + 40 + 5, 66)
    assert a.task_s == pytest.approx(9 + 1 + 0.66 + 1.0)


def test_a_retry_keeps_the_conversation_and_its_failures_are_retry():
    draw = Fields({("r", "failure", (0,)): 0.1, ("r", "failure", (1,)): 0.9})
    retry = {"kind": "retry", "name": "r", "failure_probability": 0.5, "backoff_s": 3, "steps": [call(input_tokens=20)]}
    a = played([retry], draw=draw)
    assert a.components["retry"] == pytest.approx(1.2 + 1.0 + 3)
    assert a.made[1].context_tokens == 20 + 11 + 20 and not a.exhausted


def test_a_retry_that_runs_out():
    retry = {"kind": "retry", "failure_probability": 1.0, "max_attempts": 2, "backoff_s": 3, "steps": [tool(5)]}
    a = played([retry, tool(1)])
    assert a.components["retry"] == 13 and a.components["tool"] == 1 and a.exhausted


def test_a_graph_follows_its_critical_path():
    steps = [
        tool(1, name="a", result_tokens=10),
        call(name="b", after=["a"]),
        tool(3, name="c", after=["a"], result_tokens=2),
        tool(1, name="d", after=["b", "c"]),
        call(name="e", after=["d"]),
    ]
    a = played([{"kind": "graph", "steps": steps}, call()], context_tokens=50)
    b, e, last = a.made
    assert b.context_tokens == 60 and b.uncached_tokens == 10
    # e sees what a, b, c and d left: 10 + 11 + 2 + 0
    assert e.context_tokens == 50 + 23
    assert last.context_tokens == 50 + 10 + 11 + 2 + 0 + 11 and last.uncached_tokens == 34
    assert a.components["tool"] == 1 + 3 + 1
    assert a.task_s == pytest.approx(5 + (1 + 0.23 + 1) + (1 + 0.34 + 1))


def test_people_can_change_which_branch_is_critical():
    branches = [{"steps": [{"kind": "human_wait", "seconds": 10}]}, {"steps": [tool(4)]}]
    a = played([{"kind": "parallel", "branches": branches}])
    assert (a.task_s, a.without_people_s) == (10, 4)
    assert a.components["human"] == 10 and a.components["tool"] == 0


def test_loops_copies_and_choices_name_their_draws_by_turn():
    steps = [tool({"low": 0, "high": 10}, name="wait")]
    draw = Fields({("wait", "seconds", (0, 1)): 0.1, ("wait", "seconds", (1, 1)): 0.9, ("l", "times", ()): 0.9})
    copies = {"kind": "parallel", "width": 2, "steps": steps}
    a = played([{"kind": "loop", "name": "l", "times": {"low": 1, "high": 2}, "steps": [copies]}], draw=draw)
    assert a.task_s == pytest.approx(5 + 9)
    options = [{"probability": 0.4, "steps": [tool(1)]}, {"probability": 0.6, "steps": [tool(2)]}]
    for u, seconds in [(0.39, 1), (0.4, 2), (0.99, 2)]:
        choice = {"kind": "choice", "name": "c", "options": options}
        assert played([choice], draw=Fields({("c", "choice", ()): u})).task_s == seconds
