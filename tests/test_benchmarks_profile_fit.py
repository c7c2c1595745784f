"""TTFT over prompt length: the table, the line, and lengths left out."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcalc.benchmarks.profile_fit import HeldOut, apart_in_length, fit_line, leave_one_out, length_table
from agentcalc.benchmarks.records import Measurement, Spread

seconds = st.floats(1e-3, 100.0)


def run(tokens: float | None, mean: float | None, median: float | None = None, **more) -> Measurement:
    return Measurement("test", model="m", concurrency=4, input_tokens=tokens, ttft=Spread(mean, median), **more)


def test_a_table_is_sorted_and_leaves_out_what_says_nothing() -> None:
    runs = [run(4096, 0.9, 0.8), run(1024, 0.3, 0.2), run(None, 5.0), run(2048, None, 0.4)]
    assert length_table(runs) == ((1024, 0.3), (4096, 0.9))
    assert length_table(runs, "median") == ((1024, 0.2), (2048, 0.4), (4096, 0.8))


def test_of_several_runs_at_one_length_the_middle_one_counts() -> None:
    assert length_table([run(512, 0.1), run(512, 9.0), run(512, 0.2)]) == ((512, 0.2),)


@pytest.mark.parametrize(
    "other", [{"hardware": "b200"}, {"mtp": True}, {"layout": "TP8"}, {"context_tokens": 512.0}, {"request_rate": 2.0}]
)
def test_runs_that_differ_in_more_than_length_make_no_table(other: dict) -> None:
    with pytest.raises(ValueError, match=f"differ in {next(iter(other))}"):
        length_table([run(1024, 0.3), dataclasses.replace(run(2048, 0.5), **other)])


def test_groups_differ_in_length_alone() -> None:
    one, two = run(1024, 0.3), run(2048, 0.5)
    longer, busier = (dataclasses.replace(one, **other) for other in ({"output_tokens": 512.0}, {"concurrency": 16.0}))
    assert apart_in_length([one, longer, two, busier]) == [[one, two], [longer], [busier]]


def test_runs_at_two_loads_make_no_table() -> None:
    with pytest.raises(ValueError, match=r"differ in concurrency: 16, 4"):
        length_table([run(1024, 0.3), dataclasses.replace(run(2048, 0.5), concurrency=16)])


def test_two_points_get_the_line_through_both() -> None:
    line = fit_line([1000, 3000], [0.2, 0.5])
    assert line == pytest.approx((0.05, 0.00015, 0.0), abs=1e-12)
    assert line.at(2000) == pytest.approx(0.35)


def test_three_points_by_hand() -> None:
    """Weights 1/ttft^2 are 1, 1/4, 1/9: mean x 56/49, mean y 66/49, and the slope that follows."""
    w = (1.0, 0.25, 1.0 / 9.0)
    x, y = (1.0, 2.0, 4.0), (1.0, 2.0, 3.0)
    fixed, slope, _ = fit_line(x, y)
    # The normal equations of the weighted sum hold when no point is far enough off to lose weight.
    for moment in ((1.0, 1.0, 1.0), x):
        terms = zip(w, moment, x, y, strict=True)
        assert sum(wi * m * (yi - fixed - slope * xi) for wi, m, xi, yi in terms) == pytest.approx(0.0, abs=0.02)


@given(fixed=seconds, slope=st.floats(1e-6, 1e-2), lengths=st.sets(st.integers(1, 200_000), min_size=2, max_size=8))
def test_a_line_is_found_again(fixed: float, slope: float, lengths: set[int]) -> None:
    x = sorted(lengths)
    line = fit_line(x, [fixed + slope * tokens for tokens in x])
    for tokens in x:
        assert line.at(tokens) == pytest.approx(fixed + slope * tokens, rel=1e-6)
    assert line.error == pytest.approx(0.0, abs=1e-6)


@given(st.lists(st.tuples(st.integers(1, 100_000), seconds), min_size=2, max_size=12))
def test_neither_part_is_ever_negative(points: list[tuple[int, float]]) -> None:
    x, y = zip(*points, strict=True)
    if len(set(x)) < 2:
        return
    line = fit_line(x, y)
    assert line.fixed_s >= 0 and line.per_token_s >= 0 and line.error >= 0


@given(st.lists(st.tuples(st.integers(1, 100_000), seconds), min_size=3, max_size=8), st.floats(0.01, 100.0))
def test_a_slower_clock_scales_the_line(points: list[tuple[int, float]], factor: float) -> None:
    x, y = zip(*points, strict=True)
    if len(set(x)) < 2:
        return
    one, other = fit_line(x, y), fit_line(x, [factor * t for t in y])
    assert other.at(1000) == pytest.approx(factor * one.at(1000), rel=1e-3)


def test_a_line_that_would_start_below_zero_goes_through_the_origin() -> None:
    """Slope of the least relative squares through the origin: sum(x/y) / sum((x/y)^2)."""
    line = fit_line([100, 200], [0.1, 0.4])
    ratios = (1000.0, 500.0)
    assert line.fixed_s == 0.0
    assert line.per_token_s == pytest.approx(sum(ratios) / sum(r * r for r in ratios))


def test_a_ttft_that_falls_with_length_gets_a_level_line() -> None:
    line = fit_line([100, 200], [0.4, 0.1])
    assert line.per_token_s == 0.0
    assert 0.1 < line.fixed_s < 0.4


def test_one_point_far_off_does_not_carry_the_line() -> None:
    x = [500, 1000, 1500, 2000, 2500, 3000, 3500]
    y = [0.1 + 1e-4 * tokens for tokens in x]
    y[0] = 20.0  # the first request loads the model
    line = fit_line(x, y)
    assert line.at(2000) == pytest.approx(0.3, rel=0.02)
    assert line.error < 0.02


@pytest.mark.parametrize(
    ("tokens", "times", "said"),
    [
        ([1024], [0.3], "two or more prompt lengths"),
        ([1024, 1024], [0.3, 0.4], "two or more prompt lengths"),
        ([], [], "two or more prompt lengths"),
        ([1024, 2048], [0.3], "2 lengths need 2 times, not 1"),
        ([1024, 2048], [0.3, 0.0], "above 0"),
        ([1024, 2048], [0.3, float("nan")], "finite"),
        ([0, 2048], [0.3, 0.4], "above 0"),
        ([1024, float("inf")], [0.3, 0.4], "finite"),
    ],
)
def test_what_makes_no_line(tokens: list, times: list, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        fit_line(tokens, times)


def test_each_length_left_out_is_predicted_from_the_others() -> None:
    held = leave_one_out(((1024, 1.0), (2048, 2.5), (4096, 4.0)))
    assert [h.tokens for h in held] == [1024, 2048, 4096]
    # 1024 and 4096 make a line of 1 s for 1024 tokens.
    assert held[1].predicted_s == pytest.approx(2.0)
    assert held[1].error == pytest.approx(0.2)
    # 1024 and 2048 would make a line that starts at -0.5 s: it goes through the origin instead.
    assert held[2].predicted_s == pytest.approx(4096 * (1024 + 2048 / 2.5) / (1024**2 + (2048 / 2.5) ** 2))


def test_two_lengths_leave_nothing_to_predict_from() -> None:
    assert leave_one_out(((1024, 1.0), (2048, 2.0))) == ()
    assert leave_one_out(()) == ()


def test_the_error_is_relative_to_what_was_measured() -> None:
    assert HeldOut(1.0, 1.5, 2.0).error == pytest.approx(0.25)


SCRIPT = Path(__file__).parents[1] / "scripts" / "prompt_lengths.py"


def scripted(file: Path) -> subprocess.CompletedProcess[str]:
    paths = {**os.environ, "PYTHONPATH": str(SCRIPT.parents[1])}
    return subprocess.run([sys.executable, SCRIPT, file], capture_output=True, text=True, env=paths)


def test_the_script_says_how_far_off_each_length_is(tmp_path: Path) -> None:
    """1,000 and 4,000 tokens make 0.2 s + 0.1 ms a token: 0.4 s at 2,000, where 0.5 s was measured."""
    file = tmp_path / "mine.csv"
    rows = ["prompt_tokens,ttft_s,statistic", "1000,0.3,mean", "4000,0.6,mean", "2000,0.5,mean"]
    file.write_text("\n".join(rows))
    done = scripted(file)
    assert "2,000 from 1,000 and 4,000: 1 curves, median 20.0%, worst 20.0%" in done.stdout
    file.write_text("\n".join(rows[:3]))
    done = scripted(file)
    assert done.returncode == 1 and done.stderr.startswith("Nothing in these files")
