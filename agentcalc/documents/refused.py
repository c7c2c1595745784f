"""What is refused in a text: the error that says so, and the limits of what is read."""

from __future__ import annotations

DEEPEST = 200
"""The deepest nesting that is read."""
MOST_VALUES = 250_000
"""The most values and keys that are read from one file."""


class Refused(Exception):
    """Something in the text is refused: the place inside it, what was found, what would do."""

    def __init__(self, path: str, found: str, remedy: str):
        super().__init__(path, found, remedy)
        self.fault = (path, found, remedy)


def too_deep(line: int) -> Refused:
    """The error where nesting passes its limit."""
    return Refused(f"line {line}", f"it is nested more than {DEEPEST} deep", "Flatten it")


def too_many() -> Refused:
    """The error where values pass their limit."""
    found = f"it holds more than {MOST_VALUES:,} values"
    return Refused("", found, "Use loop or width for repeated work")
