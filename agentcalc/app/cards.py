"""Kept scenarios as cards: what each is called, its time, and how it stands against the first. No Streamlit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agentcalc.analysis.naming import names
from agentcalc.app import what_if
from agentcalc.app.brought import Kept
from agentcalc.app.choices import OWN, Choices
from agentcalc.app.state import State, to_query
from agentcalc.results import Comparison
from agentcalc.units import ratio_decimals, show_ratio, show_time, shown_seconds

LETTERS = "ABCDEFGHIJ"
EDITED = " (edited)"
MOST_DIGITS = 4
OF_SYSTEM = ("speed", "first")
"""What-ifs that change the candidate, and not the task."""


@dataclass(frozen=True)
class Card:
    """letter; name; time: "32.0 s"; ratio: against the first card ("1.8×"), empty for that one and for another task;
    wrong: why there is no time, else empty; lines: what else tells it from the others, in small type.
    """

    letter: str
    name: str
    time: str
    ratio: str
    wrong: str = ""
    lines: tuple[str, ...] = ()


@dataclass(frozen=True)
class Played:
    """What a kept scenario gives: the name it has unless the reader gave one, its task's name, its seconds; wrong: why
    there are none. model: of its systems; baseline, ratio: what its own candidate is measured against in its headline,
    and how it stands there; nothing of a card about a baseline.
    """

    name: str
    task: str
    seconds: float | None
    wrong: str = ""
    model: str = ""
    baseline: str = ""
    ratio: float | None = None


def kept_of(state: State, choices: Choices, side: str) -> Kept:
    """One side of the scenario on screen, to be kept. The statistic stays out: all cards show the one on screen."""
    query = {k: v for k, v in to_query(state, choices).items() if k not in ("by", "target")}
    return Kept(query=query, side=side, task=choices.tasks[OWN] if state.task == OWN else None)


def default_name(state: State, found: Comparison, side: str) -> str:
    """What a card is called until it is renamed: "GB300", "Jalapeño, tool time 0.5×"."""
    called = names(found.specs)[0 if side == "baseline" else 1]
    factors = {n: v for n, v in state.factors.items() if side == "candidate" or n not in OF_SYSTEM}
    return ", ".join([called, *(f"{what_if.inside(name)} {what_if.shown(name, v)}" for name, v in factors.items())])


def cards(kept: Sequence[Kept], played: Sequence[Played], task: str = "", model: str = "") -> list[Card]:
    """The cards in order. Times have so many decimals that each ratio shown is that of the times shown.

    task, model: of the scenario on screen. Where the cards and the screen differ in one, every card names its own.
    """
    times = [one.seconds for one in played]
    first = times[0] if times else None
    alike = [_same_task(one.task, played[0].task) for one in played]
    against = [t for t, same in zip(times[1:], alike[1:], strict=True) if same and t is not None]
    more = _digits(first, against) if first is not None else 1
    tasks = {one.task for one in played} | ({task} if task else set())
    models = {one.model for one in played} | ({model} if model else set())
    found = []
    for i, (one, said) in enumerate(zip(kept, played, strict=True)):
        ratio = ""
        if i and alike[i] and first is not None and said.seconds:
            ratio = show_ratio(first / said.seconds)
        time = "" if said.seconds is None else show_time(said.seconds, more=more)
        about = (said.task if len(tasks) > 1 else "", said.model if len(models) > 1 else "")
        lines = (", ".join(part for part in about if part), _own(said, ratio))
        found.append(
            Card(LETTERS[i], one.name or said.name, time, ratio, said.wrong, tuple(line for line in lines if line))
        )
    return found


def _own(said: Played, against: str) -> str:
    """The ratio of the scenario's own headline, where the one against the first card is another: what was changed for
    both systems, such as the tools, is no gain of the candidate.
    """
    if said.ratio is None or show_ratio(said.ratio) == against:
        return ""
    return f"{show_ratio(said.ratio)} against {said.baseline} in this scenario"


def _same_task(one: str, other: str) -> bool:
    # A task edited on Build is still the same work.
    return one.removesuffix(EDITED) == other.removesuffix(EDITED)


def _digits(first: float, others: Sequence[float]) -> int:
    """Decimals beyond the usual ones: at least one, and as many as it takes until all ratios agree by hand."""
    for more in range(1, MOST_DIGITS):
        if all(_agrees(first, other, more) for other in others):
            return more
    return MOST_DIGITS


def _agrees(first: float, other: float, more: int) -> bool:
    shown = shown_seconds(other, more=more)
    if not other or not shown:
        return True
    decimals = ratio_decimals(first / other)
    ratio = shown_seconds(first, more=more) / shown
    return abs(ratio - round(first / other, decimals)) <= 0.5 * 10.0**-decimals + 1e-9
