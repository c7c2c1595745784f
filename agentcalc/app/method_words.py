"""The prose of the Method page as HTML, with the numbers of the scenario on screen put in. No Streamlit."""

from __future__ import annotations

from agentcalc.analysis.accrual import accrual
from agentcalc.analysis.deadline import deadline_line, exhausted_line
from agentcalc.analysis.naming import names
from agentcalc.app.words import bullets, esc
from agentcalc.latency import Profile, call_s, profile
from agentcalc.results import Comparison
from agentcalc.task import Task, places
from agentcalc.units import NBSP, TIMES, show_about, show_count, show_ratio, show_share, show_time

RULES = (
    "A call's prompt is the conversation so far plus its own new tokens. Afterwards prompt and output belong to the "
    "conversation and to the server's cache, except reasoning tokens, which are not kept.",
    "What the server still holds need not be read again: only fresh (uncached) tokens cost first-token time. A tool's "
    "result joins the conversation fresh, so the next call reads it.",
    "A call outside the conversation stands alone; another named conversation starts empty.",
    "Steps, groups, loops and choices play one after the other and share the conversation.",
    "Parallel branches each copy the conversation, and the slowest decides; where only the first few are waited for, "
    "the last of those does, and the others stop there. At the join the parent's conversation goes on and gains each "
    "finished branch's result, fresh. Work in the shadow of a slower branch costs no time.",
    "Each role of a task may be served by its own system. A server never holds what another has read.",
    "A compacted conversation shrinks to its summary, which no server holds yet.",
    "A loop is played a drawn number of times, or until it stops by chance after a turn.",
    "A retried step keeps the conversation. Attempts draw anew; a failed one costs its full time, lost to retries. A "
    "single call that fails is made again with the conversation as it was before.",
    "A wait for a person counts in task time; results also give the time without people.",
    "Every system plays the same runs: the same lengths, tool times, branches and numbers of turns. Differences come "
    "from the systems alone.",
)


THRESHOLDS = {
    "cache": (
        "the lifetime of the cache",
        "a conversation that no call has used for longer is forgotten, and its next call reads all of it again: lost "
        "to a lost cache. Each role's server has its own. In a plain sequence the gap is tools and people, the same on "
        "every system; the rule tells systems apart where branches or timeouts lie between two calls.",
    ),
    "timeout": (
        "the time limit of a call",
        "a call that would take longer is cut off at the limit and made again after a pause, with a new length, as "
        "often as the task allows; then the task goes on without it. All of it is lost to retries, and the "
        "conversation is as it was before.",
    ),
    "attention": (
        "the limit of attention",
        "a person who has waited longer, since the start or since their last answer, turns to something else and comes "
        "back late, once for each wait.",
    ),
}
"""The rules that can make seconds compound, by their name in ``Task.rules``: what each is called, and what it does."""

CEILING_OF = {"p50": "on typical runs", "mean": "of the averages", "p95": "on slow runs (p95)"}
"""Which runs a ceiling is about, by statistic."""


def one_call(found: Comparison) -> str:
    """An average call of the task on each system, as a sum that can be done by hand."""
    pair = found.pairs[0]
    if pair.call_uncached_tokens is None or pair.call_output_tokens is None:
        return "<p>This task makes no model calls, so no system changes it.</p>"
    fresh, written = round(pair.call_uncached_tokens), max(1, round(pair.call_output_tokens))
    context = float(pair.call_context_tokens)
    called = names(found.specs)
    sums = (_sum(name, profile(spec), fresh, written, context) for name, spec in zip(called, found.specs, strict=True))
    return (
        f"<p>An average call of this task reads {show_count(fresh)} fresh tokens and writes {show_count(written)}. The "
        f"first written token ends the wait; the other {show_count(written - 1)} follow at the speed of writing.</p>"
        f"<ul>{''.join(f'<li>{text}</li>' for text in sums)}</ul>"
    )


def _sum(called: str, p: Profile, fresh: int, written: int, context: float) -> str:
    first, token = float(p.first_s(float(fresh))), float(p.token_s(context))
    total = show_time(float(call_s(float(fresh), float(written), p, context)), more=1)
    over = f"{p.overhead_s:.3f}{NBSP}s + " if p.overhead_s else ""
    line = f"{over}{first:.3f}{NBSP}s + {written - 1:,} {TIMES} {token * 1e3:.3f}{NBSP}ms = {total}"
    if p.ttft_table is not None:
        return f"One call on {esc(called)}: <b>{line}</b>. Its first-token time was measured at several prompt lengths."
    split = f"{p.fixed_s:.3f}{NBSP}s + {fresh:,} {TIMES} {p.per_token_s * 1e6:.1f}{NBSP}µs"
    return f"One call on {esc(called)}: <b>{line}</b>. Its first-token time is {split}."


def formulas(found: Comparison) -> str:
    """The formulas, each followed by its value here."""
    base, cand, pair = *found.systems[:2], found.pairs[0]
    called = names(found.specs)
    b, c = base.task_s["mean"], cand.task_s["mean"]
    calls, meet = pair.per_call_speedup["mean"], pair.break_even_output_tokens
    limits_by = ((pair.ceilings[by], words) for by, words in CEILING_OF.items())
    limit = "; ".join(f"{'no end' if most is None else show_ratio(most)} {words}" for most, words in limits_by)
    crossing = "none, one system is first at any length" if meet is None else f"about {show_about(meet)}{NBSP}tokens"
    items = (
        (
            "call = overhead + first token(fresh tokens) + (tokens written − 1) × time per token",
            "A call that writes nothing costs its first-token time only.",
        ),
        (
            "first token(u) = fixed part + part per token × u",
            "A line through the one known point; u are the fresh tokens of the prompt.",
        ),
        (
            "task = sum of its steps; parallel = the slowest branch waited for",
            f"Here, on average: {show_time(b)} on {called[0]}, {show_time(c)} on {called[1]}.",
        ),
        (
            "speed-up = baseline / candidate",
            f"Of the averages: {show_ratio(b / c) if c else 'no end'}. The headline uses the one chosen on Compare.",
        ),
        (
            "the calls alone = model seconds of the baseline / of the candidate",
            f"Here: {'no calls' if calls is None else show_ratio(calls)}.",
        ),
        (
            "at most = baseline / the same runs with calls that take no time",
            f"Here {limit}. No system, however fast, gains more than that by the same statistic.",
        ),
        (
            "break-even = the answer length at which both finish a call together",
            f"At this task's own fresh tokens: {crossing}.",
        ),
    )
    return "<dl>" + "".join(f"<dt><b>{esc(head)}</b></dt><dd>{esc(text)}</dd>" for head, text in items) + "</dl>"


def rules() -> str:
    """The rules by which a task is played."""
    return bullets(RULES)


def adding_up(found: Comparison) -> str:
    """What accumulates and what compounds here, the rules that can make seconds compound, and which are on."""
    pair, on = found.pairs[0], found.task.rules
    share = show_share(found.systems[0].model_share)
    on_words = "; ".join(THRESHOLDS[name][0] for name in on)
    split = (
        "Accumulated and compounded seconds are told apart exactly: the candidate plays the same runs once more, with "
        "every threshold falling as it did on the baseline. What it gains then, accumulates; the rest compounds. It "
        "may be negative: being slow can keep a cache alive, and a quick system can lose to a threshold of its own."
    )
    parts = [
        "<p>A faster call saves seconds, and the task's calls save them one after the other: the advantage "
        "<b>accumulates</b>. Seconds <b>compound</b> only where a threshold changes the work itself.</p>",
        f"<p><b>{esc(accrual(found) or 'There is no difference here, so nothing adds up.')}</b></p>",
    ]
    if on:
        compounded = show_time(pair.compounded_s)
        parts.append(f"<p>On in this task: {esc(on_words)}. {esc(split)} Compounded here: {compounded} a run.</p>")
    else:
        parts.append(
            "<p>Nothing here compounds: none of the three rules below is switched on in this task, so it can never "
            "gain more than its best call does, and tools and people keep their time.</p>"
        )
        if _first_few(found.task):
            parts.append(
                "<p>This task goes on with the first of several branches, so even without these rules it may gain more "
                "than its best call.</p>"
            )
    parts.append(bullets(f"{name}: {rule}" for name, rule in THRESHOLDS.values()))
    beside = " ".join(line for line in (deadline_line(found), exhausted_line(found)) if line)
    parts.append(
        "<p>A deadline turns seconds into attempts and a chance of success. That is told beside, and never counted as "
        f"compounded seconds.{f' {esc(beside)}' if beside else ''}</p>"
        f"<p>Calls are {share} of the time on {esc(names(found.specs)[0])}; only that share can shrink"
        f"{', and what is lost to thresholds' if on else ''}.</p>"
    )
    return "".join(parts)


def _first_few(task: Task) -> bool:
    """Whether some branches of the task are not waited for."""
    return any(place.step.kind == "parallel" and place.step.join != "all" for place in places(task.steps))


def limits(measured: str) -> str:
    """What the numbers are not. measured: the prompts they were measured on, in sentences."""
    return bullets(
        (
            "Not a cost. There is no price of a token, a chip or a kilowatt in them.",
            "Not independent, where the grade is reported or derived: a vendor's run on operating points it chose.",
            f'Not long prompts. {measured} Beyond, a straight line is drawn and results say "extrapolated".',
            "Not agents. They were measured on single-turn requests with random prompts; a real server also schedules, "
            "queues and evicts.",
            "Not a fleet. A point is one load. At another load the same hardware answers faster or slower.",
            "Not a quality. Both systems are taken to write the same tokens; whether the answer is right is another "
            "question.",
        )
    )
