"""A whole presentation as one HTML file that needs nothing beside itself: words, pictures, numbers, the race."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence

from agentcalc.exports.deck import Slide
from agentcalc.exports.html_file import html_file
from agentcalc.exports.images import svg
from agentcalc.exports.inline import named_apart
from agentcalc.exports.page import numbers, numbers_style
from agentcalc.exports.race import player, race_data, style
from agentcalc.figures import race_still
from agentcalc.figures.theme import DARK, FONT, LIGHT

STYLE = """\
body {{ margin: 0 auto; padding: 24px 32px 64px; max-width: 1216px; font: 20px/1.4 {font}; background: {background};
  color: {ink}; overflow-wrap: anywhere; }}
main > section + section {{ margin-top: 56px; padding-top: 32px; border-top: 1px solid {grid}; }}
h1, h2 {{ font-size: 34px; line-height: 1.15; margin: 0; text-wrap: balance; }}
h1 {{ font-size: 46px; }}
h3 {{ font-size: 20px; margin: 0 0 8px; }}
p {{ margin: 8px 0; }}
.about, .source {{ color: {muted}; }}
.source {{ font-size: 14px; text-wrap: pretty; }}
.picture {{ overflow-x: auto; margin: 16px 0 8px; }}
svg {{ width: 100%; min-width: 640px; height: auto; display: block; }}
.columns {{ display: grid; grid-template-columns: repeat(auto-fit, minmax(min(420px, 100%), 1fr)); gap: 24px 40px;
  margin-top: 16px; font-size: 17px; }}
summary {{ cursor: pointer; padding: 4px 0; font-size: 15px; color: {muted}; }}
{numbers}
@media (max-width: 640px) {{ body {{ padding: 16px; font-size: 16px; }} h1, h2 {{ font-size: 28px; }} }}
@media print {{ main > section {{ break-inside: avoid; }} }}
{race}"""

KEYS = """\
// The page is longer than the race: outside of it Space, Home and End scroll.
addEventListener("keydown", (event) => { if (!place.contains(event.target)) event.stopPropagation(); }, true);
"""


def one_page(slides: Sequence[Slide], dark: bool = False, progress: Callable[[int, int], None] | None = None) -> str:
    """The slides one under the other; the first that has a race plays it, any other shows its figure.

    progress: called with slides done and in all. Raises AgentcalcError when a figure cannot be drawn.
    """
    palette = DARK if dark else LIGHT
    race = next((slide.race for slide in slides if slide.race is not None), None)
    sections = []
    for number, slide in enumerate(slides, 1):
        sections.append(_section(number, slide, dark, slide.race is not None and slide.race is race))
        if progress:
            progress(number, len(slides))
    data = race_data(race, "dark" if dark else "light") if race else None
    css = STYLE.format(
        font=FONT,
        background=palette.background,
        ink=palette.ink,
        muted=palette.muted,
        grid=palette.grid,
        numbers=numbers_style(palette),
        race=style() if race else "",
    )
    body = "\n".join(["<main>", *sections, "</main>", player(data, KEYS) if race else ""])
    title = slides[0].title if slides else ""
    scheme = "dark" if dark else "light"
    return html_file(title, css, body, ("color-scheme", scheme), images=True, scripts=True)


def _section(number: int, slide: Slide, dark: bool, playing: bool) -> str:
    head = "h1" if number == 1 else "h2"
    words = slide.title
    if playing and words == race_still.title(slide.race):
        # What is played below must not be told above.
        words = f"{slide.race.task}, side by side"
    title = f'<{head} id="title-{number}">{html.escape(words)}</{head}>'
    parts = [title, _line("about", slide.subtitle)]
    if playing:
        parts.append(f'<noscript><p>{html.escape(slide.race.alt_text)}</p></noscript><div id="race"></div>')
    elif slide.figure is not None:
        parts.append(f'<div class="picture">{named_apart(svg(slide.figure, "slide", dark), f"p{number}")}</div>')
    parts += [f"<p>{html.escape(line)}</p>" for line in slide.lines]
    if slide.columns:
        parts.append(f'<div class="columns">{"".join(map(_column, slide.columns))}</div>')
    parts.append(_line("source", slide.source))
    if slide.figure is not None:
        parts.append(numbers(slide.figure))
    return f'<section aria-labelledby="title-{number}">{"".join(parts)}</section>'


def _line(kind: str, text: str) -> str:
    return f'<p class="{kind}">{html.escape(text)}</p>' if text else ""


def _column(column: tuple[str, tuple[str, ...]]) -> str:
    head, lines = column
    return f"<div><h3>{html.escape(head)}</h3>{''.join(f'<p>{html.escape(line)}</p>' for line in lines)}</div>"
