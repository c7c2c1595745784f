"""``vllm bench serve --save-result``, with or without ``--save-detailed``: vllm/benchmarks/serve.py of vLLM.

Also results of its forerunner benchmark_serving.py, several results in one file (``--append-result``), and the form of
PyTorch's benchmark collection, a record for each metric. ITL is per piece received and never taken for TPOT; time in
the client's own queue (``queue_times``) is not part of TTFT. A repeated ``request_goodput:`` with a colon is harmless.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agentcalc.benchmarks.document import Document
from agentcalc.benchmarks.fields import count, day, inner, positive, words
from agentcalc.benchmarks.records import Measurement
from agentcalc.benchmarks.serving import chunks, latencies, load, rate, requests, unmeasured
from agentcalc.errors import Fault, InputError

NAME = "vLLM bench serve"
LOOKS_FOR = "total_token_throughput and a latency such as median_ttft_ms or median_e2el_ms"
KEYS = ("total_token_throughput", "median_ttft_ms|mean_ttft_ms|median_e2el_ms", "completed", "request_throughput")

_LATENCIES = tuple(f"{s}_{name}_ms" for s in ("mean", "median") for name in ("ttft", "tpot", "e2el"))
_NAMES = {"ttft": "TTFT", "tpot": "TPOT", "e2el": "E2EL"}


def matches(document: Document) -> bool:
    """Whether one of its objects is a result of the tool."""
    return any(_is(row) for row in _collected(document.objects))


def read(document: Document) -> tuple[Measurement, ...]:
    """A run for each result in the file. Raises InputError where a number is wrong or nothing was completed."""
    rows = _collected([row for row, _ in document.placed()])
    several = len(rows) > 1
    return tuple(_run(row, f"{document.name}: run {n}" if several else document.name) for n, row in enumerate(rows, 1))


def _is(row: dict[str, Any]) -> bool:
    return "total_token_throughput" in row and any(key in row for key in _LATENCIES)


def _collected(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Records of one metric each joined into results; other objects as they are.

    Such a record is ``{benchmark, model, metric: {name, benchmark_values: [v], extra_info: the result's other keys}}``.
    """
    joined: list[dict[str, Any]] = []
    last: dict[str, Any] | None = None
    for row in rows:
        metric = inner(row, "metric")
        values, name = metric.get("benchmark_values"), metric.get("name")
        if not (isinstance(name, str) and isinstance(values, list) and len(values) == 1):
            joined.append(row)
            last = None
            continue
        rest = inner(metric, "extra_info")
        if last is None or rest != last or name in joined[-1]:
            joined.append({"model_id": inner(row, "model").get("name"), **rest})
            last = rest
        joined[-1][name] = values[0]
    return joined


def _run(row: dict[str, Any], where: str) -> Measurement:
    if not _is(row):
        raise InputError(Fault(where, "", f"it is not a result of {NAME}", f"It is told by {LOOKS_FOR}"))
    completed, sent = count(row, "completed", where), count(row, "num_prompts", where)
    if completed == 0:
        raise InputError(Fault(where, "completed", "no request was completed", "Give a run that worked"))
    failed = count(row, "failed", where)
    if failed is None and completed is not None and sent is not None:
        failed = max(sent - completed, 0)
    ttft, tpot, e2el = (latencies(row, where, name) for name in _NAMES)
    limit, rate_sent = positive(row, "max_concurrency", where), rate(row, where)
    concurrency, notes = load(limit, rate_sent, positive(row, "request_throughput", where), e2el)
    totals = [positive(row, f"total_{side}_tokens", where) for side in ("input", "output")]
    input_tokens, output_tokens = (total / completed if total and completed else None for total in totals)
    tensor, pipeline = (count(row, f"{way}_parallel_size", where, text=True) for way in ("tensor", "pipeline"))
    return Measurement(
        format=NAME,
        model=words(row, "model_id"),
        mtp=True if positive(row, "spec_decode_num_drafts", where) else None,
        chips=tensor * (pipeline or 1) if tensor else None,
        concurrency=concurrency,
        request_rate=rate_sent,
        input_tokens=input_tokens,
        output_tokens=output_tokens,
        ttft=ttft,
        tpot=tpot,
        e2el=e2el,
        output_tok_s=positive(row, "output_throughput", where),
        total_tok_s=positive(row, "total_token_throughput", where),
        completed=completed,
        failed=failed,
        requests=requests(row, where, ttft),
        date=day(row, "date"),
        notes=(*notes, *unmeasured(row, _NAMES), *chunks(row, where, tpot)),
    )
