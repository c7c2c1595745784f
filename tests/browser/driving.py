"""A server of its own for a test, and a page whose requests and console are watched."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from agentcalc.app.options import ENTRY

START_S, ENDS_S = 180, 30
PAGE_MS = 90_000
"""How long a page may take on a busy machine."""

SAID_MS = 30_000
"""How long something expected may take to be said."""

REST_MS, REST_FRAMES = 300, 8
RESTED = """([frames, ms]) => {
  const app = document.querySelector('.stApp');
  const charts = [...document.querySelectorAll('.stVegaLiteChart')];
  if (app?.dataset.testScriptState !== 'notRunning' || !charts.every(chart => chart.querySelector('svg, canvas'))) {
    delete window.restedSince;
    return false;
  }
  const now = performance.now();
  window.restedSince ??= { at: now, frames: 0 };
  return ++window.restedSince.frames > frames && now - window.restedSince.at >= ms;
}"""
"""True once the script has not run, and charts have been there, for some frames in a row and some milliseconds."""


@contextmanager
def serving(folder: Path, entry: Path = ENTRY) -> Iterator[str]:
    """The address of a fresh server, started from a folder that has no settings of its own."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    asked = [f"--server.port={port}", "--server.address=127.0.0.1", "--server.headless=true"]
    log = folder / "server.log"
    with log.open("w") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "streamlit", "run", str(entry), *asked], cwd=folder, stdout=out, stderr=out
        )
    try:
        until = time.monotonic() + START_S
        while not _healthy(address):
            if process.poll() is not None or time.monotonic() > until:
                pytest.fail(f"the server did not start; it said: {log.read_text()[-2000:]}", pytrace=False)
            time.sleep(0.1)
        yield address
    finally:
        process.terminate()
        try:
            process.wait(timeout=ENDS_S)
        except subprocess.TimeoutExpired:
            # In the midst of a long run on a busy machine.
            process.kill()
            process.wait()
        said = log.read_text()
    assert "Traceback" not in said, said[-4000:]


def _healthy(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/_stcore/health", timeout=2) as answer:
            return answer.read().strip() == b"ok"
    except OSError:
        return False


@dataclass
class Watched:
    """A page whose every request and console message is kept."""

    page: Page
    address: str
    outside: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.set_default_timeout(PAGE_MS)
        self.page.on("request", self._requested)
        self.page.on("console", self._said)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))

    def _requested(self, request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in ("data", "blob", "about") and parts.netloc != urlsplit(self.address).netloc:
            self.outside.append(request.url)

    def _said(self, message) -> None:
        # On a deep link Streamlit's own page asks for its server below the page's path, gets 404, asks at "/".
        probing = "/_stcore/" in message.location.get("url", "") and "404" in message.text
        if message.type == "error" and not probing:
            self.errors.append(f"{message.text} {message.location.get('url', '')}")

    def open(self, path: str) -> Page:
        self.page.goto(self.address + path)
        self.settle()
        return self.page

    def settle(self) -> None:
        """Return once the script has run to its end, every chart is drawn, and the page has come to rest.

        What was just clicked or typed may not have been sent yet: the page must have been at rest for some of its own
        frames, however late those come.
        """
        self.page.locator("h1, .ac-problem").first.wait_for(timeout=PAGE_MS)
        self.page.evaluate("() => { delete window.restedSince; }")
        self.page.wait_for_function(RESTED, arg=[REST_FRAMES, REST_MS], timeout=PAGE_MS)

    def written(self, where: str) -> str:
        """What a field holds, once it holds something: Streamlit shows a field first and fills it afterwards."""
        expect(self.page.locator(where)).not_to_have_value("")
        return self.page.locator(where).input_value()

    def clean(self) -> None:
        """Nothing left this machine and nothing went wrong in the browser."""
        assert self.outside == []
        assert self.errors == []
        assert self.page.locator("[data-testid=stException]").count() == 0
