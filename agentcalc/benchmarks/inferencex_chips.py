"""How many chips a row of InferenceX used, and in which layout.

For a row whose prefill and decode are not apart, num_prefill_gpu and num_decode_gpu are both tp x ep: neither the sum
nor either of them is the number of chips, which is tp (times pp).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agentcalc.benchmarks.fields import count

_SIDES = ("", "decode_", "prefill_")


def _yes(row: Mapping[str, Any], key: str) -> bool:
    return row.get(key) in (True, "true", "True")


def _size(row: Mapping[str, Any], numbers: Mapping[str, Any], key: str, where: str) -> int | None:
    return count(row, key, where) or count(numbers, key, where) or None


def _side(row: dict[str, Any], numbers: Mapping[str, Any], side: str, where: str) -> tuple[int | None, int | None]:
    """Chips of one engine and the engines, of ``prefill_``, ``decode_`` or a row's only side (an empty text)."""
    tp, pp, cp = (_size(row, numbers, f"{side}{way}", where) for way in ("tp", "pp", "pcp_size"))
    return (tp * (pp or 1) * (cp or 1) if tp else None), _size(row, numbers, f"{side}num_workers", where)


def used(row: dict[str, Any], numbers: Mapping[str, Any], where: str) -> tuple[int | None, int | None, tuple[str, ...]]:
    """Chips of a run, those of them that decode where prefill and decode are apart, and notes. Chips are None where the
    row does not tell. Raises InputError where a size is no whole number.
    """
    if _yes(row, "disagg"):
        counted = [_size(row, numbers, f"num_{side}_gpu", where) for side in ("prefill", "decode")]
        for at, side in enumerate(("prefill_", "decode_")):
            engine, engines = _side(row, numbers, side, where)
            if counted[at] is None and engine and engines:
                counted[at] = engine * engines
        prefill, decode = counted
        return (prefill + decode if prefill and decode else None), decode, ()
    # One set of engines, under one, two or all of these names; only some of them may carry its pipelines and engines.
    pipelines = max(_size(row, numbers, f"{side}pp", where) or 1 for side in _SIDES)
    chips = spread_over = 0
    for side in _SIDES:
        engine, engines = _side(row, numbers, side, where)
        if engine:
            tp, experts = (_size(row, numbers, f"{side}{way}", where) or 1 for way in ("tp", "ep"))
            chips = max(chips, max(engine, tp * pipelines) * (engines or 1))
            spread_over = max(spread_over, experts * (engines or 1))
    if spread_over > chips:
        # Experts are spread over more chips than one tensor group has: replicas that share them.
        note = f"Experts are spread over {spread_over} chips, attention over {chips}: counted as {spread_over} chips."
        return spread_over, None, (note,)
    return chips or None, None, ()


def layout(row: dict[str, Any], numbers: Mapping[str, Any], where: str) -> str | None:
    """``TP8,EP8,DPA``; where prefill and decode are apart ``P 2x(TP4) + D 1x(TP8,EP8,DPA)``."""
    apart = _yes(row, "disagg")
    shown = {side: _engine(row, numbers, side, where) for side in _SIDES}
    if apart and shown["prefill_"] and shown["decode_"]:
        engines = {side: _side(row, numbers, side, where)[1] or "?" for side in ("prefill_", "decode_")}
        return f"P {engines['prefill_']}x({shown['prefill_']}) + D {engines['decode_']}x({shown['decode_']})"
    return next((text for text in shown.values() if text), None)


def _engine(row: dict[str, Any], numbers: Mapping[str, Any], side: str, where: str) -> str | None:
    tp = _size(row, numbers, f"{side}tp", where)
    if not tp:
        return None
    parts = [f"TP{tp}"]
    for name in ("pp", "ep"):
        size = _size(row, numbers, f"{side}{name}", where)
        if size and size > 1:
            parts.append(f"{name.upper()}{size}")
    if _yes(row, f"{side}dp_attention"):
        parts.append("DPA")
    return ",".join(parts)
