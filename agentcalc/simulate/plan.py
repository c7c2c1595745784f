"""From a task to steps that can be played: the one place that knows which class plays which kind."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from agentcalc.simulate.calls import Call
from agentcalc.simulate.fork import Branches, Copies
from agentcalc.simulate.graph import Network
from agentcalc.simulate.inline import Options, Sequence, Turns
from agentcalc.simulate.retry import Attempts
from agentcalc.simulate.waits import Human, Summary, Tool
from agentcalc.task import MAIN, Place, Step, Task, places


@dataclass(frozen=True)
class Plan:
    """acts: what to play; contexts, cached: tokens at the start of each conversation and cache; components: those
    that can occur; people: whether anyone is waited for; diverges: whether players can differ in what is said;
    largest_graph: steps of the largest graph.
    """

    acts: tuple
    contexts: tuple[int, ...]
    cached: tuple[int, ...]
    components: tuple[str, ...]
    people: bool
    diverges: bool
    largest_graph: int


def roles(task: Task) -> tuple[str, ...]:
    """The roles that calls of a task ask for, in the order of the file."""
    return _roles(places(task.steps))


def _roles(found: Iterable[Place]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(place.step.role for place in found if place.step.kind == "model_call")) or (MAIN,)


class _Names:
    """Numbers of conversations, of caches (a conversation on a role's server) and of roles."""

    def __init__(self, found: list[Place]):
        self.roles = {role: i for i, role in enumerate(_roles(found))}
        names = [getattr(place.step, "conversation", None) for place in found]
        self.conversations = {name: i for i, name in enumerate(dict.fromkeys([MAIN, *names])) if name is not None}
        self.conversations = {name: i for i, name in enumerate(self.conversations)}
        pairs = [(s.conversation, s.role) for s in (p.step for p in found) if s.kind == "model_call" and s.conversation]
        self.caches = {pair: i for i, pair in enumerate(dict.fromkeys([(MAIN, MAIN), *pairs]))}

    def talk(self, step: Step) -> int | None:
        return None if step.conversation is None else self.conversations[step.conversation]

    def caches_of(self, conversation: str) -> list[int]:
        return [i for (name, _), i in self.caches.items() if name == conversation]


def plan(task: Task, seed: int, overhead: bool) -> Plan:
    """The plan of a task. ``overhead``: whether any player has seconds of overhead per call."""
    found = list(places(task.steps))
    keys = {place.path: place.key for place in found}
    names = _Names(found)

    def act(step, path: str):
        key = keys[path]
        inner = [acts(steps, f"{path}.{place}") for place, steps in step.blocks]
        if step.kind == "model_call":
            cache = names.caches.get((step.conversation, step.role))
            return Call(step, key, seed, names.talk(step), cache, names.roles[step.role])
        if step.kind == "tool_wait":
            return Tool(step, key, seed, names.talk(step))
        if step.kind == "human_wait":
            return Human(step, key, seed)
        if step.kind == "compact":
            return Summary(step, key, seed, names.talk(step), names.caches_of(step.conversation))
        if step.kind == "group":
            return Sequence(step, key, inner[0])
        if step.kind == "loop":
            return Turns(step, key, seed, inner[0])
        if step.kind == "choice":
            return Options(step, key, seed, inner)
        if step.kind == "retry":
            return Attempts(step, key, seed, inner[0])
        if step.kind == "graph":
            return Network(step, key, names.talk(step), inner[0])
        if step.branches is not None:
            return Branches(step, key, seed, names.talk(step), inner)
        return Copies(step, key, seed, names.talk(step), inner[0])

    def acts(steps, path: str):
        return tuple(act(step, f"{path}[{i}]") for i, step in enumerate(steps))

    steps = [place.step for place in found]
    kinds = {step.kind for step in steps}
    calls = [step for step in steps if step.kind == "model_call"]
    timeouts = any(step.timeout_s is not None for step in calls)
    components = {
        "overhead": overhead and bool(calls),
        "ttft": bool(calls),
        "decode": bool(calls),
        "refill": bool(calls) and task.cache is not None,
        "tool": "tool_wait" in kinds,
        "human": "human_wait" in kinds,
        "attention": task.attention is not None,
        "retry": "retry" in kinds or timeouts or any(step.failure_probability > 0 for step in calls),
    }
    return Plan(
        acts=acts(task.steps, "steps"),
        contexts=(task.context_tokens, *[0] * (len(names.conversations) - 1)),
        cached=(task.starts_cached, *[0] * (len(names.caches) - 1)),
        components=tuple(name for name, used in components.items() if used),
        people="human_wait" in kinds,
        diverges=timeouts or any(step.kind == "parallel" and step.join != "all" for step in steps),
        largest_graph=max((len(step.steps) for step in steps if step.kind == "graph"), default=0),
    )
