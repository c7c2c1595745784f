"""The prose of the Method page as HTML, with the numbers of the scenario on screen put in. No Streamlit."""

from __future__ import annotations

from agentcalc.analysis.naming import names
from agentcalc.app.choices import OWN, Choices
from agentcalc.app.state import State
from agentcalc.app.words import esc
from agentcalc.latency import Profile, call_s, profile, ttft_s
from agentcalc.results import Comparison
from agentcalc.units import TIMES, show_about, show_count, show_ratio, show_share, show_time

RULES = (
    "A call's prompt is the conversation so far plus its own new tokens. Afterwards prompt and output belong to the conversation "
    "and to the server's cache, except reasoning tokens, which are not kept.",
    "What the server still holds need not be read again: only fresh (uncached) tokens cost first-token time. A tool's result joins "
    "the conversation fresh, so the next call reads it.",
    "A call outside the conversation stands alone; another named conversation starts empty.",
    "Steps, groups, loops and choices play one after the other and share the conversation.",
    "Parallel branches each copy the conversation, and the slowest decides. At the join the parent's conversation goes on and "
    "gains each branch's result, fresh. Work in the shadow of a slower branch costs no time.",
    "A retried step keeps the conversation. Each attempt draws anew and a failed one costs its full time, as the part called retry.",
    "A wait for a person counts in task time; results also give the time without people.",
    "Every system plays the same runs: the same lengths, tool times, branches and numbers of turns. Differences come from the "
    "systems alone.",
)


def one_call(found: Comparison) -> str:
    """An average call of the task on each system, as a sum that can be done by hand."""
    pair = found.pairs[0]
    if pair.call_uncached_tokens is None or pair.call_output_tokens is None:
        return "<p>This task makes no model calls, so no system changes it.</p>"
    fresh, written = round(pair.call_uncached_tokens), max(1, round(pair.call_output_tokens))
    lines = [
        f"<li>One call on {esc(called)}: {_sum(profile(spec), fresh, written)}</li>"
        for called, spec in zip(names(found.specs), found.specs, strict=True)
    ]
    return (
        f"<p>An average call of this task reads {show_count(fresh)} fresh tokens and writes {show_count(written)}. The first written "
        f"token ends the wait; the other {show_count(written - 1)} follow at the speed of writing.</p><ul>{''.join(lines)}</ul>"
    )


def _sum(p: Profile, fresh: int, written: int) -> str:
    first = ttft_s(float(fresh), p.fixed_s, p.per_token_s)
    total = float(call_s(float(fresh), float(written), p))
    over = f"{p.overhead_s:.3f} s + " if p.overhead_s else ""
    where = f" The first-token time is {p.fixed_s:.3f} s + {fresh:,} {TIMES} {p.per_token_s * 1e6:.1f} µs."
    return f"<b>{over}{first:.3f} s + {written - 1:,} {TIMES} {p.tpot_s * 1e3:.3f} ms = {show_time(total)}</b>.{where}"


def formulas(found: Comparison) -> str:
    """The formulas, each followed by its value here."""
    base, pair = found.systems[0], found.pairs[0]
    called = names(found.specs)
    ceiling = "none: nothing but calls takes time" if pair.ceiling is None else show_ratio(pair.ceiling)
    b, c = base.task_s["mean"], found.systems[1].task_s["mean"]
    calls = pair.per_call_speedup["mean"]
    meet = pair.break_even_output_tokens
    items = [
        ("call = overhead + first token(fresh tokens) + (tokens written − 1) × time per token", "A call that writes nothing costs its first-token time only."),
        ("first token(u) = fixed part + part per token × u", "A line through the one known point; u are the fresh tokens of the prompt."),
        ("task = sum of its steps; parallel = the slowest branch", f"Here, on average: {show_time(b)} on {called[0]}, {show_time(c)} on {called[1]}."),
        ("speed-up = baseline / candidate", f"Of the averages: {show_ratio(b / c) if c else 'no end'}. The headline uses the statistic chosen on Compare."),
        ("the calls alone = model seconds of the baseline / of the candidate", f"Here: {show_ratio(calls) if calls is not None else 'no calls'}."),
        ("at most = baseline / the same runs with calls that take no time", f"Here: {ceiling} (of averages). No system, however fast, gains more."),
        ("break-even = the answer length at which both finish a call together", f"At this task's own fresh tokens: {f'about {show_about(meet)} tokens' if meet is not None else 'none; one system is first at any length'}."),
    ]
    return "<dl>" + "".join(f"<dt><b>{esc(head)}</b></dt><dd>{esc(text)}</dd>" for head, text in items) + "</dl>"


def rules() -> str:
    return "<ul>" + "".join(f"<li>{esc(rule)}</li>" for rule in RULES) + "</ul>"


def adding_up(found: Comparison) -> str:
    """What accumulates, and that nothing here compounds."""
    pair = found.pairs[0]
    share = found.systems[0].model_share
    return (
        f"<p>A faster call saves seconds, and the task's calls save them one after the other: the advantage <b>accumulates</b>. Here "
        f"{esc(show_time(pair.accumulated_s))} a run on average, all of it accumulated; compounded: {esc(show_time(pair.compounded_s))}.</p>"
        "<p>Nothing here compounds. Seconds would compound only if a threshold changed the work itself: a cache entry that expires, a "
        "timeout that is hit, a person who turns to something else. None of these is part of a task yet, so a task can never gain more "
        "than its best call does, and tools and people keep their time.</p>"
        f"<p>Calls are {show_share(share)} of the time on {esc(names(found.specs)[0])}; only that share can shrink.</p>"
    )


def limits(measured: str) -> str:
    """What the numbers are not. measured: the prompts they were measured on, in words."""
    items = (
        "Not a cost. There is no price of a token, a chip or a kilowatt in them.",
        "Not independent, where the grade is reported or derived: a vendor's own run, on its own choice of operating point.",
        f"Not long prompts. They were measured on {measured}; beyond, a straight line is drawn and results say \"extrapolated\".",
        "Not agents. They were measured on single-turn requests with random prompts; a real server also schedules, queues and evicts.",
        "Not a fleet. A point is one load. At another load the same hardware answers faster or slower.",
        "Not a quality. Both systems are taken to write the same tokens; whether the answer is right is another question.",
    )
    return "<ul>" + "".join(f"<li>{esc(item)}</li>" for item in items) + "</ul>"


def command(state: State, known: Choices, found: Comparison) -> str:
    """The command that computes this page's numbers again; with a what-if, or a task of one's own, the lines of Python."""
    task = "YOUR-FILE.yaml" if state.task == OWN else state.task
    ids = [spec.id for spec in found.specs]
    if not state.factors:
        systems = " ".join(f"--system {name}" for name in ids)
        return f"agentcalc compare {task} {systems} --trials {found.n_trials} --seed {found.seed}"
    return (
        "import agentcalc\nfrom agentcalc.task import scaled\n"
        f'task = scaled(agentcalc.load_task("{task}"), times={state.steps:g}, output_tokens={state.tokens:g}, tool_seconds={state.tools:g})\n'
        f'candidate = agentcalc.load_system("{ids[1]}").scaled(ttft={state.first:g}, speed={state.speed:g})\n'
        f'agentcalc.compare(task, ["{ids[0]}", candidate], trials={found.n_trials}, seed={found.seed}).summary()'
    )
