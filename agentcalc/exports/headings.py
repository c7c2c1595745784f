"""Columns of figures' tables as headings for people: words, with the unit in brackets."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

    from agentcalc.figures.figure import Figure

_SECONDS = re.compile(r"(?P<name>.+)_s(?P<end>_low|_high)?")
_END = re.compile(r"(?P<name>.+?)(?P<end>_low|_high)")

SHARE = "0 to 1"
TIMES = "×"
IN_UNIT = "in its unit"
"""Of a column whose rows have units of their own: the column ``unit`` says which."""

UNITS = {
    "seconds": "s",
    "share": SHARE,
    "extrapolated_share": SHARE,
    "done": SHARE,
    "success": SHARE,
    "utilisation": SHARE,
    "idle": SHARE,
    "speedup": TIMES,
    "per_call": TIMES,
    "ceiling": TIMES,
    "k": TIMES,
    "per_hour": "tasks/h",
    "per_hour_chip": "tasks/h/chip",
    "per_hour_kw": "tasks/h/kW",
    "usd_hyperscaler": "US$/task",
    "usd_neocloud": "US$/task",
    "usd_rental": "US$/task",
    "tok_s_user": "tok/s/user",
    "tok_s_kw": "tok/s/kW",
    "tok_s_chip": "tok/s/chip",
    "waits": "a run",
    "runs_a_day": "runs/day",
}
"""Units by column; a column that ends in ``_s`` holds seconds."""

OF_KIND = {
    "speedup_curve": {"low": ("low", TIMES), "high": ("high", TIMES)},
    "tool_share": {"low": ("low", TIMES), "high": ("high", TIMES)},
    "tornado": {name: (name, IN_UNIT) for name in ("today", "low", "high")},
    "needs": {name: (name, IN_UNIT) for name in ("today", "needed")},
    "heat_map": {"x_in_unit": ("x", "in the unit of x"), "y_in_unit": ("y", "in the unit of y")},
    "portfolio": {f"saved_s{end}": (f"saved{end}", "s/day") for end in ("", "_low", "_high")}
    | {"possible_s": ("possible", "s/day"), "per_1000_people_s": ("saved by 1000 people", "s/day")},
}
"""(name, unit) of columns that mean something else in one kind of figure."""

TIME_OR_RATIO = {"tornado": ("at_low", "at_high", "span", "now"), "heat_map": ("value",)}
"""Columns of seconds, or of ratios where the column ``of`` says speedup."""

NAMES = {"tok_s_user": "speed", "tok_s_kw": "work", "tok_s_chip": "work", "k": "calls faster", "seconds": "time"}
NAMES |= {f"usd_{tier}": f"cost, {tier}" for tier in ("hyperscaler", "neocloud", "rental")}


def headed(figure: Figure) -> pd.DataFrame:
    """The table of a figure under its headings, which are the same in every file."""
    table = figure.table
    of = str(table["of"].iloc[0]) if "of" in table.columns and len(table) else "time"
    return table.set_axis([heading(str(column), figure.kind, of) for column in table.columns], axis=1)


def heading(column: str, kind: str, of: str = "time") -> str:
    """ "start (s)", "p95 low (s)", "speedup (×)", "agents". kind: of the figure; of: "speedup" where it shows that."""
    name, unit = _parted(column, kind, of)
    words = name.replace("_", " ")
    return f"{words} ({unit})" if unit else words


def _parted(column: str, kind: str, of: str) -> tuple[str, str]:
    if column in TIME_OR_RATIO.get(kind, ()):
        return column, TIMES if of == "speedup" else "s"
    if column in OF_KIND.get(kind, {}):
        return OF_KIND[kind][column]
    if column in UNITS:
        return NAMES.get(column, column), UNITS[column]
    found = _END.fullmatch(column)
    if found and found["name"] in UNITS:
        return NAMES.get(found["name"], found["name"]) + found["end"], UNITS[found["name"]]
    found = _SECONDS.fullmatch(column)
    return (found["name"] + (found["end"] or ""), "s") if found else (column, "")
