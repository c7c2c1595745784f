"""One call, by numbers that can be checked by hand."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcalc.catalog import load_system
from agentcalc.latency import (
    INSTANT,
    Profile,
    break_even_output_tokens,
    call_s,
    decode_s,
    profile,
    split_ttft,
    ttft_s,
)

RIVAL = Profile(fixed_s=0.1, per_token_s=1e-5, tpot_s=0.002)
OURS = Profile(fixed_s=0.4, per_token_s=1e-5, tpot_s=0.0005)


def test_first_token_grows_on_a_line():
    assert ttft_s(0, 0.5, 0.001) == 0.5
    assert ttft_s(2000, 0.5, 0.001) == 2.5


@pytest.mark.parametrize(("output", "seconds"), [(0, 0), (1, 0), (2, 0.01), (101, 1)])
def test_decode_counts_the_tokens_after_the_first(output, seconds):
    assert decode_s(output, 0.01) == pytest.approx(seconds)


def test_a_call_is_overhead_first_token_and_the_rest():
    system = Profile(fixed_s=0.5, per_token_s=0.001, tpot_s=0.01, overhead_s=0.25)
    assert call_s(1000, 201, system) == pytest.approx(0.25 + 1.5 + 2)
    assert call_s(1000, 0, system) == pytest.approx(0.25 + 1.5)
    assert call_s(1000, 201, INSTANT) == 0


def test_arrays_broadcast():
    found = call_s(np.array([0.0, 1000.0]), np.array([[1.0], [11.0]]), RIVAL)
    assert found.shape == (2, 2)
    assert found[1, 1] == pytest.approx(call_s(1000, 11, RIVAL))


@given(st.floats(1e-3, 60), st.integers(1, 10**6), st.floats(0, 1))
def test_the_split_goes_through_the_point_it_was_made_from(ttft, tokens, share):
    fixed, per_token = split_ttft(ttft, tokens, share)
    assert ttft_s(tokens, fixed, per_token) == pytest.approx(ttft, rel=1e-12)
    assert fixed == pytest.approx(share * ttft)


def test_the_split_of_the_facts():
    """GB200 on GPT-OSS, concurrency 2: 120 ms at 7,373 tokens, of which 31 ms are fixed, make 12.1 us a token."""
    fixed, per_token = split_ttft(0.120, 7373, 31 / 120)
    assert fixed == pytest.approx(0.031) and per_token == pytest.approx(12.1e-6, rel=0.005)
    assert ttft_s(922, fixed, per_token) == pytest.approx(0.042, abs=0.0005)


# -- break-even --------------------------------------------------------------------------------------------------------


def test_break_even_by_hand():
    """0.3 s behind at the first token, 1.5 ms a token faster: 200 tokens after the first."""
    assert break_even_output_tokens(1000, RIVAL, OURS) == pytest.approx(201)
    assert break_even_output_tokens(1000, OURS, RIVAL) == pytest.approx(201)


def test_no_break_even():
    assert break_even_output_tokens(10, RIVAL, RIVAL) is None
    assert break_even_output_tokens(10, RIVAL, Profile(0.05, 1e-5, 0.001)) is None
    assert break_even_output_tokens(10, RIVAL, Profile(0.2, 1e-5, 0.002)) is None
    assert break_even_output_tokens(10, RIVAL, INSTANT) is None


def test_equal_first_tokens_break_even_at_once():
    assert break_even_output_tokens(10, RIVAL, Profile(0.1, 1e-5, 0.001)) == 1


def seconds(most: float) -> st.SearchStrategy[float]:
    """Seconds in steps of a thousandth of the most: speeds that differ by rounding alone are no different speeds."""
    return st.integers(0, 1000).map(lambda n: n * most / 1000)


profiles = st.builds(Profile, seconds(2), seconds(1e-3), seconds(0.1), seconds(0.5))


@given(st.integers(0, 200_000), profiles, profiles)
def test_calls_take_equally_long_at_break_even(uncached, a, b):
    n = break_even_output_tokens(uncached, a, b)
    if n is None:
        firsts = [call_s(uncached, 1, p) for p in (a, b)]
        lasts = [call_s(uncached, 10**6, p) for p in (a, b)]
        assert (firsts[0] < firsts[1]) <= (lasts[0] <= lasts[1]) and (firsts[0] > firsts[1]) <= (lasts[0] >= lasts[1])
    else:
        assert n >= 1
        assert call_s(uncached, n, a) == pytest.approx(call_s(uncached, n, b), rel=1e-6, abs=1e-9)


def test_break_even_on_gpt_oss():
    """The facts: 248 output tokens at 7,373 fresh ones, about 87 at 900; 11 to 307 there over the split alone."""
    rival, ours = load_system("gb200/gpt-oss-120b"), load_system("jalapeno/gpt-oss-120b")
    assert break_even_output_tokens(7373, profile(rival), profile(ours)) == pytest.approx(248, abs=1)
    assert break_even_output_tokens(900, profile(rival), profile(ours)) == pytest.approx(87, abs=1)
    ends = [break_even_output_tokens(900, profile(rival), profile(ours, {"fixed_share": end})) for end in (0.0, 1.0)]
    assert ends == pytest.approx([11, 307], abs=1)


def test_the_band_of_break_even_holds_its_value():
    """Over the corners of both systems; the split is what matters far below the measured prompt length."""
    rival, ours = load_system("gb200/gpt-oss-120b"), load_system("jalapeno/gpt-oss-120b")
    assert {"ttft", "fixed_share"} <= set(ours.unknowns())
    pairs = list(
        product([profile(rival, e) for e in ({}, *rival.corners())], [profile(ours, e) for e in ours.corners()])
    )
    for uncached, value, narrow in ((7373, 248, True), (900, 87, False)):
        found = [break_even_output_tokens(uncached, *pair) for pair in pairs]
        assert min(found) < value < max(found)
        assert (max(found) - min(found) < 40) is narrow


# -- profiles ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("system", "ttft", "tpot_ms", "share"),
    [
        ("gb200/gpt-oss-120b", 0.107028, 1.868197, 0.26),
        ("gb300/deepseek-r1", 0.3866, 6.0705, 0.83),
        ("jalapeno/deepseek-r1", 0.33, 1000 / 700, 0.83),
        ("jalapeno/kimi-k2.5", 0.23, 1000 / 694, 0.55),
    ],
)
def test_profiles_of_packaged_systems(system, ttft, tpot_ms, share):
    found = profile(load_system(system))
    assert ttft_s(7373, found.fixed_s, found.per_token_s) == pytest.approx(ttft, rel=0.02)
    assert found.tpot_s * 1000 == pytest.approx(tpot_ms, rel=1e-3)
    assert found.fixed_s / ttft == pytest.approx(share, rel=0.02)
    assert found.overhead_s == 0


def test_ends_move_one_number_at_a_time():
    ours = load_system("jalapeno/gpt-oss-120b")
    middle = profile(ours)
    for names, share in product(([], ["ttft"]), (0.0, 1.0)):
        found = profile(ours, {"fixed_share": share, **dict.fromkeys(names, 1.0)})
        whole = ours.point.ttft.band[1] if names else middle.fixed_s + middle.per_token_s * 7373
        assert found.fixed_s == pytest.approx(share * whole)
        assert found.fixed_s + found.per_token_s * 7373 == pytest.approx(whole)
        assert found.tpot_s == middle.tpot_s


def test_measured_ranges_reach_the_profile():
    found = profile(load_system("gb200/gpt-oss-120b"))
    assert found.uncached_range == (819, 8192) and found.context_range == (819, 9216)
    assert profile(load_system("mine:ttft=1s,speed=100,overhead=0.2s")).overhead_s == 0.2
