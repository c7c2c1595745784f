"""How the seconds between two systems add up along one run: step by step, from its timeline.

A *step* here is one model call with what follows it until the next call; a parallel block is one step as a whole,
since only its end says when the work goes on.

What takes a timeline takes its :class:`Segments` too, which several questions about one run share.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from operator import add

import numpy as np
import pandas as pd

from agentcalc.analysis.segments import Segments, running, seconds_by
from agentcalc.latency import call_s, profile
from agentcalc.system import System

UNTOUCHED = ("tool", "human")
"""Components that no system can shorten."""
LOST = ("refill", "retry", "attention")
"""Components of seconds lost at a threshold: a cache lost, a call made again, a person lost."""


def stages(timeline: pd.DataFrame | Segments) -> dict[int, int]:
    """The step, counted from 1, that each ``event`` of a timeline belongs to.

    What comes before the first call belongs to the first step.
    """
    return Segments.of(timeline).stages


def stage_words(timeline: pd.DataFrame | Segments) -> str:
    """ "call" when every step holds exactly one model call, else "step"."""
    run = Segments.of(timeline)
    counts = Counter(run.stages[event] for event in run.calls)
    return "call" if len(counts) == run.steps and all(count == 1 for count in counts.values()) else "step"


def growth(
    timeline: pd.DataFrame | Segments, baseline: str, candidate: str, instant: dict[int, float] | None = None
) -> dict[str, list[float]]:
    """Seconds since the request after each step of one run, 0 first, by role; see :func:`accumulation`."""
    run = Segments.of(timeline)
    b, c = run.ends(baseline), run.ends(candidate)
    alone = _alone(run, baseline) if instant is None else [instant[step] for step in range(run.steps + 1)]
    return {"baseline": b, "candidate": c, "gap": [x - y for x, y in zip(b, c, strict=True)], "alone": alone}


def accumulation(
    timeline: pd.DataFrame | Segments, baseline: str, candidate: str, instant: dict[int, float] | None = None
) -> pd.DataFrame:
    """Seconds since the request after each step of one run: columns step (0 first), system, label, role, seconds.

    timeline: of ``Comparison.timeline``; baseline, candidate: system ids. ``role`` is "baseline", "candidate", "gap"
    (baseline less candidate) or "alone" (tools and people alone: what is left when calls take no time). instant:
    seconds by step of the instant system; without it they are added up along the baseline's critical path.
    Raises ValueError when a system is not in the timeline.
    """
    run = Segments.of(timeline)
    found, n = growth(run, baseline, candidate, instant), run.steps + 1
    ids = {"baseline": baseline, "candidate": candidate, "gap": candidate, "alone": "instant"}
    labels = {"baseline": run.label(baseline), "candidate": run.label(candidate)}
    labels |= {"gap": "difference", "alone": "tools alone"}
    return pd.DataFrame(
        {
            "step": [step for _ in found for step in range(n)],
            "system": [ids[role] for role in found for _ in range(n)],
            "label": [labels[role] for role in found for _ in range(n)],
            "role": [role for role in found for _ in range(n)],
            "seconds": [seconds for role in found for seconds in found[role]],
        }
    )


def _alone(run: Segments, system: str) -> list[float]:
    """Tools and people one after the other, the longest branch of a parallel block counting."""
    path = (part for part in run.critical if part.system == system and part.component in UNTOUCHED)
    spent = seconds_by(path, lambda part: run.stages[part.event])
    return running([spent.get(step, 0.0) for step in range(run.steps + 1)], add)


def lost(timeline: pd.DataFrame | Segments, baseline: str, candidate: str) -> tuple[list[float], str]:
    """Seconds that the baseline lost at thresholds and the candidate did not, after each step of one run (0 first), and
    the component that makes most of them ("" when they come to nothing).

    Taken along each system's critical path; negative where the candidate lost more. Near the compounded part of this
    run, but not it: that takes the candidate's own run with the baseline's outcomes.
    """
    run = Segments.of(timeline)
    sign = {baseline: 1.0, candidate: -1.0}
    by_step, by_kind = [0.0] * (run.steps + 1), dict.fromkeys(sorted(LOST), 0.0)
    for part in run.critical:
        if part.component in LOST:
            seconds = part.seconds * sign.get(part.system, 0.0)
            by_step[run.stages[part.event]] += seconds
            by_kind[part.component] += seconds
    most = max(by_kind, key=lambda kind: by_kind[kind])
    return running(by_step, add), most if by_kind[most] > 0 else ""


def largest_step(table: pd.DataFrame) -> tuple[int, float]:
    """The step that makes most of the final gap and the seconds it makes, signed as the gap is; (0, 0.0): no gap."""
    return largest_of(table[table["role"] == "gap"].sort_values("step")["seconds"].tolist())


def largest_of(gap: list[float]) -> tuple[int, float]:
    """The same, from the gap after each step, 0 first."""
    made = [after - before for before, after in pairwise(gap)]
    if not made or gap[-1] == 0:
        return 0, 0.0
    best = made.index(max(made) if gap[-1] > 0 else min(made))
    return best + 1, made[best]


def run_band(timeline: pd.DataFrame | Segments, system: System, system_id: str | None = None) -> pd.DataFrame | None:
    """What is unknown about a system, on one run: columns step, low_s, high_s; None when nothing is unknown,
    and for a deployment of several systems.

    Every call on the run's critical path is timed again at every combination of the ends of the system's unknowns; the
    path itself is kept.
    """
    if len(system.parts) > 1:
        return None  # a timeline does not say which of several systems answered
    system = system.parts[0]
    corners = system.corners()
    if not corners:
        return None
    run, mine = Segments.of(timeline), system_id or system.id
    tokens: dict[int, dict[str, float]] = {}
    for part in run.critical:
        if part.system == mine and part.kind == "model_call":
            known = tokens.setdefault(part.event, {})
            if part.tokens == part.tokens:  # else it says none
                known.setdefault(part.component, part.tokens)
    events = sorted(tokens)
    uncached, output = (np.array([tokens[event].get(of, 0.0) for event in events]) for of in ("ttft", "decode"))
    now = call_s(uncached, output, profile(system))
    steps = np.array([run.stages[event] for event in events], dtype=int)
    low, high = np.zeros(run.steps + 1), np.zeros(run.steps + 1)
    for corner in corners:
        longer = np.bincount(steps, call_s(uncached, output, profile(system, corner)) - now, minlength=run.steps + 1)
        longer = np.cumsum(longer)
        low, high = np.minimum(low, longer), np.maximum(high, longer)
    ends = np.array(run.ends(mine))
    return pd.DataFrame({"step": np.arange(run.steps + 1), "low_s": ends + low, "high_s": ends + high})
