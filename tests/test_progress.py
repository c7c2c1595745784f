"""Long planning answers say how far they are, counted in runs, and end when nobody listens any more."""

from __future__ import annotations

from functools import partial

import pytest

from agentcalc import catalog
from agentcalc.analysis import walked
from agentcalc.analysis.budget import budget
from agentcalc.analysis.capacity import capacity
from agentcalc.analysis.people import people
from agentcalc.analysis.work import Work, onward
from agentcalc.comparison import compare

PAIR = ("gb300/deepseek-r1", "jalapeno/deepseek-r1")
TRIALS = 600


class Enough(Exception):
    """Raised by whoever does not want to hear more."""


@pytest.fixture(scope="module")
def found():
    return compare("coding-agent", PAIR, trials=TRIALS)


def answers(found) -> dict:
    system = catalog.load_system(PAIR[0])
    return {
        "budget": partial(budget, found, (10.0, 60.0)),
        "people": partial(people, found),
        "capacity": partial(capacity, found.task, system, [1, 2, 5], limit_s=600, trials=50),
    }


@pytest.mark.parametrize("name", ["budget", "people", "capacity"])
def test_progress_rises_to_its_end_and_changes_no_answer(found, name, monkeypatch):
    monkeypatch.setattr(walked, "TOGETHER", 200)
    ask, heard = answers(found)[name], []
    told = ask(progress=lambda done, of: heard.append((done, of)))
    assert told.table().equals(ask().table())
    done = [now for now, _ in heard]
    assert len(set(done)) > 2 and done == sorted(done) and all(0 < now <= of for now, of in heard)
    assert heard[-1][0] == heard[-1][1]


def test_what_is_counted_are_runs(found, monkeypatch):
    monkeypatch.setattr(walked, "TOGETHER", 200)
    heard = []
    people(found, progress=lambda *said: heard.append(said))
    assert heard == [(200, TRIALS), (400, TRIALS), (600, TRIALS)]
    heard.clear()
    # Once with every end of a step kept, and once for the times of whole runs.
    budget(found, (10.0,), progress=lambda *said: heard.append(said))
    assert heard[:4] == [(done, 2 * TRIALS) for done in (200, 400, 600, 1200)]


@pytest.mark.parametrize("name", ["budget", "people", "capacity"])
def test_who_is_not_heard_any_more_is_not_worked_for(found, name):
    heard = []

    def stop(done: int, of: int) -> None:
        heard.append(done)
        raise Enough

    with pytest.raises(Enough):
        answers(found)[name](progress=stop)
    assert len(heard) == 1


def test_work_by_hand():
    heard = []
    work = Work(lambda *said: heard.append(said))
    work.expect(100)
    work.during(2)(10, 20)
    tell = work.during(3)
    tell(5, 10)
    tell(10, 10)
    assert heard == [(20, 100), (35, 100), (50, 100)] and work.done == 50
    # More than was expected is not beyond the end; what is known better counts from here.
    work.during(1)(80, 80)
    work.expect(40)
    work.during(1)(10, 40)
    assert heard[3:] == [(130, 130), (140, 170)]
    silent = Work()
    silent.during(4)(2, 2)
    assert silent.done == 8 and onward(None, 3, 9) is None
