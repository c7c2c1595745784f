"""Waits: a tool that runs, a person who reads or decides."""

from __future__ import annotations

from agentcalc.simulate.draws import stream
from agentcalc.simulate.scene import Scene
from agentcalc.simulate.stage import Stage
from agentcalc.task import HumanWait, ToolWait


class Tool:
    def __init__(self, step: ToolWait, key: str, seed: int, conversations: dict[str, int]):
        self.step, self.key = step, key
        self.talk = None if step.conversation is None else conversations[step.conversation]
        self.streams = [stream(seed, key, field) for field in ("seconds", "result_tokens")]

    def play(self, scene: Scene, stage: Stage) -> None:
        stage.spend(scene, self, (("tool", stage.amount(scene, self.step.seconds, self.streams[0])),))
        tokens = stage.count(scene, self.step.result_tokens, self.streams[1])
        scene.results += tokens
        if self.talk is not None:
            scene.context[self.talk] += tokens


class Human:
    def __init__(self, step: HumanWait, key: str, seed: int, conversations: dict[str, int]):
        self.step, self.key = step, key
        self.stream = stream(seed, key, "seconds")

    def play(self, scene: Scene, stage: Stage) -> None:
        stage.spend(scene, self, (("human", stage.amount(scene, self.step.seconds, self.stream)),))
