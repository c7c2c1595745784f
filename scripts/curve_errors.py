"""How far interpolation on the packaged curves is off, where the truth is known.

    python scripts/curve_errors.py [TABLE...]

Each inner concurrency of each curve is left out and predicted from its neighbours, by the rule behind ``SYSTEM@16``.
Printed as Markdown, a line for each packaged system whose curves have an inner point: how many were left out, and the
median and the worst error of TTFT, TPOT and the end-to-end time of an 8k/1k call.

With TABLEs (any benchmark's results that have means of TTFT, TPOT and E2EL) it also says how far TTFT + (output tokens
- 1) x TPOT is from the mean E2EL that a row itself gives.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Iterable, Iterator, Sequence

from agentcalc import catalog
from agentcalc.benchmarks.reading import read
from agentcalc.benchmarks.records import Measurement
from agentcalc.errors import AgentcalcError
from agentcalc.points import Missed, missed
from agentcalc.system import System

ALLOWED = 0.01
"""The gap between a row's own E2EL and that of its TTFT and TPOT from which the row is named."""


def curve_lines(systems: Iterable[System]) -> Iterator[str]:
    """A Markdown table of leave-one-out errors, a system a line, all of them together at the end."""
    yield "| System | Left out | TTFT, median | worst | TPOT, median | worst | E2EL, median | worst |"
    yield "|---|--:|--:|--:|--:|--:|--:|--:|"
    found = {system.id: errors for system in systems if (errors := missed(system.points)) is not None}
    for name, errors in sorted(found.items()):
        yield _line(f"`{name}`", errors)
    columns = zip(*((e.ttft, e.tpot, e.e2el) for e in found.values()), strict=True)
    yield _line("all", Missed(*(tuple(x for errors in column for x in errors) for column in columns)))


def _line(name: str, errors: Missed) -> str:
    cells = [name, str(len(errors.ttft))]
    for each in (errors.ttft, errors.tpot, errors.e2el):
        cells += [f"{statistics.median(each):.0%}", f"{max(each):.0%}"]
    return f"| {' | '.join(cells)} |"


def identity_gaps(runs: Sequence[Measurement]) -> list[tuple[float, Measurement]]:
    """For each run with means of all three, how far TTFT + (output tokens - 1) x TPOT is from its E2EL, as a share."""
    found = []
    for run in runs:
        if None not in (run.ttft.mean, run.tpot.mean, run.e2el.mean, run.output_tokens):
            parts = run.ttft.mean + (run.output_tokens - 1) * run.tpot.mean
            found.append((parts / run.e2el.mean - 1, run))
    return found


def identity_lines(runs: Sequence[Measurement]) -> Iterator[str]:
    """How well the identity holds, and each run in which it is off by more than 1%."""
    gaps = identity_gaps(runs)
    if not gaps:
        yield "No row gives the means of TTFT, TPOT and E2EL."
        return
    off = [abs(gap) for gap, _ in gaps]
    yield (
        f"Of {len(runs):,} rows {len(gaps):,} give all three means. TTFT + (output tokens - 1) x TPOT is off "
        f"their E2EL by {statistics.median(off):.2%} at the median and {max(off):.2%} at most."
    )
    beyond = [(gap, run) for gap, run in gaps if abs(gap) > ALLOWED]
    yield f"More than {ALLOWED:.0%} off: {len(beyond) or 'none'}."
    for gap, run in sorted(beyond, key=lambda item: -abs(item[0])):
        yield f"- {gap:+.1%}: {run.model} on {run.hardware} at concurrency {run.concurrency:g}"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tables", nargs="*", metavar="TABLE")
    tables = parser.parse_args(arguments).tables
    try:
        runs = [run for table in tables for run in read(table)]
    except AgentcalcError as error:
        print(error, file=sys.stderr)
        return 1
    print(*curve_lines(catalog.systems().values()), sep="\n")
    if tables:
        print("", *identity_lines(runs), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
