"""A task in words: how it starts, its steps as a list, the rules that are switched on."""

from __future__ import annotations

from agentcalc.exports.report_blocks import Block, Item, Listed, Words
from agentcalc.figures import amount_words
from agentcalc.task import MAIN, Choice, Loop, ModelCall, Parallel, Step, Task
from agentcalc.units import counted, show_count, show_share, show_time

MOST_LINES = 120
"""Lines of the list of steps; a longer task ends with how many more there are."""
RANGES = "Ranges go from a typical amount to one that nine in ten stay below."


def task_blocks(task: Task) -> tuple[Block, ...]:
    """Everything about the task."""
    blocks: list[Block] = [Words(f"The task: {task.name}.", "strong")]
    blocks += [Words(task.description)] if task.description else []
    left = [MOST_LINES]
    items = _items(task.steps, left)
    if left[0] < 0:
        items = (*items, Item(f"and {counted(-left[0], 'more step')}, all of them in the task’s file"))
    blocks += [Words(_start(task)), Listed(items), Words(RANGES, "small")]
    blocks += [Words(line) for line in _rules(task)]
    blocks += [Words("What its numbers rest on:"), Listed.of(task.notes)] if task.notes else []
    return tuple(blocks)


def _start(task: Task) -> str:
    if not task.context_tokens:
        return "It starts with an empty conversation."
    held = "all of them" if task.starts_cached == task.context_tokens else show_count(task.starts_cached)
    assumed = " (assumed)" if task.cached_tokens is None else ""
    return (
        f"It starts with {counted(task.context_tokens, 'token')} of context; the server holds {held} already{assumed}."
    )


def _rules(task: Task) -> list[str]:
    """The thresholds of the task that are switched on."""
    said = []
    if task.cache is not None:
        said.append(f"The server forgets a conversation that no call has used for {show_time(task.cache.lifetime_s)}.")
    if task.attention is not None:
        limit, cost = show_time(task.attention.threshold_s), show_time(task.attention.cost_s)
        said.append(f"A person kept waiting longer than {limit} turns away and comes back {cost} late.")
    if task.deadline is not None:
        chance = task.deadline.success_probability
        solves = "" if chance is None else f"; one attempt solves it {show_share(chance)} of the time"
        said.append(f"It must be done within {show_time(task.deadline.seconds)}{solves}.")
    return said


def _items(steps: tuple[Step, ...], left: list[int]) -> tuple[Item, ...]:
    """Steps as lines of a list; ``left`` counts the lines there is still room for, below 0 those there was none for."""
    found = []
    for step in steps:
        left[0] -= 1
        shown = left[0] >= 0
        inner = _inner(step, left)
        if shown:
            after = f", after {', '.join(step.after)}" if step.after else ""
            found.append(Item(_line(step) + after, inner))
    return tuple(found)


def _inner(step: Step, left: list[int]) -> tuple[Item, ...]:
    if isinstance(step, Choice):
        named = [f"{show_share(o.probability)}{f', {o.name}' if o.name else ''}" for o in step.options]
    elif isinstance(step, Parallel) and step.branches is not None:
        named = [branch.name or f"branch {i}" for i, branch in enumerate(step.branches, 1)]
    else:
        return _items(step.blocks[0][1], left) if step.blocks else ()
    found = []
    for name, (_, steps) in zip(named, step.blocks, strict=True):
        inner = _items(steps, left)
        if inner or not steps:
            found.append(Item(f"{name}:" if steps else f"{name}: nothing", inner))
    return tuple(found)


def _line(step: Step) -> str:
    """A step in one line: "Model call “act”: reads 100 new tokens, writes 214–1.7k"."""
    head, said = _WORDS[step.kind](step)
    called = f"{head} “{step.name}”" if step.name else head
    return f"{called}: {said}" if said else called


def _call(step: ModelCall) -> tuple[str, str]:
    said = []
    if step.input_tokens.fixed != 0:
        said.append(f"reads {amount_words.tokens(step.input_tokens)} new tokens")
    said.append(f"writes {amount_words.tokens(step.output_tokens)}{'' if said else ' tokens'}")
    if step.reasoning_tokens.fixed != 0:
        said.append(f"{amount_words.tokens(step.reasoning_tokens)} of them reasoning that is not kept")
    if step.role != MAIN:
        said.append(f"served as {step.role}")
    said += _aside(step.conversation)
    if step.timeout_s is not None:
        said.append(f"cut off after {show_time(step.timeout_s)}")
    if step.failure_probability:
        said.append(f"fails {show_share(step.failure_probability)} of the time")
    if step.timeout_s is not None or step.failure_probability:
        said.append(_attempts(step))
    return "Model call", ", ".join(said)


def _attempts(step) -> str:
    pause = "" if step.backoff_s.fixed == 0 else f", {amount_words.seconds(step.backoff_s)} before each further one"
    return f"at most {counted(step.max_attempts, 'attempt')}{pause}"


def _aside(conversation: str | None) -> list[str]:
    if conversation is None:
        return ["outside the conversation"]
    return [] if conversation == MAIN else [f"in the conversation {conversation}"]


def _tool(step) -> tuple[str, str]:
    said = [amount_words.seconds(step.seconds)]
    if step.result_tokens.fixed != 0:
        said.append(f"returns {amount_words.tokens(step.result_tokens)} tokens")
    return "Tool", ", ".join([*said, *_aside(step.conversation)])


def _loop(step: Loop) -> tuple[str, str]:
    if step.times is not None:
        return "Loop", f"{amount_words.times(step.times)} turns"
    return (
        "Loop",
        f"stops {show_share(step.until.probability)} of the time after a turn, at most {step.until.max} turns",
    )


def _parallel(step: Parallel) -> tuple[str, str]:
    waits = {"all": "waits for all", "any": "goes on with the first"}.get(
        step.join, f"goes on with the first {step.join}"
    )
    copies = "" if step.width is None else f"{amount_words.times(step.width)} copies, "
    return "At the same time", f"{copies}{waits}"


def _retry(step) -> tuple[str, str]:
    return "Retry", f"fails {show_share(step.failure_probability)} of the time, {_attempts(step)}"


_WORDS = {
    "model_call": _call,
    "tool_wait": _tool,
    "human_wait": lambda step: ("A person", amount_words.seconds(step.seconds)),
    "compact": lambda step: ("Compact the conversation", f"to {amount_words.tokens(step.to_tokens)} tokens"),
    "group": lambda step: ("Group", ""),
    "loop": _loop,
    "parallel": _parallel,
    "choice": lambda step: ("One of these", ""),
    "retry": _retry,
    "graph": lambda step: ("Steps that start as soon as those they need have ended", ""),
}
