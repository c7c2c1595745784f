"""A what-if: a task and its systems with some levers moved, from a command line (``tools=0.5x``) or from sliders.

The levers are those of ``agentcalc.analysis.levers``, so that a what-if, a solved lever and a swept one are one thing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from agentcalc.analysis.levers import Lever, every_lever, find_lever, told_apart
from agentcalc.analysis.playing import Case
from agentcalc.errors import Fault, InputError, echo
from agentcalc.system import Spec
from agentcalc.task import Task
from agentcalc.units import TIMES

OPTION = "--set"
_WRITTEN = re.compile(r"\s*(?P<number>[0-9]{1,12}(\.[0-9]{1,12})?|\.[0-9]{1,12})\s*(?P<sign>[xX×%]?)\s*")
_HOW = "write LEVER=0.5x, or a share such as cached=50%"


@dataclass(frozen=True)
class Move:
    """A lever by its id, and where it goes: a factor, or a share or a number that is set."""

    lever: str
    value: float
    factor: bool

    @property
    def written(self) -> str:
        """As :func:`read_move` reads it: "tools=0.5x", "cached=0.25"."""
        return f"{self.lever}={self.value:.10g}{'x' if self.factor else ''}"


def read_move(text: str) -> Move:
    """A move as it is written: "tools=0.5x", "cached=50%", "concurrency=16". Raises InputError for anything else."""
    lever, sign, value = text.rpartition("=")
    found = _WRITTEN.fullmatch(value)
    if not sign or not lever.strip() or not found:
        raise InputError(Fault(OPTION, "", f"found {echo(text)}", _HOW))
    number, sign = float(found["number"]), found["sign"]
    return Move(lever.strip(), number / 100 if sign == "%" else number, sign in ("x", "X", "×"))


def moved(task: Task, systems: Sequence[Spec], moves: Iterable[Move]) -> Case:
    """The task and the systems with levers moved; the same ones for no moves. A lever of a system acts on the second of
    them, the candidate (on the only one), and with ``baseline.`` before its id on the first.

    Levers are moved in the order of ``every_lever``, whatever the order of the moves: a cached share is one of the
    context that was set. Raises NotFoundError for a lever that is not there, InputError for one that is moved out of
    its range, twice, or together with one that it clashes with.
    """
    wanted = tuple(moves)
    if not wanted:
        return Case(task, tuple(systems))
    pair = told_apart(systems[:2])
    known = every_lever(task, pair, loads=any(move.lever.endswith("concurrency") for move in wanted))
    order = list(known)
    chosen = [(known.get(move.lever) or find_lever(task, pair, move.lever), move) for move in wanted]
    chosen.sort(key=lambda one: order.index(one[0].id))
    for (one, _), (other, _) in combinations(chosen, 2):
        if one.clashes(other):
            found = f"{one.id} is moved twice" if one.id == other.id else f"{one.id} and {other.id} are one input"
            raise InputError(Fault(OPTION, "", found, "move one of them, once"))
    case = Case(task, pair)
    for lever, move in chosen:
        case = lever.apply(*case, _setting(lever, move))
    return case._replace(specs=told_apart((*case.specs, *systems[2:])))


def _setting(lever: Lever, move: Move) -> float:
    where = f"{OPTION} {lever.id}"
    if lever.factor and not move.factor:
        raise InputError(Fault(where, "", f"found {move.value:g}", f"write a factor, such as {lever.id}=0.5x"))
    if not lever.factor and move.factor:
        raise InputError(
            Fault(where, "", f"found {move.value:g}x", f"write a value, such as {lever.id}={lever.high:g}")
        )
    if not lever.low <= move.value <= lever.high:
        low, found, high = (f"{v:g}x" if move.factor else lever.show(v) for v in (lever.low, move.value, lever.high))
        raise InputError(Fault(where, "", f"found {found}", f"it goes from {low} to {high}"))
    return move.value


def moves_line(task: Task, systems: Sequence[Spec], moves: Iterable[Move]) -> str:
    """ "Changed: tool time 0.5×, Jalapeño writing speed 2×."; empty for no moves. task, systems: before them."""
    said = []
    for move in moves:
        lever = find_lever(task, told_apart(systems[:2]), move.lever)
        shown = f"{move.value:g}{TIMES}" if move.factor else lever.show(move.value)
        said.append(f"{lever.inside} {shown}")
    return f"Changed: {', '.join(said)}." if said else ""
