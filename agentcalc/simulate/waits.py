"""Waits: a tool that runs, a person who reads or decides, and who turns away when kept waiting too long."""

from __future__ import annotations

import numpy as np

from agentcalc.simulate.draws import Streams, stream
from agentcalc.simulate.scene import Scene, plus
from agentcalc.simulate.stage import Stage, fixed_count
from agentcalc.task import Compact, HumanWait, ToolWait


class Tool:
    DRAWS = ("seconds", "result_tokens")

    def __init__(self, step: ToolWait, key: str, seed: int, talk: int | None):
        self.step, self.key, self.talk = step, key, talk
        self.streams = Streams(seed, key)
        self.result = fixed_count(step.result_tokens)

    def play(self, scene: Scene, stage: Stage) -> None:
        stage.spend(scene, self, (("tool", stage.amount(scene, self.step.seconds, self.streams["seconds"])),))
        tokens = self.result
        if tokens == 0:
            return
        if tokens is None:
            tokens = stage.count(scene, self.step.result_tokens, self.streams["result_tokens"])
        scene.results = plus(scene.results, tokens)
        if self.talk is not None:
            scene.own("context")[self.talk] += tokens


class Human:
    def __init__(self, step: HumanWait, key: str, seed: int):
        self.step, self.key = step, key
        self.stream = stream(seed, key, "seconds")

    def play(self, scene: Scene, stage: Stage) -> None:
        attend(scene, stage, self)
        stage.spend(scene, self, (("human", stage.amount(scene, self.step.seconds, self.stream)),))
        if scene.waiting is not None:
            scene.own("waiting")[...] = scene.now()


class End:
    """The end of a task, where a person's last wait ends."""

    key = "end of the task"

    class step:
        kind = "end"


def attend(scene: Scene, stage: Stage, act) -> None:
    """A person's wait ends here; one longer than the threshold costs attention once more."""
    if scene.waiting is None:
        return
    waited = scene.now() - scene.waiting
    lost = stage.players.decided(waited > stage.attention.threshold_s)
    stage.spend(scene, act, (("attention", np.where(lost, stage.attention.cost_s, 0.0)),))


class Summary:
    def __init__(self, step: Compact, key: str, seed: int, talk: int, caches: list[int]):
        self.step, self.key, self.talk, self.caches = step, key, talk, caches
        self.stream = stream(seed, key, "to_tokens")

    def play(self, scene: Scene, stage: Stage) -> None:
        context = scene.own("context")[self.talk]
        shorter = context > (to := stage.count(scene, self.step.to_tokens, self.stream))
        np.copyto(context, np.broadcast_to(to, context.shape), where=shorter)
        for cache in self.caches:
            np.copyto(scene.own("cached")[cache], 0.0, where=shorter)
