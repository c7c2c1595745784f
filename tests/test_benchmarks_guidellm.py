"""GuideLLM's reports, small ones of our own that carry the real ones' traps."""

from __future__ import annotations

import datetime as dt
import json

import pytest

from agentcalc.benchmarks import guidellm
from agentcalc.benchmarks.checks import checked
from agentcalc.benchmarks.document import Document
from agentcalc.benchmarks.records import Measurement, Spread
from tests.benchmark_inputs import refusal

NOTHING = {"mean": 0.0, "median": 0.0, "std_dev": 0.0, "count": 0, "percentiles": {"p90": 0.0, "p95": 0.0, "p99": 0.0}}


def stats(mean: float, p99: float | None = None, count: int = 10, std_dev: float = 0.0) -> dict:
    """A metric whose failed requests drag the total towards zero."""
    p99 = mean if p99 is None else p99
    good = {"mean": mean, "median": mean, "std_dev": std_dev, "count": count}
    good["percentiles"] = {"p001": 0.0, "p90": mean, "p95": mean, "p99": p99, "p999": p99}
    return {"successful": good if count else NOTHING, "errored": NOTHING, "incomplete": NOTHING, "total": NOTHING}


def run(streams: int = 4, factor: float = 1.0, count: int = 10, **more) -> dict:
    """A run: TTFT 0.2 s, TPOT 10 ms, 101 tokens, so E2EL 1.2 s; times ``factor``."""
    return {
        "config": {"strategy": {"type_": "concurrent", "streams": streams}, "backend": {"model": "acme/m"}},
        "metrics": {
            "request_totals": {"successful": count, "errored": 2, "incomplete": 3, "total": count + 5},
            "request_concurrency": stats(3.9),
            "request_latency": stats(1.2 * factor, 1.5 * factor, count),
            "time_to_first_token_ms": stats(200.0 * factor, 300.0 * factor, count),
            "time_per_output_token_ms": stats(12.0 * factor, 13.0 * factor, count),
            "inter_token_latency_ms": stats(10.0 * factor, 11.0 * factor, count),
            "prompt_token_count": stats(1000.0, count=count),
            "output_token_count": stats(101.0, count=count),
            "output_tokens_per_second": stats(336.0, count=count),
            "tokens_per_second": stats(3700.0, count=count),
            **more.pop("metrics", {}),
        },
        "requests": {"successful": [], "errored": [], "incomplete": []},
        "start_time": 1796039062.8,
        **more,
    }


def report(*runs: dict, version: object = 2) -> dict:
    return {"metadata": {"version": version, "guidellm_version": "0.8.1"}, "config": {}, "benchmarks": list(runs)}


def read(data: object, name: str = "b.json") -> list[Measurement]:
    document = Document.of(json.dumps(data).encode(), name)
    assert guidellm.matches(document)
    return [checked(m, name) for m in guidellm.read(document)]


def refused(data: object) -> str:
    return refusal(read, data)


def test_seconds_and_milliseconds_in_one_run() -> None:
    (one,) = read(report(run()))
    assert (one.ttft.mean, one.ttft.median, one.ttft.p99) == pytest.approx((0.2, 0.2, 0.3))
    assert (one.e2el.mean, one.e2el.p99) == pytest.approx((1.2, 1.5))
    assert (one.model, one.concurrency, one.request_rate) == ("acme/m", 4.0, None)
    assert (one.input_tokens, one.output_tokens) == (1000.0, 101.0)
    assert (one.output_tok_s, one.total_tok_s) == (336.0, 3700.0)
    assert (one.completed, one.failed, one.date) == (10, 2, dt.date(2026, 11, 30))


def test_tpot_leaves_ttft_out() -> None:
    """time_per_output_token_ms says 12; 0.2 + 100 * 0.010 = 1.2 says 10."""
    (one,) = read(report(run()))
    assert (one.tpot.mean, one.tpot.p99) == pytest.approx((0.010, 0.011))
    assert not any("E2EL" in note for note in one.notes)


def test_zeros_of_failed_requests_do_not_count() -> None:
    broken = run(count=0)
    runs = read(report(run(), broken))
    assert len(runs) == 1
    assert "no request of its runs succeeded" in refused(report(broken))


def test_a_sweep_is_several_runs() -> None:
    runs = read(report(*(run(streams, factor) for streams, factor in ((1, 1.0), (8, 2.0), (64, 5.0)))))
    assert [r.concurrency for r in runs] == [1.0, 8.0, 64.0]
    assert [r.ttft.mean for r in runs] == pytest.approx([0.2, 0.4, 1.0])


@pytest.mark.parametrize(
    ("strategy", "load", "noted"),
    [
        ({"type_": "synchronous"}, (1.0, None), ""),
        ({"type_": "concurrent", "streams": 4}, (4.0, None), ""),
        ({"type_": "concurrent", "streams": 16}, (16.0, None), "3.9 of 16 requests"),
        ({"type_": "throughput", "max_concurrency": 4}, (4.0, None), ""),
        ({"type_": "throughput", "max_concurrency": 512}, (None, None), "3.9 of at most 512 requests"),
        ({"type_": "throughput", "max_concurrency": None}, (None, None), "3.9 requests"),
        ({"type_": "constant", "rate": 2.5}, (None, 2.5), "3.9 requests"),
        ({"type_": "poisson", "rate": 3.0}, (None, 3.0), "3.9 requests"),
        ({}, (None, None), "3.9 requests"),
    ],
)
@pytest.mark.parametrize("place", ["config", "scheduler", "args"])
def test_the_load_in_every_layout(strategy: dict, load: tuple, noted: str, place: str) -> None:
    data = run()
    del data["config"]
    data[place] = {"strategy": strategy}
    (one,) = read(report(data))
    assert (one.concurrency, one.request_rate) == load
    assert [note for note in one.notes if "in flight" in note] == (
        [f"{noted} were in flight in the mean."] if noted else []
    )


def test_reports_up_to_0_3() -> None:
    """No metadata; the load under args, the model under worker, the totals beside the metrics."""
    old = run()
    del old["config"]
    old["args"] = {"strategy": {"type_": "concurrent", "streams": 4}}
    old["worker"] = {"backend_model": "acme/old"}
    old["request_totals"] = old["metrics"].pop("request_totals")
    (one,) = read({"benchmarks": [old]})
    assert (one.model, one.concurrency, one.completed, one.failed) == ("acme/old", 4.0, 10, 2)
    assert one.ttft.mean == pytest.approx(0.2)


def test_the_same_report_as_yaml() -> None:
    text = json.dumps(report(run()), indent=1).encode()
    document = Document.of(text, "b.yaml")
    assert document.kind == "yaml" and guidellm.matches(document)
    assert guidellm.read(document)[0].ttft.mean == pytest.approx(0.2)


def test_a_newer_report_is_refused() -> None:
    said = refused(report(run(), version=3))
    assert "version 3" in said and "up to 2" in said and "time_to_first_token_ms" in said
    assert len(read(report(run(), version=1))) == 1


def test_a_report_without_the_latencies_is_refused() -> None:
    assert "benchmarks[0]: metrics: there is no request_latency" in refused(report({"metrics": {}}))


def test_single_requests_are_kept() -> None:
    requests = [
        {"prompt_tokens": 900, "output_tokens": 101, "time_to_first_token_ms": 200.0, "request_latency": 1.2},
        {"prompt_tokens": 1100, "output_tokens": 101, "time_to_first_token_ms": 0.0, "request_latency": 1.2},
        {"prompt_tokens": 1000, "output_tokens": 101, "time_to_first_token_ms": None, "request_latency": 1.2},
    ]
    (one,) = read(report(run(requests={"successful": requests, "errored": [{"request_latency": 0.0}]})))
    assert one.requests.input_tokens == (900.0,)
    assert one.requests.ttft_s == pytest.approx((0.2,))
    assert one.requests.e2el_s == (1.2,)
    assert read(report(run(requests={"successful": None})))[0].requests is None


def test_ttft_on_a_reasoning_token_is_said() -> None:
    (one,) = read(report(run(metrics={"time_to_first_output_token_ms": stats(900.0)})))
    assert any("first token of the reasoning" in note for note in one.notes)


def test_lengths_that_vary_weigh_the_tpot() -> None:
    (one,) = read(report(run(metrics={"output_token_count": stats(101.0, std_dev=20.0)})))
    assert any("weighs each answer by its tokens" in note for note in one.notes)


def test_answers_in_one_piece_have_no_ttft() -> None:
    """Without streaming the tool writes zeros, or nothing at all."""
    zero = {"time_to_first_token_ms": stats(0.0), "inter_token_latency_ms": {"successful": None}}
    (one,) = read(report(run(metrics=zero)))
    assert one.ttft == one.tpot == Spread()
    assert any("not streamed" in note for note in one.notes)


@pytest.mark.parametrize("bad", [-1.0, float("inf"), "0.2", True, {}])
def test_a_number_that_is_none_is_refused(bad: object) -> None:
    data = run()
    data["metrics"]["time_to_first_token_ms"]["successful"]["mean"] = bad
    assert "time_to_first_token_ms" in refused(report(data))


def test_files_of_others_are_not_claimed() -> None:
    for text in ("{}", "[]", '{"benchmarks": []}', '{"benchmarks": {}}', '{"benchmarks": [3, {"metrics": []}]}'):
        assert not guidellm.matches(Document.of(text.encode(), "x.json"))
    assert not guidellm.matches(Document.of(b"a,b\n1,2\n", "x.csv"))
