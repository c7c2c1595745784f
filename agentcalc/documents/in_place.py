"""A system typed in place: ``mine:ttft=0.4s,speed=300``."""

from __future__ import annotations

import re
from collections.abc import Container
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
    where = f"system {echo(text)}"

    def refuse(found: str, remedy: str) -> InputError:
        return InputError(Fault(where, "", found, remedy))

    name, _, rest = text.partition(":")
    label = name.strip()
    slug = re.sub(r"[^a-z0-9._/-]+", "-", label.lower()).strip("-._/")
    if not label or len(label) > 80 or not label.isprintable() or not _SLUG.fullmatch(slug):
        raise refuse(f"{echo(label)} is not a name", f"Write a short name before the colon, as in {_EXAMPLE}")
    if slug in taken:
        raise refuse(f"the name {echo(slug)} belongs to a packaged system", "Choose another name")

    given: dict[str, str] = {}
    for part in rest.split(","):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not key or not value:
            found = f"{echo(part.strip())} is not key=value" if part.strip() else "a part is empty"
            raise refuse(found, f"Write parts such as {', '.join(IN_PLACE_KEYS.values())}")
        if key not in IN_PLACE_KEYS:
            near = get_close_matches(key[:40], IN_PLACE_KEYS, n=1)
            remedy = f"Did you mean '{near[0]}'?" if near else f"The keys are {', '.join(IN_PLACE_KEYS)}"
            raise refuse(f"unknown key {echo(key)}", remedy)
        if key in given:
            raise refuse(f"{echo(key)} is given twice", "Keep one of the two")
        given[key] = value
    if "ttft" not in given:
        raise refuse("ttft is missing", f"Add the time to the first token, such as {IN_PLACE_KEYS['ttft']}")
    if ("speed" in given) == ("tpot" in given):
        remedy = f"Write {IN_PLACE_KEYS['speed']} (tok/s per user) or {IN_PLACE_KEYS['tpot']} (per token)"
        raise refuse("give one of speed and tpot", remedy)

    def seconds(key: str) -> float:
        value = given[key]
        try:
            amount = float(value) if _NUMBER.fullmatch(value) else parse_duration_s(value)
        except ValueError as error:
            found, _, remedy = str(error).partition("; ")
            found = f"{echo(value)} is not a time" if found.startswith("not") else found
            raise refuse(f"{key}: {found}", remedy) from None
        if 0 < amount < 1e-9:
            raise refuse(f"{key}: {echo(value)} is shorter than a billionth of a second", f"Write {IN_PLACE_KEYS[key]}")
        if amount > 1e6:
            raise refuse(f"{key}: {echo(value)} is longer than 1,000,000 s", f"Write {IN_PLACE_KEYS[key]}")
        return amount

    def count(key: str, least: float, whole: bool) -> float:
        value = given[key]
        amount = float(value) if re.fullmatch(r"[0-9]{1,9}" if whole else r"[0-9]{1,9}(\.[0-9]{0,9})?", value) else -1.0
        if amount < least or amount == 0:
            wanted = "a whole number above 0" if whole else "a number above 0"
            raise refuse(f"{key}: {echo(value)} is not {wanted}", f"Write {IN_PLACE_KEYS[key]}")
        return amount

    ttft = seconds("ttft")
    at = int(count("at", 1, True)) if "at" in given else BENCHMARK_PROMPT
    grows = seconds("per_token") * at if "per_token" in given else 0.0
    if grows > ttft * (1 + 1e-9):
        found = f"per_token times {at:,} tokens is {grows:.4g} s, more than ttft {ttft:.4g} s"
        raise refuse(found, "Lower per_token, or give the ttft of a longer prompt with at=")
    share = 1 - grows / ttft if ttft else 1.0
    # All of it grows, but for rounding.
    share = share if share > 1e-9 else 0.0
    if "per_token" in given:
        split = f"the rest of ttft after {given['per_token']} for each of {at:,} tokens"
    else:
        split = "nothing was said about prompt length, so the time to first token is the same at every length"

    def assumed(value: float, unit: str, note: str) -> Number:
        return Number(value=value, unit=unit, grade=Grade.ASSUMED, source=SOURCE, note=note)

    if "speed" in given:
        tpot = assumed(count("speed", 0, False), "tok/s/user", f"typed as speed={given['speed']}")
    else:
        tpot = assumed(seconds("tpot"), "s", f"typed as tpot={given['tpot']}")
    overhead = None
    if "overhead" in given:
        overhead = assumed(seconds("overhead"), "s", f"typed as overhead={given['overhead']}")
    first = assumed(ttft, "s", f"typed as ttft={given['ttft']}")
    return System(
        id=slug,
        label=label,
        accelerator=label,
        points=(OperatingPoint(ttft=first, ttft_at_tokens=at, tpot=tpot),),
        fixed_share=assumed(share, "share", split),
        overhead=overhead,
        headline="Typed in place: nobody has measured it here.",
    )
