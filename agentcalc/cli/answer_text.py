"""A comparison for a terminal: the answer in words, two small tables, what it rests on."""

from __future__ import annotations

from agentcalc import catalog
from agentcalc.analysis.accrual import accrual
from agentcalc.analysis.deadline import deadline_line, exhausted_line
from agentcalc.analysis.headline import Headline, break_even_line, headline
from agentcalc.analysis.naming import models, names
from agentcalc.analysis.reach import extrapolations
from agentcalc.app.words import caveat
from agentcalc.cli.layout import columns, paragraph
from agentcalc.cli.text import source_line
from agentcalc.results import Comparison, SystemResult
from agentcalc.units import show_count, show_ratio, show_share, show_time

PARTS = (
    ("First token", ("ttft",)),
    ("Writing", ("decode",)),
    ("Tools", ("tool",)),
    ("People", ("human",)),
    ("Overhead", ("overhead",)),
    ("Lost cache", ("refill",)),
    ("Retries", ("retry",)),
    ("Attention", ("attention",)),
)
"""Columns of the second table and the components they add up; the first three are always shown."""
ALWAYS = 3


def answer_text(found: list[Comparison], rivals: list[list[Comparison | None]]) -> str:
    """Comparisons of one task as text; rivals: for each comparison and pair, the stronger rival and the candidate."""
    task = found[0].task
    n = found[0].n_trials
    title = f"{task.name}: {show_count(n)} run{'' if n == 1 else 's'}, seed {found[0].seed}"
    parts = [paragraph(title)]
    for comparison, against in zip(found, rivals, strict=True):
        parts.append(_one(comparison, against))
    parts.append(_sources(found))
    return "\n\n".join(part for part in parts if part)


def _one(comparison: Comparison, rivals: list[Comparison | None]) -> str:
    parts = []
    of_models = " / ".join(models(comparison.specs))
    if of_models:
        parts.append(f"{of_models}\n{'-' * len(of_models)}")
    if not comparison.pairs:
        parts.append(
            f"A typical run takes {show_time(comparison.systems[0].task_s['p50'])} on {names(comparison.specs)[0]}."
        )
    for pair, rival in enumerate(rivals):
        answer = headline(comparison, pair, rival=rival)
        lines = [*answer.lines, _unknown(answer), accrual(comparison, pair)]
        parts.append("\n".join(paragraph(line) for line in lines if line))
    ends = [deadline_line(comparison), exhausted_line(comparison)]
    parts.append("\n".join(paragraph(line) for line in ends if line))
    parts += [_times(comparison), _where(comparison)]
    lines = [break_even_line(comparison, pair) for pair in range(len(comparison.pairs))]
    parts += [paragraph(line) for line in lines if line]
    parts.append(paragraph(caveat(tuple(dict.fromkeys(part for spec in comparison.specs for part in spec.parts)))))
    assumed = dict.fromkeys(text for system in comparison.systems for text in system.assumptions)
    if assumed:
        parts.append("\n".join(["Assumed", *(paragraph(text, indent="  - ", hang="    ") for text in assumed)]))
    parts += [paragraph(text) for text in extrapolations(comparison)]
    parts += [paragraph(f"Note: {warning}") for warning in comparison.warnings]
    return "\n\n".join(part for part in parts if part)


def _unknown(answer: Headline) -> str:
    """The band of the ratio, where the sentence does not carry it already."""
    low, high = answer.band
    shown = show_ratio(low), show_ratio(high)
    if shown[0] == shown[1] or answer.case in ("not known yet", "too close"):
        return ""
    return f"Over what is unknown about the systems: {shown[0]} to {shown[1]}."


def _times(comparison: Comparison) -> str:
    rows = [("", "Typical", "Average", "Slow (p95)", "Sooner in", "Rests on")]
    for index, (name, system) in enumerate(zip(names(comparison.specs), comparison.systems, strict=True)):
        wins = show_share(comparison.pairs[index - 1].candidate_wins) if index else ""
        times = (show_time(system.task_s[by]) for by in ("p50", "mean", "p95"))
        rows.append((name, *times, wins, _rests_on(system)))
    return columns(rows, right=(1, 2, 3, 4))


def _rests_on(system: SystemResult) -> str:
    if not system.extrapolated_share:
        return system.grade.value
    return f"{system.grade.value}, {show_share(system.extrapolated_share)} extrapolated"


def _where(comparison: Comparison) -> str:
    """Where an average run's seconds go; columns that would be empty on every system are left out."""
    shown = [
        (head, parts)
        for i, (head, parts) in enumerate(PARTS)
        if i < ALWAYS or any(system.components_s[part] for system in comparison.systems for part in parts)
    ]
    rows = [("On average", *(head for head, _ in shown))]
    for name, system in zip(names(comparison.specs), comparison.systems, strict=True):
        rows.append((name, *(show_time(sum(system.components_s[part] for part in parts)) for _, parts in shown)))
    return columns(rows, right=range(1, len(shown) + 1))


def _sources(found: list[Comparison]) -> str:
    """Every source once, in the order in which the numbers name them, the task's last."""
    lines = {}
    for comparison in found:
        for spec, system in zip(comparison.specs, comparison.systems, strict=True):
            for row in system.basis:
                source = catalog.source(row.source, spec)
                lines[source.id] = source_line(source)
    task = found[0].task
    for source in task.sources:
        source = catalog.source(source, task) if isinstance(source, str) else source
        lines[source.id] = source_line(source)
    return (
        "\n".join(["Sources", *(paragraph(line, indent="  - ", hang="    ") for line in lines.values())])
        if lines
        else ""
    )
