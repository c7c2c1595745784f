"""A process that plays runs for the app: it reads what to compare, writes what it found, and ends when nobody asks.

    python -m agentcalc.app.worker

Only :mod:`agentcalc.app.workers` starts it. Both ends are the same program on the same machine, joined by pipes that
nobody else holds.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys

from agentcalc.app.runs import packed, played


def main() -> None:
    """Says None once it is ready, then plays until standard input ends, which it does with the app."""
    # Ctrl+C is for the app.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # What a library may print must not stand among the answers.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    try:
        _say(answers, None)
        while True:
            task, systems, trials = pickle.load(sys.stdin.buffer)
            try:
                found = packed(played(task, systems, trials))
            except Exception:
                # The app plays it once more itself, and meets the error at its place.
                found = None
            _say(answers, found)
    except (EOFError, BrokenPipeError):
        return


def _say(answers, found) -> None:
    pickle.dump(found, answers, protocol=pickle.HIGHEST_PROTOCOL)
    answers.flush()


if __name__ == "__main__":
    main()
