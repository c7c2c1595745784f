"""llama-bench of llama.cpp: JSON, JSONL or CSV, a row for each test.

A test is one of three. Prompt processing (n_gen = 0) takes n_prompt tokens in: its time is a TTFT, n_prompt / avg_ts.
Generation (n_prompt = 0) puts n_gen tokens out, one by one: its time a token is a TPOT, 1 / avg_ts. Both in one
(n_prompt, n_gen > 0) is a rate of neither and left out. Where a row has avg_ns, the mean time of its repetitions is
taken from there: avg_ts is a mean of rates, and 1 / it is a little less than the mean time.

Each row makes one measurement, with a TTFT or a TPOT and never both. A system takes TTFT over the prompt's length from
the first kind and TPOT over the context from the second (context_tokens: n_depth, what the cache held before), of rows
that agree in everything else: model, hardware, software and layout. The layout names the settings that differ within a
file.

Source: ggml-org/llama.cpp, tools/llama-bench (README and llama-bench.cpp).
"""

from __future__ import annotations

import re
import statistics
from typing import Any

from agentcalc.benchmarks.document import Document
from agentcalc.benchmarks.fields import day, has, latency, number, positive, words
from agentcalc.benchmarks.records import Measurement, Spread
from agentcalc.errors import Fault, InputError

NAME = "llama-bench"
LOOKS_FOR = "n_prompt, n_gen and avg_ts of each test"
KEYS = ("n_prompt", "n_gen", "avg_ts")

ALONE = "It leaves out turning text into tokens, sampling and HTTP: a server is slower."

_TOLD = {"n_prompt", "n_gen", "n_depth", "test_time", "model_filename", "model_type", "model_size", "model_n_params"}
_TOLD |= {"build_commit", "build_number", "cpu_info", "gpu_info", "backends"}
_RESULTS = ("avg_", "stddev_", "samples_")


def matches(document: Document) -> bool:
    """Whether it has rows of llama-bench."""
    if document.kind == "csv":
        header = {cell.strip() for cell in document.data[0]} if document.data else set()
        return header.issuperset(KEYS)
    return bool(document.objects) and has(document.objects[0], *KEYS)


def read(document: Document) -> tuple[Measurement, ...]:
    """A measurement for each test of prompts or of generation. Raises InputError where there is none of them, or for a
    rate of zero.
    """
    rows = document.table if document.kind == "csv" else document.objects
    tests = [
        (row, f"{document.name}: test {place}", *_size(row, document.name, place)) for place, row in enumerate(rows, 1)
    ]
    mixed = sum(bool(prompt and generated) for _, _, prompt, generated in tests)
    if mixed == len(tests):
        found = "all of its tests mix prompt and generation, whose rate is of neither"
        raise InputError(Fault(document.name, "", found, "Run llama-bench with -p and -n, not with -pg"))
    notes = [ALONE]
    if mixed:
        notes.append(f"{mixed} of {len(tests)} tests are left out: they mix prompt and generation in one rate.")
    varied = _varied(rows)
    return tuple(
        _test(row, where, prompt, generated, varied, tuple(notes))
        for row, where, prompt, generated in tests
        if not (prompt and generated)
    )


def _size(row: dict[str, Any], name: str, place: int) -> tuple[float, float]:
    """(n_prompt, n_gen), one of them above 0."""
    where = f"{name}: test {place}"
    prompt, generated = (number(row, key, where, text=True, needed=True) for key in ("n_prompt", "n_gen"))
    if not prompt and not generated:
        raise InputError(Fault(where, "", "n_prompt and n_gen are both 0", "Give the tool's file unchanged"))
    return prompt, generated


def _test(
    row: dict[str, Any], where: str, prompt: float, generated: float, varied: list[str], notes: tuple[str, ...]
) -> Measurement:
    tokens = prompt or generated
    mean, median = _times_s(row, where, tokens)
    # A prompt's time is all of it; a generation's is that of one token.
    parts = 1.0 if prompt else tokens
    time = Spread(mean / parts, None if median is None else median / parts)
    speed = positive(row, "avg_ts", where, text=True)
    model = words(row, "model_type")
    # -1 stands for all layers.
    hardware = words(row, "cpu_info" if str(row.get("n_gpu_layers")) == "0" else "gpu_info")
    build = row.get("build_number")
    return Measurement(
        format=NAME,
        model=model or words(row, "model_filename"),
        hardware=hardware or words(row, "cpu_info"),
        precision=_precision(model),
        software=f"llama.cpp b{build}" if isinstance(build, int | str) and str(build).isdigit() else "llama.cpp",
        layout=", ".join(f"{key} {row.get(key)}" for key in varied) or None,
        concurrency=1.0,
        input_tokens=prompt or None,
        output_tokens=generated or None,
        ttft=time if prompt else Spread(),
        tpot=Spread() if prompt else time,
        output_tok_s=None if prompt else speed,
        context_tokens=number(row, "n_depth", where, text=True) or 0.0,
        date=day(row, "test_time"),
        notes=notes,
    )


def _times_s(row: dict[str, Any], where: str, tokens: float) -> tuple[float, float | None]:
    """Mean and median time of the repetitions, s."""
    speed = positive(row, "avg_ts", where, text=True)
    if speed is None:
        raise InputError(Fault(where, "avg_ts", "it is 0 or missing", "Give a test that ran to its end"))
    mean = latency(row, "avg_ns", where, unit="ns", text=True)
    if mean is not None and abs(tokens / speed / mean - 1) > 0.5:
        found = f"{tokens:g} tokens at {speed:g} a second do not take the {mean:g} s of avg_ns"
        raise InputError(Fault(where, "avg_ts", found, "Give the tool's file unchanged"))
    samples = row.get("samples_ns")
    samples = {str(place): value for place, value in enumerate(samples)} if isinstance(samples, list) else {}
    each = [latency(samples, key, f"{where}: samples_ns", unit="ns") for key in samples]
    return mean or tokens / speed, statistics.median(each) if each and None not in each else None


def _varied(rows: list[dict[str, Any]]) -> list[str]:
    """Settings that differ between the tests of a file."""
    keys = [key for key in (rows[0] if rows else {}) if key not in _TOLD and not key.startswith(_RESULTS)]
    plain = [key for key in keys if not any(isinstance(row.get(key), list | dict) for row in rows)]
    return [key for key in plain if len({str(row.get(key)) for row in rows}) > 1]


def _precision(model: str | None) -> str | None:
    """The weights' format at the end of a type such as ``qwen2 7B Q4_K - Medium``."""
    match = re.match(r"^.*?\s(?:[0-9.?x]+[KMBT])(?:\.[A-Z0-9]+)?\s+(.+)$", model or "")
    return match[1] if match else None
