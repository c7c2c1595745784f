"""A serving system for one model: accelerator, model, precision, software and operating points."""

from __future__ import annotations

from itertools import pairwise, product
from typing import Annotated, Literal

from pydantic import Field, model_validator

from agentcalc.errors import Fault, NotFoundError, echo
from agentcalc.points import Measured, OperatingPoint, Table, between, curves, missed, quick
from agentcalc.provenance import Frozen, Id, Line, Name, Number, Source, weakest
from agentcalc.units import SECONDS_IN

SystemId = Annotated[
    str, Field(max_length=120, pattern=r"^[a-z0-9][a-z0-9._-]*(/[a-z0-9][a-z0-9._-]*)?(@[0-9]+)?(\+tails)?$")
]


class Capacity(Frozen):
    """Work per kilowatt that somebody states for an operating point: input and output tokens together.

    basis: which power it is divided by, the chip's own (tdp) or everything around it too (all-in); the two are never
    mixed. at: which operating point, in words; speed: tok/s/user there, None: not stated.
    """

    mixed: Number
    basis: Literal["tdp", "all-in"]
    at: Line
    speed: Number | None = None

    @model_validator(mode="after")
    def _check(self) -> Capacity:
        if self.mixed.unit != "tok/s/kW":
            raise ValueError(f"mixed is in {self.mixed.unit}; use tok/s/kW, input and output tokens together")
        if self.speed is not None and self.speed.unit != "tok/s/user":
            raise ValueError(f"speed is in {self.speed.unit}; use tok/s/user")
        return self


class System(Frozen):
    """A serving system.

    label: short name for sentences ("Jalapeño"); points: the first is in use; fixed_share: the part of TTFT that does
    not grow with the prompt, needed unless every point has its TTFT at several lengths; overhead: seconds added to each
    call; tails: whether calls differ from one another as the points' spreads say; mtp: whether it predicts several
    tokens at once, None: not said; capacity: stated work per kilowatt; headline: why its numbers differ from a
    published headline; notes: caveats a reader must see.
    """

    id: SystemId
    label: Name
    accelerator: Name
    vendor: Name | None = None
    model: Id | None = None
    model_label: Name | None = None
    precision: Name | None = None
    software: Name | None = None
    mtp: bool | None = None
    points: Annotated[tuple[OperatingPoint, ...], Field(strict=False, min_length=1)]
    fixed_share: Number | None = None
    overhead: Number | None = None
    tails: bool = False
    capacity: Annotated[tuple[Capacity, ...], Field(strict=False)] = ()
    measured: Measured | None = None
    headline: Annotated[str, Field(max_length=1000)]
    notes: Annotated[tuple[Line, ...], Field(strict=False)] = ()
    sources: Annotated[tuple[Source, ...], Field(strict=False)] = ()
    """Sources of the file's own, beside the packaged ones."""

    @model_validator(mode="after")
    def _check(self) -> System:
        share = self.fixed_share
        if share is None and any(point.ttft_over_prompt is None for point in self.points):
            raise ValueError("fixed_share is missing: give it, or ttft_over_prompt for every point")
        if share is not None and share.unit != "share":
            raise ValueError(f"fixed_share is in {share.unit}; it is a share: unit must be share, value 0 to 1")
        if share is not None and max(share.value, *(share.band or (0.0,))) > 1:
            raise ValueError("fixed_share is above 1; it is the part of TTFT that does not grow with the prompt")
        if self.overhead is not None and self.overhead.unit not in SECONDS_IN:
            raise ValueError(f"overhead is in {self.overhead.unit}; it is a time: use s, ms or us")
        seen = [(point.configuration, point.concurrency) for point in self.points]
        if len(set(seen)) != len(seen):
            raise ValueError("two points have the same concurrency and configuration; keep one")
        if self.tails and self.point.ttft_spread is None and self.point.tpot_spread is None:
            raise ValueError("tails is on, but the point in use says nothing of how calls differ: give ttft_spread")
        return self

    @property
    def parts(self) -> tuple[System, ...]:
        """The systems in it: itself."""
        return (self,)

    def for_role(self, role: str) -> System:
        """The system that serves a role: a bare system serves every one."""
        return self

    @property
    def point(self) -> OperatingPoint:
        """The operating point in use: the first."""
        return self.points[0]

    @property
    def curve(self) -> tuple[OperatingPoint, ...]:
        """The points whose concurrency is known, by rising concurrency."""
        known = [point for point in self.points if point.concurrency is not None]
        return tuple(sorted(known, key=lambda point: point.concurrency))

    def at(self, concurrency: int) -> System:
        """The system at a concurrency: a measured point, or one between two measured neighbours of one configuration.

        Where several configurations have one, a measured point comes before an interpolated one, then the one that
        finishes an 8k/1k call first. Never beyond the ends: raises NotFoundError where there is none.
        """
        exact = [point for point in self.curve if point.concurrency == concurrency]
        found = exact or [between(a, b, concurrency, self._missed()) for a, b in self._around(concurrency)]
        if not found:
            raise NotFoundError(self._no_point(concurrency))
        best = min(found, key=quick)
        name = f"{self.id.partition('@')[0]}@{concurrency}"
        label = f"{self.label.partition('@')[0]}@{concurrency}"
        return self.model_copy(update={"id": name, "label": label, "points": (best,), "tails": False})

    def _around(self, concurrency: int) -> list[tuple[OperatingPoint, OperatingPoint]]:
        """Pairs of measured neighbours of one configuration with a concurrency between them."""
        pairs = (pair for curve in curves(self.points) for pair in pairwise(curve))
        return [(a, b) for a, b in pairs if a.concurrency < concurrency < b.concurrency]

    def _missed(self) -> str:
        found = missed(self.points)
        return "" if found is None else f"; {found}"

    def _no_point(self, concurrency: int) -> Fault:
        where, known = f"{self.id}@{concurrency}", [point.concurrency for point in self.curve]
        if not known:
            return Fault(where, "", "its load is not published, so it has no curve", f"use {self.id} without @")
        measured = ", ".join(str(c) for c in dict.fromkeys(known))
        found = f"no operating point at concurrency {concurrency}"
        if known[0] < concurrency < known[-1]:
            found += ", and its neighbours are of different configurations"
        remedy = f"use {self.id} or a concurrency of {measured}" + (
            ", or between" if any(len(c) > 1 for c in curves(self.points)) else ""
        )
        return Fault(where, "", found, remedy)

    def varied(self) -> System:
        """The system whose calls differ from one another as measured. Raises NotFoundError when nobody measured it."""
        if self.point.ttft_spread is None and self.point.tpot_spread is None:
            found = "nobody measured how its calls differ from one another"
            raise NotFoundError(Fault(f"{self.id}+tails", "", found, f"use {self.id}"))
        return self.model_copy(update={"id": f"{self.id.partition('+')[0]}+tails", "tails": True})

    def numbers(self) -> tuple[tuple[str, Number], ...]:
        """Every number a call on this system rests on, by name: ttft, fixed_share, tpot and overhead.

        A TTFT measured at several lengths needs no share; a table's grade stands for its number where it is weaker.
        """
        point = self.point
        found = [("ttft", _graded(point.ttft, point.ttft_over_prompt))]
        if self.fixed_share is not None and point.ttft_over_prompt is None:
            found.append(("fixed_share", self.fixed_share))
        found.append(("tpot", _graded(point.tpot, point.tpot_over_context)))
        if self.overhead is not None:
            found.append(("overhead", self.overhead))
        return tuple(found)

    def unknowns(self) -> tuple[str, ...]:
        """Names of the numbers that carry a band."""
        return tuple(name for name, number in self.numbers() if number.band is not None)

    def corners(self) -> tuple[dict[str, float], ...]:
        """Every combination of the low (0.0) and high (1.0) ends of the unknowns; none without unknowns."""
        names = self.unknowns()
        return tuple(dict(zip(names, ends, strict=True)) for ends in product((0.0, 1.0), repeat=len(names)) if names)

    def scaled(self, *, ttft: float = 1.0, speed: float = 1.0) -> System:
        """The system with TTFT and tok/s/user multiplied; what is changed is graded assumed. ttft, speed > 0."""
        point = self.point.scaled(ttft=ttft, tpot=1 / speed)
        return self if point is self.point else self.model_copy(update={"points": (point,)})


def _graded(number: Number, table: Table | None) -> Number:
    """A number with the grade of the table it stands for."""
    if table is None:
        return number
    weaker = weakest((number.grade, table.grade))
    return number if weaker is number.grade else number.model_copy(update={"grade": weaker, "note": table.note})


_OF_MAIN = {"accelerator", "vendor", "model", "model_label", "precision", "software", "mtp", "point", "fixed_share"}


class Deployment(Frozen):
    """Which system serves which role of a task: ``main=A,router=B``."""

    id: Annotated[str, Field(max_length=400)]
    label: Name
    roles: Annotated[tuple[tuple[Name, System], ...], Field(strict=False, min_length=1)]

    @property
    def parts(self) -> tuple[System, ...]:
        """The different systems in it, in the order of their roles."""
        return tuple(dict.fromkeys(system for _, system in self.roles))

    @property
    def main(self) -> System:
        """The system of the role ``main``, or else the first: what a sentence says of the whole deployment."""
        return dict(self.roles).get("main", self.roles[0][1])

    @property
    def sources(self) -> tuple[Source, ...]:
        """The sources that its systems bring along."""
        return tuple({source.id: source for system in self.parts for source in system.sources}.values())

    def __getattr__(self, name: str):
        # What a reader sees of a deployment beside its label (model, vendor, point) is that of its main system.
        if name in _OF_MAIN:
            return getattr(self.main, name)
        return super().__getattr__(name)

    def for_role(self, role: str) -> System:
        """The system that serves a role. Raises NotFoundError for a role that nobody serves."""
        for name, system in self.roles:
            if name == role:
                return system
        have = ", ".join(name for name, _ in self.roles)
        remedy = f"add {role}=SYSTEM; it has {have}"
        raise NotFoundError(Fault(self.id, "", f"no system serves the role {echo(role)} of this task", remedy))


Spec = System | Deployment
"""What a task can be played on."""
