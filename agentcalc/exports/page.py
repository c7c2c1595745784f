"""A figure as one HTML file that needs nothing beside itself: its words as text, the picture, its numbers."""

from __future__ import annotations

from agentcalc.exports.html_file import html_file
from agentcalc.exports.images import svg
from agentcalc.figures.figure import Figure
from agentcalc.figures.theme import DARK, FONT, LIGHT, Palette

MOST_ROWS = 500
"""Rows of numbers below the picture; a longer table ends with how many more there are."""

STYLE = """\
body {{ margin: 0 auto; padding: 24px; max-width: 1280px; font: 16px {font}; background: {background}; color: {ink}; }}
svg {{ width: 100%; height: auto; }}
summary {{ cursor: pointer; padding: 8px 0; }}
{numbers}"""

NUMBERS_STYLE = """\
.numbers {{ overflow-x: auto; }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 14px; }}
th, td {{ padding: 4px 12px; text-align: left; border-bottom: 1px solid {grid}; }}"""


def page(figure: Figure, size: str = "full", dark: bool = False) -> str:
    """The figure as an HTML file that makes no request. Raises AgentcalcError when it cannot be drawn."""
    palette = DARK if dark else LIGHT
    style = STYLE.format(font=FONT, background=palette.background, ink=palette.ink, numbers=numbers_style(palette))
    body = f"<main>\n{svg(figure, size, dark)}\n{numbers(figure)}\n</main>"
    return html_file(figure.title, style, body, ("color-scheme", "dark" if dark else "light"), images=True)


def numbers(figure: Figure) -> str:
    """The figure's table as HTML, folded up."""
    shown = figure.table.head(MOST_ROWS)
    more = len(figure.table) - len(shown)
    rows = shown.to_html(index=False, border=0, na_rep="", float_format=lambda value: f"{value:.6g}", escape=True)
    rows += f"<p>and {more:,} more rows</p>" if more > 0 else ""
    return f'<details><summary>See the numbers</summary><div class="numbers">{rows}</div></details>'


def numbers_style(palette: Palette) -> str:
    """CSS of :func:`numbers`."""
    return NUMBERS_STYLE.format(grid=palette.grid)
