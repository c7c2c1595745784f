"""A system typed in place: ``mine:ttft=0.4s,speed=300``."""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass
from difflib import get_close_matches

from agentcalc.errors import Fault, InputError, echo
from agentcalc.provenance import Grade, Number
from agentcalc.system import OperatingPoint, System
from agentcalc.units import parse_duration_s

SOURCE = "typed-in-place"
"""The source of every number that was typed in place."""

BENCHMARK_PROMPT = 7373
"""Uncached tokens of the nominal 8k prompt, at which a TTFT holds when nothing else is said."""

IN_PLACE_KEYS = {
    "ttft": "ttft=0.4s",
    "speed": "speed=300",
    "tpot": "tpot=3ms",
    "at": f"at={BENCHMARK_PROMPT}",
    "per_token": "per_token=12us",
    "overhead": "overhead=50ms",
}
_EXAMPLE = "mine:ttft=0.4s,speed=300"

_NUMBER = re.compile(r"([0-9]+\.?[0-9]*|\.[0-9]+)(e-?[0-9]+)?")
_SLUG = re.compile(r"[a-z0-9][a-z0-9._-]*(/[a-z0-9][a-z0-9._-]*)?")


def read_in_place(text: str, taken: Container[str] = ()) -> System:
    """The system a line such as ``mine:ttft=0.4s,speed=300`` describes; everything in it is graded assumed.

    ttft: time to first token; speed (tok/s/user) or tpot: one of the two; at: the uncached tokens at which ttft holds;
    per_token: how much of it each uncached token adds (without it TTFT is the same at every length); overhead: added to
    each call. Raises InputError, one line naming the part that is wrong.
    """
    name, _, rest = text.partition(":")
    label = name.strip()
    slug = re.sub(r"[^a-z0-9._/-]+", "-", label.lower()).strip("-._/")
    if not label or len(label) > 80 or not label.isprintable() or not _SLUG.fullmatch(slug):
        raise _refused(text, f"{echo(label)} is not a name", f"Write a short name before the colon, as in {_EXAMPLE}")
    if slug in taken:
        raise _refused(text, f"the name {echo(slug)} belongs to a packaged system", "Choose another name")
    typed = _Typed(text, _parts(text, rest))
    ttft = typed.assumed("ttft", "s", typed.seconds("ttft"))
    at = int(typed.count("at", 1, whole=True)) if "at" in typed.given else BENCHMARK_PROMPT
    fixed_share = _fixed_share(typed, ttft.value, at)
    if "speed" in typed.given:
        tpot = typed.assumed("speed", "tok/s/user", typed.count("speed", 0))
    else:
        tpot = typed.assumed("tpot", "s", typed.seconds("tpot"))
    overhead = typed.assumed("overhead", "s", typed.seconds("overhead")) if "overhead" in typed.given else None
    return System(
        id=slug,
        label=label,
        accelerator=label,
        points=(OperatingPoint(ttft=ttft, ttft_at_tokens=at, tpot=tpot),),
        fixed_share=fixed_share,
        overhead=overhead,
        headline="Typed in place: nobody has measured it here.",
    )


def _refused(text: str, found: str, remedy: str) -> InputError:
    return InputError(Fault(f"system {echo(text)}", "", found, remedy))


def _parts(text: str, rest: str) -> dict[str, str]:
    """What stands after the colon by key, none twice, with a TTFT and one speed of writing."""
    given: dict[str, str] = {}
    for part in rest.split(","):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not key or not value:
            found = f"{echo(part.strip())} is not key=value" if part.strip() else "a part is empty"
            raise _refused(text, found, f"Write parts such as {', '.join(IN_PLACE_KEYS.values())}")
        if key not in IN_PLACE_KEYS:
            near = get_close_matches(key[:40], IN_PLACE_KEYS, n=1)
            remedy = f"Did you mean '{near[0]}'?" if near else f"The keys are {', '.join(IN_PLACE_KEYS)}"
            raise _refused(text, f"unknown key {echo(key)}", remedy)
        if key in given:
            raise _refused(text, f"{echo(key)} is given twice", "Keep one of the two")
        given[key] = value
    if "ttft" not in given:
        raise _refused(text, "ttft is missing", f"Add the time to the first token, such as {IN_PLACE_KEYS['ttft']}")
    if ("speed" in given) == ("tpot" in given):
        remedy = f"Write {IN_PLACE_KEYS['speed']} (tok/s per user) or {IN_PLACE_KEYS['tpot']} (per token)"
        raise _refused(text, "give one of speed and tpot", remedy)
    return given


@dataclass(frozen=True)
class _Typed:
    """The line and its parts by key; numbers are read from them, and refused with the line."""

    text: str
    given: dict[str, str]

    def seconds(self, key: str) -> float:
        value = self.given[key]
        try:
            amount = float(value) if _NUMBER.fullmatch(value) else parse_duration_s(value)
        except ValueError as error:
            found, _, remedy = str(error).partition("; ")
            found = f"{echo(value)} is not a time" if found.startswith("not") else found
            raise _refused(self.text, f"{key}: {found}", remedy) from None
        if 0 < amount < 1e-9:
            raise self._wrong(key, "is shorter than a billionth of a second")
        if amount > 1e6:
            raise self._wrong(key, "is longer than 1,000,000 s")
        return amount

    def count(self, key: str, least: float, *, whole: bool = False) -> float:
        value = self.given[key]
        amount = float(value) if re.fullmatch(r"[0-9]{1,9}" if whole else r"[0-9]{1,9}(\.[0-9]{0,9})?", value) else -1.0
        if amount < least or amount == 0:
            raise self._wrong(key, f"is not {'a whole number' if whole else 'a number'} above 0")
        return amount

    def _wrong(self, key: str, what: str) -> InputError:
        return _refused(self.text, f"{key}: {echo(self.given[key])} {what}", f"Write {IN_PLACE_KEYS[key]}")

    def assumed(self, key: str, unit: str, value: float) -> Number:
        return _assumed(value, unit, f"typed as {key}={self.given[key]}")


def _assumed(value: float, unit: str, note: str) -> Number:
    return Number(value=value, unit=unit, grade=Grade.ASSUMED, source=SOURCE, note=note)


def _fixed_share(typed: _Typed, ttft: float, at: int) -> Number:
    """The share of TTFT that does not grow with the prompt."""
    if "per_token" not in typed.given:
        note = "nothing was said about prompt length, so the time to first token is the same at every length"
        return _assumed(1.0, "share", note)
    grows = typed.seconds("per_token") * at
    if grows > ttft * (1 + 1e-9):
        found = f"per_token times {at:,} tokens is {grows:.4g} s, more than ttft {ttft:.4g} s"
        raise _refused(typed.text, found, "Lower per_token, or give the ttft of a longer prompt with at=")
    share = 1 - grows / ttft if ttft else 1.0
    # All of it grows, but for rounding.
    share = share if share > 1e-9 else 0.0
    return _assumed(share, "share", f"the rest of ttft after {typed.given['per_token']} for each of {at:,} tokens")
