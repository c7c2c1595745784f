"""trtllm-bench's report."""

from __future__ import annotations

import pytest

from agentcalc.benchmarks.reading import read
from agentcalc.benchmarks.records import Measurement, Spread
from agentcalc.errors import InputError
from tests.benchmark_inputs import PERCENTILES, TOKENS, changed, text, trtllm_report


def one(report: dict) -> Measurement:
    (run,) = read(text(report), "report.json")
    return run


def test_every_number_of_a_report():
    assert one(trtllm_report()) == Measurement(
        format="trtllm-bench",
        model="acme/small",
        hardware="NVIDIA B200",
        precision="NVFP4",
        software="TensorRT-LLM 1.2.0",
        mtp=False,
        layout="TP4,PP2",
        chips=8,
        concurrency=2,
        **TOKENS,
        **PERCENTILES,
        completed=40,
    )


def test_without_streaming_there_is_no_ttft_and_the_output_per_user_is_not_taken_for_a_speed():
    report = trtllm_report()
    del report["streaming_metrics"]
    run = one(report)
    assert run.ttft == run.tpot == Spread() and run.e2el.mean == 1.5
    assert run.notes == ("It ran without --streaming: no TTFT and no TPOT were measured.",)


def test_speculative_decoding():
    assert one(trtllm_report(decoding_stats={"mode": "MTP", "acceptance_length_percentiles": None})).mtp is True


def test_more_in_flight_than_a_batch_holds_is_queueing():
    report = changed(trtllm_report(), "world_info", "max_batch_size", to=1)
    assert "2 requests were in flight and a batch holds 1: TTFT holds waiting in the queue." in one(report).notes


def test_a_mean_number_in_flight_is_noted():
    report = changed(trtllm_report(), "request_info", "avg_num_concurrent_requests", to=1.97)
    assert one(report).concurrency == 1.97
    assert one(report).notes == ("1.97 requests in flight is the mean over the run.",)


def test_percentiles_left_in_nanoseconds_are_an_error():
    report = changed(trtllm_report(), "streaming_metrics", "tpot_percentiles", to={"average": 1e7, "p50": 9e6})
    with pytest.raises(
        InputError, match=r"tpot_percentiles: they say 10000 s, but avg_tpot_ms says 0\.01 s\. Are they"
    ):
        one(report)


def test_means_stand_in_the_percentiles_too():
    report = changed(trtllm_report(), "streaming_metrics", "avg_ttft_ms", to=None)
    assert one(report).ttft.mean == 0.5


def test_several_reports():
    assert len(read(text([trtllm_report(), trtllm_report()]))) == 2
    with pytest.raises(InputError, match="run 2: it is not a report of trtllm-bench"):
        read(text([trtllm_report(), {}]))


def test_chips_without_the_world_s_size():
    assert one(trtllm_report(world_info={"tp_size": 4, "pp_size": 2})).chips == 8
    assert one(trtllm_report(world_info={"tp_size": 4})).chips == 4
    assert one(trtllm_report(world_info={"max_batch_size": 4})).chips is None
