"""Who may import whom. The imports are read from the source text, those inside functions included.

A module imports from rows above its own and from names to its left in its own row. Inside a folder everyone may import
everyone. Third-party packages with a door are imported only where the door stands. A new module or folder of agentcalc
gets a place in ROWS below.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

ROWS = (
    ("defaults", "errors", "units", "normal", "provenance", "distributions", "spreadsheets", "markdown_text"),
    ("points", "accelerators", "task", "system"),
    ("tails", "latency", "documents", "catalog", "loads", "data"),
    ("simulate", "results", "answers", "comparison"),
    ("analysis",),
    ("traces", "benchmarks"),
    ("figures", "exports"),
    ("app",),
    ("cli", "__main__"),
    ("pages",),
)

DOORS = {
    "streamlit": {"app", "pages"},
    "altair": {"figures", "exports"},
    "vl_convert": {"exports"},
    "yaml": {"documents"},
    "pptx": {"exports"},
    "xlsxwriter": {"exports"},
}

NEVER = {
    ("figures", "simulate"): "a figure takes tables; it computes no task",
    ("figures", "comparison"): "a figure takes tables; it computes no task",
    ("exports", "simulate"): "an export takes a figure; it computes no task",
    ("exports", "comparison"): "an export takes a figure; it computes no task",
}

PLACES = {name: (row, column) for row, names in enumerate(ROWS) for column, name in enumerate(names)}


def source_files() -> list[Path]:
    """Every Python file of the package and the pages."""
    return sorted([*ROOT.glob("agentcalc/**/*.py"), *ROOT.glob("pages/**/*.py")])


def home(path: Path) -> str:
    """The name in ROWS that a file stands under: ``simulate`` for agentcalc/simulate/lanes.py; "" for the package."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    if parts[0] == "pages":
        return "pages"
    return "" if parts[1] == "__init__" else parts[1]


def imports(text: str, package: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    """Each line with the full name imported there; ``from a import b`` gives both a and a.b, since b may be a module.

    package: where the file stands, to resolve relative imports. ``import_module("a.b")`` counts, as does a name that is
    put together when it runs: it comes out as the fixed text in front, such as ``agentcalc.``.
    """
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*above, *([node.module] if node.module else [])])
            yield node.lineno, module
            yield from ((node.lineno, f"{module}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Call) and node.args:
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called in ("import_module", "__import__"):
                yield node.lineno, _leading_text(node.args[0])


def _leading_text(node: ast.expr) -> str:
    if isinstance(node, ast.JoinedStr) and node.values:
        node = node.values[0]
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def faults_of(path: Path) -> Iterator[str]:
    """What a file imports and may not, each as one line."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    yield from faults_in(path.read_text("utf-8"), home(path), parts[:-1], path.relative_to(ROOT).as_posix())


def faults_in(text: str, here: str, package: tuple[str, ...], where: str) -> Iterator[str]:
    for line, name in imports(text, package):
        top, _, rest = name.partition(".")
        target = rest.partition(".")[0]
        at = f"{where}:{line}"
        if top in DOORS and here not in DOORS[top]:
            yield f"{at} imports {top}; only {', '.join(sorted(DOORS[top]))} may"
        elif top == "pages" or (top == "agentcalc" and target == "_pages"):
            yield f"{at} imports a page; nobody does"
        elif top == "agentcalc" and target in PLACES and here and target != here:
            if (here, target) in NEVER:
                yield f"{at}: {here} imports {target}; {NEVER[here, target]}"
            elif not _comes_before(target, here):
                yield f"{at}: {here} imports {target}, which is below it or to its right"


def _comes_before(target: str, here: str) -> bool:
    (row, column), (own_row, own_column) = PLACES[target], PLACES[here]
    return row < own_row or (row == own_row and column < own_column)


@pytest.mark.parametrize("path", source_files(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_file_imports_only_what_it_may(path: Path):
    name = home(path)
    assert name == "" or name in PLACES, (
        f"{path.relative_to(ROOT)} has no place yet: put '{name}' into ROWS of tests/test_boundaries.py, "
        "in the row whose modules may be imported by those after it"
    )
    assert list(faults_of(path)) == []


def test_the_package_itself_only_names_its_modules():
    """``import agentcalc`` stays cheap: its __init__ imports nothing but the standard library when it is loaded."""
    body = ast.parse((ROOT / "agentcalc/__init__.py").read_text("utf-8")).body
    loaded = [node.module for node in body if isinstance(node, ast.ImportFrom)]
    loaded += [alias.name for node in body if isinstance(node, ast.Import) for alias in node.names]
    assert all(module.partition(".")[0] in sys.stdlib_module_names for module in loaded), loaded


def test_only_the_version_is_taken_from_the_package_itself():
    """``from agentcalc import compare`` inside the package would go round the rows."""
    found = []
    for path in source_files():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module == "agentcalc":
                names = {alias.name for alias in node.names} - set(PLACES) - {"__version__"}
                found += [f"{path.relative_to(ROOT)}:{node.lineno} takes {name}" for name in sorted(names)]
    # A page is a user of the package like any other.
    assert [line for line in found if not line.startswith("pages")] == []


@pytest.mark.parametrize(
    ("here", "text", "says"),
    [
        ("task", "import agentcalc.simulate", "task imports simulate"),
        ("task", "from agentcalc import system", "task imports system"),
        ("latency", "def f():\n    from agentcalc.simulate.lanes import x", "latency imports simulate"),
        ("latency", "from . import comparison", "latency imports comparison"),
        ("figures", "from agentcalc.simulate import walk", "it computes no task"),
        ("cli", "import streamlit.web.cli", "imports streamlit"),
        ("analysis", "from altair import Chart", "imports altair"),
        ("catalog", "import yaml", "imports yaml"),
        ("app", "from pages import compare", "imports a page"),
        ("app", "from importlib import import_module\nimport_module('agentcalc.cli.app')", "app imports cli"),
        ("results", "from agentcalc import comparison", "results imports comparison"),
    ],
)
def test_a_forbidden_import_is_seen(here: str, text: str, says: str):
    found = list(faults_in(text, here, ("agentcalc",), "example.py"))
    assert len(found) >= 1
    assert says in found[0]


@pytest.mark.parametrize(
    ("here", "text"),
    [
        ("comparison", "from agentcalc.simulate.walk import play\nfrom agentcalc import results, catalog"),
        ("simulate", "from agentcalc.simulate.lanes import Lanes"),
        ("app", "import streamlit as st\nfrom agentcalc.exports import png"),
        ("pages", "import streamlit as st\nimport agentcalc.app.state"),
        ("documents", "import yaml"),
    ],
)
def test_an_allowed_import_passes(here: str, text: str):
    assert list(faults_in(text, here, ("agentcalc", here), "example.py")) == []


def loaded_by(code: str) -> set[str]:
    """The top-level modules that a fresh interpreter holds after running some code."""
    report = "\nimport sys\nprint(*sorted({name.partition('.')[0] for name in sys.modules}), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code + report], capture_output=True, text=True, cwd=ROOT, timeout=60)
    assert done.returncode == 0, done.stderr
    return set(done.stderr.split())


def test_importing_agentcalc_is_light():
    heavy = {"streamlit", "altair", "pandas", "numpy", "pydantic", "yaml", "click"}
    assert loaded_by("import agentcalc") & heavy == set()


def test_help_is_light():
    code = """
import runpy, sys
sys.argv = ["agentcalc", "--help"]
try:
    runpy.run_module("agentcalc", run_name="__main__")
except SystemExit as end:
    assert not end.code, end.code
"""
    assert loaded_by(code) & {"streamlit", "altair", "pandas", "numpy", "pydantic", "yaml"} == set()


def test_importing_the_models_and_the_walk_loads_no_app_and_no_charts():
    code = "import agentcalc\nfor name in agentcalc.__all__: getattr(agentcalc, name)"
    assert loaded_by(code) & {"streamlit", "altair", "vl_convert"} == set()
