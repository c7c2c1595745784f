"""What the page says, as HTML: text in, escaped text out. No Streamlit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from agentcalc import catalog
from agentcalc.accelerators import BASIS_WORDS, Accelerator, Basis
from agentcalc.analysis.energy import rates
from agentcalc.analysis.naming import UNKNOWN_NUMBERS
from agentcalc.app.rests import NUMBER_WORDS, Find, link, show_date
from agentcalc.app.systems.picking import Picked, users_words
from agentcalc.app.words import Html, bullets, esc, show_number, table
from agentcalc.errors import NotFoundError
from agentcalc.figures.load_curve import Line
from agentcalc.figures.words import series
from agentcalc.loads import work_per_kw
from agentcalc.points import OperatingPoint, Table, missed
from agentcalc.provenance import Grade, Number, weakest
from agentcalc.system import System
from agentcalc.units import NBSP, SECONDS_IN, show_count, show_ratio, show_time

ORDER = ("tpot", "ttft", "fixed_share", "overhead")
QUANTITIES = {"tpot": "speed", "ttft": "first-token time", "fixed_share": "its split", "overhead": "overhead"}
NO_CURVE = "No measured points for this model yet. Import a benchmark."
ONE_POINT = (
    "Each of these systems has one operating point, so there is no curve to draw: how they do under load is not known "
    "here. Import a benchmark that was run at several loads."
)
ONE_BASIS = "Of these systems work is known per kilowatt of one of the two powers only; the two are never mixed."
STATED = (
    "Stated by the vendor, not measured here, each at an operating point of its own: the highest throughput and the "
    "best speed per user never hold at once."
)


def speed(system: System) -> float:
    """The most tok/s that one user sees at any of a system's points."""
    return max(1 / point.tpot.seconds() for point in system.points)


def show_speed(value: float) -> str:
    """ "700", "24", "3.6": without its unit."""
    return show_count(value) if value >= 9.95 else f"{value:.1f}"


def head(baseline: System, candidate: System, names: tuple[str, str]) -> str:
    """The sentence of the page: how fast the two write, and whose numbers these are."""
    base, cand = (esc(name) for name in names)
    most = " at most" if max(len(baseline.points), len(candidate.points)) > 1 else ""
    c, b = (show_speed(speed(system)) for system in (candidate, baseline))
    title = (
        f'<span class="ac-candidate">{cand}</span> writes{most} {c}{NBSP}tok/s per user, '
        f'<span class="ac-baseline">{base}</span> {b}'
    )
    if candidate == baseline:
        title = f'<span class="ac-candidate">{cand}</span> writes{most} {c}{NBSP}tok/s per user'
    cost = costs((candidate, baseline), names[::-1])
    whose = source_line((candidate, baseline), names[::-1])
    lines = "".join(f'<p class="ac-{kind}">{esc(line)}</p>' for kind, line in (("why", cost), ("so", whose)) if line)
    return f'<h1 class="ac-answer ac-systems">{title}</h1>{lines}'


def costs(systems: Sequence[System], names: Sequence[str]) -> str:
    """That speed costs work, where numbers show it: of one basis and of one source each, never mixed."""
    said = []
    for system, name in zip(systems, names, strict=True):
        stated = [one for one in system.capacity if one.basis == "tdp"]
        slow, fast = [one for one in stated if one.speed is None], [one for one in stated if one.speed is not None]
        if slow and fast and slow[0].mixed.value > fast[0].mixed.value:
            ratio = slow[0].mixed.value / fast[0].mixed.value
            told = show_count(fast[0].speed.value)
            said.append(f"{name} does {show_ratio(ratio)} less at {told}{NBSP}tok/s per user than at its peak")
    if not said:
        return ""
    return f"Faster per user costs work per kilowatt: {'; '.join(dict.fromkeys(said))}."


def who(system: System) -> str:
    """Whose numbers a system has: "speed and first-token time measured by InferenceX, its split assumed" """
    numbers = dict(system.numbers())
    groups: list[tuple[str, list[str]]] = []
    for key in ORDER:
        if key in numbers:
            told = _graded(numbers[key], system)
            if groups and groups[-1][0] == told:
                groups[-1][1].append(QUANTITIES[key])
            else:
                groups.append((told, [QUANTITIES[key]]))
    if len(groups) == 1:
        return groups[0][0]
    return ", ".join(f"{series(what)} {told}" for told, what in groups)


def source_line(systems: Sequence[System], names: Sequence[str]) -> str:
    """Whose numbers some systems have; those of which the same is true stand together."""
    those: dict[str, list[str]] = {}
    for system, name in zip(systems, names, strict=True):
        those.setdefault(who(system), []).append(name)
    return " ".join(f"{series(list(dict.fromkeys(called)))}: {told}." for told, called in those.items())


def _graded(number: Number, system: System) -> str:
    # Only a number that someone stands for names its source; what is derived or assumed is our own.
    if number.grade not in (Grade.MEASURED, Grade.REPORTED):
        return str(number.grade)
    try:
        found = catalog.source(number.source, system)
    except NotFoundError:
        return str(number.grade)
    day = f" ({show_date(found.date)})" if number.grade is Grade.REPORTED and found.date else ""
    return f"{number.grade} by {found.publisher}{day}"


def work_line(systems: Sequence[System], names: Sequence[str], basis: Basis) -> str:
    """Whose the work per kilowatt of some systems is: stated by somebody, or derived from measured tokens."""
    those: dict[str, list[str]] = {}
    for system, name in zip(systems, names, strict=True):
        told = [
            f"{rate.mixed.grade} by {_publisher(rate.mixed.source, system)}"
            if rate.mixed.grade is Grade.REPORTED
            else "derived from its load"
            if rate.inferred
            else "derived from measured throughput"
            for rate in rates(system, basis)
        ]
        those.setdefault(series(list(dict.fromkeys(told))), []).append(name)
    return f"Work: {'; '.join(f'{series(called)} {told}' for told, called in those.items())}."


def _publisher(source: str, system: System) -> str:
    try:
        return catalog.source(source, system).publisher
    except NotFoundError:
        return "a source that is missing"


def systems_table(systems: Mapping[str, System], names: Mapping[str, str], pair: tuple[str, str], chosen: str) -> str:
    """A row a system: points, load, speed, first token, weakest grade, source. pair: baseline and candidate."""
    head = ("System", "Points", "In use at", "Tok/s per user", "First token", "Rests on", "Source")
    rows, classes = [], []
    for name, system in systems.items():
        point = system.point
        speeds = show_speed(1 / point.tpot.seconds())
        if speed(system) > 1.005 / point.tpot.seconds():
            speeds += f" (at most {show_speed(speed(system))})"
        called = f"{names[name]} ◂" if name == chosen else names[name]
        links = Html(", ".join(dict.fromkeys(link(_find(system), n.source) for _, n in system.numbers())))
        first = show_time(point.ttft.seconds())
        rows.append((called, f"{len(system.points)}", _load(point), speeds, first, rests_on(system), links))
        classes.append(
            ("baseline" if name == pair[0] else "candidate" if name == pair[1] else "")
            + (" chosen" if name == chosen else "")
        )
    return table(head, rows, classes=classes, numeric=(1, 3, 4), kind="systems")


def rests_on(system: System) -> str:
    """The weakest grade of a system's numbers and, where others are better, of what: "assumed (its split)"."""
    numbers = dict(system.numbers())
    grade = weakest(number.grade for number in numbers.values())
    weak = [QUANTITIES[key] for key in ORDER if key in numbers and numbers[key].grade is grade]
    return str(grade) if len(weak) == len(numbers) else f"{grade} ({series(weak)})"


def _load(point: OperatingPoint) -> str:
    if point.concurrency is None:
        return "not stated"
    on = "" if point.chips is None else f", {point.chips:,}{NBSP}chip{'' if point.chips == 1 else 's'}"
    return f"{users_words(point.concurrency)}{on}"


def _find(system: System) -> Find:
    return lambda name: catalog.source(name, system)


def panel(picked: Picked, name: str) -> str:
    """Everything about one system at its point: each number with grade, source, how or why, and what is not known."""
    system = picked.system
    kind = [system.model_label or system.model, system.accelerator if system.accelerator != name else None]
    predicts = {True: "several tokens at once (MTP)", False: "single prediction", None: None}
    kind += [system.precision, system.software, predicts[system.mtp]]
    parts = [f'<p class="ac-small">{esc(", ".join(part for part in kind if part))}</p>']
    parts.append(f"<p>{esc(picked.line)}</p>")
    parts.append(f'<dl class="ac-numbers">{"".join(_number(*row, system) for row in _numbers(system))}</dl>')
    parts.append(_work(system))
    unknown = [*_unknown(system), *_uncharted(system)]
    if unknown:
        parts.append(f"<h3>Not known</h3>{bullets(unknown)}")
    parts.append(f"<h3>Why it differs from a headline</h3><p>{esc(system.headline)}</p>")
    if system.notes:
        parts.append(f"<h3>Notes</h3>{bullets(system.notes)}")
    return f'<div class="ac-rests ac-panel">{"".join(parts)}</div>'


def _numbers(system: System) -> list[tuple[str, str, Number]]:
    """(words, what is added to the value, number) of every number of a system at its point."""
    point, found = system.point, dict(system.numbers())
    rows = []
    for key in ORDER:
        if key not in found:
            continue
        number = found[key]
        extra = f"at {point.ttft_at_tokens:,} fresh tokens" if key == "ttft" else ""
        if key == "tpot":
            seconds = number.seconds()
            extra = f"{seconds * 1e3:,.4g}{NBSP}ms a token" if number.unit == "tok/s/user" else _rate(seconds)
        spread = {"ttft": point.ttft_spread, "tpot": point.tpot_spread}.get(key)
        if spread is not None:
            extra = "; ".join(part for part in (extra, f"p99 {_shown(NUMBER_WORDS[key], spread.p99, number)}") if part)
        rows.append((NUMBER_WORDS[key], extra, number))
    rows += _lengths("first token by prompt", point.ttft_over_prompt)
    rows += _lengths("a token by prompt", point.tpot_over_context)
    if point.throughput is not None:
        rows.append(("throughput", "input and output tokens together", point.throughput))
    return rows


def _lengths(words: str, found: Table | None) -> list[tuple[str, str, Number]]:
    """A table over prompt lengths as one row: its first value, and how far it goes."""
    if found is None:
        return []
    first, last = found.tokens[0], found.tokens[-1]
    extra = f"to {found.values[-1]:,.4g}{NBSP}{found.unit}, from {first:,} to {last:,}{NBSP}tokens"
    origin = {"grade": found.grade, "source": found.source, "note": found.note}
    return [(words, extra, Number(value=found.values[0], unit=found.unit, **origin))]


def _rate(seconds: float) -> str:
    return f"{show_speed(1 / seconds)}{NBSP}tok/s per user"


def _number(words: str, extra: str, number: Number, system: System) -> str:
    """One number: its value, grade, source, and a fold that says how it was come by."""
    value, band = esc(_shown(words, number.value, number)), ""
    if number.band is not None and number.band[0] != number.band[1]:
        low, high = (esc(_shown(words, end, number)) for end in number.band)
        band = f" Could be {low} to {high}."
    note = ""
    if number.note:
        ask = "Why?" if number.grade is Grade.ASSUMED else "How?"
        note = f"<details><summary>{ask}</summary>{esc(number.note)}</details>"
    more = f' <span class="ac-small">{esc(extra)}</span>' if extra else ""
    return (
        f"<dt>{esc(words)}</dt><dd><b>{value}</b>{more}<br>"
        f'<span class="ac-grade">{number.grade.value}</span>, {link(_find(system), number.source)}.{band}{note}</dd>'
    )


def _shown(words: str, value: float, number: Number) -> str:
    """A value of a number with its unit; the time of a token always in milliseconds."""
    if words == NUMBER_WORDS["tpot"] and number.unit in SECONDS_IN:
        return show_number("tpot", value * SECONDS_IN[number.unit] * 1e3, "ms")
    return show_number("", value, number.unit).replace("tok/s/chip", "tok/s per chip")


def accelerator_of(system: System) -> Accelerator | None:
    """The chip whose power is known; None where nobody states it."""
    try:
        return catalog.accelerator(system.accelerator)
    except NotFoundError:
        return None


def _work(system: System) -> str:
    """Work per kilowatt: of the point where its throughput is measured, and as stated; each with its own basis."""
    lines = []
    chip, point = accelerator_of(system), system.point
    if chip is not None and point.throughput is not None:
        lines.append(
            f"This point does {work_per_kw(system, point):,.0f}{NBSP}tok/s per kW of {BASIS_WORDS['tdp']} "
            f"({chip.tdp.value:,.4g}{NBSP}W a chip), derived."
        )
        if chip.all_in is not None:
            work = point.throughput.value / chip.power_kw("all-in")
            lines.append(f"Per kW of {BASIS_WORDS['all-in']} it is {work:,.0f}. The two are never compared.")
    measured = bullets(lines)
    stated = "".join(
        f"<li>{esc(f'{one.mixed.value:,.0f}{NBSP}tok/s per kW of {BASIS_WORDS[one.basis]} at {one.at}')}"
        f"{esc(f' ({show_count(one.speed.value)}{NBSP}tok/s per user)') if one.speed else ''}, "
        f"{one.mixed.grade.value}, {link(_find(system), one.mixed.source)}.</li>"
        for one in system.capacity
    )
    stated = f'<ul>{stated}</ul><p class="ac-small">{esc(STATED)}</p>' if stated else ""
    return (
        f"<h3>Work per kilowatt, input and output tokens together</h3>{measured}{stated}" if measured or stated else ""
    )


def _unknown(system: System) -> list[str]:
    """What carries a band, in words."""
    found = []
    for name, number in system.numbers():
        if number.band is not None and number.band[0] != number.band[1]:
            text = number.unknown or UNKNOWN_NUMBERS[name]
            low, high = (show_number(name, end, number.unit) for end in number.band)
            found.append(f"{text[0].upper()}{text[1:]} ({low} to {high}).")
    return found


def _uncharted(system: System) -> list[str]:
    """What nobody says of a system."""
    found, point = [], system.point
    if point.concurrency is None:
        found.append("Its load: how many requests it serves at once, on how many chips.")
    if point.ttft_spread is None and point.tpot_spread is None:
        found.append("How its calls differ from one another.")
    if point.throughput is None and not system.capacity:
        found.append("How much work it does per kilowatt.")
    if system.measured is None and point.ttft_over_prompt is None:
        found.append("On prompts of which length it was measured.")
    return found


def between_points(line: Line) -> str:
    """How well interpolation works on a drawn system's curves, in a sentence; empty where no inner point tells."""
    found = missed(line.system.points)
    return "" if found is None else f"{line.name}, between its points: {found}."


def is_measured(system: System) -> bool:
    """Whether somebody measured the point in use."""
    return Grade.MEASURED in (system.point.ttft.grade, system.point.tpot.grade)
