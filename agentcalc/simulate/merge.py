"""What is kept of several branches: of each player and lane the one that counts, of some things the latest."""

from __future__ import annotations

import numpy as np

from agentcalc.simulate.scene import CLOCKS, Scene, plus, silent


def go_on(best: Scene, branch: Scene, later: np.ndarray) -> None:
    """Where later [players, lanes], ``best`` goes on where a branch has ended; of all else it keeps the latest.

    The branch may have only the first of the lanes.
    """
    lanes = branch.lanes
    bits = later.astype(np.int64)
    np.negative(bits, out=bits)
    for component, (theirs, mine) in enumerate(zip(branch.seconds, best.seconds, strict=True)):
        if theirs is mine:
            continue
        if lanes == best.lanes:
            best.seconds[component] = chosen(bits, theirs, mine)
        else:
            mine = best.own_seconds()[component][:, :lanes]
            mine[...] = chosen(bits, theirs, mine)
    keep_latest(best, branch)


def chosen(bits: np.ndarray, new: np.ndarray, old: np.ndarray) -> np.ndarray:
    """``new`` where all bits are set and ``old`` where none are; bits int64 and the others float64, of one shape.

    Which branch is later changes at random from lane to lane, and a processor that guesses it wrong loses more time
    than it takes to pick by bits.
    """
    old = old.view(np.int64)
    found = np.bitwise_xor(old, new.view(np.int64))
    found &= bits
    found ^= old
    return found.view(np.float64)


def keep_latest(best: Scene, branch: Scene) -> None:
    """Keeps the later of all clocks, and what :func:`latest` keeps."""
    for name in CLOCKS:
        if getattr(best, name) is not None:
            _raise(best, name, getattr(branch, name))
    latest(best, branch)


def latest(into: Scene, other: Scene) -> None:
    """Keeps the later use of each cache and the later end of a person's wait; attempts that ran out stay so."""
    for name in ("used", "waiting", "exhausted"):
        theirs = getattr(other, name)
        # one that is still borrowed from where both began says nothing new
        if theirs is not None and theirs.flags.writeable:
            _raise(into, name, theirs)


def _raise(into: Scene, name: str, theirs: np.ndarray) -> None:
    """Keeps the larger of two arrays, of which the other's may have only the first of the lanes."""
    mine = getattr(into, name)
    if mine.flags.writeable or mine.shape != theirs.shape:
        mine = into.own(name)[..., : theirs.shape[-1]]
        np.maximum(mine, theirs, out=mine)
    else:
        setattr(into, name, np.maximum(mine, theirs))


def spend_as(scene: Scene, best: Scene) -> None:
    """The parent has spent what its critical branch has."""
    for component, seconds in enumerate(best.seconds):
        if scene.seconds[component].flags.writeable:
            scene.seconds[component][...] = seconds
        else:
            scene.seconds[component] = seconds


def give_back(scene: Scene, best: Scene, gained: np.ndarray | float, talk: int | None) -> None:
    """Writes what a join found to the parent: clock, cache uses and waits, and the results, uncached."""
    keep_latest(scene, best)
    if np.ndim(gained):
        scene.results = plus(scene.results, gained)
        if talk is not None:
            scene.own("context")[talk] += gained


def handed_back(branch: Scene) -> np.ndarray | float:
    """What a branch without ``result_tokens`` gives its parent: its last call's output, else its tools' results;
    [rows, lanes], or the number 0 where there is neither.
    """
    if branch.last_output is silent(branch.last_output.shape):
        return branch.results if branch.results.flags.writeable else 0.0
    said = branch.last_output >= 0
    return branch.last_output if said.all() else np.where(said, branch.last_output, branch.results)
