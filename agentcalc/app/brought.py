"""What a reader brings along beside packaged choices: a task, systems, kept scenarios, titles. No Streamlit."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import Field

from agentcalc.app.choices import Choices
from agentcalc.provenance import Frozen, Id, Line, Name
from agentcalc.system import System
from agentcalc.task import Task

MOST_KEPT = 6
MOST_SYSTEMS = 8
MOST_TITLES = 20

Side = Literal["baseline", "candidate"]


class Kept(Frozen):
    """A kept scenario: its readable address, which of its two systems the card is about, and the name it was given.

    task: the reader's own task of that moment, if it was about one.
    """

    query: Annotated[
        dict[Annotated[str, Field(max_length=40)], Annotated[str, Field(max_length=400)]], Field(max_length=24)
    ] = Field(default_factory=dict)
    side: Side = "candidate"
    name: Name | None = None
    task: Task | None = None


class Title(Frozen):
    """A figure's title in the reader's own words. It stands as long as the figure says what it said (``was``): another
    answer needs another title.
    """

    kind: Id
    was: Annotated[str, Field(max_length=1000)]
    text: Line


class Brought(Frozen):
    """All of it. systems: those the reader added, each under an id of its own (see :func:`placed`)."""

    task: Task | None = None
    systems: Annotated[tuple[System, ...], Field(strict=False, max_length=MOST_SYSTEMS)] = ()
    kept: Annotated[tuple[Kept, ...], Field(strict=False, max_length=MOST_KEPT)] = ()
    titles: Annotated[tuple[Title, ...], Field(strict=False, max_length=MOST_TITLES)] = ()

    def title(self, kind: str, computed: str) -> str:
        """A figure's title: the reader's own while it belongs to the computed one, else the computed one."""
        own = (title.text for title in self.titles if title.kind == kind and title.was == computed)
        return next(own, computed)

    def titled(self, kind: str, computed: str, text: str) -> Brought:
        """With another title of a figure; the computed one, or nothing, takes the reader's own away."""
        others = tuple(title for title in self.titles if title.kind != kind)
        text = " ".join(text.split())
        if text in ("", computed):
            return self.model_copy(update={"titles": others})
        return self.model_copy(update={"titles": (*others, Title(kind=kind, was=computed, text=text))[-MOST_TITLES:]})

    def choices(self, packaged: Choices) -> Choices:
        """What can be chosen with it: the packaged tasks and systems, and what the reader brought."""
        return packaged.with_systems(self.systems).with_own(self.task)


def short_id(system: System) -> str:
    """The name a system has among those of its model: ``gb300`` of ``gb300/deepseek-r1``."""
    return re.match(r"[a-z0-9][a-z0-9._-]*", system.id)[0]


def placed(system: System, packaged: Choices, model: str) -> System:
    """A system of the reader's own, ready to stand among the packaged ones: its id is ``name/model``, the name unlike
    that of any packaged system of the model. One that names no model is taken to serve ``model``.
    """
    update: dict[str, object] = {}
    if system.model is None:
        update = {"model": model, "model_label": packaged.model_label(model)}
    model = system.model or model
    name = first = short_id(system)[:60]
    number = 2
    while name in packaged.systems.get(model, {}):
        name, number = f"{first}-{number}", number + 1
    return system.model_copy(update=update | {"id": f"{name}/{model}"})
