"""Where a number comes from and how good it is."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from agentcalc.units import SECONDS_IN


def _one_line(text: str) -> str:
    if not all(c.isprintable() for c in text):
        raise ValueError("control or layout characters are not allowed; write plain text on one line")
    if not text.strip():
        raise ValueError("it is empty; write a few words or leave the key out")
    return text


Line = Annotated[str, Field(max_length=400), AfterValidator(_one_line)]
Name = Annotated[str, Field(max_length=80), AfterValidator(_one_line)]
Id = Annotated[str, Field(max_length=80, pattern=r"^[a-z0-9][a-z0-9._-]*$")]


class Frozen(BaseModel):
    """A value read from a file: strict, unchangeable, unknown keys are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class Grade(StrEnum):
    """How good a number is, best first: measured > reported > derived > assumed."""

    MEASURED = "measured"
    REPORTED = "reported"
    DERIVED = "derived"
    ASSUMED = "assumed"

    @property
    def rank(self) -> int:
        return list(Grade).index(self)


def weakest(grades: Iterable[Grade]) -> Grade:
    """The weakest of some grades; measured when there are none."""
    return max(grades, key=lambda g: g.rank, default=Grade.MEASURED)


class Source(Frozen):
    """Who said it, where and when. ``date`` is that of publication or, for a living page, of the copy used.

    A number that was never published (typed in place, measured in one's own house) has no address and may have no date.
    """

    id: Id
    title: Line
    publisher: Line
    address: Annotated[str, Field(max_length=400, pattern=r"^https?://[^\s<>\"']+$")] | None = None
    date: Annotated[dt.date | None, Field(strict=False)] = None
    licence: Line | None = None
    note: Line | None = None


SMALLEST, LARGEST = 1e-9, 1e9
"""Numbers of a system beyond are slips or attacks."""

Unit = Literal["us", "ms", "s", "tok/s/user", "tok/s/chip", "tok/s/kW", "tokens", "share", "W", "kW", "USD/h"]


class Number(Frozen):
    """A number of a system file: value, unit, grade, source and note; ``band`` is (low, high) of what is unknown.

    Raises ValueError when the value lies outside its band or the band is the wrong way round.
    """

    value: float
    unit: Unit
    grade: Annotated[Grade, Field(strict=False)]
    source: Id
    note: Annotated[str, Field(max_length=1000)] | None = None
    band: Annotated[tuple[float, float], Field(strict=False)] | None = None
    unknown: Line | None = None
    """What is unknown, in words that end a sentence: "how its first-token time grows with the prompt"."""

    @model_validator(mode="after")
    def _check(self) -> Number:
        if self.value < 0:
            raise ValueError(f"value {self.value:g} is negative; it must be 0 or more")
        if self.band is not None and not 0 <= self.band[0] <= self.value <= self.band[1]:
            raise ValueError(f"value {self.value:g} must lie inside its band {self.band[0]:g} to {self.band[1]:g}")
        for number in (self.value, *(self.band or ())):
            if not (number == 0 or SMALLEST <= number <= LARGEST):
                raise ValueError(f"{number:g} is out of reach; write 0 or a number from {SMALLEST:g} to {LARGEST:g}")
        if self.unknown and self.band is None:
            raise ValueError("'unknown' says what the band is about; give band: [low, high] too")
        return self

    def at(self, end: float | None) -> float:
        """The value, or the low (0.0) or high (1.0) end of its band."""
        if end is None or self.band is None:
            return self.value
        return self.band[0] + end * (self.band[1] - self.band[0])

    def seconds(self, end: float | None = None) -> float:
        """In seconds; tok/s/user becomes seconds per token. Raises ValueError for a unit that is not a time."""
        value = self.at(end)
        if self.unit == "tok/s/user":
            return 1.0 / value
        if self.unit not in SECONDS_IN:
            raise ValueError(f"{self.unit} is not a time")
        return value * SECONDS_IN[self.unit]
