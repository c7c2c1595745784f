"""A serving system for one model: accelerator, model, precision, software and operating points."""

from __future__ import annotations

from itertools import product
from typing import Annotated

from pydantic import Field, model_validator

from agentcalc.errors import Fault, NotFoundError, echo
from agentcalc.provenance import Frozen, Grade, Id, Line, Name, Number, Source
from agentcalc.units import SECONDS_IN

SystemId = Annotated[str, Field(max_length=120, pattern=r"^[a-z0-9][a-z0-9._-]*(/[a-z0-9][a-z0-9._-]*)?$")]


class OperatingPoint(Frozen):
    """One operating point: concurrency (None: not published) with its TTFT, at a prompt of so many uncached tokens,
    and TPOT.

    chips: accelerators the point runs on; None: not published.
    """

    concurrency: Annotated[int, Field(ge=1)] | None = None
    chips: Annotated[int, Field(ge=1)] | None = None
    ttft: Number
    ttft_at_tokens: Annotated[int, Field(ge=1)]
    tpot: Number

    @model_validator(mode="after")
    def _check(self) -> OperatingPoint:
        if self.ttft.unit not in SECONDS_IN:
            raise ValueError(f"ttft is in {self.ttft.unit}; it is a time: use s, ms or us")
        if self.tpot.unit not in (*SECONDS_IN, "tok/s/user"):
            raise ValueError(f"tpot is in {self.tpot.unit}; use ms per token, or tok/s/user")
        if self.tpot.unit == "tok/s/user" and (self.tpot.value == 0 or (self.tpot.band and self.tpot.band[0] == 0)):
            raise ValueError("tpot is 0 tok/s/user; a system that writes nothing cannot be compared")
        return self


class Range(Frozen):
    """Token counts between which a number was measured, both included."""

    low: Annotated[int, Field(ge=0)]
    high: Annotated[int, Field(ge=0)]

    @model_validator(mode="after")
    def _check(self) -> Range:
        if self.low > self.high:
            raise ValueError(f"low {self.low} is above high {self.high}; exchange them")
        return self


class Measured(Frozen):
    """The range of prompts that the numbers were measured on; results say "extrapolated" outside it."""

    uncached_tokens: Range
    context_tokens: Range


class System(Frozen):
    """A serving system.

    label: short name for sentences ("Jalapeño"); fixed_share: the part of TTFT that does not grow with the prompt;
    overhead: seconds added to each call; mtp: whether it predicts several tokens at once; headline: why its numbers
    differ from a published headline; notes: caveats a reader must see.
    """

    id: SystemId
    label: Name
    accelerator: Name
    vendor: Name | None = None
    model: Id | None = None
    model_label: Name | None = None
    precision: Name | None = None
    software: Name | None = None
    mtp: bool = False
    points: Annotated[tuple[OperatingPoint, ...], Field(strict=False, min_length=1)]
    fixed_share: Number
    overhead: Number | None = None
    measured: Measured | None = None
    headline: Annotated[str, Field(max_length=1000)]
    notes: Annotated[tuple[Line, ...], Field(strict=False)] = ()
    sources: Annotated[tuple[Source, ...], Field(strict=False)] = ()
    """Sources of the file's own, beside the packaged ones."""

    @model_validator(mode="after")
    def _check(self) -> System:
        share = self.fixed_share
        if share.unit != "share":
            raise ValueError(f"fixed_share is in {share.unit}; it is a share: unit must be share, value 0 to 1")
        if max(share.value, *(share.band or (0.0,))) > 1:
            raise ValueError("fixed_share is above 1; it is the part of TTFT that does not grow with the prompt")
        if self.overhead is not None and self.overhead.unit not in SECONDS_IN:
            raise ValueError(f"overhead is in {self.overhead.unit}; it is a time: use s, ms or us")
        seen = [point.concurrency for point in self.points]
        if len(set(seen)) != len(seen):
            raise ValueError("two points have the same concurrency; keep one")
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

    def at(self, concurrency: int) -> System:
        """The system at one of its operating points. Raises NotFoundError when there is none at this concurrency."""
        chosen = [point for point in self.points if point.concurrency == concurrency]
        if chosen:
            return self.model_copy(update={"points": tuple(chosen)})
        known = [str(point.concurrency) for point in self.points if point.concurrency is not None]
        remedy = f"use {self.id} or a concurrency of {', '.join(known)}" if known else f"use {self.id} without @"
        found = f"no operating point at concurrency {concurrency}" if known else "its load is not published"
        raise NotFoundError(Fault(f"{self.id}@{concurrency}", "", found, remedy))

    def numbers(self) -> tuple[tuple[str, Number], ...]:
        """Every number a call on this system rests on, by name: ttft, fixed_share, tpot and overhead."""
        found = [("ttft", self.point.ttft), ("fixed_share", self.fixed_share), ("tpot", self.point.tpot)]
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

        def change(number: Number, k: float) -> Number:
            band = None if number.band is None else (number.band[0] * k, number.band[1] * k)
            note = f"changed by hand: {k:g} times {number.value:g} {number.unit}"
            return number.model_copy(
                update={"value": number.value * k, "band": band, "note": note, "grade": Grade.ASSUMED}
            )

        update = {}
        if ttft != 1:
            update["ttft"] = change(self.point.ttft, ttft)
        if speed != 1:
            rate = self.point.tpot.unit == "tok/s/user"
            update["tpot"] = change(self.point.tpot, speed if rate else 1 / speed)
        return self.model_copy(update={"points": (self.point.model_copy(update=update),)}) if update else self


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
