"""Figures: tidy tables in, charts with their words out.

    figures = figures_for(comparison)
    figures["timeline"].title
    figures["timeline"].chart("full", dark=True)

    drawn("tornado", Asked(comparison))

Nothing here plays a task by itself: figures draw what a comparison or an analysis has found. Names are loaded when
first used, so that the list of kinds (``figures.kinds``) costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module

_HOMES = {
    "Figure": "figure",
    "KINDS": "several",
    "about": "several",
    "figures_for": "several",
    "Asked": "asked",
    "drawn": "asked",
    "every": "asked",
}

__all__ = ["KINDS", "Asked", "Figure", "about", "drawn", "every", "figures_for"]


def __getattr__(name: str):
    if name not in _HOMES:
        raise AttributeError(f"module 'agentcalc.figures' has no attribute '{name}'")
    return getattr(import_module(f"agentcalc.figures.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
