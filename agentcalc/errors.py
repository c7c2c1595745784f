"""What a person at the keyboard is told when an input is wrong.

AgentcalcError            any expected error; its text is one line
└── InputError            a file, a name or a number is wrong: where, what was found, what would do
    └── NotFoundError     an id or a path that leads nowhere
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

LONGEST_ECHO, LONGEST_PLACE = 80, 240


def echo(value: object) -> str:
    """A hostile or long value made fit for one line of an error: quoted, without control characters, cut at 80."""
    if value is None:
        return "nothing"
    text = value if isinstance(value, str) else repr(value)
    text = "".join(c if c.isprintable() else "?" for c in text[: LONGEST_ECHO + 1])
    if len(text) > LONGEST_ECHO:
        text = text[: LONGEST_ECHO - 1] + "…"
    return f"'{text}'" if isinstance(value, str) else text


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong.

    where: the file or argument; path: the place inside it, such as ``steps[2].options[0].probability``;
    found: what stands there; remedy: what would do.
    """

    where: str
    path: str
    found: str
    remedy: str

    def __str__(self) -> str:
        place = ": ".join(part for part in (_fit(self.where), _fit(self.path)) if part)
        text = _sentence(f"{place}: {self.found}" if place else self.found)
        if self.remedy:
            text += " " + _sentence(self.remedy[0].upper() + self.remedy[1:])
        return " ".join(text.split())


def _fit(text: str) -> str:
    """A place fit for one line: what does not print (commands to a terminal, turned letters) as ?, cut at 240."""
    text = "".join(c if c.isprintable() or c.isspace() else "?" for c in text)
    return text if len(text) <= LONGEST_PLACE else f"…{text[1 - LONGEST_PLACE :]}"


def _sentence(text: str) -> str:
    return text if text.endswith("?") else text.rstrip(".") + "."


class AgentcalcError(Exception):
    """Any error that a user can act on. ``str()`` is one line."""


class InputError(AgentcalcError):
    """An input is wrong. ``faults`` holds every fault found; ``str()`` is the first, with a count of the others."""

    def __init__(self, faults: Fault | Iterable[Fault]):
        self.faults: tuple[Fault, ...] = (faults,) if isinstance(faults, Fault) else tuple(faults)
        super().__init__(self.faults)

    def __str__(self) -> str:
        others = len(self.faults) - 1
        first = str(self.faults[0])
        return first if not others else f"{first} (and {others} more)"


class NotFoundError(InputError):
    """A name, id or path that leads nowhere."""
