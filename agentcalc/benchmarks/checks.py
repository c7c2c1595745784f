"""What must hold between the numbers of a run, whichever tool wrote them.

A wrong unit is caught twice: E2EL = TTFT + (output tokens - 1) TPOT, and in a closed loop by Little's law, requests in
flight = requests a second x E2EL. Off by a hundred or more is an error, since no load explains it. Means off by more
than a twentieth get a note.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from agentcalc.benchmarks.fields import QUICKEST_S, SLOWEST_S
from agentcalc.benchmarks.records import Measurement, Spread
from agentcalc.errors import Fault, InputError
from agentcalc.units import show_time

NOTED = 0.05
"""The gap between E2EL and TTFT + (output tokens - 1) TPOT from which a note says it."""
WRONG = 100.0
"""The factor from which two numbers of one run cannot both be in the unit they are said to be in."""
SHORTEST_S = 1e-5
"""No TTFT, TPOT or E2EL of a run is shorter: that would be more than 100,000 tok/s for one user."""
LONG_TTFT_S = 1.0
"""TTFT below this is never called queueing."""

_ABOVE_ZERO = ("concurrency", "request_rate", "input_tokens", "output_tokens", "output_tok_s", "total_tok_s", "chips")
_NOT_BELOW_ZERO = ("context_tokens", "completed", "failed")
_LATENCIES = {"ttft": "TTFT", "tpot": "TPOT", "e2el": "E2EL"}


def checked(run: Measurement, where: str) -> Measurement:
    """The run with notes on what does not fit. Raises InputError where a number cannot be right or none is there."""
    _numbers(run, where)
    _latencies(run, where)
    _units(run, where)
    _lengths(run, where)
    notes = [note for note in _notes(run) if note not in run.notes]
    return replace(run, notes=(*run.notes, *notes)) if notes else run


def _numbers(run: Measurement, where: str) -> None:
    for name in _ABOVE_ZERO:
        value = getattr(run, name)
        if value is not None and not 0 < value < math.inf:
            raise _wrong(where, name, f"{value} is not a number above zero")
    for name in _NOT_BELOW_ZERO:
        value = getattr(run, name)
        if value is not None and not 0 <= value < math.inf:
            raise _wrong(where, name, f"{value} is not a number of zero or more")
    if run.output_tok_s and run.total_tok_s and run.total_tok_s < run.output_tok_s * 0.999:
        found = f"it is {run.total_tok_s:g}, below the output alone of {run.output_tok_s:g}"
        raise _wrong(where, "total_tok_s", found)


def _latencies(run: Measurement, where: str) -> None:
    """Each within what a server can do, percentiles rising, and at least one there."""
    for name, shown in _LATENCIES.items():
        spread: Spread = getattr(run, name)
        for statistic, value in vars(spread).items():
            if value is not None and not QUICKEST_S <= value <= SLOWEST_S:
                raise _wrong(where, f"{statistic} {shown}", f"no latency is {value:.3g} s")
        steps = [(s, v) for s in ("median", "p90", "p95", "p99") if (v := getattr(spread, s)) is not None]
        for (low, a), (high, b) in pairwise(steps):
            if b < a * 0.999:
                raise _wrong(where, f"{high} {shown}", f"it is {b:.6g} s, below the {low} of {a:.6g} s")
    if not any(any(v is not None for v in vars(getattr(run, name)).values()) for name in _LATENCIES):
        found = f"as a file of {run.format} it holds no TTFT, TPOT or end-to-end latency above zero"
        raise InputError(Fault(where, "", found, "Give a run in which requests were completed and streamed"))


def _wrong(where: str, path: str, found: str) -> InputError:
    return InputError(Fault(where, path, found, "Give the tool's file unchanged"))


def _central(spread: Spread) -> float | None:
    return spread.mean if spread.mean is not None else spread.median


def _parts_s(run: Measurement, ttft: float | None, tpot: float | None) -> float | None:
    """TTFT + (output tokens - 1) TPOT, s; None where a part is missing."""
    if ttft is None or tpot is None or run.output_tokens is None:
        return None
    return ttft + max(run.output_tokens - 1, 0.0) * tpot


def _units(run: Measurement, where: str) -> None:
    """Medians stand in for missing means here: no shape of a distribution makes a factor of a hundred."""
    parts = _parts_s(run, _central(run.ttft), _central(run.tpot))
    whole = _central(run.e2el)
    if whole and parts and not 1 / WRONG < whole / parts < WRONG:
        found = f"E2EL is {whole:.6g} s, but TTFT and TPOT make {parts:.6g} s"
        remedy = "Is one of them in another unit, such as microseconds?"
        raise InputError(Fault(where, "", found, remedy))
    if run.total_tok_s and run.output_tok_s and run.input_tokens and run.output_tokens:
        made = run.output_tok_s * (run.input_tokens + run.output_tokens) / run.output_tokens
        if not 1 / WRONG < run.total_tok_s / made < WRONG:
            found = f"it is {run.total_tok_s:.6g}, but its output and its tokens a request make {made:.6g}"
            raise _wrong(where, "total_tok_s", found)
    e2el = whole or parts
    if not (e2el and run.concurrency and run.output_tok_s and run.output_tokens):
        return
    in_flight = run.output_tok_s / run.output_tokens * e2el
    if not 1 / WRONG < in_flight / run.concurrency < WRONG:
        found = f"its throughput and an E2EL of {e2el:.6g} s mean {in_flight:.3g} requests in flight"
        remedy = f"It says {run.concurrency:g}: are its latencies in another unit, such as microseconds?"
        raise InputError(Fault(where, "", found, remedy))


def _lengths(run: Measurement, where: str) -> None:
    """After the units, which say better what is wrong."""
    for name, shown in _LATENCIES.items():
        for statistic, value in vars(getattr(run, name)).items():
            if value is not None and value < SHORTEST_S:
                raise _wrong(where, f"{statistic} {shown}", f"no latency is {value:.3g} s")


def _notes(run: Measurement) -> Iterator[str]:
    parts = _parts_s(run, run.ttft.mean, run.tpot.mean)
    if run.e2el.mean and parts:
        gap = parts / run.e2el.mean - 1
        if abs(gap) > NOTED:
            yield (
                f"Mean TTFT and TPOT make {show_time(parts)}, "
                f"{abs(gap):.0%} {'more' if gap > 0 else 'less'} than the mean E2EL of {show_time(run.e2el.mean)}."
            )
    if run.failed:
        of = "" if run.completed is None else f" of {run.failed + run.completed:,}"
        yield f"{run.failed:,}{of} requests failed; the numbers are of the others."
    ttft, parts = _central(run.ttft), _parts_s(run, _central(run.ttft), _central(run.tpot))
    if ttft and parts and ttft >= LONG_TTFT_S and ttft > parts / 2 and (run.concurrency or 2) > 1:
        yield (
            f"TTFT of {show_time(ttft)} is longer than the {show_time(parts - ttft)} of generation after it: "
            "at this load it holds waiting in the server's queue."
        )
