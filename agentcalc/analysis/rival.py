"""The stronger rival a sceptic asks about: the baseline's accelerator writing faster for the same model."""

from __future__ import annotations

from collections.abc import Iterable

from agentcalc.provenance import Grade
from agentcalc.system import System


def stronger_rival(baseline: System, candidate: System, systems: Iterable[System]) -> System | None:
    """The measured system for the pair's model that writes fastest, and faster than the baseline; None without one.

    systems: those to choose from. A rival runs on the baseline's accelerator or on that of the first of them for the
    model, the one it is usually compared with. The candidate's own vendor is no rival of it; different models have no
    rival, and neither have systems placed at a load, since each system's own point is another one.
    """
    if "@" in baseline.id or "@" in candidate.id:
        return None
    if len(baseline.parts) > 1 or len(candidate.parts) > 1:
        return None  # a rival of one system says nothing about several
    if baseline.model is None or baseline.model != candidate.model:
        return None
    same = [system for system in systems if system.model == baseline.model]
    usual = {baseline.accelerator, *(system.accelerator for system in same[:1])} - {candidate.accelerator}

    def stands(system: System) -> bool:
        tpot = system.point.tpot
        return (
            system.accelerator in usual
            and tpot.grade is Grade.MEASURED
            and tpot.seconds() < baseline.point.tpot.seconds()
        )

    return min(filter(stands, same), key=lambda system: system.point.tpot.seconds(), default=None)
