"""``agentcalc sources [ID]``"""

from __future__ import annotations

import click

from agentcalc.cli.output import as_json


@click.command()
@click.argument("name", required=False, metavar="[ID]")
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
def command(name: str | None, form: str) -> None:
    """List the sources; with an id, show one in full and what rests on it."""
    from agentcalc import catalog

    if name is None:
        found = list(catalog.sources().values())
        if form == "json":
            click.echo(as_json([source.model_dump(mode="json", exclude_none=True) for source in found]))
        else:
            click.echo(_table(found))
        return
    source = catalog.source(name)
    if form == "json":
        click.echo(as_json(source.model_dump(mode="json", exclude_none=True) | {"used_by": _used_by(name)}))
    else:
        click.echo(_in_full(source))


def _table(found: list) -> str:
    from agentcalc.cli.layout import columns

    rows = [("SOURCE", "DATE", "TITLE")]
    rows += [(source.id, str(source.date or ""), f"{source.title} ({source.publisher})") for source in found]
    return columns(rows, cut=True)


def _in_full(source) -> str:
    from agentcalc.cli.layout import paragraph

    lines = [
        source.id,
        paragraph(source.title),
        f"{source.publisher}, {source.date}" if source.date else source.publisher,
    ]
    lines += [source.address] if source.address else []
    lines += [f"Licence: {source.licence}"] if source.licence else []
    lines += [paragraph(source.note)] if source.note else []
    used = _used_by(source.id)
    return "\n".join([*lines, "", "Used by:", *(f"  {line}" for line in used)] if used else lines)


def _used_by(name: str) -> list[str]:
    """What rests on a source: "gb300/deepseek-r1 (ttft, tpot)" and task ids."""
    from agentcalc import catalog

    found = []
    for system in catalog.systems().values():
        numbers = [what for what, number in system.numbers() if number.source == name]
        found += [f"{system.id} ({', '.join(numbers)})"] if numbers else []
    for chip in catalog.accelerators().values():
        numbers = [what for what, number in chip.numbers() if number.source == name]
        found += [f"{chip.label}, the chip ({', '.join(numbers)})"] if numbers else []
    return found + [task.id for task in catalog.tasks().values() if name in task.sources]
