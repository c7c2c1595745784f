"""LLMPerf's summary and responses, small ones of our own that carry the real ones' traps."""

from __future__ import annotations

import datetime as dt
import json

import pytest

from agentcalc.benchmarks import llmperf
from agentcalc.benchmarks.checks import checked
from agentcalc.benchmarks.document import Document
from agentcalc.benchmarks.records import Measurement, Spread
from tests.benchmark_inputs import refusal

SUMMARY = {
    "version": "2023-08-31",
    "model": "m-70b",
    "framework": "acme",
    "num_concurrent_requests": 5,
    "results_inter_token_latency_s_mean": 0.012,
    "results_inter_token_latency_s_quantiles_p50": 0.012,
    "results_ttft_s_quantiles_p50": 0.19,
    "results_ttft_s_quantiles_p90": 0.25,
    "results_ttft_s_quantiles_p95": 0.27,
    "results_ttft_s_quantiles_p99": 0.3,
    "results_ttft_s_mean": 0.2,
    "results_end_to_end_latency_s_quantiles_p50": 1.1,
    "results_end_to_end_latency_s_mean": 1.2,
    "results_number_input_tokens_mean": "550",
    "results_number_output_tokens_mean": "101",
    "results_number_errors": "3",
    "results_num_completed_requests": 150,
    "results_mean_output_throughput_token_per_s": 415.0,
    "timestamp": 1704851704,
}


def only(data: object, name: str = "s.json") -> Measurement:
    document = Document.of(json.dumps(data).encode(), name)
    assert llmperf.matches(document)
    (run,) = llmperf.read(document)
    return checked(run, name)


def refused(data: object) -> str:
    return refusal(only, data)


def test_a_summary_in_seconds_with_whole_numbers_as_text() -> None:
    run = only(SUMMARY)
    assert vars(run.ttft) == {"mean": 0.2, "median": 0.19, "p90": 0.25, "p95": 0.27, "p99": 0.3}
    assert (run.e2el.mean, run.e2el.median, run.e2el.p99) == (1.2, 1.1, None)
    assert (run.input_tokens, run.output_tokens, run.output_tok_s) == (550.0, 101.0, 415.0)
    assert (run.model, run.software, run.concurrency) == ("m-70b", "acme", 5.0)
    assert (run.completed, run.failed, run.date) == (150, 3, dt.date(2024, 1, 10))


def test_tpot_leaves_ttft_out_and_subtracts_no_medians() -> None:
    """inter_token_latency_s says 12 ms a token; (1.2 - 0.2) / 100 = 10 ms."""
    run = only(SUMMARY)
    assert run.tpot == Spread(mean=pytest.approx(0.010))
    assert any("of the means" in note for note in run.notes)


@pytest.mark.parametrize(
    "changed",
    [
        {"results_number_output_tokens_mean": "1"},
        {"results_number_output_tokens_mean": None},
        {"results_ttft_s_mean": 1.2},
        {"results_ttft_s_mean": 0.0},
    ],
)
def test_no_tpot_without_its_parts(changed: dict) -> None:
    assert only({**SUMMARY, **changed}).tpot == Spread()


def test_requests_in_flight_are_said_where_they_are_fewer() -> None:
    """415 / 101 requests a second of 1.2 s each are 4.93 at once: 5. Half the throughput is half of it."""
    assert not any("in flight" in note for note in only(SUMMARY).notes)
    run = only({**SUMMARY, "results_mean_output_throughput_token_per_s": 207.5})
    assert "2.5 of the 5 requests were in flight in the mean." in run.notes


def test_another_version_is_refused() -> None:
    said = refused({**SUMMARY, "version": "2027-01-01"})
    assert "2027-01-01" in said and "results_ttft_s_mean" in said
    assert only({key: value for key, value in SUMMARY.items() if key != "version"}).ttft.mean == 0.2


@pytest.mark.parametrize("bad", [-1.0, float("inf"), "fast", True, []])
def test_a_number_that_is_none_is_refused(bad: object) -> None:
    assert "results_ttft_s_mean" in refused({**SUMMARY, "results_ttft_s_mean": bad})


def response(ttft: float, e2el: float, n: object = 101, error: object = None) -> dict:
    return {
        "error_code": error,
        "inter_token_latency_s": e2el / 101,
        "ttft_s": ttft,
        "end_to_end_latency_s": e2el,
        "number_output_tokens": n,
        "number_input_tokens": 550,
    }


def test_tpot_of_each_response() -> None:
    run = only([response(0.2, 1.2), response(0.4, 2.4)])
    assert (run.ttft.mean, run.ttft.median) == pytest.approx((0.3, 0.3))
    # 10 ms and 20 ms.
    assert (run.tpot.mean, run.tpot.median, run.tpot.p90) == pytest.approx((0.015, 0.015, 0.019))
    assert run.requests.e2el_s == (1.2, 2.4)
    assert (run.input_tokens, run.output_tokens, run.completed, run.failed) == (550.0, 101.0, 2, 0)
    assert run.concurrency is None


def test_zeros_of_failed_and_empty_responses_do_not_count() -> None:
    run = only([response(0.2, 1.2, "101"), response(0.0, 0.0, 0, error=-1), response(0.0, 1.0, 0)])
    assert run.requests.ttft_s == (0.2,)
    assert (run.completed, run.failed) == (2, 1)
    assert "1 responses without a TTFT or tokens are left out." in run.notes


def test_a_response_of_one_token_has_no_tpot() -> None:
    run = only([response(0.2, 0.2, 1)])
    assert run.tpot == Spread()
    assert run.ttft.mean == 0.2


def test_a_list_of_failures_is_refused() -> None:
    assert "of 1 responses none" in refused([response(0.0, 0.0, 0, error=500)])


def test_files_of_others_are_not_claimed() -> None:
    for text in ("{}", "[]", '[{"ttft_s": 1}]', "[3]", '{"results_ttft": 1}'):
        assert not llmperf.matches(Document.of(text.encode(), "x.json"))
    assert not llmperf.matches(Document.of(b"ttft_s,end_to_end_latency_s,number_output_tokens\n1,2,3\n", "x.csv"))
