"""At which load systems are compared: each at its best, at equal concurrency, or at equal work per kilowatt."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log

from agentcalc import catalog
from agentcalc.errors import Fault, InputError, NotFoundError, echo
from agentcalc.points import OperatingPoint, curves, quick
from agentcalc.system import Deployment, Spec, System

BEST = "best"
_WORK = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*tok/s/kw", re.IGNORECASE)


@dataclass(frozen=True)
class Load:
    """A concurrency, or work in tokens a second and kilowatt of package TDP; neither: each at its best."""

    concurrency: int | None = None
    work: float | None = None

    def __str__(self) -> str:
        if self.concurrency is not None:
            return f"All at concurrency {self.concurrency:,}."
        if self.work is not None:
            return f"All where they do about {self.work:,.0f} tokens a second per kilowatt of package TDP."
        return "Each at its best: the point at which it finishes an 8k/1k call first."


def read_load(text: str) -> Load:
    """ "best", "16" (requests in flight at once) or "5000tok/s/kW". Raises InputError for anything else."""
    written = text.strip()
    work = _WORK.fullmatch(written)
    if written == BEST:
        return Load()
    if re.fullmatch(r"[1-9][0-9]{0,6}", written):
        return Load(concurrency=int(written))
    if work and 0 < float(work[1]) < 1e9:
        return Load(work=float(work[1]))
    remedy = "write best, a concurrency such as 16, or work such as 5000tok/s/kW"
    raise InputError(Fault("--at", "", f"{echo(text)} is no load", remedy))


def at_load(specs: Sequence[Spec], load: Load) -> tuple[Spec, ...]:
    """Systems, and those of deployments, at a load. Raises NotFoundError where one has no such point."""
    return tuple(_deployed(spec, load) if isinstance(spec, Deployment) else _placed(spec, load) for spec in specs)


def _deployed(spec: Deployment, load: Load) -> Deployment:
    roles = tuple((role, _placed(system, load)) for role, system in spec.roles)
    where = "" if load.concurrency is None else f"@{load.concurrency}"
    return spec.model_copy(update={"id": f"{spec.id}{where}", "roles": roles})


def _placed(system: System, load: Load) -> System:
    if load.concurrency is not None:
        return system.at(load.concurrency)
    if load.work is not None:
        return system.at(_concurrency_at(system, load.work))
    best = min(system.points, key=quick)
    if best is system.point or best.concurrency is None:
        return system
    return system.model_copy(update={"points": (best, *(p for p in system.points if p is not best))})


def work_per_kw(system: System, point: OperatingPoint) -> float | None:
    """Input and output tokens a second and kilowatt of package TDP at a point; None where nobody measured it."""
    if point.throughput is None:
        return None
    return point.throughput.value / catalog.accelerator(system.accelerator).power_kw("tdp")


def _concurrency_at(system: System, work: float) -> int:
    """The concurrency of a curve nearest to the wanted work per kilowatt, of several the quickest; log-log between
    neighbours, never beyond the ends.
    """
    found: list[tuple[float, int]] = []
    seen: list[float] = []
    for curve in curves(system.points):
        known = [(p, w) for p in curve if (w := work_per_kw(system, p)) is not None]
        seen += [w for _, w in known] if len(known) > 1 else []
        for (a, low), (b, high) in pairwise(known):
            if min(low, high) <= work <= max(low, high):
                share = 0.0 if low == high else _log_share(work, low, high)
                concurrency = round(a.concurrency ** (1 - share) * b.concurrency**share)
                found.append((quick(a) ** (1 - share) * quick(b) ** share, concurrency))
    if not found:
        raise NotFoundError(_nowhere(system, work, seen))
    return min(found)[1]


def _log_share(x: float, low: float, high: float) -> float:
    return log(x / low) / log(high / low)


def _nowhere(system: System, work: float, seen: list[float]) -> Fault:
    where = f"{system.id} at {work:,.0f} tok/s/kW"
    if not seen:
        stated = [f"{c.mixed.value:,.0f} tok/s/kW {c.at}" for c in system.capacity]
        found = "no curve of it says how much work it does" + (f" (stated: {'; '.join(stated)})" if stated else "")
        return Fault(where, "", found, f"compare it at its best: --at {BEST}")
    found = "none of its curves passes there"
    return Fault(where, "", found, f"they go from {min(seen):,.0f} to {max(seen):,.0f} tok/s/kW")
