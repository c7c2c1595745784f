"""Operating points of a system: TTFT and TPOT at a load, as measured or between two measured neighbours."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median
from typing import Annotated, Literal

from pydantic import Field, model_validator

from agentcalc.provenance import LARGEST, SMALLEST, Frozen, Grade, Id, Name, Number
from agentcalc.units import SECONDS_IN

BENCHMARK_OUTPUT = 922
"""Tokens an "8k/1k" call writes (benchmark facts, section 2)."""
Tokens = Annotated[int, Field(ge=0, le=100_000_000)]
Concurrency = Annotated[int, Field(ge=1, le=1_000_000)]


class Range(Frozen):
    """Token counts between which a number was measured, both included."""

    low: Tokens
    high: Tokens

    @model_validator(mode="after")
    def _check(self) -> Range:
        if self.low > self.high:
            raise ValueError(f"low {self.low} is above high {self.high}; exchange them")
        return self


class Measured(Frozen):
    """The range of prompts that the numbers were measured on; results say "extrapolated" outside it."""

    uncached_tokens: Range
    context_tokens: Range


class Table(Frozen):
    """A time measured at several token counts, interpolated in straight lines between them.

    tokens rise; values, in ``unit`` (s, ms or us), belong to them one by one.
    """

    tokens: Annotated[tuple[Tokens, ...], Field(strict=False, min_length=2, max_length=200)]
    values: Annotated[tuple[float, ...], Field(strict=False, min_length=2, max_length=200)]
    unit: Literal["us", "ms", "s"]
    grade: Annotated[Grade, Field(strict=False)]
    source: Id
    note: Annotated[str, Field(max_length=1000)] | None = None

    @model_validator(mode="after")
    def _check(self) -> Table:
        if len(self.tokens) != len(self.values):
            raise ValueError(f"{len(self.tokens)} tokens and {len(self.values)} values; give one value for each")
        if any(a >= b for a, b in zip(self.tokens, self.tokens[1:], strict=False)):
            raise ValueError("tokens must rise, each longer than the one before")
        for value in self.values:
            if not SMALLEST <= value <= LARGEST:
                raise ValueError(f"{value:g} is out of reach; write a number from {SMALLEST:g} to {LARGEST:g}")
        return self

    def seconds(self) -> tuple[tuple[float, float], ...]:
        """(tokens, seconds) of each measurement, in rising order."""
        return tuple((float(n), v * SECONDS_IN[self.unit]) for n, v in zip(self.tokens, self.values, strict=True))

    def scaled(self, k: float) -> Table:
        """Every value k times, graded assumed."""
        note = f"changed by hand: {k:g} times the measured values"
        return self.model_copy(
            update={"values": tuple(v * k for v in self.values), "grade": Grade.ASSUMED, "note": note}
        )


class CallSpread(Frozen):
    """How a latency varies from call to call, in the unit of the number it belongs to, which is its mean.

    Raises ValueError when the percentiles do not rise.
    """

    p50: Annotated[float, Field(gt=0)]
    p90: Annotated[float, Field(gt=0)] | None = None
    p95: Annotated[float, Field(gt=0)] | None = None
    p99: Annotated[float, Field(gt=0)]

    @model_validator(mode="after")
    def _check(self) -> CallSpread:
        given = [x for x in (self.p50, self.p90, self.p95, self.p99) if x is not None]
        if sorted(given) != given:
            raise ValueError("percentiles must rise from p50 to p99")
        return self


class OperatingPoint(Frozen):
    """One operating point: concurrency (None: not published) with its mean TTFT, at a prompt of so many uncached
    tokens, and mean TPOT.

    chips: accelerators the point runs on; None: not published. configuration: everything else that must be equal for
    two points to be neighbours of one curve (layout, parallelism, date of the software). throughput: input and output
    tokens a second and chip. ttft_spread, tpot_spread: from call to call. ttft_over_prompt: TTFT at several uncached
    prompt lengths; tpot_over_context: TPOT at several prompt lengths. between: the measured concurrencies an
    interpolated point lies between; None: measured itself.
    """

    concurrency: Concurrency | None = None
    chips: Annotated[int, Field(ge=1)] | None = None
    configuration: Name | None = None
    ttft: Number
    ttft_at_tokens: Annotated[int, Field(ge=1)]
    ttft_spread: CallSpread | None = None
    ttft_over_prompt: Table | None = None
    tpot: Number
    tpot_spread: CallSpread | None = None
    tpot_over_context: Table | None = None
    throughput: Number | None = None
    between: Annotated[tuple[Concurrency, Concurrency], Field(strict=False)] | None = None

    @model_validator(mode="after")
    def _check(self) -> OperatingPoint:
        if self.ttft.unit not in SECONDS_IN:
            raise ValueError(f"ttft is in {self.ttft.unit}; it is a time: use s, ms or us")
        if self.tpot.unit not in (*SECONDS_IN, "tok/s/user"):
            raise ValueError(f"tpot is in {self.tpot.unit}; use ms per token, or tok/s/user")
        if self.tpot.unit == "tok/s/user" and (self.tpot.value == 0 or (self.tpot.band and self.tpot.band[0] == 0)):
            raise ValueError("tpot is 0 tok/s/user; a system that writes nothing cannot be compared")
        if min(self.ttft.value, self.tpot.value) == 0 and self.concurrency is not None:
            raise ValueError("a latency of 0 was never measured; leave the point out, or its concurrency")
        if self.throughput is not None and self.throughput.unit != "tok/s/chip":
            raise ValueError(
                f"throughput is in {self.throughput.unit}; use tok/s/chip, input and output tokens together"
            )
        if self.tpot_spread is not None and self.tpot.unit == "tok/s/user":
            raise ValueError("tpot_spread needs tpot in s, ms or us: the slow tail of a time is no tail of a rate")
        return self

    def scaled(self, ttft: float = 1.0, tpot: float = 1.0) -> OperatingPoint:
        """The point with its times multiplied; what is changed is graded assumed. ttft, tpot > 0."""
        update = {}
        if ttft != 1:
            update |= {"ttft": _by_hand(self.ttft, ttft), "ttft_spread": _spread_times(self.ttft_spread, ttft)}
            update["ttft_over_prompt"] = self.ttft_over_prompt and self.ttft_over_prompt.scaled(ttft)
        if tpot != 1:
            k = 1 / tpot if self.tpot.unit == "tok/s/user" else tpot
            update |= {"tpot": _by_hand(self.tpot, k), "tpot_spread": _spread_times(self.tpot_spread, tpot)}
            update["tpot_over_context"] = self.tpot_over_context and self.tpot_over_context.scaled(tpot)
        return self.model_copy(update=update) if update else self


def _by_hand(number: Number, k: float) -> Number:
    band = None if number.band is None else (number.band[0] * k, number.band[1] * k)
    note = f"changed by hand: {k:g} times {number.value:g} {number.unit}"
    return number.model_copy(update={"value": number.value * k, "band": band, "note": note, "grade": Grade.ASSUMED})


def _spread_times(spread: CallSpread | None, k: float) -> CallSpread | None:
    return spread and CallSpread(**{name: v * k for name, v in spread.model_dump(exclude_none=True).items()})


def between(low: OperatingPoint, high: OperatingPoint, concurrency: int, missed: str = "") -> OperatingPoint:
    """The point at a concurrency between two measured ones: each number log-log, a straight line of its logarithm over
    that of the concurrency. It is derived, and its notes say "interpolated"; missed: how well that works, added there.

    Percentiles are interpolated like the means, tables over lengths where both have the same lengths. low and high
    carry concurrencies, in rising order, and equal ttft_at_tokens.
    """
    share = math.log(concurrency / low.concurrency) / math.log(high.concurrency / low.concurrency)
    note = f"interpolated between concurrency {low.concurrency} and {high.concurrency}{missed}"

    def mid(a: float, b: float) -> float:
        return a ** (1 - share) * b**share

    def time(a: Number, b: Number) -> Number:
        band = None
        if a.band or b.band:
            band = tuple(mid(a.seconds(end), b.seconds(end)) for end in (0.0, 1.0))
        unknown = a.unknown or b.unknown
        value = mid(a.seconds(), b.seconds())
        rests = {"grade": Grade.DERIVED, "source": a.source, "note": note}
        return Number(value=value, unit="s", band=band and tuple(sorted(band)), unknown=unknown, **rests)

    def spread(which: str) -> CallSpread | None:
        a, b = (_in_seconds(getattr(p, f"{which}_spread"), getattr(p, which).unit) for p in (low, high))
        if a is None or b is None:
            return None
        return CallSpread(**{name: mid(a[name], b[name]) for name in a if name in b})

    def table(name: str) -> Table | None:
        a, b = getattr(low, name), getattr(high, name)
        if a is None or b is None or a.tokens != b.tokens:
            return None
        pairs = zip(a.seconds(), b.seconds(), strict=True)
        values = tuple(mid(x, y) for (_, x), (_, y) in pairs)
        return Table(tokens=a.tokens, values=values, unit="s", grade=Grade.DERIVED, source=a.source, note=note)

    throughput = None
    if low.throughput is not None and high.throughput is not None:
        value = mid(low.throughput.value, high.throughput.value)
        throughput = low.throughput.model_copy(
            update={"value": value, "grade": Grade.DERIVED, "note": note, "band": None}
        )
    return OperatingPoint(
        concurrency=concurrency,
        chips=low.chips if low.chips == high.chips else None,
        configuration=low.configuration,
        ttft=time(low.ttft, high.ttft),
        ttft_at_tokens=low.ttft_at_tokens,
        ttft_spread=spread("ttft"),
        ttft_over_prompt=table("ttft_over_prompt"),
        tpot=time(low.tpot, high.tpot),
        tpot_spread=spread("tpot"),
        tpot_over_context=table("tpot_over_context"),
        throughput=throughput,
        between=(low.concurrency, high.concurrency),
    )


def _in_seconds(spread: CallSpread | None, unit: str) -> dict[str, float] | None:
    if spread is None:
        return None
    return {name: value * SECONDS_IN[unit] for name, value in spread.model_dump(exclude_none=True).items()}


def quick(point: OperatingPoint) -> float:
    """Seconds of an 8k/1k call at a point, by its own TTFT and TPOT."""
    return point.ttft.seconds() + (BENCHMARK_OUTPUT - 1) * point.tpot.seconds()


def curves(points: Iterable[OperatingPoint]) -> list[list[OperatingPoint]]:
    """Points whose concurrency is known, those that differ in nothing else together, by rising concurrency."""
    found: dict[tuple[str | None, int], list[OperatingPoint]] = {}
    for point in points:
        if point.concurrency is not None:
            found.setdefault((point.configuration, point.ttft_at_tokens), []).append(point)
    return [sorted(curve, key=lambda point: point.concurrency) for curve in found.values()]


@dataclass(frozen=True)
class Missed:
    """How far interpolation was off where the truth is known: each inner point of a curve left out and predicted from
    its neighbours. Absolute errors as shares, one a point.
    """

    ttft: tuple[float, ...]
    tpot: tuple[float, ...]
    e2el: tuple[float, ...]

    def __str__(self) -> str:
        ttft, tpot, e2el = (f"{median(errors):.0%}" for errors in (self.ttft, self.tpot, self.e2el))
        points = f"{len(self.ttft)} measured point{'s' if len(self.ttft) > 1 else ''}"
        return f"left out and predicted, {points} of it came out {ttft} off in TTFT, {tpot} in TPOT and {e2el} in E2EL"


def missed(points: Iterable[OperatingPoint]) -> Missed | None:
    """Leave-one-out errors over all curves of some points; None where no curve has an inner point."""
    rows = []
    for curve in curves(points):
        for low, truth, high in zip(curve, curve[1:], curve[2:], strict=False):
            guess = between(low, high, truth.concurrency)
            pairs = ((p.ttft.seconds(), p.tpot.seconds(), quick(p)) for p in (guess, truth))
            rows.append([abs(g / t - 1) for g, t in zip(*pairs, strict=True)])
    return Missed(*(tuple(column) for column in zip(*rows, strict=True))) if rows else None
