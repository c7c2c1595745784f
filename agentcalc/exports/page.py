"""A figure as one HTML file that needs nothing beside itself: its words as text, the picture, its numbers."""

from __future__ import annotations

import html

from agentcalc.exports.images import svg
from agentcalc.figures.figure import Figure
from agentcalc.figures.theme import DARK, FONT, LIGHT

MOST_ROWS = 500
"""Rows of numbers below the picture; a longer table ends with how many more there are."""

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
"""The page asks nobody for anything, and its reader's browser sees to that."""

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="{scheme}">
<title>{title}</title>
<style>
body {{ margin: 0 auto; padding: 24px; max-width: 1280px; font: 16px {font}; background: {background}; color: {ink}; }}
svg {{ width: 100%; height: auto; }}
summary {{ cursor: pointer; padding: 8px 0; }}
.numbers {{ overflow-x: auto; }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 14px; }}
th, td {{ padding: 4px 12px; text-align: left; border-bottom: 1px solid {grid}; }}
</style>
</head>
<body>
<main>
{picture}
<details><summary>See the numbers</summary><div class="numbers">{table}</div></details>
</main>
</body>
</html>
"""


def page(figure: Figure, size: str = "full", dark: bool = False) -> str:
    """The figure as an HTML file that makes no request. Raises AgentcalcError when it cannot be drawn."""
    palette = DARK if dark else LIGHT
    return PAGE.format(
        policy=POLICY,
        scheme="dark" if dark else "light",
        title=html.escape(figure.title),
        font=FONT,
        background=palette.background,
        ink=palette.ink,
        grid=palette.grid,
        picture=svg(figure, size, dark),
        table=numbers(figure),
    )


def numbers(figure: Figure) -> str:
    """The figure's table as HTML."""
    shown = figure.table.head(MOST_ROWS)
    more = len(figure.table) - len(shown)
    rows = shown.to_html(index=False, border=0, na_rep="", float_format=lambda value: f"{value:.6g}", escape=True)
    return rows + (f"<p>and {more:,} more rows</p>" if more > 0 else "")
