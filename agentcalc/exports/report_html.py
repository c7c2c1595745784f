"""A report as one HTML file that needs nothing beside itself: for a screen of any width, and for paper."""

from __future__ import annotations

import html
from collections.abc import Callable
from functools import partial

from agentcalc.exports.html_file import html_file
from agentcalc.exports.inline import NARROW_PX, drawn, instead, shows
from agentcalc.exports.inline import STYLE as DRAWN_STYLE
from agentcalc.exports.page import numbers
from agentcalc.exports.report_blocks import (
    Block,
    Cell,
    Drawn,
    Grid,
    Item,
    Link,
    Listed,
    Reference,
    References,
    Report,
    Section,
    Verbatim,
    Words,
)
from agentcalc.figures.theme import DARK, FONT, LIGHT, Palette

SCHEMES = {None: ("light", "dark"), "light": ("light",), "dark": ("light", "dark")}
"""Pictures by the scheme asked for; None: the reader's own. Paper is always light."""

WIDTHS = (860, NARROW_PX)
"""Of its pictures, CSS pixels: its own column, and a phone."""

STYLE = """\
:root {{ color-scheme: {schemes}; {light} }}
@media print {{ :root {{ color-scheme: light; {light} }} }}
* {{ box-sizing: border-box; }}
body {{ margin: 0; font: 17px/1.5 {font}; background: var(--background); color: var(--ink); overflow-wrap: anywhere; }}
main {{ margin: 0 auto; padding: 40px 24px 80px; max-width: 908px; }}
h1, h2, h3 {{ line-height: 1.2; text-wrap: balance; }}
h1 {{ font-size: clamp(28px, 3.4vw, 36px); margin: 0 0 8px; }}
h2 {{ font-size: 25px; margin: 48px 0 12px; padding-top: 20px; border-top: 1px solid var(--grid); }}
h3 {{ font-size: 20px; margin: 32px 0 4px; }}
p {{ margin: 8px 0; }}
a {{ color: inherit; }}
:is(a, summary, [tabindex]):focus-visible {{ outline: 3px solid var(--ink); outline-offset: 2px; }}
.about, .small, .source, nav, .beside {{ color: var(--muted); }}
.answer {{ font-size: 19px; }}
.strong {{ font-weight: bold; margin-top: 20px; }}
.small, .source, .beside {{ font-size: 14px; }}
nav {{ font-size: 15px; margin-top: 24px; }}
nav ul {{ list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 4px 20px; }}
ul, ol {{ padding-left: 22px; margin: 8px 0; }}
li {{ margin: 4px 0; }}
ul ul ul ul ul ul ul {{ padding-left: 0; }}
.grid {{ overflow-x: auto; margin: 16px 0; }}
table {{ border-collapse: collapse; font-size: 15px; font-variant-numeric: tabular-nums; min-width: 50%; }}
caption {{ text-align: left; padding: 0 0 6px; font-size: 15px; font-weight: bold; }}
th, td {{ padding: 6px 14px 6px 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--grid);
  min-width: 6em; max-width: 26em; overflow-wrap: break-word; }}
thead :is(th, td) {{ border-bottom: 2px solid var(--axis); }}
tbody th {{ font-weight: normal; }}
.n {{ text-align: right; }}
pre {{ white-space: pre-wrap; overflow-wrap: anywhere; font: 14px/1.45 "Liberation Mono", Menlo, Consolas, monospace;
  border: 1px solid var(--grid); border-radius: 4px; padding: 12px; margin: 8px 0; }}
pre span {{ display: inline-block; max-width: 100%; }}
figure {{ margin: 0 0 40px; }}
figcaption {{ margin: 8px 0; white-space: pre-line; }}
summary {{ cursor: pointer; padding: 6px 0; font-size: 15px; color: var(--muted); }}
.numbers {{ overflow-x: auto; }}
{drawn}
@media (max-width: 640px) {{
  main {{ padding: 20px 16px 48px; }}
  body {{ font-size: 16px; }}
  .answer {{ font-size: 17px; }}
  h2 {{ font-size: 22px; margin-top: 36px; }}
}}
@page {{ size: A4; margin: 18mm 16mm; }}
@media print {{
  body {{ font-size: 10.5pt; }}
  .answer {{ font-size: 11.5pt; }}
  main {{ padding: 0; max-width: none; }}
  h1 {{ font-size: 21pt; }}
  h2 {{ font-size: 15pt; margin-top: 22pt; }}
  h3 {{ font-size: 12pt; }}
  h1, h2, h3, caption, .strong, figure .beside {{ break-after: avoid; }}
  table {{ font-size: 9pt; }}
  tr, .drawn, li, .grid {{ break-inside: avoid; }}
  figure {{ break-inside: avoid; margin-bottom: 20pt; }}
  .grid, .numbers {{ overflow: visible; }}
  th, td {{ min-width: 0; padding-right: 8pt; }}
  nav, figure details {{ display: none; }}
  details::details-content {{ content-visibility: visible; }}
  p, li {{ orphans: 3; widows: 3; }}
}}"""


def report_html(report: Report, scheme: str | None = None, progress: Callable[[int, int], None] | None = None) -> str:
    """The report as a page. scheme: "light", "dark", or None for the reader's own; progress: called with figures drawn
    and in all. Raises AgentcalcError when a figure cannot be drawn.
    """
    figures = [block for section in report.sections for block in section.blocks if isinstance(block, Drawn)]
    pictures = {}
    for number, block in enumerate(figures, 1):
        pictures[id(block)] = drawn(block.figure, f"f{number}", SCHEMES[scheme], WIDTHS)
        if progress:
            progress(number, len(figures))
    write = partial(_block, pictures)
    parts = [
        f"<header><h1>{_text(report.title)}</h1>",
        f'<p class="about">{_text(report.about)}</p>',
        f'<div class="answer">{"".join(map(write, report.answer))}</div>',
        _contents(report),
        "</header>",
        *(_section(section, write) for section in report.sections),
    ]
    body = "<main>\n" + "\n".join(parts) + "\n</main>"
    return html_file(report.title, _style(scheme), body, ("description", report.about))


def _style(scheme: str | None) -> str:
    dark = f":root {{ {_colours(DARK)} }}\n{instead(WIDTHS)}"
    shown = {
        None: f"@media screen and (prefers-color-scheme: dark) {{ {dark} }}",
        "light": "",
        "dark": f"@media screen {{ {dark} }}",
    }[scheme]
    pictures = f"{DRAWN_STYLE}\n{shows(WIDTHS, 'light')}\n{shown}"
    return STYLE.format(font=FONT, schemes=scheme or "light dark", light=_colours(LIGHT), drawn=pictures)


def _colours(palette: Palette) -> str:
    return " ".join(f"--{name}: {getattr(palette, name)};" for name in ("background", "ink", "muted", "grid", "axis"))


def _text(text: str) -> str:
    return html.escape(text)


def _contents(report: Report) -> str:
    links = "".join(f'<li><a href="#{section.id}">{_text(section.title)}</a></li>' for section in report.sections)
    return f'<nav aria-label="Contents"><ul>{links}</ul></nav>'


def _section(section: Section, write: Callable[[Block], str]) -> str:
    head = f'<h2 id="{section.id}">{_text(section.title)}</h2>'
    return f'<section aria-labelledby="{section.id}">{head}{"".join(map(write, section.blocks))}</section>'


def _block(pictures: dict[int, str], block: Block) -> str:
    if isinstance(block, Drawn):
        return _figure(block, pictures[id(block)])
    return _WRITERS[type(block)](block)


def _words(block: Words) -> str:
    return f'<p class="{block.kind}">{_text(block.text)}</p>' if block.kind else f"<p>{_text(block.text)}</p>"


def _listed(block: Listed) -> str:
    return _items(block.items)


def _items(items: tuple[Item, ...]) -> str:
    inside = "".join(f"<li>{_text(item.text)}{_items(item.inner) if item.inner else ''}</li>" for item in items)
    return f"<ul>{inside}</ul>"


def _grid(block: Grid) -> str:
    def cells(row: tuple[Cell, ...], scope: str) -> str:
        found = []
        for i, cell in enumerate(row):
            kind = ' class="n"' if i in block.right else ""
            head = scope == "col" or i == 0
            tag = f'th scope="{scope}"' if head else "td"
            # A corner that says nothing is no head of anything.
            if head and scope == "col" and not cell:
                tag, head = "td", False
            found.append(f"<{tag}{kind}>{_cell(cell)}</{'th' if head else 'td'}>")
        return "".join(found)

    rows = "".join(f"<tr>{cells(row, 'row')}</tr>" for row in block.rows)
    caption = f"<caption>{_text(block.caption)}</caption>"
    # A table that is wider than its place scrolls, by the keyboard too: so it takes the focus, and has a name.
    place = f'<div class="grid" tabindex="0" role="group" aria-label="{_text(f"Table: {block.caption}")}">'
    table = f"<table>{caption}<thead><tr>{cells(block.head, 'col')}</tr></thead><tbody>{rows}</tbody></table>"
    return f"{place}{table}</div>"


def _cell(cell: Cell) -> str:
    if not isinstance(cell, Link):
        return _text(cell)
    address = f"#source-{cell.source}" if cell.source else cell.address
    return f'<a href="{_text(address)}">{_text(cell.text)}</a>'


def _figure(block: Drawn, picture: str) -> str:
    figure = block.figure
    return (
        f'<figure><h3>{_text(figure.title)}</h3><p class="beside">{_text(figure.subtitle)}</p>{picture}'
        f'<figcaption class="source">{_text(figure.source)}</figcaption>{numbers(figure)}</figure>'
    )


def _verbatim(block: Verbatim) -> str:
    # A command may break between its words and not inside them, as it would behind a hyphen.
    words = (f"<span>{_text(word)}</span>" for word in block.text.split(" "))
    text = f"<pre>{' '.join(words) if not block.folded else _text(block.text)}</pre>"
    if block.folded:
        return f"<details><summary>{_text(block.name)}</summary>{text}</details>"
    return text


def _references(block: References) -> str:
    return f"<ol>{''.join(map(_reference, block.all))}</ol>"


def _reference(found: Reference) -> str:
    address = ""
    if found.address:
        shown = _text(found.address)
        address = f'<br><a href="{shown}" rel="noreferrer noopener">{shown}</a>'
    notes = "".join(f' <span class="small">{_text(note)}</span>' for note in found.notes)
    return (
        f'<li id="source-{found.number}" value="{found.number}">{_text(found.title)}. {_text(found.said)}.{address}'
        f"<br>For {_text(found.used)}.{notes}</li>"
    )


_WRITERS = {Words: _words, Listed: _listed, Grid: _grid, Verbatim: _verbatim, References: _references}
