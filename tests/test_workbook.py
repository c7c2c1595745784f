"""The numbers of figures as workbooks: opened again, and held against the same figure's CSV."""

from __future__ import annotations

import csv
import io
import subprocess
import sys
import zipfile
from dataclasses import replace

import pandas as pd
import pytest
from click.testing import CliRunner
from openpyxl import load_workbook

from agentcalc import exports
from agentcalc.analysis.people import people
from agentcalc.analysis.sensitivity import sensitivity
from agentcalc.analysis.sweep import sweep
from agentcalc.cli.main import cli
from agentcalc.comparison import compare
from agentcalc.errors import AgentcalcError
from agentcalc.exports.headings import heading
from agentcalc.exports.workbook import xlsx
from agentcalc.figures import about, heat_map, tornado
from agentcalc.figures import people as people_figure
from agentcalc.figures.several import figures_for

PAIR = ("gb300/deepseek-r1", "jalapeno/deepseek-r1")
SAID = ("Title", "Sentence", "Source")


@pytest.fixture(scope="module")
def found():
    return compare("coding-agent", PAIR, trials=400)


@pytest.fixture(scope="module")
def figures(found):
    words = about(found, (0, 1))
    made = figures_for(found) | {"people": people_figure.figure(people(found), words)}
    task, specs = found.task, found.specs
    made["tornado"] = tornado.of_sensitivity(sensitivity(task, specs, trials=200), words)
    made["heat_map"] = heat_map.of_sweep(sweep(task, specs, "tools", "speed", trials=200, points=(3, 3)), words)
    return made


def opened(data: bytes):
    return load_workbook(io.BytesIO(data))


def same(text: str, value: object) -> bool:
    """Whether a cell of a CSV and one of a workbook say the same, as what it is."""
    if value is None:
        return text == ""
    if isinstance(value, bool):
        return text == str(value)
    if isinstance(value, int | float):
        return float(text) == pytest.approx(value, rel=1e-14)
    return text == value


KINDS = ("timeline", "accumulation", "components", "break_even", "distribution", "people", "tornado", "heat_map")


@pytest.mark.parametrize("kind", KINDS)
def test_a_workbook_says_what_the_csv_says(figures, kind):
    figure = figures[kind]
    book = opened(xlsx(figure, {"Seed": 7}))
    assert book.sheetnames == ["Data", "Source"]
    heads, *rows = csv.reader(io.StringIO(exports.csv(figure)))
    shown_heads, *shown = book["Data"].iter_rows(values_only=True)
    assert len(shown) == len(rows) and list(shown_heads) == heads
    for row, cells in zip(rows, shown, strict=True):
        assert all(map(same, row, cells)), (row, cells)
    # Numbers are numbers: every cell of a column of them that is not empty and has an end.
    for at, name in enumerate(figure.table.columns):
        if pd.api.types.is_numeric_dtype(figure.table[name]) and not pd.api.types.is_bool_dtype(figure.table[name]):
            kinds = {type(cells[at]) for cells in shown if cells[at] not in (None, "inf")}
            assert kinds <= {int, float}, name


def test_the_second_sheet_says_whose_numbers_they_are(figures):
    figure = figures["components"]
    rows = dict(opened(xlsx(figure, {"Runs": 400, "Seed": 7}))["Source"].iter_rows(values_only=True))
    assert rows == dict(zip(SAID, (figure.title, figure.subtitle, figure.source), strict=True)) | {
        "Runs": 400,
        "Seed": 7,
    } | {f"Assumption {number}": said for number, said in enumerate(figure.assumptions, 1)}
    assert figure.assumptions


HEADS = {
    "timeline": {"start (s)", "end (s)", "tokens"},
    "components": {"time (s)"},
    "break_even": {"tokens", "time (s)", "low (s)", "high (s)"},
    "distribution": {"share (0 to 1)", "time (s)"},
    "tornado": {"low (in its unit)", "unit", "at low (s)", "now (s)"},
    "heat_map": {"value (s)", "x (in the unit of x)", "x unit"},
    "people": {"low (s)", "waits (a run)", "waits low (a run)", "per 1000 runs"},
}


@pytest.mark.parametrize("kind", HEADS)
def test_headings_carry_their_unit(figures, kind):
    heads = next(opened(xlsx(figures[kind]))["Data"].iter_rows(values_only=True))
    assert set(heads) >= HEADS[kind]


@pytest.mark.parametrize(
    ("column", "kind", "of", "said"),
    [
        ("p95_s_low", "capacity", "time", "p95 low (s)"),
        ("per_hour_kw_high", "capacity", "time", "per hour kw high (tasks/h/kW)"),
        ("usd_rental", "capacity", "time", "cost, rental (US$/task)"),
        ("tok_s_user", "operating_points", "time", "speed (tok/s/user)"),
        ("saved_s_low", "portfolio", "time", "saved low (s/day)"),
        ("base_s", "portfolio", "time", "base (s)"),
        ("low", "speedup_curve", "time", "low (×)"),
        ("at_low", "tornado", "speedup", "at low (×)"),
        ("value", "heat_map", "speedup", "value (×)"),
        ("done_low", "budget", "time", "done low (0 to 1)"),
        ("done", "race", "time", "done (0 to 1)"),
        ("agents", "capacity", "time", "agents"),
    ],
)
def test_a_heading(column, kind, of, said):
    assert heading(column, kind, of) == said


HOSTILE = ("=1+1", "+cmd", "@SUM(A1)", "-2+3", "http://x.y/", "123", '=HYPERLINK("http://x")', "{=1}", "\t=1", "''")


def test_text_is_never_computed_nor_a_link_nor_a_number(figures):
    table = pd.DataFrame({"name": HOSTILE, "seconds": range(len(HOSTILE))})
    figure = replace(figures["components"], table=table, title="=1+1", subtitle="@x", source="http://x.y/")
    data = xlsx(figure, {"Command": "=cmd"})
    packed = zipfile.ZipFile(io.BytesIO(data))
    sheets = [packed.read(name).decode() for name in packed.namelist() if name.startswith("xl/worksheets/sheet")]
    assert len(sheets) == 2 and not any(mark in sheet for sheet in sheets for mark in ("<f>", "<f ", "hyperlink"))
    book = opened(data)
    cells = [row[0] for row in book["Data"].iter_rows(min_row=2)]
    assert [cell.value for cell in cells] == list(HOSTILE)
    assert {cell.data_type for cell in cells} == {"s"}
    # What would be computed once somebody edits the cell is marked as text for good.
    marked = {cell.value for cell in cells if cell.quotePrefix}
    assert marked == {"=1+1", "+cmd", "@SUM(A1)", "-2+3", '=HYPERLINK("http://x")', "\t=1"}
    said = {row[0].value: row[1] for row in book["Source"].iter_rows()}
    assert said["Title"].value == "=1+1" and said["Title"].data_type == "s" and said["Title"].quotePrefix
    assert said["Command"].data_type == "s"


def test_no_number_is_an_empty_cell_and_no_end_a_word(figures):
    table = pd.DataFrame({"a": [1.5, float("nan"), float("inf")], "b": [True, False, None], "c": ["x", None, ""]})
    rows = list(opened(xlsx(replace(figures["components"], table=table)))["Data"].iter_rows(2, values_only=True))
    assert rows == [(1.5, True, "x"), (None, False, None), ("inf", None, None)]
    none = opened(xlsx(replace(figures["components"], table=table.head(0))))["Data"]
    assert [cell.value for cell in none[1]] == ["a", "b", "c"] and none.max_row == 1


def test_what_no_sheet_holds_is_told(figures):
    table = pd.DataFrame({"name": ["x" * 40_000]})
    with pytest.raises(AgentcalcError, match="components does not fit a spreadsheet"):
        xlsx(replace(figures["components"], table=table))


def test_the_command_writes_both_kinds_of_data(figures, tmp_path):
    for ending in ("xlsx", "csv"):
        words = ["figure", "coding-agent", "--kind", "components", "--trials", "400", "--title", "=Mine"]
        done = CliRunner().invoke(cli, [*words, "-o", str(tmp_path / f"f.{ending}")])
        assert done.exit_code == 0, done.output
    assert (tmp_path / "f.csv").read_text() == exports.csv(figures["components"])
    book = load_workbook(tmp_path / "f.xlsx")
    said = dict(book["Source"].iter_rows(values_only=True))
    assert (said["Title"], said["Runs"], said["Seed"]) == ("=Mine", 400, 7)
    assert book["Data"].max_row == len(figures["components"].table) + 1


def test_the_writer_is_loaded_when_a_workbook_is_made():
    code = "import sys, agentcalc.app.files, agentcalc.exports.bundle; print('xlsxwriter' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "False"
