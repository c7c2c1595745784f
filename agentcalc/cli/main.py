"""The ``agentcalc`` group: its commands by name, and what a person sees when something is wrong."""

from __future__ import annotations

import errno
import os
import sys
from importlib import import_module

import click

import agentcalc
from agentcalc.errors import AgentcalcError

DEBUG = "AGENTCALC_DEBUG"
INPUT_WRONG, OUR_FAULT, STOPPED = 1, 70, 130

COMMANDS = {
    "compare": "How long a task takes on some systems, where the time goes, how sure that is.",
    "solve": "What it would take to finish in time: every lever, smallest change first.",
    "sensitivity": "Which input matters most; with --changes, what each change would save.",
    "sweep": "Two levers at once, as a grid of times or speed-ups.",
    "race": "One run on two systems, side by side in real time, as one HTML file.",
    "speedup": "What 2, 4 or 10 times faster calls make of tasks: who gains, and who cannot.",
    "budget": "What gets done in a fixed time: runs, turns, attempts and the chance of success.",
    "people": "How often a task keeps a person waiting, and how that changes with the system.",
    "capacity": "How many agents share a system; with --energy, energy and price of a task.",
    "portfolio": "What a day of many tasks saves, and which to speed up first.",
    "figure": "A figure of a comparison as PNG, SVG, PDF or HTML.",
    "deck": "Slides of a comparison: the answer, the figures, what is not known, the sources.",
    "report": "A memo of a comparison as HTML or Markdown: the answer, the figures, every number and source.",
    "tasks": "The packaged tasks; with an id or a file, one in full.",
    "systems": "The packaged systems; with an id or a file, one with its numbers and sources.",
    "sources": "Who said the numbers, where and when; with an id, what rests on it.",
    "import": "Make a system out of a benchmark's result: vLLM, SGLang, InferenceX, AIPerf and others.",
    "validate": "Check task and system files: one line per fault.",
    "schema": "JSON Schema of task or system files, for editors.",
    "app": "Open the calculator in a browser.",
}
"""Commands and their short help. Each lives in the module of its name here, as the function ``command``."""

MODULES = {"import": "importing"}
"""Where a command's name cannot be a module's."""


class Commands(click.Group):
    """A group that loads a command when it runs, and ends every error that can be expected with one line."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        return import_module(f"agentcalc.cli.{MODULES.get(name, name)}").command if name in COMMANDS else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def resolve_command(self, ctx: click.Context, args: list[str]):
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS, n=1)
            hint = f"Did you mean '{near[0]}'?" if near else f"The commands are {', '.join(COMMANDS)}."
            ctx.fail(f"No such command '{args[0][:80]}'. {hint}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context):
        try:
            return super().invoke(ctx)
        except AgentcalcError as error:
            click.echo(str(error), err=True)
            ctx.exit(INPUT_WRONG)
        except KeyboardInterrupt:
            click.echo("Stopped.", err=True)
            ctx.exit(STOPPED)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except Exception as error:
            if isinstance(error, OSError) and error.errno == errno.EPIPE:
                raise  # the reader of a pipe has gone; click ends quietly
            if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EBADF, errno.EIO):
                click.echo(f"output: it cannot be written ({error.strerror.lower()}). Name a file with -o.", err=True)
                ctx.exit(1)
            if os.environ.get(DEBUG):
                raise
            click.echo(_loud(error), err=True)
            ctx.exit(OUR_FAULT)


def _loud(error: Exception) -> str:
    """One line about an error nobody expected: what, where in agentcalc, and how to see all of it."""
    place, trace = "", error.__traceback__
    while trace is not None:
        name = trace.tb_frame.f_globals.get("__name__", "")
        if name.startswith("agentcalc"):
            place = f" in {name}, line {trace.tb_lineno}"
        trace = trace.tb_next
    what = " ".join(f"{type(error).__name__}: {error}".split())[:200]
    return f"This is a fault of agentcalc, not of your input: {what}{place}. Run again with {DEBUG}=1 to see all of it."


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(agentcalc.__version__, message="agentcalc %(version)s")
def cli() -> None:
    """How long an agent's task takes end to end on different serving systems, and what a faster one changes.

    Start with: agentcalc compare coding-agent
    """
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show × or ñ gets a question mark, not an error.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
