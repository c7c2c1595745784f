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

    one_run: a statement about one run keeps one decimal from 2 s to 100 s. more: that many digits beyond the usual ones
    (``2 min 12.4 s``, ``12 min 18 s``).
    """
    if not math.isfinite(seconds):
        return "no end"
    value = abs(shown_seconds(seconds, one_run=one_run, more=more))
    unit = last_digit_s(seconds, one_run=one_run, more=more)
    sign = MINUS if seconds < 0 and value else ""
    return sign + show_to(value, unit)


def show_to(value: float, unit: float) -> str:
    """Seconds that are already round, shown to ``unit`` seconds: 60, 1, 0.1, ...; below 10 ms in milliseconds."""
    if value == 0:
        return f"0{NBSP}s"
    decimals = max(0, -math.floor(math.log10(unit) + 1e-9))
    if value < 0.00995 and decimals > 2:
        return f"{value * 1e3:.{max(0, decimals - 3)}f}{NBSP}ms"
    if value < 100 and unit < 60:
        return f"{value:.{decimals}f}{NBSP}s"
    hours, rest = divmod(round(value, decimals), 3600)
    minutes, rest = divmod(round(rest, decimals), 60)
    rest = round(rest, decimals)
    parts = [f"{hours:,.0f}{NBSP}h"] if hours else []
    if minutes or (hours and rest):
        parts.append(f"{minutes:{'02.0f' if hours else '.0f'}}{NBSP}min")
    if rest:
        parts.append(f"{rest:.{decimals}f}{NBSP}s")
    return NBSP.join(parts)


def shown_seconds(seconds: float, *, one_run: bool = False, more: int = 0) -> float:
    """The number of seconds that :func:`show_time` lets a reader see, for sums that must agree by hand."""
    unit = last_digit_s(seconds, one_run=one_run, more=more)
    if unit >= 1:
        return math.copysign(round(abs(seconds) / unit) * unit, seconds)
    return round(seconds, -math.floor(math.log10(unit) + 1e-9))


def last_digit_s(seconds: float, *, one_run: bool = False, more: int = 0) -> float:
    """Seconds that one unit of the last digit shown by :func:`show_time` stands for: 60, 1, 0.1, 0.01 or less."""
    value = abs(seconds)
    # The limits lie where rounding would reach the next form, so that 59.97 s never reads "60.0 s".
    if value < 0.00995:
        power = -2 if value == 0 else min(-3, math.floor(math.log10(value) + 1e-9))
    elif value < 1.995:
        power = -2
    elif value < 9.95 or (one_run and value < 99.95):
        power = -1
    elif value < 599.5:
        power = 0
    elif more == 0:
        return 60.0
    else:
        power = 1  # the first digit more turns minutes into seconds
    return 10.0 ** (power - more)


def show_total(seconds: float) -> str:
    """A sum over many runs in whole words: ``40 seconds``, ``95 minutes``, ``10 hours`` (minutes below 3 h)."""
    unit, word = total_unit(seconds)
    number = round(seconds / unit)
    return f"{number:,}{NBSP}{word}{'' if number == 1 else 's'}"


def total_unit(seconds: float) -> tuple[float, str]:
    """The unit that :func:`show_total` shows a sum in: seconds of one, and its name."""
    return (3600.0, "hour") if seconds >= 10_800 else (60.0, "minute") if seconds >= 119.5 else (1.0, "second")


def show_ratio(ratio: float, *, more: int = 0) -> str:
    """A speed-up: ``1.8×``; two decimals below 1.15 (``1.07×``), whole from 10 (``12×``)."""
    if not math.isfinite(ratio):
        return f"∞{TIMES}"
    return f"{ratio:,.{ratio_decimals(ratio) + more}f}{TIMES}"


def ratio_decimals(ratio: float) -> int:
    """Decimals that :func:`show_ratio` shows; below 0.1 as many as two significant digits need."""
    if 0 < ratio < 0.095:
        return 1 - math.floor(math.log10(ratio))
    return 2 if ratio < 1.15 else 1 if ratio < 9.95 else 0


def show_share(share: float) -> str:
    """A share as whole per cent, with ``under 1%`` and ``over 99%`` where rounding would claim none or all."""
    if 0 < share <= 0.005:
        return "under 1%"
    if 0.995 <= share < 1:
        return "over 99%"
    return f"{share * 100:.0f}%"


def show_count(number: float) -> str:
    """A whole number with thousands: ``1,176``."""
    return f"{round(number):,}".replace("-", MINUS)


def counted(number: float, one: str, many: str | None = None) -> str:
    """A number and its noun, joined by a no-break space: ``1 run``, ``40,000 runs``."""
    return f"{show_count(number)}{NBSP}{one if number == 1 else many or one + 's'}"


def show_about(number: float) -> str:
    """A solved value with two significant digits: ``87``, ``250``, ``1,200``."""
    if not math.isfinite(number):
        return "no number"
    if number == 0:
        return "0"
    digits = 1 - math.floor(math.log10(abs(number)))
    # Rounding may reach the next power of ten: 0.996 is 1.0, not 1.00.
    rounded = round(number, digits)
    digits = 1 - math.floor(math.log10(abs(rounded)))
    return f"{rounded:,.{max(0, digits)}f}".replace("-", MINUS)


def show_tokens(number: float) -> str:
    """A solved or mean number of tokens: two significant digits, never a part of a token: ``9``, ``87``, ``1,200``."""
    return show_count(number) if abs(number) < 9.5 else show_about(number)
