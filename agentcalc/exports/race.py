"""The race as data for race.js, and as one HTML file that needs nothing beside itself: no network, no library."""

from __future__ import annotations

import hashlib
import html
import json
from functools import cache
from importlib.resources import files
from typing import Any

from agentcalc.errors import AgentcalcError
from agentcalc.exports.html_file import html_file
from agentcalc.figures.race import Race
from agentcalc.figures.theme import DARK, LIGHT, Palette, blend

SCHEMES = (None, "light", "dark")
OUTLINED = ("tool", "overhead")
PALE = {"tool": 0.3, "overhead": 0.3}
PALE_OTHERS = 0.16
"""How much of a part's colour is left while it is still to do."""

STYLE = """\
{style}
html {{ color-scheme: {schemes}; background: {background}; }}
{other}
body {{ margin: 0 auto; max-width: 1320px; padding: clamp(16px, 2.5vw, 32px); box-sizing: border-box; }}
noscript p {{ font: 18px/1.4 "Liberation Sans", Arial, Helvetica, sans-serif; }}"""

BODY = """\
<noscript><p>{alt}</p><p>{source}</p></noscript>
<main id="race"></main>
{player}"""

PLAYER = """\
<script type="application/json" id="data">{data}</script>
<script type="module">
{script}
const place = document.getElementById("race");
window.race = mount(place, JSON.parse(document.getElementById("data").textContent));
{more}</script>"""


@cache
def script() -> str:
    """race.js: an ES module whose default export is a Streamlit component, and ``mount`` for any other page."""
    return (files("agentcalc") / "exports" / "race.js").read_text("utf-8")


@cache
def style() -> str:
    """race.css."""
    return (files("agentcalc") / "exports" / "race.css").read_text("utf-8")


def race_data(race: Race, scheme: str | None = None, *, heading: bool = False, play: bool = False) -> dict[str, Any]:
    """What race.js takes: the race, both schemes' colours, and options, as plain values.

    scheme: "light", "dark", or None for the reader's own; heading: with title, subtitle and source line; play: runs as
    soon as it is there (never where the reader asks for less motion). ``id`` differs where the race does.
    Raises AgentcalcError for another scheme.
    """
    if scheme not in SCHEMES:
        raise AgentcalcError(f"There is no scheme '{scheme}'. Use light or dark.")
    data = race.to_dict() | {"heading": heading, "play": play}
    data["id"] = hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16]
    return data | {"scheme": scheme, "colours": {"light": _colours(LIGHT), "dark": _colours(DARK)}}


def race_html(race: Race, scheme: str | None = None, *, play: bool = False) -> str:
    """The race as one HTML file, for a slide or a web page. Raises AgentcalcError for an unknown scheme."""
    data = race_data(race, scheme, heading=True, play=play)
    first = DARK if scheme == "dark" else LIGHT
    other = f"@media (prefers-color-scheme: dark) {{ html {{ background: {DARK.background}; }} }}"
    css = STYLE.format(
        style=style(), schemes=scheme or "light dark", background=first.background, other="" if scheme else other
    )
    alt, source = html.escape(race.alt_text), html.escape(race.source)
    body = BODY.format(alt=alt, source=source, player=player(data))
    return html_file(race.title, css, body, ("description", race.alt_text), scripts=True)


def player(data: dict[str, Any], more: str = "") -> str:
    """The elements that play a race in the element "race". more: lines of JavaScript that follow."""
    return PLAYER.format(data=inside_html(data), script=script(), more=more)


def inside_html(data: dict[str, Any]) -> str:
    """JSON in which nothing can end the element it stands in, and no NaN."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for letter in "<>&\u2028\u2029":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return text


def _colours(palette: Palette) -> dict[str, Any]:
    fills = {kind: fill.fill for kind, fill in palette.fills.items()}
    return {
        "background": palette.background,
        "ink": palette.ink,
        "muted": palette.muted,
        "grid": palette.grid,
        "axis": palette.axis,
        "outline": palette.fills["tool"].outline,
        "baseline": palette.baseline,
        "candidate": palette.candidate,
        "onCandidate": palette.candidate_text,
        "fills": fills,
        "pale": {kind: blend(fill, palette.background, PALE.get(kind, PALE_OTHERS)) for kind, fill in fills.items()},
        "outlined": list(OUTLINED),
    }
