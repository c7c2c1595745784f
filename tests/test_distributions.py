"""Amounts: what is written is what is drawn."""

import math
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from agentcalc.distributions import STOP, Amount, Fixed, Mixture, Quantiles, Seconds, pick, whole
from agentcalc.normal import as241, normal_score

AMOUNT, SECONDS = TypeAdapter(Amount), TypeAdapter(Seconds)

GRID = (np.arange(1_000_000) + 0.5) / 1_000_000
"""Uniform numbers, evenly spread: means over them are integrals."""

SHAPES = {
    "number": 3,
    "two quantiles": {"p50": 214, "p90": 1700},
    "three quantiles": {"p50": 0.3, "p90": 13.6, "p99": 216},
    "many quantiles": {"p5": 1, "p25": 2, "p50": 2, "p90": 8, "p99.5": 90, "max": 400},
    "mean and sd": {"mean": 3000, "sd": 2500},
    "uniform": {"low": 819, "high": 1024},
    "uniform from 0": {"low": 0, "high": 2},
    "pert": {"low": 1, "mode": 3, "high": 11},
    "pert at its low end": {"low": 1, "mode": 1, "high": 2},
    "values": {"values": [4, 0, 9]},
    "weighted values": {"values": [4, 1, 9], "weights": [2, 0, 1]},
    "mixture": {"mixture": [{"weight": 3, "p50": 0.3, "p90": 2}, {"weight": 1, "low": 5, "high": 9}]},
    "mixture with a number": {"mixture": [{"weight": 1, "value": 0}, {"weight": 1, "mean": 4, "sd": 1, "max": 6}]},
    "mixture in a mixture": {
        "mixture": [{"weight": 1, "value": 2}, {"weight": 1, "mixture": [{"weight": 1, "low": 3, "high": 4}]}],
        "max": 3.5,
    },
}
every_shape = pytest.mark.parametrize("written", SHAPES.values(), ids=SHAPES)


def read(written):
    return AMOUNT.validate_python(written)


def at(written, p: float) -> float:
    return float(read(written).at(np.array([p]))[0])


def drawn(written, p: float) -> float:
    return float(read(written).draw(np.array([p]))[0])


# -- the normal score --------------------------------------------------------------------------------------------------


def test_normal_score_against_the_standard_library():
    ends = [10.0**-k for k in range(1, 17)]
    u = np.array([*ends, *np.linspace(0.001, 0.999, 997), *(1 - e for e in ends[:15])])
    want = [NormalDist().inv_cdf(p) for p in u]
    np.testing.assert_allclose(normal_score(u), want, rtol=1e-14, atol=1e-15)


@given(st.floats(2.0**-54, 1 - 2.0**-53))
def test_normal_score_anywhere(u):
    got = float(normal_score(np.array([u]))[0])
    assert got == pytest.approx(NormalDist().inv_cdf(u), rel=1e-13, abs=1e-14)


def test_normal_score_says_nothing_beyond_its_range():
    assert np.isnan(normal_score(np.array([0.0, 2.0**-55, 1.0, -0.1, 1.1]))).all()
    assert normal_score(np.array([2.0**-54]))[0] == pytest.approx(NormalDist().inv_cdf(2.0**-54), rel=1e-14)


def test_as241_goes_on_where_no_draw_comes():
    assert as241(np.array([1e-300]))[0] == pytest.approx(-37.0471, abs=1e-4)


def test_normal_score_keeps_the_shape_and_the_argument():
    u = np.array([[0.01, 0.5, 0.7], [0.9, 0.999, 1e-9]])
    before = u.copy()
    assert normal_score(u).shape == (2, 3)
    assert (u == before).all()
    assert normal_score(np.array([0.5]))[0] == 0
    assert normal_score(np.array([])).shape == (0,)


# -- each shape --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("written", [SHAPES["two quantiles"], SHAPES["three quantiles"], SHAPES["many quantiles"]])
def test_written_quantiles_are_recovered(written):
    for key, value in written.items():
        if key != "max":
            assert at(written, float(key[1:]) / 100) == pytest.approx(value, rel=1e-12)


def test_two_quantiles_make_a_lognormal():
    low, high = math.log(214), math.log(1700)
    sigma = (high - low) / NormalDist().inv_cdf(0.9)
    for p in (0.001, 0.3, 0.99):
        assert at({"p50": 214, "p90": 1700}, p) == pytest.approx(math.exp(low + sigma * NormalDist().inv_cdf(p)))


def test_between_and_beyond_three_quantiles():
    """Linear in normal score and log value; the end slopes continue."""
    z = NormalDist().inv_cdf
    knots = [(z(0.5), math.log(0.3)), (z(0.9), math.log(13.6)), (z(0.99), math.log(216))]
    for p, (a, b) in [(0.1, knots[:2]), (0.7, knots[:2]), (0.95, knots[1:]), (0.998, knots[1:])]:
        log = a[1] + (b[1] - a[1]) * (z(p) - a[0]) / (b[0] - a[0])
        assert at({"p50": 0.3, "p90": 13.6, "p99": 216}, p) == pytest.approx(math.exp(log), rel=1e-12)


def test_moments_of_mean_and_sd():
    values = read({"mean": 20, "sd": 8, "max": 1e9}).draw(GRID)
    assert values.mean() == pytest.approx(20, rel=1e-4)
    assert values.std() == pytest.approx(8, rel=1e-3)
    assert at({"mean": 20, "sd": 8}, 0.5) == pytest.approx(20 / math.sqrt(1 + 0.4**2))
    assert read({"mean": 20, "sd": 0}).draw(GRID[::1000]) == pytest.approx(20)


def test_moments_of_a_lognormal_from_quantiles():
    sigma = math.log(4) / NormalDist().inv_cdf(0.9)
    values = read({"p50": 10, "p90": 40, "max": 1e12}).draw(GRID)
    assert values.mean() == pytest.approx(10 * math.exp(sigma**2 / 2), rel=1e-3)


def test_moments_of_uniform():
    values = read({"low": 2, "high": 8}).draw(GRID)
    assert values.mean() == pytest.approx(5) and values.std() == pytest.approx(6 / math.sqrt(12))
    assert read({"low": 2, "high": 2}).draw(GRID[::1000]).tolist() == [2.0] * 1000


@pytest.mark.parametrize(("low", "mode", "high"), [(1, 3, 11), (0, 5, 10), (1, 1, 2), (1, 2, 2)])
def test_moments_of_pert(low, mode, high):
    values = read({"low": low, "mode": mode, "high": high}).draw(GRID)
    mean = (low + 4 * mode + high) / 6
    assert values.mean() == pytest.approx(mean, rel=1e-5)
    assert values.var() == pytest.approx((mean - low) * (high - mean) / 7, rel=1e-4)
    assert low <= values.min() and values.max() <= high


def test_a_pert_of_one_point():
    assert read({"low": 3, "mode": 3, "high": 3}).draw(np.array([0.1, 0.9])).tolist() == [3, 3]


def test_values_come_in_their_shares():
    found, times = np.unique(read({"values": [4, 1, 9], "weights": [2, 0, 1]}).draw(GRID), return_counts=True)
    assert found.tolist() == [4, 9]
    assert times / len(GRID) == pytest.approx([2 / 3, 1 / 3], abs=1e-5)
    assert np.unique(read({"values": [4, 0, 9]}).draw(GRID), return_counts=True)[1] == pytest.approx(
        [1e6 / 3] * 3, abs=1
    )


def test_a_mixture_is_its_parts_in_their_shares():
    values = read({"mixture": [{"weight": 3, "low": 0, "high": 1}, {"weight": 1, "value": 7}]}).draw(GRID)
    assert (values == 7).mean() == pytest.approx(0.25, abs=1e-6)
    assert values[values < 7].mean() == pytest.approx(0.5, abs=1e-4)
    assert read({"mixture": [{"weight": 0, "value": 7}, {"weight": 1, "value": 8}]}).draw(GRID).min() == 8


def test_pick_makes_uniform_numbers_again():
    u = np.array([0.0, 0.1, 0.25, 0.75, 0.9999])
    chosen, within = pick(u, np.array([1.0, 0.0, 3.0]))
    assert chosen.tolist() == [0, 0, 2, 2, 2]
    assert within == pytest.approx([0, 0.4, 0, 2 / 3, 0.9998667], abs=1e-6)
    assert (within > 0).all() and (within < 1).all()


# -- where draws stop --------------------------------------------------------------------------------------------------


@every_shape
def test_draws_stop_at_the_top(written):
    amount = read(written)
    values = amount.draw(np.array([2.0**-54, 0.3, 0.9995, 1 - 2.0**-53]))
    assert (values <= amount.top).all() and np.isfinite(values).all() and (values >= 0).all()


@pytest.mark.parametrize("name", ["two quantiles", "three quantiles", "mean and sd"])
def test_an_endless_shape_stops_at_its_999th_thousandth(name):
    assert drawn(SHAPES[name], 0.9999) == pytest.approx(at(SHAPES[name], STOP), rel=1e-12)
    assert drawn(SHAPES[name], 0.9985) < at(SHAPES[name], STOP)


def test_max_stops_before_the_usual_end():
    assert drawn({"p50": 10, "p90": 40, "max": 15}, 0.9) == 15
    assert drawn({"low": 1, "high": 9, "max": 4}, 0.9) == 4
    assert drawn({"values": [1, 9], "max": 4}, 0.9) == 4
    assert drawn({"p50": 10, "p90": 40, "max": 1e6}, 0.99999) > at({"p50": 10, "p90": 40}, STOP)


def test_a_mixture_stops_at_its_own_999th_thousandth():
    written = {"mixture": [{"weight": 9, "p50": 1, "p90": 2}, {"weight": 1, "p50": 10, "p90": 40}]}
    amount = read(written)
    below = [
        NormalDist().cdf(math.log(amount.top / median) / (math.log(p90 / median) / NormalDist().inv_cdf(0.9)))
        for median, p90 in ((1, 2), (10, 40))
    ]
    assert 0.9 * below[0] + 0.1 * below[1] == pytest.approx(STOP, abs=1e-9)
    assert (amount.draw(GRID) == amount.top).mean() == pytest.approx(1 - STOP, abs=2e-5)


def test_a_mixture_whose_parts_all_end_needs_no_stop():
    amount = read({"mixture": [{"weight": 1, "low": 0, "high": 3}, {"weight": 1, "p50": 2, "p90": 5, "max": 12}]})
    assert amount.top == 12
    assert amount.end == 12


# -- whole numbers -----------------------------------------------------------------------------------------------------


def test_whole_numbers_are_at_least_one_unless_zero_is_written():
    def wholes(written, *u):
        amount = read(written)
        return whole(amount, amount.draw(np.array(u))).tolist()

    assert wholes({"p50": 0.1, "p90": 0.4}, 0.1, 0.9) == [1, 1]
    assert wholes({"low": 0, "high": 3}, 0.1, 0.5, 0.9) == [0, 2, 3]
    assert wholes({"values": [0, 4]}, 0.1, 0.9) == [0, 4]
    assert wholes({"mixture": [{"weight": 1, "value": 0}, {"weight": 1, "value": 5}]}, 0.1, 0.9) == [0, 5]
    assert wholes(0, 0.5) == [0] and wholes(0.3, 0.5) == [1] and wholes(2.6, 0.5) == [3]


# -- reading and writing -----------------------------------------------------------------------------------------------


@every_shape
def test_round_trip(written):
    amount = read(written)
    again = AMOUNT.dump_python(amount, exclude_none=True, exclude_defaults=True)
    assert read(again) == amount
    assert AMOUNT.validate_json(AMOUNT.dump_json(amount, exclude_none=True)) == amount


@every_shape
def test_an_amount_cannot_be_changed(written):
    amount = read(written)
    with pytest.raises(ValidationError):
        amount.max = 3.0


@every_shape
@pytest.mark.parametrize("k", [0.25, 3.0])
def test_scaled_amounts_draw_scaled_numbers(written, k):
    amount = read(written)
    u = GRID[::50_021]
    np.testing.assert_allclose(amount.scaled(k).draw(u), amount.draw(u) * k, rtol=1e-9)


@pytest.mark.parametrize("name", [name for name in SHAPES if "mixture" not in name and "values" not in name])
def test_draws_never_fall_with_u(name):
    """Parts of a mixture and values come in the order they are written; every other shape rises."""
    values = read(SHAPES[name]).draw(GRID[::977])
    assert (np.diff(values) >= -1e-12 * values[1:]).all()


FAULTS = {
    "one quantile": ({"p50": 3}, "one quantile does not make a distribution"),
    "quantiles that fall": ({"p50": 3, "p90": 2}, "quantiles must not fall"),
    "a quantile of 0": ({"p50": 0, "p90": 2}, "p50 must be a number above 0"),
    "a quantile that is text": ({"p50": "x", "p90": 2}, "p50 must be a number above 0"),
    "a quantile that is true": ({"p50": True, "p90": 2}, "p50 must be a number above 0"),
    "p0": ({"p0": 1, "p50": 2}, "between p0 and p100"),
    "max below everything": ({"p50": 3, "p90": 5, "max": 1}, "max 1 is below p50 3"),
    "max 0": ({"low": 0, "high": 1, "max": 0}, "greater than or equal to 0.000000001"),
    "low above high": ({"low": 3, "high": 2}, "low 3 is above high 2"),
    "mode outside": ({"low": 1, "mode": 9, "high": 2}, "mode 9 must lie between"),
    "mean without sd": ({"mean": 3}, "Field required"),
    "mean 0": ({"mean": 0, "sd": 1}, "greater than or equal to 0.000000001"),
    "a mean out of proportion": ({"mean": 1e-3, "sd": 1e9}, "more than a million times mean"),
    "out of reach": (1e13, "less than or equal to 1000000000000"),
    "too small": (1e-12, "too small to matter"),
    "weights out of reach": ({"values": [1, 2], "weights": [1e308, 1e308]}, "largest weight must lie from"),
    "a quantile out of reach": ({"p50": 1, "p90": 1e300}, "p90 must lie from 1e-09 to"),
    "sd negative": ({"mean": 1, "sd": -1}, "greater than or equal to 0"),
    "negative number": (-1, "greater than or equal to 0"),
    "endless number": (float("inf"), "finite"),
    "no number": (float("nan"), "finite|greater"),
    "no values": ({"values": []}, "at least 1 item"),
    "weights that do not fit": ({"values": [1, 2], "weights": [1]}, "2 values need 2 weights, not 1"),
    "weights of nothing": ({"values": [1, 2], "weights": [0, 0]}, "not all 0"),
    "negative weights": ({"values": [1, 2], "weights": [2, -1]}, "0 or more"),
    "a mixture of nothing": ({"mixture": []}, "at least 1 item"),
    "a mixture without weights": ({"mixture": [{"value": 1}]}, "weight|Field required"),
    "an unknown key": ({"low": 1, "high": 2, "hihg": 3}, "Extra inputs"),
    "two shapes at once": ({"low": 1, "high": 2, "p50": 1}, "Extra inputs"),
    "no amount": ({"around": 3}, "it is not an amount"),
    "text": ("many", "valid number"),
    "true": (True, "valid number"),
    "nothing": (None, "valid number"),
}


@pytest.mark.parametrize(("written", "words"), FAULTS.values(), ids=FAULTS)
def test_faults(written, words):
    with pytest.raises(ValidationError, match=words):
        read(written)


def test_seconds_accept_durations_anywhere():
    assert SECONDS.validate_python("300 ms") == Fixed(0.3)
    assert SECONDS.validate_python({"p50": "300 ms", "p90": "2 min", "max": "1 h"}) == Quantiles(
        points=((50, 0.3), (90, 120)), max=3600
    )
    mixture = SECONDS.validate_python(
        {"mixture": [{"weight": 1, "value": "2 s"}, {"weight": 2, "low": 1, "high": "3 s"}]}
    )
    assert isinstance(mixture, Mixture) and mixture.top == 3
    assert SECONDS.validate_python({"values": ["1 s", 2]}).values == (1, 2)
    with pytest.raises(ValidationError, match="'parsec' is not a unit of time"):
        SECONDS.validate_python("3 parsec")


@st.composite
def quantiles(draw):
    percents = draw(st.lists(st.integers(1, 99), min_size=2, max_size=6, unique=True))
    values = draw(st.lists(st.floats(1e-3, 1e6), min_size=len(percents), max_size=len(percents)))
    # A max, since some of them rise too steeply to have an end of their own.
    return {f"p{p}": v for p, v in zip(sorted(percents), sorted(values), strict=True)} | {"max": 1e12}


@pytest.mark.parametrize("written", [{"p98": 0.001, "p99": 1e6}, {"p1": 1, "p2": 6}])
def test_quantiles_that_rise_without_end_want_a_max(written):
    with pytest.raises(ValidationError, match="rise so steeply that draws have no end; give a max"):
        read(written)
    assert read(written | {"max": 5e6}).top == 5e6


@settings(deadline=None)
@given(quantiles(), st.floats(1e-9, 1 - 1e-9), st.floats(1e-9, 1 - 1e-9))
def test_any_quantiles_are_met_and_draws_rise(written, a, b):
    amount = read(written)
    for p, value in amount.points:
        assert at(written, p / 100) == pytest.approx(value, rel=1e-9)
    # Steep ends run out of floats before draws stop.
    with np.errstate(over="ignore"):
        low, high = amount.draw(np.array(sorted((a, b))))
    assert low <= high * (1 + 1e-12)
    assert read(AMOUNT.dump_python(amount)) == amount


@given(st.floats(0, 1e6), st.floats(0, 1e6), st.floats(1e-9, 1 - 1e-9), st.floats(1e-9, 1 - 1e-9))
def test_uniform_and_pert_rise_and_stay_inside(x, y, a, b):
    low, high = sorted((x, y))
    for written in ({"low": low, "high": high}, {"low": low, "mode": (low + high) / 2, "high": high}):
        first, second = read(written).draw(np.array(sorted((a, b))))
        slack = 1e-9 * max(1.0, high)
        assert low - slack <= first <= second + slack <= high + 2 * slack
