"""Keep: the strip of kept scenarios under the buttons."""

from __future__ import annotations

import streamlit as st

from agentcalc.analysis.naming import names
from agentcalc.app import calls, session
from agentcalc.app.brought import MOST_KEPT, Kept
from agentcalc.app.cards import LETTERS, Card, Played, cards, default_name, kept_of
from agentcalc.app.state import State, from_query
from agentcalc.app.words import esc, plain_label
from agentcalc.defaults import TRIALS
from agentcalc.errors import AgentcalcError

LONGEST_NAME = 60


def button(state: State) -> None:
    """Keeps what is on screen; the first time both sides, so that there is something to measure against."""
    full = len(session.brought().kept) >= MOST_KEPT
    st.button(
        "Keep",
        icon=":material/keep:",
        shortcut="K",
        key="keep",
        on_click=keep,
        args=(state,),
        disabled=full,
        help=f"{MOST_KEPT} are kept. Remove one first." if full else None,
    )


def keep(state: State) -> None:
    """Add the scenario to the strip: its candidate, and before the first one its baseline."""
    brought, known = session.brought(), session.known()
    sides = ("candidate",) if brought.kept else ("baseline", "candidate")
    new = [one for one in (kept_of(state, known, side) for side in sides) if not _holds(brought.kept, one)]
    session.bring(brought.model_copy(update={"kept": (*brought.kept, *new)[:MOST_KEPT]}))


def _holds(kept: tuple[Kept, ...], new: Kept) -> bool:
    return any(one.model_copy(update={"name": None}) == new for one in kept)


def show(by: str) -> None:
    """The cards, by a statistic of the state ("typical"). Each can be opened, renamed, moved and taken away."""
    kept = session.brought().kept
    if not kept:
        return
    now, known = session.state(), session.known()
    task, model = known.tasks[now.task].name, known.model_label(now.model)
    found = cards(kept, [_played(one, by) for one in kept], task, model)
    with st.container(horizontal=True, key="strip", gap="small"):
        for number, (one, card) in enumerate(zip(kept, found, strict=True)):
            _card(number, one, card, len(kept))


def _played(one: Kept, by: str) -> Played:
    """What a kept scenario gives today."""
    brought = session.brought().model_copy(update={"task": one.task})
    known = brought.choices(calls.catalog_choices())
    state, _ = from_query({**one.query, "by": by}, known, TRIALS)
    task, model = known.tasks[state.task].name, known.model_label(state.model)
    try:
        found = calls.compared(state, known)
    except AgentcalcError as error:
        return Played(one.name or task, task, None, str(error), model)
    name = default_name(state, found, one.side)
    base, cand = (system.task_s[state.statistic] for system in found.systems[:2])
    if one.side == "baseline":
        return Played(name, task, base, model=model)
    ratio = base / cand if cand else None
    return Played(name, task, cand, model=model, baseline=names(found.specs)[0], ratio=ratio)


def _card(number: int, one: Kept, card: Card, of: int) -> None:
    side = "baseline" if one.side == "baseline" else "candidate"
    with st.container(border=True, key=f"card-{number}", width=190, gap=None):
        with st.container(horizontal=True, vertical_alignment="top", gap=None, key=f"top-of-card-{number}"):
            label = plain_label(f"{card.letter} {card.name}")
            st.button(label, key=f"restore-{number}", type="tertiary", on_click=_restore, args=(one,), help="Show this")
            with st.popover(
                f"Change {card.letter}", icon=":material/more_vert:", type="tertiary", key=f"menu-of-card-{number}"
            ):
                _menu(number, card, of)
        against = f' {esc(card.ratio)} <span class="ac-against">against {LETTERS[0]}</span>' if card.ratio else ""
        numbers = f'<b class="ac-{side}">{esc(card.time)}</b>{against}'
        more = "".join(f'<p class="ac-card-more">{esc(line)}</p>' for line in card.lines)
        st.html(f'<p class="ac-card">{esc(card.wrong) if card.wrong else numbers}</p>{more}')


def _menu(number: int, card: Card, of: int) -> None:
    key = f"rename-{number}"
    st.session_state[key] = card.name
    st.text_input("Name", key=key, max_chars=LONGEST_NAME, on_change=_rename, args=(number, key))
    with st.container(horizontal=True):
        for label, icon, to in (("Left", "arrow_back", number - 1), ("Right", "arrow_forward", number + 1)):
            st.button(
                label,
                icon=f":material/{icon}:",
                key=f"move-{number}-{label}",
                disabled=not 0 <= to < of,
                on_click=_move,
                args=(number, to),
            )
        st.button("Remove", icon=":material/delete:", key=f"remove-{number}", on_click=_remove, args=(number,))


def _restore(one: Kept) -> None:
    if one.task is not None:
        session.open_task(one.task)
    state, _ = from_query({**one.query, "by": session.state().by}, session.known(), TRIALS)
    session.show(state)


def _rename(number: int, key: str) -> None:
    name = " ".join("".join(c if c.isprintable() else " " for c in st.session_state[key]).split())[:LONGEST_NAME]
    _change(number, lambda one: one.model_copy(update={"name": name or None}))


def _change(number: int, how) -> None:
    kept = list(session.brought().kept)
    kept[number] = how(kept[number])
    _set(kept)


def _move(number: int, to: int) -> None:
    kept = list(session.brought().kept)
    kept.insert(to, kept.pop(number))
    _set(kept)


def _remove(number: int) -> None:
    kept = list(session.brought().kept)
    del kept[number]
    _set(kept)


def _set(kept: list[Kept]) -> None:
    session.bring(session.brought().model_copy(update={"kept": tuple(kept)}))
