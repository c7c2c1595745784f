"""Serving systems: what a file may say, operating points, unknowns, what-ifs."""

import copy

import pytest
from pydantic import ValidationError

from agentcalc.errors import NotFoundError
from agentcalc.latency import profile
from agentcalc.provenance import Grade
from agentcalc.system import System


def number(value, unit, **keys):
    return {"value": value, "unit": unit, "grade": "measured", "source": "lab", **keys}


WRITTEN = {
    "id": "lab/model",
    "label": "Lab",
    "accelerator": "Lab chip",
    "points": [
        {"concurrency": 4, "chips": 8, "ttft": number(0.4, "s"), "ttft_at_tokens": 7000, "tpot": number(5, "ms")},
        {"concurrency": 16, "ttft": number(900, "ms"), "ttft_at_tokens": 7000, "tpot": number(100, "tok/s/user")},
    ],
    "fixed_share": number(0.25, "share", band=[0, 1], grade="assumed"),
    "headline": "It is an example.",
}


def system(**keys) -> System:
    return System.model_validate(copy.deepcopy(WRITTEN) | keys)


def point(**keys) -> dict:
    return {**WRITTEN["points"][0], **keys}


def test_the_first_point_is_in_use():
    assert system().point.concurrency == 4
    assert profile(system()).tpot_s == 0.005
    assert profile(system()).fixed_s == pytest.approx(0.1)


def test_another_operating_point():
    busy = system().at(16)
    assert busy.point.concurrency == 16 and len(busy.points) == 1 and busy.id == "lab/model@16"
    assert profile(busy).tpot_s == 0.01
    assert profile(busy).fixed_s + 7000 * profile(busy).per_token_s == pytest.approx(0.9)


def test_an_operating_point_that_is_not_there():
    with pytest.raises(NotFoundError, match=r"no operating point at concurrency 17.*concurrency of 4, 16, or between"):
        system().at(17)
    unpublished = system(points=[{k: v for k, v in point().items() if k != "concurrency"}])
    with pytest.raises(NotFoundError, match="its load is not published"):
        unpublished.at(1)


def test_numbers_and_unknowns():
    it = system(overhead=number(20, "ms", band=[10, 30]))
    assert [name for name, _ in it.numbers()] == ["ttft", "fixed_share", "tpot", "overhead"]
    assert it.unknowns() == ("fixed_share", "overhead")
    assert it.corners() == tuple({"fixed_share": a, "overhead": b} for a in (0.0, 1.0) for b in (0.0, 1.0))
    assert profile(it, {"fixed_share": 1.0, "overhead": 0.0}).overhead_s == pytest.approx(0.01)
    assert system(fixed_share=number(0.5, "share")).corners() == ()


@pytest.mark.parametrize("points", [[point()], [point(tpot=number(200, "tok/s/user", band=[100, 250]))]])
def test_scaled(points):
    it = system(points=points)
    changed = it.scaled(ttft=0.5, speed=4)
    before, after = profile(it), profile(changed)
    assert after.fixed_s == pytest.approx(before.fixed_s / 2)
    assert after.per_token_s == pytest.approx(before.per_token_s / 2)
    assert after.tpot_s == pytest.approx(before.tpot_s / 4)
    assert changed.point.ttft.grade is Grade.ASSUMED and "changed by hand" in changed.point.tpot.note
    assert it.scaled() is it
    assert System.model_validate(changed.model_dump()) == changed


def test_scaled_bands_move_along():
    it = system(points=[point(ttft=number(0.4, "s", band=[0.2, 0.8]))]).scaled(ttft=0.5)
    assert it.point.ttft.band == pytest.approx((0.1, 0.4))


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"points": []}, "at least 1 item"),
        ({"points": [point(ttft=number(1, "tokens"))]}, "ttft is in tokens; it is a time"),
        ({"points": [point(ttft=number(1, "tok/s/user"))]}, "ttft is in tok/s/user"),
        ({"points": [point(tpot=number(1, "share"))]}, "tpot is in share"),
        ({"points": [point(tpot=number(0, "tok/s/user"))]}, "writes nothing"),
        ({"points": [point(tpot=number(9, "tok/s/user", band=[0, 10]))]}, "writes nothing"),
        ({"points": [point(ttft_at_tokens=0)]}, "greater than or equal to 1"),
        ({"points": [point(concurrency=0)]}, "greater than or equal to 1"),
        ({"points": [point(), point()]}, "two points have the same concurrency"),
        ({"fixed_share": number(0.3, "s")}, "fixed_share is in s"),
        ({"fixed_share": number(30, "share")}, "above 1"),
        ({"fixed_share": number(0.3, "share", band=[0, 2])}, "above 1"),
        ({"overhead": number(1, "share")}, "overhead is in share"),
        ({"measured": {"uncached_tokens": {"low": 9, "high": 1}, "context_tokens": {"low": 1, "high": 9}}}, "exchange"),
        ({"id": "Lab Model"}, "pattern"),
        ({"id": "a/b/c"}, "pattern"),
        ({"speed": 3}, "Extra inputs"),
    ],
)
def test_faults(keys, words):
    with pytest.raises(ValidationError, match=words):
        system(**keys)
