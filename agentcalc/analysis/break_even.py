"""Which of two systems finishes one call first, by the number of tokens it writes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from agentcalc.latency import Profile, break_even_output_tokens, call_s, profile
from agentcalc.system import System

POINTS = 41


@dataclass(frozen=True)
class Crossing:
    """The output length at which two systems finish a call together.

    tokens: None when one of them is first at every length. low, high: over every combination of what is unknown about
    the two; low None: somewhere there the faster writer is first at every length; high None: somewhere the other is.
    first, last: which finishes the shortest and the longest call first, "a" or "b".
    """

    tokens: float | None
    low: float | None
    high: float | None
    first: str
    last: str

    def undecided(self, tokens: np.ndarray) -> np.ndarray:
        """Whether it is unknown which system finishes calls of these lengths first, boolean of the same shape."""
        tokens = np.asarray(tokens, dtype=float)
        if self.tokens == self.low == self.high or (self.low is None and self.high is None and self.tokens is None):
            return np.zeros(tokens.shape, dtype=bool)
        low = 1.0 if self.low is None else self.low
        high = np.inf if self.high is None else self.high
        return (tokens > low) & (tokens < high)


def profiles(system: System) -> list[Profile]:
    """The system as it is, and at every combination of the ends of its unknowns."""
    return [profile(system), *(profile(system, ends) for ends in system.corners())]


def lines(
    system_a: System,
    system_b: System,
    uncached_tokens: float,
    longest: float = 1000,
    context_tokens: float | None = None,
    labels: tuple[str, str] | None = None,
) -> pd.DataFrame:
    """Seconds of one call on two systems: columns system, label, role ("a" or "b"), tokens (written, 1 to ``longest``),
    seconds, low_s and high_s (over what is unknown).

    uncached_tokens: what the call must read before it writes; context_tokens: its whole prompt, None: the same;
    labels: what the systems are called, None: their own labels.
    """
    tokens = np.unique(np.round(np.linspace(1, max(2.0, longest), POINTS)))
    found = [
        np.array([call_s(uncached_tokens, tokens, one, context_tokens) for one in profiles(system)])
        for system in (system_a, system_b)
    ]
    n, (a, b) = len(tokens), labels or (system_a.label, system_b.label)
    return pd.DataFrame(
        {
            "system": [system_a.id] * n + [system_b.id] * n,
            "label": [a] * n + [b] * n,
            "role": ["a"] * n + ["b"] * n,
            "tokens": np.concatenate([tokens, tokens]),
            "seconds": np.concatenate([seconds[0] for seconds in found]),
            "low_s": np.concatenate([seconds.min(axis=0) for seconds in found]),
            "high_s": np.concatenate([seconds.max(axis=0) for seconds in found]),
        }
    )


def crossing(
    system_a: System, system_b: System, uncached_tokens: float, context_tokens: float | None = None
) -> Crossing:
    """Where the two meet, over everything unknown, and who is first on either side. Tokens as in :func:`lines`."""
    all_a, all_b = profiles(system_a), profiles(system_b)
    context = uncached_tokens if context_tokens is None else context_tokens
    pairs = [(a, b) for a in all_a for b in all_b]
    found = [break_even_output_tokens(uncached_tokens, a, b, context) for a, b in pairs]
    known = [tokens for tokens in found if tokens is not None]
    low, high = (min(known), max(known)) if known else (None, None)
    first = _first(uncached_tokens, all_a[0], all_b[0])
    tpot = all_a[0].token_s(context), all_b[0].token_s(context)
    last = "a" if tpot[0] < tpot[1] else "b" if tpot[1] < tpot[0] else first
    # Where the faster writer wins at any length the two meet before the first token, as it were; where it loses, never.
    always = {_first(uncached_tokens, a, b) for (a, b), tokens in zip(pairs, found, strict=True) if tokens is None}
    low = None if last in always else low
    high = None if always - {last} else high
    return Crossing(found[0], low, high, first, first if found[0] is None else last)


def _first(uncached: float, a: Profile, b: Profile) -> str:
    return "a" if call_s(uncached, 1.0, a) <= call_s(uncached, 1.0, b) else "b"
