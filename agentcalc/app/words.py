"""The app's own pieces of HTML, made from results: text in, escaped text out. No Streamlit.

Names come from files that anybody may have written: every piece of text passes through :func:`esc`.
"""

from __future__ import annotations

import html
import math
import re
from collections.abc import Iterable, Mapping, Sequence

from agentcalc import catalog
from agentcalc.analysis.accrual import accrual
from agentcalc.analysis.deadline import deadline_line, exhausted_line
from agentcalc.analysis.headline import Headline
from agentcalc.analysis.naming import names, short_name
from agentcalc.errors import NotFoundError
from agentcalc.provenance import Grade, Number
from agentcalc.results import Comparison, PairResult
from agentcalc.system import System
from agentcalc.units import NBSP, last_digit_s, show_count, show_ratio, show_share, show_time, show_total

PAIRED = (
    "Each run is played on both systems and its own saving taken; half of these savings are larger. "
    "The typical run of one system need not be that of the other, so this is not the difference of the times above."
)

NOMINAL_8K = (6_553, 8_192)
"""Prompt lengths of a benchmark request of nominal 8k tokens: 0.8 to 1 times 8,192."""


def esc(text: object) -> str:
    """Text fit for HTML, also inside an attribute."""
    return html.escape(str(text), quote=True)


def plain_label(text: str) -> str:
    """Text fit for the label of a Streamlit control, which would read Markdown in it.

    Screen readers are told a label as it is written here, so that ordinary prose gets no backslash: a colon before a
    gap, a point inside a number, a hyphen inside a word and round brackets mean nothing to Markdown.
    """
    return "".join("\\" + c if _is_markdown(text, at) else c for at, c in enumerate(text))


_LIST_NUMBER = re.compile(r"\s*[0-9]+")


def _is_markdown(text: str, at: int) -> bool:
    """Whether the character could mean something to Markdown, or to Streamlit's own words in colons."""
    c, before, after = text[at], text[at - 1 : at], text[at + 1 : at + 2]
    if c in r"\`*_{}[]<>#|~$!":
        return True
    if c == ":":
        return bool(after.strip())
    if c in "+-":
        return not (before.isalnum() and after.isalnum())
    if c == ".":
        # Addresses become links, and a number with a point begins a list.
        inside = before.isdigit() and after.isdigit()
        return not inside and (bool(after.strip()) or _LIST_NUMBER.fullmatch(text[:at]) is not None)
    return c == ")" and _LIST_NUMBER.fullmatch(text[:at]) is not None


def answer(head: Headline, changed: str = "") -> str:
    """The headline as HTML: the leading system's name in its colour, then why, what a what-if changed, and so what."""
    title = esc(head.title)
    if head.subject and head.subject_label:
        name = esc(head.subject_label)
        title = title.replace(name, f'<span class="ac-{head.subject}">{name}</span>', 1)
    lines = (("why", head.why), ("changed", changed), ("so", head.so_what))
    rest = "".join(f'<p class="ac-{kind}"{_hint(text)}>{esc(text)}</p>' for kind, text in lines if text)
    return f'<h1 class="ac-answer">{title}</h1>{rest}'


def _hint(text: str) -> str:
    """Why what half of all runs save is not the difference of two typical times, as an attribute; nothing elsewhere."""
    return f' title="{esc(PAIRED)}"' if text.startswith("Half of all runs save") else ""


def caveat_line(specs: Sequence[System], before: Sequence[System] = ()) -> str:
    """The caveat as HTML."""
    return f'<p class="ac-caveat">{esc(caveat(specs, before))}</p>'


def caveat(specs: Sequence[System], before: Sequence[System] = ()) -> str:
    """One line on what the numbers are: who ran them, MTP, the shape of the requests, the load of each point.

    before: the same systems before a what-if, in the same order.
    """
    called = dict(zip((s.id for s in specs), names(specs), strict=True))
    untouched = before or specs
    changed = [short_name(old) for new, old in zip(specs, untouched, strict=True) if new != old]
    said = [_who(untouched, changed), _mtp(specs, called), _requests(specs), _loads(specs, called)]
    return " ".join(part for part in said if part)


def _who(specs: Sequence[System], changed: Sequence[str]) -> str:
    """Whose numbers these were before anything was changed by hand, and what was."""
    makers = {s.vendor for s in specs}
    numbers = [(s, n) for s in specs for n in (s.point.ttft, s.point.tpot)]
    # A point between two measured ones is derived from what was measured; nobody reported it.
    told = [
        _publisher(s, n) for s, n in numbers if n.grade in (Grade.REPORTED, Grade.DERIVED) and s.point.between is None
    ]
    said = []
    for verb, whose in (
        ("Vendor-run by", [who for who in told if who in makers]),
        ("Reported by", [who for who in told if who not in makers]),
    ):
        if whose:
            said.append(f"{verb} {_and(dict.fromkeys(whose))}.")
    if not told and not changed and all(n.grade is Grade.MEASURED or s.point.between is not None for s, n in numbers):
        said.append(_measured(numbers))
    if changed:
        said.append(f"{_and(changed)} changed by hand.")
    return " ".join(said)


def _publisher(system: System, number: Number) -> str:
    """Who stands for a number: the publisher of its source."""
    try:
        return catalog.source(number.source, of=system).publisher
    except NotFoundError:
        return "a source that is missing"


def _measured(numbers: Sequence[tuple[System, Number]]) -> str:
    """Whether a public benchmark measured it; what has no address that everybody can open is somebody's own."""
    own = dict.fromkeys(short_name(s) for s, n in numbers if not _public(s, n))
    public = dict.fromkeys(short_name(s) for s, _ in numbers if short_name(s) not in own)
    if not own:
        return "Measured by a public benchmark."
    return f"{_and(own)} measured in-house{f', {_and(public)} by a public benchmark' if public else ''}."


def _public(system: System, number: Number) -> bool:
    """Whether everybody can look the number up."""
    try:
        return bool(catalog.source(number.source, of=system).address)
    except NotFoundError:
        return False


def _mtp(specs: Sequence[System], called: Mapping[str, str]) -> str:
    """Who predicts several tokens at once; of a system of which nobody says it, nothing is said."""
    having, without = ([called[s.id] for s in specs if s.mtp is said] for said in (True, False))
    if not having:
        return "No MTP." if len(without) == len(specs) else f"{_and(without)} without MTP." if without else ""
    if len(having) + len(without) < len(specs):
        return f"{_and(having)} with MTP." if not all("MTP" in name for name in having) else ""
    if without:
        return f"No MTP but for {_and(having)}."
    return "" if all("MTP" in name for name in having) else "With MTP."


def _requests(specs: Sequence[System]) -> str:
    """On what kind of request the numbers were measured; nothing where nobody measured them."""
    measured = [s for s in specs if s.point.ttft.grade is not Grade.ASSUMED or s.measured is not None]
    lengths = sorted({s.point.ttft_at_tokens for s in measured})
    if not lengths:
        return ""
    if all(NOMINAL_8K[0] <= n <= NOMINAL_8K[1] for n in lengths):
        return "Single-turn requests of 8k tokens in, 1k out."
    return f"First-token times stand at {_and(show_count(n) for n in lengths)} tokens in."


def _loads(specs: Sequence[System], called: Mapping[str, str]) -> str:
    """The load of each point; those that are not stated in one clause."""
    said, silent = [], []
    for system in specs:
        name, users, chips = called[system.id], system.point.concurrency, system.point.chips
        if users is None:
            silent.append(f"{name}'s")
            continue
        on = f" on {chips} GPUs" if chips and chips > 1 else " on 1 GPU" if chips else ""
        said.append(f"{name}'s point serves {users} {'user' if users == 1 else 'users'}{on}")
    if silent:
        said.append(f"{_and(dict.fromkeys(silent))} load is unpublished")
    return "; ".join(dict.fromkeys(said)) + "."


def _and(words: Iterable[str]) -> str:
    """Words as a list in prose: "a", "a and b", "a, b and c"."""
    words = list(words)
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]


def show_number(name: str, value: float, unit: str) -> str:
    """A number of a system in plain units: "0.33 s", "6.07 ms a token", "83%", "700 tok/s per user"."""
    if unit == "share":
        return show_share(value)
    if unit == "tok/s/user":
        return f"{value:,.4g}{NBSP}tok/s per user"
    return f"{value:,.4g}{NBSP}{unit}{' a token' if name == 'tpot' else ''}"


def bullets(lines: Iterable[str]) -> str:
    """A list of texts as HTML; nothing for none."""
    items = "".join(f"<li>{esc(line)}</li>" for line in lines)
    return f"<ul>{items}</ul>" if items else ""


def contents(sections: Mapping[str, str]) -> str:
    """A list of links to a page's sections: anchor to title."""
    links = "".join(f'<li><a href="#{esc(anchor)}">{esc(title)}</a></li>' for anchor, title in sections.items())
    return f'<ul class="ac-contents">{links}</ul>'


def table(
    head: Sequence[str],
    rows: Iterable[Sequence[str]],
    classes: Sequence[str] = (),
    numeric: Iterable[int] = (),
    kind: str = "",
) -> str:
    """An HTML table of texts, escaped; ``classes`` name rows, ``kind`` the table; ``numeric`` columns stand right.

    Cells of :class:`Html` stay as they are.
    """
    right = set(numeric)

    def cells(row: Sequence[str], tag: str) -> str:
        parts = (c if isinstance(c, Html) else esc(c) for c in row)
        open_tag = [f'<{tag} class="n">' if i in right else f"<{tag}>" for i in range(len(row))]
        return "".join(f"{start}{c}</{tag}>" for start, c in zip(open_tag, parts, strict=True))

    body = "".join(
        f'<tr class="{esc(classes[i]) if i < len(classes) else ""}">{cells(row, "td")}</tr>'
        for i, row in enumerate(rows)
    )
    top = f"<thead><tr>{cells(head, 'th')}</tr></thead>"
    # A table that is wider than its place scrolls, by the keyboard too: so it takes the focus, and has a name.
    name = esc(f"Table: {', '.join(c for c in head if c and not isinstance(c, Html))}")
    inside = f'<table class="ac-table {kind}">{top}<tbody>{body}</tbody></table>'
    return f'<div class="ac-scroll" tabindex="0" role="group" aria-label="{name}">{inside}</div>'


class Html(str):
    """Text that already is HTML."""


def results_table(found: Comparison, by: str) -> str:
    """One row a system: typical, average, slow, what runs save, how often it is first, ceiling, grade."""
    head = (
        "System",
        "Typical",
        "Average",
        "Slow (p95)",
        "Half of runs save",
        "1,000 runs save",
        "First in, at the values used",
        "At most",
        "Rests on",
    )
    rows = []
    for i, (system, called) in enumerate(zip(found.systems, names(found.specs), strict=True)):
        pair = found.pairs[i - 1] if i else None
        saved = (_saved(pair.saved_s["p50"]), _saved_total(pair.saved_s["mean"] * 1000)) if pair else ("", "")
        first = _first_in(pair, by) if pair else ""
        limit = pair.ceilings[by] if pair else None
        ceiling = "" if not pair else "none" if limit is None else show_ratio(limit)
        times = (show_time(system.task_s[by]) for by in ("p50", "mean", "p95"))
        extra = ", extrapolated" if system.extrapolated_share else ""
        rows.append((called, *times, *saved, first, ceiling, f"{system.grade}{extra}"))
    return table(head, rows, classes=("baseline", "candidate"), numeric=range(1, 8))


def _first_in(pair: PairResult, by: str) -> str:
    """In how many runs the candidate is first; no share where what is unknown decides who is."""
    low, high = pair.speedup_band.get(by, (1.0, 1.0))
    return "not known" if low < 1 < high else f"{show_share(pair.candidate_wins)} of runs"


def beside_the_table(found: Comparison) -> str:
    """What the numbers of a table cannot say, as HTML: what adds up and what compounds, the deadline, attempts."""
    said = [accrual(found, pair) for pair in range(len(found.pairs))]
    if len(said) > 1:
        # With several candidates each sentence names its own.
        said = [f"{called}: {text}" if text else "" for called, text in zip(names(found.specs)[1:], said, strict=True)]
    lines = [*said, deadline_line(found), exhausted_line(found)]
    return "".join(f'<p class="ac-beside">{esc(line)}</p>' for line in lines if line)


def _saved(seconds: float) -> str:
    # Rounded down, as in the sentence: half of all runs must save more than the number shown.
    unit = last_digit_s(seconds)
    seconds = math.floor(seconds / unit + 1e-9) * unit
    return f"more than {show_time(seconds)}" if seconds >= 0 else f"less than nothing: {show_time(seconds)}"


def _saved_total(seconds: float) -> str:
    return show_total(seconds) if seconds >= 0 else f"−{show_total(-seconds)}"
