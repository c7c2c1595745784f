"""Words that figures share: names of components, numbers of one run that agree by hand, the source line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from agentcalc.provenance import Grade, Source
from agentcalc.results import Basis, SystemResult
from agentcalc.units import NBSP, counted, last_digit_s, show_count, show_time, show_to, shown_seconds

COMPONENT_WORDS = {
    "overhead": "overhead",
    "ttft": "waiting for the first token",
    "decode": "writing tokens",
    "refill": "lost to a lost cache",
    "tool": "tools",
    "human": "waiting for a person",
    "attention": "lost attention",
    "retry": "lost to retries",
}
LOST_WORDS = {"refill": "a lost cache", "retry": "retries", "attention": "a distracted person"}
"""What seconds are lost to."""
BAR_WORDS = {
    "overhead": "overhead",
    "ttft": "first token",
    "decode": "writes",
    "refill": "lost cache",
    "attention": "attention",
    "retry": "retries",
}
"""Words before the seconds of a segment; a tool and a person are called by the name of their step."""

STATISTIC_WORDS = {"p50": "Median", "mean": "Mean", "p95": "Slow runs (p95)"}
QUANTITY_WORDS = {"tpot": "speed", "ttft": "first-token time", "fixed_share": "its split", "overhead": "overhead"}
QUANTITY_ORDER = ("tpot", "ttft", "fixed_share", "overhead")


@dataclass(frozen=True)
class About:
    """What every figure of one comparison says of itself.

    model: name of the model, if all systems serve the same; source: the source line, after what a what-if changed;
    changed: that alone.
    """

    task: str
    model: str | None
    trials: int
    source: str
    changed: str = ""

    @property
    def one_run(self) -> str:
        """First words of a figure of one run."""
        return f"One run of {show_count(self.trials)}." if self.trials > 1 else "One run."

    @property
    def of_model(self) -> str:
        return f"{self.task}, {self.model}" if self.model else self.task


@dataclass(frozen=True)
class Pair:
    """Two times of one run and their difference, as texts that agree by hand. sooner: "baseline", "candidate" or "".

    unit: seconds that the last digit shown stands for.
    """

    b: str
    c: str
    difference: str
    sooner: str
    unit: float


def pair(b: float, c: float) -> Pair:
    """Texts of two times of one run, in seconds, to the finer last digit of both, so that they subtract by hand."""
    unit = max(last_digit_s(b, one_run=True), last_digit_s(c, one_run=True))
    if max(b, c) < 99.95:
        unit = min(last_digit_s(b, one_run=True), last_digit_s(c, one_run=True))
    # Different times must look different, but not beyond a millisecond.
    while round(b / unit) == round(c / unit) and abs(b - c) > 1e-9 and unit > 0.0011:
        unit = 1.0 if unit > 1.5 else unit / 10
    if unit >= 60 and abs(b - c) < 600:
        unit = 1.0
    shown_b, shown_c = rounded(b, unit), rounded(c, unit)
    sooner = "candidate" if shown_c < shown_b else "baseline" if shown_b < shown_c else ""
    difference = rounded(abs(shown_b - shown_c), unit)
    return Pair(show_to(shown_b, unit), show_to(shown_c, unit), show_to(difference, unit), sooner, unit)


def rounded(seconds: float, unit: float) -> float:
    """Seconds rounded to a unit, without the dust of binary arithmetic."""
    return float(f"{round(seconds / unit) * unit:.12g}")


def from_to(low: float, high: float) -> str:
    """A range of times of one run, its ends told apart where they differ: "14 min 50 s to 14 min 55 s"."""
    ends = pair(low, high)
    return f"{ends.b} to {ends.c}"


def run_time(seconds: float) -> str:
    """A time of one run."""
    return show_time(seconds, one_run=True)


def change(b: float, c: float) -> str:
    """What becomes of a part: "same", "−25.2 s" or "+0.3 s", the difference of the two shown times."""
    shown_b, shown_c = shown_seconds(b, one_run=True), shown_seconds(c, one_run=True)
    unit = min(last_digit_s(b, one_run=True), last_digit_s(c, one_run=True))
    if max(b, c) >= 99.95:
        unit = max(unit, 1.0)
    difference = rounded(shown_c - shown_b, unit)
    if difference == 0:
        return "same"
    return ("−" if difference < 0 else "+") + show_to(abs(difference), unit)


def series(words: Sequence[str]) -> str:
    """Words as a list in prose: "a", "a and b", "a, b and c"."""
    words = list(words)
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def source_line(
    systems: Iterable[SystemResult],
    task_sources: Sequence[Source],
    *,
    trials: int,
    seed: int,
    source: Callable[[str, str], Source],
    names: Sequence[str] | None = None,
) -> str:
    """Where the numbers of a figure come from: one clause a system in the order shown, the task, the runs, the band.

    source: resolves (system id, source id).
    """
    systems = list(systems)
    names = list(names or [system.label for system in systems])
    parts = [_clause(name, s.basis, lambda i, s=s: source(s.id, i)) for name, s in zip(names, systems, strict=True)]
    if task_sources:
        parts.append(f"Task: {series(list(dict.fromkeys(s.publisher for s in task_sources)))}.")
    parts.append(f"{counted(trials, 'run')}, seed{NBSP}{seed}.")
    unknown = _owned({name: band_words(s.basis) for name, s in zip(names, systems, strict=True)})
    if unknown:
        parts.append(f"Band: what is not published about {series(unknown)}.")
    beyond = [name for name, s in zip(names, systems, strict=True) if s.extrapolated_share > 0]
    if beyond:
        parts.append(f"Extrapolated beyond the measured range: {series(beyond)}.")
    return " ".join(parts)


def _owned(unknown: dict[str, str]) -> list[str]:
    """What is unknown, with all it is unknown of: "Jalapeño’s and GB300’s first-token time"."""
    found = []
    for words in dict.fromkeys(words for words in unknown.values() if words):
        owners = [f"{n}’" if n.endswith("s") else f"{n}’s" for n, mine in unknown.items() if mine == words]
        found.append(f"{series(owners)} {words}")
    return found


def band_words(basis: Sequence[Basis]) -> str:
    """What is unknown about a system: "first-token time"; empty when nothing that matters is."""
    unknown = {row.name.split(".")[-1] for row in basis if row.matters and row.band and row.band[0] != row.band[1]}
    if "ttft" in unknown or "fixed_share" in unknown:
        unknown = (unknown - {"fixed_share"}) | {"ttft"}
    words = [QUANTITY_WORDS[key] for key in QUANTITY_ORDER if key in unknown]
    return series(words) if words else ""


def _clause(name: str, basis: Sequence[Basis], source: Callable[[str], Source]) -> str:
    said = {}
    for row in basis:
        key = row.name.split(".")[-1]
        if key in QUANTITY_WORDS and key not in said and (row.matters or key in ("tpot", "ttft")):
            said[key] = row
    groups: list[tuple[tuple[Grade, str], list[str]]] = []
    for key in QUANTITY_ORDER:
        if key not in said:
            continue
        row = said[key]
        # Only a number someone stands for names its source; what is derived or assumed is our own.
        kind = (row.grade, row.source if row.grade in (Grade.MEASURED, Grade.REPORTED) else "")
        if groups and groups[-1][0] == kind:
            groups[-1][1].append(QUANTITY_WORDS[key])
        else:
            groups.append((kind, [QUANTITY_WORDS[key]]))
    if not groups:
        return f"{name}: no numbers given."
    if len(groups) == 1:
        return f"{name}: {_graded(*groups[0][0], source)}."
    return f"{name}: " + ", ".join(f"{series(words)} {_graded(*kind, source)}" for kind, words in groups) + "."


def _graded(grade: Grade, source_id: str, source: Callable[[str], Source]) -> str:
    if not source_id:
        return str(grade)
    found = source(source_id)
    if grade is Grade.REPORTED:
        return f"reported by {found.publisher} ({found.date.day}{NBSP}{found.date:%b}{NBSP}{found.date.year})"
    return f"{grade} by {found.publisher}"
