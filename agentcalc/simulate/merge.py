"""What is kept of several branches: of each player and lane the one that counts, of some things the latest."""

from __future__ import annotations

import numpy as np

from agentcalc.simulate.scene import Scene


def chosen(where: np.ndarray, new: np.ndarray, old: np.ndarray) -> np.ndarray:
    """``new`` where true and ``old`` elsewhere; where [players, lanes], new and old [components, players, lanes].

    Which branch is later changes at random from lane to lane, and a processor that guesses it wrong loses more time
    than it takes to pick by bits. Component by component, since that is what stays in the cache.
    """
    bits = where.astype(np.int64)
    np.negative(bits, out=bits)
    found = np.empty(old.shape)
    for a, b, out in zip(old.view(np.int64), new.view(np.int64), found.view(np.int64), strict=True):
        np.bitwise_xor(a, b, out=out)
        out &= bits
        out ^= a
    return found


def latest(into: Scene, other: Scene) -> None:
    """Keeps the later use of each cache and the later end of a person's wait; attempts that ran out stay so."""
    lanes = other.lanes
    for name in ("used", "waiting", "exhausted"):
        theirs = getattr(other, name)
        # one that is still borrowed from where both began says nothing new
        if theirs is not None and theirs.flags.writeable:
            mine = into.own(name)[..., :lanes]
            np.maximum(mine, theirs, out=mine)


def give_back(scene: Scene, best: Scene, gained: np.ndarray, talk: int | None) -> None:
    """Writes what a join found to the parent: clock, cache uses and waits, and the results, uncached."""
    scene.seconds[...] = best.seconds
    if scene.clock is not None:
        scene.clock[...] = best.clock
    if scene.alone is not None:
        scene.alone[...] = best.alone
    latest(scene, best)
    scene.own("results")[...] += gained
    if talk is not None:
        scene.own("context")[talk] += gained


def handed_back(branch: Scene) -> np.ndarray | float:
    """What a branch without ``result_tokens`` gives its parent: its last call's output, else its tools' results;
    [rows, lanes], or 0 where there is neither.
    """
    if not branch.last_output.flags.writeable:
        return branch.results if branch.results.flags.writeable else 0.0
    said = branch.last_output >= 0
    return branch.last_output if said.all() else np.where(said, branch.last_output, branch.results)
