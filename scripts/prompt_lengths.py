"""How well TTFT at one prompt length follows from the others: each length left out and predicted by a line.

    python scripts/prompt_lengths.py SYSTEM_OR_FILE... [--model NAME]

SYSTEM is a packaged one whose points were measured at three prompt lengths or more, such as h100/qwen3-32b. FILE is any
benchmark result that ``agentcalc import benchmark`` reads, at three prompt lengths or more that differ in nothing else.
The line is that of agentcalc.benchmarks.profile_fit, through the means of the other lengths.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Iterator

from agentcalc import catalog
from agentcalc.benchmarks.profile_fit import Table, apart_in_length, leave_one_out, length_table
from agentcalc.benchmarks.reading import read
from agentcalc.errors import AgentcalcError


def tables(name: str, model: str | None = None) -> Iterator[tuple[Table, str]]:
    """TTFT over prompt tokens, and of what, for each configuration of a packaged system or a file."""
    if name in catalog.systems():
        system = catalog.systems()[name]
        for point in system.points:
            if point.ttft_over_prompt is not None and model in (None, system.model):
                what = (
                    f"{system.model_label} on {system.label} {point.configuration or ''} at {point.concurrency or 0:,}"
                )
                yield point.ttft_over_prompt.seconds(), what
        return
    for group in apart_in_length(run for run in read(name) if model in (None, run.model)):
        one = group[0]
        answer = "" if one.output_tokens is None else f", {one.output_tokens:.0f} tokens out"
        what = f"{one.model} on {one.hardware} {one.layout or ''} at {one.concurrency or 0:g}{answer}"
        yield length_table(group), what


def errors(names: list[str], model: str | None) -> dict[tuple[tuple[float, ...], float], list[tuple[float, str]]]:
    """(lengths of the line, length predicted) -> the relative error of each configuration, and what it is."""
    found: dict[tuple[tuple[float, ...], float], list[tuple[float, str]]] = {}
    for name in names:
        for table, what in tables(name, model):
            for held in leave_one_out(table):
                others = tuple(tokens for tokens, _ in table if tokens != held.tokens)
                found.setdefault((others, held.tokens), []).append((held.error, what))
    return found


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="+", metavar="SYSTEM_OR_FILE")
    parser.add_argument("--model")
    asked = parser.parse_args(arguments)
    try:
        found = errors(asked.names, asked.model)
    except AgentcalcError as error:
        print(error, file=sys.stderr)
        return 1
    if not found:
        print(
            "Nothing in these files was measured at three prompt lengths that differ in nothing else.", file=sys.stderr
        )
        return 1
    for (others, held), each in sorted(found.items()):
        worst, what = max(each)
        line = " and ".join(f"{tokens:,.0f}" for tokens in others)
        median = statistics.median(error for error, _ in each)
        print(f"{held:,.0f} from {line}: {len(each)} curves, median {median:.1%}, worst {worst:.1%} ({what})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
