"""What k times faster calls make of tasks: in a sentence, and who gains and who cannot in a table."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from agentcalc.analysis.banded import in_words
from agentcalc.analysis.headline import HIGH_CEILING, LOW_CEILING
from agentcalc.analysis.speedup_curve import Curve
from agentcalc.units import TIMES, show_ratio

SUBJECTS = {
    "both": "Calls {k} faster make",
    "ttft": "A first token {k} sooner makes",
    "speed": "Writing {k} faster makes",
}
NEARLY_ALL = 0.9
"""A task that keeps this share of the calls' advantage gains nearly all of it."""


def curve_line(curve: Curve, k: float = 4.0, by: str = "p50") -> str:
    """The answer for one task: "Calls 4× faster make a coding agent 1.9× faster; the ceiling is 2.8×." """
    gain = in_words(curve.at(k, by), show_ratio)
    return f"{_subject(curve, k)} {curve.short} {gain} faster; {ceiling_words(curve, by)}."


def curves_line(curves: Sequence[Curve], k: float = 4.0, by: str = "p50") -> str:
    """Several tasks in one: "Calls 4× faster make a coding agent 1.9× faster, deep research 1.08×." """
    first, *others = curves
    said = f"{_subject(first, k)} {first.short} {show_ratio(first.at(k, by).value)} faster"
    return ", ".join([said, *(f"{curve.short} {show_ratio(curve.at(k, by).value)}" for curve in others)]) + "."


def ceiling_words(curve: Curve, by: str = "p50") -> str:
    """ "the ceiling is 2.8×", or "there is no ceiling"."""
    limit = curve.ceiling(by)
    if limit is None:
        return "there is no ceiling"
    return (
        f"the ceiling is over {HIGH_CEILING:.0f}{TIMES}"
        if limit > HIGH_CEILING
        else f"the ceiling is {show_ratio(limit)}"
    )


def _subject(curve: Curve, k: float) -> str:
    number = f"{k:g}{TIMES}"
    return SUBJECTS[curve.scale].format(k=number)


def who_gains(curves: Sequence[Curve], ks: Sequence[float] = (2.0, 4.0, 10.0), by: str = "p50") -> pd.DataFrame:
    """One row a task, most gain first: task, title, a column ``at_{k}`` a factor, ceiling (NaN: none), survives (the
    share of the advantage kept at the middle factor), verdict ("gains nearly all", "gains in part", "cannot gain").
    """
    middle = sorted(ks)[len(ks) // 2]
    rows = []
    for curve in curves:
        gains = {k: curve.at(k, by).value for k in ks}
        limit = curve.ceiling(by)
        survives = (gains[middle] - 1) / (middle - 1) if middle > 1 else float("nan")
        if limit is not None and limit < LOW_CEILING:
            verdict = "cannot gain"
        else:
            verdict = "gains nearly all" if survives >= NEARLY_ALL else "gains in part"
        row = {"task": curve.task.id or curve.task.name, "title": curve.short}
        row |= {f"at_{k:g}": gain for k, gain in gains.items()}
        rows.append(row | {"ceiling": limit, "survives": survives, "verdict": verdict})
    found = pd.DataFrame(rows).astype({"ceiling": float})
    return found.sort_values(f"at_{middle:g}", ascending=False, kind="stable").reset_index(drop=True)
