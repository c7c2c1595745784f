"""From a walk to answers: what each system took, what it rests on, and each candidate against the baseline."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from agentcalc.latency import break_even_output_tokens
from agentcalc.provenance import Grade, weakest
from agentcalc.results import (
    STATISTICS,
    Band,
    Basis,
    PairResult,
    Reach,
    SystemResult,
    ratio,
    standard_error,
    statistics,
)
from agentcalc.simulate.cast import Cast, serving
from agentcalc.simulate.components import COMPONENTS, MODEL_COMPONENTS
from agentcalc.simulate.plan import roles
from agentcalc.simulate.tally import Tally
from agentcalc.simulate.walk import Run
from agentcalc.system import Spec
from agentcalc.task import Task
from agentcalc.units import show_count


@dataclass(frozen=True)
class Played:
    """A walk, and who played in it."""

    task: Task
    specs: tuple[Spec, ...]
    cast: Cast
    run: Run


def system_result(played: Played, row: int) -> SystemResult:
    """What one system took; row: its place among the systems."""
    run, spec = played.run, played.specs[row]
    seconds = run.task_s[row]
    stats = statistics(seconds)
    mean = {name: float(s) for name, s in zip(COMPONENTS, run.components_s[:, row], strict=True)}
    total = sum(mean.values())
    ends = [stats, *(statistics(run.task_s[corner]) for corner in played.cast.corners[row])]
    basis = _basis(played, row)
    assumptions = _assumptions(played.task, basis)
    grades = [item.grade for item in basis if item.matters] + [Grade.ASSUMED] * bool(assumptions)
    return SystemResult(
        id=spec.id,
        label=spec.label,
        task_s=stats,
        mean_se_s=stats["sd"] / len(seconds) ** 0.5,
        task_se_s={name: _finite(standard_error(seconds, name)) for name in stats if name != "sd"},
        without_people_s={"mean": float(np.mean(run.without_people_s[row]))},
        components_s=mean,
        model_share=sum(mean[name] for name in MODEL_COMPONENTS) / total if total else 0.0,
        calls={"mean": float(np.mean(run.calls[row]))},
        exhausted_share=float(np.mean(run.exhausted[row])),
        extrapolated_share=float(run.tally.extrapolated_share(row)),
        reach=_reach(played, row),
        grade=weakest(grades),
        assumptions=assumptions,
        band_s={name: (min(e[name] for e in ends), max(e[name] for e in ends)) for name in STATISTICS},
        deadline=_deadline(played.task, seconds),
        basis=basis,
    )


def _reach(played: Played, row: int) -> Reach | None:
    """What the calls of all roles ask of a system, and the narrowest range it was measured on."""
    tally = played.run.tally
    if not tally.calls.any():
        return None
    profiles = [row_of[row] for row_of in tally.players.profiles]

    def narrowest(name: str) -> Band | None:
        known = [found for p in profiles if (found := getattr(p, name)) is not None]
        return (float(max(low for low, _ in known)), float(min(high for _, high in known))) if known else None

    low, high = tally.fewest.min(axis=0), tally.most.max(axis=0)
    return Reach(
        uncached=(float(low[0]), float(high[0])),
        uncached_measured=narrowest("uncached_range"),
        context=(float(low[1]), float(high[1])),
        context_measured=narrowest("context_range"),
    )


def _deadline(task: Task, seconds: np.ndarray) -> dict[str, float | None] | None:
    """The chance of meeting the task's deadline, the attempts that fit one after the other, and their chance of
    success.

    success_share = 1 - (1 - p)^n for n = floor(deadline / task time) attempts, each solving the task with chance p
    (an upper bound: real attempts fail together); None without p.
    """
    if task.deadline is None:
        return None
    limit, chance = task.deadline.seconds, task.deadline.success_probability
    with np.errstate(divide="ignore"):
        attempts = np.floor(limit / seconds)
    success = None if chance is None else float(np.mean(1 - (1 - chance) ** attempts))
    mean = float(np.mean(attempts))
    return {
        "seconds": limit,
        "met_share": float(np.mean(seconds <= limit)),
        "attempts_mean": mean if np.isfinite(mean) else None,
        "success_share": success,
    }


def _basis(played: Played, row: int) -> tuple[Basis, ...]:
    """The numbers a result rests on; one whose whole band leaves every trial unchanged does not matter."""
    run, ends, corners = played.run, played.cast.ends[row], played.cast.corners[row]

    def effect(unknown: tuple[str, str]) -> tuple[bool, float]:
        """Whether a number matters, and by how much its band moves the mean."""
        if not ends or unknown not in ends[0]:
            return bool(run.tally.calls.any()), 0.0
        matters, moves = False, 0.0
        for a, b in combinations(range(len(ends)), 2):
            if {name for name, end in ends[a].items() if ends[b][name] != end} == {unknown}:
                low, high = run.task_s[corners[a]], run.task_s[corners[b]]
                matters = matters or not np.allclose(low, high, 1e-12, 0)
                moves = max(moves, abs(float(np.mean(low) - np.mean(high))))
        return matters, moves

    return tuple(
        Basis(part.label, name, n.value, n.unit, n.grade, n.source, n.note, n.band, n.unknown, *effect((part.id, name)))
        for part in serving(played.specs[row], roles(played.task))
        for name, n in part.numbers()
    )


WORDS = {
    "ttft": "first-token time",
    "fixed_share": "part of first-token time that does not grow with the prompt",
    "tpot": "speed of writing",
    "overhead": "overhead of a call",
}


def _assumptions(task: Task, basis: tuple[Basis, ...]) -> tuple[str, ...]:
    found = []
    if task.cached_tokens is None and task.context_tokens:
        found.append(
            f"The server holds all {show_count(task.context_tokens)} tokens of context at the start "
            "(the task does not say)."
        )
    for item in basis:
        if item.matters and item.grade is Grade.ASSUMED:
            unit = "" if item.unit == "share" else f" {item.unit}"
            band = "" if item.band is None else f" (anywhere from {item.band[0]:g} to {item.band[1]:g})"
            found.append(f"{item.system}: {WORDS[item.name]} {item.value:g}{unit}{band}.")
    return tuple(found)


def pair_result(played: Played, results: tuple[SystemResult, ...], row: int) -> PairResult:
    """One candidate against the baseline; row: its place among the systems."""
    run, tally = played.run, played.run.tally
    base, cand = results[0], results[row]
    b, c = run.task_s[0], run.task_s[row]
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.where((b == 0) & (c == 0), 1.0, b / c)
        percentiles = np.percentile(ratios, (5, 50, 95), method="lower" if np.isinf(ratios).any() else "linear")
    instant = statistics(run.task_s[played.cast.instant])
    ceilings = {name: base.task_s[name] / instant[name] if instant[name] > 0 else None for name in STATISTICS}
    calls = float(tally.calls[:, 0].sum())
    saved = base.task_s["mean"] - cand.task_s["mean"]
    compounded, causes = _compounded(played, row)
    crossing, band = _break_even(played, row)
    models = {part.model for spec in (played.specs[0], played.specs[row]) for part in spec.parts}
    return PairResult(
        baseline=base.id,
        candidate=cand.id,
        speedup={"of_means": ratio(base.task_s["mean"], cand.task_s["mean"])}
        | {f"p{p}": _finite(r) for p, r in zip((5, 50, 95), percentiles, strict=True)},
        speedup_band={name: _ratio_band(base.band_s[name], cand.band_s[name]) for name in STATISTICS},
        saved_s={"mean": saved, "p50": float(np.median(b - c))},
        accumulated_s=saved - compounded,
        compounded_s=compounded,
        compounded_by_s=causes,
        per_call_speedup=_per_call(tally, row),
        ceiling=ceilings["mean"],
        candidate_wins=float(np.mean(c < b) + np.mean(c == b) / 2),
        break_even_output_tokens=crossing,
        break_even_band=band,
        call_uncached_tokens=float(tally.uncached[:, 0].sum()) / calls if calls else None,
        call_context_tokens=float(tally.prompt[:, 0].sum()) / calls if calls else None,
        call_output_tokens=float(tally.output[:, 0].sum()) / calls if calls else None,
        different_models=len(models - {None}) > 1,
        ceilings=ceilings,
    )


CAUSES = {"cache": "refill", "attention": "attention", "timeout": "retry"}
"""The component that stands for each rule that makes latency compound."""


def _compounded(played: Played, row: int) -> tuple[float, dict[str, float]]:
    """Mean seconds that compound, and by which rule (refill, attention, retry; they add up): the candidate given the
    baseline's threshold outcomes on the same trials, less the candidate (design, section 4). Exactly 0 with the rules
    off.
    """
    forced = played.cast.forced[row]
    if forced is None:
        return 0.0, dict.fromkeys(CAUSES.values(), 0.0)
    run = played.run
    compounded = float(np.mean(run.task_s[forced]) - np.mean(run.task_s[row]))
    apart = run.components_s[:, forced] - run.components_s[:, row]
    on = [CAUSES[rule] for rule in played.task.rules]
    causes = {name: float(apart[COMPONENTS.index(name)]) if name in on else 0.0 for name in CAUSES.values()}
    # What is left is what a call costs instead of its timeout, and what a changed critical branch spends elsewhere.
    main = "retry" if "retry" in on else max(on, key=lambda name: abs(causes[name]))
    causes[main] = compounded - sum(seconds for name, seconds in causes.items() if name != main)
    return compounded, causes


def _per_call(tally: Tally, row: int) -> dict[str, float | None]:
    """mean: ratio of summed call seconds; min, max: over paired calls; all None without calls."""
    if not tally.calls.any():
        return {"mean": None, "min": None, "max": None}
    low, high = _finite(tally.slowest[row]), _finite(tally.fastest[row])
    mean = ratio(tally.seconds(0), tally.seconds(row))
    if None not in (mean, low, high):
        # sums and single calls round differently when all calls are alike
        mean = min(max(mean, low), high)
    return {"mean": mean, "min": low, "max": high}


def _finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def _ratio_band(base: Band, cand: Band) -> Band:
    low, high = ratio(base[0], cand[1]), ratio(base[1], cand[0])
    return (low if low is not None else float("inf"), high if high is not None else float("inf"))


def _break_even(played: Played, row: int) -> tuple[float | None, tuple[float | None, float | None] | None]:
    """The output length at which a call ends together on both, at the task's own uncached tokens, and its band.

    The band spans the corners of both systems; a low end of None: one system may be first at any length; the whole
    None: no corner has a crossing. A task that asks several roles has no such length.
    """
    tally, cast = played.run.tally, played.cast
    profiles, calls = tally.players.profiles, float(tally.calls[:, 0].sum())
    if len(profiles) > 1 or not calls:
        return None, None
    uncached, context = float(tally.uncached[0, 0]) / calls, float(tally.prompt[0, 0]) / calls

    def crossing(a: int, b: int) -> float | None:
        return break_even_output_tokens(uncached, profiles[0][a], profiles[0][b], context)

    found = [crossing(a, b) for a in (0, *cast.corners[0]) for b in (row, *cast.corners[row])]
    known = [x for x in found if x is not None]
    return crossing(0, row), (None if None in found else min(known), max(known)) if known else None
