"""The columns of the step table: which key of which kind each one holds, and what kinds are called."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from agentcalc.app.build.cells import (
    COUNT,
    SECONDS,
    TOKENS,
    read_amount,
    read_share,
    read_whole,
    show_amount,
    show_share,
)

KIND_WORDS: dict[str, str] = {
    "model_call": "model call",
    "tool_wait": "tool",
    "human_wait": "person",
    "loop": "loop",
    "parallel": "parallel",
    "branch": "branch",
    "choice": "choice",
    "option": "option",
    "retry": "retry",
    "group": "group",
    "graph": "graph",
    "compact": "compact",
}
"""Kinds of a row in words. A branch of a parallel and an option of a choice are rows of their own."""

KIND_OF = {word: kind for kind, word in KIND_WORDS.items()}
HOLDERS = ("loop", "parallel", "branch", "choice", "option", "retry", "group", "graph")
"""Kinds that have rows inside."""

KIND_HELP: dict[str, str] = {
    "model_call": "The model reads the conversation so far plus the new tokens, and writes the out tokens.",
    "tool_wait": "A tool runs for the wait; its result tokens join the conversation.",
    "human_wait": "A person reads, decides or types.",
    "loop": "What stands inside is played as many times as Times says, one turn after the other.",
    "parallel": "Copies of what stands inside, as many as Times says, or its branches, all at once.",
    "branch": "One of the ways that a parallel goes at once.",
    "choice": "One of its options, by chance.",
    "option": "One way a choice may go. The chances add up to 100%.",
    "retry": "What stands inside fails with the chance, and is then played again, at most Times times in all.",
    "group": "A named sequence.",
    "graph": "Steps that start when those under After have ended; those without start at once.",
    "compact": "The conversation is replaced by a summary of the out tokens.",
}


@dataclass(frozen=True)
class Column:
    """title: on screen; keys: the key of a step it holds, by kind; reads: amounts in a unit, "share" or "names"."""

    name: str
    title: str
    width: int
    reads: str
    keys: Mapping[str, str]
    help: str

    def key(self, kind: str) -> str | None:
        """The key this column holds for a kind; None where it holds none."""
        return self.keys.get(kind)

    def read(self, text: str, kind: str):
        """The value a cell says. Raises CellError."""
        if self.reads == "share":
            return read_share(text)
        return read_whole(text) if (self.name, kind) in _WHOLE else read_amount(text, self.reads)

    def show(self, value, kind: str) -> str:
        """What a cell says of a value."""
        if self.reads == "share":
            return show_share(value)
        return str(value) if (self.name, kind) in _WHOLE else show_amount(value, self.reads)


_WHOLE = {("times", "retry")}

COLUMNS: tuple[Column, ...] = (
    Column(
        "times",
        "Times",
        104,
        COUNT,
        {"loop": "times", "parallel": "width", "retry": "max_attempts"},
        "Turns of a loop, copies of a parallel, tries of a retry. 6–20: half of all runs take at most 6, nine in ten "
        "at most 20.",
    ),
    Column(
        "chance",
        "Chance",
        66,
        "share",
        {"option": "probability", "retry": "failure_probability", "model_call": "failure_probability"},
        "Of an option: how often it is taken. Of a retry or a call: how often it fails.",
    ),
    Column("new", "New", 66, TOKENS, {"model_call": "input_tokens"}, "Fresh tokens that a call adds to its prompt."),
    Column(
        "out",
        "Out",
        126,
        TOKENS,
        {"model_call": "output_tokens", "compact": "to_tokens"},
        "Tokens that a call writes; tokens that a compact leaves. 214–1.7k: half of all calls write at most 214, nine "
        "in ten at most 1.7k.",
    ),
    Column(
        "wait",
        "Wait",
        132,
        SECONDS,
        {"tool_wait": "seconds", "human_wait": "seconds", "retry": "backoff_s"},
        "How long a tool or a person takes; of a retry, the pause before another try. 0.3–14 s: p50–p90. "
        "0.3 / 14 / 216 s: p50 / p90 / p99.",
    ),
    Column(
        "result",
        "Result",
        80,
        TOKENS,
        {"tool_wait": "result_tokens", "parallel": "result_tokens", "branch": "result_tokens"},
        "Tokens that a tool, a copy or a branch hands back to the conversation.",
    ),
)
BY_NAME = {column.name: column for column in COLUMNS}

TITLES = {"name": "Step", "kind": "Kind", "inside": "Inside", "after": "After"} | {c.name: c.title for c in COLUMNS}
"""What columns are called in a line about a mistake."""

KEY_WORDS = {
    "role": "role",
    "reasoning_tokens": "reasoning tokens",
    "conversation": "conversation",
    "failure_probability": "chance of failure",
    "timeout_s": "timeout",
    "max_attempts": "tries",
    "backoff_s": "pause between tries",
    "until": "stops by chance",
    "join": "join",
    "width": "copies",
    "result_tokens": "result tokens",
}
"""Keys that have no column of their own, in words."""


def column_of(kind: str, key: str) -> str | None:
    """The column that holds a key of a kind; None where none does."""
    if key in ("name", "kind", "after"):
        return key
    return next((column.name for column in COLUMNS if column.key(kind) == key), None)
