"""A model call: prefill what is not cached, write the output, keep both in conversation and cache.

A call that can fail or run into its timeout is attempted again; what its failed attempts cost is the component
``retry``, and the conversation is rolled back. The second and later attempts are played on the lanes where some
player still tries.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from agentcalc import latency
from agentcalc.simulate.draws import Streams, turned, uniforms
from agentcalc.simulate.scene import Line, Scene, replaced
from agentcalc.simulate.stage import TAILS, Stage, fixed_count
from agentcalc.task import ModelCall

# An array of no dimension: numpy makes one of every scalar at every use.
ONE = np.array(1.0)


@dataclass(slots=True)
class Attempt:
    """One attempt. Tokens [rows, lanes], [lanes] or numbers; seconds [players, lanes] (overhead [players, 1]), TTFT and
    decode as lines where nobody asks for them yet.
    """

    prompt: np.ndarray | float
    uncached: np.ndarray | float
    output: np.ndarray | float
    writing: np.ndarray | float
    kept: np.ndarray | float
    overhead: np.ndarray
    ttft: np.ndarray | Line
    decode: np.ndarray | Line
    refill: np.ndarray | None

    def call_s(self, players: int | None = None) -> np.ndarray:
        """The call without what a lost cache adds, [players, lanes]; players: only the first of them."""
        if isinstance(self.ttft, Line):
            spent = (self.ttft.seconds() + self.decode.seconds())[:players]
        else:
            spent = self.ttft[:players] + self.decode[:players]
        return spent + self.overhead[:players] if self.overhead.any() else spent

    def parts(self, stage: Stage, ok: np.ndarray | None = None) -> list[tuple[str, np.ndarray]]:
        """What the attempt spends, by component; only where ok."""
        found = [("overhead", self.overhead)] if stage.row["overhead"] is not None else []
        found += [("refill", self.refill)] if self.refill is not None else []
        found += [("ttft", self.ttft), ("decode", self.decode)]
        return found if ok is None else [(name, np.where(ok, seconds, 0.0)) for name, seconds in found]


class Call:
    DRAWS = ("input_tokens", "output_tokens", "reasoning_tokens")

    def __init__(self, step: ModelCall, key: str, seed: int, talk: int | None, cache: int | None, role: int):
        self.step, self.key, self.talk, self.cache, self.role = step, key, talk, cache, role
        self.streams = Streams(seed, key)
        self.fresh = fixed_count(step.input_tokens)
        self.can_fail = step.timeout_s is not None or step.failure_probability > 0

    def play(self, scene: Scene, stage: Stage) -> None:
        fresh = self.fresh
        if fresh is None:
            fresh = stage.count(scene, self.step.input_tokens, self.streams["input_tokens"])
        attempt = self._attempt(scene, stage, fresh)
        if self.can_fail:
            stage.tally.add(self.role, scene.lanes, attempt)
            self._try(scene, stage, attempt, fresh)
            return
        call_s = None if scene.bill is None else attempt.call_s()
        stage.tally.add(self.role, scene.lanes, attempt, call_s)
        total = call_s if attempt.refill is None or call_s is None else call_s + attempt.refill
        tokens = attempt.uncached, attempt.prompt, attempt.output
        stage.spend(scene, self, attempt.parts(stage), tokens, total)
        scene.calls += ONE
        self._keep(scene, attempt)

    def _attempt(self, scene: Scene, stage: Stage, fresh: np.ndarray | float) -> Attempt:
        step, players, role = self.step, stage.players, self.role
        output = stage.count(scene, step.output_tokens, self.streams["output_tokens"])
        kept = output
        if step.reasoning_tokens.fixed != 0:
            thought = stage.count(scene, step.reasoning_tokens, self.streams["reasoning_tokens"])
            kept = output - np.minimum(thought, output)
        prompt = fresh if self.talk is None else scene.context[self.talk] + fresh
        cached = 0.0 if self.cache is None else scene.cached[self.cache]
        writing = latency.after_first(output) if step.output_tokens.writes_zero else output - ONE
        uncached = prompt - cached
        if stage.unseen(scene) and not self.can_fail:
            ttft = Line(players.fixed[role], players.per_token[role], uncached)
            decode = Line(None, players.tpot[role], writing)
        else:
            ttft, decode = players.ttft(role, uncached), players.decode(role, writing, prompt)
        attempt = Attempt(
            prompt=prompt,
            uncached=uncached,
            output=output,
            writing=writing,
            kept=kept,
            overhead=players.overhead[role],
            ttft=ttft,
            decode=decode,
            refill=self._refill(scene, stage, cached, uncached),
        )
        return attempt if not players.varied[role] else self._varied(scene, stage, attempt)

    def _varied(self, scene: Scene, stage: Stage, attempt: Attempt) -> Attempt:
        """The attempt with TTFT and TPOT as they vary from call to call; a moment slow on one is slow on all."""
        ttft, tpot = (
            stage.players.factors(self.role, name, scene.draw(self.streams[name], lambda u: u)) if on else 1.0
            for name, on in zip(TAILS, stage.players.tails[self.role], strict=True)
        )
        refill = None if attempt.refill is None else attempt.refill * ttft
        return replace(attempt, ttft=attempt.ttft * ttft, decode=attempt.decode * tpot, refill=refill)

    def _refill(self, scene: Scene, stage: Stage, cached, uncached) -> np.ndarray | None:
        """Prefilling again what the server forgot since the last call in this conversation ended, [players, lanes]."""
        if stage.lifetime is None or self.cache is None:
            return None
        lost = stage.players.decided(scene.now() - scene.used[self.cache] > stage.lifetime)
        if stage.players.plain:
            return lost * (stage.players.per_token[self.role] * cached)
        return lost * (stage.players.ttft(self.role, uncached + cached) - stage.players.ttft(self.role, uncached))

    def _keep(self, scene: Scene, attempt: Attempt) -> None:
        """Prompt and output join conversation and cache."""
        scene.last_output = replaced(scene.last_output, attempt.kept)
        if self.talk is not None:
            said = attempt.prompt + attempt.kept
            scene.replace("context", self.talk, said)
            scene.replace("cached", self.cache, said)
        self._use(scene)

    def _keep_where(self, scene: Scene, attempt: Attempt, ok: np.ndarray) -> None:
        """The same where ok [rows, lanes]."""
        np.copyto(scene.own("last_output"), attempt.kept, where=ok)
        if self.talk is not None:
            context = scene.own("context")[self.talk]
            np.copyto(context, attempt.prompt + attempt.kept, where=ok)
            np.copyto(scene.own("cached")[self.cache], context, where=ok)
        self._use(scene)

    def _use(self, scene: Scene) -> None:
        if self.cache is not None and scene.used is not None:
            scene.own("used")[self.cache] = scene.now()

    def _try(self, scene: Scene, stage: Stage, attempt: Attempt, fresh: np.ndarray | float) -> None:
        """Plays the attempts of a call that can fail; attempt: the first, as drawn for all lanes; fresh: its input."""
        rows = scene.calls.shape[0]
        trying = np.ones((len(stage.players), scene.lanes), dtype=bool)
        lanes, view = np.arange(scene.lanes), scene
        for number in range(self.step.max_attempts):
            if number:
                lanes = np.flatnonzero(trying.any(axis=0))
                if not len(lanes):
                    return
                view = scene.take(lanes)
                view.rekey(turned(view.key, number))
                here = fresh[lanes] if np.ndim(fresh) else fresh
                self._back_off(view, stage, trying[:, lanes])
                attempt = self._attempt(view, stage, here)
            trying[:, lanes] = self._one(view, stage, attempt, trying[:, lanes], rows)
            if number:
                scene.put(lanes, view)
        ran_out = trying if rows > 1 else trying[:1]
        exhausted = scene.own("exhausted")
        exhausted |= ran_out

    def _one(self, view: Scene, stage: Stage, attempt: Attempt, trying: np.ndarray, rows: int) -> np.ndarray:
        """One attempt on the lanes of a view; trying bool [players, lanes] -> who must try again."""
        spent = attempt.call_s() if attempt.refill is None else attempt.call_s() + attempt.refill
        bad = np.zeros(trying.shape, dtype=bool)
        if self.step.failure_probability > 0:
            bad |= uniforms(view.key, self.streams["failure"]) < self.step.failure_probability
        if self.step.timeout_s is not None:
            late = stage.players.decided(spent > self.step.timeout_s)
            spent = np.where(late, self.step.timeout_s, spent)
            bad |= late
        ok, failed = trying & ~bad, trying & bad
        parts = [*attempt.parts(stage, ok), ("retry", np.where(failed, spent, 0.0))]
        tokens = (attempt.uncached, attempt.prompt, attempt.output)
        if stage.observer:
            tokens = tuple(np.where(trying, t, np.nan) for t in tokens)
        stage.spend(view, self, parts, tokens)
        view.calls += trying if rows > 1 else trying[:1]
        used_before = None if view.used is None or self.cache is None else view.used[self.cache].copy()
        self._keep_where(view, attempt, ok if rows > 1 else ok[:1])
        if used_before is not None:
            # a failed attempt used the cache too; a player that had done does not use it again
            view.own("used")[self.cache] = np.where(trying, view.now(), used_before)
        return failed

    def _back_off(self, view: Scene, stage: Stage, trying: np.ndarray) -> None:
        if self.step.backoff_s.fixed == 0:
            return
        seconds = stage.amount(view, self.step.backoff_s, self.streams["backoff_s"])
        stage.spend(view, self, [("retry", np.where(trying, seconds, 0.0))])
