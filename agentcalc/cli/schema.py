"""``agentcalc schema task|system``"""

from __future__ import annotations

import click

from agentcalc.cli.output import as_json, check_writable, put, to_file


@click.command()
@click.argument("kind", type=click.Choice(["task", "system"]))
@to_file
def command(kind: str, output: str | None) -> None:
    """JSON Schema of task or system files: an editor that knows it completes keys and marks mistakes."""
    from agentcalc.system import System
    from agentcalc.task import Task

    check_writable(output)
    schema = (Task if kind == "task" else System).model_json_schema()
    put(as_json({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}), output)
