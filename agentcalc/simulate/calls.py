"""A model call: prefill what is not cached, write the output, keep both in conversation and cache."""

from __future__ import annotations

import numpy as np

from agentcalc import latency
from agentcalc.simulate.draws import stream
from agentcalc.simulate.scene import Scene
from agentcalc.simulate.stage import Stage
from agentcalc.task import ModelCall


class Call:
    def __init__(self, step: ModelCall, key: str, seed: int, conversations: dict[str, int]):
        self.step, self.key = step, key
        self.talk = None if step.conversation is None else conversations[step.conversation]
        self.streams = [stream(seed, key, field) for field in ("input_tokens", "output_tokens", "reasoning_tokens")]

    def play(self, scene: Scene, stage: Stage) -> None:
        step, players = self.step, stage.players
        fresh = stage.count(scene, step.input_tokens, self.streams[0])
        output = stage.count(scene, step.output_tokens, self.streams[1])
        kept = output
        if not step.reasoning_tokens.fixed == 0:
            kept = output - np.minimum(stage.count(scene, step.reasoning_tokens, self.streams[2]), output)

        prompt = fresh if self.talk is None else scene.context[self.talk] + fresh
        uncached = prompt if self.talk is None else prompt - scene.cached[self.talk]
        ttft = latency.ttft_s(uncached, players.fixed, players.per_token)
        decode = latency.decode_s(output, players.tpot)
        parts = [("ttft", ttft), ("decode", decode)]
        if stage.row["overhead"] is not None:
            parts.insert(0, ("overhead", players.overhead))
        stage.spend(scene, self, tuple(parts), tokens=(uncached, prompt, output))

        named = players.named
        seconds = players.overhead[:named] + ttft[:named] + decode[:named]
        seconds = np.broadcast_to(seconds, (named, scene.lanes))
        stage.tally.add(uncached, prompt, output, np.maximum(output - 1.0, 0.0), seconds)
        if self.talk is not None:
            scene.context[self.talk] = prompt + kept
            scene.cached[self.talk] = scene.context[self.talk]
        scene.last_output[...] = kept
        scene.calls += 1
