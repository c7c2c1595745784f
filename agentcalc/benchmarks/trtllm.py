"""``trtllm-bench ... --report_json``: tensorrt_llm/bench/dataclasses/reporting.py of TensorRT-LLM.

Latencies are in ms. TTFT and TPOT are there only with ``--streaming``. ``output_throughput_per_user_tok_s`` includes
the first token's time, so no speed is taken from it; ``decoding_stats`` are counts, not times.
"""

from __future__ import annotations

from typing import Any

from agentcalc.benchmarks.checks import WRONG
from agentcalc.benchmarks.document import Document
from agentcalc.benchmarks.fields import count, has, inner, latency, positive, spread, words
from agentcalc.benchmarks.records import Measurement, Spread
from agentcalc.errors import Fault, InputError

NAME = "trtllm-bench"
LOOKS_FOR = "the keys engine, world_info, request_info and performance"
KEYS = ("world_info", "request_info", "performance", "streaming_metrics", "avg_ttft_ms")


def matches(document: Document) -> bool:
    """Whether one of its objects is a report of the tool."""
    return any(_is(row) for row in document.objects)


def read(document: Document) -> tuple[Measurement, ...]:
    """A run for each report. Raises InputError where a number is wrong."""
    return tuple(_run(row, where) for row, where in document.placed())


def _is(row: dict[str, Any]) -> bool:
    return has(row, "world_info", "request_info", "performance")


def _run(row: dict[str, Any], where: str) -> Measurement:
    if not _is(row):
        raise InputError(Fault(where, "", f"it is not a report of {NAME}", f"It is told by {LOOKS_FOR}"))
    engine, world, sent, performance, streamed = (
        inner(row, key) for key in ("engine", "world_info", "request_info", "performance", "streaming_metrics")
    )
    held, batch = positive(sent, "avg_num_concurrent_requests", where), positive(world, "max_batch_size", where)
    notes = []
    if not streamed:
        notes.append("It ran without --streaming: no TTFT and no TPOT were measured.")
    if held and batch and held > batch:
        notes.append(
            f"{held:.3g} requests were in flight and a batch holds {batch:g}: TTFT holds waiting in the queue."
        )
    if held and not held.is_integer():
        notes.append(f"{held:.4g} requests in flight is the mean over the run.")
    version = words(engine, "version")
    return Measurement(
        format=NAME,
        model=words(engine, "model") or words(engine, "model_path"),
        hardware=words(inner(row, "machine"), "name"),
        precision=words(engine, "quantization") or words(engine, "dtype"),
        software=f"TensorRT-LLM {version}" if version else "TensorRT-LLM",
        mtp=bool(inner(row, "decoding_stats")),
        layout=_layout(world, where),
        chips=_chips(world, where),
        concurrency=held,
        input_tokens=positive(sent, "avg_input_length", where),
        output_tokens=positive(sent, "avg_output_length", where),
        ttft=_spread(streamed, "avg_ttft_ms", "ttft_percentiles", where),
        tpot=_spread(streamed, "avg_tpot_ms", "tpot_percentiles", where),
        e2el=_spread(performance, "avg_request_latency_ms", "request_latency_percentiles_ms", where),
        output_tok_s=positive(performance, "system_output_throughput_tok_s", where),
        total_tok_s=positive(performance, "system_total_throughput_tok_s", where),
        completed=count(sent, "num_requests", where),
        notes=tuple(notes),
    )


def _spread(row: dict[str, Any], mean: str, percentiles: str, where: str) -> Spread:
    """A mean and the percentiles beside it, which must be in the mean's unit: raises InputError where they are not."""
    inside = inner(row, percentiles)
    place = f"{where}: {percentiles}"
    found = spread(inside, place, unit="ms", mean="average", median="p50", p90="p90", p95="p95", p99="p99")
    average = latency(row, mean, where, unit="ms")
    near = found.mean or found.median
    if average and near and not 1 / WRONG < near / average < WRONG:
        said = f"they say {near:.6g} s, but {mean} says {average:.6g} s"
        raise InputError(Fault(where, percentiles, said, "Are they in another unit, such as nanoseconds?"))
    return Spread(average or found.mean, found.median, found.p90, found.p95, found.p99)


def _chips(world: dict[str, Any], where: str) -> int | None:
    tensor = count(world, "tp_size", where)
    return (
        count(world, "world_size", where)
        or (tensor * (count(world, "pp_size", where) or 1) if tensor else None)
        or None
    )


def _layout(world: dict[str, Any], where: str) -> str | None:
    sizes = [(name, count(world, f"{name}_size", where)) for name in ("tp", "pp", "ep")]
    shown = [f"{name.upper()}{size}" for name, size in sizes if size and (size > 1 or name == "tp")]
    return ",".join(shown) or None
