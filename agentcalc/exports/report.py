"""A comparison as a memo: the answer first, then everything that a sceptic asks about it, to its last source.

A report is a value (:mod:`agentcalc.exports.report_blocks`); ``report_html`` and ``report_markdown`` write it.
"""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from importlib.metadata import version

import agentcalc
from agentcalc.analysis.accrual import accrual
from agentcalc.analysis.deadline import deadline_line, exhausted_line
from agentcalc.analysis.findings import Findings
from agentcalc.analysis.headline import Headline, break_even_line
from agentcalc.analysis.naming import models, names
from agentcalc.analysis.needs import break_even_words, match_line
from agentcalc.exports.report_basis import Sources, number_notes, numbers_table, systems_table, unknown_blocks
from agentcalc.exports.report_blocks import Block, Drawn, Grid, Listed, Report, Section, Verbatim, Words
from agentcalc.exports.report_numbers import (
    causes_table,
    components_table,
    deadline_table,
    pairs_table,
    times_table,
    with_error,
)
from agentcalc.exports.report_task import task_blocks
from agentcalc.figures import tornado
from agentcalc.figures.figure import Figure
from agentcalc.figures.several import about
from agentcalc.provenance import weakest
from agentcalc.results import Comparison
from agentcalc.units import MINUS, NBSP, counted, show_ratio, show_time

BY_WORDS = {"p50": "typical runs (median)", "mean": "the average", "p95": "slow runs (p95)"}
LIBRARIES = ("numpy", "pandas", "altair", "vl-convert-python")
"""What numbers and pictures are made with, beside agentcalc itself."""


def report_for(
    comparison: Comparison,
    found: Findings,
    figures: Mapping[str, Figure],
    *,
    caveat: str,
    command: str,
    files: Mapping[str, str] | None = None,
    title: str = "",
) -> Report:
    """The report of a comparison.

    found: of ``analysis.findings`` on the same comparison; figures: by kind; caveat: what the numbers are, in a line;
    command: what draws the report again; files: texts of what the command reads from files, by name; title: in place of
    the finding, which then follows under it. Raises NotFoundError for a source that leads nowhere.
    """
    sources = Sources(comparison)
    answer = _answer(comparison, found, title)
    sections = (
        _compared(comparison, caveat),
        _figures(comparison, found, figures),
        _adding_up(comparison),
        _deadline(comparison),
        _changes(comparison, found),
        _numbers(comparison),
        Section("unknown", "What is not known, extrapolated and assumed", unknown_blocks(comparison)),
        Section("basis", "What the numbers rest on", (numbers_table(comparison, sources), *number_notes(comparison))),
        Section("sources", "Sources", (sources.block(),)),
        _again(comparison, command, files or {}),
    )
    words = about(comparison)
    systems = " against ".join((series_of(names(comparison.specs)[1:]), names(comparison.specs)[0])).strip()
    said = f"{words.of_model}: {systems}" if comparison.pairs else f"{words.of_model}: {names(comparison.specs)[0]}"
    lines = (said, counted(comparison.n_trials, "run"), f"seed{NBSP}{comparison.seed}", BY_WORDS[found.by])
    shown = tuple(section for section in sections if section.blocks)
    return Report(title or _finding(comparison, found), ", ".join(lines), answer, shown)


def series_of(words: Sequence[str]) -> str:
    """ "a", "a and b"; empty for none."""
    *first, last = words or ("",)
    return f"{', '.join(first)} and {last}" if first else last


def _finding(comparison: Comparison, found: Findings) -> str:
    if found.heads:
        return found.heads[0].title
    return f"{names(comparison.specs)[0]} takes {show_time(comparison.systems[0].task_s[found.by])}"


def _answer(comparison: Comparison, found: Findings, title: str) -> tuple[Block, ...]:
    blocks: list[Block] = [Words(_finding(comparison, found), "strong")] if title else []
    for pair, head in enumerate(found.heads):
        if pair:
            blocks.append(Words(head.title, "strong"))
        blocks += [Words(line) for line in (head.why, head.so_what) if line]
        if pair == 0 and comparison.changed:
            blocks.append(Words(comparison.changed))
        blocks += [Words(line) for line in (band_line(head), accrual(comparison, pair)) if line]
    if not found.heads and comparison.changed:
        blocks.append(Words(comparison.changed))
    blocks.append(Words(_rests_on(comparison)))
    return tuple(blocks)


def band_line(head: Headline) -> str:
    """The band of the ratio, where the sentence does not carry it already."""
    low, high = map(show_ratio, head.band)
    if low == high or head.case in ("not known yet", "too close"):
        return ""
    return f"Over what is not known about the systems: {low} to {high}."


def _rests_on(comparison: Comparison) -> str:
    grade = weakest(system.grade for system in comparison.systems)
    far = any(system.extrapolated_share for system in comparison.systems)
    return (
        f"It rests on numbers of which the weakest are {grade.value}{', and partly extrapolated' if far else ''} "
        "(measured is better than reported, derived and assumed, in this order)."
    )


def _compared(comparison: Comparison, caveat: str) -> Section:
    blocks = (*task_blocks(comparison.task), systems_table(comparison), *([Words(caveat)] if caveat else []))
    of = series_of(models(comparison.specs))
    same = (
        f"Every system plays the same {counted(comparison.n_trials, 'run')}: the same tokens, tool times and branches"
    )
    same += f"{f', answered by {of}' if of else ''}. Differences come from the systems alone."
    return Section("compared", "What was compared", (*blocks, Words(same)))


def _figures(comparison: Comparison, found: Findings, figures: Mapping[str, Figure]) -> Section:
    shown = [Drawn(figure) for figure in figures.values()]
    if (found.inputs.table()["span"] > 0).any():
        shown.append(Drawn(tornado.of_sensitivity(found.inputs, about(comparison, _pair(comparison)))))
    return Section("figures", "The figures", tuple(shown))


def _pair(comparison: Comparison) -> tuple[int, ...]:
    return (0, 1) if comparison.pairs else (0,)


def _adding_up(comparison: Comparison) -> Section:
    said = [accrual(comparison, pair) for pair in range(len(comparison.pairs))]
    if len(said) > 1:
        called = names(comparison.specs)[1:]
        said = [f"{name}: {text}" if text else "" for name, text in zip(called, said, strict=True)]
    blocks: list[Block] = [Words(text) for text in said if text]
    if not blocks:
        return Section("adding-up", "", ())
    blocks.append(
        Words(
            "Seconds add up where each call saves its own. They compound only where a threshold falls differently on "
            "the two systems: a cache kept or lost, a call cut off or not, a person lost or not. Both are told apart "
            "by playing the candidate once more with every threshold as it fell on the baseline.",
            "small",
        )
    )
    table = causes_table(comparison)
    return Section("adding-up", "What adds up, and what compounds", (*blocks, *([table] if table else [])))


def _deadline(comparison: Comparison) -> Section:
    lines = [Words(line) for line in (deadline_line(comparison), exhausted_line(comparison)) if line]
    table = deadline_table(comparison)
    title = "The deadline" if table else "Attempts that ran out"
    return Section("deadline", title, (*lines, *([table] if table else [])))


def _changes(comparison: Comparison, found: Findings) -> Section:
    blocks: list[Block] = []
    if found.needs is not None:
        needs = found.needs
        blocks += [Words(needs.question, "strong"), Words(needs.sentence)]
        blocks += [Listed.of(needs.cards)] if needs.cards else []
        blocks += [Words(needs.note, "small")] if needs.note else []
    blocks.append(_ranked(found))
    if found.trials != comparison.n_trials:
        blocks.append(Words(f"Of the first {counted(found.trials, 'run')}.", "small"))
    if found.matches:
        base, cand = names(comparison.specs)[:2]
        blocks += [
            Words(f"What would let {base} match {cand}?", "strong"),
            Listed.of([match_line(solution, cand) for solution in found.matches]),
        ]
    even = [break_even_words(solution) for solution in found.break_evens]
    lines = [break_even_line(comparison, pair) for pair in range(len(comparison.pairs))]
    even += [line for line in lines if line]
    if even:
        blocks += [Words("Where the answer turns.", "strong"), Listed.of(even)]
    return Section("changes", "What would change it", tuple(blocks))


def _ranked(found: Findings) -> Block:
    changes = found.changes
    if not changes.savings:
        return Words("No change on the list saves any time.")
    rows = []
    for saving in changes.savings:
        sign = "" if saving.saved_s > 0 else MINUS
        needs = f"if {saving.change.needs}" if saving.change.needs else ""
        note = ", ".join(part for part in ("too close to call" if saving.undecided else "", needs) if part)
        saved = f"{sign}{with_error(abs(saving.saved_s), saving.error_s)}"
        rows.append((_first_up(saving.change.title), saved, show_time(saving.mean_s), note))
    caption = f"Each change by itself, for an average run of {changes.name}, which takes {show_time(changes.mean_s)}"
    head = ("Change", "Saves", "Then takes", "Note")
    if not any(row[-1] for row in rows):
        head, rows = head[:-1], [row[:-1] for row in rows]
    return Grid(caption, head, tuple(rows), (1, 2))


def _first_up(text: str) -> str:
    return text[0].upper() + text[1:]


def _numbers(comparison: Comparison) -> Section:
    pairs = (pairs_table(comparison),) if comparison.pairs else ()
    said = (
        "Medians of all runs are never subtracted: the typical run of one system need not be that of another. What "
        "runs save is taken run by run. Over what is not known: every number with a band at its low and its high end."
    )
    tables = (times_table(comparison), *pairs, components_table(comparison))
    return Section("numbers", "The numbers", (*tables, Words(said, "small")))


def _again(comparison: Comparison, command: str, files: Mapping[str, str]) -> Section:
    made = [f"agentcalc {agentcalc.__version__}", f"Python {platform.python_version()}"]
    made += [f"{name} {version(name)}" for name in LIBRARIES]
    runs = f"{counted(comparison.n_trials, 'run')}, seed {comparison.seed}. Made with {', '.join(made)}."
    blocks: list[Block] = [
        Words("The same command gives the same numbers and the same figures."),
        Verbatim(command),
        Words(runs),
    ]
    if files:
        blocks.append(Words("Not packaged, and therefore written out here:"))
        blocks += [Verbatim(text, name, folded=True) for name, text in files.items()]
    return Section("again", "How to draw it again", tuple(blocks))
