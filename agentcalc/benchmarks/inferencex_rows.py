"""Rows of InferenceX in JSON: what they are called in each of its forms.

agg_*.json          hw, tp, ep, conc, spec_decoding (once mtp), the numbers beside them; a list of such objects
the API             hardware, decode_tp, decode_ep, conc, spec_method, numbers under ``metrics``; a list, or in data
raw results         model_id, max_concurrency, latencies such as median_ttft in s
agentic results     the same keys, numbers under ``request_metrics`` or ``mean_ttft``, ``p50_ttft`` and so on
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from agentcalc.benchmarks import inferencex_chips
from agentcalc.benchmarks.document import Document
from agentcalc.benchmarks.fields import count, day, inner, number, positive, words
from agentcalc.errors import Fault, InputError

KINDS = ("single_turn", "agentic_traces", "fixed-seq-len", "agentic-coding")
"""The kinds of runs that are known, where a row says its kind."""

_WRAPPERS = ("data", "results", "benchmarks", "rows")
_LATENCIES = tuple(
    f"{s}_{name}" for s in ("mean", "median", "p50") for name in ("ttft", "tpot", "e2el", "intvty", "itl")
)


@dataclass(frozen=True)
class Row:
    """One run under one set of names. numbers: latencies and throughputs as they stand in the file; decode_chips: the
    chips of ``chips`` that decode, where these are apart; cache_shares: of prompt tokens, measured and expected.
    """

    where: str
    numbers: Mapping[str, Any] = field(repr=False)
    model: str | None = None
    hardware: str | None = None
    precision: str | None = None
    software: str | None = None
    mtp: bool | None = None
    layout: str | None = None
    chips: int | None = None
    decode_chips: int | None = None
    concurrency: float | None = None
    isl: float | None = None
    osl: float | None = None
    kind: str | None = None
    cache_shares: tuple[float | None, float | None] = (None, None)
    completed: int | None = None
    failed: int | None = None
    date: dt.date | None = None
    address: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def agentic(self) -> bool:
        """Whether recorded sessions of agents were replayed."""
        return self.kind in ("agentic_traces", "agentic-coding")


def matches(document: Document) -> bool:
    """Whether it holds an object that is such a row."""
    return any(_is(row) for row in _objects(document))


def rows(document: Document) -> Iterator[Row]:
    """The rows of a JSON document; objects that are none are left to be counted as rows without a latency."""
    objects = _objects(document)
    for at, row in enumerate(objects, start=1):
        where = f"{document.name}: row {at}" if len(objects) > 1 else document.name
        if not isinstance(row, dict):
            raise InputError(Fault(where, "", "it is not an object", "Give the tool's file unchanged"))
        yield _row(row, where)


def speculates(value: Any) -> bool | None:
    """Whether several tokens come of one step, from ``mtp``, ``none``, ``on``, ``eagle`` ...; None: not said."""
    if isinstance(value, bool):
        return value
    if not isinstance(value, str) or "?" in value or value.strip().lower() in ("", "unknown"):
        return None
    return value.strip().lower() not in ("none", "off", "false", "stp")


def software(framework: str | None, image: str | None) -> str | None:
    """``vllm (vllm/vllm-openai:v0.22.0)``, as much of it as is known."""
    return f"{framework} ({image})" if framework and image else framework or image


def _objects(document: Document) -> list[Any]:
    """The items of the document's list, or of the list that its only object wraps."""
    items = document.data if isinstance(document.data, list) else [document.data]
    if len(items) == 1 and isinstance(items[0], dict) and not _is(items[0]):
        return next((inside for key in _WRAPPERS if isinstance(inside := items[0].get(key), list)), items)
    return items


def _is(row: Any) -> bool:
    if not isinstance(row, dict):
        return False
    numbers = _numbers(row)
    in_s = any(key in numbers for key in _LATENCIES)
    if "conc" in row and ("hw" in row or "hardware" in row):
        return in_s or any(f"{key}_ms" in numbers for key in _LATENCIES)
    return in_s and "max_concurrency" in row and "model_id" in row


def _numbers(row: dict[str, Any]) -> Mapping[str, Any]:
    """Where the numbers stand: under metrics, under request_metrics one level deeper, or beside the names."""
    if isinstance(metrics := row.get("metrics"), dict):
        return metrics
    nested = inner(row, "request_metrics")
    if not nested:
        return row
    flat: dict[str, Any] = {"tokens": nested.get("tokens")}
    for name, statistics in inner(nested, "latency").items():
        if isinstance(statistics, dict):
            flat.update({f"{statistic}_{name}": value for statistic, value in statistics.items()})
    for side in ("output", "total"):
        flat[f"{side}_tput_tps"] = inner(nested, "throughput", side).get("tokens_per_second")
    return row | flat


def _row(row: dict[str, Any], where: str) -> Row:
    numbers = _numbers(row)
    chips, decode_chips, notes = inferencex_chips.used(row, numbers, where)
    completed = [count(n, k, where) for n in (numbers, row) for k in ("completed", "successful_requests")]
    good, sent = (count(numbers, f"num_requests_{end}", where) for end in ("successful", "total"))
    done = next((value for value in (*completed, good) if value is not None), None)
    planned = sent if sent is not None else count(row, "num_prompts", where)
    machine = count(inner(row, "gpu"), "n_gpus", where)
    if machine and chips and machine != chips:
        notes += (f"The machine has {machine} accelerators; the run used {chips}.",)
    return Row(
        where=where,
        numbers=numbers,
        model=words(row, "model") or words(row, "model_id") or words(row, "infmax_model_prefix"),
        hardware=words(row, "hardware") or words(row, "hw"),
        precision=words(row, "precision"),
        software=software(words(row, "framework"), words(row, "image")),
        mtp=speculates(next((row[k] for k in ("spec_method", "spec_decoding", "mtp") if k in row), None)),
        layout=inferencex_chips.layout(row, numbers, where),
        chips=chips,
        decode_chips=decode_chips,
        concurrency=positive(row, "conc", where) or positive(row, "max_concurrency", where),
        isl=positive(row, "isl", where, text=True),
        osl=positive(row, "osl", where, text=True),
        kind=words(row, "benchmark_type") or words(row, "scenario_type"),
        cache_shares=_cache_shares(row, numbers, where),
        completed=done,
        failed=max(planned - done, 0) if planned is not None and done is not None else None,
        date=day(row, "date") or day(row, "ts"),
        address=_address(row),
        notes=notes,
    )


def _address(row: dict[str, Any]) -> str | None:
    address = words(row, "run_url")
    return address if address and address.startswith("https://") else None


def _cache_shares(row: dict[str, Any], numbers: Mapping[str, Any], where: str) -> tuple[float | None, float | None]:
    """Shares of prompt tokens that came from the cache: measured by the server, and expected of the sessions."""
    server, nested = inner(row, "server_metrics", "cache"), inner(row, "request_metrics", "cache")
    measured = number(numbers, "server_gpu_cache_hit_rate", where)
    if measured is None:
        measured = number(server, "gpu_cache_hit_rate", where)
    expected = number(numbers, "theoretical_cache_hit_rate", where)
    return measured, expected if expected is not None else number(nested, "theoretical_cache_hit_rate", where)
