"""How the seconds between two systems add up along one run: step by step, from its timeline.

A *step* here is one model call with what follows it until the next call; a parallel block is one step as a whole,
since only its end says when the work goes on.
"""

from __future__ import annotations

from itertools import groupby

import pandas as pd

from agentcalc.latency import call_s, profile
from agentcalc.system import System

UNTOUCHED = ("tool", "human")
"""Components that no system can shorten."""
LOST = ("refill", "retry", "attention")
"""Components of seconds lost at a threshold: a cache lost, a call made again, a person lost."""


def stages(timeline: pd.DataFrame) -> dict[int, int]:
    """The step, counted from 1, that each ``event`` of a timeline belongs to.

    What comes before the first call belongs to the first step.
    """
    found: dict[int, int] = {}
    stage, has_call, in_block = 1, False, False
    events = timeline.drop_duplicates("event").sort_values("event")
    for event, branch, kind in zip(events["event"], events["branch"], events["kind"], strict=True):
        block, call = bool(branch), kind == "model_call"
        if (block and not in_block and has_call) or (call and not block and has_call):
            stage, has_call = stage + 1, False
        has_call = has_call or call or block
        in_block = block
        found[int(event)] = stage
    return found


def stage_words(timeline: pd.DataFrame) -> str:
    """ "call" when every step holds exactly one model call, else "step"."""
    calls = timeline[timeline["kind"] == "model_call"].drop_duplicates("event")
    counts = calls["event"].map(stages(timeline)).value_counts()
    every = len(counts) == max(stages(timeline).values(), default=0)
    return "call" if every and (counts == 1).all() else "step"


def accumulation(
    timeline: pd.DataFrame, baseline: str, candidate: str, instant: dict[int, float] | None = None
) -> pd.DataFrame:
    """Seconds since the request after each step of one run: columns step (0 first), system, label, role, seconds.

    timeline: of ``Comparison.timeline``; baseline, candidate: system ids. ``role`` is "baseline", "candidate", "gap"
    (baseline less candidate) or "alone" (tools and people alone: what is left when calls take no time). instant:
    seconds by step of the instant system; without it they are added up along the baseline's critical path.
    Raises ValueError when a system is not in the timeline.
    """
    found = stages(timeline)
    labels, ends = {}, {}
    for role, system in (("baseline", baseline), ("candidate", candidate)):
        mine = timeline[timeline["system"] == system]
        if mine.empty:
            raise ValueError(f"{system} is not in this timeline")
        labels[role], ends[role] = mine["label"].iloc[0], _ends(mine, found)
    steps = range(max(found.values(), default=0) + 1)
    ends["gap"] = {step: ends["baseline"][step] - ends["candidate"][step] for step in steps}
    ends["alone"] = instant or _alone(timeline[timeline["system"] == baseline], found)
    ids = {"baseline": baseline, "candidate": candidate, "gap": candidate, "alone": "instant"}
    labels |= {"gap": "difference", "alone": "tools alone"}
    rows = [
        {"step": step, "system": ids[role], "label": labels[role], "role": role, "seconds": ends[role][step]}
        for role in ends
        for step in steps
    ]
    return pd.DataFrame(rows)


def _ends(mine: pd.DataFrame, found: dict[int, int]) -> dict[int, float]:
    path = mine[mine["critical"]]
    last = path["end_s"].groupby(path["event"].map(found)).max()
    ends, at = {0: 0.0}, 0.0
    for step in range(1, max(found.values(), default=0) + 1):
        at = max(at, float(last.get(step, at)))
        ends[step] = at
    return ends


def _alone(mine: pd.DataFrame, found: dict[int, int]) -> dict[int, float]:
    """Tools and people one after the other, the longest branch of a parallel block counting."""
    path = mine[mine["critical"] & mine["component"].isin(UNTOUCHED)]
    spent = (path["end_s"] - path["start_s"]).groupby(path["event"].map(found)).sum()
    ends, at = {0: 0.0}, 0.0
    for step in range(1, max(found.values(), default=0) + 1):
        at += float(spent.get(step, 0.0))
        ends[step] = at
    return ends


def lost(timeline: pd.DataFrame, baseline: str, candidate: str) -> tuple[list[float], str]:
    """Seconds that the baseline lost at thresholds and the candidate did not, after each step of one run (0 first), and
    the component that makes most of them ("" when they come to nothing).

    Taken along each system's critical path; negative where the candidate lost more. Near the compounded part of this
    run, but not it: that takes the candidate's own run with the baseline's outcomes.
    """
    found = stages(timeline)
    path = timeline[timeline["critical"] & timeline["component"].isin(LOST)]
    last = max(found.values(), default=0)
    if path.empty:
        return [0.0] * (last + 1), ""
    sign = path["system"].map({baseline: 1.0, candidate: -1.0}).fillna(0.0)
    spent = (path["end_s"] - path["start_s"]) * sign
    by_step = spent.groupby(path["event"].map(found)).sum()
    total, seconds = 0.0, [0.0]
    for step in range(1, last + 1):
        total += float(by_step.get(step, 0.0))
        seconds.append(total)
    by_kind = spent.groupby(path["component"]).sum()
    return seconds, str(by_kind.idxmax()) if len(by_kind) and by_kind.max() > 0 else ""


def largest_step(table: pd.DataFrame) -> tuple[int, float]:
    """The step that makes most of the final gap and the seconds it makes, signed as the gap is; (0, 0.0): no gap."""
    gap = table[table["role"] == "gap"].sort_values("step")["seconds"]
    final, made = float(gap.iloc[-1]), gap.diff().iloc[1:].to_numpy()
    if not len(made) or final == 0:
        return 0, 0.0
    best = int((made if final > 0 else -made).argmax())
    return best + 1, float(made[best])


def run_band(timeline: pd.DataFrame, system: System, system_id: str | None = None) -> pd.DataFrame | None:
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
    found = stages(timeline)
    mine = timeline[(timeline["system"] == (system_id or system.id)) & timeline["critical"]]
    nominal = _ends(timeline[timeline["system"] == (system_id or system.id)], found)
    of_calls = mine[mine["kind"] == "model_call"]
    tokens = of_calls.dropna(subset="tokens").groupby(["event", "component"])["tokens"].first().to_dict()
    calls = [
        (found[event], tokens.get((event, "ttft"), 0.0), tokens.get((event, "decode"), 0.0))
        for event in sorted(of_calls["event"].unique().tolist())
    ]
    now = profile(system)
    shifts = []
    for corner in corners:
        then, total, by_step = profile(system, corner), 0.0, {0: 0.0}
        for step, group in groupby(sorted(calls), key=lambda c: c[0]):
            total += sum(float(call_s(u, n, then) - call_s(u, n, now)) for _, u, n in group)
            by_step[step] = total
        shifts.append(by_step)
    rows = []
    latest = [0.0] * len(shifts)
    for step in nominal:
        latest = [by_step.get(step, before) for by_step, before in zip(shifts, latest, strict=True)]
        rows.append(
            {"step": step, "low_s": nominal[step] + min(0.0, *latest), "high_s": nominal[step] + max(0.0, *latest)}
        )
    return pd.DataFrame(rows)
