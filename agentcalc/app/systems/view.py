"""What of the address belongs to the page, read without trust. No Streamlit.

?of=deepseek-r1&system=gb300&at=16&tails=1&mtp=no&curve=load&per=all-in&against=jalapeno&prompt=900&answer=200
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from agentcalc.app.choices import Choices
from agentcalc.app.state import State
from agentcalc.errors import echo
from agentcalc.system import System

PARTS = ("of", "system", "at", "tails", "mtp", "curve", "per", "against", "prompt", "answer")
"""Parts of the address that this page reads by itself."""

PROMPT, ANSWER = 7_373, 200
"""The prompt that most systems were measured on, and a short answer."""

MOST_TOKENS = 1_000_000
MOST_USERS = 1_000_000
MTP = {"all": "Both", "no": "Single prediction", "only": "With MTP"}
CURVES = {"work": "Speed against work per kW", "load": "Under load"}
BASES = {"tdp": "Package TDP", "all-in": "All-in power"}
_NUMBER = re.compile(r"[1-9][0-9]{0,6}")


@dataclass(frozen=True)
class View:
    """systems: those shown, by name; name: the one the panel is about; at: requests at once, None: the point in use;
    curve: which picture is wanted, "" where that is left open; per: the power that work is divided by; against: the
    other one of a call of prompt and answer tokens; notes: one line for each part that could not be read.
    """

    systems: Mapping[str, System]
    name: str
    at: int | None
    tails: bool
    mtp: str
    curve: str
    per: str
    against: str
    prompt: int
    answer: int
    notes: tuple[str, ...] = ()

    @property
    def system(self) -> System:
        return self.systems[self.name]


def looked_at(part: Callable[[str], str], state: State, known: Choices) -> State:
    """The scenario with the model that this page is about, which Compare need not show; its own where none is named."""
    model = part("of")
    return state.changed(known, model=model) if model in known.systems and model != state.model else state


def read(part: Callable[[str], str], state: State, known: Choices) -> View:
    """part: the text of a part of the address, "" where it is not there."""
    every, notes = known.systems[state.model], []

    def refuse(what: str, value: str, instead: str) -> None:
        notes.append(f"Part of this link could not be read ({what} {echo(value)}). {instead}")

    def one_of(name: str, options, default: str, shown: str) -> str:
        value = part(name) or default
        if value in options:
            return value
        refuse(name, value, f"Showing {shown} instead.")
        return default

    def number(name: str, default: int | None, most: int) -> int | None:
        value = part(name)
        if not value:
            return default
        if _NUMBER.fullmatch(value) and int(value) <= most:
            return int(value)
        usual = "the point in use" if default is None else f"{default:,}"
        refuse(name, value, f"Showing {usual} instead.")
        return default

    if part("of") not in ("", *known.systems):
        refuse("model", part("of"), f"Showing {known.model_label(state.model)} instead.")
    mtp = one_of("mtp", MTP, "all", "all systems")
    shown = {name: s for name, s in every.items() if mtp == "all" or bool(s.mtp) == (mtp == "only")}
    if not shown:
        mtp, shown = "all", dict(every)
    usual = next(name for name in (state.candidate, state.baseline, *shown) if name in shown)
    name = part("system") or usual
    if name not in shown:
        if name in every:
            # A filter never hides what a link is about.
            mtp, shown = "all", dict(every)
        else:
            refuse("system", name, f"Showing {every[usual].label} instead.")
            name = usual
    other = next((n for n in (state.candidate, state.baseline, *every) if n != name), name)
    against = part("against") or other
    if against not in every:
        refuse("against", against, f"Showing {every[other].label} instead.")
        against = other
    return View(
        systems=shown,
        name=name,
        at=number("at", None, MOST_USERS),
        tails=one_of("tails", ("", "1"), "", "no tails") == "1",
        mtp=mtp,
        curve=one_of("curve", ("", *CURVES), "", "what is known"),
        per=one_of("per", BASES, "tdp", BASES["tdp"]),
        against=against,
        prompt=number("prompt", PROMPT, MOST_TOKENS),
        answer=number("answer", ANSWER, MOST_TOKENS),
        notes=tuple(notes),
    )
