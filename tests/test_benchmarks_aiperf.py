"""AIPerf's files, small ones of our own that carry the real ones' traps."""

from __future__ import annotations

import copy
import datetime as dt
import json

import pytest

from agentcalc.benchmarks import aiperf
from agentcalc.benchmarks.checks import checked
from agentcalc.benchmarks.document import Document
from agentcalc.benchmarks.records import Measurement, Spread
from tests.benchmark_inputs import refusal

SUMMARY = {
    "schema_version": "1.4",
    "aiperf_version": "0.13.0",
    "request_count": {"unit": "requests", "avg": 20.0},
    "error_request_count": {"unit": "requests", "avg": 1.0},
    "request_throughput": {"unit": "requests/sec", "avg": 4.0},
    "time_to_first_token": {
        "unit": "ms",
        "avg": 200.0,
        "p50": 190.0,
        "p90": 240.0,
        "p95": 250.0,
        "p99": 260.0,
        "count": 20,
    },
    "inter_token_latency": {"unit": "ms", "avg": 8.0, "p50": 7.9, "p90": 8.4, "p95": 8.5, "p99": 9.0, "count": 20},
    "request_latency": {"unit": "ms", "avg": 992.0, "p50": 980.0, "p99": 1200.0, "count": 20},
    "output_token_throughput_per_user": {
        "unit": "tokens/sec/user",
        "avg": 126.0,
        "p1": 110.0,
        "p50": 127.0,
        "p99": 160.0,
    },
    "output_sequence_length": {"unit": "tokens", "avg": 100.0, "min": 100.0, "max": 100.0, "count": 20},
    "input_sequence_length": {"unit": "tokens", "avg": 1000.0, "count": 20},
    "output_token_throughput": {"unit": "tokens/sec", "avg": 400.0},
    "total_token_throughput": {"unit": "tokens/sec", "avg": 4400.0},
    "warmup_metrics": {"time_to_first_token": {"unit": "ms", "avg": 9000.0}},
    "input_config": {
        "models": {"items": [{"name": "acme/m-70b"}]},
        "phases": [
            {"name": "warmup", "kind": "warmup", "concurrency": 1, "exclude_from_results": True},
            {"name": "profiling", "kind": "profiling", "type": "concurrency", "concurrency": 4},
        ],
    },
    "start_time": "2026-11-30T11:43:56.931751",
}


def changed(**metrics) -> dict:
    """The summary with some keys replaced; None takes one out."""
    data = copy.deepcopy(SUMMARY)
    data.update(metrics)
    return {key: value for key, value in data.items() if value is not None}


def only(data: object, name: str = "p.json") -> Measurement:
    text = data if isinstance(data, bytes) else json.dumps(data).encode()
    document = Document.of(text, name)
    assert aiperf.matches(document)
    (run,) = aiperf.read(document)
    return checked(run, name)


def refused(data: object, name: str = "p.json") -> str:
    text = refusal(only, data, name)
    assert text.startswith(name)
    return text


def test_a_summary() -> None:
    run = only(SUMMARY)
    assert vars(run.ttft) == pytest.approx({"mean": 0.2, "median": 0.19, "p90": 0.24, "p95": 0.25, "p99": 0.26})
    assert vars(run.tpot) == pytest.approx(
        {"mean": 0.008, "median": 0.0079, "p90": 0.0084, "p95": 0.0085, "p99": 0.009}
    )
    assert (run.e2el.mean, run.e2el.median, run.e2el.p90, run.e2el.p99) == pytest.approx((0.992, 0.98, None, 1.2))
    assert (run.model, run.concurrency, run.request_rate) == ("acme/m-70b", 4.0, None)
    assert (run.input_tokens, run.output_tokens, run.context_tokens) == (1000.0, 100.0, 0.0)
    assert (run.output_tok_s, run.total_tok_s) == (400.0, 4400.0)
    assert (run.completed, run.failed, run.date) == (20, 1, dt.date(2026, 11, 30))
    # 0.2 + 99 * 0.008 = 0.992: nothing to note but the failure.
    assert run.notes == ("1 of 21 requests failed; the numbers are of the others.",)


@pytest.mark.parametrize(("unit", "factor"), [("s", 1.0), ("sec", 1.0), ("us", 1e6), ("ns", 1e9), ("ms", 1e3)])
def test_the_unit_is_read(unit: str, factor: float) -> None:
    run = only(changed(time_to_first_token={"unit": unit, "avg": 0.2 * factor}))
    assert run.ttft == Spread(mean=pytest.approx(0.2))


def test_an_unknown_unit_is_refused() -> None:
    said = refused(changed(inter_token_latency={"unit": "ticks", "avg": 8.0}))
    assert "inter_token_latency: unit: 'ticks' is not a unit of time" in said
    assert "tokens/min" in refused(changed(output_token_throughput={"unit": "tokens/min", "avg": 400.0}))


def test_times_in_a_wrong_unit_are_caught() -> None:
    assert "another unit" in refused(changed(time_to_first_token={"unit": "s", "avg": 200.0}))


def test_the_fast_tail_of_a_rate_makes_no_tpot() -> None:
    run = only(changed(inter_token_latency=None))
    assert run.tpot == Spread()


def test_the_servers_count_goes_before_a_wrong_tokenizers() -> None:
    """The tokenizer saw 100 tokens where the server sent 34: TPOT is (0.992 - 0.2) / 33 = 24 ms, not 8."""
    usage = {"unit": "tokens", "avg": 34.0, "min": 34.0, "max": 34.0, "count": 20}
    run = only(
        changed(usage_completion_tokens=usage, usage_prompt_tokens={"unit": "tokens", "avg": 300.0, "count": 20})
    )
    assert (run.input_tokens, run.output_tokens) == (300.0, 34.0)
    assert (run.tpot.mean, run.tpot.median, run.tpot.p99) == pytest.approx((0.024, 0.0237, 0.027))
    assert (run.output_tok_s, run.total_tok_s) == (4.0 * 34, 4.0 * 334)
    assert "counted 100 output tokens a request, the server 34" in run.notes[0]


def test_lengths_that_vary_leave_only_the_mean() -> None:
    usage = {"unit": "tokens", "avg": 34.0, "min": 20.0, "max": 40.0, "count": 20}
    run = only(changed(usage_completion_tokens=usage))
    assert run.tpot == Spread(mean=pytest.approx(0.024))


def test_the_servers_count_of_some_requests_is_none_of_all() -> None:
    run = only(changed(usage_completion_tokens={"unit": "tokens", "avg": 34.0, "count": 19}))
    assert run.output_tokens == 100.0
    assert run.tpot.mean == pytest.approx(0.008)


def test_counts_that_agree_change_nothing() -> None:
    run = only(changed(usage_completion_tokens={"unit": "tokens", "avg": 100.5, "count": 20}))
    assert run.output_tokens == 100.5
    assert run.tpot.median == pytest.approx(0.0079)
    assert not any("tokenizer" in note for note in run.notes)


def test_one_token_has_no_tpot() -> None:
    run = only(changed(usage_completion_tokens={"unit": "tokens", "avg": 1.0, "count": 20}))
    assert run.tpot == Spread()
    assert "which leaves none" in run.notes[0]


def test_cached_tokens_of_a_prompt_are_no_part_of_it() -> None:
    """10 of the 20 requests read 600 tokens from the cache: 300 of the mean prompt."""
    run = only(changed(usage_prompt_cache_read_tokens={"unit": "tokens", "avg": 600.0, "count": 10}))
    assert (run.input_tokens, run.context_tokens) == (700.0, 300.0)
    assert "300 of 1,000 tokens of the mean prompt came from the server's cache." in run.notes


def test_ttft_on_a_reasoning_token_is_said() -> None:
    run = only(changed(time_to_first_output_token={"unit": "ms", "avg": 5000.0}))
    assert any("first token of the reasoning" in note and "5.0" in note for note in run.notes)
    assert run.ttft.mean == pytest.approx(0.2)
    same = only(changed(time_to_first_output_token={"unit": "ms", "avg": 200.0}))
    assert not any("reasoning" in note for note in same.notes)


def test_an_answer_in_one_piece_has_no_ttft() -> None:
    run = only(changed(time_to_first_token=None, inter_token_latency=None))
    assert run.ttft == run.tpot == Spread()
    assert any("not streamed" in note for note in run.notes)


def test_an_interrupted_run_says_so() -> None:
    assert any("interrupted" in note for note in only(changed(was_cancelled=True)).notes)


@pytest.mark.parametrize(
    ("config", "command", "load"),
    [
        ({"loadgen": {"concurrency": 5}}, "", (5.0, None)),
        ({"loadgen": {"concurrency": 8, "request_rate": 2.5}}, "", (None, 2.5)),
        ({"phases": {"profiling": {"concurrency": 7}}}, "", (7.0, None)),
        ({"phases": [{"kind": "profiling", "type": "poisson", "rate": 3.0}]}, "", (None, 3.0)),
        (
            {"phases": [{"kind": "profiling", "concurrency": 2}, {"kind": "profiling", "concurrency": 8}]},
            "",
            (None, None),
        ),
        ({}, "aiperf profile --model 'a/b' --concurrency 16 --streaming", (16.0, None)),
        ({}, "aiperf profile --concurrency=16", (16.0, None)),
        ({}, "aiperf profile --request-rate 1.5", (None, 1.5)),
        ({}, "aiperf profile --concurrency 1,2,4", (None, None)),
        ({}, "aiperf profile --warmup-concurrency 3", (None, None)),
        ({}, "", (None, None)),
    ],
)
def test_the_load_in_every_layout(config: dict, command: str, load: tuple) -> None:
    run = only(changed(input_config=config, run_info={"cli_command": command}))
    assert (run.concurrency, run.request_rate) == load


@pytest.mark.parametrize(
    ("config", "command", "model"),
    [
        ({"endpoint": {"model_names": ["a/b"]}}, "", "a/b"),
        ({}, "aiperf profile --model 'a/b' --url x", "a/b"),
        ({"models": {"items": [{"name": "a"}, {"name": "b"}]}}, "", None),
        ({}, "", None),
    ],
)
def test_the_model_in_every_layout(config: dict, command: str, model: str | None) -> None:
    assert only(changed(input_config=config, run_info={"cli_command": command})).model == model


def test_telemetry_names_the_hardware() -> None:
    gpu = {"gpu_name": "NVIDIA H100"}
    data = changed(telemetry_data={"endpoints": {"a:9400": {"gpus": {"gpu_0": gpu, "gpu_1": gpu}}}})
    assert only(data).hardware == "NVIDIA H100"
    data["telemetry_data"]["endpoints"]["b:9400"] = {"gpus": {"gpu_0": {"gpu_name": "NVIDIA B200"}}}
    assert only(data).hardware is None


def test_another_schema_is_refused() -> None:
    said = refused(changed(schema_version="2.0"))
    assert "schema '2.0', and 1.x is known" in said and "time_to_first_token" in said
    assert only(changed(schema_version="1.9")).ttft.mean == pytest.approx(0.2)


@pytest.mark.parametrize(
    "data",
    [
        {
            "aiperf_version": "0.13.0",
            "metadata": {"num_profile_runs": 3},
            "metrics": {"request_latency_avg": {"mean": 1.0}},
        },
        {"aiperf_version": "0.13.0", "combined": {"request_latency": {"mean": 1.0}}, "per_run": []},
    ],
)
def test_a_summary_of_several_runs_is_refused(data: dict) -> None:
    assert "several runs" in refused(data)


@pytest.mark.parametrize("bad", [-1.0, float("inf"), "fast", True, [1.0]])
def test_a_number_that_is_none_is_refused(bad: object) -> None:
    assert "time_to_first_token" in refused(changed(time_to_first_token={"unit": "ms", "avg": bad}))


def test_zeros_and_gaps_are_absent() -> None:
    run = only(changed(time_to_first_token={"unit": "ms", "avg": 0.0, "p50": None, "p99": float("nan")}))
    assert run.ttft == Spread()


TABLES = """\
Metric,avg,min,max,sum,p1,p50,p90,p95,p99,std
Inter Token Latency (ms),8.00,7.00,9.00,160.00,7.00,7.90,8.40,8.50,9.00,0.10
Output Sequence Length (tokens),100.00,100.00,100.00,2000.00,100.00,100.00,100.00,100.00,100.00,0.00
Input Sequence Length (tokens),"1,000.00",1000.00,1000.00,20000.00,1000.00,1000.00,1000.00,1000.00,1000.00,0.00
Request Latency (ms),992.00,900.00,1200.00,19840.00,900.00,980.00,1100.00,1150.00,1200.00,10.00
Time to First Token (ms),200.00,150.00,260.00,4000.00,150.00,190.00,240.00,250.00,260.00,10.00

Metric,Value
Completed Requests (Success + Error),21.00
Output Token Throughput (tokens/sec),400.00
Request Count,20.00
Request Throughput (requests/sec),4.00


Endpoint,GPU_Index,GPU_Name,GPU_UUID,Metric,avg,min
http://a,0,NVIDIA H100,GPU-1,Time to First Token (ms),1.00,1.00
"""


def test_two_tables_under_each_other() -> None:
    run = only(TABLES.encode(), "p.csv")
    assert (run.ttft.mean, run.ttft.median, run.ttft.p99) == pytest.approx((0.2, 0.19, 0.26))
    assert (run.tpot.mean, run.tpot.p90) == pytest.approx((0.008, 0.0084))
    assert run.e2el.mean == pytest.approx(0.992)
    assert (run.input_tokens, run.output_tokens, run.output_tok_s) == (1000.0, 100.0, 400.0)
    assert (run.completed, run.failed) == (20, 1)


def test_the_unit_of_a_table_is_read_from_the_name() -> None:
    assert only(TABLES.replace("Token (ms),200.00", "Token (s),0.2").encode(), "p.csv").ttft.mean == pytest.approx(0.2)
    assert "is not a unit of time" in refused(TABLES.replace("Latency (ms),8.00", "Latency,8.00").encode(), "p.csv")


def record(ttft: float, e2el: float, *, own: int = 100, start: int = 0, phase: str = "profiling", **more) -> dict:
    """One request, times in ms; ``more`` adds metrics, and error= or was_cancelled=."""
    metrics = {
        "time_to_first_token": {"value": ttft, "unit": "ms"},
        "request_latency": {"value": e2el, "unit": "ms"},
        "output_sequence_length": {"value": own, "unit": "tokens"},
        "input_sequence_length": {"value": 1000, "unit": "tokens"},
    }
    metadata = {
        "request_start_ns": start * 1_000_000,
        "request_end_ns": int((start + e2el) * 1_000_000),
        "benchmark_phase": phase,
        "was_cancelled": more.pop("was_cancelled", False),
    }
    error = more.pop("error", None)
    metrics.update({name: {"value": value, "unit": "tokens"} for name, value in more.items()})
    return {"metadata": metadata, "metrics": metrics, "error": error}


def lines(*records: dict) -> bytes:
    return "\n".join(json.dumps(r) for r in records).encode()


def test_single_requests() -> None:
    run = only(lines(record(100, 595, own=100), record(300, 1290, own=100, start=200)), "p.jsonl")
    assert run.requests.ttft_s == pytest.approx((0.1, 0.3))
    assert run.requests.e2el_s == pytest.approx((0.595, 1.29))
    assert (run.ttft.mean, run.ttft.median, run.ttft.p90) == pytest.approx((0.2, 0.2, 0.28))
    # (0.595 - 0.1) / 99 = 5 ms and (1.29 - 0.3) / 99 = 10 ms.
    assert (run.tpot.mean, run.tpot.p90) == pytest.approx((0.0075, 0.0095))
    # 200 tokens from 0 s to 1.49 s.
    assert run.output_tok_s == pytest.approx(200 / 1.49)
    assert run.concurrency is None
    assert run.notes == ("The file does not say the concurrency; at most 2 requests were in flight at once.",)


def test_one_request_alone_in_a_file() -> None:
    assert only(lines(record(100, 595)), "p.jsonl").completed == 1


def test_other_phases_and_errors_are_left_out() -> None:
    rows = (
        record(9000, 9900, phase="warmup"),
        record(100, 595),
        record(0, 0, error={"code": 500, "message": "no"}),
        record(1, 2, was_cancelled=True),
    )
    run = only(lines(*rows), "p.jsonl")
    assert run.ttft.mean == pytest.approx(0.1)
    assert (run.completed, run.failed) == (1, 2)
    assert "1 of 4 requests are left out: they warmed the server up." in run.notes


def test_the_kind_of_a_named_phase_counts() -> None:
    warm = record(9000, 9900, phase="ramp")
    warm["metadata"]["phase_kind"] = "warmup"
    timed = record(100, 595, phase="steady")
    timed["metadata"]["phase_kind"] = "profiling"
    assert only(lines(warm, timed), "p.jsonl").ttft.mean == pytest.approx(0.1)


def test_the_servers_count_of_each_request_goes_first() -> None:
    run = only(lines(record(100, 595, own=500, usage_completion_tokens=100, usage_prompt_tokens=900)), "p.jsonl")
    assert (run.output_tokens, run.input_tokens) == (100.0, 900.0)
    assert run.tpot.mean == pytest.approx(0.005)
    assert "tokenizer counted 1 of 1 answers otherwise" in run.notes[0]


def test_cached_tokens_of_a_request_are_no_part_of_its_prompt() -> None:
    run = only(lines(record(100, 595, usage_prompt_cache_read_tokens=400), record(200, 695)), "p.jsonl")
    assert run.requests.input_tokens == (600.0, 1000.0)
    assert (run.input_tokens, run.context_tokens) == (800.0, 200.0)


def test_a_request_without_an_answer_is_left_out() -> None:
    run = only(lines(record(100, 595), record(0, 600)), "p.jsonl")
    assert run.requests.ttft_s == pytest.approx((0.1,))
    assert "1 requests without a TTFT or tokens are left out." in run.notes


def test_a_file_of_errors_alone_is_refused() -> None:
    said = refused(lines(record(0, 0, error={"code": 500})), "p.jsonl")
    assert "of 1 requests none was answered" in said


def test_files_of_others_are_not_claimed() -> None:
    for text in ("{}", "[]", "3", '[{"metadata": 3}]', '{"metadata": {}, "metrics": {}}', '{"a": 1}\n{"b": 2}'):
        assert not aiperf.matches(Document.of(text.encode(), "x.json"))
    assert not aiperf.matches(Document.of(b"Metric,avg,min,max,p99,p95,p90,p75,p50,p25\n", "x.csv"))
    assert not aiperf.matches(Document.of(b"a,b\n1,2\n", "x.csv"))
