"""The command line that does the same again, with everything that decides the result written out."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

import click
from click.core import ParameterSource


def again(ctx: click.Context, settled: Mapping[str, Any], output: str) -> str:
    """The command of a context as a shell takes it. settled: parameters by name that are given whether or not they were
    typed, such as the seed; None leaves one out; output: the file it writes.
    """
    words = ["agentcalc", ctx.info_name or ctx.command.name or ""]
    arguments, options = [], []
    for param in ctx.command.get_params(ctx):
        name = param.name or ""
        typed = ctx.get_parameter_source(name) in (ParameterSource.COMMANDLINE, ParameterSource.ENVIRONMENT)
        value = settled[name] if name in settled else ctx.params.get(name) if typed else None
        if value is None or name == "output":
            continue
        if isinstance(param, click.Argument):
            arguments += [_word(one) for one in (value if param.nargs != 1 else [value])]
        else:
            options += _option(param, value)
    return shlex.join([*words, *arguments, *options, "-o", output])


def _option(param: click.Parameter, value: Any) -> list[str]:
    long = next((name for name in param.opts if name.startswith("--")), param.opts[0])
    if getattr(param, "is_flag", False):
        off = param.secondary_opts[0] if param.secondary_opts else None
        return [long] if value else [off] if off else []
    found = []
    for one in value if param.multiple else [value]:
        found += [long, *(_word(part) for part in (one if param.nargs > 1 else [one]))]
    return found


def _word(value: Any) -> str:
    """As it would be typed; a number with all its digits."""
    return repr(value) if isinstance(value, float) else str(value)
