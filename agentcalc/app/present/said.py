"""The screens as HTML: text in, escaped text out. No Streamlit."""

from __future__ import annotations

import base64

from agentcalc.analysis.headline import Headline
from agentcalc.app.present.screens import NOT_DRAWN, Screen
from agentcalc.app.words import esc
from agentcalc.figures.measure import ems, in_lines

LINE_KINDS = ("why", "so", "so")
TITLE_LINES = 2
HINT = "Click, or press Enter, to write a title of your own"


def title(screen: Screen, head: Headline, editable: bool) -> str:
    """The heading, in as large a type as leaves it two lines; the leading system's name in its colour."""
    shown = esc(screen.shown)
    if screen.kind == "answer" and not screen.own and head.subject and head.subject_label:
        name = esc(head.subject_label)
        shown = shown.replace(name, f'<span class="ac-{head.subject}">{name}</span>', 1)
    hint = f' tabindex="0" title="{HINT}"' if editable and not screen.wrong else ""
    return f'<h1 class="pr-title" style="--ems: {width_ems(screen.shown):.2f}"{hint}>{shown}</h1>'


def width_ems(text: str) -> float:
    """Type sizes that a title's two lines are wide."""
    return max(ems(line, bold=True) for line in in_lines(text, TITLE_LINES, bold=True))


def screen(screen: Screen, head: Headline, editable: bool, wide: str = "", narrow: str = "") -> str:
    """A whole screen but for the race. wide, narrow: the figure as SVG, for a large screen and for a phone."""
    slide = screen.slide
    parts = [title(screen, head, editable)]
    if screen.wrong:
        said = f"<p>{esc(NOT_DRAWN)}</p><p>{esc(screen.wrong)}</p>"
        return _whole(screen, [*parts, f'<div class="ac-problem" role="alert">{said}</div>'])
    if screen.kind != "answer":
        parts.append(about(screen))
    if slide.figure is not None:
        parts.append(_picture(slide.figure.alt_text, wide, narrow))
    if screen.kind == "answer":
        parts += [f'<p class="pr-line">{esc(line)}</p>' for line in slide.lines]
        parts.append(f'<p class="pr-about pr-task">{esc(slide.subtitle)}</p>')
    else:
        parts += [f'<p class="pr-line">{esc(line)}</p>' for line in slide.lines]
    if slide.columns:
        parts.append(f'<div class="pr-columns">{"".join(map(_column, slide.columns))}</div>')
    if slide.source:
        parts.append(f'<p class="pr-source">{esc(slide.source)}</p>')
    return _whole(screen, parts)


def about(screen: Screen) -> str:
    """What a screen is about, under its title."""
    return f'<p class="pr-about">{esc(screen.slide.subtitle)}</p>' if screen.slide.subtitle else ""


def number(at: int, of: int) -> str:
    """The page number, which stays when everything else is hidden."""
    return f'<p class="pr-number"><span class="pr-hidden">Screen </span>{at} / {of}</p>'


def _whole(screen: Screen, parts: list[str]) -> str:
    return f'<div class="pr-screen pr-{esc(screen.kind.replace("_", "-"))}">{"".join(parts)}</div>'


def _picture(alt: str, wide: str, narrow: str) -> str:
    """Both pictures; the style sheet shows the one that can be read at the width at hand."""
    return "".join(
        f'<img class="pr-picture pr-{kind}" alt="{esc(alt)}" src="data:image/svg+xml;base64,{_base64(drawn)}">'
        for kind, drawn in (("wide", wide), ("narrow", narrow))
    )


def _base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def _column(column: tuple[str, tuple[str, ...]]) -> str:
    head, lines = column
    return f"<div><h2>{esc(head)}</h2>{''.join(f'<p>{esc(line)}</p>' for line in lines)}</div>"


def size(data: int) -> str:
    """Bytes in plain words: "210 kB", "1.2 MB"."""
    return f"{data / 1e6:.1f}\u00a0MB" if data >= 999_500 else f"{max(1, round(data / 1000))}\u00a0kB"
