"""A figure: what it finds, in words; its table; and one specification for the app and for export."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import altair as alt
import pandas as pd

from agentcalc.figures.frame import Plot, finish
from agentcalc.figures.theme import Look


@dataclass(frozen=True)
class Figure:
    """One figure.

    title states the finding; subtitle says what is shown ("One run of 10,000. ..."); source names where the numbers
    come from; alt_text describes it to someone who does not see it; table holds the numbers drawn, tidy; drawn
    is what its module made of them to draw (a ``Run``, ``Growth``, ``Parts``, ...), for charts made by other programs.
    """

    kind: str
    title: str
    subtitle: str
    source: str
    alt_text: str
    table: pd.DataFrame = field(repr=False)
    draw: Callable[[Look], Plot] = field(repr=False)
    drawn: Any = field(default=None, repr=False)

    def chart(self, size: str = "app", dark: bool = False) -> alt.LayerChart:
        """The chart at a size: "full", "half", "square" and "4:3" carry title, subtitle, key, plot, axis and source.

        "app" and "slide" are the plot alone, without a description: show title, subtitle and source beside it and give
        ``alt_text`` to the page. Raises ValueError for another size.
        """
        look = Look(size, dark)
        words = None if not look.px.title else (self.title, self.subtitle, self.source, self.alt_text)
        return finish(self.draw(look), look, words)
