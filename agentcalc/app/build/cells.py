"""What a cell of the step table says, and back: amounts, shares. Every value that is shown reads back as the same.

    250 · 1.7k · 4 s          fixed
    0.3–14 s                  p50–p90
    0.3 / 14 / 216 s          p50 / p90 / p99
    p10 1, p50 3, p99 60      any quantiles
    mean 300, sd 150          lognormal
    even 0.05–0.5 s           every amount alike
    …, max 120                where draws stop

What these words cannot say (values with weights, PERT, mixtures) is left to YAML and shown as :data:`KEPT`.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from agentcalc.errors import echo
from agentcalc.units import SECONDS_IN

KEPT = "set in YAML"
BLANK = ("", "-", "–", "—", "−")
LONGEST = 200
"""Characters of one cell; more is no amount."""

SECONDS, TOKENS, COUNT = "seconds", "tokens", "count"

_TRY = {
    SECONDS: ("a time", "3 s, 300 ms, or 0.3–14 s"),
    TOKENS: ("a number of tokens", "250, 1.7k, or 214–1.7k"),
    COUNT: ("a number of times", "8, or 6–20"),
}
_WORDS = {
    SECONDS: {**{unit: Decimal(repr(s)) for unit, s in SECONDS_IN.items()}}
    | {"seconds": 1, "second": 1, "secs": 1, "minutes": 60, "minute": 60, "mins": 60}
    | {"hours": 3600, "hour": 3600, "hr": 3600, "hrs": 3600},
    TOKENS: {"k": 1000, "m": 1_000_000, "tokens": 1, "token": 1, "tok": 1},
    COUNT: {"k": 1000, "×": 1, "x": 1, "times": 1, "time": 1, "turns": 1, "turn": 1},
}
_NUMBER = re.compile(
    r"((?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]*)?|\.[0-9]+)(e[+-]?[0-9]{1,2}(?![0-9a-z]))?\s*([a-zµμ×]*)\s*(\S*)"
)
_RANGE = re.compile(r"\s*(?:[–—−]|(?<![e,])-|\.\.\.?|…|\bto\b)\s*")
_MAX = re.compile(r"(?:,|;|\s)\s*(?:max|at most|up to|≤)\s*(.+)$")
_MEAN = re.compile(r"(?:mean\s*)(.+?)\s*(?:[,;]?\s*\bsd\b\s*|±\s*)(.+)$")
_PLUS = re.compile(r"([^±]+)±([^±]+)$")
_EVEN = re.compile(r"even(?:ly)?\b\s*(?:from\b)?(.+)$")
_QUANTILE = re.compile(r"p([0-9]{1,2}(?:\.[0-9]+)?)\s*[=:]?\s+(.+)$")


class CellError(ValueError):
    """A cell cannot be read. ``str()`` says what was found and what would do."""


def read_amount(text: str, unit: str) -> float | int | dict[str, Any]:
    """The amount a cell says, as a file would write it: a number or keys such as p50 and p90. Seconds stay seconds.

    Raises CellError, with what was found and what would do.
    """
    said = " ".join(text.split())
    if len(said) > LONGEST:
        raise _refused(said, unit)
    body, limit = said.lower(), None
    # "even 1–2" may hold "to", so the end is taken off first.
    if found := _MAX.search(body):
        body, limit = body[: found.start()], found[1]
    try:
        amount = _body(body.strip(), unit)
        if limit is None:
            return amount
        if not isinstance(amount, dict):
            raise CellError(f"{_quoted(said)} is one number and needs no max. Try {_TRY[unit][1]}")
        return {**amount, "max": _one(limit, unit)}
    except _Unread:
        raise _refused(said, unit) from None


def _body(text: str, unit: str) -> float | int | dict[str, Any]:
    if found := _EVEN.match(text):
        ends = _RANGE.split(found[1].strip())
        if len(ends) != 2:
            raise _Unread
        low, high = _several(ends, unit)
        return {"low": low, "high": high}
    if found := _MEAN.match(text) or _PLUS.match(text):
        mean, sd = _several([found[1], found[2]], unit)
        return {"mean": mean, "sd": sd}
    if text.startswith("p") and (parts := [_QUANTILE.match(part.strip()) for part in re.split(r"[,;]\s+", text)]):
        if not all(parts) or len({part[1] for part in parts}) < len(parts):
            raise _Unread
        values = _several([part[2] for part in parts], unit)
        return _rising({f"p{part[1]}": value for part, value in zip(parts, values, strict=True)}, unit)
    if "/" in text:
        parts = text.split("/")
        if len(parts) not in (2, 3):
            raise _Unread
        return _rising(dict(zip(("p50", "p90", "p99"), _several(parts, unit), strict=False)), unit)
    parts = _RANGE.split(text)
    if len(parts) == 1:
        return _one(text, unit)
    if len(parts) != 2 or not parts[0]:
        raise _Unread
    return _rising(dict(zip(("p50", "p90"), _several(parts, unit), strict=True)), unit)


def _rising(quantiles: dict[str, float], unit: str) -> dict[str, float]:
    values = [quantiles[key] for key in sorted(quantiles, key=lambda key: float(key[1:]))]
    if min(values) <= 0:
        raise CellError(f"a range starts above 0. Try {_TRY[unit][1]}, or even 0–5 for every amount alike")
    if values != sorted(values):
        raise CellError(f"the numbers fall. Write the smaller one first, such as {_TRY[unit][1].rpartition(' or ')[2]}")
    return quantiles


def _several(parts: list[str], unit: str) -> list[float | int]:
    """Numbers of which the last one's unit holds for those without: 0.3–14 s, 1–2k; but 214–1.7k starts at 214."""
    found = [_split(part.strip()) for part in parts]
    number, last = found[-1]
    return [_value(n, own or (last if unit == SECONDS or n <= number else ""), unit) for n, own in found]


def _one(text: str, unit: str) -> float | int:
    return _value(*_split(text.strip()), unit)


_PIECES = re.compile(r"([0-9]+(?:\.[0-9]*)?)\s?(h|min|s|ms)\b\s*")


def _split(text: str) -> tuple[Decimal, str]:
    """A number and the words behind it; "1 h 05 min" is a number of seconds."""
    pieces = _PIECES.findall(text)
    if len(pieces) > 1 and not _PIECES.sub("", text):
        return sum((Decimal(number) * _WORDS[SECONDS][unit] for number, unit in pieces), Decimal(0)), "s"
    found = _NUMBER.fullmatch(text)
    if not found:
        raise _Unread
    number, power, word, more = found.groups()
    return Decimal((number + (power or "")).replace(",", "")), f"{word} {more}".strip()


def _value(number: Decimal, words: str, unit: str) -> float | int:
    known = _WORDS[unit]
    factor = Decimal(1)
    for word in words.split():
        if word not in known:
            raise _Unread
        factor *= known[word]
    value = float(number * factor)
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


class _Unread(Exception):
    """No amount; the caller says so with the whole text."""


def _quoted(text: str) -> str:
    return f'"{echo(text)[1:-1]}"'


def _refused(text: str, unit: str) -> CellError:
    what, remedy = _TRY[unit]
    return CellError(f"{_quoted(text)} is not {what}. Try {remedy}")


def show_amount(value: Any, unit: str) -> str:
    """An amount as a file writes it, in the words of a cell, exactly; :data:`KEPT` where there are none for it."""
    text = _said(value, unit)
    # In "1–2k" both are thousands, so 1 and 2,000 are written out.
    long = unit == TOKENS and text != KEPT and not _reads_back(text, value, unit)
    return _said(value, unit, short=False) if long else text


def _reads_back(text: str, value: Any, unit: str) -> bool:
    try:
        return read_amount(text, unit) == value
    except CellError:
        return False


def _said(value: Any, unit: str, short: bool = True) -> str:
    def number(value: float) -> str:
        return _shown(value, unit, short)

    if isinstance(value, dict):
        keys = set(value) - {"max"}
        end = f", max {number(value['max'])}" if value.get("max") is not None else ""
        last = " s" if unit == SECONDS else ""
        if keys == {"p50", "p90"}:
            text = f"{number(value['p50'])}–{number(value['p90'])}{last}"
        elif keys == {"p50", "p90", "p99"}:
            text = " / ".join(number(value[key]) for key in ("p50", "p90", "p99")) + last
        elif len(keys) > 1 and all(re.fullmatch(r"p[0-9.]+", key) for key in keys):
            ordered = sorted(keys, key=lambda key: float(key[1:]))
            text = ", ".join(f"{key} {number(value[key])}" for key in ordered) + last
        elif keys == {"mean", "sd"}:
            text = f"mean {number(value['mean'])}, sd {number(value['sd'])}{last}"
        elif keys == {"low", "high"}:
            text = f"even {number(value['low'])}–{number(value['high'])}{last}"
        else:
            return KEPT
        return text + end + (last if end else "")
    return number(value) + (" s" if unit == SECONDS else "")


def _shown(number: float, unit: str, short: bool) -> str:
    if short and unit == TOKENS and number >= 1000 and number == int(number) and number % 100 == 0:
        size, letter = (1_000_000, "M") if number >= 1_000_000 and number % 100_000 == 0 else (1000, "k")
        return f"{Decimal(int(number)) / size:f}".removesuffix(".0") + letter
    return str(int(number)) if number == int(number) and abs(number) < 2**53 else repr(float(number))


def read_share(text: str) -> float | int:
    """The share a cell says: ``30%`` or ``0.3``. Raises CellError."""
    said = " ".join(text.split())[: LONGEST + 1]
    found = re.fullmatch(r"([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(e-[0-9]{1,3})?\s*(%?)", said.lower())
    if not found or len(said) > LONGEST:
        raise CellError(f"{_quoted(said)} is not a chance. Try 30%, or 0.3")
    value = float(Decimal(found[1] + (found[2] or "")) / (100 if found[3] else 1))
    if value > 1:
        tried = f"{found[1]}%" if float(found[1]) <= 100 else "100%"
        raise CellError(f"{_quoted(said)} is more than all. Try {tried}, or a number from 0 to 1")
    return value


def show_share(value: float) -> str:
    """A share in per cent, exactly: ``30%``; a tiny one as a number."""
    if 0 < value < 1e-6:
        return repr(float(value))
    text = f"{Decimal(repr(float(value))) * 100:f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text) + "%"


def read_whole(text: str) -> int:
    """A whole number of tries. Raises CellError."""
    said = " ".join(text.split())[: LONGEST + 1]
    found = re.fullmatch(r"(?:up to |at most )?([0-9]{1,9})(?:\s*(?:×|x|times|tries|attempts))?", said.lower())
    if not found:
        raise CellError(f"{_quoted(said)} is not a number of tries. Try 3")
    return int(found[1])
