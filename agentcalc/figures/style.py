"""What a reader sets on a figure: axes, limits, unit, order, colours, names, titles. Nothing set: as it is."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, PrivateAttr

from agentcalc.documents import load, parse
from agentcalc.errors import echo
from agentcalc.provenance import Frozen
from agentcalc.units import SECONDS_IN

UNITS = ("s", "min", "h")
MOST_NAMES = 60
LONGEST_TITLE, LONGEST_SUBTITLE, LONGEST_LABEL = 200, 400, 80
_END = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)?\s*([a-zµμ]*)\s*")
_COLOUR = re.compile(r"#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})")


@dataclass(frozen=True)
class Limits:
    """Both ends of an axis, None where the figure decides. seconds: they were written with a unit of time, and stand
    here in s; else they are in the unit of the axis.
    """

    low: float | None = None
    high: float | None = None
    seconds: bool = False

    def written(self) -> str:
        """As :func:`read_limits` reads it."""
        sign = "s" if self.seconds else ""
        return ":".join("" if end is None else f"{end:.12g}{sign}" for end in (self.low, self.high))


def read_limits(given: Any) -> Limits | None:
    """Limits of "0:90", ":90", "0:5min", or a list of two numbers. Raises ValueError with what would do."""
    if given is None or isinstance(given, Limits):
        return given
    remedy = "write low:high, such as 0:90, :90 or 0:5min, or a list such as [0, 90]"
    if isinstance(given, str) and given.count(":") == 1:
        ends = given.split(":")
    elif isinstance(given, list | tuple) and len(given) == 2:
        ends = ["" if end is None else end for end in given]
    else:
        raise ValueError(f"{echo(given)} is no pair of limits; {remedy}")
    read = [_end(end, given, remedy) for end in ends]
    timed = any(sign for _, sign in read)
    low, high = (None if value is None else value * SECONDS_IN[sign or "s"] for value, sign in read)
    if low is None and high is None:
        raise ValueError(f"{echo(given)} has no number; {remedy}")
    if low is not None and high is not None and low >= high:
        raise ValueError(f"{echo(given)} leaves nothing: the first is not below the second; {remedy}")
    if timed and any(value is not None and value != 0 and not sign for value, sign in read):
        raise ValueError(f"{echo(given)} has a unit at one end only; write it at both, such as 2min:5min")
    return Limits(low, high, timed)


def _end(end: Any, given: Any, remedy: str) -> tuple[float | None, str]:
    if isinstance(end, int | float) and not isinstance(end, bool):
        number, sign = float(end), ""
    else:
        match = _END.fullmatch(end) if isinstance(end, str) else None
        if match is None or (match[2] and (match[1] is None or match[2] not in SECONDS_IN)):
            raise ValueError(f"{echo(given)} is no pair of limits; {remedy}")
        if match[1] is None:
            return None, ""
        number, sign = float(match[1]), match[2]
    if not math.isfinite(number):
        raise ValueError(f"{echo(given)} is not finite; {remedy}")
    return number, sign


def read_colour(given: Any) -> str:
    """#RRGGBB of a colour. Raises ValueError with what would do."""
    if not isinstance(given, str) or not _COLOUR.fullmatch(given.strip()):
        raise ValueError(f"{echo(given)} is not a colour; write #RRGGBB, such as '#7a1fa2' (in a file with the quotes)")
    digits = given.strip()[1:].upper()
    return "#" + (digits if len(digits) == 6 else "".join(2 * d for d in digits))


def read_line(given: Any, most: int) -> str:
    """A text of one line, without characters that could turn it around. Raises ValueError with what would do."""
    plain = isinstance(given, str) and given.strip() and all(c.isprintable() or c == "\xa0" for c in given)
    if not plain or len(given) > most:
        raise ValueError(f"found {echo(given)}; write one line of at most {most} plain characters")
    return given


def _pairs(given: Any, what: str, read) -> tuple[tuple[str, str], ...]:
    if isinstance(given, dict):
        given = tuple(given.items())
    if not isinstance(given, tuple):
        raise ValueError(f"no {what} by name; write them as name: {what.removesuffix('s')}, one a line")
    if len(given) > MOST_NAMES:
        raise ValueError(f"there are {len(given)} {what}; write at most {MOST_NAMES}")
    found: dict[str, str] = {}
    for name, value in given:
        if not isinstance(name, str) or not name.strip():
            raise ValueError(f"{echo(name)} is not a name; write text, in quotes where it could be a number")
        if found.get(name, value) != value:
            raise ValueError(f"{echo(name)} is given twice; keep one of the two")
        try:
            found[name] = read(value)
        except ValueError as error:
            raise ValueError(f"{echo(name)}: {error}") from None
    return tuple(found.items())


def _names(given: Any) -> tuple[str, ...]:
    given = tuple(given) if isinstance(given, list) else given
    if not isinstance(given, tuple) or not all(isinstance(name, str) and name.strip() for name in given):
        raise ValueError("no list of names; write the names in their order, such as [GB300, Jalapeño]")
    if len(set(given)) < len(given) or len(given) > MOST_NAMES:
        raise ValueError(f"a name stands twice, or there are more than {MOST_NAMES}; name each once")
    return given


def _title(given: Any) -> str:
    return "" if given == "" else read_line(given, LONGEST_TITLE)


def _subtitle(given: Any) -> str:
    return "" if given == "" else read_line(given, LONGEST_SUBTITLE)


def _colours(given: Any) -> tuple[tuple[str, str], ...]:
    return _pairs(given, "colours", read_colour)


def _labels(given: Any) -> tuple[tuple[str, str], ...]:
    return _pairs(given, "labels", lambda text: read_line(text, LONGEST_LABEL).strip())


Scale = Literal["log", "linear"]
Span = Annotated[Limits | None, BeforeValidator(read_limits)]
Pairs = tuple[tuple[str, str], ...]


class Style(Frozen):
    """What is set; a figure refuses what has no meaning for it.

    unit: of the axis in time; order: names that come first, the others follow as they were; colours, labels: by the
    name of a system, of a kind of time ("tools"), of a step or an input.
    """

    title: Annotated[str, BeforeValidator(_title)] = ""
    subtitle: Annotated[str, BeforeValidator(_subtitle)] = ""
    x_scale: Scale | None = None
    y_scale: Scale | None = None
    x_limits: Span = None
    y_limits: Span = None
    unit: Literal["auto", "s", "min", "h"] = "auto"
    order: Annotated[tuple[str, ...], BeforeValidator(_names)] = Field(default=())
    colours: Annotated[Pairs, BeforeValidator(_colours)] = ()
    labels: Annotated[Pairs, BeforeValidator(_labels)] = ()

    _where: str = PrivateAttr("")
    _shared: bool = PrivateAttr(False)

    @property
    def where(self) -> str:
        """The file it was read from, for errors; "" where it was set on one figure."""
        return self._where

    @property
    def shared(self) -> bool:
        """Whether it is one of a team's for many figures, so that it may name what a figure does not have."""
        return self._shared

    def for_many(self) -> Style:
        """The same, for figures some of which lack some of the names."""
        found = self.model_copy()
        found._shared = True
        return found

    @property
    def plain(self) -> bool:
        """Whether nothing is set."""
        return not fields_of([self])


PLAIN = Style()


def style_of(where: str = "", **fields: Any) -> Style:
    """A style from plain values. Raises InputError, with the field, for one that is wrong."""
    return parse(Style, {name: value for name, value in fields.items() if value not in (None, ())}, where)


def read_style(source: Path | str | bytes, *, where: str | None = None) -> Style:
    """The style of a YAML or JSON file, which may name systems that only some figures have.

    Raises InputError with the file and the place in it, and NotFoundError where there is no such file.
    """
    where = where or ("the text" if isinstance(source, bytes) else str(source))
    found = parse(Style, load(source, where=where), where)
    found._where, found._shared = where, True
    return found


def fields_of(styles: Iterable[Style]) -> set[str]:
    """Names of the fields that any of some styles sets."""
    return {name for style in styles for name in Style.model_fields if getattr(style, name) != getattr(PLAIN, name)}
