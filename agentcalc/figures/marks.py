"""Parts that several figures draw: names that wrap at any width, keys, labels that push each other apart."""

from __future__ import annotations

from dataclasses import dataclass

import altair as alt

from agentcalc.figures.frame import rows, text
from agentcalc.figures.measure import ems, in_lines
from agentcalc.figures.theme import NARROW_PX, Look

MOST_NAME_LINES = 12
SAFE = 1.03
"""Widths measured here and in a browser may differ by a hair."""


class Names:
    """Names of systems in strips across the plot: wrapped to as many lines as the width at hand takes.

    They fit at 358 pixels, beside an end value of ``beside_ems``. ``params`` are Vega expressions: ``lines``, the lines
    every name gets, and ``strip``, the pixels of one strip.
    """

    def __init__(
        self,
        names: list[str],
        look: Look,
        beside_ems: float = 0.0,
        prefix: str = "",
        gap: float = 9,
        size: float | None = None,
    ):
        size = size or look.name
        widest = max(ems(name, bold=True) for name in names)
        # A long name is set smaller: it says more, and says it at leisure.
        self.size = size if widest <= 13 else min(size, look.px.label)
        self.beside = beside_ems * size * SAFE + (18 if beside_ems else 0)
        self.line = round(self.size * 1.2, 1)
        self.prefix, self.gap = prefix, gap
        self.wraps: list[list[list[str]]] = [[] for _ in names]
        self._needs: list[int] = []
        """Pixels of width from which all names fit in 1, 2, ... lines, down to those of the narrowest place."""
        while not self._needs or (self._needs[-1] > NARROW_PX - 8 and len(self._needs) < MOST_NAME_LINES):
            for name, wraps in zip(names, self.wraps, strict=True):
                wraps.append(in_lines(name, len(wraps) + 1, bold=True))
            count = len(self._needs) + 1
            self._needs.append(round(max(self._px(i, count) for i in range(len(names))) + self.beside))
        lines = str(len(self._needs))
        for count in range(len(self._needs) - 1, 0, -1):
            lines = f"width >= {self._needs[count - 1]} ? {count} : ({lines})"
        self._least = size * 1.2 if beside_ems else 0
        self.params = {
            f"{prefix}lines": lines,
            f"{prefix}strip": f"max({prefix}lines * {self.line}, {self._least:.1f}) + {gap}",
        }

    def strip(self, width: float) -> float:
        """Pixels of one strip in a plot so wide."""
        count = next((i for i, need in enumerate(self._needs, 1) if width >= need), len(self._needs))
        return max(count * self.line, self._least) + self.gap

    def _px(self, index: int, count: int) -> float:
        return max(ems(line, bold=True) for line in self.wraps[index][count - 1]) * self.size * SAFE

    def fields(self, index: int) -> dict:
        """Fields of a record: the name in 1, 2, ... lines, and the pixels each of these takes."""
        found = {}
        for count in range(1, len(self._needs) + 1):
            found[f"n{count}"] = "\n".join(self.wraps[index][count - 1])
            found[f"w{count}"] = round(self._px(index, count), 1)
        return found

    def pick(self, field: str) -> str:
        """Vega expression of field n or w at the number of lines in force."""
        return f"datum['{field}' + {self.prefix}lines]"


@dataclass(frozen=True)
class Key:
    """Words above a plot, each line in the colour of what it names: layers, params, and the pixels they take.

    names: the lines; pad: pixels under them.
    """

    layers: list[alt.Chart]
    params: dict[str, str]
    top: str
    names: tuple[Names, ...] = ()
    pad: float = 0.0

    def need(self, width: float) -> float:
        """Pixels of height in a plot so wide."""
        return sum(names.strip(width) for names in self.names) + self.pad


def key_lines(lines: list[tuple[str, str]], look: Look, left: float = 0) -> Key:
    """A key in words, (text, colour) lines one under the other, wrapped at any width; left: pixels of the y axis."""
    names = Names([text for text, _ in lines], look, prefix="key", gap=3, size=round(1.1 * look.px.label, 2))
    layers = []
    for i, (_, colour) in enumerate(lines):
        chart = place(
            [names.fields(i)], look, names.size, colour, fontWeight="bold", baseline="top", lineHeight=names.line
        ).transform_calculate(t=names.pick("n"))
        layers.append(chart.encode(x=alt.value(-left), y=alt.value(alt.ExprRef(f"{i} * keystrip")), text="t:N"))
    top = f"({len(lines)} * keystrip + {0.6 * look.px.label:.0f})"
    return Key(layers, names.params, top, (names,) * len(lines), 0.6 * look.px.label)


def apart(wanted: list[str], gaps: list[float], low: str, high: str, prefix: str) -> dict[str, str]:
    """Params ``{prefix}0``, ``{prefix}1``, ...: pixel positions near ``wanted``, top first.

    Each lies at least ``gaps[i]`` below the one before, and all between the expressions ``low`` and ``high``.
    """
    params = {}
    for i, at in enumerate(wanted):
        params[f"{prefix}d{i}"] = f"max({at}, {low})" if i == 0 else f"max({at}, {prefix}d{i - 1} + {gaps[i]})"
    for i in reversed(range(len(wanted))):
        below = high if i == len(wanted) - 1 else f"{prefix}{i + 1} - {gaps[i + 1]}"
        params[f"{prefix}{i}"] = f"min({prefix}d{i}, {below})"
    return params


def either(long: str, short: str, size: float, bold: bool = False) -> dict:
    """Fields of a label that is long, short or absent as room allows, with the pixels each takes."""
    return {
        "long": long,
        "short": short,
        "long_px": round(ems(long, bold) * size * SAFE, 1),
        "short_px": round(ems(short, bold) * size * SAFE, 1),
    }


def fitting(room: str, spare: float = 10) -> str:
    """Vega expression of the label of :func:`either` that fits ``room`` pixels."""
    return f"({room}) >= datum.long_px + {spare} ? datum.long : ({room}) >= datum.short_px + {spare} ? datum.short : ''"


def place(records: list[dict], look: Look, size: float, colour: str, **marks) -> alt.Chart:
    """Text marks on records."""
    return text(rows(records), look, size, colour, **marks)
