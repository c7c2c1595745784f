"""Promises about the whole, on random tasks."""

import random
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import CONTAINERS, LEAVES, RULES, Wants, player_from, profile_from, task_from

import agentcalc
from agentcalc.latency import INSTANT, Profile
from agentcalc.simulate.walk import play
from agentcalc.task import Task, keys

law = settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
seeds = st.integers(0, 2**32)
TRIALS = 40


def made(seed: int, wants: Wants | None = None) -> tuple[random.Random, dict, Task]:
    rng = random.Random(seed)
    written = task_from(rng, wants)
    return rng, written, Task.model_validate(written)


def blocks(step: dict):
    """The inner lists of steps of a written step."""
    if "steps" in step:
        yield step["steps"]
    for inner in (*step.get("branches", ()), *step.get("options", ())):
        yield inner["steps"]


def every_step(steps: list[dict]):
    for step in steps:
        yield step
        for block in blocks(step):
            yield from every_step(block)


@law
@given(seeds)
def test_components_add_up_to_task_time(seed):
    rng, _, task = made(seed)
    run = play(task, [profile_from(rng) for _ in range(3)], trials=TRIALS, per_trial=True)
    np.testing.assert_allclose(run.per_trial.sum(axis=0), run.task_s, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(run.components_s.sum(axis=0), run.task_s.mean(axis=1), rtol=1e-12, atol=1e-12)
    assert (run.per_trial >= 0).all()
    assert (run.without_people_s <= run.task_s * (1 + 1e-12)).all()


@law
@given(seeds, st.sampled_from([1.0, 1.5, 4.0]), st.sampled_from([0, 1, 50]))
def test_more_tokens_or_longer_waits_never_shorten_a_task(seed, times, more):
    rng, written, task = made(seed)
    profiles = [profile_from(rng) for _ in range(2)]
    before = play(task, profiles, trials=TRIALS)
    for step in every_step(written["steps"]):
        for field in ("input_tokens", "output_tokens", "result_tokens", "seconds", "backoff_s"):
            if field in step and rng.random() < 0.6:
                step[field] = longer(step[field], times, more)
        for branch in step.get("branches", ()):
            if "result_tokens" in branch:
                branch["result_tokens"] = longer(branch["result_tokens"], times, more)
    after = play(Task.model_validate(written), profiles, trials=TRIALS)
    assert (after.task_s >= before.task_s * (1 - 1e-12)).all()
    assert (after.calls == before.calls).all()


def longer(amount, times: float, more: float):
    """An amount whose every draw is as large or larger."""
    if isinstance(amount, int | float):
        return amount * times + more
    return {k: grown(k, v, times) for k, v in amount.items()}


def grown(key: str, value, times: float):
    if key in ("weight", "weights"):
        return value
    if isinstance(value, list):
        return [grown(key, v, times) for v in value]
    if isinstance(value, dict):
        return {k: grown(k, v, times) for k, v in value.items()}
    return value * times


@law
@given(seeds)
def test_speed_up_is_at_most_the_best_per_call_speed_up(seed):
    rng, _, task = made(seed)
    run = play(task, [profile_from(rng), profile_from(rng)], trials=TRIALS)
    base, candidate = run.task_s
    # Cross-multiplied, so that a time of 0 is no special case.
    best, worst = max(1.0, run.tally.fastest[1]), min(1.0, run.tally.slowest[1])
    if np.isfinite(best):
        assert (base <= candidate * best * (1 + 1e-12)).all()
        assert base.mean() <= candidate.mean() * best * (1 + 1e-12)
    if np.isfinite(worst):
        assert (base >= candidate * worst * (1 - 1e-12)).all()


@law
@given(seeds)
def test_no_system_is_faster_than_the_instant_one(seed):
    rng, _, task = made(seed)
    run = play(task, [profile_from(rng), profile_from(rng), INSTANT], trials=TRIALS, per_trial=True)
    assert (run.task_s[2] <= run.task_s * (1 + 1e-12)).all()
    assert (run.per_trial[:4, 2] == 0).all()


@law
@given(seeds)
def test_other_systems_and_other_trials_change_nothing(seed):
    rng, _, task = made(seed)
    one, two, three = (profile_from(rng) for _ in range(3))
    alone = play(task, [two], trials=TRIALS, seed=3)
    among = play(task, [one, two, three], trials=TRIALS, seed=3)
    few = play(task, [two, one], trials=np.array([5, 17, 2]), seed=3)
    np.testing.assert_allclose(among.task_s[1], alone.task_s[0], rtol=1e-12)
    np.testing.assert_allclose(few.task_s[0], alone.task_s[0, [5, 17, 2]], rtol=1e-12)
    assert (among.calls[1] == alone.calls[0]).all() and (few.calls[0] == alone.calls[0, [5, 17, 2]]).all()
    assert (among.exhausted[1] == alone.exhausted[0]).all()


@law
@given(seeds)
def test_identical_systems_take_identical_times(seed):
    rng, _, task = made(seed)
    profile = profile_from(rng)
    run = play(task, [profile, replace(profile)], trials=TRIALS)
    assert (run.task_s[0] == run.task_s[1]).all()


@law
@given(seeds)
def test_a_named_step_added_anywhere_leaves_all_draws_alone(seed):
    """A step that takes no time and says nothing, put anywhere, changes no trial of the rest."""
    rng, written, task = made(seed, Wants(kinds=(*LEAVES, *(k for k in CONTAINERS if k != "graph"))))
    profiles = [profile_from(rng) for _ in range(2)]
    before = play(task, profiles, trials=TRIALS, per_trial=True)
    places = [written["steps"]] + [block for step in every_step(written["steps"]) for block in blocks(step)]
    for number in range(3):
        block = rng.choice(places)
        new = {"kind": "tool_wait", "name": f"new {number}", "seconds": 0}
        block.insert(rng.randint(0, len(block)), new)
    more = Task.model_validate(written)
    assert set(keys(task).values()) == set(keys(more).values()) - {"new 0", "new 1", "new 2"}
    after = play(more, profiles, trials=TRIALS, per_trial=True)
    np.testing.assert_allclose(after.per_trial, before.per_trial, rtol=1e-12, atol=1e-12)


@law
@given(seeds)
def test_a_step_added_to_a_graph_leaves_all_draws_alone(seed):
    rng, written, task = made(seed, Wants(kinds=(*LEAVES, "graph"), depth=3))
    graphs = [step for step in every_step(written["steps"]) if step["kind"] == "graph"]
    profiles = [profile_from(rng)]
    before = play(task, profiles, trials=TRIALS, per_trial=True)
    for number, step in enumerate(graphs):
        step["steps"].append({"kind": "tool_wait", "name": f"new {number}", "seconds": 0})
    after = play(Task.model_validate(written), profiles, trials=TRIALS, per_trial=True)
    np.testing.assert_allclose(after.per_trial, before.per_trial, rtol=1e-12, atol=1e-12)


@law
@given(seeds)
def test_unnamed_steps_of_another_kind_leave_all_draws_alone(seed):
    rng, written, task = made(seed, Wants(kinds=("model_call", "tool_wait", "loop", "branches", "choice", "retry")))
    before = play(task, [INSTANT, profile_from(rng)], trials=TRIALS)
    written["steps"].insert(0, {"kind": "human_wait", "seconds": 2})
    after = play(Task.model_validate(written), [INSTANT], trials=TRIALS)
    np.testing.assert_allclose(after.task_s[0], before.task_s[0] + 2, rtol=1e-12)


@law
@given(seeds, st.sampled_from([0.5, 2.0, 16.0]))
def test_scaling_all_seconds_scales_the_task(seed, k):
    rng, written, task = made(seed, Wants(fixed_only=True))
    profile = profile_from(rng)
    before = play(task, [profile], trials=TRIALS, per_trial=True)
    for step in every_step(written["steps"]):
        for field in ("seconds", "backoff_s"):
            if field in step:
                step[field] = step[field] * k
    faster = Profile(profile.fixed_s * k, profile.per_token_s * k, profile.tpot_s * k, profile.overhead_s * k)
    after = play(Task.model_validate(written), [faster], trials=TRIALS, per_trial=True)
    np.testing.assert_allclose(after.per_trial, before.per_trial * k, rtol=1e-12)


@law
@given(seeds)
def test_a_task_without_calls_is_equally_long_everywhere(seed):
    rng = random.Random(seed)
    wants = Wants(kinds=("tool_wait", "human_wait", *CONTAINERS))
    written = task_from(rng, wants)
    written["steps"][-1] = {"kind": "tool_wait", "seconds": 1}
    run = play(Task.model_validate(written), [profile_from(rng), INSTANT], trials=TRIALS)
    assert (run.task_s[0] == run.task_s[1]).all() and not run.calls.any()


def test_different_seeds_give_different_trials():
    task = Task.model_validate({"name": "t", "steps": [{"kind": "tool_wait", "seconds": {"p50": 1, "p90": 2}}]})
    runs = [play(task, [INSTANT], trials=50, seed=seed).task_s[0] for seed in (0, 1, 2**62)]
    assert len({tuple(run) for run in runs}) == 3
    assert len(set(runs[0])) == 50


def test_draws_are_uniform_and_unrelated():
    """Shares of uniform numbers by tenth, and the correlation of neighbours in trial, turn, field and step."""
    from agentcalc.simulate.draws import lane_keys, stream, turned, uniforms

    n = 100_000
    lanes = lane_keys(np.arange(n))
    s = stream(7, "act", "seconds")
    u = uniforms(lanes, s)
    assert u.min() > 0 and u.max() < 1
    np.testing.assert_allclose(np.histogram(u, 10, (0, 1))[0] / n, 0.1, atol=0.005)
    others = [
        np.roll(u, 1),
        uniforms(turned(lanes, 0), s),
        uniforms(turned(lanes, 1), s),
        uniforms(turned(turned(lanes, 0), 0), s),
        uniforms(lanes, stream(7, "act", "result_tokens")),
        uniforms(lanes, stream(7, "run", "seconds")),
        uniforms(lanes, stream(8, "act", "seconds")),
    ]
    for other in others:
        assert abs(np.corrcoef(u, other)[0, 1]) < 5 / n**0.5
        assert (u != other).all()


# -- what compounds, and what does not --------------------------------------------------------------------------------

ALL = Wants(rules=RULES)
OFF = tuple(rule for rule in RULES if rule not in ("cache", "timeout", "attention"))
"""The rules without thresholds."""
FAR = 1e12


def same(one, other, rows=slice(None)) -> None:
    """Two runs agree in every number, to the last bit."""
    assert (one.task_s[rows] == other.task_s[rows]).all()
    assert (one.per_trial[:, rows] == other.per_trial[:, rows]).all()
    assert (one.without_people_s[rows] == other.without_people_s[rows]).all()
    assert (one.calls[rows] == other.calls[rows]).all() and (one.exhausted[rows] == other.exhausted[rows]).all()


@law
@given(seeds)
def test_nothing_compounds_without_thresholds(seed):
    """Also with join any and k, roles, failures, compact and until."""
    rng, _, task = made(seed, Wants(rules=OFF))
    one, two = player_from(rng), player_from(rng)
    run = play(task, [one, two, two], trials=TRIALS, outcomes_of=[0, 1, 0], per_trial=True)
    assert (run.task_s[2] == run.task_s[1]).all() and (run.per_trial[:, 2] == run.per_trial[:, 1]).all()


@law
@given(seeds)
def test_nothing_compounds_when_all_thresholds_are_far(seed):
    """Nothing is lost then, and the task is as with the rules off."""
    rng, written, _ = made(seed, Wants(rules=tuple(rule for rule in RULES if rule != "timeout")))
    written.pop("cache", None), written.pop("attention", None)
    one, two = player_from(rng), player_from(rng)
    off = play(Task.model_validate(written), [one, two, two], trials=TRIALS, per_trial=True)
    for step in every_step(written["steps"]):
        if step["kind"] == "model_call":
            step["timeout_s"] = FAR
    written |= {"cache": {"lifetime_s": FAR}, "attention": {"threshold_s": FAR, "cost_s": 9}}
    task = Task.model_validate(written)
    on = play(task, [one, two, two], trials=TRIALS, per_trial=True, outcomes_of=[0, 1, 0])
    assert (on.task_s[2] == on.task_s[1]).all()
    np.testing.assert_allclose(on.per_trial, off.per_trial, rtol=1e-12, atol=1e-12)
    assert (on.calls == off.calls).all() and (on.exhausted == off.exhausted).all()


@law
@given(seeds)
def test_a_timeout_that_nobody_hits_changes_nothing(seed):
    rng, written, task = made(seed, ALL)
    players = [player_from(rng), player_from(rng)]
    before = play(task, players, trials=TRIALS, per_trial=True)
    for step in every_step(written["steps"]):
        if step["kind"] == "model_call" and "timeout_s" not in step:
            step["timeout_s"] = FAR
    after = play(Task.model_validate(written), players, trials=TRIALS, per_trial=True)
    np.testing.assert_allclose(after.per_trial, before.per_trial, rtol=1e-12, atol=1e-12)
    assert (after.calls == before.calls).all() and (after.exhausted == before.exhausted).all()


@law
@given(seeds)
def test_ones_own_outcomes_change_nothing(seed):
    """Nor do those of a system that is the same."""
    rng, _, task = made(seed, ALL)
    one, two = player_from(rng), player_from(rng)
    alone = play(task, [one, two], trials=TRIALS, per_trial=True)
    given_own = play(task, [one, two, one], trials=TRIALS, per_trial=True, outcomes_of=[0, 1, 0])
    assert (given_own.task_s[:2] == alone.task_s).all() and (given_own.per_trial[:, :2] == alone.per_trial).all()
    assert (given_own.task_s[2] == alone.task_s[0]).all()


@law
@given(seeds)
def test_the_forced_have_as_many_calls_as_those_whose_outcomes_they_have(seed):
    rng, _, task = made(seed, ALL)
    one, two = player_from(rng), player_from(rng)
    run = play(task, [one, two, two], trials=TRIALS, outcomes_of=[0, 1, 0])
    assert (run.calls[2] == run.calls[0]).all()


@law
@given(seeds)
def test_with_all_rules_components_add_up_and_other_players_change_nothing(seed):
    rng, _, task = made(seed, ALL)
    one, two, three = (player_from(rng) for _ in range(3))
    run = play(task, [one, two, three, two], trials=TRIALS, per_trial=True, seed=3, outcomes_of=[0, 1, 2, 0])
    np.testing.assert_allclose(run.per_trial.sum(axis=0), run.task_s, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(run.components_s.sum(axis=0), run.task_s.mean(axis=1), rtol=1e-12, atol=1e-12)
    assert (run.per_trial >= 0).all() and (run.without_people_s <= run.task_s * (1 + 1e-12)).all()
    same(play(task, [one, two], trials=TRIALS, per_trial=True, seed=3), run, slice(0, 2))
    few = play(task, [two, one, two], trials=np.array([5, 17, 2]), seed=3, outcomes_of=[0, 1, 1])
    np.testing.assert_allclose(few.task_s[[1, 0, 2]], run.task_s[[0, 1, 3]][:, [5, 17, 2]], rtol=1e-12)


@law
@given(seeds)
def test_a_system_for_every_role_is_a_bare_system(seed):
    rng, _, task = made(seed, ALL)
    profile = profile_from(rng)
    run = play(task, [profile, dict.fromkeys(("main", "router", "judge", "nobody"), profile)], trials=TRIALS)
    assert (run.task_s[0] == run.task_s[1]).all()


@law
@given(seeds)
def test_speed_up_is_at_most_the_best_per_call_with_roles_compact_and_until(seed):
    rng, _, task = made(seed, Wants(rules=("roles", "compact", "until")))
    run = play(task, [player_from(rng), player_from(rng)], trials=TRIALS)
    best = max(1.0, run.tally.fastest[1])
    if np.isfinite(best):
        assert (run.task_s[0] <= run.task_s[1] * best * (1 + 1e-12)).all()


@law
@given(seeds)
def test_named_steps_of_the_new_kinds_leave_all_draws_alone(seed):
    """A loop by chance, a compaction of another conversation and a wait of no time, put anywhere."""
    containers = tuple(kind for kind in CONTAINERS if kind != "graph")
    rng, written, task = made(seed, Wants(kinds=(*LEAVES, *containers), rules=RULES))
    players = [player_from(rng), player_from(rng)]
    before = play(task, players, trials=TRIALS, per_trial=True)
    places = [written["steps"]] + [block for step in every_step(written["steps"]) for block in blocks(step)]
    nothing = {"kind": "tool_wait", "name": "new wait", "seconds": 0}
    new = [
        {"kind": "loop", "name": "new loop", "until": {"probability": 0.3, "max": 5}, "steps": [nothing]},
        {"kind": "compact", "name": "new summary", "conversation": "unheard of", "to_tokens": {"low": 1, "high": 9}},
    ]
    for step in new:
        block = rng.choice(places)
        block.insert(rng.randint(0, len(block)), step)
    more = Task.model_validate(written)
    assert set(keys(task).values()) == set(keys(more).values()) - {"new loop", "new wait", "new summary"}
    after = play(more, players, trials=TRIALS, per_trial=True)
    np.testing.assert_allclose(after.per_trial, before.per_trial, rtol=1e-12, atol=1e-12)


@law
@given(seeds)
def test_a_new_call_with_attempts_leaves_other_draws_alone(seed):
    """A stand-alone call that fails and is made again, before everything: the rest only starts later."""
    rng, written, task = made(seed, Wants(rules=tuple(rule for rule in RULES if rule not in ("cache", "attention"))))
    players = [player_from(rng), player_from(rng)]
    before = play(task, players, trials=TRIALS)
    more = {"output_tokens": {"p50": 20, "p90": 90}, "timeout_s": 0.5, "failure_probability": 0.4, "backoff_s": 1}
    new = {"kind": "model_call", "name": "new call", "conversation": None, **more}
    alone = play(Task.model_validate({"name": "new", "steps": [new]}), players, trials=TRIALS)
    written["steps"].insert(0, new)
    after = play(Task.model_validate(written), players, trials=TRIALS)
    np.testing.assert_allclose(after.task_s, before.task_s + alone.task_s, rtol=1e-12)
    assert (after.calls == before.calls + alone.calls).all()


@law
@given(seeds)
def test_until_with_certainty_is_one_turn(seed):
    rng, written, _ = made(seed, ALL)
    players = [player_from(rng), player_from(rng)]
    loops = [step for step in every_step(written["steps"]) if step["kind"] == "loop"]
    for step in loops:
        step.pop("times", None)
        step["until"] = {"probability": 1.0, "max": rng.randint(1, 5)}
    certain = play(Task.model_validate(written), players, trials=TRIALS, per_trial=True)
    for step in loops:
        del step["until"]
        step["times"] = 1
    same(certain, play(Task.model_validate(written), players, trials=TRIALS, per_trial=True))


@law
@given(seeds)
def test_a_join_on_fewer_never_ends_later(seed):
    rng = random.Random(seed)
    branches = [{"steps": task_from(rng, Wants(rules=RULES, depth=2))["steps"]} for _ in range(3)]
    players = [player_from(rng), player_from(rng)]
    runs = [
        play(
            Task.model_validate({"name": "t", "steps": [{"kind": "parallel", "branches": branches, "join": join}]}),
            players,
            trials=TRIALS,
        )
        for join in ("any", 1, 2, 3, "all")
    ]
    for fewer, more in pairwise(runs):
        assert (fewer.task_s <= more.task_s).all() and (fewer.without_people_s <= more.without_people_s).all()
        assert (fewer.calls == more.calls).all() and (fewer.exhausted <= more.exhausted).all()
    assert (runs[0].task_s == runs[1].task_s).all() and (runs[3].task_s == runs[4].task_s).all()


def test_until_is_geometric():
    """Mean turns of 1/p = 4, a share of p with one turn, and none beyond max."""
    steps = [
        {"kind": "loop", "until": {"probability": 0.25, "max": 1000}, "steps": [{"kind": "tool_wait", "seconds": 1}]}
    ]
    turns = play(Task.model_validate({"name": "t", "steps": steps}), [INSTANT], trials=20_000).task_s[0]
    assert turns.min() == 1 and np.mean(turns) == pytest.approx(4, abs=0.1)
    assert np.mean(turns == 1) == pytest.approx(0.25, abs=0.01)
    steps[0]["until"]["max"] = 3
    few = play(Task.model_validate({"name": "t", "steps": steps}), [INSTANT], trials=20_000).task_s[0]
    assert (few == np.minimum(turns, 3)).all()


# -- the same promises where a reader meets them: in the numbers of a comparison ---------------------------------------

SYSTEMS = ["slow:ttft=0.8s,speed=60", "fast:ttft=0.2s,speed=240", "mixed:ttft=2s,speed=900"]


@pytest.mark.parametrize("seed", range(12))
def test_the_numbers_of_a_comparison_hang_together(seed):
    _, _, task = made(seed)
    found = agentcalc.compare(task, SYSTEMS, trials=200, seed=5)
    for system in found.systems:
        assert sum(system.components_s.values()) == pytest.approx(system.task_s["mean"], rel=1e-12)
        assert 0 <= system.model_share <= 1 and 0 <= system.exhausted_share <= 1
        assert all(low <= system.task_s[name] <= high for name, (low, high) in system.band_s.items())
    base = found.systems[0]
    for pair, system, seconds in zip(found.pairs, found.systems[1:], found.task_seconds[1:], strict=True):
        ratio = base.task_s["mean"] / system.task_s["mean"]
        assert pair.speedup["of_means"] == pytest.approx(ratio, rel=1e-12)
        assert pair.saved_s["mean"] == pytest.approx(base.task_s["mean"] - system.task_s["mean"], abs=1e-9)
        assert pair.accumulated_s + pair.compounded_s == pytest.approx(pair.saved_s["mean"], abs=1e-9)
        assert pair.compounded_s == 0
        assert ratio <= max(1, pair.per_call_speedup["max"]) * (1 + 1e-12)
        low, mean, high = (pair.per_call_speedup[name] for name in ("min", "mean", "max"))
        assert low * (1 - 1e-12) <= mean <= high * (1 + 1e-12)
        assert pair.ceiling is None or ratio <= pair.ceiling * (1 + 1e-12)
        wins = np.mean(seconds < found.task_seconds[0]) + np.mean(seconds == found.task_seconds[0]) / 2
        assert pair.candidate_wins == pytest.approx(wins)


def test_a_system_against_itself():
    _, _, task = made(3)
    same = [SYSTEMS[0], "other:ttft=0.8s,speed=60"]
    (pair,) = agentcalc.compare(task, same, trials=300).pairs
    assert pair.speedup == {"of_means": 1.0, "p50": 1.0, "p5": 1.0, "p95": 1.0}
    assert pair.candidate_wins == 0.5
    assert pair.saved_s == {"mean": 0.0, "p50": 0.0}
    assert pair.break_even_output_tokens is None


def test_adding_a_system_changes_no_other():
    _, _, task = made(8)
    two = agentcalc.compare(task, SYSTEMS[:2], trials=300)
    three = agentcalc.compare(task, SYSTEMS, trials=300)
    np.testing.assert_array_equal(two.task_seconds, three.task_seconds[:2])
    assert two.pairs[0].speedup == three.pairs[0].speedup


def test_more_trials_keep_the_first():
    _, _, task = made(8)
    few, many = (agentcalc.compare(task, SYSTEMS[:1], trials=n) for n in (100, 400))
    np.testing.assert_allclose(many.task_seconds[:, :100], few.task_seconds, rtol=1e-12)


def test_the_ceiling_of_a_task_of_calls_alone_is_none():
    task = Task.model_validate({"name": "t", "steps": [{"kind": "model_call", "output_tokens": 10}]})
    (pair,) = agentcalc.compare(task, SYSTEMS[:2], trials=10).pairs
    assert pair.ceiling is None


def test_a_task_without_calls_has_no_per_call_speed_up():
    task = Task.model_validate({"name": "t", "steps": [{"kind": "tool_wait", "seconds": 3}]})
    (pair,) = agentcalc.compare(task, SYSTEMS[:2], trials=10).pairs
    assert pair.per_call_speedup == {"mean": None, "min": None, "max": None}
    assert pair.speedup["of_means"] == 1 and pair.ceiling == 1 and pair.break_even_output_tokens is None
