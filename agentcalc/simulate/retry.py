"""A retry: a sequence played again after a failed attempt, whose full time goes to the component ``retry``.

The conversation stays as the failed attempt left it. Outcomes are drawn on entry; lanes with most attempts come
first, and among those that used all of them the exhausted ones, so that the failing lanes of every attempt are a
prefix.
"""

from __future__ import annotations

import numpy as np

from agentcalc.simulate.draws import stream, turned, uniforms
from agentcalc.simulate.inline import play_turn
from agentcalc.simulate.scene import Scene, sum_of
from agentcalc.simulate.stage import Stage
from agentcalc.task import Retry


class Attempts:
    def __init__(self, step: Retry, key: str, seed: int, acts):
        self.step, self.key, self.acts = step, key, acts
        self.failure, self.backoff = stream(seed, key, "failure"), stream(seed, key, "backoff_s")

    def _failures(self, scene: Scene) -> np.ndarray:
        """How many attempts fail, 0 to max_attempts, [lanes]; max_attempts means exhausted."""
        failures = np.zeros(scene.lanes, dtype=np.int64)
        trying = np.arange(scene.lanes)
        for attempt in range(self.step.max_attempts):
            failed = uniforms(turned(scene.key[trying], attempt), self.failure) < self.step.failure_probability
            trying = trying[failed]
            if not len(trying):
                break
            failures[trying] += 1
        return failures

    def play(self, scene: Scene, stage: Stage) -> None:
        failures = self._failures(scene)
        order = np.argsort(-failures, kind="stable")
        rising = failures[order][::-1]
        inner = scene.take(order)
        for attempt in range(min(int(failures.max(initial=0)) + 1, self.step.max_attempts)):
            playing = len(rising) - int(np.searchsorted(rising, attempt, side="left"))
            failing = len(rising) - int(np.searchsorted(rising, attempt, side="right"))
            view = inner.first(playing)
            if attempt:
                self._wait(view, stage, attempt)
            before = [seconds[:, :failing].copy() for seconds in view.seconds]
            since = stage.observer.mark() if stage.observer else 0
            play_turn(self.acts, view, stage, attempt)
            if failing:
                now = [seconds[:, :failing] for seconds in view.seconds]
                spent = sum_of(now) - sum_of(before)
                for seconds, earlier in zip(now, before, strict=True):
                    seconds[...] = earlier
                now[stage.row["retry"]] += spent
                if stage.observer:
                    stage.observer.failed(since, view.first(failing))
        inner.exhausted |= failures[order] == self.step.max_attempts
        scene.put(order, inner)

    def _wait(self, view: Scene, stage: Stage, attempt: int) -> None:
        if self.step.backoff_s.fixed == 0:
            return
        waiting = view.first(view.lanes)
        waiting.rekey(turned(view.key, attempt))
        stage.spend(waiting, self, (("retry", stage.amount(waiting, self.step.backoff_s, self.backoff)),))
