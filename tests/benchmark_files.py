"""Small files of the benchmarks that have blocks, sweeps, rows or columns, made from the inputs of their own tests."""

from __future__ import annotations

import json

from agentcalc.benchmarks import template
from tests import test_benchmarks_aiperf as aiperf
from tests import test_benchmarks_genai_perf as genai_perf
from tests import test_benchmarks_guidellm as guidellm
from tests import test_benchmarks_llama_bench as llama_bench
from tests import test_benchmarks_llmperf as llmperf


def _text(value: object) -> bytes:
    return json.dumps(value).encode()


_REQUEST = {"prompt_tokens": 900, "output_tokens": 101, "time_to_first_token_ms": 200.0, "request_latency": 1.2}
_TESTS = [
    llama_bench.row(512, 0, 6400.0, avg_ns=80_000_000),
    llama_bench.row(0, 128, 100.0, samples_ns=[1_280_000_000]),
]
_USAGE = {"unit": "tokens", "avg": 34.0, "min": 34.0, "max": 34.0, "count": 20}

FILES: dict[str, tuple[tuple[str, bytes], ...]] = {
    "AIPerf": (
        ("p.json", _text(aiperf.changed(usage_completion_tokens=_USAGE, usage_prompt_tokens=_USAGE))),
        ("p.csv", aiperf.TABLES.encode()),
        ("p.jsonl", aiperf.lines(aiperf.record(100, 595), aiperf.record(0, 0, error={"code": 500}))),
    ),
    "GenAI-Perf": (
        ("p.json", _text({**genai_perf.METRICS, "input_config": genai_perf.NEW})),
        ("p.csv", genai_perf.TABLES.encode()),
    ),
    "GuideLLM": (
        ("b.json", _text(guidellm.report(guidellm.run(requests={"successful": [_REQUEST]}), guidellm.run(8)))),
    ),
    "LLMPerf": (
        ("s.json", _text(llmperf.SUMMARY)),
        ("r.json", _text([llmperf.response(0.2, 1.2), llmperf.response(0.0, 0.0, 0, error=-1)])),
    ),
    "llama-bench": (
        ("l.json", _text(_TESTS)),
        ("l.jsonl", b"\n".join(map(_text, _TESTS))),
        ("l.csv", (b"n_prompt,n_gen,avg_ts,avg_ns\n512,0,6400,80000000\n0,128,100,1280000000\n")),
    ),
    template.NAME: (
        ("mine.yaml", template.EXAMPLE.encode()),
        ("mine.csv", b"label,ttft_ms,tok_s_user,prompt_tokens,date\nus,420,110,1000,2026-11-30\n"),
    ),
}
"""A format's name -> (file name, bytes) of small files of it."""
