"""AIPerf: ``profile_export_aiperf.json``, the CSV of the same run, and ``profile_export.jsonl`` with single requests.

Sources: AIPerf's docs/reference/json-export-schema.md (schema 1.0 to 1.5: additions only, units authoritative) and the
files of version 0.13. inter_token_latency is (request_latency - time_to_first_token) / (output_sequence_length - 1).
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from agentcalc.benchmarks import blocks
from agentcalc.benchmarks.aiperf_records import NAME, is_records, of_records
from agentcalc.benchmarks.document import Document
from agentcalc.benchmarks.fields import day, has, inner, number, positive, words
from agentcalc.benchmarks.records import Measurement
from agentcalc.errors import Fault, InputError, echo

LOOKS_FOR = (
    "time_to_first_token, inter_token_latency and request_latency, each with its unit, beside aiperf_version (JSON), "
    "under 'Metric,avg,...' (CSV), or metadata and metrics on each line (JSONL)"
)
KEYS = ("aiperf_version", "time_to_first_token", "inter_token_latency", "request_latency")

SCHEMA = 1
"""The major version of the JSON that is read."""

_OPTION = r"--{}[= ]+['\"]?(\S+?)['\"]?(?:\s|$)"


def matches(document: Document) -> bool:
    """Whether it is a file of AIPerf, one of another kind or version included, which :func:`read` refuses."""
    if document.kind == "csv":
        header = _header(document)
        # GenAI-Perf lists percentiles from the highest down.
        return "avg" in header and not _before(header, "p99", "p50")
    if is_records(document):
        return True
    if document.kind == "jsonl":
        return False
    data = document.data
    timed = any(has(inner(data, name), "unit") for name in ("time_to_first_token", "request_latency"))
    if has(data, "aiperf_version"):
        return timed or any(has(data, key) for key in ("metrics", "combined", "timeslices"))
    config = inner(data, "input_config")
    return timed and (has(data, "schema_version") or has(config, "phases") or has(config, "loadgen"))


def read(document: Document) -> tuple[Measurement, ...]:
    """One run. Raises InputError for another schema, a summary over several runs, or a number that is none."""
    if document.kind == "csv":
        return (blocks.measurement(blocks.of_tables(document.data), document.name, NAME),)
    if is_records(document):
        return (of_records(document, LOOKS_FOR),)
    return (_of_summary(document),)


def _header(document: Document) -> list[str]:
    first = document.data[0] if document.data else []
    return [cell.strip() for cell in first] if first and first[0].strip() == "Metric" else []


def _before(header: list[str], first: str, second: str) -> bool:
    return first in header and second in header and header.index(first) < header.index(second)


def _of_summary(document: Document) -> Measurement:
    data, where = document.data, document.name
    version = data.get("schema_version")
    if version is not None and str(version).split(".")[0] != str(SCHEMA):
        found = f"it is AIPerf's schema {echo(str(version))}, and {SCHEMA}.x is known"
        raise InputError(Fault(where, "schema_version", found, f"Looked for {LOOKS_FOR}"))
    if "time_to_first_token" not in data and "request_latency" not in data:
        found = "it is AIPerf's summary of several runs or slices, which has no run's own latencies"
        raise InputError(Fault(where, "", found, "Give the profile_export_aiperf.json of each run"))
    run = blocks.measurement(blocks.of_object(data), where, NAME)
    config = inner(data, "input_config")
    command = inner(data, "run_info").get("cli_command") or config.get("cli_command")
    command = command if isinstance(command, str) else ""
    load = _load(config, command, where)
    notes = list(run.notes)
    if data.get("was_cancelled") is True:
        notes.append("The run was interrupted before its end.")
    failed = run.failed if run.failed is not None else _errors(data, where)
    return replace(
        run,
        model=_model(config, command),
        hardware=_hardware(data),
        date=day(data, "start_time"),
        failed=failed,
        notes=(*notes, *load.pop("notes")),
        **load,
    )


def _load(config: dict[str, Any], command: str, where: str) -> dict[str, Any]:
    """concurrency, request_rate and notes: from the phases (0.10 on), loadgen (before), or the command line."""
    phases = config.get("phases")
    phases = list(phases.values()) if isinstance(phases, dict) else phases if isinstance(phases, list) else []
    timed = [p for p in phases if isinstance(p, dict) and not _warms_up(p)]
    loads = [(_of(p, where, "concurrency"), _of(p, where, "rate", "request_rate")) for p in timed]
    if not any(any(load) for load in loads):
        loads = [
            (_of(inner(config, "loadgen"), where, "concurrency"), _of(inner(config, "loadgen"), where, "request_rate"))
        ]
    if not any(any(load) for load in loads):
        options = {name: _option(command, name) for name in ("concurrency", "request-rate")}
        loads = [tuple(positive(options, name, where, text=True) for name in options)]
    if len(set(loads)) > 1:
        return {"notes": ["It ran phases at several loads and reports them as one."]}
    concurrency, rate = loads[0]
    if rate is not None:
        # With a rate, the concurrency is only a cap.
        capped = [] if concurrency is None else [f"At most {concurrency:g} requests were in flight at once."]
        return {"request_rate": rate, "notes": capped}
    return {"concurrency": concurrency, "notes": []}


def _warms_up(phase: dict[str, Any]) -> bool:
    named = any(phase.get(key) == "warmup" for key in ("kind", "name"))
    return named or phase.get("exclude_from_results") is True


def _of(row: dict[str, Any], where: str, *keys: str) -> float | None:
    """The first number above zero; a list, as a sweep's plan has it, is none."""
    plain = [key for key in keys if not isinstance(row.get(key), list | dict)]
    return next((found for key in plain if (found := positive(row, key, where)) is not None), None)


def _option(command: str, name: str) -> str | None:
    match = re.search(_OPTION.format(name), command)
    return match[1] if match and re.fullmatch(r"[0-9.]+", match[1]) else None


def _model(config: dict[str, Any], command: str) -> str | None:
    """The one model the run names; None for several, as a router's benchmark has them."""
    items = inner(config, "models").get("items", config.get("models"))
    names = items if isinstance(items, list) else inner(config, "endpoint").get("model_names")
    names = [item.get("name") if isinstance(item, dict) else item for item in names] if isinstance(names, list) else []
    if not names:
        match = re.search(r"(?:--model(?:-names)?|-m)[= ]+['\"]?([^'\"\s]+)", command)
        names = [match[1]] if match else []
    return words({"name": names[0]}, "name") if len(names) == 1 else None


def _hardware(data: dict[str, Any]) -> str | None:
    """The name of the accelerators that telemetry saw, where they are of one kind."""
    endpoints = inner(data, "telemetry_data", "endpoints")
    gpus = [gpu for key in endpoints for gpu in inner(endpoints, key, "gpus").values()]
    names = {words(gpu, "gpu_name") for gpu in gpus if isinstance(gpu, dict)} - {None}
    return names.pop() if len(names) == 1 else None


def _errors(data: dict[str, Any], where: str) -> int | None:
    summary = data.get("error_summary")
    if not isinstance(summary, list):
        return None
    counts = [number(item, "count", f"{where}: error_summary") for item in summary if isinstance(item, dict)]
    return int(sum(c for c in counts if c is not None))
