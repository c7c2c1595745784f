"""Commands that make again what is on screen. No Streamlit."""

from __future__ import annotations

import shlex

from agentcalc import catalog
from agentcalc.app.choices import OWN
from agentcalc.app.state import State

TASK_FILE, SYSTEM_FILE = "YOUR-TASK.yaml", "YOUR-SYSTEM.yaml"
"""Stand for what a reader brought along, which a command reads from a file."""


def task_name(state: State) -> str:
    """The task as a command names it."""
    return TASK_FILE if state.task == OWN else state.task


def system_names(state: State) -> list[str]:
    """The systems as a command names them: baseline, candidate, further ones."""
    ids = (f"{name}/{state.model}" for name in (state.baseline, state.candidate, *state.more))
    return [name if name in catalog.systems() else SYSTEM_FILE for name in ids]


def figure_command(
    state: State, kind: str, run: int, trials: int, seed: int, size: str, dark: bool, title: str | None
) -> str | None:
    """The command that draws a figure again, under the reader's own title; None with a what-if: it has no command."""
    if state.factors:
        return None
    words = ["agentcalc", "figure", task_name(state)]
    for name in system_names(state):
        words += ["--system", name]
    words += ["--kind", kind, "--trial", str(run), "--trials", str(trials), "--seed", str(seed)]
    words += ["--size", size] if size != "full" else []
    words += ["--dark"] if dark else []
    words += ["--title", title] if title else []
    words += ["-o", f"{kind}.png"]
    return shlex.join(words)
