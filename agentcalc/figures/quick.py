"""What Altair does again for every mark, done once: a page draws its figures anew at each move of a slider.

Altair checks every object against its schema as soon as it is made, and again as a whole when it is written; the latter
is enough. And for every plain value in an encoding it makes a table of all its classes, which is always the same one;
of every plain value in a chart it asks, slowly, whether it can be written otherwise. Pandas, by its own choice, keeps
texts where taking a few rows of a small table costs several times what it does in Python's own memory.
"""

from __future__ import annotations

from typing import Any, ClassVar

import altair as alt
import pandas as pd
from altair.utils import schemapi


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


def _written(value: Any, *how: Any, **more: Any) -> Any:
    """What Altair makes of a value: of a plain one, itself."""
    return value if type(value) in _PLAIN else _slowly(value, *how, **more)


class AsTheyAre:
    """Records that Altair passes on as they are. It would copy lists record by record at each turn of a chart."""

    _schema: ClassVar = {"type": "array"}
    """By it Altair knows what has a ``to_dict``."""

    def __init__(self, records: list[dict]):
        self._records = records

    def to_dict(self, **_) -> list[dict]:
        """The records, where Altair writes the chart."""
        return self._records


class Layers(alt.LayerChart):
    """Layers as they are. Altair would copy each of them three times, to sort out selections and sizes of their own,
    which layers of ours never have.
    """

    def __init__(self, layer: list[alt.Chart], **parts: Any) -> None:
        # Past LayerChart's own, which is what copies.
        super(alt.LayerChart, self).__init__(layer=layer, **parts)


def draw_quickly() -> None:
    """Switches all of it on for the process. What is drawn stays the same."""
    schemapi._FromDict = _OneTable
    schemapi._todict = _written
    schemapi.DEBUG_MODE = False
    pd.options.mode.string_storage = "python"
