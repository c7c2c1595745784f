"""Commands that make again what is on screen. No Streamlit."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from dataclasses import dataclass

from agentcalc import catalog
from agentcalc.analysis.moves import Move
from agentcalc.app.choices import OWN
from agentcalc.app.state import State
from agentcalc.figures.style import PLAIN, Style

TASK_FILE, SYSTEM_FILE = "YOUR-TASK.yaml", "YOUR-SYSTEM.yaml"
"""Stand for what a reader brought along, which a command reads from a file."""


def task_name(state: State) -> str:
    """The task as a command names it."""
    return TASK_FILE if state.task == OWN else state.task


def system_names(state: State) -> list[str]:
    """The systems as a command names them: baseline, candidate, further ones."""
    ids = (f"{name}/{state.model}" for name in (state.baseline, state.candidate, *state.more))
    return [name if name in catalog.systems() else SYSTEM_FILE for name in ids]


def compare_command(state: State, moves: Iterable[Move], trials: int, seed: int) -> str:
    """The command that computes the numbers again, what a what-if moved included."""
    words = ["agentcalc", "compare", *_scenario(state, moves), "--trials", str(trials), "--seed", str(seed)]
    return shlex.join(words)


def _scenario(state: State, moves: Iterable[Move]) -> list[str]:
    words = [task_name(state)]
    for name in system_names(state):
        words += ["--system", name]
    for move in moves:
        words += ["--set", move.written]
    return words


def report_command(state: State, moves: Iterable[Move], run: int, trials: int, seed: int, title: str) -> str:
    """The command that writes the report again, under the reader's own title. moves: what a what-if moved."""
    words = ["agentcalc", "report", *_scenario(state, moves), "--by", state.statistic]
    words += ["--trial", str(run), "--trials", str(trials), "--seed", str(seed)]
    words += ["--title", title] if title else []
    return shlex.join([*words, "-o", "report.html"])


@dataclass(frozen=True)
class Drawn:
    """How a figure is drawn. run: the one shown; by: the statistic it goes by; title: the reader's own, or None; scale:
    of the PNG; assumptions: whether they are listed; style: what else the reader has set.
    """

    kind: str
    run: int
    trials: int
    seed: int
    by: str = "p50"
    size: str = "full"
    dark: bool = False
    title: str | None = None
    scale: int = 2
    assumptions: bool = False
    style: Style = PLAIN


def figure_command(state: State, moves: Iterable[Move], drawn: Drawn) -> str:
    """The command that draws a figure again. moves: what a what-if moved."""
    words = ["agentcalc", "figure", *_scenario(state, moves)]
    words += ["--kind", drawn.kind, "--trial", str(drawn.run)]
    words += ["--by", drawn.by] if drawn.by != "p50" else []
    words += ["--trials", str(drawn.trials), "--seed", str(drawn.seed)]
    words += ["--size", drawn.size] if drawn.size != "full" else []
    words += ["--scale", str(drawn.scale)] if drawn.scale != 2 else []
    words += ["--dark"] if drawn.dark else []
    words += ["--title", drawn.title] if drawn.title else []
    words += ["--assumptions"] if drawn.assumptions else []
    words += _style(drawn.style)
    words += ["-o", f"{drawn.kind}.png"]
    return shlex.join(words)


def _style(style: Style) -> list[str]:
    """Options of what is set on a figure."""
    words = ["--subtitle", style.subtitle] if style.subtitle else []
    for name in ("x_scale", "y_scale", "x_limits", "y_limits"):
        value = getattr(style, name)
        if value is not None:
            # With =, since limits may begin with a minus.
            words.append(f"--{name.replace('_', '-')}={value if isinstance(value, str) else value.written()}")
    words += ["--unit", style.unit] if style.unit != "auto" else []
    for name in style.order:
        words += ["--order", name]
    for option, pairs in (("--colour", style.colours), ("--label", style.labels)):
        for name, value in pairs:
            words += [option, f"{name}={value}"]
    return words


def deck_command(
    state: State,
    moves: Iterable[Move],
    kind: str,
    run: int,
    trials: int,
    seed: int,
    *,
    dark: bool = False,
    title: str = "",
    template: str = "",
) -> str:
    """The command that makes one slide of a deck again, or with "cover" as its kind all of it."""
    words = ["agentcalc", "deck", task_name(state)]
    for name in system_names(state):
        words += ["--system", name]
    words += ["--slide", kind] if kind != "cover" else []
    words += ["--title", title] if title else []
    words += ["--template", template] if template else []
    words += ["--dark"] if dark else []
    for move in moves:
        words += ["--set", move.written]
    words += ["--trial", str(run), "--by", state.statistic, "--trials", str(trials), "--seed", str(seed)]
    words += ["-o", "deck.pptx" if kind == "cover" else f"{kind}.pptx"]
    return shlex.join(words)
