"""A plain CSV or YAML file for people with two numbers from a status page or a dashboard, one row a measurement.

The unit stands in the column's name, so a number has one meaning. ``EXAMPLE`` is a file to fill in; ``COLUMNS`` says
what each column is.
"""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

from agentcalc.benchmarks.document import Document
from agentcalc.benchmarks.fields import count, day, number, positive, words
from agentcalc.benchmarks.records import Measurement, Spread
from agentcalc.errors import Fault, InputError, echo

NAME = "the template"
LOOKS_FOR = "a column or key such as ttft_s, ttft_ms, tok_s_user or tpot_ms in each row"
KEYS = ("ttft_s|ttft_ms", "tok_s_user|tpot_ms|tpot_s", "prompt_tokens")

COLUMNS = {
    "label": "how you call it, such as the provider; stands for the hardware where that is not known",
    "model": "the model",
    "hardware": "the accelerator",
    "chips": "accelerators that serve the model",
    "precision": "the format of the weights, such as fp8",
    "software": "the serving software and its version",
    "layout": "how the model is split, such as TP8",
    "mtp": "true or false: several tokens a step (speculative decoding)",
    "concurrency": "requests in flight at once; leave it out where nobody says",
    "prompt_tokens": "tokens of the prompt that TTFT was measured with",
    "context_tokens": "tokens that were in the server's cache before the prompt",
    "output_tokens": "tokens of an answer",
    "statistic": "mean or median: what the latencies are; median where it is left out",
    "ttft_s": "time to first token, seconds",
    "ttft_ms": "the same, milliseconds",
    "ttft_p99_s": "its 99th percentile, seconds",
    "ttft_p99_ms": "the same, milliseconds",
    "tok_s_user": "tokens a second that one user sees after the first token",
    "tpot_s": "time per output token after the first, seconds: 1 / tok_s_user",
    "tpot_ms": "the same, milliseconds",
    "tpot_p99_s": "its 99th percentile, seconds",
    "tpot_p99_ms": "the same, milliseconds",
    "e2el_s": "a whole answer, from sending to the last token, seconds",
    "e2el_ms": "the same, milliseconds",
    "throughput_tok_s": "output tokens a second of all users and chips together",
    "source": "where the numbers stand: an address, or a few words",
    "date": "the day they were read or measured, such as 2026-11-30",
}
"""Every column -> what it is."""

EXAMPLE = """\
# Measurements of your own, one block each. Keep what you know and delete the other lines.
# TTFT or a speed is enough. The unit is in the name: ttft_ms takes milliseconds, ttft_s seconds.
# The same names work as columns of a CSV file.
- label: our server                # the provider, or how you call it
  model: gpt-oss-120b
  hardware: B200
  chips: 8                         # accelerators that serve the model
  concurrency: 16                  # requests in flight at once; leave it out where nobody says
  prompt_tokens: 7373              # tokens of the prompt that TTFT was measured with
  output_tokens: 1024
  statistic: median                # mean or median
  ttft_ms: 420                     # time to first token; or ttft_s in seconds
  tok_s_user: 110                  # tokens a second one user sees after the first; or tpot_ms
  throughput_tok_s: 1650           # output tokens a second of all users together
  source: https://status.example.com/latency
  date: 2026-11-30
- label: a status page
  model: gpt-oss-120b
  ttft_s: 0.35
  tok_s_user: 480
"""

_TIMED = re.compile(r"^(?:(?:mean|median|p\d+)_)?(?:ttft|tpot|itl|e2el|tok|tps|speed|latency|throughput)(?:_|$)")
_KNOWN_BY = ("ttft_s", "ttft_ms", "tpot_s", "tpot_ms", "tok_s_user")
_ALSO_BY = {"ttft", "tpot", "speed", "tok_s", "tps"}
_ADDRESS = re.compile(r"^https?://[^\s<>\"']+$")


def matches(document: Document) -> bool:
    """Whether its rows have a latency of the template. It stands last: other formats may use such a name too."""
    rows = _rows(document) if document.kind != "csv" else [dict.fromkeys(_header(document))]
    names = {str(key) for row in rows if isinstance(row, dict) for key in row}
    return not names.isdisjoint(_KNOWN_BY) or (not names.isdisjoint(_ALSO_BY) and len(names & set(COLUMNS)) >= 2)


def read(document: Document) -> tuple[Measurement, ...]:
    """A run a row. Raises InputError for a column that is not known or has no unit, two that say the same otherwise, a
    number that is none, or a row with neither TTFT nor speed.
    """
    rows = _table(document) if document.kind == "csv" else _rows(document)
    runs = []
    for place, row in enumerate(rows, 1):
        where = f"{document.name}: row {place}"
        if not isinstance(row, dict):
            raise InputError(Fault(where, "", f"{echo(row)} is no row", "Write name: value pairs under each '-'"))
        runs.append(_run(row, where, text=document.kind == "csv"))
    return tuple(runs)


def _rows(document: Document) -> list[Any]:
    """The blocks of YAML or JSON: one, a list, or the list under ``measurements``."""
    data = document.data
    if isinstance(data, dict) and isinstance(data.get("measurements"), list):
        data = data["measurements"]
    return data if isinstance(data, list) else [data]


def _lines(document: Document) -> list[list[str]]:
    """The rows of the CSV without comments and without blank lines."""
    return [row for row in document.data if any(cell.strip() for cell in row) and not row[0].lstrip().startswith("#")]


def _header(document: Document) -> list[str]:
    return [cell.strip() for cell in next(iter(_lines(document)), [])]


def _table(document: Document) -> list[dict[str, str]]:
    return Document(document.name, "csv", _lines(document)).table


def _run(row: dict[str, Any], where: str, *, text: bool) -> Measurement:
    for name in row:
        if name not in COLUMNS:
            raise InputError(_unknown(str(name), where))
    statistic = row.get("statistic")
    if statistic not in ("mean", "median", None):
        raise InputError(Fault(where, "statistic", f"it is {echo(statistic)}", "Write mean or median"))
    ttft, tpot, e2el = (
        Spread(**{statistic or "median": _time(row, name, where, text)}, p99=_time(row, f"{name}_p99", where, text))
        for name in ("ttft", "tpot", "e2el")
    )
    if ttft == tpot == Spread():
        found = "it has neither a TTFT nor a speed above zero"
        raise InputError(Fault(where, "", found, "Give ttft_s or ttft_ms, and tok_s_user or tpot_ms"))
    prompt = positive(row, "prompt_tokens", where, text=text)
    notes = [] if statistic else ["It does not say whether its latencies are means or medians; medians are assumed."]
    if prompt is None and ttft != Spread():
        notes.append("It does not say for which prompt length its TTFT is.")
    label, source = words(row, "label"), words(row, "source")
    address = source if source and _ADDRESS.match(source) else None
    notes += [f"Called {label}."] if label and words(row, "hardware") else []
    notes += [f"Source: {source}."] if source and not address else []
    return Measurement(
        format=NAME,
        model=words(row, "model"),
        hardware=words(row, "hardware") or label,
        precision=words(row, "precision"),
        software=words(row, "software"),
        mtp=_yes(row, where),
        layout=words(row, "layout"),
        chips=count(row, "chips", where, text=text),
        concurrency=positive(row, "concurrency", where, text=text),
        input_tokens=prompt,
        output_tokens=positive(row, "output_tokens", where, text=text),
        ttft=ttft,
        tpot=tpot,
        e2el=e2el,
        output_tok_s=positive(row, "throughput_tok_s", where, text=text),
        context_tokens=number(row, "context_tokens", where, text=text) or 0.0,
        date=_date(row, where),
        address=address,
        notes=tuple(notes),
    )


def _unknown(name: str, where: str) -> Fault:
    if _TIMED.match(name):
        return Fault(where, "", f"{echo(name)} does not say its unit, or says it otherwise", f"Known are {_times()}")
    return Fault(where, "", f"{echo(name)} is not a column of the template", f"Known are {', '.join(COLUMNS)}")


def _times() -> str:
    return ", ".join(name for name in COLUMNS if _TIMED.match(name))


def _time(row: dict[str, Any], name: str, where: str, text: bool) -> float | None:
    """A time in s under any of its names. Raises InputError for two that differ, and for a zero."""
    found = {f"{name}_{unit}": number(row, f"{name}_{unit}", where, unit=unit, text=text) for unit in ("s", "ms")}
    if name == "tpot":
        speed = number(row, "tok_s_user", where, text=text)
        found["tok_s_user"] = 1 / speed if speed else speed
    told = {key: value for key, value in found.items() if value is not None}
    for key, value in told.items():
        if value == 0:
            raise InputError(Fault(where, key, "it is 0", "Leave out what was not measured"))
    if told and max(told.values()) > 1.01 * min(told.values()):
        found = " and ".join(f"{key} {echo(row[key])}" for key in told)
        raise InputError(Fault(where, "", f"{found} do not agree", "Keep one of them"))
    return next(iter(told.values()), None)


def _yes(row: dict[str, Any], where: str) -> bool | None:
    value = row.get("mtp")
    if isinstance(value, str):
        value = {"true": True, "yes": True, "false": False, "no": False}.get(value.strip().lower(), value)
    if value is not None and not isinstance(value, bool):
        raise InputError(Fault(where, "mtp", f"it is {echo(value)}", "Write true or false"))
    return value


def _date(row: dict[str, Any], where: str) -> dt.date | None:
    if row.get("date") is not None and day(row, "date") is None:
        raise InputError(Fault(where, "date", f"{echo(row['date'])} is not a date", "Write it as 2026-11-30"))
    return day(row, "date")
