"""SGLang's bench_serving: JSONL with a run a line, and its own names."""

from __future__ import annotations

import math

import pytest

from agentcalc.benchmarks.reading import read
from agentcalc.benchmarks.records import Measurement, Spread
from agentcalc.errors import InputError
from tests.benchmark_inputs import LATENCIES, PER_S, TOKENS, sglang_run, text


def one(**changed) -> Measurement:
    (run,) = read(text(sglang_run(**changed)), "runs.jsonl")
    return run


def test_every_number_of_a_run():
    assert b'"request_rate": Infinity' in text(sglang_run())
    assert one() == Measurement(
        format="SGLang bench_serving",
        model="acme/small",
        software="SGLang 0.5.9",
        mtp=False,
        layout="TP2",
        chips=2,
        concurrency=2,
        **TOKENS,
        **LATENCIES,
        completed=40,
    )


def test_a_run_a_line():
    lines = [sglang_run(), sglang_run(max_concurrency=4), sglang_run(max_concurrency=8)]
    assert [run.concurrency for run in read(b"\n".join(map(text, lines)))] == [2, 4, 8]


def test_an_error_names_the_run():
    lines = [sglang_run(), sglang_run(mean_ttft_ms=-1)]
    with pytest.raises(InputError, match=r"runs\.jsonl: run 2: mean_ttft_ms: -1 is below zero"):
        read(b"\n".join(map(text, lines)), "runs.jsonl")


def test_p90_and_p95_where_the_version_has_them():
    assert one(p90_e2e_latency_ms=1800, p95_e2e_latency_ms=2000).e2el == Spread(1.5, 1.3, 1.8, 2.0, 2.3)
    assert one(p95_itl_ms=900).tpot.p95 is None


def test_an_open_loop_says_how_many_were_in_flight_but_has_no_concurrency():
    run = one(max_concurrency=None, request_rate=1.5)
    assert (run.concurrency, run.request_rate) == (None, 1.5)
    assert run.notes == (
        "An open loop: 1.5 requests a second, however many were in flight.",
        "1.98 requests were in flight on average.",
    )


def test_a_trace_sets_its_own_times():
    assert one(request_rate="trace").request_rate is None


def test_older_versions_give_input_and_output_and_no_total():
    run = one(total_throughput=None)
    assert run.total_tok_s is None and run.output_tok_s == 101 * PER_S
    assert one(total_throughput=None, input_throughput=1000 * PER_S).total_tok_s == pytest.approx(1101 * PER_S)


def test_tokens_that_were_counted_otherwise_are_noted():
    (note,) = one(total_output_tokens_retokenized=2_020).notes
    assert note == "Counted again, the answers have 2,020 tokens, not 4,040: TPOT may be off as much."


def test_pieces_of_several_tokens():
    run = one(mean_itl_ms=96.5, mean_tpot_ms=10.0, accept_length=3.1)
    assert run.mtp is True and run.tpot.mean == 0.01
    assert run.notes[0].startswith("Tokens arrived about 9.7 at a time")


def test_what_the_server_says_of_itself():
    server = {"model_path": "a/b", "served_model_name": "b", "tp_size": 8, "ep_size": 8, "dp_size": 8}
    server |= {"enable_dp_attention": True, "quantization": "fp8", "speculative_algorithm": "EAGLE"}
    run = one(server_info=server)
    assert (run.model, run.precision, run.mtp, run.layout, run.chips) == ("b", "fp8", True, "TP8,EP8,DP8", 8)
    assert one(server_info=server | {"enable_dp_attention": False}).chips == 64
    assert one(server_info=server | {"pp_size": 2}).chips == 16
    assert one(server_info=server | {"disaggregation_mode": "decode"}).chips is None
    unknown = one(server_info=None)
    assert (unknown.model, unknown.software, unknown.mtp, unknown.layout, unknown.chips) == (None,) * 5


def test_single_requests():
    run = one(
        input_lens=[1000, 1000], output_lens=[3, 0], ttfts=[0.5, 0.0], itls=[[0.25, 0.25], []], errors=["", "late"]
    )
    assert run.requests.e2el_s == (1.0,) and run.failed == 1
    assert "1 of 41 requests failed; the numbers are of the others." in run.notes


def test_nothing_completed():
    with pytest.raises(InputError, match="no request was completed"):
        one(completed=0)


def test_a_lone_nan_is_absent():
    assert one(p99_tpot_ms=math.nan).tpot.p99 is None
