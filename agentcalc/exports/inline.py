"""Pictures inside a page: drawn at several widths, in light and in dark, of which the page shows one at a time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from agentcalc.exports import tips
from agentcalc.exports.images import svg
from agentcalc.figures.figure import Figure

_NAMES = re.compile(r'(\bid="|="url\(#|href="#)')

NARROW_PX = 358
"""A phone of 390."""
SMALLEST = 0.8
"""A picture is shown at this share of its width, and below it the next narrower one."""

STYLE = ".drawn svg { width: 100%; height: auto; display: none; }"


def shows(widths: Sequence[int], scheme: str) -> str:
    """CSS that shows the pictures of a scheme, at each width of the window the one that can be read; widths: CSS
    pixels, the widest first, which is also the one of paper.
    """
    lines = [f".drawn .{scheme}.w{widths[0]} {{ display: block; }}"]
    for wide, narrow in pairwise(widths):
        hidden = f".drawn .{scheme}.w{wide} {{ display: none; }}"
        shown = f".drawn .{scheme}.w{narrow} {{ display: block; }}"
        lines.append(f"@media screen and (max-width: {round(SMALLEST * wide)}px) {{ {hidden} {shown} }}")
    return "\n".join(lines)


def instead(widths: Sequence[int]) -> str:
    """CSS that shows the dark pictures in the place of the light ones."""
    return f".drawn .light {{ display: none !important; }}\n{shows(widths, 'dark')}"


def drawn(figure: Figure, prefix: str, schemes: Sequence[str], widths: Sequence[int], told: bool = False) -> str:
    """The plot of a figure as elements of a page, all but one of them hidden by the style sheet.

    prefix: makes names its own; schemes: of "light" and "dark"; told: with the words of its marks. Raises
    AgentcalcError when it cannot be drawn.
    """
    found = []
    for scheme in schemes:
        for width in widths:
            change = tips.said if told else None
            picture = svg(figure, "app", scheme == "dark", change, width=width)
            picture = named_apart(tips.titled(picture) if told else picture, f"{prefix}-{scheme}-{width}")
            found.append(picture.replace('class="marks"', f'class="{scheme} w{width}"', 1))
    return f'<div class="drawn">{"".join(found)}</div>'


def named_apart(picture: str, prefix: str) -> str:
    """Names inside a picture are made its own: two pictures on one page must not share a clip path."""
    return _NAMES.sub(rf"\g<1>{prefix}-", picture)
