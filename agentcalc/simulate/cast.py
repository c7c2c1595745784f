"""Who plays: the systems asked for, and the extra rows that an answer needs.

Each extra row is one more player on the same trials: every candidate with the baseline's threshold outcomes, every
system at the ends of what is unknown about it, and an instant system. So every answer is paired and costs one more
row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from agentcalc.errors import Fault, InputError
from agentcalc.latency import INSTANT, Profile, profile
from agentcalc.simulate.plan import roles
from agentcalc.simulate.stage import NEVER, Player
from agentcalc.system import Spec, System
from agentcalc.task import Task

MOST_UNKNOWNS = 6
"""Unknown numbers of one system or deployment: each doubles the rows that its band takes."""

Ends = dict[tuple[str, str], float]
"""Some unknowns, by system and number, at the low (0.0) or high (1.0) end of their bands."""


@dataclass(frozen=True)
class Cast:
    """players: all rows, the systems first; outcomes_of: whose threshold outcomes each row is given; forced[i]: the
    row of system i with the baseline's outcomes, or None; corners[i]: rows of system i at each of ends[i]; instant: a
    row.
    """

    players: tuple[Player, ...]
    named: int
    outcomes_of: tuple[int, ...]
    forced: tuple[int | None, ...]
    corners: tuple[tuple[int, ...], ...]
    ends: tuple[tuple[Ends, ...], ...]
    instant: int


def cast(task: Task, specs: Sequence[Spec]) -> Cast:
    """The players of a comparison; the first system is the baseline. Raises NotFoundError for a role nobody serves."""
    asked = roles(task)
    players = [player(spec, asked) for spec in specs]
    outcomes = list(range(len(specs)))
    forced: list[int | None] = [None] * len(specs)
    for i in range(1, len(specs) if task.rules else 1):
        forced[i] = len(players)
        players.append(players[i])
        outcomes.append(0)
    corners, ends = [], []
    for spec in specs:
        found = _corners(spec, asked)
        corners.append(tuple(range(len(players), len(players) + len(found))))
        ends.append(found)
        players += [player(spec, asked, end) for end in found]
    outcomes += range(len(outcomes), len(players))
    # The instant system is the bound for every system: it is never charged for a threshold either.
    players.append(INSTANT)
    outcomes.append(NEVER)
    named, instant = len(specs), len(players) - 1
    return Cast(tuple(players), named, tuple(outcomes), tuple(forced), tuple(corners), tuple(ends), instant)


def serving(spec: Spec, asked: Sequence[str]) -> tuple[System, ...]:
    """The different systems that serve some roles."""
    return tuple({system.id: system for system in (spec.for_role(role) for role in asked)}.values())


def player(spec: Spec, asked: Sequence[str], ends: Ends | None = None) -> dict[str, Profile]:
    """The profile of each role."""
    return {role: _profile(spec.for_role(role), ends or {}) for role in asked}


def _profile(system: System, ends: Ends) -> Profile:
    return profile(system, {name: end for (whose, name), end in ends.items() if whose == system.id})


def _corners(spec: Spec, asked: Sequence[str]) -> tuple[Ends, ...]:
    unknown = [(system.id, name) for system in serving(spec, asked) for name in system.unknowns()]
    if len(unknown) > MOST_UNKNOWNS:
        remedy = f"give at most {MOST_UNKNOWNS} numbers a band"
        raise InputError(Fault(spec.id, "", f"{len(unknown)} numbers carry a band", remedy))
    return tuple(dict(zip(unknown, at, strict=True)) for at in product((0.0, 1.0), repeat=len(unknown)) if unknown)
