"""Speaker's notes: what a slide rests on, so that it can be told, doubted and made again by itself."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from agentcalc.analysis.naming import names
from agentcalc.figures.several import about
from agentcalc.results import Comparison
from agentcalc.units import NBSP, counted, show_count, show_share, show_time

if TYPE_CHECKING:
    from agentcalc.exports.deck import Slide
    from agentcalc.exports.slides import Told

ONE_RUN = ("race", "timeline", "accumulation", "components")
"""Kinds that show a single run."""


def notes(kind: str, slide: Slide, told: Told) -> tuple[str, ...]:
    """Paragraphs: what is seen, numbers of all runs, runs and seed, sources, grades, assumptions, and the command."""
    from agentcalc.exports.slides import source_lines, unknown_lines

    found = told.comparison
    said = [slide.figure.alt_text] if slide.figure is not None else []
    if kind == "answer":
        said += _numbers(found)
    if kind == "sources":
        said += [*_listed("Not known, and to bear in mind:", unknown_lines(found))]
        said += [*_listed("Who said the numbers:", source_lines(found))]
    shown = f" Run shown: {show_count(told.run)}, counted from 0." if kind in ONE_RUN else ""
    said.append(f"{counted(found.n_trials, 'run')}, seed{NBSP}{found.seed}.{shown}")
    said.append(f"Source: {about(found).source}")
    said.append(f"Rests on: {_grades(found)}.")
    assumed = dict.fromkeys(text for system in found.systems for text in system.assumptions)
    said += _listed("Assumed:", assumed) if assumed else ["Assumed: nothing that changes a run."]
    said.append(f"Made again by: {told.command(kind)}")
    return tuple(said)


def _listed(head: str, lines: Iterable[str]) -> Iterable[str]:
    return head, *(f"- {line}" for line in lines)


def _grades(found: Comparison) -> str:
    said = []
    for called, system in zip(names(found.specs), found.systems, strict=True):
        beyond = f", {show_share(system.extrapolated_share)} extrapolated" if system.extrapolated_share else ""
        said.append(f"{called}: {system.grade.value}{beyond}")
    return "; ".join(said)


def _numbers(found: Comparison) -> list[str]:
    """All runs in numbers, a line a system."""
    lines = []
    for index, (called, system) in enumerate(zip(names(found.specs), found.systems, strict=True)):
        times = (show_time(system.task_s[by]) for by in ("p50", "mean", "p95"))
        line = "{}: {} typical, {} on average, {} at p95".format(called, *times)
        wins = f"; first in {show_share(found.pairs[index - 1].candidate_wins)} of runs" if index else ""
        lines.append(f"{line}{wins}.")
    return lines
