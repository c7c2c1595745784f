"""Aligned columns and wrapped paragraphs for a terminal. No colour: a table reads the same in a file and in a pipe."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Sequence

WIDEST, NARROWEST = 100, 60


def width() -> int:
    """Columns to fill: those of the terminal, 60 to 100; 80 in a pipe."""
    if sys.stdout is None or not sys.stdout.isatty():
        return 80
    return max(NARROWEST, min(WIDEST, shutil.get_terminal_size((80, 24)).columns))


def paragraph(text: str, *, indent: str = "", hang: str | None = None) -> str:
    """Text wrapped at the terminal's width; no-break spaces hold. hang: indent of the further lines."""
    return textwrap.fill(
        text,
        width(),
        initial_indent=indent,
        subsequent_indent=indent if hang is None else hang,
        break_long_words=False,
        break_on_hyphens=False,
    )


def columns(rows: Sequence[Sequence[str]], *, right: Sequence[int] = (), cut: bool = False) -> str:
    """Rows of equally many cells, the first row the heads, as lines with two spaces between columns.

    right: columns aligned to the right. cut: the last column ends with … where the line would be too long.
    """
    sizes = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [
            cell.rjust(size) if i in right else cell.ljust(size)
            for i, (cell, size) in enumerate(zip(row, sizes, strict=True))
        ]
        line = "  ".join(cells).rstrip()
        lines.append(line[: width() - 1].rstrip() + "…" if cut and len(line) > width() else line)
    return "\n".join(lines)
