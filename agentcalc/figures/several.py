"""All figures of one comparison."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from agentcalc.analysis.accumulation import run_band
from agentcalc.analysis.naming import models, names
from agentcalc.analysis.segments import Segments
from agentcalc.catalog import source
from agentcalc.errors import Fault, InputError
from agentcalc.figures import accumulation, break_even, components, distribution, histogram, timeline
from agentcalc.figures.figure import Figure
from agentcalc.figures.words import About, source_line
from agentcalc.provenance import Source
from agentcalc.results import Comparison

KINDS = ("timeline", "accumulation", "components", "break_even", "distribution")


def figures_for(
    comparison: Comparison,
    trial: int | None = None,
    by: str = "p50",
    pair: int = 0,
    deadline_s: float | None = None,
) -> dict[str, Figure]:
    """The figures of a comparison by kind: timeline, accumulation, components, break_even (when the task makes calls)
    and distribution. With one system only timeline and distribution.

    A run that takes no time leaves only the distribution, and a task that takes none leaves no figure.

    trial: the run shown; by default the most ordinary one for the statistic ``by``. pair: which candidate.
    deadline_s: a time that all runs are held against, by default the task's deadline.
    Raises InputError for a pair that is not there or is one system twice, IndexError for a trial that was not played.
    """
    if comparison.pairs and not 0 <= pair < len(comparison.pairs):
        remedy = f"use a number from 0 to {len(comparison.pairs) - 1}"
        raise InputError(Fault("figures", "pair", f"there is no pair {pair}", remedy))
    base, cand = 0, pair + 1 if comparison.pairs else 0
    called = names(comparison.specs)
    keys = _keys(comparison)
    if comparison.pairs and keys[base] == keys[cand]:
        same = f"both sides are {comparison.systems[base].label}"
        raise InputError(Fault("figures", "", same, "choose another candidate"))
    trial = comparison.ordinary_trial(by, pair) if trial is None else trial
    rows = comparison.timeline(trial)
    if not len(rows) or rows["end_s"].max() <= 0:
        # A run that takes no time has nothing to draw; all runs together may.
        if not np.any(comparison.task_seconds > 0):
            return {}
        found = {"distribution": distribution.figure(spread(comparison, pair, deadline_s), about(comparison))}
        return assuming(found, comparison, pair)
    if len(set(system.id for system in comparison.systems)) == len(keys):
        rows = rows.assign(label=rows["system"].map(dict(zip(keys, called, strict=True))))
    wide, words = about(comparison), about(comparison, (base, cand) if comparison.pairs else (base,))
    others = timeline.MOST_SYSTEMS
    drawn = wide if len(comparison.systems) <= others else words
    run, shown = Segments.of(rows), (keys[base], keys[cand])
    bands = {"band": run_band(run, comparison.specs[cand], keys[cand])} if comparison.pairs else {}
    bands["base_band"] = run_band(run, comparison.specs[base], keys[base])
    ends = {key: _end(band) for key, band in bands.items()}
    found = {"timeline": timeline.figure(rows, *shown, drawn, **ends, segments=run)}
    if comparison.pairs:
        found["accumulation"] = accumulation.figure(run, *shown, words, **bands)
        found["components"] = components.figure(run, *shown, words, **ends)
        uncached, context = comparison.pairs[pair].call_uncached_tokens, comparison.pairs[pair].call_context_tokens
        single = all(len(comparison.specs[i].parts) == 1 for i in (base, cand))
        if uncached is not None and single:
            calls = comparison.calls_sample()["output_tokens"].to_numpy()
            specs, called_pair = [comparison.specs[i].parts[0] for i in (base, cand)], (called[base], called[cand])
            found["break_even"] = break_even.figure(*specs, uncached, calls, words, called_pair, context)
    found["distribution"] = distribution.figure(spread(comparison, pair, deadline_s), drawn)
    return assuming(found, comparison, pair)


OF_ALL = ("timeline", "distribution", "histogram", "people")
"""Kinds that show every system, not only a pair."""
UNPLAYED = ("operating_points",)
"""Kinds of numbers as they were measured or stated, which no assumption about calls has a part in."""


def assuming(found: dict[str, Figure], comparison: Comparison, pair: int = 0) -> dict[str, Figure]:
    """Figures by kind with what the systems they show assume, where they do not say it themselves."""
    systems = comparison.systems
    two = (systems[0], systems[pair + 1]) if comparison.pairs else systems[:1]

    def of(kind: str) -> tuple[str, ...]:
        if kind in UNPLAYED:
            return ()
        shown = systems if kind in OF_ALL else two
        return tuple(dict.fromkeys(text for system in shown for text in system.assumptions))

    return {kind: replace(figure, assumptions=figure.assumptions or of(kind)) for kind, figure in found.items()}


def spread(comparison: Comparison, pair: int = 0, deadline_s: float | None = None) -> distribution.Spread:
    """How all runs spread, held against a time, by default the task's deadline."""
    given = comparison.task.deadline
    by = deadline_s if deadline_s is not None or given is None else given.seconds
    called = list(names(comparison.specs))
    cand = pair + 1 if comparison.pairs else 0
    return distribution.read(comparison.task_seconds, _keys(comparison), called, cand, deadline_s=by)


def histogram_for(comparison: Comparison, pair: int = 0, deadline_s: float | None = None) -> Figure:
    """The histogram of all runs: baseline, candidate and at most two more. deadline_s: as of :func:`figures_for`."""
    found, keys = spread(comparison, pair, deadline_s), _keys(comparison)
    # As the distribution calls them: a system that stands there twice has its place with its name.
    placed = {f"{key}#{i}" if keys.count(key) > 1 else key: i for i, key in enumerate(keys)}
    seconds = {key: comparison.task_seconds[placed[key]] for key in found.order}
    return histogram.figure(found, seconds, about(comparison))


def about(comparison: Comparison, shown: tuple[int, ...] | None = None) -> About:
    """What figures of a comparison say of themselves: task, model, runs, a what-if, and the systems' source line."""
    shown = tuple(range(len(comparison.systems))) if shown is None else shown
    called = names(comparison.specs)
    those = [comparison.specs[i] for i in shown]
    called_models = models(those)
    model = called_models[0] if len(called_models) == 1 and all(s.model or s.model_label for s in those) else None

    specs = dict(zip((result.id for result in comparison.systems), comparison.specs, strict=True))

    def resolve(system: str, name: str) -> Source:
        return source(name, specs[system])

    task = comparison.task
    task_sources = [item if isinstance(item, Source) else source(item, task) for item in task.sources]
    # The candidate is what a reader asks about first, so it is named first.
    order = [shown[-1], *shown[:-1]]
    line = source_line(
        [comparison.systems[i] for i in order],
        task_sources,
        trials=comparison.n_trials,
        seed=comparison.seed,
        source=resolve,
        names=[called[i] for i in order],
    )
    changed = comparison.changed
    return About(comparison.task.name, model, comparison.n_trials, f"{changed} {line}" if changed else line, changed)


def _end(band: pd.DataFrame | None) -> tuple[float, float] | None:
    return None if band is None else (float(band["low_s"].iloc[-1]), float(band["high_s"].iloc[-1]))


def _keys(comparison: Comparison) -> list[str]:
    return [system.id for system in comparison.systems]
