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
- Roles: a player is a Profile, which serves every role, or a mapping role -> Profile. The cache belongs to
  (conversation, role); only (main, main) starts cached.
- A cache is lost when the call starts more than the lifetime after the end of the last attempt that used it (the task's
  start before any), in a branch as well; whether anything was cached does not matter. A lost cache of n tokens adds
  per_token_s * n, the component ``refill``. At a join the parent's last use is the latest of its own and of the
  branches that finished; a step of a graph starts with the latest of the graph's start and its predecessors'.
- Attempts of one call, when it has a timeout or a chance to fail: attempt a >= 1 draws output, reasoning, failure and
  the backoff before it anew with (turns, a); its input is that of attempt 0. Late: overhead + refill + ttft + decode
  > timeout; it costs the timeout. One that failed and was not late costs its full time. Both, and the backoff, are
  ``retry``. The conversation stays as before, but the attempt used the cache. A call that runs out of attempts makes
  the run exhausted.
- Attention: a wait runs from the task's start or a human wait's end to the next human wait's start or the task's end;
  beyond the threshold its cost is paid there, before the human wait.
- Join any (1) or k: in the order of their ends (of equal ones the first listed first) the k-th is critical, or the last
  in that order where there are fewer; so of equal last ends ``all`` takes the first listed and a k the last. Branches
  after it stop: nothing of them stays but their calls.
- Compact: a conversation longer than ``to_tokens`` becomes so long, and nothing of it is cached for any role.
- Until: 1 + floor(log u / log(1 - p)) turns, at most max.
- Time without people is the same run, its thresholds as they fell, on a clock that stands still in human waits; joins
  are made by that clock.
- Forced outcomes: a player given another's answers has at every threshold (cache, late, attention) the other's outcome
  at the same (kind, step, turns, attempt); a forced late attempt costs the timeout, a forced success its full time.

A draw is named by (step key, field, trial, turns), turns being the loop turns, copies and attempts around the step,
each counted from 0, from the outside in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from math import floor, log

import numpy as np

from agentcalc.distributions import whole
from agentcalc.latency import Profile
from agentcalc.task import Task, keys

COMPONENTS = ("overhead", "ttft", "decode", "refill", "tool", "human", "attention", "retry")

Turns = tuple[int, ...]
Draw = Callable[[str, str, int, Turns], float]
"""draw(step key, field, trial, turns) -> a uniform number in (0, 1)."""
Player = Profile | Mapping[str, Profile]
Outcomes = dict[tuple, bool]
"""What every threshold said, by (kind, step key, turns, attempt); kind is lost, late or attention."""


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
    tables_are_lines: bool = True
    rising_ends_continue: bool = True
    falling_ends_stay_level: bool = True
    ends_stop_at_zero: bool = True
    writing_follows_the_prompt: bool = True
    tails_are_drawn_for_each_call: bool = True
    tails_are_drawn_apart: bool = True
    tails_stretch_a_refill: bool = True
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
    # roles
    roles_are_priced_apart: bool = True
    caches_belong_to_roles: bool = True
    only_role_main_starts_cached: bool = True
    # cache lifetime
    caches_expire: bool = True
    gap_starts_at_the_last_end: bool = True
    first_gap_starts_with_the_task: bool = True
    lost_only_beyond_the_lifetime: bool = True
    uses_are_per_conversation: bool = True
    uses_are_per_role: bool = True
    standalone_calls_use_no_cache: bool = True
    refill_is_what_was_cached: bool = True
    refill_is_its_own_component: bool = True
    a_lost_cache_is_filled_again: bool = True
    branches_copy_last_uses: bool = True
    joins_bring_last_uses: bool = True
    stopped_branches_bring_no_use: bool = True
    graph_steps_start_with_uses_before: bool = True
    graph_brings_last_uses: bool = True
    # attempts of a call
    call_attempts_draw_anew: bool = True
    first_attempt_draws_as_the_lane: bool = True
    input_is_drawn_once: bool = True
    calls_fail: bool = True
    timeouts_cut: bool = True
    late_only_beyond_the_timeout: bool = True
    a_late_attempt_costs_the_timeout: bool = True
    a_failed_attempt_costs_its_full_time: bool = True
    refill_counts_towards_a_timeout: bool = True
    overhead_counts_towards_a_timeout: bool = True
    call_attempts_are_retry: bool = True
    call_backoff_is_waited: bool = True
    call_backoff_is_retry: bool = True
    call_backoff_is_drawn_with_its_attempt: bool = True
    failed_attempts_keep_nothing: bool = True
    failed_attempts_cache_nothing: bool = True
    failed_attempts_use_the_cache: bool = True
    calls_stop_at_success: bool = True
    calls_stop_at_max_attempts: bool = True
    running_out_is_exhausted: bool = True
    nothing_joins_when_run_out: bool = True
    calls_count_attempts: bool = True
    failed_attempts_leave_no_result: bool = True
    # attention
    attention_is_paid: bool = True
    attention_is_paid_at_the_end: bool = True
    attention_only_beyond_the_threshold: bool = True
    waits_start_with_the_task: bool = True
    people_end_a_wait: bool = True
    attention_is_its_own_component: bool = True
    attention_is_paid_before_people: bool = True
    branches_copy_waits: bool = True
    joins_bring_waits: bool = True
    stopped_branches_bring_no_wait: bool = True
    graph_steps_start_with_waits_before: bool = True
    graph_brings_waits: bool = True
    # join any and k
    joins_end_with_the_kth: bool = True
    first_of_equal_finishers_comes_first: bool = True
    fewer_branches_than_k_all_finish: bool = True
    stopped_branches_leave_no_result: bool = True
    stopped_branches_calls_count: bool = True
    stopped_branches_exhaust_nothing: bool = True
    joins_without_people_by_their_own_clock: bool = True
    # compact
    compact_only_shortens: bool = True
    compact_sets_the_length: bool = True
    compact_clears_the_cache: bool = True
    compact_clears_every_role: bool = True
    compact_is_of_one_conversation: bool = True
    # until
    until_plays_once_at_least: bool = True
    until_stops_by_chance: bool = True
    until_stops_at_max: bool = True
    # people left out
    thresholds_stay_as_they_fell: bool = True
    # forced outcomes
    lost_is_forced: bool = True
    late_is_forced: bool = True
    attention_is_forced: bool = True
    a_forced_late_attempt_costs_the_timeout: bool = True
    a_forced_success_costs_its_full_time: bool = True

    def without(self, rule: str) -> Rules:
        """The rules with one broken."""
        if not hasattr(self, rule):
            raise AttributeError(rule)
        return replace(self, **{rule: False})


@dataclass(frozen=True)
class Call:
    """One attempt of a model call as played; context_tokens is its whole prompt.

    seconds: what it took; full_s: what it would have taken without a limit and with its cache kept.
    """

    key: str
    turns: Turns
    uncached_tokens: float
    context_tokens: float
    output_tokens: float
    seconds: float
    full_s: float = 0.0
    role: str = "main"
    attempt: int = 0


@dataclass(frozen=True)
class Answer:
    """One trial on one system.

    close: two ends that chose a critical branch differed by rounding alone; doubtful: a threshold, or which branches
    finished, was decided by rounding alone, so that all may differ.
    """

    task_s: float
    components: dict[str, float]
    without_people_s: float
    calls: int
    exhausted: bool
    made: list[Call]
    close: bool
    doubtful: bool
    outcomes: Outcomes


Cache = tuple[str, str]
"""(conversation, role)"""


class Scene:
    """One trunk or branch: its clocks, where its time went, its conversations, and what would be its result."""

    def __init__(self) -> None:
        self.now = 0.0
        self.alone = 0.0
        """The clock that stands still in human waits."""
        self.parts = dict.fromkeys(COMPONENTS, 0.0)
        self.path_calls = 0
        self.exhausted = False
        self.context: dict[str, float] = {}
        self.cached: dict[Cache, float] = {}
        self.used: dict[Cache, float] = {}
        self.waiting_since = 0.0
        self.last_kept: float | None = None
        self.all_kept = 0.0
        self.results = 0.0

    def fork(self) -> Scene:
        """A branch: everything copied, but for its result."""
        new = Scene()
        new.now, new.alone, new.parts, new.path_calls = self.now, self.alone, dict(self.parts), self.path_calls
        new.exhausted, new.waiting_since = self.exhausted, self.waiting_since
        new.context, new.cached, new.used = dict(self.context), dict(self.cached), dict(self.used)
        return new

    def spend(self, component: str, seconds: float) -> None:
        self.now += seconds
        self.parts[component] += seconds
        if component != "human":
            self.alone += seconds

    def continue_as(self, other: Scene) -> None:
        """Goes on where the critical branch ended."""
        self.now, self.parts, self.path_calls = other.now, dict(other.parts), other.path_calls

    def bring_uses(self, others: list[Scene]) -> None:
        for other in others:
            for cache, end in other.used.items():
                self.used[cache] = max(self.used.get(cache, 0.0), end)

    def bring_waits(self, others: list[Scene]) -> None:
        self.waiting_since = max([self.waiting_since, *(other.waiting_since for other in others)])


def answer(
    task: Task, player: Player, draw: Draw, trial: int, rules: Rules | None = None, forced: Outcomes | None = None
) -> Answer:
    """Plays one trial of a task on a player; forced: another's outcomes, to be had instead of its own."""
    rules = rules or Rules()
    played = _Play(task, player, draw, trial, rules, forced)
    scene = played.whole_task()
    without, again = scene.alone, None
    if not rules.people_can_be_left_out:
        without = scene.now
    elif not rules.thresholds_stay_as_they_fell:
        again = _Play(task, player, draw, trial, rules, forced, people=False)
        without = again.whole_task().now
    made = played.made if rules.calls_count_attempts else [call for call in played.made if call.attempt == 0]
    calls = len(made) if rules.stopped_branches_calls_count else len(made) - played.stopped
    return Answer(
        task_s=scene.now,
        components=scene.parts,
        without_people_s=without,
        calls=calls if rules.calls_of_all_branches_count else scene.path_calls,
        exhausted=scene.exhausted,
        made=played.made,
        close=played.close,
        doubtful=played.doubtful,
        outcomes=played.outcomes,
    )


class _Play:
    def __init__(
        self,
        task: Task,
        player: Player,
        draw: Draw,
        trial: int,
        rules: Rules,
        forced: Outcomes | None,
        people: bool = True,
    ):
        self.task, self.player, self.draw, self.trial = task, player, draw, trial
        self.rules, self.forced, self.people = rules, forced, people
        self.key_at = keys(task)
        self.made: list[Call] = []
        self.outcomes: Outcomes = {}
        self.stopped = 0
        self.close = False
        self.doubtful = False

    def whole_task(self) -> Scene:
        task, rules = self.task, self.rules
        cached = float(task.context_tokens if task.cached_tokens is None else task.cached_tokens)
        scene = Scene()
        scene.context["main"] = float(task.context_tokens)
        scene.cached["main", "main"] = cached if rules.start_is_cached_as_written else 0.0
        self.sequence(task.steps, "steps", (), scene)
        if rules.attention_is_paid_at_the_end:
            self.pay_attention(scene, "the end of the task", ())
        return scene

    # -- draws -------------------------------------------------------------------------------------------------------

    def amount(self, amount, key: str, name: str, turns: Turns) -> float:
        if amount.fixed is not None:
            return amount.fixed
        u = np.array([self.draw(key, name, self.trial, turns)])
        return float(amount.draw(u)[0] if self.rules.draws_stop else amount.at(u)[0])

    def first(self, profile: Profile, tokens: float) -> float:
        """Mean TTFT at some uncached tokens: the line, or the table."""
        if profile.ttft_table is None:
            return profile.fixed_s + profile.per_token_s * tokens
        return self.along(profile.ttft_table, tokens)

    def token(self, profile: Profile, tokens: float) -> float:
        """Mean TPOT after a prompt of some tokens."""
        return profile.tpot_s if profile.tpot_table is None else self.along(profile.tpot_table, tokens)

    def along(self, table, tokens: float) -> float:
        """In straight lines between measurements; beyond the ends a rising line continues, never below 0, and a falling
        one stays level.
        """
        (x, y), (next_x, next_y) = table[0], table[1]
        for left, right in pairwise(table):
            if left[0] <= tokens:
                (x, y), (next_x, next_y) = left, right
        slope = (next_y - y) / (next_x - x)
        if not self.rules.tables_are_lines and x <= tokens < next_x:
            return y
        if tokens > next_x or tokens < x:
            if not self.rules.rising_ends_continue:
                slope = 0.0
            elif self.rules.falling_ends_stay_level:
                slope = max(slope, 0.0)
            x, y = (next_x, next_y) if tokens > next_x else (x, y)
        found = y + slope * (tokens - x)
        return max(found, 0.0) if self.rules.ends_stop_at_zero else found

    def factor(self, tail, key: str, name: str, turns: Turns) -> float:
        """What a call's latency is multiplied by."""
        if tail is None:
            return 1.0
        return self.amount(tail, key, name, turns if self.rules.tails_are_drawn_for_each_call else ())

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

    # -- thresholds --------------------------------------------------------------------------------------------------

    def beyond(self, kind: str, is_forced: bool, at: tuple, value: float, limit: float, strictly: bool) -> bool:
        """Whether a threshold is passed: by its own seconds, or as another's was."""
        if value != limit and abs(value - limit) <= 1e-9 * max(1.0, limit):
            self.doubtful = True
        own = value > limit or (not strictly and value == limit)
        self.outcomes[kind, *at] = own
        if self.forced is not None and is_forced:
            return self.forced.get((kind, *at), own)
        return own

    def pay_attention(self, scene: Scene, key: str, turns: Turns) -> None:
        rules, attention = self.rules, self.task.attention
        if attention is None or not rules.attention_is_paid:
            return
        waited = scene.now - scene.waiting_since
        if not rules.waits_start_with_the_task and scene.waiting_since == 0:
            waited = 0.0
        strictly = rules.attention_only_beyond_the_threshold
        at = (key, turns, 0)
        if self.beyond("attention", rules.attention_is_forced, at, waited, attention.threshold_s, strictly):
            scene.spend("attention" if rules.attention_is_its_own_component else "human", attention.cost_s)

    def is_lost(self, scene: Scene, cache: Cache, key: str, turns: Turns, attempt: int) -> bool:
        rules, lifetime = self.rules, self.task.cache
        if lifetime is None or not rules.caches_expire:
            return False
        used = scene.used
        if not rules.uses_are_per_conversation:
            used = {cache: max((end for (_, role), end in used.items() if role == cache[1]), default=0.0)}
        if not rules.uses_are_per_role:
            used = {cache: max((end for (talk, _), end in used.items() if talk == cache[0]), default=0.0)}
        if cache not in used and not rules.first_gap_starts_with_the_task:
            return False
        gap = scene.now - used.get(cache, 0.0)
        strictly = rules.lost_only_beyond_the_lifetime
        return self.beyond("lost", rules.lost_is_forced, (key, turns, attempt), gap, lifetime.lifetime_s, strictly)

    # -- conversations -----------------------------------------------------------------------------------------------

    def talk(self, scene: Scene, name: str) -> str:
        """The conversation meant by a name; a new one starts empty."""
        if not self.rules.conversations_are_apart:
            name = "main"
        if name not in scene.context:
            scene.context[name] = 0.0
            if not self.rules.only_main_starts_with_context:
                scene.context[name] = scene.cached[name, "main"] = float(self.task.context_tokens)
        return name

    def cache(self, scene: Scene, talk: str, role: str) -> Cache:
        if not self.rules.caches_belong_to_roles:
            role = "main"
        if not self.rules.only_role_main_starts_cached and talk == "main":
            scene.cached.setdefault((talk, role), float(self.task.starts_cached))
        return talk, role

    def join(self, scene: Scene, name: str | None, tokens: float) -> None:
        if name is None:
            return
        talk = self.talk(scene, name if self.rules.results_join_the_named_conversation else "main")
        scene.context[talk] += tokens
        if not self.rules.results_join_uncached:
            scene.cached[talk, "main"] = scene.cached.get((talk, "main"), 0.0) + tokens

    def result(self, scene: Scene, given: float | None) -> float:
        """What a finished branch leaves to its parent."""
        if given is not None and self.rules.given_result_comes_first:
            return given
        called = scene.last_kept is not None if self.rules.last_call_that_keeps_nothing_counts else scene.last_kept
        if called and self.rules.last_call_comes_before_tools:
            return scene.last_kept if self.rules.only_the_last_call_counts else scene.all_kept
        return scene.results

    # -- steps -------------------------------------------------------------------------------------------------------

    def sequence(self, steps, path: str, turns: Turns, scene: Scene) -> None:
        for i, step in enumerate(steps):
            self.step(step, f"{path}[{i}]", turns, scene)

    def step(self, step, path: str, turns: Turns, scene: Scene) -> None:
        getattr(self, step.kind)(step, path, self.key_at[path], turns, scene)

    def model_call(self, step, path: str, key: str, turns: Turns, scene: Scene) -> None:
        rules = self.rules
        fresh = self.count(step.input_tokens, key, "input_tokens", turns)
        tries = step.timeout_s is not None or step.failure_probability > 0
        most = step.max_attempts if tries else 1
        if tries and not rules.calls_stop_at_max_attempts:
            most += 1
        for attempt in range(most):
            if attempt:
                numbered = (*turns, attempt if rules.call_backoff_is_drawn_with_its_attempt else attempt - 1)
                component = "retry" if rules.call_backoff_is_retry else "tool"
                if rules.call_backoff_is_waited:
                    scene.spend(component, self.amount(step.backoff_s, key, "backoff_s", numbered))
                if not rules.input_is_drawn_once:
                    fresh = self.count(step.input_tokens, key, "input_tokens", (*turns, attempt))
            if self.attempt(step, key, turns, attempt, fresh, scene, last=attempt == most - 1):
                if rules.calls_stop_at_success:
                    return
            elif attempt == most - 1 and rules.running_out_is_exhausted:
                scene.exhausted = True

    def attempt(self, step, key: str, turns: Turns, attempt: int, fresh: float, scene: Scene, last: bool) -> bool:
        """One attempt of a call; whether it succeeded."""
        rules = self.rules
        drawn = (*turns, attempt) if rules.call_attempts_draw_anew else turns
        if attempt == 0:
            drawn = turns if rules.first_attempt_draws_as_the_lane or step.timeout_s is None else (*turns, 0)
        output = self.count(step.output_tokens, key, "output_tokens", drawn)
        reasoning = self.count(step.reasoning_tokens, key, "reasoning_tokens", drawn)
        if rules.reasoning_is_at_most_the_output:
            reasoning = min(reasoning, output)
        kept = output - reasoning if rules.reasoning_is_not_kept else output
        standalone = step.conversation is None and rules.null_is_alone

        prompt, cached, lost = fresh, 0.0 if rules.null_is_never_cached else fresh, False
        if not standalone:
            talk = self.talk(scene, step.conversation or "main")
            cache = self.cache(scene, talk, step.role)
            prompt, cached = scene.context[talk] + fresh, scene.cached.get(cache, 0.0)
            lost = self.is_lost(scene, cache, key, turns, attempt)
        profile = self.player
        if not isinstance(profile, Profile):
            profile = profile[step.role if rules.roles_are_priced_apart else min(profile)]

        after_first = output - 1.0 if rules.first_token_is_in_ttft else output
        if rules.no_output_is_prefill_only:
            after_first = max(after_first, 0.0)
        overhead = profile.overhead_s if rules.overhead_is_paid_per_call or not self.made else 0.0
        fresh_tokens = prompt - cached
        ttft = self.first(profile, fresh_tokens)
        decode = after_first * self.token(profile, prompt if rules.writing_follows_the_prompt else fresh_tokens)
        refill = 0.0
        if lost:
            again = cached if rules.refill_is_what_was_cached else prompt
            refill = self.first(profile, fresh_tokens + again) - ttft
        ttft_factor = self.factor(profile.ttft_tail, key, "ttft_tail", drawn)
        tpot_tail = "tpot_tail" if rules.tails_are_drawn_apart else "ttft_tail"
        ttft, decode = ttft * ttft_factor, decode * self.factor(profile.tpot_tail, key, tpot_tail, drawn)
        refill *= ttft_factor if rules.tails_stretch_a_refill else 1.0
        full = overhead + refill + ttft + decode

        late = self.is_late(step, key, turns, attempt, full, full - overhead - refill, overhead, refill)
        failed = rules.calls_fail and self.draw(key, "failure", self.trial, drawn) < step.failure_probability
        cost = full
        if late and rules.a_late_attempt_costs_the_timeout:
            if full > step.timeout_s or rules.a_forced_late_attempt_costs_the_timeout:
                cost = step.timeout_s
        elif failed and not rules.a_failed_attempt_costs_its_full_time:
            cost = 0.0
        elif not late and step.timeout_s is not None and not rules.a_forced_success_costs_its_full_time:
            cost = min(full, step.timeout_s)
        start = scene.now
        if (late or failed) and rules.call_attempts_are_retry:
            scene.spend("retry", cost)
        else:
            lost_to = "refill" if rules.refill_is_its_own_component else "ttft"
            for component, seconds in (("overhead", overhead), ("ttft", ttft), ("decode", decode), (lost_to, refill)):
                scene.spend(component, seconds * (cost / full if full else 1.0))
        self.made.append(Call(key, turns, prompt - cached, prompt, output, cost, full - refill, step.role, attempt))
        scene.path_calls += 1

        succeeded = not (late or failed)
        end = scene.now if rules.gap_starts_at_the_last_end else start
        if standalone:
            if not rules.standalone_calls_use_no_cache:
                scene.used["main", step.role] = end
        elif succeeded or rules.failed_attempts_use_the_cache:
            scene.used[cache] = end
        if not standalone:
            if succeeded or not rules.failed_attempts_keep_nothing:
                scene.context[talk] = (prompt if rules.input_joins else prompt - fresh) + (
                    kept if rules.output_joins else 0.0
                )
                if rules.prompt_is_cached_after_a_call:
                    context = scene.context[talk]
                    scene.cached[cache] = context if rules.output_is_cached_after_a_call else min(prompt, context)
                if lost and not rules.a_lost_cache_is_filled_again:
                    scene.cached[cache] -= cached
            elif last and not rules.nothing_joins_when_run_out:
                scene.context[talk] = prompt
            elif not rules.failed_attempts_cache_nothing:
                scene.cached[cache] = scene.context[talk]
        if (succeeded or not rules.failed_attempts_leave_no_result) and (
            not standalone or rules.standalone_calls_are_own
        ):
            scene.last_kept = kept if rules.result_leaves_reasoning_out else output
            scene.all_kept += kept
        return succeeded

    def is_late(self, step, key, turns, attempt, full: float, bare: float, overhead: float, refill: float) -> bool:
        rules = self.rules
        if step.timeout_s is None or not rules.timeouts_cut:
            return False
        counted = full
        if not (rules.overhead_counts_towards_a_timeout and rules.refill_counts_towards_a_timeout):
            counted = bare + (overhead if rules.overhead_counts_towards_a_timeout else 0.0)
            counted += refill if rules.refill_counts_towards_a_timeout else 0.0
        strictly = rules.late_only_beyond_the_timeout
        return self.beyond("late", rules.late_is_forced, (key, turns, attempt), counted, step.timeout_s, strictly)

    def tool_wait(self, step, path: str, key: str, turns: Turns, scene: Scene) -> None:
        scene.spend("tool", self.amount(step.seconds, key, "seconds", turns))
        tokens = self.count(step.result_tokens, key, "result_tokens", turns)
        scene.results += tokens
        if step.conversation is not None and self.rules.tool_results_join:
            talk = self.talk(scene, step.conversation)
            scene.context[talk] += tokens
            if not self.rules.tool_results_are_uncached:
                scene.cached[talk, "main"] = scene.cached.get((talk, "main"), 0.0) + tokens

    def human_wait(self, step, path: str, key: str, turns: Turns, scene: Scene) -> None:
        rules = self.rules
        before = scene.now
        self.pay_attention(scene, key, turns)
        paid = scene.now - before
        if self.people:
            scene.spend("human", self.amount(step.seconds, key, "seconds", turns))
        if rules.people_end_a_wait:
            scene.waiting_since = scene.now if rules.attention_is_paid_before_people else scene.now - paid

    def compact(self, step, path: str, key: str, turns: Turns, scene: Scene) -> None:
        rules = self.rules
        talk = self.talk(scene, step.conversation if rules.compact_is_of_one_conversation else "main")
        tokens = self.count(step.to_tokens, key, "to_tokens", turns)
        if scene.context[talk] <= tokens and rules.compact_only_shortens:
            return
        if rules.compact_sets_the_length:
            scene.context[talk] = tokens
        for cache in scene.cached:
            if cache[0] == talk:
                cleared = rules.compact_clears_the_cache and (rules.compact_clears_every_role or cache[1] == "main")
                scene.cached[cache] = 0.0 if cleared else min(scene.cached[cache], scene.context[talk])

    def group(self, step, path: str, key: str, turns: Turns, scene: Scene) -> None:
        self.sequence(step.steps, f"{path}.steps", turns, scene)

    def loop(self, step, path: str, key: str, turns: Turns, scene: Scene) -> None:
        rules = self.rules
        if step.until is None:
            times = int(self.count(step.times, key, "times", turns))
        else:
            chance, times = step.until.probability, 1
            if chance < 1 and rules.until_stops_by_chance:
                further = floor(log(self.draw(key, "until", self.trial, turns)) / log(1 - chance))
                times = further + 1 if rules.until_plays_once_at_least else further
            if rules.until_stops_at_max:
                times = min(times, step.until.max)
        for turn in range(times):
            self.sequence(step.steps, f"{path}.steps", (*turns, turn if rules.turns_draw_anew else 0), scene)

    def choice(self, step, path: str, key: str, turns: Turns, scene: Scene) -> None:
        u = self.draw(key, "choice", self.trial, turns)
        total = sum(option.probability for option in step.options)
        chosen, below = len(step.options) - 1, 0.0
        for i, option in enumerate(step.options):
            below += option.probability / total if self.rules.choice_follows_probabilities else 1 / len(step.options)
            if u < below:
                chosen = i
                break
        self.sequence(step.options[chosen].steps, f"{path}.options[{chosen}].steps", turns, scene)

    def parallel(self, step, path: str, key: str, turns: Turns, scene: Scene) -> None:
        rules = self.rules
        # Each branch as (steps, path, turns, its given result, the name of that draw and its turns).
        if step.branches is not None:
            branches = [
                (b.steps, f"{path}.branches[{i}].steps", turns, b.result_tokens, f"branches[{i}].result_tokens", turns)
                for i, b in enumerate(step.branches)
            ]
        else:
            branches = []
            for copy in range(int(self.count(step.width, key, "width", turns))):
                inner = (*turns, copy if rules.copies_draw_anew else 0)
                branches.append((step.steps, f"{path}.steps", inner, step.result_tokens, "result_tokens", inner))
        played: list[Scene] = []
        results, counts = [], []
        for steps, where, inner, tokens, name, at in branches:
            branch = scene.fork()
            if not rules.branches_copy_the_conversation:
                branch.context, branch.cached = scene.context, scene.cached
            if not rules.branches_copy_last_uses:
                branch.used = {}
            if not rules.branches_copy_waits:
                branch.waiting_since = scene.now
            if not rules.branches_start_together and played:
                branch.now, branch.parts = played[-1].now, dict(played[-1].parts)
            before = len(self.made)
            self.sequence(steps, where, inner, branch)
            counts.append(len(self.made) - before)
            given = None if tokens is None else self.count(tokens, key, name, at)
            results.append(self.result(branch, given))
            played.append(branch)
            if not rules.branches_keep_their_conversations_to_themselves:
                for talk, tokens_in_it in branch.context.items():
                    if talk not in scene.context:
                        scene.context[talk] = tokens_in_it
                        scene.cached |= {c: n for c, n in branch.cached.items() if c[0] == talk}
            self.leak(branch, scene)
        if not played:
            self.hand_over(scene, step.conversation, [])
            return
        order, critical = self.finishers(step.join, [branch.now for branch in played])
        self.stopped += sum(counts) - sum(counts[i] for i in order)
        done = [played[i] for i in order]
        leave = order if rules.stopped_branches_leave_no_result else range(len(played))
        self.hand_over(scene, step.conversation, [results[i] for i in leave])
        scene.continue_as(played[critical])
        clocks = sorted(branch.alone for branch in played)
        scene.alone = (
            clocks[len(order) - 1] if rules.joins_without_people_by_their_own_clock else played[critical].alone
        )
        if rules.joins_bring_last_uses:
            scene.bring_uses(done if rules.stopped_branches_bring_no_use else played)
        if rules.joins_bring_waits:
            scene.bring_waits(done if rules.stopped_branches_bring_no_wait else played)
        exhausting = done if rules.stopped_branches_exhaust_nothing else played
        scene.exhausted = any([scene.exhausted, *(branch.exhausted for branch in exhausting)])

    def finishers(self, join: str | int, ends: list[float]) -> tuple[list[int], int]:
        """The branches that finish, in the order listed, and the critical one."""
        rules, everyone = self.rules, list(range(len(ends)))
        if join == "all" or not rules.joins_end_with_the_kth:
            critical = self.latest(ends, rules.first_of_equal_branches_is_critical)
            if not rules.latest_branch_is_critical:
                critical = min(everyone, key=lambda i: ends[i])
            return everyone, critical
        k = 1 if join == "any" else join
        if k > len(ends):
            k = len(ends) if rules.fewer_branches_than_k_all_finish else 1
        sign = 1 if rules.first_of_equal_finishers_comes_first else -1
        order = sorted(everyone, key=lambda i: (ends[i], sign * i))
        # Whether another branch passes for the k-th by rounding alone.
        critical = order[k - 1]
        if any(end != ends[critical] and abs(end - ends[critical]) <= 1e-9 * ends[critical] for end in ends):
            self.doubtful = True
        return sorted(order[:k]), critical

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
            scene.cached[self.talk(scene, name), "main"] = 0.0

    def latest(self, ends: list[float], first: bool) -> int:
        """The index of the latest end; of equal ones the first (or, with that rule broken, the last)."""
        best = 0
        for i, end in enumerate(ends):
            if end > ends[best] or (not first and end == ends[best]):
                best = i
        if any(end != ends[best] and abs(end - ends[best]) <= 1e-9 * abs(ends[best]) for end in ends):
            self.close = True
        return best

    def retry(self, step, path: str, key: str, turns: Turns, scene: Scene) -> None:
        rules = self.rules
        most = step.max_attempts if rules.retry_stops_at_max_attempts else step.max_attempts + 1
        failures = 0
        for attempt in range(most):
            inner = (*turns, attempt if rules.attempts_draw_anew else 0)
            if attempt > 0 and rules.backoff_only_before_an_attempt:
                self.back_off(scene, step, key, (*turns, attempt))
            before = scene.fork()
            self.sequence(step.steps, f"{path}.steps", inner, scene)
            failed = self.draw(key, "failure", self.trial, (*turns, attempt)) < step.failure_probability
            if failed:
                failures += 1
                if rules.failed_time_is_retry:
                    scene.parts = dict(before.parts)
                    scene.parts["retry"] += scene.now - before.now
                if not rules.retry_keeps_the_conversation:
                    scene.context, scene.cached = before.context, before.cached
                if not rules.backoff_only_before_an_attempt:
                    self.back_off(scene, step, key, (*turns, attempt + 1))
            elif rules.retry_stops_at_success:
                break
        if failed if rules.exhausted_means_the_last_failed else failures:
            scene.exhausted = True

    def back_off(self, scene: Scene, step, key: str, turns: Turns) -> None:
        component = "retry" if self.rules.backoff_is_retry else "tool"
        scene.spend(component, self.amount(step.backoff_s, key, "backoff_s", turns))

    def graph(self, step, path: str, key: str, turns: Turns, scene: Scene) -> None:
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

        played: dict[int, Scene] = {}
        results: dict[int, float] = {}

        def play(i: int) -> None:
            if i in played:
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
            branch = scene.fork()
            for j in sorted(seen):
                self.join(branch, step.conversation, results[j])
            before = [played[j] for j in after[i]]
            if before:
                ends = [other.now for other in before]
                best = self.latest(ends, rules.first_of_equal_predecessors_is_critical)
                if not rules.graph_waits_for_all:
                    best = ends.index(min(ends))
                branch.continue_as(before[best])
                branch.alone = max(other.alone for other in before)
                if not rules.graph_path_is_followed_back:
                    branch.parts = dict(scene.parts)
                if rules.graph_steps_start_with_uses_before:
                    branch.bring_uses(before)
                if rules.graph_steps_start_with_waits_before:
                    branch.bring_waits(before)
            elif not rules.graph_steps_start_at_once and played:
                branch.continue_as(max(played.values(), key=lambda other: other.now))
            self.step(step.steps[i], f"{path}.steps[{i}]", turns, branch)
            played[i] = branch
            results[i] = self.result(branch, None)
            self.leak(branch, scene)

        for i in range(len(step.steps)):
            play(i)
        done = [played[i] for i in range(len(played))]
        last = self.latest([other.now for other in done], rules.first_of_equal_ends_of_a_graph_is_critical)
        if not rules.graph_ends_with_the_latest:
            last = len(done) - 1
        if rules.graph_results_join_the_parent:
            self.hand_over(scene, step.conversation, [results[i] for i in range(len(results))])
        scene.continue_as(done[last])
        scene.alone = max(other.alone for other in done)
        if rules.graph_brings_last_uses:
            scene.bring_uses(done)
        if rules.graph_brings_waits:
            scene.bring_waits(done)
        scene.exhausted = any([scene.exhausted, *(other.exhausted for other in done)])
