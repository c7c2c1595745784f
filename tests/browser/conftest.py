"""The app on a server of its own, and Debian's Chromium. No browser is a failure, never a skipped test."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest
from driving import SAID_MS, Watched, serving
from playwright.sync_api import Page, expect

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

expect.set_options(timeout=SAID_MS)


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict:
    wanted = os.environ.get("AGENTCALC_BROWSER")
    path = shutil.which(wanted) if wanted else shutil.which("chromium") or shutil.which("google-chrome")
    if path is None:
        pytest.fail("no Chromium found: run scripts/install_browser.sh", pytrace=False)
    return {"executable_path": path, "args": list(FLAGS)}


@pytest.fixture(scope="session")
def server(tmp_path_factory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("server")) as address:
        yield address


@pytest.fixture
def app(page: Page, server: str) -> Iterator[Watched]:
    watched = Watched(page, server)
    yield watched
    watched.clean()
