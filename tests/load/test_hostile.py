"""Hostile links, names and files against a server that runs: one clear line each, and the server as quick as before.

What single functions do with them is told in tests/test_app_link.py and tests/test_app_state.py; here it is the whole
way, through the web server, Streamlit and the pages.
"""

from __future__ import annotations

import asyncio
import base64
import json
import socket
import time
import zlib
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar
from urllib.parse import urlencode, urlsplit

import pytest
from server import Server, serving
from visitor import Visitor

from agentcalc.app.packing import DICTIONARY
from agentcalc.app.shell import pages_there

pytestmark = pytest.mark.slow

T = TypeVar("T")

MOST_S = 20.0
"""The longest that anything hostile may take on a machine that does much else."""

MOST_MIB = 450
"""What the server may gain over everything hostile and the ordinary pages between."""

PAGES = [address for _, _, address in pages_there()]
SCRIPT = "<script>alert(1)</script><img src=x onerror=alert(2)>"
BIDI = "\u202etxt.exe\u2066 \u200b\u0000"


def packed(values: object) -> str:
    """Any values as the text of x."""
    return _deflated(json.dumps(values).encode())


def _deflated(data: bytes) -> str:
    press = zlib.compressobj(9, zlib.DEFLATED, 15, 9, zlib.Z_DEFAULT_STRATEGY, DICTIONARY)
    return "a" + base64.urlsafe_b64encode(press.compress(data) + press.flush()).decode().rstrip("=")


def own(name: str = "mine", **steps: object) -> str:
    """A task of the reader's own as the text of x."""
    step = {"kind": "tool_wait", "name": "wait", "seconds": 1}
    call = {"kind": "model_call", "name": "ask", "output_tokens": 300}
    return packed({"task": {"name": name, "steps": [call, step | steps] if steps else [call, step]}})


LOOP = {"kind": "loop", "times": 100_000, "steps": [{"kind": "tool_wait", "seconds": 1}]}
STEPS = [{"kind": "tool_wait", "seconds": 1}] * 100_000
LINKS = {
    "60 kB": "x=" + "a" * 60_000,
    "300 parameters": "&".join(f"p{i}={i}" for i in range(300)),
    "nulls": "task=%00&by=%00%00&run=%00",
    "HTML": urlencode({"task": SCRIPT, "by": SCRIPT}),
    "bidi": urlencode({"task": BIDI, "model": BIDI}),
    "lone surrogates and broken UTF-8": "task=%ed%a0%80%ff%fe",
    "numbers without end": f"run={'9' * 4000}&tools={'1' * 2000}e309&target=nan",
    "a zip bomb": "task=own&x=" + _deflated(b"[" * 4_000_000),
    "10^5 turns": urlencode({"task": "own", "x": packed({"task": {"name": "long", "steps": [LOOP]}})}),
    "10^5 steps": urlencode({"task": "own", "x": packed({"task": {"name": "long", "steps": STEPS}})}),
    "nested": urlencode({"task": "own", "x": _deflated(b'{"task":' + b"[" * 50_000)}),
    "a cut link": "task=own&x=" + own()[:-9],
    "a newer link": "task=own&x=zzzz",
}

TOO_LONG = {
    "10 MB": "x=" + "a" * 10_000_000,
    "10 MB in 1 MB parts": "&".join(f"p{i}={'b' * 1_000_000}" for i in range(10)),
    "5,000 parameters": "&".join(f"p{i}={i}" for i in range(5_000)),
}
"""What Streamlit itself leaves out before any page sees it. Of many parts a browser tells the page, which says so:
tests/browser. With 10 MB a browser does not get that far: see the last test.
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("hostile")) as server:
        run(_visit(server, "compare", "task=chat-turn"))
        start = server.memory_mib()
        yield server
        grown = server.memory_mib() - start
        said = server.log.read_text()
    assert "Traceback" not in said, said[said.index("Traceback") :][:3000]
    assert grown < MOST_MIB, f"the server grew by {grown:.0f} MiB"


def run(what: Coroutine[Any, Any, T]) -> T:
    """What it gives, on a thread of its own: tests in a browser leave a loop running on theirs."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, what).result()


async def _visit(server: Server, path: str, query: str) -> tuple[Visitor, float]:
    async with Visitor(server.address, path, query) as visitor:
        return visitor, await visitor.open()


def lines(visitor: Visitor) -> list[str]:
    """What the page says is wrong."""
    return visitor.page.said("ac-notice") + visitor.page.said("ac-problem")


def quick(server: Server) -> None:
    """The server answers somebody else as if nothing had happened."""
    visitor, took = run(_visit(server, "compare", "task=chat-turn"))
    assert took < MOST_S / 2 and visitor.page.said("ac-answer") and not lines(visitor)


@pytest.mark.parametrize("name", LINKS)
def test_a_hostile_link_is_answered_with_one_clear_line(server: Server, name: str):
    visitor, took = run(_visit(server, "compare", LINKS[name]))
    said = lines(visitor)
    assert took < MOST_S
    # Of many parts that are wrong three are told, and how many more there are.
    assert 1 <= len(said) <= (4 if name in ("300 parameters", "numbers without end", "nulls") else 2), said
    for line in said:
        assert len(line) < 400 and line.isprintable(), line
        assert "Traceback" not in line and "pydantic" not in line
    assert "exception" not in visitor.page.kinds()
    quick(server)


@pytest.mark.parametrize("name", TOO_LONG)
def test_what_streamlit_leaves_out_shows_the_first_comparison(server: Server, name: str):
    visitor, took = run(_visit(server, "compare", TOO_LONG[name]))
    assert took < MOST_S and visitor.page.said("ac-answer") and "exception" not in visitor.page.kinds()
    quick(server)


@pytest.mark.parametrize("path", [page for page in PAGES if page != "compare"])
def test_every_page_stands_hostile_links(server: Server, path: str):
    for name in ("60 kB", "300 parameters", "HTML", "bidi", "a zip bomb", "10^5 turns", "10^5 steps"):
        visitor, took = run(_visit(server, path, LINKS[name]))
        assert took < MOST_S, name
        assert "exception" not in visitor.page.kinds(), name
        said = " ".join(lines(visitor))
        assert "could not be drawn" not in said, f"{name}: {said}"
        assert "<script" not in visitor.page.html() and "<img src=x" not in visitor.page.html(), name
    quick(server)


@pytest.mark.parametrize("path", [page for page in PAGES if page != "import"])
def test_a_name_is_words_and_nothing_else(server: Server, path: str):
    query = urlencode({"task": "own", "x": own(f"Mine {SCRIPT}")})
    visitor, _ = run(_visit(server, path, query))
    assert "exception" not in visitor.page.kinds()
    assert "<script" not in visitor.page.html() and "<img src=x" not in visitor.page.html()
    quick(server)


FILES = {
    "10^5 steps": ("long.yaml", b"name: long\nsteps:\n" + b"  - {kind: tool_wait, seconds: 1}\n" * 100_000),
    "10^5 turns": ("turns.json", json.dumps({"name": "long", "steps": [LOOP]}).encode()),
    "nested": ("deep.yaml", b"name: deep\nsteps: " + b"[" * 100_000),
    "aliases": ("laughs.yaml", b"a: &a [x, x]\nb: &b [*a, *a, *a]\nsteps: [*b, *b]\n"),
    "zeros": ("zeros.json", b"\x00" * 1_000_000),
    "HTML": (f"{'<b>' * 20}.yaml", b"name: <script>alert(1)</script>\nsteps: [{kind: dance}]\n"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_hostile_file_is_answered_with_one_clear_line(server: Server, name: str):
    async def give() -> tuple[Visitor, float]:
        async with Visitor(server.address, "compare") as visitor:
            await visitor.open()
            return visitor, await visitor.upload("own_file", *FILES[name])

    visitor, took = run(give())
    said = lines(visitor)
    assert took < MOST_S and len(said) >= 1
    for line in said:
        assert len(line) < 600 and line.isprintable(), line
    assert "exception" not in visitor.page.kinds() and "<script" not in visitor.page.html()
    quick(server)


def test_an_address_of_ten_megabytes_is_refused_by_the_web_server(server: Server):
    parts = urlsplit(server.address)
    begun = time.monotonic()
    with socket.create_connection((parts.hostname, parts.port), timeout=MOST_S) as connection:
        # It may hang up while the rest is still being said.
        with suppress(OSError):
            connection.sendall(b"GET /compare?x=" + b"a" * 10_000_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n")
        with suppress(OSError):
            assert connection.recv(4096).startswith(b"HTTP/1.1 400 Bad Request")
    assert time.monotonic() - begun < MOST_S
    quick(server)
