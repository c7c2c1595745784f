"""What it would take: all levers against one target, smallest change first; and what lets the baseline match."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from agentcalc.analysis.goals import runs_words
from agentcalc.analysis.levers import BASELINE, Lever, levers
from agentcalc.analysis.naming import names
from agentcalc.analysis.playing import Case, Progress, check_by, check_play, check_systems, play_cases, statistic
from agentcalc.analysis.solved_words import band_words, move
from agentcalc.analysis.solving import MET, NEEDED, NO_EFFECT, Solution, solve, solve_all
from agentcalc.defaults import SEED, TRIALS
from agentcalc.errors import Fault, InputError
from agentcalc.system import Spec
from agentcalc.task import Task
from agentcalc.units import show_time

SHARE = 0.8
"""The default target: the next round time at or below this share of what the task takes now."""
MOST_CHANGE = 4.0
"""A lever that would have to move by more than this factor is no answer."""
NOT_BY = f"Not by: no amount would do it, or it would have to change by more than {MOST_CHANGE:g} times."
"""What a card such as "not by faster writing" means."""
NO_TIME = "nothing in this task takes time"
LEFT_OUT = ("fixed-share",)
"""Levers nobody can pull: they are inputs, and stand in the tornado."""

ROUND_S = (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0)
ROUND = (
    *(10.0**p * n for p in range(-6, 1) for n in ROUND_S),
    *(10, 12, 15, 20, 25, 30, 40, 45, 50),
    *(60 * n for n in (1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 45, 50)),
    *(3600 * n for n in (1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, 12, 18, 24)),
)
"""Seconds that people call round, rising."""

NOT = "not by "
"""How a card begins that says what does not do it."""
MOST_IN_LINE, MOST_NOT = 3, 2
"""Cards of both sorts that stand in one line."""


def next_round_s(seconds: float) -> float:
    """The largest round time at or below 0.8 of some seconds: 32 s gives 25 s. Beyond 30 h whole days."""
    wanted = SHARE * seconds
    if wanted >= 2 * 86_400:
        return math.floor(wanted / 86_400) * 86_400.0
    return max((r for r in ROUND if r <= wanted * (1 + 1e-9)), default=wanted)


@dataclass(frozen=True)
class Needs:
    """What would bring a system under a target. solutions: every lever that changes anything, smallest change first,
    those out of reach last; now, under_s: seconds.
    """

    name: str
    by: str
    now: float
    under_s: float
    solutions: tuple[Solution, ...]

    @property
    def question(self) -> str:
        return f"What would bring {self.name} under {show_time(self.under_s)}?"

    @property
    def answers(self) -> tuple[Solution, ...]:
        """The levers that do it within reach."""
        return tuple(s for s in self.solutions if s.status == NEEDED and s.change <= MOST_CHANGE)

    @property
    def cards(self) -> tuple[str, ...]:
        """One line a lever: "46% less tool time", "not by writing less"."""
        return tuple(card(s) for s in self.solutions)

    @property
    def line(self) -> str:
        """The question with its answers, and what is no answer: "What would bring Jalapeño under 25 s? 15% fewer turns
        or 31% less tool time. Not by writing less."; the sentence where nothing does it, or it is there already.
        """
        do = [text for text in self.cards if not text.startswith(NOT)]
        if self.now <= self.under_s or not self.answers or not do:
            return self.sentence
        never = [text.removeprefix(NOT) for text in self.cards if text.startswith(NOT)]
        rest = f" Not by {_either(never[:MOST_NOT])}." if never else ""
        said = _either(do[:MOST_IN_LINE])
        return f"{self.question} {said[0].upper()}{said[1:]}.{rest}"

    @property
    def note(self) -> str:
        """What "not by" means, where a card says it."""
        return NOT_BY if any(text.startswith("not by") for text in self.cards) else ""

    @property
    def sentence(self) -> str:
        """The smallest change, or why none does it."""
        if self.now <= self.under_s:
            return f"{self.name} already finishes {runs_words(self.by)} in {show_time(self.now)}."
        if self.answers:
            return self.answers[0].sentence
        alone = [s for s in self.solutions if s.lever.row is not None and s.waits and s.waits_s > self.under_s]
        if alone:
            return f"It cannot: {alone[0].waits} alone take {show_time(alone[0].waits_s)}."
        return "It cannot: no single change is enough."


def card(solution: Solution) -> str:
    """A solution in a few words."""
    if solution.status == NEEDED and (solution.change <= MOST_CHANGE or not solution.lever.factor):
        return move(solution)
    if solution.status == MET:
        return f"up to {move(solution)}" if solution.found else "any"
    return f"{NOT}{solution.lever.never}"


def _either(words: Sequence[str]) -> str:
    """ "a", "a or b", "a, b or c"."""
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last


def levers_to_target(
    task: Task,
    systems: Sequence[Spec],
    under_s: float | None = None,
    *,
    by: str = "p50",
    trials: int = TRIALS,
    seed: int = SEED,
    bands: bool = True,
    progress: Progress | None = None,
) -> Needs:
    """Every lever that could bring the last system under a target, each by itself, the smallest change first.

    under_s: seconds; None: the next round time at or below 0.8 of what it takes now. Raises InputError as
    :func:`agentcalc.analysis.solving.solve` does.
    """
    specs = check_systems(systems)
    now = takes_s(task, specs, by, trials, seed)
    if under_s is None and now <= 0:
        raise InputError(Fault("under", "", NO_TIME, "give a time to stay under, such as 60s"))
    target = next_round_s(now) if under_s is None else under_s
    every = [lever for lever in levers(task, specs) if not _left_out(lever)]
    found = solve_all(task, specs, every, target, by=by, trials=trials, seed=seed, bands=bands, progress=progress)
    useful = [s for s in found if s.status != NO_EFFECT and (s.status == MET or s.lever.today != s.lever.best)]
    ordered = sorted(useful, key=lambda s: (s.status != NEEDED, s.change))
    return Needs(names(specs)[-1], by, now, target, tuple(ordered))


def _left_out(lever: Lever) -> bool:
    return lever.id.startswith(BASELINE) or lever.id in LEFT_OUT


def takes_s(task: Task, systems: Sequence[Spec], by: str, trials: int, seed: int) -> float:
    """A statistic of the last system's task time, s."""
    check_by(by)
    check_play(trials, seed)
    outcome = play_cases([Case(task, tuple(systems)[-1:])], trials, seed)[0]
    return statistic(outcome.seconds[-1], by)


def to_match(
    task: Task,
    systems: Sequence[Spec],
    *,
    by: str = "p50",
    trials: int = TRIALS,
    seed: int = SEED,
    bands: bool = True,
) -> tuple[Solution, ...]:
    """What lets the baseline match the candidate: its writing speed, its first token, each by itself, smallest first.

    Empty when the baseline is as fast already. Raises InputError without two systems.
    """
    specs = check_systems(systems)
    if len(specs) < 2:
        raise InputError(Fault("systems", "", "one system has nothing to match", "name the baseline and the candidate"))
    target = takes_s(task, specs, by, trials, seed)
    if target <= 0 or takes_s(task, specs[:1], by, trials, seed) <= target:
        return ()
    mine = [lever for lever in levers(task, specs[:1]) if lever.row is not None and lever.id not in LEFT_OUT]
    found = solve_all(task, specs[:1], mine, target, by=by, trials=trials, seed=seed, bands=bands)
    return tuple(sorted((s for s in found if s.status != NO_EFFECT), key=lambda s: (s.status != NEEDED, s.change)))


def match_line(solution: Solution, candidate: str) -> str:
    """ "GB300 would match Jalapeño at about 730 tok/s (now 165 tok/s)." """
    s = solution
    if s.status != NEEDED:
        return f"{s.name} would not match {candidate} by {s.lever.never}: {s.goal.show(s.best)} at best."
    return f"{s.name} would match {candidate} at {s.lever.show(s.value, about=True)} (now {s.lever.show(s.today)})."


def break_even(
    task: Task,
    systems: Sequence[Spec],
    lever: Lever | str,
    *,
    ratio: float = 1.0,
    by: str = "mean",
    trials: int = TRIALS,
    seed: int = SEED,
    bands: bool = True,
) -> Solution:
    """Where two systems take equally long over a whole task, or the candidate's lead is down to ``ratio``: the nearest
    such place of a lever to today's, on either side.

    ``tokens``: the break-even output length; ``steps``: the number of steps; ``tools`` with ratio 1.1: the tool wait
    from which a faster system stops mattering, its lead then being under 10%. The solution is on the side on which the
    candidate has that lead.
    """
    return solve(task, systems, lever, speedup=ratio, by=by, trials=trials, seed=seed, bands=bands)


def break_even_words(solution: Solution) -> str:
    """A break-even in words."""
    s = solution
    lead = s.goal.speedup
    ahead = f"as fast as {s.baseline} or faster" if lead == 1 else f"{s.goal.words} than {s.baseline}"
    runs = "on average" if s.goal.by == "mean" else f"for {runs_words(s.goal.by)}"
    title = s.lever.title if s.lever.row is not None or s.lever.step else s.lever.title.lower()
    close = "Too close to call with the numbers of today: " if s.undecided else ""
    if not s.found:
        verb = "is" if s.now <= s.limit else "is not"
        return f"{close}{s.name} {verb} {ahead} {runs}, whatever the {title}."
    side = "up to" if (s.value > s.today) == (s.now <= s.limit) else "from"
    unit = _OF.get(s.lever.id, f" of {title}")
    return (
        f"{close}{s.name} is {ahead} {runs} {side} {s.lever.show(s.value, about=True)}{unit}"
        f"{band_words(s)} (now {s.lever.show(s.today)}{s.lever.often})."
    )


STOPS_MATTERING = 1.1
"""A lead below which a faster system is said to matter no more."""


def break_evens(
    task: Task, systems: Sequence[Spec], *, by: str = "mean", trials: int = TRIALS, seed: int = SEED, bands: bool = True
) -> tuple[Solution, ...]:
    """The break-even output length, tool wait and number of steps of two systems, as far as the task has them.

    Length and steps: where both take equally long. Tool wait: from where the candidate's lead is under 10%, since
    tools that take as long on both never turn it round. Raises InputError without two systems.
    """
    specs = check_systems(systems)
    if len(specs) < 2:
        remedy = "name the baseline and the candidate"
        raise InputError(Fault("systems", "", "one system has nothing to break even with", remedy))
    found = {lever.id: lever for lever in levers(task, specs)}
    asked = {"by": by, "trials": trials, "seed": seed, "bands": bands}
    ratios = {"tokens": 1.0, "tools": STOPS_MATTERING, "steps": 1.0}
    return tuple(break_even(task, specs, found[n], ratio=r, **asked) for n, r in ratios.items() if n in found)


_OF = {"tokens": " a call", "input": " fresh a call", "steps": " a run", "tools": " of tools a run", "speed": ""}
