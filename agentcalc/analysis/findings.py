"""What a report says beside a comparison: the sentence of each pair, what would change the answer, where it turns.

All of it is about the first candidate (or the only system), played on the comparison's own trials.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from agentcalc.analysis.changes import Changes, changes
from agentcalc.analysis.headline import Headline, headline
from agentcalc.analysis.needs import Needs, break_evens, levers_to_target, to_match
from agentcalc.analysis.playing import MOST_TRIALS
from agentcalc.analysis.sensitivity import Sensitivity, sensitivity
from agentcalc.analysis.solving import Solution
from agentcalc.results import Comparison

PARTS = 5
"""Questions that are worked out one after the other."""


@dataclass(frozen=True)
class Findings:
    """by: the statistic of the sentences (p50, mean, p95); heads: one a pair; needs: what would bring the candidate
    under the next round time, None where nothing takes time; matches: what lets the baseline match it; break_evens:
    where both take equally long; inputs: each moved by a fifth.
    """

    by: str
    heads: tuple[Headline, ...]
    changes: Changes
    needs: Needs | None
    matches: tuple[Solution, ...]
    break_evens: tuple[Solution, ...]
    inputs: Sensitivity

    @property
    def trials(self) -> int:
        """Trials that everything but the sentences is worked out on."""
        return self.changes.trials


def findings(
    comparison: Comparison,
    by: str = "p50",
    rivals: Sequence[Comparison | tuple[str, float] | None] = (),
    progress: Callable[[int, int], None] | None = None,
) -> Findings:
    """Works everything out. rivals: for each pair the stronger rival, as ``headline`` takes it; progress: called with
    parts done and in all. Raises InputError for systems that cannot be asked about.
    """
    told = list(rivals) or [None] * len(comparison.pairs)
    heads = tuple(headline(comparison, pair, by, rival) for pair, rival in enumerate(told))
    task, specs = comparison.task, comparison.specs[:2]
    asked = {"trials": min(comparison.n_trials, MOST_TRIALS), "seed": comparison.seed}
    found: list = []

    def work(part: Callable[[], object]) -> None:
        found.append(part())
        if progress:
            progress(len(found), PARTS)

    two, lasts = len(specs) > 1, comparison.systems[len(specs) - 1].task_s[by] > 0
    work(lambda: changes(task, specs, **asked))
    # Cards of levers carry no band, so that none is worked out for them.
    work(lambda: levers_to_target(task, specs, by=by, bands=False, **asked) if lasts else None)
    work(lambda: to_match(task, specs, by=by, bands=False, **asked) if two else ())
    work(lambda: break_evens(task, specs, **asked) if two else ())
    work(lambda: sensitivity(task, specs, by=by, pairs=False, **asked))
    return Findings(by, heads, *found)
