"""What the planning commands share: their options, the systems they ask for, and how tables are written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from agentcalc import spreadsheets
from agentcalc.cli.layout import paragraph
from agentcalc.cli.options import PAIR, format_option, seed_option, systems_option, trials_option
from agentcalc.cli.output import as_json, to_file
from agentcalc.cli.tabled import ident
from agentcalc.defaults import TRIALS
from agentcalc.errors import Fault, InputError
from agentcalc.markdown_text import safe


def systems_options(command):
    """--system, once or twice, and --baseline."""
    command = click.option(
        "-b", "--baseline", metavar="SYSTEM", help="What the system is compared with; the first of two --system."
    )(command)
    return systems_option("The system asked about; given twice, the first is the baseline.")(command)


def answer_options(trials: int = TRIALS):
    """--by, --trials, --seed, --format and --output: of which runs an answer is, and how it is written."""
    by = click.option(
        "--by", default="p50", show_default=True, metavar="STATISTIC",
        help="p50 (typical), mean, p95 or another: p90, 90%.",
    )  # fmt: skip

    def options(command):
        for option in (to_file, format_option, seed_option, trials_option(trials), by):
            command = option(command)
        return command

    return options


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


def written(rows: Sequence[dict[str, Any]], form: str, head: dict[str, Any], key: str) -> str:
    """Rows as json (an object: head, and the rows under a key), csv or a markdown table."""
    if form == "json":
        return as_json({**head, key: list(rows)})
    if not rows:
        return ""
    if form == "csv":
        return spreadsheets.csv_text(list(rows[0]), rows)
    names = list(rows[0])
    lines = [f"| {' | '.join(map(safe, names))} |", f"|{'---|' * len(names)}"]
    lines += [f"| {' | '.join(_cell(row[name]) for name in names)} |" for row in rows]
    return "\n".join(lines)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.6g}"
    return safe(("yes" if value else "no") if isinstance(value, bool) else str(value))


def with_notes(text: str, specs) -> str:
    """The text, and a warning where the systems serve different models."""
    from agentcalc.comparison import different_models

    notes = (paragraph(f"Note: {said}") for said in different_models(specs))
    return "\n\n".join((text, *notes))


def head(task, specs, trials: int, seed: int) -> dict[str, Any]:
    """What a JSON answer says first."""
    return {"task": ident(task), "systems": [spec.id for spec in specs], "trials": trials, "seed": seed}
