"""SGLang's ``bench_serving`` (``sglang.benchmark.serving`` since 0.5.23): JSONL, a run appended a line.

``request_rate`` may be a bare Infinity or "trace"; the end-to-end latency is called ``e2e_latency`` and the throughput
``total_throughput``; p90 and p95 came later. ``concurrency`` is the mean in flight, ``max_concurrency`` the limit.
"""

from __future__ import annotations

from typing import Any

from agentcalc.benchmarks.document import Document
from agentcalc.benchmarks.fields import count, day, inner, positive, words
from agentcalc.benchmarks.records import Measurement
from agentcalc.benchmarks.serving import chunks, latencies, load, rate, requests, unmeasured
from agentcalc.errors import Fault, InputError

NAME = "SGLang bench_serving"
LOOKS_FOR = "median_e2e_latency_ms and total_output_tokens_retokenized or total_throughput"
KEYS = ("median_e2e_latency_ms|mean_e2e_latency_ms", "total_output_tokens_retokenized|total_throughput", "completed")

_NAMES = {"ttft": "TTFT", "tpot": "TPOT", "e2e_latency": "E2EL"}


def matches(document: Document) -> bool:
    """Whether one of its objects is a run of the tool."""
    return any(_is(row) for row in document.objects)


def read(document: Document) -> tuple[Measurement, ...]:
    """A run for each line. Raises InputError where a number is wrong or nothing was completed."""
    return tuple(_run(row, where) for row, where in document.placed())


def _is(row: dict[str, Any]) -> bool:
    return ("median_e2e_latency_ms" in row or "mean_e2e_latency_ms" in row) and (
        "total_output_tokens_retokenized" in row or "total_throughput" in row
    )


def _run(row: dict[str, Any], where: str) -> Measurement:
    if not _is(row):
        raise InputError(Fault(where, "", f"it is not a run of {NAME}", f"It is told by {LOOKS_FOR}"))
    completed = count(row, "completed", where)
    if completed == 0:
        raise InputError(Fault(where, "completed", "no request was completed", "Give a run that worked"))
    ttft, tpot, e2el = (latencies(row, where, name) for name in _NAMES)
    limit, rate_sent = positive(row, "max_concurrency", where), rate(row, where)
    concurrency, notes = load(limit, rate_sent, positive(row, "request_throughput", where), e2el)
    held = positive(row, "concurrency", where)
    if held and limit is None:
        notes += (f"{held:.3g} requests were in flight on average.",)
    written, retold = (positive(row, f"total_output_tokens{end}", where) for end in ("", "_retokenized"))
    if written and retold and abs(retold / written - 1) > 0.05:
        notes += (
            f"Counted again, the answers have {retold:,.0f} tokens, not {written:,.0f}: TPOT may be off as much.",
        )
    read_in, read_out = positive(row, "total_input_tokens", where), written
    total, fed, output = (positive(row, f"{side}_throughput", where) for side in ("total", "input", "output"))
    if total is None and fed and output:
        total = fed + output
    errors = row.get("errors")
    server = inner(row, "server_info")
    return Measurement(
        format=NAME,
        model=words(server, "served_model_name") or words(server, "model_path") or words(row, "model_id"),
        precision=words(server, "quantization"),
        software=f"SGLang {version}" if (version := words(server, "version")) else None,
        mtp=_speculates(row, server, where),
        layout=_layout(server, where),
        chips=_chips(server, where),
        concurrency=concurrency,
        request_rate=rate_sent,
        input_tokens=read_in / completed if read_in and completed else None,
        output_tokens=read_out / completed if read_out and completed else None,
        ttft=ttft,
        tpot=tpot,
        e2el=e2el,
        output_tok_s=output,
        total_tok_s=total,
        completed=completed,
        failed=sum(bool(error) for error in errors) if isinstance(errors, list) else None,
        requests=requests(row, where, ttft),
        date=day(row, "date"),
        notes=(*notes, *unmeasured(row, _NAMES), *chunks(row, where, tpot)),
    )


def _speculates(row: dict[str, Any], server: dict[str, Any], where: str) -> bool | None:
    """Whether several tokens come of one step: said by the server, or by a mean of more than one accepted."""
    if (positive(row, "accept_length", where) or 0.0) > 1 or words(server, "speculative_algorithm"):
        return True
    return False if "speculative_algorithm" in server else None


def _chips(server: dict[str, Any], where: str) -> int | None:
    """Tensor x pipeline ranks, times the replicas unless these share the tensor ranks. One half of a split
    deployment says nothing of the other: None.
    """
    tensor = count(server, "tp_size", where)
    if not tensor or words(server, "disaggregation_mode") in ("prefill", "decode"):
        return None
    replicas = 1 if server.get("enable_dp_attention") else count(server, "dp_size", where) or 1
    return tensor * (count(server, "pp_size", where) or 1) * replicas


def _layout(server: dict[str, Any], where: str) -> str | None:
    named = (("TP", "tp_size"), ("PP", "pp_size"), ("EP", "ep_size"), ("DP", "dp_size"))
    sizes = [(name, count(server, key, where)) for name, key in named]
    shown = [f"{name}{size}" for name, size in sizes if size and (size > 1 or name == "TP")]
    return ",".join(shown) or None
