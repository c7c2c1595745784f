"""The template for two numbers from a status page."""

from __future__ import annotations

import datetime as dt

import pytest

from agentcalc.benchmarks import template
from agentcalc.benchmarks.checks import checked
from agentcalc.benchmarks.document import Document
from agentcalc.benchmarks.records import Measurement, Spread
from tests.benchmark_inputs import refusal


def read(text: str, name: str = "mine.yaml") -> list[Measurement]:
    document = Document.of(text.encode(), name)
    assert template.matches(document)
    return [checked(run, name) for run in template.read(document)]


def refused(text: str, name: str = "mine.yaml") -> str:
    return refusal(read, text, name)


def test_the_example_reads_as_it_says() -> None:
    ours, page = read(template.EXAMPLE)
    assert ours.ttft == Spread(median=pytest.approx(0.42))
    assert ours.tpot == Spread(median=pytest.approx(1 / 110))
    assert (ours.hardware, ours.chips, ours.concurrency) == ("B200", 8, 16.0)
    assert (ours.input_tokens, ours.output_tokens, ours.output_tok_s) == (7373.0, 1024.0, 1650.0)
    assert (ours.address, ours.date) == ("https://status.example.com/latency", dt.date(2026, 11, 30))
    assert ours.notes == ("Called our server.",)
    assert (page.hardware, page.ttft.median, page.tpot.median) == ("a status page", 0.35, pytest.approx(1 / 480))
    assert len(page.notes) == 2


def test_the_example_uses_columns_that_are_there() -> None:
    text = template.EXAMPLE
    for name in ("ttft_s", "tpot_ms", "ttft_ms", "tok_s_user"):
        assert name in text and name in template.COLUMNS


def test_the_same_as_csv_with_comments() -> None:
    text = """\
# from the status page
label,model,prompt_tokens,ttft_ms,tpot_ms,mtp,date

us,m,1000,420,9,yes,2026-11-30
them,m,,500,,,
"""
    first, second = read(text, "mine.csv")
    assert (first.ttft.median, first.tpot.median, first.mtp, first.input_tokens) == (0.42, 0.009, True, 1000.0)
    assert (second.ttft.median, second.tpot, second.mtp) == (0.5, Spread(), None)
    assert any("for which prompt length" in note for note in second.notes)
    assert not any("for which prompt length" in note for note in first.notes)


@pytest.mark.parametrize(
    "text",
    [
        "ttft_s: 0.42\nstatistic: mean\n",
        "- ttft_ms: 420\n  statistic: mean\n",
        "measurements:\n- ttft_s: 0.42\n  ttft_ms: 420\n  statistic: mean\n",
        '[{"ttft_ms": 420, "statistic": "mean"}]',
    ],
)
def test_one_block_a_list_or_a_key(text: str) -> None:
    (run,) = read(text)
    assert run.ttft == Spread(mean=pytest.approx(0.42))
    assert not any("assumed" in note for note in run.notes)


def test_without_a_statistic_a_median_is_assumed_and_said() -> None:
    (run,) = read("ttft_s: 0.42\nttft_p99_ms: 900\n")
    assert run.ttft == Spread(median=0.42, p99=0.9)
    assert any("medians are assumed" in note for note in run.notes)


def test_a_source_in_words_is_a_note() -> None:
    (run,) = read("ttft_s: 0.42\nsource: the weekly mail\n")
    assert run.address is None
    assert "Source: the weekly mail." in run.notes


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("ttft: 0.42\nmodel: m\nlabel: x\n", "'ttft' does not say its unit"),
        ("ttft_s: 0.42\nlatency: 3\n", "'latency' does not say its unit"),
        ("ttft_s: 0.42\nttft_us: 3\n", "'ttft_us' does not say its unit"),
        ("ttft_s: 0.42\ncolour: red\n", "'colour' is not a column of the template"),
        ("ttft_s: 0.42\nttft_ms: 42\n", "ttft_s 0.42 and ttft_ms 42 do not agree"),
        ("tok_s_user: 100\ntpot_ms: 100\n", "do not agree"),
        ("ttft_s: 0\n", "ttft_s: it is 0"),
        ("tok_s_user: 0\nttft_s: 1\n", "tok_s_user: it is 0"),
        ("ttft_s: -1\n", "below zero"),
        ("ttft_s: .inf\n", ""),
        ("ttft_s: 420 ms\n", "'420 ms' is not a number"),
        ("ttft_s: true\n", "True is not a number"),
        ("ttft_s:\nprompt_tokens: 5\n", "neither a TTFT nor a speed"),
        ("ttft_s: 1\nstatistic: typical\n", "Write mean or median"),
        ("ttft_s: 1\nmtp: 1\n", "Write true or false"),
        ("ttft_s: 1\ndate: yesterday\n", "'yesterday' is not a date"),
        ("ttft_s: 1\nchips: 1.5\n", "not a whole number"),
        ("- ttft_s: 1\n- 3\n", "row 2: 3 is no row"),
    ],
)
def test_what_is_refused(text: str, said: str) -> None:
    assert said in refused(text)


def test_a_fault_of_a_csv_names_its_row() -> None:
    said = refused("ttft_ms,tok_s_user\n420,110\n420,fast\n", "mine.csv")
    assert "mine.csv: row 2: tok_s_user: 'fast' is not a number" in said


def test_files_of_others_are_not_claimed() -> None:
    for text in ("a: 1", "- 1", "just words", "ttft: 3", "{}", "[]"):
        assert not template.matches(Document.of(text.encode(), "x.yaml"))
    assert not template.matches(Document.of(b"model,hardware,mean_ttft_s\nm,h,1\n", "x.csv"))
