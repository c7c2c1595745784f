"""GuideLLM: ``benchmarks.json`` (or .yaml), a sweep of runs at several loads in one file.

request_latency is in s, all else in ms. time_per_output_token_ms holds TTFT too; TPOT is inter_token_latency_ms, whose
statistics weigh each request by its tokens. Of the four columns only ``successful`` counts: failed requests stand in
``total`` with zeros. Source: vllm-project/guidellm, benchmark/benchmark.py (to 0.3) and benchmark/schemas (0.4 on).
"""

from __future__ import annotations

import datetime as dt
from typing import Any

from agentcalc.benchmarks.document import Document
from agentcalc.benchmarks.fields import count, has, inner, latency, number, positive, words
from agentcalc.benchmarks.records import Measurement, Requests, Spread
from agentcalc.errors import Fault, InputError
from agentcalc.units import show_time

NAME = "GuideLLM"
LOOKS_FOR = "benchmarks[].metrics with time_to_first_token_ms, inter_token_latency_ms and request_latency"
KEYS = ("benchmarks", "metrics", "time_to_first_token_ms", "inter_token_latency_ms", "request_latency")

NEWEST = 2
"""The newest version of the report, ``metadata.version``, that is read. Files up to GuideLLM 0.3 have none."""

_STRATEGY = (("config", "strategy"), ("scheduler", "strategy"), ("args", "strategy"))
_MODEL = (
    (("config", "backend"), "model"),
    (("benchmarker", "backend"), "model"),
    (("worker",), "backend_model"),
)


def matches(document: Document) -> bool:
    """Whether it is a report of GuideLLM, one of a newer version included, which :func:`read` refuses."""
    runs = document.data.get("benchmarks") if isinstance(document.data, dict) else None
    if not isinstance(runs, list):
        return False
    ours = has(inner(document.data, "metadata"), "guidellm_version")
    return ours or any(has(inner(run, "metrics"), "time_to_first_token_ms", "request_latency") for run in runs)


def read(document: Document) -> tuple[Measurement, ...]:
    """A run for each load at which requests succeeded. Raises InputError for a newer report or a broken number."""
    where = document.name
    version = number(inner(document.data, "metadata"), "version", f"{where}: metadata")
    if version is not None and version > NEWEST:
        found = f"it is version {version:g} of GuideLLM's report, and versions up to {NEWEST} are known"
        raise InputError(Fault(where, "metadata.version", found, f"Looked for {LOOKS_FOR}"))
    runs = []
    for place, run in enumerate(document.data["benchmarks"]):
        at = f"{where}: benchmarks[{place}]"
        if not has(inner(run, "metrics"), "request_latency"):
            raise InputError(Fault(at, "metrics", "there is no request_latency", f"Looked for {LOOKS_FOR}"))
        if _successful(run, "request_latency"):
            runs.append(_run(run, document.data, at))
    if not runs:
        raise InputError(Fault(where, "", "no request of its runs succeeded", "Give a run in which some did"))
    return tuple(runs)


def _successful(run: dict[str, Any], metric: str) -> dict[str, Any]:
    """The statistics of a metric over the requests that succeeded; empty where none did."""
    found = inner(run, "metrics", metric, "successful")
    return {} if found.get("count") == 0 else found


def _run(run: dict[str, Any], report: dict[str, Any], where: str) -> Measurement:
    ttft, tpot, answer = (
        _spread(run, metric, where, "ms")
        for metric in ("time_to_first_token_ms", "inter_token_latency_ms", "time_to_first_output_token_ms")
    )
    concurrency, rate, notes = _load(run, where)
    lengths = _successful(run, "output_token_count")
    if tpot.mean is not None and positive(lengths, "std_dev", f"{where}: output_token_count"):
        notes.append(f"{NAME}'s TPOT weighs each answer by its tokens.")
    if ttft.mean is not None and answer.mean is not None and answer.mean > 1.01 * ttft.mean:
        notes.append(
            "TTFT ends at the first token of the reasoning; the first one of the answer came after "
            f"{show_time(answer.mean)} in the mean."
        )
    if ttft == tpot == Spread():
        notes.append("The answers were not streamed, so there is no TTFT and no TPOT.")
    totals = inner(run, "metrics", "request_totals") or inner(run, "request_totals")
    return Measurement(
        format=NAME,
        model=_model(run, report),
        concurrency=concurrency,
        request_rate=rate,
        input_tokens=_mean(run, "prompt_token_count", where),
        output_tokens=_mean(run, "output_token_count", where),
        ttft=ttft,
        tpot=tpot,
        e2el=_spread(run, "request_latency", where, "s"),
        output_tok_s=_mean(run, "output_tokens_per_second", where),
        total_tok_s=_mean(run, "tokens_per_second", where),
        completed=count(totals, "successful", f"{where}: request_totals"),
        failed=count(totals, "errored", f"{where}: request_totals"),
        requests=_requests(run, where),
        date=_date(run, where),
        notes=tuple(notes),
    )


def _spread(run: dict[str, Any], metric: str, where: str, unit: str) -> Spread:
    found, at = _successful(run, metric), f"{where}: {metric}"
    tail = inner(found, "percentiles")
    return Spread(
        *(latency(found, key, at, unit=unit) for key in ("mean", "median")),
        *(latency(tail, key, at, unit=unit) for key in ("p90", "p95", "p99")),
    )


def _mean(run: dict[str, Any], metric: str, where: str) -> float | None:
    return positive(_successful(run, metric), "mean", f"{where}: {metric}")


def _load(run: dict[str, Any], where: str) -> tuple[float | None, float | None, list[str]]:
    """Concurrency, request rate and notes, by strategy: concurrent and synchronous are closed loops."""
    strategy = next((found for path in _STRATEGY if (found := inner(run, *path))), {})
    kind, at = words(strategy, "type_"), f"{where}: strategy"
    closed, rate = None, None
    if kind == "synchronous":
        closed = 1.0
    elif kind == "concurrent":
        closed = positive(strategy, "streams", at)
    elif kind == "throughput":
        closed = positive(strategy, "max_concurrency", at)
    else:
        rate = positive(strategy, "rate", at)
    mean = _mean(run, "request_concurrency", where)
    if mean is None or (closed is not None and mean >= 0.9 * closed):
        return closed, rate, []
    of = f" of {'at most ' if kind == 'throughput' else ''}{closed:g}" if closed else ""
    # A cap that was never reached is no load.
    told = None if kind == "throughput" else closed
    return told, rate, [f"{mean:.3g}{of} requests were in flight in the mean."]


def _model(run: dict[str, Any], report: dict[str, Any]) -> str | None:
    named = (words(inner(run, *path), key) for path, key in _MODEL)
    return next(filter(None, named), None) or words(inner(report, "args"), "model")


def _requests(run: dict[str, Any], where: str) -> Requests | None:
    """The single requests, where the file kept them; some tools take them out to save room."""
    kept = inner(run, "requests").get("successful")
    rows = []
    for place, request in enumerate(kept if isinstance(kept, list) else []):
        if not isinstance(request, dict):
            continue
        at = f"{where}: requests.successful[{place}]"
        row = (
            positive(request, "prompt_tokens", at),
            positive(request, "output_tokens", at),
            latency(request, "time_to_first_token_ms", at, unit="ms"),
            latency(request, "request_latency", at, unit="s"),
        )
        if None not in row:
            rows.append(row)
    return Requests(*zip(*rows, strict=True)) if rows else None


def _date(run: dict[str, Any], where: str) -> dt.date | None:
    """The day in UTC on which the first request was sent."""
    start = number(run, "start_time", where)
    # The first day of 2020 and of 2200: what lies beyond is no day of a benchmark.
    return dt.datetime.fromtimestamp(start, dt.UTC).date() if start and 1_577_836_800 < start < 7_258_118_400 else None
