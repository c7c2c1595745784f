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

QUICK = (
    "test_the_answer_and_its_caveat_are_on_the_first_screen",
    "test_on_a_phone_the_answer_comes_before_the_controls",
    "test_a_broken_task_is_one_line_and_the_controls_stay",
    "test_a_task_from_nothing_becomes_a_link_that_another_browser_opens",
    "test_benchmark_files_become_a_system",
    "test_a_system_is_done_at_its_own_end",
    "test_on_touch_controls_are_always_there",
)
"""Browser tests of the fast run, some of each page; every other is slow, since a page takes seconds to open."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = os.path.dirname(__file__)
    for item in items:
        if str(item.path).startswith(here):
            # A browser on a busy machine may lose a click. What passes only at the second try is listed as RERUN.
            item.add_marker(pytest.mark.flaky(reruns=1))
            if item.originalname not in QUICK:
                item.add_marker(pytest.mark.slow)


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
