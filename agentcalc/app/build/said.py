"""What the page says, as HTML made from results: text in, escaped text out. No Streamlit."""

from __future__ import annotations

import re
from collections.abc import Mapping

from agentcalc.analysis.agreement import agree
from agentcalc.analysis.naming import names
from agentcalc.app.build.columns import KIND_HELP, KIND_WORDS
from agentcalc.app.words import esc
from agentcalc.figures.theme import DARK, GREY_FIRST, LIGHT
from agentcalc.figures.words import COMPONENT_WORDS
from agentcalc.results import Comparison
from agentcalc.units import show_share

PRIVACY = "Nothing you enter leaves this computer or is kept on it."
EMPTY = "Add a first step, or start from a packaged task."
BY_WORDS = {"p50": "", "mean": " on average", "p95": " on slow runs (p95)"}


def head(name: str, edited: bool, found: Comparison | None, by: str, calls: str, behind: bool) -> str:
    """The task's name and its answer, of before the last edit if so.

    "32 s on Jalapeño, 58 s on GB300, typically 7 calls"; calls: the last clause.
    """
    mark = ' <span class="ac-edited">(edited)</span>' if edited else ""
    title = f'<h1 class="ac-answer ac-build">{esc(name)}{mark}</h1>'
    if found is None:
        return title
    times = agree(*(found.systems[i].task_s[by] for i in (0, 1)), ratio_shown=False)
    base, cand = (esc(called) for called in names(found.specs))
    late = ', <span class="ac-late">before your last edit</span>' if behind else ""
    return (
        f'{title}<p class="ac-why">{times.c} on <span class="ac-candidate">{cand}</span>, {times.b} on '
        f'<span class="ac-baseline">{base}</span>{BY_WORDS[by]}, {calls}{late}</p>'
    )


def problem(line: str) -> str:
    """One line below the table about what is wrong."""
    return f'<p class="ac-mistake" role="alert">{esc(line)}</p>'


def note(line: str) -> str:
    """A quiet line."""
    return f'<p class="ac-small" role="status">{esc(line)}</p>'


def kinds() -> str:
    """What each kind of step means."""
    items = "".join(f"<dt>{esc(KIND_WORDS[kind])}</dt><dd>{esc(text)}</dd>" for kind, text in KIND_HELP.items())
    ranges = (
        "<h3>Amounts</h3><p>250 or 4 s is fixed. 0.3–14 s: half of all draws at most 0.3 s, nine in ten at most 14 s. "
        "0.3 / 14 / 216 s adds p99. Also: mean 300, sd 150; even 1–5 s; and an end, such as 6–20, max 200.</p>"
    )
    return f'<div class="ac-rests"><h3>Kinds</h3><dl class="ac-kinds">{items}</dl>{ranges}</div>'


def spark(shares: Mapping[str, float], dark: bool) -> str:
    """Where a task's time goes, as a bar; its description is read aloud in its place."""
    palette = DARK if dark else LIGHT
    told = ", ".join(f"{COMPONENT_WORDS[name]} {show_share(shares[name])}" for name in GREY_FIRST if name in shares)
    cells = "".join(
        f'<i style="width:{100 * shares[name]:.2f}%;background:{palette.fills[name].fill};'
        f'border-color:{palette.fills[name].outline}"></i>'
        for name in GREY_FIRST
        if name in shares
    )
    return f'<div class="ac-spark" role="img" aria-label="{esc(told)}">{cells}</div>'


def file_name(name: str) -> str:
    """A name as that of a file."""
    slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:60].strip("-")
    return f"{slug or 'task'}.yaml"
