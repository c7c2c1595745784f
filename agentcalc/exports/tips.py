"""What the marks of a figure say when they are pointed at, carried by its SVG.

Vega's own tooltips need Vega in the page: a megabyte, and an evaluator of text as program, which a strict page forbids.
So the tooltips of a specification become words of its marks when the SVG is drawn; a browser without scripts shows them
too, and ``tips.js`` shows them well and by the keyboard.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Any

BETWEEN = ":\t"
"""Between what a line is of and its value; no name holds a tab."""
NEAR_PX = 24
"""Size of what stands for a point of a line, which is not drawn."""

_MARK = re.compile(r'<path aria-label="([^"]*)" role="graphics-symbol" aria-roledescription="([^"]*)"([^>]*?)/>')


@cache
def script() -> str:
    """tips.js: shows the words of marks in every element of the class "drawn"."""
    return (files("agentcalc") / "exports" / "tips.js").read_text("utf-8")


def said(spec: dict[str, Any]) -> dict[str, Any]:
    """The specification with its tooltips as descriptions of marks; a line gets a mark, not drawn, at each point."""
    layers = []
    for layer in spec.get("layer", ()):
        layer = said(layer)
        tooltip = layer.get("encoding", {}).get("tooltip")
        if not tooltip:
            layers.append(layer)
            continue
        mark = layer["mark"] if isinstance(layer["mark"], dict) else {"type": layer["mark"]}
        if mark["type"] == "line":
            layers.append(layer)
            mark = {"type": "point", "filled": True, "opacity": 0, "size": NEAR_PX, "color": mark.get("color")}
        layers.append(_told(layer, mark, tooltip))
    return spec | {"layer": layers} if layers else spec


def _told(layer: dict[str, Any], mark: dict[str, Any], tooltip: list[dict[str, Any]]) -> dict[str, Any]:
    words = " + '\\n' + ".join(_line(field) for field in tooltip)
    encoding = {name: channel for name, channel in layer["encoding"].items() if name not in ("tooltip", "order")}
    encoding["description"] = {"field": "told_", "type": "nominal"}
    steps = [*layer.get("transform", ()), {"calculate": words, "as": "told_"}]
    return layer | {"mark": mark | {"aria": True}, "encoding": encoding, "transform": steps}


def _line(field: dict[str, Any]) -> str:
    """Vega expression of one line of a tooltip."""
    value = f"datum[{_quoted(field['field'])}]"
    if "format" in field:
        value = f"format({value}, {_quoted(field['format'])})"
    return f"{_quoted(field.get('title', field['field']) + BETWEEN)} + {value}"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'").replace("\t", "\\t")
    return f"'{escaped}'"


def titled(svg: str) -> str:
    """The SVG with the descriptions of marks as their titles, which browsers show; marks that say something have the
    class "tip", those of points "tip point".
    """

    def one(found: re.Match[str]) -> str:
        words, role, rest = found.groups()
        kind = "tip point" if role == "point" else "tip"
        return f'<path class="{kind}"{rest}><title>{words}</title></path>'

    return _MARK.sub(one, svg)
