"""The kinds of figures, as a table: what each is called and shows, and how many runs one takes. Loads nothing."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Kind:
    """One kind of figure.

    name: as a command takes it; label: on a button; words: what it shows, in one line; command: the planning command
    that has more; options: those of the command ``figure`` that only some kinds have; cases: about how many times the
    task is played for it, and steps: how many steps of a task that may be in all (0: as many as there are in the runs
    asked for); most: runs by default, at most (0: as many as elsewhere).

    What draws it stands under its name in ``figures.asked.BUILDERS``.
    """

    name: str
    label: str
    words: str
    command: str = "compare"
    options: tuple[str, ...] = ()
    cases: int = 1
    steps: int = 0
    most: int = 0


KINDS = (
    Kind("timeline", "Timeline", "one run second by second, step by step, on each system"),
    Kind("accumulation", "Step by step", "how the gap of one run grows from step to step"),
    Kind("components", "Where the time goes", "the parts of one run's time, stacked, on both systems"),
    Kind("distribution", "All runs", "the share of runs done by when", options=("deadline",)),
    Kind("histogram", "How runs spread", "the share of runs in each range of time", options=("deadline",)),
    Kind("tool_share", "The cap of tools", "speed-up against the share of tools, with this task on the curve"),
    Kind(
        "tornado", "What matters most", "how far each input, moved by 20%, moves the answer", "sensitivity",
        ("of", "range"), 40, 14_000_000,
    ),
    Kind(
        "heat_map", "Two at once", "the answer at every pair of values of two inputs", "sweep",
        ("x", "y", "of", "under"), 120, 9_000_000, 10_000,
    ),
    Kind(
        "operating_points", "Speed against work", "tok/s/user against tok/s/kW, with the systems' operating points",
        "capacity --energy", ("basis",),
    ),
    Kind("break_even", "Break-even", "the time of a call by the length of its answer, and where systems meet"),
    Kind("budget", "In a fixed time", "what gets done within some times", "budget", ("within",), most=15_000),
    Kind("speedup", "Faster calls", "what calls 1 to 10 times faster make of the task", "speedup", (), 60, 60_000_000),
    Kind("race", "The race", "where the slower one is when the faster one is done", "race"),
    Kind("task_graph", "The task", "the steps of the task as boxes, as wide as they take", "tasks"),
    Kind(
        "needs", "What it would take", "what each input alone would have to become to meet a time", "solve",
        ("under",), 100, 45_000_000,
    ),
    Kind("people", "Waits of people", "how long the task keeps a person waiting, and how often", "people"),
    Kind(
        "capacity", "Many agents", "task time and tasks an hour by how many agents share a system", "capacity",
        ("under", "basis"), 60, 13_000_000, 10_000,
    ),
)  # fmt: skip

NAMES = tuple(kind.name for kind in KINDS)
LABELS = {kind.name: kind.label for kind in KINDS}


def kind_of(name: str) -> Kind:
    """A kind by its name. Raises KeyError for another."""
    return _BY_NAME[name]


_BY_NAME = {kind.name: kind for kind in KINDS}
