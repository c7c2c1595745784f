"""What a task says besides its steps and has a field of its own: its name, and what its conversation starts with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from agentcalc.app.build.cells import BLANK, SECONDS, TOKENS, CellError, read_amount, show_amount
from agentcalc.app.build.rows import Draft


def _tokens(text: str) -> int:
    value = read_amount(text, TOKENS)
    if isinstance(value, dict) or value != int(value):
        raise CellError(f'"{text[:80]}" is not one whole number. Try 20k')
    return int(value)


def _deadline(text: str) -> float | int:
    value = read_amount(text, SECONDS)
    if isinstance(value, dict):
        raise CellError(f'"{text[:80]}" is not one time. Try 60 s')
    return value


@dataclass(frozen=True)
class Head:
    """One field. read: its text as a value, raising CellError; blank: what an empty field shows."""

    title: str
    read: Callable[[str], Any]
    blank: str
    help: str


HEADS: dict[str, Head] = {
    "name": Head("Name", lambda text: text, "New task", "What the task is called in every sentence and figure."),
    "context_tokens": Head(
        "Context", _tokens, "0", "Tokens in the conversation before the first step: system prompt, tools, documents."
    ),
    "cached_tokens": Head(
        "Cached", _tokens, "all of it", "How much of the context the server still holds at the start."
    ),
    "deadline": Head("Deadline", _deadline, "none", "By when the task must be done, such as 60 s."),
}


_ELSEWHERE = {"cache": "cache lifetime", "attention": "attention of a person"}


def kept_in_yaml(draft: Draft) -> tuple[str, ...]:
    """What the task says that changes its time and has no field, in words."""
    found = [words for key, words in _ELSEWHERE.items() if draft.head.get(key)]
    chance = (draft.head.get("deadline") or {}).get("success_probability")
    return (*found, *(["chance of success by the deadline"] if chance is not None else []))


def shown(draft: Draft, name: str) -> str:
    """What a field says."""
    if name in draft.typed:
        return draft.typed[name]
    value = draft.head.get(name)
    if value is None:
        return ""
    if name == "name":
        return str(value)
    return show_amount(value["seconds"] if name == "deadline" else value, SECONDS if name == "deadline" else TOKENS)


def typed(draft: Draft, name: str, text: str) -> Draft:
    """The draft after a text was typed into a field; one that cannot be read is kept as it is."""
    text = text.strip()
    if text == shown(draft, name):
        return draft
    left = {key: value for key, value in draft.typed.items() if key != name}
    if text in BLANK:
        # A task has a name; a field left empty goes back to the one it had.
        head = {key: value for key, value in draft.head.items() if key != name or name == "name"}
        return replace(draft, head=head, typed=left)
    try:
        value = HEADS[name].read(text)
    except CellError:
        return replace(draft, typed={**left, name: text})
    if name == "deadline":
        value = {**(draft.head.get("deadline") or {}), "seconds": value}
    return replace(draft, head={**draft.head, name: value}, typed=left)
