"""From the runs of dropped files to the systems they measured, with what the reader adds by hand. No Streamlit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from agentcalc.app.importing.files import Found
from agentcalc.benchmarks import importing
from agentcalc.benchmarks.importing import Said
from agentcalc.benchmarks.records import Measurement
from agentcalc.errors import InputError
from agentcalc.points import OperatingPoint
from agentcalc.system import System
from agentcalc.units import NBSP, show_count

SLOWEST_TOKEN_S, QUICKEST_TOKEN_S, QUICKEST_FIRST_S = 1.0, 20e-6, 1e-3
"""Beyond these a latency is more likely in another unit than it is true."""


@dataclass(frozen=True)
class Measured:
    """systems: what some files measured; silent: a line for each file that tells too little to add anything; line: why
    there is no system, if so.
    """

    systems: tuple[System, ...] = ()
    silent: tuple[str, ...] = ()
    line: str = ""


def benchmarks(found: Iterable[Found]) -> tuple[Found, ...]:
    """Those of some files that are results of a benchmark."""
    return tuple(one for one in found if one.runs)


def lacking(found: Iterable[Found]) -> dict[str, tuple[str, ...]]:
    """What files do not say: hardware, chips or concurrency, each with the names of the files that leave it out."""
    missing: dict[str, list[str]] = {}
    for one in benchmarks(found):
        for what in importing.OF_A_RUN:
            if any(what in importing.lacking(run) for run in one.runs):
                missing.setdefault(what, []).append(one.name)
    return {what: tuple(dict.fromkeys(missing[what])) for what in importing.OF_A_RUN if what in missing}


def still_lacking(found: Sequence[Found], said: Said, users: Mapping[int, int]) -> tuple[str, ...]:
    """What neither the files nor their reader says, of what files may leave out."""
    filled = [_filled(run, said, users.get(at)) for at, one in enumerate(found) for run in one.runs]
    return tuple(what for what in importing.OF_A_RUN if any(what in importing.lacking(run) for run in filled))


def measured(found: Sequence[Found], said: Said, users: Mapping[int, int]) -> Measured:
    """The systems of the files that are results of a benchmark.

    said: hardware and chips of the runs that do not say theirs; users: requests in flight at once, by the number of the
    file among ``found``, for those that do not say.
    """
    runs = {
        at: tuple(_filled(run, said, users.get(at)) for run in one.runs) for at, one in enumerate(found) if one.runs
    }
    if not runs:
        return Measured()
    names = {at: found[at].name for at in runs}
    try:
        systems = _systems(runs, names, said)
    except InputError as error:
        return Measured(line=str(error))
    return Measured(systems, tuple(_silent(runs, names, said, systems)))


def _filled(run: Measurement, said: Said, users: int | None) -> Measurement:
    return importing.filled(run, Said(hardware=said.hardware, chips=said.chips, concurrency=users))


def _systems(runs: Mapping[int, Sequence[Measurement]], names: Mapping[int, str], said: Said) -> tuple[System, ...]:
    return importing.systems(list(names.values()), [run for some in runs.values() for run in some], said)


def _silent(runs, names, said: Said, systems: tuple[System, ...]) -> Iterable[str]:
    """A line for each file without which the systems would have the same points."""
    if len(runs) < 2:
        return
    whole = _numbers(systems)
    for at, name in names.items():
        try:
            _systems({at: runs[at]}, {at: name}, said)
        except InputError as error:
            rest = {n: some for n, some in runs.items() if n != at}
            try:
                without = _numbers(_systems(rest, {n: names[n] for n in rest}, said))
            except InputError:
                continue
            if without == whole:
                yield f"{error} It adds nothing here."


def _numbers(systems: Iterable[System]) -> list:
    return [(system.id, [_of(point) for point in system.points]) for system in systems]


def _of(point: OperatingPoint) -> tuple:
    tables = (point.ttft_over_prompt, point.tpot_over_context)
    return (
        point.concurrency,
        point.configuration,
        point.ttft.value,
        point.tpot.value,
        *(t and t.tokens for t in tables),
    )


def doubts(system: System) -> tuple[str, ...]:
    """Questions about numbers that look as if they were in another unit."""
    asked = []
    for point in system.points:
        ttft, tpot = point.ttft.seconds(), point.tpot.seconds()
        if tpot > SLOWEST_TOKEN_S:
            asked.append(f"A token takes {show_count(tpot * 1e3)}{NBSP}ms: is this file in microseconds?")
        elif 0 < tpot < QUICKEST_TOKEN_S:
            asked.append(f"A token takes {tpot * 1e6:.3g}{NBSP}µs: is this file in seconds, not milliseconds?")
        if 0 < ttft < QUICKEST_FIRST_S:
            asked.append(f"The first token takes {ttft * 1e6:.3g}{NBSP}µs: is this file in seconds, not milliseconds?")
    return tuple(dict.fromkeys(asked))[:2]


def serving(system: System, model: str | None, label: str | None, name: str | None) -> System:
    """The system as it shall be compared: under a model, by a name; None leaves what the file says.

    model, label: id of the model and how it is called. name: the system's own.
    """
    update: dict[str, object] = {}
    if model is not None and model != system.model:
        update = {"model": model, "model_label": label or model, "id": f"{system.id.partition('/')[0]}/{model}"}
    if name and name != system.label:
        update["label"] = name
    return system.model_copy(update=update) if update else system
