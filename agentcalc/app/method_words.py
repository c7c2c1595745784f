"""The prose of the Method page as HTML, with the numbers of the scenario on screen put in. No Streamlit."""

from __future__ import annotations

from agentcalc.analysis.naming import names
from agentcalc.app.choices import OWN
from agentcalc.app.state import State
from agentcalc.app.words import bullets, esc
from agentcalc.latency import Profile, call_s, profile, ttft_s
from agentcalc.results import Comparison
from agentcalc.units import NBSP, TIMES, show_about, show_count, show_ratio, show_share, show_time

RULES = (
    "A call's prompt is the conversation so far plus its own new tokens. Afterwards prompt and output belong to the "
    "conversation and to the server's cache, except reasoning tokens, which are not kept.",
    "What the server still holds need not be read again: only fresh (uncached) tokens cost first-token time. A tool's "
    "result joins the conversation fresh, so the next call reads it.",
    "A call outside the conversation stands alone; another named conversation starts empty.",
    "Steps, groups, loops and choices play one after the other and share the conversation.",
    "Parallel branches each copy the conversation, and the slowest decides. At the join the parent's conversation goes "
    "on and gains each branch's result, fresh. Work in the shadow of a slower branch costs no time.",
    "A retried step keeps the conversation. Attempts draw anew; a failed one costs its full time, lost to retries.",
    "A wait for a person counts in task time; results also give the time without people.",
    "Every system plays the same runs: the same lengths, tool times, branches and numbers of turns. Differences come "
    "from the systems alone.",
)


def one_call(found: Comparison) -> str:
    """An average call of the task on each system, as a sum that can be done by hand."""
    pair = found.pairs[0]
    if pair.call_uncached_tokens is None or pair.call_output_tokens is None:
        return "<p>This task makes no model calls, so no system changes it.</p>"
    fresh, written = round(pair.call_uncached_tokens), max(1, round(pair.call_output_tokens))
    called = names(found.specs)
    sums = (_sum(name, profile(spec), fresh, written) for name, spec in zip(called, found.specs, strict=True))
    return (
        f"<p>An average call of this task reads {show_count(fresh)} fresh tokens and writes {show_count(written)}. The "
        f"first written token ends the wait; the other {show_count(written - 1)} follow at the speed of writing.</p>"
        f"<ul>{''.join(f'<li>{text}</li>' for text in sums)}</ul>"
    )


def _sum(called: str, p: Profile, fresh: int, written: int) -> str:
    first = ttft_s(float(fresh), p.fixed_s, p.per_token_s)
    total = show_time(float(call_s(float(fresh), float(written), p)), more=1)
    over = f"{p.overhead_s:.3f}{NBSP}s + " if p.overhead_s else ""
    line = f"{over}{first:.3f}{NBSP}s + {written - 1:,} {TIMES} {p.tpot_s * 1e3:.3f}{NBSP}ms = {total}"
    split = f"{p.fixed_s:.3f}{NBSP}s + {fresh:,} {TIMES} {p.per_token_s * 1e6:.1f}{NBSP}µs"
    return f"One call on {esc(called)}: <b>{line}</b>. Its first-token time is {split}."


def formulas(found: Comparison) -> str:
    """The formulas, each followed by its value here."""
    base, cand, pair = *found.systems[:2], found.pairs[0]
    called = names(found.specs)
    b, c = base.task_s["mean"], cand.task_s["mean"]
    calls, meet = pair.per_call_speedup["mean"], pair.break_even_output_tokens
    limit = "none, for nothing but calls takes time" if pair.ceiling is None else show_ratio(pair.ceiling)
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
            "task = sum of its steps; parallel = the slowest branch",
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
            f"Here, of the averages: {limit}. No system, however fast, gains more.",
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
    """What accumulates, and that nothing here compounds."""
    pair = found.pairs[0]
    share = show_share(found.systems[0].model_share)
    return (
        "<p>A faster call saves seconds, and the task's calls save them one after the other: the advantage "
        f"<b>accumulates</b>. Here {show_time(pair.accumulated_s)} a run on average, all of it accumulated; "
        f"compounded: {show_time(pair.compounded_s)}.</p>"
        "<p>Nothing here compounds. Seconds would compound only if a threshold changed the work itself: a cache "
        "entry that expires, a timeout that is hit, a person who turns to something else. None of these is part of a "
        "task yet, so a task can never gain more than its best call does, and tools and people keep their time.</p>"
        f"<p>Calls are {share} of the time on {esc(names(found.specs)[0])}; only that share can shrink.</p>"
    )


def limits(measured: str) -> str:
    """What the numbers are not. measured: the prompts they were measured on, in words."""
    return bullets(
        (
            "Not a cost. There is no price of a token, a chip or a kilowatt in them.",
            "Not independent, where the grade is reported or derived: a vendor's run on operating points it chose.",
            f"Not long prompts. They were measured on {measured}; beyond, a straight line is drawn and results say "
            '"extrapolated".',
            "Not agents. They were measured on single-turn requests with random prompts; a real server also schedules, "
            "queues and evicts.",
            "Not a fleet. A point is one load. At another load the same hardware answers faster or slower.",
            "Not a quality. Both systems are taken to write the same tokens; whether the answer is right is another "
            "question.",
        )
    )


def command(state: State, found: Comparison) -> str:
    """What computes this page's numbers again: a command, or with a what-if some lines of Python."""
    task = "YOUR-FILE.yaml" if state.task == OWN else state.task
    ids = [f"{name}/{state.model}" for name in (state.baseline, state.candidate, *state.more)]
    if not state.factors:
        systems = " ".join(f"--system {name}" for name in ids)
        return f"agentcalc compare {task} {systems} --trials {found.n_trials} --seed {found.seed}"
    times = f"times={state.steps:g}, output_tokens={state.tokens:g}, tool_seconds={state.tools:g}"
    lines = (
        "import agentcalc",
        "from agentcalc.task import scaled",
        f'task = scaled(agentcalc.load_task("{task}"), {times})',
        f'candidate = agentcalc.load_system("{ids[1]}").scaled(ttft={state.first:g}, speed={state.speed:g})',
        f'systems = ["{ids[0]}", candidate{"".join(f", {name!r}" for name in ids[2:])}]',
        f"agentcalc.compare(task, systems, trials={found.n_trials}, seed={found.seed}).summary()",
    )
    return "\n".join(lines)
