"""Models into text that reads back as the same model: defaults left out, seconds as numbers, the model's order."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, ClassVar, Literal

import yaml
from pydantic import BaseModel

from agentcalc.documents.yaml_values import BASED, BOOL, ENDLESS, FLOAT, INT, NULL

_FIRST = ("kind", "id", "name")
_EXACT = 2.0**53


def write(model: BaseModel, format: Literal["yaml", "json"] = "yaml") -> str:
    """A task, a system or any other model as YAML or JSON.

    ``parse(type(model), load(text.encode()), where)`` gives an equal model back.
    """
    data = _plain(model.model_dump(mode="json", exclude_defaults=True))
    if format == "json":
        return json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    return yaml.dump(data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=110, default_flow_style=False)


def _plain(value: Any) -> Any:
    """The same values with whole numbers as integers and what a step is named by first."""
    if isinstance(value, dict):
        first = [key for key in _FIRST if key in value]
        return {key: _plain(value[key]) for key in [*first, *(key for key in value if key not in first)]}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT:
        return int(value)
    return value


class _Dumper(yaml.SafeDumper):
    """Block YAML with short groups of numbers on one line."""

    # Text that YAML 1.2 or the older 1.1 would read as something else is quoted; the 1.2 rules, ours, come first.
    yaml_implicit_resolvers: ClassVar = {
        None: [
            ("tag:yaml.org,2002:null", NULL),
            ("tag:yaml.org,2002:bool", BOOL),
            ("tag:yaml.org,2002:int", INT),
            ("tag:yaml.org,2002:int", BASED),
            ("tag:yaml.org,2002:float", FLOAT),
            ("tag:yaml.org,2002:float", ENDLESS),
            *(rule for rules in yaml.SafeDumper.yaml_implicit_resolvers.values() for rule in rules),
        ]
    }

    def ignore_aliases(self, data: Any) -> bool:
        return True

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        return super().increase_indent(flow, False)


def _float(dumper: _Dumper, value: float) -> yaml.Node:
    return dumper.represent_scalar("tag:yaml.org,2002:float", repr(value))


def _text(dumper: _Dumper, text: str) -> yaml.Node:
    # The older YAML takes these three for line breaks, so only an escape keeps them.
    style = '"' if any(mark in text for mark in "\x85\u2028\u2029") else "|" if "\n" in text.strip() else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


def _keys(dumper: _Dumper, data: dict[str, Any]) -> yaml.Node:
    return dumper.represent_mapping("tag:yaml.org,2002:map", data.items(), flow_style=numbers_only(data.values()))


def _list(dumper: _Dumper, data: list[Any]) -> yaml.Node:
    return dumper.represent_sequence("tag:yaml.org,2002:seq", data, flow_style=numbers_only(data))


def numbers_only(values: Iterable[Any]) -> bool:
    return all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)


_Dumper.add_representer(float, _float)
_Dumper.add_representer(str, _text)
_Dumper.add_representer(dict, _keys)
_Dumper.add_representer(list, _list)
