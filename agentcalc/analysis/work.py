"""How far a long computation is, counted in runs that were played, also where nobody knows yet how many it takes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Progress = Callable[[int, int], None]


@dataclass
class Work:
    """Runs played, one a player, of as many as are expected. progress: called with both while they are played, and may
    raise to end the work; None: nobody listens.
    """

    progress: Progress | None = None
    done: int = 0
    expected: int = 0

    def expect(self, runs: int) -> None:
        """So many runs are still to come, as far as is known now."""
        self.expected = self.done + runs

    def during(self, players: int) -> Progress:
        """What a walk on some players is to call with trials done and in all."""
        before = self.done

        def heard(trials: int, of: int) -> None:
            self.done = before + players * trials
            if self.progress:
                self.progress(self.done, max(self.expected, self.done))

        return heard


def onward(progress: Progress | None, before: int, of: int) -> Progress | None:
    """The progress of one part of a work that has ``before`` behind it and is ``of`` in all; None for None."""
    if progress is None:
        return None
    return lambda done, _: progress(before + done, of)
