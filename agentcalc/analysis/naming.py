"""What sentences call the systems, and what is unknown about them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agentcalc.results import Basis, Comparison
from agentcalc.system import System

UNKNOWN_NUMBERS = {
    "ttft": "how long its first token takes",
    "fixed_share": "how its first-token time grows with the prompt",
    "tpot": "how fast it writes",
    "overhead": "what each call costs besides",
}
"""Words for a number that carries a band but no words of its own."""


def short_name(system: System) -> str:
    """A system in a sentence: its label, and "with MTP" where it predicts several tokens at once."""
    return f"{system.label} with MTP" if system.mtp and "MTP" not in system.label else system.label


def names(systems: Sequence[System]) -> tuple[str, ...]:
    """Short names that tell systems apart: where labels are the same, with the model, the load or the id."""
    found = [short_name(system) for system in systems]
    for longer in (_with_model, _with_load, lambda system: system.id):
        twice = {name for name in found if found.count(name) > 1}
        found = [longer(system) if name in twice else name for name, system in zip(found, systems, strict=True)]
    return tuple(found)


def models(systems: Sequence[System]) -> tuple[str, ...]:
    """What the models of systems are called, each once; of several labels of one model the one that is no path."""
    labels: dict[str | None, list[str]] = {}
    for system in systems:
        if system.model_label or system.model:
            labels.setdefault(system.model or system.model_label, []).append(system.model_label or system.model)
    return tuple(min(those, key=lambda label: "/" in label) for those in labels.values())


def _with_model(system: System) -> str:
    model = system.model_label or system.model
    return f"{short_name(system)} ({model})" if model else short_name(system)


def _with_load(system: System) -> str:
    users = system.point.concurrency
    return _with_model(system) if users is None else f"{_with_model(system)} at {users} users"


CHIEF = 0.2
"""An unknown that moves the task less than this share of what the chief unknown moves is not part of a sentence."""


def unknown_words(comparison: Comparison, players: Sequence[int]) -> str:
    """What a result depends on: "how ..., which OpenAI has not published"; empty when nothing unknown matters.

    Only the unknowns that move the answer most are said; all of them stand under what a result rests on.
    players: indices of the systems to speak of, the most interesting first.
    """
    said: dict[str, list[str]] = {}
    called = names(comparison.specs)
    chief = max((row.moves_s for player in players for row in comparison.systems[player].basis), default=0.0)
    for player in players:
        whose = called[player]
        for row in comparison.systems[player].basis:
            if row.matters and row.band is not None and row.moves_s >= CHIEF * chief and row.moves_s > 0:
                words = said.setdefault(comparison.specs[player].vendor or "", [])
                text = _words(row)
                # The first of a system's unknowns names it: "how Jalapeño's first-token time grows with the prompt".
                words.append(re.sub(r"\bits\b", f"{whose}'s", text, count=1) if whose else text)
                whose = ""
    clauses = []
    for vendor, words in said.items():
        nobody = f"which {vendor} has not published" if vendor else "which is not published"
        clauses.append(f"{' and '.join(words)}, {nobody}")
    return ", and ".join(clauses)


def _words(row: Basis) -> str:
    # A clause of its own ("..., which follows from rounded figures") would collide with the one about the vendor.
    if row.unknown:
        return row.unknown.partition(", which")[0]
    return UNKNOWN_NUMBERS.get(row.name.split(".")[-1], f"its {row.name}")
