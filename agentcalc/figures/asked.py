"""Figures by the name of their kind: the functions of ``BUILDERS``, and what is asked of one beyond its comparison."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from agentcalc.accelerators import BASIS_WORDS, Basis
from agentcalc.analysis.along_curve import along_curve
from agentcalc.analysis.budget import WITHIN_S
from agentcalc.analysis.budget import budget as within_times
from agentcalc.analysis.budget_words import measure_for, telling_s
from agentcalc.analysis.capacity import capacity as agents_sharing
from agentcalc.analysis.capacity import closely
from agentcalc.analysis.levers import Lever, find_lever, levers
from agentcalc.analysis.naming import models, names
from agentcalc.analysis.needs import levers_to_target
from agentcalc.analysis.people import people as waits_of
from agentcalc.analysis.sensitivity import sensitivity
from agentcalc.analysis.speedup_curve import speedup_curve
from agentcalc.analysis.sweep import sweep
from agentcalc.analysis.tool_share import tool_share as tools_cap
from agentcalc.errors import Fault, InputError, NotFoundError
from agentcalc.figures import budget as budget_figure
from agentcalc.figures import capacity as capacity_figure
from agentcalc.figures import heat_map as heat_map_figure
from agentcalc.figures import needs as needs_figure
from agentcalc.figures import operating_points as points_figure
from agentcalc.figures import people as people_figure
from agentcalc.figures import race_still, several
from agentcalc.figures import speedup_curve as speedup_figure
from agentcalc.figures import task_graph as graph_figure
from agentcalc.figures import tool_share as share_figure
from agentcalc.figures import tornado as tornado_figure
from agentcalc.figures.figure import Figure
from agentcalc.figures.kinds import KINDS, NAMES
from agentcalc.figures.load_curve import Line
from agentcalc.figures.race import race_for
from agentcalc.figures.words import About
from agentcalc.results import Comparison
from agentcalc.system import Spec

ACROSS, UP = "tools", "speed"
"""The heat map's usual inputs."""
FEW = 200
"""Runs that decide how wide the boxes of a task graph are."""


@dataclass(frozen=True)
class Asked:
    """What a figure is about. trial: the run shown, by default the most ordinary one for the statistic ``by``; pair:
    which candidate; the rest: what only some kinds have, by default as their analysis chooses.

    deadline_s: of the distribution and the histogram, by default the task's; of: "time" or "speedup"; range: how far
    the inputs of a tornado are moved, a share or "own"; x, y: levers of the heat map; under_s: its target, that of
    needs and the limit of p95 of capacity; within_s: times of the budget; basis: power that work is divided by.
    """

    comparison: Comparison
    trial: int | None = None
    by: str = "p50"
    pair: int = 0
    deadline_s: float | None = None
    of: str = "time"
    range: float | str = 0.2
    x: str | None = None
    y: str | None = None
    under_s: float | None = None
    within_s: tuple[float, ...] = ()
    basis: Basis = "tdp"

    @property
    def specs(self) -> tuple[Spec, ...]:
        """Baseline and candidate; the only system where there is but one."""
        specs = self.comparison.specs
        return (specs[0], specs[self.pair + 1]) if self.comparison.pairs else (specs[0],)

    @property
    def about(self) -> About:
        shown = (0, self.pair + 1) if self.comparison.pairs else (0,)
        return several.about(self.comparison, shown)

    @property
    def played(self) -> dict[str, int]:
        """Runs and seed, as an analysis takes them."""
        return {"trials": self.comparison.n_trials, "seed": self.comparison.seed}


def drawn(kind: str, asked: Asked) -> Figure:
    """The figure of a kind, with its list of assumptions. Raises NotFoundError where the comparison has none, with the
    reason, and InputError for what is asked of it wrongly.
    """
    if kind not in BUILDERS:
        raise NotFoundError(Fault("kind", "", f"there is no figure called '{kind}'", f"use one of {', '.join(NAMES)}"))
    return several.assuming({kind: BUILDERS[kind](asked)}, asked.comparison, asked.pair)[kind]


def every(asked: Asked, left_out: Callable[[str, str], None] | None = None) -> Iterator[tuple[str, Figure]]:
    """All figures that a comparison has, one after the other, by kind. left_out: told of each kind that it has not, and
    why.
    """
    for kind in NAMES:
        try:
            figure = drawn(kind, asked)
        except InputError as error:
            if left_out:
                left_out(kind, error.faults[0].found)
            continue
        yield kind, figure


def _none(kind: str, why: str, remedy: str) -> NotFoundError:
    return NotFoundError(Fault(f"--kind {kind}", "", why, remedy))


def _paired(kind: str, asked: Asked) -> None:
    if not asked.comparison.pairs:
        raise _none(kind, "it compares two systems, and there is one", "name a baseline and a candidate")


def _timed(kind: str, asked: Asked) -> None:
    if not (asked.comparison.task_seconds > 0).any():
        raise _none(kind, "nothing in this task takes time", "give a task in which something does")


def _of_comparison(kind: str, why: str) -> Callable[[Asked], Figure]:
    """A figure of the comparison itself."""

    def build(asked: Asked) -> Figure:
        _timed(kind, asked)
        if kind not in ("timeline", "distribution"):
            _paired(kind, asked)
        found = several.figures_for(asked.comparison, asked.trial, asked.by, asked.pair, asked.deadline_s)
        if kind not in found:
            raise _none(kind, why, f"it has {', '.join(found)}")
        return found[kind]

    return build


NO_RUN = "the run shown takes no time"
NO_CALL = "the task makes no model calls, or one system is several"


def _histogram(asked: Asked) -> Figure:
    _timed("histogram", asked)
    return several.histogram_for(asked.comparison, asked.pair, asked.deadline_s)


def _tool_share(asked: Asked) -> Figure:
    _timed("tool_share", asked)
    _paired("tool_share", asked)
    found = tools_cap(asked.comparison, asked.pair, asked.by)
    if found is None:
        raise _none("tool_share", "the task makes no model calls that take time", "give a task that does")
    return share_figure.figure(found, asked.about)


def _tornado(asked: Asked) -> Figure:
    _timed("tornado", asked)
    found = sensitivity(asked.comparison.task, asked.specs, of=asked.of, by=asked.by, range=asked.range, **asked.played)
    if not any(bar.span > 0 for bar in found.bars):
        raise _none("tornado", "no input moves the answer", "give a task in which one does, or a wider --range")
    return tornado_figure.of_sensitivity(found, asked.about)


def _heat_map(asked: Asked) -> Figure:
    _timed("heat_map", asked)
    if asked.of == "speedup":
        _paired("heat_map", asked)
    x, y = _axes(asked)
    played = asked.played | {"by": asked.by, "target_s": asked.under_s}
    found = sweep(asked.comparison.task, asked.specs, x, y, **played)
    return heat_map_figure.of_sweep(found, asked.about, asked.of)


def _axes(asked: Asked) -> tuple[Lever | str, Lever | str]:
    """The inputs across and up: those asked for, else tools and speed, else the first that can be moved together."""
    task, specs = asked.comparison.task, asked.specs
    known = [lever for lever in levers(task, specs) if asked.of == "speedup" or not lever.id.startswith("baseline.")]
    by_id = {lever.id: lever for lever in known}
    given_x, given_y = (None if name is None else find_lever(task, specs, name) for name in (asked.x, asked.y))

    def usual(name: str, other: Lever | None) -> Lever:
        order = [*([by_id[name]] if name in by_id else []), *known]
        found = next((lever for lever in order if other is None or not lever.clashes(other)), None)
        if found is None:
            raise _none("heat_map", "it has no two inputs that can be moved together", "give another task")
        return found

    y = given_y or usual(UP, given_x)
    return given_x or usual(ACROSS, y), y


def _operating_points(asked: Asked) -> Figure:
    specs = asked.comparison.specs
    if any(len(spec.parts) > 1 for spec in specs):
        raise _none("operating_points", "a system that is several has no point of its own", "name single systems")
    systems = [spec.parts[0] for spec in specs]
    roles = ["baseline", "candidate", *["other"] * len(systems)]
    lines = [Line(*one) for one in zip(systems, names(systems), roles, strict=False)]
    model = models(systems)
    try:
        return points_figure.figure(lines, basis=asked.basis, model=model[0] if len(model) == 1 else None)
    except ValueError as error:
        found = f"{error}, per kW of {BASIS_WORDS[asked.basis]}"
        raise _none("operating_points", found, "name a system with tokens per chip") from error


def _budget(asked: Asked) -> Figure:
    _timed("budget", asked)
    found = within_times(asked.comparison, asked.within_s or WITHIN_S)
    if asked.comparison.pairs:
        # The figure is of the first two.
        found = replace(found, systems=(found.systems[0], found.systems[asked.pair + 1]))
    at = telling_s(found)
    return budget_figure.figure(found, asked.about, measure_for(found, at), at)


def _speedup(asked: Asked) -> Figure:
    if not asked.comparison.calls.any():
        raise _none("speedup", "the task makes no model calls", "give a task that does")
    base, *others = asked.specs
    curve = speedup_curve(asked.comparison.task, base, others, **asked.played)
    return speedup_figure.figure([curve], asked.about, asked.by)


def _race(asked: Asked) -> Figure:
    _timed("race", asked)
    _paired("race", asked)
    return race_still.figure(race_for(asked.comparison, asked.trial, asked.by, asked.pair))


def _task_graph(asked: Asked) -> Figure:
    found = asked.comparison
    base, mean = found.systems[0], found.systems[0].task_s["mean"]
    few = replace(found, n_trials=min(FEW, found.n_trials)).steps()
    ordered = sorted(found.calls[0].tolist())
    return graph_figure.figure(
        found.task,
        graph_figure.seconds_a_play(few, base.id),
        several.about(found, (0,)),
        system=names(found.specs)[0],
        calls=float(ordered[len(ordered) // 2]),
        tool_share=base.components_s["tool"] / mean if mean else 0.0,
    )


def _needs(asked: Asked) -> Figure:
    _timed("needs", asked)
    found = levers_to_target(asked.comparison.task, asked.specs, asked.under_s, by=asked.by, **asked.played)
    if not found.solutions:
        raise _none("needs", "no input changes anything", "give a task in which one does")
    return needs_figure.figure(found, asked.about)


def _people(asked: Asked) -> Figure:
    _timed("people", asked)
    found = waits_of(asked.comparison)
    if not found.waits:
        raise _none("people", "nobody waits for this task", "give a task that somebody waits for")
    return people_figure.figure(found, several.about(asked.comparison))


def _capacity(asked: Asked) -> Figure:
    curved = [spec for spec in reversed(asked.specs) if _has_curve(spec)]
    if not curved:
        raise _none("capacity", "neither system was measured at several loads", "name one that was, with --system")
    keys = {"limit_s": asked.under_s, "basis": asked.basis, "spread": closely} | asked.played
    found = agents_sharing(asked.comparison.task, curved[0], **keys)
    if len(found.served) < 2:
        raise _none("capacity", "one agent already fills the system", "name a system with a longer curve")
    figure = capacity_figure.figure(found)
    return replace(figure, assumptions=tuple(found.assumptions))


def _has_curve(spec: Spec) -> bool:
    if len(spec.parts) > 1:
        return False
    try:
        along_curve(spec.parts[0])
    except NotFoundError:
        return False
    return True


BUILDERS: dict[str, Callable[[Asked], Figure]] = {
    "timeline": _of_comparison("timeline", NO_RUN),
    "accumulation": _of_comparison("accumulation", NO_RUN),
    "components": _of_comparison("components", NO_RUN),
    "distribution": _of_comparison("distribution", NO_RUN),
    "histogram": _histogram,
    "tool_share": _tool_share,
    "tornado": _tornado,
    "heat_map": _heat_map,
    "operating_points": _operating_points,
    "break_even": _of_comparison("break_even", NO_CALL),
    "budget": _budget,
    "speedup": _speedup,
    "race": _race,
    "task_graph": _task_graph,
    "needs": _needs,
    "people": _people,
    "capacity": _capacity,
}
assert tuple(BUILDERS) == tuple(kind.name for kind in KINDS)
