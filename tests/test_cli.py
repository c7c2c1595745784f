"""Every command, its exit codes and its one-line errors."""

import csv
import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import agentcalc.__main__
from agentcalc import catalog, documents
from agentcalc.cli import main as command_line
from agentcalc.cli.main import COMMANDS, MODULES, cli

ROOT = Path(__file__).parents[1]
R1 = ("--system", "gb300/deepseek-r1", "--system", "jalapeno/deepseek-r1")
FEW = ("--trials", "300")


def run(*args, code=0):
    """Runs a command line; gives (stdout, stderr), no-break spaces as spaces."""
    found = CliRunner().invoke(cli, [str(arg) for arg in args])
    assert found.exit_code == code, (found.output, found.exception)
    return found.stdout.replace("\u00a0", " "), found.stderr.replace("\u00a0", " ")


def process(*args, **rest):
    return subprocess.run(
        [sys.executable, "-m", "agentcalc", *args],
        cwd=ROOT, capture_output=True, text=True, encoding="utf-8", timeout=120, **rest,
    )  # fmt: skip


def one_line(text):
    assert text.endswith("\n") and text.count("\n") == 1, text
    assert "Traceback" not in text
    return text


# Help


def test_help_lists_every_command_without_loading_it():
    script = (
        "import sys\nfrom agentcalc.cli.main import cli\n"
        "try:\n    cli(['--help'])\nexcept SystemExit:\n    pass\n"
        "print('loaded', sorted(m for m in sys.modules if m.split('.')[0] in "
        "('numpy', 'pydantic', 'pandas', 'altair', 'streamlit', 'yaml') or m.startswith('agentcalc.')))"
    )
    found = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in COMMANDS:
        assert f"\n  {name} " in found.stdout
    loaded = found.stdout.rsplit("loaded ", 1)[1].strip()
    assert loaded == "['agentcalc.cli', 'agentcalc.cli.main', 'agentcalc.errors']"


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_each_command(name):
    out, _ = run(name, "--help")
    assert out.startswith(f"Usage: cli {name}")
    assert MODULES.get(name, name) in {path.stem for path in (ROOT / "agentcalc" / "cli").glob("*.py")}


def test_version():
    assert run("--version")[0].startswith("agentcalc ")


# compare


def test_compare_leads_with_the_answer():
    out, err = run("compare", "benchmark-call", *R1, *FEW)
    lines = out.splitlines()
    assert lines[0] == "One benchmark call, 8k in and 1k out: 300 runs, seed 7"
    assert "Jalapeño takes 1.65 s instead of 6.0 s: 3.6× faster" in lines
    assert "Against GB300 with MTP:" in out
    assert err == ""
    assert "\x1b" not in out


def test_compare_fits_eighty_columns():
    out, _ = run("compare", "coding-agent", *FEW)
    assert [line for line in out.splitlines() if len(line) > 80 and "https://" not in line] == []


def test_compare_without_systems_shows_the_three_pairs():
    out, _ = run("compare", "benchmark-call", *FEW)
    for name in ("GPT-OSS 120B", "DeepSeek R1", "Kimi K2.5"):
        assert f"\n{name}\n---" in out
    assert "GB200 finishes a call first below about 250 tokens" in " ".join(out.split())


def test_compare_one_system_or_many():
    out, _ = run("compare", "benchmark-call", "-s", "jalapeno/deepseek-r1", *FEW)
    assert "A typical run takes 1.65 s on Jalapeño." in out
    out, _ = run("compare", "coding-agent", "-s", "jalapeno/deepseek-r1", "-s", "jalapeno/deepseek-r1", *FEW)
    assert "Both sides are Jalapeño. Choose another candidate." in out
    out, _ = run("compare", "coding-agent", *R1, "-s", "mine:ttft=0.4s,speed=300", *FEW)
    assert "mine takes" in out or "on mine" in out or "mine finishes" in out


def test_compare_different_models_warns():
    out, _ = run("compare", "coding-agent", "-s", "gb300/deepseek-r1", "-s", "jalapeno/kimi-k2.5", *FEW)
    assert "These are different models" in " ".join(out.split())


def test_compare_says_what_adds_up_and_what_compounds():
    out = " ".join(run("compare", "coding-agent", *R1, *FEW)[0].split())
    assert "All of it adds up call by call: " in out and "Within" not in out
    out = " ".join(run("compare", "long-report", *R1, "--trials", "2000")[0].split())
    assert "add up call by call and" in out and "compound: timeouts it no longer hits." in out
    assert "Attempts ran out in under 1% of runs on GB300; the task then goes on without success." in out
    out = " ".join(run("compare", "best-of-n", *R1, *FEW)[0].split())
    assert "Within 5 min: " in out and "Attempts that fit, one after the other: " in out


def test_a_deployment_serves_each_role_with_its_own_system(tmp_path):
    target = tmp_path / "routed.yaml"
    target.write_text(
        "name: routed\nsteps:\n"
        "  - {kind: model_call, role: router, input_tokens: 900, output_tokens: 20}\n"
        "  - {kind: model_call, input_tokens: 900, output_tokens: 500}\n"
    )
    base = "main=gb300/deepseek-r1,router=gb200/gpt-oss-120b"
    cand = "main=jalapeno/deepseek-r1,router=jalapeno/gpt-oss-120b"
    # Either may be the baseline: a deployment that loses has sentences of its own.
    for order in ((base, cand), (cand, base)):
        out, _ = run("compare", target, "-s", order[0], "-s", order[1], *FEW)
        assert "GB300 (main), GB200 (router)" in out and "All of it adds up call by call" in out
        assert "with MTP" not in out and "finishes a call first" not in out


SYSTEM_KEYS = {
    "id", "label", "task_s", "mean_se_s", "without_people_s", "components_s", "model_share", "calls", "exhausted_share",
    "extrapolated_share", "reach", "grade", "assumptions",
}  # fmt: skip
PAIR_KEYS = {
    "baseline", "candidate", "speedup", "saved_s", "accumulated_s", "compounded_s", "per_call_speedup", "ceiling",
    "candidate_wins", "break_even_output_tokens",
}  # fmt: skip


@pytest.mark.parametrize(("systems", "n_systems", "n_pairs"), [(R1, 2, 1), ((), 6, 3)])
def test_json_has_the_public_keys(systems, n_systems, n_pairs):
    found = json.loads(run("compare", "coding-agent", *systems, *FEW, "--format", "json")[0])
    assert {"task", "trials", "seed", "systems", "comparisons"} <= set(found)
    assert (found["trials"], found["seed"]) == (300, 7)
    assert (len(found["systems"]), len(found["comparisons"])) == (n_systems, n_pairs)
    for system in found["systems"]:
        assert set(system) >= SYSTEM_KEYS
        assert set(system["task_s"]) == {"mean", "sd", "p5", "p50", "p90", "p95", "p99"}
        assert set(system["components_s"]) == {
            "overhead", "ttft", "decode", "refill", "tool", "human", "attention", "retry"
        }  # fmt: skip
        assert sum(system["components_s"].values()) == pytest.approx(system["task_s"]["mean"])
        assert set(system["without_people_s"]) == set(system["calls"]) == {"mean"}
    for pair in found["comparisons"]:
        assert set(pair) >= PAIR_KEYS
        assert set(pair["speedup"]) == {"of_means", "p50", "p5", "p95"}
        assert set(pair["saved_s"]) == {"mean", "p50"}
        assert set(pair["per_call_speedup"]) == {"mean", "min", "max"}


def test_the_same_seed_gives_the_same_document():
    once, again = (run("compare", "coding-agent", *R1, *FEW, "--format", "json")[0] for _ in range(2))
    other = run("compare", "coding-agent", *R1, *FEW, "--seed", "8", "--format", "json")[0]
    assert once == again != other


def test_csv_has_a_row_for_each_system():
    rows = list(csv.DictReader(run("compare", "coding-agent", *FEW, "--format", "csv")[0].splitlines()))
    assert len(rows) == 6
    assert rows[0]["speedup_of_means"] == "" and float(rows[1]["speedup_of_means"]) > 0
    assert {row["task"] for row in rows} == {"coding-agent"}


def test_markdown_is_a_table():
    out, _ = run("compare", "benchmark-call", *R1, *FEW, "--format", "markdown")
    assert out.startswith("**Jalapeño takes 1.65 s instead of 6.0 s: 3.6× faster**")
    assert "| system | Typical | Average | Slow (p95) |" in out


# Errors


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("compare", "codin-agent"), "coding-agent"),
        (("compare", "no-such-file.yaml"), "no-such-file.yaml"),
        (("compare", "coding-agent", "-s", "gb400/deepseek-r1"), "gb300"),
        (("compare", "coding-agent", "-s", "gb300/deepseek-r1@99"), "99"),
        (("compare", "coding-agent", "--trials", "0"), "1 to 10,000,000"),
        (("compare", "coding-agent", "--trials", "10000001"), "1 to 10,000,000"),
        (("compare", "coding-agent", "--seed", "-1"), "from 0"),
        (("compare", "coding-agent", "-o", "/no/such/folder/x.txt"), "no folder"),
        (("compare", "coding-agent", "-o", "/tmp"), "folder"),
        (("tasks", "nothing"), "nothing"),
        (("systems", "nothing"), "nothing"),
        (("sources", "nothing"), "nothing"),
        (("validate", "no-such-file.yaml"), "no-such-file.yaml"),
    ],
)
def test_wrong_input_is_one_line_and_exit_code_1(args, says):
    out, err = run(*args, code=1)
    assert out == ""
    assert says in one_line(err)


@pytest.mark.parametrize(
    "args",
    [
        ("compare",),
        ("compare", "coding-agent", "--trials", "many"),
        ("compare", "coding-agent", "--format", "xml"),
        ("schema", "cat"),
        ("validate",),
        ("tasks", "--format", "yaml"),
        ("app", "--port", "0"),
        ("nonsense",),
        ("--nonsense",),
    ],
)
def test_wrong_usage_is_exit_code_2(args):
    out, err = run(*args, code=2)
    assert out == "" and "Usage:" in err


def test_a_misspelt_command_names_the_nearest():
    assert "Did you mean 'compare'?" in run("compere", code=2)[1]


def test_a_bug_is_loud_but_short(monkeypatch):
    def broken(*_, **__):
        raise KeyError("lost")

    monkeypatch.setattr(catalog, "sources", broken)
    _, err = run("sources", code=command_line.OUR_FAULT)
    assert "fault of agentcalc" in one_line(err) and "KeyError" in err and command_line.DEBUG in err
    monkeypatch.setenv(command_line.DEBUG, "1")
    assert isinstance(CliRunner().invoke(cli, ["sources"]).exception, KeyError)


def test_stopped_by_hand(monkeypatch):
    def stop(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(catalog, "sources", stop)
    assert run("sources", code=130) == ("", "Stopped.\n")


def test_stopped_by_hand_before_the_command_line_is_there(monkeypatch):
    class Stop:
        def find_spec(self, name, *_):
            if name == "agentcalc.cli.main":
                raise KeyboardInterrupt

    for name in ("agentcalc.cli", "agentcalc.cli.main"):
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [Stop(), *sys.meta_path])
    with pytest.raises(SystemExit) as stopped:
        agentcalc.__main__.main()
    assert stopped.value.code == 130


# Files


def test_a_file_is_complete_or_not_there(tmp_path, monkeypatch):
    target = tmp_path / "answer.json"
    out, _ = run("compare", "benchmark-call", *R1, *FEW, "--format", "json", "-o", target)
    assert out == "" and json.loads(target.read_text(encoding="utf-8"))["trials"] == 300
    run("compare", "benchmark-call", "--trials", "0", "-o", tmp_path / "none.json", code=1)

    def full(*_):
        raise OSError(28, "No space left on device")

    before = target.read_bytes()
    monkeypatch.setattr(os, "replace", full)
    _, err = run("compare", "benchmark-call", *R1, *FEW, "-o", target, code=1)
    assert "no space left" in one_line(err)
    assert target.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["answer.json"]


def test_a_replaced_file_keeps_its_mode_and_a_link_its_target(tmp_path):
    target, link = tmp_path / "schema.json", tmp_path / "link.json"
    target.write_text("old")
    target.chmod(0o600)
    link.symlink_to(target)
    run("schema", "task", "-o", link)
    assert link.is_symlink() and json.loads(target.read_text(encoding="utf-8"))
    assert target.stat().st_mode & 0o777 == 0o600
    run("schema", "task", "-o", os.devnull)


# Lists


def test_lists_name_everything_packaged():
    for command, found in (("tasks", catalog.tasks()), ("systems", catalog.systems()), ("sources", catalog.sources())):
        out, _ = run(command)
        assert [line.split()[0] for line in out.splitlines()[1:]] == list(found)
        assert all(len(line) <= 80 for line in out.splitlines())
        assert [row["id"] for row in json.loads(run(command, "--format", "json")[0])] == list(found)


def test_a_task_in_full_shows_each_step_and_source():
    for name, task in catalog.tasks().items():
        out, _ = run("tasks", name)
        assert out.startswith(f"{name} ({task.name})") and "Sources" in out
        assert all(place.step.name in out for place in documents_places(task) if place.step.name)


def documents_places(task):
    from agentcalc.task import places

    return places(task.steps)


@pytest.mark.parametrize("form", ["yaml", "json"])
def test_a_task_or_system_can_be_taken_as_a_file(form, tmp_path):
    target = tmp_path / f"mine.{form}"
    run("tasks", "coding-agent", "--format", form, "-o", target)
    assert documents.read_task(target) == catalog.tasks()["coding-agent"]
    assert run("validate", target)[0] == f"{target}: ok, a task of 4 steps\n"
    run("systems", "gb300/deepseek-r1", "--format", form, "-o", target)
    assert documents.read_system(target) == catalog.systems()["gb300/deepseek-r1"]
    assert run("validate", target)[0].startswith(f"{target}: ok, a system with ")


def test_a_system_in_full_says_why_and_from_where():
    for name, system in catalog.systems().items():
        out = " ".join(run("systems", name)[0].split())
        assert "Why it differs from a headline" in out
        for _, number in system.numbers():
            assert f"[{number.source}]" in out and catalog.source(number.source, system).title in out


def test_a_source_in_full_says_what_rests_on_it():
    for name in catalog.sources():
        assert run("sources", name)[0].startswith(f"{name}\n")
    assert "gb300/deepseek-r1" in run("sources", catalog.systems()["gb300/deepseek-r1"].point.ttft.source)[0]


# validate and schema


def test_validate_names_every_fault(tmp_path):
    right, wrong = tmp_path / "right.yaml", tmp_path / "wrong.yaml"
    right.write_text("name: t\nsteps: [{kind: tool_wait, seconds: 1}]\n")
    wrong.write_text("name: t\ncolour: red\nsteps: [{kind: tool_wait, seconds: -1}]\n")
    out, err = run("validate", right, wrong, code=1)
    assert out == f"{right}: ok, a task of 1 step\n"
    assert len(err.splitlines()) == 2 and all(line.startswith(f"{wrong}: ") for line in err.splitlines())


def test_schema_knows_every_kind_of_step():
    found = json.loads(run("schema", "task")[0])
    assert found["title"] == "Task" and "model_call" in json.dumps(found)
    assert json.loads(run("schema", "system")[0])["title"] == "System"


# app


def test_app_says_when_its_port_is_taken():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        _, err = run("app", "--no-browser", "--port", port, code=1)
    assert f"port {port}" in one_line(err) and "--port" in err


def test_app_starts_the_entry_script(monkeypatch):
    from agentcalc.app.options import ENTRY
    from agentcalc.cli import app

    started = []

    class Server:
        def __init__(self, args):
            started.extend(args)

        def poll(self):
            return 0

        def wait(self, timeout=None):
            return 0

    monkeypatch.setattr(app.subprocess, "Popen", Server)
    run("app", "--no-browser")
    assert started[:6] == [sys.executable, "-P", "-m", "streamlit", "run", str(ENTRY)]
    assert "--browser.gatherUsageStats=false" in started and "--server.headless=true" in started


# As a process


def test_as_a_module_and_in_a_pipe():
    found = process("validate", "nowhere.yaml")
    assert (found.returncode, found.stdout) == (1, "")
    assert one_line(found.stderr)
    assert process("compare", "--bad").returncode == 2


def test_a_reader_that_goes_away_is_no_error():
    with subprocess.Popen(
        [sys.executable, "-m", "agentcalc", "schema", "task"], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as child:
        child.stdout.close()
        assert b"Traceback" not in child.stderr.read()


def test_a_terminal_without_signs_gets_question_marks():
    found = subprocess.run(
        [sys.executable, "-m", "agentcalc", "compare", "benchmark-call", *R1, *FEW],
        cwd=ROOT,
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "cp437"},
    )
    assert found.returncode == 0 and found.stderr == b""
    assert "3.6? faster" in found.stdout.decode("cp437")


def test_a_closed_terminal_is_said():
    ran = subprocess.run(
        f"exec {sys.executable} -m agentcalc tasks >&-", shell=True, cwd=ROOT, capture_output=True, text=True
    )
    assert ran.returncode == 1
    assert ran.stderr == "output: it cannot be written (the terminal is closed). Name a file with -o.\n"


def test_a_link_that_leads_in_a_circle_is_said(tmp_path):
    circle = tmp_path / "circle.json"
    circle.symlink_to(circle)
    _, err = run("tasks", "-o", circle, code=1)
    assert "links" in one_line(err)
    ahead = tmp_path / "ahead.txt"
    ahead.symlink_to(tmp_path / "target.txt")
    run("tasks", "-o", ahead)
    assert "coding-agent" in (tmp_path / "target.txt").read_text() and ahead.is_symlink()


def test_a_file_name_cannot_command_the_terminal():
    _, err = run("validate", "\x1b[2J\u202eevil.yaml", code=1)
    assert one_line(err).startswith("?[2J?evil.yaml: there is no such file")
    assert len(run("validate", "x" * 5000, code=1)[1]) < 400


@pytest.mark.parametrize("number", ["٣٠٠", "1_000", "0x10", "3.5", ""])
@pytest.mark.parametrize("option", ["--trials", "--seed"])
def test_numbers_are_plain_digits(option, number):
    _, said = run("compare", "chat-turn", option, number, code=2)
    assert f"Invalid value for '{option}'" in said and "Traceback" not in said


def test_a_folder_that_is_not_there_is_no_file(tmp_path):
    _, said = run("compare", "chat-turn", *FEW, "-o", f"{tmp_path}/not-there/", code=1)
    one_line(said)
    assert "it is a folder. Name a file in it." in said and not list(tmp_path.iterdir())
