"""InferenceX (once InferenceMAX): result JSON, rows of its API, the dashboard's CSV. One table row is one run.

Which key means what stands in :mod:`~agentcalc.benchmarks.inferencex_rows` (JSON) and
:mod:`~agentcalc.benchmarks.inferencex_csv`; here is what the numbers mean. A key without ``_ms`` is in s.
``*_intvty`` is 1 / TPOT of the same statistic, so the p99 of it is the slow tail, below its median; ``std_intvty`` is
1 / std of TPOT and means nothing. ITL is per piece and is not TPOT, except in agentic rows, which call TPOT so.
``isl`` and ``osl`` are the longest lengths: lengths are drawn evenly from 80% of them up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from agentcalc.benchmarks import inferencex_csv, inferencex_rows
from agentcalc.benchmarks.document import Document
from agentcalc.benchmarks.fields import inner, latency, positive
from agentcalc.benchmarks.inferencex_rows import KINDS, Row
from agentcalc.benchmarks.records import Measurement, Spread
from agentcalc.errors import Fault, InputError, echo

NAME = "InferenceX"
LOOKS_FOR = "conc or max_concurrency, and latencies in s such as median_ttft (in the dashboard's CSV Median TTFT (s))"
KEYS = (
    "conc|Concurrency|concurrency",
    "hw|hardware|Hardware",
    "median_ttft|mean_ttft|Mean TTFT (s)|mean_ttft_s",
    "isl|ISL",
)

NOMINAL = {(1024, 1024), (1024, 8192), (8192, 1024)}
"""The loads whose lengths are drawn from 80% up."""
DRAWN = 0.9
"""The mean of lengths drawn evenly from 80% to 100%."""

_STATISTICS = {"mean": ("mean",), "median": ("median", "p50"), "p90": ("p90",), "p95": ("p95",), "p99": ("p99",)}


def matches(document: Document) -> bool:
    """Whether it holds a row of InferenceX."""
    return inferencex_csv.matches(document) if document.kind == "csv" else inferencex_rows.matches(document)


def read(document: Document) -> tuple[Measurement, ...]:
    """A run for each row of a known kind that has a latency. Raises InputError where a number is wrong or there is no
    such row.
    """
    rows = list(inferencex_csv.rows(document) if document.kind == "csv" else inferencex_rows.rows(document))
    strange = sorted({row.kind for row in rows if row.kind is not None and row.kind not in KINDS})
    if strange and all(row.kind in strange for row in rows):
        found = f"its runs are of a kind that is not known: {echo(strange[0])}"
        raise InputError(Fault(document.name, "", found, f"Known are {', '.join(KINDS)}"))
    runs = [run for row in rows if row.kind not in strange and (run := _run(row)) is not None]
    left_out = len(rows) - len(runs)
    if left_out and runs:
        why = f"have no latency or are of another kind ({', '.join(strange)})" if strange else "have no latency"
        note = f"{left_out:,} of the file's {len(rows):,} rows {why} and are left out."
        runs = [replace(run, notes=(*run.notes, note)) for run in runs]
    return tuple(runs)


def _run(row: Row) -> Measurement | None:
    ttft, tpot, e2el = (_spread(row, name) for name in ("ttft", "tpot", "e2el"))
    if tpot == Spread():
        tpot = _from_rates(row)
    if {ttft, tpot, e2el} == {Spread()}:
        return None
    total, output, notes = _throughput(row)
    input_tokens, output_tokens, context, more = _tokens(row, ttft, tpot, e2el)
    return Measurement(
        format=NAME,
        model=row.model,
        hardware=row.hardware,
        precision=row.precision,
        software=row.software,
        mtp=row.mtp,
        layout=row.layout,
        chips=row.chips,
        concurrency=row.concurrency,
        input_tokens=input_tokens,
        output_tokens=output_tokens,
        ttft=ttft,
        tpot=tpot,
        e2el=e2el,
        output_tok_s=output,
        total_tok_s=total,
        context_tokens=context,
        completed=row.completed,
        failed=row.failed,
        date=row.date,
        address=row.address,
        notes=(*row.notes, *notes, *more),
    )


def _spread(row: Row, name: str) -> Spread:
    """The statistics of one latency, s. ``mean_ttft`` is in s and ``mean_ttft_ms`` in ms."""
    names = {"tpot": ("tpot", "full_response_itl", "itl"), "e2el": ("e2el", "ttlt")}.get(name, (name,))
    names = names if row.agentic else names[:1]
    for known in names:
        found: dict[str, float] = {}
        for statistic, prefixes in _STATISTICS.items():
            for prefix in prefixes:
                key = f"{prefix}_{known}"
                value = latency(row.numbers, key, row.where, unit="s")
                if value is None:
                    value = latency(row.numbers, f"{key}_ms", row.where, unit="ms")
                if value is not None:
                    found.setdefault(statistic, value)
        if found:
            return Spread(**found)
    return Spread()


def _from_rates(row: Row) -> Spread:
    """TPOT from tok/s/user. A p99 above the median is the fast tail, of no use here."""
    rates = {s: positive(row.numbers, f"{s}_intvty", row.where) for s in ("mean", "median", "p90", "p95", "p99")}
    usual = rates["median"]
    for tail in ("p90", "p95", "p99"):
        if usual is None or (rates[tail] or 0.0) > usual:
            rates[tail] = None
    return Spread(**{statistic: 1 / rate for statistic, rate in rates.items() if rate})


def _throughput(row: Row) -> tuple[float | None, float | None, tuple[str, ...]]:
    """Input and output, and output tok/s of the whole run. A rate per chip is times the chips it was divided by: where
    prefill and decode are apart, those that decode, for output; agentic rows divide everything by all chips.
    """
    total = _first(row, "total_token_throughput", "total_tput_tps")
    output = _first(row, "output_throughput", "output_token_throughput", "output_tput_tps")
    fed = _first(row, "input_throughput")
    if total is None and fed and output:
        total = fed + output
    chips, apart = row.chips, row.decode_chips if not row.agentic else row.chips
    if total is None and chips and (each := positive(row.numbers, "tput_per_gpu", row.where)):
        total = each * chips
    if output is None and (apart or chips) and (each := positive(row.numbers, "output_tput_per_gpu", row.where)):
        output = each * (apart or chips)
    if total and output and output > total * 0.999:
        return total, None, ("Its output throughput exceeds the total: the chips it is per are unclear; left out.",)
    return total, output, ()


def _tokens(
    row: Row, ttft: Spread, tpot: Spread, e2el: Spread
) -> tuple[float | None, float | None, float, tuple[str, ...]]:
    """Tokens in and out of a request, tokens already in the cache, and notes: totals first, then nominal lengths."""
    sums = [_first(row, f"total_{side}_tokens") for side in ("input", "output")]
    if row.completed and all(sums):
        return sums[0] / row.completed, sums[1] / row.completed, 0.0, ()
    total, output = _first(row, "total_token_throughput"), _first(row, "output_throughput", "output_token_throughput")
    each = _first(row, "request_throughput")
    if total and output and each and total > output:
        received = output / each
        notes = ()
        if row.osl and received < 0.75 * row.osl:
            notes = (f"Answers were to have {row.osl:,.0f} tokens but have {received:,.0f} on average.",)
        return (total - output) / each, received, 0.0, notes
    if row.agentic:
        return _agentic_tokens(row)
    if (row.isl, row.osl) not in NOMINAL or _kept_length(row, ttft, tpot, e2el):
        return row.isl, row.osl, 0.0, ()
    note = (
        f"{row.isl:,.0f} in and {row.osl:,.0f} out are the longest lengths; drawn evenly from 80% up, they are "
        f"{DRAWN * row.isl:,.0f} and {DRAWN * row.osl:,.0f} on average."
    )
    return DRAWN * row.isl, DRAWN * row.osl, 0.0, (note,)


def _kept_length(row: Row, ttft: Spread, tpot: Spread, e2el: Spread) -> bool:
    """Whether the row's own means say that every answer had the nominal length, as some copies of InferenceX run it."""
    if not (ttft.mean and tpot.mean and e2el.mean and row.osl):
        return False
    return abs(((e2el.mean - ttft.mean) / tpot.mean + 1) / row.osl - 1) < 0.03


def _agentic_tokens(row: Row) -> tuple[float | None, float | None, float, tuple[str, ...]]:
    tokens = inner(row.numbers, "tokens")
    fed = _first(row, "mean_input_tokens") or positive(inner(tokens, "input"), "mean", row.where)
    given = _first(row, "mean_output_tokens_actual") or positive(inner(tokens, "output_actual"), "mean", row.where)
    measured, expected = row.cache_shares
    share = measured if measured is not None else expected
    if fed is None or share is None or not share < 1:
        return None, given, 0.0, ("Recorded agent sessions, mostly cached: how much of a prompt was new is not said.",)
    basis = "measured" if measured is not None else "if the cache never loses anything"
    note = f"Recorded agent sessions: of {fed:,.0f} tokens of a prompt {share:.0%} come from the cache ({basis})."
    return fed * (1 - share), given, fed * share, (note,)


def _first(row: Row, *keys: str) -> float | None:
    values: Iterator[Any] = (positive(row.numbers, key, row.where) for key in keys)
    return next((value for value in values if value is not None), None)
