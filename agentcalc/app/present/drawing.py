"""Pictures of the screens, kept; and the figure of what would change the answer, which takes a while."""

from __future__ import annotations

from agentcalc import exports
from agentcalc.analysis.sensitivity import Sensitivity, sensitivity
from agentcalc.app import needs_cards, waiting
from agentcalc.app.calls import Answer, picture_key
from agentcalc.app.keeping import Keeping
from agentcalc.app.state import State
from agentcalc.errors import AgentcalcError
from agentcalc.figures.figure import Figure

NARROW_PX = 358
"""Width of a figure on a phone of 390 px."""
LOW_PX = 400
"""Height of a figure beside a title of two lines, of a screen 1,280 wide."""
QUICK = ("timeline", "accumulation", "components", "break_even", "distribution")
"""Screens whose figures take nothing but drawing."""
TALL = ("tornado",)
"""Kinds that have many rows, and need more."""

_sensitivities = Keeping(32)
_drawn = Keeping(128)


def picture(answer: Answer, figure: Figure, dark: bool, narrow: bool) -> str:
    """A figure's plot as SVG: for a slide, or for a phone. Raises AgentcalcError when it cannot be drawn."""
    # The words of a title are no part of a plot, so that another title needs no other picture.
    key = (*picture_key(answer), figure.kind, figure.subtitle, dark, narrow)
    if narrow:
        return _drawn.get(key, lambda: exports.svg(figure, "app", dark, width=NARROW_PX))
    other = {} if figure.kind in TALL else {"height": LOW_PX}
    return _drawn.get(key, lambda: exports.svg(figure, "slide", dark, **other))


def line(answer: Answer, state: State) -> str:
    """What would bring the candidate under the next round time, and what would not; nothing where a reader does not
    want to wait for it, or nothing takes time.
    """
    if answer.now.systems[1].task_s[state.statistic] <= 0:
        return ""
    try:
        needs, _ = needs_cards.work(answer, state)
    except AgentcalcError:
        return ""
    return needs.line


def moved(answer: Answer, state: State) -> Sensitivity:
    """Each input of the pair's candidate moved by a fifth, on the headline's own runs."""
    now, by = answer.now, state.statistic
    pair, trials = now.specs[:2], now.n_trials
    key = now.task, pair, trials, by

    def make(progress: waiting.Progress) -> Sensitivity:
        return sensitivity(now.task, pair, by=by, pairs=False, trials=trials, seed=now.seed, progress=progress)

    if _sensitivities.has(key):
        return _sensitivities.get(key, lambda: make(lambda done, of: None))
    return waiting.patiently(lambda progress: _sensitivities.get(key, lambda: make(progress)), "Moving inputs")
