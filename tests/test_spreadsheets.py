"""What a spreadsheet would compute is written as text, in every CSV there is."""

from __future__ import annotations

import ast
import csv
import io
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner

from agentcalc.cli.main import cli
from agentcalc.spreadsheets import cell, csv_text, table_csv

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("text", ["=1+1", "+cmd", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "--", "-"])
def test_a_formula_is_made_text(text):
    assert cell(text) == "'" + text


@pytest.mark.parametrize("value", ["GB300", "", "a=b", "-0.5", "+1e3", "-inf", -0.5, 3, None, True])
def test_other_values_stay_as_they_are(value):
    assert cell(value) is value


def test_a_csv_holds_heads_rows_and_empty_cells():
    assert csv_text(["a", "=b"], [{"a": 1.5, "=b": None}, {"a": "@x"}]) == "a,'=b\n1.5,\n'@x,\n"
    with pytest.raises(ValueError, match="no head for"):
        csv_text(["a"], [{"b": 1}])


def test_a_table_is_written_like_pandas_does_but_for_formulas():
    plain = pd.DataFrame({"name": ["x", None], "n": [1, 2], "s": [0.1, float("nan")]})
    assert table_csv(plain) == plain.to_csv(index=False)
    assert table_csv(pd.DataFrame({"-n": ["=1", "x"], "v": [-1, -2]})) == "'-n,v\n'=1,-1\nx,-2\n"


@pytest.mark.parametrize("form", [["compare"], ["people"], ["budget"], ["sensitivity", "--steps"]])
def test_names_of_a_task_or_system_are_no_formulas(form, tmp_path):
    task = tmp_path / "t.yaml"
    task.write_text(
        "name: =1+1\nsteps:\n- {kind: model_call, name: '@call', output_tokens: 50}\n"
        "- {kind: human_wait, name: +you, seconds: 2}\n"
    )
    command, *more = form
    result = CliRunner().invoke(cli, [command, str(task), *more, "--trials", "20", "--format", "csv"])
    assert result.exit_code == 0, result.output
    rows = list(csv.reader(io.StringIO(result.stdout)))
    assert len(rows) > 1
    assert all(text == cell(text) for row in rows for text in row)


def test_no_csv_is_written_anywhere_else():
    """Whoever writes a CSV by himself forgets the formulas."""
    writers = {"DictWriter", "writer", "to_csv"}
    for path in (*ROOT.glob("agentcalc/**/*.py"), *ROOT.glob("pages/*.py")):
        if path.name != "spreadsheets.py":
            used = {node.attr for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Attribute)}
            assert not used & writers, path
