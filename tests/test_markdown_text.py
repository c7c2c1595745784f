"""Names inside Markdown stay names: checked by hand against CommonMark and GitHub's additions, and in every command."""

from __future__ import annotations

import html
import re

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from agentcalc import catalog, documents
from agentcalc.cli.main import cli
from agentcalc.markdown_text import safe

SIGNS = "\\`*|[]~$"
HOSTILE = "a|b [x](http://y.z) *i* _u_ `c` ~s~ <b>$m$</b> &amp; ![p](q)"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Coding agent, one request", "Coding agent, one request"),
        ("a|b [x](y)", r"a\|b \[x\](y)"),
        ("![i](j)!", r"\!\[i\](j)!"),
        ("tok_s_user _it_ __b__", r"tok_s_user \_it\_ \_\_b\_\_"),
        ("**b** `c` ~~s~~ $m$", r"\*\*b\*\* \`c\` \~\~s\~\~ \$m\$"),
        ("<b>&copy;</b>", "&lt;b&gt;&amp;copy;&lt;/b&gt;"),
        ("a\\|b", r"a\\\|b"),
        ("http://x.y WWW.x.com me@x.org", r"http\://x.y WWW\.x.com me\@x.org"),
        ("gb200/gpt-oss-120b@16", "gb200/gpt-oss-120b@16"),
        ("# a", r"\# a"),
        ("- a", r"\- a"),
        ("12. a", r"12\. a"),
        ("---", r"\---"),
        ("-5 s, 1.5 s", "-5 s, 1.5 s"),
        ("one\ntwo", "one two"),
    ],
)
def test_signs_mean_nothing(text, said):
    assert safe(text) == said


@given(st.text(alphabet="ab1 " + SIGNS + "()!_<>&#-+.@:/", max_size=30))
def test_what_is_read_is_what_was_meant(text):
    said = safe(text)
    # A backslash before a sign stands for the sign, an entity for its letter: the rest is left as it was.
    read = html.unescape(re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", said))
    assert read == text
    bare = re.sub(r"\\.", "", said)
    assert not set(bare) & set(SIGNS + "<>")


COMMANDS = {
    "compare": ["compare"],
    "sensitivity": ["sensitivity", "--steps"],
    "solve": ["solve", "--under", "3s"],
    "sweep": ["sweep", "--x", "tokens", "--y", "tools"],
    "budget": ["budget", "--within", "5s"],
    "people": ["people"],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_no_name_breaks_a_table_or_makes_a_link(name, tmp_path):
    task = tmp_path / "t.yaml"
    task.write_text(
        f"name: '{HOSTILE}'\nsteps:\n"
        "- {kind: model_call, name: 'ask|me [x](y)', output_tokens: 300}\n"
        "- {kind: tool_wait, name: 'run *', seconds: 2}\n- {kind: tool_wait, name: '`look`', seconds: 1}\n"
    )
    system = tmp_path / "s.yaml"
    mine = catalog.load_system("jalapeno/deepseek-r1").model_copy(update={"id": "mine/m", "label": "Mine [a](b)|c"})
    system.write_text(documents.write(mine))
    command, *more = COMMANDS[name]
    words = [command, str(task), "-s", "gb300/deepseek-r1", "-s", str(system), "--trials", "50", "--format", "markdown"]
    done = CliRunner().invoke(cli, [*words, *more])
    assert done.exit_code == 0, done.output
    rows = [line for line in done.output.splitlines() if line.startswith("|")]
    assert len(rows) > 2 and len({len(re.findall(r"(?<!\\)\|", row)) for row in rows}) == 1, rows
    # None of the marks of a link, a picture, code or HTML is left without its backslash.
    outside = re.sub(r"\\.", "", done.output)
    assert not re.search(r"[\[\]`<>~$]", outside)
