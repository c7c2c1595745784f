"""Metrics in blocks, as AIPerf and GenAI-Perf write them: a name, a unit, and statistics over the requests.

As JSON a block is ``"time_to_first_token": {"unit": "ms", "avg": 190.8, "p50": 193.9, ...}``; as CSV it is the row
``Time to First Token (ms),190.8,...`` of one of several tables under each other. The unit is read, never guessed.

A throughput per user is left alone: its p99 is the fast tail, and the mean of rates is not 1 / the mean TPOT.
"""

from __future__ import annotations

import re
from typing import Any

from agentcalc.benchmarks.fields import count, has, number, positive, spread, words
from agentcalc.benchmarks.records import Measurement, Spread
from agentcalc.errors import Fault, InputError, echo
from agentcalc.units import show_time

Blocks = dict[str, dict[str, Any]]
"""Name of a metric -> its block: unit, avg, p50, p90, ..., count."""

AGREE = 0.01
"""The tokenizer's count of tokens is taken for the server's up to this relative gap."""

_UNITS = {
    "s": ("s", "sec", "secs", "second", "seconds"),
    "ms": ("ms", "msec", "millisecond", "milliseconds"),
    "us": ("us", "µs", "μs", "usec", "microsecond", "microseconds"),
    "ns": ("ns", "nsec", "nanosecond", "nanoseconds"),
}
_UNIT = {name: unit for unit, names in _UNITS.items() for name in names}

_NAME = re.compile(r"^(?P<name>.*?)\s*(?:\((?P<unit>[^()]*)\))?$", re.DOTALL)
_THOUSANDS = re.compile(r"^\s*\d{1,3}(?:,\d{3})+(?:\.\d*)?\s*$")


def of_object(data: dict[str, Any]) -> Blocks:
    """The blocks of a JSON object: its values that have a unit."""
    return {key: value for key, value in data.items() if has(value, "unit")}


def of_tables(rows: list[list[str]]) -> Blocks:
    """The blocks of tables under each other, each with a first row ``Metric,...``; other tables are passed over.

    ``Time to First Token (ms)`` becomes time_to_first_token with the unit ms; the column ``Value`` becomes avg.
    """
    blocks: Blocks = {}
    header: list[str] | None = None
    at_start = True
    for row in rows:
        if not any(cell.strip() for cell in row):
            at_start = True
            continue
        if at_start or row[0].strip() == "Metric":
            names = ["avg" if cell.strip() == "Value" else cell.strip() for cell in row]
            header = names if names[0] == "Metric" else None
        elif header is not None:
            match = _NAME.match(row[0].strip())
            name = re.sub(r"[^a-z0-9]+", "_", match["name"].lower()).strip("_")
            cells = {key: cell for key, cell in zip(header[1:], row[1:], strict=False) if key and cell.strip()}
            plain = {key: cell.replace(",", "") if _THOUSANDS.match(cell) else cell for key, cell in cells.items()}
            blocks.setdefault(name, {"unit": match["unit"] or "", **plain})
        at_start = False
    return blocks


def times(blocks: Blocks, name: str, where: str) -> Spread:
    """The statistics of a latency, s; empty where there is no such block. Raises InputError for an unknown unit."""
    block = blocks.get(name)
    if block is None:
        return Spread()
    unit = unit_of_time(block.get("unit"), f"{where}: {name}")
    keys = {"mean": "avg", "median": "p50", "p90": "p90", "p95": "p95", "p99": "p99"}
    return spread(block, f"{where}: {name}", unit=unit, text=True, **keys)


def unit_of_time(unit: Any, where: str) -> str:
    """s, ms, us or ns for a unit as tools spell it. Raises InputError for any other."""
    found = _UNIT.get(unit.strip().lower()) if isinstance(unit, str) else None
    if found is None:
        raise InputError(Fault(where, "unit", f"{echo(unit)} is not a unit of time", "Known are s, ms, us and ns"))
    return found


def tokens(blocks: Blocks, where: str, *names: str) -> float | None:
    """The mean of the first of some counts of tokens that is there and not zero."""
    means = (positive(blocks[name], "avg", f"{where}: {name}", text=True) for name in names if name in blocks)
    return next((mean for mean in means if mean is not None), None)


def rate(blocks: Blocks, name: str, where: str) -> float | None:
    """A throughput a second. Raises InputError for another unit of time."""
    block = blocks.get(name)
    if block is None:
        return None
    unit = words(block, "unit") or ""
    if not re.search(r"(?:/|per )\s*(?:s|sec|second)$", unit.lower()):
        raise InputError(Fault(f"{where}: {name}", "unit", f"{echo(unit)} is not a rate", "Known are tokens/sec"))
    return positive(block, "avg", f"{where}: {name}", text=True)


def whole(blocks: Blocks, name: str, where: str) -> int | None:
    """A number of requests."""
    return count(blocks[name], "avg", f"{where}: {name}", text=True) if name in blocks else None


def measurement(blocks: Blocks, where: str, tool: str) -> Measurement:
    """The run that some blocks tell of, as far as they do: load, model and day are not in them.

    Tokens are those the server counted (usage_*), where it counted them for every request; else the tool's own
    tokenizer's, which counts something else when it is not the model's. TPOT follows the count: the tool divided by its
    own. Raises InputError for a number that is none.
    """
    ttft, e2el = times(blocks, "time_to_first_token", where), times(blocks, "request_latency", where)
    own = tokens(blocks, where, "output_sequence_length", "num_output_token")
    output, tpot, notes = _output(blocks, where, tool, own, ttft, e2el)
    prompt = _served(blocks, "usage_prompt_tokens", where)
    if prompt is None:
        prompt = tokens(blocks, where, "input_sequence_length", "num_input_token")
    cached = _cached(blocks, where)
    output_tok_s, total_tok_s = (rate(blocks, f"{name}_token_throughput", where) for name in ("output", "total"))
    runs = rate(blocks, "request_throughput", where)
    if runs is not None and output is not None and output != own:
        output_tok_s = runs * output
        total_tok_s = None if prompt is None else runs * (prompt + output)
    if prompt is not None and 0 < cached < prompt:
        notes.append(f"{cached:,.0f} of {prompt:,.0f} tokens of the mean prompt came from the server's cache.")
        prompt -= cached
    else:
        cached = 0.0
    if "time_to_first_token" not in blocks and "inter_token_latency" not in blocks:
        notes.append("The answers were not streamed, so there is no TTFT and no TPOT.")
    completed, failed = _counts(blocks, where)
    return Measurement(
        format=tool,
        input_tokens=prompt,
        output_tokens=output,
        ttft=ttft,
        tpot=tpot,
        e2el=e2el,
        output_tok_s=output_tok_s,
        total_tok_s=total_tok_s,
        context_tokens=cached,
        completed=completed,
        failed=failed,
        notes=(*notes, *_reasoning(blocks, where, ttft)),
    )


def _served(blocks: Blocks, name: str, where: str) -> float | None:
    """The mean of a count the server gave; None where it gave it for only some of the requests."""
    counted = count(blocks.get(name, {}), "count", f"{where}: {name}", text=True)
    asked = count(blocks.get("request_latency", {}), "count", f"{where}: request_latency", text=True)
    if counted is not None and asked is not None and counted < asked:
        return None
    return tokens(blocks, where, name)


def _output(
    blocks: Blocks, where: str, tool: str, own: float | None, ttft: Spread, e2el: Spread
) -> tuple[float | None, Spread, list[str]]:
    """Output tokens a request, and the TPOT and notes that belong to this count."""
    tpot = times(blocks, "inter_token_latency", where)
    served = _served(blocks, "usage_completion_tokens", where)
    if served is None or own is None or abs(served - own) <= AGREE * own:
        return (own if served is None else served), tpot, []
    said = (
        f"{tool}'s tokenizer counted {own:,.4g} output tokens a request, the server {served:,.4g}: "
        "the server's count is used, for TPOT too"
    )
    if served <= 1:
        return served, Spread(), [f"{said}, which leaves none."]
    if all(_constant(blocks, name, where) for name in ("output_sequence_length", "usage_completion_tokens")):
        # Every request's own TPOT is (e2el - ttft) / (own - 1), so all statistics scale alike.
        factor = (own - 1) / (served - 1)
        return served, Spread(**{s: v * factor for s, v in vars(tpot).items() if v is not None}), [f"{said}."]
    if ttft.mean is None or e2el.mean is None or e2el.mean <= ttft.mean:
        return served, Spread(), [f"{said}, which leaves none."]
    mean = (e2el.mean - ttft.mean) / (served - 1)
    return served, Spread(mean=mean), [f"{said}, whose mean is (E2EL - TTFT) / (tokens - 1) of the means."]


def _constant(blocks: Blocks, name: str, where: str) -> bool:
    low, high = (number(blocks.get(name, {}), key, f"{where}: {name}", text=True) for key in ("min", "max"))
    return low is not None and low == high


def _cached(blocks: Blocks, where: str) -> float:
    """Tokens of the mean prompt that the server had cached; requests that did not say had none."""
    name = "usage_prompt_cache_read_tokens"
    mean = tokens(blocks, where, name) or 0.0
    said = count(blocks.get(name, {}), "count", f"{where}: {name}", text=True)
    asked = count(blocks.get("request_latency", {}), "count", f"{where}: request_latency", text=True)
    return mean * said / asked if said and asked else mean


def _counts(blocks: Blocks, where: str) -> tuple[int | None, int | None]:
    """Requests that succeeded and that failed."""
    completed, failed = whole(blocks, "request_count", where), whole(blocks, "error_request_count", where)
    for name in ("completed_request_count", "completed_requests"):
        ended = whole(blocks, name, where)
        if failed is None and ended is not None and completed is not None and ended >= completed:
            failed = ended - completed
    return completed, failed


def _reasoning(blocks: Blocks, where: str, ttft: Spread) -> list[str]:
    answer = times(blocks, "time_to_first_output_token", where)
    if ttft.mean is None or answer.mean is None or answer.mean <= ttft.mean * (1 + AGREE):
        return []
    return [
        "TTFT ends at the first token of the reasoning; the first one of the answer came after "
        f"{show_time(answer.mean)} in the mean."
    ]
