"""Small results of our own in the format of each benchmark tool, numbers chosen so that they can be added up by hand.

Where nothing else is said: TTFT 0.5 s, TPOT 10 ms, 1,000 tokens in, 101 out, so E2EL is 0.5 + 100 x 0.01 = 1.5 s; two
requests in flight make 4/3 a second, 134.67 output tok/s and 1,468 tok/s together.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from agentcalc.benchmarks import inference_perf, inferencex, sglang, trtllm, vllm
from agentcalc.benchmarks.records import Spread
from agentcalc.errors import InputError

PER_S = 2 / 1.5

TOKENS = {
    "input_tokens": 1000,
    "output_tokens": 101,
    "output_tok_s": 101 * PER_S,
    "total_tok_s": 1101 * PER_S,
}
LATENCIES = {
    "ttft": Spread(mean=0.5, median=0.4, p99=0.9),
    "tpot": Spread(mean=0.01, median=0.009, p99=0.014),
    "e2el": Spread(mean=1.5, median=1.3, p99=2.3),
}
PERCENTILES = {
    "ttft": Spread(mean=0.5, median=0.4, p90=0.9, p95=0.9, p99=0.9),
    "tpot": Spread(mean=0.01, median=0.009, p90=0.014, p95=0.014, p99=0.014),
    "e2el": Spread(mean=1.5, median=1.3, p90=2.3, p95=2.3, p99=2.3),
}
"""What a reader must find in these results, as parts of a Measurement."""


def serving(**changed: Any) -> dict[str, Any]:
    """``vllm bench serve``: statistics in ms. A value of None takes the key out."""
    row: dict[str, Any] = {
        "date": "20260213-141321",
        "endpoint_type": "openai-chat",
        "model_id": "acme/small",
        "tokenizer_id": "acme/small",
        "num_prompts": 40,
        "request_rate": "inf",
        "burstiness": 1.0,
        "max_concurrency": 2,
        "duration": 30.0,
        "completed": 40,
        "total_input_tokens": 40_000,
        "total_output_tokens": 4_040,
        "request_throughput": PER_S,
        "request_goodput:": None,
        "output_throughput": 101 * PER_S,
        "total_token_throughput": 1101 * PER_S,
    }
    for name, mean, median, p99 in (("ttft", 500, 400, 900), ("tpot", 10, 9, 14), ("itl", 10, 9, 30)):
        row |= {f"mean_{name}_ms": mean, f"median_{name}_ms": median, f"std_{name}_ms": 1.0, f"p99_{name}_ms": p99}
    row |= {"mean_e2el_ms": 1500.0, "median_e2el_ms": 1300.0, "p99_e2el_ms": 2300.0}
    row |= changed
    return {key: value for key, value in row.items() if value is not None or key == "request_goodput:"}


def sglang_run(**changed: Any) -> dict[str, Any]:
    """SGLang's bench_serving: ``e2e_latency`` and ``total_throughput``, a bare Infinity for the rate."""
    row = serving()
    for key in [k for k in row if k.endswith("_e2el_ms")]:
        row[key.replace("e2el", "e2e_latency")] = row.pop(key)
    for key in ("date", "num_prompts", "model_id", "tokenizer_id", "endpoint_type", "request_goodput:"):
        del row[key]
    row["total_throughput"] = row.pop("total_token_throughput")
    row |= {
        "backend": "sglang",
        "dataset_name": "random",
        "request_rate": float("inf"),
        "total_output_tokens_retokenized": 4_030,
        "concurrency": 1.98,
        "accept_length": None,
        "server_info": {"model_path": "acme/small", "tp_size": 2, "version": "0.5.9", "speculative_algorithm": None},
    }
    return row | changed


def trtllm_report(**changed: Any) -> dict[str, Any]:
    """``trtllm-bench --streaming --report_json``."""

    def percentiles(average: float, p50: float, p99: float) -> dict[str, float]:
        return {"p50": p50, "p90": p99, "p95": p99, "p99": p99, "minimum": p50 / 2, "maximum": p99, "average": average}

    return {
        "engine": {"model": "acme/small", "model_path": "None", "version": "1.2.0", "quantization": "NVFP4"},
        "machine": {"name": "NVIDIA B200", "memory.total": 178.0},
        "world_info": {"tp_size": 4, "pp_size": 2, "ep_size": 1, "world_size": 8, "max_batch_size": 64},
        "request_info": {
            "num_requests": 40,
            "avg_num_concurrent_requests": 2.0,
            "avg_input_length": 1000.0,
            "avg_output_length": 101.0,
        },
        "performance": {
            "total_latency_ms": 30_000.0,
            "avg_request_latency_ms": 1500.0,
            "request_throughput_req_s": PER_S,
            "system_output_throughput_tok_s": 101 * PER_S,
            "system_total_throughput_tok_s": 1101 * PER_S,
            "output_throughput_per_user_tok_s": 101 / 1.5,
            "request_latency_percentiles_ms": percentiles(1500.0, 1300.0, 2300.0),
        },
        "streaming_metrics": {
            "token_output_speed_tok_s": 100.0,
            "avg_ttft_ms": 500.0,
            "avg_tpot_ms": 10.0,
            "ttft_percentiles": percentiles(500.0, 400.0, 900.0),
            "tpot_percentiles": percentiles(10.0, 9.0, 14.0),
        },
        "dataset": {"avg_isl": 1000.0},
    } | changed


def lifecycle(**changed: Any) -> dict[str, Any]:
    """inference-perf's metrics of one stage, in s."""

    def spread(mean: float, median: float, p99: float) -> dict[str, float]:
        return {"mean": mean, "min": median / 2, "median": median, "p90": p99, "p95": p99, "p99": p99, "max": 2 * p99}

    return {
        "load_summary": {"count": 41, "requested_rate": 1.3, "achieved_rate": PER_S},
        "successes": {
            "count": 40,
            "latency": {
                "request_latency": spread(1.5, 1.3, 2.3),
                "normalized_time_per_output_token": spread(0.01485, 0.0148, 0.02),
                "time_per_output_token": spread(0.01, 0.009, 0.014),
                "time_to_first_token": spread(0.5, 0.4, 0.9),
                "inter_token_latency": spread(0.01, 0.0001, 0.03),
            },
            "throughput": {
                "input_tokens_per_sec": 1000 * PER_S,
                "output_tokens_per_sec": 101 * PER_S,
                "total_tokens_per_sec": 1101 * PER_S,
                "requests_per_sec": PER_S,
            },
            "prompt_len": spread(1000, 1000, 1000),
            "output_len": spread(101, 101, 101),
        },
        "failures": {"count": 1, "request_latency": None},
    } | changed


def agg(**changed: Any) -> dict[str, Any]:
    """A result of InferenceX, agg_*.json: s, and the longest lengths 8,192 and 1,024, which are 921.6 out on average:
    E2EL = 0.5 + 920.6 x 0.01 = 9.706 s; 2 in flight give 2 / 9.706 a second, each with 7,372.8 + 921.6 tokens.
    """
    a_second = 2 / 9.706
    row: dict[str, Any] = {
        "hw": "b200-x",
        "conc": 2,
        "image": "acme/server:v1",
        "model": "acme/small",
        "framework": "vllm",
        "precision": "fp8",
        "spec_decoding": "none",
        "disagg": False,
        "isl": 8192,
        "osl": 1024,
        "is_multinode": False,
        "tp": 8,
        "ep": 1,
        "dp_attention": "false",
        "tput_per_gpu": a_second * 8294.4 / 8,
        "output_tput_per_gpu": a_second * 921.6 / 8,
        "input_tput_per_gpu": a_second * 7372.8 / 8,
    }
    for name, mean, median, p99 in (("ttft", 0.5, 0.4, 0.9), ("tpot", 0.01, 0.009, 0.0125), ("e2el", 9.706, 9.5, 12)):
        row |= {f"mean_{name}": mean, f"median_{name}": median, f"std_{name}": 0.001, f"p99_{name}": p99}
    row |= {"mean_intvty": 100.0, "median_intvty": 1 / 0.009, "std_intvty": 1000.0, "p99_intvty": 80.0}
    return row | changed


NAMES = ("conc", "image", "framework", "precision", "disagg", "isl", "osl", "is_multinode", "model")


def api_row(**changed: Any) -> dict[str, Any]:
    """The same run as a row of the API: both GPU counts are tp x ep."""
    row = agg()
    numbers = {key: value for key, value in row.items() if key.endswith(("ttft", "tpot", "e2el", "intvty", "gpu"))}
    made = {key: row[key] for key in NAMES} | {"hardware": "b200", "spec_method": "none", "metrics": numbers}
    for side in ("prefill", "decode"):
        made |= {f"{side}_tp": 8, f"{side}_ep": 8, f"{side}_dp_attention": False, f"{side}_num_workers": 0}
        made[f"num_{side}_gpu"] = 64
    made |= {"date": "2026-06-11", "run_url": "https://example.org/runs/1"}
    return made | changed


DASHBOARD = (
    "Model,ISL,OSL,Hardware,Hardware Key,Framework,Precision,TP,Concurrency,Date,Throughput/GPU (tok/s),"
    "Output Throughput/GPU (tok/s),Mean TTFT (s),Median TTFT (s),P99 TTFT (s),Mean TPOT (s),Median TPOT (s),"
    "P99 TPOT (s),Std Interactivity (tok/s/user),Mean E2E Latency (s),Disaggregated,Num Prefill GPUs,Num Decode GPUs,"
    "Spec Decoding,EP,DP Attention,Is Multinode,Run URL\n"
    "Small,8192,1024,b200,b200_vllm,vllm,fp8,8,2,2026-06-11,213.6,23.74,0.5,0.4,0.9,0.01,0.009,0.0125,1000,9.706,"
    "false,64,64,mtp,8,true,false,https://example.org/runs/1\n"
)

POINTS = (
    "model,hardware,precision,framework,framework_version,spec_decoding,disagg,isl,osl,concurrency,prefill_gpus,"
    "decode_gpus,gpus,layout,mean_ttft_s,median_ttft_s,p99_ttft_s,mean_tpot_ms,median_tpot_ms,p99_tpot_ms,mean_e2e_s,"
    "median_e2e_s,p99_e2e_s,total_tok_s_per_gpu,measured,source,note\n"
    'Small,b200,fp4,vllm,0.9,none?,False,2048,256,2,,,8,"TP8,EP8",0.5,,,10,,,,,,100,2026-05-22,acme/runs,means only\n'
)


def refusal(read: Callable[..., object], *given: object) -> str:
    """The one line with which a reader refuses what is given."""
    with pytest.raises(InputError) as error:
        read(*given)
    said = str(error.value)
    assert "\n" not in said
    return said


def text(value: Any) -> bytes:
    """As a tool writes it: Infinity and NaN bare."""
    return json.dumps(value).encode()


def changed(value: dict[str, Any], *path: str, to: Any) -> dict[str, Any]:
    """A copy with one place inside it changed."""
    made = copy.deepcopy(value)
    inside = made
    for key in path[:-1]:
        inside = inside[key]
    inside[path[-1]] = to
    return made


def detailed(**more: Any) -> dict[str, Any]:
    """``--save-detailed``: the same run with the lists of four requests, in s; the third failed."""
    lists = {
        "input_lens": [1000, 2000, 1000, 500],
        "output_lens": [101, 101, 0, 3],
        "ttfts": [0.4, 0.7, 0.0, 0.4],
        "itls": [[0.5, 0.5], [0.6, 0.4], [], [0.25, 0.25]],
        "generated_texts": ["a", "b", "", "c"],
        "errors": ["", "", "timed out", ""],
    }
    return serving() | lists | more


INPUTS: dict[str, tuple[bytes, ...]] = {
    vllm.NAME: (text(serving()), text(detailed())),
    sglang.NAME: (text(sglang_run()) + b"\n" + text(sglang_run(max_concurrency=4, concurrency=3.9)),),
    trtllm.NAME: (text(trtllm_report()),),
    inference_perf.NAME: (text(lifecycle()),),
    inferencex.NAME: (
        text(agg()),
        text({"data": [api_row(), api_row(conc=4)]}),
        DASHBOARD.encode(),
        POINTS.encode(),
    ),
}
"""A format's name -> small files of it."""
