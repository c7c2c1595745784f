"""From a task to steps that can be played: the one place that knows which class plays which kind."""

from __future__ import annotations

from dataclasses import dataclass

from agentcalc.simulate.calls import Call
from agentcalc.simulate.fork import Branches, Copies
from agentcalc.simulate.graph import Network
from agentcalc.simulate.inline import Options, Sequence, Turns
from agentcalc.simulate.retry import Attempts
from agentcalc.simulate.waits import Human, Tool
from agentcalc.task import MAIN, Task, places


@dataclass(frozen=True)
class Plan:
    """acts: what to play; contexts, cached: tokens at the start of each conversation; people: whether anyone is waited for."""

    acts: tuple
    contexts: tuple[int, ...]
    cached: tuple[int, ...]
    components: tuple[str, ...]
    people: bool


def plan(task: Task, seed: int, overhead: bool) -> Plan:
    """The plan of a task. ``overhead``: whether any player has seconds of overhead per call."""
    found = list(places(task.steps))
    keys = {place.path: place.key for place in found}
    kinds = {place.step.kind for place in found}
    names = [getattr(place.step, "conversation", None) for place in found]
    conversations = {MAIN: 0}
    for name in names:
        if name is not None:
            conversations.setdefault(name, len(conversations))

    def act(step, path: str):
        key = keys[path]
        inner = [acts(steps, f"{path}.{place}") for place, steps in step.blocks]
        if step.kind == "model_call":
            return Call(step, key, seed, conversations)
        if step.kind == "tool_wait":
            return Tool(step, key, seed, conversations)
        if step.kind == "human_wait":
            return Human(step, key, seed, conversations)
        if step.kind == "group":
            return Sequence(step, key, inner[0])
        if step.kind == "loop":
            return Turns(step, key, seed, inner[0])
        if step.kind == "choice":
            return Options(step, key, seed, inner)
        if step.kind == "retry":
            return Attempts(step, key, seed, inner[0])
        if step.kind == "graph":
            return Network(step, key, conversations, inner[0])
        if step.branches is not None:
            return Branches(step, key, seed, conversations, inner)
        return Copies(step, key, seed, conversations, inner[0])

    def acts(steps, path: str):
        return tuple(act(step, f"{path}[{i}]") for i, step in enumerate(steps))

    components = {
        "overhead": overhead and "model_call" in kinds,
        "ttft": "model_call" in kinds,
        "decode": "model_call" in kinds,
        "tool": "tool_wait" in kinds,
        "human": "human_wait" in kinds,
        "retry": "retry" in kinds,
    }
    return Plan(
        acts=acts(task.steps, "steps"),
        contexts=(task.context_tokens, *[0] * (len(conversations) - 1)),
        cached=(task.starts_cached, *[0] * (len(conversations) - 1)),
        components=tuple(name for name, used in components.items() if used),
        people="human_wait" in kinds,
    )
