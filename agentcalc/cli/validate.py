"""``agentcalc validate FILE...``"""

from __future__ import annotations

import click


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.pass_context
def command(ctx: click.Context, files: tuple[str, ...]) -> None:
    """Check task and system files. One line for each file that is right; one on stderr per fault, and exit code 1."""
    from agentcalc import catalog

    wrong = False
    for file in files:
        faults = catalog.check(file)
        for fault in faults:
            click.echo(str(fault), err=True)
        if faults:
            wrong = True
        else:
            click.echo(f"{file}: ok, {_what(file)}")
    if wrong:
        ctx.exit(1)


def _what(file: str) -> str:
    from agentcalc import documents
    from agentcalc.task import places

    if documents.kind_of(documents.load(file)) == "task":
        return f"a task of {_count(sum(1 for _ in places(documents.read_task(file).steps)), 'step')}"
    return f"a system with {_count(len(documents.read_system(file).points), 'operating point')}"


def _count(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"
