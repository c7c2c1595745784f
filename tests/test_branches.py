"""Branches borrow what they start with, and of several the one that counts is kept."""

import numpy as np
import pytest

from agentcalc.latency import Profile
from agentcalc.simulate.critical import Trace, add_along
from agentcalc.simulate.draws import AHEAD, TOGETHER, Ahead, lane_keys, stream, uniforms
from agentcalc.simulate.gains import Gains, Sums
from agentcalc.simulate.merge import chosen, go_on
from agentcalc.simulate.plan import Plan
from agentcalc.simulate.scene import Line, Scene, nothing
from agentcalc.simulate.walk import BLOCK, KEPT, lanes_together, play
from agentcalc.task import Task

LANES = 6


def scene(players=2, **more) -> Scene:
    started = Scene.start(
        np.arange(LANES),
        np.arange(LANES, dtype=np.uint64),
        components=2,
        players=players,
        rows=1,
        contexts=(100, 0),
        cached=(40,),
        **{"people": True, "lifetime": True, "attention": False, **more},
    )
    started.clock = started.now()
    return started


def test_what_a_branch_changes_is_its_own():
    parent = scene()
    parent.spend(0, 5.0)
    branch = parent.fork()
    branch.spend(1, np.arange(LANES) * 1.0)
    branch.own("context")[0] += 7
    branch.own("exhausted")[...] = True
    assert parent.seconds[1].sum() == 0 and branch.seconds[1][0].tolist() == [0, 1, 2, 3, 4, 5]
    assert (parent.clock == 5).all() and (branch.clock == 5 + np.arange(LANES)).all()
    assert (branch.alone == branch.clock).all()
    assert (parent.context[0] == 100).all() and (branch.context[0] == 107).all()
    assert not parent.exhausted.any()


@pytest.mark.parametrize("name", ["clock", "alone", "context", "cached", "used", "exhausted", "last_output", "results"])
def test_what_is_borrowed_cannot_be_written(name):
    branch = scene().fork()
    with pytest.raises(ValueError, match="read-only"):
        getattr(branch, name)[...] = 1


def test_a_branch_of_a_branch_borrows_the_same_arrays():
    first = scene().fork()
    second = first.fork()
    assert second.context is first.context and second.seconds[0] is first.seconds[0]


def test_a_view_of_the_first_lanes_writes_to_its_branch():
    branch = scene().fork()
    view = branch.first(2)
    view.spend(0, 3.0)
    view.own("results")[...] = 9
    assert branch.seconds[0].tolist() == [[3, 3, 0, 0, 0, 0]] * 2
    assert branch.clock[1].tolist() == [3, 3, 0, 0, 0, 0]
    assert branch.results.tolist() == [[9, 9, 0, 0, 0, 0]]


def test_lanes_are_put_back_into_what_was_borrowed():
    branch = scene().fork()
    inner = branch.take(np.array([4, 1]))
    inner.spend(1, np.array([10.0, 20.0]))
    branch.put(np.array([4, 1]), inner)
    assert branch.seconds[1][0].tolist() == [0, 20, 0, 0, 10, 0]
    assert branch.alone[1].tolist() == [0, 20, 0, 0, 10, 0]


def test_seconds_of_a_person_stay_off_the_clock_without_people():
    one = scene()
    one.spend(0, 4.0, person=True)
    one.spend(0, 1.0)
    assert (one.clock == 5).all() and (one.alone == 1).all()


def test_chosen_keeps_every_bit():
    rng = np.random.default_rng(3)
    old, new = rng.normal(size=(2, 3, 50)) * 10.0 ** rng.integers(-300, 300, size=(2, 3, 50))
    where = rng.random((3, 50)) < 0.5
    assert (chosen(-where.astype(np.int64), new, old) == np.where(where, new, old)).all()


@pytest.mark.parametrize("lanes", [LANES, 4])
def test_a_branch_is_gone_on_with_where_it_is_later(lanes):
    start = scene(players=1)
    best, branch = start.fork(), start.first(lanes).fork()
    best.spend(0, np.array([1.0, 5, 1, 5, 1, 5]))
    branch.spend(1, np.array([2.0, 2, 2, 7, 0, 5][:lanes]))
    branch.own("used")[...] = 3.0
    go_on(best, branch, branch.clock > best.clock[:, :lanes])
    assert best.seconds[0].tolist() == [[0, 5, 0, 0, 1, 5]]
    assert best.seconds[1].tolist() == [[2, 0, 2, 7, 0, 0]]
    assert best.clock.tolist() == [[2, 5, 2, 7, 1, 5]]
    assert best.used[0].tolist() == [[3] * lanes + [0] * (LANES - lanes)]
    assert start.clock.tolist() == [[0] * LANES]


def test_sums_over_the_steps_before():
    # 0 and 1 start; 2 after 0; 3 after 1 and 2; 4 after 0; 5 after 3 and 4
    after = [(), (), (0,), (1, 2), (0,), (3, 4)]
    gains = Gains(Sums(after, range(6)))
    found = []
    for i in range(6):
        found.append(gains.before(i))
        gains.add(i, 0.0 if i == 2 else np.array([[10.0**i]]))
    assert [float(np.sum(tokens)) for tokens in found] == [0, 0, 1, 11, 1, 11011]
    assert gains.total.tolist() == [[111011]]


def test_what_no_later_step_needs_is_let_go():
    steps = 50
    gains = Gains(Sums([(), *((i,) for i in range(steps - 1))], range(steps)))
    for i in range(steps):
        gains.before(i)
        gains.add(i, np.ones((1, 3)))
        assert len(gains._before) + len(gains._results) <= 2
    assert gains.total.tolist() == [[steps] * 3]


# 0 and 1 start; 2 waits for both; 3 waits for 1 and 0, in this order
AFTER = [(), (), (0, 1), (1, 0)]
ENDS = [np.array([[2.0, 5, 4]]), np.array([[3.0, 1, 4]])]


def traced(last) -> list:
    trace = Trace(AFTER)
    assert trace.until(2, ENDS).tolist() == trace.until(3, ENDS[::-1]).tolist() == [[3, 5, 4]]
    return [where if where is None else where.tolist() for where in trace.back(range(4), last)]


def test_the_critical_path_goes_back_to_the_latest_and_of_equals_to_the_first_listed():
    everywhere = np.ones((1, 3), dtype=bool)
    assert traced({2: everywhere}) == [[[False, True, True]], [[True, False, False]], [[True] * 3], None]
    assert traced({3: everywhere}) == [[[False, True, False]], [[True, False, True]], None, [[True] * 3]]


def test_the_critical_path_may_begin_at_different_steps():
    first, second = np.array([[True, False, True]]), np.array([[False, True, False]])
    found = traced({2: first, 0: second})
    assert found == [[[False, True, True]], [[True, False, False]], [[True, False, True]], None]


def test_only_what_was_spent_on_the_critical_path_is_added():
    total = [np.full((2, 2), 100.0), np.zeros((2, 2))]
    here = np.array([[True, False], [False, True]])
    steps = [
        (here, [(0, np.array([1.0, 2.0])), (1, np.array([[3.0, 4.0], [5.0, 6.0]]))]),
        (None, [(0, 1000.0)]),
        (np.zeros((2, 2), dtype=bool), [(0, 1000.0)]),
        (~here, [(1, 7.0)]),
    ]
    add_along(total, steps)
    assert total[0].tolist() == [[101, 100], [100, 102]]
    assert total[1].tolist() == [[3, 7], [7, 6]]


def test_of_calls_on_one_line_the_tokens_are_added_up_and_then_priced():
    fixed, per_token, tpot = np.array([[1.0], [2.0]]), np.array([[0.1], [0.2]]), np.array([[3.0], [5.0]])
    total = [np.full((2, 2), 100.0), np.zeros((2, 2))]
    here = np.array([[True, False], [True, True]])
    calls = [
        [(0, Line(fixed, per_token, np.array([10.0, 20.0]))), (1, Line(None, tpot, 2.0))],
        [(0, Line(fixed, per_token, 30.0)), (1, Line(None, tpot, np.array([[4.0, 6.0]])))],
    ]
    add_along(total, [(here, calls[0]), (~here, [(0, 50.0)]), (here, calls[1])])
    np.testing.assert_allclose(total[0], [[100 + 2 + 4, 150], [100 + 4 + 8, 100 + 4 + 10]])
    assert total[1].tolist() == [[3 * 6, 0], [5 * 6, 5 * 8]]
    assert (Line(fixed, per_token, 30.0).seconds() == [[4], [8]]).all()


@pytest.mark.parametrize("answer", [11, {"values": [11]}])
def test_a_graph_of_calls_of_fixed_length(answer):
    """In a conversation of its own a call's tokens are one number; its answer is one number or one a run."""
    call = {"kind": "model_call", "conversation": None, "input_tokens": 100, "output_tokens": answer}
    steps = [{"name": "a", **call}, {"name": "b", "after": ["a"], **call}]
    task = Task.model_validate({"name": "t", "steps": [{"kind": "graph", "steps": steps}]})
    players = [Profile(0.5, 0.01, 0.1), Profile(0.1, 0.001, 0.02, overhead_s=1.0)]
    run = play(task, players, trials=3)
    np.testing.assert_allclose(run.task_s, [[5.0] * 3, [2.8] * 3])
    # overhead, TTFT, decode
    np.testing.assert_allclose(run.components_s[:3], [[0, 2], [3, 0.4], [2, 0.4]])
    assert run.tally.fastest[1] == pytest.approx(2.5 / 1.4)


def test_a_step_of_a_graph_notes_what_it_spends_and_moves_its_clocks():
    step = scene().fork(seconds=[nothing((2, LANES))] * 2)
    step.bill = []
    step.spend(1, 4.0)
    step.spend(0, 1.0, person=True)
    assert (step.clock == 5).all() and (step.alone == 4).all()
    assert step.billed() == [(1, 4), (0, 1)]
    step.seconds[0] = step.seconds[0] + 9.0
    assert [row for row, _ in step.billed()] == [0, 1, 0]


def test_tokens_replace_what_is_borrowed_and_are_written_into_what_is_owned():
    parent, said = scene(), np.arange(LANES) * 1.0
    branch = parent.fork()
    branch.replace("cached", 0, said)  # the only cache
    branch.replace("context", 1, 5.0)  # one of two conversations
    assert branch.cached[0, 0].tolist() == said.tolist() and not branch.cached.flags.writeable
    assert branch.context[:, 0, 0].tolist() == [100, 5] and (parent.context[1] == 0).all()
    assert (parent.cached == 40).all()
    parent.replace("cached", 0, said)
    said += 1
    assert parent.cached[0, 0].tolist() == list(range(LANES))


@pytest.mark.parametrize(("steps", "players", "lanes"), [(0, 9, BLOCK), (200, 2, BLOCK), (200, 64, 1310), (KEPT, 3, 1)])
def test_large_graphs_are_played_in_smaller_blocks(steps, players, lanes):
    script = Plan((), (), (), (), people=False, diverges=False, largest_graph=steps)
    assert lanes_together(script, players) == lanes


@pytest.mark.parametrize("lanes", [1, 900, TOGETHER + 1])
def test_draws_ahead_are_those_made_one_by_one(lanes):
    keys = lane_keys(np.arange(lanes))
    streams = [stream(7, f"s{i}", "seconds") for i in range(2 * AHEAD + 1)]
    ahead = Ahead(keys, dict.fromkeys(streams[1:], streams[1:]))
    # out of order, and one that is like no other
    for one in [streams[3], *streams[:3], *streams[4:]]:
        assert (ahead.draw(one, np.log) == np.log(uniforms(keys, one))).all()


def test_draws_ahead_are_few():
    keys = lane_keys(np.arange(TOGETHER))
    streams = [stream(7, f"s{i}", "seconds") for i in range(100)]
    ahead = Ahead(keys, dict.fromkeys(streams, streams))
    for one in streams:
        ahead.draw(one, np.log)
        assert len(ahead._drawn) < AHEAD
