"""What an answer rests on, as HTML: numbers with grade and source, what is unknown and what that does, assumptions."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping

from agentcalc.analysis.headline import Headline
from agentcalc.analysis.naming import UNKNOWN_NUMBERS, names
from agentcalc.analysis.reach import extrapolation
from agentcalc.answers import WORDS
from agentcalc.app.words import esc, show_number
from agentcalc.errors import NotFoundError
from agentcalc.provenance import Source, weakest
from agentcalc.results import Basis, Comparison
from agentcalc.units import show_ratio

NUMBER_WORDS = {
    "ttft": "first token",
    "fixed_share": "part of it that does not grow with the prompt",
    "tpot": "writes",
    "overhead": "overhead of a call",
}

Effects = Mapping[tuple[int, str], tuple[float, float]]
Find = Callable[[str], Source]


def chip(found: Comparison, head: Headline) -> str:
    """The label of the button: "Rests on: assumed, extrapolated, 1.8× to 1.9×"."""
    pair = found.systems[:2]
    parts = [weakest(system.grade for system in pair).value]
    if any(system.extrapolated_share > 0 for system in pair):
        parts.append("extrapolated")
    low, high = (show_ratio(end) for end in head.band)
    parts.append(f"{low} to {high}" if low != high else low)
    return f"Rests on: {', '.join(parts)}"


def details(found: Comparison, effects: Effects, find: Find) -> str:
    """The whole of it for the baseline and the candidate; find: a source by its id."""
    called = names(found.specs)
    parts = []
    # The candidate's numbers are what a reader doubts first.
    for player in (1, 0):
        system, spec = found.systems[player], found.specs[player]
        rows = "".join(
            f"<li>{_line(row, spec.point.ttft_at_tokens, effects.get((player, row.name)), find)}</li>"
            for row in system.basis
        )
        out = ""
        if system.extrapolated_share:
            out = f"<p>{esc(extrapolation(system))}</p>"
        parts.append(f"<h3>{esc(called[player])}</h3><ul>{rows}</ul>{out}")
    task = "".join(f"<li>{link(find, source)}</li>" for source in found.task.sources)
    task += "".join(f"<li>{esc(text)}</li>" for text in (*_beside(found), *found.task.notes))
    if task:
        parts.append(f"<h3>The task</h3><ul>{task}</ul>")
    return f'<div class="ac-rests">{"".join(parts)}</div>'


def _beside(found: Comparison) -> list[str]:
    """What is assumed beside the numbers of systems, once each; those numbers have lines of their own."""
    said = []
    for system in found.systems[:2]:
        numbers = tuple(f"{row.system}: {WORDS[row.name]} " for row in system.basis)
        said += [text for text in system.assumptions if not text.startswith(numbers)]
    return list(dict.fromkeys(said))


def _line(row: Basis, at_tokens: int, effect: tuple[float, float] | None, find: Find) -> str:
    value = esc(show_number(row.name, row.value, row.unit))
    at = f" at {at_tokens:,} fresh tokens" if row.name == "ttft" else ""
    words = esc(NUMBER_WORDS.get(row.name, row.name))
    text = f"{words} <b>{value}</b>{at}, {row.grade.value}, {link(find, row.source)}."
    if row.note:
        text += f' <span class="ac-small">{esc(row.note)}</span>'
    if row.band is not None and row.band[0] != row.band[1]:
        low, high = (esc(show_number(row.name, end, row.unit)) for end in row.band)
        unknown = esc(row.unknown or UNKNOWN_NUMBERS.get(row.name, row.name))
        text += f" Not known: {unknown}; {low} to {high}."
        if not row.matters:
            text += " Here it changes nothing."
        elif effect:
            text += _what_it_does(*(show_ratio(end) for end in effect))
    return text


def _what_it_does(low: str, high: str) -> str:
    if low == high:
        return f" That alone leaves the answer at {low}."
    return f" That alone makes the answer {low} to {high}."


def link(find: Find, source: str | Source) -> str:
    """A source as a link, or its id with a plain word when it does not resolve."""
    try:
        found = source if isinstance(source, Source) else find(source)
    except NotFoundError:
        return f"{esc(source)} (this source is missing)"
    title = esc(", ".join(part for part in (found.publisher, found.date and show_date(found.date)) if part))
    if not found.address:
        return title
    return f'<a href="{esc(found.address)}" target="_blank" rel="noreferrer noopener">{title}</a>'


def show_date(day: dt.date) -> str:
    """25 Aug 2026."""
    return f"{day.day} {day:%b %Y}"
