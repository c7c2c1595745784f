"""A sentence of numbers: "8 turns, 6k context, 250 tokens out, 4 s tools" -> a task, with what was understood of it.

A clause is a number (or a range, as in a cell of the table) and what it is of. Clauses are parted by commas, "and",
"with" or semicolons. What cannot be used is said, and then no task is made: nothing is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from agentcalc.app.build.cells import COUNT, SECONDS, TOKENS, CellError, read_amount, read_share, show_amount
from agentcalc.documents import parse
from agentcalc.errors import InputError, echo
from agentcalc.task import Task
from agentcalc.units import show_count

LONGEST = 500
EXAMPLE = "8 turns, 6k context, 250 tokens out, 4 s tools"
MOST_UNUSED = 4

_LEADS = r"(?:about|around|roughly|some|each|per turn|every turn|then|with|of|a|an|the|~)\s+"


@dataclass(frozen=True)
class Part:
    """One thing a sentence may say. words: what names it; reads: the unit of its amount, or "share"."""

    name: str
    words: str
    reads: str


PARTS = (
    Part("turns", r"turns?|loops?|rounds?|iterations?|steps?|model calls?|calls?|times", COUNT),
    Part("cached", r"cached(?: context)?|(?:of it |already )cached", TOKENS),
    Part("context", r"(?:of )?context|(?:of )?history|system prompt|prompt at the start", TOKENS),
    Part("out", r"out|output|written|writes?|answers?|generated|per answer|a turn out", TOKENS),
    Part("result", r"(?:of )?(?:tool )?results?|back|returned|(?:of )?tool output", TOKENS),
    Part("new", r"in|new|inputs?|fresh|(?:of )?prompt", TOKENS),
    Part("tools", r"tools?(?: calls?| waits?| time)?|(?:of )?tools?|(?:of )?waits?|waiting", SECONDS),
    Part("person", r"person|people|humans?|approvals?|reviews?|users?|thinking", SECONDS),
    Part("deadline", r"deadline|limit|at most|budget", SECONDS),
    Part("wide", r"(?:in )?parallel|wide|at once|at the same time|agents?|workers?|branches|copies", COUNT),
    Part("failing", r"fail(?:s|ures?|ing)?|retr(?:y|ies)|errors?", "share"),
)
SAID = {
    "turns": "turns",
    "cached": "cached",
    "context": "context",
    "out": "tokens out",
    "result": "tokens back",
    "new": "tokens in",
    "tools": "tools",
    "person": "a person",
    "deadline": "deadline",
    "wide": "in parallel",
    "failing": "fail",
}
_ONE = ("context", "cached", "deadline")
"""Of these there is one number, and no range."""


@dataclass(frozen=True)
class Read:
    """amounts: what was read, by name, as a file writes amounts; unused: clauses of no use; lacking: what is missing,
    as a sentence.
    """

    amounts: Mapping[str, Any]
    unused: tuple[str, ...] = ()
    lacking: str = ""

    @property
    def task(self) -> Task | None:
        """The task it says; None when something is of no use or missing."""
        if self.unused or self.lacking or not self.amounts:
            return None
        return parse(Task, _plain(self.amounts), "the sentence")

    @property
    def line(self) -> str:
        """What was understood, and what was not, in one line; empty for an empty sentence."""
        if not self.amounts and not self.unused:
            return self.lacking
        if self.task is not None:
            return _understood(self.amounts)
        known = ", ".join(_said(name, value) for name, value in self.amounts.items())
        parts = [f"I read: {known}."] if known else []
        if self.unused:
            shown = ", ".join(echo(clause) for clause in self.unused[:MOST_UNUSED])
            more = len(self.unused) - MOST_UNUSED
            parts.append(f"I could not use: {shown}{f' and {more} more' if more > 0 else ''}.")
            parts.append(f"Write a number and a unit, like {_like(self.unused[0])}.")
        else:
            parts.append(self.lacking)
        return " ".join(parts)


def read(sentence: str) -> Read:
    """What a sentence says. Never raises: what it cannot use stands in ``unused``."""
    text = " ".join(sentence.split())
    if len(text) > LONGEST:
        return Read(
            {}, (), f"That is {show_count(len(text))} characters long. Write at most {LONGEST}, like {EXAMPLE}."
        )
    amounts: dict[str, Any] = {}
    unused = []
    for clause in _clauses(text):
        found = _clause(clause)
        if found is None or found[0] in amounts:
            unused.append(clause)
        else:
            amounts[found[0]] = found[1]
    lacking = ""
    if amounts and "out" not in amounts:
        lacking = "How much does a call write? Add it, like 250 tokens out."
    elif "result" in amounts and "tools" not in amounts:
        lacking = "How long do the tools take? Add it, like 4 s tools."
    elif amounts.get("cached", 0) > amounts.get("context", 0):
        lacking = "The cached tokens are a part of the context. Write the context too, like 20k context."
    if amounts and not unused and not lacking:
        try:
            parse(Task, _plain(amounts), "the sentence")
        except InputError as error:
            fault = error.faults[0]
            lacking = f"{fault.found[:1].upper()}{fault.found[1:]}."
    return Read(amounts, tuple(unused), lacking)


_STOPS = r",(?![0-9]{3}(?:[^0-9]|$))|;|\.\s|\.$|\b(?:and|with|then)\b|\b(?:of|each|at)(?=\s+[0-9])"


def _clauses(text: str) -> list[str]:
    """Clauses without what leads them; a comma inside a number parts nothing."""
    found = []
    for part in re.split(rf"\s*(?:{_STOPS})\s*", text):
        clause = part.strip()
        while lead := re.match(_LEADS, clause, re.IGNORECASE):
            clause = clause[lead.end() :]
        if clause:
            found.append(clause)
    return found


_UNIT = r"(?:k|m|ms|us|µs|s|secs?|seconds?|mins?|minutes?|h|hours?|%|×|x)"
# Each number is taken whole and each space once, so that no text takes long to refuse.
_AMOUNT = rf"(?:[0-9.][0-9.,]*(?![0-9.,])(?:\s?{_UNIT})?(?![a-zµ])|[–—-]|\bto\b|/|\s)+"


def _clause(clause: str) -> tuple[str, Any] | None:
    """The part a clause speaks of and its amount; None when it cannot be used."""
    text = clause.lower().replace("per cent", "%").replace("percent", "%")
    text = re.sub(r"\b(?:per|a|each|every) (?:turn|call|step|round)$", "", text).strip()
    text = re.sub(r"\b(?:per|each|every) (?=tool)", "", text)
    before = re.fullmatch(rf"({_AMOUNT})(.*)", text)
    behind = re.fullmatch(rf"(.+?)(?: of| takes?| for)?\s*:?\s+({_AMOUNT})(tokens?)?(?: each)?", text)
    tried = [(before[1], before[2])] if before else []
    if behind:
        tried.append((behind[2], f"{behind[3] or ''} {behind[1]}".strip()))
    for amount, words in tried:
        for part in PARTS:
            if (value := _amount(part, amount.strip(), words.strip())) is not None:
                return part.name, value
    return None


def _amount(part: Part, amount: str, words: str) -> Any:
    if part.reads == TOKENS:
        words = re.sub(r"^(?:tokens?|tok)\b\s*|\s*\b(?:tokens?|tok)$", "", words).strip()
    if not re.fullmatch(part.words, words):
        return None
    if part.reads == SECONDS and not re.search(r"[a-zµ]\s*$", amount):
        return None
    try:
        if part.reads == "share":
            return read_share(amount)
        value = read_amount(amount, part.reads)
    except CellError:
        return None
    if part.name in _ONE and isinstance(value, dict):
        return None
    if part.name in ("context", "cached"):
        return int(value) if value == int(value) else None
    return value


def _like(clause: str) -> str:
    """An example close to a clause that could not be used."""
    text = clause.lower()
    for part, example in (
        ("tools", "4 s tools"), ("person", "2 min person"), ("context", "6k context"), ("cached", "6k cached"),
        ("deadline", "60 s deadline"), ("failing", "10% fail"), ("wide", "4 in parallel"), ("out", "250 tokens out"),
        ("new", "100 tokens in"), ("turns", "8 turns"),
    ):  # fmt: skip
        words = next(p.words for p in PARTS if p.name == part)
        if re.search(rf"\b(?:{words})\b", text):
            return example
    return "4 s tools"


def _said(name: str, value: Any) -> str:
    shown = _value(name, value)
    return f"{shown} {SAID[name]}" if name != "person" else f"{shown} for a person"


def _value(name: str, value: Any) -> str:
    reads = next(part.reads for part in PARTS if part.name == name)
    return f"{value * 100:g}%" if reads == "share" else show_amount(value, reads)


def _plain(amounts: Mapping[str, Any]) -> dict[str, Any]:
    """The task as a file would write it: (fork of) a loop of a call, its tool and a person."""
    call = {"kind": "model_call", "name": "call", "output_tokens": amounts["out"]}
    if "new" in amounts:
        call["input_tokens"] = amounts["new"]
    steps: list[dict[str, Any]] = [call]
    if "tools" in amounts:
        tool = {"kind": "tool_wait", "name": "tool", "seconds": amounts["tools"]}
        steps.append(tool | ({"result_tokens": amounts["result"]} if "result" in amounts else {}))
    if "person" in amounts:
        steps.append({"kind": "human_wait", "name": "person", "seconds": amounts["person"]})
    if "failing" in amounts:
        steps = [{"kind": "retry", "name": "try", "failure_probability": amounts["failing"], "steps": steps}]
    if "turns" in amounts:
        steps = [{"kind": "loop", "name": "turn", "times": amounts["turns"], "steps": steps}]
    if "wide" in amounts:
        steps = [{"kind": "parallel", "name": "parallel", "width": amounts["wide"], "steps": steps}]
    plain: dict[str, Any] = {"name": "New task", "context_tokens": amounts.get("context", 0), "steps": steps}
    if "cached" in amounts:
        plain["cached_tokens"] = amounts["cached"]
    if "deadline" in amounts:
        plain["deadline"] = {"seconds": amounts["deadline"]}
    return plain


def _understood(amounts: Mapping[str, Any]) -> str:
    """``8 × (model call, 250 tokens; tool, 4 s); context starts at 6,000.``"""
    new = f"{_value('new', amounts['new'])} in, " if "new" in amounts else ""
    inside = [f"model call, {new}{_value('out', amounts['out'])} tokens" + (" out" if new else "")]
    if "tools" in amounts:
        result = f", {_value('result', amounts['result'])} tokens back" if "result" in amounts else ""
        inside.append(f"tool, {_value('tools', amounts['tools'])}{result}")
    if "person" in amounts:
        inside.append(f"person, {_value('person', amounts['person'])}")
    said = "; ".join(inside)
    if "failing" in amounts:
        said = f"{said}; fails {_value('failing', amounts['failing'])} of the time, at most 3 tries"
    if "turns" in amounts:
        said = f"{_value('turns', amounts['turns'])} × ({said})"
    if "wide" in amounts:
        said = f"{_value('wide', amounts['wide'])} at once: {said}"
    said += f"; context starts at {show_count(amounts.get('context', 0))}"
    if "cached" in amounts:
        said += f", {show_count(amounts['cached'])} of it cached"
    if "deadline" in amounts:
        said += f"; done by {_value('deadline', amounts['deadline'])}"
    return f"{said}."
