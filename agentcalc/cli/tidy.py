"""Comparisons as tidy text: one row a system, plain numbers, units in the column names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agentcalc import spreadsheets
from agentcalc.analysis.headline import headline
from agentcalc.analysis.naming import names
from agentcalc.markdown_text import safe
from agentcalc.results import COMPONENTS, Comparison
from agentcalc.units import show_ratio, show_share, show_time


def csv_text(found: list[Comparison], changes: Sequence[str] = ()) -> str:
    """CSV with a head line; empty cells where a number does not apply (the baseline has no speed-up). changes: what
    ``--set`` changed, in a column of its own where it did.
    """
    rows = [row for comparison in found for row in _rows(comparison)]
    if changes:
        rows = [row | {"changed": " ".join(changes)} for row in rows]
    return spreadsheets.csv_text(list(rows[0]), rows)


def _rows(comparison: Comparison) -> list[dict[str, Any]]:
    rows = []
    for index, system in enumerate(comparison.systems):
        pair = comparison.pairs[index - 1] if index else None
        row: dict[str, Any] = {
            "task": comparison.task.id or comparison.task.name,
            "trials": comparison.n_trials,
            "seed": comparison.seed,
            "baseline": comparison.systems[0].id,
            "system": system.id,
            "label": system.label,
        }
        row |= {f"task_{name}_s": value for name, value in system.task_s.items()}
        row |= {"mean_se_s": system.mean_se_s, "without_people_mean_s": system.without_people_s["mean"]}
        row |= {f"{name}_s": system.components_s[name] for name in COMPONENTS}
        row |= {
            "model_share": system.model_share,
            "calls_mean": system.calls["mean"],
            "extrapolated_share": system.extrapolated_share,
            "grade": system.grade.value,
        }
        row |= {f"speedup_{name}": pair.speedup[name] if pair else None for name in ("of_means", "p50", "p5", "p95")}
        row |= {f"saved_{name}_s": pair.saved_s[name] if pair else None for name in ("mean", "p50")}
        row |= {
            name: getattr(pair, name) if pair else None
            for name in ("accumulated_s", "compounded_s", "ceiling", "candidate_wins", "break_even_output_tokens")
        }
        rows.append(row)
    return rows


def markdown_text(found: list[Comparison], lines: Sequence[str] = ()) -> str:
    """Headlines and one table a comparison, as people read them, below some lines."""
    return "\n\n".join([*map(safe, lines), *(_section(comparison) for comparison in found)])


def _section(comparison: Comparison) -> str:
    lines = []
    for pair in range(len(comparison.pairs)):
        title, *rest = headline(comparison, pair).lines
        lines += [f"**{safe(title)}**", "", *([safe(" ".join(rest)), ""] if rest else [])]
    lines += [
        "| system | Typical | Average | Slow (p95) | faster | sooner in | rests on |",
        "|---|---:|---:|---:|---:|---:|---|",
    ]
    for index, (name, system) in enumerate(zip(names(comparison.specs), comparison.systems, strict=True)):
        pair = comparison.pairs[index - 1] if index else None
        cells = [safe(name), *(show_time(system.task_s[by]) for by in ("p50", "mean", "p95"))]
        faster = comparison.systems[0].task_s["p50"] / system.task_s["p50"] if pair and system.task_s["p50"] else None
        cells += [show_ratio(faster) if faster is not None else "", show_share(pair.candidate_wins) if pair else ""]
        far = f", {show_share(system.extrapolated_share)} extrapolated" if system.extrapolated_share > 0 else ""
        lines.append(f"| {' | '.join([*cells, system.grade.value + far])} |")
    assumed = dict.fromkeys(text for system in comparison.systems for text in system.assumptions)
    if assumed:
        lines += ["", f"Assumed: {safe(' '.join(assumed))}"]
    return "\n".join(lines)
