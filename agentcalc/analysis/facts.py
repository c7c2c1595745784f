"""What the sentences about one pair need to know, worked out once."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from agentcalc.analysis.agreement import Agreed, agree
from agentcalc.analysis.naming import names
from agentcalc.results import Band, Comparison, PairResult, standard_error
from agentcalc.system import System
from agentcalc.units import show_time

SETTINGS = {"p50": "", "mean": " on average", "p95": " on slow runs (p95)"}


@dataclass(frozen=True)
class Facts:
    """One pair of a comparison by one statistic. Players are indices into its systems: (baseline, candidate)."""

    comparison: Comparison
    index: int
    by: str
    baseline: str
    candidate: str

    @property
    def pair(self) -> PairResult:
        return self.comparison.pairs[self.index]

    @property
    def players(self) -> tuple[int, int]:
        return 0, self.index + 1

    @property
    def specs(self) -> tuple[System, System]:
        return self.comparison.specs[0], self.comparison.specs[self.index + 1]

    @property
    def several_servers(self) -> bool:
        """Whether a side is several systems, so that no one call stands for it."""
        return any(len(spec.parts) > 1 for spec in self.specs)

    @property
    def unknown_players(self) -> tuple[int, int]:
        """Both systems, the candidate first: its unknowns are what a reader asks about."""
        return self.index + 1, 0

    @property
    def b(self) -> float:
        """The baseline's seconds by the chosen statistic."""
        return self.comparison.systems[0].task_s[self.by]

    @property
    def c(self) -> float:
        """The candidate's."""
        return self.comparison.systems[self.index + 1].task_s[self.by]

    @property
    def ratio(self) -> float:
        return self.ratio_by(self.by)

    def ratio_by(self, by: str) -> float:
        """baseline / candidate by a statistic; 1 when neither takes time, infinite when the candidate takes none."""
        b, c = (self.comparison.systems[i].task_s[by] for i in self.players)
        return b / c if c else (math.inf if b else 1.0)

    @property
    def band(self) -> Band:
        return self.pair.speedup_band.get(self.by, (self.ratio, self.ratio))

    @property
    def ceiling(self) -> float | None:
        """Baseline over instant system by the chosen statistic; None: no ceiling."""
        return self.pair.ceilings[self.by]

    def waits(self) -> str:
        """What no system can shorten: "tools take 20 s on both"; empty when nothing but calls takes time.

        Averages take the mean seconds of tools and people on the critical path, other statistics the instant
        system's time: a sentence about medians must not carry means.
        """
        base, cand = (self.comparison.systems[i].components_s for i in self.players)
        words = (("tool", "tools"), ("human", "people"))
        who = " and ".join(word for part, word in words if base[part] > 0 or cand[part] > 0)
        if not who:
            return f"other waits take {show_time(self.b / self.ceiling)} on both" if self.ceiling else ""
        if self.by != "mean":
            return f"{who} take {show_time(self.b / self.ceiling if self.ceiling else 0.0)} on both"
        seconds = tuple(show_time(parts["tool"] + parts["human"]) for parts in (base, cand))
        if seconds[0] == seconds[1]:
            return f"{who} take {seconds[0]} on both"
        return f"{who} take {seconds[0]} on {self.baseline} and {seconds[1]} on {self.candidate}"

    @cached_property
    def agreed(self) -> Agreed:
        return agree(self.b, self.c)

    def texts(self, *, ratio_shown: bool, differ: bool = True) -> tuple[str, str]:
        """Baseline's and candidate's seconds in words; with ``differ`` two different times look different."""
        if not differ:
            return show_time(self.b), show_time(self.c)
        agreed = agree(self.b, self.c, ratio_shown=ratio_shown)
        return agreed.b, agreed.c

    @property
    def about(self) -> str:
        """ "about " when twice the simulation error of either number exceeds one unit of the last digit shown."""
        return "about " if 2 * self.simulation_error > self.agreed.unit else ""

    @cached_property
    def simulation_error(self) -> float:
        return max(standard_error(self.comparison.task_seconds[i], self.by) for i in self.players)

    @property
    def setting(self) -> str:
        """Which runs the sentence is about, for the place before its colon; empty for typical runs."""
        return SETTINGS[self.by]

    def slow_runs(self, title: str) -> str:
        """The title led by "On slow runs (p95)" where it is about them."""
        return f"On slow runs (p95) {title}" if self.by == "p95" else title

    def has_range(self, side: int) -> bool:
        """Whether what is unknown changes what this side (0 baseline, 1 candidate) is shown to take."""
        low, high = self._range(side)
        return show_time(low) != show_time(high)

    def range(self, side: int) -> str:
        """The seconds of a side over what is unknown about it: "39 s to 48 s", or one number."""
        low, high = self._range(side)
        if self.has_range(side):
            return f"{show_time(low)} to {show_time(high)}"
        return show_time((self.b, self.c)[side])

    def _range(self, side: int) -> Band:
        system = self.comparison.systems[self.players[side]]
        return system.band_s.get(self.by, (system.task_s[self.by],) * 2)


def gather(comparison: Comparison, pair: int, by: str) -> Facts:
    """The facts of a pair, with names that tell its two systems apart."""
    base, cand = names((comparison.specs[0], comparison.specs[pair + 1]))
    return Facts(comparison, pair, by, base, cand)
