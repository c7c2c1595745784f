"""Operating points: curves over concurrency, interpolation and how well it works, tables over lengths, tails."""

import numpy as np
import pytest
from pydantic import ValidationError
from test_system import number, point, system

from agentcalc.comparison import compare
from agentcalc.errors import NotFoundError
from agentcalc.latency import along, call_s, profile
from agentcalc.points import CallSpread, missed, quick
from agentcalc.provenance import Grade
from agentcalc.system import System
from agentcalc.tails import GRID, call_factor
from agentcalc.task import Task


def at(concurrency, ttft, tpot, **keys):
    numbers = {"ttft": number(ttft, "s"), "tpot": number(tpot, "ms"), "ttft_at_tokens": 7000}
    return {"concurrency": concurrency, **numbers, **keys}


def curve(*points, **keys) -> System:
    return system(points=list(points), **keys)


def test_halfway_between_two_measured_points_is_their_geometric_mean():
    found = curve(at(4, 0.2, 4, chips=8), at(16, 0.8, 9, chips=8)).at(8)
    here = found.point
    assert (found.id, found.label, here.between, here.chips) == ("lab/model@8", "Lab@8", (4, 16), 8)
    assert here.ttft.seconds() == pytest.approx(0.4)
    assert here.tpot.seconds() == pytest.approx(0.006)
    assert here.ttft.grade is Grade.DERIVED and here.ttft.note == "interpolated between concurrency 4 and 16"


def test_a_third_of_the_way_in_logarithms():
    # 8 is a third of the way from 4 to 32: 0.1 * 8 ** (1/3) = 0.2
    assert curve(at(4, 0.1, 4), at(32, 0.8, 4)).at(8).point.ttft.seconds() == pytest.approx(0.2)


def test_units_of_neighbours_may_differ():
    rate = {"concurrency": 16, "ttft": number(800, "ms"), "tpot": number(100, "tok/s/user"), "ttft_at_tokens": 7000}
    found = curve(at(4, 0.2, 2.5), rate).at(8).point
    assert (found.ttft.seconds(), found.tpot.seconds()) == pytest.approx((0.4, 0.005))


def test_neighbours_are_of_one_configuration():
    mixed = curve(at(4, 0.2, 4, configuration="TP4"), at(16, 0.8, 9, configuration="TP8"))
    with pytest.raises(NotFoundError, match="its neighbours are of different configurations"):
        mixed.at(8)
    assert mixed.at(16).point.configuration == "TP8"
    longer = curve(at(4, 0.2, 4), at(16, 0.8, 9, ttft_at_tokens=900))
    with pytest.raises(NotFoundError):
        longer.at(8)


def test_a_measured_point_comes_before_an_interpolated_one_and_the_quickest_first():
    both = curve(
        at(4, 0.1, 1, configuration="A"),
        at(16, 0.1, 1, configuration="A"),
        at(8, 0.3, 9, configuration="B"),
        at(8, 0.3, 5, configuration="C"),
    )
    assert both.at(8).point.configuration == "C" and both.at(8).point.between is None
    assert both.at(6).point.configuration == "A"


def test_never_beyond_the_ends():
    for concurrency in (3, 17):
        with pytest.raises(NotFoundError, match="or between"):
            curve(at(4, 0.2, 4), at(16, 0.8, 9)).at(concurrency)


def test_an_unpublished_load_has_no_curve():
    bare = {k: v for k, v in point().items() if k != "concurrency"}
    with pytest.raises(NotFoundError, match=r"its load is not published, so it has no curve. Use lab/model without @"):
        curve(bare).at(16)


def test_leaving_out_the_inner_points():
    # TTFT and TPOT are straight in logarithms but for the middle, which is 10% above in TTFT
    found = missed(curve(at(4, 0.1, 2), at(8, 0.22, 4), at(16, 0.4, 8)).points)
    assert found.ttft == pytest.approx((1 - 0.2 / 0.22,))
    assert found.tpot == pytest.approx((0.0,), abs=1e-12)
    truth, guess = 0.22 + 921 * 0.004, 0.2 + 921 * 0.004
    assert found.e2el == pytest.approx((1 - guess / truth,))
    note = curve(at(4, 0.1, 2), at(8, 0.22, 4), at(16, 0.4, 8)).at(6).point.tpot.note
    assert "1 measured point of it came out 9% off in TTFT, 0% in TPOT" in note
    assert missed(curve(at(4, 0.1, 2), at(8, 0.22, 4)).points) is None


def test_quick_is_an_8k_1k_call():
    assert quick(curve(at(1, 0.5, 2)).point) == pytest.approx(0.5 + 921 * 0.002)


def test_an_interpolated_system_says_so_beside_its_answer():
    task = Task.model_validate({"name": "t", "steps": [{"kind": "model_call", "output_tokens": 100}]})
    specs = curve(at(4, 0.2, 4), at(16, 0.8, 9))
    found = compare(task, [specs.at(4), specs.at(8), specs.at(16)], trials=10)
    assert found.warnings == ("Lab@8 is interpolated between concurrency 4 and 16.",)
    assert [s.grade for s in found.systems][:2] == [Grade.ASSUMED, Grade.ASSUMED]


def test_throughput_and_percentiles_are_interpolated_and_tables_of_equal_lengths():
    spread = {"p50": 0.1, "p99": 0.4}
    table = {"tokens": [100, 1000], "values": [0.1, 0.4], "unit": "s", "grade": "measured", "source": "lab"}
    low = at(4, 0.2, 4, throughput=number(100, "tok/s/chip"), ttft_spread=spread, ttft_over_prompt=table)
    high = at(
        16,
        0.8,
        9,
        throughput=number(400, "tok/s/chip"),
        ttft_spread={"p50": 0.4, "p90": 1, "p99": 1.6},
        ttft_over_prompt={**table, "values": [0.4, 1.6]},
    )
    found = curve(low, high).at(8).point
    assert found.throughput.value == pytest.approx(200)
    assert found.ttft_spread.model_dump(exclude_none=True) == pytest.approx({"p50": 0.2, "p99": 0.8})
    assert found.ttft_over_prompt.values == pytest.approx((0.2, 0.8))
    other = curve(low, {**high, "ttft_over_prompt": {**table, "tokens": [100, 900]}}).at(8).point
    assert other.ttft_over_prompt is None


def test_a_table_is_lines_and_its_rising_ends_continue():
    table = ((100.0, 0.1), (200.0, 0.3), (400.0, 0.5))
    tokens = np.array([0, 50, 100, 150, 200, 300, 400, 600])
    assert along(table, tokens) == pytest.approx([0, 0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7])
    falling = ((100.0, 0.5), (200.0, 0.3))
    assert along(falling, np.array([0, 150, 900])) == pytest.approx([0.5, 0.4, 0.3])


def test_tables_stand_for_the_line():
    table = {"tokens": [1000, 2000], "values": [100, 300], "unit": "ms", "grade": "measured", "source": "lab"}
    contexts = {"tokens": [0, 1000], "values": [2, 4], "unit": "ms", "grade": "measured", "source": "lab"}
    found = system(points=[point(ttft_over_prompt=table, tpot_over_context=contexts)], fixed_share=None)
    p = profile(found)
    assert p.first_s(1500) == pytest.approx(0.2) and p.token_s(500) == pytest.approx(0.003)
    assert call_s(1500, 11, p, 2000) == pytest.approx(0.2 + 10 * 0.006)
    assert (p.uncached_range, p.context_range) == ((1000, 2000), (0, 1000))
    assert [name for name, _ in found.numbers()] == ["ttft", "tpot"]
    faster = found.scaled(ttft=0.5, speed=4)
    assert profile(faster).first_s(1500) == pytest.approx(0.1) and profile(faster).token_s(500) == pytest.approx(
        0.00075
    )
    assert faster.point.ttft_over_prompt.grade is Grade.ASSUMED


@pytest.mark.parametrize(
    ("spread", "mean"), [({"p50": 0.238, "p99": 1.318}, 0.3436), ({"p50": 6.1, "p90": 6.4, "p99": 8}, 6.2)]
)
def test_a_tail_keeps_the_mean_and_the_percentiles(spread, mean):
    factor = call_factor(mean, CallSpread(**spread))
    drawn = mean * factor.draw((np.arange(GRID) + 0.5) / GRID)
    assert np.mean(drawn) == pytest.approx(mean)
    if "p90" not in spread:
        assert np.percentile(drawn, (50, 99)) == pytest.approx((spread["p50"], spread["p99"]), rel=0.01)


def test_a_tail_is_the_same_however_fast_the_system():
    spread = {"p50": 0.238, "p90": 0.5, "p99": 1.318}
    usual = call_factor(0.3436, CallSpread(**spread))
    tiny = call_factor(0.3436e-9, CallSpread(**{name: value * 1e-9 for name, value in spread.items()}))
    places = (np.arange(50) + 0.5) / 50
    assert tiny.draw(places) == pytest.approx(usual.draw(places))


def test_tails_are_off_until_asked_for_and_leave_the_mean():
    quiet = curve(at(4, 0.2, 4, ttft_spread={"p50": 0.15, "p99": 0.9}, tpot_spread={"p50": 3.9, "p99": 5}))
    task = Task.model_validate({"name": "t", "steps": [{"kind": "model_call", "output_tokens": 100}]})
    found = compare(task, [quiet, quiet.varied()], trials=20_000)
    still, loud = found.systems
    assert still.task_s["sd"] == 0 and loud.task_s["sd"] > 0.05
    assert loud.task_s["mean"] == pytest.approx(still.task_s["mean"], rel=0.01)
    assert loud.task_s["p50"] < still.task_s["p50"] < loud.task_s["p95"]
    with pytest.raises(NotFoundError, match="nobody measured how its calls differ"):
        system().varied()


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"throughput": number(5, "tok/s/user")}, "use tok/s/chip"),
        ({"ttft_spread": {"p50": 2, "p99": 1}}, "must rise"),
        ({"tpot": number(100, "tok/s/user"), "tpot_spread": {"p50": 2, "p99": 3}}, "slow tail of a time"),
        ({"ttft": number(0, "s")}, "was never measured"),
    ],
)
def test_points_that_cannot_be(keys, message):
    with pytest.raises(ValidationError, match=message):
        system(points=[point(**keys)])


@pytest.mark.parametrize(
    ("tokens", "values", "message"),
    [((1, 2), (1.0, 2.0, 3.0), "one value for each"), ((2, 1), (1.0, 2.0), "must rise"), ((1, 2), (0.0, 1.0), "reach")],
)
def test_tables_that_cannot_be(tokens, values, message):
    table = {"tokens": tokens, "values": values, "unit": "s", "grade": "measured", "source": "lab"}
    with pytest.raises(ValidationError, match=message):
        system(points=[point(ttft_over_prompt=table)])


def test_a_share_or_tables():
    with pytest.raises(ValidationError, match="fixed_share is missing"):
        system(fixed_share=None)
