"""AIPerf's ``profile_export.jsonl``: one request a line, with its phase, its metrics and its error if it has one."""

from __future__ import annotations

from typing import Any

from agentcalc.benchmarks import blocks
from agentcalc.benchmarks.document import Document
from agentcalc.benchmarks.fields import PER_SECOND, has, inner, latency, number, positive, words
from agentcalc.benchmarks.per_request import mean, spread_of, tpots
from agentcalc.benchmarks.records import Measurement, Requests
from agentcalc.errors import Fault, InputError
from agentcalc.units import show_time

NAME = "AIPerf"


def is_records(document: Document) -> bool:
    """Whether the first object is one request: summaries over several runs have metadata and metrics too."""
    first = document.objects[0] if document.kind in ("json", "jsonl") and document.objects else {}
    named = ("request_start_ns", "benchmark_phase", "session_num", "x_request_id")
    return has(first, "metadata") and any(name in inner(first, "metadata") for name in named)


def of_records(document: Document, looks_for: str) -> Measurement:
    """The run that single requests make up: those of the profiling phase that were answered.

    Concurrency stands nowhere in this file. Raises InputError where no request is left; looks_for is what it then says.
    """
    where = document.name
    lines = [record for record in document.objects if has(record, "metadata")]
    timed = [record for record in lines if _phase(record) == "profiling"]
    answered = [record for record in timed if not _failed(record)]
    rows = [row for place, record in enumerate(answered, 1) if (row := _row(record, f"{where}: request {place}"))]
    requests = Requests(*zip(*(row[:4] for row in rows), strict=True)) if rows else None
    if requests is None:
        found = f"of {len(lines)} requests none was answered in the phase 'profiling', with streaming"
        raise InputError(Fault(where, "", found, f"Looked for {looks_for}"))
    cached = mean([row[4] for row in rows])
    notes = []
    if len(timed) < len(lines):
        warm = len(lines) - len(timed)
        notes.append(f"{warm:,} of {len(lines):,} requests are left out: they warmed the server up.")
    if len(rows) < len(answered):
        notes.append(f"{len(answered) - len(rows):,} requests without a TTFT or tokens are left out.")
    if sum(row[5] for row in rows):
        notes.append(
            f"{NAME}'s tokenizer counted {sum(row[5] for row in rows):,} of {len(rows):,} answers otherwise than the "
            "server: the server's count is used, for TPOT too."
        )
    if cached:
        notes.append(f"{cached:,.0f} tokens of the mean prompt came from the server's cache.")
    late = mean([row[6] for row in rows if row[6] is not None])
    ttft = spread_of(requests.ttft_s)
    if late is not None and late > ttft.mean * (1 + blocks.AGREE):
        notes.append(
            "TTFT ends at the first token of the reasoning; the first one of the answer came after "
            f"{show_time(late)} in the mean."
        )
    span, most = _span(answered, where)
    if most is not None:
        notes.append(f"The file does not say the concurrency; at most {most:,} requests were in flight at once.")
    return Measurement(
        format=NAME,
        input_tokens=mean(requests.input_tokens),
        output_tokens=mean(requests.output_tokens),
        ttft=ttft,
        tpot=spread_of(tpots(requests)),
        e2el=spread_of(requests.e2el_s),
        output_tok_s=None if span is None else sum(requests.output_tokens) / span,
        total_tok_s=None if span is None else sum(row[0] + row[1] + row[4] for row in rows) / span,
        context_tokens=cached or 0.0,
        completed=len(answered),
        failed=len(timed) - len(answered),
        requests=requests,
        notes=tuple(notes),
    )


def _phase(record: dict[str, Any]) -> str:
    """The kind of phase; before there were kinds, its name; before there were phases, all was profiling."""
    metadata = inner(record, "metadata")
    return words(metadata, "phase_kind") or words(metadata, "benchmark_phase") or "profiling"


def _failed(record: dict[str, Any]) -> bool:
    return record.get("error") is not None or inner(record, "metadata").get("was_cancelled") is True


Row = tuple[float, float, float, float, float, bool, float | None]
"""Of a request: uncached tokens of its prompt, output tokens, TTFT, E2EL, cached tokens, whether the server counted
the output otherwise than the tokenizer, and the time to the first token after the reasoning."""


def _row(record: dict[str, Any], where: str) -> Row | None:
    """None for a request that was not streamed or had an empty answer."""
    metrics = inner(record, "metrics")
    ttft, e2el, answer = (
        _time(metrics, name, where) for name in ("time_to_first_token", "request_latency", "time_to_first_output_token")
    )
    own, output, prompt, plain, cached = (
        positive(inner(metrics, name), "value", f"{where}: {name}")
        for name in (
            "output_sequence_length",
            "usage_completion_tokens",
            "usage_prompt_tokens",
            "input_sequence_length",
            "usage_prompt_cache_read_tokens",
        )
    )
    output, prompt, cached = output or own, prompt or plain, cached or 0.0
    if ttft is None or e2el is None or output is None or prompt is None:
        return None
    if cached >= prompt:
        cached = 0.0
    other = own is not None and abs(output - own) > blocks.AGREE * own
    return prompt - cached, output, ttft, e2el, cached, other, answer


def _time(metrics: dict[str, Any], name: str, where: str) -> float | None:
    block = inner(metrics, name)
    if not block:
        return None
    unit = blocks.unit_of_time(block.get("unit"), f"{where}: {name}")
    return latency(block, "value", f"{where}: {name}", unit=unit)


def _span(records: list[dict[str, Any]], where: str) -> tuple[float | None, int | None]:
    """Seconds from the first start to the last end, and the most requests under way at once."""
    times = []
    for record in records:
        metadata = inner(record, "metadata")
        start, end = (number(metadata, key, where) for key in ("request_start_ns", "request_end_ns"))
        if start is None or end is None or end <= start:
            return None, None
        times += [(start, 1), (end, -1)]
    under_way, most = 0, 0
    for _, step in sorted(times):
        under_way += step
        most = max(most, under_way)
    return (max(times)[0] - min(times)[0]) / PER_SECOND["ns"], most
