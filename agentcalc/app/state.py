"""What a page shows, as one frozen value, and its address: read without trust, written with defaults left out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from agentcalc.app.choices import OWN, Choices
from agentcalc.errors import echo
from agentcalc.provenance import Frozen, Id

By = Literal["typical", "average", "slow"]
STATISTIC: dict[str, str] = {"typical": "p50", "average": "mean", "slow": "p95"}
BY_LABEL: dict[str, str] = {"typical": "Typical", "average": "Average", "slow": "Slow (p95)"}

FACTORS = ("steps", "tokens", "tools", "speed", "first")
MORE_FACTORS = ("context", "lifetime")
LOW, HIGH = 0.25, 4.0
WHAT_IFS = (*FACTORS, "context", "cached", "lifetime")
"""Everything that a what-if may change: factors, and the share of the starting context that is cached."""
Factor = Annotated[float, Field(ge=LOW, le=HIGH)]

TASK = "coding-agent"
MODEL = "deepseek-r1"
LONGEST_LINK = 8_000
MOST_MORE = 4
MOST_NOTES = 3
_NUMBER = re.compile(r"[0-9]{1,7}")
_FACTOR = re.compile(r"[0-9](\.[0-9]{1,4})?")
_SECONDS = re.compile(r"[0-9]{1,7}(\.[0-9]{1,3})?")


class State(Frozen):
    """The scenario: ids of tasks and systems, the statistic, the run shown (None: the most ordinary), what-if factors.

    cached: the share of the starting context that is cached, None: the task's own; target: seconds that the candidate
    should stay under, None: the next round time.
    """

    task: Id = TASK
    model: Id = MODEL
    baseline: Id
    candidate: Id
    more: tuple[Id, ...] = ()
    by: By = "typical"
    run: Annotated[int, Field(ge=0)] | None = None
    steps: Factor = 1.0
    tokens: Factor = 1.0
    tools: Factor = 1.0
    speed: Factor = 1.0
    first: Factor = 1.0
    context: Factor = 1.0
    cached: Annotated[float, Field(ge=0, le=1)] | None = None
    lifetime: Factor = 1.0
    target: Annotated[float, Field(gt=0, lt=1e7)] | None = None

    @property
    def statistic(self) -> str:
        """The statistic's name in results: p50, mean or p95."""
        return STATISTIC[self.by]

    @property
    def factors(self) -> dict[str, float]:
        """What a what-if changes: factors that are not 1, and a share of the context that is cached."""
        return {name: getattr(self, name) for name in WHAT_IFS if getattr(self, name) != UNCHANGED[name]}

    @property
    def plain(self) -> State:
        """The scenario before any what-if."""
        return self.model_copy(update={name: UNCHANGED[name] for name in self.factors})

    def changed(self, choices: Choices, **update: Any) -> State:
        """With some parts changed; another model brings its own systems, where they are not changed too, another task
        or statistic its own run.
        """
        new = {**self.model_dump(), **update}
        known = choices.systems[new["model"]]
        for part, default in zip(("baseline", "candidate"), choices.pair(new["model"]), strict=True):
            if new[part] not in known or (new["model"] != self.model and part not in update):
                new[part] = default
        taken = (new["baseline"], new["candidate"])
        new["more"] = tuple(name for name in new["more"] if name in known and name not in taken)
        if any(new[part] != getattr(self, part) for part in ("task", "by", "baseline", "candidate", "model")):
            new["run"], new["target"] = update.get("run"), update.get("target")
        return State(**new)


UNCHANGED: dict[str, Any] = {name: State.model_fields[name].default for name in WHAT_IFS}
"""What each what-if is where nothing is changed."""


def start(choices: Choices) -> State:
    """What a first visit shows."""
    model = MODEL if MODEL in choices.systems else choices.default_model
    task = TASK if TASK in choices.tasks else next(iter(choices.tasks))
    baseline, candidate = choices.pair(model)
    return State(task=task, model=model, baseline=baseline, candidate=candidate)


def to_query(state: State, choices: Choices) -> dict[str, str]:
    """The address's parts; what a first visit or the model's own pair would show is left out."""
    default = start(choices)
    pair = choices.pair(state.model)
    usual = {"task": default.task, "model": default.model, "baseline": pair[0], "candidate": pair[1], "by": default.by}
    query = {part: getattr(state, part) for part, value in usual.items() if getattr(state, part) != value}
    if state.more:
        query["more"] = ",".join(state.more)
    if state.run is not None:
        query["run"] = str(state.run)
    if state.target is not None:
        query["target"] = _short(state.target)
    return query | {name: _short(value) for name, value in state.factors.items()}


def _short(number: float) -> str:
    """A number in few characters, never with an exponent."""
    return f"{number:.4f}".rstrip("0").rstrip(".")


def from_query(query: Mapping[str, Any], choices: Choices, trials: int) -> tuple[State, tuple[str, ...]]:
    """The state an address describes and, for every part that could not be read, one plain line; never an exception.

    trials: how many runs there are to show; a run beyond them is not read.
    """
    parts = {str(k): str(v[-1] if isinstance(v, list) and v else v) for k, v in query.items()}
    if sum(len(k) + len(v) for k, v in parts.items()) > LONGEST_LINK:
        return start(choices), ("This link is too long to be one of ours. Showing the first comparison instead.",)
    reader = _Reader(parts, choices)
    model = reader.one_of("model", "model", {m: choices.model_label(m) for m in choices.systems}, start(choices).model)
    systems = {name: system.label for name, system in choices.systems[model].items()}
    pair = choices.pair(model)
    state = State(
        task=reader.task(),
        model=model,
        baseline=reader.one_of("baseline", "system", systems, pair[0]),
        candidate=reader.one_of("candidate", "system", systems, pair[1]),
        more=reader.more(systems),
        by=reader.one_of("by", "by", BY_LABEL, "typical"),
        run=reader.run(trials),
        cached=reader.cached(),
        target=reader.target(),
        **{name: reader.factor(name) for name in (*FACTORS, *MORE_FACTORS)},
    )
    state = state.changed(choices, run=state.run, target=state.target)
    return state, reader.finish()


class _Reader:
    """Takes the parts of an address one by one, and keeps a line for each that could not be read."""

    def __init__(self, parts: dict[str, str], choices: Choices):
        self.parts, self.choices, self.notes = parts, choices, []

    def _refuse(self, what: str, value: str, instead: str) -> None:
        self.notes.append(f"Part of this link could not be read ({what} {echo(value)}). {instead}")

    def one_of(self, part: str, what: str, known: Mapping[str, str], default: str) -> str:
        value = self.parts.pop(part, default)
        if value in known:
            return value
        self._refuse(what, value, f"Showing {known[default]} instead.")
        return default

    def task(self) -> str:
        default = start(self.choices).task
        if self.parts.get("task") == OWN and OWN not in self.choices.tasks:
            del self.parts["task"]
            name = self.choices.tasks[default].name
            self.notes.append(
                f"This link is about a task file that stays with whoever opened it. Showing {name} instead."
            )
            return default
        return self.one_of("task", "task", {k: t.name for k, t in self.choices.tasks.items()}, default)

    def more(self, systems: Mapping[str, str]) -> tuple[str, ...]:
        names = [name for name in self.parts.pop("more", "").split(",") if name]
        wrong = [name for name in names if name not in systems]
        if wrong:
            self._refuse("system", wrong[0], "It was left out.")
        return tuple(dict.fromkeys(name for name in names if name in systems))[:MOST_MORE]

    def run(self, trials: int) -> int | None:
        value = self.parts.pop("run", None)
        if value is None:
            return None
        if _NUMBER.fullmatch(value) and int(value) < trials:
            return int(value)
        self._refuse("run", value, "Showing the most ordinary run instead.")
        return None

    def factor(self, name: str) -> float:
        value = self.parts.pop(name, "1")
        if _FACTOR.fullmatch(value) and LOW <= float(value) <= HIGH:
            return float(value)
        self._refuse(name, value, f"It goes from {LOW:g} to {HIGH:g}; showing 1 instead.")
        return 1.0

    def cached(self) -> float | None:
        value = self.parts.pop("cached", None)
        if value is None or (_FACTOR.fullmatch(value) and float(value) <= 1):
            return None if value is None else float(value)
        self._refuse("cached", value, "It goes from 0 to 1; showing the task's own instead.")
        return None

    def target(self) -> float | None:
        value = self.parts.pop("target", None)
        if value is None or (_SECONDS.fullmatch(value) and float(value) > 0):
            return None if value is None else float(value)
        self._refuse("target", value, "Write seconds, such as 30.")
        return None

    def finish(self) -> tuple[str, ...]:
        for part in self.parts:
            self.notes.append(f"Part of this link could not be read ({echo(part)}). It was left out.")
        kept, others = self.notes[:MOST_NOTES], len(self.notes) - MOST_NOTES
        return (*kept, f"{others} more parts of this link could not be read.") if others > 0 else tuple(kept)
