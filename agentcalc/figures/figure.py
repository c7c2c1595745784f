"""A figure: what it finds, in words; its table; and one specification for the app and for export."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import altair as alt
import pandas as pd

from agentcalc.figures.chosen import NOTHING, Chosen, reworded
from agentcalc.figures.frame import Plot, finish, said
from agentcalc.figures.settable import Settable
from agentcalc.figures.theme import Look

if TYPE_CHECKING:
    from agentcalc.figures.style import Style

OF_SCALES = (", on a logarithmic axis", ", on logarithmic axes")
"""What a figure says of its own scales."""
PARTED = "\n"
"""Between the source line and the assumptions."""


@dataclass(frozen=True)
class Figure:
    """One figure.

    title states the finding; subtitle says what is shown ("One run of 10,000. ..."); source names where the numbers
    come from; alt_text describes it to someone who does not see it; table holds the numbers drawn, tidy; drawn is what
    its module made of them to draw (a ``Run``, ``Growth``, ``Parts``, ...), for charts made by other programs; settable
    makes what can be set on it; chosen is what a reader has set (:meth:`styled`); assumptions: what it rests on beyond
    its source line, a sentence each.
    """

    kind: str
    title: str
    subtitle: str
    source: str
    alt_text: str
    table: pd.DataFrame = field(repr=False)
    draw: Callable[[Look], Plot] = field(repr=False)
    drawn: Any = field(default=None, repr=False)
    settable: Callable[[], Settable] = field(default=Settable, repr=False)
    chosen: Chosen = field(default=NOTHING, repr=False)
    assumptions: tuple[str, ...] = field(default=(), repr=False, kw_only=True)

    def chart(self, size: str = "app", dark: bool = False, style: Style | None = None) -> alt.LayerChart:
        """The chart at a size: "full", "half", "square" and "4:3" carry title, subtitle, key, plot, axis and source.

        "app" and "slide" are the plot alone, without a description: show title, subtitle and source beside it and give
        ``alt_text`` to the page. style: set on it first. Raises ValueError for another size, and InputError for a
        colour that cannot be told from the background.
        """
        if style is not None:
            return self.styled(style).chart(size, dark)
        look = Look(size, dark, self.chosen)
        words = said(self.title, self.subtitle, self.source, look) if look.px.title else None
        look = replace(look, words_px=words.height) if words else look
        return finish(self.draw(look), look, words, self.alt_text)

    def titled(self, title: str) -> Figure:
        """The same under another title."""
        return replace(self, title=title, alt_text=self.alt_text.replace(self.title, title, 1))

    @property
    def with_assumptions(self) -> Figure:
        """The same with its assumptions below its source line; itself where it rests on none."""
        if not self.assumptions:
            return self
        said = " ".join(f"{text.removesuffix('.')}." for text in self.assumptions)
        return replace(self, source=f"{self.source}{PARTED}Assumed: {said}")

    def styled(self, *styles: Style) -> Figure:
        """This figure with what some styles set, later ones over earlier ones; its table keeps the real names, and the
        source line says what a renamed system is.

        Raises InputError for what has no meaning for this kind of figure, or is wrong for it.
        """
        styles = tuple(style for style in styles if not style.plain)
        if not styles:
            return self
        from agentcalc.figures.choosing import choose

        can = self.settable()
        chosen = choose(self.kind, can, styles)
        words = {name: _in_words(getattr(self, name), can, chosen) for name in ("title", "subtitle", "alt_text")}
        own = {name: text for style in styles for name in ("title", "subtitle") if (text := getattr(style, name))}
        if "title" in own:
            words["alt_text"] = words["alt_text"].replace(words["title"], own["title"], 1)
        source = self.source
        for one in can.names:
            if one.what == "system" and one.key in chosen.labels:
                source = _sourced(source, one.said, chosen.name(one.key))
        return replace(self, source=source, chosen=chosen, **words | own)


def _in_words(text: str, can: Settable, chosen: Chosen) -> str:
    """A text of a figure with a reader's own names, without what only the figure's own colours make true."""
    untrue = [*(can.of_colours if chosen.colours else ()), *(can.of_order if chosen.order else ())]
    untrue += OF_SCALES if chosen.x_scale or chosen.y_scale else ()
    for sentence in untrue:
        text = text.replace(sentence, "")
    called = {one.said: chosen.name(one.key) for one in can.names if one.what != "step" and one.key in chosen.labels}
    called |= {one.said: chosen.kinds[one.key] for one in can.names if one.key in chosen.kinds}
    return reworded(text, called, [one.said for one in can.names if one.what in ("system", "kind")])


def _sourced(source: str, name: str, label: str) -> str:
    """A source line that says which system a label stands for: "Today's rack: GB300, measured by ..."."""
    clause = re.compile(rf"(^|(?<=[.;] )){re.escape(name)}: ")
    if clause.search(source):
        return clause.sub(lambda _: f"{label}: {name}, ", source, count=1)
    return f"{label}: {name}. {source}"
