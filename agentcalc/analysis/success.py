"""The chance that one of several attempts solves a task: from one attempt's chance, or from a measured curve."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from agentcalc.errors import Fault, InputError, echo

EXAMPLE = "0.25 or 1:15.9%,250:56%"


@dataclass(frozen=True)
class Success:
    """points: (attempts, share solved), attempts rising.

    One point at 1 attempt: attempts are independent, 1 - (1 - p)^n, an upper bound, since real attempts fail together.
    Two or more: measured; between them, and beyond, ln(share) = a n^b, which is a line of ln(-ln share) over ln n
    (Brown et al., Large Language Monkeys, 2024, section 3).
    """

    points: tuple[tuple[float, float], ...]

    @property
    def measured(self) -> bool:
        """Whether it is a measured curve."""
        return len(self.points) > 1

    def after(self, attempts: np.ndarray | float) -> np.ndarray:
        """The chance that at least one of so many attempts solves it; 0 attempts: 0. Same shape as attempts."""
        attempts = np.asarray(attempts, dtype=float)
        if not self.measured:
            return 1.0 - (1.0 - self.points[0][1]) ** attempts
        x, y = np.log([n for n, _ in self.points]), np.log(-np.log([share for _, share in self.points]))
        slopes = np.diff(y) / np.diff(x)
        at = np.log(np.maximum(attempts, 1e-9))
        segment = np.clip(np.searchsorted(x, at) - 1, 0, len(slopes) - 1)
        with np.errstate(invalid="ignore"):
            share = np.exp(-np.exp(y[segment] + slopes[segment] * (at - x[segment])))
        # A flat last piece stays where it is, however many attempts.
        share = np.where(np.isnan(share), self.points[-1][1], share)
        return np.where(attempts <= 0, 0.0, share)


def read_success(text: str, *, where: str = "success") -> Success:
    """From ``0.25`` or ``25%``, one attempt's chance, or from ``1:15.9%,250:56%``, a measured curve.

    Raises InputError: a part that is no number, a share outside its range, attempts or shares that do not rise.
    """

    def refuse(found: str, remedy: str = f"write {EXAMPLE}") -> InputError:
        return InputError(Fault(where, "", found, remedy))

    def number(part: str) -> float:
        percent = part.strip().endswith("%")
        try:
            value = float(part.strip().removesuffix("%"))
        except ValueError:
            raise refuse(f"{echo(part.strip())} is not a number") from None
        if not np.isfinite(value):
            raise refuse(f"{echo(part.strip())} is not a number")
        return value / 100 if percent else value

    parts = [part.partition(":") for part in text.split(",")]
    if len(parts) == 1 and not parts[0][1]:
        chance = number(parts[0][0])
        if not 0 <= chance <= 1:
            raise refuse(f"a chance of {echo(text.strip())}", "it lies between 0 and 1, or 0% and 100%")
        return Success(((1.0, chance),))
    if any(not colon for _, colon, _ in parts):
        raise refuse(f"{echo(text)} is neither a chance nor a curve")
    points = tuple((number(n), number(share)) for n, _, share in parts)
    if len(points) < 2:
        raise refuse("one point makes no curve", f"give two or more, or one chance: {EXAMPLE}")
    for n, share in points:
        if n < 1 or not 0 < share < 1:
            raise refuse(f"{n:g}:{share:g}", "attempts start at 1, and shares lie between 0 and 1, both excluded")
    for (n, share), (more, later) in pairwise(points):
        if more <= n or later < share:
            raise refuse(f"{more:g}:{later:g} after {n:g}:{share:g}", "attempts must rise and shares must not fall")
    return Success(points)
