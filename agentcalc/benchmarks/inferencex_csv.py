"""Rows of InferenceX in CSV: the dashboard's export, and a table of points whose names carry their units.

The dashboard calls chips GPUs or Chips, and its rates are per chip. In the table of points ``mean_ttft_s`` is in s and
``mean_tpot_ms`` in ms, as the names say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from agentcalc.benchmarks.document import Document
from agentcalc.benchmarks.fields import count, day, number, positive, words
from agentcalc.benchmarks.inferencex_rows import Row, software, speculates

_DASHBOARD = ("Hardware", "Concurrency", "Precision")
_POINTS = ("hardware", "concurrency", "mean_ttft_s", "mean_tpot_ms", "total_tok_s_per_gpu")

_LATENCIES = {"TTFT": "ttft", "TPOT": "tpot", "E2E Latency": "e2el"}
_RATES = {
    "tput_per_gpu": ("Throughput/Chip (tok/s)", "Throughput/GPU (tok/s)"),
    "output_tput_per_gpu": ("Output Throughput/Chip (tok/s)", "Output Throughput/GPU (tok/s)"),
}


def matches(document: Document) -> bool:
    """Whether the header is one of the two."""
    header = {cell.strip() for cell in document.data[0]} if document.data else set()
    return header.issuperset(_POINTS) or (header.issuperset(_DASHBOARD) and _has_latency(header))


def _has_latency(header: set[str]) -> bool:
    return any(f"{s} {shown} (s)" in header for s in ("Mean", "Median") for shown in _LATENCIES)


def rows(document: Document) -> Iterator[Row]:
    """The rows of the table, first to last. Raises InputError where a number is none."""
    make = _point if set(_POINTS).issubset(cell.strip() for cell in document.data[0]) else _shown
    for at, row in enumerate(document.table, start=1):
        yield make(row, f"{document.name}: row {at}")


def _yes(row: Mapping[str, str], key: str) -> bool:
    return row.get(key, "").strip().lower() == "true"


def _shown(row: Mapping[str, str], where: str) -> Row:
    """A row of the dashboard. ``TP`` is the chips of one engine; the counts of prefill and decode chips are only those
    of a row whose prefill and decode are apart.
    """
    numbers = {}
    for statistic in ("Mean", "Median", "P90", "P95", "P99"):
        for shown, name in _LATENCIES.items():
            numbers[f"{statistic.lower()}_{name}"] = number(row, f"{statistic} {shown} (s)", where, text=True)
        rate = f"{statistic} Interactivity (tok/s/user)"
        numbers[f"{statistic.lower()}_intvty"] = number(row, rate, where, text=True)
    for name, keys in _RATES.items():
        numbers[name] = next((v for key in keys if (v := positive(row, key, where, text=True))), None)
    tp, ep = count(row, "TP", where, text=True), count(row, "EP", where, text=True)
    sides = [
        next((v for key in (f"Num {side} Chips", f"Num {side} GPUs") if (v := count(row, key, where, text=True))), None)
        for side in ("Prefill", "Decode")
    ]
    apart = _yes(row, "Disaggregated")
    parts = [f"TP{tp}" if tp else "", f"EP{ep}" if ep and ep > 1 else "", "DPA" if _yes(row, "DP Attention") else ""]
    layout = ",".join(part for part in parts if part)
    if apart:
        chips, decode = (sum(sides) if all(sides) else None), sides[1]
        layout = f"P {sides[0] or '?'} + D {sides[1] or '?'} chips" + (f" ({layout})" if layout else "")
    else:
        chips, decode = max(tp or 0, ep or 0) or None, None
    address = words(row, "Run URL")
    return Row(
        where=where,
        numbers=numbers,
        model=words(row, "Model"),
        hardware=words(row, "Hardware"),
        precision=words(row, "Precision"),
        software=words(row, "Framework"),
        mtp=speculates(row.get("Spec Decoding")),
        layout=layout or None,
        chips=chips,
        decode_chips=decode,
        concurrency=positive(row, "Concurrency", where, text=True),
        isl=positive(row, "ISL", where, text=True),
        osl=positive(row, "OSL", where, text=True),
        date=day(row, "Date"),
        address=address if address and address.startswith("https://") else None,
    )


def _point(row: Mapping[str, str], where: str) -> Row:
    """A row of the table of points."""
    numbers = {"tput_per_gpu": positive(row, "total_tok_s_per_gpu", where, text=True)}
    for statistic in ("mean", "median", "p90", "p95", "p99"):
        numbers[f"{statistic}_ttft"] = number(row, f"{statistic}_ttft_s", where, text=True)
        numbers[f"{statistic}_tpot_ms"] = number(row, f"{statistic}_tpot_ms", where, text=True)
        numbers[f"{statistic}_e2el"] = number(row, f"{statistic}_e2e_s", where, text=True)
    prefill, decode = (count(row, f"{side}_gpus", where, text=True) for side in ("prefill", "decode"))
    apart = f"P {prefill} + D {decode} chips" if prefill and decode else None
    source = words(row, "source")
    caveats = (words(row, "note", most=2000) or "").split("; ")
    return Row(
        where=where,
        numbers=numbers,
        model=words(row, "model"),
        hardware=words(row, "hardware"),
        precision=words(row, "precision"),
        software=software(words(row, "framework"), words(row, "framework_version")),
        mtp=speculates(row.get("spec_decoding")),
        layout=words(row, "layout") or apart,
        chips=count(row, "gpus", where, text=True) or None,
        decode_chips=decode or None,
        concurrency=positive(row, "concurrency", where, text=True),
        isl=positive(row, "isl", where, text=True),
        osl=positive(row, "osl", where, text=True),
        date=day(row, "measured"),
        notes=(*(f"{text}." for text in caveats if text), *((f"From {source}.",) if source else ())),
    )
