"""How far a long computation is, for somebody who waits at a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click


@contextmanager
def counting(what: str, long: bool = True) -> Iterator[Callable[[int, int], None] | None]:
    """A progress callable that writes "3 of 9 levers" on stderr and wipes it at the end; None where stderr is no
    terminal, or where it does not take long.
    """
    shown = long and sys.stderr.isatty()

    def progress(done: int, total: int) -> None:
        click.echo(f"\r{done:,} of {total:,} {what}", err=True, nl=False)

    try:
        yield progress if shown else None
    finally:
        if shown:
            click.echo("\r" + " " * 40 + "\r", err=True, nl=False)
