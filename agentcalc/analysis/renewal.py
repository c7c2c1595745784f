"""How much gets done in a fixed time when runs follow one another: exact counting, not time divided by a mean.

The trials are taken as one endless sequence, in their order and over again. From every trial in turn a clock starts;
what has ended when the time is up is counted, and the counts are averaged over all starts. This is the renewal
function of the simulated task times (Cox, Renewal Theory, 1962, chapter 4), deterministic for a seed and paired
between systems. Time / mean overstates it by about half a run where runs are alike, and misses it either way where
they are not.
"""

from __future__ import annotations

import numpy as np


def runs_within(task_s: np.ndarray, seconds: float) -> np.ndarray:
    """Runs that end within ``seconds``, one after the other, counted from each trial; [trials] -> [trials].

    Infinite where no run takes any time.
    """
    n = len(task_s)
    starts, total, laps, until = _clock(task_s, seconds)
    if total == 0:
        return np.full(n, np.inf)
    ends = starts[1:]
    ended = np.searchsorted(np.concatenate([ends, ends + total]), until, side="right")
    return ended - np.arange(n) + laps * n


def moments_within(task_s: np.ndarray, run: np.ndarray, at_s: np.ndarray, seconds: float) -> np.ndarray:
    """Moments inside runs that fall within ``seconds``, counted from each trial; [trials].

    task_s [trials]; run int64, at_s [moments]: the run of each moment and when in it that is (s), in order of run and
    time; those that never come (inf) are left out. Moments of a run that is not finished count. Infinite where no run
    takes any time but some moment comes.
    """
    n = len(task_s)
    comes = np.isfinite(at_s)
    run, at_s = run[comes], at_s[comes]
    starts, total, laps, until = _clock(task_s, seconds)
    if not len(run):
        return np.zeros(n)
    if total == 0:
        return np.full(n, np.inf)
    # A moment belongs to its run: rounding must not carry the last of one into the next.
    moments = starts[run] + np.minimum(at_s, task_s[run])
    passed = np.searchsorted(np.concatenate([moments, moments + total]), until, side="right")
    return passed - np.searchsorted(run, np.arange(n)) + laps * len(run)


def _clock(task_s: np.ndarray, seconds: float) -> tuple[np.ndarray, float, int, np.ndarray]:
    """Start of each run and the end of the last [trials + 1], the whole, whole laps in ``seconds``, and until when a
    clock started at each trial runs beyond them [trials]; with room for the dust of a long sum.
    """
    starts = np.concatenate([[0.0], np.cumsum(task_s)])
    total = float(starts[-1])
    laps = int((seconds + 1e-9 * seconds) // total) if total > 0 else 0
    rest = max(seconds - laps * total, 0.0)
    return starts, total, laps, starts[:-1] + rest + 1e-12 * total + 1e-9 * seconds
