"""Styles against what a figure has: what is set on it, or one line that says what cannot be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache

from agentcalc import catalog
from agentcalc.analysis.naming import short_name
from agentcalc.errors import Fault, InputError, NotFoundError, echo
from agentcalc.figures.chosen import Chosen, Ends
from agentcalc.figures.settable import HAVE, Axis, Named, Settable, plain
from agentcalc.figures.style import Limits, Style
from agentcalc.units import SECONDS_IN

SCALE_WORDS = {"log": "logarithmic", "linear": "linear"}
MOST_SAID = 12


def choose(kind: str, can: Settable, styles: Sequence[Style]) -> Chosen:
    """What some styles set on a figure of this kind, later ones over earlier ones.

    Raises InputError for what has no meaning for it, and NotFoundError for a name that is not in it; a shared style
    may name what other figures have.
    """
    here = _Figure(kind, can)
    fields, where = {}, {}
    for style in styles:
        for name in ("x_scale", "y_scale", "x_limits", "y_limits", "unit"):
            value = getattr(style, name)
            if value not in (None, "auto"):
                fields[name], where[name] = value, style.where
    at = _Places(where)
    unit = fields.get("unit", "")
    if unit and not any(axis is not None and axis.time for axis in (can.x, can.y)):
        raise at.refused("unit", f"{here.a} has no axis in time", here.others("unit"))
    scales = {name: here.scale(name, fields.get(name), at) for name in ("x_scale", "y_scale")}
    ends = {
        name: here.limits(name, fields.get(name), scales[f"{name[0]}_scale"], unit, at)
        for name in ("x_limits", "y_limits")
    }
    colours, labels, order = {}, {}, ()
    for style in styles:
        colours |= {one.slot: colour for one, colour in here.coloured(style)}
        labels |= {(one.what, one.key): label for one, label in here.labelled(style)}
        order = here.order(style) or order
    here.check_labels(labels)
    return Chosen(
        **scales,
        **ends,
        unit=unit,
        order=order,
        colours=tuple(colours.items()),
        labels={key: label for (what, key), label in labels.items() if what != "kind"},
        kinds={key: label for (what, key), label in labels.items() if what == "kind"},
    )


@dataclass(frozen=True)
class _Places:
    """Where each field was set."""

    where: Mapping[str, str]

    def refused(self, field: str, found: str, remedy: str) -> InputError:
        return InputError(Fault(self.where.get(field, ""), field, found, remedy))


@dataclass(frozen=True)
class _Figure:
    kind: str
    can: Settable

    @property
    def a(self) -> str:
        words = self.kind.replace("_", " ")
        return f"{'an' if words[0] in 'aeiou' else 'a'} {words} figure"

    def others(self, field: str) -> str:
        """Which kinds have an option."""
        return f"Kinds that have it: {', '.join(HAVE[field])}"

    def axis(self, field: str) -> Axis | None:
        return self.can.x if field[0] == "x" else self.can.y

    def scale(self, field: str, wanted: str | None, at: _Places) -> str | None:
        axis = self.axis(field)
        if wanted is None or (axis is not None and wanted == axis.scale):
            return None
        if axis is None or not axis.other:
            why = f"{axis.what} {_why(axis)}" if axis is not None else f"its {field[0]} axis cannot be set"
            raise at.refused(field, f"{self.a} has no {SCALE_WORDS[wanted]} {field[0]} axis: {why}", self.others(field))
        return wanted

    def limits(self, field: str, wanted: Limits | None, scale: str | None, unit: str, at: _Places) -> Ends:
        axis = self.axis(field)
        if wanted is None:
            return None, None
        if axis is None or not axis.limits:
            raise at.refused(field, f"{self.a} has no limits on its {field[0]} axis", self.others(field))
        if wanted.seconds and not axis.time:
            raise at.refused(field, f"its {field[0]} axis, {axis.what}, is not in time", "Write numbers without a unit")
        factor = SECONDS_IN[unit] if axis.time and unit and not wanted.seconds else 1.0
        low, high = (None if end is None else end * factor for end in (wanted.low, wanted.high))
        per, sign = (SECONDS_IN[unit or "s"], f" {unit or 's'}") if axis.time else (1.0, "")
        has = f"{axis.what} goes from {axis.low / per:.4g} to {axis.high / per:.4g}{sign}"
        first = 0.0 if axis.bars == "zero" else axis.low
        if axis.bars and (
            (low is not None and (low > first or (axis.bars == "zero" and low < 0)))
            or (high is not None and high < axis.high * (1 - 1e-9))
        ):
            starts = "start at 0 and " if axis.bars == "zero" else ""
            around = f"{_down(first / per)}:{_up(axis.high / per)}{sign.strip()}"
            remedy = f"Bars {starts}are shown whole: write {around} or wider"
            raise at.refused(field, f"{wanted.written()} would cut bars: {has}", remedy)
        if (scale or axis.scale) == "log" and ((low is not None and low <= 0) or (high is not None and high <= 0)):
            raise at.refused(field, f"{wanted.written()}: a logarithmic axis has no 0", "Write limits above 0")
        if not axis.bars and ((low is not None and low >= axis.high) or (high is not None and high <= axis.low)):
            raise at.refused(
                field, f"{wanted.written()} leaves nothing to see: {has}", "Write limits around some of it"
            )
        span = (high if high is not None else axis.high) - (low if low is not None else axis.low)
        if span < 1e-6 * max(abs(axis.high), abs(axis.low)) or span > 1e6 * max(abs(axis.high), abs(axis.low)):
            raise at.refused(field, f"{wanted.written()} shows no shape: {has}", "Write limits around some of it")
        return low, high

    def coloured(self, style: Style) -> list[tuple[Named, str]]:
        found = []
        for name, colour in style.colours:
            one = self.find(style, "colours", name)
            if one is not None and not one.slot:
                if style.shared:
                    continue
                have = [other.said for other in self.can.names if other.slot]
                remedy = f"With a colour: {_list(have)}" if have else "Leave it out"
                raise InputError(Fault(style.where, "colours", f"{echo(name)} has no colour of its own here", remedy))
            if one is not None:
                found.append((one, colour))
        return found

    def labelled(self, style: Style) -> list[tuple[Named, str]]:
        found = [(self.find(style, "labels", name), label) for name, label in style.labels]
        for one, _ in found:
            if one is not None and one.what == "side" and not style.shared:
                have = [other.said for other in self.can.names if other.what != "side"]
                remedy = f"With a name: {_list(have)}" if have else "Give it a colour"
                raise InputError(Fault(style.where, "labels", f"{echo(one.said)} has no other name here", remedy))
        return [(one, label) for one, label in found if one is not None and one.what != "side"]

    def check_labels(self, labels: Mapping[tuple[str, str], str]) -> None:
        """Raises InputError where two things would be called the same."""
        said: dict[str, Named] = {}
        for one in self.can.names:
            label = labels.get((one.what, one.key), one.said)
            other = said.setdefault(f"{one.what}:{plain(label)}", one)
            if (other is not one and (one.what, one.key) in labels) or (
                (other.what, other.key) in labels and other is not one
            ):
                found = f"{echo(other.said)} and {echo(one.said)} would both be called {echo(label)}"
                raise InputError(Fault("", "labels", found, "Give each its own name"))

    def order(self, style: Style) -> tuple[str, ...]:
        if style.order and not self.can.ordered:
            if style.shared:
                return ()
            raise InputError(Fault(style.where, "order", f"{self.a} has no order to set", self.others("order")))
        keys = []
        for name in style.order:
            one = self.find(style, "order", name)
            if one is not None and one.what not in self.can.ordered:
                if style.shared:
                    continue
                have = [other.said for other in self.can.names if other.what in self.can.ordered]
                remedy = f"What can be ordered here: {_list(have)}"
                raise InputError(Fault(style.where, "order", f"{echo(name)} has its place here", remedy))
            if one is not None:
                keys.append(one.key)
        return tuple(dict.fromkeys(keys))

    def find(self, style: Style, field: str, name: str) -> Named | None:
        one = self.can.named(name)
        if one is not None:
            return one
        have = list(dict.fromkeys(other.said for other in self.can.names))
        near = get_close_matches(plain(name), [plain(said) for said in have], n=1, cutoff=0.85)
        if style.shared and (not near or plain(name) in _packaged()):
            return None
        if near:
            remedy = f"Did you mean {echo(next(said for said in have if plain(said) == near[0]))}?"
        else:
            remedy = f"It has {_list(have)}" if have else "It has no names to set"
        raise NotFoundError(Fault(style.where, field, f"there is no {echo(name)} in this figure", remedy))


def _why(axis: Axis) -> str:
    return "is in ranges that are alike on a logarithmic one" if axis.scale == "log" else "starts at 0"


def _list(names: Sequence[str]) -> str:
    more = len(names) - MOST_SAID
    return ", ".join(names[:MOST_SAID]) + (f" and {more} more" if more > 0 else "")


def _down(value: float) -> str:
    """A round number that is not above a value."""
    return (
        f"-{_up(-value)}"
        if value < 0
        else next(d for d in (f"{value:.3g}", f"{value * 0.99:.3g}") if float(d) <= value)
    )


def _up(value: float) -> str:
    """A round number that is not below a value."""
    digits = f"{value:.3g}"
    return digits if float(digits) >= value else f"{value * 1.005:.3g}"


@cache
def _packaged() -> frozenset[str]:
    """What packaged systems are called: a shared style may name them, however near to one another."""
    found = catalog.systems().items()
    return frozenset(plain(text) for name, one in found for text in (name, name.partition("/")[0], short_name(one)))
