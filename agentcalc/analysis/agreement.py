"""Numbers of one sentence that agree on a pocket calculator, and how sure the simulation is of them."""

from __future__ import annotations

import math
from dataclasses import dataclass

from agentcalc.units import last_digit_s, ratio_decimals, show_ratio, show_time, show_to, shown_seconds

MOST_DIGITS = 4
"""Digits beyond the usual ones after which the shown ratio is that of the shown numbers instead."""


@dataclass(frozen=True)
class Agreed:
    """Two times b (the baseline's) and c, the ratio b / c and the difference b - c, as texts that agree by hand.

    unit: seconds of the last digit shown, of the finer of the two.
    """

    b: str
    c: str
    ratio: str
    difference: str
    unit: float


def agree(b: float, c: float, *, ratio_shown: bool = True) -> Agreed:
    """Texts of b and c in seconds with as many digits as agreement takes.

    Digits are added to both until b / c of the *shown* numbers rounds to the shown ratio: within 0.05 from 1.15 to 10,
    within half a last digit elsewhere; and until two different times look different. Without ``ratio_shown`` only the
    latter.
    """
    more = 0
    while more < MOST_DIGITS and not _fits(b, c, more, ratio_shown):
        more += 1
    shown_b, shown_c = shown_seconds(b, more=more), shown_seconds(c, more=more)
    unit = min(last_digit_s(b, more=more), last_digit_s(c, more=more))
    ratio = b / c if c else math.inf
    if not _fits(b, c, more, ratio_shown) and shown_c:
        ratio = shown_b / shown_c
    difference = show_to(abs(_rounded(shown_b - shown_c)), unit)
    return Agreed(show_time(b, more=more), show_time(c, more=more), show_ratio(ratio), difference, unit)


def _fits(b: float, c: float, more: int, ratio_shown: bool) -> bool:
    shown_b, shown_c = shown_seconds(b, more=more), shown_seconds(c, more=more)
    if shown_b == shown_c and not math.isclose(b, c, rel_tol=1e-6):
        return False
    if not ratio_shown or c == 0 or not math.isfinite(b / c):
        return True
    if shown_c == 0:
        return False
    decimals = ratio_decimals(b / c)
    return abs(shown_b / shown_c - round(b / c, decimals)) <= 0.5 * 10.0**-decimals + 1e-9


def _rounded(seconds: float) -> float:
    # The difference of two decimal numbers, without the dust of binary arithmetic.
    return float(f"{seconds:.12g}")
