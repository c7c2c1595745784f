"""Options that set what a figure looks like: axes, limits, unit, order, colours, names, and a file of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from agentcalc.cli.figure_options import options
from agentcalc.errors import Fault, InputError, echo

if TYPE_CHECKING:
    from agentcalc.figures.style import Style

_SCALES = click.Choice(("log", "linear"))

STYLE = (
    click.option("--subtitle", help="In place of what is shown; the source line stays."),
    click.option("--x-scale", type=_SCALES, help="distribution, break_even, speedup, operating_points: the x axis."),
    click.option("--y-scale", type=_SCALES, help="break_even, tool_share, speedup, operating_points: the y axis."),
    click.option(
        "--x-limits", metavar="LOW:HIGH", help="Ends of the x axis in its unit, or with one: 0:90, :90, 0:5min.",
    ),
    click.option("--y-limits", metavar="LOW:HIGH", help="Ends of the y axis. An axis that is cut says so."),
    click.option("--unit", type=click.Choice(("auto", "s", "min", "h")), help="Of an axis in time."),
    click.option(
        "--order", multiple=True, metavar="NAME",
        help="What comes first: a system, in some figures a kind of time or an input. Again for the next.",
    ),
    click.option(
        "--colour", "--color", "colours", multiple=True, metavar="NAME=#RRGGBB",
        help='Of a system or a kind of time: "Jalapeño=#7a1fa2", "tools=#cccccc". Again for more.',
    ),
    click.option(
        "--label", "labels", multiple=True, metavar="OLD=NEW",
        help='Another name for a system, a kind of time or a step: "GB300=Today\'s rack". Again for more.',
    ),
    click.option(
        "--style", metavar="FILE", help="A YAML or JSON file of these (x_limits, colours, labels, ...); options win.",
    ),
)  # fmt: skip

style_options = options(STYLE)
"""The decorator of all of them, in this order."""

OPTIONS = {
    "subtitle": "--subtitle", "x_scale": "--x-scale", "y_scale": "--y-scale", "x_limits": "--x-limits",
    "y_limits": "--y-limits", "unit": "--unit", "order": "--order", "colours": "--colour", "labels": "--label",
}  # fmt: skip
ONE_KIND = ("subtitle", "x_scale", "y_scale", "x_limits", "y_limits", "unit", "order")
"""What makes no sense for all kinds of figures at once."""


def styles_of(given: Mapping[str, Any], every: bool = False) -> tuple[Style, ...]:
    """The styles of a command line: that of the file, then that of the options. every: for all kinds of figures, which
    may lack some of the names.

    Raises InputError for what cannot be read, and NotFoundError where there is no such file.
    """
    fields = {name: given[name] for name in OPTIONS if given.get(name) not in (None, ())}
    if not fields and not given.get("style"):
        return ()
    from agentcalc.figures.style import read_style, style_of

    if every and (one := next((name for name in ONE_KIND if name in fields), None)):
        found = "what fits one figure does not fit all kinds"
        raise InputError(Fault(OPTIONS[one], "", found, "draw one kind, or leave it out"))
    for name, sign in (("colours", "#RRGGBB"), ("labels", "NEW")):
        if name in fields:
            fields[name] = tuple(_pair(OPTIONS[name], text, sign) for text in fields[name])
    file = (read_style(given["style"]),) if given.get("style") else ()
    with in_options():
        own = style_of(**fields)
    return (*file, own.for_many() if every else own)


def _pair(option: str, text: str, sign: str) -> tuple[str, str]:
    name, equals, value = text.partition("=") if sign == "NEW" else text.rpartition("=")
    if not equals or not name.strip() or not value.strip():
        raise InputError(Fault(option, "", f"found {echo(text)}", f"write NAME={sign}"))
    return name.strip(), value.strip()


@contextmanager
def in_options() -> Iterator[None]:
    """What a figure refuses of a style, in terms of the options that set it."""
    try:
        yield
    except InputError as error:
        raise _at_options(error) from None


def _at_options(error: InputError) -> InputError:
    faults = [
        Fault(OPTIONS[fault.path], "", fault.found, fault.remedy)
        if not fault.where and fault.path in OPTIONS
        else fault
        for fault in error.faults
    ]
    return type(error)(faults)
