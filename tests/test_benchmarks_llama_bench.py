"""llama-bench's rows, small ones of our own that carry the real ones' traps."""

from __future__ import annotations

import datetime as dt
import json

import pytest

from agentcalc.benchmarks import llama_bench
from agentcalc.benchmarks.checks import checked
from agentcalc.benchmarks.document import Document
from agentcalc.benchmarks.records import Measurement, Spread
from tests.benchmark_inputs import refusal


def row(n_prompt: int, n_gen: int, avg_ts: float, **more) -> dict:
    return {
        "build_commit": "8cf427ff",
        "build_number": 5163,
        "cpu_info": "Some CPU",
        "gpu_info": "Some GPU",
        "model_type": "qwen2 7B Q4_K - Medium",
        "n_threads": 8,
        "n_gpu_layers": -1,
        "n_prompt": n_prompt,
        "n_gen": n_gen,
        "n_depth": 0,
        "test_time": "2025-04-24T11:58:50Z",
        "avg_ts": avg_ts,
        **more,
    }


def read(data: object, name: str = "l.json") -> list[Measurement]:
    text = data if isinstance(data, str) else json.dumps(data)
    document = Document.of(text.encode(), name)
    assert llama_bench.matches(document)
    return [checked(run, name) for run in llama_bench.read(document)]


def refused(data: object) -> str:
    return refusal(read, data)


def test_a_prompt_makes_a_ttft_and_a_generation_a_tpot() -> None:
    prompt, generation = read([row(512, 0, 6400.0), row(0, 128, 100.0)])
    assert prompt.ttft == Spread(mean=0.08)
    assert (prompt.tpot, prompt.input_tokens, prompt.output_tokens) == (Spread(), 512.0, None)
    assert generation.tpot == Spread(mean=0.01)
    assert (generation.ttft, generation.input_tokens, generation.output_tokens) == (Spread(), None, 128.0)
    assert (generation.output_tok_s, prompt.output_tok_s) == (100.0, None)
    for run in (prompt, generation):
        assert (run.model, run.precision) == ("qwen2 7B Q4_K - Medium", "Q4_K - Medium")
        assert (run.hardware, run.software, run.layout) == ("Some GPU", "llama.cpp b5163", None)
        assert (run.concurrency, run.date) == (1.0, dt.date(2025, 4, 24))
        assert llama_bench.ALONE in run.notes


def test_the_mean_time_goes_before_the_mean_rate() -> None:
    """Repetitions of 60 ms and 100 ms take 80 ms in the mean, though their mean rate says 75."""
    rate = (512 / 0.06 + 512 / 0.1) / 2
    (run,) = read([row(512, 0, rate, avg_ns=80_000_000, samples_ns=[60_000_000, 100_000_000, 70_000_000])])
    assert run.ttft == Spread(mean=pytest.approx(0.08), median=pytest.approx(0.07))
    (run,) = read([row(0, 10, 100.0, avg_ns=100_000_000, samples_ns=[100_000_000])])
    assert run.tpot == Spread(mean=pytest.approx(0.01), median=pytest.approx(0.01))


def test_times_that_do_not_fit_the_rate_are_refused() -> None:
    assert "do not take" in refused([row(512, 0, 6400.0, avg_ns=80_000)])


def test_a_mixed_rate_is_left_out_and_said() -> None:
    runs = read([row(512, 0, 6400.0), row(512, 128, 500.0)])
    assert len(runs) == 1
    assert any("1 of 2 tests are left out" in note for note in runs[0].notes)
    assert "mix prompt and generation" in refused([row(512, 128, 500.0)])


def test_depth_is_context_in_the_cache() -> None:
    runs = read([row(0, 32, 100.0 / (1 + depth), n_depth=1024 * depth) for depth in range(3)])
    assert [run.context_tokens for run in runs] == [0.0, 1024.0, 2048.0]
    assert [run.tpot.mean for run in runs] == pytest.approx([0.01, 0.02, 0.03])
    old = row(0, 32, 100.0)
    del old["n_depth"]
    assert read([old])[0].context_tokens == 0.0


def test_settings_that_differ_are_told_apart() -> None:
    runs = read([row(512, 0, 6400.0, flash_attn=0), row(512, 0, 7000.0, flash_attn=1)])
    assert [run.layout for run in runs] == ["flash_attn 0", "flash_attn 1"]


def test_without_layers_on_the_gpu_it_is_the_cpu() -> None:
    assert read([row(512, 0, 50.0, n_gpu_layers=0)])[0].hardware == "Some CPU"
    assert read([row(512, 0, 50.0, gpu_info="")])[0].hardware == "Some CPU"


@pytest.mark.parametrize(
    ("kind", "precision"),
    [
        ("llama 7B mostly Q4_0", "mostly Q4_0"),
        ("gpt-oss 120B MXFP4 MoE", "MXFP4 MoE"),
        ("llama 8x7B F16", "F16"),
        ("qwen3moe 30B.A3B Q8_0", "Q8_0"),
        ("something else", None),
        (None, None),
    ],
)
def test_the_weights_format_is_in_the_models_type(kind: str | None, precision: str | None) -> None:
    assert read([row(512, 0, 50.0, model_type=kind)])[0].precision == precision


def test_json_lines() -> None:
    text = "\n".join(json.dumps(r) for r in (row(512, 0, 6400.0), row(0, 128, 100.0)))
    assert [run.ttft.mean or run.tpot.mean for run in read(text, "l.jsonl")] == [0.08, 0.01]


def test_csv_has_all_as_text() -> None:
    rows = [row(512, 0, 6400.0, avg_ns=80_000_000), row(0, 128, 100.0, avg_ns=1_280_000_000)]
    cells = [",".join(f'"{value}"' for value in r.values()) for r in rows]
    prompt, generation = read("\n".join([",".join(rows[0]), *cells]), "l.csv")
    assert (prompt.ttft.mean, generation.tpot.mean) == pytest.approx((0.08, 0.01))
    assert (prompt.input_tokens, prompt.software, prompt.hardware) == (512.0, "llama.cpp b5163", "Some GPU")


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ({"avg_ts": 0.0}, "avg_ts: it is 0 or missing"),
        ({"avg_ts": None}, "avg_ts: it is 0 or missing"),
        ({"avg_ts": float("nan")}, "avg_ts: it is 0 or missing"),
        ({"avg_ts": -5.0}, "avg_ts: -5.0 is below zero"),
        ({"avg_ts": "fast"}, "avg_ts: 'fast' is not a number"),
        ({"n_prompt": 0}, "n_prompt and n_gen are both 0"),
        ({"n_gen": None}, "n_gen is null"),
        ({"samples_ns": ["x"]}, "samples_ns"),
    ],
)
def test_what_is_refused(bad: dict, said: str) -> None:
    text = refused([{**row(512, 0, 6400.0), **bad}])
    assert said in text and "test 1" in text


def test_files_of_others_are_not_claimed() -> None:
    for text in ("{}", "[]", '[{"n_prompt": 1, "n_gen": 0}]', "[1]"):
        assert not llama_bench.matches(Document.of(text.encode(), "x.json"))
    assert not llama_bench.matches(Document.of(b"n_prompt,n_gen\n1,0\n", "x.csv"))
