"""A task: a graph of steps, as a strict and frozen value.

The kinds of step are those of the design: ``model_call``, ``tool_wait``, ``human_wait``, ``group``, ``loop``,
``parallel``, ``choice``, ``retry`` and ``graph``. How each is played stands in ``agentcalc.simulate``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BeforeValidator, Discriminator, Field, Tag, model_validator

from agentcalc.distributions import LARGEST, SMALLEST, Amount, Fixed, Seconds, Tokens
from agentcalc.errors import echo
from agentcalc.provenance import Frozen, Id, Line, Name, Source
from agentcalc.units import parse_duration_s

MAIN = "main"
MOST_STEPS = 5_000
MOST_JOINED = 64
"""The largest k of a join on the k-th: so many finishers are kept while branches are played."""
DEEPEST = 50

ZERO = Fixed(0)
Probability = Annotated[float, Field(ge=0, le=1)]
Limit = Annotated[
    float, Field(ge=SMALLEST, le=LARGEST), BeforeValidator(lambda v: parse_duration_s(v) if isinstance(v, str) else v)
]
"""Seconds of a threshold, above 0; a duration with a unit is read too."""
Conversation = Annotated[Name | None, Field(description="null: a stand-alone call; another name starts empty")]


class _Step(Frozen):
    name: Name | None = None
    after: Annotated[tuple[Name, ...], Field(strict=False)] = ()
    """Names of the steps of the same graph that must have ended; only inside a graph."""

    @property
    def blocks(self) -> tuple[tuple[str, tuple[Step, ...]], ...]:
        """The step's inner sequences, each with its path: ``(("branches[0].steps", (...)), ...)``."""
        return ()


class ModelCall(_Step):
    """One call of the model: prompt = conversation so far + ``input_tokens``; ``reasoning_tokens`` of the output are
    not kept.

    role: which server of a deployment answers. An attempt fails with ``failure_probability``, or when it takes longer
    than ``timeout_s``; it is made again, at most ``max_attempts`` times in all, and the conversation is rolled back.
    """

    kind: Literal["model_call"]
    role: Name = MAIN
    input_tokens: Tokens = ZERO
    output_tokens: Tokens
    reasoning_tokens: Tokens = ZERO
    conversation: Conversation = MAIN
    failure_probability: Probability = 0.0
    timeout_s: Limit | None = None
    max_attempts: Annotated[int, Field(ge=1, le=1000)] = 3
    """Attempts in all where a call can fail; 3 is a first try and the two retries of common SDKs."""
    backoff_s: Seconds = ZERO
    """Waited before each further attempt."""

    @model_validator(mode="after")
    def _check(self) -> ModelCall:
        output, reasoning = self.output_tokens.fixed, self.reasoning_tokens.fixed
        if output is not None and reasoning is not None and reasoning > output:
            raise ValueError(
                f"reasoning_tokens {reasoning:g} is more than output_tokens {output:g}; they are a part of the output"
            )
        return self


class ToolWait(_Step):
    """A tool runs; its ``result_tokens`` join the conversation, uncached."""

    kind: Literal["tool_wait"]
    seconds: Seconds
    result_tokens: Tokens = ZERO
    conversation: Conversation = MAIN


class HumanWait(_Step):
    """A person reads, decides or types."""

    kind: Literal["human_wait"]
    seconds: Seconds


class Compact(_Step):
    """The conversation is replaced by a summary of at most ``to_tokens``, which no server holds yet."""

    kind: Literal["compact"]
    to_tokens: Tokens
    conversation: Name = MAIN


class Group(_Step):
    """A named sequence."""

    kind: Literal["group"]
    steps: Steps

    @property
    def blocks(self) -> tuple[tuple[str, tuple[Step, ...]], ...]:
        return (("steps", self.steps),)


class Until(Frozen):
    """A loop's end by chance: after each turn it stops with ``probability``, at the latest after ``max`` turns."""

    probability: Annotated[float, Field(ge=1e-6, le=1)]
    max: Annotated[int, Field(ge=1, le=1_000_000)] = 1000


class Loop(_Step):
    """A sequence played ``times`` times, or ``until`` it stops by chance."""

    kind: Literal["loop"]
    times: Amount | None = None
    until: Until | None = None
    steps: Steps

    @model_validator(mode="after")
    def _check(self) -> Loop:
        if (self.times is None) == (self.until is None):
            raise ValueError("a loop needs either times or until; give one of them")
        return self

    @property
    def blocks(self) -> tuple[tuple[str, tuple[Step, ...]], ...]:
        return (("steps", self.steps),)


class Branch(Frozen):
    """One branch of a parallel; without ``result_tokens`` its last call's output joins the parent, else its tools'
    results.
    """

    name: Name | None = None
    steps: Sequence
    result_tokens: Tokens | None = None


class Parallel(_Step):
    """Branches at once, or ``width`` copies of ``steps``.

    It ends with the last to finish (join ``all``), the first (``any``) or the k-th (a number); the others stop there.
    """

    kind: Literal["parallel"]
    join: Literal["all", "any"] | Annotated[int, Field(ge=1, le=MOST_JOINED)] = "all"
    branches: Annotated[tuple[Branch, ...], Field(strict=False, min_length=1)] | None = None
    width: Amount | None = None
    steps: Steps | None = None
    result_tokens: Tokens | None = None
    """Of each copy, with ``width``; a branch gives its own."""
    conversation: Conversation = MAIN
    """Which conversation the results join."""

    @model_validator(mode="after")
    def _check(self) -> Parallel:
        copies = self.width is not None or self.steps is not None
        if (self.branches is not None) == copies:
            raise ValueError("give either branches, or width and steps")
        if copies and (self.width is None or self.steps is None):
            raise ValueError("copies need both width and steps")
        if self.branches is not None and self.result_tokens is not None:
            raise ValueError("with branches, result_tokens stands in each branch")
        if self.branches is not None and isinstance(self.join, int) and self.join > len(self.branches):
            raise ValueError(f"join {self.join} waits for more than the {len(self.branches)} branches; use all")
        return self

    @property
    def blocks(self) -> tuple[tuple[str, tuple[Step, ...]], ...]:
        if self.branches is not None:
            return tuple((f"branches[{i}].steps", branch.steps) for i, branch in enumerate(self.branches))
        return (("steps", self.steps),)


class Option(Frozen):
    """One option of a choice; its steps may be none."""

    probability: Probability
    name: Name | None = None
    steps: Sequence


class Choice(_Step):
    """One of some options; the probabilities add up to 1."""

    kind: Literal["choice"]
    options: Annotated[tuple[Option, ...], Field(strict=False, min_length=1)]

    @model_validator(mode="after")
    def _check(self) -> Choice:
        total = sum(option.probability for option in self.options)
        if abs(total - 1) > 1e-9:
            raise ValueError(f"probabilities add up to {total:g}; they must add up to 1")
        return self

    @property
    def blocks(self) -> tuple[tuple[str, tuple[Step, ...]], ...]:
        return tuple((f"options[{i}].steps", option.steps) for i, option in enumerate(self.options))


class Retry(_Step):
    """A sequence that fails with ``failure_probability`` and is played again, at most ``max_attempts`` times in all."""

    kind: Literal["retry"]
    failure_probability: Probability
    max_attempts: Annotated[int, Field(ge=1, le=1000)] = 3
    backoff_s: Seconds = ZERO
    """Waited before each further attempt."""
    steps: Steps

    @property
    def blocks(self) -> tuple[tuple[str, tuple[Step, ...]], ...]:
        return (("steps", self.steps),)


class Graph(_Step):
    """Steps that start when those named in their ``after`` have ended; those without start at once."""

    kind: Literal["graph"]
    steps: Steps
    conversation: Conversation = MAIN
    """Which conversation the results join."""

    @model_validator(mode="after")
    def _check(self) -> Graph:
        names = [step.name for step in self.steps]
        for index, step in enumerate(self.steps):
            if step.name is None:
                raise ValueError(f"steps[{index}] has no name; every step of a graph needs one")
        counts = Counter(names)
        twice = next((name for name in names if counts[name] > 1), None)
        if twice is not None:
            raise ValueError(f"two steps are named {echo(twice)}; give each its own name")
        for index, step in enumerate(self.steps):
            for name in step.after:
                if name not in counts:
                    raise ValueError(
                        f"steps[{index}].after names {echo(name)}, which is not a step of this graph; "
                        f"it has {', '.join(echo(n) for n in names[:8])}"
                    )
            if len(set(step.after)) < len(step.after):
                again = Counter(step.after).most_common(1)[0][0]
                raise ValueError(f"steps[{index}].after names {echo(again)} twice; keep one")
        self.order  # noqa: B018  (raises on a cycle)
        return self

    @property
    def order(self) -> tuple[int, ...]:
        """Indices of the steps so that each comes after those it waits for. Raises ValueError on a cycle."""
        index = {step.name: i for i, step in enumerate(self.steps)}
        waits = [len(set(step.after)) for step in self.steps]
        followers: list[list[int]] = [[] for _ in self.steps]
        for i, step in enumerate(self.steps):
            for name in set(step.after):
                followers[index[name]].append(i)
        order = [i for i, count in enumerate(waits) if not count]
        for i in order:  # grows while it is read
            for j in followers[i]:
                waits[j] -= 1
                if not waits[j]:
                    order.append(j)
        if len(order) < len(self.steps):
            stuck = [self.steps[i] for i, count in enumerate(waits) if count]
            alone = next((step.name for step in stuck if step.name in step.after), None)
            if alone is not None:
                raise ValueError(f"the step {echo(alone)} waits for itself; take it out of its 'after'")
            ring = ", ".join(echo(step.name) for step in stuck[:8])
            raise ValueError(f"the steps {ring} wait for each other; take one 'after' out")
        return tuple(order)

    @property
    def blocks(self) -> tuple[tuple[str, tuple[Step, ...]], ...]:
        return (("steps", self.steps),)


KINDS: dict[str, type[_Step]] = {
    "model_call": ModelCall,
    "tool_wait": ToolWait,
    "human_wait": HumanWait,
    "compact": Compact,
    "group": Group,
    "loop": Loop,
    "parallel": Parallel,
    "choice": Choice,
    "retry": Retry,
    "graph": Graph,
}


def _kind(data: Any) -> str | None:
    kind = data.get("kind") if isinstance(data, dict) else getattr(data, "kind", None)
    return kind if isinstance(kind, str) and kind in KINDS else None


Step = Annotated[
    Annotated[ModelCall, Tag("model_call")]
    | Annotated[ToolWait, Tag("tool_wait")]
    | Annotated[HumanWait, Tag("human_wait")]
    | Annotated[Compact, Tag("compact")]
    | Annotated[Group, Tag("group")]
    | Annotated[Loop, Tag("loop")]
    | Annotated[Parallel, Tag("parallel")]
    | Annotated[Choice, Tag("choice")]
    | Annotated[Retry, Tag("retry")]
    | Annotated[Graph, Tag("graph")],
    Discriminator(
        _kind,
        custom_error_type="kind",
        custom_error_message="it is not a step with a known kind; the kinds are " + ", ".join(KINDS),
    ),
]
Sequence = Annotated[tuple[Step, ...], Field(strict=False, max_length=MOST_STEPS)]
Steps = Annotated[tuple[Step, ...], Field(strict=False, min_length=1, max_length=MOST_STEPS)]


class Cache(Frozen):
    """A server forgets a conversation that no call has used for longer than ``lifetime_s``."""

    lifetime_s: Limit


class Attention(Frozen):
    """A person kept waiting longer than ``threshold_s`` turns away, and comes back ``cost_s`` late."""

    threshold_s: Limit
    cost_s: Limit


class Deadline(Frozen):
    """By when the task must be done; ``success_probability`` is the chance that one attempt solves it."""

    seconds: Limit
    success_probability: Probability | None = None


class Task(Frozen):
    """A task: what one run of an agent does, and what its conversation holds at the start.

    cached_tokens: how much of ``context_tokens`` the server still holds at the start; None means all of it, which a
    result lists as an assumption.
    """

    id: Id | None = None
    name: Name
    short: Name | None = None
    """A phrase that can stand inside a sentence: "a coding agent"."""
    description: Annotated[str, Field(max_length=2000)] | None = None
    context_tokens: Annotated[int, Field(ge=0, le=100_000_000)] = 0
    cached_tokens: Annotated[int, Field(ge=0)] | None = None
    cache: Cache | None = None
    attention: Attention | None = None
    deadline: Deadline | None = None
    steps: Steps
    sources: Annotated[tuple[Id | Source, ...], Field(strict=False)] = ()
    """Ids of packaged sources, or sources of the file's own."""
    notes: Annotated[tuple[Line, ...], Field(strict=False)] = ()

    @model_validator(mode="after")
    def _check(self) -> Task:
        if self.cached_tokens is not None and self.cached_tokens > self.context_tokens:
            raise ValueError(
                f"cached_tokens {self.cached_tokens} is more than context_tokens {self.context_tokens}; "
                "the server holds at most the whole context"
            )
        acts = False
        for count, place in enumerate(places(self.steps), start=1):
            acts = acts or place.step.kind in ("model_call", "tool_wait", "human_wait")
            if count > MOST_STEPS:
                raise ValueError(f"it has more than {MOST_STEPS:,} steps; use loop, width or group for repeated work")
            if place.depth > DEEPEST:
                raise ValueError(f"{place.path} is nested more than {DEEPEST} deep; flatten it")
            if place.step.after and not place.in_graph:
                raise ValueError(f"{place.path}.after only works inside a graph; put these steps into kind: graph")
        if not acts:
            raise ValueError("nothing in it takes any time; add a model_call, tool_wait or human_wait")
        return self

    @property
    def rules(self) -> tuple[str, ...]:
        """Which rules that make latency compound are switched on: cache, timeout, attention."""
        timeout = any(place.step.kind == "model_call" and place.step.timeout_s for place in places(self.steps))
        on = {"cache": self.cache, "timeout": timeout, "attention": self.attention}
        return tuple(name for name, switched in on.items() if switched)

    @property
    def starts_cached(self) -> int:
        """Tokens cached at the start."""
        return self.context_tokens if self.cached_tokens is None else self.cached_tokens


class Place(NamedTuple):
    """A step where it stands: its path in the file, its depth, its task-unique key, and whether its parent is a
    graph.
    """

    path: str
    depth: int
    key: str
    in_graph: bool
    step: Step


def places(steps: tuple[Step, ...]) -> Iterator[Place]:
    """Every step of a task, parents first, in the order of the file. See :func:`keys` for how keys are made."""
    taken: set[str] = set()
    numbers: dict[str, int] = {}  # the last number given to a name, so that thousands of one name stay quick
    # An explicit stack: a file may be nested deeper than Python's own.
    stack = [(steps, "steps", "", 1, False, iter(enumerate(_named(steps, ""))))]
    while stack:
        _, prefix, _, depth, in_graph, rest = stack[-1]
        found = next(rest, None)
        if found is None:
            stack.pop()
            continue
        index, (step, name) = found
        key, number = name, numbers.get(name, 1)
        while key in taken:
            number += 1
            key = f"{name} ({number})"
        numbers[name] = number
        taken.add(key)
        path = f"{prefix}[{index}]"
        yield Place(path=path, depth=depth, key=key, in_graph=in_graph, step=step)
        blocks = step.blocks
        for inner_path, inner in reversed(blocks):
            home = key if len(blocks) == 1 else f"{key}/{inner_path.split('.')[0]}"
            rest_of = iter(enumerate(_named(inner, home)))
            stack.append((inner, f"{path}.{inner_path}", home, depth + 1, step.kind == "graph", rest_of))


def _named(steps: tuple[Step, ...], home: str) -> Iterator[tuple[Step, str]]:
    """Each step with the name its draws are keyed by: its own, else its parent's key, its kind and its number there."""
    numbers: dict[str, int] = {}
    for step in steps:
        if step.name is not None:
            yield step, step.name
            continue
        numbers[step.kind] = numbers.get(step.kind, 0) + 1
        number = "" if numbers[step.kind] == 1 else f" {numbers[step.kind]}"
        yield step, f"{home}/{step.kind}{number}" if home else f"{step.kind}{number}"


def keys(task: Task) -> dict[str, str]:
    """The task-unique key of every step by its path, ``{"steps[0]": "act", ...}``.

    A named step is keyed by its name (a second one of the same name by ``name (2)``), so that steps added elsewhere
    leave its draws alone; an unnamed one by its parent's key and its number among the unnamed steps of its kind
    there.
    """
    return {place.path: place.key for place in places(task.steps)}


for _model in (Group, Loop, Branch, Parallel, Option, Choice, Retry, Graph, Task):
    _model.model_rebuild()
