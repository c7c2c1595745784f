"""``agentcalc import benchmark FILE...``"""

from __future__ import annotations

from pathlib import Path

import click

from agentcalc.cli.output import check_writable, put, to_file
from agentcalc.errors import Fault, InputError, echo


@click.group()
def command() -> None:
    """Make a system out of a benchmark's result."""


def _given(name: str, text: str, **keys):
    return click.option(f"--{name}", help=text, **keys)


@command.command()
@click.argument("files", nargs=-1, metavar="FILE...")
@to_file
@_given("only", "Of several systems in the files, the one of this id.", metavar="ID")
@_given("id", "The system's id, such as ours/gpt-oss-120b.", metavar="ID")
@_given("label", "Its short name in sentences and figures.", metavar="NAME")
@_given("model", "The model, where the file does not say it or says it otherwise.", metavar="NAME")
@_given("hardware", "The accelerator, where the file does not say it.", metavar="NAME")
@_given("chips", "Accelerators that served the model, where the file does not say it.", type=click.IntRange(1))
@_given("concurrency", "Requests in flight at once, where the file does not say it.", type=click.IntRange(1))
@click.option("--template", is_flag=True, help="Print a file to fill in, for two numbers from a status page.")
@click.option("--formats", is_flag=True, help="List the kinds of file that are read.")
def benchmark(files: tuple[str, ...], output: str | None, template: bool, formats: bool, **said) -> None:
    """Read benchmark results, of any kind --formats lists, and write the system they measured as YAML.

    Several files make one curve where they differ only in the load. The kind is found by content.

    \b
      agentcalc import benchmark conc*.json --hardware B200 --chips 8 -o ours.yaml
      agentcalc compare coding-agent --system gb300/deepseek-r1 --system ours.yaml
    """
    from agentcalc.benchmarks import reading
    from agentcalc.benchmarks.importing import title
    from agentcalc.benchmarks.template import EXAMPLE

    if template or formats:
        listed = [f"{reader.NAME}: {reader.LOOKS_FOR}" for reader in reading.FORMATS]
        put(EXAMPLE if template else "\n".join(listed), output)
        return
    if not files:
        raise click.UsageError("Name a file, or see --template for one to fill in.")
    folder = output is not None and Path(output).is_dir()
    if not folder:
        check_writable(output)
    systems = _systems(files, said)
    if len(systems) > 1 and not folder:
        ids = ", ".join(system.id for system in systems[:12]) + (", …" if len(systems) > 12 else "")
        found = f"they hold {len(systems)} systems: {ids}"
        raise InputError(Fault(title(files), "", found, "choose one with --only ID, or name a folder with -o"))
    _write(systems, output, folder)


def _systems(files: tuple[str, ...], said: dict) -> tuple:
    from agentcalc.benchmarks import importing, reading

    only = said.pop("only")
    told = importing.Said(**said)
    runs = [importing.completed(run, told, file) for file in files for run in reading.read(file)]
    systems = importing.systems(files, runs, told)
    if only is None:
        return systems
    chosen = tuple(system for system in systems if system.id == only)
    if not chosen:
        ids = ", ".join(system.id for system in systems[:12])
        raise InputError(Fault("--only", "", f"there is no system {echo(only)} in them", f"it is one of {ids}"))
    return chosen


def _write(systems: tuple, output: str | None, folder: bool) -> None:
    from agentcalc import documents
    from agentcalc.benchmarks.assembling import told

    for system in systems:
        where = str(Path(output) / f"{system.id.replace('/', '_')}.yaml") if folder else output
        put(documents.write(system), where)
        place = "" if where in (None, "-") else f" -> {where}"
        click.echo(f"{system.id}: {told(system)}{place}", err=True)
