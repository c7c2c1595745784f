"""What the planning commands share: their options, the systems they ask for, and how tables are written."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from agentcalc import spreadsheets
from agentcalc.cli.output import as_json, check_writable
from agentcalc.defaults import SEED, TRIALS
from agentcalc.errors import Fault, InputError
from agentcalc.units import parse_duration_s

FORMATS = ("table", "json", "csv", "markdown")
PICTURES = {".png", ".svg", ".pdf", ".html", ".jpg", ".jpeg", ".pptx"}
PAIR = ("gb300/deepseek-r1", "jalapeno/deepseek-r1")
"""The pair that is asked about when none is named."""

by_option = click.option(
    "--by", default="p50", show_default=True, metavar="STATISTIC", help="p50 (typical), mean, p95 or another: p90, 90%."
)
format_option = click.option("--format", "form", type=click.Choice(FORMATS), default="table", show_default=True)
seed_option = click.option("--seed", type=int, default=SEED, show_default=True, help="Another seed plays other runs.")


def trials_option(default: int = TRIALS):
    """How many runs; at most a million."""
    return click.option("--trials", type=int, default=default, show_default=True, help="How many runs of the task.")


def systems_options(command):
    """--system, once or twice, and --baseline."""
    command = click.option(
        "-b", "--baseline", metavar="SYSTEM", help="What the system is compared with; the first of two --system."
    )(command)
    return click.option(
        "-s",
        "--system",
        "systems",
        multiple=True,
        metavar="SYSTEM",
        help="The system asked about; given twice, the first is the baseline.",
    )(command)


class Duration(click.ParamType):
    """Seconds, or a number with a unit such as "2 min"; how many it may be is for the analysis to say."""

    name = "time"

    def convert(self, value, param, ctx):
        if isinstance(value, float):
            return value
        try:
            seconds = float(value)
        except ValueError:
            try:
                seconds = parse_duration_s(value)
            except ValueError as error:
                self.fail(f"{value[:80]!r}: {error}", param, ctx)
        return seconds


class Share(click.ParamType):
    """A share: "20%" or 0.2."""

    name = "share"

    def convert(self, value, param, ctx):
        if isinstance(value, float) or value == "own":
            return value
        text = value.strip()
        try:
            return float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
        except ValueError:
            self.fail(f"{value[:80]!r} is not a share; write 20% or own", param, ctx)


def statistic(text: str) -> str:
    """A statistic as it is computed: "95%" is p95. Raises InputError for one that is not known."""
    from agentcalc.analysis.playing import check_by

    words = {"typical": "p50", "average": "mean", "slow": "p95"}
    return check_by(f"p{text[:-1]}" if text.endswith("%") else words.get(text, text))


def load(task: str, systems: Sequence[str], baseline: str | None):
    """The task and its one or two systems. Raises InputError for more."""
    from agentcalc import catalog

    names = [*([baseline] if baseline else []), *systems] or list(PAIR)
    if len(names) > 2:
        remedy = "give one, or a baseline and the system asked about"
        raise InputError(Fault("systems", "", f"{len(names)} systems", remedy))
    if baseline and not systems:
        raise InputError(Fault("--baseline", "", "there is no system to compare with it", "add --system SYSTEM"))
    from agentcalc.analysis.levers import told_apart

    return catalog.load_task(task), told_apart(catalog.load_system(name) for name in names)


def check_output(output: str | None, what: str) -> None:
    """Raises InputError, before any work, for a file that cannot be written or should hold a picture."""
    check_writable(output)
    if output and Path(output).suffix.lower() in PICTURES:
        raise InputError(Fault(output, "", f"{what} is written as text", "Name a .txt, .json, .csv or .md file"))


@contextmanager
def counting(what: str) -> Iterator[Callable[[int, int], None] | None]:
    """A progress callable that writes "3 of 9 levers" on stderr when that is a terminal, and wipes it at the end."""
    shown = sys.stderr.isatty()

    def progress(done: int, total: int) -> None:
        click.echo(f"\r{done:,} of {total:,} {what}", err=True, nl=False)

    try:
        yield progress if shown else None
    finally:
        if shown:
            click.echo("\r" + " " * 40 + "\r", err=True, nl=False)


def written(rows: Sequence[dict[str, Any]], form: str, head: dict[str, Any], key: str) -> str:
    """Rows as json (an object: head, and the rows under a key), csv or a markdown table."""
    if form == "json":
        return as_json({**head, key: list(rows)})
    if not rows:
        return ""
    if form == "csv":
        return spreadsheets.csv_text(list(rows[0]), rows)
    names = list(rows[0])
    lines = [f"| {' | '.join(names)} |", f"|{'---|' * len(names)}"]
    lines += [f"| {' | '.join(_cell(row[name]) for name in names)} |" for row in rows]
    return "\n".join(lines)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.6g}"
    text = ("yes" if value else "no") if isinstance(value, bool) else str(value)
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("*", "\\*").replace("<", "&lt;")


def with_notes(text: str, specs) -> str:
    """The text, and a warning where the systems serve different models."""
    from agentcalc.cli.layout import paragraph

    models = {part.model for spec in specs for part in spec.parts if part.model is not None}
    note = "Note: These are different models: this compares speed, not answers."
    return f"{text}\n\n{paragraph(note)}" if len(models) > 1 else text


def plain(table) -> list[dict[str, Any]]:
    """A DataFrame's rows as plain values; None where there is no number."""
    import math

    def one(value: Any) -> Any:
        value = value.item() if hasattr(value, "item") else value
        return None if isinstance(value, float) and not math.isfinite(value) else value

    return [{name: one(value) for name, value in row.items()} for row in table.to_dict("records")]


def ident(task) -> dict[str, Any]:
    """A task in a document's head."""
    return {"id": task.id, "name": task.name}
