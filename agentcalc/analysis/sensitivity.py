"""Which input matters most: every lever moved a little either way, one at a time, and the pairs that do more or less
together than one by one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Literal

from agentcalc.analysis.levers import Lever, levers
from agentcalc.analysis.naming import names
from agentcalc.analysis.own_range import own_range
from agentcalc.analysis.playing import (
    Case,
    Outcome,
    Progress,
    check_by,
    check_play,
    check_systems,
    play_cases,
    statistic,
)
from agentcalc.analysis.solved_words import many
from agentcalc.defaults import SEED, TRIALS
from agentcalc.errors import Fault, InputError
from agentcalc.system import Spec
from agentcalc.task import Task
from agentcalc.units import show_ratio, show_share, show_time

if TYPE_CHECKING:
    import pandas as pd

RANGE = 0.2
TOP = 5
"""Inputs whose pairs are tried together."""
DIFFERS = 0.05
"""A pair is named when its joint effect differs from the sum of both by more than this share of the sum."""
NOTHING = 1e-9
"""Effects below this share of the answer are rounding."""

COLUMNS = ("input", "title", "unit", "today", "low", "high", "at_low", "at_high", "span", "now", "of", "by")
"""Columns of :meth:`Sensitivity.table`."""

OWN = "own"
Of = Literal["time", "speedup"]


@dataclass(frozen=True)
class Bar:
    """One input moved. today, low, high: its value now and moved, in its unit; low_setting, high_setting: of the lever
    (NaN: no factor leads there); at_low, at_high: the answer there, s or the speed-up.
    """

    lever: Lever
    today: float
    low: float
    high: float
    low_setting: float
    high_setting: float
    at_low: float
    at_high: float

    @property
    def span(self) -> float:
        """How far apart the results are."""
        return abs(self.at_high - self.at_low)


@dataclass(frozen=True)
class Interaction:
    """Two inputs moved together, each to the end that helps. joint, apart: what both gain together, and the sum of what
    each gains alone, in the unit of the answer.
    """

    first: Lever
    second: Lever
    joint: float
    apart: float

    @property
    def share(self) -> float:
        """By how much the joint effect differs from the sum, as a share of the sum; negative: less than the sum."""
        return (self.joint - self.apart) / abs(self.apart) if self.apart else math.inf


@dataclass(frozen=True)
class Sensitivity:
    """A tornado. of: time (s, of the last system) or speedup (baseline / candidate); now: the answer today, and band
    over what is unknown about the systems; bars: longest first; range: the share each was moved by, or "own".
    """

    of: Of
    by: str
    system: str
    name: str
    baseline: str | None
    now: float
    band: tuple[float, float]
    range: float | str
    bars: tuple[Bar, ...]
    interactions: tuple[Interaction, ...]
    trials: int
    seed: int

    def table(self) -> pd.DataFrame:
        """One row an input, longest span first: input (id), title, unit, today, low and high (its values), at_low and
        at_high (s, or the speed-up), span, of, by. Inputs that change nothing stand last with span 0.
        """
        import pandas as pd

        rows = [
            {
                "input": bar.lever.id,
                "title": bar.lever.title,
                "unit": bar.lever.unit,
                **{name: getattr(bar, name) for name in ("today", "low", "high", "at_low", "at_high", "span")},
                "now": self.now,
                "of": self.of,
                "by": self.by,
            }
            for bar in self.bars
        ]
        return pd.DataFrame(rows, columns=list(COLUMNS))

    def interaction_table(self) -> pd.DataFrame:
        """One row a pair of the top inputs: first, second (ids), joint, apart (gains, s or speed-up), share, named."""
        import pandas as pd

        columns = ("first", "second", "joint", "apart", "share", "named")
        rows = [(i.first.id, i.second.id, i.joint, i.apart, i.share, abs(i.share) > DIFFERS) for i in self.interactions]
        return pd.DataFrame(rows, columns=list(columns))

    @property
    def sentence(self) -> str:
        """Which input matters most, and the first lever of a system for comparison."""
        moved = [bar for bar in self.bars if bar.span > NOTHING * abs(self.now)]
        if not moved:
            return "Nothing that was moved makes a difference."
        first = moved[0]
        text = f"{first.lever.title} matter{'' if first.lever.plural else 's'} most: {self._effect(first)}."
        other = next((b for b in moved[1:] if (b.lever.row is None) != (first.lever.row is None)), None)
        if other is not None:
            effect = self._effect(other)
            text += f" {effect[0].upper()}{effect[1:]}."
        return f"{text} {self.unsure}".strip()

    @property
    def unsure(self) -> str:
        """ "Too close to call ..." where what is unknown decides which system is first; empty elsewhere."""
        if self.of == "speedup" and self.band[0] < 1 < self.band[1]:
            low, high = map(show_ratio, self.band)
            return f"Which system is first is too close to call: {low} to {high} over what is unknown about them."
        return ""

    @property
    def band_line(self) -> str:
        """What the answer of today may be over what is unknown; empty where that makes no difference."""
        show = show_time if self.of == "time" else show_ratio
        low, high = map(show, self.band)
        if low == high:
            return ""
        return f"Today's {show(self.now)} is {low} to {high} over what is unknown about the systems."

    @property
    def interaction_line(self) -> str:
        """The pairs that do clearly more or less together than one by one; empty without any."""
        found = [i for i in self.interactions if abs(i.share) > DIFFERS]
        found.sort(key=lambda i: -abs(i.joint - i.apart))
        return " ".join(_pair_words(i) for i in found[:3])

    def _effect(self, bar: Bar) -> str:
        """ "20% less tool time saves 4.1 s" (means), "20% fewer turns make it 28 s instead of 32 s" (medians are not
        subtracted).
        """
        better_low = (bar.at_low < bar.at_high) == (self.of == "time")
        value, at = (bar.low, bar.at_low) if better_low else (bar.high, bar.at_high)
        what, several = self._moved(bar, value)
        if self.by == "mean" and self.of == "time":
            return f"{what} save{'' if several else 's'} {show_time(self.now - at)}"
        there, now = _apart(at, self.now, show_ratio if self.of == "speedup" else show_time, int(self.of == "speedup"))
        it = "the speed-up" if self.of == "speedup" else "it"
        if there == now:
            return f"{what} change{'' if several else 's'} nothing to speak of"
        return f"{what} make{'' if several else 's'} {it} {there} instead of {now}"

    def _moved(self, bar: Bar, value: float) -> tuple[str, bool]:
        """What is done to an input, and whether the words for it are of many things."""
        lever = bar.lever
        if self.range == OWN or lever.whole or not lever.factor:
            said = f"{lever.inside} at {lever.show(value)} instead of {lever.show(bar.today)}{lever.often}"
            return said, lever.plural and lever.step is None
        helps = (value < bar.today) == (lever.slower > 0)
        words = lever.less if helps else lever.more
        return f"{show_share(float(self.range))} {words}", many(words)


MOST_DIGITS = 2
"""Digits beyond the usual ones that two answers are told apart by; then they are as good as the same."""


def _apart(a: float, b: float, show: Callable[..., str], digits: int) -> tuple[str, str]:
    """Two answers with as many digits as it takes to tell them apart."""
    for more in (digits, *range(digits + 1, MOST_DIGITS + 1)):
        found = show(a, more=more), show(b, more=more)
        if found[0] != found[1]:
            break
    return found


def _pair_words(pair: Interaction) -> str:
    more = "more" if pair.share > 0 else "less"
    return (
        f"{pair.first.title} and {pair.second.inside} together do {show_share(abs(pair.share))} {more} than one by one."
    )


def sensitivity(
    task: Task,
    systems: Sequence[Spec],
    *,
    of: Of = "time",
    by: str = "p50",
    range: float | str = RANGE,
    steps: bool = False,
    pairs: bool = True,
    trials: int = TRIALS,
    seed: int = SEED,
    progress: Progress | None = None,
) -> Sensitivity:
    """Every input moved by a share either way, or across its own uncertainty, and what comes of it.

    of: the last system's task time, or the speed-up. range: a share such as 0.2, or "own": the band of a system's
    number; an amount as if it always were its 10th and its 90th percentile; inputs without either are not moved.
    steps: each step's amounts by themselves. pairs: also the top five two by two. Levers that have only some settings
    go to the nearest. Raises InputError for a range or systems that cannot be.
    """
    specs = check_systems(systems)
    check_by(by)
    check_play(trials, seed)
    if of == "speedup" and len(specs) < 2:
        raise InputError(Fault("systems", "", "a speed-up needs two systems", "name the baseline first"))
    if range != OWN and not (isinstance(range, float | int) and 0 < range < 1):
        raise InputError(Fault("range", "", f"found {range}", "use a share between 0% and 100%, or own"))
    today = Case(task, specs)
    found = [
        lever for lever in levers(task, specs, steps=steps) if of == "speedup" or lever.row in (None, len(specs) - 1)
    ]
    moved = [(lever, ends) for lever in found if (ends := _ends(today, lever, range)) is not None]
    cases = [case for _, ends in moved for _, case in ends]
    outcomes = _play([today, *cases], trials, seed, progress)
    banded = play_cases([today], trials, seed, bands=True)[0]

    def answer(outcome: Outcome) -> float:
        return _answer(outcome, of, by)

    bars = []
    for i, (lever, ends) in enumerate(moved):
        values = [lever.value(case, outcomes[1 + 2 * i + j]) for j, (_, case) in enumerate(ends)]
        results = [answer(outcomes[1 + 2 * i + j]) for j in (0, 1)]
        now = lever.value(today, outcomes[0])
        bars.append(Bar(lever, now, *values, *(setting for setting, _ in ends), *results))
    bars.sort(key=lambda bar: -bar.span)
    now = answer(outcomes[0])
    found_pairs = _interactions(today, bars, now, answer, of, trials, seed) if pairs and range != OWN else ()
    called = names(specs)
    return Sensitivity(
        of=of,
        by=by,
        system=specs[-1].id,
        name=called[-1],
        baseline=called[0] if len(called) > 1 else None,
        now=now,
        band=_band(banded, of, by),
        range=range,
        bars=tuple(bars),
        interactions=found_pairs,
        trials=trials,
        seed=seed,
    )


def _answer(outcome: Outcome, of: Of, by: str) -> float:
    mine = statistic(outcome.seconds[-1], by)
    if of == "time":
        return mine
    return statistic(outcome.seconds[0], by) / mine if mine else math.inf


def _band(outcome: Outcome, of: Of, by: str) -> tuple[float, float]:
    ends = [
        [statistic(row, by), *(statistic(c, by) for c in corners)]
        for row, corners in zip(outcome.seconds, outcome.corners, strict=True)
    ]
    if of == "time":
        return min(ends[-1]), max(ends[-1])
    low, high = min(ends[0]) / max(ends[-1]) if max(ends[-1]) else math.inf, math.inf
    return low, max(ends[0]) / min(ends[-1]) if min(ends[-1]) else high


def _count_up(n: int) -> list[int]:
    return list(range(n))


def _play(cases: Sequence[Case], trials: int, seed: int, progress: Progress | None) -> list[Outcome]:
    """Outcomes in the order of the cases; those of one task share a walk."""
    order = sorted(_count_up(len(cases)), key=lambda i: (cases[i].task is not cases[0].task, i))
    outcomes = play_cases([cases[i] for i in order], trials, seed, progress=progress)
    back = dict(zip(order, outcomes, strict=True))
    return [back[i] for i in _count_up(len(cases))]


Ends = tuple[tuple[float, Case], tuple[float, Case]]
"""(setting, case) of the lower and of the higher value."""


def _ends(today: Case, lever: Lever, by_share: float | str) -> Ends | None:
    """The two ends that a lever is moved to; None when it has no range of its own."""
    if by_share == OWN:
        return own_range(today, lever)
    settings = [lever.today * (1 - by_share), lever.today * (1 + by_share)]
    if lever.whole:
        # the nearest it can have, but not today's: that would pass for an input that makes no difference
        above, below = lever.either_side
        low, high = (
            min(ahead, key=lambda w, s=s: abs(w - s), default=lever.today)
            for ahead, s in zip((below, above), settings, strict=True)
        )
    elif lever.factor:
        low, high = (min(max(s, lever.low), lever.high) for s in settings)
    else:
        # a share that stands at an end is moved from there
        reach = by_share * (lever.high - lever.low)
        low, high = max(lever.low, lever.today - reach), min(lever.high, lever.today + reach)
    return ((low, lever.apply(*today, low)), (high, lever.apply(*today, high)))


def _interactions(today: Case, bars: list[Bar], now: float, answer, of: Of, trials: int, seed: int):
    """The top inputs two by two, each at the end that helps."""
    sign = 1.0 if of == "time" else -1.0

    def best(bar: Bar) -> tuple[float, float]:
        gains = [(sign * (now - at), s) for at, s in ((bar.at_low, bar.low_setting), (bar.at_high, bar.high_setting))]
        return max(gains)

    top = [bar for bar in bars if best(bar)[0] > NOTHING * abs(now)][:TOP]
    both = [(a, b) for a, b in combinations(top, 2) if not a.lever.clashes(b.lever)]
    cases = []
    for a, b in both:
        case = a.lever.apply(*today, best(a)[1])
        cases.append(b.lever.apply(*case, best(b)[1]))
    outcomes = play_cases(cases, trials, seed)
    return tuple(
        Interaction(a.lever, b.lever, sign * (now - answer(outcome)), best(a)[0] + best(b)[0])
        for (a, b), outcome in zip(both, outcomes, strict=True)
    )
