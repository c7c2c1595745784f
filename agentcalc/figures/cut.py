"""Lines and areas cut where a reader's limits end: what lies outside is not drawn, nothing is bent to stay in."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from agentcalc.figures.chosen import Span

BETWEEN = 12
"""Points put between two of a line, where a scale bends what was straight."""


def denser(records: list[dict], x: str, fields: Sequence[str], xs: Span) -> list[dict]:
    """Points between those of a straight line, as far apart on a logarithmic axis as on any; the rest as they are."""
    if not (xs.given and xs.log):
        return records
    found = []
    for a, b in itertools.pairwise(records):
        found.append(a)
        for i in range(1, BETWEEN):
            at = a[x] * (b[x] / a[x]) ** (i / BETWEEN) if a[x] > 0 else a[x] + (b[x] - a[x]) * i / BETWEEN
            share = (at - a[x]) / (b[x] - a[x]) if b[x] != a[x] else 0.0
            found.append(a | {x: at} | {name: a[name] + share * (b[name] - a[name]) for name in fields})
    return [*found, *records[-1:]]


def lines(records: list[dict], x: str, y: str, xs: Span, ys: Span) -> list[list[dict]]:
    """The pieces of a line that lie inside both spans, cut at the borders; the line itself where neither is given."""
    if not (xs.given or ys.given):
        return [records]
    pieces: list[list[dict]] = []
    open_end = False
    for a, b in itertools.pairwise(records):
        ends = _inside(_at(a, x, y, xs, ys), _at(b, x, y, xs, ys))
        if ends is None:
            open_end = False
            continue
        first, last = (_between(a, b, share, x, y, xs, ys) for share in ends)
        if not (open_end and ends[0] == 0):
            pieces.append([first])
        pieces[-1].append(last)
        open_end = ends[1] == 1
    return pieces


def points(records: list[dict], x: str, y: str, xs: Span, ys: Span) -> list[dict]:
    """The points that lie inside both spans."""
    if not (xs.given or ys.given):
        return records
    return [record for record in records if xs.inside(record[x]) and ys.inside(record[y])]


def area(records: list[dict], x: str, low: str, high: str, xs: Span, ys: Span) -> list[dict]:
    """The part of the area between two lines that lies inside both spans."""
    if not (xs.given or ys.given) or len(records) < 2:
        return records
    found = []
    for a, b in itertools.pairwise(records):
        shares = {0.0, 1.0}
        for name, span in ((x, xs), (low, ys), (high, ys)):
            p, q = (_place(record[name], span) for record in (a, b))
            shares |= {(end - p) / (q - p) for end in (0.0, 1.0) if p != q and 0 < (end - p) / (q - p) < 1}
        for share in sorted(shares):
            at = _place(a[x], xs) + share * (_place(b[x], xs) - _place(a[x], xs))
            if -1e-9 <= at <= 1 + 1e-9:
                sides = {}
                for name in (low, high):
                    p, q = (_place(record[name], ys) for record in (a, b))
                    sides[name] = ys.back(min(max(p + share * (q - p), 0.0), 1.0))
                found.append(a | {x: xs.back(min(max(at, 0.0), 1.0))} | sides)
    return [r for i, r in enumerate(found) if not i or r != found[i - 1]]


def _place(value: float, span: Span) -> float:
    """Where a value lies on a span; on a logarithmic one what is not above 0 lies far below."""
    if span.log and value <= 0:
        return -1e3
    return span.place(value)


def _at(record: dict, x: str, y: str, xs: Span, ys: Span) -> tuple[float, float]:
    return _place(record[x], xs), _place(record[y], ys)


def _inside(a: tuple[float, float], b: tuple[float, float]) -> tuple[float, float] | None:
    """From which to which share of the way from a to b the square from 0 to 1 is crossed; None: nowhere."""
    first, last = 0.0, 1.0
    for p, q in zip(a, b, strict=True):
        if not (math.isfinite(p) and math.isfinite(q)):
            return None
        if p == q:
            if not 0 <= p <= 1:
                return None
            continue
        enter, leave = sorted(((0 - p) / (q - p), (1 - p) / (q - p)))
        first, last = max(first, enter), min(last, leave)
    return (first, last) if first < last else None


def _between(a: dict, b: dict, share: float, x: str, y: str, xs: Span, ys: Span) -> dict:
    if share in (0.0, 1.0):
        return b if share else a
    (ax, ay), (bx, by) = _at(a, x, y, xs, ys), _at(b, x, y, xs, ys)
    return a | {x: xs.back(ax + share * (bx - ax)), y: ys.back(ay + share * (by - ay))}
