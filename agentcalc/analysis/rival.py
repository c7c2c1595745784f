"""The stronger rival a sceptic asks about: the baseline's accelerator writing faster for the same model."""

from __future__ import annotations

from collections.abc import Iterable

from agentcalc.provenance import Grade
from agentcalc.system import System


def stronger_rival(baseline: System, candidate: System, systems: Iterable[System]) -> System | None:
    """The measured system for the pair's model that writes fastest, and faster than the baseline; None without one.

    systems: those to choose from. The candidate's own vendor is no rival of it; different models have no rival.
    """
    if len(baseline.parts) > 1 or len(candidate.parts) > 1:
        return None  # a rival of one system says nothing about several
    if baseline.model is None or baseline.model != candidate.model:
        return None

    def stands(system: System) -> bool:
        tpot = system.point.tpot
        return (
            system.model == baseline.model
            and system.accelerator != candidate.accelerator
            and tpot.grade is Grade.MEASURED
            and tpot.seconds() < baseline.point.tpot.seconds()
        )

    return min(filter(stands, systems), key=lambda system: system.point.tpot.seconds(), default=None)
