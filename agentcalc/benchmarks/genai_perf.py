"""GenAI-Perf: ``profile_export_genai_perf.json`` and the CSV of the same run.

Source: perf_analyzer's genai-perf/genai_perf/export_data (JSON and CSV exporters). The metrics are AIPerf's, its
successor, but old files have times in ns and call the tokens num_input_token and num_output_token.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from agentcalc.benchmarks import blocks
from agentcalc.benchmarks.document import Document
from agentcalc.benchmarks.fields import has, inner, positive, words
from agentcalc.benchmarks.records import Measurement

NAME = "GenAI-Perf"
LOOKS_FOR = (
    "time_to_first_token, inter_token_latency and request_latency, each with its unit, beside input_config (JSON), "
    "or under 'Metric,avg,min,max,p99,...' (CSV)"
)
KEYS = ("input_config", "time_to_first_token", "inter_token_latency", "request_latency")


def matches(document: Document) -> bool:
    """Whether it is a file of GenAI-Perf and not of AIPerf, whose JSON names its schema and version."""
    if document.kind == "csv":
        header = [cell.strip() for cell in document.data[0]] if document.data else []
        # AIPerf lists percentiles from the lowest up.
        return header[:2] == ["Metric", "avg"] and "p99" in header and "p50" in header[header.index("p99") :]
    data = document.data
    timed = any(has(inner(data, name), "unit") for name in ("time_to_first_token", "request_latency"))
    return timed and has(data, "input_config") and not (has(data, "aiperf_version") or has(data, "schema_version"))


def read(document: Document) -> tuple[Measurement, ...]:
    """One run. Raises InputError for a number that is none or a unit that is not known."""
    if document.kind == "csv":
        return (blocks.measurement(blocks.of_tables(document.data), document.name, NAME),)
    run = blocks.measurement(blocks.of_object(document.data), document.name, NAME)
    config = inner(document.data, "input_config")
    return (replace(run, model=_model(config), **_load(config, document.name)),)


def _load(config: dict[str, Any], where: str) -> dict[str, float | None]:
    """The load: flat options in old files, perf_analyzer.stimulus in new ones. With a rate the loop is open."""
    for options in (inner(config, "perf_analyzer", "stimulus"), config):
        concurrency, rate = (
            None if isinstance(options.get(key), list | dict) else positive(options, key, where)
            for key in ("concurrency", "request_rate")
        )
        if rate is not None:
            return {"request_rate": rate}
        if concurrency is not None:
            return {"concurrency": concurrency}
    return {}


def _model(config: dict[str, Any]) -> str | None:
    for key in ("model_names", "model"):
        names = config.get(key)
        if isinstance(names, list) and len(names) == 1:
            return words({"name": names[0]}, "name")
    return words(config, "formatted_model_name") or words(config, "model")
