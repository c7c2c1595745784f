"""What Altair does again for every mark, done once: a page draws its figures anew at each move of a slider.

Altair checks every object against its schema as soon as it is made, and again as a whole when it is written; the latter
is enough. For every plain value in an encoding it makes a table of all its classes, which is always the same one, and
looks for the class that fits, which the name of the channel says; a short text such as "end:Q" it takes apart anew each
time. Of every value in a chart it asks, slowly, whether it can be written otherwise, and of the records of each mark
whether they are some kind of table. Pandas, by its own choice, keeps texts where taking a few rows of a small table
costs several times what it does in Python's own memory.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, ClassVar

import altair as alt
import pandas as pd
from altair.utils import core, schemapi


class _OneTable(schemapi._FromDict):
    """Altair's table of its own classes, made the first time and kept."""

    _table = None

    def __init__(self, wrapper_classes, /) -> None:
        if _OneTable._table is None:
            super().__init__(wrapper_classes)
            _OneTable._table = self.class_dict
        self.class_dict = _OneTable._table


_PLAIN = frozenset({str, int, float, bool, type(None)})
_slowly = schemapi._todict


def _written(value: Any, context: dict | None, *how: Any, **more: Any) -> Any:
    """What Altair makes of a value: of a plain one, itself."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is dict:
        return {k: _written(v, context, *how, **more) for k, v in value.items() if v is not alt.Undefined}
    if kind is list or kind is tuple:
        return [_written(v, context, *how, **more) for v in value]
    # What is written by the rule for all, such as an axis or a scale: what it was given. A mark may be only its name.
    if getattr(kind, "to_dict", None) is schemapi.SchemaBase.to_dict and value._kwds and "mark" not in value._kwds:
        return {
            k: _written(v, context, *how, **more)
            for k, v in value._kwds.items()
            if v is not alt.Undefined and k != "shorthand" and k != "_cached_hash"
        }
    return _slowly(value, context, *how, **more)


_channels = sys.modules[alt.X.__module__]
_parsed_slowly = _channels.parse_shorthand
_parsed_once = lru_cache(maxsize=512)(_parsed_slowly)


def _parsed(shorthand: Any, data: Any = None, **more: Any) -> dict[str, Any]:
    """Field and type of a text such as "end:Q"; without a table beside it they follow from the text alone."""
    if data is None and type(shorthand) is str and not more:
        return dict(_parsed_once(shorthand))
    return _parsed_slowly(shorthand, data=data, **more)


_wrapped_slowly = core._ChannelCache._wrap_in_channel


def _wrapped(self: Any, given: Any, encoding: str, /) -> Any:
    """A field or a value as its channel."""
    kinds = self.name_to_channel.get(encoding, {})
    if type(given) is str and "field" in kinds:
        return kinds["field"](given)
    if type(given) is dict and list(given) == ["value"] and "value" in kinds:
        return kinds["value"](given["value"])
    return _wrapped_slowly(self, given, encoding)


class AsTheyAre:
    """Records that Altair passes on as they are. It would copy lists record by record at each turn of a chart."""

    _schema: ClassVar = {"type": "array"}
    """By it Altair knows what has a ``to_dict``."""

    def __init__(self, records: list[dict]):
        self._records = records

    def to_dict(self, **_) -> list[dict]:
        """The records, where Altair writes the chart."""
        return self._records


class Layer(alt.Chart):
    """A mark on records of its own. Its copies, one at each turn, hold the same parts without looking at them again;
    and among other layers it is written without asking what kind of table its records are.
    """

    def copy(self, deep: bool | Iterable[str] = True, ignore: list[str] | None = None) -> Layer:
        """A copy; ``deep``: True for all it holds, or the names of parts that are copied too."""
        if deep is True:
            return super().copy(deep, ignore)
        made = object.__new__(type(self))
        # Past Altair's own, which would take either for a part of the chart.
        object.__setattr__(made, "_args", self._args)
        object.__setattr__(made, "_kwds", dict(self._kwds))
        for part in deep or ():
            made._kwds[part] = schemapi._shallow_copy(made._kwds[part])
        return made

    def to_dict(self, validate: bool = True, *, context: dict[str, Any] | None = None, **how: Any) -> dict[str, Any]:
        """The specification, as Altair writes it."""
        if context and not context.get("top_level", True):
            return schemapi.SchemaBase.to_dict(self, validate=validate, ignore=how.get("ignore"), context=context)
        return super().to_dict(validate, context=context, **how)


class Layers(alt.LayerChart):
    """Layers as they are. Altair would copy each of them three times, to sort out selections and sizes of their own,
    which layers of ours never have.
    """

    def __init__(self, layer: list[alt.Chart], **parts: Any) -> None:
        # Past LayerChart's own, which is what copies.
        super(alt.LayerChart, self).__init__(layer=layer, **parts)


def draw_quickly() -> None:
    """Switches all of it on for the process. What is drawn stays the same.

    For a program of its own, such as the app: it reaches into Altair, which a program that only uses the library may
    use for charts of its own.
    """
    schemapi._FromDict = _OneTable
    schemapi._todict = _written
    _channels.parse_shorthand = _parsed
    core._ChannelCache._wrap_in_channel = _wrapped
    schemapi.DEBUG_MODE = False
    pd.options.mode.string_storage = "python"
