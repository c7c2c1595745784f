"""Reports: what stands in them, that names stay names, and that the command in them makes them again."""

from __future__ import annotations

import re
import shlex
from dataclasses import replace
from functools import lru_cache
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import agentcalc
from agentcalc import catalog, documents
from agentcalc.analysis.findings import findings
from agentcalc.cli.main import cli
from agentcalc.errors import InputError
from agentcalc.exports import report_html as written
from agentcalc.exports import report_markdown as marked
from agentcalc.exports.report import report_for
from agentcalc.exports.report_blocks import Item
from agentcalc.exports.report_html import report_html
from agentcalc.exports.report_markdown import report_markdown
from agentcalc.exports.report_numbers import ratio_error, with_error
from agentcalc.exports.report_task import task_blocks
from agentcalc.figures.several import figures_for
from agentcalc.task import Task

PAIR = ("gb300/deepseek-r1", "jalapeno/deepseek-r1")
HOSTILE = "a|b [x](http://y.z) *i* `c` <b onclick=1>t</b> &amp; </script><img src=x>"
QUICK = ("chat-turn", "rag-answer", "long-report")
"""Tasks of the fast run: a plain one, one with a rule that compounds."""
ADDRESSES = {source.address for source in catalog.sources().values()} | {
    source.address for task in catalog.tasks().values() for source in task.sources if not isinstance(source, str)
}
VOID = {"meta", "br"}


def report(task, systems=PAIR, trials=30, **more):
    found = agentcalc.compare(task, list(systems), trials=trials)
    words = {"caveat": "Vendor-run.", "command": "agentcalc report x"} | more
    return report_for(found, findings(found), figures_for(found), **words)


@lru_cache(maxsize=1)
def coding():
    return report("coding-agent", trials=2000)


class Read(HTMLParser):
    """A page as a browser reads it: elements, ids, links, and the texts of some elements."""

    def __init__(self, text: str):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.ids, self.links, self.heads = [], [], [], [], []
        self.text = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        given = dict(attrs)
        assert not any(name.startswith("on") for name in given), given
        self.ids += [given["id"]] if "id" in given else []
        self.links += [given["href"]] if "href" in given else []
        if tag in ("h1", "h2", "h3"):
            self.heads.append(int(tag[1]))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)

    def handle_data(self, data):
        self.text += data if "style" not in self.open else ""


@pytest.fixture
def undrawn(monkeypatch):
    """Pages without their pictures, which take their time."""
    monkeypatch.setattr(written, "drawn", lambda *_: '<div class="drawn"></div>')
    monkeypatch.setattr(marked, "svg", lambda *_, **__: "<svg/>")


@pytest.mark.parametrize(
    "task", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in catalog.tasks()]
)
def test_every_packaged_task_has_a_report_whose_sources_resolve(task, undrawn):
    made = report(task)
    page = Read(report_html(made))
    assert len(page.ids) == len(set(page.ids))
    inside = {link[1:] for link in page.links if link.startswith("#")}
    assert inside and inside <= set(page.ids)
    outside = {link for link in page.links if not link.startswith("#")}
    assert outside and outside <= ADDRESSES
    # No heading skips a level, and there is one of the first.
    assert page.heads[0] == 1 and page.heads.count(1) == 1
    assert all(b - a <= 1 for a, b in zip(page.heads, page.heads[1:], strict=False))
    text = report_markdown(made, "").text
    assert set(re.findall(r"\]\(<([^>]+)>\)", text)) == {link.replace("&amp;", "&") for link in outside}
    for line in made.answer:
        assert line.text in page.text
    for address in outside:
        assert address in page.text, "an address must be readable on paper"


def test_the_sections_of_a_memo_in_their_order():
    titles = [section.title for section in coding().sections]
    assert titles == [
        "What was compared",
        "The figures",
        "What adds up, and what compounds",
        "What would change it",
        "The numbers",
        "What is not known, extrapolated and assumed",
        "What the numbers rest on",
        "Sources",
        "How to draw it again",
    ]
    with_deadline = [section.title for section in report("voice-turn").sections]
    assert "The deadline" in with_deadline


def test_a_report_says_band_grade_extrapolation_runs_seed_and_versions():
    text = report_markdown(coding(), "").text.replace("\u00a0", " ")
    assert "2,000 runs, seed 7" in text
    assert re.search(r"Over what is not known about the systems: [\d.]+× to [\d.]+×\.", text)
    assert "100% of the model time is extrapolated" in text
    assert f"agentcalc {agentcalc.__version__}, Python 3" in text
    assert "| Jalapeño: speed of writing | 700 tok/s per user |  | reported | source " in text
    assert "how its first-token time grows with the prompt | 0% to 100% | an average run by up to" in text
    assert "All of it adds up call by call" in text


@pytest.mark.parametrize(
    ("seconds", "error", "said"),
    [
        (58.44, 0.52, "58.4 s ± 0.5 s"),
        (105.23, 0.68, "1 min 45.2 s ± 0.7 s"),
        (646.0, 12.0, "10 min 50 s ± 10 s"),
        (1.4772, 0.0081, "1.477 s ± 0.008 s"),
        (0.5, 1e-6, "0.5000 s ± under 0.0001 s"),
        (0.2857, 1e-17, "0.29 s in every run"),
        (-2.5, 0.4, "−2.5 s ± 0.4 s"),
        (0.0, 0.0, "0 s"),
        (32.0, None, "32 s"),
        (32.0, float("inf"), "32 s"),
    ],
)
def test_a_time_with_its_error(seconds, error, said):
    assert with_error(seconds, error).replace("\u00a0", " ") == said


def test_the_error_of_a_ratio_is_that_of_repeated_simulations():
    rng = np.random.default_rng(5)

    def pair(n):
        work, waits = rng.gamma(4, 10, n), rng.exponential(20, n)
        return waits + work, waits + work / 3

    for by in ("p50", "mean", "p95"):

        def ratio(b, c, by=by):
            return np.divide(*(np.mean(x) if by == "mean" else np.percentile(x, float(by[1:])) for x in (b, c)))

        truth = np.std([ratio(*pair(4000)) for _ in range(300)])
        told = np.mean([ratio_error(*pair(4000), by) for _ in range(20)])
        assert told == pytest.approx(truth, rel=0.25), by
    assert ratio_error(np.ones(4000), np.full(4000, 0.5), "mean") == 0
    assert ratio_error(np.ones(999), np.ones(999), "mean") is None
    assert ratio_error(np.ones(4000), np.zeros(4000), "p50") is None


def test_a_task_in_words():
    task = Task.model_validate(
        {
            "name": "t",
            "context_tokens": 9000,
            "cached_tokens": 4000,
            "cache": {"lifetime_s": 300},
            "deadline": {"seconds": 60, "success_probability": 0.3},
            "steps": [
                {"kind": "loop", "name": "turn", "times": {"p50": 6, "p90": 20}, "steps": [
                    {"kind": "model_call", "name": "act", "input_tokens": 100, "output_tokens": 250, "timeout_s": 30},
                    {"kind": "tool_wait", "name": "run", "seconds": 2, "result_tokens": 800}]},
                {"kind": "choice", "options": [
                    {"probability": 0.25, "name": "ask", "steps": [{"kind": "human_wait", "seconds": 120}]},
                    {"probability": 0.75, "steps": []}]},
                {"kind": "parallel", "join": "any", "width": 3, "steps": [
                    {"kind": "model_call", "output_tokens": 10, "conversation": None, "role": "small"}]},
            ],
        }
    )  # fmt: skip
    blocks = task_blocks(task)
    steps = next(block.items for block in blocks if hasattr(block, "items"))
    plain = [_plain(item) for item in steps]
    assert plain == [
        ("Loop “turn”: 6–20 turns", [
            ("Model call “act”: reads 100 new tokens, writes 250, cut off after 30 s, at most 3 attempts", []),
            ("Tool “run”: 2 s, returns 800 tokens", [])]),
        ("One of these", [("25%, ask:", [("A person: 120 s", [])]), ("75%: nothing", [])]),
        ("At the same time: 3 copies, goes on with the first", [
            ("Model call: writes 10 tokens, served as small, outside the conversation", [])]),
    ]  # fmt: skip
    said = " ".join(block.text for block in blocks if hasattr(block, "text")).replace("\u00a0", " ")
    assert "It starts with 9,000 tokens of context; the server holds 4,000 already." in said
    assert "no call has used for 5 min." in said
    assert "It must be done within 60 s; one attempt solves it 30% of the time." in said


def _plain(item: Item):
    return item.text.replace("\u00a0", " "), [_plain(inner) for inner in item.inner]


def test_a_long_task_is_cut_and_the_rest_counted():
    task = Task.model_validate({"name": "t", "steps": [{"kind": "tool_wait", "seconds": 1}] * 300})
    items = next(block.items for block in task_blocks(task) if hasattr(block, "items"))
    assert len(items) == 121
    assert items[-1].text.replace("\u00a0", " ").startswith("and 180 more steps")


def hostile(folder: Path) -> list[str]:
    """A task and a system with names that would be markup, as arguments."""
    task = folder / "t.yaml"
    task.write_text(
        f"name: '{HOSTILE}'\ndescription: '{HOSTILE}'\nnotes: ['{HOSTILE}']\nsteps:\n"
        f"- {{kind: model_call, name: '{HOSTILE}', output_tokens: 300}}\n"
        "- {kind: tool_wait, name: '```', seconds: 2}\n"
        f"sources: [{{id: s, title: '{HOSTILE}', publisher: '{HOSTILE}', address: 'https://a.b/(c)[d]|e&f'}}]\n"
    )
    system = folder / "s.yaml"
    mine = catalog.load_system("jalapeno/deepseek-r1").model_copy(
        update={"id": "mine/m", "label": HOSTILE[:80], "headline": HOSTILE, "notes": (HOSTILE,)}
    )
    system.write_text(documents.write(mine))
    return [str(task), "-s", PAIR[0], "-s", str(system), "--trials", "40"]


def test_hostile_names_stay_names(tmp_path, undrawn):
    words = hostile(tmp_path)
    done = CliRunner().invoke(cli, ["report", *words, "--title", HOSTILE, "-o", str(tmp_path / "r.html")])
    assert done.exit_code == 0, done.output
    page = Read((tmp_path / "r.html").read_text("utf-8"))
    assert not {"script", "img", "b", "iframe"} & set(page.tags)
    assert page.text.count(HOSTILE) > 6
    assert {link for link in page.links if not link.startswith("#")} <= {
        "https://a.b/(c)[d]|e&f",
        *ADDRESSES,
    }
    done = CliRunner().invoke(cli, ["report", *words, "-o", str(tmp_path / "r.md")])
    assert done.exit_code == 0, done.output
    text = (tmp_path / "r.md").read_text("utf-8")
    outside, fence = [], ""
    for line in text.splitlines():
        if not fence and line.startswith("```"):
            fence = line
        elif fence and line == fence:
            fence = ""
        elif not fence:
            outside.append(line)
    assert not fence and "kind: tool_wait" not in "\n".join(outside)
    ours = re.compile(r"!?\[(?:\\.|[^\]\\])*\]\(<[^<>\s]+>\)")
    bare = re.sub(r"\\.", "", ours.sub("", "\n".join(outside)).replace("**", ""))
    assert not re.search(r"[\[\]`<>~$*]", bare)
    for table in re.findall(r"(?:^\|.*\n)+", "\n".join(outside), re.MULTILINE):
        assert len({len(re.findall(r"(?<!\\)\|", re.sub(r"<[^<>\s]+>", "", row))) for row in table.splitlines()}) == 1
    shown = re.findall(r"!\[(?:\\.|[^\]\\])*\]\(<([^>]+)>\)", text)
    assert shown and all((tmp_path / name).read_text("utf-8").startswith("<svg") for name in shown)


def test_the_command_in_a_report_makes_the_same_report_again(tmp_path, undrawn, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ["report", "chat-turn", "-s", "gb200/gpt-oss-120b@16", "-s", "mine:ttft=0.4s,speed=300", "--trials", "200"]
    words += ["--set", "tokens=2x", "--by", "mean", "--seed", "3", "--title", "What 'we' asked", "-o", "r.html"]
    assert CliRunner().invoke(cli, words).exit_code == 0
    first = Path("r.html").read_bytes()
    page = Read(first.decode())
    command = next(line for line in page.text.splitlines() if "agentcalc report chat-turn" in line)
    command = command[command.index("agentcalc report") :].partition("200 runs")[0]
    again = shlex.split(command.partition(" r.html")[0] + " r.html")
    Path("r.html").unlink()
    assert again[0] == "agentcalc"
    assert CliRunner().invoke(cli, again[1:]).exit_code == 0
    assert Path("r.html").read_bytes() == first
    text = page.text.replace("\u00a0", " ")
    assert "What 'we' asked" in text and "Changed: tokens per call 2×." in text
    assert "The system, mine" in text


def test_one_system_and_nothing_that_takes_time():
    one = report("chat-turn", PAIR[:1])
    assert one.title.startswith("GB300 takes ")
    assert "adding-up" not in [section.id for section in one.sections]
    nothing = report(Task.model_validate({"name": "z", "steps": [{"kind": "tool_wait", "seconds": 0}]}))
    assert "figures" not in [section.id for section in nothing.sections]
    assert "No change on the list saves any time." in report_markdown(nothing, "").text


def test_who_is_first_is_not_told_where_nobody_knows():
    text = report_markdown(report("voice-turn", ["gb200/gpt-oss-120b", "jalapeno/gpt-oss-120b"]), "").text
    assert "| Runs in which it is first | not known |" in text
    assert "Within 0.80\u00a0s, with the numbers taken here:" in text
    assert "| Runs in which it is first | 100% |" in report_markdown(report("chat-turn"), "").text


def test_a_deployment_says_what_serves_which_role():
    made = report("chat-turn", [PAIR[0], "main=jalapeno/deepseek-r1,router=jalapeno/gpt-oss-120b"])
    text = report_markdown(made, "").text.replace("\u00a0", " ")
    assert "main: DeepSeek R1; router: GPT-OSS 120B" in text
    assert "main: 700 tok/s per user; router: " in text


def test_twelve_systems_each_have_their_sentence():
    made = report("chat-turn", list(catalog.systems())[:12], trials=20)
    strong = [block for block in made.answer if block.kind == "strong"]
    assert len(strong) == 10
    table = next(b for s in made.sections for b in s.blocks if getattr(b, "caption", "").startswith("Task time"))
    assert len(table.head) == 13 and {len(row) for row in table.rows} == {13}


def test_two_sources_of_one_id_are_two():
    """Two files may each call a source their own test."""
    mine = {"title": "Load test", "publisher": "Us", "date": "2026-11-30"}
    systems = []
    for name in ("one", "two"):
        base = catalog.load_system("jalapeno/deepseek-r1")
        source = agentcalc.provenance.Source.model_validate({"id": "my-test", **mine, "note": name})
        ttft = base.point.ttft.model_copy(update={"source": "my-test"})
        point = base.point.model_copy(update={"ttft": ttft})
        update = {"id": f"{name}/m", "label": name, "sources": (source,), "points": (point,)}
        systems.append(base.model_copy(update=update))
    text = report_markdown(report("chat-turn", systems), "").text
    assert text.count("Load test. Us") == 2


@pytest.mark.parametrize("name", ["r.pdf", "r", "r.txt", "-"])
def test_only_two_kinds_of_report(name, tmp_path):
    done = CliRunner().invoke(cli, ["report", "chat-turn", "-o", str(tmp_path / name) if name != "-" else name])
    assert done.exit_code == 1 and "end its name in .html or .md" in done.output.lower()
    assert not list(tmp_path.iterdir())


def test_nothing_half_written(tmp_path, monkeypatch):
    from agentcalc.cli import output

    (tmp_path / "r_files").write_text("mine")
    done = CliRunner().invoke(cli, ["report", "chat-turn", "-o", str(tmp_path / "r.md")])
    assert done.exit_code == 1 and "it is a file" in done.output
    (tmp_path / "r_files").unlink()

    def full(path, data):
        raise OSError(28, "No space left on device")

    kept = output._replace
    monkeypatch.setattr(output, "_replace", lambda p, d: full(p, d) if p.name == "r.md" else kept(p, d))
    with pytest.raises(InputError, match="no space left"):
        output.put_with_files("text", str(tmp_path / "r.md"), "r_files", {"a.svg": b"<svg/>"})
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "r_files").mkdir()
    (tmp_path / "r_files" / "theirs").write_text("x")
    with pytest.raises(InputError):
        output.put_with_files("text", str(tmp_path / "r.md"), "r_files", {"a.svg": b"<svg/>"})
    assert (tmp_path / "r_files" / "theirs").read_text() == "x"


def test_a_page_asks_nobody_and_shows_both_schemes():
    made = report("chat-turn")
    figures = next(section for section in made.sections if section.id == "figures")
    made = replace(made, sections=(replace(figures, blocks=figures.blocks[-2:-1]),))
    page = report_html(made)
    assert "script" not in Read(page).tags
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page)[1]
    assert policy == "default-src 'none'; style-src 'unsafe-inline'"
    assert "prefers-color-scheme: dark" in page and "@page { size: A4" in page
    for kind in ("light w860", "light w358", "dark w860", "dark w358"):
        assert f'class="{kind}"' in page
    names = re.findall(r' id="([^"]+)"', page)
    assert len(names) == len(set(names))
    light = report_html(made, "light")
    assert 'class="dark' not in light and "prefers-color-scheme" not in light
