"""A system at a load and with or without tails, ready to be compared, and what that load is in words. No Streamlit."""

from __future__ import annotations

from dataclasses import dataclass

from agentcalc.app.brought import short_id
from agentcalc.errors import NotFoundError
from agentcalc.points import OperatingPoint, curves
from agentcalc.system import System
from agentcalc.units import NBSP

LONGEST_SHORT = 40


@dataclass(frozen=True)
class Picked:
    """system: with one point in use; the original itself where nothing was picked. line: what that point is, in a
    sentence; wrong: why there is none at the wanted load, if so, the system being as it was.
    """

    system: System
    line: str
    wrong: str = ""


def loads(system: System) -> tuple[int, int] | None:
    """The least and the largest requests in flight at which a system was measured; None where there is no choice."""
    known = [point.concurrency for point in system.curve]
    return (known[0], known[-1]) if len(set(known)) > 1 else None


def has_tails(system: System) -> bool:
    """Whether somebody measured how the calls at its point differ from one another."""
    return system.point.ttft_spread is not None or system.point.tpot_spread is not None


def pick(system: System, users: int | None = None, tails: bool = False) -> Picked:
    """The system at so many requests in flight at once (None: at the point in use), its calls varying or not."""
    wrong, found = "", system
    if users is not None and users != system.point.concurrency:
        try:
            found = _named(system.at(users), system, f"-at-{users}")
        except NotFoundError as error:
            wrong = str(error)
    line = about(found.point)
    if tails and has_tails(found):
        varied = found.varied()
        label = varied.label if len(varied.label) > 68 else f"{varied.label} with tails"
        one = varied.model_copy(update={"points": (varied.point,), "label": label})
        found = _named(one, found, "-tails")
        line += " Its calls differ from one another as measured."
    return Picked(found, line, wrong)


def _named(placed: System, whole: System, ending: str) -> System:
    """Under an id that may stand in an address, and that tells its load."""
    name = f"{short_id(whole)[:LONGEST_SHORT]}{ending}"
    return placed.model_copy(update={"id": f"{name}/{whole.model}" if whole.model else name})


def users_words(users: int) -> str:
    """ "16 requests at once"."""
    return f"{users:,}{NBSP}request{'' if users == 1 else 's'} at once"


def about(point: OperatingPoint) -> str:
    """What an operating point is: its load and chips, measured or between which points it lies and how well that
    works; that the load is not stated.
    """
    if point.concurrency is None:
        return "Its load is not stated: not how many requests it serves at once, nor on how many chips."
    how = f", {point.configuration.replace('(medians)', 'medians')}" if point.configuration else ""
    # Most configurations name the chips themselves.
    said = point.chips is None or (point.between is None and "chip" in how)
    on = "" if said else f" on {point.chips:,}{NBSP}chip{'' if point.chips == 1 else 's'}"
    if point.between is None:
        return f"{users_words(point.concurrency)}{on}{how}."
    note = (point.tpot.note or "").partition("; ")[2]
    checked = f" Checked: {note}." if note else ""
    low, high = point.between
    return f"Interpolated at {users_words(point.concurrency)}, between the measured {low:,} and {high:,}{on}.{checked}"


def interpolable(system: System) -> bool:
    """Whether loads between measured ones may be picked."""
    return any(len(curve) > 1 for curve in curves(system.points))
