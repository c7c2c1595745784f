"""Pictures inside a page: drawn for wide and for narrow windows, in light and in dark, of which the page shows one."""

from __future__ import annotations

import re

from agentcalc.exports.images import svg
from agentcalc.figures.figure import Figure

_NAMES = re.compile(r'(\bid="|="url\(#|href="#)')

WIDE_PX, NARROW_PX = 860, 358
"""Widths of the two drawings, CSS pixels: the column of a report, and a phone of 390."""
TURN_PX = 700
"""Width of a window from which the wide one is shown."""

STYLE = f"""\
.drawn svg {{ width: 100%; height: auto; display: none; }}
.drawn .light.wide {{ display: block; }}
@media screen and (max-width: {TURN_PX - 1}px) {{
  .drawn .light.wide {{ display: none; }}
  .drawn .light.narrow {{ display: block; }}
}}"""

DARK_STYLE = f"""\
.drawn .light.wide {{ display: none; }}
.drawn .dark.wide {{ display: block; }}
@media screen and (max-width: {TURN_PX - 1}px) {{
  .drawn .light.narrow, .drawn .dark.wide {{ display: none; }}
  .drawn .dark.narrow {{ display: block; }}
}}"""
"""Where the page is dark; on paper it never is."""


def named_apart(picture: str, prefix: str) -> str:
    """Names inside a picture are made its own: two pictures on one page must not share a clip path."""
    return _NAMES.sub(rf"\g<1>{prefix}-", picture)


def drawn(figure: Figure, prefix: str, schemes: tuple[str, ...]) -> str:
    """The plot of a figure as elements of a page, all but one of them hidden by the style sheet.

    prefix: makes names its own; schemes: of "light" and "dark". Raises AgentcalcError when it cannot be drawn.
    """
    found = []
    for scheme in schemes:
        for kind, width in (("wide", WIDE_PX), ("narrow", NARROW_PX)):
            picture = svg(figure, "app", scheme == "dark", width=width)
            picture = named_apart(picture, f"{prefix}-{scheme}-{kind}")
            found.append(picture.replace('class="marks"', f'class="{scheme} {kind}"', 1))
    return f'<div class="drawn">{"".join(found)}</div>'
