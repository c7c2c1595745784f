"""``vllm bench serve``: aggregates in ms, lists of requests in s, and the load they were measured at."""

from __future__ import annotations

import datetime as dt
import math

import pytest

from agentcalc.benchmarks.reading import read
from agentcalc.benchmarks.records import Measurement, Spread
from agentcalc.errors import InputError
from tests.benchmark_inputs import LATENCIES, PER_S, TOKENS, detailed, serving, text


def one(**changed) -> Measurement:
    (run,) = read(text(serving(**changed)), "result.json")
    return run


def shown(run: Measurement) -> str:
    return " ".join(run.notes).replace("\u00a0", " ")


def test_every_number_of_an_aggregate_file():
    assert one() == Measurement(
        format="vLLM bench serve",
        model="acme/small",
        concurrency=2,
        **TOKENS,
        **LATENCIES,
        completed=40,
        failed=0,
        date=dt.date(2026, 2, 13),
    )


def test_mean_and_median_are_kept_apart_and_neither_stands_in_for_the_other():
    run = one(mean_ttft_ms=None, median_tpot_ms=None)
    assert (run.ttft.mean, run.ttft.median) == (None, 0.4)
    assert (run.tpot.mean, run.tpot.median) == (0.01, None)


def test_percentiles_that_were_asked_for_and_none_else():
    """``p99.9`` has a dot in its key; the statistics here know no p99.9."""
    run = one(**{"p90_ttft_ms": 700, "p95_ttft_ms": 800, "p99.9_ttft_ms": 99_000})
    assert run.ttft == Spread(0.5, 0.4, 0.7, 0.8, 0.9)


def test_e2el_is_often_missing():
    run = one(mean_e2el_ms=None, median_e2el_ms=None, p99_e2el_ms=None)
    assert run.e2el == Spread() and run.ttft.mean == 0.5


def test_a_rate_of_inf_without_a_limit_is_an_open_loop_with_everything_at_once():
    run = one(max_concurrency=None)
    assert run.concurrency is None and run.request_rate is None
    assert "All requests were sent at once, without a limit: TTFT holds the wait in the queue." in run.notes


def test_a_rate_without_a_limit_is_an_open_loop():
    run = one(max_concurrency=None, request_rate=1.5)
    assert (run.concurrency, run.request_rate) == (None, 1.5)
    assert shown(run) == "An open loop: 1.5 requests a second, however many were in flight."


def test_a_limit_that_was_not_reached_is_no_concurrency():
    """4/3 a second of 1.5 s each keep 2 in flight: at most 64 says nothing, at most 2 says it."""
    run = one(max_concurrency=64, request_rate=1.4)
    assert run.concurrency is None
    assert shown(run) == "1.4 requests a second were sent, at most 64 in flight; about 2 were: an open loop."
    assert one(max_concurrency=2, request_rate=100.0).concurrency == 2


@pytest.mark.parametrize("rate", ["inf", math.inf, "Infinity"])
def test_an_endless_rate_in_every_spelling(rate):
    assert one(request_rate=rate).request_rate is None


def test_itl_per_piece_is_not_tpot():
    """Three tokens of speculative decoding arrive together every 30 ms: TPOT stays 10 ms, and the note says it."""
    run = one(mean_itl_ms=30.0, median_itl_ms=30.0, spec_decode_num_drafts=100, spec_decode_acceptance_length=3.0)
    assert run.tpot.mean == 0.01 and run.mtp is True
    assert shown(run) == "Tokens arrived about 3.0 at a time, 0.030 s apart (ITL); TPOT is 0.010 s for each."


def test_without_tpot_itl_is_not_taken_for_it():
    run = one(**{f"{s}_tpot_ms": None for s in ("mean", "median", "std", "p99")})
    assert run.tpot == Spread()


def test_failed_requests_are_counted_and_noted():
    run = one(num_prompts=50)
    assert (run.completed, run.failed) == (40, 10)
    assert "10 of 50 requests failed; the numbers are of the others." in run.notes
    assert one(failed=3).failed == 3


def test_a_run_that_completed_nothing_is_an_error_and_no_zero():
    zeros = {key: 0.0 for key in serving() if key.endswith("_ms")}
    with pytest.raises(InputError, match=r"result\.json: completed: no request was completed"):
        one(completed=0, total_output_tokens=0, **zeros)
    with pytest.raises(InputError, match="it holds no TTFT, TPOT or end-to-end latency above zero"):
        one(**zeros)


def test_a_tpot_of_zero_is_absent_and_noted():
    """Answers of one token have no time per further token; the tool writes 0."""
    run = one(mean_tpot_ms=0.0, median_tpot_ms=0.0, p99_tpot_ms=0.0, total_output_tokens=40, output_throughput=PER_S)
    assert run.tpot == Spread() and run.output_tokens == 1
    assert "The file gives a TPOT of 0: nothing was measured, and it is left out." in run.notes


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"mean_ttft_ms": -5}, "mean_ttft_ms: -5 is below zero"),
        ({"mean_ttft_ms": math.inf}, "mean_ttft_ms: inf is not a number"),
        ({"mean_ttft_ms": "500"}, "mean_ttft_ms: '500' is not a number"),
        ({"mean_ttft_ms": True}, "mean_ttft_ms: True is not a number"),
        ({"completed": 39.5}, "completed: 39.5 is not a whole number"),
        ({"max_concurrency": "two"}, "max_concurrency: 'two' is not a number"),
        ({"request_rate": "fast"}, "request_rate: 'fast' is not a number"),
        ({"mean_e2el_ms": 1.5}, "Is one of them in another unit, such as microseconds"),
        ({"mean_e2el_ms": 1.5, "mean_ttft_ms": 0.5, "mean_tpot_ms": 0.01}, "its throughput and an E2EL of 0.0015 s"),
    ],
)
def test_a_wrong_number_is_an_error_that_names_file_and_key(changed: dict, said: str):
    with pytest.raises(InputError) as caught:
        one(**changed)
    assert str(caught.value).startswith("result.json: ") and said in str(caught.value)


def test_seconds_where_ms_are_said_are_found_by_the_throughput():
    # Three times as slow, or a single latency would be too short to be one.
    small = {key: 3 * value / 1000 for key, value in serving().items() if key.endswith("_ms")}
    with pytest.raises(InputError, match="are its latencies in another unit"):
        one(**small)


def test_nan_is_absent():
    assert one(p99_ttft_ms=math.nan).ttft.p99 is None


def test_several_results_in_one_file_keep_their_order_and_duplicates():
    rows = [serving(), serving(max_concurrency=4, request_throughput=2 * PER_S), serving()]
    for data in (text(rows), b"\n".join(text(row) for row in rows)):
        assert [run.concurrency for run in read(data)] == [2, 4, 2]
    with pytest.raises(InputError, match="f: run 2: it is not a result of vLLM bench serve"):
        read(text([serving(), {"a": 1}]), "f")


def test_records_of_one_metric_each_are_joined():
    row = serving()
    names = [key for key in row if key.endswith(("ttft_ms", "tpot_ms", "itl_ms"))]
    rest = {key: value for key, value in row.items() if key not in names and key != "model_id"}
    records = [
        {
            "benchmark": {"name": "vLLM benchmark"},
            "model": {"name": "acme/small"},
            "metric": {"name": name, "benchmark_values": [row[name]], "extra_info": rest},
        }
        for name in names
    ]
    assert read(text(records)) == (one(),)
    assert len(read(text(records + records))) == 2


def test_chips_from_what_the_user_noted():
    assert one(tensor_parallel_size="8").chips == 8
    assert one(tensor_parallel_size="8", pipeline_parallel_size="2").chips == 16


# ─── Single requests ───


def test_single_requests_are_in_s_and_failed_ones_left_out():
    """The end is the first token and the gaps after it: 0.4 + 1.0, 0.7 + 1.0, 0.4 + 0.5."""
    (run,) = read(text(detailed()))
    assert run.requests.input_tokens == (1000, 2000, 500)
    assert run.requests.output_tokens == (101, 101, 3)
    assert run.requests.ttft_s == (0.4, 0.7, 0.4)
    assert run.requests.e2el_s == pytest.approx((1.4, 1.7, 0.9))


def test_latencies_of_the_file_come_before_the_sum_of_gaps():
    (run,) = read(text(detailed(latencies=[1.5, 1.8, 0.0, 1.0])))
    assert run.requests.e2el_s == (1.5, 1.8, 1.0)
    assert read(text(detailed(itls=None, latencies=[1.5, 1.8, 0.0, 1.0])))[0].requests == run.requests


def test_without_the_lists_there_are_no_requests():
    assert one().requests is None
    assert read(text(detailed(itls=None)))[0].requests is None
    assert read(text(detailed(ttfts=[0.0] * 4)))[0].requests is None


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"ttfts": [0.4]}, "its lists are of different lengths (4 input_lens, 4 output_lens, 1 ttfts, 4 itls)"),
        ({"ttfts": 5}, "ttfts: 5 is not a list"),
        ({"ttfts": [0.4, 0.7, "x", 0.4]}, "request 3: ttfts: 'x' is not a number"),
        ({"ttfts": [0.4, -0.7, 0, 0.4]}, "request 2: ttfts: -0.7 is below zero"),
        ({"itls": [0.4, 0.7, 0, 0.4]}, "request 1: itls: 0.4 is not a list"),
        ({"itls": [[1e7], [], [], []]}, "request 1: itls: no latency is 1e+07 s"),
        ({"latencies": [1.5, 0.1, 0, 1]}, "request 2: its end after 0.1 s comes before its first token after 0.7 s"),
        (
            {"ttfts": [400.0, 700.0, 0, 400.0]},
            "ttfts: the requests' TTFT is 500 s on average, but mean_ttft_ms says 0.5 s",
        ),
    ],
)
def test_lists_that_do_not_belong_together_are_an_error(changed: dict, said: str):
    with pytest.raises(InputError) as caught:
        read(text(detailed(**changed)))
    assert said in str(caught.value)


def test_a_request_without_a_number_is_left_out():
    (run,) = read(text(detailed(input_lens=[None, 2000, 1000, math.nan])))
    assert run.requests.input_tokens == (2000,)
