"""GenAI-Perf's files, small ones of our own that carry the real ones' traps."""

from __future__ import annotations

import json

import pytest

from agentcalc.benchmarks import aiperf, genai_perf
from agentcalc.benchmarks.checks import checked
from agentcalc.benchmarks.document import Document
from agentcalc.benchmarks.records import Measurement
from agentcalc.errors import InputError

METRICS = {
    "request_throughput": {"unit": "requests/sec", "avg": 1.5},
    "request_latency": {"unit": "ms", "avg": 4010.0, "p50": 4000.0, "p90": 4100.0, "p99": 4200.0},
    "time_to_first_token": {"unit": "ms", "avg": 1030.0, "p50": 900.0, "p90": 1500.0, "p95": 1600.0, "p99": 2000.0},
    "inter_token_latency": {"unit": "ms", "avg": 20.0, "p50": 19.0, "p90": 22.0, "p99": 25.0},
    "output_token_throughput": {"unit": "tokens/sec", "avg": 225.0},
    "output_sequence_length": {"unit": "tokens", "avg": 150.0},
    "input_sequence_length": {"unit": "tokens", "avg": 3000.0},
    "request_count": {"unit": "count", "avg": 40.0},
}
OLD = {"model": ["m"], "formatted_model_name": "m", "concurrency": 8, "request_rate": None, "service_kind": "openai"}
NEW = {"model_names": ["m"], "perf_analyzer": {"stimulus": {"concurrency": 8}}}


def only(data: dict | str, name: str = "p.json") -> Measurement:
    document = Document.of((data if isinstance(data, str) else json.dumps(data)).encode(), name)
    assert genai_perf.matches(document) and not aiperf.matches(document)
    (run,) = genai_perf.read(document)
    return checked(run, name)


@pytest.mark.parametrize("config", [OLD, NEW])
def test_a_summary(config: dict) -> None:
    run = only({**METRICS, "input_config": config})
    assert (run.format, run.model, run.concurrency, run.request_rate) == ("GenAI-Perf", "m", 8.0, None)
    assert vars(run.ttft) == pytest.approx({"mean": 1.03, "median": 0.9, "p90": 1.5, "p95": 1.6, "p99": 2.0})
    assert (run.tpot.mean, run.tpot.median, run.tpot.p99) == pytest.approx((0.02, 0.019, 0.025))
    # 1.03 + 149 * 0.02 = 4.01.
    assert run.e2el.mean == pytest.approx(4.01)
    assert (run.input_tokens, run.output_tokens, run.output_tok_s, run.completed) == (3000.0, 150.0, 225.0, 40)


@pytest.mark.parametrize(
    "config",
    [{**OLD, "concurrency": None, "request_rate": 2.0}, {"perf_analyzer": {"stimulus": {"request_rate": 2.0}}}],
)
def test_an_open_loop(config: dict) -> None:
    run = only({**METRICS, "input_config": config})
    assert (run.concurrency, run.request_rate) == (None, 2.0)


def test_several_models_are_no_model() -> None:
    assert only({**METRICS, "input_config": {"model": ["a", "b"]}}).model is None


def test_old_files_count_in_ns_and_other_names() -> None:
    run = only(
        {
            "time_to_first_token": {"unit": "ns", "avg": 1.03e9},
            "inter_token_latency": {"unit": "ns", "avg": 2e7},
            "request_latency": {"unit": "ns", "avg": 4.01e9},
            "num_output_token": {"unit": "tokens", "avg": 150.0},
            "num_input_token": {"unit": "tokens", "avg": 3000.0},
            "input_config": OLD,
        }
    )
    assert (run.ttft.mean, run.tpot.mean, run.e2el.mean) == pytest.approx((1.03, 0.02, 4.01))
    assert (run.input_tokens, run.output_tokens) == (3000.0, 150.0)


TABLES = """\
Metric,avg,min,max,p99,p95,p90,p75,p50,p25
Time To First Token (ms),"1,030.00",249.48,"3,485.23","2,000.00","1,600.00","1,500.00","1,330.93",900.00,286.52
Time To Second Token (ms),26.05,0.00,133.51,96.12,36.56,34.88,34.35,33.55,1.78
Request Latency (ms),"4,010.00","3,371.47","5,608.72","4,200.00","4,150.00","4,100.00","4,050.00","4,000.00","3,493.63"
Inter Token Latency (ms),20.00,17.59,25.60,25.00,23.88,22.00,21.05,19.00,18.04
Output Sequence Length (tokens),150.00,150.00,150.00,150.00,150.00,150.00,150.00,150.00,150.00
Input Sequence Length,"3,000.00","2,999.00","3,001.00","3,001.00","3,001.00","3,000.00","3,000.00","3,000.00","3,000.00"

Metric,Value
Output Token Throughput (per sec),225.00
Request Throughput (per sec),1.50
Request Count (count),40.00
"""


def test_tables_with_commas_in_their_numbers() -> None:
    run = only(TABLES, "p.csv")
    assert vars(run.ttft) == pytest.approx({"mean": 1.03, "median": 0.9, "p90": 1.5, "p95": 1.6, "p99": 2.0})
    assert (run.tpot.mean, run.tpot.p99, run.e2el.mean) == pytest.approx((0.02, 0.025, 4.01))
    assert (run.input_tokens, run.output_tokens, run.output_tok_s, run.completed) == (3000.0, 150.0, 225.0, 40)


def test_a_number_with_commas_in_wrong_places_is_refused() -> None:
    with pytest.raises(InputError, match=r"time_to_first_token: avg: '1,03,0\.00' is not a number"):
        only(TABLES.replace("1,030.00", "1,03,0.00"), "p.csv")


def test_the_metrics_of_the_accelerators_alone_are_no_run() -> None:
    with pytest.raises(InputError, match="no TTFT, TPOT or end-to-end latency"):
        only("Metric,avg,min,max,p99,p95,p90,p75,p50,p25\nGpu Power (W),1,1,1,1,1,1,1,1,1\n", "p.csv")


def test_files_of_others_are_not_claimed() -> None:
    for text in ("{}", "[]", '"input_config"', '{"input_config": {}}', '{"time_to_first_token": {"unit": "ms"}}'):
        assert not genai_perf.matches(Document.of(text.encode(), "x.json"))
    assert not genai_perf.matches(Document.of(b"Metric,Value\nA,1\n", "x.csv"))
