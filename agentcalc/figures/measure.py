"""How wide a text is in the face of the figures, and where it may break.

Widths are those of Liberation Sans, which are Arial's and Helvetica's too, in thousandths of the font size.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

_REGULAR = (
    "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 "
    "584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 "
    "667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 "
    "278 556 500 722 500 500 500 334 260 334 584"
)
_BOLD = (
    "278 333 474 556 556 889 722 238 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 333 333 "
    "584 584 584 611 975 722 722 722 722 667 611 778 722 278 556 722 611 833 722 778 667 778 722 667 611 722 667 944 "
    "667 667 611 333 278 333 584 556 333 556 611 556 611 556 333 611 611 278 278 556 278 889 611 611 611 611 389 556 "
    "333 611 556 778 556 556 500 389 280 389 584"
)
_WIDTHS = {
    bold: {chr(32 + i): int(w) for i, w in enumerate(text.split())} for bold, text in ((False, _REGULAR), (True, _BOLD))
}
_OTHERS = {"×": 584, "−": 584, "–": 556, "—": 1000, "…": 1000, "\u00a0": 278, "·": 333, "’": 222, "µ": 576, "∞": 713}


MARKS = "-/_.:,"
"""After these a long word may break."""


@lru_cache(maxsize=4096)
def ems(text: str, bold: bool = False) -> float:
    """Width of a line in font sizes: 1.0 is as wide as the font is high."""
    widths = _WIDTHS[bold]
    total = 0
    for char in unicodedata.normalize("NFC", text):
        base = unicodedata.normalize("NFD", char)[0]
        if char in _OTHERS:
            total += _OTHERS[char]
        elif base in widths:
            total += widths[base]
        else:
            # Unknown letters are taken for wide ones: room to spare is better than a collision.
            total += 1000 if unicodedata.east_asian_width(char) in "WF" else 800
    return total / 1000


def pixels(text: str, size: float, bold: bool = False) -> float:
    """Width of a line in pixels at a font size."""
    return ems(text, bold) * size


def wrap(text: str, most_ems: float, bold: bool = False) -> list[str]:
    """Lines no wider than ``most_ems``, filled one after the other; a word wider than that is broken, after a mark such
    as a hyphen or a slash where one stands in its line's second half.
    """
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if ems(longer, bold) <= most_ems:
            lines[-1] = longer
            continue
        if lines[-1]:
            lines.append("")
        for char in word:
            if lines[-1] and ems(lines[-1] + char, bold) > most_ems:
                last = lines[-1]
                at = max(last.rfind(mark) for mark in MARKS) + 1
                # A line that is full by a mark takes the next one as it is.
                lines[-1:] = [last[:at], last[at:]] if at > len(last) / 2 else [last, ""]
            lines[-1] += char
    return lines


def balance(text: str, most_ems: float, bold: bool = False) -> list[str]:
    """As few lines as :func:`wrap` needs, made about equally wide."""
    count = len(wrap(text, most_ems, bold))
    if count == 1:
        return [text]
    low, high = ems(text, bold) / count, most_ems
    for _ in range(12):
        middle = (low + high) / 2
        low, high = (low, middle) if len(wrap(text, middle, bold)) <= count else (middle, high)
    return wrap(text, high, bold)


def in_lines(text: str, count: int, bold: bool = False) -> list[str]:
    """The text in at most ``count`` lines of about the same width."""
    return list(_in_lines(text, count, bold))


@lru_cache(maxsize=4096)
def _in_lines(text: str, count: int, bold: bool) -> tuple[str, ...]:
    low, high = 0.0, ems(text, bold)
    for _ in range(14):
        middle = (low + high) / 2
        fits = len(wrap(text, max(middle, 1.0), bold)) <= count
        low, high = (low, middle) if fits else (middle, high)
    return tuple(wrap(text, max(high, 1.0), bold))
