"""What the page says, as HTML: text in, escaped text out. No Streamlit."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agentcalc.analysis.naming import short_name
from agentcalc.app.importing.files import MOST_FILES, Found
from agentcalc.app.importing.measured import Measured, doubts
from agentcalc.app.systems.said import show_speed, speed
from agentcalc.app.words import bullets, esc, table
from agentcalc.benchmarks import template
from agentcalc.benchmarks.assembling import told
from agentcalc.figures.words import counted, series
from agentcalc.points import CallSpread, OperatingPoint
from agentcalc.system import System
from agentcalc.task import Task, places
from agentcalc.units import NBSP, SECONDS_IN, show_time

PRIVACY = "Nothing you enter leaves this computer or is kept on it."
LATER = "Agent traces (Claude Code, Codex, OpenTelemetry, Langfuse): not yet."
TITLE = "What would it take elsewhere?"
INVITATION = (
    "Drop results of a benchmark, and they become a system to compare with. Or a task, a system or a scenario, as YAML "
    "or JSON."
)
LACKS = {
    "hardware": "the accelerator",
    "chips": "on how many chips it ran",
    "concurrency": "how many requests were in flight at once",
}
MOST_ROWS = 40
"""Points that a card lists."""

FEW = 3
"""Files that are named in a sentence; of others there is a count."""


def head(found: Sequence[Found], systems: Measured) -> str:
    """The sentence of the page: what is in the files."""
    if not found:
        return _head(TITLE, INVITATION)
    known = [one for one in found if one.known]
    measured = systems.systems
    tasks = [one.task for one in known if one.task]
    written = [one.system for one in known if one.system]
    scenarios = [one.scenario for one in known if one.scenario]
    if not (measured or tasks or written or scenarios):
        files = "this file" if len(found) == 1 else f"these {len(found)} files"
        return _head(f"No runs in {files}.", "")
    things = [
        *([counted(len(measured), "measured system")] if measured else []),
        *([counted(len(written), "system file")] if written else []),
        *([counted(len(tasks), "task")] if tasks else []),
        *([counted(len(scenarios), "scenario")] if scenarios else []),
    ]
    if len(measured) == 1 and len(things) == 1:
        title = finding(measured[0])
    elif len(tasks) == 1 and len(things) == 1:
        title = f"A task: {tasks[0].name}"
    elif len(written) == 1 and len(things) == 1:
        title = finding(written[0])
    else:
        title = f"{series(things)} in {counted(len(found), 'file')}"
    return _head(title, partly(found))


def _head(title: str, line: str) -> str:
    more = f'<p class="ac-why">{esc(line)}</p>' if line else ""
    return f'<h1 class="ac-answer ac-import">{esc(title)}</h1>{more}'


def finding(system: System) -> str:
    """ "B200 writes at most 167 tok/s per user; its first token comes after 0.11 s at the soonest"."""
    several = len(system.points) > 1
    most, least = (" at most", " at the soonest") if several else ("", "")
    first = show_time(min(point.ttft.seconds() for point in system.points))
    rate = f"{show_speed(speed(system))}{NBSP}tok/s per user"
    return f"{short_name(system)} writes{most} {rate}; its first token comes after {first}{least}"


def card_title(system: System) -> str:
    """ "B200 with MTP, openai/gpt-oss-120b"."""
    return ", ".join(part for part in (short_name(system), system.model_label) if part)


def partly(found: Sequence[Found]) -> str:
    """ "2 of 3 files. 1 was not a benchmark, a system or a task: notes.txt." Empty where all were read."""
    wrong = [one.name for one in found if not one.known]
    if not wrong:
        return ""
    named = ", ".join(wrong[:FEW]) + (f" and {len(wrong) - FEW} more" if len(wrong) > FEW else "")
    was = "was" if len(wrong) == 1 else "were"
    return f"{len(found) - len(wrong)} of {len(found)} files. {len(wrong)} {was} not read: {named}."


def understood(found: Sequence[Found], systems: Measured, left_out: int, unread: int) -> str:
    """One line a file: what it is, or what is wrong with it; then what adds nothing and what was left out."""
    items = "".join(f'<li class="{"" if one.known else "ac-wrong"}">{_one(one)}</li>' for one in found)
    lines = [*systems.silent, *([systems.line] if systems.line else [])]
    if left_out:
        lines.append(f"{counted(left_out, 'file')} more: only the first {MOST_FILES} are read at once.")
    if unread:
        lines.append(f"{counted(unread, 'file')} not read: it was cancelled. Take the files away and drop them again.")
    more = "".join(f'<p class="ac-notice" role="status">{esc(line)}</p>' for line in lines)
    return f'<ul class="ac-files">{items}</ul>{more}'


def _one(one: Found) -> str:
    if not one.known:
        return "<br>".join(esc(line) for line in one.lines)
    return f"<b>{esc(one.name)}</b>: {esc(kind(one))}"


def kind(one: Found) -> str:
    """What a file is, in a few words."""
    if one.task:
        return f"a task, {one.task.name}"
    if one.system:
        return f"a system, {one.system.label}"
    if one.scenario:
        return "a scenario"
    tools = series(list(dict.fromkeys(_tool(run.format) for run in one.runs)))
    return f"{tools}, {counted(len(one.runs), 'run')}"


def _tool(name: str) -> str:
    return "measurements in our own form" if name == template.NAME else name


def points(system: System) -> str:
    """The operating points with their units, by rising load; of very many the first ones and a count."""
    every = [*system.curve, *(point for point in system.points if point.concurrency is None)]
    known, more = every[:MOST_ROWS], len(every) - MOST_ROWS
    head = ["Requests at once", "TTFT (s)", "TPOT (ms)", "tok/s per user", "Prompt (tokens)", "Latencies are"]
    columns = [
        [f"{p.concurrency:,}" if p.concurrency else "not in the file" for p in known],
        [f"{p.ttft.seconds():,.4g}" for p in known],
        [f"{p.tpot.seconds() * 1e3:,.4g}" for p in known],
        [show_speed(1 / p.tpot.seconds()) for p in known],
        [f"{p.ttft_at_tokens:,}" for p in known],
        [_statistic(p) for p in known],
    ]
    for title, cells in (
        ("TTFT p99 (s)", [_p99(p.ttft_spread, p.ttft.unit) for p in known]),
        ("tok/s per chip", ["" if p.throughput is None else f"{p.throughput.value:,.0f}" for p in known]),
        ("Configuration", [(p.configuration or "").replace("(medians)", "").strip() for p in known]),
    ):
        if any(cells):
            head.append(title)
            columns.append(cells)
    right = [at for at, title in enumerate(head) if title not in ("Latencies are", "Configuration")]
    rest = f'<p class="ac-small">+ {more:,} more points: they are in the YAML.</p>' if more > 0 else ""
    return table(head, list(zip(*columns, strict=True)), numeric=right, kind="points") + rest


def _statistic(point: OperatingPoint) -> str:
    return "medians" if point.configuration and "(medians)" in point.configuration else "means"


def _p99(spread: CallSpread | None, unit: str) -> str:
    return "" if spread is None else f"{spread.p99 * SECONDS_IN[unit]:,.4g}"


def card(system: System, lacks: Sequence[str]) -> str:
    """What one measured system is: what was run, what looks wrong, what the file does not say, what to know."""
    about = ["" if system.model_label else "no model named", system.precision, system.software]
    about += ["several tokens at once (MTP)" if system.mtp else ""]
    more = ", ".join(part for part in about if part)
    parts = [f'<p class="ac-about">{esc(" · ".join(part for part in (told(system), more) if part))}</p>']
    parts += [f'<p class="ac-mistake" role="alert">{esc(line)}</p>' for line in doubts(system)]
    unsaid = [LACKS[what] for what in lacks]
    unknown = [number.unknown for _, number in system.numbers() if number.unknown]
    if unsaid:
        parts.append(f'<p class="ac-small">Not in the file: {esc(series(unsaid))}. You can add it above.</p>')
    if unknown:
        parts.append(f'<p class="ac-small">Not known: {esc(series(list(dict.fromkeys(unknown))))}.</p>')
    return "".join(parts) + points(system)


def notes(system: System) -> str:
    """The caveats of a system; nothing for none."""
    return f'<div class="ac-rests ac-panel"><h3>Notes</h3>{bullets(system.notes)}</div>' if system.notes else ""


def task_words(task: Task) -> str:
    """A task in a line: its steps by kind, and the context it starts with."""
    kinds: dict[str, int] = {}
    for place in places(task.steps):
        kinds[place.step.kind] = kinds.get(place.step.kind, 0) + 1
    words = {"model_call": "model call", "tool_wait": "tool", "human_wait": "wait for a person"}
    said = [counted(n, words.get(kind, kind)) for kind, n in kinds.items() if kind in words]
    said += [f"{counted(n, kind)}" for kind, n in kinds.items() if kind not in words]
    start = f"; starts with {task.context_tokens:,}{NBSP}tokens" if task.context_tokens else ""
    return f"As written: {series(said) if said else 'no steps'}{start}."


def file_name(name: str, ending: str = "yaml") -> str:
    """A name as that of a file to save."""
    slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:60].strip("-")
    return f"{slug or 'imported'}.{ending}"


def formats(names: Sequence[tuple[str, str]]) -> str:
    """Which files are read, by what they are told."""
    items = "".join(f"<dt>{esc(name)}</dt><dd>told by {esc(looks)}</dd>" for name, looks in names)
    return f'<div class="ac-rests"><dl class="ac-kinds">{items}</dl></div>'
