"""A figure as one HTML file that needs nothing beside itself: its words as text, the picture, whose marks say their
values when pointed at, and its numbers.
"""

from __future__ import annotations

import html

from agentcalc.errors import AgentcalcError
from agentcalc.exports import tips
from agentcalc.exports.headings import headed
from agentcalc.exports.html_file import html_file
from agentcalc.exports.inline import NARROW_PX, drawn, shows
from agentcalc.exports.inline import STYLE as DRAWN_STYLE
from agentcalc.figures.figure import Figure
from agentcalc.figures.theme import DARK, FONT, LIGHT, SIZES, Palette

MOST_ROWS = 500
"""Rows of numbers below the picture; a longer table ends with how many more there are."""
MIDDLE_PX = 760
"""A tablet; of a picture no wider than that there is no middle one."""

STYLE = """\
body {{ margin: 0 auto; padding: clamp(16px, 2.5vw, 32px); max-width: {widest}px; font: 16px/1.4 {font};
  background: {background}; color: {ink}; overflow-wrap: anywhere; box-sizing: border-box; }}
h1 {{ font-size: clamp(24px, 3vw, 31px); line-height: 1.2; margin: 0; text-wrap: balance; }}
p {{ margin: 8px 0; }}
.about, .source {{ color: {muted}; }}
.about {{ font-size: clamp(16px, 2vw, 19px); }}
.source {{ font-size: 14px; text-wrap: pretty; white-space: pre-line; }}
summary {{ cursor: pointer; padding: 8px 0; }}
:is(summary, [tabindex]):focus-visible {{ outline: 3px solid {ink}; outline-offset: 4px; }}
{drawn}
.drawn {{ position: relative; margin: 16px 0 8px; }}
.drawn text {{ pointer-events: none; }}
.tip.on {{ stroke: {ink}; stroke-width: 2.5; opacity: 1; }}
.told {{ position: absolute; z-index: 1; pointer-events: none; display: grid; grid-template-columns: auto auto;
  gap: 2px 12px; padding: 8px 12px; width: max-content; max-width: min(340px, 100%); box-sizing: border-box;
  font-size: 15px; background: {background}; border: 1px solid {axis}; border-radius: 4px;
  box-shadow: 0 2px 10px #0003; }}
.told[hidden] {{ display: none; }}
.told span {{ color: {muted}; }}
.heard {{ position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); }}
{numbers}"""

NUMBERS_STYLE = """\
.numbers {{ overflow-x: auto; }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 14px; }}
th, td {{ padding: 4px 12px; text-align: left; border-bottom: 1px solid {grid}; }}"""


def page(figure: Figure, size: str = "full", dark: bool = False) -> str:
    """The figure as an HTML file that makes no request; size: how wide it becomes at most. Raises AgentcalcError when
    it cannot be drawn.
    """
    if size not in SIZES:
        raise AgentcalcError(f"There is no size '{size}'. Use one of {', '.join(SIZES)}.")
    palette, scheme = (DARK, "dark") if dark else (LIGHT, "light")
    widest = SIZES[size].width
    widths = [px for px in (widest - 64, MIDDLE_PX, NARROW_PX) if px <= widest - 64]
    parts = [
        f"<h1>{html.escape(figure.title)}</h1>",
        f'<p class="about">{html.escape(figure.subtitle)}</p>',
        drawn(figure, "f", (scheme,), widths, told=True),
        f'<p class="source">{html.escape(figure.source)}</p>',
        numbers(figure),
    ]
    style = STYLE.format(
        font=FONT,
        widest=widest,
        background=palette.background,
        ink=palette.ink,
        muted=palette.muted,
        axis=palette.axis,
        drawn=f"{DRAWN_STYLE}\n{shows(widths, scheme)}",
        numbers=numbers_style(palette),
    )
    body = "<main>\n" + "\n".join(parts) + "\n</main>"
    return html_file(figure.title, style, body, ("color-scheme", scheme), script=tips.script())


def numbers(figure: Figure) -> str:
    """The figure's table as HTML, folded up."""
    whole = headed(figure)
    shown = whole.head(MOST_ROWS)
    more = len(whole) - len(shown)
    rows = shown.to_html(index=False, border=0, na_rep="", float_format=lambda value: f"{value:.6g}", escape=True)
    rows += f"<p>and {more:,} more rows</p>" if more > 0 else ""
    return f'<details><summary>See the numbers</summary><div class="numbers">{rows}</div></details>'


def numbers_style(palette: Palette) -> str:
    """CSS of :func:`numbers`."""
    return NUMBERS_STYLE.format(grid=palette.grid)
