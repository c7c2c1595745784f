"""Numbers of a system and their sources as text lines."""

from __future__ import annotations

from agentcalc.provenance import Number, Source

NUMBER_WORDS = {
    "ttft": "first token",
    "fixed_share": "fixed share of it",
    "tpot": "writing",
    "overhead": "overhead of a call",
}


def amount(value: float, unit: str) -> str:
    """A value with its unit as it stands in a file: ``0.334 s``, ``700 tok/s per user``; a share is a bare number."""
    shown = f"{value:,.6g}"
    return shown if unit == "share" else f"{shown} {unit.replace('/user', ' per user')}"


def with_band(number: Number) -> str:
    """The value and, where something is unknown, between what it may lie."""
    text = amount(number.value, number.unit)
    if number.band is None or number.band[0] == number.band[1]:
        return text
    return f"{text} (anywhere from {number.band[0]:,.6g} to {number.band[1]:,.6g})"


def source_line(source: Source) -> str:
    """A source in one line: title, publisher and date, address."""
    dated = f"{source.publisher}, {source.date}" if source.date else source.publisher
    return f"{source.title} ({dated}){f' {source.address}' if source.address else ''}"
