"""inference-perf's lifecycle metrics."""

from __future__ import annotations

import pytest

from agentcalc.benchmarks.reading import read
from agentcalc.benchmarks.records import Measurement, Spread
from agentcalc.errors import InputError
from tests.benchmark_inputs import PERCENTILES, TOKENS, changed, lifecycle, text


def one(report: dict) -> Measurement:
    (run,) = read(text(report), "stage_0.json")
    return run


def test_every_number_of_a_stage():
    assert one(lifecycle()) == Measurement(
        format="inference-perf",
        request_rate=1.3,
        **TOKENS,
        **PERCENTILES,
        completed=40,
        failed=1,
        notes=(
            "An open loop: 1.3 requests a second, however many were in flight.",
            "1 of 41 requests failed; the numbers are of the others.",
        ),
    )


def test_a_time_per_token_that_counts_pieces_twice_is_replaced():
    """Half of 10 ms: E2EL says (1.5 - 0.5) / 100 = 10 ms. The percentiles count alike and are left out."""
    report = changed(
        lifecycle(), "successes", "latency", "time_per_output_token", to={"mean": 0.005, "median": 0.0045, "p99": 0.007}
    )
    run = one(report)
    assert run.tpot == Spread(mean=0.01)
    assert run.notes[0].replace("\u00a0", " ") == (
        "Its time per output token of 5.0 ms does not fit its own E2EL: it is per piece, not per token. TPOT is "
        "(E2EL - TTFT) / (tokens - 1) = 0.010 s, a mean only."
    )


def test_the_normalized_time_that_includes_ttft_is_not_tpot():
    report = lifecycle()
    del report["successes"]["latency"]["time_per_output_token"]
    assert one(report).tpot == Spread()


def test_a_stage_of_fixed_concurrency():
    run = one(changed(lifecycle(), "load_summary", "concurrency", to=2))
    assert (run.concurrency, run.request_rate) == (2, None)
    assert run.notes == ("1 of 41 requests failed; the numbers are of the others.",)


def test_a_summary_of_all_stages_mixes_loads():
    run = one(lifecycle(load_summary={"count": 41}))
    assert run.concurrency is None and run.request_rate is None
    assert run.notes[0] == "It names no load: a summary over several stages mixes their loads."


def test_the_server_s_token_counts_come_first():
    report = changed(lifecycle(), "successes", "output_tokens", to={"total": 4040, "mean": 101.0})
    report = changed(report, "successes", "output_len", to={"mean": 150.0})
    report = changed(report, "successes", "prompt_tokens", to={"total": 40_000, "cached": 0, "mean": 999.0})
    run = one(report)
    assert (run.input_tokens, run.output_tokens) == (999, 101)


def test_nothing_streamed():
    report = changed(lifecycle(), "successes", "latency", "time_to_first_token", to=None)
    run = one(changed(report, "successes", "latency", "time_per_output_token", to=None))
    assert run.ttft == run.tpot == Spread() and run.e2el.mean == 1.5


def test_nothing_succeeded():
    with pytest.raises(InputError, match=r"stage_0\.json: successes\.count: no request succeeded"):
        one(changed(lifecycle(), "successes", "count", to=0))


def test_a_wrong_number_is_named():
    with pytest.raises(InputError, match=r"stage_0\.json: time_to_first_token: mean: 'x' is not a number"):
        one(changed(lifecycle(), "successes", "latency", "time_to_first_token", "mean", to="x"))


def test_metrics_of_the_server_are_not_taken_for_it():
    """``*_prometheus_metrics.json`` has the same names without ``latency``: the server's own clock."""
    report = lifecycle(load_summary={})
    report["successes"] |= report["successes"].pop("latency")
    with pytest.raises(InputError, match="it comes closest to inference-perf, but has no latency"):
        one(report)
