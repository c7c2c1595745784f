"""Looks at a page of a running app and keeps a picture of it.

    python scripts/look.py http://127.0.0.1:8501/compare picture.png --width 1280

Waits until the server answers and the page has drawn its charts. Ends with 1, and says why, when the page shows an
error, draws no chart, or asks for anything outside this machine. Needs the packages of requirements-dev.txt and a
Chromium.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import time
import urllib.request
from urllib.parse import urlsplit

from playwright.sync_api import Page, sync_playwright
from playwright.sync_api import TimeoutError as TooLate

FLAGS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
FLAGS += ("--disable-component-update", "--disable-sync")


def wait_for_server(url: str, patience_s: float) -> None:
    """Returns once the server of a page reports that it is healthy; raises TimeoutError."""
    parts = urlsplit(url)
    health = f"{parts.scheme}://{parts.netloc}/_stcore/health"
    end = time.monotonic() + patience_s
    while time.monotonic() < end:
        try:
            with urllib.request.urlopen(health, timeout=5) as answer:
                if answer.read().strip() == b"ok":
                    return
        except OSError:
            time.sleep(0.2)
    raise TimeoutError(f"no answer from {health} within {patience_s:g} s")


def wait_until_drawn(page: Page) -> None:
    """Returns once the script has run to its end and a chart stands on the page."""
    page.locator("[data-testid=stVegaLiteChart] :is(canvas, svg)").first.wait_for(timeout=60_000)
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for(timeout=60_000)
    page.wait_for_timeout(1_500)  # the last charts and the fading of what was old


def main() -> int:
    wanted = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    wanted.add_argument("url")
    wanted.add_argument("picture")
    wanted.add_argument("--width", type=int, default=1280)
    wanted.add_argument("--height", type=int, default=800)
    wanted.add_argument("--whole", action="store_true", help="the whole page, not only the first screen")
    wanted.add_argument("--patience", type=float, default=300, help="seconds to wait for the server")
    asked = wanted.parse_args()
    wait_for_server(asked.url, asked.patience)
    outside: list[str] = []
    host = urlsplit(asked.url).netloc
    with sync_playwright() as playwright:
        path = os.environ.get("AGENTCALC_BROWSER") or shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        page = browser.new_page(viewport={"width": asked.width, "height": asked.height}, device_scale_factor=1)
        page.on("request", lambda request: outside.append(request.url) if _leaves(request.url, host) else None)
        page.goto(asked.url)
        try:
            wait_until_drawn(page)
            drawn = True
        except TooLate:
            drawn = False
        # Without this the picture ends where the page's own scrolling box ends.
        height = page.evaluate("document.querySelector('[data-testid=stMain]')?.scrollHeight ?? 0")
        if asked.whole:
            page.set_viewport_size({"width": asked.width, "height": max(asked.height, height)})
            page.wait_for_timeout(1_000)
        page.screenshot(path=asked.picture)
        errors = page.locator("[data-testid=stException], [role=alert]").all_inner_texts()
        text = page.inner_text("body")
        browser.close()
    faults = [f"an error on the page: {error[:500]}" for error in errors]
    faults += [f"a request to the outside: {url}" for url in outside]
    faults += [] if drawn else [f"no chart; the page says: {text[:500]}"]
    print("\n".join(faults) or f"{asked.url} is drawn", file=sys.stderr if faults else sys.stdout)
    return bool(faults)


def _leaves(url: str, host: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme not in ("data", "blob", "about") and parts.netloc != host


if __name__ == "__main__":
    sys.exit(main())
