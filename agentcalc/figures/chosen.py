"""What a reader has set on one figure, in the figure's own terms: what draw functions ask for."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from agentcalc.units import SECONDS_IN

Scale = Literal["log", "linear"]
Ends = tuple[float | None, float | None]


@dataclass(frozen=True)
class Span:
    """What an axis shows, from low to high in the unit of the data, and whether it is logarithmic.

    given: it is not what the figure shows by itself; cut: its low end is not where it would be, so that what starts at
    0 seems to start later.
    """

    low: float
    high: float
    log: bool = False
    given: bool = False
    cut: bool = False

    @property
    def type(self) -> dict[str, str]:
        """Options of a scale."""
        return {"type": "log"} if self.log else {}

    @property
    def domain(self) -> list[float]:
        return [self.low, self.high]

    def share(self, value: float) -> float:
        """How far below the high end a value lies: 0 there, 1 at the low end."""
        if self.log:
            return math.log(self.high / value) / math.log(self.high / self.low)
        return (self.high - value) / (self.high - self.low)

    def place(self, value: float) -> float:
        """How far above the low end a value lies: 0 there, 1 at the high end."""
        if self.log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def back(self, place: float) -> float:
        """The value at a place, the other way round."""
        if self.log:
            return self.low * (self.high / self.low) ** place
        return self.low + place * (self.high - self.low)

    def inside(self, value: float) -> bool:
        return self.low <= value <= self.high

    def held(self, value: float) -> float:
        """The value, or the end it lies beyond."""
        return min(max(value, self.low), self.high)


@dataclass(frozen=True)
class Chosen:
    """Everything set; without arguments nothing is.

    unit: of time axes, "" as the figure would; order: keys that come first; colours: by slot ("candidate",
    "fill:tool", "own:KEY"); labels: a system's, step's or other name by its key; kinds: a kind of time's by its id.
    """

    x_scale: Scale | None = None
    y_scale: Scale | None = None
    x_limits: Ends = (None, None)
    y_limits: Ends = (None, None)
    unit: str = ""
    order: tuple[str, ...] = ()
    colours: tuple[tuple[str, str], ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    kinds: Mapping[str, str] = field(default_factory=dict)

    def span(
        self, axis: Literal["x", "y"], low: float, high: float, log: bool = False, other_low: float | None = None
    ) -> Span:
        """What an axis shows that by itself goes from low to high, logarithmic or not; other_low: where it starts when
        it has the other scale: at 0 when it is linear, unless that is said.
        """
        scale, (first, last) = (self.x_scale, self.x_limits) if axis == "x" else (self.y_scale, self.y_limits)
        if scale is None and first is None and last is None:
            return Span(low, high, log)
        is_log = log if scale is None else scale == "log"
        if is_log != log:
            low = other_low if other_low is not None else low if is_log else 0.0
        start = low if first is None else first
        cut = not is_log and start > max(low, 0.0)
        return Span(start, high if last is None else last, is_log, True, cut)

    def name(self, key: str) -> str:
        """What a system, a step or whatever else has a name is called."""
        return self.labels.get(key, key)

    def words(self, words: Mapping[str, str]) -> Mapping[str, str]:
        """Words of kinds of time by id, with the reader's own."""
        return {**words, **{kind: said for kind, said in self.kinds.items() if kind in words}} if self.kinds else words

    def arranged(self, keys: Iterable[str]) -> tuple[str, ...]:
        """The keys, those that were named first, the others as they were."""
        keys = tuple(keys)
        if not self.order:
            return keys
        return (*(key for key in self.order if key in keys), *(key for key in keys if key not in self.order))

    def seconds_in(self, unit: str) -> float:
        return SECONDS_IN[unit]


NOTHING = Chosen()


def reworded(text: str, words: Mapping[str, str], known: Iterable[str]) -> str:
    """A text in which whole names are replaced; known: all names, so that one is not taken for a part of another."""
    names = sorted({*words, *known}, key=len, reverse=True)
    if not words or not names:
        return text
    found = re.compile(rf"(?<!\w)({'|'.join(re.escape(name) for name in names)})(?!\w)", re.IGNORECASE)
    exact = {**{name.casefold(): name for name in names}}

    def said(match: re.Match) -> str:
        name = exact[match[0].casefold()]
        new = words.get(name)
        if new is None:
            return match[0]
        return new[0].upper() + new[1:] if match[0] != name and match[0][:1].isupper() else new

    return found.sub(said, text)
