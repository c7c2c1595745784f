"""The page Import: what a file is, what its runs become, what is said of it, and the page itself."""

from __future__ import annotations

import html
import json
import re

import pytest
from streamlit.testing.v1 import AppTest

from agentcalc import catalog, documents
from agentcalc.app import calls, link
from agentcalc.app.brought import Brought
from agentcalc.app.importing import examples, files, measured, said
from agentcalc.app.importing.files import Found, understand
from agentcalc.app.importing.measured import Measured, doubts
from agentcalc.app.options import ENTRY, MOST_BENCHMARK_MB, pages_folder
from agentcalc.app.state import start
from agentcalc.benchmarks.importing import Said
from agentcalc.points import OperatingPoint
from agentcalc.provenance import Grade, Number
from agentcalc.system import System
from tests import pages
from tests.benchmark_files import FILES
from tests.benchmark_inputs import INPUTS, agg, serving, text
from tests.pages import press, query, well

BENCHMARKS = [(tool, name, data) for tool, some in FILES.items() for name, data in some]
BENCHMARKS += [(tool, "run", data) for tool, some in INPUTS.items() for data in some]
HOSTILE = "<img src=x onerror=alert(1)>\u202egnp.exe"


def system_of(ttft_s: float, tpot_ms: float) -> System:
    def number(value: float, unit: str) -> Number:
        return Number(value=value, unit=unit, grade=Grade.MEASURED, source="inferencex-benchmarks-copy")

    point = OperatingPoint(ttft=number(ttft_s, "s"), ttft_at_tokens=1000, tpot=number(tpot_ms, "ms"))
    named = {"id": "x/m", "label": "X", "accelerator": "X", "headline": "Measured."}
    return System(**named, points=(point,), fixed_share=number(1.0, "share"))


# What a file is


@pytest.mark.parametrize(("tool", "name", "data"), BENCHMARKS, ids=[f"{t} {n}" for t, n, _ in BENCHMARKS])
def test_results_of_every_tool_are_known_by_content(tool: str, name: str, data: bytes):
    found = understand(data, name)
    assert found.known and {run.format for run in found.runs} == {tool}
    assert tool in said.kind(found) or "our own form" in said.kind(found)


def test_tasks_systems_and_scenarios_are_known():
    task, system = catalog.tasks()["chat-turn"], catalog.systems()["gb300/deepseek-r1"]
    packaged = calls.catalog_choices()
    scenario = link.to_file(start(packaged), Brought(), packaged)
    assert understand(documents.write(task).encode(), "t.yaml").task == task
    assert understand(documents.write(system, "json").encode(), "s.json").system == system
    assert understand(scenario, "scenario.json").scenario.state == start(packaged)


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("a.json", b'{"median_ttft_ms": 5}', "comes closest to vLLM bench serve, but has no total_token_throughput"),
        ("a.txt", b"hello\nthere", "no benchmark's result was recognised in it. Known are AIPerf"),
        ("a.bin", b"\0\1\2", "it is a binary file"),
        ("a", b"", "it is empty"),
        ("a.yaml", b"name: x\nsteps:\n  - kind: [\n", "it is not YAML"),
        ("a.json", b'{"steps": NaN, "name": "x"}', "NaN is not a number"),
        ("a.yaml", b"name: x\nsteps:\n  - {kind: nap}\n", "steps[0]"),
        ("a.yaml", b"id: x\npoints: []\n", "the key 'label' is missing"),
        ("a.json", text(serving(mean_ttft_ms=-1)), "mean_ttft_ms"),
        ("a.json", text(serving(mean_tpot_ms=10_000, median_tpot_ms=9_000, p99_tpot_ms=14_000)), "microseconds"),
        ("a.json", b'{"scenario": 99}', "comes from a newer agentcalc"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_in_plain_lines(name: str, data: bytes, words: str):
    found = understand(data, name)
    assert not found.known and words in found.lines[0] and found.lines[0].startswith(f"{name}: ")
    assert all(line.replace("\u00a0", " ").isprintable() for line in found.lines)


def test_a_task_too_long_for_a_page_is_told_the_way_out():
    data = b"name: x\nsteps:\n  - {kind: loop, times: 100000, steps: [{kind: tool_wait, seconds: 1}]}\n"
    assert "agentcalc compare FILE" in understand(data, "x.yaml").lines[0]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("run.json", "run.json"),
        ("../../etc/passwd", "passwd"),
        ("C:\\logs\\run.json", "run.json"),
        ("a\u202egnp.exe", "a?gnp.exe"),
        ("a\nb\0c", "a?b?c"),
        ("  ", "a file without a name"),
        ("x" * 300 + ".json", "x" * 60 + "…" + "x" * 14 + ".json"),
    ],
)
def test_names_of_files_fit_a_line(name: str, shown: str):
    assert files.plain_name(name) == shown and len(shown) <= files.LONGEST_NAME


# What runs become


def runs(*users: int | None, **more) -> list[Found]:
    made = []
    for n in users:
        ttft, tpot = 100.0 * (n or 1) ** 0.5, 5.0 * (n or 1) ** 0.25
        e2el, rate = ttft + 100 * tpot, (n or 1) / (ttft + 100 * tpot) * 1e3
        row = serving(
            max_concurrency=n,
            request_rate="inf",
            **{f"{s}_{name}_ms": v * k for name, v in (("ttft", ttft), ("tpot", tpot), ("e2el", e2el))
               for s, k in (("mean", 1), ("median", 0.9), ("p99", 3))},
            request_throughput=rate,
            output_throughput=101 * rate,
            total_token_throughput=1101 * rate,
            **more,
        )  # fmt: skip
        made.append(understand(text(row), f"conc{n}.json"))
    return made


def test_files_that_differ_in_the_load_become_one_curve():
    found = measured.measured(runs(1, 4, 16), Said(hardware="B200", chips=8), {})
    (system,) = found.systems
    assert [point.concurrency for point in system.curve] == [1, 4, 16] and not found.silent and not found.line
    assert (system.label, system.accelerator) == ("B200", "B200")
    # 4 in flight: TTFT 0.2 s, TPOT 7.07 ms, so E2EL 0.907 s; 1,101 tokens each over 8 chips.
    assert system.curve[1].throughput.value == pytest.approx(4 / (0.2 + 100 * 0.005 * 4**0.25) * 1101 / 8, rel=1e-4)
    assert system.sources[0].title == "conc1.json and 2 more"


def test_what_files_leave_out_is_named_with_the_files():
    found = [*runs(1, None), understand(text(agg()), "ix.json"), understand(b"x", "no.txt")]
    assert measured.lacking(found) == {
        "hardware": ("conc1.json", "concNone.json"),
        "chips": ("conc1.json", "concNone.json"),
        "concurrency": ("concNone.json",),
    }


def test_a_load_said_by_hand_is_of_one_file_only():
    found = measured.measured(runs(1, None), Said(), {1: 9, 0: 77})
    assert sorted(p.concurrency for p in found.systems[0].points) == [1, 9]


def test_what_a_file_says_stays():
    (system,) = measured.measured([understand(text(agg()), "ix.json")], Said(hardware="H100", chips=2), {}).systems
    assert system.accelerator != "H100" and system.point.chips == 8


def test_a_file_that_adds_nothing_is_named():
    without = runs(4)[0]
    lame = serving(**{f"{s}_tpot_ms": None for s in ("mean", "median", "p99")}, model_id="org/Other")
    found = measured.measured([without, understand(text(lame), "lame.json")], Said(), {})
    assert len(found.systems) == 1
    assert len(found.silent) == 1 and found.silent[0].startswith("lame.json: ") and "adds nothing" in found.silent[0]
    assert measured.measured([understand(text(lame), "lame.json")], Said(), {}).line.startswith("lame.json: ")
    assert measured.measured([], Said(), {}) == Measured()


def test_numbers_that_look_like_another_unit_are_asked_about():
    assert doubts(system_of(0.4, 10)) == ()
    assert doubts(system_of(0.4, 6070)) == ("A token takes 6,070\u00a0ms: is this file in microseconds?",)
    assert "in seconds, not milliseconds?" in doubts(system_of(0.0004, 10))[0]
    assert "in seconds, not milliseconds?" in doubts(system_of(0.4, 0.01))[0]


def test_a_system_is_compared_under_the_model_and_the_name_that_the_reader_gives():
    ours = system_of(0.4, 10)
    assert measured.serving(ours, None, None, None) is ours
    other = measured.serving(ours, "deepseek-r1", "DeepSeek R1", "Ours")
    assert (other.id, other.model, other.model_label, other.label) == (
        "x/deepseek-r1",
        "deepseek-r1",
        "DeepSeek R1",
        "Ours",
    )


# What is said


def heading(found: list[Found]) -> str:
    shown = said.head(found, measured.measured(found, Said(), {}))
    return " ".join(html.unescape(re.sub("<[^>]+>", " ", shown)).replace("\u00a0", " ").split())


def test_the_sentence_of_the_page():
    assert heading([]).startswith("What would it take elsewhere?")
    assert heading([understand(b"x", "a.txt")]) == "No runs in this file."
    assert heading([understand(b"x", "a.txt")] * 3) == "No runs in these 3 files."
    one = heading(runs(1, 4))
    assert one == "Imported writes at most 200 tok/s per user; its first token comes after 0.10 s at the soonest"
    task = understand(documents.write(catalog.tasks()["chat-turn"]).encode(), "t.yaml")
    assert heading([task]) == f"A task: {task.task.name}"
    mixed = heading([*runs(1), task, understand(b"x", "notes.txt")])
    assert mixed == "1 measured system and 1 task in 3 files 2 of 3 files. 1 was not read: notes.txt."


def test_units_are_explicit():
    (system,) = measured.measured(runs(1, 4), Said(chips=2), {}).systems
    shown = said.points(system)
    for words in ("Requests at once", "TTFT (s)", "TPOT (ms)", "tok/s per user", "Prompt (tokens)", "tok/s per chip"):
        assert f"{words}</th>" in shown
    row = [re.sub("<[^>]+>", "", cell) for cell in re.findall("<td.*?</td>", shown)][:7]
    # 1 in flight: 0.1 s + 100 x 5 ms = 0.6 s for 1,101 tokens on 2 chips.
    assert (
        row[:6] == ["1", "0.1", "5", "200", "1,000", "means"] and "0.3" in shown and f"{1101 / 0.6 / 2:,.0f}" in shown
    )


def test_of_very_many_points_the_first_are_listed():
    ours = system_of(0.4, 10)
    many = ours.model_copy(
        update={"points": tuple(ours.point.model_copy(update={"concurrency": n}) for n in range(1, 51))}
    )
    assert said.points(many).count("<tr") == 1 + 40 and "+ 10 more points: they are in the YAML." in said.points(many)
    assert "more points" not in said.points(ours)


def test_hostile_names_stay_text():
    (found,) = runs(1, model_id=HOSTILE[:28])
    system = measured.measured([found], Said(hardware="<b>x</b>"), {}).systems[0]
    bad = understand(b"x", HOSTILE)
    shown = said.card(system, ()) + said.understood([bad, found], Measured(), 0, 0) + said.head([bad], Measured())
    assert "<img" not in shown and "<b>x" not in shown and "\u202e" not in shown and "&lt;img" in shown


def test_examples_are_read_and_say_that_they_are_made_up():
    for example in examples.EXAMPLES.values():
        found = [understand(data, name) for name, data in example.files()]
        assert any(one.known for one in found)
        assert all(one.name.startswith("example-") for one in found)
    sweep = [understand(data, name) for name, data in examples.sweep()]
    (system,) = measured.measured(sweep, Said(), {}).systems
    assert [point.concurrency for point in system.curve] == [1, 4, 16, 64, 256]
    assert all(not run.notes for one in sweep for run in one.runs), "their numbers fit together"
    assert "made up" in examples.NOTE


# The page


def visit() -> AppTest:
    return pages.visit("import_")


def drop(app: AppTest, *some: tuple[str, bytes]) -> AppTest:
    app.file_uploader[0].set_value([(name, data, "text/plain") for name, data in some])
    return well(app.run())


def test_the_first_visit_invites_and_leaves_room_for_traces():
    shown = pages.text(visit())
    assert shown.startswith("What would it take elsewhere?")
    assert "Agent traces (Claude Code, Codex, OpenTelemetry, Langfuse): not yet." in shown
    assert said.PRIVACY in shown


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(examples.EXAMPLES))
def test_every_example_opens(name: str):
    app = press(visit(), f"try-{name}")
    assert examples.NOTE in pages.text(app)
    assert pages.text(press(app, "forget")).startswith("What would it take elsewhere?")


def test_benchmark_files_become_a_system_that_is_compared():
    app = drop(visit(), *((f"c{one.name}", data) for one, data in zip(runs(1, 4), sweep_bytes(), strict=False)))
    assert "Not in the file: the accelerator and on how many chips it ran." in pages.text(app)
    app.selectbox(key="by-hand-hardware").set_value("B200").run()
    app.number_input(key="by-hand-chips").set_value(8).run()
    well(app)
    assert "Not in the file" not in pages.text(app) and "tok/s per chip" in pages.text(app)
    app = press(app, "measured-0_candidate")
    assert query(app)["model"] == "gpt-oss-120b" and query(app)["candidate"] == "b200-2" and "x" in query(app)
    assert "B200" in pages.text(app) and "instead of" in pages.text(app)


def sweep_bytes() -> list[bytes]:
    return [data for _, data in examples.sweep()]


@pytest.mark.slow
def test_files_stay_while_another_page_is_open():
    app = press(visit(), "try-status")
    app.number_input(key=next(n.key for n in app.number_input if n.key.startswith("by-hand-users"))).set_value(3).run()
    app.switch_page(str(pages_folder() / "method.py")).run()
    app.query_params.clear()
    app = well(app.switch_page(str(pages_folder() / "import_.py")).run())
    assert "Example provider" in pages.text(app) and "3 requests at once, medians." in pages.text(app)


@pytest.mark.slow
def test_a_system_of_a_model_nobody_else_serves_waits_for_a_model():
    app = drop(visit(), ("run.json", text(serving())))
    assert next(b for b in app.button if b.key == "measured-0_candidate").disabled
    assert "No other system of this model is known" in pages.text(app)
    box = next(s for s in app.selectbox if s.label == "It serves")
    app = well(box.select("deepseek-r1").run())
    assert query(press(app, "measured-0_baseline"))["baseline"] == "imported"


@pytest.mark.slow
def test_a_task_is_used_in_compare_and_in_build():
    task = documents.write(catalog.tasks()["voice-turn"]).encode()
    app = press(drop(visit(), ("t.yaml", task)), "compare-task-0")
    assert query(app)["task"] == "own" and catalog.tasks()["voice-turn"].name in pages.text(app)
    app = press(drop(visit(), ("t.yaml", task)), "build-task-0")
    assert catalog.tasks()["voice-turn"].name in pages.text(app)
    assert app.session_state["build"].draft.name == catalog.tasks()["voice-turn"].name


@pytest.mark.slow
def test_a_system_file_and_a_scenario_are_used():
    system = documents.write(catalog.systems()["gb300/kimi-k2.5"]).encode()
    app = press(drop(visit(), ("s.yaml", system)), "system-0_candidate")
    assert query(app)["model"] == "kimi-k2.5" and query(app)["candidate"] == "gb300-2"
    packaged = calls.catalog_choices()
    saved = link.to_file(start(packaged).changed(packaged, task="chat-turn"), Brought(), packaged)
    assert query(press(drop(visit(), ("scenario.json", saved)), "open-scenario-0")) == {"task": "chat-turn"}


def test_files_of_all_kinds_at_once_and_one_that_is_none():
    app = drop(visit(), ("run.json", text(serving())), ("notes.txt", b"hello"), (HOSTILE, b"\0"))
    shown = pages.text(app)
    assert "1 of 3 files. 2 were not read: notes.txt, " in shown and "\u202e" not in shown
    assert not any("<img" in element.proto.body for element in app.get("html"))
    assert pages.text(drop(app)).startswith("What would it take elsewhere?")


def test_of_many_systems_the_reader_chooses_which_are_shown():
    many = [(f"{n}.json", text(serving(model_id=f"org/Model-{n}"))) for n in range(5)]
    app = drop(visit(), *many)
    assert "5 measured systems in 5 files" in pages.text(app)
    shown = [b.key for b in app.button if b.key.endswith("_candidate")]
    assert shown == [f"measured-{n}_candidate" for n in range(3)]
    app.multiselect[0].set_value([4]).run()
    assert [b.key for b in well(app).button if b.key.endswith("_candidate")] == ["measured-4_candidate"]


def test_more_files_than_are_read_at_once_are_counted():
    app = drop(visit(), *((f"{n}.txt", b"x") for n in range(files.MOST_FILES + 2)))
    assert "2 files more: only the first 40 are read at once." in pages.text(app)


def test_what_is_downloaded_reads_back():
    (system,) = measured.measured(runs(1, 4), Said(hardware="B200", chips=8), {}).systems
    again = catalog.load_single(documents.write(system).encode(), where="again.yaml")
    assert again == system and said.file_name(system.id) == "b200-small.yaml"
    assert said.file_name("<../é>") == "imported.yaml" or said.file_name("<../é>").isascii()


def test_the_limit_of_a_file_is_that_of_the_server():
    import tomllib

    settings = tomllib.loads((ENTRY.parent / ".streamlit" / "config.toml").read_text("utf-8"))
    assert settings["server"]["maxUploadSize"] == MOST_BENCHMARK_MB
    assert len(json.dumps(serving())) < MOST_BENCHMARK_MB * 1e6
