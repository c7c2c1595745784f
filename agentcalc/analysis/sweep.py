"""Two levers at once: a grid of what a task takes, or of the speed-up, with today's cell in it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from agentcalc.analysis.goals import check_under
from agentcalc.analysis.levers import Lever, find_lever
from agentcalc.analysis.naming import names
from agentcalc.analysis.needs import NO_TIME, next_round_s
from agentcalc.analysis.playing import Case, Progress, check_by, check_play, check_systems, play_cases, statistic
from agentcalc.defaults import SEED
from agentcalc.errors import Fault, InputError
from agentcalc.system import Spec
from agentcalc.task import Task
from agentcalc.units import show_time

if TYPE_CHECKING:
    import pandas as pd

SWEEP_TRIALS = 10_000
X_POINTS, Y_POINTS = 11, 9
MOST_POINTS = 41
SPREAD = 4.0
"""A factor goes from one over this to this."""
CLOSE = 0.03
"""A ratio so near 1 is too close to call, as in the headline."""


@dataclass(frozen=True)
class Sweep:
    """A grid. x, y: levers; xs, ys: their settings, rising; target_s: the level of the contour; cells: one a pair of
    settings, x changing fastest.
    """

    x: Lever
    y: Lever
    xs: tuple[float, ...]
    ys: tuple[float, ...]
    by: str
    system: str
    name: str
    baseline: str | None
    target_s: float
    cells: tuple[Cell, ...]
    halves: Halves | None
    trials: int
    seed: int

    def table(self) -> pd.DataFrame:
        """One row a cell: x, y (values, in the levers' units), x_setting, y_setting, seconds (of the last system),
        low_s, high_s (over what is unknown), baseline_s, speedup, speedup_low, speedup_high (the same), undecided
        (which is first is too close to call), today, under (the target). Without a baseline its columns are empty.
        """
        import pandas as pd

        return pd.DataFrame([cell.__dict__ for cell in self.cells])

    @property
    def today(self) -> Cell:
        """Today's cell."""
        return next(cell for cell in self.cells if cell.today)

    @property
    def sentence(self) -> str:
        """Which of the two helps more when it is halved, and until where; else how much of the grid is under target."""
        if self.halves is None:
            under = sum(cell.under for cell in self.cells)
            return f"{under} of {len(self.cells)} cells are under {show_time(self.target_s)}."
        return _halves_words(self)


@dataclass(frozen=True)
class Halves:
    """What halving one lever (doubling a speed) does against the other, at today's place and along x.

    by_x, by_y: seconds with x, or y, halved today; turns: the value of x beyond which the other helps more, None when
    it stays so over the grid.
    """

    by_x: float
    by_y: float
    turns: float | None


def _halved(lever: Lever) -> str:
    return f"{'doubling' if lever.slower < 0 else 'halving'} {lever.inside}"


def _halves_words(s: Sweep) -> str:
    found = s.halves
    x, y = _halved(s.x), _halved(s.y)
    if math.isclose(found.by_x, found.by_y, rel_tol=1e-3):
        return f"{x[0].upper()}{x[1:]} and {y} help alike: {show_time(found.by_x)} instead of {_now(s)}."
    better, worse = (x, y) if found.by_x < found.by_y else (y, x)
    text = f"{better[0].upper()}{better[1:]} helps more than {worse}"
    if found.turns is None:
        return f"{text}: {show_time(min(found.by_x, found.by_y))} instead of {_now(s)}."
    verb = "falls below" if found.turns < s.today.x else "rises above"
    if s.x.plural:
        verb = verb.replace("falls", "fall").replace("rises", "rise")
    return f"{text} until {s.x.inside} {verb} {s.x.show(found.turns, about=True)} (now {now_words(s.x, s.today.x)})."


def now_words(lever: Lever, today: float) -> str:
    """ "60 s on average"."""
    return f"{lever.show(today)}{lever.often}"


def _now(s: Sweep) -> str:
    return show_time(s.today.seconds)


@dataclass(frozen=True)
class Cell:
    """One cell; see :meth:`Sweep.table`."""

    x: float
    y: float
    x_setting: float
    y_setting: float
    seconds: float
    low_s: float
    high_s: float
    baseline_s: float | None
    speedup: float | None
    speedup_low: float | None
    speedup_high: float | None
    undecided: bool | None
    today: bool
    under: bool


def sweep(
    task: Task,
    systems: Sequence[Spec],
    x: Lever | str,
    y: Lever | str,
    *,
    by: str = "p50",
    target_s: float | None = None,
    points: tuple[int, int] = (X_POINTS, Y_POINTS),
    trials: int = SWEEP_TRIALS,
    seed: int = SEED,
    progress: Progress | None = None,
) -> Sweep:
    """A grid of two levers: factors from a quarter to four times today, in equal ratios; others from end to end, with
    today's setting in place of the nearest.

    target_s: the level of the contour; None: the next round time at or below 0.8 of today's. Raises InputError for
    twice the same lever, two that move the same input, or a grid that cannot be.
    """
    specs = check_systems(systems)
    check_by(by)
    check_play(trials, seed)
    if target_s is not None:
        check_under(target_s)
    one, two = (find_lever(task, specs, lever) if isinstance(lever, str) else lever for lever in (x, y))
    if one.clashes(two):
        found = "both axes move the same input"
        raise InputError(Fault("sweep", "", found, "choose two that are apart, such as tools and speed"))
    if not all(isinstance(n, int) and 2 <= n <= MOST_POINTS for n in points):
        raise InputError(Fault("points", "", f"found {points}", f"use whole numbers from 2 to {MOST_POINTS}"))
    today = Case(task, specs)
    xs, ys = settings(one, points[0]), settings(two, points[1])
    if one.row is not None and two.row is None:
        # cells of one task share a walk: the system's lever must change fastest
        places = [(a, b) for b in ys for a in xs]
    else:
        places = [(a, b) for a in xs for b in ys] if two.row is not None else [(a, b) for b in ys for a in xs]
    cases = _cases(today, one, two, places)
    outcomes = play_cases(cases, trials, seed, bands=True, progress=progress)
    now = next(o for place, o in zip(places, outcomes, strict=True) if place == (one.today, two.today))
    takes = statistic(now.seconds[-1], by)
    if target_s is None and takes <= 0:
        raise InputError(Fault("under", "", NO_TIME, "give a time whose contour is marked, such as 60s"))
    limit = next_round_s(takes) if target_s is None else target_s
    found = {}
    for place, case, outcome in zip(places, cases, outcomes, strict=True):
        found[place] = _cell(one, two, place, case, outcome, by, limit)
    called = names(specs)
    return Sweep(
        x=one,
        y=two,
        xs=xs,
        ys=ys,
        by=by,
        system=specs[-1].id,
        name=called[-1],
        baseline=specs[0].id if len(specs) > 1 else None,
        target_s=limit,
        cells=tuple(found[a, b] for b in ys for a in xs),
        halves=_halves(today, one, two, xs, by, trials, seed),
        trials=trials,
        seed=seed,
    )


def settings(lever: Lever, points: int) -> tuple[float, ...]:
    """Settings of a lever for an axis, rising, with today's among them."""
    if lever.whole:
        inside = [s for s in lever.whole if not lever.factor or 1 / SPREAD <= s <= SPREAD]
        near = sorted(inside, key=lambda s: abs(math.log(s / lever.today)))[:points]
        return tuple(sorted(near))
    if lever.factor:
        low, high = max(lever.low, 1 / SPREAD), min(lever.high, SPREAD)
        found = [float(k) for k in np.geomspace(low, high, points)]
    else:
        found = [float(v) for v in np.linspace(lever.low, lever.high, points)]
    nearest = min(range(points), key=lambda i: abs(found[i] - lever.today))
    found[nearest] = lever.today
    return tuple(found)


def _cases(today: Case, one: Lever, two: Lever, places: list[tuple[float, float]]) -> list[Case]:
    """The cases of all cells; cells with the same change of the task share the very same task, and so a walk."""
    tasks: dict[tuple[float, float], Task] = {}
    found = []
    for a, b in places:
        case = two.apply(*one.apply(*today, a), b)
        key = (a if one.row is None else 0.0, b if two.row is None else 0.0)
        found.append(case._replace(task=tasks.setdefault(key, case.task)))
    return found


def _halves(today: Case, one: Lever, two: Lever, xs: Sequence[float], by: str, trials: int, seed: int):
    """Halving x against halving y at every setting of x; None for levers that cannot be halved."""
    if not (one.factor and two.factor) or one.whole or two.whole:
        return None
    down = {lever.id: 2.0 if lever.slower < 0 else 0.5 for lever in (one, two)}
    cases = []
    for a in xs:
        cases.append(one.apply(*today, a * down[one.id]))
        cases.append(two.apply(*one.apply(*today, a), down[two.id]))
    last = [case._replace(specs=case.specs[-1:]) for case in cases]
    order = sorted(range(len(last)), key=lambda i: (id(last[i].task), i))
    outcomes = dict(zip(order, play_cases([last[i] for i in order], trials, seed), strict=True))
    taken = [statistic(outcomes[i].seconds[-1], by) for i in range(len(last))]
    apart = [a - b for a, b in zip(taken[::2], taken[1::2], strict=True)]
    now = xs.index(one.today)
    turns = None
    for step in (-1, 1):
        for i in range(now, -1 if step < 0 else len(xs), step):
            if apart[i] * apart[now] < 0:
                share = apart[i - step] / (apart[i - step] - apart[i])
                a, b = (1 / xs[j] if one.slower < 0 else xs[j] for j in (i - step, i))
                place = a + (b - a) * share
                place = 1 / place if one.slower < 0 else place
                case = one.apply(*today, place)
                value = one.value(case, play_cases([case], trials, seed)[0])
                turns = value if turns is None or step < 0 else turns
                break
    return Halves(taken[2 * now], taken[2 * now + 1], turns)


def _cell(one: Lever, two: Lever, place, case: Case, outcome, by: str, limit: float) -> Cell:
    rows = [
        [statistic(row, by), *(statistic(corner, by) for corner in (outcome.corners[i] if outcome.corners else ()))]
        for i, row in enumerate(outcome.seconds)
    ]
    mine = rows[-1]
    pair: dict = dict.fromkeys(("baseline_s", "speedup", "speedup_low", "speedup_high", "undecided"))
    if len(rows) > 1 and min(mine) > 0:
        base = rows[0]
        ratio, low, high = base[0] / mine[0], min(base) / max(mine), max(base) / min(mine)
        pair = {
            "baseline_s": base[0],
            "speedup": ratio,
            "speedup_low": low,
            "speedup_high": high,
            "undecided": low < 1 < high or abs(ratio - 1) < CLOSE,
        }
    return Cell(
        x=one.value(case, outcome),
        y=two.value(case, outcome),
        x_setting=place[0],
        y_setting=place[1],
        seconds=mine[0],
        low_s=min(mine),
        high_s=max(mine),
        today=place == (one.today, two.today),
        under=mine[0] <= limit,
        **pair,
    )
