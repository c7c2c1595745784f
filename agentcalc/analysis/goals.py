"""What is asked for: seconds that a statistic must stay under, or how many times faster than the baseline to be."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agentcalc.analysis.playing import Outcome, check_by, error_s, statistic
from agentcalc.errors import Fault, InputError
from agentcalc.units import show_ratio, show_time

SAID = {"p50": "a typical run", "mean": "an average run"}

LEAST_S, MOST_S = 1e-6, 1e9
"""Times that can be asked for: a microsecond to 31 years."""


def check_under(seconds: float, what: str = "under") -> float:
    """The seconds; raises InputError for a time that cannot be asked for. what: the name of what it is for."""
    if not LEAST_S <= seconds <= MOST_S:
        raise InputError(Fault(what, "", f"found {seconds:g} s", "give a time from 1 us to 1e9 s, such as 60s"))
    return seconds


Reached = tuple[float, float, float]
"""A number as it is, and at the worst and the best of what is unknown."""


def runs_words(by: str) -> str:
    """The runs a statistic speaks of: "a typical run", "95% of runs"."""
    return SAID.get(by) or f"{float(by[1:]):g}% of runs"


@dataclass(frozen=True)
class Goal:
    """by: mean or a percentile. under_s: seconds for the last system, or speedup: baseline / candidate at least.

    Either way one number, ``reached``, must be at or below one ``limit``.
    """

    by: str
    under_s: float | None = None
    speedup: float | None = None

    def __post_init__(self):
        check_by(self.by)
        if (self.under_s is None) == (self.speedup is None):
            raise InputError(Fault("goal", "", "give seconds or a speed-up", "one of the two"))
        if self.under_s is not None:
            check_under(self.under_s)
        elif not (np.isfinite(self.speedup) and self.speedup > 0):
            raise InputError(Fault("speedup", "", f"found {self.speedup:g}", "use a number above 0"))

    @property
    def limit(self) -> float:
        return self.under_s if self.speedup is None else 1 / self.speedup

    @property
    def players(self) -> int:
        """How many of the systems it takes, counted from the last."""
        return 1 if self.speedup is None else 2

    def reached(self, outcome: Outcome) -> Reached:
        """Seconds, or candidate / baseline; the unknown ends are the number itself where bands were not played."""
        mine = self._ends(outcome, -1)
        if self.speedup is None:
            return mine
        base = self._ends(outcome, 0)
        return _over(mine[0], base[0]), _over(mine[1], base[2]), _over(mine[2], base[1])

    def _ends(self, outcome: Outcome, row: int) -> Reached:
        now = statistic(outcome.seconds[row], self.by)
        corners = outcome.corners[row] if outcome.corners else ()
        every = [now, *(statistic(seconds, self.by) for seconds in corners)]
        return now, max(every), min(every)

    def error(self, outcome: Outcome) -> float:
        """The simulation's standard error of what is reached; of a ratio that of both sides, taken as independent,
        which on the same trials is more than it is.
        """
        errors = [error_s(row, self.by) for row in outcome.seconds]
        if self.speedup is None:
            return errors[-1]
        base, mine = (statistic(outcome.seconds[row], self.by) for row in (0, -1))
        if not base or not mine:
            return 0.0
        return mine / base * float(np.hypot(errors[0] / base, errors[-1] / mine))

    @property
    def words(self) -> str:
        """ "under 60 s", "at least 2.0× faster"."""
        if self.speedup is None:
            return f"under {show_time(self.under_s)}"
        return f"at least {show_ratio(self.speedup)} faster"

    def show(self, reached: float) -> str:
        """What is reached, as people read it."""
        return show_time(reached) if self.speedup is None else show_ratio(1 / reached if reached else float("inf"))


def _over(mine: float, base: float) -> float:
    if base > 0:
        return mine / base
    return 1.0 if mine == 0 else float("inf")
