"""What the results of ``vllm bench serve`` and SGLang's bench_serving have in common: one came from the other.

Statistics are in ms, the lists of single requests beside them in s. A request rate of infinity means that all requests
were sent at once; with a limit on requests in flight that is a closed loop, without one an open loop.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from agentcalc.benchmarks.checks import WRONG
from agentcalc.benchmarks.fields import latency, number, positive, spread
from agentcalc.benchmarks.records import Requests, Spread
from agentcalc.errors import Fault, InputError, echo
from agentcalc.units import show_time

CHUNKED = 1.5
"""ITL above so many TPOT: pieces of several tokens arrive together."""
FULL = 0.8
"""A limit on requests in flight is what held the load once the mean in flight is this part of it."""


def latencies(row: Mapping[str, Any], where: str, name: str) -> Spread:
    """The statistics of one latency, ``name`` as the keys have it: ttft, tpot, e2el, e2e_latency."""
    keys = {"mean": "mean", "median": ("median", "p50"), "p90": "p90", "p95": "p95", "p99": "p99"}
    named = {s: tuple(f"{k}_{name}_ms" for k in ((p,) if isinstance(p, str) else p)) for s, p in keys.items()}
    return spread(row, where, unit="ms", **named)


def unmeasured(row: Mapping[str, Any], names: Mapping[str, str]) -> Iterator[str]:
    """Notes on latencies of zero, which are taken as absent; names: the keys' name -> how to say it."""
    for name, shown in names.items():
        if row.get(f"mean_{name}_ms") == 0 and row.get(f"median_{name}_ms") == 0:
            yield f"The file gives a {shown} of 0: nothing was measured, and it is left out."


def chunks(row: Mapping[str, Any], where: str, tpot: Spread) -> Iterator[str]:
    """A note where pieces of several tokens arrived, so that ITL is not TPOT."""
    itl = spread(row, where, unit="ms", mean="mean_itl_ms").mean
    if itl and tpot.mean and itl > CHUNKED * tpot.mean:
        yield (
            f"Tokens arrived about {itl / tpot.mean:.1f} at a time, {show_time(itl, more=1)} apart (ITL); "
            f"TPOT is {show_time(tpot.mean, more=1)} for each."
        )


def rate(row: Mapping[str, Any], where: str, key: str = "request_rate") -> float | None:
    """Requests sent a second; None where they were sent at once (infinity) or by a trace's own times."""
    value = row.get(key)
    if value in ("inf", "Infinity", "trace") or (isinstance(value, float) and value == math.inf):
        return None
    return positive(row, key, where, text=True)


def load(
    limit: float | None, sent: float | None, per_second: float | None, e2el: Spread
) -> tuple[float | None, tuple[str, ...]]:
    """Concurrency of a closed loop, or None for an open one, with notes.

    limit: most requests in flight; sent: rate of sending, None: at once; per_second: requests completed a second.
    """
    if limit is None:
        if sent is None:
            return None, ("All requests were sent at once, without a limit: TTFT holds the wait in the queue.",)
        return None, (f"An open loop: {sent:g} requests a second, however many were in flight.",)
    if sent is None:
        return limit, ()
    held = per_second * e2el.mean if per_second and e2el.mean else None
    if held is not None and held >= FULL * limit:
        return limit, ()
    shown = f"; about {held:.3g} were" if held is not None else ""
    return None, (f"{sent:g} requests a second were sent, at most {limit:g} in flight{shown}: an open loop.",)


def requests(row: Mapping[str, Any], where: str, ttft: Spread) -> Requests | None:
    """The single requests of a detailed file; None where the file has none. Failed ones are left out: those without
    tokens in or out, or without a first token.

    Raises InputError where the lists do not belong together or are not in s.
    """
    names = [key for key in ("input_lens", "output_lens", "ttfts", "latencies", "itls") if row.get(key) is not None]
    if not {"input_lens", "output_lens", "ttfts"}.issubset(names) or not {"latencies", "itls"}.intersection(names):
        return None
    lists = {key: _list(row[key], key, where) for key in names}
    if len({len(values) for values in lists.values()}) > 1:
        sizes = ", ".join(f"{len(values):,} {key}" for key, values in lists.items())
        raise InputError(Fault(where, "", f"its lists are of different lengths ({sizes})", "Give the file unchanged"))
    kept = []
    for at in range(len(lists["ttfts"])):
        place = f"{where}: request {at + 1}"
        one = {key: values[at] for key, values in lists.items()}
        fed, given = (positive(one, key, place) for key in ("input_lens", "output_lens"))
        first, end = latency(one, "ttfts", place, unit="s"), _end(one, place)
        if fed and given and first and end:
            if end < first * 0.999:
                found = f"its end after {end:.6g} s comes before its first token after {first:.6g} s"
                raise InputError(Fault(place, "", found, "Give the file unchanged"))
            kept.append((fed, given, first, max(end, first)))
    if not kept:
        return None
    found = Requests(*(tuple(column) for column in zip(*kept, strict=True)))
    mean = math.fsum(found.ttft_s) / len(kept)
    if ttft.mean and not 1 / WRONG < mean / ttft.mean < WRONG:
        said = f"the requests' TTFT is {mean:.6g} s on average, but mean_ttft_ms says {ttft.mean:.6g} s"
        raise InputError(Fault(where, "ttfts", said, "Are the lists in another unit than s?"))
    return found


def _end(one: dict[str, Any], place: str) -> float | None:
    """When a request was finished, s: as the file says, else after its first token and the gaps that follow."""
    if "latencies" in one:
        return latency(one, "latencies", place, unit="s")
    first = number(one, "ttfts", place)
    gaps = [number({"itls": gap}, "itls", place) for gap in _list(one["itls"], "itls", place)]
    if first is None or None in gaps:
        return None
    return latency({"itls": first + sum(gaps)}, "itls", place, unit="s")


def _list(value: Any, key: str, where: str) -> list[Any]:
    if not isinstance(value, list):
        shown = "keys" if isinstance(value, dict) else echo(value)
        raise InputError(Fault(where, key, f"{shown} is not a list", "Give the file unchanged"))
    return value
