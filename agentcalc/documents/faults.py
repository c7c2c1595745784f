"""What a model refuses, in words for the person who wrote the file."""

from __future__ import annotations

import re
import types
from collections.abc import Callable
from difflib import get_close_matches
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, RootModel, Tag, ValidationError

from agentcalc.distributions import Part, Quantiles
from agentcalc.errors import Fault, InputError, echo
from agentcalc.task import KINDS
from agentcalc.units import parse_duration_s

MOST_FAULTS = 50
"""A file with more faults than this is told the first ones."""

M = TypeVar("M", bound=BaseModel)

# Keys of models whose fields are not what a file writes.
_WRITTEN_KEYS: dict[type[BaseModel], tuple[str, ...]] = {
    Quantiles: ("p50", "p90", "max"),
    Part: ("weight", "value", "p50", "p90", "mean", "sd", "low", "high", "mode", "values", "max"),
}
_UNWRITTEN = {(Quantiles, "points"), (Part, "amount")}

_PATTERNS = (
    ("https?", "Write an address that starts with https://"),
    ("/", "Write accelerator/model in lower-case letters, digits, dots, dashes and underscores"),
    ("", "Use lower-case letters, digits, dots, dashes and underscores, such as my-task"),
)
_DATE_REMEDY = "Write it as year-month-day, such as 2026-08-25"


def parse(model: type[M], data: Any, where: str) -> M:
    """The model of some plain values. Raises InputError with every fault, each with its path inside the file."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise InputError(_faults(model, error, where)) from None


def _faults(model: type[BaseModel], error: ValidationError, where: str) -> list[Fault]:
    errors = error.errors(include_url=False)
    locs = [entry["loc"] for entry in errors]
    faults: list[Fault] = []
    for entry in errors:
        loc = entry["loc"]
        # A list all of whose items failed is also reported as too short.
        if entry["type"] == "too_short" and any(len(o) > len(loc) and o[: len(loc)] == loc for o in locs):
            continue
        path, holder, wrong_branch = _follow(model, loc, entry["input"])
        if wrong_branch:
            continue
        if entry["type"] in ("extra_forbidden", "missing") and loc and isinstance(loc[-1], str):
            path = path.rpartition(".")[0]
        found, remedy = _words(entry, holder)
        # Durations are read before the amount they stand in, so the place inside it is found here.
        if entry["type"] == "value_error" and " time" in found and (bad := _bad_duration(entry["input"])):
            path, found = path + bad[0], found.replace("not a time", f"{echo(bad[1])} is not a time")
        fault = Fault(where, path, found, remedy)
        if fault not in faults:
            faults.append(fault)
        if len(faults) >= MOST_FAULTS:
            break
    return faults or [Fault(where, "", "it does not fit", "See the schema")]


def _classes(annotation: Any) -> dict[str, type[BaseModel]]:
    """The models an annotation may hold, by their names in a location: a union's tag, else the class's name."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return {annotation.__name__: annotation}
    origin, args = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        inner = _classes(args[0])
        tag = next((extra.tag for extra in args[1:] if isinstance(extra, Tag)), None)
        return {tag: next(iter(inner.values()))} if tag and len(inner) == 1 else inner
    if origin in (Union, types.UnionType, tuple, list):
        found: dict[str, type[BaseModel]] = {}
        for arg in args:
            found |= _classes(arg)
        return found
    return {}


def _follow(model: type[BaseModel], loc: tuple[str | int, ...], given: Any) -> tuple[str, type[BaseModel] | None, bool]:
    """A location as a path in the file, the model it stands in, and whether it tells of a branch that was not written.

    Names that pydantic puts between (a union's tag, a class's name) are no part of the file and are dropped.
    """
    path, current, choices = "", model, {}
    for number, part in enumerate(loc):
        if isinstance(part, int):
            path += f"[{part}]"
        elif part in choices:
            # Of "an id or a source", a file that writes an id is not told what a source lacks.
            if number == len(loc) - 1 and len(choices) == 1 and not isinstance(given, dict):
                return path, None, True
            current, choices = choices[part], {}
        elif current is None:
            continue
        elif part in current.model_fields or (number == len(loc) - 1 and not choices):
            if (current, part) not in _UNWRITTEN:
                path += f".{part}" if path else part
            field = current.model_fields.get(part)
            if field is None:
                break
            found = _classes(field.annotation)
            for extra in field.metadata:
                found = found or _classes(extra)
            mixed = _mixes_text(field.annotation)
            if len(found) == 1 and not mixed:
                current, choices = next(iter(found.values())), {}
            elif number == len(loc) - 1:
                current = next(iter(found.values())) if len(found) == 1 else current
            else:
                choices = found
        elif isinstance(given, dict):
            # The branch "an id", where keys were written.
            return path, None, True
    return path, current, False


def _mixes_text(annotation: Any) -> bool:
    """Whether an annotation holds text or a model, so that a location names which of the two it speaks of."""
    text = repr(annotation)
    return "str" in text and "Source" in text


def _words(entry: dict[str, Any], holder: type[BaseModel] | None) -> tuple[str, str]:
    """What was found and what would do."""
    kind, given, limits = entry["type"], entry["input"], entry.get("ctx", {})
    name = entry["loc"][-1] if entry["loc"] else ""
    if kind == "value_error":
        return _own_words(str(limits.get("error", entry["msg"])), given)
    if kind == "extra_forbidden":
        return f"unknown key {echo(str(name))}", _nearest(str(name), _keys(holder))
    if kind == "missing":
        if isinstance(name, int):
            return "the list is too short", "Give one more"
        return f"the key '{name}' is missing", "Add it"
    if kind == "kind":
        return _step_words(given)
    if kind == "amount":
        keys = echo(", ".join(list(map(str, given))[:6]))[1:-1] if isinstance(given, dict) else ""
        return f"{{{keys}}} is not an amount" if keys else "it is not an amount", entry["msg"].partition("; ")[2]
    if kind in _TYPES:
        wanted = _TYPES[kind]
        return _described(given, kind), wanted(holder) if callable(wanted) else wanted
    if kind in _LIMITS:
        word, key, remedy = _LIMITS[kind]
        limit = limits.get(key)
        shown = f"{limit:g}" if isinstance(limit, float) else str(limit)
        return f"{echo(given)} is {word} {shown}", remedy.format(shown)
    if kind in ("too_short", "too_long"):
        few = kind == "too_short"
        limit = limits.get("min_length" if few else "max_length")
        return "the list is empty" if few and not given else f"the list is too {'short' if few else 'long'}", (
            f"Write at {'least' if few else 'most'} {limit}"
        )
    if kind == "string_too_long":
        return f"the text is {len(given)} characters long", f"Write at most {limits.get('max_length')}"
    if kind == "string_pattern_mismatch":
        return f"{echo(given)} does not fit", next(r for mark, r in _PATTERNS if mark in limits.get("pattern", ""))
    if kind in ("literal_error", "enum"):
        expected = re.findall(r"'([^']*)'", str(limits.get("expected", "")))
        return f"{echo(given)} is not known", _nearest(str(given), tuple(expected), "Use one of")
    if kind.startswith("date"):
        return f"{echo(given)} is not a date", _DATE_REMEDY
    return entry["msg"][:1].lower() + entry["msg"][1:], ""


def _own_words(message: str, given: Any) -> tuple[str, str]:
    """The project's own "found; remedy", with the value before a message that starts with "not"."""
    found, _, remedy = message.partition("; ")
    if found.startswith("not ") and not isinstance(given, dict | list):
        found = f"{echo(given)} is {found}"
    return found, remedy


def _bad_duration(given: Any) -> tuple[str, str] | None:
    """The path and the text of the first duration inside an amount that cannot be read."""
    items = given.items() if isinstance(given, dict) else enumerate(given) if isinstance(given, list) else ()
    for key, value in items:
        step = f"[{key}]" if isinstance(key, int) else f".{key}"
        if isinstance(value, str):
            try:
                parse_duration_s(value)
            except ValueError:
                return step, value
        elif (deeper := _bad_duration(value)) is not None:
            return step + deeper[0], deeper[1]
    return None


def _keys(model: type[BaseModel] | None) -> tuple[str, ...]:
    if model is None:
        return ()
    return _WRITTEN_KEYS.get(model, tuple(model.model_fields))


def _nearest(name: str, known: tuple[str, ...], lead: str = "The keys here are") -> str:
    near = get_close_matches(name[:80], known, n=1)
    if near:
        return f"Did you mean '{near[0]}'?"
    return f"{lead} {', '.join(known)}" if known else ""


def _step_words(given: Any) -> tuple[str, str]:
    kinds = ", ".join(KINDS)
    if not isinstance(given, dict):
        return f"{_described(given, '')}, not a step", "Write keys such as kind, name and what the kind needs"
    if "kind" not in given:
        return "the step has no kind", f"Add kind, one of {kinds}"
    return f"unknown kind {echo(given['kind'])}", _nearest(str(given["kind"]), tuple(KINDS), "The kinds are")


def _model_remedy(model: type[BaseModel] | None) -> str:
    if model is None or issubclass(model, RootModel):
        return "Write keys below it"
    return f"Write keys below it, such as {', '.join(_keys(model)[:5])}"


_TYPES: dict[str, str | Callable[[type[BaseModel] | None], str]] = {
    "float_type": "Write a number",
    "float_parsing": "Write a number",
    "int_type": "Write a whole number",
    "int_from_float": "Write a whole number",
    "int_parsing": "Write a whole number",
    "finite_number": "Write a finite number",
    "bool_type": "Write true or false",
    "string_type": "Write text; numbers, true and false need quotes to be text",
    "tuple_type": "Write a list",
    "list_type": "Write a list",
    "dict_type": _model_remedy,
    "model_type": _model_remedy,
    "model_attributes_type": _model_remedy,
}
_LIMITS = {
    "greater_than_equal": ("below", "ge", "Write {} or more"),
    "greater_than": ("not above", "gt", "Write a number above {}"),
    "less_than_equal": ("above", "le", "Write {} or less"),
    "less_than": ("not below", "lt", "Write a number below {}"),
}


def _described(given: Any, kind: str) -> str:
    """What stands there: "'abc' is text"."""
    if given is None:
        return "nothing stands here"
    if isinstance(given, bool):
        return f"{str(given).lower()} is a yes-or-no value"
    if isinstance(given, str):
        return f"{echo(given)} is text"
    if isinstance(given, int | float):
        return f"{echo(given)} is {'not a whole number' if kind.startswith('int') else 'a number'}"
    return "a list stands here" if isinstance(given, list | tuple) else "keys stand here"
