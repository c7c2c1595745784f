"""Every kind of figure by its name: what draws it, where it is not, and the command that draws it again."""

from __future__ import annotations

import csv
import io
import os
import re
import shlex
import struct
import subprocess
import sys
import zipfile
import zlib
from functools import partial

import numpy as np
import pytest
from click.testing import CliRunner
from openpyxl import load_workbook

from agentcalc import catalog, exports
from agentcalc.analysis.fitting import fitting_runs
from agentcalc.cli.main import cli
from agentcalc.comparison import compare
from agentcalc.errors import AgentcalcError, InputError, NotFoundError
from agentcalc.exports.workbook import xlsx
from agentcalc.figures import histogram, kinds
from agentcalc.figures.asked import BUILDERS, Asked, drawn, every
from agentcalc.task import ModelCall, Task, ToolWait

PAIR = ("gb300/deepseek-r1", "jalapeno/deepseek-r1")
TOOLS = Task(name="Tools alone", steps=[ToolWait(kind="tool_wait", name="run", seconds={"low": 1, "high": 9})])
QUICK = ("timeline", "histogram", "tornado", "task_graph")
"""Kinds tested by themselves at every turn; the others where there is more time."""


def each(names):
    return [pytest.param(name, marks=[] if name in QUICK else pytest.mark.slow) for name in names]


@pytest.fixture(scope="module")
def asked() -> Asked:
    return Asked(compare("coding-agent", PAIR, trials=80))


@pytest.fixture(scope="module")
def figure_of(asked):
    made = {}
    return lambda kind: made.setdefault(kind, None) or made.update({kind: drawn(kind, asked)}) or made[kind]


def run(*words: object):
    return CliRunner().invoke(cli, [str(word) for word in words])


# The table


def test_every_kind_of_the_table_has_what_draws_it():
    assert tuple(BUILDERS) == kinds.NAMES and len(set(kinds.NAMES)) == len(kinds.KINDS)
    issue = ("timeline accumulation components distribution histogram tool_share tornado heat_map operating_points "
             "break_even budget speedup race task_graph")  # fmt: skip
    assert set(issue.split()) <= set(kinds.NAMES)
    with pytest.raises(KeyError):
        kinds.kind_of("pie")
    with pytest.raises(NotFoundError, match="no figure called 'pie'"):
        drawn("pie", Asked(compare("chat-turn", PAIR, trials=5)))


def test_the_list_has_a_line_for_each_kind_and_loads_no_chart():
    code = (
        "import sys; from click.testing import CliRunner; from agentcalc.cli.main import cli\n"
        "print(CliRunner().invoke(cli, ['figure', '--list']).output)\n"
        "print([name for name in ('numpy', 'altair', 'pydantic') if name in sys.modules])"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.splitlines()
    assert said[-1] == "[]"
    assert [line.split()[0] for line in said[1:-1] if line] == list(kinds.NAMES)
    tornado = next(line for line in said if line.startswith("tornado"))
    assert "--of --range" in tornado and tornado.endswith("sensitivity")


# What each figure carries


@pytest.mark.parametrize("kind", each(kinds.NAMES))
def test_a_figure_says_what_it_is_and_the_command_draws_the_same_again(figure_of, kind, tmp_path):
    figure = figure_of(kind)
    assert figure.title and figure.subtitle and figure.alt_text.startswith(figure.title) and len(figure.table)
    # Nothing is played for operating points.
    assert "GB300" in figure.source
    assert re.search(r"\b80\sruns, seed\s7\b", figure.source) or kind == "operating_points"
    assert re.search("measured|reported|derived|assumed", figure.source)
    first, again, book = (tmp_path / name for name in ("a.svg", "b.svg", "a.xlsx"))
    words = ["figure", "coding-agent", "--kind", kind, "--trials", 80, "--size", "half", "--assumptions"]
    for out in (first, book):
        done = run(*words, "-o", out)
        assert done.exit_code == 0, done.output
    sheet = dict(load_workbook(book)["Source"].iter_rows(values_only=True))
    assert (sheet["Title"], sheet["Source"], sheet["Runs"]) == (figure.title, figure.source, 80)
    assert tuple(sheet[f"Assumption {i}"] for i in range(1, len(figure.assumptions) + 1)) == figure.assumptions
    command = shlex.split(sheet["Command"])
    assert command[0] == "agentcalc" and command[-1] == str(book.with_suffix(".png"))
    done = run(*command[1:-1], again)
    assert done.exit_code == 0, done.output
    assert first.read_bytes() == again.read_bytes()


def test_the_command_keeps_how_it_is_drawn(tmp_path):
    first, again, book = (tmp_path / name for name in ("a.svg", "b.svg", "a.xlsx"))
    words = ["figure", "chat-turn", "--kind", "distribution", "--trials", 60, "--x-scale", "linear", "--unit", "s"]
    words += ["--label", "GB300=Today's rack", "--colour", "Jalapeño=#7a1fa2", "--size", "half"]
    for out in (first, book):
        done = run(*words, "-o", out)
        assert done.exit_code == 0, done.output
    command = shlex.split(dict(load_workbook(book)["Source"].iter_rows(values_only=True))["Command"])
    assert run(*command[1:-1], again).exit_code == 0
    assert first.read_bytes() == again.read_bytes() and "Today’s rack" in first.read_text().replace("'", "’")


def test_the_command_keeps_what_was_set(tmp_path):
    out, again = tmp_path / "a.xlsx", tmp_path / "b.xlsx"
    words = ["figure", "coding-agent", "--kind", "histogram", "--deadline", "90s", "--title", "It's $5 <b>"]
    words += ["--set", "tools=0.5x", "--dark", "--scale", 3, "--seed", 11, "--trials", 60, "-s", PAIR[1], "-o"]
    assert run(*words, out).exit_code == 0
    command = dict(load_workbook(out)["Source"].iter_rows(values_only=True))["Command"]
    typed = shlex.split(command)
    for option in (["--deadline", "90.0"], ["--title", "It's $5 <b>"], ["--set", "tools=0.5x"], ["--scale", "3"]):
        assert option == typed[typed.index(option[0]) :][:2]
    assert typed[3:5] == ["--system", PAIR[1]] and typed.count("--system") == 1 and "--dark" in typed
    assert run(*typed[1:-1], again).exit_code == 0
    assert [list(sheet.values) for sheet in load_workbook(out)] == [
        [tuple(str(v).replace("b.png", "a.png") if isinstance(v, str) else v for v in row) for row in sheet.values]
        for sheet in load_workbook(again)
    ]


@pytest.mark.slow
def test_two_processes_draw_the_same_svg_byte_for_byte():
    code = (
        "import hashlib; from agentcalc.comparison import compare; from agentcalc.exports import svg\n"
        "from agentcalc.figures import Asked, every\n"
        f"asked = Asked(compare('coding-agent', {PAIR!r}, trials=60))\n"
        "for kind, figure in every(asked): print(kind, hashlib.sha256(svg(figure).encode()).hexdigest())"
    )
    said = [
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, env=os.environ | {"PYTHONHASHSEED": seed}
        )
        for seed in ("1", "2")
    ]
    assert said[0].stdout == said[1].stdout and len(said[0].stdout.splitlines()) == len(kinds.NAMES), said[0].stderr


def test_one_process_draws_the_same_svg_again(figure_of):
    figure = figure_of("speedup")  # its lines are clipped
    first = exports.svg(figure, "half")
    defined = re.findall(r'<clipPath id="([^"]+)"', first)
    assert defined and defined == [f"part{i}" for i in range(1, len(defined) + 1)]
    assert set(re.findall(r"url\(#([^)]+)\)", first)) <= set(defined)
    assert exports.svg(figure, "half") == first


# Files


def _unpacked(pdf: bytes) -> bytes:
    """A PDF with its packed streams opened."""
    parts = [pdf]
    for stream in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL):
        try:
            parts.append(zlib.decompress(stream))
        except zlib.error:
            continue
    return b"\n".join(parts)


@pytest.mark.parametrize("kind", each(kinds.NAMES))
def test_a_pdf_is_lines_and_text_in_its_own_fonts(figure_of, kind):
    data = _unpacked(exports.pdf(figure_of(kind), "half"))
    assert data.startswith(b"%PDF-") and re.search(rb"/FontFile[23]?\b", data)
    assert not re.search(rb"/Subtype\s*/Image", data)
    named = set(re.findall(rb"/BaseFont\s*/(?:[A-Z]{6}\+)?([\w-]+)", data))
    assert named and all(name.startswith(b"LiberationSans") for name in named)


@pytest.mark.parametrize("kind", each(kinds.NAMES))
def test_text_of_an_svg_stays_text(figure_of, kind):
    drawn_as = exports.svg(figure_of(kind), "half")
    said = "".join(re.findall(r"<t(?:ext|span)[^>]*>([^<]*)</t", drawn_as))
    first = figure_of(kind).title.split()[0]
    assert first in said and "<image" not in drawn_as


@pytest.mark.parametrize(("scale", "width"), [(1, 640), (2, 1280), (3, 1920)])
def test_a_png_has_as_many_pixels_as_asked_for(figure_of, scale, width):
    data = exports.png(figure_of("task_graph"), "half", scale=scale)
    assert struct.unpack(">II", data[16:24]) == (width, width)


def test_a_scale_out_of_range(figure_of):
    with pytest.raises(AgentcalcError, match="1 to 4 pixels"):
        exports.png(figure_of("task_graph"), scale=5)
    assert run("figure", "chat-turn", "--scale", 9, "-o", "x.png").exit_code == 2


def test_csv_and_workbook_have_the_same_heads(figure_of):
    for kind in QUICK:
        figure = figure_of(kind)
        heads = next(csv.reader(io.StringIO(exports.csv(figure))))
        assert heads == [cell.value for cell in load_workbook(io.BytesIO(xlsx(figure)))["Data"][1]]
    assert {"from (s)", "to (s)", "share (0 to 1)"} <= set(
        next(csv.reader(io.StringIO(exports.csv(figure_of("histogram")))))
    )


def test_a_csv_says_what_it_is_only_when_asked(figure_of):
    figure = figure_of("histogram")
    plain = exports.csv(figure, {"Seed": 7})
    assert not plain.startswith("#")
    told = exports.csv(figure, {"Seed": 7, "Command": "a\nb"}, comments=True)
    assert told.endswith(plain)
    above = told.removesuffix(plain).splitlines()
    assert all(line.startswith("# ") for line in above)
    assert above[0] == f"# Title: {figure.title}" and "# Seed: 7" in above and "# Command: a b" in above
    assert above[-1] == f"# Assumption: {figure.assumptions[-1]}"


def test_assumptions_stand_below_the_source_on_request(figure_of):
    figure = figure_of("task_graph")
    assert figure.assumptions and "Assumed:" not in figure.source
    listed = figure.with_assumptions
    assert listed.source.startswith(f"{figure.source}\nAssumed: {figure.assumptions[0].removesuffix('.')}.")
    assert "Assumed:" in exports.svg(listed, "half") and "Assumed:" not in exports.svg(figure, "half")
    bare = drawn("task_graph", Asked(compare("benchmark-call", PAIR, trials=5)))
    assert bare.assumptions or bare.with_assumptions is bare


# All at once


@pytest.mark.slow
def test_all_figures_as_one_zip(tmp_path):
    out = tmp_path / "f.zip"
    done = run("figure", "chat-turn", "-s", PAIR[0], "--kind", "all", "--size", "half", "--trials", 60, "-o", out)
    assert done.exit_code == 0, done.output
    left = re.findall(r"Left out: (\w+) \(it compares two systems, and there is one\)", done.stderr)
    assert set(left) == {"accumulation", "components", "tool_share", "break_even", "race"}
    with zipfile.ZipFile(out) as packed:
        made = {name.partition(".")[0] for name in packed.namelist()}
        assert {name for name in packed.namelist() if name.startswith("histogram")} == {
            f"histogram.{ending}" for ending in ("png", "svg", "pdf", "csv", "xlsx")
        }
        book = load_workbook(io.BytesIO(packed.read("heat_map.xlsx")))
    said = {line.split()[2] for line in done.stderr.splitlines()}
    assert made | said == set(kinds.NAMES) and not made & said
    command = dict(book["Source"].iter_rows(values_only=True))["Command"]
    assert "--kind heat_map" in command and command.endswith("-o heat_map.png")


@pytest.mark.slow
def test_all_figures_into_a_folder(tmp_path):
    task = tmp_path / "tools.yaml"
    task.write_text("name: Tools\nsteps:\n  - {kind: tool_wait, name: run, seconds: {low: 1, high: 2}}\n")
    folder = tmp_path / "made"
    words = ["figure", task, "-s", PAIR[0], "--kind", "all", "--size", "half", "--trials", 20, "-o"]
    done = run(*words, f"{folder}/")
    assert done.exit_code == 0, done.output
    assert (folder / "timeline.svg").read_text().startswith("<svg") and not list(folder.glob("speedup.*"))
    assert run(*words, f"{folder}/").exit_code == 0  # written over
    refused = run(*words, f"{task}/")
    assert refused.exit_code == 1 and "it is a file" in refused.stderr
    refused = run(*words, tmp_path / "a" / "b.zip")
    assert refused.exit_code == 1 and "there is no folder" in refused.stderr


# What does not go


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--kind", "timeline", "--x", "tools"], "--x: the figure timeline has no such option. It is one of heat_map"),
        (["--kind", "tornado", "--within", "60"], "it is one of budget"),
        (["--kind", "all", "--title", "Mine"], "one title for many figures"),
        (["--kind", "all"], "all figures do not go into one picture"),
        (["--kind", "heat_map", "--x", "speed", "--y", "speed"], "the same input"),
        (["--kind", "heat_map", "--x", "nonsense"], "no such lever"),
        (["--kind", "tornado", "--range", "2"], "use a share"),
        (["--kind", "distribution", "--deadline", "0"], "give a time"),
        (["--kind", "tornado", "--of", "speedup", "-s", PAIR[0]], "two systems"),
        (["--kind", "race", "-s", PAIR[0]], "it compares two systems, and there is one"),
        (["--kind", "capacity", "-s", PAIR[1]], "measured at several loads"),
        (["--kind", "operating_points", "-s", "main=gb300/deepseek-r1,router=jalapeno/deepseek-r1"], "several"),
    ],
)
def test_what_is_refused_in_one_line(words, said, tmp_path):
    refused = run("figure", "coding-agent", *words, "--trials", 20, "-o", tmp_path / "x.svg")
    assert refused.exit_code == 1 and said.casefold() in refused.stderr.casefold(), refused.output
    assert refused.stderr.count("\n") == 1 and not list(tmp_path.iterdir())


def test_a_task_of_tools_alone_has_what_it_can_have():
    found, reasons = Asked(compare(TOOLS, PAIR, trials=40)), {}
    made = dict(every(found, lambda kind, why: reasons.update({kind: why})))
    assert set(made) | set(reasons) == set(kinds.NAMES) and not set(made) & set(reasons)
    assert {"timeline", "distribution", "histogram", "task_graph", "budget", "tornado"} <= set(made)
    assert "no model calls" in reasons["speedup"] and "no model calls" in reasons["break_even"]
    nothing = Task(name="Nothing", steps=[ToolWait(kind="tool_wait", name="wait", seconds=0)])
    with pytest.raises(NotFoundError, match="takes time"):
        drawn("histogram", Asked(compare(nothing, PAIR, trials=5)))


def test_the_heat_map_of_a_task_without_tools_takes_other_inputs():
    one = Task(name="Call", steps=[ModelCall(kind="model_call", name="say", input_tokens=900, output_tokens=300)])
    table = drawn("heat_map", Asked(compare(one, PAIR, trials=5))).table
    assert "tool" not in str(table["x"].iloc[0]).casefold() and table["x"].iloc[0] != table["y"].iloc[0]


# Runs


def test_runs_are_as_many_as_fit():
    one = Task(name="One", steps=[ToolWait(kind="tool_wait", name="run", seconds=1)])
    fit = partial(fitting_runs, one)
    assert fit(10, 10**9, 40_000) == 40_000
    # One step a run and 10 cases: 123,456 steps are 12,345 runs, 12,000 in round numbers.
    assert fit(10, 123_456, 40_000) == 12_000
    assert fit(10, 50, 40_000) == 1_000 and fit(10, 50, 300) == 300


# The histogram


def test_ranges_are_the_same_for_all_and_shares_add_up():
    near = histogram.read({"a": np.array([1.0, 1.5, 2.0, 9.0, 10.0] * 40)})
    assert near.beyond == 0 and near.shares["a"].sum() == pytest.approx(1)
    fine = len(near.edges) - 1
    places = np.log10(near.edges[1:-1])
    # From 1 s to 10 s are one decade: 20 ranges to it are the first that make 12 or more.
    assert np.allclose(places * 20, np.round(places * 20)) and fine <= 22
    at = np.searchsorted(near.edges, 1.5, side="right") - 1
    assert near.shares["a"][at] == pytest.approx(0.2) and near.edges[at] <= 1.5 < near.edges[at + 1]


def test_what_hardly_ever_happens_is_left_out_and_said():
    times = np.concatenate([np.geomspace(10, 99, 9_999), [1e6]])
    bins = histogram.read({"a": times})
    assert bins.edges[-1] < 101 and bins.beyond == pytest.approx(1e-4)
    kept = times <= bins.edges[-1]
    assert bins.shares["a"].sum() == pytest.approx(kept.mean())


def test_every_run_alike_is_one_range():
    bins = histogram.read({"a": np.full(7, 3.0)})
    assert len(bins.edges) == 2 and bins.edges[0] <= 3.0 <= bins.edges[1] and bins.shares["a"].tolist() == [1.0]
    assert histogram.read({"a": np.zeros(3)}).shares["a"].tolist() == [1.0]


@pytest.mark.parametrize("kind", ["distribution", "histogram"])
def test_a_deadline_is_held_against_all_runs(asked, kind):
    times = asked.comparison.task_seconds
    within = float(np.median(times))
    figure = drawn(kind, Asked(asked.comparison, deadline_s=within))
    shares = [f"{100 * np.mean(row <= within):.0f}%" for row in times]
    assert all(share in figure.title for share in shares) and figure.title.startswith("Within ")
    assert all(share in exports.svg(figure) for share in shares)
    assert not drawn(kind, asked).title.startswith("Within ")


def test_a_histogram_of_many_systems_shows_four():
    systems = [name for name, one in catalog.systems().items() if one.model == "deepseek-r1"][:6]
    assert len(systems) >= 5
    figure = drawn("histogram", Asked(compare("chat-turn", systems, trials=50), pair=len(systems) - 2))
    assert figure.table["system"].nunique() == 4
    assert list(dict.fromkeys(figure.table["role"])) == ["baseline", "other", "candidate"]
    sums = figure.table.groupby("system")["share"].sum()
    assert (sums <= 1 + 1e-9).all() and (sums > 0.9).all()


def test_a_pair_that_is_not_there(asked):
    with pytest.raises(InputError):
        drawn("timeline", Asked(asked.comparison, pair=4))
