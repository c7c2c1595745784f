"""Seconds and tokens inside; words and units only at the edge: reading durations, showing numbers.

The rules of showing are those of section 2 of the app's specification: no-break spaces between number and unit,
a real minus, whole seconds for statements about all runs, one decimal for one run.
"""

from __future__ import annotations

import math
import re

NBSP = "\u00a0"
MINUS = "\u2212"
TIMES = "×"

SECONDS_IN = {"us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ms": 1e-3, "s": 1.0, "sec": 1.0, "min": 60.0, "h": 3600.0}
_DURATION = re.compile(r"^\s*([0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?|\.[0-9]+)\s*([a-zµμ]+)\s*$")


def parse_duration_s(text: str) -> float:
    """Seconds of a duration such as ``"300 ms"``, ``"2 min"`` or ``"1.5 h"``.

    Raises ValueError, with what would do, when the text is not a number followed by a unit.
    """
    match = _DURATION.match(text)
    if not match:
        raise ValueError("not a time; write seconds as a number, or a number and a unit such as '300 ms' or '2 min'")
    number, unit = match.groups()
    if unit not in SECONDS_IN:
        raise ValueError(f"'{unit}' is not a unit of time; use us, ms, s, min or h")
    return float(number) * SECONDS_IN[unit]


def show_time(seconds: float, *, one_run: bool = False, more: int = 0) -> str:
    """A duration in words: ``0.55 s``, ``5.4 s``, ``32 s``, ``2 min 12 s``, ``12 min``, ``1 h 05 min``.

    one_run: a statement about one run keeps one decimal from 2 s to 100 s. more: decimals beyond the usual ones.
    """
    sign, value = (MINUS, -seconds) if seconds < 0 else ("", seconds)
    if not math.isfinite(value):
        return "no end"
    decimals = _decimals(value, one_run) + more
    # Round before choosing the form, so that 59.97 s never reads "60.0 s" beside "1 min 00 s".
    if round(value, decimals) < 100 or (more and value < 600):
        text = f"{value:.{decimals}f}{NBSP}s"
    elif round(value) < 600:
        minutes, rest = divmod(round(value), 60)
        text = f"{minutes}{NBSP}min" + (f"{NBSP}{rest}{NBSP}s" if rest else "")
    elif round(value / 60) < 60:
        text = f"{round(value / 60)}{NBSP}min"
    else:
        hours, minutes = divmod(round(value / 60), 60)
        text = f"{hours}{NBSP}h" + (f"{NBSP}{minutes:02d}{NBSP}min" if minutes else "")
    return sign + text


def shown_seconds(seconds: float, *, one_run: bool = False, more: int = 0) -> float:
    """The number of seconds that :func:`show_time` lets a reader see, for sums that must agree by hand."""
    value = abs(seconds)
    decimals = _decimals(value, one_run) + more
    if round(value, decimals) < 100 or (more and value < 600):
        shown = round(value, decimals)
    elif round(value) < 600:
        shown = float(round(value))
    else:
        shown = round(value / 60) * 60.0
    return math.copysign(shown, seconds)


def _decimals(value: float, one_run: bool) -> int:
    if value < 1.995:
        return 2
    if value < 9.95 or (one_run and value < 99.95):
        return 1
    return 0


def show_ratio(ratio: float, *, more: int = 0) -> str:
    """A speed-up: ``1.8×``; two decimals below 1.15 (``1.07×``), whole from 10 (``12×``)."""
    return f"{ratio:.{ratio_decimals(ratio) + more}f}{TIMES}"


def ratio_decimals(ratio: float) -> int:
    return 2 if ratio < 1.15 else 1 if ratio < 9.95 else 0


def show_share(share: float) -> str:
    """A share as whole per cent, with ``under 1%`` and ``over 99%`` where rounding would claim none or all."""
    if 0 < share < 0.005:
        return "under 1%"
    if 0.995 < share < 1:
        return "over 99%"
    return f"{share * 100:.0f}%"


def show_count(number: float) -> str:
    """A whole number with thousands: ``1,176``."""
    return f"{number:,.0f}"


def show_about(number: float) -> str:
    """A solved value with two significant digits: ``87``, ``250``, ``1,200``."""
    if number == 0 or not math.isfinite(number):
        return show_count(number) if number == 0 else "no number"
    digits = 1 - math.floor(math.log10(abs(number)))
    rounded = round(number, digits)
    return f"{rounded:,.{max(0, digits)}f}".replace("-", MINUS)
