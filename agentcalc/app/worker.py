"""A process that works for the app: it reads jobs, and writes what came of each, until nobody writes any more.

    python -m agentcalc.app.worker

Only :mod:`agentcalc.app.workers` starts it. Both ends are the same program on the same machine, joined by pipes that
nobody else holds.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys

from agentcalc.app.jobs import JOBS


def main() -> None:
    """Works until standard input ends, which it does with the app."""
    # Ctrl+C is for the app.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # What a library may print must not stand among the answers.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    asked = sys.stdin.buffer
    while True:
        try:
            name, arguments = pickle.load(asked)
        except EOFError:
            return
        try:
            reply = (True, JOBS[name](*arguments))
        except Exception:
            # Whoever asked does it once more, and meets the error at its place.
            reply = (False, None)
        try:
            pickle.dump(reply, answers, protocol=pickle.HIGHEST_PROTOCOL)
            answers.flush()
        except BrokenPipeError:
            return


if __name__ == "__main__":
    main()
