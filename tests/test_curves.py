"""What docs/curves.md says of the packaged curves is what its scripts print."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from agentcalc import catalog
from agentcalc.benchmarks.records import Measurement, Spread

sys.path.insert(0, str(Path(__file__).parents[1] / "scripts"))

import curve_errors
import prompt_lengths

DOC = (Path(__file__).parents[1] / "docs" / "curves.md").read_text(encoding="utf-8")


def test_the_errors_of_interpolation_are_those_the_page_shows(capsys):
    assert curve_errors.main([]) == 0
    printed = capsys.readouterr().out
    assert printed.count("\n") > 10
    assert f"\n{printed}\n" in DOC


def test_the_errors_over_prompt_lengths_are_those_the_page_shows(capsys):
    assert prompt_lengths.main(["h100/qwen3-32b"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert "\n".join(f"    {line}" for line in ["$ python scripts/prompt_lengths.py h100/qwen3-32b", *lines]) in DOC


def test_an_end_to_end_time_is_checked_against_its_own_parts():
    def run(seconds: float, **keys) -> Measurement:
        means = {"ttft": Spread(mean=0.5), "tpot": Spread(mean=0.01), "e2el": Spread(mean=seconds)}
        told = {"model": "m", "hardware": "B200", "concurrency": 4.0, "output_tokens": 101.0}
        return Measurement("Tool", **(means | told | keys))

    # 0.5 + 100 x 0.01 = 1.5
    assert [gap for gap, _ in curve_errors.identity_gaps([run(1.5), run(1.2)])] == pytest.approx([0, 0.25])
    silent = [run(1.5, e2el=Spread(median=1.5)), run(1.5, output_tokens=None)]
    assert curve_errors.identity_gaps(silent) == []
    assert list(curve_errors.identity_lines(silent)) == ["No row gives the means of TTFT, TPOT and E2EL."]
    assert list(curve_errors.identity_lines([run(1.5), run(1.49), run(1.2)])) == [
        "Of 3 rows 3 give all three means. TTFT + (output tokens - 1) x TPOT is off their E2EL by 0.67% at the "
        "median and 25.00% at most.",
        "More than 1% off: 1.",
        "- +25.0%: m on B200 at concurrency 4",
    ]
    assert list(curve_errors.identity_lines([run(1.5)]))[1] == "More than 1% off: none."


def test_a_file_that_is_not_there_is_an_error_in_a_line(capsys):
    for script in (curve_errors, prompt_lengths):
        assert script.main(["nowhere.csv"]) == 1
        out, err = capsys.readouterr()
        assert not out and err == "nowhere.csv: there is no such file. Check the folder and the name.\n"


def test_a_system_measured_at_two_lengths_leaves_none_to_predict(capsys):
    assert prompt_lengths.main(["b200/gpt-oss-120b"]) == 1
    assert "three prompt lengths" in capsys.readouterr().err


def test_numbers_the_page_states_are_in_the_data():
    systems = catalog.systems()
    law = {n.note.partition("chip")[2] for s in systems.values() for p in s.points if (n := p.throughput)}
    law = {text.partition(". ")[2] for text in law if "In the" in text}
    assert law == {"In the 95 rows that tell their throughput it is off by +0.5% to +10.6%, +4.2% at the median."}
    assert "95 rows that have both" in DOC and "4.2% at the median and 10.6% at most" in DOC
    ends = {s.software.split()[0]: s.fixed_share.band for n, s in systems.items() if n.startswith("b200") and "r1" in n}
    assert ends == {"TensorRT-LLM": (0, 0.92), "SGLang": (0.33, 1)}
    assert "0 to 0.92 on TensorRT-LLM and 0.33 to 1 on SGLang" in " ".join(DOC.split())
    waiting = {p.concurrency: p.ttft.seconds() for p in systems["gb300-sglang/deepseek-r1"].points}
    assert (round(waiting[512]), round(waiting[4096])) == (8, 81)
    assert "takes 8 s at concurrency 512 and 81 s at 4,096" in " ".join(DOC.split())


@pytest.mark.parametrize("line", [line.strip() for line in DOC.splitlines() if line.startswith("    agentcalc ")])
def test_the_page_s_commands_name_systems_and_loads_that_exist(line: str):
    from click.testing import CliRunner

    from agentcalc.cli.main import cli

    words = line.partition("   ")[0].split()
    found = CliRunner().invoke(cli, [*words[1:], *(["--trials", "20"] if words[1] == "compare" else [])])
    assert found.exit_code == 0, found.output
    assert ("interpolated" in found.output) == ("24" in line or "kW" in line)
