"""The packaged systems' measured points, from a table of InferenceX points.

    python scripts/package_systems.py TABLE.csv

TABLE.csv has a row for each run: model, hardware, precision, framework, spec_decoding, isl, osl, concurrency, gpus,
layout, mean_ttft_s, mean_tpot_ms, their medians and p99, mean_e2e_s, total_tok_s_per_gpu, measured (a date), source
(repository@commit:path) and note. What was written by hand in agentcalc/data/systems stays: a system's first point,
its label, headline, notes, share and capacity.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

from inferencex_points import ABOUT_ALL, LONG, MODELS, SHORT, WAITING_S, Row, completed, layout, row
from prompt_pairs import loads, partner, shares

from agentcalc import catalog, documents
from agentcalc.benchmarks import assembling
from agentcalc.benchmarks.reading import read
from agentcalc.points import Measured, OperatingPoint, Range, quick
from agentcalc.provenance import Grade, Number, Source
from agentcalc.system import System

FOLDER = Path(__file__).parents[1] / "agentcalc" / "data" / "systems"
BY_HAND = ("gb200/gpt-oss-120b", "gb300/deepseek-r1", "gb300-mtp/deepseek-r1")
"""Systems whose first point and words were written by hand."""


@dataclass(frozen=True)
class Wanted:
    """A system to package: its id and label, and which rows are its own."""

    id: str
    label: str
    hardware: str
    precision: str
    engine: str
    apart: bool
    mtp: bool = False

    @property
    def model(self) -> str:
        return self.id.partition("/")[2]


def _r1(name: str, label: str, *rows) -> Wanted:
    return Wanted(f"{name}/deepseek-r1", label, *rows)


WANTED = (
    _r1("gb300", "GB300", "gb300", "fp4", "TensorRT-LLM", True),
    _r1("gb300-mtp", "GB300 with MTP", "gb300", "fp4", "TensorRT-LLM", True, True),
    _r1("gb300-sglang", "GB300 SGLang", "gb300", "fp4", "SGLang", True),
    _r1("gb300-fp8", "GB300 FP8", "gb300", "fp8", "TensorRT-LLM", True),
    _r1("gb300-fp8-mtp", "GB300 FP8 with MTP", "gb300", "fp8", "TensorRT-LLM", True, True),
    _r1("gb300-fp8-sglang", "GB300 FP8 SGLang", "gb300", "fp8", "SGLang", True),
    _r1("gb200", "GB200", "gb200", "fp4", "TensorRT-LLM", True),
    _r1("gb200-mtp", "GB200 with MTP", "gb200", "fp4", "TensorRT-LLM", True, True),
    _r1("gb200-fp8", "GB200 FP8", "gb200", "fp8", "TensorRT-LLM", True),
    _r1("gb200-fp8-mtp", "GB200 FP8 with MTP", "gb200", "fp8", "TensorRT-LLM", True, True),
    _r1("b200", "B200", "b200", "fp4", "TensorRT-LLM", False),
    _r1("b200-mtp", "B200 with MTP", "b200", "fp4", "TensorRT-LLM", False, True),
    _r1("b200-sglang", "B200 SGLang", "b200", "fp4", "SGLang", False),
    _r1("b200-sglang-mtp", "B200 SGLang with MTP", "b200", "fp4", "SGLang", False, True),
    _r1("b200-disagg-mtp", "B200 disaggregated with MTP", "b200", "fp4", "SGLang", True, True),
    _r1("b200-fp8", "B200 FP8", "b200", "fp8", "TensorRT-LLM", False),
    _r1("h200", "H200", "h200", "fp8", "SGLang", False),
    _r1("h200-mtp", "H200 with MTP", "h200", "fp8", "SGLang", False, True),
    _r1("h200-trt", "H200 TensorRT-LLM", "h200", "fp8", "TensorRT-LLM", True),
    Wanted("gb200/kimi-k2.5", "GB200", "gb200", "fp4", "TensorRT-LLM", True),
    Wanted("gb200-vllm/kimi-k2.5", "GB200 vLLM", "gb200", "fp4", "vLLM", True),
    Wanted("b200/kimi-k2.5", "B200", "b200", "fp4", "vLLM", False),
    Wanted("b200-int4/kimi-k2.5", "B200 INT4", "b200", "int4", "vLLM", False),
    Wanted("h200/kimi-k2.5", "H200", "h200", "int4", "vLLM", False),
    Wanted("gb200/gpt-oss-120b", "GB200", "gb200", "fp4", "TensorRT-LLM", True),
    Wanted("b200/gpt-oss-120b", "B200", "b200", "fp4", "TensorRT-LLM", False),
    Wanted("b200-vllm/gpt-oss-120b", "B200 vLLM", "b200", "fp4", "vLLM", False),
    Wanted("h200/gpt-oss-120b", "H200", "h200", "fp4", "vLLM", False),
    Wanted("h100/gpt-oss-120b", "H100", "h100", "fp4", "vLLM", False),
    Wanted("h100/qwen3-32b", "H100", "h100", "bf16?", "SGLang", False),
)

# The share of TTFT that does not grow with the prompt, by model, and where it is from (benchmark facts, section 5).
SHARES = {
    "gpt-oss-120b": (0.26, "inferencex-silicon-sample", "GB200 (TensorRT-LLM, concurrency 2: 42 and 120 ms)"),
    "deepseek-r1": (0.83, "inferencex-benchmarks-copy", "GB300 (SGLang, concurrency 4: 294 and 344 ms)"),
    "kimi-k2.5": (0.55, "inferencex-silicon-sample", "GB200 (TensorRT-LLM, concurrency 4: 196 and 325 ms)"),
}
# What OpenAI's report says of the model, to tell how a system relates to it.
REPORTED = {
    "gpt-oss-120b": "OpenAI's report compares with GB200 (1.80 s for such a call), not with this system.",
    "deepseek-r1": "OpenAI's report compares with GB300 without MTP (5.99 s for such a call), not with this system.",
    "kimi-k2.5": "OpenAI's report compares with GB300 (5.31 s for such a call), not with this system.",
    "qwen3-32b": "The model is not in OpenAI's report.",
}


def systems(rows: list[Row]) -> list[System]:
    """The systems of WANTED, each from its own rows; those with fewer than two rows are left out."""
    law = _law(rows)
    return [found for wanted in WANTED if (found := _system(wanted, rows, law)) is not None]


def _system(wanted: Wanted, rows: list[Row], law: str) -> System | None:
    short, long = loads(rows)
    sweep = wanted.model == "qwen3-32b"
    mine = [found for found in (rows if sweep else long) if _belongs(found, wanted)]
    if len(mine) < 2:
        return None
    mine = [completed(found, mine) for found in mine]
    mine = [replace(found, run=_spelt(found, mine)) for found in mine]
    by_run = {id(found.run): found for found in mine}
    for found in [] if wanted.model == "deepseek-r1" or sweep else list(mine):
        other = partner(found, short)
        if other is not None:
            told = {name: getattr(found.run, name) for name in ("layout", "chips", "software", "mtp")}
            other = replace(other, run=replace(other.run, **told))
            by_run[id(other.run)] = other
    runs = [found.run for found in by_run.values()]

    def say(run) -> str:
        found = by_run[id(run)]
        return _about_short(found) if round(run.input_tokens) == SHORT and not sweep else found.caveats()

    source = Source(id="table", title="the table", publisher="InferenceX")
    left_out = sum(found.key == mine[0].key and found.run.mtp is None for found in long)
    made = assembling.systems(runs, source, assembling.Named(id=wanted.id), lambda r: by_run[id(r)].source, say)
    (made,) = made
    points = list(made.points) if sweep else [_with_throughput(point, law) for point in made.points]
    if wanted.id in BY_HAND:
        return _by_hand(catalog.systems()[wanted.id], points, _of_rows(wanted, points, mine, left_out))
    return _finished(wanted, points, mine, left_out, _share(wanted, rows, points))


def _belongs(found: Row, wanted: Wanted) -> bool:
    ours = (wanted.model, wanted.hardware, wanted.precision, wanted.engine, wanted.apart)
    said = found.run.mtp is not None or wanted.model == "qwen3-32b"
    return found.key == ours and said and bool(found.run.mtp) == wanted.mtp


def _spelt(found: Row, mine: list[Row]):
    """The run as its system spells it: chips of one engine where not stated, dates where they tell rows apart."""
    run, chips = found.run, found.run.chips
    if chips is None and not found.apart and found.sides:
        chips = found.sides[0].size
    name = layout(found)
    alike = [r for r in mine if (layout(r), r.version) == (name, found.version)]
    loads_ = [(r.run.concurrency, r.run.input_tokens, r.run.output_tokens) for r in alike]
    if len(set(loads_)) < len(loads_) and len({r.run.date for r in alike}) > 1:
        name = f"{name}, {run.date}"
    software = f"{found.engine} ({found.version})" if found.version else found.engine
    return replace(run, layout=name, chips=chips, software=software, mtp=bool(run.mtp))


def _about_short(found: Row) -> str:
    said = ["The row at 922 tokens has no date and does not flag speculative decoding, which this model does not have."]
    if found.version:
        said.append(f"It ran {found.engine} {found.version}.")
    if any(side.count is None for side in found.sides) and found.apart:
        said.append("How many engines it has is not given.")
    return " ".join(said)


def _law(rows: list[Row]) -> str:
    """How far Little's law is off where throughput was measured too, in a sentence."""
    off = []
    for run in (found.run for found in rows):
        if run.total_tok_s and run.concurrency and round(run.input_tokens) == LONG:
            seconds = run.ttft.mean + (SHORT - 1) * run.tpot.mean
            off.append(run.concurrency * (LONG + SHORT) / seconds / run.total_tok_s - 1)
    if not off:
        return "No row tells its throughput, to check it."
    spread = f"{min(off):+.1%} to {max(off):+.1%}, {statistics.median(off):+.1%} at the median"
    if len(off) == 1:
        return f"In the one row that tells its throughput it is off by {off[0]:+.1%}."
    return f"In the {len(off)} rows that tell their throughput it is off by {spread}."


def _with_throughput(point: OperatingPoint, law: str) -> OperatingPoint:
    """With its throughput by Little's law where the row has none: requests in flight over a call's seconds."""
    if point.throughput is not None or point.chips is None or point.concurrency is None:
        return point
    tokens, seconds = LONG + SHORT, quick(point)
    value = float(f"{point.concurrency * tokens / seconds / point.chips:.5g}")
    chips = f"{point.chips} chip{'s' if point.chips > 1 else ''}"
    sum_ = f"{point.concurrency:,} x {tokens:,} tokens / {seconds:.4g} s / {chips}"
    note = f"Little's law on the row's own numbers: {sum_}. {law}"
    number = Number(value=value, unit="tok/s/chip", grade=Grade.DERIVED, source=point.ttft.source, note=note)
    return point.model_copy(update={"throughput": number})


def _by_hand(system: System, points: list[OperatingPoint], notes: list[str]) -> System:
    """A system written by hand, its first point with what the same row says further, and the other rows after it."""
    first = system.point
    same = [p for p in points if (p.concurrency, p.ttft.value) == (first.concurrency, first.ttft.value)]
    (row_of_first,) = same
    further = ("configuration", "ttft_spread", "tpot_spread", "throughput")
    first = first.model_copy(update={name: getattr(row_of_first, name) for name in further})
    others = [point for point in points if point is not row_of_first]
    notes = tuple(dict.fromkeys([*system.notes, *notes]))
    return system.model_copy(update={"points": (first, *_ordered(others)), "notes": notes})


def _ordered(points: list[OperatingPoint]) -> list[OperatingPoint]:
    return sorted(points, key=lambda point: (point.concurrency, quick(point)))


def _finished(
    wanted: Wanted, points: list[OperatingPoint], mine: list[Row], left_out: int, share: Number | None
) -> System:
    first = min(points, key=quick)
    tables = any(point.ttft_over_prompt is not None for point in points)
    sweep = wanted.model == "qwen3-32b"
    low, high, answers = (1024, 4096, 512) if sweep else (819 if tables else 6553, 8192, 1024)
    versions = ", ".join(sorted({r.version for r in mine if r.version}))
    apart = ", disaggregated" + ("" if wanted.model == "kimi-k2.5" else " (Dynamo)") if wanted.apart else ""
    return System(
        id=wanted.id,
        label=wanted.label,
        accelerator=wanted.hardware.upper(),
        vendor="NVIDIA",
        model=wanted.model,
        model_label=next(label for name, label in MODELS.values() if name == wanted.model),
        precision=wanted.precision.removesuffix("?").upper(),
        software=f"{wanted.engine} {versions}".strip() + apart,
        mtp=wanted.mtp,
        points=(first, *_ordered([point for point in points if point is not first])),
        fixed_share=share,
        measured=Measured(
            uncached_tokens=Range(low=low, high=high), context_tokens=Range(low=low, high=high + answers)
        ),
        headline=_headline(wanted, first, points, mine),
        notes=tuple(_notes(wanted, first, points, mine, left_out)),
    )


def _headline(wanted: Wanted, first: OperatingPoint, points: list[OperatingPoint], mine: list[Row]) -> str:
    days = sorted(r.run.date for r in mine if r.run.date)
    when = "" if not days else f" of {days[0]}" if days[0] == days[-1] else f" of {days[0]} to {days[-1]}"
    loads_ = [point.concurrency for point in points]
    told = (
        f"{len(points)} measured operating points from InferenceX rows{when}, concurrency {min(loads_):,} to "
        f"{max(loads_):,}. At the quickest, concurrency {first.concurrency:,}"
        f"{f' on {first.chips} chips' if first.chips else ''}, "
    )
    if wanted.model == "qwen3-32b":
        return (
            f"{told}the first token comes after {first.ttft.seconds():.2f} s at 4,096 tokens. {REPORTED[wanted.model]}"
        )
    call = f"a call of 7,373 tokens in and 922 out takes {quick(first):.2f} s. {REPORTED[wanted.model]}"
    if wanted.id == "gb200/kimi-k2.5":
        call += " Its quickest row is the nearest measured stand-in for GB300's 182.46 tok/s per user."
    return told + call


def _notes(
    wanted: Wanted, first: OperatingPoint, points: list[OperatingPoint], mine: list[Row], left_out: int
) -> list[str]:
    users = f"{first.concurrency} user{'s' if first.concurrency > 1 else ''}"
    chips = f"{first.chips} chip{'s' if first.chips and first.chips > 1 else ''}" if first.chips else "chips not stated"
    return [f"The operating point in use serves {users} on {chips}.", *_of_rows(wanted, points, mine, left_out)]


def _of_rows(wanted: Wanted, points: list[OperatingPoint], mine: list[Row], left_out: int) -> list[str]:
    """What must be said of the rows of a system together."""
    notes = []
    clauses = dict.fromkeys(clause for found in mine for clause in found.clauses())
    said_by_hand = (
        {"spec_decoding=none taken from InferenceX configs for this model"} if wanted.id in BY_HAND else set()
    )
    notes += [text for clause, text in ABOUT_ALL.items() if clause in clauses.keys() - said_by_hand]
    if wanted.model == "deepseek-r1":
        called = Counter(found.called for found in mine)
        names = ", ".join(f"{name} in {n} row{'s' if n > 1 else ''}" for name, n in called.most_common())
        notes.append(f"The model is called {names}.")
    if left_out:
        what = f"{left_out} rows that do" if left_out > 1 else "One row that does"
        notes.append(f"{what} not say whether MTP is on {'are' if left_out > 1 else 'is'} left out.")
    if wanted.mtp and wanted.id not in BY_HAND:
        notes.append(
            "MTP predicts several tokens at once; how much it gains depends on the text. These prompts are random."
        )
    waiting = sorted(point.concurrency for point in points if point.ttft.seconds() > WAITING_S)
    if waiting:
        at = ", ".join(f"{load:,}" for load in dict.fromkeys(waiting))
        notes.append(f"The queue dominates the first-token time (above 5 s) at concurrency {at}.")
    if wanted.precision.endswith("?"):
        notes.append("Precision and speculative decoding are not stated; BF16 without it is assumed.")
        notes.append("Chips are taken to be those of one tensor-parallel group.")
    return notes


def _share(wanted: Wanted, rows: list[Row], points: list[OperatingPoint]) -> Number | None:
    """The share for points without a table: the model's own, between the ends of all pairs of model and software."""
    if all(point.ttft_over_prompt is not None for point in points):
        return None
    value, source, where = SHARES[wanted.model]
    short, long = loads([r for r in rows if (r.run.model, r.engine) == (wanted.model, wanted.engine)])
    found = shares(long, short)
    low, high = (round(min([value, *found]), 2), round(max([value, *found]), 2)) if found else (0.0, 1.0)
    note = f"Taken over from {where} at 922 and 7,373 tokens). "
    if found:
        note += (
            f"All {len(found)} pairs of rows of this model on {wanted.engine} at these lengths, at equal layout and "
            f"load, give {min(found):.2f} to {max(found):.2f}: the band spans them and the value."
        )
    else:
        note += f"No pair of rows of this model on {wanted.engine} tells more."
    note = note.replace(" ms) at 922", " ms at 922")
    if wanted.model == "deepseek-r1":
        note += " Whether the rows at 922 tokens run with MTP is not known."
    return Number(
        value=value,
        unit="share",
        grade=Grade.ASSUMED,
        source=source,
        note=note,
        band=(low, high),
        unknown=assembling.SPLIT_UNKNOWN,
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("table")
    for system in systems([row(run) for run in read(parser.parse_args().table)]):
        where = FOLDER / f"{system.id.replace('/', '_')}.yaml"
        where.write_text(documents.write(system), encoding="utf-8")
        print(f"{system.id}: {assembling.told(system)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
