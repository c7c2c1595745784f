"""An answer: a sentence, what stands beside it, a figure, and the command that gives it again. No Streamlit."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from agentcalc.app.explore.commands import Command
from agentcalc.figures.figure import Figure


@dataclass(frozen=True)
class Found:
    """why: lines under the sentence; figure: None where there is nothing to draw, and then ``key`` says nothing;
    key: what the figure depends on; notes: what could not be read; command: None where none gives this answer; redraw:
    what draws the figure, without the file that it writes, None where options of ``figure`` do not reach so far.
    """

    sentence: str
    why: tuple[str, ...] = ()
    figure: Figure | None = None
    key: Hashable = None
    notes: tuple[str, ...] = ()
    command: Command | None = None
    redraw: Command | None = None
