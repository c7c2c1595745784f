"""What would bring the candidate under a target? One card a lever, worked out when a reader asks."""

from __future__ import annotations

import streamlit as st

from agentcalc.analysis.naming import names
from agentcalc.analysis.needs import Needs, card, levers_to_target, match_line, next_round_s, to_match
from agentcalc.analysis.solving import NEEDED, Solution
from agentcalc.app import session, waiting
from agentcalc.app.calls import Answer
from agentcalc.app.keeping import Keeping
from agentcalc.app.state import State
from agentcalc.app.words import esc, plain_label
from agentcalc.errors import AgentcalcError
from agentcalc.units import show_time

PER_RUN = ("tools", "humans", "steps")
"""Levers whose value is a mean over runs, unlike a typical run's in the headline."""

LARGEST_S = 9_999_999.0

_found = Keeping(32)


def question(answer: Answer, state: State) -> str:
    """The question, with the reader's target or the next round time."""
    return f"What would bring {names(answer.now.specs)[1]} under {show_time(target_s(answer, state))}?"


def target_s(answer: Answer, state: State) -> float:
    """Seconds that the candidate should stay under."""
    return state.target or next_round_s(answer.now.systems[1].task_s[state.statistic])


def show(answer: Answer, state: State) -> None:
    """The question; once it is opened, the target, which can be changed, and the cards."""
    if answer.now.systems[1].task_s[state.statistic] <= 0:
        return
    with st.expander(plain_label(question(answer, state)), key="needs", on_change="rerun") as opened:
        if not opened.open:
            return
        _target(answer, state)
        try:
            needs, match = work(answer, state)
        except AgentcalcError as error:
            st.html(f'<p class="ac-small">{esc(error)}</p>')
            return
        st.html(cards(needs, match))


def cards(needs: Needs, match: Solution | None) -> str:
    """The sentence and the cards as HTML; match: what lets the baseline match the candidate."""
    shown = [(card(s), _values(s)) for s in needs.solutions]
    if match is not None:
        shown.append((match_line(match, needs.name).rstrip("."), ""))
    boxes = "".join(
        f'<div class="ac-need"><b>{esc(head)}</b>{f"<span>{esc(rest)}</span>" if rest else ""}</div>'
        for head, rest in shown
    )
    note = f'<p class="ac-small">{esc(needs.note)}</p>' if needs.note else ""
    return f'<p class="ac-beside">{esc(needs.sentence)}</p><div class="ac-needs">{boxes}</div>{note}'


def _values(solution: Solution) -> str:
    """ "61 s → 42 s a run on average" of a lever that does it, "it would take about 6,000 tok/s" of one that would have
    to move too far, nothing of one that cannot.
    """
    if solution.status != NEEDED or solution.value is None:
        return ""
    lever = solution.lever
    value = lever.show(solution.value, about=True)
    often = " a run on average" if lever.id in PER_RUN else ""
    if card(solution).startswith("not "):
        return f"it would take {value}{often}"
    return f"{lever.show(solution.today)} → {value}{often}"


def _target(answer: Answer, state: State) -> None:
    st.session_state["pick_target"] = target_s(answer, state)
    st.number_input(
        "Under, in seconds",
        min_value=0.001,
        max_value=LARGEST_S,
        key="pick_target",
        format="%g",
        on_change=_targeted,
        width=180,
    )


def _targeted() -> None:
    session.change(target=round(float(st.session_state["pick_target"]), 3))


def work(answer: Answer, state: State) -> tuple[Needs, Solution | None]:
    """What would do it, and what lets the baseline match; on the headline's own runs, kept. Raises GivenUp."""
    found, by, target = answer.now, state.statistic, target_s(answer, state)
    pair, trials = found.specs[:2], found.n_trials
    key = (found.task, pair, trials, by, target)

    def make(progress: waiting.Progress) -> tuple[Needs, Solution | None]:
        needs = levers_to_target(found.task, pair, target, by=by, trials=trials, bands=False, progress=progress)
        return needs, next(iter(to_match(found.task, pair, by=by, trials=trials, bands=False)), None)

    if _found.has(key):
        return _found.get(key, lambda: make(lambda done, of: None))
    return waiting.patiently(lambda progress: _found.get(key, lambda: make(progress)), "Trying levers", beside=key)
