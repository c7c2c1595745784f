"""compare(): the same trials of one task on some systems, and everything that follows from them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path

import numpy as np

from agentcalc.catalog import load_system, load_task
from agentcalc.defaults import SEED, TRIALS
from agentcalc.errors import Fault, InputError
from agentcalc.latency import INSTANT, Profile, break_even_output_tokens, profile
from agentcalc.provenance import Grade, weakest
from agentcalc.results import (
    STATISTICS,
    Band,
    Basis,
    Comparison,
    PairResult,
    SystemResult,
    ratio,
    statistics,
)
from agentcalc.simulate.components import COMPONENTS, MODEL_COMPONENTS
from agentcalc.simulate.walk import Run, play
from agentcalc.system import System
from agentcalc.task import Task
from agentcalc.units import show_count

MOST_TRIALS = 10_000_000
MOST_SYSTEMS = 12


def compare(
    task: Task | str | Path,
    systems: Sequence[System | str | Path],
    trials: int = TRIALS,
    seed: int = SEED,
    progress: Callable[[int, int], None] | None = None,
) -> Comparison:
    """Plays a task on some systems, all on the same trials; the first system is the baseline.

    task, systems: models, packaged ids, files, or systems written in place. progress: called with trials done and in all.
    Raises InputError for a task or system that cannot be read, no or too many systems, and trials or seeds out of range.
    """
    task = load_task(task)
    specs = tuple(load_system(system) for system in systems)
    _check(specs, trials, seed)

    # Players: the systems, then each system's corners (the ends of its unknowns), then the instant system.
    corners = [[profile(spec, ends) for ends in spec.corners()] for spec in specs]
    named = [profile(spec) for spec in specs]
    everyone = [*named, *(corner for found in corners for corner in found), INSTANT]
    run = play(task, everyone, trials=trials, seed=seed, named=len(named), progress=progress)
    rows, first = [], len(named)
    for found in corners:
        rows.append(list(range(first, first + len(found))))
        first += len(found)

    results = tuple(_system(task, spec, run, i, rows[i]) for i, spec in enumerate(specs))
    pairs = tuple(_pair(specs, named, corners, results, run, i) for i in range(1, len(specs)))
    models = {spec.model for spec in specs if spec.model is not None}
    different = ("These are different models: this compares speed, not answers.",) if len(models) > 1 else ()

    def again(numbers: np.ndarray, observer) -> Run:
        return play(task, named, trials=numbers, seed=seed, per_trial=True, observer=observer)

    return Comparison(
        task=task,
        specs=specs,
        n_trials=trials,
        seed=seed,
        systems=results,
        pairs=pairs,
        warnings=different,
        task_seconds=run.task_s[: len(named)],
        without_people_seconds=run.without_people_s[: len(named)],
        calls=run.calls,
        again=again,
    )


def _check(specs: tuple[System, ...], trials: int, seed: int) -> None:
    if not specs:
        raise InputError(Fault("systems", "", "no system is given", "name at least one, such as gb300/deepseek-r1"))
    if len(specs) > MOST_SYSTEMS:
        raise InputError(Fault("systems", "", f"{len(specs)} systems", f"compare at most {MOST_SYSTEMS} at once"))
    if isinstance(trials, bool) or not isinstance(trials, int) or not 1 <= trials <= MOST_TRIALS:
        raise InputError(Fault("trials", "", f"found {trials!r}", f"use a whole number from 1 to {MOST_TRIALS:,}"))
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**63:
        raise InputError(Fault("seed", "", f"found {seed!r}", "use a whole number from 0 to 2^63 - 1"))


def _system(task: Task, spec: System, run: Run, row: int, corners: list[int]) -> SystemResult:
    seconds = run.task_s[row]
    stats = statistics(seconds)
    mean = {name: float(s) for name, s in zip(COMPONENTS, run.components_s[:, row], strict=True)}
    total = sum(mean.values())
    ends = [stats, *(statistics(run.task_s[corner]) for corner in corners)]
    basis = _basis(spec, run, corners)
    assumptions = _assumptions(task, spec, basis)
    grades = [item.grade for item in basis if item.matters] + [Grade.ASSUMED] * bool(assumptions)
    return SystemResult(
        id=spec.id,
        label=spec.label,
        task_s=stats,
        mean_se_s=stats["sd"] / len(seconds) ** 0.5,
        without_people_s={"mean": float(np.mean(run.without_people_s[row]))},
        components_s=mean,
        model_share=sum(mean[name] for name in MODEL_COMPONENTS) / total if total else 0.0,
        calls={"mean": float(np.mean(run.calls))},
        exhausted_share=float(np.mean(run.exhausted)),
        extrapolated_share=float(run.tally.extrapolated_share(run.tally.players.profiles[row])),
        grade=weakest(grades),
        assumptions=assumptions,
        band_s={name: (min(e[name] for e in ends), max(e[name] for e in ends)) for name in STATISTICS},
        basis=basis,
    )


def _basis(spec: System, run: Run, corners: list[int]) -> tuple[Basis, ...]:
    """The numbers of a system; one whose whole band leaves every trial unchanged does not matter."""
    unknowns, ends = spec.unknowns(), spec.corners()

    def effect(name: str) -> tuple[bool, float]:
        """Whether a number matters, and by how much its band moves the mean."""
        if name not in unknowns:
            return bool(run.tally.calls), 0.0
        matters, moves = False, 0.0
        for a, b in combinations(range(len(ends)), 2):
            if {other for other in unknowns if ends[a][other] != ends[b][other]} == {name}:
                low, high = run.task_s[corners[a]], run.task_s[corners[b]]
                matters = matters or not np.allclose(low, high, 1e-12, 0)
                moves = max(moves, abs(float(np.mean(low) - np.mean(high))))
        return matters, moves

    return tuple(
        Basis(spec.label, name, n.value, n.unit, n.grade, n.source, n.note, n.band, n.unknown, *effect(name))
        for name, n in spec.numbers()
    )


WORDS = {
    "ttft": "first-token time",
    "fixed_share": "part of first-token time that does not grow with the prompt",
    "tpot": "speed of writing",
    "overhead": "overhead of a call",
}


def _assumptions(task: Task, spec: System, basis: tuple[Basis, ...]) -> tuple[str, ...]:
    found = []
    if task.cached_tokens is None and task.context_tokens:
        found.append(
            f"The server holds all {show_count(task.context_tokens)} tokens of context at the start (the task does not say)."
        )
    for item in basis:
        if item.matters and item.grade is Grade.ASSUMED:
            band = "" if item.band is None else f" (anywhere from {item.band[0]:g} to {item.band[1]:g})"
            found.append(f"{spec.label}: {WORDS[item.name]} {item.value:g} {item.unit}{band}.")
    return tuple(text.replace(" share", "") for text in found)


def _pair(
    specs: tuple[System, ...],
    named: list[Profile],
    corners: list[list[Profile]],
    results: tuple[SystemResult, ...],
    run: Run,
    row: int,
) -> PairResult:
    base, cand = results[0], results[row]
    b, c = run.task_s[0], run.task_s[row]
    saved = b - c
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.where((b == 0) & (c == 0), 1.0, b / c)
        percentiles = np.percentile(ratios, (5, 50, 95), method="lower" if np.isinf(ratios).any() else "linear")
    instant = statistics(run.task_s[-1])
    ceilings = {name: base.task_s[name] / instant[name] if instant[name] > 0 else None for name in STATISTICS}
    tally = run.tally
    calls = tally.calls
    uncached = tally.uncached / calls if calls else None
    crossing = None if uncached is None else break_even_output_tokens(uncached, named[0], named[row])
    mean_saved = base.task_s["mean"] - cand.task_s["mean"]
    return PairResult(
        baseline=base.id,
        candidate=cand.id,
        speedup={"of_means": ratio(base.task_s["mean"], cand.task_s["mean"])}
        | {f"p{p}": _finite(r) for p, r in zip((5, 50, 95), percentiles, strict=True)},
        speedup_band={name: _ratio_band(base.band_s[name], cand.band_s[name]) for name in STATISTICS},
        saved_s={"mean": mean_saved, "p50": float(np.median(saved))},
        # Nothing here makes latency compound: every trial plays the same steps on both systems, so all of it accumulates.
        accumulated_s=mean_saved,
        compounded_s=0.0,
        per_call_speedup=_per_call(tally, named, row),
        ceiling=ceilings["mean"],
        candidate_wins=float(np.mean(c < b) + np.mean(c == b) / 2),
        break_even_output_tokens=crossing,
        break_even_band=None if uncached is None else _break_even_band(uncached, named, corners, row),
        call_uncached_tokens=uncached,
        call_output_tokens=tally.output / calls if calls else None,
        different_models=None not in (specs[0].model, specs[row].model) and specs[0].model != specs[row].model,
        ceilings=ceilings,
    )


def _per_call(tally, named: list[Profile], row: int) -> dict[str, float | None]:
    """mean: ratio of summed call seconds; min, max: over paired calls; all None without calls."""
    if not tally.calls:
        return {"mean": None, "min": None, "max": None}
    low, high = _finite(tally.slowest[row]), _finite(tally.fastest[row])
    mean = ratio(tally.seconds(named[0]), tally.seconds(named[row]))
    if None not in (mean, low, high):
        # sums and single calls round differently when all calls are alike
        mean = min(max(mean, low), high)
    return {"mean": mean, "min": low, "max": high}


def _finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def _ratio_band(base: Band, cand: Band) -> Band:
    low, high = ratio(base[0], cand[1]), ratio(base[1], cand[0])
    return (low if low is not None else float("inf"), high if high is not None else float("inf"))


def _break_even_band(
    uncached: float, named: list[Profile], corners: list[list[Profile]], row: int
) -> tuple[float | None, float | None] | None:
    """Lowest and highest crossing over the corners of both systems; a low end of None: one system may be first at any length.

    None where no corner has a crossing.
    """
    found = [
        break_even_output_tokens(uncached, a, b)
        for a in [named[0], *corners[0]]
        for b in [named[row], *corners[row]]
    ]
    known = [x for x in found if x is not None]
    return (None if None in found else min(known), max(known)) if known else None
