"""Cells of the step table: what is shown reads back as the same, and what cannot be read is told what would do."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import RULES, Wants, task_from

from agentcalc.app.build.cells import (
    COUNT,
    KEPT,
    SECONDS,
    TOKENS,
    CellError,
    read_amount,
    read_share,
    read_whole,
    show_amount,
    show_share,
)
from agentcalc.app.build.changes import cell
from agentcalc.app.build.columns import COLUMNS
from agentcalc.app.build.rows import rows_of
from agentcalc.task import Task


@pytest.mark.parametrize(
    ("text", "unit", "amount"),
    [
        ("250", TOKENS, 250),
        ("1,700 tokens", TOKENS, 1700),
        ("1.7k", TOKENS, 1700),
        ("2 M", TOKENS, 2_000_000),
        ("214–1.7k", TOKENS, {"p50": 214, "p90": 1700}),
        ("1–2k", TOKENS, {"p50": 1000, "p90": 2000}),
        ("214-1.7k, max 8k", TOKENS, {"p50": 214, "p90": 1700, "max": 8000}),
        ("6–20", COUNT, {"p50": 6, "p90": 20}),
        ("6 to 20 times", COUNT, {"p50": 6, "p90": 20}),
        ("3", SECONDS, 3),
        ("300 ms", SECONDS, 0.3),
        ("1 h 05 min", SECONDS, 3900),
        ("2 min", SECONDS, 120),
        ("0.3–14 s", SECONDS, {"p50": 0.3, "p90": 14}),
        ("300 ms – 14 s", SECONDS, {"p50": 0.3, "p90": 14}),
        ("0.3 / 14 / 216 s, at most 120 s", SECONDS, {"p50": 0.3, "p90": 14, "p99": 216, "max": 120}),
        ("1 / 2 min", SECONDS, {"p50": 60, "p90": 120}),
        ("p10 1, p50 3, p99 60 s", SECONDS, {"p10": 1, "p50": 3, "p99": 60}),
        ("mean 300, sd 150", TOKENS, {"mean": 300, "sd": 150}),
        ("3 ± 2 s", SECONDS, {"mean": 3, "sd": 2}),
        ("even 0–5 s", SECONDS, {"low": 0, "high": 5}),
    ],
)
def test_what_a_cell_may_say(text: str, unit: str, amount):
    assert read_amount(text, unit) == amount
    assert read_amount(text.upper().replace("S", "s").replace(" MIN", " min"), unit) == amount


@pytest.mark.parametrize(
    ("text", "unit", "said"),
    [
        ("3 parsecs", SECONDS, '"3 parsecs" is not a time. Try 3 s, 300 ms, or 0.3–14 s'),
        ("0,3", SECONDS, '"0,3" is not a time. Try 3 s, 300 ms, or 0.3–14 s'),
        ("-3", SECONDS, '"-3" is not a time. Try 3 s, 300 ms, or 0.3–14 s'),
        ("many", TOKENS, '"many" is not a number of tokens. Try 250, 1.7k, or 214–1.7k'),
        ("some", COUNT, '"some" is not a number of times. Try 8, or 6–20'),
        ("9–3", COUNT, "the numbers fall. Write the smaller one first, such as 6–20"),
        ("0–5 s", SECONDS, "a range starts above 0. Try 3 s, 300 ms, or 0.3–14 s, or even 0–5 for every amount alike"),
        ("5, max 7", TOKENS, '"5, max 7" is one number and needs no max. Try 250, 1.7k, or 214–1.7k'),
    ],
)
def test_what_it_may_not_say(text: str, unit: str, said: str):
    with pytest.raises(CellError) as error:
        read_amount(text, unit)
    assert str(error.value) == said


@pytest.mark.parametrize(
    "text", ["", "p50", "1 / 2 / 3 / 4", "inf", "nan", "1e999 s", "1–2–3", "p50 1, p50 2", "even 3"]
)
def test_what_is_no_amount(text: str):
    with pytest.raises(CellError, match=r"is not a time"):
        read_amount(text, SECONDS)


@pytest.mark.parametrize(
    "text", ["1-" * 100, "mean " * 40, "p50 1, " * 28, "1 " * 100, "1," * 100, "max " * 50, "9" * 200]
)
def test_a_hostile_cell_is_refused_at_once(text: str):
    start = time.process_time()
    try:
        read_amount(text, TOKENS)
    except CellError as error:
        assert "\n" not in str(error) and len(str(error)) < 250
    assert time.process_time() - start < 0.5


def test_a_long_or_strange_text_is_cut_and_made_harmless():
    with pytest.raises(CellError) as error:
        read_amount("x" * 5000 + "\u202e", SECONDS)
    assert len(str(error.value)) < 160
    with pytest.raises(CellError) as error:
        read_amount("\u202e<b>3", SECONDS)
    assert "\u202e" not in str(error.value)


NUMBERS = st.one_of(
    st.integers(0, 10**12), st.floats(1e-9, 1e12, allow_nan=False), st.integers(1, 9999).map(lambda n: n * 100)
)


@given(st.lists(NUMBERS.filter(bool), min_size=1, max_size=3), st.sampled_from([SECONDS, TOKENS, COUNT]))
def test_every_amount_that_is_shown_reads_back_as_the_same(numbers: list, unit: str):
    numbers = sorted(numbers)
    single = numbers[0]
    assert read_amount(show_amount(single, unit), unit) == single
    if len(numbers) > 1:
        for keys in (("p50", "p90", "p99"), ("p10", "p99.5", "p99.9"), ("low", "high"), ("mean", "sd")):
            amount = dict(zip(keys, numbers, strict=False)) | {"max": numbers[-1]}
            if set(amount) >= {"low", "high"} or set(amount) >= {"mean", "sd"}:
                amount = {key: amount[key] for key in (*keys, "max")}
            assert read_amount(show_amount(amount, unit), unit) == amount


@settings(max_examples=40)
@given(st.integers(0, 10_000))
def test_every_cell_of_a_random_task_reads_back_as_what_it_shows(seed: int):
    draft = rows_of(Task.model_validate(task_from(random.Random(seed), Wants(rules=RULES))))
    for row in draft.rows:
        for column in COLUMNS:
            key = column.key(row.kind)
            if key in row.data and cell(row, column.name) != KEPT:
                assert column.read(cell(row, column.name), row.kind) == row.data[key]


def test_what_words_cannot_say_stays_in_yaml():
    assert show_amount({"values": [1, 2], "weights": [1, 3]}, SECONDS) == KEPT
    assert show_amount({"low": 1, "mode": 2, "high": 3}, SECONDS) == KEPT
    assert show_amount({"mixture": [{"weight": 1, "value": 3}]}, TOKENS) == KEPT


@given(st.floats(0, 1))
def test_shares_read_back(share: float):
    assert read_share(show_share(share)) == share


def test_shares_and_tries():
    assert (read_share("30%"), read_share("0.3"), read_share("100 %"), show_share(0.07)) == (0.3, 0.3, 1, "7%")
    for text in ("often", "", "30 per", "-1%"):
        with pytest.raises(CellError, match=r"is not a chance. Try 30%, or 0.3"):
            read_share(text)
    with pytest.raises(CellError, match=r'"30" is more than all. Try 30%'):
        read_share("30")
    assert (read_whole("3"), read_whole("up to 4"), read_whole("5 times")) == (3, 4, 5)
    with pytest.raises(CellError, match=r'"2–3" is not a number of tries. Try 3'):
        read_whole("2–3")
