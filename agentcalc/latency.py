"""One model call in seconds: pure functions of tokens, and what a system says about them.

All functions take numpy arrays or plain numbers, which broadcast; seconds and tokens throughout.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from agentcalc.system import System

N = TypeVar("N", float, np.ndarray)


def ttft_s(uncached_tokens: N, fixed_s: N, per_token_s: N) -> N:
    """Time to first token: fixed_s + per_token_s * uncached_tokens (design, section 2)."""
    return fixed_s + per_token_s * uncached_tokens


def decode_s(output_tokens: N, tpot_s: N) -> N:
    """Writing the tokens after the first: max(output_tokens - 1, 0) * tpot_s (the identity InferenceX uses)."""
    return np.maximum(output_tokens - 1.0, 0.0) * tpot_s


def call_s(uncached_tokens: N, output_tokens: N, profile: Profile) -> N:
    """One call end to end: overhead_s + ttft_s + decode_s; with 0 output tokens the prefill only."""
    first = ttft_s(uncached_tokens, profile.fixed_s, profile.per_token_s)
    return profile.overhead_s + first + decode_s(output_tokens, profile.tpot_s)


def split_ttft(ttft: float, at_tokens: float, fixed_share: float) -> tuple[float, float]:
    """(fixed_s, per_token_s) of the line through a TTFT at a prompt length whose fixed part is fixed_share of it.

    fixed_s = s T, per_token_s = (1 - s) T / at_tokens (benchmark facts, section 5).
    """
    return fixed_share * ttft, (1.0 - fixed_share) * ttft / at_tokens


def break_even_output_tokens(uncached_tokens: float, a: Profile, b: Profile) -> float | None:
    """The output length at which two systems finish a call together, at this many uncached tokens.

    overhead + ttft + (n - 1) tpot is equal on both at n; None when no n of at least 1 does it: one is always first.
    """
    lead = (b.overhead_s + ttft_s(uncached_tokens, b.fixed_s, b.per_token_s)) - (
        a.overhead_s + ttft_s(uncached_tokens, a.fixed_s, a.per_token_s)
    )
    gain = a.tpot_s - b.tpot_s
    # Two ways of writing one speed differ by rounding; they do not cross.
    if abs(gain) <= 1e-9 * max(a.tpot_s, b.tpot_s) or lead / gain < 0:
        return None
    return 1.0 + lead / gain


@dataclass(frozen=True)
class Profile:
    """What the walk needs of a system, in seconds: overhead, the line of TTFT over uncached tokens, and TPOT.

    uncached_range, context_range: tokens between which it was measured, (low, high); None: not said, so all of it is
    measured.
    """

    fixed_s: float
    per_token_s: float
    tpot_s: float
    overhead_s: float = 0.0
    uncached_range: tuple[float, float] | None = None
    context_range: tuple[float, float] | None = None


INSTANT = Profile(0.0, 0.0, 0.0)
"""A system on which calls take no time."""


def profile(system: System, ends: dict[str, float] | None = None) -> Profile:
    """The profile of a system; ``ends`` puts some unknowns at the low (0.0) or high (1.0) end of their bands."""
    ends = ends or {}
    point = system.point
    ttft = point.ttft.seconds(ends.get("ttft"))
    share = system.fixed_share.at(ends.get("fixed_share"))
    fixed_s, per_token_s = split_ttft(ttft, point.ttft_at_tokens, share)
    ranges = system.measured
    return Profile(
        fixed_s=fixed_s,
        per_token_s=per_token_s,
        tpot_s=point.tpot.seconds(ends.get("tpot")),
        overhead_s=0.0 if system.overhead is None else system.overhead.seconds(ends.get("overhead")),
        uncached_range=None if ranges is None else (ranges.uncached_tokens.low, ranges.uncached_tokens.high),
        context_range=None if ranges is None else (ranges.context_tokens.low, ranges.context_tokens.high),
    )
