"""A system's profile at any load between the measured points of one configuration."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from agentcalc.errors import Fault, NotFoundError, echo
from agentcalc.latency import Profile, along, profile
from agentcalc.points import OperatingPoint, curves
from agentcalc.system import System


@dataclass(frozen=True)
class Along:
    """A system at the points of one configuration, by rising concurrency (at least two).

    left_out: what the curve says and is not used, as a sentence; "" for nothing.
    """

    system: System
    points: tuple[OperatingPoint, ...]
    left_out: str = ""

    @property
    def concurrency(self) -> np.ndarray:
        """Of the points, rising."""
        return np.array([point.concurrency for point in self.points], dtype=float)

    @property
    def ends(self) -> tuple[int, int]:
        """The least and the largest measured concurrency."""
        return self.points[0].concurrency, self.points[-1].concurrency

    @property
    def chips(self) -> int | None:
        """Of the configuration; None where it is not stated, or not the same at every point."""
        found = {point.chips for point in self.points}
        return found.pop() if len(found) == 1 else None

    def at_point(self, index: int) -> System:
        """The system with one of the points in use."""
        return self.system.model_copy(update={"points": (self.points[index],)})

    def measured(self, ends: dict[str, float] | None = None) -> tuple[Profile, ...]:
        """The profile at each point; ends: as of ``latency.profile``."""
        return tuple(profile(self.at_point(i), ends) for i in range(len(self.points)))

    def profile(self, concurrency: float, ends: dict[str, float] | None = None) -> Profile:
        """The profile at a concurrency, each time log-log between its measured neighbours; at the ends beyond them."""
        xs, found = self.concurrency, self.measured(ends)
        at = min(max(concurrency, xs[0]), xs[-1])
        i = min(bisect_right(xs.tolist(), at) - 1, len(xs) - 2)
        part = math.log(at / xs[i]) / math.log(xs[i + 1] / xs[i])
        return _between(found[i], found[i + 1], part)


def along_curve(system: System, configuration: str | None = None) -> Along:
    """The curve of one configuration, by name; without a name the one measured at the most loads, of equals the one
    that reaches furthest. Raises NotFoundError, in one line, where there is none.
    """
    known = [curve for curve in curves(system.points) if len(curve) > 1]
    if not known:
        raise NotFoundError(Fault(system.id, "", _no_curve(system), "name a system measured at several loads"))
    if configuration is not None:
        chosen = [curve for curve in known if curve[0].configuration == configuration]
        if not chosen:
            names = ", ".join(echo(curve[0].configuration) for curve in known)
            found = f"no curve of a configuration {echo(configuration)}"
            raise NotFoundError(Fault(system.id, "", found, f"its curves are {names}"))
        known = chosen
    best = max(known, key=lambda curve: (len(curve), curve[-1].concurrency))
    return Along(system, *_alike(best))


TABLES = ("ttft_over_prompt", "tpot_over_context")


def _alike(curve: list[OperatingPoint]) -> tuple[tuple[OperatingPoint, ...], str]:
    """Points that say alike how times change with lengths, so that load does not change how prompts count; and what was
    left out for it, as a sentence.

    Where both ends of the curve say so, the points that do not are left out; else nobody's word is used.
    """

    def says(point: OperatingPoint) -> int:
        return sum(getattr(point, name) is not None for name in TABLES)

    most = max(map(says, curve))
    full = [point for point in curve if says(point) == most]
    if len(full) == len(curve):
        return tuple(curve), ""
    if full[0] is curve[0] and full[-1] is curve[-1]:
        loads = series([f"{point.concurrency:,}" for point in curve if point not in full])
        return tuple(full), f"Load {loads} is left out: there nobody measured how times change with lengths."
    bare = tuple(point.model_copy(update=dict.fromkeys(TABLES)) for point in curve)
    return bare, "How times change with lengths was measured at some loads only, and is not used."


def series(words: Sequence[str]) -> str:
    """Words as a list in prose: "a", "a and b", "a, b and c"."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _no_curve(system: System) -> str:
    matched = [stated for stated in system.capacity if stated.speed is not None]
    loads = sorted(point.concurrency for point in system.curve)
    if loads:
        found = "its loads, " + ", ".join(str(load) for load in loads) + ", are of different configurations"
        found = f"it was measured at a load of {loads[0]} only" if len(loads) == 1 else found
        return f"no curve over concurrency: {found}, so how many agents it carries is not known"
    found = "no curve over concurrency is stated, so how many agents it carries is not known"
    for stated in matched:
        found += (
            f"; the one matched point is {stated.mixed.value:,.0f} mixed tok/s/kW ({stated.basis}) at "
            f"{stated.speed.value:,.0f} tok/s per user, {stated.at}"
        )
    return found


def _between(low: Profile, high: Profile, part: float) -> Profile:
    def mid(a: float, b: float) -> float:
        return a ** (1 - part) * b**part if a > 0 and b > 0 else a + part * (b - a)

    def table(a, b):
        if a is None or b is None:
            return None
        tokens = sorted({n for n, _ in (*a, *b)})
        return tuple((n, mid(float(along(a, n)), float(along(b, n)))) for n in tokens)

    numbers = {
        name: mid(getattr(low, name), getattr(high, name))
        for name in ("fixed_s", "per_token_s", "tpot_s", "overhead_s")
    }
    numbers |= {name: table(getattr(low, name), getattr(high, name)) for name in ("ttft_table", "tpot_table")}
    # How calls differ from one another is that of the nearer measurement.
    near = low if part < 0.5 else high
    return replace(near, **numbers)
