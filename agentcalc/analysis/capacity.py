"""How many agents share one system: agents that run a task over and over on a system's curve over concurrency.

An agent is in the model or elsewhere (tools, people, waits). How many are in the model at once gives the load that a
call sees, the load gives TTFT and TPOT, and these give the time in the model: a closed network (see ``closed``), solved
exactly for its stationary state, since the plain fixed point knows no queue as long as the mean load fits. Runs whose
calls overlap stand for as many calls at once as one of their calls finds in flight, which keeps both the mean and the
spread of what a run has in flight. Task times are then walked at the load that calls see on average.

Beyond the largest measured load nothing is known: so many calls are served, at that point's TTFT and TPOT, and the
others wait their turn. Below the least measured load a call takes as long as at it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

import numpy as np
import pandas as pd

from agentcalc import catalog
from agentcalc.accelerators import Basis
from agentcalc.analysis.along_curve import Along, along_curve
from agentcalc.analysis.banded import Banded
from agentcalc.analysis.closed import Shared, share
from agentcalc.analysis.demand import Demand, demands, walk
from agentcalc.analysis.naming import short_name
from agentcalc.analysis.playing import check_seed
from agentcalc.analysis.work import Progress, Work
from agentcalc.defaults import SEED
from agentcalc.errors import Fault, InputError, NotFoundError
from agentcalc.latency import INSTANT, Profile
from agentcalc.points import missed
from agentcalc.provenance import Grade, weakest
from agentcalc.results import STATISTICS, statistics
from agentcalc.system import Spec, System
from agentcalc.task import Task
from agentcalc.units import show_count, show_time

TRIALS = 10_000
MOST_AGENTS = 100_000
MOST_UNKNOWNS = 4
HOUR_S = 3600.0
QUEUES = 0.01
"""From this share of the time in the model spent waiting for a place on, the answer rests on the queue."""
FULL = 0.95
"""Of the most tasks that a system can do, the share from which it counts as full."""
SURE = 1e-3
"""How near the walked mean comes to that of the network where calls wait."""
ROUGH = 1_000
"""Trials of a first look."""
TOGETHER = 24
"""Players of one walk."""
AHEAD = 40
"""Walks after the first, about, while it is not known yet how many there will be."""


@dataclass(frozen=True)
class Served:
    """What some agents get. task_s: mean, p50 and p95 of a run; in_flight: calls being served; seen: the load at which
    a call takes as long as it does; waiting: calls that wait for a place; per_hour: tasks of all agents; utilisation:
    per_hour over the most that this system can do; idle: what the same agents would get done more, were they never
    away from the model, as a share of that; regime: "below" the least measured load, "measured", or "queueing".
    """

    agents: int
    task_s: dict[str, Banded]
    in_flight: Banded
    seen: Banded
    waiting: Banded
    per_hour: Banded
    utilisation: Banded
    idle: Banded
    regime: str
    extrapolated_share: float


@dataclass(frozen=True)
class Most:
    """The most agents before a statistic of task time passes a limit; agents 0: not even one, and then ``alone_s`` is
    what one takes and ``without_s`` what is left without any calls. capped: there may be more.
    """

    limit_s: float
    by: str
    agents: int
    low: int
    high: int
    capped: bool
    alone_s: float
    without_s: float


@dataclass(frozen=True)
class _State:
    shared: Shared
    seen: float
    overlap: float
    rates: np.ndarray
    most_per_s: float
    places: float


class Sharing:
    """Agents on one system. Made by :func:`sharing`."""

    def __init__(self, task: Task, curve: Along, *, trials: int, seed: int, pause_s: float, basis: Basis, work: Work):
        self.task, self.curve, self.trials, self.seed = task, curve, trials, seed
        self.pause_s, self.basis, self.work = pause_s, basis, work
        self.system = curve.system
        self.name = short_name(self.system)
        self.ends = ({}, *_corners(curve))
        self.work.expect(trials * len(self.ends) * (len(curve.points) + AHEAD))
        self.demands = demands(task, curve, self.ends, trials, seed, work)
        first = self.demands[0]
        if not np.any(first.calls):
            found = "it makes no calls, so any number of agents can run it"
            raise InputError(Fault(task.id or task.name, "", found, "name a task with model calls"))
        if any((demand.call_s <= 0).any() for demand in self.demands):
            found = (
                f"by the numbers of {self.name} its calls take no time at some load, so any number of agents can run it"
            )
            remedy = "name a task whose calls read or write more"
            raise InputError(Fault(task.id or task.name, "", found, remedy))
        wide, last = float(first.overlap(curve.ends[1])), curve.ends[1]
        if wide > last:
            found = f"one run has about {wide:.0f} calls in flight at once, and the curve of {self.name} ends at {last}"
            raise InputError(Fault(task.id or task.name, "", found, "name a system measured at larger loads"))

    @property
    def chips(self) -> int | None:
        """Chips that the agents share; None where it is not stated."""
        return self.curve.chips

    @cached_property
    def power_kw(self) -> float | None:
        """Kilowatts of these chips on the basis; None where chips or power are not stated."""
        if self.chips is None:
            return None
        try:
            return self.chips * catalog.accelerator(self.system.accelerator).power_kw(self.basis)
        except NotFoundError:
            return None

    @property
    def grade(self) -> Grade:
        """The weakest of the curve's numbers; never better than derived, since agents were never measured."""
        rows = [number for i in range(len(self.curve.points)) for _, number in self.curve.at_point(i).numbers()]
        return weakest([Grade.DERIVED, *(number.grade for number in rows)])

    def _state(self, agents: int, demand: Demand) -> _State:
        """The stationary state. Where calls overlap, time elsewhere depends a little on the load seen: by bisection,
        since what is seen rises with time elsewhere less than what it is compared with.
        """
        low, high = (float(end) for end in self.curve.ends)
        found = self._given(agents, demand, low)
        if abs(float(demand.other_s(low)) - float(demand.other_s(high))) < 1e-9 and found.overlap == 1:
            return found
        while high / low > 1 + 1e-6:
            middle = math.sqrt(low * high)
            found = self._given(agents, demand, middle)
            low, high = (middle, high) if found.seen > middle else (low, middle)
        return found

    def _given(self, agents: int, demand: Demand, seen: float) -> _State:
        """The stationary state with time elsewhere and overlap as they are at a load."""
        last = self.curve.ends[1]
        overlap = float(demand.overlap(seen))
        places = max(last / overlap, 1.0)
        inside = np.minimum(np.arange(1, agents + 1), places)
        rates = inside / demand.model_s(inside * overlap)
        shared = share(float(demand.other_s(seen)) + self.pause_s, rates, places)
        most = float(np.max(rates, initial=places / float(demand.model_s(last))))
        return _State(shared, demand.load_at(shared.service_s), overlap, rates, most, places)

    def serve(self, agents: Sequence[int]) -> list[Served]:
        """What each of some numbers of agents gets. Raises InputError for numbers out of reach."""
        for number in agents:
            if not 1 <= number <= MOST_AGENTS:
                found = f"{number:,} agents are out of reach"
                raise InputError(Fault("agents", "", found, f"give whole numbers from 1 to {MOST_AGENTS:,}"))
        jobs = [(number, row) for number in agents for row in range(len(self.ends))]
        self.work.expect(self.trials * len(jobs))
        states = [self._state(number, self.demands[row]) for number, row in jobs]
        walked = self._walked([(n, row, s) for (n, row), s in zip(jobs, states, strict=True)])
        width = len(self.ends)
        return [
            self._served(number, states[i * width : (i + 1) * width], walked[i * width : (i + 1) * width])
            for i, number in enumerate(agents)
        ]

    def _served(self, agents: int, states: list[_State], walked: list[tuple[dict[str, float], float]]) -> Served:
        def over(values) -> Banded:
            found = [float(value) for value in values]
            return Banded(found[0], min(found), max(found))

        return Served(
            agents=agents,
            task_s={by: over(stats[by] for stats, _ in walked) for by in STATISTICS},
            in_flight=over(s.shared.in_service * s.overlap for s in states),
            seen=over(s.seen for s in states),
            waiting=over(s.shared.waiting * s.overlap for s in states),
            per_hour=over(HOUR_S * s.shared.per_s for s in states),
            utilisation=over(s.shared.per_s / s.most_per_s for s in states),
            idle=over(max(1 - s.shared.per_s / s.rates[-1], 0.0) for s in states),
            regime=self._regime(states[0]),
            extrapolated_share=walked[0][1],
        )

    def _regime(self, state: _State) -> str:
        if state.shared.wait_s > QUEUES * state.shared.service_s:
            return "queueing"
        return "below" if state.seen <= self.curve.ends[0] * (1 + 1e-9) else "measured"

    def _profile(self, row: int, seen: float, wait_s: float) -> Profile:
        found = self.curve.profile(seen, self.ends[row])
        return replace(found, overhead_s=found.overhead_s + wait_s)

    def _walked(
        self, jobs: list[tuple[int, int, _State]], trials: int | None = None
    ) -> list[tuple[dict[str, float], float]]:
        """Statistics of task time, and the share that is extrapolated, of each (agents, row of ends, state)."""
        waits = [
            s.shared.wait_s * s.overlap / float(self.demands[row].calls_at(s.seen)) if s.shared.waiting > 0 else 0.0
            for _, row, s in jobs
        ]
        found = self._play(
            [self._profile(row, s.seen, wait) for (_, row, s), wait in zip(jobs, waits, strict=True)], trials
        )
        for i, (agents, row, state) in enumerate(jobs):
            if state.shared.wait_s > SURE * state.shared.service_s:
                found[i] = self._until(agents, row, state, waits[i], found[i], trials)
        return found

    def _until(self, agents: int, row: int, state: _State, wait_s: float, found, trials: int | None):
        """Walks again with other waits for a place, per call, until they add to a mean run what the network says."""
        without = self._play([self._profile(row, state.seen, 0.0)], trials)[0][0]["mean"]
        # The network's own mean without waits is that of all trials; that of some trials is their own.
        wanted = without + state.shared.wait_s
        for _ in range(12):
            gained = found[0]["mean"] - without
            if abs(found[0]["mean"] - wanted) <= SURE * wanted:
                return found
            if gained <= 0:
                break
            wait_s *= (wanted - without) / gained
            found = self._play([self._profile(row, state.seen, wait_s)], trials)[0]
        what = f"with {agents:,} agents its calls end otherwise while they wait for a place (a timeout or a join)"
        raise InputError(Fault(self.task.id or self.task.name, "", what, "ask for fewer agents"))

    def _play(self, profiles: list[Profile], trials: int | None = None) -> list[tuple[dict[str, float], float]]:
        found = []
        for low in range(0, len(profiles), TOGETHER):
            together = profiles[low : low + TOGETHER]
            run = walk(self.task, together, trials or self.trials, self.seed, work=self.work)
            rows = range(len(run.task_s))
            found += [(statistics(run.task_s[row]), run.tally.extrapolated_share(row)) for row in rows]
        return found

    def full_at(self) -> int:
        """The fewest agents that keep the system full: utilisation of 95%, with all numbers as they are taken."""

        def full(agents: int) -> bool:
            state = self._state(agents, self.demands[0])
            return state.shared.per_s >= FULL * state.most_per_s

        return _first(full)

    def measured_to(self) -> int:
        """The most agents whose calls hardly wait for a place: up to here nothing rests on the queue. 0: not even
        one.
        """

        def waits(agents: int) -> bool:
            return self._regime(self._state(agents, self.demands[0])) == "queueing"

        return _first(waits) - 1

    def most(self, limit_s: float, by: str = "p95") -> Most:
        """The most agents before a statistic of task time passes ``limit_s``; low, high: over what is unknown."""
        if by not in STATISTICS:
            raise InputError(Fault("by", "", f"{by} is no statistic", f"use one of {', '.join(STATISTICS)}"))
        if not (math.isfinite(limit_s) and limit_s > 0):
            raise InputError(Fault("limit", "", f"{limit_s:g} s is no limit", "give a time above 0, such as 60s"))

        def passes(agents: int, row: int, trials: int) -> bool:
            return self._walked([(agents, row, self._state(agents, self.demands[row]))], trials)[0][0][by] > limit_s

        # A rough look first, since each look plays every trial.
        near, found = _first(lambda agents: passes(agents, 0, min(self.trials, ROUGH))), []
        for row in range(len(self.ends)):
            found.append(_first(lambda agents, row=row: passes(agents, row, self.trials), min(near, MOST_AGENTS)) - 1)
            near = max(found[0], 1)
        alone = self._walked([(1, 0, self._state(1, self.demands[0]))])[0][0][by]
        without = self._play([INSTANT])[0][0][by]
        capped = max(found) >= MOST_AGENTS
        return Most(limit_s, by, found[0], min(found), max(found), capped, alone, without)


TIERS = ("hyperscaler", "neocloud", "rental")
MEASURES = ("in_flight", "seen", "waiting", "per_hour", "utilisation", "idle")


@dataclass(frozen=True)
class Capacity:
    """The answer: some numbers of agents on one system.

    chips, power_kw: None where not stated, basis: of power; loads: the least and the largest measured concurrency;
    most: with a limit; measured_to, full_at: as of :class:`Sharing`; assumptions: in sentences; prices: US dollars an
    hour of all chips, by who sells them.
    """

    task: Task
    system: System
    name: str
    configuration: str | None
    chips: int | None
    power_kw: float | None
    basis: Basis
    prices: dict[str, float]
    loads: tuple[int, int]
    grade: Grade
    trials: int
    seed: int
    served: tuple[Served, ...]
    most: Most | None
    measured_to: int
    full_at: int
    assumptions: tuple[str, ...]

    def at(self, agents: int) -> Served:
        """What so many agents get. Raises KeyError for a number that was not asked about."""
        for one in self.served:
            if one.agents == agents:
                return one
        raise KeyError(agents)

    def per_kw(self, number: Banded) -> Banded | None:
        """A number of the whole system per kilowatt; None where chips or power are not stated."""
        return None if self.power_kw is None else number.scaled(1 / self.power_kw)

    def usd(self, served: Served) -> dict[str, Banded]:
        """US dollars of a task by who sells the chips; empty where no price is public or the chips are not stated."""
        hourly = served.per_hour
        return {
            tier: Banded(price / hourly.value, price / hourly.high, price / hourly.low)
            for tier, price in self.prices.items()
        }

    def table(self) -> pd.DataFrame:
        """One row a number of agents: every measure with its ``_low`` and ``_high``; tasks an hour also per chip and
        per kW, and US dollars of a task by tier (NaN where chips, power or prices are not stated).
        """
        rows = []
        for one in self.served:
            row = {"system": self.system.id, "label": self.name, "agents": one.agents, "regime": one.regime}
            named = {f"{by}_s": one.task_s[by] for by in STATISTICS}
            named |= {key: getattr(one, key) for key in MEASURES}
            named["per_hour_chip"] = None if self.chips is None else one.per_hour.scaled(1 / self.chips)
            named["per_hour_kw"] = self.per_kw(one.per_hour)
            usd = self.usd(one)
            named |= {f"usd_{tier}": usd.get(tier) for tier in TIERS}
            for key, number in named.items():
                ends = (math.nan,) * 3 if number is None else (number.value, number.low, number.high)
                row |= dict(zip((key, f"{key}_low", f"{key}_high"), ends, strict=True))
            row |= {"basis": self.basis, "extrapolated_share": one.extrapolated_share, "grade": self.grade.value}
            rows.append(row)
        return pd.DataFrame(rows)


def closely(last: int, count: int = 28) -> list[int]:
    """Whole numbers from 1 to the last, evenly spread over its logarithm: enough for a curve."""
    return sorted({round(last ** (i / (count - 1))) for i in range(count)})


def usual(last: int) -> list[int]:
    """1, 2, 5, 10, ... and the last."""
    found = [k * 10**p for p in range(6) for k in (1, 2, 5)]
    return [*(number for number in found if number < last), last]


def capacity(
    task: Task,
    system: Spec,
    agents: Sequence[int] | None = None,
    *,
    spread: Callable[[int], list[int]] = usual,
    limit_s: float | None = None,
    by: str = "p95",
    configuration: str | None = None,
    trials: int = TRIALS,
    seed: int = SEED,
    pause_s: float = 0.0,
    basis: Basis = "tdp",
    progress: Progress | None = None,
) -> Capacity:
    """Agents that run a task on a system; see :func:`sharing`.

    agents: how many, or None: some from one to a third more than fill the system, chosen by ``spread``
    (:func:`usual`, or :func:`closely` for a curve); limit_s, by: also the most agents before the statistic of task time
    passes the limit. progress: called with runs played and expected, which is a guess at first.
    """
    shared = sharing(
        task,
        system,
        configuration=configuration,
        trials=trials,
        seed=seed,
        pause_s=pause_s,
        basis=basis,
        progress=progress,
    )
    most = None if limit_s is None else shared.most(limit_s, by)
    full, measured = shared.full_at(), shared.measured_to()
    if agents is None:
        reached = [] if most is None else [most.agents]
        asked = [*spread(min(round(full * 4 / 3) + 1, MOST_AGENTS)), measured, *reached]
        agents = [number for number in asked if 1 <= number <= MOST_AGENTS]
    chips = shared.chips
    return Capacity(
        task=task,
        system=shared.system,
        name=shared.name,
        configuration=shared.curve.points[0].configuration,
        chips=chips,
        power_kw=shared.power_kw,
        basis=basis,
        prices={} if chips is None else {tier: chips * price for tier, price in _prices(shared.system).items()},
        loads=shared.curve.ends,
        grade=shared.grade,
        trials=trials,
        seed=seed,
        served=tuple(shared.serve(sorted(set(agents)))),
        most=most,
        measured_to=measured,
        full_at=full,
        assumptions=_assumptions(shared),
    )


def _prices(system: System) -> dict[str, float]:
    try:
        known = catalog.accelerator(system.accelerator).prices.known()
    except NotFoundError:
        return {}
    return {tier: price.value for tier, price in known.items()}


def _assumptions(shared: Sharing) -> tuple[str, ...]:
    low, high = shared.curve.ends
    demand = shared.demands[0]
    calls = float(demand.calls_at(low))
    fresh, _, output = (tokens / calls for tokens in demand.tokens)
    at = shared.curve.points[0].ttft_at_tokens
    said = [
        f"Load is counted in calls in flight. It was measured with prompts of {show_count(at)} uncached tokens; calls "
        f"of this task have {show_count(fresh)} and write {show_count(output)}.",
        f"More than {high} calls in flight were not measured: {high} are served and the others wait their turn.",
    ]
    if low > 1:
        said.append(f"Fewer than {low} calls in flight were not measured: each call then takes as long as at {low}.")
    rest = f"{show_time(shared.pause_s)} after" if shared.pause_s else "as soon as"
    said.append(f"An agent begins its next run {rest} the last one ends.")
    if shared.curve.left_out:
        said.append(shared.curve.left_out)
    found = missed(shared.curve.points)
    if found is not None:
        said.append(f"Between measured loads times are interpolated; {found}.")
    return tuple(said)


def sharing(
    task: Task,
    system: Spec,
    *,
    configuration: str | None = None,
    trials: int = TRIALS,
    seed: int = SEED,
    pause_s: float = 0.0,
    basis: Basis = "tdp",
    progress: Progress | None = None,
) -> Sharing:
    """Agents that run a task on a system's curve, each starting the next run ``pause_s`` after the last.

    configuration: which curve, by default the one measured at the most loads; basis: of work per kilowatt; progress:
    as of :func:`capacity`. Raises NotFoundError for a system without a curve, InputError for a deployment, for a task
    that makes no calls, or more at once than the curve reaches, and for a pause, trials or a seed out of range.
    """
    if not isinstance(system, System):
        raise InputError(Fault(system.id, "", "agents are counted on one system", "name one system, not a deployment"))
    if not (math.isfinite(pause_s) and 0 <= pause_s <= 1e7):
        raise InputError(Fault("pause", "", f"{pause_s:g} s is out of reach", "give 0 s to 1e+07 s"))
    if isinstance(trials, bool) or not isinstance(trials, int) or not 1 <= trials <= 1_000_000:
        raise InputError(Fault("trials", "", f"{trials} is out of reach", "use a whole number from 1 to 1,000,000"))
    check_seed(seed)
    curve = along_curve(system, configuration)
    return Sharing(task, curve, trials=trials, seed=seed, pause_s=pause_s, basis=basis, work=Work(progress))


def _corners(curve: Along) -> list[dict[str, float]]:
    """Every combination of the ends of what is unknown at some point of a curve."""
    every = [name for i in range(len(curve.points)) for name in curve.at_point(i).unknowns()]
    names = list(dict.fromkeys(every))
    if len(names) > MOST_UNKNOWNS:
        remedy = f"give at most {MOST_UNKNOWNS} numbers a band"
        raise InputError(Fault(curve.system.id, "", f"{len(names)} numbers carry a band", remedy))
    return [dict(zip(names, at, strict=True)) for at in product((0.0, 1.0), repeat=len(names)) if names]


def _first(holds: Callable[[int], bool], near: int = 1) -> int:
    """The fewest agents for which something holds that holds for all more; MOST_AGENTS + 1 where it never does.

    near: where to look first, in steps that double.
    """
    step, low, high = 1, near, near
    if holds(near):
        low = near - 1
        while low > 0 and holds(low):
            step, high, low = 2 * step, low, max(low - 2 * step, 0)
    else:
        high = min(near + 1, MOST_AGENTS)
        while not holds(high):
            if high == MOST_AGENTS:
                return MOST_AGENTS + 1
            step, low, high = 2 * step, high, min(high + 2 * step, MOST_AGENTS)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
