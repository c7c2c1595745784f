"""Energy and price of a task in sentences, each about one operating point."""

from __future__ import annotations

from collections.abc import Sequence

from agentcalc.accelerators import BASIS_WORDS
from agentcalc.analysis.banded import in_words, order
from agentcalc.analysis.energy import AtPoint, Energy, Which
from agentcalc.units import NBSP, show_about, show_count, show_ratio


def show_energy(wh: float) -> str:
    """Watt-hours, or kilowatt-hours from 1,000: "0.050 Wh", "9.9 Wh", "1.2 kWh"."""
    if wh >= 999.5:
        return f"{show_about(wh / 1000)}{NBSP}kWh"
    return f"{show_about(wh)}{NBSP}Wh"


def show_usd(price: float) -> str:
    """US dollars with two significant digits, whole cents from 10 cents: "USD 0.0085", "USD 0.34", "USD 12"."""
    return f"USD{NBSP}{show_about(price)}" if price < 0.095 or price >= 9.95 else f"USD{NBSP}{price:.2f}"


def energy_line(found: Sequence[Energy], which: Which = "throughput") -> str:
    """One sentence about the baseline and the first candidate, each at its own point; of one system alone, about it.
    Empty where nobody states it of any of them.
    """
    known = [(one, point) for one in reversed(found[:2]) if (point := one.at(which)) is not None]
    if not known:
        return ""
    where = {"throughput": "where it does most work", "latency": "where its task time is taken"}.get(which, "")
    said = ", ".join(_taken(one, point, where if i == 0 else "") for i, (one, point) in enumerate(known))
    basis = f"per kW of {BASIS_WORDS[found[0].basis]}"
    if len(known) == 1:
        return f"A task takes {said} ({basis})."
    candidate, baseline = (point.wh for _, point in known)
    case = order(candidate, baseline)
    if case == "close":
        return f"Too close to call: a task takes {said} ({basis})."
    more = max(candidate.value, baseline.value) / min(candidate.value, baseline.value)
    winner = known[0][0].name if case == "less" else known[1][0].name
    end = "" if case == "same" else f": {show_ratio(more)} less on {winner}"
    return f"A task takes {said} ({basis}){end}."


def _taken(one: Energy, point: AtPoint, where: str) -> str:
    return f"{in_words(point.wh, show_energy)} on {one.name}{f' {where}' if where else ''}"


def points_apart(one: Energy) -> str:
    """The warning that belongs beside a task time and a figure of work per kilowatt that are of two points; empty where
    every figure is of the point of the task time.
    """
    others = [point for point in one.points if not point.rate.own]
    if not others:
        return ""
    best = others[0].rate
    speed = "" if best.speed is None else f" ({_speed(best.speed)})"
    apart = f"{one.name} does {show_count(best.mixed.value)} tok/s/kW at {best.at}{speed}"
    if one.at("latency") is None:
        return f"{apart}; nobody states its work per kW at the point of its task time. Do not combine the two."
    own = one.at("latency").rate
    return f"{apart} and {show_count(own.mixed.value)} where its task time is taken. Do not combine the two."


def _speed(speed: float) -> str:
    return f"{show_about(speed) if speed < 9.5 else show_count(speed)} tok/s per user"


def price_line(one: Energy) -> str:
    """What a task costs on a system, from the lowest to the highest public price, or why nobody knows."""
    if not one.prices:
        return f"{one.name}: {one.no_price}."
    cheap = min(one.prices, key=lambda price: price.kept.value)
    dear = max(one.prices, key=lambda price: price.kept.value)
    kept, shared = (_range(getattr(cheap, name).value, getattr(dear, name).value) for name in ("kept", "shared"))
    tiers = f"{cheap.tier} to {dear.tier} prices" if cheap is not dear else f"{cheap.tier} price"
    if kept == shared:
        return f"{one.name}: {kept} a task ({tiers})."
    return f"{one.name}: {kept} a task if its place stays empty during waits, {shared} if others use it ({tiers})."


def _range(low: float, high: float) -> str:
    low, high = show_usd(low), show_usd(high)
    return low if low == high else f"{low} to {high.removeprefix(f'USD{NBSP}')}"
