"""One model call in seconds: pure functions of tokens, and what a system says about them.

All functions take numpy arrays or plain numbers, which broadcast; seconds and tokens throughout.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from agentcalc.distributions import Amount
from agentcalc.points import CallSpread, Range, Table
from agentcalc.provenance import Number
from agentcalc.system import System
from agentcalc.tails import call_factor

N = TypeVar("N", float, np.ndarray)


def ttft_s(uncached_tokens: N, fixed_s: N, per_token_s: N) -> N:
    """Time to first token: fixed_s + per_token_s * uncached_tokens (design, section 2)."""
    return fixed_s + per_token_s * uncached_tokens


def after_first(output_tokens: N) -> N:
    """The tokens after the first, which take TPOT each: max(output_tokens - 1, 0)."""
    return np.maximum(output_tokens - 1.0, 0.0)


def decode_s(output_tokens: N, tpot_s: N) -> N:
    """Writing the tokens after the first: max(output_tokens - 1, 0) * tpot_s (the identity InferenceX uses)."""
    return after_first(output_tokens) * tpot_s


def along(table: tuple[tuple[float, float], ...], tokens: N) -> N:
    """Seconds at some token counts, in straight lines between the measurements ((tokens, seconds), ...).

    Beyond the ends a line that rises continues, down to 0; one that falls stays level.
    """
    xs, ys = (np.array(column) for column in zip(*table, strict=True))
    found = np.interp(tokens, xs, ys)
    first, last = (max((ys[i + 1] - ys[i]) / (xs[i + 1] - xs[i]), 0.0) for i in (0, len(xs) - 2))
    found = found + last * np.maximum(tokens - xs[-1], 0.0) - first * np.maximum(xs[0] - tokens, 0.0)
    return np.maximum(found, 0.0)


def call_s(uncached_tokens: N, output_tokens: N, profile: Profile, context_tokens: N | None = None) -> N:
    """One call end to end: overhead_s + ttft_s + decode_s; with 0 output tokens the prefill only.

    context_tokens: the whole prompt; None: all of it is uncached.
    """
    context = uncached_tokens if context_tokens is None else context_tokens
    first = profile.first_s(uncached_tokens)
    return profile.overhead_s + first + decode_s(output_tokens, profile.token_s(context))


def split_ttft(ttft: float, at_tokens: float, fixed_share: float) -> tuple[float, float]:
    """(fixed_s, per_token_s) of the line through a TTFT at a prompt length whose fixed part is fixed_share of it.

    fixed_s = s T, per_token_s = (1 - s) T / at_tokens (benchmark facts, section 5).
    """
    return fixed_share * ttft, (1.0 - fixed_share) * ttft / at_tokens


def break_even_output_tokens(
    uncached_tokens: float, a: Profile, b: Profile, context_tokens: float | None = None
) -> float | None:
    """The output length at which two systems finish a call together, at this many uncached tokens.

    overhead + ttft + (n - 1) tpot is equal on both at n; None when no n of at least 1 does it: one is always first.
    context_tokens: the whole prompt; None: all of it is uncached.
    """
    context = uncached_tokens if context_tokens is None else context_tokens
    lead = (b.overhead_s + b.first_s(uncached_tokens)) - (a.overhead_s + a.first_s(uncached_tokens))
    tpot = a.token_s(context), b.token_s(context)
    gain = tpot[0] - tpot[1]
    # Two ways of writing one speed differ by rounding; they do not cross.
    if abs(gain) <= 1e-9 * max(tpot) or lead / gain < 0:
        return None
    return float(1.0 + lead / gain)


@dataclass(frozen=True)
class Profile:
    """What the walk needs of a system, in seconds: overhead, TTFT over uncached tokens, TPOT over the prompt.

    TTFT is the line fixed_s + per_token_s * uncached, or ttft_table ((tokens, s), ...) where it was measured at several
    lengths; TPOT is tpot_s, or tpot_table over the prompt's tokens. uncached_range, context_range: tokens between which
    it was measured, (low, high); None: not said, so all of it is measured. ttft_tail, tpot_tail: what a call's TTFT and
    TPOT are multiplied by, drawn anew for each call; None: every call is alike.
    """

    fixed_s: float
    per_token_s: float
    tpot_s: float
    overhead_s: float = 0.0
    uncached_range: tuple[float, float] | None = None
    context_range: tuple[float, float] | None = None
    ttft_table: tuple[tuple[float, float], ...] | None = None
    tpot_table: tuple[tuple[float, float], ...] | None = None
    ttft_tail: Amount | None = None
    tpot_tail: Amount | None = None

    @property
    def plain(self) -> bool:
        """Whether a call's seconds follow from its tokens by one line: no table, no tail."""
        return self.ttft_table is self.tpot_table is self.ttft_tail is self.tpot_tail is None

    def first_s(self, uncached_tokens: N) -> N:
        """Mean TTFT, s, at some uncached tokens."""
        if self.ttft_table is not None:
            return along(self.ttft_table, uncached_tokens)
        return ttft_s(uncached_tokens, self.fixed_s, self.per_token_s)

    def token_s(self, context_tokens: N) -> N:
        """Mean TPOT, s, after a prompt of some tokens."""
        return self.tpot_s if self.tpot_table is None else along(self.tpot_table, context_tokens)


INSTANT = Profile(0.0, 0.0, 0.0)
"""A system on which calls take no time."""


def profile(system: System, ends: dict[str, float] | None = None) -> Profile:
    """The profile of a system; ``ends`` puts some unknowns at the low (0.0) or high (1.0) end of their bands."""
    ends = ends or {}
    point = system.point
    ttft, tpot = point.ttft.seconds(ends.get("ttft")), point.tpot.seconds(ends.get("tpot"))
    lengths, contexts = point.ttft_over_prompt, point.tpot_over_context
    share = 0.0 if system.fixed_share is None else system.fixed_share.at(ends.get("fixed_share"))
    fixed_s, per_token_s = split_ttft(ttft, point.ttft_at_tokens, share)
    ranges = system.measured
    return Profile(
        fixed_s=fixed_s,
        per_token_s=per_token_s,
        tpot_s=tpot,
        overhead_s=0.0 if system.overhead is None else system.overhead.seconds(ends.get("overhead")),
        uncached_range=_range(lengths, ranges and ranges.uncached_tokens),
        context_range=_range(contexts, ranges and ranges.context_tokens),
        ttft_table=lengths and lengths.seconds(),
        tpot_table=contexts and contexts.seconds(),
        ttft_tail=_tail(point.ttft, point.ttft_spread) if system.tails else None,
        tpot_tail=_tail(point.tpot, point.tpot_spread) if system.tails else None,
    )


def _range(table: Table | None, stated: Range | None) -> tuple[float, float] | None:
    """Where something was measured: between a table's ends, which are means of a load's lengths, and where it is stated
    to be, which has that load's shortest and longest, and its answers.
    """
    ends = [(r.low, r.high) for r in (stated,) if r is not None]
    if table is not None:
        ends.append((table.tokens[0], table.tokens[-1]))
    return (min(low for low, _ in ends), max(high for _, high in ends)) if ends else None


def _tail(number: Number, spread: CallSpread | None) -> Amount | None:
    return None if spread is None else call_factor(number.value, spread)
