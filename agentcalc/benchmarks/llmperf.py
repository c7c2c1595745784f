"""LLMPerf: the summary of a run, and its individual responses.

All in s. ``inter_token_latency_s`` is the sum of all gaps, the first token's included, over all tokens, which makes it
E2EL / n: it is not read, and TPOT is (E2EL - TTFT) / (n - 1). Whole numbers stand in the summary as text. Failed
requests have zeros. Source: ray-project/llmperf, token_benchmark_ray.py and src/llmperf/utils.py.
"""

from __future__ import annotations

import datetime as dt
from typing import Any

from agentcalc.benchmarks.document import Document
from agentcalc.benchmarks.fields import count, has, latency, number, positive, spread, words
from agentcalc.benchmarks.per_request import mean, spread_of, tpots
from agentcalc.benchmarks.records import Measurement, Requests, Spread
from agentcalc.errors import Fault, InputError, echo

NAME = "LLMPerf"
LOOKS_FOR = (
    "results_ttft_s_mean and results_end_to_end_latency_s_mean (summary), or ttft_s, end_to_end_latency_s and "
    "number_output_tokens of each request (individual responses)"
)
KEYS = (
    "results_ttft_s_mean|ttft_s",
    "results_end_to_end_latency_s_mean|end_to_end_latency_s",
    "results_number_output_tokens_mean|number_output_tokens",
)

VERSION = "2023-08-31"
"""The one version of the summary there has been."""

_TOKENIZER = "The tokens are those of LLMPerf's tokenizer, which need not be the model's."


def matches(document: Document) -> bool:
    """Whether it is a summary or a list of responses of LLMPerf, a summary of another version included."""
    if document.kind not in ("json", "jsonl"):
        return False
    if has(document.data, "results_ttft_s_mean") or has(document.data, "results_ttft_s_quantiles_p50"):
        return True
    responses = document.objects
    return bool(responses) and has(responses[0], "ttft_s", "end_to_end_latency_s", "number_output_tokens")


def read(document: Document) -> tuple[Measurement, ...]:
    """One run. Raises InputError for another version, a number that is none, or a list without an answer."""
    if has(document.data, "results_ttft_s_mean") or has(document.data, "results_ttft_s_quantiles_p50"):
        return (_of_summary(document.data, document.name),)
    return (_of_responses(document.objects, document.name),)


def _of_summary(row: dict[str, Any], where: str) -> Measurement:
    version = row.get("version", VERSION)
    if version != VERSION:
        found = f"it is version {echo(version)} of LLMPerf's summary, and {VERSION} is known"
        raise InputError(Fault(where, "version", found, f"Looked for {LOOKS_FOR}"))
    ttft, e2el = (_quantiles(row, f"results_{name}_s", where) for name in ("ttft", "end_to_end_latency"))
    prompt, output = (
        positive(row, f"results_number_{name}_tokens_mean", where, text=True) for name in ("input", "output")
    )
    tpot, notes = _of_means(ttft, e2el, output)
    concurrency = positive(row, "num_concurrent_requests", where, text=True)
    output_tok_s = positive(row, "results_mean_output_throughput_token_per_s", where, text=True)
    if concurrency and output_tok_s and output and e2el.mean:
        in_flight = output_tok_s / output * e2el.mean
        if in_flight < 0.9 * concurrency:
            notes.append(f"{in_flight:.2g} of the {concurrency:g} requests were in flight in the mean.")
    return Measurement(
        format=NAME,
        model=words(row, "model"),
        software=words(row, "framework"),
        concurrency=concurrency,
        input_tokens=prompt,
        output_tokens=output,
        ttft=ttft,
        tpot=tpot,
        e2el=e2el,
        output_tok_s=output_tok_s,
        completed=count(row, "results_num_completed_requests", where, text=True),
        failed=count(row, "results_number_errors", where, text=True),
        date=_date(row, where),
        notes=(*notes, _TOKENIZER),
    )


def _quantiles(row: dict[str, Any], name: str, where: str) -> Spread:
    keys = {"median": "p50", "p90": "p90", "p95": "p95", "p99": "p99"}
    keys = {statistic: f"{name}_quantiles_{key}" for statistic, key in keys.items()}
    return spread(row, where, unit="s", text=True, mean=f"{name}_mean", **keys)


def _of_means(ttft: Spread, e2el: Spread, output: float | None) -> tuple[Spread, list[str]]:
    """TPOT of the means, since quantiles of different requests are never subtracted."""
    if ttft.mean is None or e2el.mean is None or output is None or output <= 1 or e2el.mean <= ttft.mean:
        return Spread(), []
    tpot = (e2el.mean - ttft.mean) / (output - 1)
    return Spread(mean=tpot), ["TPOT is (E2EL - TTFT) / (tokens - 1) of the means; the file has none without TTFT."]


def _of_responses(responses: list[dict[str, Any]], where: str) -> Measurement:
    answered = [(place, row) for place, row in enumerate(responses) if row.get("error_code") is None]
    rows = [row for place, response in answered if (row := _row(response, f"{where}: response {place + 1}"))]
    if not rows:
        found = f"of {len(responses)} responses none has a TTFT, an end and tokens"
        raise InputError(Fault(where, "", found, "Give a run in which some requests succeeded"))
    requests = Requests(*zip(*rows, strict=True))
    notes = ["The file does not say the concurrency.", _TOKENIZER]
    if len(rows) < len(answered):
        notes.insert(0, f"{len(answered) - len(rows):,} responses without a TTFT or tokens are left out.")
    return Measurement(
        format=NAME,
        input_tokens=mean(requests.input_tokens),
        output_tokens=mean(requests.output_tokens),
        ttft=spread_of(requests.ttft_s),
        tpot=spread_of(tpots(requests)),
        e2el=spread_of(requests.e2el_s),
        completed=len(answered),
        failed=len(responses) - len(answered),
        requests=requests,
        notes=tuple(notes),
    )


def _row(response: dict[str, Any], where: str) -> tuple[float, float, float, float] | None:
    """Input and output tokens, TTFT and E2EL; None for an empty answer."""
    row = (
        positive(response, "number_input_tokens", where, text=True),
        positive(response, "number_output_tokens", where, text=True),
        latency(response, "ttft_s", where, unit="s", text=True),
        latency(response, "end_to_end_latency_s", where, unit="s", text=True),
    )
    return None if None in row else row


def _date(row: dict[str, Any], where: str) -> dt.date | None:
    """The day in UTC of the timestamp."""
    at = number(row, "timestamp", where, text=True)
    return dt.datetime.fromtimestamp(at, dt.UTC).date() if at and 1_577_836_800 < at < 7_258_118_400 else None
