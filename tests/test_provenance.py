"""Grades, sources and numbers."""

import datetime as dt

import pytest
from pydantic import ValidationError

from agentcalc.provenance import Grade, Number, Source, weakest

NUMBER = {"value": 3.0, "unit": "ms", "grade": "measured", "source": "lab"}
SOURCE = {
    "id": "lab",
    "title": "Bench",
    "publisher": "Lab",
    "address": "https://lab.example/bench",
    "date": "2026-08-25",
}


def number(**keys) -> Number:
    return Number.model_validate(NUMBER | keys)


def test_the_weakest_grade_wins():
    assert [grade.value for grade in sorted(Grade, key=lambda g: g.rank)] == [
        "measured",
        "reported",
        "derived",
        "assumed",
    ]
    assert weakest([Grade.MEASURED, Grade.DERIVED, Grade.REPORTED]) is Grade.DERIVED
    assert weakest([Grade.ASSUMED, Grade.MEASURED]) is Grade.ASSUMED
    assert weakest([]) is Grade.MEASURED


@pytest.mark.parametrize(
    ("value", "unit", "seconds"), [(250, "us", 0.00025), (3, "ms", 0.003), (2, "s", 2), (500, "tok/s/user", 0.002)]
)
def test_numbers_in_seconds(value, unit, seconds):
    assert number(value=value, unit=unit).seconds() == pytest.approx(seconds)


@pytest.mark.parametrize("unit", ["tokens", "share", "W", "kW"])
def test_what_is_not_a_time_has_no_seconds(unit):
    with pytest.raises(ValueError, match="is not a time"):
        number(unit=unit).seconds()


def test_the_ends_of_a_band():
    it = number(value=4, band=[2, 10])
    assert [it.at(end) for end in (None, 0.0, 0.5, 1.0)] == [4, 2, 6, 10]
    assert it.seconds(1.0) == pytest.approx(0.010)
    assert number().at(1.0) == 3
    fast = number(value=100, unit="tok/s/user", band=[50, 200])
    assert fast.seconds(0.0) == 0.02 and fast.seconds(1.0) == 0.005


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"value": -1}, "negative"),
        ({"value": float("nan")}, "finite"),
        ({"value": "3"}, "valid number"),
        ({"band": [4, 5]}, "must lie inside its band 4 to 5"),
        ({"band": [5, 1]}, "must lie inside"),
        ({"band": [-1, 5]}, "must lie inside"),
        ({"band": [1, 2, 3]}, "at most 2"),
        ({"unknown": "its speed"}, "give band"),
        ({"unit": "furlong"}, "'us', 'ms'"),
        ({"grade": "guessed"}, "'measured', 'reported', 'derived' or 'assumed'"),
        ({"source": "Not An Id"}, "pattern"),
        ({"sorce": "lab"}, "Extra inputs"),
    ],
)
def test_faults_of_a_number(keys, words):
    with pytest.raises(ValidationError, match=words):
        number(**keys)


@pytest.mark.parametrize("key", ["value", "unit", "grade", "source"])
def test_a_number_needs_value_unit_grade_and_source(key):
    with pytest.raises(ValidationError, match="Field required"):
        Number.model_validate({k: v for k, v in NUMBER.items() if k != key})


def test_numbers_cannot_be_changed():
    with pytest.raises(ValidationError, match="frozen"):
        number().value = 4


def test_a_source():
    assert Source.model_validate(SOURCE).date == dt.date(2026, 8, 25)


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"address": "ftp://lab.example"}, "pattern"),
        ({"address": "https://lab.example/<script>"}, "pattern"),
        ({"title": "two\nlines"}, "one line"),
        ({"title": "  "}, "it is empty"),
        ({"publisher": "x" * 401}, "at most 400"),
        ({"date": "soon"}, "date"),
    ],
)
def test_faults_of_a_source(keys, words):
    with pytest.raises(ValidationError, match=words):
        Source.model_validate(SOURCE | keys)
