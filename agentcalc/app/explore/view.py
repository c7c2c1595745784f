"""What of the address belongs to the page, read without trust. No Streamlit.

?view=two&across=tools&up=speed&of=speedup         ?view=day&people=40&runs=coding-agent:20,chat-turn:30
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from agentcalc.analysis.portfolio import MOST_PEOPLE, MOST_RUNS
from agentcalc.app.choices import Choices
from agentcalc.app.state import State
from agentcalc.errors import echo

PARTS = (
    "view", "tasks", "scale", "range", "of", "each", "across", "up", "within", "count", "kept", "ends", "on", "agents",
    "limit", "people", "runs",
)  # fmt: skip
"""Parts of the address that this page reads by itself."""

FIRST = "faster"
VIEWS = {
    "faster": "Faster calls",
    "target": "Reach a target",
    "matters": "What matters most",
    "two": "Two at once",
    "deadline": "By a deadline",
    "waits": "Kept waiting",
    "agents": "Many agents",
    "day": "A whole day",
}
SCALES = {"both": "The whole call", "speed": "Writing", "ttft": "The first token"}
RANGES = {"10": "±10%", "20": "±20%", "50": "±50%", "own": "Its own range"}
OF = {"time": "Time", "speedup": "Speed-up"}
COUNTS = {
    "done": "Runs done", "tasks": "Tasks", "turns": "Turns", "calls": "Calls", "attempts": "Attempts",
    "success": "Chance of success",
}  # fmt: skip
ENDS = {"answer": "The whole answer", "first": "Its first token"}

OTHERS = ("chat-turn", "rag-answer", "deep-research", "customer-support", "voice-turn", "coding-agent")
"""Tasks beside the scenario's own, until a reader chooses; five of them."""
MOST_OTHERS = 7
USUAL_OTHERS = 5
NONE = "none"
WITHIN_S = (10.0, 60.0, 300.0, 3600.0)
MOST_TIMES = 8
LEAST_S, MOST_S = 0.001, 1e6
PEOPLE = 40
A_DAY = {"coding-agent": 20.0, "chat-turn": 30.0, "rag-answer": 10.0}
"""Runs a day of one person, until a reader chooses: a start to change, nobody's records."""
MOST_TASKS = 8
MOST_AGENTS = 100_000

_NUMBER = re.compile(r"[0-9]{1,8}(\.[0-9]{1,4})?")
_LEVER = re.compile(r"[A-Za-z0-9 ._@:/-]{1,80}")


@dataclass(frozen=True)
class View:
    """view: the question. tasks: ids beside the scenario's own; scale: what of a call is faster; range: share that an
    input is moved by, or "own"; of: time or speedup; each: steps by themselves; across, up: levers, "" for the usual;
    within: seconds, rising; count: what is counted in them, "" for the usual; kept: seconds from which a person is kept
    waiting, None for the usual; ends: what a wait ends with; on: a system's name, "" for the usual; agents, limit: how
    many, and seconds, None for the usual; runs: a person's runs a day, by task; notes: what could not be read.
    """

    view: str
    tasks: tuple[str, ...]
    scale: str
    range: str
    of: str
    each: bool
    across: str
    up: str
    within: tuple[float, ...]
    count: str
    kept: float | None
    ends: str
    on: str
    agents: int | None
    limit: float | None
    people: int
    runs: tuple[tuple[str, float], ...]
    notes: tuple[str, ...] = ()

    @property
    def share(self) -> float | str:
        """How far an input is moved, as the analysis takes it."""
        return self.range if self.range == "own" else int(self.range) / 100


def read(part: Callable[[str], str], state: State, known: Choices) -> View:
    """part: the text of a part of the address, "" where it is not there."""
    reader = _Reader(part)
    tasks = [name for name in known.tasks if name != state.task]
    return View(
        view=reader.one_of("view", VIEWS, FIRST),
        tasks=reader.tasks(tasks, state.task),
        scale=reader.one_of("scale", SCALES, "both"),
        range=reader.one_of("range", RANGES, "20"),
        of=reader.one_of("of", OF, "time"),
        each=reader.one_of("each", {"": "all together", "1": ""}, "") == "1",
        across=reader.lever("across"),
        up=reader.lever("up"),
        within=reader.within(),
        count=reader.one_of("count", {"": "the usual", **COUNTS}, ""),
        kept=reader.number("kept", LEAST_S, MOST_S, "the usual limit"),
        ends=reader.one_of("ends", ENDS, "answer"),
        on=reader.one_of("on", {"": "the usual system", **known.systems[state.model]}, ""),
        agents=reader.whole("agents", MOST_AGENTS, "the usual number"),
        limit=reader.number("limit", LEAST_S, MOST_S, "the usual limit"),
        people=reader.whole("people", MOST_PEOPLE, str(PEOPLE)) or PEOPLE,
        runs=reader.runs(known.tasks, state.task),
        notes=tuple(reader.notes),
    )


def usual_others(tasks: Collection[str], task: str) -> tuple[str, ...]:
    """Tasks beside a task, until a reader chooses."""
    return tuple(name for name in OTHERS if name in tasks and name != task)[:USUAL_OTHERS]


def usual_runs(tasks: Collection[str], task: str) -> tuple[tuple[str, float], ...]:
    """A day until a reader chooses; the scenario's task is always part of it."""
    found = {name: runs for name, runs in A_DAY.items() if name in tasks}
    if task not in found:
        found = {task: A_DAY["coding-agent"]} | {n: runs for n, runs in found.items() if n != "coding-agent"}
    return tuple(found.items())


def short(number: float) -> str:
    """A number in few characters, as :func:`read` reads it."""
    return f"{number:.4f}".rstrip("0").rstrip(".")


def write_runs(runs: Mapping[str, float]) -> str:
    """A person's runs a day as a part of the address."""
    return ",".join(f"{name}:{short(number)}" for name, number in runs.items())


class _Reader:
    """Takes parts of the address, and keeps a line for each that could not be read."""

    def __init__(self, part: Callable[[str], str]):
        self.part, self.notes = part, []

    def refuse(self, name: str, value: str, instead: str) -> None:
        self.notes.append(f"Part of this link could not be read ({name} {echo(value)}). {instead}")

    def one_of(self, name: str, options: Mapping[str, object], default: str) -> str:
        value = self.part(name) or default
        if value in options:
            return value
        shown = options[default]
        self.refuse(name, value, f"Showing {shown if isinstance(shown, str) else default} instead.")
        return default

    def lever(self, name: str) -> str:
        """The id of a lever, as far as it can be one; whether the task has it is seen later."""
        value = self.part(name)
        if not value or _LEVER.fullmatch(value):
            return value
        self.refuse(name, value, "Showing the usual input instead.")
        return ""

    def number(self, name: str, least: float, most: float, usual: str) -> float | None:
        value = self.part(name)
        if not value:
            return None
        found = _read(value)
        if found is not None and least <= found <= most:
            return found
        self.refuse(name, value, f"Showing {usual} instead.")
        return None

    def whole(self, name: str, most: int, usual: str) -> int | None:
        found = self.number(name, 1, most, usual)
        if found is None or found == int(found):
            return None if found is None else int(found)
        self.refuse(name, self.part(name), f"Showing {usual} instead.")
        return None

    def tasks(self, known: list[str], task: str) -> tuple[str, ...]:
        value = self.part("tasks")
        if not value:
            return usual_others(known, task)
        names = [] if value == NONE else [name for name in value.split(",") if name and name != task]
        wrong = [name for name in names if name not in known]
        if wrong:
            self.refuse("task", wrong[0], "It was left out.")
        return tuple(dict.fromkeys(name for name in names if name in known))[:MOST_OTHERS]

    def within(self) -> tuple[float, ...]:
        value = self.part("within")
        if not value:
            return WITHIN_S
        found = [_read(text) for text in value.split(",")]
        good = sorted({s for s in found if s is not None and LEAST_S <= s <= MOST_S})[:MOST_TIMES]
        if len(good) < len(found):
            self.refuse("within", value, "Write seconds, such as 30,60.")
        return tuple(good) or WITHIN_S

    def runs(self, known: Collection[str], task: str) -> tuple[tuple[str, float], ...]:
        value = self.part("runs")
        found: dict[str, float] = {}
        for word in filter(None, value.split(",")):
            name, _, text = word.rpartition(":")
            number = _read(text)
            if name not in known or number is None or not 0 < number <= MOST_RUNS:
                self.refuse("runs", word, "It was left out.")
            elif len(found) < MOST_TASKS:
                found[name] = number
        return tuple(found.items()) or usual_runs(known, task)


def _read(text: str) -> float | None:
    found = float(text) if _NUMBER.fullmatch(text) else None
    return found if found is not None and math.isfinite(found) else None
