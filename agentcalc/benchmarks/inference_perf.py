"""inference-perf of the Kubernetes special interest groups: ``*_lifecycle_metrics.json``, a file for each stage.

Everything is in s. ``normalized_time_per_output_token`` is E2EL / tokens and includes TTFT: it is not used. In older
files ``time_per_output_token`` divides by tokens counted piece by piece, about twice as many as there are; there TPOT
is taken from the means of E2EL, TTFT and tokens. A summary over stages mixes loads.
"""

from __future__ import annotations

from typing import Any

from agentcalc.benchmarks.document import Document
from agentcalc.benchmarks.fields import count, has, inner, positive, spread
from agentcalc.benchmarks.records import Measurement, Spread
from agentcalc.errors import Fault, InputError
from agentcalc.units import show_time

NAME = "inference-perf"
LOOKS_FOR = "successes.latency with request_latency and time_to_first_token"
KEYS = ("load_summary", "successes", "latency", "request_latency", "time_to_first_token")

MISCOUNTED = 1.25
"""TPOT and (E2EL - TTFT) / (tokens - 1) further apart than this: tokens were counted wrongly."""


def matches(document: Document) -> bool:
    """Whether one of its objects is a report of the tool."""
    return any(_is(row) for row in document.objects)


def read(document: Document) -> tuple[Measurement, ...]:
    """A run for each report. Raises InputError where a number is wrong or nothing succeeded."""
    return tuple(_run(row, where) for row, where in document.placed())


def _is(row: dict[str, Any]) -> bool:
    return has(inner(row, "successes", "latency"), "request_latency") and "load_summary" in row


def _run(row: dict[str, Any], where: str) -> Measurement:
    if not _is(row):
        raise InputError(Fault(where, "", f"it is not a report of {NAME}", f"It is told by {LOOKS_FOR}"))
    load, good = inner(row, "load_summary"), inner(row, "successes")
    completed = count(good, "count", where)
    if completed == 0:
        raise InputError(Fault(where, "successes.count", "no request succeeded", "Give a run that worked"))
    ttft, tpot, e2el = (
        _spread(good, name, where) for name in ("time_to_first_token", "time_per_output_token", "request_latency")
    )
    output_tokens = _mean(good, ("output_tokens", "output_len"), where)
    tpot, notes = _counted(ttft, tpot, e2el, output_tokens)
    concurrency, rate = positive(load, "concurrency", where), positive(load, "requested_rate", where)
    if concurrency is None and rate is None:
        notes += ("It names no load: a summary over several stages mixes their loads.",)
    elif concurrency is None:
        notes += (f"An open loop: {rate:g} requests a second, however many were in flight.",)
    through = inner(good, "throughput")
    return Measurement(
        format=NAME,
        concurrency=concurrency,
        request_rate=rate if concurrency is None else None,
        input_tokens=_mean(good, ("prompt_tokens", "prompt_len"), where),
        output_tokens=output_tokens,
        ttft=ttft,
        tpot=tpot,
        e2el=e2el,
        output_tok_s=positive(through, "output_tokens_per_sec", where),
        total_tok_s=positive(through, "total_tokens_per_sec", where),
        completed=completed,
        failed=count(inner(row, "failures"), "count", where),
        notes=notes,
    )


def _spread(good: dict[str, Any], name: str, where: str) -> Spread:
    keys = {"mean": "mean", "median": ("median", "p50"), "p90": "p90", "p95": "p95", "p99": "p99"}
    return spread(inner(good, "latency", name), f"{where}: {name}", unit="s", **keys)


def _mean(good: dict[str, Any], names: tuple[str, ...], where: str) -> float | None:
    """The mean of the first of some distributions that is there: tokens counted by the server come first."""
    return next((mean for name in names if (mean := positive(inner(good, name), "mean", f"{where}: {name}"))), None)


def _counted(ttft: Spread, tpot: Spread, e2el: Spread, output_tokens: float | None) -> tuple[Spread, tuple[str, ...]]:
    """TPOT as the file has it, or its mean from E2EL where the file's own counts pieces instead of tokens."""
    if not (tpot.mean and ttft.mean and e2el.mean and output_tokens and output_tokens > 1 and e2el.mean > ttft.mean):
        return tpot, ()
    implied = (e2el.mean - ttft.mean) / (output_tokens - 1)
    if 1 / MISCOUNTED <= implied / tpot.mean <= MISCOUNTED:
        return tpot, ()
    note = (
        f"Its time per output token of {show_time(tpot.mean, more=1)} does not fit its own E2EL: it is per piece, not "
        f"per token. TPOT is (E2EL - TTFT) / (tokens - 1) = {show_time(implied, more=1)}, a mean only."
    )
    return Spread(mean=implied), (note,)
