"""Thirty people at once on one fresh server: how long an edit takes until its answer, and the server's memory.

    python tests/load/people.py [--people 30] [--seconds 120] [--pause 10] [--arrive 30]

Run by hand: it takes some minutes, and its times say something only on a machine that does little else (the load
average is printed with them). It asks a server that it starts itself, of this machine only, and nothing else.

Each person has a visit of their own: another task, model and factor for tokens, every third a task of their own that
travels in the link. Then, every ten seconds or so, one edit: mostly a slider, sometimes another statistic, run, task or
system. An edit is answered when its script has run to the end, so that the whole page with every figure is there. Edits
count once everybody has come, which takes half a minute; those before are told beside, and so is opening the page.

The bars: 95 of 100 edits are answered within a second; memory stops growing; nobody sees anything of anybody else: a
page names no other person's factor or task, and its sentence is the one that the library gives for its address.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import os
import random
import re
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs, urlencode

from server import Server, serving
from visitor import NoAnswer, Visitor

from agentcalc import documents
from agentcalc.analysis.headline import headline
from agentcalc.app import calls, link, words
from agentcalc.app.brought import Brought
from agentcalc.defaults import TRIALS

BAR_S = 1.0
MOST_GROWTH = 0.10
"""How much of its memory the server may gain in the second half of the time and still count as bounded."""

OWN_TASK = """
name: Own task no. {number:02}
context_tokens: {context}
steps:
  - kind: loop
    name: turns
    times: {{p50: {turns}, p90: {more}}}
    steps:
      - {{kind: model_call, name: act, input_tokens: 200, output_tokens: {{p50: 250, p90: 900}}}}
      - {{kind: tool_wait, name: run, seconds: {{p50: 2, p90: 9}}, result_tokens: 600}}
  - {{kind: model_call, name: tell, output_tokens: 400}}
"""
SLIDERS = ("factor_tools", "factor_speed", "factor_first", "factor_steps")
KINDS = ("slide", "slide", "slide", "slide", "slide", "slide", "by", "run", "task", "baseline")


@dataclass
class Person:
    """One visit and what it measured. times: (kind, seconds to the whole page, seconds to the words of the answer,
    whether everybody was there).
    """

    number: int
    query: str
    times: list[tuple[str, float, float | None, bool]] = field(default_factory=list)
    opening_s: float = 0.0
    wrong: list[str] = field(default_factory=list)
    last: tuple[str, list[str]] = ("", [])

    @property
    def tokens(self) -> str:
        """The factor that is this person's alone."""
        return f"{1 + self.number / 100:g}"

    def look(self, visitor: Visitor) -> None:
        """Notes whatever on the page is not this person's."""
        page = visitor.page
        said = page.html()
        factors = set(re.findall(r"tokens per call ([0-9.]+)×", said))
        tasks = {n for e in page.elements.values() for n in re.findall(rb"Own task no\. (\d+)", e.SerializeToString())}
        if factors != {self.tokens} or tasks - {b"%02d" % self.number}:
            self.wrong.append(f"sees factors {sorted(factors)} and tasks {sorted(tasks)}")
        if "exception" in page.kinds() or page.said("ac-problem"):
            self.wrong.append(f"sees a fault: {list(page.texts())[:3]}")
        self.last = visitor.query, page.said("ac-answer")


def people(count: int) -> list[Person]:
    """Everybody with another link."""
    known = calls.catalog_choices()
    tasks, models = list(known.tasks), list(known.systems)
    found = []
    for number in range(1, count + 1):
        person = Person(number, "")
        query = {"task": tasks[number % len(tasks)], "model": models[number % len(models)], "tokens": person.tokens}
        if number % 3 == 0:
            text = OWN_TASK.format(
                number=number, context=4000 + 500 * number, turns=3 + number % 9, more=12 + number % 9
            )
            own = documents.read_task(text.encode(), where="own.yaml")
            query |= {"task": "own", "x": link.pack(Brought(task=own))}
        person.query = urlencode(query)
        found.append(person)
    return found


class Crowd:
    """Who has come so far."""

    def __init__(self, count: int):
        self.missing = count

    @property
    def complete(self) -> bool:
        """Whether everybody has the page open."""
        return self.missing == 0


async def visit(person: Person, server: Server, crowd: Crowd, args: argparse.Namespace) -> None:
    """Opens the page, then edits until the time is up."""
    chance = random.Random(person.number)
    until = time.monotonic() + args.arrive + args.seconds
    await asyncio.sleep(args.arrive * (person.number - 1) / args.people)
    async with Visitor(server.address, "compare", person.query) as visitor:
        person.opening_s = await visitor.open()
        crowd.missing -= 1
        person.look(visitor)
        rest = 0.0
        while True:
            # The next edit comes when it comes, however long the last one took: a slow server gets no less to do.
            await asyncio.sleep(max(args.pause * chance.uniform(0.7, 1.3) - rest, 0.0))
            if time.monotonic() > until:
                return
            everybody = crowd.complete
            kind = chance.choice(KINDS)
            rest = await edit(visitor, kind, chance)
            person.times.append((kind, rest, visitor.answered_s, everybody))
            person.look(visitor)


async def edit(visitor: Visitor, kind: str, chance: random.Random) -> float:
    """One edit; seconds until its answer. The sliders are open, since every link brings a factor."""
    page = visitor.page
    if not has(visitor, "what_if"):
        # Both sides are the same: there is nothing but another choice.
        kind = "candidate"
    if kind == "slide":
        free = [key for key in SLIDERS if not page.widget(key).disabled]
        key = chance.choice(free)
        return await visitor.slide(key, chance.choice(page.widget(key).options))
    if kind == "by":
        return await visitor.slide("pick_by", chance.choice([o.content for o in page.widget("pick_by").options]))
    if kind == "run":
        return await visitor.press("another")
    key = f"pick_{kind}"
    return await visitor.choose(key, chance.choice(page.widget(key).options))


def has(visitor: Visitor, key: str) -> bool:
    """Whether a widget is on the page."""
    try:
        visitor.page.widget(key)
    except LookupError:
        return False
    return True


async def watch(server: Server, every: float, seen: list[tuple[float, float]]) -> None:
    """Notes the server's memory until it is cancelled."""
    start = time.monotonic()
    while True:
        seen.append((time.monotonic() - start, server.memory_mib()))
        await asyncio.sleep(every)


async def play(server: Server, everybody: list[Person], args: argparse.Namespace) -> list[tuple[float, float]]:
    """All visits at once; the memory over time: (seconds, MiB)."""
    memory: list[tuple[float, float]] = []
    watching = asyncio.create_task(watch(server, 2.0, memory))
    crowd = Crowd(len(everybody))
    outcomes = await asyncio.gather(
        *(visit(person, server, crowd, args) for person in everybody), return_exceptions=True
    )
    watching.cancel()
    for person, outcome in zip(everybody, outcomes, strict=True):
        if isinstance(outcome, NoAnswer | LookupError):
            person.wrong.append(f"got no answer: {outcome}")
        elif isinstance(outcome, BaseException):
            raise outcome
    return memory


def expected(query: str) -> str:
    """The sentence that the library gives for an address."""
    known = calls.catalog_choices()
    opened = link.read({k: v[-1] for k, v in parse_qs(query).items()}, known, TRIALS)
    known = opened.brought.choices(known)
    answer = calls.answer(opened.state, known)
    found = words.answer(headline(answer.now, by=opened.state.statistic, rival=answer.rival), "")
    heading = re.search(r'class="ac-answer"[^>]*>(.*?)</h1>', found, re.S)
    return plain(heading[1]) if heading else ""


def plain(marked: str) -> str:
    """Words without tags, each space a plain one."""
    return " ".join(re.sub(r"<[^>]*>", " ", marked).split())


def share(times: list[float], of: float) -> float:
    """A percentile: the least time that so many of 100 do not exceed."""
    return sorted(times)[max(math.ceil(len(times) * of / 100) - 1, 0)] if times else float("nan")


def told(name: str, times: list[float]) -> str:
    parts = f"p50 {share(times, 50):.2f} s, p95 {share(times, 95):.2f} s, max {max(times, default=float('nan')):.2f} s"
    return f"{name:<34} {parts}   ({len(times)})"


def main() -> int:
    """Plays it and prints what came of it; 1 when a bar was missed."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--people", type=int, default=30)
    asked.add_argument("--seconds", type=float, default=120)
    asked.add_argument("--pause", type=float, default=10)
    asked.add_argument("--arrive", type=float, default=30)
    args = asked.parse_args()
    if not (1 <= args.people <= 60 and 10 <= args.seconds <= 600 and args.pause >= 1 and 0 <= args.arrive <= 120):
        asked.error("at most 60 people, 600 seconds, 120 to arrive, and at least 1 second between edits")
    everybody = people(args.people)
    with tempfile.TemporaryDirectory() as folder:
        with serving(Path(folder)) as server:
            first, before, cpu = server.memory_mib(), os.getloadavg(), server.cpu_s()
            begun = time.monotonic()
            memory = asyncio.run(play(server, everybody, args))
            took = time.monotonic() - begun
            cpu = server.cpu_s() - cpu
            alive = server.healthy()
        log = (Path(folder) / "server.log").read_text()
    edits = [found for person in everybody for found in person.times]
    wrong = [f"person {person.number} {line}" for person in everybody for line in person.wrong]
    wrong += [f"person {p.number} sees {p.last[1]}, not {said!r}" for p in everybody if (said := differs(p))]
    counted = [found for found in edits if found[-1]]
    whole = [took for _, took, _, _ in counted]
    print(f"{args.people} people, {args.seconds:g} s, an edit every {args.pause:g} s each")
    print(f"load average {before[0]:.1f} before and {os.getloadavg()[0]:.1f} after")
    print(told("opening the page", [person.opening_s for person in everybody]))
    print(told("edit to the whole page", whole))
    print(told("edit to the words of the answer", [said for _, _, said, _ in counted if said is not None]))
    print(told("edit before everybody was there", [took for _, took, _, complete in edits if not complete]))
    for kind in dict.fromkeys(KINDS):
        print(told(f"  {kind}, whole page", [took for k, took, _, _ in counted if k == kind]))
    each = cpu / max(len(edits) + len(everybody), 1)
    busy, own = cpu / took, sum(os.times()[:2]) / took
    print(f"processor time {each:.2f} s an answer; {busy:.2f} processors busy with it, {own:.2f} with asking")
    peak = max(mib for _, mib in memory)
    middle = statistics.fmean([mib for at, mib in memory if 0.4 <= at / memory[-1][0] <= 0.6])
    last = statistics.fmean([mib for at, mib in memory if at / memory[-1][0] >= 0.9])
    print(f"memory {first:.0f} MiB before anybody, {middle:.0f} half-way, {last:.0f} at the end, {peak:.0f} at most")
    if "Traceback" in log:
        wrong.append(f"the server's log holds a traceback: {log[log.index('Traceback') :][:600]}")
    wrong += [] if alive else ["the server is gone"]
    wrong += [f"p95 is above {BAR_S:g} s"] if share(whole, 95) > BAR_S else []
    wrong += ["memory still grows"] if last > middle * (1 + MOST_GROWTH) else []
    print(*(wrong or ["every bar is met; nobody saw anything of anybody else"]), sep="\n")
    return 1 if wrong else 0


def differs(person: Person) -> str:
    """The sentence that a person's last page should have shown, if it showed another."""
    query, shown = person.last
    said = expected(query)
    return "" if [plain(line) for line in shown] == [said] else said


if __name__ == "__main__":
    sys.exit(main())
