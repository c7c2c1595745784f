"""A slow, obvious play of a task: one trial, one system, plain floats, written from the design's text alone.

It shares with the library only the models, the names of the draws and the function that turns a uniform number into an
amount. Everything else is written again, as plainly as the rules read, so that agreement means something.

Where the design leaves a choice, this is what is played:

- The reasoning kept out of a conversation is at most the output: min(reasoning drawn, output).
- uncached = prompt - cached. After a call the conversation is prompt + output - reasoning, all of it cached.
- A stand-alone call (``conversation: null``) has input_tokens as its prompt, nothing cached, and touches no
  conversation.
- A call with 0 output tokens costs overhead and TTFT only.
- The result of a branch is its result_tokens if given; else what was kept (output - reasoning) of the last call that
  the branch made itself; else the tool results it produced itself plus what joins inside it added. Loops, groups,
  choices and retries are inline: their calls are the branch's own, stand-alone calls too. Calls inside a parallel or
  a graph are not.
- Results join the conversation that the parallel or graph names, uncached; what was cached at the fork stays cached.
- A width of 0 plays nothing. The latest branch is critical; of equal ones the first listed.
- A retry plays attempts until one succeeds or max_attempts were made. All time of failed attempts and the backoff
  before each further attempt is the component ``retry``. The conversation keeps what failed attempts left. It is
  exhausted when its last attempt failed.
- A graph's step starts when all in its ``after`` have ended, else at the graph's start, with a copy of the
  conversations as they stood at the graph's start plus the results of all its predecessors, direct and indirect. Its
  critical predecessor is the latest (of equal ones the first listed in ``after``). The graph ends with its latest
  step; its critical path is followed back over critical predecessors; every step's result joins the parent.
- Time without people is the same task played with every human wait at 0.

A draw is named by (step key, field, trial, turns), turns being the loop turns, copies and attempts around the step,
each counted from 0, from the outside in.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from agentcalc.distributions import whole
from agentcalc.latency import Profile
from agentcalc.task import Task, keys

COMPONENTS = ("overhead", "ttft", "decode", "refill", "tool", "human", "attention", "retry")

Turns = tuple[int, ...]
Draw = Callable[[str, str, int, Turns], float]
"""draw(step key, field, trial, turns) -> a uniform number in (0, 1)."""


@dataclass(frozen=True)
class Rules:
    """Every rule of play as a switch; all True is the design. Breaking one must be noticed by the agreement test."""

    input_joins: bool = True
    output_joins: bool = True
    reasoning_is_not_kept: bool = True
    reasoning_is_at_most_the_output: bool = True
    prompt_is_cached_after_a_call: bool = True
    output_is_cached_after_a_call: bool = True
    tool_results_join: bool = True
    tool_results_are_uncached: bool = True
    start_is_cached_as_written: bool = True
    only_main_starts_with_context: bool = True
    conversations_are_apart: bool = True
    null_is_alone: bool = True
    null_is_never_cached: bool = True
    overhead_is_paid_per_call: bool = True
    first_token_is_in_ttft: bool = True
    no_output_is_prefill_only: bool = True
    tokens_are_whole: bool = True
    small_tokens_become_one: bool = True
    written_zero_stays_zero: bool = True
    draws_stop: bool = True
    turns_draw_anew: bool = True
    copies_draw_anew: bool = True
    attempts_draw_anew: bool = True
    choice_follows_probabilities: bool = True
    branches_copy_the_conversation: bool = True
    branches_start_together: bool = True
    branches_keep_their_conversations_to_themselves: bool = True
    given_result_comes_first: bool = True
    last_call_comes_before_tools: bool = True
    last_call_that_keeps_nothing_counts: bool = True
    only_the_last_call_counts: bool = True
    result_leaves_reasoning_out: bool = True
    inner_calls_are_not_own: bool = True
    inner_joins_count_as_results: bool = True
    standalone_calls_are_own: bool = True
    results_join_the_named_conversation: bool = True
    results_join_uncached: bool = True
    parent_cache_survives_the_join: bool = True
    latest_branch_is_critical: bool = True
    first_of_equal_branches_is_critical: bool = True
    calls_of_all_branches_count: bool = True
    retry_stops_at_success: bool = True
    retry_stops_at_max_attempts: bool = True
    retry_keeps_the_conversation: bool = True
    failed_time_is_retry: bool = True
    backoff_is_retry: bool = True
    backoff_only_before_an_attempt: bool = True
    exhausted_means_the_last_failed: bool = True
    graph_waits_for_all: bool = True
    graph_steps_start_at_once: bool = True
    graph_passes_direct_results: bool = True
    graph_passes_indirect_results: bool = True
    graph_hides_unrelated_results: bool = True
    graph_results_join_the_parent: bool = True
    graph_path_is_followed_back: bool = True
    graph_ends_with_the_latest: bool = True
    first_of_equal_ends_of_a_graph_is_critical: bool = True
    first_of_equal_predecessors_is_critical: bool = True
    people_can_be_left_out: bool = True

    def without(self, rule: str) -> Rules:
        """The rules with one broken."""
        if not hasattr(self, rule):
            raise AttributeError(rule)
        return replace(self, **{rule: False})


@dataclass(frozen=True)
class Call:
    """One model call as played; context_tokens is its whole prompt."""

    key: str
    turns: Turns
    uncached_tokens: float
    context_tokens: float
    output_tokens: float
    seconds: float


@dataclass(frozen=True)
class Answer:
    """One trial on one system. ``close``: two ends that decided something differed by rounding alone."""

    task_s: float
    components: dict[str, float]
    without_people_s: float
    calls: int
    exhausted: bool
    made: list[Call]
    close: bool


@dataclass
class Span:
    """A stretch of time on the critical path, by component."""

    seconds: float = 0.0
    parts: dict[str, float] = field(default_factory=lambda: dict.fromkeys(COMPONENTS, 0.0))

    def add(self, component: str, seconds: float) -> None:
        self.seconds += seconds
        self.parts[component] += seconds

    def follow(self, other: Span) -> None:
        self.seconds += other.seconds
        for component in COMPONENTS:
            self.parts[component] += other.parts[component]


@dataclass
class Conversation:
    context: float = 0.0
    cached: float = 0.0


class Scene:
    """The conversations of one trunk or branch, and what would be its result."""

    def __init__(self, conversations: dict[str, Conversation]):
        self.conversations = conversations
        self.last_kept: float | None = None
        self.all_kept = 0.0
        self.results = 0.0

    def copy(self) -> Scene:
        return Scene({name: Conversation(c.context, c.cached) for name, c in self.conversations.items()})


def answer(task: Task, profile: Profile, draw: Draw, trial: int, rules: Rules | None = None) -> Answer:
    """Plays one trial of a task on a profile."""
    rules = rules or Rules()
    played = _Play(task, profile, draw, trial, rules, people=True)
    span = played.whole_task()
    alone = _Play(task, profile, draw, trial, rules, people=not rules.people_can_be_left_out)
    without = alone.whole_task()
    return Answer(
        task_s=span.seconds,
        components=span.parts,
        without_people_s=without.seconds,
        calls=len(played.made) if rules.calls_of_all_branches_count else len(played.made) - played.beside,
        exhausted=played.exhausted,
        made=played.made,
        close=played.close or alone.close,
    )


class _Play:
    def __init__(self, task: Task, profile: Profile, draw: Draw, trial: int, rules: Rules, people: bool):
        self.task, self.profile, self.draw, self.trial = task, profile, draw, trial
        self.rules, self.people = rules, people
        self.key_at = keys(task)
        self.made: list[Call] = []
        self.beside = 0
        self.exhausted = False
        self.close = False

    def whole_task(self) -> Span:
        cached = self.task.context_tokens if self.task.cached_tokens is None else self.task.cached_tokens
        if not self.rules.start_is_cached_as_written:
            cached = 0
        main = Conversation(float(self.task.context_tokens), float(cached))
        return self.sequence(self.task.steps, "steps", (), Scene({"main": main}))

    # -- draws -------------------------------------------------------------------------------------------------------

    def amount(self, amount, key: str, name: str, turns: Turns) -> float:
        if amount.fixed is not None:
            return amount.fixed
        u = np.array([self.draw(key, name, self.trial, turns)])
        return float(amount.draw(u)[0] if self.rules.draws_stop else amount.at(u)[0])

    def count(self, amount, key: str, name: str, turns: Turns) -> float:
        """A whole number: of tokens, of turns, of copies."""
        drawn = self.amount(amount, key, name, turns)
        if not self.rules.tokens_are_whole:
            return drawn
        if not self.rules.small_tokens_become_one:
            return float(round(drawn))
        if not self.rules.written_zero_stays_zero:
            return max(float(round(drawn)), 1.0)
        return float(whole(amount, np.array([drawn]))[0])

    # -- conversations -----------------------------------------------------------------------------------------------

    def conversation(self, scene: Scene, name: str) -> Conversation:
        if not self.rules.conversations_are_apart:
            name = "main"
        if name not in scene.conversations:
            new = Conversation()
            if not self.rules.only_main_starts_with_context:
                new = Conversation(float(self.task.context_tokens), float(self.task.context_tokens))
            scene.conversations[name] = new
        return scene.conversations[name]

    def join(self, scene: Scene, name: str | None, tokens: float) -> None:
        if name is None:
            return
        if not self.rules.results_join_the_named_conversation:
            name = "main"
        talk = self.conversation(scene, name)
        talk.context += tokens
        if not self.rules.results_join_uncached:
            talk.cached += tokens

    def result(self, scene: Scene, given: float | None) -> float:
        """What a finished branch leaves to its parent."""
        if given is not None and self.rules.given_result_comes_first:
            return given
        called = scene.last_kept is not None if self.rules.last_call_that_keeps_nothing_counts else scene.last_kept
        if called and self.rules.last_call_comes_before_tools:
            return scene.last_kept if self.rules.only_the_last_call_counts else scene.all_kept
        return scene.results

    # -- steps -------------------------------------------------------------------------------------------------------

    def sequence(self, steps, path: str, turns: Turns, scene: Scene) -> Span:
        span = Span()
        for i, step in enumerate(steps):
            span.follow(self.step(step, f"{path}[{i}]", turns, scene))
        return span

    def step(self, step, path: str, turns: Turns, scene: Scene) -> Span:
        return getattr(self, step.kind)(step, path, self.key_at[path], turns, scene)

    def model_call(self, step, path: str, key: str, turns: Turns, scene: Scene) -> Span:
        rules, profile = self.rules, self.profile
        fresh = self.count(step.input_tokens, key, "input_tokens", turns)
        output = self.count(step.output_tokens, key, "output_tokens", turns)
        reasoning = self.count(step.reasoning_tokens, key, "reasoning_tokens", turns)
        if rules.reasoning_is_at_most_the_output:
            reasoning = min(reasoning, output)
        kept = output - reasoning if rules.reasoning_is_not_kept else output
        standalone = step.conversation is None and rules.null_is_alone
        if standalone:
            prompt, uncached = fresh, fresh
            if not rules.null_is_never_cached:
                uncached = 0.0
        else:
            talk = self.conversation(scene, step.conversation or "main")
            prompt = talk.context + fresh
            uncached = prompt - talk.cached
            talk.context = (prompt if rules.input_joins else prompt - fresh) + (kept if rules.output_joins else 0.0)
            if rules.prompt_is_cached_after_a_call:
                talk.cached = talk.context if rules.output_is_cached_after_a_call else min(prompt, talk.context)
        if not standalone or rules.standalone_calls_are_own:
            scene.last_kept = kept if rules.result_leaves_reasoning_out else output
            scene.all_kept += kept
        after_first = output - 1.0 if rules.first_token_is_in_ttft else output
        if rules.no_output_is_prefill_only:
            after_first = max(after_first, 0.0)
        span = Span()
        if rules.overhead_is_paid_per_call or not self.made:
            span.add("overhead", profile.overhead_s)
        span.add("ttft", profile.fixed_s + profile.per_token_s * uncached)
        span.add("decode", after_first * profile.tpot_s)
        self.made.append(Call(key, turns, uncached, prompt, output, span.seconds))
        return span

    def tool_wait(self, step, path: str, key: str, turns: Turns, scene: Scene) -> Span:
        span = Span()
        span.add("tool", self.amount(step.seconds, key, "seconds", turns))
        tokens = self.count(step.result_tokens, key, "result_tokens", turns)
        scene.results += tokens
        if step.conversation is not None and self.rules.tool_results_join:
            talk = self.conversation(scene, step.conversation)
            talk.context += tokens
            if not self.rules.tool_results_are_uncached:
                talk.cached += tokens
        return span

    def human_wait(self, step, path: str, key: str, turns: Turns, scene: Scene) -> Span:
        span = Span()
        if self.people:
            span.add("human", self.amount(step.seconds, key, "seconds", turns))
        return span

    def group(self, step, path: str, key: str, turns: Turns, scene: Scene) -> Span:
        return self.sequence(step.steps, f"{path}.steps", turns, scene)

    def loop(self, step, path: str, key: str, turns: Turns, scene: Scene) -> Span:
        span = Span()
        for turn in range(int(self.count(step.times, key, "times", turns))):
            inner = (*turns, turn if self.rules.turns_draw_anew else 0)
            span.follow(self.sequence(step.steps, f"{path}.steps", inner, scene))
        return span

    def choice(self, step, path: str, key: str, turns: Turns, scene: Scene) -> Span:
        u = self.draw(key, "choice", self.trial, turns)
        total = sum(option.probability for option in step.options)
        chosen, below = len(step.options) - 1, 0.0
        for i, option in enumerate(step.options):
            below += option.probability / total if self.rules.choice_follows_probabilities else 1 / len(step.options)
            if u < below:
                chosen = i
                break
        return self.sequence(step.options[chosen].steps, f"{path}.options[{chosen}].steps", turns, scene)

    def parallel(self, step, path: str, key: str, turns: Turns, scene: Scene) -> Span:
        # Each branch as (steps, path, turns, its given result, the name of that draw and its turns).
        if step.branches is not None:
            branches = [
                (b.steps, f"{path}.branches[{i}].steps", turns, b.result_tokens, f"branches[{i}].result_tokens", turns)
                for i, b in enumerate(step.branches)
            ]
        else:
            branches = []
            for copy in range(int(self.count(step.width, key, "width", turns))):
                inner = (*turns, copy if self.rules.copies_draw_anew else 0)
                branches.append((step.steps, f"{path}.steps", inner, step.result_tokens, "result_tokens", inner))
        spans, results, counts = [], [], []
        for steps, where, inner, tokens, name, at in branches:
            branch = scene.copy() if self.rules.branches_copy_the_conversation else Scene(scene.conversations)
            before = len(self.made)
            spans.append(self.sequence(steps, where, inner, branch))
            counts.append(len(self.made) - before)
            given = None if tokens is None else self.count(tokens, key, name, at)
            results.append(self.result(branch, given))
            if not self.rules.branches_keep_their_conversations_to_themselves:
                for other, talk in branch.conversations.items():
                    scene.conversations.setdefault(other, talk)
            self.leak(branch, scene)
        self.hand_over(scene, step.conversation, results)
        if not spans:
            return Span()
        if not self.rules.branches_start_together:
            total = Span()
            for span in spans:
                total.follow(span)
            return total
        critical = self.latest([span.seconds for span in spans], self.rules.first_of_equal_branches_is_critical)
        if not self.rules.latest_branch_is_critical:
            critical = min(range(len(spans)), key=lambda i: spans[i].seconds)
        self.beside += sum(counts) - counts[critical]
        return spans[critical]

    def leak(self, branch: Scene, scene: Scene) -> None:
        """With the rule about own calls broken, a nested branch's last call passes for the parent's."""
        if not self.rules.inner_calls_are_not_own and branch.last_kept is not None:
            scene.last_kept = branch.last_kept

    def hand_over(self, scene: Scene, name: str | None, results: list[float]) -> None:
        for tokens in results:
            self.join(scene, name, tokens)
            if self.rules.inner_joins_count_as_results:
                scene.results += tokens
        if not self.rules.parent_cache_survives_the_join and name is not None:
            self.conversation(scene, name).cached = 0.0

    def latest(self, ends: list[float], first: bool) -> int:
        """The index of the latest end; of equal ones the first (or, with that rule broken, the last)."""
        best = 0
        for i, end in enumerate(ends):
            if end > ends[best] or (not first and end == ends[best]):
                best = i
        if any(end != ends[best] and abs(end - ends[best]) <= 1e-9 * abs(ends[best]) for end in ends):
            self.close = True
        return best

    def retry(self, step, path: str, key: str, turns: Turns, scene: Scene) -> Span:
        rules = self.rules
        total = Span()
        most = step.max_attempts if rules.retry_stops_at_max_attempts else step.max_attempts + 1
        failures = 0
        for attempt in range(most):
            inner = (*turns, attempt if rules.attempts_draw_anew else 0)
            if attempt > 0 and rules.backoff_only_before_an_attempt:
                self.back_off(total, step, key, (*turns, attempt))
            before = scene.copy().conversations
            span = self.sequence(step.steps, f"{path}.steps", inner, scene)
            failed = self.draw(key, "failure", self.trial, (*turns, attempt)) < step.failure_probability
            if failed:
                failures += 1
                if rules.failed_time_is_retry:
                    total.add("retry", span.seconds)
                else:
                    total.follow(span)
                if not rules.retry_keeps_the_conversation:
                    scene.conversations = before
                if not rules.backoff_only_before_an_attempt:
                    self.back_off(total, step, key, (*turns, attempt + 1))
            else:
                total.follow(span)
                if rules.retry_stops_at_success:
                    break
        if failed if rules.exhausted_means_the_last_failed else failures:
            self.exhausted = True
        return total

    def back_off(self, total: Span, step, key: str, turns: Turns) -> None:
        component = "retry" if self.rules.backoff_is_retry else "tool"
        total.add(component, self.amount(step.backoff_s, key, "backoff_s", turns))

    def graph(self, step, path: str, key: str, turns: Turns, scene: Scene) -> Span:
        rules = self.rules
        number = {inner.name: i for i, inner in enumerate(step.steps)}
        after = [[number[name] for name in inner.after] for inner in step.steps]
        before_all: dict[int, set[int]] = {}

        def predecessors(i: int) -> set[int]:
            if i not in before_all:
                found = set(after[i])
                for j in after[i]:
                    found |= predecessors(j)
                before_all[i] = found
            return before_all[i]

        spans: dict[int, Span] = {}
        ends: dict[int, float] = {}
        results: dict[int, float] = {}
        critical: dict[int, int | None] = {}
        counts: dict[int, int] = {}

        def play(i: int) -> None:
            if i in ends:
                return
            for j in after[i]:
                play(j)
            if not rules.graph_hides_unrelated_results:
                seen = set(results)
            elif not rules.graph_passes_direct_results:
                seen = set()
            elif not rules.graph_passes_indirect_results:
                seen = set(after[i])
            else:
                seen = predecessors(i)
            branch = scene.copy()
            for j in sorted(seen):
                self.join(branch, step.conversation, results[j])
            start, critical[i] = 0.0, None
            if after[i]:
                found = [ends[j] for j in after[i]]
                best = self.latest(found, rules.first_of_equal_predecessors_is_critical)
                if not rules.graph_waits_for_all:
                    best = found.index(min(found))
                start, critical[i] = found[best], after[i][best]
            elif not rules.graph_steps_start_at_once and ends:
                best = max(ends, key=lambda j: ends[j])
                start, critical[i] = ends[best], best
            before = len(self.made)
            spans[i] = self.step(step.steps[i], f"{path}.steps[{i}]", turns, branch)
            counts[i] = len(self.made) - before
            ends[i] = start + spans[i].seconds
            results[i] = self.result(branch, None)
            self.leak(branch, scene)

        for i in range(len(step.steps)):
            play(i)
        last = self.latest([ends[i] for i in range(len(ends))], rules.first_of_equal_ends_of_a_graph_is_critical)
        if not rules.graph_ends_with_the_latest:
            last = len(ends) - 1
        if rules.graph_results_join_the_parent:
            self.hand_over(scene, step.conversation, [results[i] for i in range(len(results))])
        walk: list[int] = []
        at: int | None = last
        while at is not None:
            walk.append(at)
            at = critical[at] if rules.graph_path_is_followed_back else None
        total = Span()
        for i in reversed(walk):
            total.follow(spans[i])
        self.beside += sum(counts.values()) - sum(counts[i] for i in walk)
        return total
