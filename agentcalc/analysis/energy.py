"""Energy and price of a task, at an operating point that is named, kept apart from latency.

A system does most work per kilowatt at one operating point and answers soonest at another. Work per kilowatt is mixed
tokens (input and output together) a second and kW; from it follow tasks an hour and kW, and the energy of a task. It is
divided by one of two powers, package TDP or all-in, which are never mixed. Figures of different points are kept apart:
each names its own, and says whether the task's latency is that of the same point.

Such figures were measured on prompts of 7,373 tokens, none of them cached, and 922 tokens out. A token of the task is
taken to cost what one of these costs in the mean. How much of that is input and how much output nobody states: the band
reaches from "all of it is input" to "all of it is output", which for the benchmark's own mix is one number. Cached
tokens are taken to cost nothing, and their number is said.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from agentcalc import catalog
from agentcalc.accelerators import BASIS_WORDS, Accelerator, Basis
from agentcalc.analysis.banded import Banded
from agentcalc.analysis.demand import walk
from agentcalc.analysis.naming import names
from agentcalc.analysis.playing import check_seed
from agentcalc.defaults import SEED
from agentcalc.errors import Fault, InputError, NotFoundError
from agentcalc.latency import profile
from agentcalc.points import BENCHMARK_OUTPUT, OperatingPoint, quick
from agentcalc.provenance import Grade, weakest
from agentcalc.simulate.load import Load
from agentcalc.system import Spec, System
from agentcalc.task import Task

TRIALS = 10_000
TOGETHER = 4_096
BENCHMARK_INPUT = (6_553, 8_192)
"""Prompts of the benchmark whose figures are per mixed token, least and most tokens (benchmark facts, section 2)."""
MEAN_INPUT = 7_373
"""Their mean; 922 tokens are written after them."""
LIKE = 0.05
"""A band of tokens no wider than this share of them is as good as one number."""
SAME_SPEED = 0.01
"""Two speeds that differ by no more than this share are those of one operating point."""
HOUR_S = 3600.0

Which = Literal["throughput", "latency", "matched"]


@dataclass(frozen=True)
class PerKilowatt:
    """Mixed tokens a second and kW, on one basis."""

    value: float
    basis: Basis
    grade: Grade
    source: str

    def over(self, other: PerKilowatt) -> float:
        """How many times the other. Raises InputError where they stand on different bases."""
        if self.basis != other.basis:
            found = f"one is per kW of {BASIS_WORDS[self.basis]}, the other of {BASIS_WORDS[other.basis]}"
            raise InputError(Fault("work per kilowatt", "", found, "compare figures on one basis"))
        return self.value / other.value


@dataclass(frozen=True)
class Rate:
    """Work per kilowatt at an operating point.

    at: the point in words; speed: tok/s/user there, None: not stated; own: whether it is the point that the system's
    latency is taken from; inferred: from its load, by Little's law, or derived by whoever wrote the system.
    """

    mixed: PerKilowatt
    at: str
    speed: float | None
    own: bool
    inferred: bool = False


@dataclass(frozen=True)
class Work:
    """What a mean run asks of a system at the point in use: tokens, and seconds of all its calls and of itself."""

    uncached: float
    cached: float
    output: float
    call_s: Banded
    task_s: Banded

    @property
    def tokens(self) -> Banded:
        """Mixed tokens of the benchmark that cost as much: its own uncached and output tokens, from what it would be
        if only input cost anything to what it would be if only output did.
        """
        whole = MEAN_INPUT + BENCHMARK_OUTPUT
        parts = ((self.uncached, MEAN_INPUT), (self.output, BENCHMARK_OUTPUT))
        # Where there is none of one kind, not all of the cost can be its.
        ends = [tokens * whole / share for tokens, share in parts if tokens]
        fresh = self.uncached + self.output
        return Banded(fresh, min([*ends, fresh]), max([*ends, fresh]))

    @property
    def same_mix(self) -> bool:
        """Whether its uncached and output tokens are mixed as the benchmark's."""
        tokens = self.tokens
        return tokens.high - tokens.low <= LIKE * tokens.value


@dataclass(frozen=True)
class AtPoint:
    """A task at one operating point. per_hour_kw: tasks an hour and kW; wh: energy of a task, Wh; wh_by_time: the same
    by the share of the chips' time that its calls take at this point; None where chips or concurrency are not stated,
    or where the point is not the one in use.
    """

    which: Which
    rate: Rate
    per_hour_kw: Banded
    wh: Banded
    wh_by_time: Banded | None
    grade: Grade

    @property
    def kj(self) -> Banded:
        """Energy of a task, kJ."""
        return self.wh.scaled(3.6)


@dataclass(frozen=True)
class Price:
    """US dollars of a task at the point in use, by who sells the chips. kept: its place in the batch stays empty while
    it waits for tools and people; shared: others use it meanwhile.
    """

    tier: str
    kept: Banded
    shared: Banded
    grade: Grade


@dataclass(frozen=True)
class Energy:
    """A task on one system, on one basis. points: throughput first; empty where nobody states work or power;
    prices: empty where nobody states them; no_price: why.
    """

    task: str
    system: str
    name: str
    role: str
    basis: Basis
    work: Work
    points: tuple[AtPoint, ...]
    prices: tuple[Price, ...]
    no_price: str
    assumptions: tuple[str, ...]

    def at(self, which: Which) -> AtPoint | None:
        """The task at the point of highest throughput, of its own latency, or matched to another system's speed."""
        return next((point for point in self.points if point.which == which), None)


def rates(system: System, basis: Basis = "tdp") -> tuple[Rate, ...]:
    """Work per kilowatt of a system on a basis, wherever it is stated or follows from tokens per chip or from the load.

    A point without throughput that was measured on the benchmark's prompts has concurrency x (its prompt + 922) tokens
    every call, over its chips: what a closed loop of that many users does (Little's law).
    """
    found = []
    for stated in system.capacity:
        if stated.basis == basis:
            mixed = PerKilowatt(stated.mixed.value, basis, stated.mixed.grade, stated.mixed.source)
            speed = None if stated.speed is None else stated.speed.value
            own = speed is not None and _same_speed(speed, system.point)
            found.append(Rate(mixed, stated.at, speed, own))
    chip = _chip(system)
    if chip is not None and (basis == "tdp" or chip.all_in is not None):
        found += [rate for p in system.points if (rate := _of_point(p, p is system.point, chip, basis)) is not None]
    return tuple(found)


def _of_point(point: OperatingPoint, own: bool, chip: Accelerator, basis: Basis) -> Rate | None:
    grades = [Grade.DERIVED, chip.power(basis).grade]
    if point.throughput is not None:
        per_chip, source = point.throughput.value, point.throughput.source
        grades.append(point.throughput.grade)
    elif point.concurrency and point.chips and BENCHMARK_INPUT[0] <= point.ttft_at_tokens <= BENCHMARK_INPUT[1]:
        tokens = point.ttft_at_tokens + BENCHMARK_OUTPUT
        per_chip, source = point.concurrency * tokens / quick(point) / point.chips, point.tpot.source
        grades += [point.ttft.grade, point.tpot.grade]
    else:
        return None
    mixed = PerKilowatt(per_chip / chip.power_kw(basis), basis, weakest(grades), source)
    inferred = point.throughput is None or point.throughput.grade.rank >= Grade.DERIVED.rank
    return Rate(mixed, point_words(point), 1 / point.tpot.seconds(), own, inferred)


def point_words(point: OperatingPoint) -> str:
    """A measured point in words: "5 users on 22 chips"."""
    users = "an unstated load" if point.concurrency is None else f"{point.concurrency:,} user"
    if point.concurrency is not None and point.concurrency != 1:
        users += "s"
    if point.chips is None:
        return users
    return f"{users} on {point.chips:,} chip{'' if point.chips == 1 else 's'}"


def _same_speed(speed: float, point: OperatingPoint) -> bool:
    return abs(speed * point.tpot.seconds() - 1) <= SAME_SPEED


def _chip(system: System) -> Accelerator | None:
    try:
        return catalog.accelerator(system.accelerator)
    except NotFoundError:
        return None


def work(task: Task, system: System, trials: int = TRIALS, seed: int = SEED) -> Work:
    """What a mean run asks of a system, at its point in use; with bands over what is unknown about it."""
    profiles = [profile(system, ends) for ends in ({}, *system.corners())]
    load, total = Load(len(profiles)), np.zeros(len(profiles))
    for low in range(0, trials, TOGETHER):
        numbers = np.arange(low, min(low + TOGETHER, trials))
        total += walk(task, profiles, numbers, seed, load).task_s.sum(axis=1)
        load.settle(numbers)

    def over(sums: np.ndarray) -> Banded:
        means = sums / trials
        return Banded(float(means[0]), float(means.min()), float(means.max()))

    fresh = float(load.uncached[0] + load.refilled[0])
    tokens = [sums / trials for sums in (fresh, float(load.cached[0]), float(load.output[0]))]
    return Work(*tokens, over(load.call_s), over(total))


def energy(
    task: Task, systems: Sequence[Spec], *, basis: Basis = "tdp", trials: int = TRIALS, seed: int = SEED
) -> tuple[Energy, ...]:
    """A task's energy and price on some systems, all on one basis; the first is the baseline.

    Raises InputError for a deployment, for no system, for a task that makes no calls or whose calls read and write
    nothing, and for trials or a seed out of range, and NotFoundError for a system whose power on the basis nobody
    states.
    """
    if not systems:
        raise InputError(Fault("systems", "", "no system is given", "name at least one, such as gb200/gpt-oss-120b"))
    if isinstance(trials, bool) or not isinstance(trials, int) or not 1 <= trials <= 1_000_000:
        raise InputError(Fault("trials", "", f"{trials} is out of reach", "use a whole number from 1 to 1,000,000"))
    check_seed(seed)
    for system in systems:
        if not isinstance(system, System):
            remedy = "name one system, not a deployment"
            raise InputError(Fault(system.id, "", "energy is that of one system", remedy))
        chip = _chip(system)
        if chip is not None:
            chip.power(basis)
    roles = ["baseline", "candidate", *["other"] * len(systems)]
    return tuple(
        _energy(task, system, name, role, basis, trials, seed)
        for system, name, role in zip(systems, names(systems), roles, strict=False)
    )


def _energy(task: Task, system: System, name: str, role: str, basis: Basis, trials: int, seed: int) -> Energy:
    found = work(task, system, trials, seed)
    if not found.call_s.value:
        raise InputError(Fault(task.id or task.name, "", "it makes no calls", "name a task with model calls"))
    if not found.tokens.value:
        remedy = "name a task whose calls read or write some"
        raise InputError(Fault(task.id or task.name, "", "its calls read no uncached token and write none", remedy))
    points, assumptions = _points(system, found, basis), _assumptions(found)
    chip = _chip(system)
    prices, why = _prices(system, chip, found)
    return Energy(
        task=task.name,
        system=system.id,
        name=name,
        role=role,
        basis=basis,
        work=found,
        points=points,
        prices=prices,
        no_price=why,
        assumptions=assumptions,
    )


def _points(system: System, found: Work, basis: Basis) -> tuple[AtPoint, ...]:
    known = rates(system, basis)
    if not known:
        return ()
    # What a ramp-up and its end cost is in what was measured, not in what is inferred.
    best = max([rate for rate in known if not rate.inferred] or known, key=lambda rate: rate.mixed.value)
    # Of what is known of the point in use the strongest grade counts.
    own = min((rate for rate in known if rate.own), key=lambda rate: rate.mixed.grade.rank, default=None)
    chosen: list[tuple[Which, Rate]] = [("throughput", best)]
    if own is not None:
        chosen.append(("latency", own))
    else:
        fast = [rate for rate in known if rate.speed is not None]
        chosen += [("matched", max(fast, key=lambda rate: rate.speed))] if fast else []
    return tuple(_at(system, found, which, rate, basis) for which, rate in chosen)


def _at(system: System, found: Work, which: Which, rate: Rate, basis: Basis) -> AtPoint:
    tokens, mixed = found.tokens, rate.mixed.value
    hourly = [HOUR_S * mixed / t for t in (tokens.value, tokens.high, tokens.low)]
    wh = Banded(*(t / mixed / HOUR_S * 1000 for t in (tokens.value, tokens.low, tokens.high)))
    chip, point = _chip(system), system.point
    by_time = None
    if rate.own and chip is not None and point.concurrency and point.chips:
        by_time = found.call_s.scaled(point.chips * chip.power_kw(basis) / point.concurrency / 3.6)
    grade = rate.mixed.grade if found.same_mix and not found.cached else Grade.ASSUMED
    return AtPoint(which, rate, Banded(*hourly), wh, by_time, weakest([Grade.DERIVED, grade]))


def _assumptions(found: Work) -> tuple[str, ...]:
    said = []
    if not found.same_mix and found.output:
        said.append(
            "A token is taken to cost what one of the benchmark's does, 8 in to 1 out and nothing cached; this task "
            f"reads {found.uncached / found.output:.1f} uncached tokens for each that it writes. The band reaches from "
            "all cost being input to all being output."
        )
    if found.cached:
        said.append(f"Its {found.cached:,.0f} cached tokens are taken to cost nothing.")
    return tuple(said)


def _prices(system: System, chip: Accelerator | None, found: Work) -> tuple[tuple[Price, ...], str]:
    known = {} if chip is None else chip.prices.known()
    if not known:
        return (), f"no public price of {system.accelerator}"
    point = system.point
    if not (point.concurrency and point.chips):
        return (), "no price of a task: chips and load of the operating point are not stated"
    per_s = point.chips / point.concurrency / HOUR_S
    numbers = [number.grade for _, number in system.numbers()]
    prices = tuple(
        Price(
            tier,
            found.task_s.scaled(price.value * per_s),
            found.call_s.scaled(price.value * per_s),
            weakest([Grade.DERIVED, price.grade, *numbers]),
        )
        for tier, price in known.items()
    )
    return prices, ""


def table(found: Sequence[Energy]) -> pd.DataFrame:
    """One row a system and operating point: which, at, speed, mixed_tok_s_kw, basis, own_latency, per_hour_kw, wh, kj
    with ``_low`` and ``_high``, wh_by_time, grade, and usd by tier, kept and shared (NaN where not stated).
    """
    rows = []
    for one in found:
        for point in one.points:
            rate = point.rate
            row = {"task": one.task, "system": one.system, "label": one.name, "role": one.role, "which": point.which}
            row |= {"at": rate.at, "speed": math.nan if rate.speed is None else rate.speed}
            row |= {"mixed_tok_s_kw": rate.mixed.value, "basis": one.basis, "own_latency": rate.own}
            for key in ("per_hour_kw", "wh", "kj"):
                number = getattr(point, key)
                row |= {key: number.value, f"{key}_low": number.low, f"{key}_high": number.high}
            row["wh_by_time"] = math.nan if point.wh_by_time is None else point.wh_by_time.value
            row["grade"] = point.grade.value
            for price in one.prices if rate.own else ():
                row |= {f"usd_{price.tier}_kept": price.kept.value, f"usd_{price.tier}_shared": price.shared.value}
            rows.append(row)
    return pd.DataFrame(rows)
