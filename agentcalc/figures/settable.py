"""What can be set on a figure: its axes, the names in it, which of them have a colour or an order of their own."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from agentcalc.figures.words import BAR_WORDS, COMPONENT_WORDS

What = Literal["system", "kind", "step", "input", "task", "side"]

WHAT_WORDS = {
    "system": "systems",
    "kind": "kinds of time",
    "step": "steps",
    "input": "inputs",
    "task": "tasks",
    "side": "sides",
}


@dataclass(frozen=True)
class Named:
    """A name in a figure. key: what the figure knows it by; shown: how it is written there; others: how it may be
    called too; slot: its colour, "" where it has none. A side, such as "less" of "less time than today", has a colour
    but no other name.
    """

    key: str
    what: What
    shown: str = ""
    others: tuple[str, ...] = ()
    slot: str = ""

    @property
    def said(self) -> str:
        return self.shown or self.key

    def called(self, name: str) -> bool:
        """Whether it may be called so; capitals and accents do not matter."""
        return plain(name) in {plain(own) for own in (self.key, self.said, *self.others)}


def plain(text: str) -> str:
    """Letters without accents, small: what a keyboard without them can write."""
    letters = unicodedata.normalize("NFKD", text.strip().casefold().replace("\xa0", " ").replace("’", "'"))
    return "".join(c for c in letters if not unicodedata.combining(c))


@dataclass(frozen=True)
class Axis:
    """An axis that can be set. what: what it shows; low, high: of what is drawn; scale: the figure's own; other: if it
    may have the other; time: in seconds inside, so that it has a unit; bars: it shows all of what is drawn and,
    for bars from "zero", starts at 0; limits: whether it may have any.
    """

    what: str
    low: float
    high: float
    scale: Literal["linear", "log"] = "linear"
    other: bool = False
    time: bool = False
    bars: Literal["", "zero", "whole"] = ""
    limits: bool = True


@dataclass(frozen=True)
class Settable:
    """names: all that can be renamed, coloured (with a slot) or ordered (of the kinds in ``ordered``); of_colours,
    of_order: what the figure says that only its own colours, its own order make true.
    """

    names: tuple[Named, ...] = ()
    ordered: tuple[What, ...] = ()
    x: Axis | None = None
    y: Axis | None = None
    of_colours: tuple[str, ...] = ()
    of_order: tuple[str, ...] = ()

    def named(self, name: str) -> Named | None:
        """What is called so: by its name, its id or, where that is clear, the first part of its id."""
        for one in self.names:
            if one.called(name):
                return one
        heads = [
            one for one in self.names if any(plain(other).partition("/")[0] == plain(name) for other in one.others)
        ]
        return heads[0] if len(heads) == 1 else None


def systems(found: Iterable[tuple[str, str, str]], own: bool = True) -> list[Named]:
    """Systems of (label, id, role); own: whether one that is neither baseline nor candidate has its own colour."""
    return [
        Named(label, "system", others=(id,), slot=role if role in ("baseline", "candidate") else f"own:{label}" * own)
        for label, id, role in dict.fromkeys(found)
    ]


def kinds(components: Sequence[str], coloured: bool = True) -> list[Named]:
    """Kinds of time by their ids."""
    return [
        Named(kind, "kind", COMPONENT_WORDS[kind], (BAR_WORDS.get(kind, kind),), f"fill:{kind}" * coloured)
        for kind in components
    ]


def names(what: What, keys: Iterable[str]) -> list[Named]:
    """Names that have no colour of their own."""
    return [Named(key, what) for key in dict.fromkeys(keys)]


# Which kinds of figures have an option, for the one line that refuses it elsewhere. The tests hold it to the figures.
HAVE: dict[str, tuple[str, ...]] = {
    "x_scale": ("distribution", "operating_points", "break_even", "speedup"),
    "y_scale": ("tool_share", "operating_points", "break_even", "speedup"),
    "x_limits": (
        "timeline", "components", "distribution", "tornado", "operating_points", "break_even", "speedup",
    ),
    "y_limits": ("accumulation", "tool_share", "operating_points", "break_even", "speedup"),
    "unit": ("timeline", "accumulation", "components", "distribution", "histogram", "tornado", "break_even"),
    "order": ("timeline", "components", "distribution", "histogram", "tornado", "budget", "people"),
}  # fmt: skip
