"""Goal seek: where one lever must stand so that a task is done in time, or so many times faster than on the baseline.

Every evaluation plays the task on the same trials, so that what is solved for is a plain function of the lever. A few
trials say where to look, the headline's own trials give the answer, and it always lies on the side that keeps the goal.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from agentcalc.analysis.goals import Goal, Reached
from agentcalc.analysis.levers import NEARLY_NONE, Lever, find_lever
from agentcalc.analysis.naming import names
from agentcalc.analysis.playing import Case, Outcome, Progress, check_play, check_systems, play_cases
from agentcalc.analysis.roots import Edge, edge
from agentcalc.analysis.solved_words import sentence
from agentcalc.defaults import SEED, TRIALS
from agentcalc.errors import Fault, InputError
from agentcalc.simulate.size import check as check_size
from agentcalc.system import Spec
from agentcalc.task import Task

FEW = 4_000
"""Trials on which an answer is looked for before it is settled on all of them."""
NEAR_ERRORS, NEAR_SHARE = 0.25, 0.002
"""How near the limit an answer must come: so many standard errors, and at most this share of the limit."""
APART = 1e-4
"""Two settings so near each other, as a share, stand for a step between whole numbers."""
FIRST_STEP = 1.5
MOST_STEPS = 8
"""Steps onwards from where few trials found the edge; then it is looked for anew."""

NEEDED, MET, UNREACHABLE, NO_EFFECT = "needed", "met", "cannot be reached", "makes no difference"


@dataclass(frozen=True)
class Solution:
    """Where a lever must stand.

    status: needed (it must move), met (the goal is kept today; the setting is how far it may move), cannot be reached,
    makes no difference. setting, value, factor (value / today's; None: today is 0): None where there is none. value
    and today are in the lever's unit. now, reached: seconds, or candidate / baseline, today and there; limit: what they
    must not exceed; best: at the end of the lever that helps most (None: not looked at). error: simulation's
    standard error of what is reached; value_error: what that is worth in the lever's unit. band: value at the best and
    the worst of what is unknown about the systems (None: out of reach there); None where nothing is unknown.
    """

    lever: Lever
    goal: Goal
    system: str
    name: str
    baseline: str | None
    status: str
    now: float
    limit: float
    today: float
    setting: float | None = None
    value: float | None = None
    factor: float | None = None
    reached: float | None = None
    best: float | None = None
    error: float = 0.0
    value_error: float | None = None
    band: tuple[float | None, float | None] | None = None
    now_band: tuple[float, float] | None = None
    waits: str = ""
    waits_s: float = 0.0
    trials: int = 0
    seed: int = 0
    case: Case | None = field(default=None, repr=False)
    """The task and systems with the lever there."""

    @property
    def found(self) -> bool:
        return self.setting is not None

    @property
    def change(self) -> float:
        """How far the lever must move, as a factor of at least 1; infinite where there is none or it starts at 0."""
        if self.factor is None or self.factor <= 0:
            return math.inf
        return max(self.factor, 1 / self.factor)

    @property
    def undecided(self) -> bool:
        """Whether the goal is kept or not according to what is unknown about the systems: too close to call."""
        return self.now_band is not None and self.now_band[0] <= self.limit < self.now_band[1]

    def row(self) -> dict[str, Any]:
        """The solution as plain values; seconds, or for a speed-up baseline / candidate, in now, reached, best, limit.

        Infinite numbers (a speed without end) are None.
        """
        speed = self.goal.speedup is not None
        seconds = {"now": self.now, "reached": self.reached, "best": self.best, "limit": self.limit}
        best, worst = self.band or (None, None)
        found = {
            "lever": self.lever.id,
            "title": self.lever.title,
            "unit": self.lever.unit,
            "status": self.status,
            "today": self.today,
            "value": self.value,
            "factor": self.factor,
            "setting": self.setting,
            "value_best": best,
            "value_worst": worst,
            "value_error": self.value_error,
            "by": self.goal.by,
            "of": "speedup" if speed else "time",
            **{name: 1 / x if speed and x else x for name, x in seconds.items()},
            "error": self.error,
            "undecided": self.undecided,
            "sentence": self.sentence,
        }
        return {name: None if isinstance(x, float) and not math.isfinite(x) else x for name, x in found.items()}

    @property
    def sentence(self) -> str:
        """The answer in words, or why there is none."""
        return sentence(self)


def solve(
    task: Task,
    systems: Sequence[Spec],
    lever: Lever | str,
    under_s: float | None = None,
    *,
    speedup: float | None = None,
    by: str = "p50",
    trials: int = TRIALS,
    seed: int = SEED,
    bands: bool = True,
) -> Solution:
    """Where a lever must stand so that the last system stays under ``under_s`` seconds, or is at least ``speedup``
    times as fast as the first.

    by: mean, or any percentile: "95% of runs under 60 s" is p95. bands: also at the ends of what is unknown about the
    systems. Raises InputError for a goal, a lever or systems that cannot be.
    """
    specs = check_systems(systems)
    check_play(trials, seed)
    found = find_lever(task, specs, lever) if isinstance(lever, str) else lever
    return _Search(Case(task, specs), found, _goal(specs, by, under_s, speedup), trials, seed, bands).solution()


def solve_all(
    task: Task,
    systems: Sequence[Spec],
    every: Sequence[Lever],
    under_s: float | None = None,
    *,
    speedup: float | None = None,
    by: str = "p50",
    trials: int = TRIALS,
    seed: int = SEED,
    bands: bool = True,
    progress: Progress | None = None,
) -> list[Solution]:
    """:func:`solve` for several levers, each by itself; today's runs are played once. progress: levers done, in all."""
    specs = check_systems(systems)
    check_play(trials, seed)
    goal, found, as_it_is = _goal(specs, by, under_s, speedup), [], {}
    for lever in every:
        found.append(_Search(Case(task, specs), lever, goal, trials, seed, bands, as_it_is).solution())
        if progress:
            progress(len(found), len(every))
    return found


def _goal(specs: tuple[Spec, ...], by: str, under_s: float | None, speedup: float | None) -> Goal:
    goal = Goal(by, under_s, speedup)
    if goal.players > len(specs):
        raise InputError(Fault("systems", "", "a speed-up needs two systems", "name the baseline first"))
    return goal


def _doubling(settings: Sequence[float]) -> Iterator[float]:
    """The first, second, fourth, eighth, ... of some settings, and the last."""
    ahead = 1
    while ahead < len(settings):
        yield settings[ahead - 1]
        ahead *= 2
    if settings:
        yield settings[-1]


class _Search:
    """One lever and one goal; every place is played once. A place is a setting, or 1 / setting of a speed: in both
    the seconds are nearly linear.
    """

    def __init__(
        self,
        case: Case,
        lever: Lever,
        goal: Goal,
        trials: int,
        seed: int,
        bands: bool,
        as_it_is: dict[int, tuple[Outcome, Reached]] | None = None,
    ):
        """as_it_is: what today's place gives, by trials, to be shared by the searches of several levers."""
        self.case, self.lever, self.goal = case, lever, goal
        self.trials, self.seed, self.bands = trials, seed, bands
        self.inverse = lever.factor and lever.slower < 0
        self.today = self._place(lever.today)
        self.few = min(FEW, trials)
        self.as_it_is = {} if as_it_is is None else as_it_is
        self.played: dict[tuple[float, int], tuple[Outcome, Reached]] = {}

    def _place(self, setting: float) -> float:
        return 1 / setting if self.inverse else setting

    def _case(self, place: float) -> Case:
        setting = self.lever.today if place == self.today else self._place(place)
        return self.lever.apply(*self.case, setting)

    def at(self, place: float, trials: int) -> tuple[Outcome, Reached]:
        """What is found at a place, and the number to be kept below the limit: as it is, at the worst, at the best."""
        if place == self.today:
            if trials not in self.as_it_is:
                self.as_it_is[trials] = self._play(self.case, trials)
            return self.as_it_is[trials]
        if (place, trials) not in self.played:
            # what is unknown is looked at on few trials only
            self.played[place, trials] = self._play(self._case(place), trials, bands=trials <= self.few)
        return self.played[place, trials]

    def _play(self, case: Case, trials: int, *, bands: bool = True, alone: bool = False) -> tuple[Outcome, Reached]:
        case = case._replace(specs=case.specs[-self.goal.players :])
        outcome = play_cases([case], trials, self.seed, bands=bands and self.bands, alone=alone)[0]
        return outcome, self.goal.reached(outcome)

    def number(self, curve: int, trials: int) -> Callable[[float], float]:
        return lambda place: self.at(place, trials)[1][curve]

    # Looking for a place beyond the edge

    def _outwards(self, holds: bool) -> Iterator[float]:
        """Places from today outwards, in the direction that may cross the limit; the last is the end of the lever."""
        lever = self.lever
        if lever.whole:
            up, down = (sorted(found, key=lambda s: abs(s - lever.today)) for found in lever.either_side)
            if self.goal.speedup is None:
                up, down = (up, []) if (lever.worst if holds else lever.best) > lever.today else ([], down)
            for ahead in zip_longest(_doubling(up), _doubling(down)):
                yield from (self._place(setting) for setting in ahead if setting is not None)
        elif self.goal.speedup is None:
            yield from self._steps(lever.worst) if holds else [self._place(lever.best)]
        else:
            for pair in zip(self._steps(lever.low), self._steps(lever.high), strict=True):
                yield from pair

    def _steps(self, end: float) -> list[float]:
        """Places towards an end: by growing factors where the lever is one, else in eight equal steps."""
        lever, count = self.lever, 8
        if end == lever.today:
            return [self.today] * (count + 1)
        if not lever.factor:
            return [lever.today + (end - lever.today) * i / (count + 1) for i in range(1, count + 1)] + [end]
        rise = FIRST_STEP if end > 1 else 1 / FIRST_STEP
        settings = [rise ** (i * (i + 1) / 2) for i in range(1, count + 1)]
        inside = [min(s, end) if end > 1 else max(s, end) for s in settings]
        return [self._place(s) for s in inside] + [self._place(end)]

    def _affordable(self, place: float, trials: int) -> bool:
        try:
            check_size(self._case(place).task, trials)
        except InputError:
            return False  # so many steps would never end; the lever stops before
        return True

    def _beyond(self, curve: int, trials: int) -> tuple[float, float] | None:
        """(nearer, farther): neighbouring places with the edge between them; None where no place crosses the limit."""
        f, limit = self.number(curve, trials), self.goal.limit
        holds = f(self.today) <= limit
        nearest = {True: self.today, False: self.today}
        for place in self._outwards(holds):
            if place == self.today or not self._affordable(place, self.trials):
                continue
            if (f(place) <= limit) != holds:
                return nearest[place > self.today], place
            nearest[place > self.today] = place
        return None

    def rough(self, curve: int) -> Edge | None:
        """The edge on few trials; None where there is none."""
        between = self._beyond(curve, self.few)
        near = self._near(self.few) if self.trials > self.few else self._near(self.trials)
        return None if between is None else self._edge(curve, self.few, between, near)

    def _near(self, trials: int) -> float:
        outcome, _ = self.at(self.today, trials)
        return min(NEAR_ERRORS * self.goal.error(outcome), NEAR_SHARE * self.goal.limit)

    def settled(self, rough: Edge | None) -> Edge | None:
        """The edge on all trials, looked for where few trials found it; None where there is none."""
        if self.trials <= self.few:
            return rough
        between = self._around(rough) if rough is not None else self._at_an_end()
        if between is None and rough is not None:
            between = self._beyond(0, self.trials)
        if between is None:
            return None
        slope = self._slope(rough) if rough is not None else 0.0
        return self._edge(0, self.trials, between, self._near(self.trials), slope)

    def _slope(self, rough: Edge) -> float:
        """Change of the number from today to the edge, on few trials; that at a step between whole numbers says
        nothing.
        """
        there, now = (self.number(0, self.few)(place) for place in (rough.holds, self.today))
        return (there - now) / (rough.holds - self.today) if rough.holds != self.today else 0.0

    def _around(self, rough: Edge) -> tuple[float, float] | None:
        """Places on all trials with the edge between them: where few trials found it, and from there onwards."""
        f, limit = self.number(0, self.trials), self.goal.limit
        holds = f(self.today) <= limit
        nearer, farther = (rough.holds, rough.over) if holds else (rough.over, rough.holds)
        first = f(farther)
        if (first <= limit) != holds:
            if self._apart < abs(nearer - farther) and not self.lever.whole:
                return self.today, farther
            return (nearer if (f(nearer) <= limit) == holds else self.today), farther
        slope, place = self._slope(rough), farther
        step = (limit - first) / slope if slope else 0.0
        step = math.copysign(max(abs(step), 2 * self._apart), farther - self.today)
        for _ in range(MOST_STEPS):
            last, place = place, place + step
            if self.lever.whole:
                ahead = [p for p in map(self._place, self.lever.whole) if (p - last) * step > 0]
                place = min(ahead, key=lambda p: abs(p - last), default=math.inf)
            if not self._inside(place) or not self._affordable(place, self.trials):
                return None
            if (f(place) <= limit) != holds:
                return last, place
            step *= 2
        return None

    def _inside(self, place: float) -> bool:
        ends = sorted((self._place(self.lever.low or NEARLY_NONE) if self.inverse else self.lever.low,
                       self._place(self.lever.high)))  # fmt: skip
        return ends[0] <= place <= ends[1]

    def _at_an_end(self) -> tuple[float, float] | None:
        """Today and an end of the lever, where few trials saw nothing cross and all of them do."""
        f, limit = self.number(0, self.trials), self.goal.limit
        holds = f(self.today) <= limit
        helps = self.lever.worst if holds else self.lever.best
        for setting in (helps,) if self.goal.speedup is None else (self.lever.low, self.lever.high):
            place = self._place(setting)
            if place != self.today and self._affordable(place, self.trials) and (f(place) <= limit) != holds:
                return self.today, place
        return None

    def _edge(self, curve: int, trials: int, between: tuple[float, float], near: float, slope: float = 0.0) -> Edge:
        f, limit = self.number(curve, trials), self.goal.limit
        (a, fa), (b, fb) = sorted(((place, f(place)) for place in between), key=lambda pair: pair[1] > limit)
        if self.lever.whole:
            return self._whole_edge(f, a, b)
        guess = (a + (limit - near / 2 - fa) / slope, slope) if slope else None
        return edge(f, limit, (a, fa), (b, fb), near=near, apart=self._apart, guess=guess)

    def _whole_edge(self, f: Callable[[float], float], a: float, b: float) -> Edge:
        """Two neighbouring settings of a lever that has only some, by halving."""
        places = [place for place in map(self._place, self.lever.whole) if min(a, b) <= place <= max(a, b)]
        places = sorted({*places, a, b}, reverse=a > b)
        low, high = 0, len(places) - 1
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if f(places[middle]) <= self.goal.limit else (low, middle)
        return Edge(places[low], f(places[low]), places[high], f(places[high]))

    @property
    def _apart(self) -> float:
        return APART * abs(self.today or 1.0)

    # The answer

    def solution(self) -> Solution:
        lever, goal = self.lever, self.goal
        outcome, (now, worst, best) = self.at(self.today, self.trials)
        called = names(self.case.specs)
        today = lever.value(self.case, outcome)
        base = Solution(
            lever=lever,
            goal=goal,
            system=self.case.specs[-1].id,
            name=called[-1],
            baseline=called[0] if len(called) > 1 else None,
            status=MET if now <= goal.limit else UNREACHABLE,
            now=now,
            limit=goal.limit,
            today=today,
            error=goal.error(outcome),
            now_band=(best, worst) if best != worst else None,
            trials=self.trials,
            seed=self.seed,
        )
        rough = self.rough(0)
        found = self.settled(rough)
        if found is None:
            return self._without(base)
        fields = {**base.__dict__, **self._there(found.holds, today), "status": base.status}
        if now > goal.limit:
            fields["status"] = NEEDED
        if base.now_band is not None and rough is not None:
            fields["band"] = self._band(rough, fields["value"])
        moved = abs(fields["value"] - today)
        steep = abs(found.there - now) / moved if moved else 0.0
        fields["value_error"] = fields["error"] / steep if steep else None
        return Solution(**fields)

    def _band(self, rough: Edge, value: float) -> tuple[float | None, float | None]:
        """The answer at the best and the worst of what is unknown: solved on few trials, and moved along with the
        answer itself, since on the same trials they err together.
        """
        ends = [self.rough(curve) for curve in (2, 1)]
        middle, best, worst = (None if end is None else self._value(end.holds) for end in (rough, *ends))
        ratio = value / middle if middle else 1.0
        return tuple(None if end is None else end * ratio for end in (best, worst))

    def _value(self, place: float) -> float:
        return self.lever.value(self._case(place), self.at(place, self.few)[0])

    def _there(self, place: float, today: float) -> dict:
        outcome, (reached, *_) = self.at(place, self.trials)
        case = self._case(place)
        value = self.lever.value(case, outcome)
        setting = self.lever.today if place == self.today else self._place(place)
        factor = setting if self.lever.factor else value / today if today else None
        return {
            "setting": setting,
            "value": value,
            "factor": factor,
            "reached": reached,
            "error": self.goal.error(outcome),
            "case": case,
        }

    def _without(self, base: Solution) -> Solution:
        """No edge: out of reach, kept however far the lever is moved, or the lever makes no difference."""
        end = self._place(self.lever.worst if base.status == MET else self.lever.best)
        if not self._affordable(end, self.trials):
            return base
        outcome, (reached, *_) = self._play(self._case(end), self.trials, bands=False, alone=True)
        same = end != self.today and math.isclose(reached, base.now, rel_tol=1e-9)
        alone = float("nan")
        who = ""
        if self.goal.speedup is None:
            tools, people = outcome.tool_s[-1] > 0, outcome.human_s[-1] > 0
            who = " and ".join(word for word, on in (("tools", tools), ("people", people)) if on)
            alone = Goal(self.goal.by, under_s=1.0).reached(_only(outcome))[0]
        changes = {"status": NO_EFFECT if same else base.status, "best": reached, "waits": who, "waits_s": alone}
        return Solution(**{**base.__dict__, **changes})


def _only(outcome: Outcome) -> Outcome:
    """Tools and people alone, in place of the systems."""
    return Outcome(outcome.alone[None], (), outcome.tool_s, outcome.human_s, 0.0, None, None, None)
