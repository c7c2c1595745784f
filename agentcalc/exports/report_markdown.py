"""A report as Markdown: GitHub's kind, with its figures as SVG files beside it.

Pictures inside the text (data addresses) are not shown by GitHub and most other readers; files are, and the same report
gives the same files, byte for byte.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import quote

from agentcalc.exports.images import svg
from agentcalc.exports.report_blocks import (
    Block,
    Cell,
    Drawn,
    Grid,
    Item,
    Link,
    Listed,
    Reference,
    References,
    Report,
    Verbatim,
    Words,
)
from agentcalc.markdown_text import safe

WIDTH = 860
"""CSS pixels of a picture: the column of most readers."""


@dataclass(frozen=True)
class Markdown:
    """The text, and the pictures it shows, by name."""

    text: str
    pictures: dict[str, bytes]


def report_markdown(report: Report, folder: str, dark: bool = False) -> Markdown:
    """The report. folder: name of the folder beside the text in which the pictures will stand; "": none are shown.

    Raises AgentcalcError when a figure cannot be drawn.
    """
    pictures: dict[str, bytes] = {}

    def write(block: Block) -> str:
        if isinstance(block, Drawn):
            return _figure(block, folder, dark, pictures)
        return _WRITERS[type(block)](block)

    parts = [f"# {safe(report.title)}", safe(report.about), *map(write, report.answer)]
    for section in report.sections:
        parts += [f"## {safe(section.title)}", *map(write, section.blocks)]
    return Markdown("\n\n".join(part for part in parts if part) + "\n", pictures)


def _words(block: Words) -> str:
    return f"**{safe(block.text)}**" if block.kind == "strong" else safe(block.text)


def _listed(block: Listed) -> str:
    return "\n".join(_items(block.items, 0))


def _items(items: tuple[Item, ...], depth: int) -> list[str]:
    lines = []
    for item in items:
        lines.append(f"{'  ' * depth}- {safe(item.text)}")
        lines += _items(item.inner, depth + 1)
    return lines


def _grid(block: Grid) -> str:
    marks = "|".join("---:" if i in block.right else "---" for i in range(len(block.head)))
    lines = [f"| {' | '.join(safe(head) for head in block.head)} |", f"|{marks}|"]
    lines += [f"| {' | '.join(map(_cell, row))} |" for row in block.rows]
    return f"{safe(block.caption)}:\n\n" + "\n".join(lines)


def _cell(cell: Cell) -> str:
    if not isinstance(cell, Link):
        return safe(cell)
    return f"source {cell.source}" if cell.source else _link(cell.text, cell.address)


def _link(text: str, address: str) -> str:
    """A link whose address cannot end early, whatever it holds."""
    return f"[{safe(text)}](<{quote(address, safe=_IN_ADDRESS)}>)"


_IN_ADDRESS = ":/?#@!$&'()*+,;=~%-._[]"


def _figure(block: Drawn, folder: str, dark: bool, pictures: dict[str, bytes]) -> str:
    figure = block.figure
    parts = [f"### {safe(figure.title)}", safe(figure.subtitle)]
    if folder:
        name = f"{figure.kind}.svg"
        pictures[name] = svg(figure, "app", dark, width=WIDTH).encode()
        parts.append(f"![{safe(figure.alt_text)}](<{quote(folder)}/{name}>)")
    else:
        parts.append(safe(figure.alt_text))
    return "\n\n".join([*parts, safe(figure.source)])


def _verbatim(block: Verbatim) -> str:
    """Between fences longer than any run of backticks inside."""
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", block.text)), default=0))
    name = f"{safe(block.name)}:\n\n" if block.name else ""
    return f"{name}{fence}\n{block.text.rstrip()}\n{fence}"


def _references(block: References) -> str:
    return "\n".join(map(_reference, block.all))


def _reference(found: Reference) -> str:
    address = f" {_link(found.address, found.address)}." if found.address else ""
    notes = "".join(f" {safe(note)}" for note in found.notes)
    return f"{found.number}. {safe(found.title)}. {safe(found.said)}.{address} For {safe(found.used)}.{notes}"


_WRITERS = {Words: _words, Listed: _listed, Grid: _grid, Verbatim: _verbatim, References: _references}
