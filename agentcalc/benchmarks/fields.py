"""Numbers and words out of an object of a benchmark's file, without trust.

The rules of a number: true and false are none; text is none, except where a format is known to write numbers as text;
NaN and null are absent; what is endless, beyond 1e20 or negative is an error. A latency of zero is absent: it is
what tools write when nothing was measured.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Mapping
from typing import Any

from agentcalc.benchmarks.records import Spread
from agentcalc.errors import Fault, InputError, echo

LARGEST = 1e20
"""No number is above: not tokens, not a time in ns."""
QUICKEST_S, SLOWEST_S = 1e-9, 1e6
"""No latency lies outside: a nanosecond to eleven days."""

PER_SECOND = {"s": 1.0, "ms": 1e3, "us": 1e6, "ns": 1e9}
"""How many of a unit of time make a second."""

LONGEST_TEXT = 200

_LONGEST_NUMBER = 40
_NUMBER = re.compile(r"^\s*[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\s*$")
_DATE = re.compile(r"^\s*(\d{4})-?(\d\d)-?(\d\d)(?!\d)")
_ABSENT = ("", "nan", "none", "null", "n/a", "-")
_ENDLESS = ("inf", "+inf", "-inf", "infinity", "-infinity")


def _written(text: str) -> str | float | None:
    """The number that a text writes out; None where it says that there is none, the text itself where it is neither."""
    short = text.strip().lower()
    if short in _ABSENT:
        return None
    if short in _ENDLESS or (_NUMBER.match(short) and len(short) <= _LONGEST_NUMBER):
        return float(short)
    return text


def number(
    row: Mapping[str, Any], key: str, where: str, *, unit: str = "", text: bool = False, needed: bool = False
) -> float | None:
    """The number at a key, >= 0; None where it is absent, null or NaN.

    unit: s, ms, us or ns of a time, which is turned into s. text: the format writes numbers as text (all CSV does).
    needed: absent is an error too. Raises InputError naming file, key and what was found.
    """
    value = row.get(key)
    if text and isinstance(value, str):
        value = _written(value)
    if value is None or (isinstance(value, float) and math.isnan(value)):
        if needed:
            found = f"there is no {key}" if key not in row else f"{key} is {'null' if value is None else 'NaN'}"
            raise InputError(Fault(where, "", found, "Give a run that measured it"))
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(Fault(where, key, f"{shown(value)} is not a number", "Give the tool's file unchanged"))
    try:
        amount = float(value)
    except OverflowError:
        amount = math.inf
    if not math.isfinite(amount) or amount > LARGEST:
        raise InputError(Fault(where, key, f"{shown(value)} is not a number that can be used", "Give a smaller one"))
    if amount < 0:
        raise InputError(Fault(where, key, f"{shown(value)} is below zero", "Give a number above zero"))
    return amount / PER_SECOND[unit] if unit else amount


def shown(value: Any) -> str:
    """A value in an error: a list or an object by its kind alone, anything else cut short."""
    return "a list or keys" if isinstance(value, dict | list) else echo(value)


def latency(row: Mapping[str, Any], key: str, where: str, *, unit: str, text: bool = False) -> float | None:
    """A time at a key, s; zero is absent, since no request takes no time. Raises InputError as :func:`number` does, and
    for a time that no request takes.
    """
    amount = number(row, key, where, text=text)
    if not amount:
        return None
    seconds = amount / PER_SECOND[unit]
    if not QUICKEST_S <= seconds <= SLOWEST_S:
        raise InputError(Fault(where, key, f"no latency is {seconds:.3g} s", "Is it in another unit?"))
    return seconds


def positive(row: Mapping[str, Any], key: str, where: str, *, text: bool = False) -> float | None:
    """A number above zero at a key; zero is absent. Raises InputError as :func:`number` does."""
    return number(row, key, where, text=text) or None


def count(row: Mapping[str, Any], key: str, where: str, *, text: bool = False) -> int | None:
    """A whole number >= 0 at a key, or None. Raises InputError as :func:`number` does, and for a broken number."""
    amount = number(row, key, where, text=text)
    if amount is None:
        return None
    if amount != int(amount):
        raise InputError(Fault(where, key, f"{amount:g} is not a whole number", "Give the tool's file unchanged"))
    return int(amount)


def spread(
    row: Mapping[str, Any], where: str, *, unit: str, text: bool = False, **keys: str | tuple[str, ...]
) -> Spread:
    """A Spread from the keys of its statistics: ``spread(row, where, unit="ms", mean="mean_ttft_ms", p99=...)``.

    Several keys for one statistic are tried in order. Raises InputError as :func:`number` does.
    """
    found: dict[str, float] = {}
    for statistic, names in keys.items():
        for key in (names,) if isinstance(names, str) else names:
            value = latency(row, key, where, unit=unit, text=text)
            if value is not None:
                found[statistic] = value
                break
    return Spread(**found)


def words(row: Mapping[str, Any], key: str, most: int = LONGEST_TEXT) -> str | None:
    """The text at a key, on one line and cut at ``most`` characters; None where there is none."""
    value = row.get(key)
    if not isinstance(value, str):
        return None
    text = " ".join("".join(c if c.isprintable() or c.isspace() else "?" for c in value[:most]).split())
    return text or None


def day(row: Mapping[str, Any], key: str) -> dt.date | None:
    """The day at a key, from ``2026-02-13...`` or ``20260213-141321``; None where there is none."""
    value = row.get(key)
    match = _DATE.match(value) if isinstance(value, str) else None
    try:
        return dt.date(*map(int, match.groups())) if match else None
    except ValueError:
        return None


def has(row: Any, *keys: str) -> bool:
    """Whether a value is an object with all of some keys."""
    return isinstance(row, dict) and all(key in row for key in keys)


def inner(row: Any, *keys: str) -> dict[str, Any]:
    """The object reached by keys one inside the other; an empty one where the way ends."""
    for key in keys:
        row = row.get(key) if isinstance(row, dict) else None
    return row if isinstance(row, dict) else {}
