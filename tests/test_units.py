"""Numbers as people read them: section 2 of the app's specification."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcalc import units
from agentcalc.units import show_about, show_count, show_ratio, show_share, show_time, show_total


def plain(text: str) -> str:
    return text.replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.55, "0.55 s"),
        (0.0, "0 s"),
        (0.0123, "0.01 s"),
        (0.0042, "4 ms"),
        (0.00031, "0.3 ms"),
        (1.99, "1.99 s"),
        (1.996, "2.0 s"),
        (5.38, "5.4 s"),
        (9.94, "9.9 s"),
        (9.96, "10 s"),
        (32.2, "32 s"),
        (59.97, "60 s"),
        (87.0, "87 s"),
        (99.4, "99 s"),
        (99.6, "1 min 40 s"),
        (132, "2 min 12 s"),
        (359.8, "6 min"),
        (360, "6 min"),
        (599.4, "9 min 59 s"),
        (599.6, "10 min"),
        (725, "12 min"),
        (3599, "1 h"),
        (3600, "1 h"),
        (3900, "1 h 05 min"),
        (7140, "1 h 59 min"),
        (36000, "10 h"),
        (-132, "−2 min 12 s"),
        (-0.5, "−0.50 s"),
    ],
)
def test_time_of_all_runs(seconds, text):
    assert plain(show_time(seconds)) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.5, "0.50 s"),
        (31.46, "31.5 s"),
        (57.0, "57.0 s"),
        (99.94, "99.9 s"),
        (99.96, "1 min 40 s"),
        (132.4, "2 min 12 s"),
    ],
)
def test_time_of_one_run_keeps_a_decimal(seconds, text):
    assert plain(show_time(seconds, one_run=True)) == text


@pytest.mark.parametrize(
    ("seconds", "more", "text"),
    [
        (32.24, 1, "32.2 s"),
        (335.44, 1, "5 min 35.4 s"),
        (738, 1, "12 min 18 s"),
        (738.44, 2, "12 min 18.4 s"),
        (3912, 1, "1 h 05 min 12 s"),
        (3612, 1, "1 h 00 min 12 s"),
        (360.0, 1, "6 min"),
        (0.5512, 1, "0.551 s"),
    ],
)
def test_more_digits(seconds, more, text):
    assert plain(show_time(seconds, more=more)) == text


def test_time_without_end():
    assert show_time(float("inf")) == "no end"


def test_number_and_unit_do_not_break():
    assert " " not in show_time(3900) + show_time(132) + show_time(5)


@given(st.floats(0.01, 1e6), st.booleans(), st.integers(0, 2))
def test_what_is_shown_is_within_half_a_last_digit(seconds, one_run, more):
    shown = units.shown_seconds(seconds, one_run=one_run, more=more)
    assert abs(shown - seconds) <= units.last_digit_s(seconds, one_run=one_run, more=more) * 0.500001
    assert abs(read(show_time(seconds, one_run=one_run, more=more)) - shown) < 1e-9


def read(text: str) -> float:
    """Seconds of a shown time, as a reader would add them up."""
    words = text.replace(",", "").split("\u00a0")
    in_s = {"h": 3600, "min": 60, "s": 1, "ms": 1e-3}
    return sum(float(n) * in_s[unit] for n, unit in zip(words[::2], words[1::2], strict=True))


@pytest.mark.parametrize(
    ("ratio", "text"),
    [
        (1.8, "1.8×"),
        (1.07, "1.07×"),
        (1.149, "1.15×"),
        (1.16, "1.2×"),
        (9.94, "9.9×"),
        (9.96, "10×"),
        (12.3, "12×"),
        (0.78, "0.78×"),
        (0.012, "0.012×"),
        (1234.0, "1,234×"),
        (float("inf"), "∞×"),
    ],
)
def test_ratio(ratio, text):
    assert show_ratio(ratio) == text


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0, "0%"),
        (0.0001, "under 1%"),
        (0.005, "under 1%"),
        (0.006, "1%"),
        (0.35, "35%"),
        (0.994, "99%"),
        (0.995, "over 99%"),
        (0.9999, "over 99%"),
        (1, "100%"),
    ],
)
def test_share(share, text):
    assert show_share(share) == text


@pytest.mark.parametrize(("number", "text"), [(1176.2, "1,176"), (0.2, "0"), (-3, "−3"), (1e6, "1,000,000")])
def test_count(number, text):
    assert show_count(number) == text


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (87.3, "87"),
        (248, "250"),
        (1176, "1,200"),
        (0.996, "1.0"),
        (9.96, "10"),
        (3.14, "3.1"),
        (0, "0"),
        (-248, "−250"),
        (float("nan"), "no number"),
    ],
)
def test_solved_values_have_two_digits(number, text):
    assert show_about(number) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (36000, "10 hours"),
        (10800, "3 hours"),
        (10700, "178 minutes"),
        (120, "2 minutes"),
        (40, "40 seconds"),
        (1, "1 second"),
        (4.32e6, "1,200 hours"),
    ],
)
def test_totals_in_words(seconds, text):
    assert plain(show_total(seconds)) == text


@pytest.mark.parametrize(
    ("text", "seconds"), [("300 ms", 0.3), ("2 min", 120), ("1.5 h", 5400), ("50us", 5e-5), ("3s", 3)]
)
def test_durations_are_read(text, seconds):
    assert units.parse_duration_s(text) == pytest.approx(seconds)


@pytest.mark.parametrize("text", ["", "5", "5 parsec", "-3 s", "1e999x", "five s"])
def test_other_texts_are_refused(text):
    with pytest.raises(ValueError, match="unit"):
        units.parse_duration_s(text)
