"""Where a rising or falling function of one number first goes over a limit, from few and costly evaluations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

MOST = 60
"""Evaluations after which the side that holds is taken as it is."""


@dataclass(frozen=True)
class Edge:
    """holds: a place at which the function is at or below the limit; there: its value; over, beyond: the nearest place
    known at which it is above, and its value.
    """

    holds: float
    there: float
    over: float
    beyond: float

    @property
    def slope(self) -> float:
        """Change of the function over its two sides; 0 when they are one place."""
        return (self.beyond - self.there) / (self.over - self.holds) if self.over != self.holds else 0.0


def edge(
    f: Callable[[float], float],
    limit: float,
    holds: tuple[float, float],
    over: tuple[float, float],
    *,
    near: float,
    apart: float,
    guess: tuple[float, float] | None = None,
) -> Edge:
    """The edge between a place where f is at or below the limit and one where it is above.

    holds, over: (place, value) of either side. near: the side that holds may stay so far below the limit. apart: sides
    so close together stand for a step of f, whose lower side is the answer. guess: a place to look first, and the
    slope expected there.

    The secant through both sides is tried first (f is nearly linear in most levers); after two that do not halve the
    distance, the middle. So every third evaluation halves it, whatever f is; a place is always kept on either side.
    """
    a, fa, b, fb = *holds, *over
    failed, width = 0, abs(b - a)
    aim = limit - near / 2
    place = None
    if guess is not None:
        place = guess[0]
    for _ in range(MOST):
        if fa >= limit - near or abs(b - a) <= apart:
            break
        if place is None or not min(a, b) < place < max(a, b):
            place = a + (b - a) * (aim - fa) / (fb - fa) if failed < 2 else (a + b) / 2
        if not min(a, b) < place < max(a, b):
            place = (a + b) / 2
        value = f(place)
        step = None
        if guess is not None and guess[1]:
            # the slope is known from elsewhere: one step along it before the secant
            step, guess = place + (aim - value) / guess[1], None
        if value <= limit:
            a, fa = place, value
        else:
            b, fb = place, value
        failed = 0 if abs(b - a) <= width / 2 or failed == 2 else failed + 1
        width = abs(b - a) if failed == 0 else width
        place = step
    return Edge(a, fa, b, fb)
