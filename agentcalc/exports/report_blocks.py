"""What a report is made of, whatever it is written as: sections of paragraphs, lists, tables, figures and files."""

from __future__ import annotations

from dataclasses import dataclass

from agentcalc.figures.figure import Figure


@dataclass(frozen=True)
class Link:
    """Words that lead to an address of the web, or to a numbered source of the report itself (``source``)."""

    text: str
    address: str = ""
    source: int = 0


Cell = str | Link


@dataclass(frozen=True)
class Words:
    """A paragraph. kind: "" for running text, "strong" for a finding, "small" for what stands beside."""

    text: str
    kind: str = ""


@dataclass(frozen=True)
class Item:
    """A line of a list, and the lines below it."""

    text: str
    inner: tuple[Item, ...] = ()


@dataclass(frozen=True)
class Listed:
    """A list."""

    items: tuple[Item, ...]

    @classmethod
    def of(cls, lines: tuple[str, ...] | list[str]) -> Listed:
        """A list of plain lines."""
        return cls(tuple(Item(line) for line in lines))


@dataclass(frozen=True)
class Grid:
    """A table: its caption, its heads, its rows, whose first cell names the row; right: columns of numbers."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    right: tuple[int, ...] = ()


@dataclass(frozen=True)
class Drawn:
    """A figure with its title, subtitle and source line."""

    figure: Figure


@dataclass(frozen=True)
class Verbatim:
    """Text to be copied as it is: a command, a file. name: of what it is; folded: may be shown folded up."""

    text: str
    name: str = ""
    folded: bool = False


@dataclass(frozen=True)
class Reference:
    """A numbered source. said: publisher and date; used: what rests on it, with grades; notes: licence and remark."""

    number: int
    title: str
    said: str
    address: str
    used: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class References:
    """The sources, by number."""

    all: tuple[Reference, ...]


Block = Words | Listed | Grid | Drawn | Verbatim | References


@dataclass(frozen=True)
class Section:
    """id: stable, for addresses."""

    id: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Report:
    """title: one line; about: what is compared, under it; answer: the first lines; sections in order."""

    title: str
    about: str
    answer: tuple[Block, ...]
    sections: tuple[Section, ...]
