"""Rows at two prompt lengths that differ in nothing else: which belong together, and what pairs tell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from inferencex_points import LONG, SHORT, Row, release

ALIKE = 0.005
"""Two rows whose numbers agree so far are one row, once rounded."""


def loads(rows: Iterable[Row]) -> tuple[list[Row], list[Row]]:
    """Rows of the 1k/1k load and of the 8k/1k load."""
    rows = [row for row in rows if round(row.run.output_tokens) == SHORT]
    return tuple([row for row in rows if round(row.run.input_tokens) == tokens] for tokens in (SHORT, LONG))


def partner(row: Row, short: Iterable[Row]) -> Row | None:
    """The row at 922 tokens of the same server and load as one at 7,373: same engines and release of the software.

    None where there is none, or several differ (servers that the table does not tell apart), or the engines of the
    long row are not counted.
    """
    if not row.sides or (row.apart and any(side.count is None for side in row.sides)):
        return None
    fitting = [other for other in candidates(row, short) if release(other.version) == release(row.version)]
    different: list[Row] = []
    for other in sorted(fitting, key=lambda other: other.version != row.version):
        if not any(_alike(other, known) for known in different):
            different.append(other)
    return different[0] if len(different) == 1 else None


def candidates(row: Row, short: Iterable[Row]) -> Iterator[Row]:
    """Rows at 922 tokens with the same engines, as far as they say, at the same concurrency."""
    for other in short:
        same = other.key == row.key and other.run.concurrency == row.run.concurrency
        if same and len(other.sides) == len(row.sides) > 0 and all(map(_one, other.sides, row.sides)):
            yield other


def _one(short, long) -> bool:
    return short.tp == long.tp and (short.count is None or short.count == long.count)


def _alike(a: Row, b: Row) -> bool:
    pairs = ((a.run.ttft.mean, b.run.ttft.mean), (a.run.tpot.mean, b.run.tpot.mean))
    return all(abs(x / y - 1) < ALIKE for x, y in pairs)


def shares(long: Iterable[Row], short: list[Row]) -> list[float]:
    """For each pair the part of the TTFT at 7,373 tokens that does not grow with the prompt, from 0 to 1."""
    found = []
    for row in long:
        if row.run.mtp is not True:
            for other in candidates(row, short):
                per_token = (row.run.ttft.mean - other.run.ttft.mean) / (LONG - SHORT)
                found.append(min(max(1 - LONG * per_token / row.run.ttft.mean, 0.0), 1.0))
    return found
