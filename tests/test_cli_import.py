"""``agentcalc import benchmark`` and what ``agentcalc systems`` shows of a curve."""

import json

import pytest
from click.testing import CliRunner

from agentcalc import documents
from agentcalc.cli.main import cli


def run(*args):
    return CliRunner().invoke(cli, [str(arg) for arg in args])


def vllm(folder, concurrency, ttft, tpot, **keys):
    """A result of vllm bench serve, milliseconds, 1,000 tokens in and 101 out."""
    file = folder / f"conc{concurrency}.json"
    e2el = ttft + 100 * tpot
    told = {
        "backend": "vllm",
        "model_id": "org/Some-Model",
        "num_prompts": 100,
        "max_concurrency": concurrency,
        "request_rate": "inf",
        "completed": 100,
        "total_input_tokens": 100_000,
        "total_output_tokens": 10_100,
        "duration": 100 * e2el / 1e3 / concurrency,
        "request_throughput": concurrency / e2el * 1e3,
        "output_throughput": 101 * concurrency / e2el * 1e3,
        "total_token_throughput": 1101 * concurrency / e2el * 1e3,
        "mean_ttft_ms": ttft,
        "median_ttft_ms": ttft * 0.9,
        "p99_ttft_ms": ttft * 3,
        "mean_tpot_ms": tpot,
        "median_tpot_ms": tpot * 0.99,
        "p99_tpot_ms": tpot * 1.2,
        "mean_e2el_ms": e2el,
        "median_e2el_ms": e2el,
        "p99_e2el_ms": e2el * 1.5,
    }
    file.write_text(json.dumps(told | keys))
    return file


def test_files_of_one_server_make_a_curve(tmp_path):
    files = [vllm(tmp_path, c, 100 * c**0.5, 5 * c**0.25) for c in (1, 4, 16)]
    made = run("import", "benchmark", *files, "--hardware", "B200", "--chips", 8, "-o", tmp_path / "ours.yaml")
    assert (made.exit_code, made.stdout) == (0, "")
    assert made.stderr.startswith("b200/some-model: 3 operating points, concurrency 1 to 16")
    system = documents.read_system(tmp_path / "ours.yaml")
    assert [p.concurrency for p in system.curve] == [1, 4, 16]
    assert system.point.ttft.seconds() == pytest.approx(0.1)
    assert system.curve[1].tpot.seconds() == pytest.approx(0.005 * 2**0.5)
    assert system.point.throughput.value == pytest.approx(1101 / 0.6 / 8, rel=1e-4)
    assert system.at(2).point.ttft.seconds() == pytest.approx(0.1 * 2**0.5)
    assert system.varied().point.ttft_spread.p99 == pytest.approx(0.3)

    shown = run("systems", tmp_path / "ours.yaml").stdout
    assert "USERS  FIRST TOKEN  TOK/S/USER  TOK/S/CHIP" in shown
    assert "left out and predicted, 1 measured point of it came out 0% off" in " ".join(shown.split())
    against = run(
        "compare", "chat-turn", "-s", f"{tmp_path}/ours.yaml", "-s", f"{tmp_path}/ours.yaml@16", "--trials", 50
    )
    assert against.exit_code == 0 and "B200@16" in against.stdout


def test_to_the_terminal_the_yaml_alone(tmp_path):
    made = run("import", "benchmark", vllm(tmp_path, 4, 200, 10))
    assert made.exit_code == 0
    (tmp_path / "again.yaml").write_text(made.stdout)
    assert documents.read_system(tmp_path / "again.yaml").id == "imported/some-model"


def test_several_systems_want_a_choice_or_a_folder(tmp_path):
    one, other = vllm(tmp_path, 4, 200, 10), vllm(tmp_path, 8, 200, 10, model_id="org/Other")
    refused = run("import", "benchmark", one, other)
    assert refused.exit_code == 1
    assert refused.stderr == (
        "conc4.json and 1 more: they hold 2 systems: imported/some-model, imported/other. "
        "Choose one with --only ID, or name a folder with -o.\n"
    )
    assert run("import", "benchmark", one, other, "--only", "imported/other").stdout.startswith("id: imported/other")
    into = tmp_path / "systems"
    into.mkdir()
    assert run("import", "benchmark", one, other, "-o", into).exit_code == 0
    assert sorted(p.name for p in into.iterdir()) == ["imported_other.yaml", "imported_some-model.yaml"]


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (["--concurrency", 9], "--concurrency: '9', but the file says concurrency 4"),
        (["--only", "x"], "--only: there is no system 'x' in them"),
        (["-o", "/nowhere/x.yaml"], "there is no folder"),
    ],
)
def test_what_cannot_be(tmp_path, options, error):
    refused = run("import", "benchmark", vllm(tmp_path, 4, 200, 10), *options)
    assert refused.exit_code == 1 and error in refused.stderr and refused.stderr.count("\n") == 1


def test_an_unknown_file_names_the_nearest_kind_and_writes_nothing(tmp_path):
    (tmp_path / "x.json").write_text('{"median_ttft_ms": 5}')
    refused = run("import", "benchmark", tmp_path / "x.json", "-o", tmp_path / "y.yaml")
    assert refused.exit_code == 1 and refused.stderr.count("\n") == 1
    assert not (tmp_path / "y.yaml").exists()


def test_a_template_to_fill_in_reads_back(tmp_path):
    (tmp_path / "mine.yaml").write_text(run("import", "benchmark", "--template").stdout)
    made = run("import", "benchmark", tmp_path / "mine.yaml", "-o", tmp_path)
    assert made.exit_code == 0, made.stderr
    assert "vLLM bench serve" in run("import", "benchmark", "--formats").stdout
    assert run("import", "benchmark").exit_code == 2
