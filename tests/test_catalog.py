"""Names, files and typed lines that become tasks and systems."""

from __future__ import annotations

import pytest

from agentcalc import catalog
from agentcalc.documents import write
from agentcalc.errors import InputError, NotFoundError
from agentcalc.latency import call_s, profile, ttft_s
from agentcalc.provenance import Grade


def refusal(text: str) -> str:
    with pytest.raises(InputError) as caught:
        catalog.load_system(text)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_pairs_are_packaged_and_lead_the_list() -> None:
    assert catalog.PAIRS == (
        ("gb200/gpt-oss-120b", "jalapeno/gpt-oss-120b"),
        ("gb300/deepseek-r1", "jalapeno/deepseek-r1"),
        ("gb300/kimi-k2.5", "jalapeno/kimi-k2.5"),
    )
    assert list(catalog.systems())[:6] == [name for pair in catalog.PAIRS for name in pair]
    for baseline, candidate in catalog.PAIRS:
        assert catalog.systems()[baseline].model == catalog.systems()[candidate].model


def test_packaged_names_load_and_are_the_same_object() -> None:
    assert catalog.load_task("coding-agent") is catalog.tasks()["coding-agent"]
    system = catalog.load_system("gb300/deepseek-r1")
    assert system is catalog.systems()["gb300/deepseek-r1"]
    assert catalog.load_system(system) is system
    assert catalog.load_system("gb300/deepseek-r1@5").point == system.point


def test_misspelt_names_name_the_nearest() -> None:
    with pytest.raises(NotFoundError) as caught:
        catalog.load_task("codingagent")
    assert str(caught.value) == "task 'codingagent': there is no task of this name. Did you mean 'coding-agent'?"
    assert "Did you mean 'gb300/deepseek-r1'" in refusal("gb300/deepsek-r1")
    assert refusal("kimi") == (
        "system 'kimi': there is no system of this name. Did you mean 'gb300/kimi-k2.5' or 'jalapeno/kimi-k2.5' or "
        "'b200-int4/kimi-k2.5' or 'b200/kimi-k2.5'?"
    )
    assert "'agentcalc systems' lists them" in refusal("zzz")
    with pytest.raises(NotFoundError, match="Did you mean 'openai-jalapeno-2026-08'"):
        catalog.source("openai-jalapeno")
    assert len(refusal("x" * 100_000)) < 500


def test_operating_points() -> None:
    assert refusal("gb300/deepseek-r1@4") == (
        "gb300/deepseek-r1@4: no operating point at concurrency 4. Use gb300/deepseek-r1 or a concurrency of 5, "
        "12, 15, 72, 666, 1229, 2253, 3228, or between."
    )
    assert refusal("jalapeno/deepseek-r1@1") == (
        "jalapeno/deepseek-r1@1: its load is not published, so it has no curve. Use jalapeno/deepseek-r1 without @."
    )
    assert refusal("gb300/deepseek-r1@x") == (
        "system 'gb300/deepseek-r1@x': 'x' is not a concurrency. Write a whole number after @, such as "
        "gb300/deepseek-r1@5."
    )


def test_files(tmp_path) -> None:
    system = catalog.systems()["gb300/deepseek-r1"]
    path = tmp_path / "mine.yaml"
    path.write_text(write(system))
    assert catalog.load_system(str(path)) == system
    assert catalog.load_system(path) == system
    assert catalog.load_system(f"{path}@5").point == system.point
    assert catalog.load_system(path.read_bytes(), where="upload.yaml") == system
    assert catalog.check(path) == []
    task = catalog.tasks()["coding-agent"]
    plain = tmp_path / "plain"
    plain.write_text(write(task, "json"))
    assert catalog.load_task(str(plain)) == task
    assert refusal("nowhere.yaml") == "nowhere.yaml: there is no such file. Check the folder and the name."


def test_sources_that_lead_nowhere_are_refused(tmp_path) -> None:
    text = write(catalog.systems()["gb300/deepseek-r1"]).replace(
        "source: inferencex-silicon-sample", "source: inferencex", 1
    )
    path = tmp_path / "s.yaml"
    path.write_text(text)
    faults = catalog.check(path)
    assert [fault.path for fault in faults] == ["points[0].ttft.source"]
    assert faults[0].found == "no source 'inferencex'"
    with pytest.raises(InputError, match=r"points\[0\]\.ttft\.source: no source 'inferencex'\. Did you mean "):
        catalog.load_system(path)
    path.write_text(text + "sources:\n  - {id: inferencex, title: t, publisher: p}\n")
    assert catalog.check(path) == []
    assert catalog.source("inferencex", catalog.load_system(path)).title == "t"

    tables = write(catalog.systems()["b200-int4/kimi-k2.5"]).split("tokens: [922, 7373]", 1)
    path.write_text(
        "tokens: [922, 7373]".join([tables[0], tables[1].replace("inferencex-silicon-sample", "nowhere", 1)])
    )
    assert [fault.path for fault in catalog.check(path)] == ["points[0].ttft_over_prompt.source"]

    path.write_text("name: x\nsources: [nobody]\nsteps: [{kind: tool_wait, seconds: 1}]\n")
    (line,) = map(str, catalog.check(path))
    assert line.startswith(f"{path}: sources[0]: no source 'nobody'. The sources are ")
    assert line.endswith(", or give it under 'sources'.")


def test_check_tells_every_fault(tmp_path) -> None:
    path = tmp_path / "f.yaml"
    path.write_text("a: 1\n")
    assert [str(f) for f in catalog.check(path)] == [
        f"{path}: it is neither a task nor a system. A task has 'steps', a system has 'points'."
    ]
    path.write_text("name: 1\nsteps: [{kind: tool_wait}]\n")
    assert len(catalog.check(path)) == 2
    assert len(catalog.check(tmp_path / "none.yaml")) == 1


def test_typed_in_place() -> None:
    system = catalog.load_system("mine:ttft=0.4s,speed=300")
    assert (system.id, system.label) == ("mine", "mine")
    assert {number.grade for _, number in system.numbers()} == {Grade.ASSUMED}
    assert system.unknowns() == ()
    assert catalog.unresolved(system, "x") == []
    shape = profile(system)
    assert ttft_s(1.0, shape.fixed_s, shape.per_token_s) == pytest.approx(0.4)
    assert ttft_s(100_000.0, shape.fixed_s, shape.per_token_s) == pytest.approx(0.4)
    assert call_s(7373.0, 922.0, shape) == pytest.approx(0.4 + 921 / 300)


def test_typed_in_place_with_a_part_that_grows() -> None:
    system = catalog.load_system("My box: ttft=400 ms, tpot=3ms, at=1000, per_token=100us, overhead=0.05")
    assert (system.id, system.label) == ("my-box", "My box")
    shape = profile(system)
    assert shape.fixed_s == pytest.approx(0.3)
    assert shape.per_token_s == pytest.approx(100e-6)
    assert (shape.tpot_s, shape.overhead_s) == (0.003, 0.05)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("mine:ttft=0.4s", "give one of speed and tpot. Write speed=300 (tok/s per user) or tpot=3ms (per token)."),
        (
            "mine:ttft=1,speed=3,tpot=1",
            "give one of speed and tpot. Write speed=300 (tok/s per user) or tpot=3ms (per token).",
        ),
        ("mine:speed=3", "ttft is missing. Add the time to the first token, such as ttft=0.4s."),
        ("mine:ttft=1,speed=0", "speed: '0' is not a number above 0. Write speed=300."),
        ("mine:ttft=1,speed=-3", "speed: '-3' is not a number above 0. Write speed=300."),
        ("mine:ttft=1,speed=nan", "speed: 'nan' is not a number above 0. Write speed=300."),
        ("mine:ttft=1,speed=3,at=1.5", "at: '1.5' is not a whole number above 0. Write at=7373."),
        ("mine:ttft=1e9,speed=3", "ttft: '1e9' is longer than 1,000,000 s. Write ttft=0.4s."),
        ("mine:tttf=1,speed=3", "unknown key 'tttf'. Did you mean 'ttft'?"),
        ("mine:x=1", "unknown key 'x'. The keys are ttft, speed, tpot, at, per_token, overhead."),
        ("mine:ttft=1,ttft=2,speed=3", "'ttft' is given twice. Keep one of the two."),
        ("mine:ttft=3 parsec,speed=3", "ttft: 'parsec' is not a unit of time. Use us, ms, s, min or h."),
        (
            "mine:ttft=x,speed=3",
            "ttft: 'x' is not a time. Write seconds as a number, or a number and a unit such as '300 ms' or '2 min'.",
        ),
        (
            "mine:",
            "a part is empty. Write parts such as ttft=0.4s, speed=300, tpot=3ms, at=7373, per_token=12us, "
            "overhead=50ms.",
        ),
        (":ttft=1,speed=3", "'' is not a name. Write a short name before the colon, as in mine:ttft=0.4s,speed=300."),
        (
            "mine:ttft=0.1,speed=5,per_token=1ms",
            "per_token times 7,373 tokens is 7.373 s, more than ttft 0.1 s. Lower per_token, or give the ttft of "
            "a longer prompt with at=.",
        ),
        (
            "gb300/deepseek-r1:ttft=1,speed=3",
            "the name 'gb300/deepseek-r1' belongs to a packaged system. Choose another name.",
        ),
        (
            "main=gb300/deepseek-r1,router",
            "'router' is not ROLE=SYSTEM. Write main=SYSTEM,router=SYSTEM, each role once.",
        ),
    ],
)
def test_what_a_typed_line_is_told(text: str, said: str) -> None:
    assert refusal(text) == f"system '{text}': {said}"
