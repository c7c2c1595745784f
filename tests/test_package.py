"""What a reader of the repository relies on: versions, pins, the README's examples, clean text files."""

from __future__ import annotations

import ast
import os
import re
import shlex
import subprocess
import sys
import tomllib
from importlib.metadata import distributions, packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import agentcalc
from agentcalc.documents import kind_of, load, read_system, read_task

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
PLANNING = ROOT / "docs" / "planning.md"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def pins(name: str) -> dict[str, Requirement]:
    """The requirements of a file by package, those of the files it takes in included."""
    found: dict[str, Requirement] = {}
    for line in (ROOT / name).read_text("utf-8").splitlines():
        text = line.partition("#")[0].strip()
        if text.startswith("-r "):
            found |= pins(text[3:].strip())
        elif text:
            requirement = Requirement(text)
            found[canonicalize_name(requirement.name)] = requirement
    return found


def text_files() -> list[Path]:
    """Every text file of the repository, those not yet committed included and ignored ones left out."""
    asked = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    paths = (ROOT / name for name in sorted(set(names)) if name)
    return [path for path in paths if path.is_file() and path.suffix not in {".png", ".ico"}]


def test_there_is_one_version():
    installed = {canonicalize_name(found.name): found.version for found in distributions()}
    assert installed.get("agentcalc", agentcalc.__version__) == agentcalc.__version__
    assert PROJECT["project"]["dynamic"] == ["version"]
    assert agentcalc.__version__ in run_in(ROOT, "-m", "agentcalc", "--version")


@pytest.mark.parametrize("name", agentcalc.__all__)
def test_a_public_name_is_there_and_says_what_it_is(name: str):
    assert getattr(agentcalc, name).__doc__


def test_a_name_that_is_not_public_is_refused():
    with pytest.raises(AttributeError, match="agentcalc"):
        agentcalc.no_such_name  # noqa: B018


@pytest.mark.parametrize("text", PROJECT["project"]["dependencies"])
def test_the_tested_version_lies_in_the_accepted_range(text: str):
    wanted = Requirement(text)
    pin = pins("requirements.txt")[canonicalize_name(wanted.name)]
    (exact,) = pin.specifier
    assert exact.version in wanted.specifier
    assert len(wanted.specifier) == 2, f"{text} needs a lowest version and an upper end"


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_every_requirement_is_pinned_and_is_what_runs_here(name: str):
    installed = {canonicalize_name(found.name): found.version for found in distributions()}
    for package, requirement in pins(name).items():
        (exact,) = requirement.specifier
        assert exact.operator == "==", requirement
        assert installed[package] == exact.version, f"{name} says {requirement}; {installed[package]} is installed"


def test_what_the_code_imports_is_declared():
    declared = {canonicalize_name(Requirement(text).name) for text in PROJECT["project"]["dependencies"]}
    homes = packages_distributions()
    for path in [*ROOT.glob("agentcalc/**/*.py"), *ROOT.glob("pages/**/*.py")]:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module]
            for top in {name.partition(".")[0] for name in names} - sys.stdlib_module_names - {"agentcalc"}:
                owners = {canonicalize_name(owner) for owner in homes.get(top, [])}
                assert owners & declared, f"{path.relative_to(ROOT)} imports {top}, which pyproject.toml does not name"


def test_text_files_are_clean():
    for path in text_files():
        text = path.read_bytes().decode("utf-8")
        assert not text.startswith("\ufeff"), f"{path} has a byte order mark"
        assert "\r" not in text, f"{path} has Windows line ends"
        assert not text or text.endswith("\n"), f"{path} has no line end at its end"


# Put together here, so that this file passes its own test.
FOLDERS = "|".join(["work", "root", "farm", r"home/\w+", r"Users/\w+", "tmp/bash_jobs"])
MACHINE = re.compile(rf"(^|[^\w.])/({FOLDERS})/", re.M)
REGISTRIES = ["pypi" + r"\.org", "python" + "hosted", "npm" + r"js\.", r"deb\." + "debian", "index" + "-url"]
HOSTS = re.compile("|".join(REGISTRIES))


def test_no_file_names_a_machine_or_a_registry():
    for path in text_files():
        text = path.read_text("utf-8")
        assert not (found := MACHINE.search(text)), f"{path} has a path of one machine: {found[0].strip()}"
        assert not (found := HOSTS.search(text)), f"{path} names a package registry: {found[0]}"


# The README

CUT = "[...]"
"""The last line of an example whose output goes on."""

FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)


def blocks(*languages: str, of: Path = README) -> list[str]:
    """A document's fenced blocks in these languages, in order."""
    return [body for language, body in FENCE.findall(of.read_text("utf-8")) if language in languages]


def run_in(folder: Path, *arguments: str) -> str:
    """What a fresh interpreter prints in a folder, 80 columns wide; the checkout is found from there too."""
    ran = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8", "COLUMNS": "80"},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    # A refusal is one line on stderr; anything longer is a fault of ours.
    assert ran.returncode in (0, 1) and ran.stderr.count("\n") <= ran.returncode, ran.stderr
    return ran.stdout + ran.stderr


def plain(text: str) -> list[str]:
    """Lines without the spaces that end them and without empty ones at the end."""
    return [line.rstrip() for line in text.rstrip().splitlines()]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the README's example files, each named by its first line."""
    for body in blocks("yaml"):
        name = re.match(r"# (\S+\.yaml)\n", body)
        assert name, f"the first line of a YAML example names its file: # name.yaml\n{body}"
        (tmp_path / name[1]).write_text(body, "utf-8")
    return tmp_path


def test_the_readme_has_examples_of_every_sort():
    assert blocks("console") and blocks("python") and len(blocks("yaml")) >= 2


@pytest.mark.parametrize("body", blocks("console"), ids=lambda body: body.partition("\n")[0])
def test_a_command_line_example_prints_what_the_readme_shows(body: str, folder: Path):
    prints_what_it_shows(body, folder)


@pytest.mark.slow
@pytest.mark.parametrize("body", blocks("console", of=PLANNING), ids=lambda body: body.partition("\n")[0])
def test_the_planning_session_prints_what_it_shows(body: str, tmp_path: Path):
    prints_what_it_shows(body, tmp_path)


def prints_what_it_shows(body: str, folder: Path) -> None:
    for part in body.removeprefix("$ ").split("\n$ "):
        command, _, shown = part.partition("\n")
        program, *arguments = shlex.split(command)
        assert program == "agentcalc"
        printed, lines = plain(run_in(folder, "-m", "agentcalc", *arguments)), plain(shown)
        if lines and lines[-1] == CUT:
            lines = lines[:-1]
            assert len(printed) > len(lines)
            printed = printed[: len(lines)]
        assert printed == lines


def test_the_python_example_prints_what_the_readme_shows(folder: Path):
    pairs = re.findall(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```$", README.read_text("utf-8"), re.M | re.S)
    assert len(pairs) == len(blocks("python"))
    for code, shown in pairs:
        assert plain(run_in(folder, "-c", code)) == plain(shown)


@pytest.mark.parametrize("body", blocks("yaml"), ids=lambda body: body.partition("\n")[0])
def test_an_example_file_is_valid(body: str):
    data = body.encode()
    {"task": read_task, "system": read_system}[kind_of(load(data))](data)


def test_the_links_of_the_readme_lead_somewhere():
    links = re.findall(r"\]\(([^)#]+)[^)]*\)", README.read_text("utf-8"))
    inner = [link for link in links if "://" not in link]
    assert inner
    assert [link for link in inner if not (ROOT / link).exists()] == []


def test_the_commands_of_the_readme_are_programs():
    for name in ("run", "test", ".ci/run"):
        path = ROOT / name
        assert path.stat().st_mode & 0o111, f"{name} cannot be started"
        assert path.read_text("utf-8").startswith("#!/")
