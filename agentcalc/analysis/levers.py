"""Levers: the inputs of a task and its systems that can be moved, each by itself.

A lever stands at a *setting*. Most are multiplied: their setting is a factor and 1 today. Shares and counts that a
factor could not move away from 0 are *set*: their setting is the value itself. Either way ``apply`` gives the task and
the systems with the lever there, and all draws stay paired.

Two systems are a baseline and a candidate, in this order; a lever of a system acts on the last of them, the one asked
about, and ``baseline.`` before its id on the first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from itertools import pairwise

from agentcalc.analysis.edits import mean_of, multiplied, with_steps
from agentcalc.analysis.naming import names, short_name
from agentcalc.analysis.playing import Case, Outcome, check_systems
from agentcalc.distributions import Amount
from agentcalc.errors import Fault, NotFoundError, echo
from agentcalc.provenance import Grade
from agentcalc.system import Deployment, Spec, System
from agentcalc.task import Loop, Step, Task, Until, places
from agentcalc.units import NBSP, show_about, show_count, show_share, show_time

BASELINE = "baseline."
FARTHEST = 100.0
"""How far up a lever is moved at most, as a factor."""
FARTHEST_STEPS = 4.0
"""The same for turns and copies, each of which is played."""
MOST_WHOLE = 1000
"""The most turns that are told apart one by one."""
NEARLY_NONE = 1e-9
"""In place of a factor of 0 for a number of a system, which must stay above 0."""


@dataclass(frozen=True)
class Lever:
    """One input that can be moved.

    id: its name on the command line; title: in words ("Tool time"); unit: s, tokens, tok/s, calls, turns, share,
    copies or users; slower: 1 when more of it makes the task slower, -1 when faster. row: the system it acts on, None
    for the task. low, high: settings between which it can be moved; today: its setting now. factor: whether its
    setting is a factor. whole: the only settings it can have, rising; empty: all between. step: the key of the one
    step it acts on. less, more, never: words for the move that helps ("less tool time"), the one that does not, and
    for a move that is out of reach ("shorter tools").
    """

    id: str
    title: str
    unit: str
    slower: int
    row: int | None
    low: float
    high: float
    less: str
    more: str
    never: str
    change: Callable[[Case, float], Case] = field(repr=False, compare=False)
    read: Callable[[Case, Outcome], float] = field(repr=False, compare=False)
    today: float = 1.0
    factor: bool = True
    whole: tuple[float, ...] = ()
    step: str | None = None

    def clashes(self, other: Lever) -> bool:
        """Whether the two cannot be moved together: the same input, or a system's operating point and its numbers."""
        load = "concurrency" in (self.id.removeprefix(BASELINE), other.id.removeprefix(BASELINE))
        return self.id == other.id or (load and self.row == other.row)

    def apply(self, task: Task, systems: Sequence[Spec], setting: float) -> Case:
        """(task, systems) with the lever at a setting; systems that differ differ in id. The same ones for today's."""
        case = Case(task, tuple(systems))
        return case if setting == self.today else self.change(case, setting)

    def value(self, case: Case, outcome: Outcome) -> float:
        """Its value in its unit, of a case and what was played of it."""
        return self.read(case, outcome)

    @property
    def best(self) -> float:
        """The setting at which the task is fastest."""
        return self.low if self.slower > 0 else self.high

    @property
    def worst(self) -> float:
        return self.high if self.slower > 0 else self.low

    @property
    def plural(self) -> bool:
        """Whether its title is many things: "Steps matter", "Tool time matters"."""
        return self.id.rsplit(":", 1)[-1] in ("steps", "tokens", "input", "humans") and not self.id.endswith(":humans")

    @property
    def often(self) -> str:
        """ " on average" where its value is a mean of all runs, beside which a typical run may have less; else ""."""
        stated = self.row is not None or self.id in ("context", "cached", "failures")
        plain = bool(self.whole) and self.unit != "calls"  # turns or copies of a fixed number
        return "" if stated or plain else " on average"

    @property
    def inside(self) -> str:
        """Its title inside a sentence: names of systems and steps stay as they are."""
        return self.title if self.row is not None or self.step is not None else self.title[0].lower() + self.title[1:]

    @property
    def either_side(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """The settings of ``whole`` above and below today's."""
        return tuple(s for s in self.whole if s > self.today), tuple(s for s in self.whole if s < self.today)

    def show(self, value: float, *, about: bool = False) -> str:
        """A value with its unit: "13 s", "165 tok/s", "60%"; about: a solved one, to two digits: "about 730 tok/s"."""
        if self.unit == "s":
            return show_time(value)
        if self.unit == "share":
            return show_share(value)
        if self.unit in ("tokens", "tok/s"):
            if about and value >= 10:
                return f"about {show_about(value)}{NBSP}{self.unit}"
            return f"{show_count(value)}{NBSP}{self.unit if round(value) != 1 or self.unit != 'tokens' else 'token'}"
        text = f"{value:.1f}".removesuffix(".0") if value < 100 else show_count(value)
        return f"{text}{NBSP}{self.unit if text != '1' else _ONE[self.unit]}"


_ONE = {"calls": "call", "turns": "turn", "copies": "copy", "users": "user"}


def levers(task: Task, systems: Sequence[Spec], *, steps: bool = False, loads: bool = True) -> tuple[Lever, ...]:
    """The levers that this task has on these systems, those of the task first.

    steps: in place of one for all tools, calls, ... one for each step, where a task has several. loads: those of
    concurrency too, which are slow to find on a long curve. Raises InputError for no or more than two systems.
    """
    specs = check_systems(systems)
    found = list(_of_task(task, steps))
    for row in reversed(range(len(specs))):
        found += _of_system(specs, row, loads)
    return tuple(found)


def every_lever(task: Task, systems: Sequence[Spec], *, loads: bool = True) -> dict[str, Lever]:
    """All levers by id, those of single steps included, and the cache's lifetime, which is moved only by name. loads:
    as of :func:`levers`.
    """
    found = {lever.id: lever for more in (False, True) for lever in levers(task, systems, steps=more, loads=loads)}
    return found | ({} if task.cache is None else {"lifetime": _lifetime()})


def find_lever(task: Task, systems: Sequence[Spec], name: str) -> Lever:
    """The lever of an id. Raises NotFoundError, naming those that the task has."""
    known = every_lever(task, systems)
    if name in known:
        return known[name]
    if name.removeprefix(BASELINE) == "concurrency":
        found = "it has no curve over concurrency, only one operating point"
        remedy = "choose a system with several; 'agentcalc systems SYSTEM' lists them"
        raise NotFoundError(Fault(f"lever {echo(name)}", "", found, remedy))
    near = get_close_matches(name, known, n=2)
    remedy = f"Did you mean {' or '.join(echo(n) for n in near)}?" if near else f"It has {', '.join(known)}"
    raise NotFoundError(Fault(f"lever {echo(name)}", "", "this task on these systems has no such lever", remedy))


# Levers of a task


@dataclass(frozen=True)
class _Kind:
    """A kind of input that steps carry. fields: of which kind of step, the main one first; least: what is left at 0."""

    id: str
    title: str
    unit: str
    fields: tuple[tuple[str, str], ...]
    words: tuple[str, str, str]
    least: float = 0.0
    high: float = FARTHEST

    @property
    def count(self) -> bool:
        return self.unit != "s"


KINDS = (
    _Kind(
        "tools", "Tool time", "s", (("tool_wait", "seconds"),), ("less tool time", "more tool time", "shorter tools")
    ),
    _Kind(
        "tokens", "Tokens per call", "tokens", (("model_call", "output_tokens"), ("model_call", "reasoning_tokens")),
        ("fewer tokens per call", "more tokens per call", "writing less"), least=1.0,
    ),
    _Kind(
        "input", "Fresh tokens per call", "tokens", (("model_call", "input_tokens"), ("tool_wait", "result_tokens")),
        ("fewer fresh tokens", "more fresh tokens", "reading less"),
    ),
    _Kind(
        "steps", "Steps", "turns", (("loop", "times"),), ("fewer turns", "more turns", "fewer turns"), least=1.0,
        high=FARTHEST_STEPS,
    ),
    _Kind(
        "width", "Parallel width", "copies", (("parallel", "width"),),
        ("fewer copies at once", "more copies at once", "fewer copies at once"), least=1.0, high=FARTHEST_STEPS,
    ),
    _Kind(
        "humans", "Human waits", "s", (("human_wait", "seconds"),),
        ("less waiting for people", "more waiting for people", "quicker people"),
    ),
)  # fmt: skip


def _of_task(task: Task, steps: bool) -> Iterator[Lever]:
    found = list(places(task.steps))
    for kind in KINDS:
        named = [place.key for place in found if _carries(place.step, kind)]
        if not named:
            continue
        if steps and len(named) > 1:
            for key in named:
                yield _amounts(task, kind, key)
        else:
            yield _amounts(task, kind, None)
    chances = [(place.key, place.step.failure_probability) for place in found if _fails(place.step)]
    if chances:
        yield _failures(chances)
    if task.context_tokens:
        yield _context()
        yield _cached(task)


def _carries(step: Step, kind: _Kind) -> bool:
    """Whether a step has a main amount of the kind that is not 0, or turns that end by chance."""
    for name, of in kind.fields:
        amount = getattr(step, of, None) if step.kind == name else None
        if amount is not None and amount.fixed != 0 and of != "reasoning_tokens":
            return True
    return kind.id == "steps" and isinstance(step, Loop) and step.until is not None


def _amounts(task: Task, kind: _Kind, key: str | None) -> Lever:
    """Multiplies the amounts of a kind in all steps that carry it, or in one."""

    def change(case: Case, k: float) -> Case:
        def one(step: Step, name: str) -> Step:
            if (key is not None and name != key) or not _carries(step, kind):
                return step
            update = {
                of: multiplied(amount, k, _least(of, kind))
                for kind_of, of in kind.fields
                if step.kind == kind_of and (amount := getattr(step, of)) is not None
            }
            if isinstance(step, Loop) and step.until is not None:
                update["until"] = _until(step.until, k)
            return step.model_copy(update=update)

        return case._replace(task=with_steps(case.task, one))

    def mean(case: Case, outcome: Outcome) -> float:
        amounts = [
            _mean(place.step, kind)
            for place in places(case.task.steps)
            if (place.key == key if key is not None else _carries(place.step, kind))
        ]
        return sum(amounts) / len(amounts) if amounts else 0.0

    reads: dict[str, Callable[[Case, Outcome], float]] = {
        "tools": lambda case, outcome: float(outcome.tool_s[-1]),
        "humans": lambda case, outcome: float(outcome.human_s[-1]),
        "tokens": lambda case, outcome: outcome.output_tokens or 0.0,
        "input": lambda case, outcome: outcome.uncached_tokens or 0.0,
    }
    called_often = kind.id == "steps" and key is None and _calls_in_loops(task)
    read = (lambda case, outcome: outcome.calls) if called_often else mean if key else reads.get(kind.id, mean)
    less, more, never = kind.words
    of = "" if key is None else f" in {echo(_short(key))}"
    return Lever(
        id=kind.id if key is None else f"{key}:{kind.id}",
        title=kind.title if key is None else f"{_short(key)}: {_of_step(task, kind, key)}",
        unit="calls" if called_often else kind.unit,
        slower=1,
        row=None,
        low=0.0,
        high=kind.high,
        less=less + of,
        more=more + of,
        never=never + of,
        change=change,
        read=read,
        whole=_whole(task, kind, key),
        step=key,
    )


def _whole(task: Task, kind: _Kind, key: str | None) -> tuple[float, ...]:
    """The factors that turns or copies can have, where all of them are plain numbers: each makes one of them whole."""
    steps = [p.step for p in places(task.steps) if (p.key == key if key is not None else _carries(p.step, kind))]
    if kind.id not in ("steps", "width") or any(isinstance(step, Loop) and step.until is not None for step in steps):
        return ()
    now = [getattr(step, kind.fields[0][1]).fixed for step in steps]
    if None in now or max(now) > MOST_WHOLE:
        return ()
    counts = {max(1, round(count)) for count in now}
    return tuple(sorted({n / count for count in counts for n in range(1, int(count * kind.high) + 1)} | {1.0}))


_OF_STEP = {"tools": "tool time", "tokens": "output tokens", "steps": "turns", "width": "width", "humans": "wait"}


def _of_step(task: Task, kind: _Kind, key: str) -> str:
    """What a kind of input is called beside the step's name."""
    if kind.id != "input":
        return _OF_STEP[kind.id]
    step = next(place.step for place in places(task.steps) if place.key == key)
    return "input tokens" if step.kind == "model_call" else "result tokens"


def _least(of: str, kind: _Kind) -> float:
    return 0.0 if of == "reasoning_tokens" else kind.least


def _until(until: Until, k: float) -> Until:
    """Turns that end by chance, k times as many on average."""
    chance = 1.0 if k == 0 else min(1.0, max(1e-6, until.probability / k))
    return Until(probability=chance, max=min(1_000_000, max(1, round(until.max * k))))


def _mean(step: Step, kind: _Kind) -> float:
    if isinstance(step, Loop) and step.until is not None:
        p, n = step.until.probability, step.until.max
        return (1 - (1 - p) ** n) / p
    amount: Amount | None = next((getattr(step, of) for name, of in kind.fields if step.kind == name), None)
    return 0.0 if amount is None else mean_of(amount, count=kind.count)


def _calls_in_loops(task: Task) -> bool:
    return any(
        inner.step.kind == "model_call"
        for place in places(task.steps)
        if place.step.kind == "loop"
        for inner in places(place.step.steps)
    )


def _short(key: str) -> str:
    return key.rsplit("/", 1)[-1].replace("_", " ")


def _fails(step: Step) -> bool:
    return getattr(step, "failure_probability", 0.0) > 0


def _failures(chances: list[tuple[str, float]]) -> Lever:
    """Multiplies the chance that a call or a retried sequence fails."""
    top = max(p for _, p in chances)

    def change(case: Case, k: float) -> Case:
        def one(step: Step, key: str) -> Step:
            if not _fails(step):
                return step
            return step.model_copy(update={"failure_probability": min(1.0, step.failure_probability * k)})

        return case._replace(task=with_steps(case.task, one))

    def read(case: Case, outcome: Outcome) -> float:
        now = [place.step for place in places(case.task.steps) if place.key in dict(chances)]
        return sum(step.failure_probability for step in now) / len(now)

    return Lever(
        "failures", "Failure probability", "share", 1, None, 0.0, 1 / top,
        "fewer failures", "more failures", "fewer failures", change, read,
    )  # fmt: skip


def _context() -> Lever:
    """Multiplies the context at the start, and with it what of it is cached."""

    def change(case: Case, k: float) -> Case:
        now = case.task
        tokens = round(now.context_tokens * k)
        cached = None if now.cached_tokens is None else min(tokens, round(now.cached_tokens * k))
        return case._replace(task=now.model_copy(update={"context_tokens": tokens, "cached_tokens": cached}))

    return Lever(
        "context", "Context", "tokens", 1, None, 0.0, FARTHEST,
        "less context", "more context", "less context", change, lambda case, outcome: float(case.task.context_tokens),
    )  # fmt: skip


def _cached(task: Task) -> Lever:
    """Sets the share of the context that the server holds at the start."""

    def change(case: Case, share: float) -> Case:
        cached = min(case.task.context_tokens, round(case.task.context_tokens * share))
        return case._replace(task=case.task.model_copy(update={"cached_tokens": cached}))

    def read(case: Case, outcome: Outcome) -> float:
        return case.task.starts_cached / case.task.context_tokens if case.task.context_tokens else 1.0

    return Lever(
        "cached", "Cached share", "share", -1, None, 0.0, 1.0,
        "more of the context cached", "less of the context cached", "caching the context",
        change, read, today=task.starts_cached / task.context_tokens, factor=False,
    )  # fmt: skip


def _lifetime() -> Lever:
    """Multiplies how long a server holds a conversation that nobody goes on with."""

    def change(case: Case, k: float) -> Case:
        cache = case.task.cache
        if cache is None:
            return case
        new = cache.model_copy(update={"lifetime_s": cache.lifetime_s * k})
        return case._replace(task=case.task.model_copy(update={"cache": new}))

    def read(case: Case, outcome: Outcome) -> float:
        return math.inf if case.task.cache is None else case.task.cache.lifetime_s

    return Lever(
        "lifetime", "Cache lifetime", "s", -1, None, 1 / FARTHEST, FARTHEST,
        "a longer cache lifetime", "a shorter cache lifetime", "a longer cache lifetime", change, read,
    )  # fmt: skip


# Levers of a system


def _of_system(specs: tuple[Spec, ...], row: int, with_loads: bool) -> Iterator[Lever]:
    spec = specs[row]
    head = BASELINE if row < len(specs) - 1 else ""
    called = names(specs)[row]
    parts = spec.parts
    yield _numbers(specs, row, head, called, None)
    yield _first_token(specs, row, head, called, None)
    if len(parts) > 1:
        for role, part in spec.roles:
            yield _numbers(specs, row, head, f"{short_name(part)} ({role})", role)
            yield _first_token(specs, row, head, f"{short_name(part)} ({role})", role)
    if any(part.overhead is not None and part.overhead.value > 0 for part in parts):
        yield _overhead(row, head, called)
    if any("fixed_share" in dict(part.numbers()) and part.fixed_share.value > 0 for part in parts):
        yield _fixed_share(specs, row, head, called)
    loads = _loads(spec) if with_loads and isinstance(spec, System) else ()
    if len(loads) > 1:
        yield _concurrency(spec, row, head, called, loads)


def on_system(row: int, change: Callable[[System, float], System], role: str | None = None):
    """A change of one system of a case, or of what serves one role of a deployment there."""

    def apply(case: Case, setting: float) -> Case:
        spec = case.specs[row]
        if isinstance(spec, Deployment):
            roles = tuple((name, change(s, setting) if role in (None, name) else s) for name, s in spec.roles)
            new: Spec = spec.model_copy(update={"roles": roles})
        else:
            new = change(spec, setting)
        return case._replace(specs=told_apart([new if i == row else s for i, s in enumerate(case.specs)]))

    return apply


def told_apart(specs: Iterable[Spec]) -> tuple[Spec, ...]:
    """Systems that differ differ in id too: a later one of the same id becomes ``id.changed``."""
    known: dict[str, System] = {}

    def one(system: System) -> System:
        while known.setdefault(system.id, system) != system:
            update = {"id": f"{system.id}.changed"}
            if system.label == known[system.id].label and not system.label.startswith("Changed "):
                update["label"] = f"Changed {system.label}"
            system = system.model_copy(update=update)
        return system

    def every(spec: Spec) -> Spec:
        if isinstance(spec, Deployment):
            roles = tuple((name, one(system)) for name, system in spec.roles)
            return spec if roles == spec.roles else spec.model_copy(update={"roles": roles})
        return one(spec)

    return tuple(every(spec) for spec in specs)


def _at(specs: tuple[Spec, ...], row: int, role: str | None) -> System:
    return specs[row].for_role(role) if role is not None else getattr(specs[row], "main", specs[row])


def _numbers(specs: tuple[Spec, ...], row: int, head: str, called: str, role: str | None) -> Lever:
    def read(case: Case, outcome: Outcome) -> float:
        tpot = _at(case.specs, row, role).point.tpot.seconds()
        return 1 / tpot if tpot else math.inf

    of = f" on {called}" if head or role else ""
    return Lever(
        f"{head}speed{f'@{role}' if role else ''}", f"{called} writing speed", "tok/s", -1, row, 1 / FARTHEST,
        1 / NEARLY_NONE, f"faster writing{of}", f"slower writing{of}", f"faster writing{of}",
        on_system(row, lambda system, k: system.scaled(speed=k), role), read,
    )  # fmt: skip


def _first_token(specs: tuple[Spec, ...], row: int, head: str, called: str, role: str | None) -> Lever:
    of = f" on {called}" if head or role else ""
    return Lever(
        f"{head}ttft{f'@{role}' if role else ''}", f"{called} first-token time", "s", 1, row, 0.0, FARTHEST,
        f"less first-token time{of}", f"more first-token time{of}", f"a sooner first token{of}",
        on_system(row, lambda system, k: system.scaled(ttft=max(k, NEARLY_NONE)), role),
        lambda case, outcome: _at(case.specs, row, role).point.ttft.seconds(),
    )  # fmt: skip


def _overhead(row: int, head: str, called: str) -> Lever:
    def change(system: System, k: float) -> System:
        return system if system.overhead is None else _with(system, "overhead", k)

    def read(case: Case, outcome: Outcome) -> float:
        overhead = _at(case.specs, row, None).overhead
        return 0.0 if overhead is None else overhead.seconds()

    of = f" on {called}" if head else ""
    return Lever(
        f"{head}overhead", f"{called} overhead of a call", "s", 1, row, 0.0, FARTHEST,
        f"less overhead{of}", f"more overhead{of}", f"less overhead{of}", on_system(row, change), read,
    )  # fmt: skip


def _fixed_share(specs: tuple[Spec, ...], row: int, head: str, called: str) -> Lever:
    """The part of first-token time that does not grow with the prompt, at the same time for its own prompt length.

    More of it makes short prompts slower and long ones faster; ``slower`` is that of prompts shorter than its own.
    """
    of = f" on {called}" if head else ""
    top = max(part.fixed_share.value for part in specs[row].parts if part.fixed_share is not None)

    def change(system: System, k: float) -> System:
        return system if system.fixed_share is None else _with(system, "fixed_share", k, most=1.0)

    return Lever(
        f"{head}fixed-share", f"{called} fixed part of first-token time", "share", 1, row, 0.0, 1 / top,
        f"less fixed part of first-token time{of}", f"more fixed part of first-token time{of}",
        f"a smaller fixed part of first-token time{of}", on_system(row, change),
        lambda case, outcome: _at(case.specs, row, None).fixed_share.value,
    )  # fmt: skip


def _with(system: System, name: str, k: float, most: float = math.inf) -> System:
    """The system with one of its numbers multiplied, its band too; graded assumed, as a change by hand is."""
    number = getattr(system, name)
    band = number.band and tuple(min(most, end * k) for end in number.band)
    note = f"changed by hand: {k:g} times {number.value:g} {number.unit}"
    update = {"value": min(most, number.value * k), "band": band, "note": note, "grade": Grade.ASSUMED}
    return system.model_copy(update={name: number.model_copy(update=update)})


def _loads(system: System) -> tuple[int, ...]:
    """Concurrencies that the system can be asked for: the measured ones, and one between two neighbours."""
    measured = sorted({point.concurrency for point in system.points if point.concurrency is not None})
    found = list(measured)
    for a, b in pairwise(measured):
        middle = round(math.sqrt(a * b))
        if a < middle < b:
            try:
                system.at(middle)
            except NotFoundError:
                continue  # neighbours of different configurations: there is nothing between them
            found.append(middle)
    return tuple(sorted(found))


def _concurrency(spec: System, row: int, head: str, called: str, loads: tuple[int, ...]) -> Lever:
    """Sets the operating point: one of those that the system has."""
    today = float(spec.point.concurrency or loads[0])
    return Lever(
        f"{head}concurrency", f"{called} concurrency", "users", 1, row, float(loads[0]), float(loads[-1]),
        f"fewer users at once on {called}", f"more users at once on {called}", "fewer users at once",
        on_system(row, lambda system, users: spec.at(round(users))),
        lambda case, outcome: float(case.specs[row].point.concurrency or 0),
        today=today, factor=False, whole=tuple(float(load) for load in loads),
    )  # fmt: skip
