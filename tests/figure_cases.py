"""Tasks and systems that are hard to draw, and every kind of figure of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from agentcalc import catalog
from agentcalc.analysis.budget import budget
from agentcalc.analysis.portfolio import Entry, Portfolio, plan_portfolio
from agentcalc.analysis.speedup_curve import speedup_curve
from agentcalc.analysis.success import Success
from agentcalc.comparison import compare
from agentcalc.errors import InputError
from agentcalc.figures import Asked, Figure, about, components, drawn, load_curve
from agentcalc.figures import budget as budget_figure
from agentcalc.figures import portfolio as portfolio_figure
from agentcalc.figures import speedup_curve as speedup_figure
from agentcalc.figures.kinds import NAMES
from agentcalc.figures.load_curve import Line
from agentcalc.results import Comparison
from agentcalc.system import System
from agentcalc.task import Task

TRIALS = 40
SPACED = "A serving system with a name of eighty characters, as long as names may become X"
SOLID = "a-name-of-eighty-characters-without-a-single-space-in-it-as-a-path-may-well-be-X"
CJK = "推論基盤の名前は八十文字まで長くできるので図の中でどう折り返されるかを確かめるための名前"
RTL = "نظام خدمة باسم طويل جدا حتى يظهر كيف يلتف النص في الصورة ولا يخرج من حدودها"
EMOJI = "🚀 fast 🐢 slow 👩 a name with pictures in it 🇫🇷 wider than letters 🎉🎉🎉🎉🎉"
assert len(SPACED) == len(SOLID) == 80 and max(map(len, (CJK, RTL, EMOJI))) <= 80


def call(output, name="act", **more) -> dict:
    return {"kind": "model_call", "name": name, "input_tokens": 100, "output_tokens": output, **more}


def tool(seconds, name="run", **more) -> dict:
    return {"kind": "tool_wait", "name": name, "seconds": seconds, **more}


def task(*steps: dict, name: str = "Made here", **more) -> Task:
    return Task.model_validate(
        {"name": name, "context_tokens": 2000, "cached_tokens": 2000, "steps": list(steps), **more}
    )


def _many(count: int) -> list[dict]:
    """A chain of calls and tools in turn, from 1 ms to 40 s."""
    return [
        call(20 + 37 * i % 900, f"think {i}") if i % 2 == 0 else tool(0.001 * 1.05 ** (i * 53 % 220), f"run {i}")
        for i in range(count)
    ]


@cache
def tasks() -> dict[str, Task]:
    """The hard ones by name."""
    return {
        "one call": task(call(300)),
        "one tool": task(tool(3)),
        "300 steps": task(*_many(300)),
        "zero waits": task(tool(0, "nothing"), call(80), tool(0), call(0, "read"), tool(0, "none"), call(40)),
        "99.9%": task(call(60), tool(900, "build"), call(20)),
        "99.9% writing": task(tool(0.01), call(60_000, "write it all"), tool(0.02)),
        "microseconds": task(tool(8e-6, "look"), tool(4e-5), tool(2e-6, "again")),
        "days": task(call(900), tool(2e5, "train"), {"kind": "human_wait", "name": "read", "seconds": 9e4}, call(9)),
        "spaced": task(call(400, SPACED), tool(4, SPACED[:-1] + "Y"), call(90), name=SPACED, short=SPACED),
        "solid": task(call(400, SOLID), tool(4, SOLID[:-1] + "Y"), call(90), name=SOLID, short=SOLID),
        "cjk": task(call(400, CJK), tool(4, CJK[:-1]), call(90), name=CJK, short=CJK),
        "rtl": task(call(400, RTL), tool(4, RTL[:-1]), call(90), name=RTL, short=RTL),
        "emoji": task(call(400, EMOJI), tool(4, EMOJI[:-1]), call(90), name=EMOJI, short=EMOJI),
        "everything": task(
            {"kind": "loop", "name": "turns", "times": {"p50": 3, "p90": 8, "max": 12}, "steps": [
                call({"p50": 200, "p90": 900}, timeout_s=9, max_attempts=2),
                tool({"p50": 0.3, "p90": 12, "max": 60}),
                {"kind": "human_wait", "name": "approve", "seconds": {"p50": 4, "p90": 15, "max": 60}},
            ]},
            {"kind": "parallel", "name": "research", "width": 5, "steps": [tool({"p50": 1, "p90": 9}), call(300)]},
            {"kind": "retry", "failure_probability": 0.3, "max_attempts": 3, "steps": [tool(2, "test")]},
            {"kind": "choice", "name": "which", "options": [
                {"probability": 0.4, "steps": [call(700, "long")]}, {"probability": 0.6, "steps": []},
            ]},
            call(400, "report"),
            cache={"lifetime_s": 5}, attention={"threshold_s": 10, "cost_s": 30},
        ),
    }  # fmt: skip


def packaged_pair() -> tuple[System, System]:
    base, cand = (catalog.load_system(name) for name in ("gb300/deepseek-r1", "jalapeno/deepseek-r1"))
    return base, cand


def renamed(*names: str) -> tuple[System, ...]:
    """The packaged pair, and more like the baseline, by other names."""
    base, cand = packaged_pair()
    made = [base, *[base] * (len(names) - 2), cand]
    return tuple(
        spec.model_copy(update={"label": name, "id": f"{spec.id.partition('/')[0]}-{i}/{spec.id.partition('/')[2]}"})
        for i, (spec, name) in enumerate(zip(made, names, strict=True))
    )


@cache
def twelve() -> tuple[System, ...]:
    """Twelve packaged systems of one model."""
    names = [name for name in catalog.systems() if name.endswith("/deepseek-r1") and "rival" not in name]
    chosen = ["gb300/deepseek-r1", *[n for n in names if n.split("/")[0] not in ("gb300", "jalapeno")]][:11]
    return tuple(catalog.load_system(name) for name in [*chosen, "jalapeno/deepseek-r1"])


@cache
def systems() -> dict[str, tuple[System, ...]]:
    """Those hard to draw, by name."""
    return {
        "twelve": twelve(),
        **{
            name: renamed(text, text[:-1] + "Y")
            for name, text in (("spaced", SPACED), ("solid", SOLID), ("cjk", CJK), ("rtl", RTL), ("emoji", EMOJI))
        },
    }


HARD: dict[str, tuple[str, str]] = {
    **{name: (name, "pair") for name in ("one call", "one tool", "300 steps", "zero waits", "99.9%", "99.9% writing")},
    **{name: (name, "pair") for name in ("microseconds", "days", "everything")},
    **{name: (name, name) for name in ("spaced", "solid", "cjk", "rtl", "emoji")},
    "twelve": ("everything", "twelve"),
}
"""Cases that are hard to draw: (task, systems) by name."""


@cache
def comparison(case: str) -> Comparison:
    """A hard case, or a packaged task on the packaged pair, played."""
    if case in HARD:
        which, who = HARD[case]
        return compare(tasks()[which], systems().get(who) or packaged_pair(), trials=TRIALS)
    return compare(case, packaged_pair(), trials=TRIALS)


@cache
def planned(case: str):
    return budget(comparison(case), success=Success(((1.0, 0.2),)))


def pair(case: str) -> tuple[System, System]:
    specs = comparison(case).specs
    return specs[0], specs[-1]


def lines(case: str) -> list[Line]:
    specs = comparison(case).specs[:6]
    roles = ["baseline", *["other"] * (len(specs) - 2), "candidate"]
    return [Line(spec, spec.label, role) for spec, role in zip(specs, roles, strict=True)]


def _asked(case: str, **more) -> Asked:
    it = comparison(case)
    return Asked(it, pair=len(it.pairs) - 1, **more)


def _portfolio(case: str) -> Figure:
    it = comparison(case)
    mine = {"mine": it.task} | {name: catalog.load_task(name) for name in ("chat-turn", "coding-agent") if name != case}
    entries = tuple(Entry(task=name, runs_per_day=n) for name, n in zip(mine, (40, 200, 3), strict=False))
    found = plan_portfolio(Portfolio(people=40, tasks=entries), *pair(case), tasks=mine, trials=10)
    return portfolio_figure.figure(found, about(it).source)


def _limit_s(case: str) -> float | None:
    return comparison(case).systems[0].task_s["p95"] * 1.5 or None


def _curves(case: str) -> Figure:
    """Several tasks on one picture, and several systems on the curve of the first."""
    it = comparison(case)
    curves = [speedup_curve(it.task, it.specs[0], it.specs[1:][:3], trials=20)]
    if it.specs[0] == packaged_pair()[0]:
        curves += [_usual_curve(name) for name in ("chat-turn", "deep-research", "coding-agent") if name != it.task.id]
    return speedup_figure.figure(curves, about(it, (0, 1)))


@cache
def _usual_curve(name: str):
    base, cand = packaged_pair()
    return speedup_curve(catalog.load_task(name), base, [cand], trials=20)


def _load(case: str, what: str) -> Figure:
    return load_curve.figure(lines(case), what, about(comparison(case)).source, "DeepSeek R1")


def _budget(case: str, measure: str) -> Figure:
    it = comparison(case)
    return budget_figure.figure(planned(case), about(it, (0, 1)), measure)


def _means(case: str) -> Figure | None:
    it = comparison(case)
    if not it.pairs or not it.systems[0].task_s["mean"]:
        return None
    return components.of_means(it.components(), it.systems[0].id, it.systems[-1].id, about(it, (0, -1)))


MORE: dict[str, Callable[[str], Figure | None]] = {
    "tornado of ratios": lambda case: drawn("tornado", _asked(case, of="speedup")),
    "heat map of ratios": lambda case: drawn("heat_map", _asked(case, of="speedup")),
    "mean components": _means,
    "curves": _curves,
    "capacity with a limit": lambda case: drawn("capacity", _asked(case, under_s=_limit_s(case))),
    "first token under load": lambda case: _load(case, "ttft"),
    "speed under load": lambda case: _load(case, "speed"),
    "tasks": lambda case: _budget(case, "tasks"),
    "success": lambda case: _budget(case, "success"),
    "portfolio": _portfolio,
}
"""What is drawn beside the kinds that a command draws by name."""
KINDS = (*NAMES, *MORE)


@cache
def figure(kind: str, case: str) -> Figure | None:
    """The figure of a case. What the product refuses to draw is None."""
    try:
        return MORE[kind](case) if kind in MORE else drawn(kind, _asked(case))
    except InputError:
        return None
